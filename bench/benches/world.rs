//! The engine: many bodies sampled, and the queue kept busy.
//!
//! Divided by the number of bodies and samples, or of events, in `bench/README.md`.

use carom::{
    Body, BodyId, Command, Commands, Controller, LoadError, NotSavable, Push, Rate, Readings, World,
};
use carom_geometry::{Shape, shapes::Cuboid};
use divan::{Bencher, counter::ItemsCount};
use glam::DVec3;

fn main() {
    divan::main();
}

const BODIES: u32 = 100_000;

/// Samples of one second.
const SAMPLES: u32 = 60;

/// Numbers between −1 and 1 that look random.
fn numbers() -> impl FnMut() -> f64 {
    let mut count = 0.0;
    move || {
        count += 1.0;
        2.0 * libm::fmod(count * 0.6180339887498949, 1.0) - 1.0
    }
}

/// Bricks of three different moments, thrown anyhow.
fn bricks(bodies: u32, threads: usize) -> (World, Vec<BodyId>) {
    let mut number = numbers();
    let mut vector = || DVec3::new(number(), number(), number());
    let shape = Shape::Cuboid(Cuboid::new(DVec3::new(0.12, 0.06, 0.03)).expect("sizes"));
    let mut world = World::builder().threads(threads).build().expect("a world");
    let add = |_| {
        let body = Body::free(shape.clone())
            .at(100.0 * vector())
            .velocity(5.0 * vector())
            .angular_velocity(10.0 * vector());
        world.add(body).expect("a brick")
    };
    let ids = (0..bodies).map(add).collect();
    (world, ids)
}

/// States of all bodies, 60 times in one second of their flight; nothing else happens.
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn states_of_all_bodies(bencher: Bencher, threads: usize) {
    let (world, _) = bricks(BODIES, threads);
    let mut states = Vec::new();
    bencher.counter(ItemsCount::new(BODIES * SAMPLES)).bench_local(|| {
        for sample in 0..SAMPLES {
            world.states_at(f64::from(sample) / 60.0, &mut states);
            divan::black_box(&states);
        }
    });
}

/// The same, with the world advanced from sample to sample, so that boxes are made anew as they run out.
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn advance_and_sample(bencher: Bencher, threads: usize) {
    let mut states = Vec::new();
    bencher
        .counter(ItemsCount::new(BODIES * SAMPLES))
        .with_inputs(|| bricks(BODIES, threads).0)
        .bench_local_values(|mut world| {
            for sample in 0..SAMPLES {
                world.advance_to(f64::from(sample) / 60.0).expect("a time");
                world.states_at(world.now(), &mut states);
                divan::black_box(&states);
            }
            world
        });
}

/// Reads its body and does nothing, or strikes it.
struct Watcher {
    body: BodyId,
    strikes: bool,
}

impl Controller for Watcher {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        let state = divan::black_box(readings.state(self.body));
        if self.strikes
            && let Some(state) = state
        {
            commands.apply_impulse(self.body, -1e-3 * state.velocity);
        }
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Ok(Vec::new())
    }

    fn load(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Ok(())
    }
}

/// A hundred controllers at 1000 Hz for a second, each reading an asymmetric body of its own.
fn watched(strikes: bool) -> World {
    let (mut world, ids) = bricks(100, 1);
    for body in ids {
        let watcher = Box::new(Watcher { body, strikes });
        world.add_controller(Rate::Hertz(1000.0), watcher).expect("a rate");
    }
    world
}

/// Up to the last of the ticks that are counted.
const UP_TO_LAST: f64 = 0.9995;

#[divan::bench(sample_count = 20, sample_size = 1)]
fn ticks_that_read(bencher: Bencher) {
    let run = |mut world: World| world.advance_to(UP_TO_LAST).map(|()| world);
    bencher
        .counter(ItemsCount::new(100_000_u32))
        .with_inputs(|| watched(false))
        .bench_local_values(run);
}

/// Each tick strikes, and so makes a motion and a box anew.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn ticks_that_strike(bencher: Bencher) {
    let run = |mut world: World| world.advance_to(UP_TO_LAST).map(|()| world);
    bencher
        .counter(ItemsCount::new(100_000_u32))
        .with_inputs(|| watched(true))
        .bench_local_values(run);
}

/// A hundred thousand scheduled impulses, each at a time of its own, on a thousand bodies.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn scheduled_impulses(bencher: Bencher) {
    let world = || {
        let (mut world, ids) = bricks(1000, 1);
        let mut number = numbers();
        for index in 0..100_000_usize {
            let push = Push::central(ids[index % ids.len()], 1e-3 * number() * DVec3::X);
            world.schedule(0.5 + 0.4999 * number(), Command::Impulse(push)).expect("a time");
        }
        world
    };
    let run = |mut world: World| world.advance_to(1.0).map(|()| world);
    bencher.counter(ItemsCount::new(100_000_u32)).with_inputs(world).bench_local_values(run);
}
