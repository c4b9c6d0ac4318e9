//! Solvers beside each other on problems that all of them know: contacts without friction, joints and limits.

use proptest::collection::vec;
use proptest::prelude::*;

use super::contacts::{Contact, corners, ring, tower};
use super::random::low_rank;
use super::*;
use crate::complementarity::{Automatic, Convex, Explicit, GaussSeidel, Jacobi, Reason};
use crate::law::testing::for_all;

const GRAVITY: f64 = 9.81;

/// All that know contacts without friction and are meant to solve them.
fn contact_solvers() -> [Box<dyn Solver>; 6] {
    [
        Box::new(Lemke::new()),
        Box::new(Pivoting::new()),
        Box::new(Convex::new()),
        Box::new(Explicit::new()),
        Box::new(GaussSeidel::new()),
        Box::new(Automatic::new()),
    ]
}

/// Contacts on a circle of radius 1 under a body of mass 1 with moments 0.4, loaded off its centre.
fn circle(count: usize) -> Case {
    let at = |i: usize| std::f64::consts::TAU * i as f64 / count as f64;
    let rows: Vec<[f64; 3]> =
        (0..count).map(|i| [1.0, libm::sin(at(i)), -libm::cos(at(i))]).collect();
    let entry = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + (a[1] * b[1] + a[2] * b[2]) / 0.4;
    let matrix = rows.iter().flat_map(|a| rows.iter().map(move |b| entry(a, b))).collect();
    // Gravity, and a torque that turns the body by 1.5 rad/s².
    let q = rows.iter().map(|row| -GRAVITY + 1.5 * row[2]).collect();
    Case { matrix, q }
}

/// proves: baraff/30 baraff/31
#[test]
fn legs_share_the_weight_each_solver_in_its_own_way_and_the_chair_stands() {
    let contacts: Vec<Contact> = corners(1).collect();
    let case = tower(&[2.0], &contacts);
    let mut forces: Vec<Vec<f64>> = Vec::new();
    for mut solver in contact_solvers() {
        let (outcome, answer) = solve(&mut *solver, &case.problem());
        assert_eq!(outcome, Outcome::Solved, "{}", solver.name());
        let sum: f64 = answer.z.iter().sum();
        let product: f64 = answer.z.iter().zip(&answer.w).map(|(f, a)| (f * a).abs()).sum();
        println!("{:12} {:.4?}, {} steps", solver.name(), answer.z, answer.iterations);
        assert!((sum - 2.0 * GRAVITY).abs() <= 1e-10 * GRAVITY);
        assert!(answer.z.iter().all(|f| *f >= 0.0) && product <= 1e-9);
        assert!(answer.w.iter().all(|a| a.abs() <= 1e-10 * GRAVITY), "{:?}", answer.w);
        forces.push(answer.z);
    }
    assert!(distance(&forces[1], &forces[2]) > 1.0, "a basis leaves a leg without load");
}

/// proves: baraff/30 baraff/37
#[test]
fn the_two_quadratic_programmes_agree_with_each_other_and_with_pivoting() {
    let worst = std::cell::Cell::new([0.0_f64; 2]);
    let unsolved = std::cell::Cell::new(0_u32);
    for_all(600, &low_rank(), |case| {
        let problem = case.problem();
        let [_, pivoting] = answers(&problem);
        let size = size_of(&problem, &pivoting.z);
        let (outcome, convex) = solve(&mut Convex::new(), &problem);
        assert_eq!(outcome, Outcome::Solved, "{case:?}: {convex:?}");
        // Where the inequalities leave no room (8-10) may end at its limit, and then says so.
        let (outcome, explicit) = solve(&mut Explicit::new(), &problem);
        let is_solved = outcome == Outcome::Solved;
        unsolved.set(unsolved.get() + u32::from(!is_solved));
        let apart = |answer: &Solution| distance(&answer.w, &pivoting.w) / size;
        let apart = [apart(&convex), if is_solved { apart(&explicit) } else { 0.0 }];
        assert!(apart[0].max(apart[1]) <= 1e-9, "{apart:?} for {case:?}");
        let [a, b] = worst.get();
        worst.set([a.max(apart[0]), b.max(apart[1])]);
    });
    let [a, b] = worst.get();
    println!("w of (8-11) and (8-10) differs from pivoting's by up to {a:.1e} and {b:.1e}");
    println!("(8-10) left {} of 600 unsolved", unsolved.get());
    assert!(unsolved.get() <= 18, "three in a hundred");
}

