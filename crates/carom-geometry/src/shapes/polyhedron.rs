//! Convex polyhedra as solids.

use glam::DVec3;

use crate::mass::VolumeIntegrals;
use crate::shape::Solid;
use crate::{ConvexPolyhedron, MassError, MassProperties};

impl Solid for ConvexPolyhedron {
    fn kind(&self) -> &'static str {
        "convex polyhedron"
    }

    fn support(&self, direction: DVec3) -> Option<DVec3> {
        Some(self.vertices()[self.support_vertex(direction) as usize])
    }

    fn radius_about(&self, point: DVec3) -> f64 {
        farthest(self.vertices(), point)
    }

    fn volume(&self) -> f64 {
        VolumeIntegrals::of_mesh(&self.to_mesh()).volume
    }

    fn surface_area(&self) -> f64 {
        self.to_mesh().surface_area()
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        MassProperties::of_polyhedron(self, density)
    }
}

/// Largest distance of the vertices from `point`.
pub(super) fn farthest<'a>(vertices: impl IntoIterator<Item = &'a DVec3>, point: DVec3) -> f64 {
    vertices.into_iter().map(|v| v.distance_squared(point)).fold(0.0, f64::max).sqrt()
}
