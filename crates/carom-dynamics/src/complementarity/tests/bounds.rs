//! Bilateral rows and bounds on both sides: joints, motors with limits, friction under a given load.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::complementarity::{Place, least_norm};
use crate::law::testing::for_all;

const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
const PUSH: (f64, f64) = (0.0, f64::INFINITY);

/// Solves with bounds by both solvers.
fn bounded(case: &Case, bounds: &[(f64, f64)]) -> [(Outcome, Solution); 2] {
    let (lo, hi): (Vec<f64>, Vec<f64>) = bounds.iter().copied().unzip();
    let problem = Problem::bounded(&case.matrix, &case.q, &lo, &hi).expect("well formed");
    solvers().map(|mut solver| solve(&mut *solver, &problem))
}

#[test]
fn a_motor_gives_what_is_asked_up_to_its_limit() {
    let case = |q: f64| Case::new(&[1.0], &[q]);
    for (asked, given, rest) in
        [(2.0, 2.0, 0.0), (5.0, 3.0, -2.0), (-7.0, -3.0, 4.0), (0.0, 0.0, 0.0)]
    {
        for (outcome, answer) in bounded(&case(-asked), &[(-3.0, 3.0)]) {
            assert_eq!(outcome, Outcome::Solved);
            assert_eq!((answer.z[0], answer.w[0]), (given, rest), "asked {asked}");
        }
    }
}

#[test]
fn equal_bounds_prescribe_the_unknown_and_ask_nothing_of_w() {
    let case = Case::new(&[2.0, 1.0, 1.0, 2.0], &[-4.0, -4.0]);
    for (outcome, answer) in bounded(&case, &[(0.5, 0.5), PUSH]) {
        assert_eq!(outcome, Outcome::Solved);
        assert_eq!((&answer.z[..], &answer.w[..]), (&[0.5, 1.75][..], &[-1.25, 0.0][..]));
        assert_eq!(answer.places[1], Place::Between);
    }
    for (outcome, answer) in bounded(&case, &[(0.0, 0.0), (-1.0, -1.0)]) {
        assert_eq!((outcome, &answer.z[..]), (Outcome::Solved, &[0.0, -1.0][..]));
    }
}

#[test]
fn an_upper_bound_alone_is_a_force_that_only_pulls() {
    let case = Case::new(&[2.0], &[3.0]);
    for (outcome, answer) in bounded(&case, &[(f64::NEG_INFINITY, -1.0)]) {
        assert_eq!((outcome, answer.z[0], answer.w[0]), (Outcome::Solved, -1.5, 0.0));
    }
    for (outcome, answer) in bounded(&case, &[(f64::NEG_INFINITY, -2.0)]) {
        assert_eq!((outcome, answer.z[0], answer.w[0]), (Outcome::Solved, -2.0, -1.0));
        assert_eq!(answer.places, [Place::Upper]);
    }
}

/// proves: baraff/36
#[test]
fn a_bilateral_row_agrees_with_its_split_into_two_pushes() {
    let worst = std::cell::Cell::new(0.0_f64);
    let inputs =
        (2..10_usize).prop_flat_map(|n| (vec(-1.0..1.0_f64, n * n), vec(-1.0..1.0_f64, n)));
    for_all(300, &inputs, |(rows, q)| {
        let n = q.len();
        let case = Case { matrix: Case::product(&rows, n, 0.1, 0.0), q };
        let mut bounds = vec![PUSH; n];
        bounds[0] = FREE;
        // z₀ = z' − z'', and −w₀ ≥ 0 beside w₀ ≥ 0.
        let at = |i: usize| if i == n { (0, -1.0) } else { (i, 1.0) };
        let entry = |index: usize| {
            let ((i, a), (j, b)) = (at(index / (n + 1)), at(index % (n + 1)));
            a * b * case.matrix[i * n + j]
        };
        let split = Case {
            matrix: (0..(n + 1) * (n + 1)).map(entry).collect(),
            q: (0..=n).map(|i| at(i).1 * case.q[at(i).0]).collect(),
        };
        let [plain, _] = answers(&split.problem());
        for (outcome, answer) in bounded(&case, &bounds) {
            assert_eq!(outcome, Outcome::Solved);
            let apart = distance(&plain.w[..n], &answer.w)
                .max((plain.z[0] - plain.z[n] - answer.z[0]).abs() / (1.0 + answer.z[0].abs()));
            worst.set(worst.get().max(apart));
            assert!(apart <= 1e-9, "{apart:e} for {case:?}");
        }
    });
    println!("largest difference {:.1e}", worst.get());
}

