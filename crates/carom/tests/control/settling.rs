//! Where controlled joints come to rest, and springs and dampers by themselves.

use carom::control::{Axis, ComputedTorque, Pd, PdGains, Pid, PidGains};
use carom::{Body, Joint, JointForce, JointKind, Rate, World};
use glam::DVec3;

use crate::common::{arm, ball, position, rate, slider, slider_with, weightless};

const G: f64 = 9.80665;

/// What is left of the decay after the time that tests wait, and the integrator's tolerance.
const SETTLED: f64 = 1e-8;

#[test]
fn pd_holds_a_pendulum_where_gravity_and_its_spring_balance() {
    let mut world = World::builder().build().unwrap();
    let (mass, length) = (1.3, 0.7);
    let bob = world.add(Body::free(ball(0.05)).mass(mass).at(length * DVec3::X)).unwrap();
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    let joint = world.join(Joint::new(hinge, None, bob).at(DVec3::ZERO)).unwrap();
    let gains = PdGains { position: 40.0, velocity: 8.0 };
    let pd = Pd::new().control(Axis::new(joint).target(-0.6), gains);
    world.add_controller(Rate::Hertz(500.0), Box::new(pd)).unwrap();
    world.advance_to(10.0).unwrap();
    // k_p·(q* − q) + m·g·l·cos q = 0, by Newton.
    let mut q = -0.6;
    for _ in 0..50 {
        let moment = 40.0 * (-0.6 - q) + mass * G * length * libm::cos(q);
        q += moment / (40.0 + mass * G * length * libm::sin(q));
    }
    let found = position(&world, joint);
    println!("at {found} rad, by statics {q} rad, off by {:e}", found - q);
    assert!((found - q).abs() < SETTLED && rate(&world, joint).abs() < SETTLED);
}

/// proves: m2/R-27
#[test]
fn the_static_error_of_pd_is_the_weight_over_the_gain_and_pid_removes_it() {
    let hang = |integral: f64| {
        let mut world = World::builder().build().unwrap();
        let (_, joint) = slider(&mut world, 2.0, DVec3::Z, 0.0);
        let gains = PidGains { position: 150.0, velocity: 40.0, integral };
        let pid = Pid::new().control(Axis::new(joint).target(0.1), gains);
        world.add_controller(Rate::Hertz(200.0), Box::new(pid)).unwrap();
        world.advance_to(15.0).unwrap();
        position(&world, joint) - 0.1
    };
    let (pd, pid) = (hang(0.0), hang(300.0));
    println!("PD off by {pd} m, −mg/k_p = {} m; PID off by {pid:e} m", -2.0 * G / 150.0);
    assert!((pd + 2.0 * G / 150.0).abs() < SETTLED, "{pd}");
    assert!(pid.abs() < SETTLED, "{pid}");
}

#[test]
fn compensated_gravity_leaves_an_arm_where_it_is_put() {
    let mut world = World::builder().build().unwrap();
    let joints = arm(&mut world);
    let held = world.linkage(world.joint(joints[0]).unwrap().child()).unwrap().holding_forces();
    // Two rods of 1 kg with centres at 0.25 and 0.75 m; a positive turn about y is downwards.
    let held = held.unwrap();
    println!("holding torques {held:?} N·m");
    assert!((held[0] + G * (0.25 + 0.75)).abs() < 1e-12 && (held[1] + G * 0.25).abs() < 1e-12);
    let compensating = Box::new(ComputedTorque::compensating(&joints));
    world.add_controller(Rate::Hertz(100.0), compensating).unwrap();
    world.advance_to(2.0).unwrap();
    let moved = joints.map(|joint| position(&world, joint));
    println!("moved by {moved:?} rad in 2 s");
    assert!(moved.iter().all(|q| q.abs() < 1e-10), "{moved:?}");
}

/// proves: m2/R-26
#[test]
fn a_spring_and_a_damper_swing_at_their_frequency_and_damping_ratio() {
    let (m, k, c) = (0.8_f64, 30.0_f64, 1.1_f64);
    let mut world = weightless();
    let spring = JointForce { stiffness: k, damping: c, ..JointForce::default() };
    let (_, joint) = slider_with(&mut world, m, DVec3::X, 0.3, spring);
    let (omega, zeta) = ((k / m).sqrt(), c / (2.0 * (k * m).sqrt()));
    let swing = omega * (1.0 - zeta * zeta).sqrt();
    let mut worst = 0.0_f64;
    for i in 1..=50 {
        let t = 0.05 * f64::from(i);
        world.advance_to(t).unwrap();
        let (sin, cos) = libm::sincos(swing * t);
        let exact = 0.3 * libm::exp(-zeta * omega * t) * (cos + zeta * omega / swing * sin);
        worst = worst.max((position(&world, joint) - exact).abs());
    }
    println!("off by at most {worst:e} m of 0.3 m");
    assert!(worst < 1e-6 * 0.3, "{worst}");
}
