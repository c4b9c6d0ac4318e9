//! Everything that the library offers to drive a linkage, in one world, and in copies of it.

use carom::control::{
    Axis, ComputedTorque, Pd, PdGains, Pid, PidGains, TrackingGains, VelocityGains, VelocityPd,
};
use carom::elements::{ElementLaw, GasSpring, Spring};
use carom::{
    Body, Command, Commands, Controller, Element, Hold, JointForce, JointId, LoadError, NotSavable,
    Rate, Readings, World,
};
use glam::DVec3;

use crate::common::{arm, ball, position, slider_with};

/// A user's controller that holds handles of the world and a memory of its own.
#[derive(Debug, Default)]
struct Bang {
    joint: Option<JointId>,
    force: f64,
    switches: u64,
}

impl Controller for Bang {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        let world = readings.world();
        let joint = self.joint.or_else(|| world.find_joint("joint 4"));
        let Some(it) = joint.and_then(|joint| world.joint(joint)) else { return };
        let force = -self.force.abs().max(1.0) * it.coordinates()[0].signum();
        self.switches += u64::from(force != self.force);
        self.force = force;
        commands.push(Command::Drive { joint: it.id(), torque: vec![force].into() });
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Ok([self.force.to_le_bytes(), self.switches.to_le_bytes()].concat())
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let wrong = || LoadError { reason: "not its own".to_owned() };
        let eight = |at: usize| bytes.get(at..at + 8).and_then(|it| it.try_into().ok());
        self.force = f64::from_le_bytes(eight(0).ok_or_else(wrong)?);
        self.switches = u64::from_le_bytes(eight(8).ok_or_else(wrong)?);
        Ok(())
    }
}

fn controllers() -> Vec<Box<dyn Controller>> {
    vec![
        Box::new(ComputedTorque::new()),
        Box::new(Pd::new()),
        Box::new(Pid::new()),
        Box::new(VelocityPd::new()),
        Box::<Bang>::default(),
    ]
}

/// proves: m2/R-30
#[test]
fn springs_dampers_friction_and_every_controller_work_together_and_copies_do_not_disturb_each_other()
 {
    let mut world = World::builder().build().unwrap();
    let [shoulder, elbow] = arm(&mut world);
    let force = JointForce { damping: 0.2, stiffness: 3.0, friction: 0.1, ..JointForce::default() };
    let place = |y: f64| DVec3::new(0.0, y, 0.0);
    let sliders = [2.0, 3.0, 4.0].map(|y| slider_with(&mut world, 1.0, place(y), 1.0, force));
    let hung = world.add(Body::free(ball(0.1)).mass(1.0).at(DVec3::new(0.0, -2.0, 0.0))).unwrap();
    let spring = Spring { stiffness: 30.0, rest: 0.5, damping: 0.4, pulls_only: false };
    let up = Hold::world(DVec3::new(0.0, -2.0, 1.0));
    let ends = [Hold::body(hung, DVec3::ZERO), up];
    world.add_element(Element::new(ElementLaw::Spring(spring), ends)).unwrap();
    let gas = GasSpring {
        force: 5.0,
        extended: 1.5,
        stroke: 1.2,
        column: 1.4,
        exponent: 1.2,
        damping: 0.5,
    };
    let ends = [Hold::body(hung, DVec3::ZERO), Hold::world(DVec3::new(0.0, -2.0, -1.2))];
    world.add_element(Element::new(ElementLaw::GasSpring(gas), ends)).unwrap();

    let gains = TrackingGains::critical(15.0);
    let computed = ComputedTorque::new().control(Axis::new(shoulder).target(0.2), gains);
    world.add_controller(Rate::Hertz(500.0), Box::new(computed)).unwrap();
    let pd = Pd::new().control(Axis::new(elbow), PdGains { position: 30.0, velocity: 3.0 });
    let pd = world.add_controller(Rate::Hertz(400.0), Box::new(pd)).unwrap();
    let gains = PidGains { position: 60.0, velocity: 9.0, integral: 90.0 };
    let pid = Pid::new().control(Axis::new(sliders[0].1).target(0.5), gains);
    let pid = world.add_controller(Rate::Hertz(250.0), Box::new(pid)).unwrap();
    let gains = VelocityGains { velocity: 20.0, position: 0.0 };
    let cruise = VelocityPd::new().control(Axis::new(sliders[1].1).target(0.1), gains);
    world.add_controller(Rate::Hertz(100.0), Box::new(cruise)).unwrap();
    let bang = Bang { joint: Some(sliders[2].1), ..Bang::default() };
    world.add_controller(Rate::Hertz(50.0), Box::new(bang)).unwrap();

    world.advance_to(1.0).unwrap();
    world.set_target(pd, elbow, 0, 0.4.into()).unwrap();
    let saved = world.snapshot().unwrap();
    let mut copies = [(); 2].map(|()| World::restore(&saved, controllers(), 1).unwrap());
    // One copy goes another way; neither the original nor the other copy notices.
    copies[1].enable(pid, false).unwrap();
    copies[1].set_target(pd, elbow, 0, (-0.4).into()).unwrap();
    world.advance_to(2.5).unwrap();
    copies[1].advance_to(4.0).unwrap();
    copies[0].advance_to(2.5).unwrap();
    assert_eq!(copies[0].hash(), world.hash());
    assert_ne!(copies[1].hash(), world.hash());
    copies[0].advance_to(4.0).unwrap();
    let elbows = [0, 1].map(|i| position(&copies[i], elbow));
    let slid = [0, 1].map(|i| position(&copies[i], sliders[0].1));
    println!("elbows at {elbows:?} rad, sliders at {slid:?} m");
    assert!(elbows[0] > 0.2 && elbows[1] < 0.1, "targets differ, and the weight hangs on both");
    assert!((slid[0] - 0.5).abs() < 1e-3 && (slid[1] - 0.5).abs() > 0.1, "one is without its law");
    for world in &copies {
        let account = world.account();
        assert!(account.residual.abs() < 1e-10, "{account:?}");
    }
}
