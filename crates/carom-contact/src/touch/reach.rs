//! While bounding balls are apart, only their centres need to be followed.
//!
//! With p the vector between the centres and p̂ its direction now, p̂·p(τ) ≤ |p(τ)|. So the balls stay apart as long as
//! |p| + p̂·ṗτ + ½p̂·p̈τ² − ⅙Jτ³ stays above the sum of their radii, with J bounding the jerks of the centres.

use carom_dynamics::{Kinematics, Motion, RateBounds, Span};
use carom_geometry::Pose;
use carom_geometry::distance::Convex;
use carom_geometry::shapes::Ball;
use glam::DVec3;

use super::Mover;
use super::certificate::{Certificate, Placed, Quadratic};
use super::clip::{cube, first_zero, raised};
use super::legs::seen;
use crate::tolerances::LONGEST;

/// A ball that rides on a motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct RidingBall<'a> {
    pub(super) motion: &'a Motion,
    /// In the axes of the frame, from its reference point `[m]`.
    pub(super) center: DVec3,
    /// Infinite for what has no end `[m]`.
    pub(super) radius: f64,
}

/// A point with two derivatives, in the world.
struct Path([DVec3; 3]);

impl RidingBall<'_> {
    fn path(&self, kinematics: &Kinematics) -> Path {
        let state = &kinematics.state;
        let arm = state.orientation * self.center;
        let turning = state.angular_velocity.cross(arm);
        let bent =
            kinematics.angular_acceleration.cross(arm) + state.angular_velocity.cross(turning);
        Path([state.position + arm, state.velocity + turning, kinematics.acceleration + bent])
    }

    /// Bound on the third derivative of the centre `[m/s³]` and on its rounding `[m]`.
    fn promises(&self, window: Span) -> (f64, f64) {
        let RateBounds {
            spin,
            angular_acceleration,
            angular_jerk,
            jerk,
            rounding,
            angular_rounding,
        } = self.motion.rate_bounds(window);
        let arm = self.center.length();
        if arm == 0.0 {
            return (jerk, rounding);
        }
        let turned = angular_jerk + 3.0 * angular_acceleration * spin + spin * spin * spin;
        (jerk + turned * arm, rounding + angular_rounding * arm)
    }
}

/// The time up to which two balls are proven to stay apart, later than the start of the span and at most its end; none if
/// they are nearer than `near` already, or rounding is as large `[s]`.
pub(super) fn balls_apart_until(
    a: &RidingBall<'_>,
    b: &RidingBall<'_>,
    near: f64,
    span: Span,
) -> Option<f64> {
    let radii = a.radius + b.radius;
    if !radii.is_finite() {
        return None;
    }
    let at = span.start;
    let Path(of_a) = a.path(&a.motion.kinematics_at(at));
    let Path(of_b) = b.path(&b.motion.kinematics_at(at));
    let offset = of_b[0] - of_a[0];
    let distance = offset.length();
    if distance <= radii + near {
        return None;
    }
    let along = offset / distance;
    let (rate, acceleration) = (along.dot(of_b[1] - of_a[1]), along.dot(of_b[2] - of_a[2]));
    let sideways = (of_b[1] - of_a[1]).length();
    let far = time_to_cover(distance - 0.5 * near, sideways, acceleration);
    let window = Span::new(at, span.end.min(at + far));
    let (jerk_a, rounding_a) = a.promises(window);
    let (jerk_b, rounding_b) = b.promises(window);
    let jerk = jerk_a + jerk_b;
    let rounding = 2.0 * (rounding_a + rounding_b) + f64::EPSILON * distance;
    // Half of it is kept in hand, of which rounding may take half.
    let near = near.max(4.0 * rounding);
    let gap = distance - radii - 0.5 * near;
    if distance <= radii + near || near.is_nan() {
        return None;
    }
    let bound = |low: f64, high: f64| {
        let value = |x: f64, y: f64| gap + 0.5 * rate * (x + y) + 0.5 * acceleration * x * y;
        let smooth = raised([value(low, low), value(low, high), value(high, high)]);
        let rough = cube(low, high);
        [0, 1, 2, 3, 4].map(|i| smooth[i] - jerk / 6.0 * rough[i])
    };
    let clear = first_zero(window.length(), 0.25 * near, bound);
    let until = if clear.whole { window.end } else { (at + clear.until).next_down() };
    (until > at).then_some(until)
}

/// The time up to which a ball is proven to stay above a half-space by half of `share` of its radius; none if it is nearer
/// than `share` already, or nothing can be proven `[s]`.
pub(super) fn above_plane_until(
    plane: &Mover<'_>,
    ball: &RidingBall<'_>,
    share: f64,
    span: Span,
) -> Option<f64> {
    let Convex::HalfSpace(half_space) = plane.convex else { return None };
    let round = Convex::Ball(Ball::new(ball.radius).ok()?);
    let normal = plane.frame_from_convex.vector(half_space.normal());
    let at = span.start;
    let (of_plane, of_ball) = (plane.motion.kinematics_at(at), ball.motion.kinematics_at(at));
    let other = Placed {
        convex: &round,
        frame_from_convex: Pose::from_translation(ball.center),
        reach: ball.center.length() + ball.radius,
    };
    let near = share * ball.radius;
    // Mostly that is all there is to say.
    if gap_now(plane, &other, -normal, [&of_plane, &of_ball]) <= near {
        return None;
    }
    let speed = (of_ball.state.velocity - of_plane.state.velocity).length();
    let acceleration = (of_ball.acceleration - of_plane.acceleration).length();
    let height = (of_ball.state.position - of_plane.state.position).length() + ball.radius;
    let spins = [plane.motion, ball.motion].map(|it| it.rate_bounds(Span::new(at, at)).spin);
    let turning = 1.0 / (spins[0] + spins[1]);
    let far = time_to_cover(height, speed, acceleration).min(turning);
    let window = Span::new(at, span.end.min(at + far));
    let seen = seen(plane.motion, ball.motion, window);
    let direction = Quadratic([-normal, DVec3::ZERO, DVec3::ZERO]);
    let certificate = Certificate::new(plane.placed(), other, &seen, direction);
    if certificate.gap() <= near + certificate.rounding() {
        return None;
    }
    let clear = certificate.clear(window.length(), 0.5 * near, 0.25 * near);
    let until = if clear.whole { window.end } else { (at + clear.until).next_down() };
    (until > at).then_some(until)
}

/// As [`Certificate::gap`], along a unit vector.
fn gap_now(plane: &Mover<'_>, other: &Placed<'_>, n: DVec3, at: [&Kinematics; 2]) -> f64 {
    let [frame, ball] = at.map(|kinematics| &kinematics.state);
    let back = frame.orientation.conjugate();
    let m = (back * ball.orientation).conjugate() * n;
    let offset = back * (ball.position - frame.position);
    -plane.placed().support_value(-n) - n.dot(offset) - other.support_value(m)
}

/// About how long it takes to cover a way: beyond that time the direction has changed anyway `[s]`.
fn time_to_cover(way: f64, speed: f64, acceleration: f64) -> f64 {
    let uniform = 2.0 * way / speed;
    let accelerated = (4.0 * way / acceleration.abs()).sqrt();
    // Finite, so that bounds at its end are.
    uniform.min(accelerated).min(LONGEST)
}
