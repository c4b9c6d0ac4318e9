//! Axis-aligned boxes.

use glam::DVec3;

use crate::tolerances::BOX_PADDING_ULPS;

/// A closed axis-aligned box in whatever frame its maker states `[m]`; unbounded sides are infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Corner with the smallest coordinates.
    pub min: DVec3,
    /// Corner with the largest coordinates.
    pub max: DVec3,
}

impl Aabb {
    /// Contains nothing; the neutral element of [`Self::union`].
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The smallest box around the points; [`Self::EMPTY`] for none.
    pub fn from_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |bounds, point| bounds.with_point(point))
    }

    /// The smallest box around this one and a point.
    #[must_use]
    pub fn with_point(&self, point: DVec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// True when the boxes share a point.
    pub fn overlaps(&self, other: &Self) -> bool {
        // What they share is empty or not; so the empty box, whose corners are infinite, shares nothing with all of space.
        self.min.max(other.min).cmple(self.max.min(other.max)).all()
    }

    /// True when the point lies inside or on the box.
    pub fn contains(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Midpoint.
    pub fn center(&self) -> DVec3 {
        self.min + 0.5 * (self.max - self.min)
    }

    /// Side lengths.
    pub fn extents(&self) -> DVec3 {
        self.max - self.min
    }

    /// Length of the diagonal; zero for an empty box.
    pub fn diagonal(&self) -> f64 {
        self.extents().max(DVec3::ZERO).length()
    }

    /// Squared distance to a point, zero inside.
    pub fn distance_squared(&self, point: DVec3) -> f64 {
        (self.min - point).max(point - self.max).max(DVec3::ZERO).length_squared()
    }

    /// Grown on every side by `margin`.
    #[must_use]
    pub fn padded(&self, margin: f64) -> Self {
        Self { min: self.min - DVec3::splat(margin), max: self.max + DVec3::splat(margin) }
    }

    /// Grown by a few units in the last place of its largest coordinate, so that it encloses a shape
    /// whose extreme points were computed in floating point.
    #[must_use]
    pub fn padded_for_rounding(&self) -> Self {
        let bounded = |v: DVec3| {
            DVec3::select(
                glam::BVec3::new(v.x.is_finite(), v.y.is_finite(), v.z.is_finite()),
                v.abs(),
                DVec3::ZERO,
            )
        };
        let largest = bounded(self.min).max(bounded(self.max)).max_element();
        self.padded(BOX_PADDING_ULPS * f64::EPSILON * largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn union_with_the_empty_box_changes_nothing() {
        let bounds = Aabb::from_points([DVec3::ZERO, DVec3::ONE]);
        assert_eq!(Aabb::EMPTY.union(&bounds), bounds);
        assert_eq!(Aabb::EMPTY.diagonal(), 0.0);
    }

    #[test]
    fn the_empty_box_overlaps_nothing_not_even_all_of_space() {
        let all = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
        let cube = Aabb::from_points([DVec3::ZERO, DVec3::ONE]);
        assert!(all.overlaps(&all) && all.overlaps(&cube) && cube.overlaps(&all));
        assert!([all, cube, Aabb::EMPTY].iter().all(|it| !it.overlaps(&Aabb::EMPTY)));
        assert!([all, cube, Aabb::EMPTY].iter().all(|it| !Aabb::EMPTY.overlaps(it)));
    }

    #[test]
    fn distance_is_zero_inside_and_euclidean_outside() {
        let bounds = Aabb::from_points([DVec3::ZERO, DVec3::ONE]);
        assert_eq!(bounds.distance_squared(DVec3::splat(0.5)), 0.0);
        assert_eq!(bounds.distance_squared(DVec3::new(2.0, 0.5, -2.0)), 5.0);
    }

    #[test]
    fn rounding_padding_keeps_infinite_sides() {
        let slab = Aabb { min: DVec3::new(f64::NEG_INFINITY, 0.0, 0.0), max: DVec3::ONE };
        let padded = slab.padded_for_rounding();
        assert_eq!(padded.min.x, f64::NEG_INFINITY);
        assert!(padded.max.x > 1.0 && padded.max.x < 1.0 + 1e-14);
    }
}
