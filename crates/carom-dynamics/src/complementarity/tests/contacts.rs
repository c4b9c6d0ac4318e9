//! Contact forces under boxes: more contacts than a body needs, where forces are shared and motion is not in doubt.

use super::*;
use crate::complementarity::least_norm;

const GRAVITY: f64 = 9.81;

/// A contact between two bodies of a tower, at (x, y) of their common face; body 0 is the floor.
pub(super) struct Contact {
    pub(super) upper: usize,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// M = J·H⁻¹·Jᵀ and q for unit cubes of these masses, one on another; motion is vertical, with roll and pitch.
pub(super) fn tower(masses: &[f64], contacts: &[Contact]) -> Case {
    // The normal is up; its row for the body above is (1, y, −x), for the one below minus that.
    let row = |contact: &Contact, body: usize| {
        let sign = if contact.upper == body {
            1.0
        } else if contact.upper == body + 1 {
            -1.0
        } else {
            0.0
        };
        [sign, sign * contact.y, -sign * contact.x]
    };
    let mut matrix = Vec::new();
    let mut q = Vec::new();
    for a in contacts {
        for b in contacts {
            let entry = |(index, mass): (usize, &f64)| {
                let (a, b) = (row(a, index + 1), row(b, index + 1));
                (a[0] * b[0] + 6.0 * (a[1] * b[1] + a[2] * b[2])) / mass
            };
            matrix.push(masses.iter().enumerate().map(entry).sum());
        }
        q.push(if a.upper == 1 { -GRAVITY } else { 0.0 });
    }
    Case { matrix, q }
}

pub(super) fn corners(upper: usize) -> impl Iterator<Item = Contact> {
    [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)].into_iter().map(move |(x, y)| Contact {
        upper,
        x,
        y,
    })
}

/// Points around the middle of the face, at many angles and distances.
pub(super) fn ring(count: usize) -> Vec<Contact> {
    let at = |i: usize| {
        let angle = 2.399_963_229_728_653 * i as f64;
        let radius = 0.2 + 0.3 * i as f64 / count as f64;
        Contact { upper: 1, x: radius * libm::cos(angle), y: radius * libm::sin(angle) }
    };
    (0..count).map(at).collect()
}

/// proves: baraff/31 m2/R-39
#[test]
fn forces_under_a_box_sum_to_its_weight_however_many_contacts_share_it() {
    for count in [3, 4, 8, 16, 48] {
        let case = tower(&[2.0], &ring(count));
        for (solver, answer) in solvers().iter().zip(answers(&case.problem())) {
            let sum: f64 = answer.z.iter().sum();
            let loaded = answer.z.iter().filter(|f| **f > 0.0).count();
            println!(
                "{count} contacts: {} loads {loaded}, sum off by {:.1e} N, residual {:.1e}, {} pivots",
                solver.name(),
                sum - 2.0 * GRAVITY,
                answer.residual,
                answer.iterations
            );
            assert!((sum - 2.0 * GRAVITY).abs() <= 1e-12 * GRAVITY);
            assert!(answer.w.iter().all(|a| a.abs() <= 1e-12 * GRAVITY), "{:?}", answer.w);
        }
    }
}

#[test]
fn four_equal_legs_share_the_load_equally() {
    let contacts: Vec<Contact> = corners(1).collect();
    let case = tower(&[2.0], &contacts);
    for mut answer in answers(&case.problem()) {
        let given = answer.z.clone();
        least_norm(&case.problem(), &mut answer).expect("the matrix is symmetric");
        println!("{given:?} becomes {:?}", answer.z);
        assert!(distance(&answer.z, &[0.5 * GRAVITY; 4]) <= 1e-13 * GRAVITY);
    }
}

