//! What a feature is made of: the point, line or plane that carries it.

use glam::DVec3;

use super::{Convex, Feature};
use crate::tolerances::FACING_SINE;

/// The point, line or plane from which a feature lies at a constant distance, in the frame of the solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Skeleton {
    /// A corner, or the centre of a round end `[m]`.
    Point(DVec3),
    /// Unit direction and a point of a straight edge, or of the axis of a capsule's or a cylinder's side `[m]`.
    Line {
        /// Unit direction.
        direction: DVec3,
        /// A point of the line `[m]`.
        point: DVec3,
    },
    /// Outward unit normal of a flat face.
    Plane(DVec3),
    /// None: the surface is curved in another way.
    Curved,
}

impl Convex {
    /// What carries a feature; [`Skeleton::Curved`] for features that the solid does not have.
    pub fn skeleton(&self, feature: Feature) -> Skeleton {
        match (self, feature) {
            (Self::Ball(_), _) => Skeleton::Point(DVec3::ZERO),
            (Self::Capsule(it), Feature::Face(patch)) => {
                let end = DVec3::Z * it.half_length();
                match patch {
                    0 => Skeleton::Line { direction: DVec3::Z, point: DVec3::ZERO },
                    1 => Skeleton::Point(end),
                    _ => Skeleton::Point(-end),
                }
            }
            (Self::Cylinder(_), Feature::Face(0)) => {
                Skeleton::Line { direction: DVec3::Z, point: DVec3::ZERO }
            }
            (Self::Cylinder(_), Feature::Face(1)) => Skeleton::Plane(DVec3::Z),
            (Self::Cylinder(_), Feature::Face(2)) | (Self::Cone(_), Feature::Face(1)) => {
                Skeleton::Plane(DVec3::NEG_Z)
            }
            (Self::Cone(it), Feature::Vertex(_)) => Skeleton::Point(DVec3::Z * it.half_length()),
            (Self::HalfSpace(it), _) => Skeleton::Plane(it.normal()),
            (Self::Polyhedron(it), Feature::Vertex(v)) => {
                it.vertices().get(v as usize).map_or(Skeleton::Curved, |v| Skeleton::Point(*v))
            }
            (Self::Polyhedron(it), Feature::Edge(e)) if (e as usize) < it.half_edges().len() => {
                let [from, to] = it.ends(e).map(|v| it.vertices()[v as usize]);
                line(from, to)
            }
            (Self::Polyhedron(it), Feature::Face(f)) => {
                it.faces().get(f as usize).map_or(Skeleton::Curved, |f| Skeleton::Plane(f.normal))
            }
            (Self::Triangle(corners), Feature::Vertex(v)) => {
                Skeleton::Point(corners[v as usize % 3])
            }
            (Self::Triangle(corners), Feature::Edge(e)) => {
                line(corners[e as usize % 3], corners[(e as usize + 1) % 3])
            }
            (Self::Triangle([a, b, c]), Feature::Face(_)) => {
                (*b - *a).cross(*c - *a).try_normalize().map_or(Skeleton::Curved, Skeleton::Plane)
            }
            _ => Skeleton::Curved,
        }
    }

    /// Outward normal of a face that a vertex or an edge bounds, if that is the unit vector along which it faces.
    pub fn face_towards(&self, feature: Feature, towards: DVec3) -> Option<DVec3> {
        let best = |a: &DVec3, b: &DVec3| a.dot(towards).total_cmp(&b.dot(towards));
        let face = match (self, feature) {
            (Self::Polyhedron(it), Feature::Edge(e)) => {
                let edge = it.half_edges().get(e as usize)?;
                let faces = [edge.face, it.half_edges()[edge.twin as usize].face];
                faces.into_iter().map(|face| it.faces()[face as usize].normal).max_by(best)
            }
            (Self::Polyhedron(it), Feature::Vertex(v)) if (v as usize) < it.vertices().len() => {
                let face = |edge: u32| it.half_edges()[edge as usize].face as usize;
                it.outgoing(v).map(|edge| it.faces()[face(edge)].normal).max_by(best)
            }
            (Self::Cylinder(_), Feature::Edge(_)) => Some(DVec3::Z * towards.z.signum()),
            (Self::Cone(_), Feature::Edge(_)) => Some(DVec3::NEG_Z),
            _ => None,
        };
        face.filter(|normal| {
            normal.dot(towards) > 0.0 && normal.cross(towards).length() < FACING_SINE
        })
    }
}

fn line(from: DVec3, to: DVec3) -> Skeleton {
    match (to - from).try_normalize() {
        Some(direction) => Skeleton::Line { direction, point: from },
        None => Skeleton::Point(from),
    }
}
