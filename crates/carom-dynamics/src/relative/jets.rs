//! Vectors that move, with two derivatives at one time and bounds on all up to the third over a window.

use glam::DVec3;

use crate::law::times;
use crate::tolerances::RATE_ROUNDING_ULPS;
use crate::{Kinematics, RateBounds, taylor};

/// A vector and its first two derivatives in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jet(pub(super) [DVec3; 3]);

impl Jet {
    /// A material point of a body, from the body's reference point, in world axes.
    pub(super) fn of_arm(kinematics: &Kinematics, point_body: DVec3) -> Self {
        let arm = kinematics.state.orientation * point_body;
        let (w, alpha) = (kinematics.state.angular_velocity, kinematics.angular_acceleration);
        let velocity = w.cross(arm);
        Self([arm, velocity, alpha.cross(arm) + w.cross(velocity)])
    }

    /// The reference point of a body.
    pub(super) fn of_origin(kinematics: &Kinematics) -> Self {
        Self([kinematics.state.position, kinematics.state.velocity, kinematics.acceleration])
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self([0, 1, 2].map(|order| self.0[order] + other.0[order]))
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self([0, 1, 2].map(|order| self.0[order] - other.0[order]))
    }

    /// The same vector as seen in axes that turn with a body, its components left in world axes.
    pub(super) fn seen_from(self, frame: &Kinematics) -> Self {
        let [z, velocity, acceleration] = self.0;
        let (w, alpha) = (frame.state.angular_velocity, frame.angular_acceleration);
        let first = velocity - w.cross(z);
        let carried = alpha.cross(z) + w.cross(w.cross(z));
        Self([z, first, acceleration - carried - 2.0 * w.cross(first)])
    }

    pub(super) fn cross(self, other: Self) -> Self {
        let ([a, a1, a2], [b, b1, b2]) = (self.0, other.0);
        Self([
            a.cross(b),
            a1.cross(b) + a.cross(b1),
            a2.cross(b) + 2.0 * a1.cross(b1) + a.cross(b2),
        ])
    }

    /// The product and its first two derivatives.
    pub(super) fn dot(self, other: Self) -> [f64; 3] {
        let ([a, a1, a2], [b, b1, b2]) = (self.0, other.0);
        [a.dot(b), a1.dot(b) + a.dot(b1), a2.dot(b) + 2.0 * a1.dot(b1) + a.dot(b2)]
    }

    pub(super) fn lengths(&self) -> [f64; 3] {
        self.0.map(DVec3::length)
    }
}

/// Bounds on the length of a vector and of its first three derivatives over a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sizes(pub(super) [f64; 4]);

impl Sizes {
    /// From lengths at the start and a bound on the third derivative throughout (Taylor).
    pub(super) fn ahead([x, v, a]: [f64; 3], third: f64, h: f64) -> Self {
        let second = a + times(h, third);
        let first = v + times(h, a + times(0.5 * h, third));
        let zeroth = x + times(h, v + times(0.5 * h, a + times(h / 3.0, third)));
        Self([zeroth, first, second, third])
    }

    /// A unit vector that turns with a body.
    pub(super) fn of_unit_vector(rates: &RateBounds) -> Self {
        let second = rates.angular_acceleration + rates.spin * rates.spin;
        Self([1.0, rates.spin, second, taylor::vector_jerk(rates)])
    }

    pub(super) fn scaled(self, factor: f64) -> Self {
        Self(self.0.map(|size| times(size, factor)))
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self([0, 1, 2, 3].map(|order| self.0[order] + other.0[order]))
    }

    /// What both bounds allow.
    pub(super) fn and(self, other: Self) -> Self {
        Self([0, 1, 2, 3].map(|order| self.0[order].min(other.0[order])))
    }

    /// Of a product of two vectors, scalar or cross (Leibniz).
    pub(super) fn product(self, other: Self) -> Self {
        let ([a, a1, a2, a3], [b, b1, b2, b3]) = (self.0, other.0);
        Self([
            times(a, b),
            times(a1, b) + times(a, b1),
            times(a2, b) + 2.0 * times(a1, b1) + times(a, b2),
            times(a3, b) + 3.0 * (times(a2, b1) + times(a1, b2)) + times(a, b3),
        ])
    }

    /// The same vector as seen in axes that turn with a body; `jet` is how it is seen at the start.
    ///
    /// With D = d/dt − ω× and the bounds Z, V, A on the lengths of z, Dz, D²z over the window
    ///
    /// D³z = z⃛ − α̇×z − 2α×(ω×z) − ω×(α×z) − ω×(ω×(ω×z)) − 3α×Dz − 3ω×(ω×Dz) − 3ω×D²z
    ///
    /// so |D³z| ≤ |z⃛| + (J + 3AW + W³)Z + 3(A + W²)V + 3W·A. Each of V and A is bounded from the world's
    /// derivatives, and by what it is at the start plus the growth that the next derivative allows.
    pub(super) fn seen_from(self, rates: &RateBounds, jet: &Jet, h: f64) -> Self {
        let [z, velocity, acceleration, jerk] = self.0;
        let [_, turned, turned_twice, turned_thrice] = Self::of_unit_vector(rates).0;
        let [_, first_now, second_now] = jet.lengths();
        let mut first = velocity + times(turned, z);
        let mut second = acceleration + times(turned_twice, z) + 2.0 * times(turned, first);
        let mut third = f64::INFINITY;
        // Each pass uses the last one's bounds; the second gains most of what there is to gain.
        for _ in 0..3 {
            third = third.min(
                jerk + times(turned_thrice, z)
                    + 3.0 * (times(turned_twice, first) + times(turned, second)),
            );
            second = second.min(second_now + times(h, third));
            first = first.min(first_now + times(h, second));
        }
        Self([z, first, second, third])
    }

    /// Raised by rounding of the sums that made it.
    pub(super) fn raised(self) -> Self {
        Self(self.0.map(|size| size * (1.0 + RATE_ROUNDING_ULPS * f64::EPSILON)))
    }
}
