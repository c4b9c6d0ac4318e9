//! From a guess to a proven answer.

use glam::DVec3;

use super::core::NOWHERE;
use super::newton;
use super::pair::{Feet, Pair};
use super::project::Foot;
use crate::distance::Feature;
use crate::distance::gjk::Found;
use crate::tolerances::FLAT;

/// Nearest points of two cores, in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solution {
    pub(super) point_a: DVec3,
    pub(super) point_b: DVec3,
    pub(super) normal: DVec3,
    /// s(normal).
    pub(super) width: f64,
    pub(super) features: [Feature; 2],
    /// Whether the points are as near as the width, to within the tolerance: apart or touching, and exact.
    pub(super) is_proven: bool,
}

impl Solution {
    /// Whether it may be returned: it is proven, or the cores are known to meet and no normal was found, of width
    /// `lower`, that is better.
    pub(super) fn is_right(&self, pair: &Pair<'_>, meets: bool, lower: f64) -> bool {
        self.is_proven || (meets && self.width >= lower - pair.tolerance())
    }
}

/// Where a search may start: a point on either core and the normal between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    pub(super) point_a: DVec3,
    pub(super) point_b: DVec3,
    pub(super) normal: DVec3,
    pub(super) features: [Feature; 2],
}

impl Guess {
    /// As feet from which projections start, each in the frame of its core.
    pub(super) fn near(&self, pair: &Pair<'_>) -> [Foot; 2] {
        let local = pair.point_in_b(self.point_b);
        [
            Foot::guess(self.point_a, -self.normal, self.features[0]),
            Foot::guess(local, pair.direction_b(self.normal), self.features[1]),
        ]
    }

    /// The points and the normal that support points have found.
    pub(super) fn of(found: &Found) -> Self {
        let features = [NOWHERE; 2];
        Self { point_a: found.point_a, point_b: found.point_b, normal: found.normal, features }
    }

    /// As a solution without a proof or a width.
    pub(super) fn unproven(&self) -> Solution {
        let Self { point_a, point_b, normal, features } = *self;
        Solution { point_a, point_b, normal, width: f64::NEG_INFINITY, features, is_proven: false }
    }

    /// The feet on the cores of the points above the guess.
    pub(super) fn feet(&self, pair: &Pair<'_>) -> Option<Feet> {
        let z_a = self.point_a - pair.a.size * self.normal;
        let z_b = self.point_b + pair.b.size * self.normal;
        let [near_a, near_b] = self.near(pair);
        pair.feet(z_a, z_b, &near_a, &near_b)
    }
}

/// The solution that Newton's method finds from the guess, if it is proven.
pub(super) fn polish(pair: &Pair<'_>, guess: &Guess) -> Option<Solution> {
    let start = guess.feet(pair)?;
    let (feet, converged) = newton::improve(pair, &start, |feet| proven(pair, feet).is_some());
    proven(pair, &feet)
        .or_else(|| over_face(pair, &feet))
        .or_else(|| converged.then(|| deepest(pair, &feet)).flatten())
}

/// The lowest point of one core over a flat face of the other.
///
/// Where flats are nearly parallel the lowest point lies at an end of one of them, and Newton's method, which
/// learns nothing from a flat of where it ends, may leap to and fro across it.
fn over_face(pair: &Pair<'_>, feet: &Feet) -> Option<Solution> {
    let is_flat = |foot: &Foot| foot.map.x_axis.x + foot.map.y_axis.y + foot.map.z_axis.z > FLAT;
    let normal_b = pair.rotation * feet.b.normal;
    let faces = [(is_flat(&feet.b), normal_b), (is_flat(&feet.a), -feet.a.normal)];
    let features = [feet.a.feature, feet.b.feature];
    let mut flat = faces.into_iter().filter(|(flat, _)| *flat);
    flat.find_map(|(_, normal)| over(pair, normal, normal == normal_b, features))
}

/// The lowest point over a face with this normal, of B or of A, and its foot, if the foot lies in the face.
pub(super) fn over(
    pair: &Pair<'_>,
    normal: DVec3,
    is_of_b: bool,
    mut features: [Feature; 2],
) -> Option<Solution> {
    let lowest = pair.support(-normal, &mut features);
    let height = normal.dot(lowest.a - lowest.b);
    let (over_a, over_b) = (lowest.b + height * normal, lowest.a - height * normal);
    let (point_a, point_b) = if is_of_b { (lowest.a, over_b) } else { (over_a, lowest.b) };
    let guess = Guess { point_a, point_b, normal, features };
    proven(pair, &guess.feet(pair)?)
}

/// Apart or touching: |p_A − p_B| bounds the distance from above, s(n) from below.
fn proven(pair: &Pair<'_>, feet: &Feet) -> Option<Solution> {
    let upper = feet.a.point.distance(feet.point_b);
    let tolerance = pair.tolerance();
    if upper > feet.width + tolerance || upper.is_nan() {
        return None;
    }
    let width = pair.slab(feet.normal, &feet.a, &feet.b);
    ((upper - width).abs() <= tolerance).then(|| solution(feet, width, true))
}

/// Overlapping: a stationary n at which s has a maximum.
fn deepest(pair: &Pair<'_>, feet: &Feet) -> Option<Solution> {
    let width = pair.slab(feet.normal, &feet.a, &feet.b);
    let right =
        width < 0.0 && feet.width - width <= pair.tolerance() && newton::is_maximum(pair, feet);
    right.then(|| solution(feet, width, false))
}

fn solution(feet: &Feet, width: f64, is_proven: bool) -> Solution {
    Solution {
        point_a: feet.a.point,
        point_b: feet.point_b,
        normal: feet.normal,
        width,
        features: [feet.a.feature, feet.b.feature],
        is_proven,
    }
}
