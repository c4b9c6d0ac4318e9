//! Ballistic motion: free fall of the centre of mass with free rotation about it.
//!
//! Problem (guide RB-4): r̈ = g, no torque. With τ = t − start
//!
//! ```text
//! r = r₀ + τ·(v₀ + ½gτ),   v = v₀ + gτ,   attitude by [`FreeRotation`].
//! ```
//!
//! **Bounds.** How far any point within ρ of the centre gets along a unit vector d after time t (guide TOI-2,
//! M 2.2 and 2.3):
//!
//! ```text
//! d·(x(t+τ) − x(t)) ≤ Aτ² + Bτ,   A = ½g·d,   B = v(t)·d + ρ·ω_max
//! ```
//!
//! Deviation: ω_max is the largest |ω| of the motion itself, which is never more than (M 2.5), the bound from the
//! energy ellipsoid, nor than (M 2.4), that from the momentum ellipsoid. |ω|² is linear in sn², so its maximum is
//! at one of the two ends of that.
//!
//! **Rounding.** A computed position is off by at most u·(|r₀| + |v₀|τ + ½|g|τ²), u = POSITION_ULPS·ε. This is a
//! parabola in τ itself, so its parts are added to A, B and C, and a bound that is meant to hold forever does.

use std::f64::consts::PI;

use carom_geometry::Aabb;
use glam::{DVec2, DVec3};

use crate::tolerances::{POSITION_ULPS, ROTATION_ULPS};
use crate::{BodyState, FreeRotation, Kinematics, Mass, RateBounds, Reach, Span, Travel};

/// A body in flight, from a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ballistic {
    start: f64,
    state: BodyState,
    gravity: DVec3,
    rotation: FreeRotation,
}

impl Ballistic {
    /// In flight with `state` at time `start` `[s]`, under `gravity` `[m/s²]`; all numbers must be finite.
    pub fn new(start: f64, state: BodyState, gravity: DVec3, mass: &Mass) -> Self {
        let rotation = FreeRotation::new(mass, state.orientation, state.angular_velocity);
        Self { start, state, gravity, rotation }
    }

    /// When the motion can be asked: from its start, forever.
    pub const fn span(&self) -> Span {
        Span::from(self.start)
    }

    /// When it began, and the state it began with, to the bit.
    pub const fn beginning(&self) -> (f64, &BodyState) {
        (self.start, &self.state)
    }

    /// Acceleration of the centre of mass `[m/s²]`.
    pub const fn gravity(&self) -> DVec3 {
        self.gravity
    }

    /// The rotation about the centre of mass, in time since the start.
    pub const fn rotation(&self) -> &FreeRotation {
        &self.rotation
    }

    /// True unless the angular velocity is zero.
    pub const fn rotates(&self) -> bool {
        self.rotation.rotates()
    }

    /// Largest |ω| of the whole motion, rounded up `[rad/s]`.
    pub const fn omega_max(&self) -> f64 {
        self.rotation.omega_max()
    }

    /// The state at time t; at the start it is the given one, to the bit.
    pub fn state_at(&self, t: f64) -> BodyState {
        self.kinematics_at(t).state
    }

    /// Position and velocity of the centre of mass at time t, with the bits of [`Self::state_at`].
    pub fn place_at(&self, t: f64) -> (DVec3, DVec3) {
        let tau = t - self.start;
        let BodyState { position, velocity, .. } = self.state;
        if tau == 0.0 {
            return (position, velocity);
        }
        (position + tau * (velocity + 0.5 * tau * self.gravity), velocity + tau * self.gravity)
    }

    /// The state at time t with its accelerations.
    pub fn kinematics_at(&self, t: f64) -> Kinematics {
        let tau = t - self.start;
        let attitude = self.rotation.attitude_at(tau);
        let state = if tau == 0.0 {
            self.state
        } else {
            let (position, velocity) = self.place_at(t);
            BodyState {
                position,
                orientation: attitude.orientation,
                velocity,
                angular_velocity: attitude.angular_velocity,
            }
        };
        Kinematics {
            state,
            acceleration: self.gravity,
            angular_acceleration: attitude.angular_acceleration,
        }
    }

