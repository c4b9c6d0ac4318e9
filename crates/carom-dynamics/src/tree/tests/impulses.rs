//! Impulses on random trees: the response is J·H⁻¹·Jᵀ, and momentum and energy change by what the impulse brings.

use std::cell::Cell;

use glam::{DMat3, DVec3};
use proptest::prelude::*;

use super::{Case, any_case, dot, for_all, largest, largest_difference, times};
use crate::Impulse;
use crate::spatial::MotionVector;
use crate::testing::vector;
use crate::tree::{LinkImpulse, LinkPoint, ResponseScratch, Row};

fn points(case: &Case, given: &[(f64, DVec3)]) -> Vec<LinkPoint> {
    let n = case.tree.n_links() as f64;
    given
        .iter()
        .map(|(which, point)| LinkPoint { link: (which * n) as usize, point: *point })
        .collect()
}

fn any_points(count: usize) -> impl Strategy<Value = Vec<(f64, DVec3)>> {
    proptest::collection::vec((0.0..1.0, vector(1.5)), count)
}

fn struck(
    case: &Case,
    scratch: &mut crate::tree::Scratch,
    at: LinkPoint,
    linear: DVec3,
    angular: DVec3,
) -> Vec<f64> {
    let mut jumps = vec![0.0; case.tree.n_v()];
    let impulse =
        LinkImpulse { link: at.link, impulse: Impulse { point: at.point, linear, angular } };
    case.tree.impulse_response(&[impulse], &[], scratch, &mut jumps).unwrap();
    jumps
}

/// proves: m2/R-17 m2/R-19
#[test]
fn blocks_of_the_response_say_what_an_impulse_anywhere_does_to_any_point() {
    let worst = Cell::new([0.0_f64; 2]);
    for_all(800, &(any_case(false), any_points(3)), |(case, given)| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let mut scratch = case.placed();
        let points = points(&case, &given);
        let mut blocks = vec![DMat3::ZERO; 9];
        tree.point_responses(&points, &mut scratch, &mut ResponseScratch::default(), &mut blocks)
            .unwrap();
        let h = case.mass_matrix(&mut scratch);
        let mut jacobian = vec![MotionVector::ZERO; n];
        let size = blocks.iter().map(|k| largest(&k.to_cols_array())).fold(0.0, f64::max);
        for (b, at) in points.iter().enumerate() {
            let jumps = struck(&case, &mut scratch, *at, DVec3::new(1.0, -2.0, 0.5), DVec3::ZERO);
            let p = DVec3::new(1.0, -2.0, 0.5);
            // H·Δv = Jᵀ·p.
            tree.jacobian(&scratch, at.link, at.point, &mut jacobian);
            let pushed: Vec<f64> = jacobian.iter().map(|j| j.linear.dot(p)).collect();
            let residual =
                largest_difference(&times(&h, &jumps), &pushed) / (1.0 + largest(&pushed));
            for (a, of) in points.iter().enumerate() {
                tree.jacobian(&scratch, of.link, of.point, &mut jacobian);
                let change: DVec3 =
                    jacobian.iter().zip(&jumps).map(|(j, jump)| *jump * j.linear).sum();
                let off = (blocks[3 * a + b] * p - change).length() / (1e-3 + size);
                worst.set([worst.get()[0].max(off), worst.get()[1].max(residual)]);
                assert_eq!(blocks[3 * a + b], blocks[3 * b + a].transpose());
            }
        }
    });
    println!(
        "blocks against impulses {:e}, impulses against the mass matrix {:e}",
        worst.get()[0],
        worst.get()[1]
    );
    // As forward dynamics.
    assert!(largest(&worst.get()) < 1e-10, "{:?}", worst.get());
}

