//! The one form that all scripted laws take within a piece, and what follows from it.
//!
//! x(t) = o + p(t) + w(t),  w = R(u, θ(t))·e,  orientation R(u, θ(t))·q₀
//!
//! with a shift p, a turn by θ about an axis u that is fixed in the world, an arm e and constants o, q₀. Any
//! material point has this form too, with its own arm. Along a direction d
//!
//! d·ẋ = d·ṗ + θ̇·d·(u×w)
//! d·ẍ = d·p̈ + θ̈·d·(u×w) − θ̇²·d·w⊥
//! d·x⃛ = d·p⃛ + (θ⃛ − θ̇³)·d·(u×w) − 3θ̇θ̈·d·w⊥
//!
//! where w⊥ = w − u(u·w), and d·(u×w), d·w⊥ are sinusoids of θ. From ranges of p, θ and their derivatives over a
//! window follow three bounds on travel:
//!
//! | name | A | B | is best |
//! |---|---|---|---|
//! | linear, as (M 2.14) | 0 | max d·ẋ over the window | over long windows |
//! | quadratic, as (M 2.15) | ½·max d·ẍ over the window | d·ẋ now | between |
//! | cubic | ½·d·ẍ now + ⅙·h·max d·x⃛ over the window | d·ẋ now | over short windows |
//!
//! For all points within r of the reference point d·ẋ grows by up to r·|d×u|·|θ̇|, d·ẍ by r·|d×u|·√(θ̈² + θ̇⁴) and
//! d·x⃛ by r·|d×u|·√((θ⃛ − θ̇³)² + (3θ̇θ̈)²), each of them linear in the arm.

use carom_geometry::Aabb;
use glam::{DQuat, DVec3};

use super::angle::Angle;
use super::range::{Range, times};
use crate::tolerances::{LAW_ROUNDING_ULPS, RATE_ROUNDING_ULPS, TURN_ROUNDING_ULPS};
use crate::{BodyState, Kinematics, RateBounds, Reach, Span, Travel, taylor};

/// The constants of the form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hinge {
    /// o `[m]`.
    pub(super) origin: DVec3,
    /// u, unit.
    pub(super) axis: DVec3,
    /// e `[m]`.
    pub(super) arm: DVec3,
    /// q₀, unit.
    pub(super) orientation: DQuat,
}

/// θ and its first two derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    pub(super) angle: Angle,
    pub(super) rate: f64,
    pub(super) acceleration: f64,
}

impl Turn {
    pub(super) const NONE: Self = Self { angle: Angle::ZERO, rate: 0.0, acceleration: 0.0 };
}

/// One smooth formula of the form above. Windows start at a finite time.
pub(super) trait Course {
    fn hinge(&self) -> Hinge;

    /// p and its first two derivatives.
    fn shift(&self, time: f64) -> [DVec3; 3];

    fn turn(&self, _time: f64) -> Turn {
        Turn::NONE
    }

    /// Range of d·p or of a derivative of it.
    fn shift_range(&self, order: usize, window: Span, direction: DVec3) -> Range;

    /// Range of θ − θ(start of the window), or of a derivative of θ.
    fn turn_range(&self, _order: usize, _window: Span) -> Range {
        Range::ZERO
    }

    /// A bound on the third derivative of p for all times.
    fn shift_jerk(&self) -> f64 {
        f64::INFINITY
    }

    /// Rounding of p, and of θ, over a window.
    fn rounding(&self, window: Span) -> (f64, f64);
}

pub(super) fn state_at(course: &impl Course, time: f64) -> BodyState {
    kinematics_at(course, time).state
}

pub(super) fn kinematics_at(course: &impl Course, time: f64) -> Kinematics {
    let hinge = course.hinge();
    let turn = course.turn(time);
    let [p, v, a] = course.shift(time);
    let (sin, cos) = turn.angle.half().sin_cos();
    let turned = DQuat::from_xyzw(hinge.axis.x * sin, hinge.axis.y * sin, hinge.axis.z * sin, cos);
    let arm = turned * hinge.arm;
    let (w, alpha) = (turn.rate * hinge.axis, turn.acceleration * hinge.axis);
    let arm_velocity = w.cross(arm);
    Kinematics {
        state: BodyState {
            position: hinge.origin + p + arm,
            orientation: turned * hinge.orientation,
            velocity: v + arm_velocity,
            angular_velocity: w,
        },
        acceleration: a + alpha.cross(arm) + w.cross(arm_velocity),
        angular_acceleration: alpha,
    }
}

pub(super) fn rate_bounds(course: &impl Course, window: Span) -> RateBounds {
    let up = 1.0 + RATE_ROUNDING_ULPS * f64::EPSILON;
    let hinge = course.hinge();
    let [spin, angular_acceleration, angular_jerk] =
        [1, 2, 3].map(|order| course.turn_range(order, window).size() * up);
    let sides = DVec3::AXES.map(|axis| course.shift_range(3, window, axis).size());
    let shift = DVec3::from_array(sides).length().min(course.shift_jerk());
    // In the plane of the turn the third derivative of an arm is (θ⃛ − θ̇³) along and 3θ̇θ̈ across.
    let along = angular_jerk + spin * spin * spin;
    let arm_jerk = hinge.axis.cross(hinge.arm).length()
        * libm::hypot(along, 3.0 * spin * angular_acceleration);
    let (_, turn_rounding) = course.rounding(window);
    let turned = spin > 0.0;
    RateBounds {
        spin,
        angular_acceleration,
        angular_jerk,
        jerk: (shift + arm_jerk) * up,
        rounding: position_rounding(course, window),
        angular_rounding: if turned {
            turn_rounding + TURN_ROUNDING_ULPS * f64::EPSILON
        } else {
            0.0
        },
    }
}

