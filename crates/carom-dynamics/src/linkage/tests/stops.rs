//! Stops: bounces, rest, release (R-25 of the guide).

use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

use super::super::{Change, Grip, JointForce, Linkage, Sense};
use super::dynamics::{chain, slider};
use super::friction::{cart, pull};
use super::{Run, linkage};
use crate::tree::constraint::Side;
use crate::tree::tests::{rod, tree_of};
use crate::tree::{Joint, Scratch};

/// A rod of 1 m and 1 kg on a joint that turns it towards +x for positive angles.
fn pendulum(joint: JointForce, tolerance: f64) -> Run {
    let tree = tree_of(&[rod(None, DVec3::ZERO, Joint::Revolute { axis: -DVec3::Y })]);
    Run::new(&linkage(tree, joint, tolerance), &[1.5], &[0.0])
}

/// m·g·l/I of that rod.
const RATE: f64 = 9.81 * 0.5 * 3.0;

/// Time from angle `low`, passed at rate `speed`, to the turning point `rise` above: ∫dq/q̇ with q = low + rise·(1 − u²).
fn time_up(low: f64, speed: f64) -> f64 {
    let fall =
        |from: f64, height: f64| 2.0 * libm::sin(from + 0.5 * height) * libm::sin(0.5 * height);
    // cos(low) − cos(low + rise) = ½·speed²/rate, by iteration without cancellation.
    let mut rise = 0.0;
    for _ in 0..200 {
        let sine = speed * speed / (4.0 * RATE * libm::sin(low + 0.5 * rise));
        rise = 2.0 * libm::asin(sine);
    }
    let n = 2_000_u32;
    let rate = |u: f64| {
        let left = rise * u * u;
        2.0 * rise * u / (2.0 * RATE * fall(low + rise - left, left)).sqrt()
    };
    // The midpoint rule, raised once by Richardson.
    let sum = |n: u32| {
        let h = 1.0 / f64::from(n);
        (0..n).map(|k| rate((f64::from(k) + 0.5) * h)).sum::<f64>() * h
    };
    (4.0 * sum(2 * n) - sum(n)) / 3.0
}

#[test]
fn a_pendulum_bounces_on_its_stop_as_restitution_says_and_comes_to_rest() {
    let (stop, e) = (0.5, 0.5);
    let joint = JointForce { limits: Some([stop, 3.0]), restitution: e, ..JointForce::default() };
    let mut run = pendulum(joint, 1e-12);
    let mut speed = (2.0 * RATE * (libm::cos(stop) - libm::cos(1.5))).sqrt();
    let mut due = time_up(stop, speed);
    let (mut worst, mut strikes, mut rested, mut lost) = ([0.0_f64; 2], 0, None, 0.0);
    let start = run.energy();
    let mut least = f64::INFINITY;
    run.follow(4.0, |run, course, settled| {
        least = least.min(run.q[0]);
        lost += settled.loss;
        if settled.strikes == 0 || rested.is_some() {
            return;
        }
        strikes += 1;
        assert_eq!(course.transition().unwrap().change, Change::ReachesStop(Side::Lower));
        worst[1] = worst[1].max((run.time - due).abs());
        if run.mode.grip(0) == Grip::Resting(Side::Lower) {
            rested = Some((run.time, speed));
            return;
        }
        speed *= e;
        worst[0] = worst[0].max((run.v[0] - speed).abs());
        due = run.time + 2.0 * time_up(stop, speed);
    });
    let (time, slowest) = rested.unwrap();
    let open = run.energy() - start + lost;
    println!(
        "{strikes} strikes, speeds off by {:.1e} rad/s, times by {:.1e} s; rests at {time:.6} s after {slowest:.1e} rad/s, \
         books open by {open:.1e} J, {} segments",
        worst[0], worst[1], run.segments
    );
    assert!(worst[0] < 1e-10 && worst[1] < 1e-9, "{worst:?}");
    assert!((20..25).contains(&strikes) && run.segments < 200 && open.abs() < 1e-10);
    assert!(least >= stop && run.q[0] - stop < 1e-11 && run.v[0] == 0.0);
}

