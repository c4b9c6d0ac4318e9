//! Forward dynamics with dampers between links.
//!
//! Elimination along a tree solves H̃·x = b for H̃ = H plus a diagonal, and leaves H̃ = L·D·Lᵀ with u = L⁻¹·b in the columns
//! (`forward.rs`). Dampers between links add γ·Rᵀ·c·R, with one row of R for each: a unit wrench on one link and its opposite on
//! another, of the same tree or not. With S = (γ·c)^½·R and W = S·L⁻ᵀ, whose rows are found on the ways from both links to their roots as in
//! `response.rs`,
//!
//! ```text
//! (H̃ + Sᵀ·S)·x = b      ⇔      (1 + W·D⁻¹·Wᵀ)·z = W·D⁻¹·u,   L·D·Lᵀ·x = L·(u − Wᵀ·z)                    (1)
//! ```
//!
//! (Woodbury): x = H̃⁻¹·(b − Sᵀ·z) with z = S·x. The matrix has no eigenvalue below 1, however stiff the dampers are, so Cholesky's
//! factors always exist. Rows on trees that share nothing have no entry; its *envelope*, from the first entry
//! of each row to the diagonal, is all that is stored of interest, and elimination stays within it. For m rows this
//! takes O(m·depth) for the ways, m²/2 products, and O(m·b²) for an envelope b wide.

use super::{Column, Scratch, Tree};
use crate::spatial::ForceVector;

/// A damper: what it does per unit of its force, and how strong it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DampedRow {
    /// The links that it acts on, `None` for the world.
    pub(crate) links: [Option<usize>; 2],
    /// Unit wrenches on both, seen at the origins of their frames.
    pub(crate) wrenches: [ForceVector; 2],
    /// c.
    pub(crate) damping: f64,
}

/// Working memory of dampers; grows to what was asked of it and stays.
#[derive(Clone, Debug, Default)]
pub(crate) struct DampingScratch {
    /// Freedoms with entries of W, from the largest down, row after row.
    entries: Vec<(usize, f64)>,
    /// Where the entries of each row end.
    ends: Vec<usize>,
    /// Lower half of the matrix of (1), then its factor, row by row.
    matrix: Vec<f64>,
    /// The first column of each row that is not zero.
    first: Vec<usize>,
    /// Right-hand side of (1), then z.
    z: Vec<f64>,
}

impl Tree {
    /// v̇ with dampers, from what [`Self::forward`] left for the same state without them.
    pub(crate) fn damp_forward(
        &self,
        rows: &[DampedRow],
        gamma: f64,
        scratch: &mut Scratch,
        memory: &mut DampingScratch,
        v_dot: &mut [f64],
    ) {
        memory.entries.clear();
        memory.ends.clear();
        for row in rows {
            self.climb(row, (gamma * row.damping).sqrt(), scratch, memory);
        }
        memory.gather(&scratch.columns);
        memory.solve();
        let mut start = 0;
        for (end, z) in memory.ends.iter().zip(&memory.z) {
            for (freedom, w) in &memory.entries[start..*end] {
                scratch.columns[*freedom].drive -= w * z;
            }
            start = *end;
        }
        self.solve_outward(scratch, v_dot);
    }

    /// One row of W: inward from both links, which may meet.
    fn climb(&self, row: &DampedRow, share: f64, scratch: &Scratch, memory: &mut DampingScratch) {
        let mut at = row.links;
        let mut forces = row.wrenches.map(|wrench| share * wrench);
        // Parents have smaller numbers, so that the larger one of both is next.
        while let Some(i) = at[0].max(at[1]) {
            let here = at.map(|link| link == Some(i));
            let mut force = ForceVector::ZERO;
            for side in 0..2 {
                if here[side] {
                    force += std::mem::take(&mut forces[side]);
                    at[side] = self.parent(i);
                }
            }
            for k in self.links[i].v_range().rev() {
                let column = &scratch.columns[k];
                let w = force.dot(column.axis);
                force += (-w * column.inv_d) * column.momentum;
                memory.entries.push((k, w));
            }
            forces[usize::from(!here[0])] = force.carried(scratch.frames[i].arm);
        }
        memory.ends.push(memory.entries.len());
    }
}

impl DampingScratch {
    fn row(&self, row: usize) -> &[(usize, f64)] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// Matrix and right-hand side of (1).
    fn gather(&mut self, columns: &[Column]) {
        let m = self.ends.len();
        self.matrix.resize(m * m, 0.0);
        self.first.resize(m, 0);
        self.z.resize(m, 0.0);
        for a in 0..m {
            self.first[a] = a;
            for b in (0..=a).rev() {
                let value = product(self.row(a), self.row(b), columns);
                if value != 0.0 {
                    self.first[a] = b;
                }
                self.matrix[a * m + b] = if a == b { 1.0 + value } else { value };
            }
            let driven = self.row(a).iter();
            self.z[a] = driven.map(|(k, w)| w * columns[*k].drive * columns[*k].inv_d).sum();
        }
    }

    /// Cholesky's factor in place of the matrix, and z in place of the right-hand side.
    fn solve(&mut self) {
        let m = self.ends.len();
        for i in 0..m {
            for j in self.first[i]..i {
                let from = self.first[i].max(self.first[j]);
                let sum = self.inner(i, j, from);
                self.matrix[i * m + j] = (self.matrix[i * m + j] - sum) / self.matrix[j * m + j];
            }
            let sum = self.inner(i, i, self.first[i]);
            let pivot = (self.matrix[i * m + i] - sum).sqrt();
            self.matrix[i * m + i] = pivot;
            let known: f64 = (self.first[i]..i).map(|j| self.matrix[i * m + j] * self.z[j]).sum();
            self.z[i] = (self.z[i] - known) / pivot;
        }
        for i in (0..m).rev() {
            self.z[i] /= self.matrix[i * m + i];
            for j in self.first[i]..i {
                self.z[j] -= self.matrix[i * m + j] * self.z[i];
            }
        }
    }

    /// Σ of products of two rows from column `from` up to column `j`.
    fn inner(&self, i: usize, j: usize, from: usize) -> f64 {
        let m = self.ends.len();
        let (a, b) = (&self.matrix[i * m + from..i * m + j], &self.matrix[j * m + from..j * m + j]);
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }
}

/// Σ w^a·w^b/D over the freedoms that both rows have.
fn product(a: &[(usize, f64)], b: &[(usize, f64)], columns: &[Column]) -> f64 {
    let mut sum = 0.0;
    // Freedoms fall from the first to the last entry.
    let are_apart = |a: &[(usize, f64)], b: &[(usize, f64)]| match (a.last(), b.first()) {
        (Some((lowest, _)), Some((highest, _))) => lowest > highest,
        _ => true,
    };
    if are_apart(a, b) || are_apart(b, a) {
        return sum;
    }
    let (mut a, mut b) = (a.iter().rev().peekable(), b.iter().rev().peekable());
    while let (Some((i, x)), Some((j, y))) = (a.peek(), b.peek()) {
        if i == j {
            sum += x * y * columns[*i].inv_d;
        }
        let (step_a, step_b) = (i <= j, j <= i);
        if step_a {
            a.next();
        }
        if step_b {
            b.next();
        }
    }
    sum
}
