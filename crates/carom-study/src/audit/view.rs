//! What an auditor is shown.

use carom::{BodyId, World};
use carom_geometry::{Pose, Shape};
use glam::DVec3;

/// A run as it is between two instants; a [`World`] is one.
pub trait View {
    /// All bodies, in order of their ids.
    fn bodies(&self) -> Vec<BodyId>;

    /// The shape of a body, in its frame.
    fn shape(&self, body: BodyId) -> Option<&Shape>;

    /// What people call it.
    fn name(&self, body: BodyId) -> String;

    /// True when it moves freely.
    fn is_free(&self, body: BodyId) -> bool;

    /// Where its frame is at a time.
    fn pose_at(&self, body: BodyId, time: f64) -> Option<Pose>;

    /// The point about which it turns when it flies, in its frame.
    fn reference(&self, body: BodyId) -> DVec3;

    /// True when two bodies take notice of each other.
    fn meets(&self, a: BodyId, b: BodyId) -> bool;

    /// True while they pass through each other.
    fn is_inside(&self, a: BodyId, b: BodyId) -> bool;
}

impl View for World {
    fn bodies(&self) -> Vec<BodyId> {
        Self::bodies(self).map(|body| body.id()).collect()
    }

    fn shape(&self, body: BodyId) -> Option<&Shape> {
        self.body(body).map(|body| body.shape())
    }

    fn name(&self, body: BodyId) -> String {
        self.body(body).map_or_else(|| body.to_string(), |it| it.name().to_owned())
    }

    fn is_free(&self, body: BodyId) -> bool {
        self.body(body).is_some_and(|body| body.is_free())
    }

    fn pose_at(&self, body: BodyId, time: f64) -> Option<Pose> {
        self.body(body)?.pose_at(time)
    }

    fn reference(&self, body: BodyId) -> DVec3 {
        self.body(body).map_or(DVec3::ZERO, |body| body.reference())
    }

    fn meets(&self, a: BodyId, b: BodyId) -> bool {
        Self::meets(self, a, b)
    }

    fn is_inside(&self, a: BodyId, b: BodyId) -> bool {
        Self::is_inside(self, a, b)
    }
}
