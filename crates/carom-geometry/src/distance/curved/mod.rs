//! Curved solids, exactly: nothing is tessellated.
//!
//! The signed distance is s* = max over unit n of s(n) = −h_A(−n) − h_B(n). Everything here serves to find the best n
//! and the two points that belong to it, and to prove them:
//!
//! | where | what |
//! |---|---|
//! | `core` | solids without their radius: a ball is a point, a capsule a segment |
//! | `plane`, `ball`, `segments`, `flats` | closed forms: half-spaces, balls, two capsules, what stands over a flat end |
//! | `project` | nearest point of a core to a point, and how it moves with it |
//! | `newton`, `linear` | both points and the normal at once, from a guess |
//! | `solve`, `bounds` | what counts as proven |
//! | `cold` | what is done without a guess |
//! | `ascent`, `valley` | what is done where Newton's method fails |
//! | `features` | which feature a point lies on |
//! | `rates` | how the normal and the points move as the solids do |
//!
//! *Apart or touching*, an answer is exact: |p_A − p_B| − s(n) is below the tolerance, and both bound the distance.
//! The answer returned is s(n), which is never too large.
//! *Overlapping*, s has several maxima. Without a guess, a polytope grown from inside chooses between those that
//! differ by more than about a thousandth of the depth. With a guess the maximum next to it is followed as long as
//! support points do not find a better one. Either way the depth returned is that of the solids moved apart along n.

mod ascent;
mod ball;
mod bounds;
mod cold;
mod core;
mod features;
mod flats;
mod linear;
mod newton;
mod pair;
mod plane;
mod project;
mod rates;
mod segments;
mod solve;
mod valley;

use self::core::{Core, NOWHERE, Stripped};
use self::features::feature_of;
use self::pair::Pair;
use self::solve::{Guess, Solution, polish};
use super::{Closest, Convex, Warm};
use crate::Pose;

pub use rates::{Rates, rates};

/// The nearest points of any two solids.
pub(super) fn closest(a: &Convex, b: &Convex, a_from_b: &Pose, warm: &Warm) -> Closest {
    if let Some(answer) = plane::closest(a, b, a_from_b) {
        return answer;
    }
    let pair = Pair::new(Stripped::of(a), Stripped::of(b), a_from_b);
    answer(&pair, &solution(&pair, warm))
}

fn solution(pair: &Pair<'_>, warm: &Warm) -> Solution {
    let last = match warm {
        Warm::Cold => None,
        Warm::Last(last) => Some(guess_from(pair, last)),
    };
    let features = last.map_or([NOWHERE; 2], |guess| guess.features);
    if let Some(solution) =
        ball::solve(pair, features).or_else(|| segments::solve(pair)).or_else(|| flats::solve(pair))
    {
        return solution;
    }
    last.and_then(|guess| polish(pair, &guess))
        .filter(|solution| solution.is_proven || cold::confirms(pair, solution))
        .unwrap_or_else(|| {
            cold::solve(pair, last.map_or(pair.between_middles(), |guess| guess.normal))
        })
}

/// The same nearest points with Newton's method taken to its end: an answer is proven by its distance, and its points may be off by the
/// square root of what that is off by.
pub fn refined(a: &Convex, b: &Convex, a_from_b: &Pose, found: &Closest) -> Closest {
    if matches!(a, Convex::HalfSpace(_)) || matches!(b, Convex::HalfSpace(_)) {
        return *found;
    }
    let pair = Pair::new(Stripped::of(a), Stripped::of(b), a_from_b);
    let Some(start) = guess_from(&pair, found).feet(&pair) else { return *found };
    let (feet, _) = newton::improve(&pair, &start, |_| false);
    let width = pair.slab(feet.normal, &feet.a, &feet.b);
    let is_better = newton::residual(&pair, &feet) <= newton::residual(&pair, &start);
    if !is_better
        || (width - pair.a.radius - pair.b.radius - found.distance).abs() > pair.tolerance()
    {
        return *found;
    }
    Closest {
        distance: width - pair.a.radius - pair.b.radius,
        point_a: feet.a.point - pair.a.radius * feet.normal,
        point_b: feet.point_b + pair.b.radius * feet.normal,
        normal: feet.normal,
        features: found.features,
    }
}

/// The last answer with the radii taken off.
fn guess_from(pair: &Pair<'_>, last: &Closest) -> Guess {
    Guess {
        point_a: last.point_a + pair.a.radius * last.normal,
        point_b: last.point_b - pair.b.radius * last.normal,
        normal: last.normal,
        features: last.features,
    }
}

/// The solution with the radii put on.
///
/// Along the line between the points where it is proven: they may be off the normal by the square root of what their
/// distance is off by, which would show once the radii have taken up most of it.
fn answer(pair: &Pair<'_>, solution: &Solution) -> Closest {
    let Solution { point_a, point_b, normal, width, features, is_proven } = *solution;
    let local_b = pair.point_in_b(point_b);
    let between = (point_a - point_b).try_normalize().filter(|_| is_proven).unwrap_or(normal);
    Closest {
        distance: width - pair.a.radius - pair.b.radius,
        point_a: point_a - pair.a.radius * between,
        point_b: point_b + pair.b.radius * between,
        normal,
        features: [
            feature_of(&pair.a, point_a, -normal, features[0]),
            feature_of(&pair.b, local_b, pair.direction_b(normal), features[1]),
        ],
    }
}
