//! The default: pivoting first, then what can still decide a problem that it gives up.
//!
//! Measured (`bench/README.md`, up to 300 rows): of those that end at rounding, [`Pivoting`] is the fastest on faces with
//! redundant contacts, on stacks and on full definite matrices, at every size; the interior point needs 1.4 to 7.5
//! times its time, Lemke's path 1.05 to 1.9 times. So size decides nothing. Kind does, by what comes next:
//!
//! | M | first | then |
//! |---|---|---|
//! | symmetric | pivoting | convex, which does not care about ties; Lemke |
//! | other | pivoting, which gives up at once where its pivots have the wrong sign | Lemke |

use super::{Convex, Lemke, Outcome, Pivoting, Problem, Solution, Solver};

/// The solver of choice for each problem.
#[derive(Clone, Debug, Default)]
pub struct Automatic {
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
        // The interior point refuses M that is not symmetric.
        let order: [&mut dyn Solver; 3] = [&mut self.pivoting, &mut self.convex, &mut self.lemke];
        let mut spent = 0;
        let mut outcome = Outcome::Solved;
        for solver in order {
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
