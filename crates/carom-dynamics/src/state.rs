//! Where a rigid body is and how it moves at one time.

use carom_geometry::Pose;
use glam::{DQuat, DVec3};

/// Position and velocity of a rigid body at one time, in the world frame.
///
/// A body is followed at its *reference point*: the centre of mass of a body that moves freely, the origin
/// of the body frame of one that is fixed or scripted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// The reference point `[m]`.
    pub position: DVec3,
    /// Unit quaternion that turns body axes into world axes `[-]`.
    pub orientation: DQuat,
    /// Velocity of the reference point `[m/s]`.
    pub velocity: DVec3,
    /// Angular velocity, in world axes `[rad/s]`.
    pub angular_velocity: DVec3,
}

impl BodyState {
    /// At rest.
    pub const fn at_rest(world_from_body: Pose) -> Self {
        Self {
            position: world_from_body.translation,
            orientation: world_from_body.rotation,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
        }
    }

    /// Placement of the body axes, with the reference point as origin.
    pub const fn pose(&self) -> Pose {
        Pose::new(self.position, self.orientation)
    }

    /// Velocity of the material point that is now at `point` (world) `[m/s]`.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(point - self.position)
    }

    /// Angular velocity in body axes `[rad/s]`.
    pub fn angular_velocity_body(&self) -> DVec3 {
        self.orientation.conjugate() * self.angular_velocity
    }

    /// True when every number is finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.orientation.is_finite()
            && self.velocity.is_finite()
            && self.angular_velocity.is_finite()
    }
}

/// A state with its rates, for bounds that look ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kinematics {
    /// The state itself.
    pub state: BodyState,
    /// Acceleration of the reference point `[m/s²]`.
    pub acceleration: DVec3,
    /// Angular acceleration, in world axes `[rad/s²]`.
    pub angular_acceleration: DVec3,
}
