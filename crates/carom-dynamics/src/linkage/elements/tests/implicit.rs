//! Implicit dampers against the matrices that they stand for.

use std::cell::Cell;

use super::*;
use crate::spatial::{MotionVector, RigidInertia};
use crate::tree::tests::{Case, GRAVITY, any_case, for_all};
use crate::tree::{DampedRow, DampingScratch, Load};

/// H·v̇ of a placed tree, and its Jacobians at the origins of links.
struct Dense {
    mass: Vec<f64>,
    jacobians: Vec<Vec<MotionVector>>,
}

impl Dense {
    fn of(case: &Case, scratch: &mut Scratch) -> Self {
        let n = case.tree.n_v();
        let mut mass = vec![0.0; n * n];
        case.tree.mass_matrix(scratch, &mut mass);
        let jacobian = |link: usize| {
            let mut columns = vec![MotionVector::ZERO; n];
            case.tree.jacobian(scratch, link, scratch.origin(link), &mut columns);
            columns
        };
        Self { mass, jacobians: (0..case.tree.n_links()).map(jacobian).collect() }
    }

    fn times_mass(&self, x: &[f64]) -> Vec<f64> {
        self.mass.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    /// One row of R.
    fn row(&self, row: &DampedRow) -> Vec<f64> {
        let mut out = vec![0.0; self.jacobians[0].len()];
        for (link, wrench) in row.links.iter().zip(row.wrenches) {
            if let Some(link) = link {
                for (out, column) in out.iter_mut().zip(&self.jacobians[*link]) {
                    *out += wrench.dot(*column);
                }
            }
        }
        out
    }
}

/// Largest difference, by the largest of the numbers.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().chain(b).fold(1.0_f64, |m, x| m.max(x.abs()));
    crate::tree::tests::largest_difference(a, b) / size
}

fn placed(case: &Case) -> Scratch {
    let mut scratch = Scratch::new(&case.tree);
    case.tree.place(&case.q, &case.v, &mut scratch);
    scratch
}

#[test]
fn dampers_between_links_add_their_matrix_to_the_mass_matrix() {
    let worst = Cell::new(0.0_f64);
    let rows = proptest::collection::vec(
        (0..1000_usize, 0..1000_usize, vector(1.0), vector(1.0), -2.0..4.0_f64),
        1..12,
    );
    for_all(300, &(any_case(false), rows), |(case, rows)| {
        let links = case.tree.n_links();
        let mut scratch = placed(&case);
        let dense = Dense::of(&case, &mut scratch);
        let mut rows: Vec<DampedRow> = rows
            .into_iter()
            .map(|(a, b, angular, linear, damping)| {
                let wrench = ForceVector::new(angular, linear);
                // The world as the other end now and then, and the same link now and then.
                let other = (b % (links + 1)).checked_sub(1);
                DampedRow {
                    links: [Some(a % links), other],
                    wrenches: [wrench, -1.0 * wrench],
                    damping: libm::pow(10.0, damping),
                }
            })
            .collect();
        // No damping at all is a row, too.
        rows[0].damping = 0.0;
        let load = Load { gravity: GRAVITY, tau: &case.numbers[0], ..Load::default() };
        let (mut plain, mut damped) = (vec![0.0; case.tree.n_v()], vec![0.0; case.tree.n_v()]);
        case.tree.forward(&load, &mut scratch, &mut plain).unwrap();
        let mut memory = DampingScratch::default();
        case.tree.damp_forward(&rows, 0.1, &mut scratch, &mut memory, &mut damped);
        let mut left = dense.times_mass(&damped);
        for row in &rows {
            let column = dense.row(row);
            let rate: f64 = column.iter().zip(&damped).map(|(r, x)| r * x).sum();
            for (left, r) in left.iter_mut().zip(&column) {
                *left += 0.1 * row.damping * rate * r;
            }
        }
        worst.set(worst.get().max(apart(&left, &dense.times_mass(&plain))));
    });
    println!("both sides differ by {:.1e} of their size", worst.get());
    // Dampers a thousand times as stiff as the inertia cost as many digits.
    assert!(worst.get() < 1e-9, "{:e}", worst.get());
}

#[test]
fn an_added_inertia_resists_accelerations_of_joints_alone() {
    let worst = Cell::new(0.0_f64);
    for_all(100, &(any_case(false), 0..1000_usize, vector(0.5)), |(case, link, arm)| {
        let link = link % case.tree.n_links();
        let mut scratch = placed(&case);
        let dense = Dense::of(&case, &mut scratch);
        let load = Load { gravity: GRAVITY, tau: &case.numbers[0], ..Load::default() };
        let (mut plain, mut heavy) = (vec![0.0; case.tree.n_v()], vec![0.0; case.tree.n_v()]);
        case.tree.forward(&load, &mut scratch, &mut plain).unwrap();
        let inertia = RigidInertia::new(5.0, arm, &glam::DMat3::from_diagonal(DVec3::splat(0.3)));
        let mut wrenches = vec![ForceVector::ZERO; case.tree.n_links()];
        wrenches[link] = scratch.add_inertia(link, &inertia, GRAVITY);
        case.tree.forward(&Load { wrenches: &wrenches, ..load }, &mut scratch, &mut heavy).unwrap();
        let mut left = dense.times_mass(&heavy);
        let columns = &dense.jacobians[link];
        let motion =
            columns.iter().zip(&heavy).fold(MotionVector::ZERO, |sum, (j, x)| sum + *x * *j);
        for (left, column) in left.iter_mut().zip(columns) {
            *left += inertia.times(motion).dot(*column);
        }
        worst.set(worst.get().max(apart(&left, &dense.times_mass(&plain))));
    });
    println!("both sides differ by {:.1e} of their size", worst.get());
    assert!(worst.get() < 1e-12, "{:e}", worst.get());
}
