//! The last set of rows as a first try: when it holds, when it does not, and that it says why.

use super::contacts::{Contact, corners, tower};
use super::*;
use crate::complementarity::{Stale, Warm};

fn stack() -> (Case, Vec<u64>) {
    let contacts: Vec<Contact> = (1..=5).flat_map(corners).collect();
    (tower(&[1.0, 2.0, 3.0, 2.0, 1.0], &contacts), (0..20).collect())
}

/// proves: baraff/35
#[test]
fn a_stack_at_rest_is_solved_once_and_again_only_when_something_changes() {
    let (case, mut identities) = stack();
    let mut warm = Warm::new(Pivoting::new());
    let mut solution = Solution::default();
    let mut run = |q: &[f64], identities: &[u64]| {
        let problem = Problem::standard(&case.matrix, q).expect("well formed");
        assert_eq!(warm.solve(identities, &problem, &mut solution), Outcome::Solved);
        assert!(solution.residual <= 1e-10);
        (warm.full_solves(), warm.hits(), warm.last_stale())
    };
    assert_eq!(run(&case.q, &identities), (1, 0, Some(Stale::Empty)));
    // Gravity that swells and sways: the same legs carry.
    for step in 1..=1000 {
        let factor = 1.0 + 0.3 * libm::sin(0.01 * f64::from(step));
        let q: Vec<f64> = case.q.iter().map(|q| q * factor).collect();
        assert_eq!(run(&q, &identities), (1, step as usize, None));
    }
    // A contact is another one than before.
    identities[3] = 77;
    assert_eq!(run(&case.q, &identities), (2, 1000, Some(Stale::Rows)));
    assert_eq!(run(&case.q, &identities), (2, 1001, None));
    // Blocks lifted off: a leg would have to pull.
    let lifted: Vec<f64> = case.q.iter().map(|q| -q).collect();
    let (full, hits, stale) = run(&lifted, &identities);
    assert!(matches!((full, hits, stale), (3, 1001, Some(Stale::Outside(_)))), "{stale:?}");
    warm.forget();
    let problem = Problem::standard(&case.matrix, &case.q).expect("well formed");
    assert_eq!(warm.attempt(&identities, &problem, &mut solution), Err(Stale::Empty));
}

/// proves: baraff/35
#[test]
fn a_contact_outside_the_set_that_would_approach_is_noticed() {
    let mut warm = Warm::new(Pivoting::new());
    let mut solution = Solution::default();
    let matrix = [2.0, 0.5, 0.5, 2.0];
    let solve = |warm: &mut Warm<Pivoting>, q: &[f64], solution: &mut Solution| {
        let problem = Problem::standard(&matrix, q).expect("well formed");
        warm.solve(&[1, 2], &problem, solution)
    };
    assert_eq!(solve(&mut warm, &[-1.0, 1.0], &mut solution), Outcome::Solved);
    assert_eq!(solution.z, [0.5, 0.0]);
    assert_eq!(solve(&mut warm, &[-1.0, -1.0], &mut solution), Outcome::Solved);
    assert_eq!(warm.last_stale(), Some(Stale::Response(1)));
    assert!(distance(&solution.z, &[0.4, 0.4]) <= 1e-15);
    // Two rows that have become one.
    let dependent = Problem::standard(&[1.0; 4], &[-1.0, -1.0]).expect("well formed");
    assert_eq!(warm.attempt(&[1, 2], &dependent, &mut solution), Err(Stale::Singular));
    assert_eq!((warm.full_solves(), warm.hits()), (2, 0));
}

/// proves: baraff/35
#[test]
fn with_several_answers_the_last_set_chooses() {
    // Baraff's indeterminate rod: M < 0, q ≥ 0. Lemke always gives z = 0; a set that holds is kept.
    let mut warm = Warm::new(Lemke::new());
    let mut solution = Solution::default();
    let pushed = Problem::standard(&[1.0], &[-1.0]).expect("well formed");
    assert_eq!(warm.solve(&[1], &pushed, &mut solution), Outcome::Solved);
    let rod = Problem::standard(&[-0.5], &[1.0]).expect("well formed");
    assert_eq!(warm.solve(&[1], &rod, &mut solution), Outcome::Solved);
    assert_eq!((solution.z[0], warm.hits()), (2.0, 1));
    warm.forget();
    assert_eq!(warm.solve(&[1], &rod, &mut solution), Outcome::Solved);
    assert_eq!(solution.z[0], 0.0);
}

#[test]
fn a_hit_allocates_nothing() {
    let (case, identities) = stack();
    let mut warm = Warm::new(Pivoting::new());
    let mut solution = Solution::default();
    let problem = case.problem();
    for _ in 0..2 {
        warm.solve(&identities, &problem, &mut solution);
    }
    let counted = allocation_counter::measure(|| {
        warm.solve(&identities, &problem, &mut solution);
    });
    assert_eq!((counted.count_total, warm.hits()), (0, 2));
}
