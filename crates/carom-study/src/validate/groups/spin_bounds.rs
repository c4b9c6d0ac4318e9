//! The guide's checklist TOI-R5: the largest rate of a free rotation, against (M 2.4), (M 2.5) and (M 2.6).
//!
//! By hand, for moments 1, 2, 3 and rates (1, 2, 2): 2E = 21, |L|² = 53. Since 53 > 2E·I₂ the momentum goes round
//! the third axis, and |ω|² is largest where ω₂ = 0: there ω₁² + 3ω₃² = 21 and ω₁² + 9ω₃² = 53, so that
//! |ω|² = 5 + 16/3 = 31/3. (M 2.5) gives √21 and (M 2.4) √53.

use glam::{DQuat, DVec3};

use carom_dynamics::FreeRotation;

use super::super::{Context, Row};
use super::{attitude, body_of};

const BY_HAND: &str = "guide to Mirtich 1996, TOI-3: energy and momentum ellipsoids by hand";
const THESIS: &str = "Mirtich 1996, (2.4), (2.5), (2.6)";

/// The bound is rounded up by some units in the last place.
const ROUNDED_UP: f64 = 1e-13;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let moments = [1.0, 2.0, 3.0];
    let row = |key: &str, what: &str, source: &str| {
        Row::case(format!("m1/TOI-R5/{key}"), what, source).in_unit("rad/s")
    };
    let omega_max = |moments: [f64; 3], rates: [f64; 3]| {
        let mass = body_of(context, moments);
        let rotation = FreeRotation::new(&mass, DQuat::IDENTITY, DVec3::from_array(rates));
        context.subject.bound(rotation.omega_max())
    };
    // √(31/3).
    let largest = 3.2145502536643185;
    let rates = [1.0, 2.0, 2.0];
    vec![
        row("omega-max", "moments 1, 2, 3, rates 1, 2, 2: ω_max", BY_HAND).relative(
            ROUNDED_UP,
            largest,
            omega_max(moments, rates),
        ),
        // Near its largest value |ω| is a parabola: steps of 1 ms miss it by less than 1e-6.
        row("attained", "the same body: largest |ω| within 10 s as a share of ω_max", BY_HAND)
            .in_unit("-")
            .absolute(1e-6, 1.0, attained(context, moments, rates)),
        row("cube", "three equal moments, rates 1, 2, 2: ω_max is |ω|, (2.5) and (2.4)", THESIS)
            .relative(ROUNDED_UP, 3.0, omega_max([2.0; 3], rates)),
        row("least-axis", "spin about the least moment: ω_max is |ω|, (2.5) and (2.4)", THESIS)
            .relative(ROUNDED_UP, 3.0, omega_max(moments, [3.0, 0.0, 0.0])),
        row("order", "times in 60 motions that |ω| ≤ ω_max ≤ (2.5) ≤ (2.4) or (2.6) fails", THESIS)
            .in_unit("-")
            .absolute(0.0, 0.0, violations(context)),
    ]
}

fn attained(context: &Context, moments: [f64; 3], rates: [f64; 3]) -> f64 {
    let mass = body_of(context, moments);
    let rotation = FreeRotation::new(&mass, DQuat::IDENTITY, DVec3::from_array(rates));
    let speed = |ms: u32| attitude(context, &rotation, 1e-3 * f64::from(ms)).1.length();
    let largest = (0..10_000).map(speed).fold(0.0, f64::max);
    largest / context.subject.bound(rotation.omega_max())
}

/// Sixty boxes with edges between 1 and 3 and spins all round, each looked at 400 times.
fn violations(context: &Context) -> f64 {
    let mut count = 0;
    for index in 0..60 {
        let share = |factor: f64| libm::fmod(f64::from(index) * factor, 1.0);
        let squares = [0.7548776662, 0.5698402910, 0.4301597090].map(|f| {
            let edge = 1.0 + 2.0 * share(f);
            edge * edge / 12.0
        });
        let [x, y, z] = squares;
        let mut moments = [y + z, z + x, x + y];
        moments.sort_by(f64::total_cmp);
        let rates = [0.3819660113, 0.8191725134, 0.6180339887].map(|f| 10.0 * share(f) - 5.0);
        let rotation = FreeRotation::new(
            &body_of(context, moments),
            DQuat::IDENTITY,
            DVec3::from_array(rates),
        );
        let bound = context.subject.bound(rotation.omega_max());
        let (by_energy, by_momentum) = ellipsoids(moments, rates);
        let up = 1.0 + ROUNDED_UP;
        let least = (moments[0] / moments[2]).sqrt();
        let ratio = by_energy / by_momentum;
        count += u32::from(bound > by_energy * up || ratio > up || ratio * up < least);
        for step in 0..400 {
            let (_, now) = attitude(context, &rotation, 0.05 * f64::from(step));
            count += u32::from(now.length() > bound);
        }
    }
    f64::from(count)
}

/// (M 2.5) and (M 2.4) `[rad/s]`.
fn ellipsoids(moments: [f64; 3], rates: [f64; 3]) -> (f64, f64) {
    let sum = |f: fn(f64, f64) -> f64| -> f64 {
        moments.iter().zip(rates).map(|(moment, rate)| f(*moment, rate)).sum()
    };
    let twice_energy = sum(|moment, rate| moment * rate * rate);
    let momentum_sq = sum(|moment, rate| moment * moment * rate * rate);
    ((twice_energy / moments[0]).sqrt(), momentum_sq.sqrt() / moments[0])
}
