//! Motion six-vectors.

use std::ops::{Add, AddAssign, Mul};

use glam::DVec3;

/// How a rigid body moves, or is accelerated, seen at a reference point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionVector {
    /// ω `[rad/s]` or α `[rad/s²]`; `[-]` for the direction of a freedom.
    pub angular: DVec3,
    /// v `[m/s]` or a `[m/s²]` of the reference point; `[-]` or `[m]` for the direction of a freedom.
    pub linear: DVec3,
}

impl MotionVector {
    /// No motion.
    pub const ZERO: Self = Self { angular: DVec3::ZERO, linear: DVec3::ZERO };

    /// From its parts.
    #[inline]
    pub const fn new(angular: DVec3, linear: DVec3) -> Self {
        Self { angular, linear }
    }

    /// The same velocity seen at the point that lies at `arm` from the reference point: v + ω×arm.
    #[must_use]
    #[inline]
    pub fn at(self, arm: DVec3) -> Self {
        #[cfg(test)]
        crate::testing::count_operation();
        Self { angular: self.angular, linear: self.linear + self.angular.cross(arm) }
    }

    /// True when all six numbers are finite.
    pub fn is_finite(self) -> bool {
        self.angular.is_finite() && self.linear.is_finite()
    }
}

impl Add for MotionVector {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl AddAssign for MotionVector {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<MotionVector> for f64 {
    type Output = MotionVector;
    #[inline]
    fn mul(self, vector: MotionVector) -> MotionVector {
        MotionVector { angular: self * vector.angular, linear: self * vector.linear }
    }
}
