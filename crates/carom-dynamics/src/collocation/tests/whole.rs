//! What does not depend on how it is asked, and what is refused.

use super::testing::{Dice, Given, Rods, Run, accuracy};
use crate::collocation::{
    Accuracy, IntegrationError, Memory, Obstacle, Point, Probe, Ranges, Rule, Scale, SecondOrder,
    Undefined,
};

fn rods() -> Run<Rods> {
    Run::new(Rods::equal(3, 0.5, 1.0), accuracy(1e-9, 3, 4.0), &[1.5, 1.0, 2.0], &[0.0, -1.0, 3.0])
}

#[test]
fn segments_are_the_same_to_the_bit_however_often_they_are_asked() {
    let (mut plain, mut asked) = (rods(), rods());
    let (mut dice, mut point, mut ranges) = (Dice(5), Point::default(), Ranges::default());
    for _ in 0..200 {
        plain.step(f64::INFINITY);
        asked.step(f64::INFINITY);
        for _ in 0..5 {
            let span = asked.segment.span();
            asked.segment.state_at(span.start + dice.roll() * span.length(), &mut point);
            asked.segment.ranges(span, &mut ranges);
        }
        assert_eq!(plain.segment, asked.segment);
        assert_eq!(plain.memory, asked.memory);
    }
}

#[test]
fn a_segment_starts_where_the_last_ended_and_cuts_change_nothing_before() {
    let mut run = rods();
    let mut point = Point::default();
    for _ in 0..100 {
        let before = run.point.clone();
        run.step(f64::INFINITY);
        let span = run.segment.span();
        run.segment.state_at(span.start, &mut point);
        assert_eq!((&point.q, &point.v), (&before.q, &before.v));
        let whole = run.segment.clone();
        let t = span.start + 0.3 * span.length();
        run.segment.state_at(t, &mut point);
        run.segment.cut(span.start + 0.6 * span.length());
        let mut after_cut = Point::default();
        run.segment.state_at(t, &mut after_cut);
        assert_eq!(point, after_cut);
        assert!(run.segment.span().end < whole.span().end);
    }
}

#[test]
fn a_motion_that_is_saved_with_its_memory_goes_on_with_the_same_bits() {
    let mut run = rods();
    run.advance(0.7);
    let mut numbers = Vec::new();
    run.memory.write(&mut numbers);
    let mut other = rods();
    other.memory = Memory::read(&numbers).unwrap();
    assert_eq!(other.memory, run.memory);
    (other.time, other.point, other.goes_on) = (run.time, run.point.clone(), run.goes_on);
    for _ in 0..50 {
        run.step(3.0_f64.max(run.time + 1.0));
        other.step(3.0_f64.max(other.time + 1.0));
        assert_eq!(run.segment, other.segment);
    }
    assert_eq!(Memory::read(&numbers[..numbers.len() - 1]), None);
    assert_eq!(Memory::read(&[f64::NAN; 8]), None);
    assert_eq!(Memory::read(&[]), None);
}

#[test]
fn a_segment_ends_at_the_latest_end_and_ticks_do_not_shorten_later_steps() {
    let mut run = rods();
    run.advance(1.0);
    let natural = run.memory.step(Rule::Six).unwrap();
    for tick in 1..=20 {
        let latest = 1.0 + f64::from(tick) * 1e-4;
        run.goes_on = false;
        run.step(latest);
        assert_eq!(run.time, latest);
    }
    let later = run.memory.step(Rule::Six).unwrap();
    println!("steps of {natural:.4} s before ticks of 0.1 ms, {later:.4} s after");
    assert!(later > 0.3 * natural);
    assert_eq!(Rule::suited(1e-4, &run.memory), Rule::Four);
    assert_eq!(Rule::suited(natural, &run.memory), Rule::Six);
}

