//! Laws of mechanics along whole runs.

use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use std::time::Instant;

use carom_geometry::{MassProperties, Pose};

use super::super::{Drive, JointForce, Linkage};
use super::{Dice, Run, free, linkage};
use crate::spatial::ForceVector;
use crate::tree::tests::{GRAVITY, any_case, any_joint, diagonal, for_all, rod, tree_of};
use crate::tree::{Joint, LinkSpec, Scratch, Tree};
use crate::{Ballistic, BodyState, Mass};

/// Two rods, one on the other, both on joints of this kind.
fn pendulum(kind: usize) -> Tree {
    let joint = any_joint(kind, DVec3::new(0.6, 0.8, 0.0), DVec3::Z);
    let below = DVec3::new(0.1, 0.0, -1.0);
    tree_of(&[rod(None, DVec3::ZERO, joint), rod(Some(0), below, joint)])
}

#[test]
fn energy_changes_by_work_less_losses_in_joints_of_all_kinds() {
    let mut worst_of_all = 0.0_f64;
    for kind in 0..8 {
        for damping in [0.0, 0.3] {
            let joint = JointForce { damping, armature: 0.05, ..JointForce::default() };
            let tree = pendulum(kind);
            let linkage = linkage(tree.clone(), joint, 1e-9);
            let v: Vec<f64> = (0..tree.n_v()).map(|k| 1.0 - 0.4 * k as f64).collect();
            let mut run = Run::new(&linkage, &tree.neutral(), &v);
            run.drive.torque = (0..tree.n_v()).map(|k| 0.5 - 0.2 * k as f64).collect();
            run.drive.wrenches = vec![ForceVector::new(0.3 * DVec3::Y, DVec3::X); 2];
            let (start, mut dice) = (run.energy(), Dice(kind as u64));
            let (mut work, mut loss, mut error, mut worst) = (0.0, 0.0, 0.0, 0.0_f64);
            while run.time < 2.0 {
                let course = run.look_ahead(2.0);
                let span = course.span();
                let cut =
                    if dice.roll() < 0.3 { span.start + 0.6 * span.length() } else { span.end };
                run.go_to(&course, cut);
                work += course.work(span.start, cut);
                loss += course.loss(span.start, cut);
                error += course.energy_error(span.start, cut, &mut run.workspace);
                let change = run.energy() - start;
                worst = worst.max((change - work + loss).abs());
                assert!(
                    (change - work + loss - error).abs()
                        < 1e-12 * (1.0 + change.abs() + work.abs())
                );
            }
            println!(
                "joints of kind {kind}, damping {damping}: work {work:.4} J, loss {loss:.4} J, books open by {worst:.1e} J"
            );
            assert!(damping == 0.0 || loss > 0.0);
            worst_of_all = worst_of_all.max(worst);
        }
    }
    // Energies are some 30 J, and each of some hundred segments and cuts may err by the tolerance.
    assert!(worst_of_all < 3e-7, "{worst_of_all:e} J");
}

#[test]
fn random_trees_keep_their_energy() {
    for_all(40, &any_case(false), |case| {
        let mut run = Run::new(&free(case.tree.clone(), 1e-9), &case.q, &case.v);
        let start = run.energy();
        run.advance(0.5);
        let kinetic = run.linkage.kinetic_energy(&run.q, &run.v, &mut run.workspace);
        let drift = (run.energy() - start).abs();
        assert!(drift <= 1e-7 * (1.0 + kinetic), "{drift:e} J of {kinetic} J");
    });
}

/// Rods of this length and mass, joined end to end, lying along x.
pub(super) fn chain(count: usize, length: f64, mass: f64) -> Tree {
    rods(length, &vec![mass; count])
}

fn rods(length: f64, masses: &[f64]) -> Tree {
    let mut links = Vec::new();
    for (i, &mass) in masses.iter().enumerate() {
        let moment = mass * length * length / 12.0;
        let at = if i == 0 { DVec3::ZERO } else { DVec3::new(length, 0.0, 0.0) };
        links.push(LinkSpec {
            parent: i.checked_sub(1),
            parent_from_joint: Pose::from_translation(at),
            joint: Joint::Revolute { axis: DVec3::Y },
            body: diagonal(mass, DVec3::new(0.5 * length, 0.0, 0.0), [0.0, moment, moment]),
        });
    }
    tree_of(&links)
}

