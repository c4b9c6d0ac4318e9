//! Dry friction: sliding, sticking, slipping.

use glam::{DMat3, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

use carom_geometry::{MassProperties, Pose};

use super::super::{Change, Grip, JointForce, Linkage, Sense, Transition};
use super::dynamics::{chain, slider};
use super::{Run, linkage};
use crate::tree::tests::{rod, tree_of};
use crate::tree::{Joint, LinkSpec, Tree};

#[test]
fn a_block_stops_after_v_squared_over_2_mu_g_and_stays() {
    let (mass, mu, v) = (2.0, 0.35, 3.0);
    let friction = mu * mass * 9.81;
    let joint = JointForce { friction, ..JointForce::default() };
    let mut run = Run::new(&linkage(slider(), joint, 1e-10), &[0.0], &[v]);
    let (mut lost, mut stop) = (0.0, None);
    run.follow(5.0, |run, course, _| {
        lost += course.friction_loss(course.span().start, course.span().end);
        if let Some(transition) = course.transition() {
            assert_eq!(transition, Transition { freedom: 0, change: Change::StopsSliding });
            stop = Some((run.time, run.q[0]));
        }
    });
    let (time, way) = stop.unwrap();
    let (exact_time, exact_way) = (v / (mu * 9.81), v * v / (2.0 * mu * 9.81));
    println!(
        "stops off by {:.1e} s and {:.1e} m, loss off by {:.1e} J, {} segments",
        time - exact_time,
        way - exact_way,
        lost - 0.5 * mass * v * v,
        run.segments
    );
    assert!((time - exact_time).abs() < 1e-14 && (way - exact_way).abs() < 1e-14);
    assert!((lost - 0.5 * mass * v * v).abs() < 1e-13);
    assert_eq!(run.q[0].to_bits(), way.to_bits());
    assert_eq!((run.v[0], run.mode.grip(0)), (0.0, Grip::Stuck));
}

#[test]
fn a_block_on_a_spring_sticks_and_slips_by_half_periods() {
    let (mass, stiffness, friction) = (2.0_f64, 80.0_f64, 5.0);
    let joint = JointForce { stiffness, friction, ..JointForce::default() };
    let mut run = Run::new(&linkage(slider(), joint, 1e-11), &[0.0], &[0.0]);
    let half_period = PI * (mass / stiffness).sqrt();
    let (mut exact, mut worst, mut slips) = (0.0_f64, 0.0_f64, 0);
    for step in 0..20 {
        let torque = [3.0, 7.0, 9.5, -4.0, -12.0][step % 5];
        run.drive.torque = vec![torque];
        let (begin, mut ended) = (run.time, None);
        run.follow(begin + 2.0, |run, course, _| {
            if course.transition().is_some() {
                ended = ended.or(Some(run.time));
            }
        });
        // Pulled over F the block swings about (τ ∓ F)/k, and by half a period it stands on the other side.
        let pull = torque - stiffness * exact;
        if pull.abs() > friction {
            slips += 1;
            let middle = (torque - pull.signum() * friction) / stiffness;
            exact = 2.0 * middle - exact;
            assert!((torque - stiffness * exact).abs() < friction, "the step slips once");
            worst = worst.max((ended.unwrap() - begin - half_period).abs());
        }
        worst = worst.max((run.q[0] - exact).abs());
        assert_eq!(run.mode.grip(0), Grip::Stuck);
    }
    println!("{slips} slips, off by {worst:.1e} m or s, {} segments", run.segments);
    assert!(slips > 5 && worst < 1e-9, "{worst:e}");
}

/// A cart of 2 kg on a rail along x, and a rod of 1 kg and 1 m that swings on it.
pub(super) fn cart() -> Tree {
    let body = MassProperties { mass: 2.0, center: DVec3::ZERO, inertia: DMat3::ZERO };
    let joint = Joint::Prismatic { axis: DVec3::X };
    let base = LinkSpec { parent: None, parent_from_joint: Pose::IDENTITY, joint, body };
    tree_of(&[base, rod(Some(0), DVec3::ZERO, Joint::Revolute { axis: -DVec3::Y })])
}

/// The force that holds the cart while the rod swings from `start` to `angle`: m·d²(½·sin θ)/dt².
pub(super) fn pull(start: f64, angle: f64) -> f64 {
    let rate = 9.81 * 0.5 / (1.0 / 12.0 + 0.25);
    let square = 2.0 * rate * (libm::cos(angle) - libm::cos(start));
    0.5 * (-rate * libm::sin(angle) * libm::cos(angle) - square * libm::sin(angle))
}

#[test]
fn a_cart_slips_when_the_pendulum_on_it_pulls_with_its_friction() {
    let friction = 4.0;
    let held = JointForce { friction, ..JointForce::default() };
    let linkage = Linkage::new(cart(), vec![held, JointForce::default()], 1e-11).unwrap();
    let mut run = Run::new(&linkage.into(), &[0.3, FRAC_PI_2], &[0.0, 0.0]);
    run.settle(None);
    assert_eq!(run.mode.grip(0), Grip::Stuck);
    let mut forces = [0.0; 2];
    let mut worst = 0.0_f64;
    let transition = loop {
        let course = run.step(2.0);
        for share in [0.0, 0.3, 0.8, 1.0] {
            let time =
                (course.span().start + share * course.span().length()).min(course.span().end);
            let (mut q, mut v) = ([0.0; 2], [0.0; 2]);
            course.joint_state(time, &mut q, &mut v);
            course.holding_forces(time, &mut run.workspace, &mut forces).unwrap();
            worst = worst.max((forces[0] - pull(FRAC_PI_2, q[1])).abs());
            assert_eq!((q[0].to_bits(), v[0].to_bits()), (0.3_f64.to_bits(), 0));
        }
        if let Some(transition) = course.transition() {
            break transition;
        }
    };
    // Where the closed form reaches F, by bisection.
    let (mut low, mut high) = (1.0, FRAC_PI_2);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if pull(FRAC_PI_2, middle).abs() > friction { low = middle } else { high = middle }
    }
    println!("forces off by {worst:.1e} N, slips {:.1e} rad from the closed form", run.q[1] - low);
    assert_eq!(transition.change, Change::Slips(Sense::Forward));
    assert!(worst < 1e-8 && (run.q[1] - low).abs() < 1e-9);
    run.settle(Some(transition));
    assert_eq!(run.mode.grip(0), Grip::Sliding(Sense::Forward));
    // What is let go moves.
    let course = run.step(2.0);
    assert!(course.span().length() > 1e-4 && run.v[0] > 0.0);
}

