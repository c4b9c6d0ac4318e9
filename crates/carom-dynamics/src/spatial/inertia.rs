//! Inertias: what turns accelerations into forces, both seen at one reference point.
//!
//! A rigid body of mass m, first moment h = m·c and inertia J about the reference point needs
//!
//! ```text
//! moment = J·α + h×a + ω×(J·ω)                                                        (1)
//! force  = α×h + m·a + ω×(ω×h)                                                        (2)
//! ```
//!
//! The velocity terms follow from ω×(Jω) = ω×(I_c·ω) + c×(m·ω×(ω×c)), I_c the inertia about the centre of mass.
//!
//! The handle of a subtree needs f̂ = Î·â + bias with any symmetric positive semidefinite Î of blocks J, H, M,
//!
//! ```text
//! moment = J·α + H·a,   force = Hᵀ·α + M·a                                            (3)
//! ```
//!
//! Seen from a point from which the reference point lies at r, a becomes a + α×r and the moment gains r×force:
//!
//! ```text
//! M' = M,   H' = H + r̃·M,   J' = J + W + Wᵀ,   W = ½·r̃·(H + H')ᵀ                      (4)
//! ```
//!
//! since r̃·H'ᵀ = r̃·Hᵀ − r̃·M·r̃. Blocks J and M are stored as six numbers each, so that Î stays symmetric.

#![expect(
    clippy::inline_always,
    reason = "left alone, the compiler hands inertias of 22 numbers from call to call through memory"
)]

use std::ops::{Add, AddAssign};

use glam::{DMat3, DVec3};

use super::{ForceVector, MotionVector, Symmetric3};

/// Inertia of a rigid body at a reference point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RigidInertia {
    /// m `[kg]`.
    pub mass: f64,
    /// h = m·c, with c from the reference point to the centre of mass `[kg·m]`.
    pub first_moment: DVec3,
    /// J, about the reference point `[kg·m²]`.
    pub angular: Symmetric3,
}

impl RigidInertia {
    /// Nothing.
    pub const ZERO: Self = Self { mass: 0.0, first_moment: DVec3::ZERO, angular: Symmetric3::ZERO };

    /// From the inertia about the centre of mass, which lies at `center` from the reference point.
    pub fn new(mass: f64, center: DVec3, inertia: &DMat3) -> Self {
        Self {
            mass,
            first_moment: mass * center,
            angular: Symmetric3::of(inertia) + mass * Symmetric3::of_point(center),
        }
    }

    /// In axes that the rotation turns these into.
    #[must_use]
    #[inline]
    pub fn turned(&self, rotation: &DMat3) -> Self {
        Self {
            mass: self.mass,
            first_moment: *rotation * self.first_moment,
            angular: self.angular.turned(rotation),
        }
    }

    /// Seen from a point from which the reference point lies at `arm`.
    #[must_use]
    #[inline]
    pub fn carried(&self, arm: DVec3) -> Self {
        let first_moment = self.first_moment + self.mass * arm;
        // J' = J − (r̃h̃ + h̃r̃) − m·r̃r̃, and −(r̃h̃ + h̃r̃) = 2(r·h)·1 − r·hᵀ − h·rᵀ.
        let both = self.first_moment + first_moment;
        let product = arm * both;
        let diagonal =
            DVec3::new(product.y + product.z, product.z + product.x, product.x + product.y);
        let off = -0.5
            * DVec3::new(
                arm.y * both.z + arm.z * both.y,
                arm.x * both.z + arm.z * both.x,
                arm.x * both.y + arm.y * both.x,
            );
        Self { mass: self.mass, first_moment, angular: self.angular + Symmetric3 { diagonal, off } }
    }

    /// Momentum of a motion, or the force of an acceleration without velocity terms.
    #[inline]
    pub fn times(&self, motion: MotionVector) -> ForceVector {
        #[cfg(test)]
        crate::testing::count_operation();
        ForceVector {
            angular: self.angular * motion.angular + self.first_moment.cross(motion.linear),
            linear: motion.angular.cross(self.first_moment) + self.mass * motion.linear,
        }
    }

    /// The velocity terms of (1) and (2) at angular velocity ω.
    #[inline]
    pub fn gyroscopic(&self, angular_velocity: DVec3) -> ForceVector {
        let w = angular_velocity;
        ForceVector {
            angular: w.cross(self.angular * w),
            linear: w.cross(w.cross(self.first_moment)),
        }
    }
}

impl Add for RigidInertia {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            first_moment: self.first_moment + other.first_moment,
            angular: self.angular + other.angular,
        }
    }
}