#[test]
fn ten_rods_keep_their_energy_for_ten_seconds() {
    for tolerance in [1e-6, 2e-7, 5e-8] {
        let linkage = free(chain(10, 0.1, 0.1), tolerance);
        let mut run = Run::new(&linkage, &[0.0; 10], &[0.0; 10]);
        let clock = Instant::now();
        let (mut worst, mut measuring) = (0.0_f64, 0.0);
        while run.time < 10.0 {
            let course = run.step(10.0);
            let pause = Instant::now();
            let span = course.span();
            for k in 1..=5 {
                let time = (span.start + span.length() * f64::from(k) / 5.0).min(span.end);
                worst = worst.max(course.energy_at(time, &mut run.workspace).abs());
            }
            measuring += pause.elapsed().as_secs_f64();
        }
        let wall = clock.elapsed().as_secs_f64() - measuring;
        // M·g·L/2.
        let share = worst / (1.0 * 9.81 * 1.0 / 2.0);
        println!(
            "tolerance {tolerance:e}: energy off by {share:.2e} of MgL/2, {} segments, {} calls, {:.1} ms",
            run.segments,
            run.calls,
            1e3 * wall
        );
        // The motion is chaotic, so that its worst moment is another with every change of rounding.
        assert!(tolerance > 5e-7 || share <= 1e-6, "{share:e}");
    }
}

#[test]
fn a_free_link_flies_as_a_body_in_flight_does() {
    let center = DVec3::new(0.2, -0.1, 0.3);
    let body = diagonal(2.0, center, [0.1, 0.25, 0.3]);
    let tree = tree_of(&[LinkSpec {
        parent: None,
        parent_from_joint: Pose::new(DVec3::X, DQuat::from_rotation_x(0.4)),
        joint: Joint::Free,
        body,
    }]);
    let q = [0.5, 1.0, 2.0, 0.5, -0.5, 0.5, 0.5];
    let v = [1.0, 2.0, 3.0, 0.4, 5.0, -0.3];
    let mut run = Run::new(&free(tree, 1e-12), &q, &v);
    let state = run.linkage.body_state(&q, &v, 0, &mut run.workspace);
    let arc = Ballistic::new(0.0, state, GRAVITY, &Mass::new(&body).unwrap());
    let mut worst = 0.0_f64;
    while run.time < 2.0 {
        let course = run.step(2.0);
        let (span, motion) = (course.span(), course.link(0));
        for k in 0..=10 {
            let time = (span.start + span.length() * f64::from(k) / 10.0).min(span.end);
            worst = worst.max(apart(&motion.state_at(time), &arc.state_at(time)));
        }
    }
    println!("off by {worst:.1e} after 2 s, {} segments, {} calls", run.segments, run.calls);
    assert!(worst < 1e-9, "{worst:e}");
}

fn apart(a: &BodyState, b: &BodyState) -> f64 {
    let turn = a.orientation.conjugate() * b.orientation;
    let turned = 2.0 * DVec3::new(turn.x, turn.y, turn.z).length();
    (a.position - b.position)
        .length()
        .max(turned)
        .max((a.velocity - b.velocity).length())
        .max((a.angular_velocity - b.angular_velocity).length())
}

/// A point of 2 kg on a rail.
pub(super) fn slider() -> Tree {
    let body = MassProperties { mass: 2.0, center: DVec3::ZERO, inertia: DMat3::ZERO };
    let joint = Joint::Prismatic { axis: DVec3::X };
    tree_of(&[LinkSpec { parent: None, parent_from_joint: Pose::IDENTITY, joint, body }])
}

#[test]
fn a_damped_spring_swings_as_its_formula_says() {
    let (mass, start) = (2.0, 0.3);
    for (stiffness, damping, armature) in
        [(50.0, 0.0, 0.0), (50.0, 1.5, 0.0), (50.0, 1.5, 0.7), (0.0, 8000.0, 0.0)]
    {
        let joint = JointForce { damping, stiffness, rest: 0.1, armature, ..JointForce::default() };
        let mut run = Run::new(&linkage(slider(), joint, 1e-10), &[start], &[1.0]);
        let inertia = mass + armature;
        let decay = 0.5 * damping / inertia;
        let rate = (stiffness / inertia - decay * decay).abs().sqrt();
        let mut worst = 0.0_f64;
        while run.time < 3.0 {
            let course = run.step(3.0);
            for k in 0..=8 {
                let time = (course.span().start + course.span().length() * f64::from(k) / 8.0)
                    .min(course.span().end);
                let (mut q, mut v) = ([0.0], [0.0]);
                course.joint_state(time, &mut q, &mut v);
                let exact = if stiffness == 0.0 {
                    start + (1.0 - libm::exp(-2.0 * decay * time)) / (2.0 * decay)
                } else {
                    let (sin, cos) = libm::sincos(rate * time);
                    let side = (1.0 + decay * (start - 0.1)) / rate;
                    0.1 + libm::exp(-decay * time) * ((start - 0.1) * cos + side * sin)
                };
                worst = worst.max((q[0] - exact).abs());
            }
        }
        println!(
            "k {stiffness}, c {damping}, armature {armature}: off by {worst:.1e} m, {} segments, {} calls",
            run.segments, run.calls
        );
        assert!(worst < 1e-8, "{worst:e}");
    }
}

