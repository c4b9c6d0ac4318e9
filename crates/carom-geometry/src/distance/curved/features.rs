//! Which feature a point lies on.
//!
//! The lowest feature within a tolerance of the point: a vertex before an edge, an edge before a face. Positions
//! decide, not normals, so that a point that rests exactly on a border, where rounding throws it to either side,
//! keeps its feature.

use glam::DVec3;

use super::core::{Core, NOWHERE, Stripped};
use super::project::{Foot, project};
use crate::ConvexPolyhedron;
use crate::distance::Feature;
use crate::tolerances::FEATURE;

/// The feature of a core's boundary point with its outward normal; `known` is that of a polyhedron or triangle if it
/// has been found already. All in the frame of the solid.
pub(super) fn feature_of(
    solid: &Stripped<'_>,
    point: DVec3,
    outward: DVec3,
    known: Feature,
) -> Feature {
    let near = FEATURE * solid.size;
    let across = libm::sqrt(point.x * point.x + point.y * point.y);
    match solid.core {
        Core::Point | Core::Ellipsoid(_) | Core::Superquadric(_) | Core::Plane(_) => {
            Feature::Face(0)
        }
        Core::Segment { half_length } => match point.z {
            z if z >= half_length - near => Feature::Face(1),
            z if z <= near - half_length => Feature::Face(2),
            _ => Feature::Face(0),
        },
        Core::Cylinder(it) => {
            let lower = u32::from(point.z < 0.0);
            if point.z.abs() < it.half_length() - near {
                Feature::Face(0)
            } else if across >= it.radius() - near {
                Feature::Edge(lower)
            } else {
                Feature::Face(1 + lower)
            }
        }
        Core::Cone(it) => {
            if point.z > near - it.half_length() {
                let apex = across.max(it.half_length() - point.z) <= near;
                if apex { Feature::Vertex(0) } else { Feature::Face(0) }
            } else if across >= it.radius() - near {
                Feature::Edge(0)
            } else {
                Feature::Face(1)
            }
        }
        Core::Polyhedron(it) => on_polyhedron(it, point, found(solid, point, outward, known), near),
        Core::Triangle(it) => on_triangle(it, point, found(solid, point, outward, known), near),
    }
}

/// The known feature, or else that of the point above the boundary.
fn found(solid: &Stripped<'_>, point: DVec3, outward: DVec3, known: Feature) -> Feature {
    if known != NOWHERE {
        return known;
    }
    let (_, start) = solid.core.support(outward, known);
    let near = Foot::guess(point, outward, start);
    let foot = project(&solid.core, point + solid.size * outward, &near);
    foot.map_or(start, |foot| foot.feature)
}

fn on_polyhedron(solid: &ConvexPolyhedron, point: DVec3, feature: Feature, near: f64) -> Feature {
    let ends = |h: u32| solid.ends(h).map(|v| solid.vertices()[v as usize]);
    let edge = match feature {
        Feature::Vertex(_) => return feature,
        Feature::Edge(h) => h,
        Feature::Face(f) => {
            let face = solid.faces()[f as usize];
            let mut edges = face.first_half_edge..face.first_half_edge + face.n_edges;
            match edges.find(|&h| distance_to_segment(point, ends(h)) <= near) {
                Some(h) => h.min(solid.half_edges()[h as usize].twin),
                None => return feature,
            }
        }
    };
    let [from, to] = solid.ends(edge);
    let at = |v: u32| solid.vertices()[v as usize].distance(point) <= near;
    if at(from) {
        Feature::Vertex(from)
    } else if at(to) {
        Feature::Vertex(to)
    } else {
        Feature::Edge(edge)
    }
}

fn on_triangle(corners: &[DVec3; 3], point: DVec3, feature: Feature, near: f64) -> Feature {
    if let Feature::Vertex(_) = feature {
        return feature;
    }
    if let Some(i) = (0..3).find(|&i| corners[i].distance(point) <= near) {
        return Feature::Vertex(i as u32);
    }
    let side = |i: &usize| [corners[*i], corners[(*i + 1) % 3]];
    match (feature, (0..3).find(|i| distance_to_segment(point, side(i)) <= near)) {
        (Feature::Face(_), Some(i)) => Feature::Edge(i as u32),
        _ => feature,
    }
}

fn distance_to_segment(point: DVec3, [from, to]: [DVec3; 2]) -> f64 {
    let along = to - from;
    let share = ((point - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    point.distance(from + share * along)
}
