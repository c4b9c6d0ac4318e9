//! Range finders: one ray.

use carom_geometry::Pose;
use glam::DVec3;

use super::PoseSensor;
use crate::body::BodyId;
use crate::world::World;

/// What a range finder saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranged {
    /// How far away `[m]`.
    pub distance: f64,
    /// Whose surface.
    pub body: BodyId,
    /// Outward normal there, in world axes.
    pub normal: DVec3,
}

/// Measures how far it is along its x axis to the next body other than its own; ghosts and sensors are passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// On whom it is mounted.
    pub body: BodyId,
    /// Where, in the body frame; it looks along its x axis.
    pub body_from_sensor: Pose,
    /// As far as it sees `[m]`.
    pub reach: f64,
}

impl Range {
    /// At the origin of the body frame, along its x axis.
    pub const fn new(body: BodyId, reach: f64) -> Self {
        Self { body, body_from_sensor: Pose::IDENTITY, reach }
    }

    /// What is there now; none if nothing is, or its body is gone.
    pub fn read(&self, world: &World) -> Option<Ranged> {
        let place = PoseSensor { body: self.body, body_from_sensor: self.body_from_sensor };
        let pose = place.read(world)?;
        let (origin, along) = (pose.translation, pose.rotation * DVec3::X);
        let others = |id: BodyId| id != self.body;
        let hit = world.cast_ray_among(origin, along, self.reach, world.now(), others)?;
        Some(Ranged { distance: (hit.point - origin).length(), body: hit.body, normal: hit.normal })
    }
}