#[test]
fn a_ball_between_two_floors_bounces_without_loss_or_end() {
    let joint = JointForce { limits: Some([0.0, 0.4]), restitution: 1.0, ..JointForce::default() };
    let mut run = Run::new(&linkage(slider(), joint, 1e-9), &[0.1], &[2.0]);
    let (mut strikes, mut last) = (0, 0.0);
    run.follow(20.0, |run, _, settled| {
        strikes += settled.strikes;
        assert_eq!(settled.loss, 0.0);
        if settled.strikes > 0 {
            last = run.time;
        }
    });
    // The rail is horizontal: 0.15 s to the first wall, then 0.2 s between walls.
    println!(
        "{strikes} strikes in 20 s, the last at {last} s, speed off by {:.1e}",
        run.v[0].abs() - 2.0
    );
    assert_eq!(strikes, 100);
    assert!((run.v[0].abs() - 2.0).abs() < 1e-12 && (last - 19.95).abs() < 1e-10);
}

#[test]
fn a_link_on_its_stop_is_released_when_torque_or_gravity_reverses() {
    let joint = JointForce { limits: Some([0.5, 3.0]), ..JointForce::default() };
    let weight = 9.81 * 0.5 * libm::sin(0.5);
    let mut run = pendulum(joint, 1e-9);
    run.follow(3.0, |_, _, _| {});
    let mut force = [0.0];
    for share in [0.0, 0.5, 1.0 - 1e-8, 1.0 + 1e-8] {
        run.drive.torque = vec![share * weight];
        run.settle(None);
        let course = run.look_ahead(run.time + 0.01);
        course.holding_forces(run.time, &mut run.workspace, &mut force).unwrap();
        println!("{share} of the weight: {:?}, stop pushes {:.3e} N·m", run.mode.grip(0), force[0]);
        if share < 1.0 {
            assert_eq!(run.mode.grip(0), Grip::Resting(Side::Lower));
            assert!((force[0] - (1.0 - share) * weight).abs() < 1e-11);
        } else {
            assert_eq!((run.mode.grip(0), force[0]), (Grip::Free, 0.0));
        }
    }
    run.drive.torque = Vec::new();
    run.drive.gravity = -run.drive.gravity;
    run.settle(None);
    assert_eq!(run.mode.grip(0), Grip::Free);
    let time = run.time;
    run.follow(time + 0.1, |_, _, _| {});
    assert!(run.q[0] > 0.5 && run.v[0] > 0.0);
}

#[test]
fn a_cart_leaves_the_wall_when_the_pendulum_on_it_passes_below() {
    let stop = JointForce { limits: Some([0.0, 5.0]), ..JointForce::default() };
    let linkage = Linkage::new(cart(), vec![stop, JointForce::default()], 1e-11).unwrap();
    // Falling from +x, the rod pushes the cart to −x until it hangs.
    let mut run = Run::new(&linkage.into(), &[0.0, FRAC_PI_2], &[0.0, 0.0]);
    // The cart must be pushed against the wall: the force that holds it is negative otherwise.
    if pull(FRAC_PI_2, 1.0) < 0.0 {
        run.q[1] = -FRAC_PI_2;
    }
    run.settle(None);
    assert_eq!(run.mode.grip(0), Grip::Resting(Side::Lower));
    let transition = loop {
        if let Some(transition) = run.step(2.0).transition() {
            break transition;
        }
        assert_eq!(run.q[0].to_bits(), 0);
    };
    println!("leaves with the rod {:.1e} rad from below, {} segments", run.q[1], run.segments);
    assert_eq!(transition.change, Change::LeavesStop(Side::Lower));
    assert!(run.q[1].abs() < 1e-9);
    run.settle(Some(transition));
    assert_eq!(run.mode.grip(0), Grip::Free);
    let mut least = f64::INFINITY;
    let time = run.time;
    run.follow(time + 0.3, |run, _, _| least = least.min(run.q[0]));
    assert!(least >= 0.0 && run.q[0] > 1e-3);
}

#[test]
fn friction_helps_a_stop_to_hold() {
    let joint = JointForce { limits: Some([0.5, 3.0]), friction: 0.2, ..JointForce::default() };
    let weight = 9.81 * 0.5 * libm::sin(0.5);
    let mut run = pendulum(joint, 1e-9);
    run.follow(3.0, |_, _, _| {});
    assert_eq!(run.mode.grip(0), Grip::Resting(Side::Lower));
    for (torque, grip) in [
        (weight + 0.199, Grip::Resting(Side::Lower)),
        (weight + 0.201, Grip::Sliding(Sense::Forward)),
    ] {
        run.drive.torque = vec![torque];
        run.settle(None);
        assert_eq!(run.mode.grip(0), grip);
    }
}

