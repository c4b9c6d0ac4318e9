//! L·Lᵀ = A for symmetric positive definite A, by rows, leaving out the leading zeros of each row.
//!
//! ```text
//! L_ij = (A_ij − Σ_k L_ik·L_jk)/L_jj for j < i,   L_ii = √(A_ii − Σ_k L_ik²)
//! ```
//!
//! Zeros before the first entry of a row stay zeros in L (its envelope): a stack whose contacts are numbered from the
//! ground up costs n·band² instead of n³/3. Only what is on and below the diagonal is read.

use super::linear::dot;

/// A matrix and its decomposition in the same place.
#[derive(Clone, Debug, Default)]
pub(super) struct Cholesky {
    n: usize,
    /// A, then L with inverses on the diagonal, by rows.
    factor: Vec<f64>,
    /// Column of the first entry in each row that is not zero, at most the diagonal.
    first: Vec<usize>,
}

impl Cholesky {
    /// Decomposes `matrix` with `added` on its diagonal; pivots below `least` are made that.
    ///
    /// True if none was.
    pub(super) fn decompose(
        &mut self,
        matrix: &[f64],
        added: impl Fn(usize) -> f64,
        least: f64,
    ) -> bool {
        let n = matrix.len().isqrt();
        self.n = n;
        self.factor.clear();
        self.factor.extend_from_slice(matrix);
        self.first.clear();
        let mut is_definite = true;
        for i in 0..n {
            let start = matrix[i * n..i * n + i].iter().position(|x| *x != 0.0).unwrap_or(i);
            self.first.push(start);
            let (above, rest) = self.factor.split_at_mut(i * n);
            let row = &mut rest[..n];
            for j in start..i {
                let start = start.max(self.first[j]);
                let known = dot(&row[start..j], &above[j * n + start..j * n + j]);
                row[j] = (row[j] - known) * above[j * n + j];
            }
            let pivot = row[i] + added(i) - dot(&row[start..i], &row[start..i]);
            is_definite &= pivot >= least;
            row[i] = 1.0 / pivot.max(least).sqrt();
        }
        is_definite
    }

    /// Columns of the first entry in each row that is not zero.
    pub(super) fn first(&self) -> &[usize] {
        &self.first
    }

    /// x ← A⁻¹·x.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for i in 0..n {
            let (start, row) = (self.first[i], &self.factor[i * n..(i + 1) * n]);
            x[i] = (x[i] - dot(&row[start..i], &x[start..i])) * row[i];
        }
        for i in (0..n).rev() {
            let (start, row) = (self.first[i], &self.factor[i * n..(i + 1) * n]);
            let value = x[i] * row[i];
            x[i] = value;
            x[start..i].iter_mut().zip(&row[start..i]).for_each(|(x, entry)| *x -= entry * value);
        }
    }
}
