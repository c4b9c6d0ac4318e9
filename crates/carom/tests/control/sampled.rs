//! Controllers sample: forces are held between ticks, and what follows is an exact map from tick to tick.

use std::sync::{Arc, Mutex};

use carom::control::{Axis, Pd, PdGains, UserController, VelocityGains, VelocityPd};
use carom::{Command, Commands, Rate, Readings};
use glam::DVec3;

use crate::common::{position, rate, slider, weightless};

/// Tolerance of linkages over some hundred segments, for positions near 1 m.
const INTEGRATED: f64 = 1e-9;

/// q ← q + v·T + ½(Q/J)·T², v ← v + (Q/J)·T.
fn step([q, v]: [f64; 2], force_per_mass: f64, period: f64) -> [f64; 2] {
    [q + v * period + 0.5 * force_per_mass * period * period, v + force_per_mass * period]
}

#[test]
fn a_sampled_pd_follows_the_closed_form_of_the_double_integrator() {
    let (mass, hertz, gains) = (1.7, 50.0, PdGains { position: 60.0, velocity: 9.0 });
    let mut world = weightless();
    let (_, joint) = slider(&mut world, mass, DVec3::X, 1.0);
    let pd = Pd::new().control(Axis::new(joint).target(0.25), gains);
    world.add_controller(Rate::Hertz(hertz), Box::new(pd)).unwrap();
    let (mut exact, mut worst) = ([1.0, 0.0], 0.0_f64);
    for n in 1..=200 {
        let force = gains.position * (0.25 - exact[0]) - gains.velocity * exact[1];
        exact = step(exact, force / mass, 1.0 / hertz);
        world.advance_to(f64::from(n) / hertz).unwrap();
        worst = worst.max((position(&world, joint) - exact[0]).abs());
        worst = worst.max((rate(&world, joint) - exact[1]).abs());
    }
    println!("off by at most {worst:e} in 200 ticks");
    assert!(worst < INTEGRATED, "{worst}");
}

/// proves: m2/R-28
#[test]
fn a_sampled_pd_is_stable_between_half_k_p_t_and_two_j_over_t() {
    let (mass, period) = (1.0, 0.02);
    // a = k_p·T²/2J = 0.1.
    let stiffness = 0.2 * mass / (period * period);
    let swings = |velocity: f64, ticks: u32| {
        let mut world = weightless();
        let (_, joint) = slider(&mut world, mass, DVec3::X, 1.0);
        let gains = PdGains { position: stiffness, velocity };
        let pd = Pd::new().control(Axis::new(joint), gains);
        world.add_controller(Rate::Period(period), Box::new(pd)).unwrap();
        let mut largest = [0.0_f64; 2];
        for n in 0..ticks {
            world.advance_to(f64::from(n) * period).unwrap();
            let half = usize::from(n >= ticks / 2);
            largest[half] = largest[half].max(position(&world, joint).abs());
        }
        largest[1] / largest[0]
    };
    let (low, high) = (0.5 * stiffness * period, 2.0 * mass / period);
    for (boundary, ticks, inside) in [(low, 2000, 1.02), (high, 200, 0.98)] {
        let stable = swings(inside * boundary, ticks);
        let unstable = swings((2.0 - inside) * boundary, ticks);
        println!("k_v at {boundary}: swings × {stable:.3} inside, × {unstable:.3} outside");
        assert!(stable < 0.7 && unstable > 1.4, "{boundary}: {stable} {unstable}");
    }
}

#[test]
fn a_velocity_controller_follows_its_map_and_makes_up_for_lost_way() {
    let (mass, hertz, gains) = (0.6, 100.0, VelocityGains { velocity: 6.0, position: 20.0 });
    let mut world = weightless();
    let (_, joint) = slider(&mut world, mass, DVec3::Y, 0.0);
    let wheel = VelocityPd::new().control(Axis::new(joint).target(0.5), gains);
    world.add_controller(Rate::Hertz(hertz), Box::new(wheel)).unwrap();
    let (mut exact, mut goal) = ([0.0, 0.0], 0.0);
    for _ in 0..400 {
        let force = gains.velocity * (0.5 - exact[1]) + gains.position * (goal - exact[0]);
        exact = step(exact, force / mass, 1.0 / hertz);
        goal += 0.5 / hertz;
    }
    world.advance_to(4.0).unwrap();
    let (q, v) = (position(&world, joint), rate(&world, joint));
    println!("at {q} m with {v} m/s; by its map {exact:?}; goal {goal} m");
    assert!((q - exact[0]).abs() < INTEGRATED && (v - exact[1]).abs() < INTEGRATED);
    assert!((q - goal).abs() < 1e-3 && (v - 0.5).abs() < 1e-3);
}

#[test]
fn two_controllers_at_different_rates_read_before_either_writes() {
    let mut world = weightless();
    let (_, joint) = slider(&mut world, 1.0, DVec3::X, 0.0);
    let seen = Arc::new(Mutex::new(Vec::new()));
    for (name, hertz) in [("slow", 100.0), ("fast", 200.0)] {
        let seen = Arc::clone(&seen);
        let tick = move |readings: &Readings<'_>, commands: &mut Commands| {
            let torque = readings.world().joint(joint).unwrap().torque()[0];
            seen.lock().unwrap().push((readings.time(), name, torque));
            let own = if name == "slow" { 1.0 } else { 2.0 } + readings.time();
            commands.push(Command::Drive { joint, torque: [own].as_slice().into() });
        };
        world.add_controller(Rate::Hertz(hertz), Box::new(UserController::new(tick))).unwrap();
    }
    world.advance_to(0.012).unwrap();
    let expected = [
        (0.0, "slow", 0.0),
        (0.0, "fast", 0.0),
        (0.005, "fast", 2.0),
        (0.01, "slow", 2.005),
        (0.01, "fast", 2.005),
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
    assert!(world.snapshot().unwrap_err().to_string().contains("closure"));
}