#[test]
fn an_acceleration_that_grows_without_bound_ends_in_an_error_that_says_where() {
    // q̈ = 2q³ with q = q̇ = 1 is q = 1/(1 − t), which ends at t = 1.
    let pole = Given(1, |_: f64, q: &[f64], _: &[f64], out: &mut [f64]| {
        out[0] = 2.0 * q[0] * q[0] * q[0];
    });
    let mut run = Run::new(pole, accuracy(1e-8, 1, 1.0), &[1.0], &[1.0]);
    let error = loop {
        if let Err(error) = run.try_step(2.0) {
            break error;
        }
        assert!(run.segments < 10_000, "no end at t = {}", run.time);
    };
    println!("{} segments: {error}", run.segments);
    assert!((run.time - 1.0).abs() < 1e-6, "{error}");
    let IntegrationError::StepCollapsed { .. } = error else { panic!("{error}") };
}

#[test]
fn a_force_that_jumps_is_passed_or_refused_but_never_hangs() {
    let jump = Given(1, |t: f64, _: &[f64], _: &[f64], out: &mut [f64]| {
        out[0] = if t < 0.5 { 1.0 } else { -1.0 };
    });
    let mut run = Run::new(jump, accuracy(1e-8, 1, 1.0), &[0.0], &[0.0]);
    run.advance(1.0);
    println!("passed in {} segments, {} attempts, {} calls", run.segments, run.attempts, run.calls);
    assert!((run.point.v[0]).abs() < 1e-6 && run.attempts < 500);
}

/// Leaves its chart at 2, and has no inertia at rest at 0.
struct Chart;

impl SecondOrder for Chart {
    fn freedoms(&self) -> usize {
        1
    }

    fn acceleration(&mut self, probe: &Probe, out: &mut [f64]) -> Result<(), Undefined> {
        out[0] = 0.0;
        match probe.q[0] {
            q if q.abs() > 2.0 => Err(Undefined::OutOfChart(0)),
            0.0 => Err(Undefined::Singular(0)),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_segment_stays_within_its_chart() {
    let mut run = Run::new(Chart, accuracy(1e-8, 1, 1.0), &[0.5], &[1.0]);
    run.memory = Memory::new();
    for _ in 0..20 {
        if run.try_step(100.0).is_err() || run.point.q[0] > 1.9 {
            break;
        }
    }
    assert!(run.point.q[0] <= 2.0 && run.point.q[0] > 1.0, "{}", run.point.q[0]);
}

#[test]
fn starts_that_make_no_sense_are_refused_with_the_reason() {
    let refused = |q: f64, latest: f64| {
        let mut run = Run::new(Chart, accuracy(1e-8, 1, 1.0), &[q], &[1.0]);
        run.try_step(latest).unwrap_err()
    };
    let reason = refused(0.0, 1.0);
    assert_eq!(
        reason,
        IntegrationError::NoAcceleration { time: 0.0, reason: Undefined::Singular(0) }
    );
    for error in [refused(1.0, 0.0), refused(1.0, f64::NAN), refused(f64::NAN, 1.0)] {
        assert!(matches!(error, IntegrationError::BadStart { .. }), "{error}");
    }
    let endless = Given(1, |_: f64, _: &[f64], _: &[f64], out: &mut [f64]| out[0] = f64::INFINITY);
    let mut run = Run::new(endless, accuracy(1e-8, 1, 1.0), &[0.0], &[0.0]);
    let error = run.try_step(1.0).unwrap_err();
    assert_eq!(error, IntegrationError::NotFinite { time: 0.0, coordinate: 0 });
    assert!(Obstacle::NotFinite.to_string().contains("finite"));
    let scale = Scale { displacement: 1.0, velocity: 0.0 };
    assert!(Accuracy::new(1e-8, vec![scale]).is_err() && Accuracy::new(0.0, vec![]).is_err());
}

#[test]
fn once_storage_is_there_nothing_is_allocated() {
    let (mut run, mut ranges) = (rods(), Ranges::default());
    run.advance(0.5);
    run.segment.ranges(run.segment.span(), &mut ranges);
    let counted = allocation_counter::measure(|| {
        for k in 0..100 {
            run.step(f64::INFINITY);
            let span = run.segment.span();
            run.segment.ranges(span, &mut ranges);
            run.cut(span.start + 0.5 * span.length());
            run.rule = if k % 2 == 0 { Rule::Four } else { Rule::Six };
        }
    });
    println!("{} allocations in 100 segments", counted.count_total);
    assert_eq!(counted.count_total, 0);
}
