//! The last step of every solver: given which rows have w = 0, solve them once more, to rounding.
//!
//! With F the rows [`Place::Between`] and the others at their bounds, M_FF·δ = −w_F is solved and z_F += δ repeated,
//! w taken each time from the given numbers with twice the digits. The error of z falls by the condition of M_FF
//! times ε each time, whatever the pivots before have lost.

use super::linear::Elimination;
use super::scaling::Scaled;
use super::{Outcome, Place, Problem, Reason, Solution};
use crate::tolerances::{DEPENDENT, SOLVED};

/// Corrections after which digits no longer change, unless M_FF is singular to rounding.
const CORRECTIONS: usize = 4;

/// Scratch of the last step.
#[derive(Clone, Debug, Default)]
pub(super) struct Polish {
    rows: Vec<usize>,
    elimination: Elimination,
    rest: Vec<f64>,
    step: Vec<f64>,
    previous: Vec<f64>,
    outside: Option<usize>,
}

impl Polish {
    /// Improves z, where the rows at bounds are at the bounds `places` says, and gives w; returns the largest
    /// violation of (1) over max(1, |z|).
    pub(super) fn run(
        &mut self,
        scaled: &Scaled,
        places: &[Place],
        z: &mut [f64],
        w: &mut Vec<f64>,
    ) -> f64 {
        let n = scaled.n;
        self.rows.clear();
        for i in 0..n {
            match places[i] {
                Place::Lower => z[i] = scaled.lo[i],
                Place::Upper => z[i] = scaled.hi[i],
                Place::Between => self.rows.push(i),
            }
        }
        let rows = &self.rows;
        let block = rows.iter().flat_map(|&i| rows.iter().map(move |&j| scaled.matrix[i * n + j]));
        self.elimination.factorise(rows.len(), block, DEPENDENT);
        self.correct(scaled, z);
        self.find_outside(scaled, z);
        w.clear();
        for (z, (lo, hi)) in z.iter_mut().zip(scaled.lo.iter().zip(&scaled.hi)) {
            *z = z.clamp(*lo, *hi);
        }
        w.extend((0..n).map(|i| scaled.w(i, z)));
        let size = z.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        if !z.iter().all(|z| z.is_finite()) {
            return f64::INFINITY;
        }
        let violations = (0..n).map(|i| scaled.violation(i, z[i], w[i]));
        violations.fold(0.0, f64::max) / size
    }

    /// True if rows with w = 0 depend on each other.
    pub(super) fn is_singular(&self) -> bool {
        self.elimination.is_singular()
    }

    /// The row whose z was farthest outside its bounds, by more than rounding, before it was put back to them.
    pub(super) const fn outside(&self) -> Option<usize> {
        self.outside
    }

    fn find_outside(&mut self, scaled: &Scaled, z: &[f64]) {
        let size = z.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let mut most = SOLVED * size;
        self.outside = None;
        for &i in &self.rows {
            let excess = (scaled.lo[i] - z[i]).max(z[i] - scaled.hi[i]);
            if excess > most {
                (most, self.outside) = (excess, Some(i));
            }
        }
    }

    fn correct(&mut self, scaled: &Scaled, z: &mut [f64]) {
        let mut least = f64::INFINITY;
        self.step.clear();
        self.step.resize(self.rows.len(), 0.0);
        for _ in 0..=CORRECTIONS {
            self.rest.clear();
            self.rest.extend(self.rows.iter().map(|&i| -scaled.w(i, z)));
            let worst = self.rest.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            if worst >= least {
                // The last correction did harm or nothing.
                self.rows.iter().zip(&self.previous).for_each(|(&i, &value)| z[i] = value);
                return;
            }
            least = worst;
            self.previous.clear();
            self.previous.extend(self.rows.iter().map(|&i| z[i]));
            if worst == 0.0 {
                return;
            }
            self.elimination.solve(&self.rest, &mut self.step);
            self.rows.iter().zip(&self.step).for_each(|(&i, step)| z[i] += step);
        }
        self.rows.iter().zip(&self.previous).for_each(|(&i, &value)| z[i] = value);
    }
}

/// Writes a scaled answer out in the units of the problem, and judges it by its scaled `violation`.
pub(super) fn report(
    problem: &Problem<'_>,
    scaled: &Scaled,
    answer: (&[f64], &[Place], f64),
    solution: &mut Solution,
) -> Outcome {
    let (z, places, violation) = answer;
    let n = scaled.n;
    solution.z.clear();
    // A bound is given back to the bit, also where scaling it underflows.
    solution
        .z
        .extend((0..n).map(|i| (z[i] * scaled.z_unit[i]).clamp(problem.lo(i), problem.hi(i))));
    solution.w.clear();
    solution.w.extend((0..n).map(|i| problem.w(i, &solution.z)));
    solution.places.clear();
    solution.places.extend_from_slice(places);
    let violations = (0..n).map(|i| {
        let (z, w) = (solution.z[i], solution.w[i]);
        (z - (z - w).clamp(problem.lo(i), problem.hi(i))).abs()
    });
    solution.residual = violations.fold(0.0, f64::max);
    if violation <= SOLVED { Outcome::Solved } else { Outcome::Unsolved(Reason::Accuracy) }
}
