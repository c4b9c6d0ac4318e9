//! The tiling map (thesis 2.7), cells, and boxes within them.
//!
//! A coordinate x lies in cell ⌊x/ρ⌋ of a level with cells of side ρ. Because ρ is a power of two, x/ρ is exact,
//! and a true floor is monotone: boxes that share a point p share the cell of p, with no tolerance anywhere.
//!
//! Coordinates are taken in parts of a cell, so that one floor gives the cell and the place within. From the
//! places, clamped to the cell, a box gets an *outline* in every cell that it lies in: six numbers of nine bits.
//! Clamping and flooring are monotone too, so boxes that overlap and share a cell have outlines there that
//! overlap. An outline is a filter that costs one subtraction and no look at the other box.

use carom_geometry::Aabb;
use glam::DVec3;

use super::level::Level;

/// Parts of a cell along an axis are 2^9.
const PART_BITS: i32 = 9;
const LAST_PART: u32 = (1 << PART_BITS) - 1;

/// Whole coordinates of cells have so many bits.
const CELL_BITS: i32 = 40;

/// Parts beyond this belong to cells that no box at that level lies in.
const LIMIT: f64 = ((1_u64 << (CELL_BITS - 1 + PART_BITS)) - 1) as f64;

/// Whole coordinates of a cell.
pub(in crate::broad) type Cell = [i64; 3];

/// A box in whole parts of the cells of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::broad) struct Range {
    low: [i64; 3],
    high: [i64; 3],
}

impl Range {
    /// Of an empty box.
    pub(super) const EMPTY: Self = Self { low: [0; 3], high: [-1; 3] };

    pub(in crate::broad) fn of(bounds: &Aabb, level: Level) -> Self {
        let scale = level.parts_per_metre(PART_BITS);
        let parts = |corner: DVec3| (corner * scale).to_array().map(floor);
        Self { low: parts(bounds.min), high: parts(bounds.max) }
    }

    fn first(&self) -> Cell {
        self.low.map(|part| part >> PART_BITS)
    }

    fn last(&self) -> Cell {
        self.high.map(|part| part >> PART_BITS)
    }

    /// Number of cells; 2⁶⁴ − 1 stands for all larger numbers.
    pub(in crate::broad) fn len(&self) -> u64 {
        let (first, last) = (self.first(), self.last());
        let along = |axis: usize| (last[axis] - first[axis] + 1).max(0).unsigned_abs();
        along(0).saturating_mul(along(1)).saturating_mul(along(2))
    }

    pub(in crate::broad) fn contains(&self, cell: Cell) -> bool {
        let (first, last) = (self.first(), self.last());
        (0..3).all(|axis| first[axis] <= cell[axis] && cell[axis] <= last[axis])
    }

    #[inline]
    pub(in crate::broad) fn for_each(&self, mut f: impl FnMut(Cell)) {
        let (first, last) = (self.first(), self.last());
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                for x in first[0]..=last[0] {
                    f([x, y, z]);
                }
            }
        }
    }

    /// The box within one of its cells.
    #[inline]
    pub(super) fn outline(&self, cell: Cell) -> Outline {
        let within = |part: i64, axis: usize| {
            (part - (cell[axis] << PART_BITS)).clamp(0, i64::from(LAST_PART)) as u32
        };
        let pack = |parts: [i64; 3]| {
            let [x, y, z] = [within(parts[0], 0), within(parts[1], 1), within(parts[2], 2)];
            x | y << FIELD | z << (2 * FIELD)
        };
        Outline { high: pack(self.high), not_low: pack(self.low) ^ EVERY_PART }
    }
}

/// Bits from one axis to the next: a number of nine bits, and a zero.
const FIELD: i32 = PART_BITS + 1;
const EVERY_PART: u32 = LAST_PART * (1 | 1 << FIELD | 1 << (2 * FIELD));

/// The zero above each number.
const GUARDS: u32 = (1 | 1 << FIELD | 1 << (2 * FIELD)) << PART_BITS;

/// A box within a cell: its ends in parts of the cell, the lower ones counted backwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    high: u32,
    not_low: u32,
}

impl Outline {
    /// True when the outlines overlap, as those of overlapping boxes do.
    ///
    /// With a guard bit set above each number, subtracting clears exactly the guards of those that are smaller
    /// than what is subtracted. `EVERY_PART − low` compares with `EVERY_PART − high` as `high` does with `low`.
    #[inline]
    pub(super) fn overlaps(self, other: Self) -> bool {
        let upper = (other.high | GUARDS) - (self.not_low ^ EVERY_PART);
        let lower = (other.not_low | GUARDS) - (self.high ^ EVERY_PART);
        upper & lower & GUARDS == GUARDS
    }
}

/// A cell of a level in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key(u128);

impl Key {
    /// Stands for no cell: levels have numbers below 128.
    pub(super) const NONE: Self = Self(u128::MAX);

