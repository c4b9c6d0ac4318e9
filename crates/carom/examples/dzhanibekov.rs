//! A wing nut in orbit: a body that spins about its middle axis turns over, again and again.
//!
//! You should see it flip every 11.578 s. Spin about the axis of the middle moment of inertia is unstable: a tiny
//! wobble grows, the body turns over, and the wobble dies away until the next time. The prediction is the half period
//! 2K(k)/λ of Jacobi's elliptic functions for moments 1, 2, 3 kg·m² and rates 0.01, 2, 0 rad/s.

mod shared;

use std::error::Error;

use carom::{Body, World};
use carom_geometry::{MassProperties, Shape, shapes::Cuboid};
use glam::{DMat3, DVec3};
use shared::agree;

/// Half the period of the rates, to the digits given `[s]`.
const PREDICTED: f64 = 11.5780256;

fn main() -> Result<(), Box<dyn Error>> {
    let inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0));
    let properties = MassProperties { mass: 1.0, center: DVec3::ZERO, inertia };
    let shape = Shape::Cuboid(Cuboid::new(DVec3::new(1.0, 0.5, 0.1))?);

    let mut world = World::builder().gravity(DVec3::ZERO).build()?;
    let nut = Body::free(shape).mass_properties(properties);
    let nut = world.add(nut.angular_velocity(DVec3::new(0.01, 2.0, 0.0)))?;
    let middle_rate = |time: f64| {
        let state = world.state_at(nut, time).ok_or("the nut is gone")?;
        Ok::<f64, Box<dyn Error>>(state.angular_velocity_body().y)
    };

    // Look every second for a change of sign of the middle rate, then halve the time between.
    let mut flips = Vec::new();
    for second in 0..60 {
        let (mut before, mut after) = (f64::from(second), f64::from(second + 1));
        let sign = middle_rate(before)?;
        if sign * middle_rate(after)? > 0.0 {
            continue;
        }
        for _ in 0..50 {
            let time = 0.5 * (before + after);
            if sign * middle_rate(time)? > 0.0 {
                before = time;
            } else {
                after = time;
            }
        }
        flips.push(after);
    }
    for pair in flips.windows(2) {
        agree("from flip to flip", "s", pair[1] - pair[0], PREDICTED, 1e-7)?;
    }
    agree("within a minute", "flips", flips.len() as f64, 5.0, 0.0)
}
