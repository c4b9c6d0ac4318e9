//! What is done where Newton's method fails.
//!
//! B is moved away from A along the best normal n₀ so far, by m in all, until they are a margin apart. The best normal
//! n₁ of the moved pair, which support points and a convex descent find, maximises s(n) + m·n·n₀, so that
//!
//! s(n₁) ≥ s(n₀) + m·(1 − n₁·n₀):
//!
//! the proven bound never falls. A wide margin gives normals to the last digit, but how far a round can turn n
//! shrinks with it; so it is made narrower from round to round, down to the size of the smallest features that a
//! distance within the tolerance may hang on. Each round offers its points and normals, and is polished; the best
//! points and the best normal of all rounds are the answer as soon as their bounds meet, and at the end in any case.

use glam::DVec3;

use super::bounds::Bounds;
use super::cold::{FULL, search};
use super::core::NOWHERE;
use super::pair::Pair;
use super::project::Foot;
use super::solve::{Guess, Solution, polish};
use super::valley::descend;
use crate::tolerances::{ASCENT_MARGIN, ASCENT_NARROWER, ASCENT_ROUNDS};

/// The best answer that rounds of narrowing margins find; `meets` says whether the cores are known to touch or
/// overlap.
pub(super) fn ascend(pair: &Pair<'_>, mut bounds: Bounds, meets: bool) -> Solution {
    let mut margin = ASCENT_MARGIN * pair.size();
    for round in 0..ASCENT_ROUNDS {
        let shift = (margin - bounds.lower).max(0.0) * bounds.normal;
        let apart = Pair { translation: pair.translation - shift, ..*pair };
        let found = Guess::of(&search(&apart, bounds.normal, FULL));
        for moved in [found, descend(&apart, &found)] {
            let guess = Guess { point_b: moved.point_b + shift, ..moved };
            offer(pair, &guess, &mut bounds);
            if bounds.are_tight(pair) {
                return bounds.solution(pair);
            }
            let right = |it: &Solution| it.is_right(pair, meets, bounds.lower);
            if let Some(solution) = polish(pair, &guess).filter(right) {
                return solution;
            }
        }
        // The first margin twice, for the first normal may be far off.
        if round > 0 {
            margin *= ASCENT_NARROWER;
        }
    }
    bounds.solution(pair)
}

/// Offers the points of a guess, its normal, and the direction between the best points.
fn offer(pair: &Pair<'_>, guess: &Guess, bounds: &mut Bounds) {
    let anywhere = Foot::guess(DVec3::ZERO, DVec3::Z, NOWHERE);
    bounds.offer_points(guess.point_a, guess.point_b);
    for normal in [Some(guess.normal), bounds.direction()].into_iter().flatten() {
        bounds.offer_normal(normal, pair.slab(normal, &anywhere, &anywhere));
    }
}
