//! The nearest pair of pieces.

use super::Pieces;
use super::near::for_each_near;
use crate::Pose;
use crate::distance::{Closest, Warm, closest};

/// What a query of two shapes leaves behind for the next one: the nearest pair of pieces and its answer. Distances depend
/// on it by rounding at most.
#[derive(Clone, Copy, Debug, Default)]
pub struct PiecesCache {
    best: Option<[u32; 2]>,
    warm: Warm,
}

/// The closest pieces of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPieces {
    /// Where they are nearest, in the frame of shape A.
    pub closest: Closest,
    /// Which piece of each.
    pub pieces: [u32; 2],
}

/// The nearest points of two shapes, over all their pieces.
///
/// Where pieces overlap this is the deepest pair of pieces; a body inside a mesh is not seen (see
/// [`depth_inside`](super::depth_inside)).
pub fn closest_pieces(
    a: &Pieces,
    b: &Pieces,
    a_from_b: &Pose,
    cache: &mut PiecesCache,
) -> ClosestPieces {
    let both = [a, b];
    let known = |[i, j]: [u32; 2]| (i as usize) < a.all.len() && (j as usize) < b.all.len();
    let first = cache.best.filter(|pair| known(*pair)).unwrap_or([0, 0]);
    let mut warm = cache.warm;
    let mut best =
        ClosestPieces { closest: measure(both, a_from_b, first, &mut warm), pieces: first };
    for_each_near(both, a_from_b, best.closest.distance, |pair| {
        let mut fresh = Warm::Cold;
        if pair != first {
            let found = measure(both, a_from_b, pair, &mut fresh);
            if found.distance < best.closest.distance {
                best = ClosestPieces { closest: found, pieces: pair };
                warm = fresh;
            }
        }
        best.closest.distance
    });
    *cache = PiecesCache { best: Some(best.pieces), warm };
    best
}

/// Where a pair of pieces is nearest, in the frame of shape A.
pub(super) fn measure(
    [a, b]: [&Pieces; 2],
    a_from_b: &Pose,
    pair: [u32; 2],
    warm: &mut Warm,
) -> Closest {
    let (one, other) = (&a.all[pair[0] as usize], &b.all[pair[1] as usize]);
    let a_from_piece_b = a_from_b.then_from(&other.shape_from_piece);
    let piece_from_piece = one.shape_from_piece.inverse().then_from(&a_from_piece_b);
    placed(closest(&one.convex, &other.convex, &piece_from_piece, warm), &one.shape_from_piece)
}

/// An answer given in the frame of a piece, in the frame of its shape.
fn placed(found: Closest, shape_from_piece: &Pose) -> Closest {
    Closest {
        point_a: shape_from_piece.point(found.point_a),
        point_b: shape_from_piece.point(found.point_b),
        normal: shape_from_piece.vector(found.normal),
        ..found
    }
}
