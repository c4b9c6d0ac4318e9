//! The data set `lcp`: 20 complementarity problems, most of them solved by another program.
//!
//! The problems lie in a folder beside the project, `shared/data`, or the one that `CAROM_DATA` names; without it there is
//! nothing to check, and the test says so.

use std::path::{Path, PathBuf};

use carom_dynamics::complementarity::{
    Lemke, Outcome, Pivoting, Problem, Solution, Solver, infeasibility_margin,
};
use oracles::complementarity::{LcpCase, lcp_cases};

/// As the data states it, times max(1, |q|).
const RESIDUAL: f64 = 1e-8;

/// To what the other program's answers agree with ours where they are unique, as a share of the largest entry.
const SAME: f64 = 1e-6;

/// The one that has no answer.
const UNSOLVABLE: &str = "lcp_Pang_isolated_sol_perturbed";

fn data_folder() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CAROM_DATA") {
        return Some(path.into());
    }
    let clone = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    Some(clone.parent()?.join("shared/data"))
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(1.0, |most: f64, x| most.max(x.abs()))
}

fn differ(a: &[f64], b: &[f64]) -> f64 {
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    apart / largest(b)
}

/// True if solved to the accuracy of the data and equal to what is known of the answer.
fn is_solved(case: &LcpCase, outcome: Outcome, solution: &Solution) -> bool {
    let residual = (0..case.n).map(|i| {
        let row = &case.matrix[i * case.n..(i + 1) * case.n];
        let w: f64 = row.iter().zip(&solution.z).map(|(m, z)| m * z).sum::<f64>() + case.q[i];
        solution.z[i].min(w).abs()
    });
    if outcome != Outcome::Solved || residual.fold(0.0, f64::max) > RESIDUAL * largest(&case.q) {
        return false;
    }
    let Some(z) = &case.z else { return true };
    let w: Vec<f64> = (0..case.n)
        .map(|i| case.q[i] + (0..case.n).map(|j| case.matrix[i * case.n + j] * z[j]).sum::<f64>())
        .collect();
    // Beyond rounding the least eigenvalue makes z unique.
    assert!(case.min_eig_sym < 1e-6 || differ(&solution.z, z) <= SAME, "{}: z", case.name);
    assert!(!case.w_unique || differ(&solution.w, &w) <= SAME, "{}: w", case.name);
    true
}

#[test]
fn every_problem_of_the_data_set_is_solved_or_refuted() {
    let Some(cases) = data_folder().and_then(|folder| lcp_cases(&folder).expect("readable")) else {
        println!("no data set lcp: nothing to check");
        return;
    };
    println!("{:32} {:>3}  {:>28}  {:>28}", "problem", "n", "Lemke", "pivoting");
    let mut missed = Vec::new();
    for case in &cases {
        let problem = Problem::standard(&case.matrix, &case.q).expect("well formed");
        let solvers: [Box<dyn Solver>; 2] = [Box::new(Lemke::new()), Box::new(Pivoting::new())];
        let mut line = format!("{:32} {:>3}", case.name, case.n);
        let mut is_decided = false;
        for mut solver in solvers {
            let mut solution = Solution::default();
            let outcome = solver.solve(&problem, &mut solution);
            let verdict = match outcome {
                Outcome::Solved => format!("{:.1e}", solution.residual),
                Outcome::Infeasible => {
                    let margin = infeasibility_margin(&problem, &solution.direction);
                    assert!(margin > 0.0 && case.name == UNSOLVABLE, "{}: {margin}", case.name);
                    is_decided = true;
                    format!("no answer, margin {margin:.1}")
                }
                other => format!("{other:?}"),
            };
            is_decided |= is_solved(case, outcome, &solution);
            line += &format!("  {:>22} {:>5}", verdict, solution.iterations);
        }
        println!("{line}");
        if !is_decided {
            missed.push(&case.name);
        }
    }
    assert!(missed.is_empty(), "not decided: {missed:?}");
    assert!(cases.len() >= 20);
}
