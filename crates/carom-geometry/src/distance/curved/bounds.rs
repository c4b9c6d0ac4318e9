//! The best normal and the best points found so far: a distance between bounds.

use glam::DVec3;

use super::core::NOWHERE;
use super::pair::Pair;
use super::solve::{Guess, Solution};
use crate::distance::gjk::Found;

/// A normal with the width of its slab, from below, and two points with their distance, from above.
pub(super) struct Bounds {
    pub(super) normal: DVec3,
    pub(super) lower: f64,
    point_a: DVec3,
    point_b: DVec3,
    upper: f64,
}

impl Bounds {
    /// Nothing is known.
    pub(super) const NONE: Self = Self {
        normal: DVec3::Z,
        lower: f64::NEG_INFINITY,
        point_a: DVec3::ZERO,
        point_b: DVec3::ZERO,
        upper: f64::INFINITY,
    };

    /// Whether the distance is known to within the tolerance.
    pub(super) fn are_tight(&self, pair: &Pair<'_>) -> bool {
        self.upper - self.lower <= pair.tolerance()
    }

    /// The unit vector between the points, if they are apart.
    pub(super) fn direction(&self) -> Option<DVec3> {
        (self.point_a - self.point_b).try_normalize()
    }

    pub(super) fn offer(&mut self, found: &Found) {
        self.offer_normal(found.normal, found.lower);
        self.offer_points(found.point_a, found.point_b);
    }

    pub(super) fn offer_normal(&mut self, normal: DVec3, lower: f64) {
        if lower > self.lower {
            (self.normal, self.lower) = (normal, lower);
        }
    }

    pub(super) fn offer_points(&mut self, point_a: DVec3, point_b: DVec3) {
        let upper = point_a.distance(point_b);
        if upper < self.upper {
            (self.point_a, self.point_b, self.upper) = (point_a, point_b, upper);
        }
    }

    pub(super) fn guess(&self) -> Guess {
        let features = [NOWHERE; 2];
        Guess { point_a: self.point_a, point_b: self.point_b, normal: self.normal, features }
    }

    /// Normal and points as they are; where the cores overlap, the support points of the normal.
    pub(super) fn solution(&self, pair: &Pair<'_>) -> Solution {
        let is_proven = self.are_tight(pair);
        let found = Solution { width: self.lower, is_proven, ..self.guess().unproven() };
        if is_proven || self.lower >= 0.0 {
            return found;
        }
        let mut features = [NOWHERE; 2];
        let support = pair.support(-self.normal, &mut features);
        Solution { point_a: support.a, point_b: support.b, features, ..found }
    }
}
