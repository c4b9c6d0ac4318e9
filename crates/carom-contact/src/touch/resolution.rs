//! How close is touching.

use carom_dynamics::tolerances::BOUND_ROUNDING_ULPS;
use carom_dynamics::{Motion, Span};

use super::{Mover, Rigid};
use crate::tolerances::{TOUCH_ROUNDINGS, TOUCH_SHARE, TOUCH_ULPS};

/// The distance at which two solids touch at a time (design: d_touch) `[m]`: 10⁻⁹ of the smaller body's size, but never
/// less than what positions, the time and angles can resolve, nor than four times the proven rounding of a gap.
pub fn touch_distance(a: &Mover<'_>, b: &Mover<'_>, time: f64) -> f64 {
    let (state_a, state_b) = (a.motion.state_at(time), b.motion.state_at(time));
    let apart = state_a.position.distance(state_b.position);
    // What matters of an unbounded solid is where the other one is.
    let reach_a = a.reach.min(apart + b.reach);
    let reach_b = b.reach.min(apart + a.reach);
    let place = state_a.position.length().max(state_b.position.length());
    let mut speed = 0.0;
    let mut turned = 0.0_f64;
    let ulps = BOUND_ROUNDING_ULPS * f64::EPSILON;
    let mut rounding = 2.0 * f64::EPSILON * place + ulps * apart;
    for (mover, state, reach) in [(a, state_a, reach_a), (b, state_b, reach_b)] {
        let spin = state.angular_velocity.length();
        speed += state.velocity.length() + reach * spin;
        turned = turned.max(reach * spin * age(mover.motion, time));
        let rates = mover.motion.rate_bounds(Span::new(time, time));
        rounding += 2.0 * (rates.rounding + rates.angular_rounding * reach) + 0.5 * ulps * reach;
    }
    let ulps = TOUCH_ULPS * f64::EPSILON;
    (TOUCH_SHARE * a.size.min(b.size))
        .max(ulps * place)
        .max(ulps * speed * time.abs())
        .max(ulps * turned)
        .max(TOUCH_ROUNDINGS * rounding)
}

/// How long a motion has been followed from its data `[s]`.
pub(super) fn age(motion: &Motion, time: f64) -> f64 {
    match motion {
        Motion::Fixed(_) => 0.0,
        Motion::Scripted(_) => time.abs(),
        Motion::Ballistic(arc) => time - arc.beginning().0,
    }
}

/// A body's share of the touch distance throughout a window: two boxes that are padded by it overlap whenever their bodies
/// are within touch distance of each other `[m]`.
pub fn share_of_touch(body: &Rigid<'_>, window: Span) -> f64 {
    let node = body.pieces.tree()[0];
    let reach = body.frame_from_shape.point(node.center).length() + node.radius;
    let (start, end) = (window.start, window.end.min(LONGEST));
    let (position, velocity) = body.motion.place_at(start);
    let rates = body.motion.rate_bounds(Span::new(start, end));
    let acceleration = match body.motion {
        Motion::Ballistic(arc) => arc.gravity(),
        other => other.kinematics_at(start).acceleration,
    };
    let speed = velocity.length() + acceleration.length() * (end - start) + reach * rates.spin;
    let place = position.length() + speed * (end - start);
    let late = start.abs().max(end.abs());
    let ulps = TOUCH_ULPS * f64::EPSILON;
    let rounding = 2.0 * (rates.rounding + rates.angular_rounding * reach) + f64::EPSILON * place;
    TOUCH_SHARE * body.size + ulps * (place + speed * late) + TOUCH_ROUNDINGS * rounding
}

/// Times later than this are as good as never `[s]`.
const LONGEST: f64 = 1e12;

/// The distance at which two bodies touch at a time, judged by their outermost balls `[m]`.
pub fn touch_distance_of(a: &Rigid<'_>, b: &Rigid<'_>, time: f64) -> f64 {
    let [node_a, node_b] = [a, b].map(|body| body.pieces.tree()[0]);
    touch_distance(&a.mover(0, &node_a), &b.mover(0, &node_b), time)
}
