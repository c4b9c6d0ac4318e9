//! Random trees against a dense solution of everything at once.
//!
//! ```text
//! ( H  −Jᵀ ) ( v̇ )   ( τ − C      )
//! ( J   0  ) ( f  ) = ( aᵈ − J̇·v   )
//! ```

use std::cell::Cell;

use glam::DVec3;
use proptest::prelude::*;

use super::{Constraint, ConstraintError, ConstraintScratch, GRAVITY, placed};
use crate::spatial::MotionVector;
use crate::testing::{direction, vector};
use crate::tree::tests::{Case, any_case, for_all, largest_difference};
use crate::tree::{LinkPoint, Load, Row, Scratch, Tree};

/// Kind, place and direction of a row, and its target.
pub(super) type GivenRow = (usize, f64, DVec3, DVec3, f64);

pub(super) fn any_rows(most: usize) -> impl Strategy<Value = Vec<GivenRow>> {
    let row = (0..4_usize, 0.0..1.0, vector(1.0), direction(), -3.0..3.0);
    proptest::collection::vec(row, 1..most + 1)
}

pub(super) fn row_of(tree: &Tree, &(kind, place, point, direction, _): &GivenRow) -> Row {
    let link = (place * tree.n_links() as f64) as usize;
    match kind {
        0 => Row::Freedom((place * tree.n_v() as f64) as usize),
        1 => Row::Spin { link, direction },
        _ => Row::Point { at: LinkPoint { link, point }, direction },
    }
}

/// A row of J, and what it accelerates by at v̇ = 0 where `scratch` holds that.
fn dense_row(tree: &Tree, row: &Row, scratch: &Scratch) -> (Vec<f64>, f64) {
    let mut jacobian = vec![MotionVector::ZERO; tree.n_v()];
    match *row {
        Row::Point { at, direction } => {
            tree.jacobian(scratch, at.link, at.point, &mut jacobian);
            let arm = at.point - scratch.pose(at.link).translation;
            let w = scratch.velocity(at.link).angular;
            let bias = scratch.acceleration(at.link).at(arm).linear + w.cross(w.cross(arm));
            (jacobian.iter().map(|j| j.linear.dot(direction)).collect(), bias.dot(direction))
        }
        Row::Spin { link, direction } => {
            tree.jacobian(scratch, link, DVec3::ZERO, &mut jacobian);
            let bias = scratch.acceleration(link).angular.dot(direction);
            (jacobian.iter().map(|j| j.angular.dot(direction)).collect(), bias)
        }
        Row::Freedom(freedom) => {
            ((0..tree.n_v()).map(|k| if k == freedom { 1.0 } else { 0.0 }).collect(), 0.0)
        }
    }
}

