//! Closed meshes as solids.

use glam::DVec3;

use super::polyhedron::farthest;
use crate::mass::VolumeIntegrals;
use crate::shape::Solid;
use crate::{ClosedMesh, MassError, MassProperties};

impl Solid for ClosedMesh {
    fn kind(&self) -> &'static str {
        "closed mesh"
    }

    /// Over the vertices of its convex hull: no other vertex is ever farthest.
    fn support(&self, direction: DVec3) -> Option<DVec3> {
        let height = |v: &DVec3| direction.dot(*v);
        let higher = |best: DVec3, v: &DVec3| if height(v) > height(&best) { *v } else { best };
        let first = *self.outer_vertices().first()?;
        Some(self.outer_vertices().iter().fold(first, higher))
    }

    fn radius_about(&self, point: DVec3) -> f64 {
        farthest(self.outer_vertices(), point)
    }

    fn volume(&self) -> f64 {
        VolumeIntegrals::of_mesh(self.mesh()).volume
    }

    fn surface_area(&self) -> f64 {
        self.mesh().surface_area()
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        MassProperties::of_mesh(self.mesh(), density)
    }
}
