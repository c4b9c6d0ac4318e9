//! Speed. Figures are printed; only what cannot depend on the machine is asserted.

use std::f64::consts::FRAC_PI_2;
use std::time::Instant;

use super::testing::{Dice, Given, Rods, Run, accuracy};
use crate::Span;
use crate::collocation::{Ranges, Rule, SecondOrder};

#[test]
fn chains_and_pendulums_take_this_many_calls() {
    let cases =
        [(10_usize, 0.1, 10.0, 9.9, 5e-8), (3, 1.0, 5.0, 3.1, 1e-10), (3, 1.0, 5.0, 3.1, 1e-12)];
    for (n, length, end, velocity, tolerance) in cases {
        for rule in [Rule::Four, Rule::Six] {
            let rods = Rods::equal(n, length, 0.1);
            let unit = rods.reference_energy();
            let scales = accuracy(tolerance, n, velocity);
            let mut run = Run::new(rods, scales, &vec![FRAC_PI_2; n], &vec![0.0; n]);
            run.rule = rule;
            let clock = Instant::now();
            run.advance(end);
            let wall = clock.elapsed().as_secs_f64();
            let drift = run.system.energy(&run.point.q, &run.point.v).abs() / unit;
            println!(
                "{n} rods, {end} s, {rule:?}, tolerance {tolerance:e}: {} calls, {} segments, {} attempts, \
                 {:.2} ms, energy off by {drift:.1e} of MgL/2",
                run.calls,
                run.segments,
                run.attempts,
                1e3 * wall
            );
            assert!(run.attempts < 2 * run.segments);
        }
    }
}

/// Strikes every millisecond: cut, change of velocity, a new segment, ranges over it up to the next strike.
fn strike<S: SecondOrder>(name: &str, mut run: Run<S>, strikes: u32) {
    let (mut dice, mut ranges) = (Dice(1), Ranges::default());
    run.step(f64::INFINITY);
    let clock = Instant::now();
    for _ in 0..strikes {
        let t = (run.segment.span().start + 1e-3).min(run.segment.span().end);
        run.cut(t);
        for v in &mut run.point.v {
            *v = 0.9 * *v + 0.1 * (dice.roll() - 0.5);
        }
        run.rule = Rule::suited(1e-3, &run.memory);
        run.step(f64::INFINITY);
        let start = run.segment.span().start;
        run.segment.ranges(Span::new(start, start + 1e-3), &mut ranges);
    }
    let each = clock.elapsed().as_secs_f64() / f64::from(strikes);
    let calls = run.calls as f64 / f64::from(strikes);
    println!("{name}: {:.0} strikes per second, {calls:.1} calls each", 1.0 / each);
    assert!(calls < 40.0);
}

#[test]
fn strikes_are_cheap() {
    for tolerance in [1e-6, 1e-8] {
        let springs = Given(3, |_: f64, q: &[f64], _: &[f64], out: &mut [f64]| {
            for (a, q) in out.iter_mut().zip(q) {
                *a = -q;
            }
        });
        let run = Run::new(springs, accuracy(tolerance, 3, 1.0), &[0.1, 0.2, 0.3], &[0.0; 3]);
        strike(&format!("3 springs, tolerance {tolerance:e}"), run, 20_000);
        let rods = Rods::equal(3, 0.3, 1.0);
        let run = Run::new(rods, accuracy(tolerance, 3, 5.0), &[1.0; 3], &[0.0; 3]);
        strike(&format!("3 rods, tolerance {tolerance:e}"), run, 20_000);
        let rods = Rods::equal(12, 0.1, 0.1);
        let run = Run::new(rods, accuracy(tolerance, 12, 9.9), &[1.0; 12], &[0.0; 12]);
        strike(&format!("12 rods, tolerance {tolerance:e}"), run, 5_000);
    }
}
