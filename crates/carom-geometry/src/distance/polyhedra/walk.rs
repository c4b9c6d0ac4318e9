//! From any pair of features to the nearest pair, one neighbour at a time.
//!
//! A pair of features has a distance: that of its closed features. Each step either keeps it and replaces a feature
//! by a part of its border that holds the nearest point, or lowers it and replaces a feature by a larger one
//! that it borders (Lin and Canny's Voronoi criterion: the nearest point of the other feature lies beyond the plane
//! between the two regions). So the pair (distance, dimension) falls in every step, and the walk ends:
//!
//! | pair | nearest points | to the border | to a larger feature |
//! |---|---|---|---|
//! | vertex, vertex | themselves | | edge that leads towards the other vertex |
//! | vertex, edge | projection | end of the edge | face that the vertex stands over; edge of the vertex towards the foot |
//! | vertex, face | projection | nearest edge of the rim | edge of the vertex that leads towards the face |
//! | edge, edge | common perpendicular | end of an edge | face that the other edge dips towards |
//! | edge, face | where the edge, clipped to the face's prism, is lowest | that end of the edge, that edge of the rim | |
//!
//! Two faces never form a pair: a vertex or an edge of one does. Edge and face is where clipping (Mirtich's V-Clip)
//! replaces the Voronoi criterion: the edge within the prism over the face is lowest at one of its ends, or
//! crosses the face, and then the solids overlap. The other sign of overlap is a vertex below a face, inside its
//! prism, none of whose edges leads up: it is inside the solid or beyond its far side, and the walk cannot tell. Behind
//! a flat solid there is only the reverse of the face.
//!
//! Rounding can make steps of equal distance follow each other in a circle. As every step depends on the pair alone,
//! a pair that comes again proves a circle (Brent's search finds one), and all pairs on it are equally near.

use glam::DVec3;

use super::pair::{Pair, Query};
use super::polytope::Polytope;
use super::segments::{Clip, nearest_shares};
use crate::distance::Feature;

/// What follows for a pair of features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Another pair is nearer, or as near and smaller.
    To(Feature, Feature),
    /// No neighbour is nearer.
    Settled,
    /// The solids overlap, or the walk is caught behind a face.
    Caught,
}

