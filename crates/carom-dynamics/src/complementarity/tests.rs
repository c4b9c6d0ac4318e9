//! What must hold for every solver, and the makers of problems that the tests share.

mod bounds;
mod by_hand;
mod contacts;
mod equality;
mod given;
mod literature;
mod random;
mod side_by_side;
mod warm;

use super::{
    Lemke, Outcome, Pivoting, Problem, Solution, Solver, infeasibility_margin, ray_violation,
};
use crate::tolerances::CERTIFIED;

/// A standard problem that owns its numbers.
#[derive(Clone, Debug)]
struct Case {
    matrix: Vec<f64>,
    q: Vec<f64>,
}

impl Case {
    fn new(matrix: &[f64], q: &[f64]) -> Self {
        Self { matrix: matrix.to_vec(), q: q.to_vec() }
    }

    /// M = B·Bᵀ + diagonal·1 + skew part, with B given by rows of length `rank`.
    fn product(b: &[f64], rank: usize, diagonal: f64, skew: f64) -> Vec<f64> {
        let rows: Vec<&[f64]> = b.chunks_exact(rank).collect();
        let n = rows.len();
        let mut matrix = Vec::new();
        for i in 0..n {
            for j in 0..n {
                let product: f64 = rows[i].iter().zip(rows[j]).map(|(a, b)| a * b).sum();
                let turn = skew
                    * (rows[i][0] - rows[j][0] + rows[i][rank - 1] * rows[j][0]
                        - rows[j][rank - 1] * rows[i][0]);
                matrix.push(product + turn + if i == j { diagonal } else { 0.0 });
            }
        }
        matrix
    }

    /// M·x.
    fn times(&self, x: &[f64]) -> Vec<f64> {
        let row = |row: &[f64]| row.iter().zip(x).map(|(a, b)| a * b).sum();
        self.matrix.chunks_exact(x.len()).map(row).collect()
    }

    fn problem(&self) -> Problem<'_> {
        Problem::standard(&self.matrix, &self.q).expect("the case is well formed")
    }
}

fn solvers() -> [Box<dyn Solver>; 2] {
    [Box::new(Lemke::new()), Box::new(Pivoting::new())]
}

/// Solves with one solver; answers and proofs are checked by their own numbers.
fn solve(solver: &mut dyn Solver, problem: &Problem<'_>) -> (Outcome, Solution) {
    let mut solution = Solution::default();
    let outcome = solver.solve(problem, &mut solution);
    match outcome {
        Outcome::Solved => {
            let residual = problem.residual(&solution.z);
            let size = size_of(problem, &solution.z);
            assert!(
                residual <= 1e-10 * size,
                "{}: residual {residual:e} of size {size:e} for {problem:?}: {solution:?}",
                solver.name()
            );
            assert_eq!(residual, solution.residual, "the residual that is reported");
        }
        Outcome::Infeasible => {
            let margin = infeasibility_margin(problem, &solution.direction);
            assert!(margin > CERTIFIED, "{}: margin {margin:e}", solver.name());
        }
        Outcome::Ray => {
            let violation = ray_violation(problem, &solution.direction);
            assert!(violation <= CERTIFIED, "{}: violation {violation:e}", solver.name());
        }
        Outcome::Unsolved(_) => {}
    }
    (outcome, solution)
}

/// Largest term that enters w, and the largest unknown.
fn size_of(problem: &Problem<'_>, z: &[f64]) -> f64 {
    let terms = (0..problem.n()).flat_map(|i| {
        let products = problem.row(i).iter().zip(z).map(|(m, z)| (m * z).abs());
        products.chain([problem.q()[i].abs(), z[i].abs()])
    });
    terms.fold(f64::MIN_POSITIVE, f64::max)
}

/// Solves with both solvers, which must find answers.
fn answers(problem: &Problem<'_>) -> [Solution; 2] {
    solvers().map(|mut solver| {
        let (outcome, solution) = solve(&mut *solver, problem);
        assert_eq!(outcome, Outcome::Solved, "{} for {problem:?}: {solution:?}", solver.name());
        solution
    })
}

/// Largest difference of two vectors.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
