//! Of all z that give the same w, the shortest: how equal legs share a load.
//!
//! Let M be symmetric and semidefinite, z⁰ an answer of (1) and S the rows with w_i = 0. Other answers differ from z⁰ by
//! null vectors of M_SS, which move no w at all. Let N be an orthonormal basis of them and Π = N·Nᵀ. The shortest
//! x = z_S within its bounds is
//!
//! ```text
//! x = c + Π·(μ − ν),   c = z⁰ − Π·z⁰
//! 0 ≤ μ ⟂ x − lo ≥ 0,   0 ≤ ν ⟂ hi − x ≥ 0                                                            (6)
//! ```
//!
//! since x − (μ − ν) must be orthogonal to all null vectors. (6) is again a complementarity problem with a symmetric
//! semidefinite matrix, and x, its w, is unique. It is also the limit of the answers of M + δ·1 for δ → 0: contacts of
//! equal, vanishing compliance.

use thiserror::Error;

use super::dictionary::Dictionary;
use super::pivoting::Pivoting;
use super::scaling::Scaled;
use super::{Outcome, Place, Problem, Solution, Solver};
use crate::tolerances::{NULL_PART, NULL_SHARE, SLACK_OF_W};

/// Why no shortest answer was found; the given one is left as it was.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum LeastNormFault {
    /// w does not single out a set of answers.
    #[error("rows {row} and {column} of the matrix differ: least norm needs a symmetric matrix")]
    NotSymmetric {
        /// A row.
        row: usize,
        /// And a column, whose entry is not that of their exchange.
        column: usize,
    },
    /// The solution has other rows than the problem.
    #[error(
        "the solution has {found} rows, the problem {expected}: pass what a solver wrote for this problem"
    )]
    Shape {
        /// Rows of the problem.
        expected: usize,
        /// Rows of the solution.
        found: usize,
    },
    /// (6) was not solved.
    #[error("the shortest answer was not found: {0:?}")]
    Unsolved(Outcome),
}

/// Scratch for finding shortest answers.
#[derive(Clone, Debug, Default)]
pub struct LeastNorm {
    scaled: Scaled,
    dictionary: Dictionary,
    /// S.
    rows: Vec<usize>,
    is_basic: Vec<bool>,
    /// N, vector after vector.
    null: Vec<f64>,
    /// c.
    shortest: Vec<f64>,
    /// Rows of (6): place in S, and 1 for μ or −1 for ν.
    sides: Vec<(usize, f64)>,
    matrix: Vec<f64>,
    offset: Vec<f64>,
    pivoting: Pivoting,
    pushes: Solution,
}

impl LeastNorm {
    /// With no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces z of a solved problem with symmetric semidefinite M by the shortest one with the same w.
    ///
    /// `places` then tell where z is; z no longer follows from them by one linear solve.
    ///
    /// # Errors
    /// If M is not symmetric, or the solution is not one of this problem.
    pub fn apply(
        &mut self,
        problem: &Problem<'_>,
        solution: &mut Solution,
    ) -> Result<(), LeastNormFault> {
        let n = problem.n();
        if solution.z.len() != n || solution.w.len() != n {
            return Err(LeastNormFault::Shape { expected: n, found: solution.z.len() });
        }
        self.scaled.load(problem);
        self.check_symmetry()?;
        self.find_null_vectors(problem, solution);
        if self.null.is_empty() {
            return Ok(());
        }
        self.pose(problem, solution);
        let inner = Problem::standard(&self.matrix, &self.offset);
        let Ok(inner) = inner else { return Ok(()) };
        let outcome = self.pivoting.solve(&inner, &mut self.pushes);
        if outcome != Outcome::Solved {
            return Err(LeastNormFault::Unsolved(outcome));
        }
        self.write(problem, solution);
        Ok(())
    }

    fn check_symmetry(&self) -> Result<(), LeastNormFault> {
        let fault = |(row, column)| LeastNormFault::NotSymmetric { row, column };
        self.scaled.asymmetry().map(fault).map_or(Ok(()), Err)
    }

