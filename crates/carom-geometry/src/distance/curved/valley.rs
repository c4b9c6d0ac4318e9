//! Nearest points of cores that are apart, as the lowest point of a convex function.
//!
//! f(x) = ½·|x − p_A(x)|² + ½·|x − p_B(x)| ², with the projections p of x, is convex, and least halfway between the
//! nearest points. Its gradient 2x − p_A − p_B is continuous and its second derivative 2I − D_A − D_B piecewise so:
//! Newton's method with a line search that follows the slope converges from anywhere, whatever features are crossed
//! on the way. Near touch f says little of the normal; then it is used on solids moved apart (see `ascent`).

use glam::{DMat3, DVec3};

use super::pair::Pair;
use super::project::{Foot, project};
use super::solve::Guess;
use crate::tolerances::{
    VALLEY_FLOOR_ULPS, VALLEY_ROUNDNESS, VALLEY_SEARCH_STEPS, VALLEY_SLOPE, VALLEY_STEPS,
};

/// The function at a point between the cores.
struct At {
    a: Foot,
    b: Foot,
    point_b: DVec3,
    slope: DVec3,
}

impl At {
    /// A core that contains x has x itself for a foot.
    fn new(pair: &Pair<'_>, x: DVec3, near_a: &Foot, near_b: &Foot) -> Self {
        let inside = |point: DVec3, near: &Foot| Foot { point, map: DMat3::IDENTITY, ..*near };
        let x_b = pair.point_in_b(x);
        let a = project(&pair.a.core, x, near_a).unwrap_or_else(|| inside(x, near_a));
        let b = project(&pair.b.core, x_b, near_b).unwrap_or_else(|| inside(x_b, near_b));
        let point_b = pair.in_a(b.point);
        Self { a, b, point_b, slope: 2.0 * x - a.point - point_b }
    }
}

/// Goes down from between the points of the guess.
pub(super) fn descend(pair: &Pair<'_>, guess: &Guess) -> Guess {
    let [near_a, near_b] = guess.near(pair);
    let mut x = 0.5 * (guess.point_a + guess.point_b);
    let mut now = At::new(pair, x, &near_a, &near_b);
    let floor = pair.ulps(VALLEY_FLOOR_ULPS);
    for _ in 0..VALLEY_STEPS {
        if now.slope.length() <= floor {
            break;
        }
        let step = newton_step(pair, &now);
        let Some((share, there)) = lowest(pair, x, step, &now) else { break };
        x += share * step;
        now = there;
    }
    let apart = now.a.point - now.point_b;
    Guess {
        point_a: now.a.point,
        point_b: now.point_b,
        normal: apart.try_normalize().unwrap_or(guess.normal),
        features: [now.a.feature, now.b.feature],
    }
}

/// Newton's step, not longer than the solids and their distance together.
fn newton_step(pair: &Pair<'_>, now: &At) -> DVec3 {
    let map_b = pair.rotation * now.b.map * pair.rotation.transpose();
    let round = DMat3::from_diagonal(DVec3::splat(2.0 + VALLEY_ROUNDNESS));
    let mut step = -((round - now.a.map - map_b).inverse() * now.slope);
    if step.dot(now.slope) >= 0.0 || step.is_nan() {
        step = -now.slope;
    }
    let longest = 4.0 * (pair.size() + now.a.point.distance(now.point_b));
    let length = step.length();
    if length > longest { step * (longest / length) } else { step }
}

/// Goes along a step to where the slope has all but vanished, by false position with halving on the slope.
fn lowest(pair: &Pair<'_>, x: DVec3, step: DVec3, now: &At) -> Option<(f64, At)> {
    let start = now.slope.dot(step);
    let (mut low, mut high) = ((0.0, start), (1.0, f64::NAN));
    let mut share = 1.0;
    let mut was_low = false;
    for _ in 0..VALLEY_SEARCH_STEPS {
        let there = At::new(pair, x + share * step, &now.a, &now.b);
        let slope = there.slope.dot(step);
        if slope.abs() <= -VALLEY_SLOPE * start || (slope < 0.0 && share == 1.0) {
            return Some((share, there));
        }
        if slope < 0.0 {
            high.1 *= if was_low { 0.5 } else { 1.0 };
            low = (share, slope);
        } else {
            low.1 *= if was_low { 1.0 } else { 0.5 };
            high = (share, slope);
        }
        was_low = slope < 0.0;
        share = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
    }
    None
}
