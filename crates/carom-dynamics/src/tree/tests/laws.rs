//! Laws of mechanics on random trees of all kinds of joints.

use std::cell::Cell;

use carom_geometry::Pose;
use glam::{DMat3, DVec3};
use proptest::prelude::*;

use super::{Case, GRAVITY, any_case, dot, for_all, largest, largest_difference, times, tree_of};
use crate::spatial::{ForceVector, MotionVector};
use crate::testing::{rotation, vector};
use crate::tree::{LinkSpec, Load};

/// What sums of some hundred products of numbers up to 100, divided by joint inertias down to 10⁻³ of the largest,
/// may lose.
const ROUNDING: f64 = 1e-10;

fn wrenches(case: &Case) -> Vec<ForceVector> {
    let given = case.numbers[2].iter().cycle();
    let mut given = given.copied();
    let mut next =
        || DVec3::new(given.next().unwrap(), given.next().unwrap(), given.next().unwrap());
    (0..case.tree.n_links()).map(|_| ForceVector::new(next(), next())).collect()
}

/// proves: m2/R-05 m2/R-09
#[test]
fn forward_dynamics_undoes_inverse_dynamics_and_the_mass_matrix_explains_both() {
    let worst = Cell::new([0.0_f64; 3]);
    for_all(1500, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let mut scratch = case.placed();
        let (tau, gamma) =
            (&case.numbers[0], case.numbers[1].iter().map(|x| x.abs()).collect::<Vec<_>>());
        let wrenches = wrenches(&case);
        let load = Load { gravity: GRAVITY, tau, wrenches: &wrenches, added_diagonal: &[] };
        let h = case.mass_matrix(&mut scratch);
        let (mut bias, mut v_dot, mut again) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        tree.inverse(&load, &vec![0.0; n], &mut scratch, &mut bias);
        tree.forward(&load, &mut scratch, &mut v_dot).unwrap();
        tree.inverse(&load, &v_dot, &mut scratch, &mut again);
        let size = largest(tau) + largest(&bias);
        let sum: Vec<f64> = times(&h, &v_dot).iter().zip(&bias).map(|(a, b)| a + b).collect();
        let damped = Load { added_diagonal: &gamma, ..load };
        tree.forward(&damped, &mut scratch, &mut v_dot).unwrap();
        let damped_sum: Vec<f64> =
            (0..n).map(|k| times(&h, &v_dot)[k] + gamma[k] * v_dot[k] + bias[k]).collect();
        let off = [again, sum, damped_sum].map(|found| largest_difference(&found, tau) / size);
        let old = worst.get();
        worst.set([0, 1, 2].map(|i| old[i].max(off[i])));
        assert!(largest(&off) < ROUNDING, "{off:?} {:?}", case.links);
    });
    println!(
        "inverse of forward, mass matrix, with an added diagonal: off by {:?} of the forces",
        worst.get()
    );
}

/// proves: m2/R-09
#[test]
fn prescribed_accelerations_and_forces_belong_together() {
    let worst = Cell::new(0.0_f64);
    for_all(1500, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let mut scratch = case.placed();
        let prescribed: Vec<bool> = case.numbers[2].iter().map(|x| *x > 0.0).collect();
        let wrenches = wrenches(&case);
        let load = Load {
            gravity: GRAVITY,
            tau: &case.numbers[0],
            wrenches: &wrenches,
            added_diagonal: &[],
        };
        let (mut v_dot, mut tau, mut again) = (case.numbers[1].clone(), vec![0.0; n], vec![0.0; n]);
        tree.mixed(&load, &prescribed, &mut scratch, &mut v_dot, &mut tau).unwrap();
        for k in 0..n {
            let kept = if prescribed[k] {
                v_dot[k] == case.numbers[1][k]
            } else {
                tau[k] == case.numbers[0][k]
            };
            assert!(kept, "freedom {k} lost what was given");
        }
        tree.inverse(&load, &v_dot, &mut scratch, &mut again);
        let off = largest_difference(&again, &tau) / (largest(&tau) + GRAVITY.length());
        worst.set(worst.get().max(off));
        assert!(off < ROUNDING, "{off:e}");
    });
    println!("mixed against inverse dynamics: off by {:e} of the forces", worst.get());
}

