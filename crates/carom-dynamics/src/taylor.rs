//! Bounds from two derivatives at one time and a bound on the third.
//!
//! A point at ρ from the reference point moves by, with τ ≤ h,
//!
//! d·(x(t+τ) − x(t)) ≤ d·u·τ + ½·d·u̇·τ² + ⅙·k·τ³ ≤ d·u·τ + (½·d·u̇ + ⅙·k·h)·τ²
//!
//! with u = v + ω×ρ, u̇ = a + α×ρ + ω×(ω×ρ) and the jerk bound k = K + (J + 3AW + W³)·|ρ|, which follows from
//! d³(Rρ)/dt³ = α̇×ρ + 2α×(ω×ρ) + ω×(α×ρ) + ω×(ω×(ω×ρ)).
//!
//! For a ball of points, |ρ| ≤ r, both d·u and d·u̇ are linear in ρ:
//! d·(ω×ρ) = ρ·(d×ω) and d·(α×ρ + ω×(ω×ρ)) = ρ·(d×α + ω×(ω×d)). Their maxima are r·|d×ω| and
//! r·|d×α + ω×(ω×d)|.
//!
//! What a caller compares are computed points, so the constant of the bound covers the rounding of both of
//! them and of the coefficients; without it windows of 10⁻⁶ s and less violate the bound half of the time.

use carom_geometry::Aabb;
use glam::DVec3;

use crate::law::times;
use crate::tolerances::BOUND_ROUNDING_ULPS;
use crate::{Kinematics, RateBounds, Reach, Span, Travel};

/// How far the points get along `direction` (unit) from the start of `window`, at which `kinematics` holds.
pub(crate) fn travel(
    kinematics: &Kinematics,
    rates: &RateBounds,
    window: Span,
    direction: DVec3,
    reach: Reach,
) -> Travel {
    let (b, half_acceleration) = start(kinematics, direction, reach);
    let jerk = point_jerk(rates, radius(reach));
    Travel {
        a: half_acceleration + times(jerk, window.length()) / 6.0,
        b,
        c: rounding(kinematics, rates, window, reach),
        valid_until: window.end,
    }
}

/// max d·u and ½·max d·u̇ of the points at the time of `kinematics` `[m/s]`, `[m/s²]`.
pub(crate) fn start(kinematics: &Kinematics, d: DVec3, reach: Reach) -> (f64, f64) {
    let state = &kinematics.state;
    let (w, alpha) = (state.angular_velocity, kinematics.angular_acceleration);
    let spin_functional = d.cross(w);
    let acceleration_functional = d.cross(alpha) + w.cross(w.cross(d));
    let (spin, turn) = match reach {
        Reach::Body(r) => (r * spin_functional.length(), r * acceleration_functional.length()),
        Reach::Point(point_body) => {
            let arm = state.orientation * point_body;
            (arm.dot(spin_functional), arm.dot(acceleration_functional))
        }
    };
    (d.dot(state.velocity) + spin, 0.5 * (d.dot(kinematics.acceleration) + turn))
}

/// A box that the reference point stays in: the range of its parabola, widened by ⅙·K·h³ and rounding.
pub(crate) fn path_box(kinematics: &Kinematics, rates: &RateBounds, window: Span) -> Aabb {
    let (x, v, a) = (kinematics.state.position, kinematics.state.velocity, kinematics.acceleration);
    let h = window.length();
    let mut bounds = Aabb { min: x, max: x };
    for axis in 0..3 {
        let at = |tau: f64| x[axis] + times(tau, v[axis] + times(0.5 * tau, a[axis]));
        let turning = -v[axis] / a[axis];
        let inner = if turning > 0.0 && turning < h { at(turning) } else { x[axis] };
        let end = at(h);
        bounds.min[axis] = x[axis].min(end).min(inner);
        bounds.max[axis] = x[axis].max(end).max(inner);
    }
    let margin = times(rates.jerk, h * h * h) / 6.0;
    bounds.padded(margin + rounding(kinematics, rates, window, Reach::Body(0.0)))
}

/// The constant of a bound: rounding of the computed points at both ends and of the coefficients `[m]`.
pub(crate) fn rounding(
    kinematics: &Kinematics,
    rates: &RateBounds,
    window: Span,
    reach: Reach,
) -> f64 {
    let (h, r) = (window.length(), radius(reach));
    let state = &kinematics.state;
    let moved = times(state.velocity.length() + rates.spin * r, h)
        + times(
            kinematics.acceleration.length()
                + (rates.angular_acceleration + rates.spin * rates.spin) * r,
            h * h,
        );
    let size = state.position.length() + r + if moved.is_finite() { moved } else { 0.0 };
    2.0 * (rates.rounding + rates.angular_rounding * r) + BOUND_ROUNDING_ULPS * f64::EPSILON * size
}

/// K + (J + 3AW + W³)·ρ `[m/s³]`.
pub(crate) fn point_jerk(rates: &RateBounds, radius: f64) -> f64 {
    rates.jerk + vector_jerk(rates) * radius
}

/// J + 3AW + W³, the third derivative of a unit vector that turns with the body `[1/s³]`.
pub(crate) fn vector_jerk(rates: &RateBounds) -> f64 {
    let RateBounds { spin, angular_acceleration, angular_jerk, .. } = *rates;
    angular_jerk + 3.0 * angular_acceleration * spin + spin * spin * spin
}

fn radius(reach: Reach) -> f64 {
    match reach {
        Reach::Body(radius) => radius,
        Reach::Point(point_body) => point_body.length(),
    }
}