impl AddAssign for RigidInertia {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Inertia of the handle of a subtree whose joints give way, at a reference point (3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ArticulatedInertia {
    /// J, moment by angular acceleration `[kg·m²]`.
    pub angular: Symmetric3,
    /// H, moment by linear acceleration; its transpose is force by angular acceleration `[kg·m]`.
    pub coupling: DMat3,
    /// M, force by linear acceleration `[kg]`.
    pub linear: Symmetric3,
    /// Sizes of the terms that J was last summed from: what J is less than ε of is rounding `[kg·m²]`.
    pub angular_size: f64,
}

impl ArticulatedInertia {
    /// Nothing.
    pub const ZERO: Self = Self {
        angular: Symmetric3::ZERO,
        coupling: DMat3::ZERO,
        linear: Symmetric3::ZERO,
        angular_size: 0.0,
    };

    /// f̂ = Î·â.
    #[inline(always)]
    pub fn times(&self, motion: MotionVector) -> ForceVector {
        #[cfg(test)]
        crate::testing::count_operation();
        ForceVector {
            angular: self.angular * motion.angular + self.coupling * motion.linear,
            linear: self.coupling.transpose() * motion.angular + self.linear * motion.linear,
        }
    }

    /// f̂ = Î·â where the reference point is at rest: half of the work.
    #[inline(always)]
    pub fn times_angular(&self, angular: DVec3) -> ForceVector {
        #[cfg(test)]
        crate::testing::count_operation();
        ForceVector { angular: self.angular * angular, linear: self.coupling.transpose() * angular }
    }

    /// Î ← Î − scale·f̂·f̂ᵀ: what is left when a freedom with Î·ŝ = f̂ and ŝ·f̂ = 1/scale gives way (M 4.28).
    #[inline(always)]
    pub fn give_way(&mut self, force: ForceVector, scale: f64) {
        let (a, b) = (force.angular, scale * force.linear);
        self.angular = self.angular.less_square(a, scale);
        self.coupling.x_axis -= b.x * a;
        self.coupling.y_axis -= b.y * a;
        self.coupling.z_axis -= b.z * a;
        self.linear = self.linear.less_square(force.linear, scale);
    }

    /// Seen from a point from which the reference point lies at `arm` (4).
    #[must_use]
    #[inline(always)]
    pub fn carried(&self, arm: DVec3) -> Self {
        let (h, m) = (self.coupling, self.linear.matrix());
        let moved = DMat3::from_cols(
            h.x_axis + arm.cross(m.x_axis),
            h.y_axis + arm.cross(m.y_axis),
            h.z_axis + arm.cross(m.z_axis),
        );
        let both = h + moved;
        let [x, y, z] = [both.row(0), both.row(1), both.row(2)].map(|row| arm.cross(row));
        // W + Wᵀ is the mean of 2W, whose columns these are, and its transpose.
        Self {
            angular: self.angular + Symmetric3::of(&DMat3::from_cols(x, y, z)),
            coupling: moved,
            linear: self.linear,
            angular_size: self.angular.trace() + arm.length_squared() * self.linear.trace(),
        }
    }

    /// Î plus that of a rigid body, which has few entries of its own.
    #[must_use]
    #[inline(always)]
    pub fn with(&self, rigid: &RigidInertia) -> Self {
        let (c, h) = (self.coupling, rigid.first_moment);
        Self {
            angular: self.angular + rigid.angular,
            coupling: DMat3::from_cols(
                DVec3::new(c.x_axis.x, c.x_axis.y + h.z, c.x_axis.z - h.y),
                DVec3::new(c.y_axis.x - h.z, c.y_axis.y, c.y_axis.z + h.x),
                DVec3::new(c.z_axis.x + h.y, c.z_axis.y - h.x, c.z_axis.z),
            ),
            linear: Symmetric3 {
                diagonal: self.linear.diagonal + DVec3::splat(rigid.mass),
                off: self.linear.off,
            },
            angular_size: self.angular_size + rigid.angular.trace(),
        }
    }

    /// The size against which ŝᵀÎŝ counts as zero: no less than half of it, by traces.
    #[inline]
    pub fn scale(&self, motion: MotionVector) -> f64 {
        motion.angular.length_squared() * self.angular_size
            + motion.linear.length_squared() * self.linear.trace()
    }
}

impl From<RigidInertia> for ArticulatedInertia {
    #[inline]
    fn from(rigid: RigidInertia) -> Self {
        let h = rigid.first_moment;
        Self {
            angular: rigid.angular,
            coupling: DMat3::from_cols(
                DVec3::new(0.0, h.z, -h.y),
                DVec3::new(-h.z, 0.0, h.x),
                DVec3::new(h.y, -h.x, 0.0),
            ),
            linear: Symmetric3::scalar(rigid.mass),
            angular_size: rigid.angular.trace(),
        }
    }
}

impl Add for ArticulatedInertia {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            angular: self.angular + other.angular,
            coupling: self.coupling + other.coupling,
            linear: self.linear + other.linear,
            angular_size: self.angular_size + other.angular_size,
        }
    }
}

impl AddAssign for ArticulatedInertia {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
