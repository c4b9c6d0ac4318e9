//! Force six-vectors.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use glam::DVec3;

use super::MotionVector;

/// What acts on a rigid body, seen at a reference point: a wrench, or a momentum, or an impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceVector {
    /// Moment about the reference point `[N·m]`; for momenta and impulses `[N·m·s]`.
    pub angular: DVec3,
    /// Force `[N]`; for momenta and impulses `[N·s]`.
    pub linear: DVec3,
}

impl ForceVector {
    /// No force.
    pub const ZERO: Self = Self { angular: DVec3::ZERO, linear: DVec3::ZERO };

    /// From its parts.
    #[inline]
    pub const fn new(angular: DVec3, linear: DVec3) -> Self {
        Self { angular, linear }
    }

    /// A force that acts at the point that lies at `arm` from the reference point.
    #[inline]
    pub fn acting_at(arm: DVec3, force: DVec3) -> Self {
        Self { angular: arm.cross(force), linear: force }
    }

    /// The same wrench seen at the point that lies at `arm` from the reference point: τ − arm×f.
    #[must_use]
    #[inline]
    pub fn at(self, arm: DVec3) -> Self {
        Self { angular: self.angular - arm.cross(self.linear), linear: self.linear }
    }

    /// The same wrench seen at the point from which the reference point lies at `arm`: τ + arm×f.
    #[must_use]
    #[inline]
    pub fn carried(self, arm: DVec3) -> Self {
        #[cfg(test)]
        crate::testing::count_operation();
        Self { angular: self.angular + arm.cross(self.linear), linear: self.linear }
    }

    /// Power on a motion seen at the same point: τ·ω + f·v `[W]`.
    #[inline]
    pub fn dot(self, motion: MotionVector) -> f64 {
        #[cfg(test)]
        crate::testing::count_operation();
        self.angular.dot(motion.angular) + self.linear.dot(motion.linear)
    }

    /// True when all six numbers are finite.
    pub fn is_finite(self) -> bool {
        self.angular.is_finite() && self.linear.is_finite()
    }
}

impl Add for ForceVector {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl Sub for ForceVector {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { angular: self.angular - other.angular, linear: self.linear - other.linear }
    }
}

impl Neg for ForceVector {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { angular: -self.angular, linear: -self.linear }
    }
}

impl AddAssign for ForceVector {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<ForceVector> for f64 {
    type Output = ForceVector;
    #[inline]
    fn mul(self, vector: ForceVector) -> ForceVector {
        ForceVector { angular: self * vector.angular, linear: self * vector.linear }
    }
}
