//! All points at which two shapes are within a distance of each other, over all their pieces.
//!
//! Pieces that share a point or an edge, such as the triangles of a mesh, find the same contact several times. Points at one
//! place with one normal are kept once.

use glam::DVec3;

use super::Pieces;
use super::closest::{ClosestPieces, measure};
use super::near::for_each_near;
use crate::Pose;
use crate::distance::manifold::{Manifold, ManifoldPoint, manifold};
use crate::distance::{Closest, Warm};
use crate::tolerances::MERGED;

/// A point of the manifold of two pieces, in the frame of shape A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PiecePoint {
    /// The points, their gap and what they lie on.
    pub point: ManifoldPoint,
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// The pieces.
    pub pieces: [u32; 2],
}

/// The points of all pairs of pieces, with storage that is kept from one use to the next.
#[derive(Clone, Debug, Default)]
pub struct PiecesManifold {
    points: Vec<PiecePoint>,
    of_pair: Manifold,
}

impl PiecesManifold {
    /// The points, in the order of their pieces.
    pub fn points(&self) -> &[PiecePoint] {
        &self.points
    }
}

/// Finds all points at which the gap of two pieces is no more than `reach` `[m]`; one pair of pieces may have been measured
/// already.
pub fn manifold_pieces(
    a: &Pieces,
    b: &Pieces,
    a_from_b: &Pose,
    reach: f64,
    known: Option<&ClosestPieces>,
    out: &mut PiecesManifold,
) {
    let PiecesManifold { points, of_pair } = out;
    points.clear();
    for_each_near([a, b], a_from_b, reach, |pair| {
        let found = match known {
            Some(known) if known.pieces == pair => known.closest,
            _ => measure([a, b], a_from_b, pair, &mut Warm::Cold),
        };
        if found.distance <= reach {
            append([a, b], a_from_b, pair, &found, reach, of_pair, points);
        }
        reach
    });
    points.sort_by_key(|it| it.pieces);
    keep_one_of_each(points);
}

/// Appends the manifold of one pair of pieces.
fn append(
    [a, b]: [&Pieces; 2],
    a_from_b: &Pose,
    pieces: [u32; 2],
    found: &Closest,
    reach: f64,
    of_pair: &mut Manifold,
    points: &mut Vec<PiecePoint>,
) {
    let (one, other) = (&a.all[pieces[0] as usize], &b.all[pieces[1] as usize]);
    let piece_from_a = one.shape_from_piece.inverse();
    let piece_from_piece = piece_from_a.then_from(&a_from_b.then_from(&other.shape_from_piece));
    let inside = Closest {
        point_a: piece_from_a.point(found.point_a),
        point_b: piece_from_a.point(found.point_b),
        normal: piece_from_a.vector(found.normal),
        ..*found
    };
    let deeper = reach - found.distance;
    manifold(&one.convex, &other.convex, &piece_from_piece, &inside, deeper, of_pair);
    points.extend(of_pair.points().iter().map(|point| PiecePoint {
        point: ManifoldPoint {
            point_a: one.shape_from_piece.point(point.point_a),
            point_b: one.shape_from_piece.point(point.point_b),
            ..*point
        },
        normal: found.normal,
        pieces,
    }));
}

/// Drops what is at the place of an earlier point and has its normal.
fn keep_one_of_each(points: &mut Vec<PiecePoint>) {
    let low = points.iter().fold(DVec3::INFINITY, |low, it| low.min(it.point.point_a));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |high, it| high.max(it.point.point_a));
    let near = MERGED * (high - low).length();
    let is_same = |p: &PiecePoint, q: &PiecePoint| {
        p.point.point_a.distance(q.point.point_a) <= near && p.normal.distance(q.normal) <= MERGED
    };
    let mut kept = 0;
    for index in 0..points.len() {
        let point = points[index];
        if !points[..kept].iter().any(|earlier| is_same(earlier, &point)) {
            points[kept] = point;
            kept += 1;
        }
    }
    points.truncate(kept);
}