/// proves: baraff/36
#[test]
fn rows_of_every_kind_have_the_same_w_by_the_quadratic_programme_and_by_lemke() {
    let counts = std::cell::Cell::new([0_usize; 3]);
    let inputs = (2..16_usize, 2..10_usize).prop_flat_map(|(n, rank)| {
        (vec(-1.0..1.0_f64, n * rank), vec((-1.0..1.0_f64, 0..5_u8, 0.0..1.0_f64), n), Just(rank))
    });
    for_all(1000, &inputs, |(rows, kinds, rank)| {
        let n = kinds.len();
        let bounds = kinds.iter().map(|&(_, kind, size)| match kind {
            0 => (f64::NEG_INFINITY, f64::INFINITY),
            1 => (0.0, f64::INFINITY),
            2 => (f64::NEG_INFINITY, 0.3 * size),
            3 => (-size, 0.7 * size),
            _ => (size, size),
        });
        let (lo, hi): (Vec<f64>, Vec<f64>) = bounds.unzip();
        let mut case = Case { matrix: Case::product(&rows, rank, 0.0, 0.0), q: vec![0.0; n] };
        case.q = case.times(&kinds.iter().map(|kind| kind.0).collect::<Vec<_>>());
        let problem = Problem::bounded(&case.matrix, &case.q, &lo, &hi).expect("well formed");
        // Lemke splits bilateral rows.
        let (split, expected) = solve(&mut Lemke::new(), &problem);
        let (outcome, found) = solve(&mut Convex::new(), &problem);
        let mut count = counts.get();
        if split == Outcome::Solved {
            assert_eq!(outcome, Outcome::Solved, "{case:?} {lo:?} {hi:?} {found:?}");
            let apart = distance(&expected.w, &found.w);
            assert!(apart <= 1e-9, "w differs by {apart:e} for {case:?} {lo:?} {hi:?}");
            count[0] += 1;
            let is_free = |i: &usize| lo[*i] == f64::NEG_INFINITY && hi[*i] == f64::INFINITY;
            count[1] += usize::from((0..n).filter(is_free).any(|i| found.z[i] < 0.0));
        } else {
            assert!(outcome != Outcome::Solved, "{case:?} {lo:?} {hi:?}");
            count[2] += usize::from(outcome == Outcome::Infeasible);
        }
        counts.set(count);
    });
    let [solved, negative, refuted] = counts.get();
    println!("{solved} solved, {negative} with a negative multiplier, {refuted} refuted");
    assert!(negative > 100);
}

/// proves: baraff/34
#[test]
fn contacts_given_twice_and_pushed_out_of_range_still_solve_by_every_solver() {
    for push in [0.0, 1e-12, 1e-9] {
        let mut contacts: Vec<Contact> = corners(1).chain(corners(1)).chain(ring(5)).collect();
        contacts.rotate_left(3);
        let mut case = tower(&[2.0], &contacts);
        for (i, q) in case.q.iter_mut().enumerate() {
            *q += push * libm::sin(7.0 * i as f64);
        }
        for mut solver in contact_solvers() {
            // Out of range by so little, sweeps creep towards a corner that is a million times farther away.
            if solver.name() == "Gauss-Seidel" && push > 0.0 {
                continue;
            }
            let (outcome, answer) = solve(&mut *solver, &case.problem());
            println!("{push:e} {:12} {} steps", solver.name(), answer.iterations);
            assert_eq!(outcome, Outcome::Solved, "{}", solver.name());
            assert!((answer.z.iter().sum::<f64>() - 2.0 * GRAVITY).abs() <= 1e-9 + 4.0 * push);
        }
    }
}

/// proves: baraff/54
#[test]
fn contacts_without_friction_never_end_on_a_ray() {
    for_all(600, &low_rank(), |case| {
        let mut lemke = Lemke::new();
        lemke.retries = 0;
        let (outcome, _) = solve(&mut lemke, &case.problem());
        assert_eq!(outcome, Outcome::Solved, "{case:?}");
    });
}

