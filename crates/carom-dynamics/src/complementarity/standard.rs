//! A bounded problem as a standard one, y ≥ 0, A·y + p ≥ 0, complementary, for solvers that know no bounds.
//!
//! | row | unknowns | rows of A·y + p |
//! |---|---|---|
//! | lo finite, hi = ∞ | z = lo + y | w |
//! | lo = −∞, hi finite | z = hi − y | −w |
//! | lo, hi finite | z = lo + y, and λ | w + λ, and hi − lo − y |
//! | free | z = y − t, one t for all free rows | w, and −Σw over the free rows |
//! | lo = hi | none | none |
//!
//! (Baraff's splitting of bilateral rows, one more unknown for all of them.) Semidefiniteness is kept, symmetry is
//! not where bounds are finite on both sides.

use super::Place;
use super::scaling::Scaled;

/// The standard problem, and how its unknowns belong to the given ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Standard {
    pub(super) size: usize,
    /// A, by rows.
    pub(super) matrix: Vec<f64>,
    /// p.
    pub(super) offset: Vec<f64>,
    given: Vec<Given>,
    /// Row of t.
    common: Option<usize>,
}

/// What became of a given row.
#[derive(Clone, Copy, Debug)]
struct Given {
    /// Row of y, if there is one.
    row: Option<usize>,
    /// Row of λ, if there is one.
    upper: Option<usize>,
    is_free: bool,
    /// dz/dy.
    sign: f64,
    /// z at y = 0.
    shift: f64,
}

impl Standard {
    pub(super) fn load(&mut self, scaled: &Scaled) {
        let n = scaled.n;
        self.enumerate(scaled);
        let size = self.size;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.offset.clear();
        self.offset.resize(size, 0.0);
        for i in 0..n {
            let Given { row: Some(row), sign, upper, is_free, .. } = self.given[i] else {
                continue;
            };
            let shifted = scaled.row(i).iter().zip(&self.given).map(|(m, given)| m * given.shift);
            let value = sign * (scaled.q[i] + shifted.sum::<f64>());
            self.add(row, is_free, value, |this, target| &mut this.offset[target]);
            for j in 0..n {
                let Given { row: Some(column), sign: turned, is_free: also, .. } = self.given[j]
                else {
                    continue;
                };
                let entry = sign * scaled.matrix[i * n + j] * turned;
                self.add(row, is_free, entry, |this, target| {
                    &mut this.matrix[target * size + column]
                });
                if let (true, Some(t)) = (also, self.common) {
                    self.add(row, is_free, -entry, |this, target| {
                        &mut this.matrix[target * size + t]
                    });
                }
            }
            if let Some(upper) = upper {
                self.matrix[row * size + upper] = 1.0;
                self.matrix[upper * size + row] = -1.0;
                self.offset[upper] = scaled.hi[i] - scaled.lo[i];
            }
        }
    }

    /// Adds a value to a row, and takes it from the row of t if the given row is free.
    fn add(
        &mut self,
        row: usize,
        is_free: bool,
        value: f64,
        slot: impl Fn(&mut Self, usize) -> &mut f64,
    ) {
        *slot(self, row) += value;
        if let (true, Some(t)) = (is_free, self.common) {
            *slot(self, t) -= value;
        }
    }

    fn enumerate(&mut self, scaled: &Scaled) {
        self.given.clear();
        let mut size = 0;
        let mut next = |wanted: bool| {
            size += usize::from(wanted);
            wanted.then(|| size - 1)
        };
        for (&lo, &hi) in scaled.lo.iter().zip(&scaled.hi) {
            let row = next(lo < hi);
            let upper = next(lo.is_finite() && hi.is_finite() && lo < hi);
            let is_free = !lo.is_finite() && !hi.is_finite();
            let sign = if !lo.is_finite() && hi.is_finite() { -1.0 } else { 1.0 };
            let shift = if lo.is_finite() {
                lo
            } else if hi.is_finite() {
                hi
            } else {
                0.0
            };
            self.given.push(Given { row, upper, is_free, sign, shift });
        }
        self.common = next(self.given.iter().any(|given| given.is_free));
        self.size = size;
    }

    /// The part of a standard vector that belongs to given row i, as a change of z or as multiplier of w.
    pub(super) fn part(&self, i: usize, y: &[f64]) -> f64 {
        let Given { row, is_free, sign, .. } = self.given[i];
        let common = if is_free { self.common.map_or(0.0, |t| y[t]) } else { 0.0 };
        sign * (row.map_or(0.0, |row| y[row]) - common)
    }

    /// z of given row i.
    pub(super) fn unknown(&self, i: usize, y: &[f64]) -> f64 {
        self.given[i].shift + self.part(i, y)
    }

    /// Where given row i is, by which standard unknowns are basic.
    pub(super) fn place(&self, i: usize, is_basic: impl Fn(usize) -> bool) -> Place {
        let Given { row, upper, is_free, sign, .. } = self.given[i];
        let Some(row) = row else { return Place::Lower };
        if is_free {
            return Place::Between;
        }
        match (is_basic(row), upper.is_some_and(is_basic)) {
            (false, _) if sign > 0.0 => Place::Lower,
            (false, _) | (true, true) => Place::Upper,
            (true, false) => Place::Between,
        }
    }
}
