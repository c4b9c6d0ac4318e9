//! Distance, points and normal of a pair of features, by one formula per kind of pair.
//!
//! Answers are computed from the features that were found, never from the way to them, so that their bits do not
//! depend on where a search began. Everything is in the frame of A.
//!
//! | pair | normal | loses |
//! |---|---|---|
//! | face, vertex | of the face | nothing |
//! | edge, edge | ±e_A × e_B, made perpendicular to the longer edge again, or the difference of the nearest points | turns about the edges by ε over the larger of their angle and the distance over their length |
//! | others | difference of the nearest points | ε over the distance |
//!
//! The sign of e_A × e_B is the one that leads out of B and into A, so that it holds through contact.

use glam::DVec3;

use super::pair::{Pair, Query};
use super::polytope::Polytope;
use super::segments::nearest_shares;
use crate::distance::Feature;

/// A pair of points and the direction between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) distance: f64,
    pub(super) point_a: DVec3,
    pub(super) point_b: DVec3,
    /// From B to A.
    pub(super) normal: DVec3,
}

impl Measured {
    /// The same with A and B exchanged, in the same frame.
    #[inline]
    fn swapped(self) -> Self {
        Self { point_a: self.point_b, point_b: self.point_a, normal: -self.normal, ..self }
    }

    /// By the difference of the points alone; zero has no direction.
    #[inline]
    fn by_points(point_a: DVec3, point_b: DVec3, difference: DVec3) -> Self {
        let distance = difference.length();
        let normal = if distance > 0.0 { difference / distance } else { DVec3::Z };
        Self { distance, point_a, point_b, normal }
    }
}

/// The measure of a pair of features whose nearest points lie inside them.
pub(super) fn measure<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    [a, b]: [Feature; 2],
) -> Measured {
    use Feature::{Edge, Face, Vertex};
    let pair = &query.ab;
    match (a, b) {
        (Face(f), _) => {
            let v = pair.far_position(pair.far.vertex_of(b));
            let corner = pair.near.position(pair.near.vertex_of(Face(f)));
            face_vertex(corner, pair.near.normal(f), v)
        }
        (_, Face(f)) => {
            let v = pair.near.position(pair.near.vertex_of(a));
            let corner = pair.far_position(pair.far.vertex_of(Face(f)));
            face_vertex(corner, pair.near_from_far.vector(pair.far.normal(f)), v).swapped()
        }
        (Edge(e), Edge(g)) => edge_edge(pair, e, g),
        (Edge(e), Vertex(v)) => edge_vertex(pair.near.segment(e), pair.far_position(v)),
        (Vertex(v), Edge(e)) => edge_vertex(pair.far_segment(e), pair.near.position(v)).swapped(),
        (Vertex(v), Vertex(w)) => {
            let (p, q) = (pair.near.position(v), pair.far_position(w));
            Measured::by_points(p, q, p - q)
        }
    }
}

/// A face of A through `corner`, and a vertex of B.
#[inline]
fn face_vertex(corner: DVec3, outward: DVec3, vertex: DVec3) -> Measured {
    let distance = outward.dot(vertex - corner);
    let point_a = vertex - distance * outward;
    Measured { distance, point_a, point_b: vertex, normal: -outward }
}

/// An edge of A and a vertex of B; the arm is taken from the nearer end, and what is left of it along the edge by
/// rounding, which a small distance would make a large angle, is taken off again.
#[inline]
fn edge_vertex((start, along): (DVec3, DVec3), vertex: DVec3) -> Measured {
    let length_sq = along.length_squared();
    let arm = vertex - start;
    let share = arm.dot(along) / length_sq;
    let (base, arm) = if share > 0.5 { (start + along, arm - along) } else { (start, arm) };
    let rest = arm.dot(along) / length_sq;
    let rest = if rest.is_finite() { rest } else { 0.0 };
    let rough = rest * along - arm;
    let again = rough.dot(along) / length_sq;
    let across = if again.is_finite() { rough - again * along } else { rough };
    Measured::by_points(base + rest * along, vertex, across)
}

#[inline]
fn edge_edge<N: Polytope, F: Polytope>(pair: &Pair<N, F>, e: u32, g: u32) -> Measured {
    let (p, u) = pair.near.segment(e);
    let (q, v) = pair.far_segment(g);
    let (s, t) = nearest_shares(p, u, q, v);
    let (point_a, point_b) = (p + s * u, q + t * v);
    let difference = (p - q) + (s * u - t * v);
    let (u_sq, v_sq) = (u.length_squared(), v.length_squared());
    let cross = u.cross(v);
    let longest_sq = u_sq.max(v_sq);
    // (distance over length)² against sin² of the angle.
    let angle_decides =
        cross.length_squared() * longest_sq >= difference.length_squared() * (u_sq * v_sq);
    let direction = if angle_decides {
        let unit = cross.normalize_or_zero();
        let longer = if u_sq >= v_sq { u } else { v };
        unit - (unit.dot(longer) / longest_sq) * longer
    } else {
        difference
    };
    let outward = pair.near_from_far.vector(pair.far.outward(g)) - pair.near.outward(e);
    let normal = direction.normalize_or(DVec3::Z);
    let normal = if normal.dot(outward) < 0.0 { -normal } else { normal };
    Measured { distance: normal.dot(difference), point_a, point_b, normal }
}