/// proves: baraff/62
#[test]
fn all_at_once_goes_to_and_fro_on_a_ring_where_one_by_one_arrives() {
    let mut jacobi = Jacobi::new();
    jacobi.sweeps = 60;
    for (count, converges) in [(4, true), (8, false), (40, false)] {
        let case = circle(count);
        let (outcome, answer) = solve(&mut jacobi, &case.problem());
        let least = answer.w.iter().fold(f64::INFINITY, |least: f64, a| least.min(*a));
        println!("{count}: {outcome:?}, forces {:.3?}, least a {least:.3}", &answer.z[..4]);
        if converges {
            assert_eq!(outcome, Outcome::Solved);
            continue;
        }
        assert_eq!(outcome, Outcome::Unsolved(Reason::Cycle));
        assert_eq!(answer.z, vec![0.0; count]);
        assert!((least + 11.3).abs() <= 0.02, "{least}");
        let (outcome, answer) = solve(&mut GaussSeidel::new(), &case.problem());
        println!(
            "{count}: {outcome:?} by Gauss-Seidel, {} sweeps, {:.1e}",
            answer.iterations, answer.residual
        );
        assert_eq!(outcome, Outcome::Solved);
        assert!(answer.residual <= 1e-9);
    }
}

/// proves: baraff/62
#[test]
fn an_answer_is_a_fixed_point_of_both_sweeps() {
    // From zero, with nothing to do, both stay.
    let case = Case::new(&[2.0, 1.0, 1.0, 2.0], &[0.0, 3.0]);
    for mut solver in [Box::new(Jacobi::new()) as Box<dyn Solver>, Box::new(GaussSeidel::new())] {
        let (outcome, answer) = solve(&mut *solver, &case.problem());
        assert_eq!((outcome, answer.iterations, answer.z), (Outcome::Solved, 0, vec![0.0; 2]));
    }
}

#[test]
fn over_relaxation_shortens_the_way_up_a_stack() {
    let contacts: Vec<Contact> = (1..=12).map(|upper| Contact { upper, x: 0.0, y: 0.0 }).collect();
    let case = tower(&[1.0; 12], &contacts);
    let sweeps = [1.0, 1.5].map(|relaxation| {
        let mut solver = GaussSeidel::new();
        solver.relaxation = relaxation;
        let (outcome, answer) = solve(&mut solver, &case.problem());
        assert_eq!(outcome, Outcome::Solved);
        answer.iterations
    });
    println!("{sweeps:?} sweeps");
    assert!(sweeps[1] < sweeps[0]);
}

#[test]
fn what_a_method_is_not_made_for_is_refused() {
    let unsymmetric = Case::new(&[1.0, 1.0, 0.0, 1.0], &[-1.0, -1.0]);
    let no_diagonal = Case::new(&[0.0, 1.0, 1.0, 0.0], &[-1.0, -1.0]);
    let indefinite = Case::new(&[1.0, 2.0, 2.0, 1.0], &[-1.0, -1.0]);
    let refused = Outcome::Unsolved(Reason::Kind);
    assert_eq!(solve(&mut Convex::new(), &unsymmetric.problem()).0, refused);
    assert_eq!(solve(&mut GaussSeidel::new(), &no_diagonal.problem()).0, refused);
    assert_eq!(solve(&mut Jacobi::new(), &no_diagonal.problem()).0, refused);
    let (lo, hi) = ([-1.0; 2], [1.0; 2]);
    let limited = Problem::bounded(&unsymmetric.matrix, &unsymmetric.q, &lo, &hi).unwrap();
    assert_eq!(solve(&mut Explicit::new(), &limited).0, refused);
    for mut solver in contact_solvers() {
        let (outcome, _) = solve(&mut *solver, &indefinite.problem());
        println!("indefinite: {} {outcome:?}", solver.name());
    }
}

#[test]
fn a_body_pulled_apart_by_two_contacts_is_refuted() {
    let case = Case::new(&[1.0, -1.0, -1.0, 1.0], &[-1.0, -1.0]);
    for mut solver in contact_solvers() {
        let (outcome, answer) = solve(&mut *solver, &case.problem());
        println!("{} {outcome:?} after {}", solver.name(), answer.iterations);
        assert!(outcome != Outcome::Solved);
        if ["Lemke", "pivoting", "convex", "automatic"].contains(&solver.name()) {
            assert_eq!(outcome, Outcome::Infeasible, "{}", solver.name());
        }
    }
}

#[test]
fn no_solver_allocates_a_second_time() {
    let contacts: Vec<Contact> = (1..=4).flat_map(corners).collect();
    let case = tower(&[1.0, 2.0, 1.0, 3.0], &contacts);
    for mut solver in contact_solvers() {
        let mut solution = Solution::default();
        solver.solve(&case.problem(), &mut solution);
        let counted = allocation_counter::measure(|| {
            solver.solve(&case.problem(), &mut solution);
        });
        assert_eq!(counted.count_total, 0, "{}", solver.name());
    }
}
