//! A rod struck near its end, and the point of it that does not feel the blow.
//!
//! You should see a point stay at rest for a moment, on the other side of the centre, at the distance I/(m·a) from it
//! when the blow comes at the distance a: there the velocity of the centre and that of the spin cancel. Hold a bat
//! there and a ball that hits it at a (the centre of percussion) does not sting.

mod shared;

use std::error::Error;

use carom::{Body, World};
use carom_geometry::{Shape, shapes::Cuboid};
use glam::DVec3;
use shared::agree;

fn main() -> Result<(), Box<dyn Error>> {
    let (length, width, mass, arm) = (0.9, 0.04, 1.2, 0.4);
    let rod = Shape::Cuboid(Cuboid::new(0.5 * DVec3::new(length, width, width))?);

    let mut world = World::builder().gravity(DVec3::ZERO).build()?;
    let rod = world.add(Body::free(rod).mass(mass).at(DVec3::new(3.0, 1.0, 0.0)))?;
    let center = world.state(rod).ok_or("the rod is gone")?.position;
    world.apply_impulse(rod, 5.0 * DVec3::Y, center + arm * DVec3::X)?;

    // Velocity is linear along the rod: from two points follows where it vanishes.
    let state = world.state(rod).ok_or("the rod is gone")?;
    let [middle, end] = [0.0, -0.5 * length].map(|x| state.velocity_at(center + x * DVec3::X).y);
    let still = 0.5 * length * middle / (middle - end);

    let inertia = mass * (length * length + width * width) / 12.0;
    // Some roundings of numbers up to 3 m.
    agree("the still point's distance from the centre", "m", still, inertia / (mass * arm), 1e-14)?;

    // And the spin is that of the blow's moment.
    agree("spin", "rad/s", state.angular_velocity.z, 5.0 * arm / inertia, 1e-13)
}
