//! Snapshots in the middle of control.

use carom::control::{
    Axis, ComputedTorque, Motor, Pd, PdGains, Pid, PidGains, Target, TrackingGains, VelocityGains,
    VelocityPd,
};
use carom::{Body, Command, Controller, Place, Rate, Snapshot, World};
use glam::DVec3;

use crate::common::{arm, ball, slider};

fn busy() -> World {
    let mut world = World::builder().build().expect("a valid scene");
    let joints = arm(&mut world);
    let swing = Target::Sine { middle: 0.0, amplitude: 0.3, frequency: 1.0, phase: 0.0 };
    let mut law = ComputedTorque::new();
    for joint in joints {
        law = law.control(Axis::new(joint).target(swing.clone()), TrackingGains::critical(20.0));
    }
    world.add_controller(Rate::Hertz(300.0), Box::new(law)).expect("a valid scene");
    let place = |y: f64| DVec3::new(0.0, y, 0.0);
    let [(_, a), (_, b), (_, c)] = [2.0, 3.0, 4.0].map(|y| slider(&mut world, 1.0, place(y), 1.0));
    let pid = PidGains { position: 40.0, velocity: 9.0, integral: 20.0 };
    let pid = Pid::new().control(Axis::new(a).target(0.5).motor(Motor::limited(3.0)), pid);
    world.add_controller(Rate::Hertz(70.0), Box::new(pid)).expect("a valid scene");
    let wheel = VelocityGains { velocity: 3.0, position: 2.0 };
    let wheel = VelocityPd::new().control(Axis::new(b).target(0.3), wheel);
    world.add_controller(Rate::Period(0.013), Box::new(wheel)).expect("a valid scene");
    let pd = Pd::new().control(Axis::new(c), PdGains { position: 9.0, velocity: 1.0 });
    let pd = world.add_controller(Rate::Hertz(50.0), Box::new(pd)).expect("a valid scene");
    world.enable(pd, false).expect("a valid scene");
    world.schedule(0.6, Command::Enable { controller: pd, enabled: true }).expect("a valid scene");
    let target = Command::Target { controller: pd, joint: c, freedom: 0, target: swing };
    world.schedule(0.7, target).expect("a valid scene");
    let kite = Body::free(ball(0.1)).at(DVec3::new(0.0, -2.0, 0.0)).angular_velocity(DVec3::X);
    let kite = world.add(kite).expect("a valid scene");
    let point = Place::Body(DVec3::new(0.0, 0.02, 0.0));
    let force =
        |z: f64| Command::Force { body: kite, force: z * DVec3::Z, torque: DVec3::Y, point };
    world.command(force(30.0)).expect("a valid scene");
    world.schedule(0.8, force(5.0)).expect("a valid scene");
    let none = Command::Force { body: kite, force: DVec3::ZERO, torque: DVec3::ZERO, point };
    world.schedule(0.9, none).expect("a valid scene");
    world
}

fn empty() -> Vec<Box<dyn Controller>> {
    vec![
        Box::new(ComputedTorque::new()),
        Box::new(Pid::new()),
        Box::new(VelocityPd::new()),
        Box::new(Pd::new()),
    ]
}

#[test]
fn control_goes_on_from_a_snapshot_with_the_same_bits() {
    let mut world = busy();
    for i in 1..=10 {
        world.advance_to(0.1 * f64::from(i) - 0.037).unwrap();
        let saved = Snapshot::from_bytes(world.snapshot().unwrap().as_bytes().to_vec()).unwrap();
        let mut again = World::restore(&saved, empty(), 1).unwrap();
        assert_eq!(again.hash(), world.hash());
        world.advance_to(0.1 * f64::from(i)).unwrap();
        again.advance_to(0.1 * f64::from(i)).unwrap();
        assert_eq!(again.hash(), world.hash(), "after {i}");
        assert_eq!(again.account(), world.account());
    }
}

#[test]
fn a_controller_refuses_what_another_law_saved_and_what_is_damaged() {
    let saved = Pd::new().save().unwrap();
    assert!(Pd::new().load(&saved).is_ok());
    assert!(Pid::new().load(&saved).is_err() && ComputedTorque::new().load(&saved).is_err());
    for cut in 0..saved.len() {
        assert!(Pd::new().load(&saved[..cut]).is_err());
    }
    let long: Vec<u8> = saved.iter().copied().chain([0]).collect();
    assert!(Pd::new().load(&long).is_err());
}
