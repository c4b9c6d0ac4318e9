//! Signed distance of two placed solids, as an interval that holds it for certain.
//!
//! The signed distance of bodies A and B is their distance where they are apart, and where they overlap minus their
//! *depth*: the length of the shortest shift that takes them apart.
//!
//! **Convex solids.** Let C = { a − b } be all differences of a point of A and one of B, h a support function, and n a unit
//! vector. Then
//!
//! L(n) = min n·a − max n·b = −h_A(−n) − h_B(n) ≤ signed distance,   with equality for the best n:
//!
//! a slab of width L(n) lies between A and B, or a shift by −L(n) along n takes them apart. So every n that anybody
//! proposes gives a lower bound, and a bad one only a weak one. Upper bounds come from points known to be in C, that is from
//! differences of points of A and B and their averages:
//!
//! - *apart*: the length of any point of C (`programme.rs`);
//! - *overlapping*: minus the radius of a ball around the origin within C (`depth.rs`).
//!
//! A ball is a point and a capsule a segment, thickened by a radius r: L(n) of the thick ones is L(n) of the thin ones
//! less r_A + r_B for every n, and so is the signed distance. A half-space needs no search: its n is its normal.
//!
//! **Other solids.** The surface of a mesh is a set of triangles, which are convex; a compound is a set of parts
//! (`pieces.rs`). The distance of such sets is the least of all pairs. What separates the wholes separates all pairs, so
//! their depth is at least that of any pair, and at most −L(n) for the support functions of the wholes. If the surfaces
//! are apart, one solid may still be inside the other, which the winding number of a mesh around a point tells
//! (`mesh.rs`); then it must be shifted by the distance of that point from the surface at least.
//!
//! **Rounding.** With u = 2⁻⁵³ and everything measured from A's place: an entry of a rotation matrix is off by at most
//! 6u, of a product of two by 16u; a turned point of length r by 16√3·u·r + 6u·r; a support value by 24u·r (superquadrics:
//! eight roundings of powers and products, none amplified, since norms are); n is unit to 4u; sums of these for A and B,
//! and the averages of at most four points, stay below [`ROUNDING_ULPS`]·ε times the sum of all lengths involved. Every
//! interval is widened by that, so it holds for the exact solids at the poses given, with their quaternions divided by
//! their lengths.
//!
//! **Second opinion.** For the kinds that parry has, unless both are meshes, it is asked too. Its closest points propose
//! one more n; its number is compared, and where it lies outside the interval by more than [`AGREEMENT`], the interval
//! stands and the disagreement is counted.
//!
//! Sizes and distances from 10⁻⁶⁰ to 10⁶⁰ m.

mod body;
mod bundle;
mod convex;
mod depth;
mod mesh;
mod pair;
mod pieces;
mod pose;
mod programme;
mod second;
mod simplex;
mod solid;
#[cfg(test)]
mod tests;
mod tolerances;

pub use body::Body;
pub use pose::Pose;
pub use solid::{Solid, SolidError};
pub use tolerances::{AGREEMENT, ROUNDING_ULPS};

/// A signed distance: positive apart, negative overlapping; it lies between the ends for certain `[m]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Not less than this `[m]`.
    pub lower: f64,
    /// Not more than this `[m]`.
    pub upper: f64,
}

impl Gap {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// True when they are apart for certain.
    pub fn is_apart(&self) -> bool {
        self.lower > 0.0
    }

    /// True when they overlap for certain.
    pub fn is_overlap(&self) -> bool {
        self.upper < 0.0
    }

    /// How much is left open `[m]`.
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// True for a distance within, or no more than `slack` outside.
    pub fn holds(&self, distance: f64, slack: f64) -> bool {
        self.lower - slack <= distance && distance <= self.upper + slack
    }

    fn widened(self, by: f64) -> Self {
        Self { lower: self.lower - by, upper: self.upper + by }
    }
}

/// Measures gaps, and counts.
#[derive(Clone, Debug, Default)]
pub struct Oracle {
    /// Gaps measured.
    pub measured: u64,
    /// Of them, those for which parry was asked and answered.
    pub second_opinions: u64,
    /// Of these, those in which it contradicted what is certain.
    pub disagreements: u64,
}

impl Oracle {
    /// Nothing measured yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The signed distance of two bodies; unknown where a pose is no finite numbers, and of two half-spaces.
    pub fn gap(&mut self, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Gap {
        self.measured += 1;
        if !pose_a.is_finite() || !pose_b.is_finite() {
            return Gap::UNKNOWN;
        }
        let pair = pair::Pair::new(a, pose_a, b, pose_b);
        let mut gap = pair.gap();
        // What is inside a surface without touching it has a distance from it; and of two meshes parry's answer takes ten
        // times as long as the proof.
        let opinion = match second::hollow_ones(a, b) {
            0 => second::opinion(a, pose_a, b, pose_b),
            1 if !gap.is_overlap() => second::opinion(a, pose_a, b, pose_b),
            _ => None,
        };
        if let Some(opinion) = opinion {
            self.second_opinions += 1;
            if let Some(n) = opinion.direction {
                gap.lower = gap.lower.max(pair.slab(n));
            }
            // Parry says zero wherever bodies overlap.
            let apart = Gap { lower: gap.lower.max(0.0), upper: gap.upper.max(0.0) };
            if !apart.holds(opinion.distance, AGREEMENT * pair.extent()) {
                self.disagreements += 1;
            }
        }
        gap
    }

    /// The signed distance of two bounded bodies without a second opinion, and the unit vector from B to A along which the
    /// nearest two of their pieces are farthest apart; unknown where a pose is no finite numbers.
    pub fn separation(
        &mut self,
        a: &Body,
        pose_a: &Pose,
        b: &Body,
        pose_b: &Pose,
    ) -> (Gap, [f64; 3]) {
        self.measured += 1;
        let is_bounded = a.radius().is_finite() && b.radius().is_finite();
        if !(is_bounded && pose_a.is_finite() && pose_b.is_finite()) {
            return (Gap::UNKNOWN, [1.0, 0.0, 0.0]);
        }
        let (gap, normal) = pair::Pair::new(a, pose_a, b, pose_b).separation();
        (gap, normal.to_array())
    }
}

/// L(n) of the header: the width of the slab perpendicular to a unit vector between two bounded bodies, less its rounding;
/// their signed distance is not less, whatever the vector `[m]`.
pub fn slab(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, n: [f64; 3]) -> f64 {
    pair::Pair::new(a, pose_a, b, pose_b).slab(n.into())
}
