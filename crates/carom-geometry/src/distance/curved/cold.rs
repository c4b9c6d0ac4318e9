//! From nothing to an answer.
//!
//! A few support points find the neighbourhood of the answer, Newton's method from there the answer. Where that fails,
//! or the cores meet, it is decided whether they overlap and in which direction least; and `ascent` does the rest.

use glam::DVec3;

use super::ascent::ascend;
use super::bounds::Bounds;
use super::core::NOWHERE;
use super::pair::Pair;
use super::solve::{Guess, Solution, polish};
use crate::distance::epa::{self, Depth};
use crate::distance::gjk::{self, Found, Until};
use crate::tolerances::{
    EPA_DEEP, EPA_GAP, EPA_ROUGH_GAP, GJK_COLD_GAP, GJK_COLD_STEPS, GJK_FULL_GAP, GJK_FULL_STEPS,
};

/// As far as support points lead.
pub(super) const FULL: Until = Until { steps: GJK_FULL_STEPS, gap: GJK_FULL_GAP, slack: 0.0 };

/// Just into the neighbourhood of the answer.
fn rough(pair: &Pair<'_>) -> Until {
    Until { steps: GJK_COLD_STEPS, gap: GJK_COLD_GAP, slack: GJK_COLD_GAP * pair.scale() }
}

/// Support points only, from a guess of the normal.
pub(super) fn search(pair: &Pair<'_>, toward_a: DVec3, until: Until) -> Found {
    let mut near = [NOWHERE; 2];
    gjk::search(|direction| pair.support(direction, &mut near), toward_a, until)
}

/// The best answer from nothing but a guess of the normal.
pub(super) fn solve(pair: &Pair<'_>, toward_a: DVec3) -> Solution {
    let mut bounds = Bounds::NONE;
    let mut found = search(pair, toward_a, rough(pair));
    bounds.offer(&found);
    if !found.meets {
        // Only what shows them apart or touching counts: whether they overlap is not known.
        if let Some(solution) = polish(pair, &bounds.guess()).filter(|it| it.is_proven) {
            return solution;
        }
        found = search(pair, bounds.normal, FULL);
        bounds.offer(&found);
    }
    if !found.meets {
        if bounds.are_tight(pair) {
            return bounds.solution(pair);
        }
        if let Some(solution) = polish(pair, &bounds.guess()).filter(|it| it.is_proven) {
            return solution;
        }
    }
    let mut meets = found.meets;
    for gap in [EPA_ROUGH_GAP, EPA_GAP] {
        let overlap = Overlap::new(pair, &found, gap, &mut bounds);
        meets |= overlap.meets;
        let right = |it: &Solution| it.is_right(pair, meets, bounds.lower);
        if let Some(solution) = polish(pair, &overlap.guess).filter(right) {
            return solution;
        }
        if overlap.is_least {
            return Solution { width: bounds.lower, ..overlap.guess.unproven() };
        }
    }
    ascend(pair, bounds, meets)
}

/// Whether an overlap is one, and no direction is better than that of the solution.
pub(super) fn confirms(pair: &Pair<'_>, solution: &Solution) -> bool {
    let found = search(pair, solution.normal, rough(pair));
    let known = solution.width + pair.tolerance();
    if !found.meets || found.lower > known {
        return false;
    }
    let mut near = [NOWHERE; 2];
    let support = |direction| pair.support(direction, &mut near);
    !epa::has_rival(support, &found.simplex, pair.size(), known)
}

/// What a polytope grown from inside says of an overlap.
struct Overlap {
    /// The direction in which it is least, as far as is known.
    guess: Guess,
    /// Whether there is one, or touch.
    meets: bool,
    /// Whether no direction is better than that of the guess.
    is_least: bool,
}

impl Overlap {
    /// Offers what it finds to the bounds, too.
    fn new(pair: &Pair<'_>, found: &Found, gap: f64, bounds: &mut Bounds) -> Self {
        let guess = bounds.guess();
        let unknown = Self { guess, meets: found.meets, is_least: false };
        if bounds.lower > 0.0 {
            return unknown;
        }
        let mut near = [NOWHERE; 2];
        let support = |direction| pair.support(direction, &mut near);
        let Some(depth) = epa::depth(support, &found.simplex, pair.size(), gap) else {
            return unknown;
        };
        let Depth { normal, lower, upper, point_a, point_b } = depth;
        let meets = found.meets || upper <= pair.tolerance();
        let is_best = lower >= bounds.lower;
        bounds.offer_normal(normal, lower);
        if !is_best {
            return Self { meets, ..unknown };
        }
        // Thin faces leave the last digits of their distances in doubt, which decides nothing where it is deep.
        let is_least = upper < -EPA_DEEP * pair.size() && upper - lower <= pair.tolerance();
        Self { guess: Guess { point_a, point_b, normal, ..guess }, meets, is_least }
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::Pose;
    use crate::distance::Convex;
    use crate::distance::curved::core::Stripped;
    use crate::shapes::Ellipsoid;

    /// From −1 to 1.
    fn number(count: &mut f64) -> f64 {
        *count += 1.0;
        2.0 * libm::fmod(0.618033988749895 * *count, 1.0) - 1.0
    }

    fn ellipsoid(count: &mut f64) -> Convex {
        let mut axis = || libm::exp2(1.66 * number(count));
        let axes = DVec3::new(axis(), axis(), axis());
        Convex::Ellipsoid(Ellipsoid::new(axes).expect("positive axes"))
    }

    /// From the line between the middles, by ten support points and Newton's method, for aspects up to ten.
    ///
    /// proves: baraff/17
    #[test]
    fn ellipsoids_are_found_from_the_line_between_their_middles() {
        let mut count = 0.0;
        for _ in 0..2000 {
            let (a, b) = (ellipsoid(&mut count), ellipsoid(&mut count));
            let mut vector =
                || DVec3::new(number(&mut count), number(&mut count), number(&mut count));
            let (place, turn) = (8.0 * vector(), DQuat::from_scaled_axis(3.0 * vector()));
            let pair = Pair::new(Stripped::of(&a), Stripped::of(&b), &Pose::new(place, turn));
            let ten = Until { steps: 10, ..rough(&pair) };
            let found = search(&pair, pair.between_middles(), ten);
            if found.meets || place.length() < 1.0 {
                continue;
            }
            let solution = polish(&pair, &Guess::of(&found));
            let is_found = solution.is_some_and(|it| it.is_proven || it.width < 0.0);
            assert!(is_found, "{a:?} {b:?} at {place} {turn}");
        }
    }
}
