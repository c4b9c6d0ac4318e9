//! Forces from K and what is missing: elimination of bilateral rows, pivoting for the others, the shortest of many.
//!
//! Symmetric elimination of row p from what is left of K and of the offset b = a⁰ − aᵈ:
//!
//! ```text
//! l_i = A_ip/A_pp,   A_ij ← A_ij − l_i·A_pj,   b_i ← b_i − l_i·b_p                                    (3)
//! f_p = −(b_p + Σ_j A_pj·f_j)/A_pp,   j over rows eliminated later, and unilateral ones               (4)
//! ```
//!
//! After all bilateral rows that count, A and b of the unilateral ones are those of (2). Sizes are carried along, s_i ← s_i + |l_i|·s_p, so
//! that a row which vanished is judged by what it was the difference of.

use super::{ConstraintError, ConstraintScratch, Held, Hold};
use crate::complementarity::{Outcome, Place, Problem, Solver};
use crate::tolerances::{CONSISTENT_SHARE, NULL_SHARE, SLACK_OF_W};

/// What elimination leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    m: usize,
    /// A; rows of pivots as they were when chosen.
    left: Vec<f64>,
    /// b.
    offset: Vec<f64>,
    sizes: Vec<f64>,
    /// Bilateral rows that count, in order of elimination.
    pivots: Vec<usize>,
    is_pivot: Vec<bool>,
}

/// Problem (2) of the unilateral rows that can still move, each with the sign that makes it push.
#[derive(Clone, Debug, Default)]
pub(super) struct Unilateral {
    rows: Vec<(usize, f64)>,
    matrix: Vec<f64>,
    offset: Vec<f64>,
    /// Bounds of all rows, for the shortest answer.
    lo: Vec<f64>,
    hi: Vec<f64>,
}

impl Hold {
    /// 1 or −1 for rows that act one way.
    const fn sign(self) -> Option<f64> {
        match self {
            Self::Both => None,
            Self::Pushes => Some(1.0),
            Self::Pulls => Some(-1.0),
        }
    }
}

impl Elimination {
    fn start(&mut self, matrix: &[f64], offset: &[f64], sizes: &[f64]) {
        self.m = offset.len();
        for (to, from) in
            [(&mut self.left, matrix), (&mut self.offset, offset), (&mut self.sizes, sizes)]
        {
            to.clear();
            to.extend_from_slice(from);
        }
        self.pivots.clear();
        self.is_pivot.clear();
        self.is_pivot.resize(self.m, false);
    }

    /// What is left of the diagonal of a row, as a share of what it was; zero for a row that nothing moves.
    fn share(&self, row: usize, matrix: &[f64]) -> f64 {
        let was = matrix[row * self.m + row];
        if was > 0.0 { self.left[row * self.m + row] / was } else { 0.0 }
    }

    /// Eliminates bilateral rows (3), that with the largest share first, until none is left that counts.
    fn eliminate_bilateral(&mut self, matrix: &[f64], holds: &[Hold]) {
        loop {
            let is_open = |i: &usize| holds[*i] == Hold::Both && !self.is_pivot[*i];
            let candidates = (0..self.m).filter(is_open).map(|i| (i, self.share(i, matrix)));
            let best = candidates
                .filter(|(_, share)| *share > NULL_SHARE)
                .reduce(|best, next| if next.1 > best.1 { next } else { best });
            let Some((pivot, _)) = best else { return };
            self.eliminate(pivot);
        }
    }

    fn eliminate(&mut self, pivot: usize) {
        let m = self.m;
        self.is_pivot[pivot] = true;
        self.pivots.push(pivot);
        let diagonal = self.left[pivot * m + pivot];
        for i in (0..m).filter(|i| !self.is_pivot[*i]) {
            let factor = self.left[i * m + pivot] / diagonal;
            if factor == 0.0 {
                continue;
            }
            for j in 0..m {
                self.left[i * m + j] -= factor * self.left[pivot * m + j];
            }
            // What the pivot row answers to is now zero here, not rounding of it.
            self.left[i * m + pivot] = 0.0;
            self.offset[i] -= factor * self.offset[pivot];
            self.sizes[i] += factor.abs() * self.sizes[pivot];
        }
    }

    /// Forces of the pivots (4), from those of the unilateral rows, and none for those that follow.
    fn substitute(&self, forces: &mut [f64]) {
        let m = self.m;
        for &pivot in self.pivots.iter().rev() {
            let row = &self.left[pivot * m..(pivot + 1) * m];
            forces[pivot] = 0.0;
            let others: f64 = row.iter().zip(forces.iter()).map(|(a, f)| a * f).sum();
            forces[pivot] = -(self.offset[pivot] + others) / row[pivot];
        }
    }

    /// Whether b of a row that nothing left can change is zero but for rounding.
    fn is_met(&self, row: usize) -> bool {
        self.offset[row].abs() <= CONSISTENT_SHARE * self.sizes[row]
    }
}

impl ConstraintScratch {
    /// Forces for the rows, sides, response, offsets and sizes at hand.
    pub(super) fn solve(&mut self) -> Result<Held, ConstraintError> {
        let m = self.offset.len();
        self.check_finite()?;
        self.elimination.start(&self.matrix, &self.offset, &self.sizes);
        self.elimination.eliminate_bilateral(&self.matrix, &self.holds);
        self.forces.clear();
        self.forces.resize(m, 0.0);
        self.sort_rest()?;
        self.solve_unilateral()?;
        self.elimination.substitute(&mut self.forces);
        let is_shortest = self.shorten();
        Ok(Held { redundant: self.redundant.len(), is_shortest })
    }