/// Gauss with partial pivoting, on a system of rows with their right sides.
fn gauss(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for step in 0..n {
        let best =
            (step..n).max_by(|a, b| rows[*a][step].abs().total_cmp(&rows[*b][step].abs())).unwrap();
        rows.swap(step, best);
        let (above, below) = rows.split_at_mut(step + 1);
        for row in below {
            let factor = row[step] / above[step][step];
            row.iter_mut().zip(&above[step]).for_each(|(x, pivot)| *x -= factor * pivot);
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
        x[i] = (rows[i][n] - known) / rows[i][i];
    }
    x
}

fn dense(case: &Case, load: &Load<'_>, constraints: &[Constraint]) -> Vec<f64> {
    let (tree, n, m) = (&case.tree, case.tree.n_v(), constraints.len());
    let mut scratch = placed(tree, &case.q, &case.v);
    let (mut h, mut needed) = (vec![0.0; n * n], vec![0.0; n]);
    tree.mass_matrix(&mut scratch, &mut h);
    tree.inverse(load, &vec![0.0; n], &mut scratch, &mut needed);
    let mut rows: Vec<Vec<f64>> = h.chunks(n).map(<[f64]>::to_vec).collect();
    let mut lower = Vec::new();
    for constraint in constraints {
        let (mut row, bias) = dense_row(tree, &constraint.row, &scratch);
        rows.iter_mut().zip(&row).for_each(|(above, j)| above.push(-j));
        row.resize(n + m, 0.0);
        row.push(constraint.target - bias);
        lower.push(row);
    }
    for (k, row) in rows.iter_mut().enumerate() {
        row.push(load.tau[k] - needed[k]);
    }
    rows.extend(lower);
    gauss(rows)
}

/// proves: m2/R-37
#[test]
fn constrained_trees_move_as_the_whole_system_of_equations_says() {
    let (worst, [solved, skipped]) = (Cell::new([0.0_f64; 3]), [Cell::new(0), Cell::new(0)]);
    for_all(600, &(any_case(false), any_rows(6)), |(case, given)| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let constraints: Vec<Constraint> = given
            .iter()
            .take(n)
            .map(|row| Constraint { row: row_of(tree, row), ..Constraint::freedom(0, row.4) })
            .collect();
        let load = Load { gravity: GRAVITY, tau: &case.numbers[0], ..Load::default() };
        let mut scratch = placed(tree, &case.q, &case.v);
        let mut memory = ConstraintScratch::default();
        let (mut v_dot, mut forces) = (vec![0.0; n], vec![0.0; constraints.len()]);
        let found = tree.constrain_accelerations(
            &load,
            &constraints,
            &mut scratch,
            &mut memory,
            &mut v_dot,
            &mut forces,
        );
        let held = match found {
            Ok(held) if held.redundant == 0 => held,
            Ok(_) | Err(ConstraintError::Contradiction { .. }) => {
                skipped.set(skipped.get() + 1);
                return;
            }
            Err(other) => panic!("{other}"),
        };
        assert!(held.is_shortest);
        solved.set(solved.get() + 1);
        let x = dense(&case, &load, &constraints);
        let size = |x: &[f64]| 1.0 + super::largest(x.iter().copied());
        let off = [
            largest_difference(&v_dot, &x[..n]) / size(&x[..n]),
            largest_difference(&forces, &x[n..]) / size(&x[n..]),
            super::largest(constraints.iter().map(|constraint| {
                Tree::row_acceleration(&constraint.row, &v_dot, &scratch) - constraint.target
            })) / size(&v_dot),
        ];
        let old = worst.get();
        worst.set([0, 1, 2].map(|i| old[i].max(off[i])));
    });
    println!(
        "{} solved, {} contradictory or redundant; accelerations, forces, constraints: off by {:?}",
        solved.get(),
        skipped.get(),
        worst.get()
    );
    assert!(solved.get() > 300);
    assert!(worst.get().iter().all(|off| *off < 1e-9), "{:?}", worst.get());
}

#[test]
fn inertia_of_the_joints_own_counts_in_constraints_as_in_forward_dynamics() {
    for_all(100, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let gamma: Vec<f64> = case.numbers[1].iter().map(|x| x.abs()).collect();
        let load = Load { gravity: GRAVITY, added_diagonal: &gamma, ..Load::default() };
        let mut scratch = placed(tree, &case.q, &case.v);
        let freedom = n / 2;
        let held = [Constraint::freedom(freedom, 1.25)];
        let (v_dot, forces, _) = super::hold(tree, &load, &held, &mut scratch).unwrap();
        // The same by prescribing that freedom.
        let (mut mixed, mut tau, mut prescribed) = (vec![0.0; n], vec![0.0; n], vec![false; n]);
        prescribed[freedom] = true;
        mixed[freedom] = 1.25;
        tree.mixed(&load, &prescribed, &mut scratch, &mut mixed, &mut tau).unwrap();
        let size = 1.0 + super::largest(mixed.iter().copied()) + tau[freedom].abs();
        assert!(largest_difference(&v_dot, &mixed) < 1e-10 * size);
        assert!((forces[0] - tau[freedom]).abs() < 1e-10 * size);
    });
}
