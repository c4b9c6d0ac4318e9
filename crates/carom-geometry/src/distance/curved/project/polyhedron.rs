//! Projection on a convex polyhedron by walking over its features.
//!
//! The points outside a polyhedron are divided into the regions of its features: those over a face, between the two
//! planes through an edge square to its faces, in the cone of a corner. Each border between two regions is a plane,
//! and a feature whose region does not hold z is left across the plane that z lies beyond most. The distance to z
//! never grows on the way. Where rounding leads it in circles the features are tried one by one.

use glam::{DMat3, DVec3};

use super::{Foot, dyad};
use crate::ConvexPolyhedron;
use crate::distance::Feature;
use crate::tolerances::FEATURE_STEPS;

/// What one look at a feature says.
enum Look {
    Here(Foot),
    Go(Feature),
    /// Below the face: the walk has come to the far side.
    Lost,
}

pub(super) fn project(solid: &ConvexPolyhedron, z: DVec3, near: Feature) -> Option<Foot> {
    let mut feature = known(solid, near);
    for _ in 0..FEATURE_STEPS {
        match look(solid, feature, z) {
            Look::Here(foot) => return Some(foot),
            Look::Go(next) => feature = next,
            Look::Lost => {
                // Over the plane that z lies above most.
                let height =
                    |face: usize| solid.faces()[face].normal.dot(z) - solid.faces()[face].offset;
                let top = (0..solid.faces().len())
                    .fold(0, |best, face| if height(face) > height(best) { face } else { best });
                if height(top) <= 0.0 {
                    return None;
                }
                feature = Feature::Face(top as u32);
            }
        }
    }
    exhaustive(solid, z)
}

/// The feature if the polyhedron has it, else some feature.
fn known(solid: &ConvexPolyhedron, feature: Feature) -> Feature {
    let (index, count) = match feature {
        Feature::Vertex(v) => (v, solid.vertices().len()),
        Feature::Edge(h) => (h, solid.half_edges().len()),
        Feature::Face(f) => (f, solid.faces().len()),
    };
    if (index as usize) < count { feature } else { Feature::Vertex(0) }
}

fn look(solid: &ConvexPolyhedron, feature: Feature, z: DVec3) -> Look {
    match feature {
        Feature::Vertex(v) => look_at_vertex(solid, v, z),
        Feature::Edge(h) => look_at_edge(solid, h, z),
        Feature::Face(f) => look_at_face(solid, f, z),
    }
}

fn here(point: DVec3, normal: Option<DVec3>, map: DMat3, feature: Feature) -> Look {
    normal.map_or(Look::Lost, |normal| Look::Here(Foot { point, normal, map, feature }))
}

fn look_at_vertex(solid: &ConvexPolyhedron, v: u32, z: DVec3) -> Look {
    let point = solid.vertices()[v as usize];
    let offset = z - point;
    let mut best = (0.0, None);
    for half_edge in solid.outgoing(v) {
        let along = solid.vertices()[solid.ends(half_edge)[1] as usize] - point;
        let beyond = offset.dot(along);
        let square = beyond * beyond / along.length_squared();
        if beyond > 0.0 && square > best.0 {
            best = (square, Some(half_edge));
        }
    }
    match best.1 {
        Some(half_edge) => Look::Go(Feature::Edge(half_edge)),
        None => here(point, offset.try_normalize(), DMat3::ZERO, Feature::Vertex(v)),
    }
}

fn look_at_edge(solid: &ConvexPolyhedron, h: u32, z: DVec3) -> Look {
    let [from, to] = solid.ends(h);
    let (start, end) = (solid.vertices()[from as usize], solid.vertices()[to as usize]);
    let along = end - start;
    if (z - start).dot(along) <= 0.0 {
        return Look::Go(Feature::Vertex(from));
    }
    if (z - end).dot(along) >= 0.0 {
        return Look::Go(Feature::Vertex(to));
    }
    let twin = solid.half_edges()[h as usize].twin;
    let over = |half_edge: u32, along: DVec3| {
        let face = solid.half_edges()[half_edge as usize].face;
        (solid.faces()[face as usize].normal.cross(along).dot(z - start), face)
    };
    let (left, right) = (over(h, along), over(twin, -along));
    let inner = if left.0 >= right.0 { left } else { right };
    if inner.0 > 0.0 {
        return Look::Go(Feature::Face(inner.1));
    }
    let square = along.length_squared();
    let point = start + along * ((z - start).dot(along) / square);
    let offset = z - point;
    let normal = (offset - along * (along.dot(offset) / square)).try_normalize();
    here(point, normal, dyad(along) * (1.0 / square), Feature::Edge(h.min(twin)))
}

fn look_at_face(solid: &ConvexPolyhedron, f: u32, z: DVec3) -> Look {
    let face = solid.faces()[f as usize];
    let height = face.normal.dot(z) - face.offset;
    if height <= 0.0 || height.is_nan() {
        return Look::Lost;
    }
    let mut worst = (0.0, None);
    for h in face.first_half_edge..face.first_half_edge + face.n_edges {
        let [from, to] = solid.ends(h);
        let start = solid.vertices()[from as usize];
        let inward = face.normal.cross(solid.vertices()[to as usize] - start);
        let beyond = inward.dot(start - z);
        let square = beyond * beyond / inward.length_squared();
        if beyond > 0.0 && square > worst.0 {
            worst = (square, Some(h));
        }
    }
    if let Some(h) = worst.1 {
        Look::Go(Feature::Edge(h))
    } else {
        let map = DMat3::IDENTITY - dyad(face.normal);
        here(z - height * face.normal, Some(face.normal), map, Feature::Face(f))
    }
}

/// The nearest of all features whose region holds z, and of the corners if rounding leaves none.
fn exhaustive(solid: &ConvexPolyhedron, z: DVec3) -> Option<Foot> {
    if solid.faces().iter().all(|face| face.normal.dot(z) <= face.offset) {
        return None;
    }
    let mut best: Option<Foot> = None;
    let mut offer = |foot: Foot| {
        let nearer = |old: &Foot| foot.point.distance_squared(z) < old.point.distance_squared(z);
        if best.as_ref().is_none_or(nearer) {
            best = Some(foot);
        }
    };
    let faces = (0..solid.faces().len() as u32).map(Feature::Face);
    let edges = solid.edges().iter().map(|&h| Feature::Edge(h));
    for feature in faces.chain(edges) {
        if let Look::Here(foot) = look(solid, feature, z) {
            offer(foot);
        }
    }
    for (v, point) in (0..).zip(solid.vertices()) {
        if let Some(normal) = (z - *point).try_normalize() {
            offer(Foot { point: *point, normal, map: DMat3::ZERO, feature: Feature::Vertex(v) });
        }
    }
    best
}
