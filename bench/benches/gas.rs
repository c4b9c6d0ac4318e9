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

struct Numbers(u64);

impl Numbers {
    /// From −1 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
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
        let cell = DVec3::new((i % cells) as f64, (i / cells % cells) as f64, (i / cells / cells) as f64);
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

fn main() {
    let largest: usize = std::env::args().filter_map(|it| it.parse().ok()).next().unwrap_or(100_000);
    println!("      n  radii   µs/event  events/touch  predictions/event  pushes/event  pairs/event  energy error");
    let mut n = 100;
    while n <= largest {
        for radii in [1.0, 2.0, 4.0] {
            let mut world = gas(n, radii);
            let energy = world.account().kinetic;
            run(&mut world, n / 2);
            let (before, effort) = (*world.event_counts(), world.effort());
            let touches = (2 * n).max(2000);
            let begun = Instant::now();
            run(&mut world, touches);
            let micros = begun.elapsed().as_secs_f64() * 1e6;
            let (after, spent) = (*world.event_counts(), world.effort());
            let boxes = after.of(EventKind::Box) - before.of(EventKind::Box);
            let events = (boxes + touches as u64) as f64;
            println!(
                "{n:>7} {radii:>6} {:>10.3} {:>13.2} {:>18.2} {:>13.2} {:>12.2} {:>13.1e}",
                micros / events,
                events / touches as f64,
                (spent.predictions - effort.predictions) as f64 / events,
                (spent.queue_pushes - effort.queue_pushes) as f64 / events,
                (spent.pairs_entered - effort.pairs_entered) as f64 / events,
                (world.account().kinetic - energy).abs() / energy,
            );
        }
        n *= 10;
    }
}
