//! Sizes of cells, and which of them suits a box.
//!
//! The size of a box X with longest side s, around a body of radius r, is sz(X) = max(s, 6 r): what a body
//! sweeps in one window differs from window to window, and small differences shall not move it to other cells.
//! Level k has cells of side ρ = 2^k `[m]`, and X belongs to the level with
//!
//! ```text
//! α ≤ sz(X)/ρ ≤ β,   α = ½, β = 1                                     (thesis 2.8)
//! ```
//!
//! the smallest power of two not below sz(X). A box is so at most one cell long and lies in at most 2³ cells,
//! however fast its body. Powers of two of a metre need no knowledge of the scene, and scaling a scene by a
//! power of two changes levels by a constant and nothing else.
//!
//! Far from the origin cells are no smaller than 2⁻³⁸ of the distance, so that a cell's coordinates fit their
//! 40 bits; a box that would need cells larger than the largest has no level.

use carom_geometry::Aabb;

/// Cells of side 2^k `[m]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::broad) struct Level(i8);

/// The size of a box is at least so many radii of its body `[-]`. Fewer, and boxes lie in more cells; more, and
/// cells hold more boxes that are not near. Spheres at 10 % filling: 4 to 8 radii differ by less than a third.
const RADII: f64 = 6.0;

const FINEST: i32 = -64;
const COARSEST: i32 = 63;

/// The least side of a cell, as a part of its distance from the origin: 2⁻³⁸ `[-]`.
const LEAST_AT_DISTANCE: f64 = 1.0 / (1_u64 << 38) as f64;

impl Level {
    /// The level of a box that is not empty; none if it is too large for any.
    pub(in crate::broad) fn of(bounds: &Aabb, radius: f64) -> Option<Self> {
        let distance = bounds.min.abs().max(bounds.max.abs()).max_element();
        let needed = size(bounds, radius).max(distance * LEAST_AT_DISTANCE);
        let exponent = exponent_above(needed);
        (exponent <= COARSEST).then(|| Self(exponent.max(FINEST) as i8))
    }

    /// 2^`bits` parts of the side of a cell, per metre.
    pub(super) fn parts_per_metre(self, bits: i32) -> f64 {
        power_of_two(bits - i32::from(self.0))
    }

    /// A number from 0 to 127.
    pub(super) fn number(self) -> u8 {
        (i32::from(self.0) - FINEST) as u8
    }

    /// Side of a cell `[m]`.
    #[cfg(test)]
    pub(in crate::broad) fn side(self) -> f64 {
        power_of_two(i32::from(self.0))
    }
}

/// sz(X) `[m]`.
pub(in crate::broad) fn size(bounds: &Aabb, radius: f64) -> f64 {
    (RADII * radius).max(bounds.extents().max_element())
}

const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The least e with 2^e ≥ x, for x ≥ 0; at most −1022 below the normal numbers.
const fn exponent_above(x: f64) -> i32 {
    let bits = x.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    (bits >> 52) as i32 - 1023 + (fraction != 0) as i32
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    fn cube(side: f64) -> Aabb {
        Aabb { min: DVec3::ZERO, max: DVec3::splat(side) }
    }

    #[test]
    fn a_cell_is_as_large_as_the_box_and_less_than_twice_as_large() {
        for side in [1e-15, 0.3, 0.5, 0.500001, 1.0, 1.5, 2.0, 3e10] {
            let level = Level::of(&cube(side), 0.0).expect("a level");
            assert!(side <= level.side() && level.side() < 2.0 * side, "{side}: {level:?}");
        }
        assert_eq!(Level::of(&cube(1.0), 1.0).expect("a level").side(), 8.0);
    }

    #[test]
    fn what_is_too_large_or_infinite_has_no_level_and_what_is_tiny_has_the_finest() {
        assert_eq!(Level::of(&cube(2e19), 1.0), None);
        assert_eq!(Level::of(&cube(f64::INFINITY), 1.0), None);
        assert_eq!(Level::of(&cube(1.0), f64::INFINITY), None);
        for side in [0.0, 1e-320, 1e-100] {
            assert_eq!(Level::of(&cube(side), 0.0).expect("a level").number(), 0);
        }
        assert!(Level::of(&cube(9e18), 0.0).is_some());
    }

    #[test]
    fn far_away_cells_are_as_large_as_their_coordinates_need() {
        let place = DVec3::splat(1e12);
        let bounds = Aabb { min: place, max: place + DVec3::splat(1e-3) };
        let side = Level::of(&bounds, 1e-3).expect("a level").side();
        assert!(1e12 / side <= (1_u64 << 38) as f64 && side < 8.0, "{side}");
    }
}
