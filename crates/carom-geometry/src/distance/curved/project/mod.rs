//! The nearest point of a solid to a point outside it, and how it moves when that point moves.
//!
//! z ↦ p(z) is the projection, n = (z − p)/|z − p| the outward normal at p, and D = ∂p/∂z the tangent map. D is
//! symmetric, maps n to zero, and has eigenvalues between 0 and 1 on the tangent plane:
//!
//! | where p lies | eigenvalues of D |
//! |---|---|
//! | flat face | 1, 1 |
//! | straight edge | 1 along it, 0 across |
//! | corner, apex | 0, 0 |
//! | side of a cylinder | R/ρ_z around, 1 along |
//! | round rim | R/ρ_z around, 0 across |
//! | side of a cone | ρ/ρ_z around, 1 along |
//! | smooth, curvatures κ, at distance r | 1/(1 + rκ) |
//!
//! Pairs (p, n) of boundary point and outward normal are in one-to-one correspondence with points z = p + r·n of the
//! surface at distance r, which is smooth where the solid has edges, corners or flats. A step w along it moves p by
//! D·w and n by (I − D)·w/r, and none of this ever divides by a curvature or a radius of curvature.

mod ellipsoid;
mod polyhedron;
mod round;
mod superquadric;
mod triangle;

use glam::{DMat3, DVec3};

pub(super) use superquadric::{
    support as superquadric_support, support_value as superquadric_value,
};

use super::Core;
use crate::distance::Feature;
use crate::shapes::HalfSpace;

/// A boundary point with its outward normal, in the frame of the solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// The point p.
    pub(super) point: DVec3,
    /// The unit normal n.
    pub(super) normal: DVec3,
    /// The tangent map D.
    pub(super) map: DMat3,
    /// For polyhedra and triangles the feature that carries p, for others a patch.
    pub(super) feature: Feature,
}

impl Foot {
    /// A boundary point from which projections may start: only `point`, `normal` and `feature` count.
    pub(super) fn guess(point: DVec3, normal: DVec3, feature: Feature) -> Self {
        Self { point, normal, map: DMat3::ZERO, feature }
    }
}

/// The foot of `z`, or `None` where the solid contains it; `near` is a guess that saves time and does not change the
/// answer.
pub(super) fn project(core: &Core<'_>, z: DVec3, near: &Foot) -> Option<Foot> {
    match core {
        Core::Point => round::on_point(z),
        Core::Segment { half_length } => round::on_segment(*half_length, z),
        Core::Cylinder(it) => round::on_cylinder(it, z),
        Core::Cone(it) => round::on_cone(it, z),
        Core::Ellipsoid(it) => ellipsoid::project(it, z, near),
        Core::Superquadric(it) => superquadric::project(it, z, near),
        Core::Polyhedron(it) => polyhedron::project(it, z, near.feature),
        Core::Triangle(it) => triangle::project(it, z),
        Core::Plane(it) => on_plane(it, z),
    }
}

fn on_plane(plane: &HalfSpace, z: DVec3) -> Option<Foot> {
    let normal = plane.normal();
    let height = normal.dot(z) - plane.offset();
    let map = DMat3::IDENTITY - dyad(normal);
    let feature = Feature::Face(0);
    (height > 0.0).then(|| Foot { point: z - height * normal, normal, map, feature })
}

/// a·aᵀ.
fn dyad(a: DVec3) -> DMat3 {
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

#[cfg(test)]
mod tests;