/// proves: m2/R-17
#[test]
fn freedoms_spins_and_points_may_be_rows_of_one_response() {
    for_all(500, &(any_case(false), any_points(2)), |(case, given)| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let mut scratch = case.placed();
        let points = points(&case, &given);
        let direction = DVec3::new(0.6, 0.0, 0.8);
        let mut rows = vec![
            Row::Point { at: points[0], direction },
            Row::Spin { link: points[1].link, direction: DVec3::Y },
        ];
        rows.extend((0..n).map(Row::Freedom));
        let m = rows.len();
        let mut matrix = vec![0.0; m * m];
        tree.response_matrix(&rows, &mut scratch, &mut ResponseScratch::default(), &mut matrix)
            .unwrap();
        // The part of the freedoms is H⁻¹.
        let h = case.mass_matrix(&mut scratch);
        for k in 0..n {
            let column: Vec<f64> = (0..n).map(|l| matrix[(l + 2) * m + k + 2]).collect();
            let mut unit = vec![0.0; n];
            unit[k] = 1.0;
            let off = largest_difference(&times(&h, &column), &unit);
            assert!(off < 1e-9, "column {k} of the inverse: {off:e}");
        }
        // Other rows are their Jacobians times that.
        let mut jacobian = vec![MotionVector::ZERO; n];
        tree.jacobian(&scratch, points[0].link, points[0].point, &mut jacobian);
        let point: Vec<f64> = jacobian.iter().map(|j| j.linear.dot(direction)).collect();
        tree.jacobian(&scratch, points[1].link, points[1].point, &mut jacobian);
        let spin: Vec<f64> = jacobian.iter().map(|j| j.angular.y).collect();
        let size = largest(&matrix);
        for k in 0..n {
            let column: Vec<f64> = (0..n).map(|l| matrix[(l + 2) * m + k + 2]).collect();
            let off =
                [dot(&point, &column) - matrix[k + 2], dot(&spin, &column) - matrix[m + k + 2]];
            assert!(largest(&off) < 1e-10 * (1.0 + size), "{off:?}");
        }
    });
}

/// proves: m2/R-22 m2/R-23 m2/R-24
#[test]
fn an_impulse_brings_its_momentum_and_its_work_to_a_tree_on_nothing() {
    let worst = Cell::new([0.0_f64; 3]);
    let inputs = (any_case(true), any_points(1), vector(2.0), vector(0.5));
    for_all(800, &inputs, |(case, given, linear, angular)| {
        let mut scratch = case.placed();
        let at = points(&case, &given)[0];
        let jumps = struck(&case, &mut scratch, at, linear, angular);
        let v: Vec<f64> = case.v.iter().zip(&jumps).map(|(v, jump)| v + jump).collect();
        let after = Case { v, ..case.clone() }.placed();
        let (was, is) = (scratch.momentum(), after.momentum());
        let gained = is.linear - was.linear - linear;
        let turned = is.angular - was.angular - at.point.cross(linear) - angular;
        let speed = |of: &crate::tree::Scratch| {
            of.velocity(at.link).at(at.point - of.pose(at.link).translation)
        };
        let (before, now) = (speed(&scratch), speed(&after));
        let work = 0.5
            * ((before.linear + now.linear).dot(linear)
                + (before.angular + now.angular).dot(angular));
        let energy = [scratch.kinetic_energy(), after.kinetic_energy()];
        let size = 1.0 + was.angular.length() + is.angular.length();
        let off = [
            gained.length() / size,
            turned.length() / size,
            (energy[1] - energy[0] - work).abs() / (energy[0] + energy[1]),
        ];
        let old = worst.get();
        worst.set([0, 1, 2].map(|i| old[i].max(off[i])));
    });
    println!("momentum, angular momentum and work: off by {:?}", worst.get());
    // As forward dynamics; energies are squares of what is off.
    assert!(largest(&worst.get()) < 1e-10, "{:?}", worst.get());
}

#[test]
fn responses_after_a_damped_solution_are_those_of_the_mass_matrix_itself() {
    for_all(100, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let (mut fresh, mut used) = (case.placed(), case.placed());
        let (mut v_dot, mut one, mut other) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let gamma = vec![3.0; n];
        let load = crate::tree::Load { added_diagonal: &gamma, ..Default::default() };
        tree.forward(&load, &mut used, &mut v_dot).unwrap();
        tree.impulse_response(&[], &case.numbers[0], &mut used, &mut one).unwrap();
        tree.impulse_response(&[], &case.numbers[0], &mut fresh, &mut other).unwrap();
        assert_eq!(one, other);
    });
}