    fn check_finite(&self) -> Result<(), ConstraintError> {
        let m = self.offset.len();
        for constraint in 0..m {
            let row = &self.matrix[constraint * m..(constraint + 1) * m];
            let numbers = row.iter().chain([&self.offset[constraint], &self.sizes[constraint]]);
            if let Some(&value) = numbers.into_iter().find(|x| !x.is_finite()) {
                let (what, expected) = ("response or value", "finite: look at state and load");
                return Err(ConstraintError::Invalid { constraint, what, value, expected });
            }
        }
        Ok(())
    }

    /// Finds the rows that nothing left can change, and poses (2) for the others.
    fn sort_rest(&mut self) -> Result<(), ConstraintError> {
        let (rest, m) = (&self.elimination, self.elimination.m);
        self.redundant.clear();
        self.unilateral.rows.clear();
        for constraint in (0..m).filter(|i| !rest.is_pivot[*i]) {
            let sign = self.holds[constraint].sign();
            match sign {
                Some(sign) if rest.share(constraint, &self.matrix) > NULL_SHARE => {
                    self.unilateral.rows.push((constraint, sign));
                    continue;
                }
                _ => {}
            }
            let missed = rest.offset[constraint];
            let is_met = rest.is_met(constraint) || sign.is_some_and(|sign| sign * missed > 0.0);
            if !is_met {
                return Err(ConstraintError::Contradiction { constraint, missed });
            }
            self.redundant.push(constraint);
        }
        let Unilateral { rows, matrix, offset, .. } = &mut self.unilateral;
        matrix.clear();
        offset.clear();
        for &(i, sign) in rows.iter() {
            // Rounding of the two halves may differ; the lower one stands for both.
            let entry = |j: usize| rest.left[i.max(j) * m + i.min(j)];
            matrix.extend(rows.iter().map(|&(j, other)| sign * other * entry(j)));
            offset.push(sign * rest.offset[i]);
        }
        Ok(())
    }

    /// Problem (2), by pivoting, and by Lemke's path should that fail.
    fn solve_unilateral(&mut self) -> Result<(), ConstraintError> {
        let Unilateral { rows, matrix, offset, .. } = &self.unilateral;
        let n = rows.len();
        // Nothing pulls at any of them.
        if offset.iter().all(|b| *b >= 0.0) {
            return Ok(());
        }
        let unsolved = |outcome| ConstraintError::Unsolved { rows: n, outcome };
        let Ok(problem) = Problem::standard(matrix, offset) else {
            return Err(unsolved(Outcome::Unsolved(crate::complementarity::Reason::Accuracy)));
        };
        let mut outcome = self.pivoting.solve(&problem, &mut self.solution);
        if matches!(outcome, Outcome::Unsolved(_)) {
            outcome = self.lemke.solve(&problem, &mut self.solution);
        }
        match outcome {
            Outcome::Solved => {
                for (&(row, sign), z) in rows.iter().zip(&self.solution.z) {
                    self.forces[row] = sign * z;
                }
                Ok(())
            }
            Outcome::Infeasible => {
                // The multipliers add up rows to something that no force changes and that is missed.
                let part = |i: &usize| self.solution.direction[*i] * offset[*i];
                let worst = (0..n).min_by(|a, b| part(a).total_cmp(&part(b))).unwrap_or(0);
                let total: f64 = (0..n).map(|i| part(&i)).sum();
                let (constraint, sign) = rows[worst];
                let missed = sign * total / self.solution.direction[worst];
                Err(ConstraintError::Contradiction { constraint, missed })
            }
            other => Err(unsolved(other)),
        }
    }

    /// Replaces the forces by the shortest that do the same, where there may be others.
    fn shorten(&mut self) -> bool {
        let m = self.offset.len();
        if self.redundant.is_empty() && self.unilateral.rows.len() < 2 {
            return true;
        }
        let Unilateral { lo, hi, .. } = &mut self.unilateral;
        lo.clear();
        hi.clear();
        for hold in &self.holds {
            lo.push(if *hold == Hold::Pushes { 0.0 } else { f64::NEG_INFINITY });
            hi.push(if *hold == Hold::Pulls { 0.0 } else { f64::INFINITY });
        }
        let Ok(problem) = Problem::bounded(&self.matrix, &self.offset, lo, hi) else {
            return false;
        };
        let solution = &mut self.solution;
        solution.z.clear();
        solution.z.extend_from_slice(&self.forces);
        solution.w.clear();
        solution.places.clear();
        for i in 0..m {
            let (hold, force) = (self.holds[i], self.forces[i]);
            let is_held = hold == Hold::Both || force != 0.0;
            solution.w.push(if is_held { 0.0 } else { problem.w(i, &self.forces) });
            solution.places.push(match hold {
                Hold::Pushes if !is_held => Place::Lower,
                Hold::Pulls if !is_held => Place::Upper,
                _ => Place::Between,
            });
        }
        // Shortening must not move any row; where it does, the longer answer is the right one.
        let is_same = |i: usize, z: &[f64]| {
            let terms = problem.row(i).iter().zip(z.iter().zip(&self.forces));
            let size: f64 = terms.map(|(k, (a, b))| k.abs() * (a.abs() + b.abs())).sum();
            (problem.w(i, z) - problem.w(i, &self.forces)).abs() <= SLACK_OF_W * size
        };
        let is_shortest = self.least_norm.apply(&problem, solution).is_ok()
            && (0..m).all(|i| is_same(i, &solution.z));
        if is_shortest {
            self.forces.copy_from_slice(&solution.z);
        }
        is_shortest
    }
}
