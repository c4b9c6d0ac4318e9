//! Where a mount is and how it moves.

use carom_geometry::Pose;
use glam::DVec3;

use crate::body::BodyId;
use crate::world::World;

/// In which axes a vector is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// Those of the world.
    #[default]
    World,
    /// Those of the sensor.
    Sensor,
}

/// Reads where a point of a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseSensor {
    /// On whom it is mounted.
    pub body: BodyId,
    /// Where, in the body frame.
    pub body_from_sensor: Pose,
}

impl PoseSensor {
    /// At the origin of the body frame.
    pub const fn new(body: BodyId) -> Self {
        Self { body, body_from_sensor: Pose::IDENTITY }
    }

    /// The placement of the sensor in the world; none if the body is gone.
    pub fn read(&self, world: &World) -> Option<Pose> {
        let world_from_body = world.body(self.body)?.pose_at(world.now())?;
        Some(world_from_body.then_from(&self.body_from_sensor))
    }
}

/// Velocity of a point, and angular velocity `[m/s, rad/s]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Of the point `[m/s]`.
    pub velocity: DVec3,
    /// Of the body `[rad/s]`.
    pub angular_velocity: DVec3,
}

/// Reads how a point of a body moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocitySensor {
    /// On whom it is mounted.
    pub body: BodyId,
    /// Where, in the body frame.
    pub body_from_sensor: Pose,
    /// In which axes it reads.
    pub axes: Axes,
}

impl VelocitySensor {
    /// At the origin of the body frame, in world axes.
    pub const fn new(body: BodyId) -> Self {
        Self { body, body_from_sensor: Pose::IDENTITY, axes: Axes::World }
    }

    /// How the sensor moves; none if the body is gone.
    pub fn read(&self, world: &World) -> Option<Twist> {
        let place = PoseSensor { body: self.body, body_from_sensor: self.body_from_sensor };
        let (pose, state) = (place.read(world)?, world.state(self.body)?);
        let seen = |vector: DVec3| match self.axes {
            Axes::World => vector,
            Axes::Sensor => pose.rotation.conjugate() * vector,
        };
        Some(Twist {
            velocity: seen(state.velocity_at(pose.translation)),
            angular_velocity: seen(state.angular_velocity),
        })
    }
}
