//! Channels by Foxglove's schemas, by which its 3D panel shows a recording without knowing carom.
//!
//! | channel | schema | what |
//! |---|---|---|
//! | `/foxglove/scene` | `foxglove.SceneUpdate` | every body's shape, once, in a frame of its own; its deletion when the body is gone |
//! | `/foxglove/transforms` | `foxglove.FrameTransforms` | the frames of all bodies in the frame `world`, at every sample; of fixed bodies once |
//!
//! Balls, boxes, cylinders, cones, ellipsoids and capsules are primitives, everything else triangles. A half-space is a
//! square of its plane, as large as what is there when it is first seen.
//!
//! A transform takes about as many bytes as a state: recordings of bodies in flight become 46 % to 70 % larger (near_misses,
//! tumbling, exploding_text, projectiles), those of bodies in contact, whose collisions fill the file, 2 % to 11 %. So these
//! channels are written only where they are asked for.

mod entity;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use carom_geometry::{Fineness, Pose};
use glam::{DQuat, DVec3};

use crate::bodies::{BodyDescription, MeshData};
use crate::format::log_time;
use crate::proto::Encoder;
use crate::surfaces::{Meshes, Stage, reach};

/// The frame in which positions are told.
const WORLD: &str = "world";

/// Edges around a full turn of what has to be shown by triangles.
const EDGES: u32 = 24;

/// The channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Channel {
    Scene,
    Transforms,
}

impl Channel {
    pub(crate) const ALL: [Self; 2] = [Self::Scene, Self::Transforms];

    pub(crate) const fn topic(self) -> &'static str {
        match self {
            Self::Scene => "/foxglove/scene",
            Self::Transforms => "/foxglove/transforms",
        }
    }

    pub(crate) const fn schema_name(self) -> &'static str {
        match self {
            Self::Scene => "foxglove.SceneUpdate",
            Self::Transforms => "foxglove.FrameTransforms",
        }
    }

    /// The descriptor of its messages.
    pub(crate) fn schema() -> Vec<u8> {
        schema::descriptor_set()
    }
}

/// A body that is shown.
#[derive(Debug)]
struct Shown {
    body: BodyDescription,
    frame: String,
    /// Has been told, and its frame with it.
    is_told: bool,
}

/// A body of a sample: its number, and where its reference point and its axes are.
pub(crate) type Placed = (u32, DVec3, DQuat);

/// Turns bodies and samples into messages.
#[derive(Debug, Default)]
pub(crate) struct Foxglove {
    meshes: Meshes,
    /// By the number of the body.
    shown: Vec<Option<Shown>>,
    n_untold: usize,
    frames: BTreeSet<String>,
    /// Bodies of the last sample.
    there: Vec<u32>,
    stage: Stage,
}

impl Foxglove {
    pub(crate) fn mesh(&mut self, mesh: MeshData) {
        self.meshes.insert(mesh.number, mesh);
    }

    pub(crate) fn body(&mut self, body: BodyDescription) {
        let mut frame = body.name.clone();
        if frame.is_empty() || frame == WORLD || self.frames.contains(&frame) {
            frame = format!("{frame} #{}", body.body);
        }
        self.frames.insert(frame.clone());
        let number = body.body as usize;
        if self.shown.len() <= number {
            self.shown.resize_with(number + 1, || None);
        }
        self.shown[number] = Some(Shown { body, frame, is_told: false });
        self.n_untold += 1;
    }

    /// What of the scene has changed with this sample; false if nothing.
    pub(crate) fn scene(&mut self, time: f64, bodies: &[Placed], message: &mut Encoder) -> bool {
        message.bytes.clear();
        let are_same = self.there.iter().eq(bodies.iter().map(|(number, ..)| number));
        if !are_same {
            self.delete(time, bodies, message);
            self.there.clear();
            self.there.extend(bodies.iter().map(|(number, ..)| *number));
        }
        if self.n_untold > 0 {
            self.widen(bodies);
            let Self { shown, meshes, stage, .. } = self;
            for (number, position, orientation) in bodies {
                let Some(Some(new)) = shown.get(*number as usize) else { continue };
                if !new.is_told {
                    let place = new.body.frame(*position, *orientation);
                    message.message(2, |it| {
                        entity::encode(new, (meshes, stage), &place, time, it);
                    });
                }
            }
        }
        !message.bytes.is_empty()
    }

    /// Tells of bodies that were there and are not any more.
    fn delete(&self, time: f64, bodies: &[Placed], message: &mut Encoder) {
        let now: BTreeSet<u32> = bodies.iter().map(|(number, ..)| *number).collect();
        for number in self.there.iter().filter(|number| !now.contains(number)) {
            let Some(Some(gone)) = self.shown.get(*number as usize) else { continue };
            message.message(1, |deletion| {
                stamp(1, time, deletion);
                deletion.field(3, gone.frame.as_bytes());
            });
        }
    }

    /// Takes bodies that are new into account of how far everything reaches.
    fn widen(&mut self, bodies: &[Placed]) {
        for (number, position, _) in bodies {
            let Some(Some(new)) = self.shown.get(*number as usize) else { continue };
            let surface = new.body.shape.surface(&self.meshes, Fineness::around(8));
            if let Some(surface) = surface.filter(|_| !new.is_told) {
                self.stage.include(*position, reach(&surface));
            }
        }
    }

    /// The places of all bodies that are new or can move.
    pub(crate) fn transforms(&mut self, time: f64, bodies: &[Placed], message: &mut Encoder) {
        message.bytes.clear();
        for (number, position, orientation) in bodies {
            let Some(Some(shown)) = self.shown.get_mut(*number as usize) else { continue };
            if shown.is_told && shown.body.role == "fixed" {
                continue;
            }
            self.n_untold -= usize::from(!shown.is_told);
            shown.is_told = true;
            let pose = shown.body.frame(*position, *orientation);
            message.message(1, |it| {
                stamp(1, time, it);
                it.field(2, WORLD.as_bytes());
                it.field(3, shown.frame.as_bytes());
                vector(4, pose.translation, it);
                rotation(5, pose.rotation, it);
            });
        }
    }
}

/// A point in simulated time.
fn stamp(field: u32, time: f64, message: &mut Encoder) {
    let nanoseconds = log_time(time);
    message.message(field, |it| {
        it.uint(1, nanoseconds / 1_000_000_000);
        it.uint(2, nanoseconds % 1_000_000_000);
    });
}

fn vector(field: u32, vector: DVec3, message: &mut Encoder) {
    message.message(field, |it| {
        for (number, part) in (1..).zip(vector.to_array()) {
            it.double(number, part);
        }
    });
}

fn rotation(field: u32, rotation: DQuat, message: &mut Encoder) {
    message.message(field, |it| {
        for (number, part) in (1..).zip(rotation.to_array()) {
            it.double(number, part);
        }
    });
}

fn pose(field: u32, pose: &Pose, message: &mut Encoder) {
    message.message(field, |it| {
        vector(1, pose.translation, it);
        rotation(2, pose.rotation, it);
    });
}
