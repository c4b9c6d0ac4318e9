//! Half-spaces: one support point is the answer.
//!
//! A half-space has one outward normal m, so s(n) is finite for one n only.

use glam::DVec3;

use super::core::{Core, NOWHERE, Stripped};
use super::features::feature_of;
use crate::Pose;
use crate::distance::{Closest, Convex, Feature};
use crate::shapes::HalfSpace;
use crate::tolerances::PARALLEL;

/// The answer for a pair of which at least one is a half-space, else `None`.
pub(super) fn closest(a: &Convex, b: &Convex, a_from_b: &Pose) -> Option<Closest> {
    match (a, b) {
        (Convex::HalfSpace(a), Convex::HalfSpace(b)) => Some(between_planes(a, b, a_from_b)),
        (_, Convex::HalfSpace(b)) => Some(above(&Stripped::of(a), b, a_from_b)),
        (Convex::HalfSpace(a), _) => Some(below(a, &Stripped::of(b), a_from_b)),
        _ => None,
    }
}

/// The lowest point along a normal, radius included, and its feature; all in the solid's frame.
fn lowest(solid: &Stripped<'_>, normal: DVec3) -> (DVec3, Feature) {
    let (core, feature) = solid.core.support(-normal, NOWHERE);
    let feature = match solid.core {
        // Along a side every point is lowest; the middle does not hop between the ends.
        Core::Segment { .. } if normal.z.abs() <= PARALLEL => {
            return (-solid.radius * normal, Feature::Face(0));
        }
        _ => feature_of(solid, core, -normal, feature),
    };
    (core - solid.radius * normal, feature)
}

fn above(a: &Stripped<'_>, plane: &HalfSpace, a_from_b: &Pose) -> Closest {
    let normal = a_from_b.vector(plane.normal());
    let (point_a, feature) = lowest(a, normal);
    let distance = normal.dot(point_a - a_from_b.translation) - plane.offset();
    let point_b = point_a - distance * normal;
    Closest { distance, point_a, point_b, normal, features: [feature, Feature::Face(0)] }
}

fn below(plane: &HalfSpace, b: &Stripped<'_>, a_from_b: &Pose) -> Closest {
    let up = plane.normal();
    let (local, feature) = lowest(b, a_from_b.vector_inverse(up));
    let point_b = a_from_b.point(local);
    let distance = up.dot(point_b) - plane.offset();
    let point_a = point_b - distance * up;
    Closest { distance, point_a, point_b, normal: -up, features: [Feature::Face(0), feature] }
}

/// A gap where they face each other; otherwise they overlap without end.
fn between_planes(a: &HalfSpace, b: &HalfSpace, a_from_b: &Pose) -> Closest {
    let normal = a_from_b.vector(b.normal());
    let features = [Feature::Face(0); 2];
    let point_a = a.offset() * a.normal();
    let facing = normal.dot(a.normal()) < 0.0 && normal.cross(a.normal()).length() <= PARALLEL;
    if !facing {
        return Closest {
            distance: f64::NEG_INFINITY,
            point_a,
            point_b: point_a,
            normal,
            features,
        };
    }
    let distance = normal.dot(point_a - a_from_b.translation) - b.offset();
    Closest { distance, point_a, point_b: point_a - distance * normal, normal, features }
}