#[test]
fn bilateral_rows_given_twice_are_solved_if_they_agree_and_refuted_if_not() {
    let matrix = [2.0, 2.0, 0.5, 2.0, 2.0, 0.5, 0.5, 0.5, 1.0];
    let bounds = [FREE, FREE, PUSH];
    for (outcome, mut answer) in bounded(&Case::new(&matrix, &[4.0, 4.0, -1.0]), &bounds) {
        assert_eq!(outcome, Outcome::Solved);
        let (lo, hi): (Vec<f64>, Vec<f64>) = bounds.iter().copied().unzip();
        let problem = Problem::bounded(&matrix, &[4.0, 4.0, -1.0], &lo, &hi).expect("well formed");
        least_norm(&problem, &mut answer).expect("the matrix is symmetric");
        println!("{:?}, residual {:e}", answer.z, answer.residual);
        assert!((answer.z[0] - answer.z[1]).abs() <= 1e-14);
        assert!(answer.residual <= 1e-14);
    }
    for (outcome, answer) in bounded(&Case::new(&matrix, &[4.0, 4.5, -1.0]), &bounds) {
        assert_eq!(outcome, Outcome::Infeasible, "{answer:?}");
        println!("multipliers {:?}", answer.direction);
    }
}

#[test]
fn a_block_with_friction_sticks_or_slides_by_its_limit() {
    // Two tangential rows under a normal force of 10 with μ = 0.5, pushed by (3, 8): the second slides.
    let case = Case::new(&[1.0, 0.2, 0.2, 1.0], &[-3.0, -8.0]);
    for (outcome, answer) in bounded(&case, &[(-5.0, 5.0); 2]) {
        assert_eq!((outcome, answer.z[0], answer.z[1]), (Outcome::Solved, 2.0, 5.0));
        assert!((answer.w[1] + 2.6).abs() <= 1e-14 && answer.w[0].abs() <= 1e-15);
    }
}

/// All kinds of rows at once: free, pushing, pulling, limited, prescribed.
#[test]
fn both_solvers_agree_on_rows_of_every_kind() {
    let worst = std::cell::Cell::new([0.0_f64; 2]);
    let inputs = (2..16_usize, 2..10_usize).prop_flat_map(|(n, rank)| {
        (vec(-1.0..1.0_f64, n * rank), vec((-1.0..1.0_f64, 0..5_u8, 0.0..1.0_f64), n), Just(rank))
    });
    for_all(1500, &inputs, |(rows, kinds, rank)| {
        let n = kinds.len();
        let matrix = Case::product(&rows, rank, 0.0, 0.0);
        let bounds: Vec<(f64, f64)> = kinds
            .iter()
            .map(|&(_, kind, size)| match kind {
                0 => FREE,
                1 => PUSH,
                2 => (f64::NEG_INFINITY, 0.3 * size),
                3 => (-size, 0.7 * size),
                _ => (size, size),
            })
            .collect();
        // w in the range of M has an answer, whatever the bounds.
        let mut case = Case { matrix, q: vec![0.0; n] };
        let aim: Vec<f64> = kinds.iter().map(|kind| kind.0).collect();
        case.q = case.times(&aim);
        let found = bounded(&case, &bounds);
        // Free and one-sided rows may still contradict each other; then both must say so.
        assert_eq!(found[0].0, found[1].0, "{case:?} {bounds:?} {found:?}");
        if found[0].0 == Outcome::Solved {
            let apart = distance(&found[0].1.w, &found[1].1.w);
            assert!(apart <= 1e-9, "w differs by {apart:e} for {case:?} {bounds:?}");
            let [most, count] = worst.get();
            worst.set([most.max(apart), count + 1.0]);
        } else {
            assert_eq!(found[0].0, Outcome::Infeasible, "{case:?} {bounds:?}");
        }
    });
    println!("{} solved, w differs by up to {:.1e}", worst.get()[1], worst.get()[0]);
}
