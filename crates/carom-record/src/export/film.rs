//! A recording as a film: who is in it, and where everybody is when.

use std::io::{Read, Seek};

use carom_geometry::{Fineness, Pose, Surface};

use super::ExportError;
use crate::bodies::{BodyDescription, ShapeDescription};
use crate::reader::{Message, Reader};
use crate::surfaces::{Meshes, Stage, reach};

/// A body and its way.
pub(super) struct Actor {
    pub(super) body: BodyDescription,
    /// Its shape as triangles, in its frame; a half-space as a square. None if there is nothing to draw.
    pub(super) surface: Option<Surface>,
    /// Times `[s]`, and where its frame is; neighbouring orientations have the same sign.
    pub(super) times: Vec<f64>,
    pub(super) poses: Vec<Pose>,
}

impl Actor {
    /// True if it is somewhere else at another time.
    pub(super) fn moves(&self) -> bool {
        self.poses.iter().any(|pose| Some(pose) != self.poses.first())
    }

    /// Adds a place, turned by the shorter way from the last one.
    fn put(&mut self, time: f64, mut pose: Pose) {
        if self.poses.last().is_some_and(|last| last.rotation.dot(pose.rotation) < 0.0) {
            pose.rotation = -pose.rotation;
        }
        self.times.push(time);
        self.poses.push(pose);
    }
}

/// Everybody.
pub(super) struct Film {
    pub(super) program: String,
    pub(super) title: String,
    pub(super) rate_hz: f64,
    pub(super) actors: Vec<Actor>,
    pub(super) meshes: Meshes,
    /// Times of the first and the last sample `[s]`.
    pub(super) span: [f64; 2],
    pub(super) n_samples: usize,
}

impl Film {
    pub(super) fn read<R: Read + Seek>(reader: &mut Reader<R>) -> Result<Self, ExportError> {
        let header = reader.header();
        let mut film = Self {
            program: format!("{} {}", header.program, header.version),
            title: header.scene.clone().unwrap_or_default(),
            rate_hz: reader.rate_hz(),
            actors: Vec::new(),
            meshes: Meshes::new(),
            span: [f64::INFINITY, f64::NEG_INFINITY],
            n_samples: 0,
        };
        for message in reader.messages() {
            film.take(message?);
        }
        film.actors.retain(|actor| !actor.times.is_empty());
        if film.actors.is_empty() {
            return Err(ExportError::Empty);
        }
        film.draw();
        Ok(film)
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Mesh(mesh) => {
                self.meshes.insert(mesh.number, mesh);
            }
            Message::Body(body) => {
                let (times, poses) = (Vec::new(), Vec::new());
                self.actors.push(Actor { body, surface: None, times, poses });
            }
            Message::Sample(sample) => {
                self.n_samples += 1;
                self.span = [self.span[0].min(sample.time), self.span[1].max(sample.time)];
                for (number, state) in &sample.states {
                    // Bodies come in the order of their numbers, but one that came and went leaves a gap.
                    let found = self.actors.binary_search_by_key(number, |it| it.body.body);
                    let Some(actor) = found.ok().and_then(|index| self.actors.get_mut(index))
                    else {
                        continue;
                    };
                    let pose = actor.body.frame(state.position, state.orientation);
                    if pose.translation.is_finite() && pose.rotation.is_finite() {
                        actor.put(sample.time, pose);
                    }
                }
            }
            Message::Ledger(_)
            | Message::Event(_)
            | Message::Contacts(_)
            | Message::Joint(_)
            | Message::Joints(_) => {}
        }
    }

    /// Finds the surfaces; those of planes last, as large as all ways.
    fn draw(&mut self) {
        let mut stage = Stage::default();
        for actor in &mut self.actors {
            actor.surface = actor.body.shape.surface(&self.meshes, Fineness::default());
            if let Some(surface) = &actor.surface {
                let radius = reach(surface);
                for pose in &actor.poses {
                    stage.include(pose.translation, radius);
                }
            }
        }
        for actor in &mut self.actors {
            if let ShapeDescription::HalfSpace { normal, offset } = actor.body.shape
                && let Some(place) = actor.poses.first()
            {
                actor.surface = Some(stage.square(normal.into(), offset, place));
            }
        }
    }
}
