//! The iteration of Baraff's Appendix C for normal forces: all contacts corrected at once, each as if it were alone.
//!
//! ```text
//! z_i ← clamp(z_i − ω·w_i/M_ii, lo_i, hi_i),   w = M·z + q with all z as they were before the sweep   (9)
//! ```
//!
//! (The printed line divides z by M_ii as well, and takes w from after the sweep: guide, X29.) An answer of (1) is a fixed
//! point. Whether (9) finds it is another matter: it converges only while the eigenvalues of 1 − ω·D⁻¹M, D the diagonal,
//! stay within the unit circle. n contacts of one face have trace(D⁻¹M) = n and rank 3, hence an eigenvalue of at least n/3:
//! with ω = 1 sweeps diverge from n = 7 on, and with the clamp they jump to and fro between no force at all and far
//! too much. That is kept as it is, to be looked at beside the others, and reported ([`Reason::Cycle`]). ω below
//! 2/λ_max cures it at the price of as many more sweeps; [`GaussSeidel`](super::GaussSeidel) is the better cure.

use super::linear::dot;
use super::scaling::Scaled;
use super::sweeps::{Sweeps, is_sweepable};
use super::{Outcome, Problem, Reason, Solution, Solver};

/// Projected Jacobi sweeps.
#[derive(Clone, Debug)]
pub struct Jacobi {
    /// ω of (9) `[-]`.
    pub relaxation: f64,
    /// Sweeps after which the search is given up.
    pub sweeps: usize,
    scaled: Scaled,
    course: Sweeps,
    response: Vec<f64>,
}

impl Default for Jacobi {
    fn default() -> Self {
        Self::new()
    }
}

impl Jacobi {
    /// As Appendix C has it, for up to 10,000 sweeps; no memory yet.
    pub fn new() -> Self {
        let (scaled, course) = (Scaled::default(), Sweeps::default());
        Self { relaxation: 1.0, sweeps: 10_000, scaled, course, response: Vec::new() }
    }
}

impl Solver for Jacobi {
    fn name(&self) -> &'static str {
        "Jacobi"
    }

    fn solve(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        self.scaled.load(problem);
        self.course.start(&self.scaled);
        if !is_sweepable(&self.scaled) {
            return self.course.report(problem, &self.scaled, Some(Reason::Kind), solution);
        }
        let (scaled, relaxation) = (&self.scaled, self.relaxation);
        let response = &mut self.response;
        let failure = self.course.follow(scaled, self.sweeps, |z| {
            response.clear();
            response.extend((0..scaled.n).map(|i| dot(scaled.row(i), z) + scaled.q[i]));
            for i in (0..scaled.n).filter(|&i| scaled.lo[i] < scaled.hi[i]) {
                let step = relaxation * response[i] / scaled.row(i)[i];
                z[i] = (z[i] - step).clamp(scaled.lo[i], scaled.hi[i]);
            }
        });
        self.course.report(problem, &self.scaled, failure, solution)
    }
}
