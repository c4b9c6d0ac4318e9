//! A run that is saved in the middle and continued elsewhere.
//!
//! You should see one number three times: the hash of the world at the end of a run that was never interrupted, of one
//! that was saved and went on, and of one that was restored from the saved bytes. A snapshot keeps the motions
//! themselves and every command that still waits, so the future is the same to the last bit.

mod shared;

use std::error::Error;

use carom::{Body, Command, Push, Snapshot, StateHash, World};
use carom_geometry::{Shape, shapes::Cuboid};
use glam::DVec3;
use shared::agree;

/// Ten tumbling bricks that are struck one after the other.
fn bricks() -> Result<World, Box<dyn Error>> {
    let mut world = World::builder().build()?;
    for index in 0..10 {
        let number = f64::from(index);
        let brick = Shape::Cuboid(Cuboid::new(DVec3::new(0.12, 0.06, 0.03))?);
        let body = Body::free(brick)
            .at(DVec3::new(number, 0.0, 10.0))
            .angular_velocity(DVec3::new(1.0, number, -2.0));
        let id = world.add(body)?;
        let push = Push::central(id, DVec3::new(0.0, 1.0, number));
        world.schedule(0.3 * number, Command::Impulse(push))?;
    }
    Ok(world)
}

#[expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut whole = bricks()?;
    whole.advance_to(5.0)?;

    let mut saved = bricks()?;
    saved.advance_to(1.234)?;
    let bytes = saved.snapshot()?.as_bytes().to_vec();
    saved.advance_to(5.0)?;

    let mut restored = World::restore(&Snapshot::from_bytes(bytes)?, Vec::new(), 1)?;
    restored.advance_to(5.0)?;

    let hashes: [StateHash; 3] = [whole.hash(), saved.hash(), restored.hash()];
    for (hash, name) in hashes.iter().zip(["in one go", "saved and continued", "restored"]) {
        println!("{hash}  {name}");
    }
    let same = hashes.iter().filter(|hash| **hash == hashes[0]).count();
    agree("ends alike", "runs", same as f64, 3.0, 0.0)
}