/// The centre of mass is over the right half: shortest forces follow the lever, and none pulls.
#[test]
fn a_leg_that_would_pull_is_left_without_load() {
    // A beam on feet at 0, 1, 2 … 5, its centre over 0.4: the plain least norm would pull at the far end.
    let case = {
        let (centre, inertia) = (0.4, 2.0);
        let feet: Vec<f64> = (0..6).map(|i| f64::from(i) - centre).collect();
        let entry = |a: &f64, b: &f64| 1.0 + a * b / inertia;
        let matrix = feet.iter().flat_map(|a| feet.iter().map(move |b| entry(a, b))).collect();
        Case { matrix, q: vec![-GRAVITY; 6] }
    };
    let [mut lemke, mut pivoting] = answers(&case.problem());
    for answer in [&mut lemke, &mut pivoting] {
        least_norm(&case.problem(), answer).expect("the matrix is symmetric");
        let torque: f64 = (0..6).map(|i| (f64::from(i as u8) - 0.4) * answer.z[i]).sum();
        println!("{:?}, torque {torque:e}", answer.z);
        assert!((answer.z.iter().sum::<f64>() - GRAVITY).abs() <= 1e-12 * GRAVITY);
        assert!(torque.abs() <= 1e-12 * GRAVITY);
    }
    // Loads of the feet that carry fall linearly: f = a + b·x where positive.
    assert!(distance(&lemke.z, &pivoting.z) <= 1e-12 * GRAVITY);
    let z = &lemke.z;
    let second_differences =
        (0..4).filter(|&i| z[i + 2] > 0.0).map(|i| z[i] - 2.0 * z[i + 1] + z[i + 2]);
    for bend in second_differences {
        assert!(bend.abs() <= 1e-12 * GRAVITY, "bend {bend:e}");
    }
    assert_eq!(z[5], 0.0);
}

/// proves: baraff/32
#[test]
fn each_interface_of_a_stack_carries_the_weight_above_it() {
    for count in [5, 12] {
        let masses: Vec<f64> = (1..=count).map(f64::from).collect();
        let contacts: Vec<Contact> = (1..=masses.len()).flat_map(corners).collect();
        let case = tower(&masses, &contacts);
        for (solver, mut answer) in solvers().iter().zip(answers(&case.problem())) {
            println!(
                "{count} boxes: {} {} pivots, residual {:.1e}",
                solver.name(),
                answer.iterations,
                answer.residual
            );
            check_interfaces(&masses, &answer.z, 1e-12);
            least_norm(&case.problem(), &mut answer).expect("the matrix is symmetric");
            check_interfaces(&masses, &answer.z, 1e-12);
            for (interface, forces) in answer.z.chunks_exact(4).enumerate() {
                let quarter = 0.25 * masses[interface..].iter().sum::<f64>() * GRAVITY;
                assert!(
                    forces.iter().all(|f| (f - quarter).abs() <= 1e-10 * quarter),
                    "{forces:?}"
                );
            }
        }
    }
}

fn check_interfaces(masses: &[f64], forces: &[f64], allowed: f64) {
    let sums: Vec<f64> = forces.chunks_exact(4).map(|forces| forces.iter().sum()).collect();
    let weights: Vec<f64> =
        (0..masses.len()).map(|i| masses[i..].iter().sum::<f64>() * GRAVITY).collect();
    println!("  interfaces {sums:.4?} N, off by {:.1e}", distance(&sums, &weights));
    assert!(distance(&sums, &weights) <= allowed * weights[0]);
    if masses.len() == 5 {
        assert!(distance(&sums, &[147.15, 137.34, 117.72, 88.29, 49.05]) <= 1e-9);
    }
}

/// proves: baraff/34
#[test]
fn contacts_given_twice_and_pushed_out_of_range_still_solve() {
    for push in [0.0, 1e-14, 1e-11, 1e-9, 1e-6] {
        let case = Case::new(&[1.0; 4], &[-1.0, -1.0 - push]);
        for answer in answers(&case.problem()) {
            println!("push {push:e}: z {:?}, w {:?}", answer.z, answer.w);
            assert!((answer.z.iter().sum::<f64>() - 1.0 - push).abs() <= 1e-11);
            assert!((answer.w[0] - push).abs() <= 1e-11);
        }
        let mut contacts: Vec<Contact> = corners(1).chain(corners(1)).chain(ring(5)).collect();
        contacts.rotate_left(3);
        let mut case = tower(&[2.0], &contacts);
        for (i, q) in case.q.iter_mut().enumerate() {
            *q += push * libm::sin(7.0 * i as f64);
        }
        for answer in answers(&case.problem()) {
            assert!((answer.z.iter().sum::<f64>() - 2.0 * GRAVITY).abs() <= 1e-11 + 4.0 * push);
        }
    }
}