    #[inline]
    pub(super) fn of(level: Level, cell: Cell) -> Self {
        let [x, y, z] = cell.map(|x| u128::from(x.cast_unsigned() & ((1 << CELL_BITS) - 1)));
        Self(
            u128::from(level.number()) << (3 * CELL_BITS)
                | x << (2 * CELL_BITS)
                | y << CELL_BITS
                | z,
        )
    }

    /// A number to find the cell by. The eight cells of a block of 2³ have consecutive ones, for boxes mostly
    /// lie in cells next to each other.
    #[inline]
    pub(super) fn hash(self) -> u64 {
        const ODD: u128 = 1 | 1 << CELL_BITS | 1 << (2 * CELL_BITS);
        let odd = self.0 & ODD;
        let within = odd | odd >> (CELL_BITS - 1) | odd >> (2 * CELL_BITS - 2);
        let block = self.0 ^ odd;
        // Two halves multiplied, and the halves of the product joined: every bit depends on every other.
        let low = u128::from(block as u64 ^ 0x9E37_79B9_7F4A_7C15);
        let high = u128::from((block >> 64) as u64 ^ 0xD1B5_4A32_D192_ED03);
        let product = low * high;
        ((product >> 64) as u64 ^ product as u64) << 3 | within as u64 & 7
    }
}

/// The largest whole number not above `x`, or the limit that it would pass.
#[inline]
fn floor(x: f64) -> i64 {
    let x = x.clamp(-LIMIT, LIMIT);
    let towards_zero = x as i64;
    towards_zero - i64::from(x < towards_zero as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level_of_side(side: f64) -> Level {
        let bounds = Aabb { min: DVec3::ZERO, max: DVec3::splat(side) };
        Level::of(&bounds, 0.0).expect("a level")
    }

    /// proves: m1/BP-R6
    #[test]
    fn cells_below_zero_are_found_by_a_true_floor() {
        let level = level_of_side(1.0);
        let at = |x: f64| Range::of(&Aabb { min: DVec3::splat(x), max: DVec3::splat(x) }, level);
        let cases =
            [(-0.0, 0), (-1e-300, -1), (-0.5, -1), (-1.0, -1), (-1.5, -2), (0.999, 0), (1.0, 1)];
        for (x, cell) in cases {
            assert_eq!((at(x).first(), at(x).last()), ([cell; 3], [cell; 3]), "{x}");
        }
        let across = Aabb { min: DVec3::splat(-0.1), max: DVec3::splat(0.1) };
        assert_eq!(Range::of(&across, level).len(), 8);
    }

    #[test]
    fn coordinates_beyond_all_cells_neither_overflow_nor_become_many() {
        let level = level_of_side(1e-3);
        for x in [1e15, 1e300, f64::INFINITY] {
            for x in [x, -x] {
                let range = Range::of(&Aabb { min: DVec3::splat(x), max: DVec3::splat(x) }, level);
                assert_eq!(range.len(), 1);
            }
            let range = Range::of(&Aabb { min: DVec3::splat(-x), max: DVec3::splat(x) }, level);
            assert_eq!(range.len(), u64::MAX);
        }
        assert_eq!(Range::of(&Aabb::EMPTY, level).len(), 0);
    }

    #[test]
    fn outlines_of_overlapping_boxes_overlap_and_those_of_boxes_apart_by_two_parts_do_not() {
        let level = level_of_side(1.0);
        let grid: Vec<f64> = (0..7).map(|i| f64::from(i) * 0.2 - 0.1).collect();
        let intervals = || grid.iter().flat_map(|a| grid.iter().map(move |b| (*a, *b)));
        let outline = |(low, high): (f64, f64), axis: usize| {
            let mut bounds = Aabb { min: DVec3::splat(0.3), max: DVec3::splat(0.4) };
            (bounds.min[axis], bounds.max[axis]) = (low, high);
            Range::of(&bounds, level).outline([0; 3])
        };
        let in_cell = |(a, b): &(f64, f64)| a <= b && *b >= 0.0 && *a < 1.0;
        for axis in 0..3 {
            for a in intervals().filter(in_cell) {
                for b in intervals().filter(in_cell) {
                    let expected = a.0 <= b.1 && b.0 <= a.1;
                    assert_eq!(
                        outline(a, axis).overlaps(outline(b, axis)),
                        expected,
                        "{a:?} {b:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn keys_of_different_cells_differ_and_blocks_of_eight_are_found_together() {
        let level = level_of_side(1.0);
        let other = level_of_side(2.0);
        let cells: Vec<Cell> =
            (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|odd| odd - 4)).collect();
        let mut hashes: Vec<u64> = cells.iter().map(|cell| Key::of(level, *cell).hash()).collect();
        hashes.sort_unstable();
        let first = hashes[0];
        assert!(first.is_multiple_of(8));
        assert!(hashes.iter().zip(0..).all(|(hash, i)| *hash == first + i), "{hashes:?}");
        assert_ne!(Key::of(level, cells[0]), Key::of(other, cells[0]));
        assert_ne!(Key::of(level, [-1; 3]), Key::NONE);
    }
}
