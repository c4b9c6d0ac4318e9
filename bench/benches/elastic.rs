//! Spheres that bounce without loss, with Rapier beside: SimBenchmark's bouncing and 666 scenes.
//!
//! `cargo bench --manifest-path bench/Cargo.toml --bench elastic`
//!
//! Both engines simulate the same bodies for the same time in one run on one thread, Rapier at 1 kHz. The error is the root
//! mean square of E − E₀ over the run, sampled 1000 times, as a share of E₀.

use std::time::Instant;

use carom::{Body, Material, RestitutionLaw, Surface, World};
use carom_bench::motion::Numbers;
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, HalfSpace};
use glam::DVec3;
use rapier3d_f64::prelude as rapier;

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.1;
const MASS: f64 = 10.0;
/// Samples of the energy in a run.
const SAMPLES: u32 = 1000;
/// Runs of ours; the fastest counts.
const RUNS: usize = 5;

/// Spheres above a floor.
struct Scene {
    name: &'static str,
    places: Vec<DVec3>,
    until: f64,
}

/// How long a run took, the error of its energy, and collisions where they are counted.
struct Figures {
    seconds: f64,
    error: f64,
    collisions: Option<u64>,
}

fn main() {
    println!("| scene | engine | wall | energy error (RMS / E₀) | collisions | ratio |");
    println!("|---|---|---|---|---|---|");
    for scene in [bounce49(), elastic666()] {
        let ours =
            (0..RUNS).map(|_| carom_run(&scene)).min_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let ours = ours.expect("some runs");
        row(scene.name, "Carom", &ours, 1.0);
        let theirs = rapier_run(&scene);
        row(scene.name, "Rapier 0.36, 1 kHz", &theirs, theirs.seconds / ours.seconds);
    }
}

fn row(scene: &str, engine: &str, figures: &Figures, ratio: f64) {
    let collisions = figures.collisions.map_or_else(String::new, |count| count.to_string());
    println!(
        "| {scene} | {engine} | {:.4} s | {:.1e} | {collisions} | {ratio:.1} |",
        figures.seconds, figures.error
    );
}

fn bounce49() -> Scene {
    let place = |index: u32| DVec3::new(f64::from(index % 7), f64::from(index / 7), 5.0);
    Scene { name: "bounce49", places: (0..49).map(place).collect(), until: 20.0 }
}

fn elastic666() -> Scene {
    let mut numbers = Numbers(666);
    let place = |index: u32| {
        let grid = [index % 6, index / 6 % 6, index / 36].map(f64::from);
        let moved = DVec3::new(numbers.signed(), numbers.signed(), numbers.signed());
        0.21 * DVec3::from(grid) + 1.101 * DVec3::Z + 1e-3 * moved
    };
    Scene { name: "elastic666", places: (0..216).map(place).collect(), until: 10.0 }
}

/// Gathers the error of the energy.
struct Energy {
    initial: f64,
    squares: f64,
}

impl Energy {
    fn sample(&mut self, energy: f64) {
        let off = energy / self.initial - 1.0;
        self.squares += off * off;
    }

    fn error(&self) -> f64 {
        (self.squares / f64::from(SAMPLES)).sqrt()
    }
}

fn carom_run(scene: &Scene) -> Figures {
    let mut world = carom_world(scene);
    let mut energy = Energy { initial: world.account().total(), squares: 0.0 };
    let mut seconds = 0.0;
    for sample in 1..=SAMPLES {
        let started = Instant::now();
        let time = scene.until * f64::from(sample) / f64::from(SAMPLES);
        world.advance_to(time).expect("no fault");
        seconds += started.elapsed().as_secs_f64();
        energy.sample(world.account().total());
    }
    let collisions = world.contacts().map(|contact| contact.sums().collisions).sum();
    Figures { seconds, error: energy.error(), collisions: Some(collisions) }
}

fn carom_world(scene: &Scene) -> World {
    let gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    let mut world = World::builder().gravity(gravity).build().expect("a world");
    let surface = Surface { friction: 0.0, restitution: 1.0, law: RestitutionLaw::Stronge };
    let material = Material { name: "elastic".to_owned(), surface };
    let material = world.add_material(material).expect("a material");
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a normal"));
    world.add(Body::fixed(floor).material(material)).expect("a floor");
    let ball = Shape::Ball(Ball::new(RADIUS).expect("a radius"));
    for place in &scene.places {
        let body = Body::free(ball.clone()).mass(MASS).material(material).at(*place);
        world.add(body).expect("a ball");
    }
    world
}

fn rapier_run(scene: &Scene) -> Figures {
    let vector = |v: DVec3| rapier::Vector::new(v.x, v.y, v.z);
    let mut world = rapier::PhysicsWorld::new();
    world.gravity = vector(DVec3::new(0.0, 0.0, -GRAVITY));
    world.integration_parameters.dt = 1e-3;
    let floor = rapier::ColliderBuilder::new(rapier::SharedShape::halfspace(rapier::Vector::Z))
        .restitution(1.0)
        .friction(0.0);
    world.insert(rapier::RigidBodyBuilder::fixed(), floor);
    let handles: Vec<_> = scene
        .places
        .iter()
        .map(|place| {
            let body = rapier::RigidBodyBuilder::dynamic().translation(vector(*place));
            let ball = rapier::ColliderBuilder::ball(RADIUS).restitution(1.0).friction(0.0);
            world.insert(body, ball.mass(MASS)).0
        })
        .collect();
    let total = |world: &rapier::PhysicsWorld| -> f64 {
        let energy = |handle: &rapier::RigidBodyHandle| {
            let body = &world.bodies[*handle];
            0.5 * MASS * body.linvel().length_squared() + MASS * GRAVITY * body.translation().z
        };
        handles.iter().map(energy).sum()
    };
    let mut energy = Energy { initial: total(&world), squares: 0.0 };
    let steps = (scene.until / 1e-3).round() as u32;
    let mut seconds = 0.0;
    for _ in 0..SAMPLES {
        let started = Instant::now();
        for _ in 0..steps / SAMPLES {
            world.step();
        }
        seconds += started.elapsed().as_secs_f64();
        energy.sample(total(&world));
    }
    Figures { seconds, error: energy.error(), collisions: None }
}
