//! Solids taken apart into convex pieces and meshes.

use glam::{DMat3, DVec3};

use super::convex::{Convex, Core};
use super::mesh::Mesh;
use super::tolerances::MOST_LEVELS;
use super::{Pose, Solid, SolidError};

/// One piece of a body, in the body's frame.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) rotation: DMat3,
    pub(super) origin: DVec3,
    pub(super) what: What,
    /// Centre of a ball around it, in the body's frame.
    pub(super) center: DVec3,
    pub(super) radius: f64,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Convex(Convex),
    Mesh(Mesh),
}

/// Takes a bounded solid apart.
pub(super) fn pieces_of(solid: &Solid) -> Result<Vec<Piece>, SolidError> {
    let mut pieces = Vec::new();
    gather(solid, DMat3::IDENTITY, DVec3::ZERO, 0, &mut pieces)?;
    Ok(pieces)
}

fn gather(
    solid: &Solid,
    rotation: DMat3,
    origin: DVec3,
    level: usize,
    pieces: &mut Vec<Piece>,
) -> Result<(), SolidError> {
    if level > MOST_LEVELS {
        return Err(SolidError::TooDeep);
    }
    if let Solid::Compound { parts } = solid {
        if parts.is_empty() {
            return Err(SolidError::Empty("compound"));
        }
        for (pose, part) in parts {
            if !pose.is_finite() {
                return Err(SolidError::OutOfRange("the place of a part"));
            }
            let at = rotation * DVec3::from(pose.position) + origin;
            gather(part, rotation * pose.rotation(), at, level + 1, pieces)?;
        }
        return Ok(());
    }
    let what = what(solid)?;
    let (center, radius) = match &what {
        What::Convex(convex) => (convex.core.center(), convex.core.reach() + convex.radius),
        What::Mesh(mesh) => mesh.ball(),
    };
    let center = rotation * center + origin;
    pieces.push(Piece { rotation, origin, what, center, radius });
    Ok(())
}

fn what(solid: &Solid) -> Result<What, SolidError> {
    let thin = |core: Core| What::Convex(Convex { core, radius: 0.0 });
    Ok(match *solid {
        Solid::Ball { radius } => {
            What::Convex(Convex { core: Core::Point, radius: positive("a radius", radius)? })
        }
        Solid::Cuboid { half } => thin(Core::Cuboid { half: lengths("an edge", half)? }),
        Solid::Capsule { half_length, radius } => {
            let core = Core::Segment { half_length: positive("a length", half_length)? };
            What::Convex(Convex { core, radius: positive("a radius", radius)? })
        }
        Solid::Cylinder { half_length, radius } => thin(Core::Cylinder {
            half_length: positive("a length", half_length)?,
            radius: positive("a radius", radius)?,
        }),
        Solid::Cone { half_length, radius } => thin(Core::Cone {
            half_length: positive("a length", half_length)?,
            radius: positive("a radius", radius)?,
        }),
        Solid::Ellipsoid { semi_axes } => {
            thin(Core::Ellipsoid { semi_axes: lengths("a semi-axis", semi_axes)? })
        }
        Solid::Superquadric { semi_axes, exponent_xy, exponent_z } => {
            let semi_axes = lengths("a semi-axis", semi_axes)?;
            if !(exponent_xy.min(exponent_z) >= 1.0 && exponent_xy.max(exponent_z).is_finite()) {
                return Err(SolidError::OutOfRange("an exponent"));
            }
            thin(Core::Superquadric { semi_axes, exponent_xy, exponent_z })
        }
        Solid::Hull { ref points } => thin(Core::Points(finite_points("hull", points)?)),
        Solid::Mesh { ref vertices, ref triangles } => What::Mesh(mesh(vertices, triangles)?),
        Solid::HalfSpace { .. } => return Err(SolidError::Unbounded),
        Solid::Compound { .. } => return Err(SolidError::Empty("compound")),
    })
}

fn positive(what: &'static str, value: f64) -> Result<f64, SolidError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(SolidError::OutOfRange(what)) }
}

fn lengths(what: &'static str, values: [f64; 3]) -> Result<DVec3, SolidError> {
    values.iter().try_for_each(|value| positive(what, *value).map(|_| ()))?;
    Ok(DVec3::from(values))
}

fn finite_points(what: &'static str, points: &[[f64; 3]]) -> Result<Vec<DVec3>, SolidError> {
    if points.is_empty() {
        return Err(SolidError::Empty(what));
    }
    let points: Vec<DVec3> = points.iter().map(|point| DVec3::from(*point)).collect();
    if points.iter().all(|point| point.is_finite()) {
        Ok(points)
    } else {
        Err(SolidError::OutOfRange("a point"))
    }
}

fn mesh(vertices: &[[f64; 3]], triangles: &[[usize; 3]]) -> Result<Mesh, SolidError> {
    if triangles.is_empty() {
        return Err(SolidError::Empty("mesh"));
    }
    let vertices = finite_points("mesh", vertices)?;
    let lost = |triangle: &[usize; 3]| triangle.iter().any(|&corner| corner >= vertices.len());
    match triangles.iter().position(lost) {
        Some(index) => Err(SolidError::NoCorner(index)),
        None => Ok(Mesh::new(vertices, triangles)),
    }
}

/// The frame of a body at a pose, measured from a point of the world.
pub(super) fn frame(pose: &Pose, from: &Pose) -> (DMat3, DVec3) {
    (pose.rotation(), DVec3::from(pose.position) - DVec3::from(from.position))
}
