//! How close is touching, and how deep is overlapping.

use carom_dynamics::tolerances::BOUND_ROUNDING_ULPS;
use carom_dynamics::{Kinematics, Motion, RateBounds, Span};
use glam::DVec3;

use super::{Mover, Rigid};
use crate::tolerances::{
    LONGEST, OVERLAP_ULPS, TOLD_APART, TOUCH_ROUNDINGS, TOUCH_SHARE, TOUCH_ULPS,
};

/// What of a moving solid says how finely it can be placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    position: DVec3,
    /// `[m/s]`
    speed: f64,
    /// Throughout the motion.
    rates: RateBounds,
    /// How long the motion has been followed from its data `[s]`.
    age: f64,
    /// Largest distance of its points from the reference point, infinite if unbounded `[m]`.
    reach: f64,
    /// Infinite if unbounded `[m]`.
    size: f64,
}

impl Standing {
    pub(super) fn of(motion: &Motion, reach: f64, size: f64, time: f64) -> Self {
        let (position, velocity) = motion.place_at(time);
        Self {
            position,
            speed: velocity.length(),
            rates: motion.rate_bounds(Span::new(time, time)),
            age: age(motion, time),
            reach,
            size,
        }
    }

    fn of_body(body: &Rigid<'_>, time: f64) -> Self {
        Self::of(body.motion, reach_of(body), body.size, time)
    }
}

/// The distance at which two solids touch at a time (design: d_touch) `[m]`: 10⁻⁹ of the smaller body's size, but never
/// less than what positions, the time and angles can resolve, nor than four times the proven rounding of a gap.
pub fn touch_distance(a: &Mover<'_>, b: &Mover<'_>, time: f64) -> f64 {
    let standing = |it: &Mover<'_>| Standing::of(it.motion, it.reach, it.size, time);
    Resolution::of(&standing(a), &standing(b), time).touch
}

/// The distance at which two bodies touch at a time, judged by their outermost balls `[m]`.
pub fn touch_distance_of(a: &Rigid<'_>, b: &Rigid<'_>, time: f64) -> f64 {
    Resolution::of_bodies(a, b, time).touch
}

/// How finely two solids can be told from each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Resolution {
    /// d_touch `[m]`.
    pub(super) touch: f64,
    /// The distance from which on they can be told to be apart, at most half of d_touch `[m]`.
    pub(super) apart: f64,
}

impl Resolution {
    pub(super) fn of(a: &Standing, b: &Standing, time: f64) -> Self {
        let apart = a.position.distance(b.position);
        let place = a.position.length().max(b.position.length());
        let (mut speed, mut turned) = (0.0, 0.0_f64);
        let ulps = BOUND_ROUNDING_ULPS * f64::EPSILON;
        let mut rounding = 2.0 * f64::EPSILON * place + ulps * apart;
        for (body, other) in [(a, b), (b, a)] {
            // What matters of an unbounded solid is where the other one is.
            let reach = body.reach.min(apart + other.reach);
            let RateBounds { spin, rounding: of_place, angular_rounding, .. } = body.rates;
            speed += body.speed + reach * spin;
            turned = turned.max(reach * spin * body.age);
            rounding += 2.0 * (of_place + angular_rounding * reach) + 0.5 * ulps * reach;
        }
        let ulps = TOUCH_ULPS * f64::EPSILON;
        let touch = (TOUCH_SHARE * a.size.min(b.size))
            .max(ulps * place.max(speed * time.abs()).max(turned))
            .max(TOUCH_ROUNDINGS * rounding);
        Self { touch, apart: TOLD_APART * rounding }
    }

    /// Judged by their outermost balls.
    pub(super) fn of_bodies(a: &Rigid<'_>, b: &Rigid<'_>, time: f64) -> Self {
        Self::of(&Standing::of_body(a, time), &Standing::of_body(b, time), time)
    }
}

/// The depth up to which two bodies are as good as in contact: what eight units in the last place of their coordinates are,
/// those of the larger one's farthest points among them `[m]`.
pub fn overlap_allowance(a: &Rigid<'_>, b: &Rigid<'_>, time: f64) -> f64 {
    let (a, b) = (Standing::of_body(a, time), Standing::of_body(b, time));
    let place = a.position.length().max(b.position.length());
    let reach = [a.reach, b.reach].into_iter().filter(|it| it.is_finite()).fold(0.0, f64::max);
    OVERLAP_ULPS * f64::EPSILON * (place + reach)
}

/// How long a motion has been followed from its data `[s]`.
fn age(motion: &Motion, time: f64) -> f64 {
    match motion {
        Motion::Fixed(_) => 0.0,
        Motion::Scripted(_) => time.abs(),
        Motion::Ballistic(arc) => time - arc.beginning().0,
        Motion::Linked(link) => time - link.span().start,
    }
}

/// Largest distance of its points from the reference point, infinite if unbounded `[m]`.
pub(super) fn reach_of(body: &Rigid<'_>) -> f64 {
    let node = body.pieces.tree()[0];
    body.frame_from_shape.point(node.center).length() + node.radius
}

/// A body's share of the touch distance throughout a window: two boxes that are padded by it overlap whenever their bodies
/// are within touch distance of each other `[m]`.
///
/// Every term of d_touch is at most the sum of two that know one body each. Reference points are no farther apart than the
/// sum of their distances from the origin; and what an unbounded solid reaches to is where the other body is, whose share
/// has that twice. An unbounded one has no reach and no size of its own.
pub fn share_of_touch(body: &Rigid<'_>, window: Span) -> f64 {
    let window = Span::new(window.start, window.end.min(LONGEST));
    let kinematics = body.motion.kinematics_at(window.start);
    let rates = body.motion.rate_bounds(window);
    share_of_touch_by(body, window, &kinematics, &rates)
}

/// The same for those who know how the body moves at a time of the window, and bounds on its rates throughout.
pub fn share_of_touch_by(
    body: &Rigid<'_>,
    window: Span,
    kinematics: &Kinematics,
    rates: &RateBounds,
) -> f64 {
    let finite = |length: f64| if length.is_finite() { length } else { 0.0 };
    let (reach, size) = (finite(reach_of(body)), finite(body.size));
    let (start, end) = (window.start, window.end);
    let duration = end - start;
    let speed = kinematics.state.velocity.length()
        + duration * (kinematics.acceleration.length() + 0.5 * duration * rates.jerk);
    let place = kinematics.state.position.length() + speed * duration;
    let turning = reach * rates.spin;
    let late = start.abs().max(end.abs());
    let rounding = 2.0 * (rates.rounding + rates.angular_rounding * reach)
        + 2.0 * f64::EPSILON * place
        + BOUND_ROUNDING_ULPS * f64::EPSILON * (2.0 * place + reach);
    TOUCH_SHARE * size
        + TOUCH_ULPS * f64::EPSILON * (place + (speed + 2.0 * turning) * late)
        + TOUCH_ROUNDINGS * rounding
}
