//! Balls in a box at equal density, bouncing elastically: what an event costs as their number grows.
//!
//! `cargo bench --manifest-path bench/Cargo.toml --bench gas [-- largest number of balls]`

use std::time::Instant;

use carom::{Body, BodyId, Contact, EventKind, Fault, Observers, Settings, StopAtTouch, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, HalfSpace};
use glam::DVec3;

const RADIUS: f64 = 0.01;
/// Share of the volume that the balls fill.
const FILLING: f64 = 0.1;
/// A run is timed in parts, and the fastest counts: the others had company.
const PARTS: usize = 20;

struct Numbers(u64);

impl Numbers {
    /// From −1 to 1.
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

fn gas(n: usize, radii: f64) -> World {
    let side = libm::cbrt(n as f64 * 4.0 / 3.0 * std::f64::consts::PI / FILLING) * RADIUS;
    let settings = Settings { window_radii: radii, ..Settings::default() };
    let mut world = World::builder()
        .passing()
        .gravity(DVec3::ZERO)
        .settings(settings)
        .build()
        .expect("a world");
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for normal in [axis, -axis] {
            // The box is centred on the origin.
            let wall = HalfSpace::new(normal, -0.5 * side).expect("a wall");
            world.add(Body::fixed(Shape::HalfSpace(wall))).expect("a wall");
        }
    }
    let cells = libm::ceil(libm::cbrt(n as f64)) as usize;
    let pitch = side / cells as f64;
    let mut numbers = Numbers(1);
    let ball = Shape::Ball(Ball::new(RADIUS).expect("a ball"));
    for i in 0..n {
        let cell =
            DVec3::new((i % cells) as f64, (i / cells % cells) as f64, (i / cells / cells) as f64);
        let jitter = (0.5 * pitch - RADIUS) * 0.9 * numbers.vector();
        let place = (cell + 0.5) * pitch - 0.5 * side + jitter;
        let body = Body::free(ball.clone()).mass(1.0).at(place).velocity(numbers.vector());
        world.add(body).expect("a ball");
    }
    world
}

fn inverse_mass(world: &World, body: BodyId) -> f64 {
    let body = world.body(body).expect("a body");
    if body.is_free() { body.mass().map_or(0.0, |mass| 1.0 / mass.mass) } else { 0.0 }
}

/// The elastic answer to a touch.
fn bounce(world: &mut World, contact: &Contact) {
    let [a, b] = contact.bodies;
    let [state_a, state_b] = [a, b].map(|id| world.state(id).expect("a state"));
    let speed = contact.normal.dot(state_a.velocity - state_b.velocity);
    let [inverse_a, inverse_b] = [a, b].map(|id| inverse_mass(world, id));
    let impulse = -2.0 * speed / (inverse_a + inverse_b) * contact.normal;
    for (id, inverse, sign) in [(a, inverse_a, 1.0), (b, inverse_b, -1.0)] {
        if inverse > 0.0 {
            world.apply_impulse(id, sign * impulse, contact.point).expect("a strike");
        }
    }
}

/// Advances until there were so many touches.
fn run(world: &mut World, touches: usize) {
    for _ in 0..touches {
        let mut stop = StopAtTouch::default();
        match world.advance_watched(1e9, &mut Observers::none().with(&mut stop)) {
            Err(Fault::Stopped { .. }) => {}
            other => panic!("{other:?}"),
        }
        let (_, contact) = stop.touch.expect("a touch");
        bounce(world, &contact);
    }
}

/// What one event costs.
#[derive(Clone, Copy)]
struct Cost {
    touches: u64,
    boxes: u64,
    /// In the fastest part of the run, by the clock `[µs]`.
    micros: f64,
    /// On the processor, over the whole run `[µs]`.
    processor: f64,
    predictions: f64,
    pushes: f64,
    cells: f64,
    pairs: f64,
}

impl Cost {
    /// Of a gas that has forgotten how it began.
    fn of(n: usize, radii: f64) -> Self {
        let mut world = gas(n, radii);
        let energy = world.account().kinetic;
        run(&mut world, (2 * n).max(2000));
        let (before, effort) = (*world.event_counts(), world.effort());
        let touches = (2 * n).clamp(5000, 100_000) / PARTS;
        let begun = on_processor();
        let micros = (0..PARTS).map(|_| part(&mut world, touches)).fold(f64::INFINITY, f64::min);
        let processor = 1e-3 * (on_processor() - begun) as f64;
        let (after, spent) = (*world.event_counts(), world.effort());
        assert!((world.account().kinetic - energy).abs() < 1e-9 * energy, "energy is lost");
        let touches = (touches * PARTS) as u64;
        let boxes = after.of(EventKind::Box) - before.of(EventKind::Box);
        let per_event = |count: u64| count as f64 / (touches + boxes) as f64;
        Self {
            touches,
            boxes,
            micros,
            processor: processor / (touches + boxes) as f64,
            predictions: per_event(spent.predictions - effort.predictions),
            pushes: per_event(spent.queue_pushes - effort.queue_pushes),
            cells: per_event(spent.cells - effort.cells),
            pairs: per_event(spent.pairs_entered - effort.pairs_entered),
        }
    }

    fn row(&self) -> [f64; 6] {
        [self.micros, self.processor, self.predictions, self.pushes, self.cells, self.pairs]
    }
}

/// How long this thread has run on a processor, where the system tells `[ns]`: unlike the clock, it does not see who else runs.
fn on_processor() -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0)
}

/// Time per event of so many touches `[µs]`.
fn part(world: &mut World, touches: usize) -> f64 {
    let before = world.event_counts().of(EventKind::Box);
    let begun = Instant::now();
    run(world, touches);
    let micros = begun.elapsed().as_secs_f64() * 1e6;
    let boxes = world.event_counts().of(EventKind::Box) - before;
    micros / (boxes as f64 + touches as f64)
}

fn main() {
    let largest: usize = std::env::args().find_map(|it| it.parse().ok()).unwrap_or(100_000);
    for radii in [1.0, 2.0] {
        println!("windows of {radii} radii; per event:");
        println!(
            "      n  touches  box events        µs  processor  events/s  predictions  pushes  cells  pairs"
        );
        let mut rows = Vec::new();
        let mut n = 100;
        while n <= largest {
            let cost = Cost::of(n, radii);
            let [micros, processor, predictions, pushes, cells, pairs] = cost.row();
            println!(
                "{n:>7} {:>8} {:>11} {micros:>9.2} {processor:>10.2} {:>9.0} {predictions:>12.2} {pushes:>7.2} {cells:>6.2} {pairs:>6.2}",
                cost.touches,
                cost.boxes,
                1e6 / micros,
            );
            rows.push(cost.row());
            n *= 10;
        }
        let ratios = [0, 1, 2, 3, 4, 5].map(|column| {
            let values = || rows.iter().map(|row| row[column]);
            values().fold(0.0, f64::max) / values().fold(f64::INFINITY, f64::min)
        });
        println!("largest to smallest:           {ratios:.2?}");
    }
}
