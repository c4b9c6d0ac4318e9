//! Limits of motors, sums that do not wind up, and targets that change while a run goes on.

use carom::control::{
    Axis, Motor, Pd, PdGains, Pid, PidGains, Target, UserController, VelocityGains, VelocityPd,
};
use carom::{Command, Rate, World};
use glam::DVec3;

use crate::common::{arm, position, rate, slider, weightless};

/// Tolerance of linkages over some thousand segments, for positions near 1 m.
const INTEGRATED: f64 = 1e-8;

#[test]
fn a_motor_never_gives_more_than_it_can() {
    let mut world = World::builder().build().unwrap();
    let joints = arm(&mut world);
    let mut pd = Pd::new();
    for joint in joints {
        let axis = Axis::new(joint).target(-2.0).motor(Motor::limited(7.0).no_load_speed(3.0));
        pd = pd.control(axis, PdGains { position: 500.0, velocity: 5.0 });
    }
    world.add_controller(Rate::Hertz(100.0), Box::new(pd)).unwrap();
    let mut at_limit = 0;
    for i in 0..200 {
        world.advance_to(0.01 * f64::from(i)).unwrap();
        for joint in joints {
            // At a tick the rate is the one that the motor had.
            let (torque, speed) = (world.joint(joint).unwrap().torque()[0], rate(&world, joint));
            let driving = 7.0 * (1.0 - (speed * torque.signum() / 3.0).clamp(0.0, 1.0));
            assert!(torque.abs() <= driving + 1e-9, "{torque} {speed}");
            at_limit += usize::from((torque.abs() - driving).abs() < 1e-9);
        }
    }
    println!("at the limit at {at_limit} of 400 ticks");
    assert!(at_limit > 50);
}

#[test]
fn a_motor_at_full_voltage_approaches_its_no_load_speed_by_the_sampled_map() {
    let (mass, hertz) = (2.0, 100.0);
    let mut world = weightless();
    let (_, joint) = slider(&mut world, mass, DVec3::X, 0.0);
    let axis = Axis::new(joint).target(100.0).motor(Motor::limited(6.0).no_load_speed(1.5));
    let wheel = VelocityPd::new().control(axis, VelocityGains { velocity: 50.0, position: 0.0 });
    world.add_controller(Rate::Hertz(hertz), Box::new(wheel)).unwrap();
    world.advance_to(1.0).unwrap();
    let decay = 1.0 - 6.0 / (1.5 * mass * hertz);
    let exact = 1.5 * (1.0 - libm::pow(decay, 100.0));
    println!("{} m/s, by the map {exact} m/s", rate(&world, joint));
    assert!((rate(&world, joint) - exact).abs() < INTEGRATED);
}

/// The sampled PID of a slider, and how far it overshoots; the sum stands still at the limit or not.
fn by_hand(mass: f64, gains: PidGains, limit: f64, period: f64, winds_up: bool) -> (f64, f64) {
    let [mut q, mut v, mut sum, mut highest] = [0.0_f64; 4];
    for _ in 0..2000 {
        let error = 1.0 - q;
        let asked = gains.position * error - gains.velocity * v + gains.integral * sum;
        let given = asked.clamp(-limit, limit);
        if winds_up || (asked - given) * error <= 0.0 {
            sum += error * period;
        }
        let a = given / mass;
        (q, v) = (q + v * period + 0.5 * a * period * period, v + a * period);
        highest = highest.max(q);
    }
    (q, highest)
}

#[test]
fn the_sum_of_a_pid_does_not_wind_up_while_the_motor_is_at_its_limit() {
    let gains = PidGains { position: 40.0, velocity: 14.0, integral: 30.0 };
    let mut world = weightless();
    let (_, joint) = slider(&mut world, 1.0, DVec3::X, 0.0);
    let axis = Axis::new(joint).target(1.0).motor(Motor::limited(1.0));
    world.add_controller(Rate::Hertz(100.0), Box::new(Pid::new().control(axis, gains))).unwrap();
    let mut highest = 0.0_f64;
    for n in 1..=2000 {
        world.advance_to(f64::from(n) / 100.0).unwrap();
        highest = highest.max(position(&world, joint));
    }
    let (end, still) = by_hand(1.0, gains, 1.0, 0.01, false);
    let (_, wound) = by_hand(1.0, gains, 1.0, 0.01, true);
    println!(
        "overshoot {:.4} m, by hand {:.4} m, wound up {:.4} m",
        highest - 1.0,
        still - 1.0,
        wound - 1.0
    );
    assert!(
        (highest - still).abs() < INTEGRATED && (position(&world, joint) - end).abs() < INTEGRATED
    );
    assert!(still - 1.0 < 0.8 * (wound - 1.0));
}

#[test]
fn targets_change_while_a_run_goes_on_and_what_cannot_be_is_refused() {
    let mut world = weightless();
    let (_, joint) = slider(&mut world, 1.0, DVec3::X, 0.0);
    let (_, other) = slider(&mut world, 1.0, DVec3::Y, 1.0);
    let gains = PdGains { position: 100.0, velocity: 20.0 };
    let pd = Pd::new().control(Axis::new(joint), gains);
    let id = world.add_controller(Rate::Hertz(200.0), Box::new(pd)).unwrap();
    world.set_target(id, joint, 0, Target::Constant(0.4)).unwrap();
    let target = Command::Target { controller: id, joint, freedom: 0, target: 0.9.into() };
    world.schedule(4.0, target).unwrap();
    world.advance_to(3.9).unwrap();
    assert!((position(&world, joint) - 0.4).abs() < 1e-9);
    world.advance_to(9.0).unwrap();
    assert!((position(&world, joint) - 0.9).abs() < 1e-9);
    let refused = [
        world.set_target(id, other, 0, 0.0.into()),
        world.set_target(id, joint, 1, 0.0.into()),
        world.set_target(id, joint, 0, f64::NAN.into()),
    ];
    for it in refused {
        println!("{}", it.unwrap_err());
    }
    let user = Box::new(UserController::new(|_, _| {}));
    let user = world.add_controller(Rate::Hertz(1.0), user).unwrap();
    assert!(world.set_target(user, joint, 0, 0.0.into()).is_err());
}
