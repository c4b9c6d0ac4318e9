//! Nearest points of polytopes that are apart, by simplices of support points (Gilbert, Johnson and Keerthi).
//!
//! The answer of last resort: p is the point of a simplex in K = A − B nearest to the origin; the support point of K
//! along the way from p to the origin joins the simplex, and the corners that do not carry the new p leave. |p| falls
//! strictly, so the search ends; |p| ≤ s(p/|p|) to rounding proves the answer. What is not proved is not claimed: the
//! distance is then the width of the slab, which no distance is less than.

use glam::DVec3;

use super::depth::corner_of;
use super::finish::{Answer, edge_between, face_along, witness};
use super::grown::Corner;
use super::measure::Measured;
use super::pair::Query;
use super::polytope::{Polytope, unit_normal};
use super::proof::slab;
use super::segments::unit_share;
use crate::distance::Feature;

/// Rounds before the best answer so far is returned.
const MAX_ROUNDS: u32 = 1_000;

/// The nearest points, from any start.
pub(super) fn nearest<A: Polytope, B: Polytope>(query: &Query<A, B>, from: [u32; 2]) -> Answer {
    let mut carriers = [corner_of(query, from); 3];
    let mut p = carriers[0].point;
    for _ in 0..MAX_ROUNDS {
        let Some(normal) = p.try_normalize() else { break };
        let found = slab(query, normal, carriers[0].vertices);
        if p.length() - found.width <= query.touch {
            break;
        }
        let (next, next_carriers) = nearest_with(carriers, corner_of(query, found.vertices));
        let is_nearer = next.length_squared() < p.length_squared();
        if !is_nearer {
            break;
        }
        (p, carriers) = (next, next_carriers);
    }
    answer_at(query, p, carriers)
}

/// The point nearest to the origin of the simplex over a triangle, which may have equal corners, and an apex; with the
/// corners that carry it.
fn nearest_with([a, b, c]: [Corner; 3], apex: Corner) -> (DVec3, [Corner; 3]) {
    let mut best = (DVec3::INFINITY, [a, b, c]);
    for corners in [[a, b, apex], [b, c, apex], [c, a, apex], [a, b, c]] {
        let (point, carriers) = nearest_on(corners);
        if point.length_squared() < best.0.length_squared() {
            best = (point, carriers);
        }
    }
    best
}

/// The point nearest to the origin of a triangle, which may have equal corners, and the corners that carry it.
///
/// The foot on the plane is told inside or outside by its moments about the sides, which keep their digits on slivers.
pub(super) fn nearest_on([a, b, c]: [Corner; 3]) -> (DVec3, [Corner; 3]) {
    if a.point == b.point || b.point == c.point || c.point == a.point {
        return nearest_between(a, if a.point == c.point { b } else { c });
    }
    let [p, q, r] = [a.point, b.point, c.point];
    let normal = unit_normal([p, q, r]);
    let foot = normal.dot(p) * normal;
    let is_inner = |from: DVec3, to: DVec3| normal.dot((from - foot).cross(to - foot)) >= 0.0;
    if normal != DVec3::ZERO && is_inner(p, q) && is_inner(q, r) && is_inner(r, p) {
        return (foot, [a, b, c]);
    }
    let mut best = nearest_between(a, b);
    for side in [nearest_between(b, c), nearest_between(c, a)] {
        if side.0.length_squared() < best.0.length_squared() {
            best = side;
        }
    }
    best
}

fn nearest_between(a: Corner, b: Corner) -> (DVec3, [Corner; 3]) {
    let along = b.point - a.point;
    let share = unit_share(-a.point.dot(along), along.length_squared());
    if share <= 0.0 {
        (a.point, [a; 3])
    } else if share >= 1.0 {
        (b.point, [b; 3])
    } else {
        (a.point + share * along, [a, b, a])
    }
}

fn answer_at<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    p: DVec3,
    carriers: [Corner; 3],
) -> Answer {
    let (point_a, point_b, _) = witness(query, carriers, DVec3::ZERO);
    let normal = p.normalize_or(DVec3::Z);
    let width = slab(query, normal, carriers[0].vertices).width;
    let distance = if p.length() - width <= query.proof { p.length() } else { width };
    let of_a = carriers.map(|corner| corner.vertices[0]);
    let of_b = carriers.map(|corner| corner.vertices[1]);
    let outward_b = query.ab.far_from_near.vector(normal);
    let features = [carrier(query.ab.near, of_a, -normal), carrier(query.ab.far, of_b, outward_b)];
    (Measured { distance, point_a, point_b, normal }, features)
}

/// The smallest feature that all the vertices could belong to.
fn carrier<P: Polytope>(solid: &P, vertices: [u32; 3], outward: DVec3) -> Feature {
    let [a, b, c] = vertices;
    if a == b && b == c {
        return Feature::Vertex(a);
    }
    let edge = if a == b || b == c {
        edge_between(solid, a, c)
    } else if a == c {
        edge_between(solid, a, b)
    } else {
        None
    };
    edge.or_else(|| face_along(solid, vertices, outward)).unwrap_or(Feature::Vertex(a))
}
