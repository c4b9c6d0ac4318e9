//! Encoders of joints.

use crate::control::Seen;
use crate::joint::JointId;
use crate::snapshot::SnapshotError;
use crate::snapshot::bytes::{Sink, Source};
use crate::snapshot::joints::{read_id, write_id};
use crate::world::World;

/// Reads a freedom of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encoder {
    joint: JointId,
    freedom: usize,
    step: Option<f64>,
}

impl Encoder {
    /// Of the first freedom of a joint, as fine as numbers are.
    pub const fn new(joint: JointId) -> Self {
        Self { joint, freedom: 0, step: None }
    }

    /// Of another freedom, from 0.
    #[must_use]
    pub const fn freedom(mut self, freedom: usize) -> Self {
        self.freedom = freedom;
        self
    }

    /// In steps of this size: it gives the nearest one. What is not positive has no steps `[rad or m]`.
    #[must_use]
    pub fn resolution(mut self, step: f64) -> Self {
        self.step = (step > 0.0 && step.is_finite()).then_some(step);
        self
    }

    /// Position, in steps if it has any, and velocity, as a tachometer gives it; none if the joint is gone.
    pub fn read(&self, world: &World) -> Option<Seen> {
        let seen = Seen::of(&world.joint(self.joint)?, self.freedom)?;
        let position = match self.step {
            Some(step) => step * libm::round(seen.position / step),
            None => seen.position,
        };
        Some(Seen { position, ..seen })
    }

    pub(super) fn write(&self, sink: &mut dyn Sink) {
        write_id(self.joint, sink);
        sink.u64(self.freedom as u64);
        sink.f64(self.step.unwrap_or_default());
    }

    pub(super) fn read_saved(source: &mut Source<'_>) -> Result<Self, SnapshotError> {
        let (joint, freedom) = (read_id(source)?, source.index()?);
        Ok(Self::new(joint).freedom(freedom).resolution(source.f64()?))
    }
}
