//! From a facet of the difference K = A − B to features, points and normal.
//!
//! A facet of K is a face of one solid moved along a vertex of the other, or a parallelogram of two edges; where
//! faces are parallel it is a sum of both. Its corners tell which; of all features they allow, those whose slab is as
//! wide are taken, by the normal nearest to the facet's, so that the answer carries the digits of a feature's own
//! normal.

use glam::DVec3;

use super::grown::{Corner, Grown};
use super::measure::{Measured, measure};
use super::pair::{Pair, Query};
use super::polytope::Polytope;
use super::proof::slab;
use super::segments::unit_share;
use super::simplex::nearest_on;
use crate::distance::Feature;

/// An answer with the features it lies on.
pub(super) type Answer = (Measured, [Feature; 2]);

/// The answer at the lowest facet of K, whose normal from B to A is given; none if K's nearest point to the origin is
/// on no facet of this height.
pub(super) fn finished<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    normal: DVec3,
    corners: [Corner; 3],
    hull: &Grown,
) -> Option<Answer> {
    let width = slab(query, normal, corners[0].vertices).width;
    // Of the features that are as good a proof, those whose normal is nearest to the facet's.
    let mut best: Option<(f64, Answer)> = None;
    let mut consider = |features: [Feature; 2]| {
        let measured = measure(query, features);
        let candidate = slab(query, measured.normal, corners[0].vertices).width;
        let along = measured.normal.dot(normal);
        if candidate >= width - query.proof && best.is_none_or(|(other, _)| along > other) {
            let near = (measured.distance - candidate).abs() <= query.proof;
            let distance = if near { measured.distance } else { candidate };
            best = Some((along, (Measured { distance, ..measured }, features)));
        }
    };
    visit_candidates(query, normal, corners, &mut consider);
    let (mut measured, features) = best.map_or_else(
        || {
            let (point_a, point_b, _) = witness(query, corners, width * normal);
            let features = corners[0].vertices.map(Feature::Vertex);
            (Measured { distance: width, point_a, point_b, normal }, features)
        },
        |(_, answer)| answer,
    );
    if !is_inside(query, features, &measured) {
        let target = measured.distance * measured.normal;
        let (point_a, point_b, _) = lowest_witness(query, corners, target, hull);
        let is_on_it = point_a.distance(point_b) <= width.abs() + 2.0 * query.proof;
        if !is_on_it {
            return None;
        }
        (measured.point_a, measured.point_b) = (point_a, point_b);
    }
    Some((measured, features))
}

/// The points of A and B whose difference on the lowest facets of K is nearest to the target, and how near that is.
///
/// A flat side of K consists of several triangles, and the foot of the origin lies in one of them.
fn lowest_witness<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    corners: [Corner; 3],
    target: DVec3,
    hull: &Grown,
) -> (DVec3, DVec3, f64) {
    let mut best = witness(query, corners, target);
    for (index, facet) in (0..).zip(hull.facets()) {
        let is_low = (facet.normal.dot(target) - facet.offset).abs() <= 2.0 * query.proof;
        if facet.alive && is_low {
            let other = witness(query, hull.corners_of(index), target);
            if other.2 < best.2 {
                best = other;
            }
        }
    }
    best
}

/// The points of A and B whose difference, on a triangle in K, is nearest to the target, and how near that is.
pub(super) fn witness<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    corners: [Corner; 3],
    target: DVec3,
) -> (DVec3, DVec3, f64) {
    let shifted = corners.map(|corner| Corner { point: corner.point - target, ..corner });
    let (nearest, carriers) = nearest_on(shifted);
    let weights = weights_of(carriers.map(|corner| corner.point), nearest);
    let sum = |of: &dyn Fn(&Corner) -> DVec3| -> DVec3 {
        carriers.iter().zip(weights).map(|(corner, weight)| weight * of(corner)).sum()
    };
    let point_a = sum(&|corner| query.ab.near.position(corner.vertices[0]));
    let point_b = sum(&|corner| query.ab.far_position(corner.vertices[1]));
    (point_a, point_b, nearest.length())
}

