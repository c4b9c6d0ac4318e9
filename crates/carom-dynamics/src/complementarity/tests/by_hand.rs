//! Problems small enough to be solved on paper, and numbers that are no problem.

use super::*;
use crate::complementarity::{Place, ProblemFault};

#[test]
fn one_row_is_solved_by_the_quotient() {
    for (m, q, z, w) in
        [(2.0, -3.0, 1.5, 0.0), (2.0, 3.0, 0.0, 3.0), (2.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 1.0)]
    {
        let case = Case::new(&[m], &[q]);
        for answer in answers(&case.problem()) {
            assert_eq!((answer.z[0], answer.w[0], answer.residual), (z, w, 0.0), "M {m}, q {q}");
        }
    }
}

#[test]
fn one_row_that_cannot_rise_has_no_answer_and_that_is_proved() {
    for m in [0.0, -1.0] {
        let case = Case::new(&[m], &[-1.0]);
        let (outcome, solution) = solve(&mut Lemke::new(), &case.problem());
        assert_eq!(outcome, Outcome::Infeasible, "M {m}");
        assert!(solution.direction[0] > 0.0);
    }
    let case = Case::new(&[0.0], &[-1.0]);
    assert_eq!(solve(&mut Pivoting::new(), &case.problem()).0, Outcome::Infeasible);
}

/// An indeterminate sliding rod: f = 0 and f = m are answers of M = −1/m, q = 1.
#[test]
fn of_two_answers_of_a_negative_row_the_one_without_force_is_taken() {
    let case = Case::new(&[-1.0], &[1.0]);
    for answer in answers(&case.problem()) {
        assert_eq!(answer.z, [0.0]);
        assert_eq!(answer.places, [Place::Lower]);
    }
}

#[test]
fn two_rows_that_both_push_are_solved_as_equations() {
    let case = Case::new(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0]);
    for answer in answers(&case.problem()) {
        println!("z {:?}, residual {:e}, pivots {}", answer.z, answer.residual, answer.iterations);
        assert!(distance(&answer.z, &[4.0 / 3.0, 7.0 / 3.0]) <= 4.0 * f64::EPSILON);
        assert!(answer.residual <= 4.0 * f64::EPSILON);
    }
}

#[test]
fn two_rows_of_which_one_lets_go() {
    // The second is pulled up by the first: 2·1 − 1 > 0.
    let case = Case::new(&[1.0, 0.5, 2.0, 3.0], &[-1.0, -1.0]);
    for answer in answers(&case.problem()) {
        assert_eq!((&answer.z[..], &answer.w[..]), (&[1.0, 0.0][..], &[0.0, 1.0][..]));
    }
}

/// Lemke's path on a problem whose inequalities can be met, though not with complementarity.
#[test]
fn a_ray_of_a_problem_that_can_be_met_is_reported_as_a_ray() {
    // w₁ = z₂ − 1 ≥ 0 asks for z₂ > 0, which asks for w₂ = z₁ + 1 = 0.
    let case = Case::new(&[0.0, 1.0, 1.0, 0.0], &[-1.0, 1.0]);
    assert!((0..2).all(|i| case.problem().w(i, &[0.0, 1.0]) >= 0.0));
    assert!(oracles::complementarity::enumerate(&case.matrix, &case.q).is_empty());
    let (outcome, solution) = solve(&mut Lemke::new(), &case.problem());
    println!("{outcome:?} {:?}", solution.direction);
    assert_eq!(outcome, Outcome::Ray);
    let violation = ray_violation(&case.problem(), &solution.direction);
    assert!(violation <= 1e-12, "violation {violation:e}");
    assert!(infeasibility_margin(&case.problem(), &solution.direction) <= 0.0);
}

#[test]
fn entries_of_any_size_are_solved() {
    for (m, q) in [(1e100, 1e-100), (1e-100, 1e100), (1e120, 1e120), (1e-120, 1e-120)] {
        let case = Case::new(&[2.0 * m, m, m, 2.0 * m], &[-5.0 * q, -6.0 * q]);
        for answer in answers(&case.problem()) {
            let z = answer.z.iter().map(|z| z / (q / m)).collect::<Vec<f64>>();
            assert!(distance(&z, &[4.0 / 3.0, 7.0 / 3.0]) <= 8.0 * f64::EPSILON, "{z:?}");
        }
    }
}

#[test]
fn no_rows_are_no_problem() {
    for answer in answers(&Case::new(&[], &[]).problem()) {
        assert!(answer.z.is_empty());
    }
}

#[test]
fn numbers_that_are_no_problem_are_refused_with_the_row() {
    const ENDLESS: &[f64] = &[f64::INFINITY];
    assert!(matches!(Problem::standard(&[1.0; 3], &[1.0; 2]), Err(ProblemFault::Shape { .. })));
    let nan = Problem::standard(&[1.0, 0.0, f64::NAN, 1.0], &[1.0; 2]);
    assert!(matches!(nan, Err(ProblemFault::NotFinite { row: 1, .. })));
    let endless = Problem::standard(&[1.0], ENDLESS);
    assert!(matches!(endless, Err(ProblemFault::NotFinite { what: "q", .. })));
    let crossed = Problem::bounded(&[1.0], &[1.0], &[1.0], &[0.0]);
    assert!(matches!(crossed, Err(ProblemFault::Bounds { row: 0, .. })));
    let nowhere = Problem::bounded(&[1.0], &[1.0], ENDLESS, ENDLESS);
    assert!(matches!(nowhere, Err(ProblemFault::Bounds { .. })));
    let short = Problem::bounded(&[1.0], &[1.0], &[], &[1.0]);
    println!("{}", short.expect_err("one bound is missing"));
}
