//! Inertial measurement units.
//!
//! An accelerometer feels what holds it against free fall: at an arm r from the centre of mass
//!
//! ```text
//! f = a + α×r + ω×(ω×r) − g                                                                      (1)
//! ```
//!
//! so that one in free flight at the centre of mass reads zero, and one at rest reads g upwards. Impulses of collisions are not
//! forces; none of them is in a reading. Bodies that rest by microcollisions therefore fly in between, and read nearly nothing:
//! what holds them is read by [`ContactForce`](super::ContactForce).

use carom_geometry::Pose;
use glam::DVec3;

use super::PoseSensor;
use crate::body::BodyId;
use crate::world::World;

/// What an inertial measurement unit reads, in its own axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertial {
    /// Acceleration less gravity `[m/s²]`.
    pub specific_force: DVec3,
    /// Of the body `[rad/s]`.
    pub angular_velocity: DVec3,
}

/// An accelerometer and a gyroscope on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Imu {
    /// On whom it is mounted.
    pub body: BodyId,
    /// Where, in the body frame.
    pub body_from_sensor: Pose,
}

impl Imu {
    /// At the origin of the body frame, along its axes.
    pub const fn new(body: BodyId) -> Self {
        Self { body, body_from_sensor: Pose::IDENTITY }
    }

    /// (1), with the accelerations from now on; none if the body is gone.
    pub fn read(&self, world: &World) -> Option<Inertial> {
        let place = PoseSensor { body: self.body, body_from_sensor: self.body_from_sensor };
        let (pose, moves) = (place.read(world)?, world.kinematics(self.body)?);
        let r = pose.translation - moves.state.position;
        let w = moves.state.angular_velocity;
        let turning = moves.angular_acceleration.cross(r) + w.cross(w.cross(r));
        let force = moves.acceleration + turning - world.gravity();
        let back = pose.rotation.conjugate();
        Some(Inertial { specific_force: back * force, angular_velocity: back * w })
    }
}
