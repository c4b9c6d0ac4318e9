//! A ball thrown at 60° from level ground.
//!
//! You should see it land v²·sin(2θ)/g away, after having been v²·sin²θ/(2g) high, to the last digits: its motion is
//! a formula that can be asked for any time, so there is no step that could make the parabola a polygon.

mod shared;

use std::error::Error;

use carom::{Body, World};
use carom_geometry::{Shape, shapes::Ball};
use glam::DVec3;
use shared::agree;

fn main() -> Result<(), Box<dyn Error>> {
    let (speed, angle, gravity) = (20.0, 60.0_f64.to_radians(), 9.80665);
    let (sin, cos) = libm::sincos(angle);

    let mut world = World::builder().gravity(-gravity * DVec3::Z).build()?;
    let ball = Body::free(Shape::Ball(Ball::new(0.05)?)).density(2700.0);
    let ball = world.add(ball.velocity(speed * DVec3::new(cos, 0.0, sin)))?;
    let at = |time: f64| world.state_at(ball, time).ok_or("the ball is gone");

    // The ball is above the ground at 1 s and below it at 10 s; halve the time between until nothing is left.
    let (mut above, mut below) = (1.0, 10.0);
    for _ in 0..60 {
        let time = 0.5 * (above + below);
        if at(time)?.position.z > 0.0 {
            above = time;
        } else {
            below = time;
        }
    }
    let range = at(above)?.position.x;
    let height = at(0.5 * above)?.position.z;

    // Some roundings of numbers up to 35 m.
    let allowed = 1e-13;
    let squared = speed * speed;
    agree("range", "m", range, squared * 2.0 * sin * cos / gravity, allowed)?;
    agree("height", "m", height, squared * sin * sin / (2.0 * gravity), allowed)
}