    /// S, and an orthonormal basis of the null vectors of M_SS.
    fn find_null_vectors(&mut self, problem: &Problem<'_>, solution: &Solution) {
        let (n, scaled) = (self.scaled.n, &self.scaled);
        let size = (0..n).map(|i| (solution.z[i] / scaled.z_unit[i]).abs()).fold(1.0, f64::max);
        let is_inside = |i: usize| solution.z[i] > problem.lo(i) && solution.z[i] < problem.hi(i);
        let is_held = |i: usize| (solution.w[i] / scaled.w_unit[i]).abs() <= SLACK_OF_W * size;
        let is_prescribed = |i: usize| problem.lo(i) == problem.hi(i);
        self.rows.clear();
        self.rows.extend((0..n).filter(|&i| !is_prescribed(i) && (is_inside(i) || is_held(i))));
        let (rows, k) = (&self.rows, self.rows.len());
        self.dictionary.restart(k);
        self.dictionary
            .extend(rows.iter().flat_map(|&i| rows.iter().map(move |&j| scaled.matrix[i * n + j])));
        self.is_basic.clear();
        self.is_basic.resize(k, false);
        // The largest remaining pivot, as a share of what its row began with, until none is left.
        loop {
            let share = |i: usize| self.dictionary.at(i, i) / scaled.matrix[rows[i] * n + rows[i]];
            let candidates = (0..k).filter(|&i| !self.is_basic[i] && share(i) > NULL_SHARE);
            let best = candidates.reduce(|best, i| if share(i) > share(best) { i } else { best });
            let Some(best) = best else { break };
            self.dictionary.exchange(best, best);
            self.is_basic[best] = true;
        }
        self.null.clear();
        for dependent in (0..k).filter(|&i| !self.is_basic[i]) {
            for i in 0..k {
                let part = match (i == dependent, self.is_basic[i]) {
                    (true, _) => 1.0,
                    (false, true) => self.dictionary.at(i, dependent),
                    (false, false) => 0.0,
                };
                self.null.push(part * scaled.z_unit[rows[i]] / scaled.z_unit[rows[dependent]]);
            }
            orthonormalise_last(&mut self.null, k);
        }
    }

    /// Writes down (6).
    fn pose(&mut self, problem: &Problem<'_>, solution: &Solution) {
        let (rows, null, k) = (&self.rows, &self.null, self.rows.len());
        self.shortest.clear();
        self.shortest.extend(rows.iter().map(|&i| solution.z[i]));
        for _ in 0..2 {
            for vector in null.chunks_exact(k) {
                remove_part(&mut self.shortest, vector);
            }
        }
        self.sides.clear();
        for (at, &i) in rows.iter().enumerate() {
            // Rows without part in any null vector stay where they are; as rows of (6) they would be rounding, made
            // large by scaling.
            let part: f64 = null.chunks_exact(k).map(|vector| vector[at] * vector[at]).sum();
            if part <= NULL_PART {
                continue;
            }
            if problem.lo(i).is_finite() {
                self.sides.push((at, 1.0));
            }
            if problem.hi(i).is_finite() {
                self.sides.push((at, -1.0));
            }
        }
        self.matrix.clear();
        self.offset.clear();
        for &(a, sign_a) in &self.sides {
            for &(b, sign_b) in &self.sides {
                let product: f64 = null.chunks_exact(k).map(|vector| vector[a] * vector[b]).sum();
                self.matrix.push(sign_a * sign_b * product);
            }
            let i = rows[a];
            let bound = if sign_a > 0.0 { problem.lo(i) } else { problem.hi(i) };
            self.offset.push(sign_a * (self.shortest[a] - bound));
        }
    }

    fn write(&mut self, problem: &Problem<'_>, solution: &mut Solution) {
        let k = self.rows.len();
        for vector in self.null.chunks_exact(k) {
            let pushes = self.sides.iter().zip(&self.pushes.z);
            let along: f64 = pushes.map(|(&(at, sign), push)| sign * vector[at] * push).sum();
            self.shortest.iter_mut().zip(vector).for_each(|(x, part)| *x += along * part);
        }
        // Where a push is needed the bound is met exactly.
        for (&(at, sign), push) in self.sides.iter().zip(&self.pushes.z) {
            if *push > 0.0 {
                let i = self.rows[at];
                self.shortest[at] = if sign > 0.0 { problem.lo(i) } else { problem.hi(i) };
            }
        }
        for (&i, &x) in self.rows.iter().zip(&self.shortest) {
            let (lo, hi) = (problem.lo(i), problem.hi(i));
            solution.z[i] = x.clamp(lo, hi);
            solution.places[i] = match solution.z[i] {
                z if z <= lo => Place::Lower,
                z if z >= hi => Place::Upper,
                _ => Place::Between,
            };
        }
        for i in 0..problem.n() {
            solution.w[i] = problem.w(i, &solution.z);
        }
        solution.residual = problem.residual(&solution.z);
    }
}

/// Replaces z of a solved problem by the shortest one with the same w; see [`LeastNorm::apply`], which saves the
/// allocations.
///
/// # Errors
/// As [`LeastNorm::apply`].
pub fn least_norm(problem: &Problem<'_>, solution: &mut Solution) -> Result<(), LeastNormFault> {
    LeastNorm::new().apply(problem, solution)
}

/// Takes from a vector its part along a unit vector.
fn remove_part(vector: &mut [f64], unit: &[f64]) {
    let along: f64 = vector.iter().zip(unit).map(|(a, b)| a * b).sum();
    vector.iter_mut().zip(unit).for_each(|(a, b)| *a -= along * b);
}

/// Makes the last of the vectors of length k a unit vector orthogonal to those before it (Gram and Schmidt, twice).
fn orthonormalise_last(vectors: &mut [f64], k: usize) {
    let (before, last) = vectors.split_at_mut(vectors.len() - k);
    normalise(last);
    for _ in 0..2 {
        before.chunks_exact(k).for_each(|unit| remove_part(last, unit));
        normalise(last);
    }
}

fn normalise(vector: &mut [f64]) {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    for x in vector {
        *x /= length;
    }
}
