//! A tolerance holds at every time of a segment, measured against the true motion through the segment's start.

use super::testing::{Dice, Rods, Run, accuracy};
use crate::collocation::{Point, Rule, SecondOrder};

/// Largest error within segments, in units of what (6) allows, and how many segments there were.
///
/// The truth is integrated from every start anew, by the rule with the other number of nodes, at a tolerance of
/// 10⁻¹³.
fn worst_share<S: SecondOrder>(
    system: impl Fn() -> S,
    q: &[f64],
    rule: Rule,
    tolerance: f64,
    end: f64,
) -> (f64, u64, f64) {
    let (n, other) = (q.len(), if rule == Rule::Six { Rule::Four } else { Rule::Six });
    let mut run = Run::new(system(), accuracy(tolerance, n, 3.0), q, &vec![0.0; n]);
    run.rule = rule;
    let mut truth = Run::new(system(), accuracy(1e-13, n, 3.0), q, &vec![0.0; n]);
    truth.rule = other;
    let (mut worst, mut total, mut point) = (0.0_f64, 0.0, Point::default());
    while run.time < end {
        (truth.time, truth.point, truth.goes_on) = (run.time, run.point.clone(), false);
        truth.memory.forget();
        run.step(end);
        let span = run.segment.span();
        let mut most = 0.0_f64;
        let v0 = truth.point.v.clone();
        for k in 1..=12 {
            let t =
                if k == 12 { span.end } else { span.start + span.length() * f64::from(k) / 12.0 };
            truth.advance(t);
            run.segment.state_at(t, &mut point);
            for (i, v0) in v0.iter().enumerate() {
                let (allowed_q, allowed_v) = run.integrator.accuracy().allowed(i, *v0);
                let error_q = (point.q[i] - truth.point.q[i]).abs() / allowed_q;
                let error_v = (point.v[i] - truth.point.v[i]).abs() / allowed_v;
                most = most.max(error_q).max(error_v);
            }
        }
        worst = worst.max(most);
        total += most;
    }
    (worst, run.segments, total / run.segments as f64)
}

#[test]
fn the_tolerance_holds_at_every_time_of_every_segment() {
    let mut dice = Dice(7);
    for n in [1, 2, 3, 6, 10] {
        let start: Vec<f64> = (0..n).map(|_| 3.0 * (2.0 * dice.roll() - 1.0)).collect();
        for rule in [Rule::Four, Rule::Six] {
            for tolerance in [1e-4, 1e-7, 1e-9] {
                let (worst, segments, mean) =
                    worst_share(|| Rods::equal(n, 1.0, 1.0), &start, rule, tolerance, 8.0);
                // Leading terms say less of the long segments of coarse tolerances.
                let limit = if tolerance > 1e-6 { 4.0 } else { 1.0 };
                assert!(worst <= limit, "{n} rods, {rule:?}, {tolerance:e}: {worst} of it");
                println!(
                    "{n} rods, {rule:?}, tolerance {tolerance:e}: {worst:.3} of it at worst, {mean:.3} on \
                     average, in {segments} segments"
                );
            }
        }
    }
}
