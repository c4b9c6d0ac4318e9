//! A triple pendulum, against an integration in 40 digits (`oracles/tools/triple_pendulum.py`, which shares no code with this).

use super::dynamics::chain;
use super::{Run, free};

/// Three rods of 1 m and 1 kg from the horizontal, after 5 s: angles from the downward vertical, and their rates.
const AFTER_FIVE_SECONDS: [f64; 6] = [
    -1.7295409718888748,
    -1.1766780539372257,
    0.4176180752604052,
    0.4008689540402242,
    2.422791600984646,
    2.7941771845672956,
];

/// By how much that motion multiplies an error of its start: largest over all times and over all six directions, with angles
/// in radians and rates in units of √(g/L).
const GROWTH: f64 = 946.222;

/// How far a run with this tolerance is from there.
fn error(tolerance: f64) -> f64 {
    let mut run = Run::new(&free(chain(3, 1.0, 1.0), tolerance), &[0.0; 3], &[0.0; 3]);
    run.advance(5.0);
    let (mut angle, mut rate, mut worst) = (std::f64::consts::FRAC_PI_2, 0.0, 0.0_f64);
    for k in 0..3 {
        // Joints turn from the horizontal downward, each from the link before.
        angle -= run.q[k];
        rate -= run.v[k];
        worst = worst.max((angle - AFTER_FIVE_SECONDS[k]).abs());
        worst = worst.max((rate - AFTER_FIVE_SECONDS[3 + k]).abs());
    }
    println!("tolerance {tolerance:e}: off by {worst:.2e}, {} calls", run.calls);
    worst
}

#[test]
fn a_triple_pendulum_is_where_forty_digits_say_after_five_seconds() {
    for tolerance in [1e-11, 1e-12] {
        let error = error(tolerance);
        assert!(error <= 1e-9, "{error:e}");
    }
}

/// What is left at the tightest tolerance is rounding, which the motion multiplies.
#[test]
fn a_triple_pendulum_errs_by_no_more_than_its_growth_makes_of_rounding() {
    let error = error(crate::tolerances::SMALLEST_TOLERANCE);
    let limit = 1000.0 * GROWTH * f64::EPSILON;
    println!("that is {:.2} of 1000 × growth × ε", error / limit);
    assert!(error <= limit, "{error:e} of {limit:e}");
}