/// proves: m2/R-10
#[test]
fn a_wrench_on_a_link_does_what_its_joint_forces_do() {
    let worst = Cell::new(0.0_f64);
    let inputs = (any_case(false), vector(1.0), vector(5.0), vector(5.0), 0.0..1.0);
    for_all(1000, &inputs, |(case, point, force, moment, which)| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let mut scratch = case.placed();
        let link = (which * tree.n_links() as f64) as usize;
        let arm = point - scratch.pose(link).translation;
        let mut wrenches = vec![ForceVector::ZERO; tree.n_links()];
        wrenches[link] = ForceVector::new(moment, force).carried(arm);
        let (mut one, mut other, mut tau) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let load = Load { gravity: GRAVITY, wrenches: &wrenches, ..Load::default() };
        tree.forward(&load, &mut scratch, &mut one).unwrap();
        tree.add_joint_forces(&scratch, link, point, ForceVector::new(moment, force), &mut tau);
        let load = Load { gravity: GRAVITY, tau: &tau, ..Load::default() };
        tree.forward(&load, &mut scratch, &mut other).unwrap();
        // The same by the Jacobian.
        let mut jacobian = vec![MotionVector::ZERO; n];
        tree.jacobian(&scratch, link, point, &mut jacobian);
        let power =
            jacobian.iter().map(|j| ForceVector::new(moment, force).dot(*j)).collect::<Vec<_>>();
        assert!(largest_difference(&power, &tau) < 1e-12 * (1.0 + largest(&tau)));
        let off = largest_difference(&one, &other) / (1.0 + largest(&one));
        worst.set(worst.get().max(off));
        assert!(off < ROUNDING, "{off:e}");
    });
    println!("wrench against its joint forces: off by {:e}", worst.get());
}

/// dE/dt by the motion of each body, E kinetic and potential, equals τ·v: no joint does work.
///
/// proves: m2/R-07
#[test]
fn energy_grows_by_the_power_of_the_joint_forces_alone() {
    let worst = Cell::new(0.0_f64);
    for_all(1500, &any_case(false), |case| {
        let tree = &case.tree;
        let mut scratch = case.placed();
        let mut v_dot = vec![0.0; tree.n_v()];
        let load = Load { gravity: GRAVITY, tau: &case.numbers[0], ..Load::default() };
        tree.forward(&load, &mut scratch, &mut v_dot).unwrap();
        let (mut growth, mut size) = (0.0, 0.0_f64);
        for link in 0..tree.n_links() {
            let body = tree.mass_properties(link);
            let kinematics = scratch.body_kinematics(tree, link);
            let (state, alpha) = (kinematics.state, kinematics.angular_acceleration);
            let turn = DMat3::from_quat(state.orientation);
            let inertia = turn * body.inertia * turn.transpose();
            let (w, v) = (state.angular_velocity, state.velocity);
            let parts = [
                body.mass * v.dot(kinematics.acceleration),
                w.dot(inertia * alpha),
                -body.mass * GRAVITY.dot(v),
            ];
            growth += parts.iter().sum::<f64>();
            size += parts.iter().map(|x| x.abs()).sum::<f64>();
        }
        let off = (growth - dot(&case.numbers[0], &case.v)).abs() / size;
        worst.set(worst.get().max(off));
        assert!(off < ROUNDING, "{off:e}");
    });
    println!("growth of energy against power: off by {:e} of its parts", worst.get());
}

/// proves: m2/R-07
#[test]
fn a_tree_on_nothing_falls_with_its_weight_and_keeps_its_angular_momentum() {
    let worst = Cell::new([0.0_f64; 2]);
    for_all(1000, &any_case(true), |case| {
        let tree = &case.tree;
        let mut scratch = case.placed();
        let mut v_dot = vec![0.0; tree.n_v()];
        // Inner forces only: those of the free root itself would act from outside.
        let mut tau = case.numbers[0].clone();
        tau[..6].fill(0.0);
        for link in 1..tree.n_links() {
            if tree.parent(link).is_none() {
                unreachable!("the first link is the only root");
            }
        }
        let load = Load { gravity: GRAVITY, tau: &tau, ..Load::default() };
        tree.forward(&load, &mut scratch, &mut v_dot).unwrap();
        let (mut linear, mut angular, mut size) = (DVec3::ZERO, DVec3::ZERO, [0.0_f64; 2]);
        for link in 0..tree.n_links() {
            let body = tree.mass_properties(link);
            let kinematics = scratch.body_kinematics(tree, link);
            let (x, w) = (kinematics.state.position, kinematics.state.angular_velocity);
            let turn = DMat3::from_quat(kinematics.state.orientation);
            let inertia = turn * body.inertia * turn.transpose();
            let surplus = body.mass * (kinematics.acceleration - GRAVITY);
            let spin = inertia * kinematics.angular_acceleration + w.cross(inertia * w);
            linear += surplus;
            angular += x.cross(surplus) + spin;
            size =
                [size[0] + surplus.length(), size[1] + x.cross(surplus).length() + spin.length()];
        }
        let off = [linear.length() / (1.0 + size[0]), angular.length() / (1.0 + size[1])];
        let old = worst.get();
        worst.set([old[0].max(off[0]), old[1].max(off[1])]);
        assert!(largest(&off) < ROUNDING, "{off:?}");
    });
    println!("momentum beyond weight: {:?} of its parts", worst.get());
}