#[test]
fn springs_about_points_and_in_space_keep_energy() {
    for joint in [Joint::Spherical, Joint::Free] {
        let tree = tree_of(&[rod(None, DVec3::ZERO, joint), rod(Some(0), -DVec3::Z, joint)]);
        let spring = JointForce { stiffness: 20.0, ..JointForce::default() };
        let v: Vec<f64> = (0..tree.n_v()).map(|k| 0.7 - 0.3 * k as f64).collect();
        let mut run = Run::new(&linkage(tree.clone(), spring, 1e-10), &tree.neutral(), &v);
        let start = run.energy();
        run.advance(2.0);
        let strain = run.linkage.spring_energy(&run.q, &mut run.workspace);
        let drift = run.energy() - start;
        println!("{joint:?}: {strain:.2} J in springs, energy off by {drift:.1e} J");
        assert!(drift.abs() < 1e-8, "{drift:e}");
    }
}

#[test]
fn damping_of_light_links_costs_little() {
    let masses = [0.1, 0.1, 0.001, 0.001];
    let mut calls = Vec::new();
    for rate in [0.0, 1.0, 10.0, 100.0, 1000.0, 4000.0] {
        let joint =
            |mass: f64| JointForce { damping: rate * mass * 0.01 / 3.0, ..JointForce::default() };
        let linkage = Linkage::new(rods(0.1, &masses), masses.map(joint).to_vec(), 1e-7).unwrap();
        let mut run = Run::new(&Arc::new(linkage), &[0.0; 4], &[0.0; 4]);
        run.advance(1.0);
        calls.push(run.calls);
        println!("c/D {rate}/s: {} segments, {} calls", run.segments, run.calls);
    }
    assert!(calls.iter().all(|count| *count <= 4 * calls[0]), "{calls:?}");
}

#[test]
fn a_floating_linkage_keeps_its_momentum() {
    let measured = std::cell::Cell::new(0.0_f64);
    for_all(40, &any_case(true), |case| {
        let mut run = Run::new(&free(case.tree.clone(), 1e-10), &case.q, &case.v);
        run.drive = Drive::default();
        let momentum = |run: &Run| {
            let mut scratch = Scratch::new(&case.tree);
            case.tree.place(&run.q, &run.v, &mut scratch);
            scratch.momentum()
        };
        let before = momentum(&run);
        run.advance(0.5);
        let after = momentum(&run);
        let size = case.tree.mass() + before.linear.length() + before.angular.length();
        let linear = (after.linear - before.linear).length();
        let drift = linear.max((after.angular - before.angular).length()) / size;
        measured.set(measured.get().max(drift));
    });
    println!("momentum off by {:.1e} of its size after 0.5 s", measured.get());
    assert!(measured.get() < 1e-8);
}

#[test]
fn a_linkage_1024_times_as_large_does_the_same_32_times_as_slowly() {
    let built = |factor: f64| -> Arc<Linkage> { free(chain(5, 0.1 * factor, 0.1), 1e-7) };
    let start = [0.3, -0.2, FRAC_PI_2, 0.1, 1.0];
    let [mut small, mut large] =
        [1.0, 1024.0].map(|factor| Run::new(&built(factor), &start, &[0.0; 5]));
    for _ in 0..200 {
        small.step(f64::INFINITY);
        large.step(f64::INFINITY);
    }
    let apart = crate::tree::tests::largest_difference(&small.q, &large.q);
    println!("after {} and {} s: {apart:.1e} rad apart", small.time, large.time);
    assert_eq!((32.0 * small.time).to_bits(), large.time.to_bits());
    assert_eq!(small.q, large.q);
}
