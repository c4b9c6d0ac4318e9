//! Solvers of complementarity problems side by side: which of them solves what, how well and in how many steps.

use carom_dynamics::complementarity::{
    Automatic, Convex, Explicit, GaussSeidel, Jacobi, Lemke, Outcome, Pivoting, Problem,
    ProblemFault, Reason, Solution, Solver, infeasibility_margin,
};
use oracles::complementarity::LcpCase;

/// Largest |min(z, w)| over max(1, |q|) of an answer, as the data set states it `[-]`.
pub const ACCEPTED: f64 = 1e-8;

/// How one solver did on one problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The solver.
    pub solver: &'static str,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it ended.
    pub solution: Solution,
}

/// All solvers, in the order of tables.
pub fn all() -> [Box<dyn Solver>; 7] {
    [
        Box::new(Lemke::new()),
        Box::new(Pivoting::new()),
        Box::new(Convex::new()),
        Box::new(Explicit::new()),
        Box::new(GaussSeidel::new()),
        Box::new(Jacobi::new()),
        Box::new(Automatic::new()),
    ]
}

/// Lets every solver try a problem.
///
/// # Errors
/// If the numbers are not a problem.
pub fn trials(matrix: &[f64], q: &[f64]) -> Result<Vec<Trial>, ProblemFault> {
    let problem = Problem::standard(matrix, q)?;
    let trial = |mut solver: Box<dyn Solver>| {
        let mut solution = Solution::default();
        let outcome = solver.solve(&problem, &mut solution);
        Trial { solver: solver.name(), outcome, solution }
    };
    Ok(all().into_iter().map(trial).collect())
}

/// Largest |min(z, w)| over max(1, |q|), from the numbers as given `[-]`.
pub fn residual(case: &LcpCase, z: &[f64]) -> f64 {
    let n = case.n;
    let row = |i: usize| {
        let w: f64 = (0..n).map(|j| case.matrix[i * n + j] * z[j]).sum::<f64>() + case.q[i];
        z[i].min(w).abs()
    };
    let size = case.q.iter().fold(1.0, |most: f64, q| most.max(q.abs()));
    (0..n).map(row).fold(0.0, |most, x| if x.is_nan() { x } else { most.max(x) }) / size
}

/// By how much multipliers prove that a problem has no answer; not positive if they do not.
pub fn margin(case: &LcpCase, multipliers: &[f64]) -> f64 {
    Problem::standard(&case.matrix, &case.q)
        .map_or(f64::NAN, |problem| infeasibility_margin(&problem, multipliers))
}

/// What a trial came to, in a word: its residual and its steps, or why not.
pub fn verdict(trial: &Trial) -> String {
    let steps = trial.solution.iterations;
    match trial.outcome {
        Outcome::Solved if trial.solution.residual == 0.0 => format!("0 ({steps})"),
        // Powers of ten: digits of rounding differ between processors.
        Outcome::Solved => {
            let power = libm::log10(trial.solution.residual).ceil();
            format!("1e{power} ({steps})")
        }
        Outcome::Infeasible => format!("no answer ({steps})"),
        Outcome::Ray => format!("ray ({steps})"),
        Outcome::Unsolved(Reason::Limit) => format!("limit ({steps})"),
        Outcome::Unsolved(Reason::Pivot) => format!("pivot ({steps})"),
        Outcome::Unsolved(Reason::Kind) => "not its kind".to_owned(),
        Outcome::Unsolved(Reason::Cycle) => format!("cycle ({steps})"),
        Outcome::Unsolved(Reason::Accuracy) => format!("inaccurate ({steps})"),
    }
}

/// The table of all solvers and problems, in Markdown.
///
/// # Errors
/// If the numbers of a case are not a problem.
pub fn table(cases: &[LcpCase]) -> Result<String, ProblemFault> {
    let names: Vec<&str> = all().iter().map(|solver| solver.name()).collect();
    let mut text = format!("| problem | rows | {} |\n", names.join(" | "));
    text += &format!("|---|---|{}\n", "---|".repeat(names.len()));
    for case in cases {
        let verdicts: Vec<String> = trials(&case.matrix, &case.q)?.iter().map(verdict).collect();
        text += &format!("| `{}` | {} | {} |\n", case.name, case.n, verdicts.join(" | "));
    }
    Ok(text)
}
