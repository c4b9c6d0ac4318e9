//! A ball on a turntable, let go.
//!
//! You should see it fly off along the tangent, not outwards: what is let go keeps its velocity, ω×r, and nothing pushes
//! it away from the axis. After the time t it is r·√(1 + (ωt)²) from the axis, and it keeps the spin of the table.

mod shared;

use std::error::Error;

use carom::{Body, Command, Law, World};
use carom_dynamics::law::Constant;
use carom_geometry::{Pose, Shape, shapes::Ball, shapes::Cylinder};
use glam::DVec3;
use shared::agree;

fn main() -> Result<(), Box<dyn Error>> {
    let (spin, radius, flight) = (2.0, 0.5, 1.0);
    let law = Constant::new(0.0, Pose::IDENTITY, DVec3::ZERO, spin * DVec3::Z)?;

    let mut world = World::builder().gravity(DVec3::ZERO).build()?;
    let table = Shape::Cylinder(Cylinder::new(0.02, 0.8)?);
    let table = world.add(Body::scripted(table, Law::Constant(law)).named("table"))?;
    let ball = Body::carried(Shape::Ball(Ball::new(0.05)?), table).mass(0.1);
    let ball = world.add(ball.at(DVec3::new(radius, 0.0, 0.08)))?;
    world.schedule(3.0, Command::Release(ball))?;

    world.advance_to(3.0)?;
    let released = world.state(ball).ok_or("the ball is gone")?;
    world.advance_to(3.0 + flight)?;
    let later = world.state(ball).ok_or("the ball is gone")?;

    let across = |v: DVec3| DVec3::new(v.x, v.y, 0.0);
    let outwards = across(released.position) / radius;
    let turned = spin * flight;
    let distance = radius * (1.0 + turned * turned).sqrt();
    // Some roundings of numbers up to 2.
    let allowed = 1e-14;
    agree("speed outwards", "m/s", released.velocity.dot(outwards), 0.0, allowed)?;
    agree("speed", "m/s", released.velocity.length(), spin * radius, allowed)?;
    agree("distance from the axis", "m", across(later.position).length(), distance, allowed)?;
    agree("spin", "rad/s", later.angular_velocity.z, spin, allowed)?;
    // What the table gave it: energy of flight and of spin, with I = 0.4·m·(0.05 m)².
    let energy = 0.5 * 0.1 * (spin * radius) * (spin * radius)
        + 0.5 * (0.4 * 0.1 * 0.05 * 0.05) * spin * spin;
    agree("work of the table", "J", world.account().work, energy, allowed)
}
