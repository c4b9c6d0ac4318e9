//! Ten rods from the horizontal for ten seconds: what their energy costs.

use carom::{Body, Joint, JointKind, World};
use carom_bench::compare::clock::Moment;
use carom_geometry::shapes::Cuboid;
use carom_geometry::{MassProperties, Shape};
use glam::{DMat3, DVec3};
use serde_json::json;

use crate::models::{free, rods};
use crate::peers::Peers;
use crate::run::{GRAVITY, Run};
use crate::{ROUNDS, median};

const COUNT: usize = 10;
const LENGTH: f64 = 0.1;
const MASS: f64 = 0.1;
const END: f64 = 10.0;
const STEPS: u32 = 10_000;

/// Tolerances of linkages; the first meets the target of 1e-6.
const TOLERANCES: [f64; 4] = [7e-7, 4e-7, 2e-7, 5e-8];

/// M·g·L/2 `[J]`.
const UNIT: f64 = 0.5 * (COUNT as f64 * MASS) * 9.81 * (COUNT as f64 * LENGTH);

pub fn measure(mut peers: Option<&mut Peers>) {
    println!("{COUNT} rods of {LENGTH} m and {MASS} kg from the horizontal, {END} s");
    println!("{:<40}{:>10}{:>26}{:>10}", "", "ms", "energy error / (MgL/2)", "ratio");
    if let Some(peers) = peers.as_deref_mut() {
        let dt = END / f64::from(STEPS);
        let model =
            json!({ "do": "rods", "count": COUNT, "length": LENGTH, "mass": MASS, "dt": dt });
        peers.ask(&model).expect("a model of MuJoCo");
        let error = peers.number(&json!({ "do": "rods_energy", "steps": STEPS }), "energy");
        let time = median((0..ROUNDS).map(|_| stepped(peers)).collect());
        println!("{:<40}{:>10.1}{:>26.1e}", "MuJoCo, RK4 at 1 ms", 1e3 * time, error / UNIT);
    }
    for tolerance in TOLERANCES {
        row(
            &format!("Carom, dynamics, tolerance {tolerance:.0e}"),
            peers.as_deref_mut(),
            |is_watched| dynamics(tolerance, is_watched),
        );
    }
    for tolerance in TOLERANCES {
        row(
            &format!("Carom, engine, tolerance {tolerance:.0e}"),
            peers.as_deref_mut(),
            |is_watched| engine(tolerance, is_watched),
        );
    }
    println!();
}

/// Time that MuJoCo takes `[s]`.
fn stepped(peers: &mut Peers) -> f64 {
    peers.number(&json!({ "do": "rods_time", "steps": STEPS }), "seconds")
}

/// One of our ways, in turns with MuJoCo.
fn row(name: &str, mut peers: Option<&mut Peers>, run: impl Fn(bool) -> (f64, f64)) {
    let (_, error) = run(true);
    let (mut times, mut ratios) = (vec![], vec![]);
    for _ in 0..ROUNDS {
        let (time, _) = run(false);
        times.push(time);
        ratios.extend(peers.as_deref_mut().map(|peers| stepped(peers) / time));
    }
    let ratio = if ratios.is_empty() { String::new() } else { format!("{:.2}", median(ratios)) };
    println!("{name:<40}{:>10.1}{:>26.1e}{ratio:>10}", 1e3 * median(times), error / UNIT);
}

/// Time and largest change of the energy, looked at eight times in each segment where that is asked for.
fn dynamics(tolerance: f64, is_watched: bool) -> (f64, f64) {
    let linkage = free(rods(COUNT, LENGTH, MASS), tolerance);
    let mut run = Run::new(&linkage, &[0.0; COUNT], &[0.0; COUNT]);
    let mut worst = 0.0_f64;
    let clock = Moment::now();
    while run.time < END {
        let course = run.step(END);
        if is_watched {
            let span = course.span();
            for k in 1..=8 {
                let time = (span.start + span.length() * f64::from(k) / 8.0).min(span.end);
                // It is zero at the start, where all mass is at the height of the origin.
                worst = worst.max(course.energy_at(time, &mut run.workspace).abs());
            }
        }
    }
    (clock.seconds(), worst)
}

/// The same in a world, whose links touch nothing.
fn engine(tolerance: f64, is_watched: bool) -> (f64, f64) {
    let mut world =
        World::builder().gravity(GRAVITY).tolerance(tolerance).build().expect("a world");
    let half = DVec3::new(0.5 * LENGTH, 0.02 * LENGTH, 0.02 * LENGTH);
    let shape = Shape::Cuboid(Cuboid::new(half).expect("a cuboid"));
    let moment = MASS * LENGTH * LENGTH / 12.0;
    let mass = MassProperties {
        mass: MASS,
        center: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::new(1e-9, moment, moment)),
    };
    let mut last = None;
    for i in 0..COUNT {
        let at = LENGTH * (i as f64 + 0.5) * DVec3::X;
        let rod = Body::free(shape.clone()).mass_properties(mass).at(at).ghost();
        let rod = world.add(rod).expect("a rod");
        let kind = JointKind::Revolute { axis: DVec3::Y };
        let hinge = Joint::new(kind, last, rod).at(LENGTH * i as f64 * DVec3::X);
        world.join(hinge).expect("a hinge");
        last = Some(rod);
    }
    let mut worst = 0.0_f64;
    let clock = Moment::now();
    if is_watched {
        for k in 1..=STEPS {
            world.advance_to(END * f64::from(k) / f64::from(STEPS)).expect("a run");
            worst = worst.max(world.account().integration.abs());
        }
    } else {
        world.advance_to(END).expect("a run");
    }
    (clock.seconds(), worst)
}
