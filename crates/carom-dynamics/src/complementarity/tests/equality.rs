//! Shortest answers of semidefinite equations, beside a spectral decomposition.

use super::contacts::{Contact, corners, ring, tower};
use super::*;
use crate::complementarity::Equality;

/// Eigenvalues of a symmetric matrix and its eigenvectors by columns: cyclic Jacobi rotations.
fn spectrum(matrix: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut a = matrix.to_vec();
    let mut v: Vec<f64> = (0..n * n).map(|i| f64::from(u8::from(i / n == i % n))).collect();
    let turn = |m: &mut [f64], x: usize, y: usize, (c, s): (f64, f64)| {
        (m[x], m[y]) = (c * m[x] - s * m[y], s * m[x] + c * m[y]);
    };
    for _ in 0..14 {
        for p in 0..n {
            for q in p + 1..n {
                if a[p * n + q] == 0.0 {
                    continue;
                }
                let theta = 0.5 * libm::atan2(2.0 * a[p * n + q], a[q * n + q] - a[p * n + p]);
                let rotation = (libm::cos(theta), libm::sin(theta));
                (0..n).for_each(|k| turn(&mut a, k * n + p, k * n + q, rotation));
                (0..n).for_each(|k| turn(&mut a, p * n + k, q * n + k, rotation));
                (0..n).for_each(|k| turn(&mut v, k * n + p, k * n + q, rotation));
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), v)
}

/// K⁺·b with eigenvalues below `least` of the largest taken for zero, and the share of b that it reaches.
fn pseudoinverse(case: &Case, b: &[f64], least: f64) -> Vec<f64> {
    let n = b.len();
    let (values, vectors) = spectrum(&case.matrix, n);
    let largest = values.iter().fold(0.0, |most: f64, x| most.max(*x));
    let mut answer = vec![0.0; n];
    for (k, value) in values.iter().enumerate().filter(|(_, value)| **value > least * largest) {
        let part: f64 = (0..n).map(|i| vectors[i * n + k] * b[i]).sum();
        (0..n).for_each(|i| answer[i] += vectors[i * n + k] * part / value);
    }
    answer
}

fn solve(case: &Case, b: &[f64]) -> Vec<f64> {
    let mut equality = Equality::new();
    let mut answer = vec![f64::NAN; b.len()];
    equality.factorise(&case.matrix, b.len());
    equality.solve(b, &mut answer);
    answer
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// Errors of K·λ beside that of the spectral answer, and of λ beside the spectral answer, both as shares.
fn errors(case: &Case, b: &[f64]) -> (f64, f64) {
    let (found, expected) = (solve(case, b), pseudoinverse(case, b, 1e-10));
    let image = distance(&case.times(&found), &case.times(&expected)) / largest(b);
    (image, distance(&found, &expected) / largest(&expected))
}

fn stack(count: usize, masses: impl Fn(usize) -> f64) -> Case {
    let masses: Vec<f64> = (0..count).map(masses).collect();
    let contacts: Vec<Contact> = (1..=count).flat_map(corners).collect();
    tower(&masses, &contacts)
}

fn loads(case: &Case) -> Vec<f64> {
    case.q.iter().map(|q| -q).collect()
}

#[test]
fn answers_are_the_shortest_under_a_face_and_in_a_stack() {
    let faces = [4, 8, 40].map(|count| (format!("face, {count}"), tower(&[2.0], &ring(count))));
    let stacks = [5, 30].map(|count| (format!("stack of {count}"), stack(count, |_| 1.0)));
    for (name, case) in faces.into_iter().chain(stacks) {
        let (image, shortest) = errors(&case, &loads(&case));
        println!("{name}: K·λ to {image:.1e}, λ to {shortest:.1e}");
        assert!(image <= 1e-12 && shortest <= 1e-11, "{name}: {image:e}, {shortest:e}");
    }
}

/// Blocks of a gram, a kilogram and a tonne, a million to one side by side: as many digits less.
#[test]
fn masses_that_differ_by_a_million_keep_six_digits() {
    for (count, allowed) in [(2, 1e-12), (3, 1e-9), (8, 1e-6)] {
        let case = stack(count, |i| [1e-3, 1.0, 1e3][i % 3]);
        let found = solve(&case, &loads(&case));
        let image = distance(&case.times(&found), &loads(&case)) / 9.81;
        let weight: f64 = (0..count).map(|i| 9.81 * [1e-3, 1.0, 1e3][i % 3]).sum();
        let carried: f64 = found[..4].iter().sum();
        println!("{count}: K·λ to {image:.1e}, the ground carries {:.1e}", carried / weight - 1.0);
        assert!(image <= allowed && (carried / weight - 1.0).abs() <= allowed);
    }
}

#[test]
fn four_equal_legs_share_equally_without_a_choice_of_rank() {
    let case = stack(30, |_| 1.0);
    let found = solve(&case, &loads(&case));
    for (level, forces) in found.chunks_exact(4).enumerate() {
        let quarter = 0.25 * 9.81 * (30 - level) as f64;
        assert!(distance(forces, &[quarter; 4]) <= 1e-11 * quarter, "{level}: {forces:?}");
    }
}

/// proves: baraff/34
#[test]
fn what_is_out_of_range_is_left_and_moves_nothing() {
    for push in [1e-15, 1e-12, 1e-9, 1e-6] {
        let mut contacts: Vec<Contact> = corners(1).chain(corners(1)).chain(ring(5)).collect();
        contacts.rotate_left(3);
        let case = tower(&[2.0], &contacts);
        let mut b = loads(&case);
        b.iter_mut().enumerate().for_each(|(i, b)| *b += push * libm::sin(7.0 * i as f64));
        let (image, shortest) = errors(&case, &b);
        println!("push {push:e}: K·λ to {image:.1e}, λ to {shortest:.1e}");
        assert!(image <= 1e-13 && shortest <= 1e-10);
    }
}

/// Two rows that part from each other by δ: from dependent to independent, no step in between.
#[test]
fn nearly_dependent_rows_pass_smoothly() {
    let mut last: Option<Vec<f64>> = None;
    for step in 0..=260 {
        let delta = libm::pow(10.0, -13.0 + 0.05 * f64::from(step));
        // A bar on three feet, the third out of line by delta; loads as equal feet in line would carry.
        let levers = [[1.0, 0.0], [-1.0, 0.0], [0.1, delta]];
        let rows: Vec<[f64; 3]> = levers.iter().map(|[x, y]| [1.0, *x, *y]).collect();
        let entry =
            |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + 3.0 * a[1] * b[1] + 3.0 * a[2] * b[2];
        let matrix: Vec<f64> =
            rows.iter().flat_map(|a| rows.iter().map(move |b| entry(a, b))).collect();
        let case = Case { matrix, q: vec![-9.81; 3] };
        let found = solve(&case, &[9.81; 3]);
        let image = distance(&case.times(&found), &[9.81; 3]);
        assert!(image <= 1e-10, "delta {delta:e}: K·λ off by {image:e}");
        let jump = last.as_ref().map_or(0.0, |last| distance(last, &found));
        if step % 20 == 0 {
            println!("delta {delta:.1e}: {found:.6?}, K·λ off by {image:.1e}, step {jump:.1e}");
        }
        // A fifth of a decade of δ² moves what is shared by no more than a fifth of it.
        assert!(jump <= 0.3 * 9.81, "delta {delta:e}: {jump:e}");
        last = Some(found);
    }
}

#[test]
fn answers_follow_small_changes_of_the_matrix() {
    for count in [8, 40] {
        let at = |shift: f64| {
            let mut contacts = ring(count);
            for contact in &mut contacts {
                contact.x += shift * contact.y * contact.y;
            }
            let case = tower(&[2.0], &contacts);
            solve(&case, &loads(&case))
        };
        let h = 1e-5;
        let [a, b, c] = [at(0.1 - h), at(0.1), at(0.1 + h)];
        let bend: Vec<f64> = (0..count).map(|i| a[i] - 2.0 * b[i] + c[i]).collect();
        println!(
            "{count}: slope {:.3} N, bend {:.1e} N",
            distance(&a, &c) / (2.0 * h),
            largest(&bend)
        );
        // h² times a second derivative of some tens, and rounding.
        assert!(largest(&bend) <= 1e-8);
    }
}

#[test]
fn nothing_is_allocated_twice_and_nothing_solves_nothing() {
    let mut equality = Equality::new();
    equality.factorise(&[], 0);
    equality.solve(&[], &mut []);
    let mut answer = [1.0; 2];
    equality.factorise(&[0.0; 4], 2);
    equality.solve(&[1.0, -1.0], &mut answer);
    assert_eq!(answer, [0.0; 2]);
    let case = stack(12, |_| 1.0);
    let b = loads(&case);
    let mut answer = vec![0.0; b.len()];
    let mut run = || {
        equality.factorise(&case.matrix, b.len());
        equality.solve(&b, &mut answer);
    };
    run();
    let counted = allocation_counter::measure(run);
    assert_eq!(counted.count_total, 0);
}