/// A box that the reference point stays in: ranges of shift and arm, met with the Taylor box.
pub(super) fn path_box(course: &impl Course, window: Span) -> Aabb {
    let hinge = course.hinge();
    let kinematics = kinematics_at(course, window.start);
    let rates = rate_bounds(course, window);
    let sweep = Sweep::over(course, window);
    let arm = sweep.turned * hinge.arm;
    let mut bounds = Aabb { min: DVec3::ZERO, max: DVec3::ZERO };
    for (index, axis) in DVec3::AXES.into_iter().enumerate() {
        let still = hinge.axis.dot(arm) * hinge.axis;
        let range = course
            .shift_range(0, window, axis)
            .plus(sweep.across(axis, arm))
            .plus(Range::point(hinge.origin[index] + still[index]));
        bounds.min[index] = range.low;
        bounds.max[index] = range.high;
    }
    // The range of a periodic shift holds at whatever angle, so the rounding at the start will do; where the
    // shift grows, so does the box.
    let size = bounds.min.abs().max(bounds.max.abs()).max_element();
    let grown = if size.is_finite() { size } else { 0.0 };
    let at_start = position_rounding(course, Span::new(window.start, window.start));
    let ranges = bounds.padded(2.0 * at_start + LAW_ROUNDING_ULPS * f64::EPSILON * grown);
    let parabola = taylor::path_box(&kinematics, &rates, window);
    Aabb { min: ranges.min.max(parabola.min), max: ranges.max.min(parabola.max) }
}

/// The three bounds of the header: linear, quadratic, cubic.
pub(super) fn travels(
    course: &impl Course,
    window: Span,
    direction: DVec3,
    reach: Reach,
) -> [Travel; 3] {
    let hinge = course.hinge();
    let kinematics = kinematics_at(course, window.start);
    let rates = rate_bounds(course, window);
    let sweep = Sweep::over(course, window);
    let (point_body, radius) = match reach {
        Reach::Body(radius) => (DVec3::ZERO, radius),
        Reach::Point(point_body) => (point_body, 0.0),
    };
    let arm = sweep.turned * hinge.arm + kinematics.state.orientation * point_body;
    let [spin, turn, twist] = [1, 2, 3].map(|order| course.turn_range(order, window));
    let [velocity, acceleration, jerk] =
        [1, 2, 3].map(|order| course.shift_range(order, window, direction));
    let (along, across) = (sweep.along(direction, arm), sweep.across(direction, arm));
    let velocity = velocity.plus(spin.times(along));
    let acceleration =
        acceleration.plus(turn.times(along)).plus(spin.squared().times(across).scaled(-1.0));
    let jerk = jerk
        .plus(twist.plus(spin.cubed().scaled(-1.0)).times(along))
        .plus(spin.times(turn).times(across).scaled(-3.0));
    let ball = radius * direction.cross(hinge.axis).length();
    let (w, a, j) = (rates.spin, rates.angular_acceleration, rates.angular_jerk);
    let taylor = taylor::travel(&kinematics, &rates, window, direction, reach);
    let (_, now) = taylor::start(&kinematics, direction, reach);
    let largest = (jerk.high + ball * libm::hypot(j + w * w * w, 3.0 * w * a)).max(0.0);
    let growth = times(largest, window.length()) / 6.0;
    [
        Travel { a: 0.0, b: velocity.high + ball * w, ..taylor },
        Travel { a: 0.5 * (acceleration.high + ball * libm::hypot(a, w * w)), ..taylor },
        Travel { a: taylor.a.min(now + growth), ..taylor },
    ]
}

/// The angles through which a course turns in a window.
struct Sweep {
    axis: DVec3,
    /// R(u, θ) at the start of the window.
    turned: DQuat,
    /// θ − θ(start).
    angles: Range,
}

impl Sweep {
    fn over(course: &impl Course, window: Span) -> Self {
        let axis = course.hinge().axis;
        let (sin, cos) = course.turn(window.start).angle.half().sin_cos();
        let turned = DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos);
        Self { axis, turned, angles: course.turn_range(0, window) }
    }

    /// Range of d·w⊥ while the arm turns from what it is at the start.
    fn across(&self, direction: DVec3, arm: DVec3) -> Range {
        let side = self.axis.cross(arm);
        let across = side.cross(self.axis);
        self.sinusoid(direction.dot(across), direction.dot(side))
    }

    /// Range of d·(u×w) while the arm turns from what it is at the start.
    fn along(&self, direction: DVec3, arm: DVec3) -> Range {
        let side = self.axis.cross(arm);
        let across = side.cross(self.axis);
        self.sinusoid(direction.dot(side), -direction.dot(across))
    }

    fn sinusoid(&self, cos: f64, sin: f64) -> Range {
        Range::of_sinusoid(cos, sin, self.angles.low, self.angles.high)
    }
}

/// How far a computed reference point may be from the exact one `[m]`.
fn position_rounding(course: &impl Course, window: Span) -> f64 {
    let hinge = course.hinge();
    let (shift, turn) = course.rounding(window);
    let ulps = LAW_ROUNDING_ULPS * f64::EPSILON;
    shift + turn * hinge.arm.length() + ulps * (hinge.origin.length() + hinge.arm.length())
}