impl Step {
    fn swapped(self) -> Self {
        match self {
            Self::To(near, far) => Self::To(far, near),
            other => other,
        }
    }
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Walked {
    /// At this pair no step was left.
    Settled([Feature; 2]),
    /// Steps lead from this pair back to itself.
    Circle([Feature; 2]),
    /// At this pair the solids overlap, or the walk is caught behind a face.
    Caught([Feature; 2]),
    /// So many steps were not expected.
    TooLong([Feature; 2]),
}

/// Walks from a pair until no step is left; returns the number of steps too.
pub(super) fn walk<A: Polytope, B: Polytope>(
    query: &Query<A, B>,
    start: [Feature; 2],
    cap: u32,
) -> (Walked, u32) {
    let [mut a, mut b] = start;
    let (mut milestone, mut next_milestone) = (start, 2);
    for count in 0..cap {
        match step(query, a, b) {
            Step::To(next_a, next_b) => (a, b) = (next_a, next_b),
            Step::Settled => return (Walked::Settled([a, b]), count),
            Step::Caught => return (Walked::Caught([a, b]), count),
        }
        if [a, b] == milestone {
            return (Walked::Circle([a, b]), count);
        }
        if count + 1 == next_milestone {
            (milestone, next_milestone) = ([a, b], 2 * next_milestone);
        }
    }
    (Walked::TooLong([a, b]), cap)
}

/// One step.
pub(super) fn step<A: Polytope, B: Polytope>(query: &Query<A, B>, a: Feature, b: Feature) -> Step {
    use Feature::{Edge, Face, Vertex};
    let Query { ab, ba, touch, .. } = query;
    match (a, b) {
        (Vertex(v), Vertex(w)) => vertex_vertex(ab, v, w),
        (Edge(e), Vertex(v)) => edge_vertex(ab, e, v),
        (Vertex(v), Edge(e)) => edge_vertex(ba, e, v).swapped(),
        (Face(f), Vertex(v)) => face_vertex(ab, f, v, *touch),
        (Vertex(v), Face(f)) => face_vertex(ba, f, v, *touch).swapped(),
        (Edge(e), Edge(g)) => edge_edge(ab, e, g, *touch),
        (Face(f), Edge(e)) => face_edge(ab, f, e),
        (Edge(e), Face(f)) => face_edge(ba, f, e).swapped(),
        (Face(f), Face(_)) => Step::To(Face(f), Vertex(ab.far.vertex_of(b))),
    }
}

/// The edge of a vertex that leads most directly along `towards`; none if all lead away.
///
/// Edges of faces that `towards` rises from come first: on a thin solid another one can be more direct, but leads
/// behind a face. If an edge leads along `towards` and it points out of the solid, one of those does.
fn edge_towards<P: Polytope>(solid: &P, vertex: u32, towards: DVec3) -> Option<u32> {
    let here = solid.position(vertex);
    // cos² of the angle, as a fraction, to compare without a root.
    let (mut best, mut best_square, mut best_length, mut best_is_outer) = (None, 0.0, 1.0, false);
    for spoke in solid.spokes(vertex) {
        let along = solid.position(spoke.head) - here;
        let rise = towards.dot(along);
        if rise > 0.0 {
            let is_outer = solid
                .sides(spoke.half_edge)
                .iter()
                .any(|face| solid.normal(*face).dot(towards) > 0.0);
            let (square, length) = (rise * rise, along.length_squared());
            let is_steeper = square * best_length > best_square * length;
            if (is_outer, is_steeper) > (best_is_outer, false) {
                (best, best_square, best_length) = (Some(spoke.half_edge), square, length);
                best_is_outer = is_outer;
            }
        }
    }
    best
}

fn edge_name<P: Polytope>(solid: &P, half_edge: u32) -> Feature {
    Feature::Edge(half_edge.min(solid.half_edge(half_edge).twin))
}

fn vertex_vertex<N: Polytope, F: Polytope>(pair: &Pair<N, F>, v: u32, w: u32) -> Step {
    let towards = pair.far_position(w) - pair.near.position(v);
    if let Some(half_edge) = edge_towards(pair.near, v, towards) {
        return Step::To(edge_name(pair.near, half_edge), Feature::Vertex(w));
    }
    let back = pair.far_from_near.vector(-towards);
    match edge_towards(pair.far, w, back) {
        Some(half_edge) => Step::To(Feature::Vertex(v), edge_name(pair.far, half_edge)),
        None => Step::Settled,
    }
}

fn edge_vertex<N: Polytope, F: Polytope>(pair: &Pair<N, F>, edge: u32, v: u32) -> Step {
    let x = pair.far_position(v);
    let [tail, head] = pair.near.ends(edge);
    let start = pair.near.position(tail);
    let along = pair.near.position(head) - start;
    let arm = x - start;
    let (share, length_sq) = (arm.dot(along), along.length_squared());
    let vertex = Feature::Vertex(v);
    if share < 0.0 {
        return Step::To(Feature::Vertex(tail), vertex);
    }
    if share > length_sq {
        return Step::To(Feature::Vertex(head), vertex);
    }
    // Over a face stands what lies on the inner side of the plane through the edge along the face's normal.
    let moment = along.cross(arm);
    let [left, right] = pair.near.sides(edge);
    let over_left = pair.near.normal(left).dot(moment);
    let over_right = -pair.near.normal(right).dot(moment);
    if over_left > 0.0 || over_right > 0.0 {
        let face = outer_face(pair.near, [left, right], [over_left, over_right], arm);
        return Step::To(Feature::Face(face), vertex);
    }
    // What rounding leaves along the edge would outweigh the slope of an edge that is nearly parallel.
    let rough = (share / length_sq) * along - arm;
    let to_foot = rough - (rough.dot(along) / length_sq) * along;
    match edge_towards(pair.far, v, pair.far_from_near.vector(to_foot)) {
        Some(half_edge) => Step::To(Feature::Edge(edge), edge_name(pair.far, half_edge)),
        None => Step::Settled,
    }
}

fn face_vertex<N: Polytope, F: Polytope>(pair: &Pair<N, F>, face: u32, v: u32, touch: f64) -> Step {
    let x = pair.far_position(v);
    let normal = pair.near.normal(face);
    let mut nearest = (f64::INFINITY, None);
    let mut height = 0.0;
    for half_edge in pair.near.rim(face) {
        let (start, along) = pair.near.segment(half_edge);
        let arm = x - start;
        height = normal.dot(arm);
        if normal.dot(along.cross(arm)) < 0.0 {
            let share = (arm.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let away = (arm - share * along).length_squared();
            if away < nearest.0 {
                nearest = (away, Some(half_edge));
            }
        }
    }
    if let Some(half_edge) = nearest.1 {
        return Step::To(edge_name(pair.near, half_edge), Feature::Vertex(v));
    }
    let above = height >= -touch;
    if let (false, Some(reverse)) = (above, pair.near.reverse(face)) {
        return Step::To(Feature::Face(reverse), Feature::Vertex(v));
    }
    let towards = pair.far_from_near.vector(if above { -normal } else { normal });
    match edge_towards(pair.far, v, towards) {
        Some(half_edge) => Step::To(Feature::Face(face), edge_name(pair.far, half_edge)),
        None if above => Step::Settled,
        None => Step::Caught,
    }
}

/// With c = e₁ × e₂, nearest points p₁, p₂ inside both edges and σ = sign((p₂ − p₁)·c), the way from p₁ to p₂ leads
/// over the face left of e₁ iff (p₂ − p₁)·(n × e₁) = −σ|e₁|²(n·e₂) (times a length) is positive; right of it the sign
/// turns, and the same holds with the edges exchanged. So four slopes decide, however short the way is.
fn edge_edge<N: Polytope, F: Polytope>(pair: &Pair<N, F>, e: u32, g: u32, touch: f64) -> Step {
    let (p, u) = pair.near.segment(e);
    let (q, v) = pair.far_segment(g);
    let (s, t) = nearest_shares(p, u, q, v);
    if let (near @ Some(_), far) | (near, far @ Some(_)) =
        (end_at(pair.near, e, s), end_at(pair.far, g, t))
    {
        return Step::To(near.unwrap_or(Feature::Edge(e)), far.unwrap_or(Feature::Edge(g)));
    }
    let way = (q - p) + (t * v - s * u);
    let sigma = way.dot(u.cross(v));
    let sides = pair.near.sides(e);
    let far_sides = pair.far.sides(g);
    let u_far = pair.far_from_near.vector(u);
    let [left, right] = sides.map(|face| pair.near.normal(face).dot(v));
    let [far_left, far_right] = far_sides.map(|face| pair.far.normal(face).dot(u_far));
    // How far the way leads over each face if it runs along +c; along −c all signs turn.
    let over = [-left, right, -far_left, far_right];
    let turned = if sigma >= 0.0 { over } else { over.map(|x| -x) };
    let is_free = |over: [f64; 4]| over.iter().all(|x| *x <= 0.0);
    if sigma == 0.0 || is_free(turned) {
        return Step::Settled;
    }
    if way.length_squared() <= touch * touch && (is_free(over) || is_free(over.map(|x| -x))) {
        return Step::Settled;
    }
    let [over_left, over_right, over_far_left, over_far_right] = turned;
    if over_left > 0.0 || over_right > 0.0 {
        let face = outer_face(pair.near, sides, [over_left, over_right], way);
        Step::To(Feature::Face(face), Feature::Edge(g))
    } else {
        let back = pair.far_from_near.vector(-way);
        let face = outer_face(pair.far, far_sides, [over_far_left, over_far_right], back);
        Step::To(Feature::Edge(e), Feature::Face(face))
    }
}

/// Of the faces of an edge that `arm`, from the edge, leads over: the one it rises more from. Over a sharp edge it
/// can lead over both, and through the solid to one of them.
fn outer_face<P: Polytope>(solid: &P, sides: [u32; 2], over: [f64; 2], arm: DVec3) -> u32 {
    let right = if over[0] > 0.0 && over[1] > 0.0 {
        solid.normal(sides[1]).dot(arm) > solid.normal(sides[0]).dot(arm)
    } else {
        over[1] > 0.0
    };
    sides[usize::from(right)]
}

/// The vertex at a share of 0 or 1 along an edge.
fn end_at<P: Polytope>(solid: &P, edge: u32, share: f64) -> Option<Feature> {
    let [tail, head] = solid.ends(edge);
    if share <= 0.0 {
        Some(Feature::Vertex(tail))
    } else if share >= 1.0 {
        Some(Feature::Vertex(head))
    } else {
        None
    }
}

fn face_edge<N: Polytope, F: Polytope>(pair: &Pair<N, F>, face: u32, edge: u32) -> Step {
    let (q, v) = pair.far_segment(edge);
    let normal = pair.near.normal(face);
    let mut clip = Clip::WHOLE;
    let mut height = 0.0;
    for half_edge in pair.near.rim(face) {
        let (start, along) = pair.near.segment(half_edge);
        let inward = normal.cross(along);
        let arm = q - start;
        height = normal.dot(arm);
        if !clip.keep_above([inward.dot(arm), inward.dot(arm + v)], half_edge) {
            let rim_edge = nearest_of_rim(pair.near, face, q, v);
            return Step::To(edge_name(pair.near, rim_edge), Feature::Edge(edge));
        }
    }
    let slope = normal.dot(v);
    let [lower, upper] = clip.span.map(|share| height + share * slope);
    let stays_on_one_side = lower * upper > 0.0;
    if !stays_on_one_side {
        return Step::Caught;
    }
    if let (true, Some(reverse)) = (lower < 0.0, pair.near.reverse(face)) {
        return Step::To(Feature::Face(reverse), Feature::Edge(edge));
    }
    let end = usize::from(slope * lower < 0.0);
    match clip.by[end] {
        Some(half_edge) => Step::To(edge_name(pair.near, half_edge), Feature::Edge(edge)),
        None => Step::To(Feature::Face(face), Feature::Vertex(pair.far.ends(edge)[end])),
    }
}

/// The edge around a face that is nearest to a segment.
fn nearest_of_rim<P: Polytope>(solid: &P, face: u32, q: DVec3, v: DVec3) -> u32 {
    let rim = solid.rim(face);
    let mut best = (f64::INFINITY, rim.start);
    for half_edge in rim {
        let (p, u) = solid.segment(half_edge);
        let (s, t) = nearest_shares(p, u, q, v);
        let distance_sq = ((q - p) + (t * v - s * u)).length_squared();
        if distance_sq < best.0 {
            best = (distance_sq, half_edge);
        }
    }
    best.1
}
