//! Proof of an answer: no point of A or B lies between the planes through the two points.
//!
//! For a unit normal n, s(n) = min n·a − max n·b over all vertices is a lower bound of the signed distance, and the
//! distance of two points of the solids is an upper bound. Both vertices are found by climbing from the features of
//! the answer, which costs one look at their neighbours when the answer is right.
//!
//! The normal of two vertices, or of a vertex and an edge, carries an error of ε over the distance. Where that makes
//! it leave the cone of normals at a vertex, a neighbour pokes through the plane by as much times the length of the
//! edge; the normal is then turned until it is perpendicular to that edge. The distance between the points
//! changes by the square of the turn.

use glam::DVec3;

use super::measure::Measured;
use super::pair::Query;
use super::polytope::Polytope;
use crate::distance::Feature;
use crate::precise::triangle_normal;

/// Vertices of A and B that lie lowest and highest along a normal, and the width of the slab between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    pub(super) width: f64,
    pub(super) vertices: [u32; 2],
}

/// The slab across a normal from B to A, found from a vertex of each.
#[inline]
pub(super) fn slab<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    normal: DVec3,
    [from_a, from_b]: [u32; 2],
) -> Slab {
    let pair = &query.ab;
    let lowest = pair.near.climbed(from_a, -normal);
    let highest = pair.far.climbed(from_b, pair.far_from_near.vector(normal));
    let width = normal.dot(pair.near.position(lowest) - pair.far_position(highest));
    Slab { width, vertices: [lowest, highest] }
}

/// The answer for solids apart or touching, with its normal turned, if need be, until the slab is as wide as the points
/// are apart; none if it cannot be proved.
#[inline]
pub(super) fn proved<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    measured: Measured,
    features: [Feature; 2],
) -> Option<Measured> {
    // The width of a slab says nothing about how deep solids overlap.
    let is_apart = measured.distance >= -query.touch;
    if !is_apart {
        return None;
    }
    let found = slab(query, measured.normal, query.vertices_of(features));
    if (measured.distance - found.width).abs() <= query.proof {
        return Some(measured);
    }
    proved_by_turning(query, measured, features, found)
}

#[cold]
fn proved_by_turning<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    mut measured: Measured,
    features: [Feature; 2],
    mut found: Slab,
) -> Option<Measured> {
    let pair = &query.ab;
    // What the normal must stay perpendicular to.
    let mut tight = match features {
        [Feature::Vertex(_), Feature::Vertex(_)] => None,
        [Feature::Edge(edge), Feature::Vertex(_)] => Some(pair.near.segment(edge).1),
        [Feature::Vertex(_), Feature::Edge(edge)] => Some(pair.far_segment(edge).1),
        _ => return None,
    };
    for _ in 0..MAX_TURNS {
        let low = pair.near.position(found.vertices[0]) - measured.point_a;
        let high = pair.far_position(found.vertices[1]) - measured.point_b;
        let pokes_a = -measured.normal.dot(low) >= measured.normal.dot(high);
        let edge = if pokes_a { low } else { high };
        let turned = match tight {
            None => measured.normal - (measured.normal.dot(edge) / edge.length_squared()) * edge,
            Some(other) => {
                let axis = triangle_normal([DVec3::ZERO, other, edge]);
                if axis.dot(measured.normal) < 0.0 { -axis } else { axis }
            }
        };
        measured.normal = turned.try_normalize()?;
        tight = Some(edge);
        found = slab(query, measured.normal, found.vertices);
        if (measured.distance - found.width).abs() <= query.proof {
            return Some(measured);
        }
    }
    None
}

/// A normal is settled by two edges; a third look may find a better second.
const MAX_TURNS: u32 = 3;
