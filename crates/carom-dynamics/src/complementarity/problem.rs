//! The problem as given: views of a matrix, a vector and bounds, checked once.

use thiserror::Error;

use super::linear::precise_row;
use crate::tolerances::LARGEST_ENTRY;

/// M, q and bounds of (1), borrowed; all numbers are finite but for bounds.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    matrix: &'a [f64],
    q: &'a [f64],
    bounds: Option<(&'a [f64], &'a [f64])>,
}

/// Why numbers are not a complementarity problem.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum ProblemFault {
    /// The lengths do not fit together.
    #[error(
        "{what} has {found} numbers where {n} rows need {expected}: pass a square matrix by rows, and vectors to match"
    )]
    Shape {
        /// Which argument.
        what: &'static str,
        /// Rows, by the length of q.
        n: usize,
        /// How many numbers it should have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// An entry is not a number, or beyond [`LARGEST_ENTRY`].
    #[error(
        "{what} has {value} in row {row}: entries must be numbers up to {LARGEST_ENTRY:e} (bounds may be infinite)"
    )]
    NotFinite {
        /// Which argument.
        what: &'static str,
        /// The row.
        row: usize,
        /// The entry.
        value: f64,
    },
    /// Bounds leave no finite value.
    #[error(
        "row {row} asks for a value from {lo} to {hi}: bounds must be ordered and leave a finite value"
    )]
    Bounds {
        /// The row.
        row: usize,
        /// Lower bound.
        lo: f64,
        /// Upper bound.
        hi: f64,
    },
}

impl<'a> Problem<'a> {
    /// z ≥ 0, M·z + q ≥ 0, complementary; `matrix` by rows.
    ///
    /// # Errors
    /// If the matrix is not square of the size of q, or a number is not finite.
    pub fn standard(matrix: &'a [f64], q: &'a [f64]) -> Result<Self, ProblemFault> {
        Self { matrix, q, bounds: None }.checked()
    }

    /// With bounds lo ≤ z ≤ hi, either of which may be infinite; `matrix` by rows.
    ///
    /// # Errors
    /// If lengths differ, a number is not finite, or bounds are not ordered.
    pub fn bounded(
        matrix: &'a [f64],
        q: &'a [f64],
        lo: &'a [f64],
        hi: &'a [f64],
    ) -> Result<Self, ProblemFault> {
        let n = q.len();
        for (what, found) in [("lo", lo.len()), ("hi", hi.len())] {
            if found != n {
                return Err(ProblemFault::Shape { what, n, expected: n, found });
            }
        }
        for row in 0..n {
            let (lo, hi) = (lo[row], hi[row]);
            let is_interval = lo <= hi && lo < f64::INFINITY && hi > f64::NEG_INFINITY;
            if !is_interval {
                return Err(ProblemFault::Bounds { row, lo, hi });
            }
        }
        Self { matrix, q, bounds: Some((lo, hi)) }.checked()
    }

    fn checked(self) -> Result<Self, ProblemFault> {
        let (n, found) = (self.n(), self.matrix.len());
        if found != n * n {
            return Err(ProblemFault::Shape { what: "the matrix", n, expected: n * n, found });
        }
        for row in 0..n {
            let bad = self.row(row).iter().find(|entry| !is_usable(**entry));
            if let Some(&value) = bad {
                return Err(ProblemFault::NotFinite { what: "the matrix", row, value });
            }
            if !is_usable(self.q[row]) {
                return Err(ProblemFault::NotFinite { what: "q", row, value: self.q[row] });
            }
        }
        Ok(self)
    }

    /// Number of rows.
    pub const fn n(&self) -> usize {
        self.q.len()
    }

    /// Row i of M.
    pub fn row(&self, i: usize) -> &'a [f64] {
        let n = self.n();
        &self.matrix[i * n..(i + 1) * n]
    }

    /// q.
    pub const fn q(&self) -> &'a [f64] {
        self.q
    }

    /// Lower bound of z in row i.
    pub fn lo(&self, i: usize) -> f64 {
        self.bounds.map_or(0.0, |(lo, _)| lo[i])
    }

    /// Upper bound of z in row i.
    pub fn hi(&self, i: usize) -> f64 {
        self.bounds.map_or(f64::INFINITY, |(_, hi)| hi[i])
    }

    /// Row i of M·z + q, summed with twice the digits and rounded once.
    pub fn w(&self, i: usize, z: &[f64]) -> f64 {
        precise_row(self.row(i), z, self.q[i])
    }

    /// max |z − clamp(z − w, lo, hi)| with w = M·z + q, zero exactly at answers of (1).
    ///
    /// For lo = 0, hi = ∞ this is max |min(z, w)|. It mixes the units of z and w, as any single number must;
    /// solvers judge themselves after scaling.
    pub fn residual(&self, z: &[f64]) -> f64 {
        let violation =
            |i: usize| (z[i] - (z[i] - self.w(i, z)).clamp(self.lo(i), self.hi(i))).abs();
        (0..self.n()).map(violation).fold(0.0, f64::max)
    }
}

fn is_usable(entry: f64) -> bool {
    entry.abs() <= LARGEST_ENTRY
}
