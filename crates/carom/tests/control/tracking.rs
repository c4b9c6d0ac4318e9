//! Computed torque, and what motors and controllers do to energy.

use carom::control::{Axis, ComputedTorque, Pd, PdGains, Target, TrackingGains, Waypoint};
use carom::{Body, Joint, JointKind, Rate, World};
use glam::DVec3;

use crate::common::{arm, ball, position};

fn swing(amplitude: f64, frequency: f64) -> Target {
    // Begins at zero, at rest.
    let phase = -std::f64::consts::FRAC_PI_2;
    Target::Sine { middle: amplitude, amplitude, frequency, phase }
}

fn tracked(hertz: f64) -> f64 {
    let mut world = World::builder().build().expect("a valid scene");
    let joints = arm(&mut world);
    let targets = [swing(0.4, 0.5), swing(-0.7, 0.8)];
    let mut controller = ComputedTorque::new();
    for (joint, target) in joints.into_iter().zip(&targets) {
        let axis = Axis::new(joint).target(target.clone());
        controller = controller.control(axis, TrackingGains::critical(40.0));
    }
    world.add_controller(Rate::Hertz(hertz), Box::new(controller)).expect("a valid scene");
    let mut worst = 0.0_f64;
    for i in 1..=300 {
        let t = 0.01 * f64::from(i);
        world.advance_to(t).expect("a valid scene");
        for (joint, target) in joints.into_iter().zip(&targets) {
            worst = worst.max((position(&world, joint) - target.at(t).position).abs());
        }
    }
    worst
}

#[test]
fn computed_torque_tracks_a_sine_on_a_two_link_arm_to_the_order_of_its_period() {
    let (slow, fast) = (tracked(500.0), tracked(2000.0));
    println!("off by at most {slow:e} rad at 500 Hz, {fast:e} rad at 2 kHz");
    assert!(fast < 1e-4, "{fast}");
    assert!((3.5..4.5).contains(&(slow / fast)), "first order in the period: {}", slow / fast);
}

/// proves: m2/R-27
#[test]
fn computed_torque_gives_the_accelerations_that_it_wants_whatever_floats() {
    let mut world = World::builder().build().unwrap();
    // A base that floats and turns, with an arm of two links of which one is driven.
    let at = DVec3::new(0.0, 3.0, 2.0);
    let spin = DVec3::new(0.3, -0.2, 0.5);
    let base = world.add(Body::free(ball(0.2)).at(at).angular_velocity(spin)).unwrap();
    let first = world.add(Body::free(ball(0.1)).at(at + 0.5 * DVec3::X)).unwrap();
    let second = world.add(Body::free(ball(0.1)).at(at + 0.9 * DVec3::X)).unwrap();
    let hinge = |axis| JointKind::Revolute { axis };
    let driven = Joint::new(hinge(DVec3::Z), base, first).at(at + 0.3 * DVec3::X);
    let driven = world.join(driven.velocity(&[0.7])).unwrap();
    let loose = Joint::new(hinge(DVec3::Y), first, second).at(at + 0.7 * DVec3::X);
    world.join(loose.velocity(&[-1.1])).unwrap();
    let target = Target::Polynomial { start: 0.0, coefficients: vec![0.2, 0.1, 1.5] };
    let axis = Axis::new(driven).target(target);
    let law = ComputedTorque::new().control(axis, TrackingGains { position: 9.0, velocity: 4.0 });
    world.add_controller(Rate::Hertz(10.0), Box::new(law)).unwrap();
    let before = world.linkage(base).unwrap();
    let place = before.freedoms_of(driven).unwrap().start;
    let wanted = 3.0 + 4.0 * (0.1 - before.rates()[place]) + 9.0 * 0.2;
    world.advance_to(0.0).unwrap();
    let linkage = world.linkage(base).unwrap();
    let (accelerations, _) = linkage.mixed_dynamics(&vec![None; linkage.freedoms()]).unwrap();
    println!("wanted {wanted} rad/s², got {} rad/s²", accelerations[place]);
    assert!((accelerations[place] - wanted).abs() < 1e-11);
    assert!(linkage.inverse_dynamics(&[0.0]).is_err());
}

#[test]
fn energy_grows_by_the_work_of_motors_only_and_not_at_all_once_they_let_go() {
    let mut world = World::builder().build().unwrap();
    let joints = arm(&mut world);
    let way = |time, position| Waypoint { time, position, velocity: 0.0 };
    let target = Target::Waypoints(vec![way(0.0, 0.0), way(0.5, -1.0), way(1.0, 0.5)]);
    let mut pd = Pd::new();
    for joint in joints {
        let gains = PdGains { position: 60.0, velocity: 6.0 };
        pd = pd.control(Axis::new(joint).target(target.clone()), gains);
    }
    let id = world.add_controller(Rate::Hertz(250.0), Box::new(pd)).unwrap();
    for i in 1..=10 {
        world.advance_to(0.1 * f64::from(i)).unwrap();
        let account = world.account();
        assert!(account.residual.abs() < 1e-12, "{account:?}");
        assert!(account.integration.abs() < 1e-6, "{account:?}");
    }
    println!("{:?}", world.account());
    world.enable(id, false).unwrap();
    assert!(joints.iter().all(|joint| world.joint(*joint).unwrap().torque() == [0.0]));
    let (total, work) = (world.account().total(), world.account().work);
    world.advance_to(2.0).unwrap();
    let account = world.account();
    assert_eq!(account.work, work);
    println!("without motors {:e} J in 1 s", account.total() - total);
    assert!((account.total() - total).abs() < 1e-6);
    world.enable(id, true).unwrap();
    world.advance_to(2.1).unwrap();
    assert_ne!(world.account().work, work);
}