#[test]
fn dry_friction_takes_its_force_times_the_way() {
    let tree = chain(2, 1.0, 1.0);
    let joint = |friction| JointForce { friction, damping: 0.1, ..JointForce::default() };
    let linkage = Linkage::new(tree, vec![joint(0.8), joint(0.3)], 1e-10).unwrap();
    let mut run = Run::new(&linkage.into(), &[0.0, 0.0], &[0.0, 0.0]);
    let (start, mut books) = (run.energy(), [0.0; 4]);
    run.follow(20.0, |run, course, _| {
        let span = course.span();
        let (mut q, mut v) = ([0.0; 2], [0.0; 2]);
        // Velocities are polynomials of degree 6 at most: Simpson's rule of many points as an independent sum.
        let (count, mut sum) = (200_u32, 0.0);
        for k in 0..=count {
            let time = (span.start + span.length() * f64::from(k) / f64::from(count)).min(span.end);
            course.joint_state(time, &mut q, &mut v);
            let weight = if k == 0 || k == count { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
            sum += weight * (0.8 * v[0].abs() + 0.3 * v[1].abs());
        }
        let by_sum = sum * span.length() / (3.0 * f64::from(count));
        let friction = course.friction_loss(span.start, span.end);
        books[0] += friction;
        books[1] += course.damping_loss(span.start, span.end);
        books[2] = f64::max(books[2], (friction - by_sum).abs());
        books[3] += course.energy_error(span.start, span.end, &mut run.workspace);
    });
    let change = run.energy() - start;
    let open = change + books[0] + books[1];
    println!(
        "{:.6} J to friction, {:.6} J to dampers; a sum differs by {:.1e} J, books open by {open:.1e} J, {} segments, ends {:?}",
        books[0],
        books[1],
        books[2],
        run.segments,
        run.mode.grips()
    );
    assert!(books[2] < 1e-12, "{:e}", books[2]);
    assert!(open.abs() < 1e-7 && (open - books[3]).abs() < 1e-10);
    // Both hang still in the end, stuck somewhere near the vertical.
    assert_eq!(run.mode.grips(), [Grip::Stuck; 2]);
}
