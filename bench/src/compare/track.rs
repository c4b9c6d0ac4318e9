//! What another engine did: states of its bodies, step by step, made into motions that measures can be asked of.
//!
//! A state is exact at the times that were kept. From one to the next, positions follow the parabola that starts with the
//! state's velocity and ends at the next position, so that neither flight nor rest is bent; bodies turn freely.

use carom::{BodyId, BodyState, History, Mass, Motion, World};
use carom_dynamics::Ballistic;
use carom_scene::Scene;
use carom_scene::measure::Memory;
use glam::DVec3;

use super::description::taken_away;

/// States that are kept at most; a run of more steps keeps every second, third … of them.
pub const MOST_STATES: usize = 400_000;

/// States of the free bodies of a scene.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// Whose, as indices into the scene's bodies.
    pub bodies: Vec<usize>,
    /// When `[s]`.
    pub times: Vec<f64>,
    /// As many for each time as there are bodies, in their order; one that was taken away stays as it was last.
    pub states: Vec<BodyState>,
}

/// What a run of another engine gave.
#[derive(Clone, Debug, Default)]
pub struct Stepped {
    /// Steps that were made.
    pub steps: usize,
    /// Time that the thread worked in steps, and in nothing else `[s]`.
    pub cpu: f64,
    /// What the bodies did.
    pub track: Track,
    /// Why that means nothing.
    pub failed: Option<String>,
}

impl Track {
    /// Of these bodies.
    pub fn of(bodies: Vec<usize>) -> Self {
        Self { bodies, ..Self::default() }
    }

    /// How many steps to let pass from one state that is kept to the next.
    pub fn stride(steps: usize, bodies: usize) -> usize {
        (steps * bodies).div_ceil(MOST_STATES).max(1)
    }

    /// Where the bodies that are left are at the end of their scene, close to the last time `[m]`.
    pub fn last_positions(&self, scene: &Scene) -> Vec<DVec3> {
        let ahead = self.times.last().map_or(0.0, |last| last - scene.until);
        let last = &self.states[self.states.len().saturating_sub(self.bodies.len())..];
        let left = |index: usize| taken_away(scene, index).is_none();
        let last = self.bodies.iter().zip(last).filter(|(index, _)| left(**index));
        last.map(|(_, state)| state.position - ahead * state.velocity).collect()
    }

    /// As a history of the scene's world, until a time.
    ///
    /// # Errors
    /// If a state is not finite or there are too many.
    pub fn history(
        &self,
        scene: &Scene,
        world: &World,
        ids: &[BodyId],
    ) -> Result<Option<History>, String> {
        let Some(memory) = Memory::of(scene) else { return Ok(None) };
        let told = memory.history().told(world, scene.until);
        let mut history = told.map_err(|stop| stop.to_string())?;
        for (column, &index) in self.bodies.iter().enumerate() {
            let mass = scene.bodies[index].mass.as_ref().map(Mass::new);
            let Some(Ok(mass)) = mass else { continue };
            let end = taken_away(scene, index);
            let is_there = |row: &usize| end.is_none_or(|end| self.times[*row] < end);
            for row in (0..self.times.len()).take_while(is_there) {
                let motion = self.motion(row, column, &mass).ok_or("a state is not finite")?;
                let told = history.tell(ids[index], self.times[row], motion);
                told.map_err(|stop| stop.to_string())?;
            }
            if let Some(end) = end {
                history.tell_gone(ids[index], end);
            }
        }
        Ok(Some(history))
    }

    fn motion(&self, row: usize, column: usize, mass: &Mass) -> Option<Motion> {
        let width = self.bodies.len();
        let state = self.states[row * width + column];
        let next = self.states.get((row + 1) * width + column);
        let acceleration = next.map_or(DVec3::ZERO, |next| {
            let h = self.times[row + 1] - self.times[row];
            2.0 * (next.position - state.position - h * state.velocity) / (h * h)
        });
        let finite = state.position.is_finite()
            && state.velocity.is_finite()
            && state.angular_velocity.is_finite()
            && state.orientation.is_finite()
            && acceleration.is_finite();
        finite.then(|| {
            let start = self.times[row];
            Motion::Ballistic(Ballistic::new(start, state, acceleration, mass))
        })
    }
}
