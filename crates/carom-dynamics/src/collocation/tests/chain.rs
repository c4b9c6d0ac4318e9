//! Chains of rods: energy along the whole dense output, and a motion known to 12 digits.

use std::f64::consts::FRAC_PI_2;

use super::testing::{Dice, Rods, Run, accuracy};
use crate::collocation::{Point, Rule};

/// Ten rods of 0.1 m and 0.1 kg, at the tolerance that keeps their energy; the velocity scale is √(g/l).
fn chain(rule: Rule) -> Run<Rods> {
    let rods = Rods::equal(10, 0.1, 0.1);
    let mut run = Run::new(rods, accuracy(5e-8, 10, 9.9), &[FRAC_PI_2; 10], &[0.0; 10]);
    run.rule = rule;
    run
}

#[test]
fn ten_rods_keep_their_energy_at_every_time_with_cuts_at_random_times() {
    for rule in [Rule::Four, Rule::Six] {
        for cuts in [0.0, 0.2, 1.0] {
            let (mut run, mut check) = (chain(rule), Rods::equal(10, 0.1, 0.1));
            let (mut dice, mut point, mut worst) = (Dice(10), Point::default(), 0.0_f64);
            while run.time < 10.0 {
                run.step(10.0);
                let span = run.segment.span();
                let mut cut = span.end;
                if dice.roll() < cuts {
                    cut = span.start + dice.roll() * span.length();
                    run.cut(cut);
                }
                for k in 1..=10 {
                    let t = span.start + (cut - span.start) * f64::from(k) / 10.0;
                    run.segment.state_at(t.min(cut), &mut point);
                    let energy = check.energy(&point.q, &point.v);
                    worst = worst.max((energy / check.reference_energy()).abs());
                }
            }
            let (calls, segments) = (run.calls, run.segments);
            println!(
                "{rule:?}, cut with probability {cuts}: energy off by {worst:.2e} of MgL/2, {segments} segments, {calls} calls"
            );
            // The target that linkages are held to; it starts at 0, so this is the drift, too.
            assert!(worst <= 1e-6, "{rule:?}: energy is off by {worst:e}");
        }
    }
}

/// Three rods of 1 m from the horizontal, after 5 s: extrapolation (Gragg-Bulirsch-Stoer, 9 columns, order 18) in 30
/// digits with steps of 1/160 s. Steps of 1/80 s give 8e-12 more or less, so that these are good to 16 digits.
const AFTER_FIVE_SECONDS: [f64; 6] = [
    -1.7295409718888748,
    -1.176678053937226,
    0.41761807526040484,
    0.40086895404022255,
    2.4227916009846457,
    2.794177184567296,
];

#[test]
fn a_triple_pendulum_is_where_thirty_digits_say_after_five_seconds() {
    for (rule, limit) in [(Rule::Four, 1e-9), (Rule::Six, 1e-9)] {
        let rods = Rods::equal(3, 1.0, 1.0);
        let mut run = Run::new(rods, accuracy(1e-12, 3, 3.1), &[FRAC_PI_2; 3], &[0.0; 3]);
        run.rule = rule;
        run.advance(5.0);
        let end = run.point.q.iter().chain(&run.point.v);
        let error =
            end.zip(AFTER_FIVE_SECONDS).fold(0.0_f64, |most, (x, y)| most.max((x - y).abs()));
        println!("{rule:?}: off by {error:.2e}, {} segments, {} calls", run.segments, run.calls);
        assert!(error <= limit, "{rule:?}: off by {error:e}");
    }
}

#[test]
fn a_run_in_pieces_ends_where_the_whole_one_does() {
    let start = [FRAC_PI_2; 3];
    let new = || Run::new(Rods::equal(3, 1.0, 1.0), accuracy(1e-11, 3, 3.1), &start, &[0.0; 3]);
    let mut whole = new();
    whole.advance(5.0);
    let (mut pieces, mut dice) = (new(), Dice(3));
    while pieces.time < 5.0 {
        pieces.step(5.0);
        let span = pieces.segment.span();
        pieces.cut(span.start + (0.2 + 0.8 * dice.roll()) * span.length());
    }
    let apart = |a: &Point, b: &Point| {
        a.q.iter().zip(&b.q).fold(0.0_f64, |most, (x, y)| most.max((x - y).abs()))
    };
    let apart = apart(&whole.point, &pieces.point);
    println!("{} and {} segments end {apart:.2e} apart", whole.segments, pieces.segments);
    // Every cut costs at most the tolerance in velocity, and the pendulum multiplies errors by some hundred in 5 s.
    assert!(apart < 1e-11 * pieces.segments as f64 * 100.0, "{apart:e}");
}
