//! What a tolerance means.
//!
//! Let x be what a segment says and x̂ the true solution through the segment's own start. A tolerance ε promises
//! for every coordinate, at every time of the segment,
//!
//! ```text
//! |q − q̂| ≤ ε·S_q,        |q̇ − q̂̇| ≤ ε·(S_v + |q̇₀|)                                                (6)
//! ```
//!
//! S_q and S_v are sizes that the scene gives its coordinates: a radian or the scene's length, and that over the
//! scene's time. Velocities that are larger than their size are held relative to themselves.
//!
//! At 10⁻⁶ and below no error above it was found in chains of rods (a test measures them); coarser tolerances are
//! seldom exceeded, and then by a factor of up to 4, because estimates are leading terms.
//!
//! This is a promise about one segment, wherever it is cut. What becomes of an error later is the system's doing:
//! errors at whole segment ends are of higher order and far smaller, cuts add what they cost, and a chaotic
//! linkage multiplies all of them.

use super::IntegrationError;
use crate::tolerances::{LARGEST_TOLERANCE, SMALLEST_TOLERANCE};

/// What counts as large for a coordinate; both positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// S_q `[rad or m]`.
    pub displacement: f64,
    /// S_v `[rad/s or m/s]`.
    pub velocity: f64,
}

/// A tolerance and the sizes it is relative to.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    tolerance: f64,
    scales: Vec<Scale>,
}

impl Accuracy {
    /// The promise (6) with ε = `tolerance` and one scale for every coordinate.
    ///
    /// # Errors
    ///
    /// When the tolerance is not between [`SMALLEST_TOLERANCE`] and [`LARGEST_TOLERANCE`], or a scale is not
    /// positive and finite.
    pub fn new(tolerance: f64, scales: Vec<Scale>) -> Result<Self, IntegrationError> {
        let bad = |what| IntegrationError::BadStart { time: 0.0, what };
        if !(SMALLEST_TOLERANCE..=LARGEST_TOLERANCE).contains(&tolerance) {
            return Err(bad("the tolerance of integration must be between 1e-14 and 1e-2"));
        }
        let sane = |x: f64| x > 0.0 && x.is_finite();
        if !scales.iter().all(|s| sane(s.displacement) && sane(s.velocity)) {
            return Err(bad("sizes of displacements and velocities must be positive and finite"));
        }
        Ok(Self { tolerance, scales })
    }

    /// ε `[-]`.
    pub const fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// One for every coordinate.
    pub fn scales(&self) -> &[Scale] {
        &self.scales
    }

    /// The errors in displacement and velocity that (6) allows coordinate `i` when it starts with velocity `v`.
    pub fn allowed(&self, i: usize, v: f64) -> (f64, f64) {
        let Scale { displacement, velocity } = self.scales[i];
        (self.tolerance * displacement, self.tolerance * (velocity + v.abs()))
    }
}