#[test]
fn two_stops_struck_at_once_come_back_as_the_dense_system_says() {
    let (e, n) = ([0.3, 0.6], 3);
    let joint = |k: usize| JointForce {
        limits: (k < 2).then_some([-1.0, 0.2]),
        restitution: if k < 2 { e[k] } else { 0.0 },
        armature: 0.1,
        ..JointForce::default()
    };
    let tree = chain(n, 0.5, 1.0);
    let linkage = Linkage::new(tree.clone(), (0..n).map(joint).collect(), 1e-9).unwrap();
    let mut run = Run::new(&linkage.into(), &[0.2, 0.2, 0.7], &[2.0, 3.0, -1.0]);
    let before = run.v.clone();
    let energy = run.energy();
    let settled = run.settle(None);
    // Jumps by impulses in the first two freedoms alone: (H + I_r)·Δv has no third entry.
    let mut scratch = Scratch::new(&tree);
    tree.place(&run.q, &before, &mut scratch);
    let mut h = vec![0.0; n * n];
    tree.mass_matrix(&mut scratch, &mut h);
    let jumps: Vec<f64> = (0..n).map(|k| run.v[k] - before[k]).collect();
    let momentum = |i: usize| -> f64 {
        (0..n).map(|k| (h[i * n + k] + if i == k { 0.1 } else { 0.0 }) * jumps[k]).sum()
    };
    let impulses = [momentum(0), momentum(1), momentum(2)];
    let lost = energy - run.energy();
    println!(
        "impulses {impulses:?} N·m·s, {lost} J lost, {:.1e} J not booked",
        lost - settled.loss
    );
    assert_eq!(settled.strikes, 2);
    for k in 0..2 {
        assert!((run.v[k] + e[k] * before[k]).abs() < 1e-13, "{:?}", run.v);
        assert!(impulses[k] < 0.0);
    }
    assert!(impulses[2].abs() < 1e-13 && (lost - settled.loss).abs() < 1e-12 && lost > 0.0);
}

#[test]
fn bounces_end_however_small_the_tolerance() {
    for (tolerance, e) in [(1e-4, 0.9), (1e-8, 0.9), (1e-13, 0.9), (1e-8, 0.99)] {
        let joint =
            JointForce { limits: Some([0.5, 3.0]), restitution: e, ..JointForce::default() };
        let mut run = pendulum(joint, tolerance);
        let (mut strikes, mut rest) = (0, None);
        run.follow(200.0, |run, _, settled| {
            strikes += settled.strikes;
            if run.mode.grip(0).is_held() {
                rest = rest.or(Some(run.time));
            }
        });
        println!(
            "ε {tolerance:e}, e {e}: rests at {rest:?} s after {strikes} strikes, {} segments",
            run.segments
        );
        assert!(rest.is_some() && run.segments < 10_000 + 20 * strikes as u64);
    }
}

#[test]
fn late_in_a_long_run_links_still_come_to_rest() {
    for friction in [0.0, 0.3] {
        let joint = JointForce { limits: Some([0.5, 3.0]), friction, ..JointForce::default() };
        let mut run = pendulum(joint, 1e-9);
        // Times are 10⁻⁸ s apart, in which the rod falls by more than the reach of the stop.
        run.time = 1e8;
        run.follow(1e8 + 3.0, |_, _, _| {});
        println!(
            "friction {friction}: {:.1e} rad above the stop, {} segments",
            run.q[0] - 0.5,
            run.segments
        );
        assert_eq!(run.mode.grip(0), Grip::Resting(Side::Lower));
        assert!(run.v[0] == 0.0 && run.q[0] - 0.5 < 1e-7 && run.segments < 100);
        run.settle(None);
        assert_eq!(run.mode.grip(0), Grip::Resting(Side::Lower));
    }
    let joint = JointForce { friction: 5.0, ..JointForce::default() };
    let mut run = Run::new(&linkage(slider(), joint, 1e-9), &[0.0], &[3.0]);
    run.time = 1e8;
    run.follow(1e8 + 3.0, |_, _, _| {});
    assert_eq!((run.mode.grip(0), run.v[0]), (Grip::Stuck, 0.0));
}
