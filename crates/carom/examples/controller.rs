//! A body held up by a hundred small kicks a second.
//!
//! You should see it hover a centimetre *above* where the controller wants it. Between kicks the body falls freely, so
//! just before each it sinks with ½·g·T; the damping term takes that for a disturbance and pushes, until the
//! spring term pulls back by as much: k·Δz = c·½·g·T. To that comes the mean of the little hops, g·T²/12.

mod shared;

use std::error::Error;

use carom::{Body, BodyId, Commands, Controller, LoadError, NotSavable, Rate, Readings, World};
use carom_geometry::{Shape, shapes::Ball};
use glam::DVec3;
use shared::agree;

const GRAVITY: f64 = 9.80665;
const PERIOD: f64 = 0.01;
const WANTED: f64 = 1.0;
const STIFFNESS: f64 = 100.0;
const DAMPING: f64 = 20.0;

/// Carries its weight, and brings its body to a height; knows nothing but what it reads.
struct Hover {
    body: BodyId,
    mass: f64,
}

impl Controller for Hover {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        let Some(state) = readings.state(self.body) else { return };
        let (height, climb) = (state.position.z, state.velocity.z);
        let acceleration = GRAVITY + STIFFNESS * (WANTED - height) - DAMPING * climb;
        commands.apply_impulse(self.body, self.mass * acceleration * PERIOD * DVec3::Z);
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Ok(Vec::new())
    }

    fn load(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::builder().gravity(-GRAVITY * DVec3::Z).build()?;
    let mass = 0.5;
    let body = world.add(Body::free(Shape::Ball(Ball::new(0.1)?)).mass(mass))?;
    world.add_controller(Rate::Period(PERIOD), Box::new(Hover { body, mass }))?;

    // It settles like e^(−10t); after 5 s nothing is left of the start.
    world.advance_to(5.0)?;
    let samples = 10_000;
    let mut sum = 0.0;
    for sample in 0..samples {
        world.advance_to(5.0 + 1e-4 * (f64::from(sample) + 0.5))?;
        sum += world.state(body).ok_or("the body is gone")?.position.z;
    }
    let sag = DAMPING * 0.5 * GRAVITY * PERIOD / STIFFNESS;
    let hops = GRAVITY * PERIOD * PERIOD / 12.0;
    // Samples every 0.1 ms take parabolas for steps: g·(0.1 ms)²/24.
    agree("mean height", "m", sum / f64::from(samples), WANTED + sag + hops, 1e-8)
}
