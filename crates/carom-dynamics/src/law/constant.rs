//! Constant velocity, and constant spin about an axis through the reference point.
//!
//! x(t) = x₀ + v·(t − t₀), orientation R(ω/|ω|, |ω|·(t − t₀))·q₀.

use std::sync::Arc;

use carom_geometry::Pose;
use glam::DVec3;

use super::angle::Angle;
use super::course::{Course, Hinge, Turn};
use super::range::{Range, times};
use super::{LawError, LawSpec, given, given_pose, given_vector};
use crate::Span;
use crate::tolerances::{LAW_ROUNDING_ULPS, PAIRED_ANGLE};

/// A body that drifts and spins steadily, such as a conveyor belt's end or a turntable.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    start: f64,
    velocity: DVec3,
    /// |ω| `[rad/s]`.
    spin: f64,
    hinge: Hinge,
    pub(super) spec: Arc<LawSpec>,
}

impl Constant {
    /// In `world_from_body` at time `start` `[s]`, with this velocity of the body frame's origin `[m/s]` and
    /// this angular velocity in world axes `[rad/s]`.
    ///
    /// # Errors
    /// If a number is not finite or absurdly large, or the quaternion not unit.
    pub fn new(
        start: f64,
        world_from_body: Pose,
        velocity: DVec3,
        angular_velocity: DVec3,
    ) -> Result<Self, LawError> {
        given("start time", start)?;
        let pose = given_pose("pose", world_from_body)?;
        given_vector("velocity", velocity)?;
        given_vector("angular velocity", angular_velocity)?;
        // A spin too slow to have a direction in doubles is none.
        let direction = angular_velocity.try_normalize();
        let hinge = Hinge {
            origin: pose.translation,
            axis: direction.unwrap_or(DVec3::Z),
            arm: DVec3::ZERO,
            orientation: pose.rotation,
        };
        let spin = direction.map_or(0.0, |_| angular_velocity.length());
        let spec = LawSpec::Constant { start, world_from_body, velocity, angular_velocity };
        Ok(Self { start, velocity, spin, hinge, spec: Arc::new(spec) })
    }

    /// True when the orientation changes.
    pub fn rotates(&self) -> bool {
        self.spin > 0.0
    }

    fn longest(&self, window: Span) -> f64 {
        (window.start - self.start).abs().max((window.end - self.start).abs())
    }
}

impl Course for Constant {
    fn hinge(&self) -> Hinge {
        self.hinge
    }

    fn shift(&self, time: f64) -> [DVec3; 3] {
        [self.velocity * (time - self.start), self.velocity, DVec3::ZERO]
    }

    fn turn(&self, time: f64) -> Turn {
        let angle = Angle::turned(self.spin, time, self.start);
        Turn { angle, rate: self.spin, acceleration: 0.0 }
    }

    fn shift_range(&self, order: usize, window: Span, direction: DVec3) -> Range {
        let speed = direction.dot(self.velocity);
        match order {
            0 => Range::between(
                times(speed, window.start - self.start),
                times(speed, window.end - self.start),
            ),
            1 => Range::point(speed),
            _ => Range::ZERO,
        }
    }

    fn turn_range(&self, order: usize, window: Span) -> Range {
        match order {
            0 => Range::between(0.0, times(self.spin, window.length())),
            1 => Range::point(self.spin),
            _ => Range::ZERO,
        }
    }

    fn rounding(&self, window: Span) -> (f64, f64) {
        let longest = self.longest(window);
        let ulps = LAW_ROUNDING_ULPS * f64::EPSILON;
        let turn = (PAIRED_ANGLE * times(self.spin, longest)).min(std::f64::consts::TAU);
        (ulps * times(self.velocity.length(), longest), turn)
    }
}