/// Weights, none negative and with sum 1, of the corners that carry a point; the third is the first again on an edge.
fn weights_of([a, b, c]: [DVec3; 3], point: DVec3) -> [f64; 3] {
    if a == c {
        let along = b - a;
        let share = unit_share((point - a).dot(along), along.length_squared());
        return [1.0 - share, share, 0.0];
    }
    let normal = (b - a).cross(c - a);
    let part = |p: DVec3, q: DVec3| normal.dot((p - point).cross(q - point)).max(0.0);
    let weights = [part(b, c), part(c, a), part(a, b)];
    let total: f64 = weights.iter().sum();
    if total > 0.0 { weights.map(|weight| weight / total) } else { [1.0, 0.0, 0.0] }
}

/// Pairs of features that could carry a facet of K with these corners.
fn visit_candidates<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    normal: DVec3,
    corners: [Corner; 3],
    consider: &mut impl FnMut([Feature; 2]),
) {
    let pair = &query.ab;
    let of_a = corners.map(|corner| corner.vertices[0]);
    let of_b = corners.map(|corner| corner.vertices[1]);
    let outward_b = pair.far_from_near.vector(normal);
    if let Some(face) = face_along(pair.near, of_a, -normal) {
        let normal = measure(query, [face, Feature::Vertex(of_b[0])]).normal;
        let [_, top] = slab(query, normal, [of_a[0], of_b[0]]).vertices;
        consider([face, Feature::Vertex(top)]);
    }
    if let Some(face) = face_along(pair.far, of_b, outward_b) {
        let normal = measure(query, [Feature::Vertex(of_a[0]), face]).normal;
        let [low, _] = slab(query, normal, [of_a[0], of_b[0]]).vertices;
        consider([Feature::Vertex(low), face]);
    }
    for i in 0..3 {
        for j in 0..3 {
            let edge_a = edge_between(pair.near, of_a[i], of_a[(i + 1) % 3]);
            let edge_b = edge_between(pair.far, of_b[j], of_b[(j + 1) % 3]);
            if let (Some(a), Some(b)) = (edge_a, edge_b) {
                consider([a, b]);
            }
        }
    }
}

/// The face at one of the vertices whose normal is nearest to a direction.
pub(super) fn face_along<P: Polytope>(
    solid: &P,
    vertices: [u32; 3],
    direction: DVec3,
) -> Option<Feature> {
    let mut best = (f64::NEG_INFINITY, None);
    for vertex in vertices {
        for spoke in solid.spokes(vertex) {
            let face = solid.half_edge(spoke.half_edge).face;
            let along = solid.normal(face).dot(direction);
            if along > best.0 {
                best = (along, Some(Feature::Face(face)));
            }
        }
    }
    best.1
}

pub(super) fn edge_between<P: Polytope>(solid: &P, from: u32, to: u32) -> Option<Feature> {
    let spoke = solid.spokes(from).iter().find(|spoke| spoke.head == to)?;
    Some(Feature::Edge(spoke.half_edge.min(solid.half_edge(spoke.half_edge).twin)))
}

/// Whether the points of a measure lie on its features, and not only on their planes and lines.
pub(super) fn is_inside<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    features: [Feature; 2],
    measured: &Measured,
) -> bool {
    match features {
        [Feature::Face(face), _] => is_over(query.ab.near, face, measured.point_a, query.touch),
        [_, Feature::Face(face)] => {
            let Pair { far, far_from_near, .. } = &query.ab;
            is_over(*far, face, far_from_near.point(measured.point_b), query.touch)
        }
        _ => {
            (measured.point_a - measured.point_b).length() <= measured.distance.abs() + query.proof
        }
    }
}

fn is_over<P: Polytope>(solid: &P, face: u32, point: DVec3, touch: f64) -> bool {
    solid.rim(face).all(|half_edge| {
        let (start, along) = solid.segment(half_edge);
        let side = solid.normal(face).dot(along.cross(point - start));
        side >= -touch * along.length()
    })
}
