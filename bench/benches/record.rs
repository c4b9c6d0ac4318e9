//! What recording costs: a hundred thousand flying bodies, sampled 60 times a second.
//!
//! One item is one body in one sample. `unobserved` is the run alone; `evaluated` asks for the same states and
//! accounts and writes nothing; the others write, to nowhere or to files of the system's temporary folder.

use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;

use carom::{Body, BodyId, BodyState, Instant, Observer, Observers, SampleTimes, Stop, World};
use carom_geometry::{Shape, shapes::Cuboid};
use carom_record::{Options, Output, Recorder, RecordingHeader};
use divan::Bencher;
use divan::counter::ItemsCount;
use glam::DVec3;

const BODIES: u32 = 100_000;
const RATE_HZ: f64 = 60.0;
const SAMPLES: u32 = 20;

fn main() {
    divan::main();
}

/// Boxes on a grid, each with a velocity and a spin of its own, so that no two states are alike.
fn world() -> World {
    let mut world = World::builder().build().expect("standard gravity is valid");
    let shape = Cuboid::new(DVec3::new(0.1, 0.2, 0.3)).expect("sizes are positive");
    for i in 0..BODIES {
        let k = f64::from(i);
        let body = Body::free(Shape::Cuboid(shape))
            .at(DVec3::new(f64::from(i % 300), f64::from(i / 300), 10.0))
            .velocity(DVec3::new(libm::sin(k), libm::cos(k), 5.0))
            .angular_velocity(DVec3::new(libm::cos(k), 1.0, libm::sin(k)));
        world.add(body).expect("the body is valid");
    }
    world
}

/// Runs `SAMPLES` samples while `observer` watches; what happens at the start is not timed.
fn bench<O: Observer + 'static>(bencher: Bencher, observer: impl Fn() -> O + Sync) {
    let items = ItemsCount::new(u64::from(BODIES) * u64::from(SAMPLES));
    bencher
        .counter(items)
        .with_inputs(|| {
            let (mut world, mut observer) = (world(), observer());
            let mut observers = Observers::none().with(&mut observer);
            world.advance_watched(0.5 / RATE_HZ, &mut observers).expect("nothing stops the run");
            (world, observer)
        })
        .bench_local_values(|(mut world, mut observer)| {
            let end = (f64::from(SAMPLES) + 0.5) / RATE_HZ;
            let mut observers = Observers::none().with(&mut observer);
            world.advance_watched(end, &mut observers).expect("nothing stops the run");
            (world, observer)
        });
}

struct Nobody;

impl Observer for Nobody {
    fn between(&mut self, _: &World, _: Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, _: &World, _: &Instant<'_>) -> Result<(), Stop> {
        Ok(())
    }
}

/// Asks for what a recorder asks for.
struct Asker {
    times: SampleTimes,
    states: Vec<(BodyId, BodyState)>,
    account: bool,
}

impl Asker {
    fn new(account: bool) -> Self {
        let times = SampleTimes::new(0.0, RATE_HZ).expect("the rate is positive");
        Self { times, states: Vec::new(), account }
    }
}

impl Observer for Asker {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        while let Some(time) = self.times.next_before(times.end) {
            world.states_at(time, &mut self.states);
            if self.account {
                divan::black_box(world.account_at(time));
            }
        }
        Ok(())
    }

    fn after(&mut self, _: &World, _: &Instant<'_>) -> Result<(), Stop> {
        Ok(())
    }
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn unobserved(bencher: Bencher) {
    bench(bencher, || Nobody);
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn evaluated_states(bencher: Bencher) {
    bench(bencher, || Asker::new(false));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn evaluated_states_and_ledger(bencher: Bencher) {
    bench(bencher, || Asker::new(true));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn recorded_to_nowhere(bencher: Bencher) {
    let header = RecordingHeader::new("bench", "0");
    bench(bencher, || {
        let nowhere: Box<dyn Write> = Box::new(io::sink());
        Recorder::new(nowhere, "nowhere", &header, &options()).expect("nowhere takes everything")
    });
}

#[divan::bench(args = ["mcap", "csv", "parquet"], sample_count = 3, sample_size = 1)]
fn written_to_file(bencher: Bencher, extension: &str) {
    let name = format!("carom-bench-{}.{extension}", std::process::id());
    let path: PathBuf = std::env::temp_dir().join(name);
    let header = RecordingHeader::new("bench", "0");
    bench(bencher, || Output::create(&path, &header, &options()).expect("the folder is there"));
    std::fs::remove_file(&path).ok();
}

fn options() -> Options {
    Options { events: false, ..Options::at(RATE_HZ) }
}
