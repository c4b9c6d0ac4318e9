//! Projected Gauss-Seidel: one row after another is made right as if it were alone.
//!
//! ```text
//! z_i ← clamp(z_i − ω·w_i/M_ii, lo_i, hi_i),   w = M·z + q with all z as they are by now            (8)
//! ```
//!
//! For M symmetric and semidefinite with a positive diagonal each step lowers ½zᵀMz + qᵀz for 0 < ω < 2, and the
//! sweeps converge (Cottle, Pang, Stone 5.2; Luo and Tseng), at a rate that falls with the square of the height of a
//! stack: its error wanders one contact per sweep. ω > 1 (over-relaxation) helps there, ω = 1 is the safe choice.
//! Its appeal is that it can stop anywhere; here it says how far it is, and is only called solved at the accuracy
//! of all the others.
//!
//! Diagonal scaling does not change (8), so that sweeps are those of the problem as given.
//!
//! **Failures.** A diagonal entry that is not positive ([`Reason::Kind`]); sweeps that run out ([`Reason::Limit`]); sweeps that
//! repeat, possible for unsymmetric M ([`Reason::Cycle`]). There is no proof that a problem has no answer.

use super::linear::dot;
use super::scaling::Scaled;
use super::sweeps::{Sweeps, is_sweepable};
use super::{Outcome, Problem, Reason, Solution, Solver};

/// Projected Gauss-Seidel sweeps.
#[derive(Clone, Debug)]
pub struct GaussSeidel {
    /// ω of (8), between 0 and 2 `[-]`.
    pub relaxation: f64,
    /// Sweeps after which the search is given up.
    pub sweeps: usize,
    scaled: Scaled,
    course: Sweeps,
}

impl Default for GaussSeidel {
    fn default() -> Self {
        Self::new()
    }
}

impl GaussSeidel {
    /// Without over-relaxation, for up to 10,000 sweeps; no memory yet.
    pub fn new() -> Self {
        let (scaled, course) = (Scaled::default(), Sweeps::default());
        Self { relaxation: 1.0, sweeps: 10_000, scaled, course }
    }
}

impl Solver for GaussSeidel {
    fn name(&self) -> &'static str {
        "Gauss-Seidel"
    }

    fn solve(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        self.scaled.load(problem);
        self.course.start(&self.scaled);
        if !is_sweepable(&self.scaled) {
            return self.course.report(problem, &self.scaled, Some(Reason::Kind), solution);
        }
        let (scaled, relaxation) = (&self.scaled, self.relaxation);
        let failure = self.course.follow(scaled, self.sweeps, |z| {
            for i in (0..scaled.n).filter(|&i| scaled.lo[i] < scaled.hi[i]) {
                let row = scaled.row(i);
                let w = dot(row, z) + scaled.q[i];
                z[i] = (z[i] - relaxation * w / row[i]).clamp(scaled.lo[i], scaled.hi[i]);
            }
        });
        self.course.report(problem, &self.scaled, failure, solution)
    }
}
