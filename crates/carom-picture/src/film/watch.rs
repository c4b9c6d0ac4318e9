//! A film of a world that runs.

use std::collections::BTreeMap;
use std::ops::Range;

use carom::{BodyId, BodyRef, Happening, Instant, Observer, Stop, World};

use super::touches::Gathering;
use super::{Actor, Film, FilmOptions, Frame, Looks, Role, Touch};
use crate::form::Form;
use crate::tolerances::SAME_TOUCH;

/// Watches a run and keeps what pictures need of it.
#[derive(Debug)]
pub struct FilmWatch {
    options: FilmOptions,
    /// Frames that have been taken.
    frames: Vec<Frame>,
    gatherings: Vec<Gathering>,
    numbers: BTreeMap<BodyId, usize>,
    actors: Vec<Actor>,
}

impl FilmWatch {
    /// Keeps what the options say.
    pub fn new(options: FilmOptions) -> Self {
        let gatherings = vec![Gathering::default(); options.times.len()];
        let (frames, numbers, actors) = (Vec::new(), BTreeMap::new(), Vec::new());
        Self { options, frames, gatherings, numbers, actors }
    }

    /// The film. Frames at the very time at which the run stands are taken now; of times beyond it, its end is shown once.
    pub fn finish(mut self, world: &World, looks: &Looks) -> Film {
        let missing = self.options.times.get(self.frames.len());
        if missing.is_some() && self.frames.last().is_none_or(|last| last.time < world.now()) {
            self.take(world, world.now());
        }
        self.finish_broken(looks)
    }

    /// The film of a run that broke down, up to the last frame before.
    pub fn finish_broken(mut self, looks: &Looks) -> Film {
        for (frame, gathering) in self.frames.iter_mut().zip(self.gatherings) {
            frame.touches = gathering.finish();
        }
        looks.dress(&mut self.actors);
        Film { actors: self.actors, frames: self.frames }
    }

    fn take(&mut self, world: &World, time: f64) {
        let mut poses = vec![None; self.actors.len()];
        for body in world.bodies() {
            let index = self.actor(&body);
            if poses.len() <= index {
                poses.resize(index + 1, None);
            }
            poses[index] = body.pose_at(time);
        }
        self.frames.push(Frame { time, poses, touches: Vec::new() });
    }

    fn actor(&mut self, body: &BodyRef<'_>) -> usize {
        let Self { numbers, actors, .. } = self;
        *numbers.entry(body.id()).or_insert_with(|| {
            let see_through = body.is_ghost() || body.is_sensor();
            let form = Form::of(body.shape());
            let role = Role::of_name(body.role());
            actors.push(Actor::new(body.name(), role, form, body.reference(), see_through));
            actors.len() - 1
        })
    }
}

impl Observer for FilmWatch {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        while let Some(&time) = self.options.times.get(self.frames.len())
            && time < times.end
        {
            // A time before the run began is shown as it began.
            self.take(world, time.max(times.start));
        }
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        let Some(index) = self.options.shown_by(instant.time) else { return Ok(()) };
        for event in instant.events {
            let Happening::Collision(collision) = &event.what else { continue };
            let bodies = collision.contact.bodies.map(|id| world.body(id));
            let radii = bodies.iter().flatten().map(BodyRef::radius);
            let near = SAME_TOUCH * radii.fold(f64::INFINITY, f64::min);
            let actors = bodies.map(|body| body.map(|body| self.actor(&body)));
            let (point, impulse) = (collision.contact.point, collision.impulse);
            self.gatherings[index].add(Touch { actors, point, impulse }, near);
        }
        Ok(())
    }
}