    /// Bounds on the rates; those of rotation hold forever, roundings up to the end of the window.
    pub fn rate_bounds(&self, window: Span) -> RateBounds {
        let tau = (window.start - self.start).abs().max((window.end - self.start).abs());
        let rates = self.rotation.rates();
        let [r, v, g] = [self.state.position, self.state.velocity, self.gravity].map(DVec3::length);
        RateBounds {
            spin: rates.spin,
            angular_acceleration: rates.acceleration,
            angular_jerk: rates.jerk,
            jerk: 0.0,
            rounding: POSITION_ULPS * f64::EPSILON * sum_of_sizes(r, v, g, tau),
            angular_rounding: self.rotation.local_rounding(tau).min(PI),
        }
    }

    /// A box that the centre of mass does not leave during the window, rounding included (guide BP-1).
    pub fn path_box(&self, window: Span) -> Aabb {
        let [first, last] = [window.start - self.start, window.end - self.start];
        let ranges = [0, 1, 2].map(|axis| {
            let [r, v, g] =
                [self.state.position, self.state.velocity, self.gravity].map(|x| x[axis]);
            let [from, to] = [coordinate(r, v, g, first), coordinate(r, v, g, last)];
            let mut range = DVec2::new(from.min(to), from.max(to));
            let mut late = first.abs();
            let apex = -v / g;
            if first < apex && apex < last {
                let value = r + 0.5 * v * apex;
                range = DVec2::new(range.x.min(value), range.y.max(value));
                late = late.max(apex.abs());
            }
            // Where time has no end, points that come near a finite side do so before twice these times.
            late = if last.is_finite() { late.max(last.abs()) } else { 2.0 * late };
            // Once for the ends of the box, once for points that are compared with it.
            let size = sum_of_sizes(r.abs(), v.abs(), g.abs(), late);
            let margin = 2.0 * POSITION_ULPS * f64::EPSILON * size;
            range + DVec2::new(-margin, margin)
        });
        let [x, y, z] = ranges;
        Aabb { min: DVec3::new(x.x, y.x, z.x), max: DVec3::new(x.y, y.y, z.y) }
    }

    /// How far points get along the unit vector `direction` after the start of the window (M 2.2 to 2.5).
    pub fn travel(&self, window: Span, direction: DVec3, reach: Reach) -> Travel {
        let radius = match reach {
            Reach::Body(radius) => radius,
            Reach::Point(offset) => offset.length(),
        };
        let tau = window.start - self.start;
        let [r, v, g] = [self.state.position, self.state.velocity, self.gravity].map(DVec3::length);
        let velocity = self.state.velocity + tau * self.gravity;
        let turning = radius * self.rotation.omega_max();
        // Both ends of the way are rounded, and so are the coefficients: hence twice.
        let unit = 2.0 * POSITION_ULPS * f64::EPSILON;
        let (b_turning, c_turning) = self.turning_roundoff(window, radius);
        Travel {
            a: 0.5 * self.gravity.dot(direction) + unit * 0.5 * g,
            b: velocity.dot(direction) + turning + unit * (v + g * tau.abs() + turning) + b_turning,
            c: 2.0 * unit * (sum_of_sizes(r, v, g, tau.abs()) + radius) + c_turning,
            valid_until: window.end,
        }
    }

    /// What rounding of the attitude at both ends adds to B `[m/s]` and C `[m]`.
    fn turning_roundoff(&self, window: Span, radius: f64) -> (f64, f64) {
        if !self.rotates() {
            return (0.0, 0.0);
        }
        let first = (window.start - self.start).abs();
        let unit = 2.0 * radius * ROTATION_ULPS * f64::EPSILON;
        let spin = self.rotation.omega_max();
        let constant = unit * (1.0 + spin * first);
        // No attitude is further than half a turn from another, so no point further than the diameter.
        if constant < 2.0 * radius { (unit * spin, constant) } else { (0.0, 4.0 * radius) }
    }
}

/// |r| + |v|τ + ½|g|τ² also for τ = ∞.
fn sum_of_sizes(r: f64, v: f64, g: f64, tau: f64) -> f64 {
    let linear = if v > 0.0 { v * tau } else { 0.0 };
    let quadratic = if g > 0.0 { 0.5 * g * tau * tau } else { 0.0 };
    r + linear + quadratic
}

/// r + vτ + ½gτ² also for τ = ∞.
fn coordinate(r: f64, v: f64, g: f64, tau: f64) -> f64 {
    if v == 0.0 && g == 0.0 {
        r
    } else if tau.is_finite() {
        r + tau * (v + 0.5 * tau * g)
    } else {
        f64::copysign(f64::INFINITY, if g == 0.0 { v * tau } else { g })
    }
}

#[cfg(test)]
mod tests;
