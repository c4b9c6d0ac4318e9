//! Equations K·λ = b with K symmetric and semidefinite, of any rank: the shortest λ that comes nearest, smoothly.
//!
//! Forces of contacts that stay closed within a derivative: K = J·H⁻¹·Jᵀ loses rank as soon as a body has more contacts
//! than freedoms, b lies in its range but for rounding, and of all λ the shortest is wanted (equal, vanishing
//! compliances), as a smooth function of K and b. An elimination that decides on a rank is none; a spectral
//! decomposition costs ten times as much. Here one Cholesky decomposition of K + ε·1 does, and a filter. With
//!
//! ```text
//! S = ε·(K + ε·1)⁻¹,   which has s = ε/(σ + ε) where K has σ: 1 on null vectors, nearly 0 elsewhere
//! ```
//!
//! the parts of b and of λ along null vectors are taken off by 1 − Sᵐ, and λ comes from zero by k refinements
//!
//! ```text
//! λ ← λ + (K + ε·1)⁻¹·(b − K·λ),   that is   λ = K⁺·(1 − Sᵏ)·b                                        (7)
//! ```
//!
//! which stay in the range of K as b does. The answer is K⁺·(1 − Sᵏ)·(1 − Sᵐ)³·b: errors of order (ε/σ)³ or more for what
//! is not null, zero for what is, and between (σ near ε, rows that are dependent but for 10⁻¹¹) a smooth passage.
//!
//! **Rounding.** Any vector in doubles has null parts of some 10⁻¹⁶ of it, which (7) makes larger by k/ε. They are taken
//! off *after* it, by products with S, that is never larger than one; what remains of them is |E|/ε each time, E
//! the backward error of the decomposition, a few 10⁻¹⁶ of K. Two times suffice. One goes before (7), for parts
//! of b that are out of range by more than rounding.
//!
//! **Cost.** One decomposition (`cholesky`), and 16 solves of 2n² operations for each b.

use super::cholesky::Cholesky;
use super::linear::dot;
use crate::tolerances::EQUALITY_SHIFT;

/// k of (7).
const REFINEMENTS: usize = 4;

/// m: applications of S that leave nothing but null parts.
const APPLICATIONS: usize = 4;

/// Times that null parts are taken off λ.
const REMOVALS: usize = 2;

/// A symmetric semidefinite matrix, decomposed, and memory to solve with it.
///
/// Nothing is allocated once the largest matrix has been seen.
#[derive(Clone, Debug, Default)]
pub struct Equality {
    n: usize,
    /// ε, in the unit of K.
    shift: f64,
    /// K, by rows.
    matrix: Vec<f64>,
    /// Of K + ε·1.
    cholesky: Cholesky,
    /// One more than the column of the last entry of each row that is not zero.
    end: Vec<usize>,
    target: Vec<f64>,
    rest: Vec<f64>,
}

impl Equality {
    /// With no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes over K, given by rows; what is above the diagonal is taken to be what is below.
    ///
    /// K must be semidefinite up to rounding. For others the answers are finite but mean nothing.
    ///
    /// # Panics
    /// If `matrix` has not n² entries.
    pub fn factorise(&mut self, matrix: &[f64], n: usize) {
        assert_eq!(matrix.len(), n * n, "a square matrix by rows");
        self.n = n;
        self.matrix.clear();
        self.matrix.extend_from_slice(matrix);
        // The size is a smooth function of the entries, which the largest of them is not.
        self.shift = EQUALITY_SHIFT * matrix.iter().map(|x| x * x).sum::<f64>().sqrt();
        // In exact arithmetic pivots are at least ε.
        self.cholesky.decompose(matrix, |_| self.shift, 0.5 * self.shift);
        self.reflect();
    }

    /// Copies what is below the diagonal above it.
    fn reflect(&mut self) {
        let n = self.n;
        self.end.clear();
        for (i, &start) in self.cholesky.first().iter().enumerate() {
            self.end.push(i + 1);
            self.end[start..].fill(i + 1);
            for j in start..i {
                self.matrix[j * n + i] = self.matrix[i * n + j];
            }
        }
    }

    /// The shortest λ of those that come nearest to K·λ = b.
    ///
    /// # Panics
    /// If `rhs` or `out` have not n entries.
    pub fn solve(&mut self, rhs: &[f64], out: &mut [f64]) {
        assert!(rhs.len() == self.n && out.len() == self.n, "{} entries", self.n);
        out.fill(0.0);
        if self.shift == 0.0 {
            return;
        }
        let mut target = std::mem::take(&mut self.target);
        target.clear();
        target.extend_from_slice(rhs);
        self.remove_null_part(&mut target);
        for _ in 0..REFINEMENTS {
            self.find_rest(&target, out);
            self.cholesky.solve(&mut self.rest);
            out.iter_mut().zip(&self.rest).for_each(|(x, step)| *x += step);
        }
        for _ in 0..REMOVALS {
            self.remove_null_part(out);
        }
        self.target = target;
    }

    /// x ← (1 − Sᵐ)·x.
    fn remove_null_part(&mut self, x: &mut [f64]) {
        self.rest.clear();
        self.rest.extend_from_slice(x);
        for _ in 0..APPLICATIONS {
            self.cholesky.solve(&mut self.rest);
            self.rest.iter_mut().for_each(|part| *part *= self.shift);
        }
        x.iter_mut().zip(&self.rest).for_each(|(x, part)| *x -= part);
    }

    /// b − K·λ.
    fn find_rest(&mut self, target: &[f64], unknowns: &[f64]) {
        let n = self.n;
        self.rest.clear();
        for (i, target) in target.iter().enumerate() {
            let columns = self.cholesky.first()[i]..self.end[i];
            let row = &self.matrix[i * n..(i + 1) * n];
            self.rest.push(target - dot(&row[columns.clone()], &unknowns[columns]));
        }
    }
}
