//! The default: which solver by size and kind, and which next if it gives up.
//!
//! | M | rows | first | then |
//! |---|---|---|---|
//! | symmetric | up to [`MOST_PIVOTED`] | pivoting | convex, Lemke |
//! | symmetric | more | convex | pivoting, Lemke |
//! | other | any | pivoting | Lemke |
//!
//! Figures behind it are in `bench/README.md` (`cargo bench --bench complementarity`).

use super::scaling::Scaled;
use super::{Convex, Lemke, Outcome, Pivoting, Problem, Solution, Solver};
use crate::tolerances::MOST_PIVOTED;

/// The solver of choice for each problem.
#[derive(Clone, Debug, Default)]
pub struct Automatic {
    scaled: Scaled,
    pivoting: Pivoting,
    convex: Convex,
    lemke: Lemke,
}

impl Automatic {
    /// With no memory yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Solver for Automatic {
    fn name(&self) -> &'static str {
        "automatic"
    }

    fn solve(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        self.scaled.load(problem);
        let is_symmetric = self.scaled.asymmetry().is_none();
        let Self { pivoting, convex, lemke, .. } = self;
        let order: [Option<&mut dyn Solver>; 3] = match is_symmetric {
            true if problem.n() <= MOST_PIVOTED => [Some(pivoting), Some(convex), Some(lemke)],
            true => [Some(convex), Some(pivoting), Some(lemke)],
            false => [Some(pivoting), None, Some(lemke)],
        };
        let mut spent = 0;
        let mut outcome = Outcome::Solved;
        for solver in order.into_iter().flatten() {
            outcome = solver.solve(problem, solution);
            spent += solution.iterations;
            if matches!(outcome, Outcome::Solved | Outcome::Infeasible) {
                break;
            }
        }
        solution.iterations = spent;
        outcome
    }
}
