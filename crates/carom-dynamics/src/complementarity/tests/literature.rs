//! Problems known to be hard for one method or another, and tiny problems of whole numbers, full of ties.

use proptest::prelude::*;

use super::*;
use crate::complementarity::Reason;
use crate::law::testing::for_all;
use oracles::complementarity::enumerate;

/// Murty's problem, on which his least-index method takes 2ⁿ − 1 steps; the answer is the last unit vector.
#[test]
fn murtys_exponential_problem_ends_soon() {
    for n in [3, 6, 12, 24] {
        let entry =
            |i: usize, j: usize| if i == j { 1.0 } else { 2.0 * f64::from(u8::from(j > i)) };
        let matrix: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
        let case = Case::new(&matrix, &vec![-1.0; n]);
        for (solver, answer) in solvers().iter().zip(answers(&case.problem())) {
            println!("n {n}: {} {} pivots", solver.name(), answer.iterations);
            assert_eq!(answer.z[n - 1], 1.0);
            assert!(answer.iterations <= 2 * n);
        }
    }
}

/// Fathi's matrix L·Lᵀ, made from Murty's to show that definiteness alone does not save pivoting methods from 2ⁿ steps.
#[test]
fn fathis_definite_problem_is_solved() {
    for n in [4, 8, 12] {
        let lower =
            |i: usize, j: usize| if i == j { 1.0 } else { 2.0 * f64::from(u8::from(j < i)) };
        let rows: Vec<f64> = (0..n * n).map(|at| lower(at / n, at % n)).collect();
        let case = Case::new(&Case::product(&rows, n, 0.0, 0.0), &vec![-1.0; n]);
        for (solver, answer) in solvers().iter().zip(answers(&case.problem())) {
            println!(
                "n {n}: {} {} pivots, residual {:e}",
                solver.name(),
                answer.iterations,
                answer.residual
            );
            assert!(answer.iterations <= 4 * n);
        }
    }
}

/// Kostreva's circulant, on which Bard's and Zoutendijk's methods go round in circles.
#[test]
fn kostrevas_cycling_problem_has_equal_thirds() {
    let case = Case::new(&[1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0], &[-1.0; 3]);
    for answer in answers(&case.problem()) {
        println!("{} pivots, z {:?}", answer.iterations, answer.z);
        assert!(distance(&answer.z, &[1.0 / 3.0; 3]) <= 2.0 * f64::EPSILON);
    }
}

/// An isolated answer that a push of 10⁻⁴ destroys: −z₂ − z₃ − 10⁻⁴ cannot be positive.
#[test]
fn pangs_perturbed_problem_has_no_answer_and_that_is_proved() {
    let matrix = [0.0, -1.0, -1.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
    for (q, expected) in [(0.0, Outcome::Solved), (-1e-4, Outcome::Infeasible)] {
        let case = Case::new(&matrix, &[q, -1.0, 1.0]);
        let (outcome, solution) = solve(&mut Lemke::new(), &case.problem());
        println!("q₁ {q}: {outcome:?}, z {:?}, u {:?}", solution.z, solution.direction);
        assert_eq!(outcome, expected);
        let is_solvable = !enumerate(&case.matrix, &case.q).is_empty();
        assert_eq!(is_solvable, outcome == Outcome::Solved);
    }
}

/// Small whole numbers tie at every step; a path that cycled would meet the limit of pivots.
#[test]
fn no_path_cycles_on_whole_numbers() {
    let counts = std::cell::Cell::new([0_u32; 4]);
    let inputs = (2..6_usize).prop_flat_map(|n| {
        let entries = proptest::collection::vec(-2..3_i8, n * n);
        (entries, proptest::collection::vec(-1..2_i8, n))
    });
    for_all(6000, &inputs, |(matrix, q)| {
        let floats = |numbers: &[i8]| numbers.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        let case = Case::new(&floats(&matrix), &floats(&q));
        let is_solvable = !enumerate(&case.matrix, &case.q).is_empty();
        let mut seen = counts.get();
        let (outcome, _) = solve(&mut Lemke::new(), &case.problem());
        match outcome {
            Outcome::Solved => assert!(is_solvable, "{case:?}"),
            Outcome::Infeasible => assert!(!is_solvable, "{case:?}"),
            Outcome::Ray => seen[1 + usize::from(is_solvable)] += 1,
            Outcome::Unsolved(_) => panic!("{outcome:?} for {case:?}"),
        }
        seen[0] += u32::from(outcome == Outcome::Solved);
        let (outcome, _) = solve(&mut Pivoting::new(), &case.problem());
        assert_ne!(outcome, Outcome::Unsolved(Reason::Limit), "{case:?}");
        assert!(outcome != Outcome::Solved || is_solvable, "{case:?}");
        assert!(outcome != Outcome::Infeasible || !is_solvable, "{case:?}");
        seen[3] += u32::from(outcome == Outcome::Solved);
        counts.set(seen);
    });
    let [solved, rays, missed, pivoting] = counts.get();
    println!(
        "Lemke solves {solved}, {rays} rays without answer, {missed} with one; pivoting solves {pivoting}"
    );
}

/// For semidefinite problems both methods decide every case, degenerate or not.
#[test]
fn whole_semidefinite_problems_are_decided_rightly_by_both() {
    let counts = std::cell::Cell::new([0_u32; 2]);
    let inputs = (2..6_usize, 1..4_usize).prop_flat_map(|(n, rank)| {
        let rows = proptest::collection::vec(-2..3_i8, n * rank);
        (Just(rank), rows, proptest::collection::vec(-2..2_i8, n))
    });
    for_all(4000, &inputs, |(rank, rows, q)| {
        let floats = |numbers: &[i8]| numbers.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        let case = Case::new(&Case::product(&floats(&rows), rank, 0.0, 0.0), &floats(&q));
        let is_solvable = !enumerate(&case.matrix, &case.q).is_empty();
        let expected = if is_solvable { Outcome::Solved } else { Outcome::Infeasible };
        for mut solver in solvers() {
            let (outcome, solution) = solve(&mut *solver, &case.problem());
            assert_eq!(outcome, expected, "{} for {case:?}: {solution:?}", solver.name());
        }
        let mut seen = counts.get();
        seen[usize::from(is_solvable)] += 1;
        counts.set(seen);
    });
    println!("{} without answer, {} with one", counts.get()[0], counts.get()[1]);
}