#[test]
fn momentum_and_energy_are_sums_over_bodies() {
    for_all(500, &any_case(false), |case| {
        let scratch = case.placed();
        let (mut linear, mut angular, mut kinetic, mut potential) =
            (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
        for link in 0..case.tree.n_links() {
            let body = case.tree.mass_properties(link);
            let state = scratch.body_state(&case.tree, link);
            let turn = DMat3::from_quat(state.orientation);
            let spin = turn * body.inertia * turn.transpose() * state.angular_velocity;
            linear += body.mass * state.velocity;
            angular += state.position.cross(body.mass * state.velocity) + spin;
            kinetic += 0.5
                * (body.mass * state.velocity.length_squared() + spin.dot(state.angular_velocity));
            potential -= body.mass * GRAVITY.dot(state.position);
        }
        let momentum = scratch.momentum();
        let (k, p) = (scratch.kinetic_energy(), scratch.potential_energy(GRAVITY));
        let allowed = 1e-12 * (1.0 + kinetic + largest(&angular.to_array()));
        assert!((momentum.linear - linear).length() < allowed, "{momentum:?} {linear}");
        assert!((momentum.angular - angular).length() < allowed, "{momentum:?} {angular}");
        assert!(
            (k - kinetic).abs() < allowed
                && (p - potential).abs() < 1e-12 * (100.0 + potential.abs())
        );
    });
}

#[test]
fn accelerations_do_not_depend_on_where_the_world_has_its_origin_and_axes() {
    let worst = Cell::new(0.0_f64);
    let inputs = (any_case(false), rotation(), vector(50.0));
    for_all(1000, &inputs, |(case, turn, shift)| {
        let move_by = Pose::new(shift, turn);
        let moved: Vec<LinkSpec> = case
            .links
            .iter()
            .map(|link| match link.parent {
                Some(_) => *link,
                None => LinkSpec {
                    parent_from_joint: move_by.then_from(&link.parent_from_joint),
                    ..*link
                },
            })
            .collect();
        let moved = Case { tree: tree_of(&moved), links: moved, ..case.clone() };
        let answer = |case: &Case, gravity: DVec3| {
            let mut scratch = case.placed();
            let mut v_dot = vec![0.0; case.tree.n_v()];
            let load = Load { gravity, tau: &case.numbers[0], ..Load::default() };
            case.tree.forward(&load, &mut scratch, &mut v_dot).unwrap();
            v_dot
        };
        let (one, other) = (answer(&case, GRAVITY), answer(&moved, turn * GRAVITY));
        let off = largest_difference(&one, &other) / (1.0 + largest(&one));
        worst.set(worst.get().max(off));
        assert!(off < ROUNDING, "{off:e}");
    });
    println!("moved by 50 m and turned: off by {:e}", worst.get());
}

#[test]
fn a_free_body_moves_as_a_ballistic_one_begins_to() {
    let inputs = any_case(true).prop_map(|case| Case { tree: tree_of(&case.links[..1]), ..case });
    for_all(500, &inputs, |case| {
        let tree = &case.tree;
        let mut scratch = crate::tree::Scratch::new(tree);
        tree.place(&case.q[..7], &case.v[..6], &mut scratch);
        let mut v_dot = [0.0; 6];
        tree.forward(&Load { gravity: GRAVITY, ..Load::default() }, &mut scratch, &mut v_dot)
            .unwrap();
        let mass = crate::Mass::new(tree.mass_properties(0)).unwrap();
        let flight = crate::Ballistic::new(0.0, scratch.body_state(tree, 0), GRAVITY, &mass);
        let (one, other) = (scratch.body_kinematics(tree, 0), flight.kinematics_at(0.0));
        let allowed = 1e-10 * (1.0 + one.angular_acceleration.length());
        assert!((one.acceleration - other.acceleration).length() < allowed, "{one:?} {other:?}");
        let off = (one.angular_acceleration - other.angular_acceleration).length();
        assert!(off < allowed, "{off:e} {one:?}");
    });
}

#[test]
fn nothing_is_allocated_between_the_first_and_the_last_link() {
    for_all(20, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let mut scratch = case.placed();
        let (mut v_dot, mut tau, mut h) = (vec![0.0; n], vec![0.0; n], vec![0.0; n * n]);
        let load = Load { gravity: GRAVITY, tau: &case.numbers[0], ..Load::default() };
        let count = allocation_counter::measure(|| {
            tree.place(&case.q, &case.v, &mut scratch);
            tree.forward(&load, &mut scratch, &mut v_dot).unwrap();
            tree.inverse(&load, &v_dot, &mut scratch, &mut tau);
            tree.mass_matrix(&mut scratch, &mut h);
            tree.impulse_response(&[], &tau, &mut scratch, &mut v_dot).unwrap();
        });
        assert_eq!(count.count_total, 0);
    });
}
