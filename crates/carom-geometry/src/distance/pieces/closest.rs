//! The nearest pair of pieces.

use super::Pieces;
use super::near::{Stack, for_each_near};
use crate::Pose;
use crate::distance::{Closest, Warm, closest};

/// What queries of two shapes leave behind for the next one: the nearest pair of pieces, and the last answer of every pair
/// that was looked at. Distances depend on it by rounding at most.
#[derive(Clone, Debug, Default)]
pub struct PiecesCache {
    best: Option<[u32; 2]>,
    /// In order of the pairs.
    last: Vec<([u32; 2], Warm)>,
    next: Vec<([u32; 2], Warm)>,
    pub(super) stack: Stack,
}

impl PiecesCache {
    /// The last answer of a pair.
    fn warm(&self, pair: [u32; 2]) -> Warm {
        let found = self.last.binary_search_by_key(&pair, |(pair, _)| *pair);
        found.map_or(Warm::Cold, |index| self.last[index].1)
    }

    /// Where a pair of pieces is nearest, in the frame of shape A; remembered for the next query.
    pub(super) fn measure(
        &mut self,
        [a, b]: [&Pieces; 2],
        a_from_b: &Pose,
        pair: [u32; 2],
    ) -> Closest {
        let (one, other) = (&a.all[pair[0] as usize], &b.all[pair[1] as usize]);
        let a_from_piece_b = a_from_b.then_from(&other.shape_from_piece);
        let piece_from_piece = one.shape_from_piece.inverse().then_from(&a_from_piece_b);
        let mut warm = self.warm(pair);
        let found = closest(&one.convex, &other.convex, &piece_from_piece, &mut warm);
        self.next.push((pair, warm));
        placed(found, &one.shape_from_piece)
    }

    /// Ends a query: what was remembered in it replaces what was before.
    pub(super) fn settle(&mut self) {
        self.next.sort_unstable_by_key(|(pair, _)| *pair);
        std::mem::swap(&mut self.last, &mut self.next);
        self.next.clear();
    }
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
/// Where pieces overlap this is the deepest pair of pieces; a body inside a hollow mesh is not seen (see
/// [`Pieces::holds`]).
pub fn closest_pieces(
    a: &Pieces,
    b: &Pieces,
    a_from_b: &Pose,
    cache: &mut PiecesCache,
) -> ClosestPieces {
    let both = [a, b];
    let known = |[i, j]: [u32; 2]| (i as usize) < a.all.len() && (j as usize) < b.all.len();
    let first = cache.best.filter(|pair| known(*pair)).unwrap_or([0, 0]);
    let mut best = ClosestPieces { closest: cache.measure(both, a_from_b, first), pieces: first };
    let mut stack = std::mem::take(&mut cache.stack);
    for_each_near(both, a_from_b, &mut stack, best.closest.distance, |pair| {
        if pair != first {
            let found = cache.measure(both, a_from_b, pair);
            if found.distance < best.closest.distance {
                best = ClosestPieces { closest: found, pieces: pair };
            }
        }
        best.closest.distance
    });
    cache.stack = stack;
    cache.best = Some(best.pieces);
    cache.settle();
    best
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
