//! A problem brought to size one by powers of two, so that tolerances mean the same for every problem.
//!
//! With a positive diagonal D and numbers μ, τ
//!
//! ```text
//! M' = D·M·D/μ,   q' = D·q/(μτ),   z = τ·D·z',   w = μτ·D⁻¹·w'
//! ```
//!
//! (1) holds for z', w' and bounds lo/(τD), hi/(τD) exactly if it holds for z, w. μ is about the largest entry of M,
//! D makes the largest entry of each row and column about one (Ruiz's iteration; the same D left and right, so that
//! symmetry and semidefiniteness stay), τ makes the largest entry of q' about one. All are powers of two: no digit
//! changes. D follows from ratios of entries, so that c·M and κ·q get the same D for every c and κ.

use super::linear::precise_row;
use super::{Place, Problem};
use crate::tolerances::SYMMETRIC;

/// Rounds of Ruiz's iteration; two leave entries within a factor of four of one unless sizes are wild.
const ROUNDS: usize = 3;

/// The scaled problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Scaled {
    pub(super) n: usize,
    pub(super) matrix: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) lo: Vec<f64>,
    pub(super) hi: Vec<f64>,
    /// z/z' in each row.
    pub(super) z_unit: Vec<f64>,
    /// w/w' in each row.
    pub(super) w_unit: Vec<f64>,
    sizes: Vec<f64>,
}

impl Scaled {
    /// Takes over a problem.
    pub(super) fn load(&mut self, problem: &Problem<'_>) {
        let n = problem.n();
        self.n = n;
        self.matrix.clear();
        (0..n).for_each(|i| self.matrix.extend_from_slice(problem.row(i)));
        let largest = self.matrix.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mu = power_near(largest);
        self.balance(if largest > 0.0 { largest } else { 1.0 });
        let diagonal = &self.z_unit;
        for (i, row) in self.matrix.chunks_exact_mut(n.max(1)).enumerate() {
            let share = diagonal[i] / mu;
            row.iter_mut().zip(diagonal).for_each(|(entry, d)| *entry *= share * d);
        }
        // The size of q, or where that is zero the size of the bounds, makes the size of z.
        let forced = (0..n).map(|i| (diagonal[i] * problem.q()[i] / mu).abs());
        let mut largest = forced.fold(0.0, f64::max);
        if largest == 0.0 {
            let ends =
                (0..n).flat_map(|i| [problem.lo(i) / diagonal[i], problem.hi(i) / diagonal[i]]);
            largest = ends.map(f64::abs).filter(|end| end.is_finite()).fold(0.0, f64::max);
        }
        let tau = power_near(largest);
        self.w_unit.clear();
        self.w_unit.extend(diagonal.iter().map(|d| mu * tau / d));
        self.z_unit.iter_mut().for_each(|d| *d *= tau);
        self.q.clear();
        self.q.extend((0..n).map(|i| problem.q()[i] / self.w_unit[i]));
        self.lo.clear();
        self.lo.extend((0..n).map(|i| problem.lo(i) / self.z_unit[i]));
        self.hi.clear();
        self.hi.extend((0..n).map(|i| problem.hi(i) / self.z_unit[i]));
    }

    /// Finds D by the sizes of entries beside the largest, and leaves it in `z_unit`.
    fn balance(&mut self, largest: f64) {
        let n = self.n;
        self.z_unit.clear();
        self.z_unit.resize(n, 1.0);
        for _ in 0..ROUNDS {
            self.sizes.clear();
            self.sizes.resize(n, 0.0);
            for i in 0..n {
                for j in 0..n {
                    let size =
                        (self.matrix[i * n + j] * (self.z_unit[i] / largest) * self.z_unit[j])
                            .abs();
                    self.sizes[i] = self.sizes[i].max(size);
                    self.sizes[j] = self.sizes[j].max(size);
                }
            }
            for (d, &size) in self.z_unit.iter_mut().zip(&self.sizes) {
                *d /= power_near(size.sqrt());
            }
        }
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.matrix[i * self.n..(i + 1) * self.n]
    }

    /// M'·z + q' in row i, to rounding.
    pub(super) fn w(&self, i: usize, z: &[f64]) -> f64 {
        precise_row(self.row(i), z, self.q[i])
    }

    /// The value within the bounds of row i that is nearest to zero.
    pub(super) fn start(&self, i: usize) -> f64 {
        0.0_f64.clamp(self.lo[i], self.hi[i])
    }

    /// The bound that a place names; any number for a row between bounds.
    pub(super) fn bound(&self, i: usize, place: Place) -> f64 {
        match place {
            Place::Lower => self.lo[i],
            Place::Upper => self.hi[i],
            Place::Between => 0.0,
        }
    }

    /// The first two rows, the larger first, whose entries for each other differ.
    pub(super) fn asymmetry(&self) -> Option<(usize, usize)> {
        let differ = |&(i, j): &(usize, usize)| {
            let (a, b) = (self.matrix[i * self.n + j], self.matrix[j * self.n + i]);
            (a - b).abs() > SYMMETRIC
        };
        (0..self.n).flat_map(|i| (0..i).map(move |j| (i, j))).find(differ)
    }

    /// Violation of (1) in row i.
    pub(super) fn violation(&self, i: usize, z: f64, w: f64) -> f64 {
        (z - (z - w).clamp(self.lo[i], self.hi[i])).abs()
    }
}

/// A power of two within a factor of 1.43 of x; 1 for x = 0.
///
/// The border between two powers is put at an odd place, so that equal ratios of round numbers fall on one side
/// whatever common factor they carry.
fn power_near(x: f64) -> f64 {
    const BORDER: f64 = 0.7123;
    if x == 0.0 || !x.is_finite() {
        return 1.0;
    }
    let (share, exponent) = libm::frexp(x);
    libm::scalbn(1.0, if share < BORDER { exponent - 1 } else { exponent })
}
