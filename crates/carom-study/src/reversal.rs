//! Exploding text, backwards: how far a run that loses nothing can be undone.
//!
//! Without friction and at e = 1, mechanics knows no direction of time. Letters that have flown apart for a time T, with all
//! velocities turned round, must meet again in the same collisions, in the opposite order, and after another T stand where they
//! started. Rounding, and the small distance at which bodies count as touching, stand against that: every collision of two
//! bodies of size r after a flight of length s makes a deviation larger by about s/r, so the error grows exponentially with
//! the number of collisions that follow each other, and with T. What is measured is thus the error of one collision times
//! what chaos makes of it: the strongest test of detector and response together (guide ).
//!
//! Velocities are turned round by impulses: −2mv at the centre of mass and −2L about it.

use carom::{BodyId, BodyState, Command, Place, Push, World};
use carom_scene::{DiskFiles, Options, Source, built_in, load};
use serde::Serialize;
use thiserror::Error;

use crate::contacts::Contacts;

/// Name of the scene.
const SCENE: &str = "exploding_text";

/// Times after which the study turns velocities round `[s]`.
pub const TIMES: [f64; 7] = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0];

/// What the study found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Of the scene's random velocities.
    pub seed: u64,
    /// How many letters there are, with hyphen and dots.
    pub bodies: usize,
    /// One row for each time.
    pub rows: Vec<Row>,
}

/// There and back again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// When velocities were turned round `[s]`.
    pub time_s: f64,
    /// Collisions up to then.
    pub collisions: u64,
    /// Collisions on the way back.
    pub collisions_back: u64,
    /// Largest distance of a letter's centre from where it started `[m]`.
    pub position_m: f64,
    /// Mean over all letters of that distance `[m]`.
    pub mean_position_m: f64,
    /// Largest angle by which a letter is turned from how it started `[rad]`.
    pub turn_rad: f64,
    /// Largest difference of a letter's velocity from the opposite of what it started with `[m/s]`.
    pub velocity_m_s: f64,
    /// Change of energy, as a share of it `[-]`.
    pub energy: f64,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum ReversalError {
    /// The scene cannot be made.
    #[error("the scene {SCENE} cannot be made: {0}")]
    Scene(String),
    /// The run broke down.
    #[error("turned round at {time} s: {problem}")]
    Run {
        /// When velocities were turned round `[s]`.
        time: f64,
        /// What happened.
        problem: String,
    },
}

/// Runs the scene up to each time and back; `done` is told after each. The seed, if there is one, replaces the scene's.
///
/// # Errors
/// If the scene cannot be made, or a run breaks down.
pub fn study(times: &[f64], seed: Option<u64>, done: &dyn Fn()) -> Result<Report, ReversalError> {
    let text = built_in(SCENE).map_or("", |scene| scene.text);
    let loaded =
        load(&Source::text(SCENE, text), &Options { seed, ..Options::default() }, &DiskFiles);
    let told = || ReversalError::Scene(loaded.problems.render(false));
    let scene = loaded.scene.as_ref().ok_or_else(told)?;
    let mut report = Report { seed: scene.seed, bodies: 0, rows: Vec::new() };
    for &time in times {
        let refused =
            |problems: carom_scene::Problems| ReversalError::Scene(problems.render(false));
        let mut world = scene.build(1).map_err(refused)?;
        report.bodies = free_bodies(&world).len();
        let row = there_and_back(&mut world, time)
            .map_err(|problem| ReversalError::Run { time, problem })?;
        report.rows.push(row);
        done();
    }
    Ok(report)
}

/// All that move, and how.
fn free_bodies(world: &World) -> Vec<(BodyId, BodyState)> {
    let free = world.bodies().filter(carom::BodyRef::is_free);
    free.filter_map(|body| Some((body.id(), body.state()?))).collect()
}

/// Runs for a time, turns all velocities round, runs for the same time, and compares.
fn there_and_back(world: &mut World, time: f64) -> Result<Row, String> {
    let (start, energy) = (free_bodies(world), world.account().kinetic);
    let from = world.now();
    world.advance_to(from + time).map_err(|fault| fault.to_string())?;
    let collisions = Contacts::of(world).collisions;
    turn_round(world)?;
    world.advance_to(from + 2.0 * time).map_err(|fault| fault.to_string())?;
    let mut row = Row {
        time_s: time,
        collisions,
        collisions_back: Contacts::of(world).collisions - collisions,
        position_m: 0.0,
        mean_position_m: 0.0,
        turn_rad: 0.0,
        velocity_m_s: 0.0,
        energy: world.account().kinetic / energy - 1.0,
    };
    for (id, first) in &start {
        let last = world.state(*id).ok_or("a letter is gone")?;
        let off = (last.position - first.position).length();
        row.position_m = row.position_m.max(off);
        row.mean_position_m += off / start.len() as f64;
        row.velocity_m_s = row.velocity_m_s.max((last.velocity + first.velocity).length());
        let turn = (last.orientation * first.orientation.conjugate()).xyz().length();
        row.turn_rad = row.turn_rad.max(2.0 * libm::asin(turn.min(1.0)));
    }
    Ok(row)
}

/// Gives every free body the opposite of its velocity and angular velocity.
fn turn_round(world: &mut World) -> Result<(), String> {
    for (body, state) in free_bodies(world) {
        let mass = *world.body(body).and_then(|body| body.mass()).ok_or("a letter has no mass")?;
        let linear = -2.0 * mass.mass * state.velocity;
        let angular = -2.0 * mass.angular_momentum(state.orientation, state.angular_velocity);
        let push = Push { body, linear, angular, point: Place::Center };
        world.command(Command::Impulse(push)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: m2/R-48
    #[test]
    fn letters_come_back_to_the_text_when_their_velocities_are_turned_round() {
        let report = study(&[0.25, 0.5, 1.0], None, &|| ()).unwrap();
        println!("{report:#?}");
        assert_eq!(report.bodies, 26);
        for row in &report.rows {
            assert_eq!(row.collisions, row.collisions_back, "{row:?}");
            assert!(row.energy.abs() < 1e-12, "{row:?}");
        }
        let [first, .., last] = report.rows.as_slice() else { panic!("three rows") };
        assert!(first.position_m < 1e-9 && first.turn_rad < 1e-8, "{first:?}");
        assert!(last.position_m < 1e-6 && last.collisions > first.collisions, "{last:?}");
    }
}
