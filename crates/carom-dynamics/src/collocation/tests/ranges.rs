//! No value of a segment is outside its ranges, down to windows of 1e-13 s, and without any part of them some are.

use proptest::prelude::*;

use super::testing::{Rods, Run, accuracy};
use crate::Span;
use crate::collocation::range::Shares;
use crate::collocation::{Point, Ranges, Rule, Segment};
use crate::testing::{log_uniform, property};

/// A segment of a whipping triple pendulum after some others, far from or near to q = 0.
fn segment() -> impl Strategy<Value = Segment> {
    let state =
        (proptest::array::uniform3(-3.0..3.0_f64), proptest::array::uniform3(-9.0..9.0_f64));
    (state, 1..4_u32, any::<bool>(), prop_oneof![Just(0.0), Just(100.0)]).prop_map(
        |((mut q, v), steps, four, turns)| {
            q[1] += turns;
            let mut run = Run::new(Rods::equal(3, 0.5, 1.0), accuracy(1e-5, 3, 4.0), &q, &v);
            run.rule = if four { Rule::Four } else { Rule::Six };
            for _ in 0..steps {
                run.step(f64::INFINITY);
            }
            run.segment
        },
    )
}

/// How many of the sampled values are outside.
fn outside(segment: &Segment, window: Span, shares: Shares) -> u32 {
    let (mut ranges, mut point) = (Ranges::default(), Point::default());
    segment.ranges_with(window, shares, &mut ranges);
    let mut count = 0;
    for k in 0..=40 {
        let t = (window.start + window.length() * f64::from(k) / 40.0).min(window.end);
        segment.state_at(t, &mut point);
        for i in 0..3 {
            count += u32::from(!ranges.q[i].contains(point.q[i]));
            count += u32::from(!ranges.v[i].contains(point.v[i]));
            count += u32::from(!ranges.a[i].contains(point.a[i]));
        }
    }
    count
}

/// A window of the segment at a share of it, at most to its end.
fn window(segment: &Segment, at: f64, length: f64) -> Span {
    let span = segment.span();
    let start = span.start + at * span.length();
    Span::new(start, (start + length).min(span.end))
}

proptest! {
    #![proptest_config(property(3000))]

    #[test]
    fn no_value_is_outside_its_range(
        segment in segment(),
        at in 0.0..1.0_f64,
        length in log_uniform(-13.0..0.5),
    ) {
        let window = window(&segment, at, length);
        prop_assert_eq!(outside(&segment, window, Shares::WHOLE), 0);
    }

    #[test]
    fn accelerations_change_no_faster_than_the_jerk_allows(
        segment in segment(),
        at in 0.0..1.0_f64,
        length in log_uniform(-13.0..0.5),
    ) {
        let window = window(&segment, at, length);
        let (mut ranges, mut first, mut last) = (Ranges::default(), Point::default(), Point::default());
        segment.ranges(window, &mut ranges);
        segment.state_at(window.start, &mut first);
        for k in 1..=20 {
            let t = (window.start + window.length() * f64::from(k) / 20.0).min(window.end);
            segment.state_at(t, &mut last);
            for i in 0..3 {
                prop_assert!(ranges.jerk[i] <= segment.jerk()[i]);
                let change = (last.a[i] - first.a[i]).abs();
                let rounding = 1e-14 * (1.0 + 10.0 * ranges.a[i].magnitude()
                    + segment.jerk()[i] * segment.span().length());
                let allowed = ranges.jerk[i] * (t - window.start) * (1.0 + 1e-14) + rounding;
                prop_assert!(change <= allowed, "{change:e} beyond {allowed:e}");
            }
        }
    }
}

/// Deliberate faults: how many of 400 windows of each size have a value outside.
#[test]
fn without_bulge_or_rounding_ranges_are_left() {
    let mut run = Run::new(
        Rods::equal(3, 0.5, 1.0),
        accuracy(1e-5, 3, 4.0),
        &[1.5, 101.0, -2.0],
        &[1.0, -5.0, 8.0],
    );
    for (length, bulge, rounding) in
        [(0.05, 0.0, 1.0), (0.05, 0.2, 1.0), (1e-7, 1.0, 0.0), (1e-12, 1.0, 0.0)]
    {
        let (mut caught, mut sound) = (0, 0);
        for k in 0..400 {
            run.step(f64::INFINITY);
            let window = window(&run.segment, 0.07 * f64::from(k % 13), length);
            caught += u32::from(outside(&run.segment, window, Shares { bulge, rounding }) > 0);
            sound += outside(&run.segment, window, Shares::WHOLE);
        }
        println!(
            "windows of {length:e} s, bulge ×{bulge}, rounding ×{rounding}: {caught} of 400 left"
        );
        assert!(caught > 20 && sound == 0, "the fault shows in {caught} windows, none in {sound}");
    }
}

/// How much wider ranges are than what sampled values take up.
#[test]
fn ranges_are_tight() {
    let mut run =
        Run::new(Rods::equal(3, 0.5, 1.0), accuracy(1e-9, 3, 4.0), &[1.5, 1.0, 2.0], &[0.0; 3]);
    let (mut sums, mut count, mut point, mut ranges) =
        ([0.0; 2], 0.0, Point::default(), Ranges::default());
    for _ in 0..300 {
        run.step(f64::INFINITY);
        let span = run.segment.span();
        for (kind, part) in [1.0, 0.2].into_iter().enumerate() {
            let window = Span::new(span.start, span.start + part * span.length());
            run.segment.ranges(window, &mut ranges);
            for i in 0..3 {
                let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
                for k in 0..=50 {
                    run.segment
                        .state_at(window.start + window.length() * f64::from(k) / 50.0, &mut point);
                    (low, high) = (low.min(point.q[i]), high.max(point.q[i]));
                }
                sums[kind] += (ranges.q[i].high - ranges.q[i].low) / (high - low);
            }
        }
        count += 3.0;
    }
    let [whole, fifth] = sums.map(|sum| sum / count);
    println!(
        "width of q over that of the motion: {whole:.4} over segments, {fifth:.4} over fifths"
    );
    assert!(whole < 1.05 && fifth < 1.01);
}
