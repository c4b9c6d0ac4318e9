//! Forces of contact.
//!
//! Where contact is collisions, its force is the sum of their impulses over a time, divided by the time. The sensor remembers
//! the sums of the last reading: they are part of its state, which its owner saves with [`ContactForce::save`].

use std::collections::BTreeMap;

use glam::DVec3;

use crate::body::BodyId;
use crate::controller::LoadError;
use crate::snapshot::bodies::{read_body_id, write_body_id};
use crate::snapshot::bytes::{Sink, Source};
use crate::world::World;

/// Reads the mean force of contact on a body since the last reading.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactForce {
    body: BodyId,
    other: Option<BodyId>,
    /// When it was last read `[s]`.
    last: Option<f64>,
    /// Impulses on the body up to then, by partner `[N·s]`.
    sums: BTreeMap<BodyId, DVec3>,
}

impl ContactForce {
    /// Of all contacts of a body.
    pub const fn new(body: BodyId) -> Self {
        Self { body, other: None, last: None, sums: BTreeMap::new() }
    }

    /// Of its contact with one other body only.
    #[must_use]
    pub const fn with(mut self, other: BodyId) -> Self {
        self.other = Some(other);
        self
    }

    /// Impulse on the body since the last reading, divided by the time since then, in world axes; zero at the first reading, and
    /// at a second one at the same time `[N]`.
    pub fn read(&mut self, world: &World) -> DVec3 {
        let now = world.now();
        let mut sums = BTreeMap::new();
        let mut impulse = DVec3::ZERO;
        for report in world.contacts() {
            let (partner, sign) = match report.bodies() {
                [a, b] if a == self.body => (b, 1.0),
                [a, b] if b == self.body => (a, -1.0),
                _ => continue,
            };
            if self.other.is_some_and(|other| other != partner) {
                continue;
            }
            let sum = sign * report.sums().impulse;
            impulse += sum - self.sums.get(&partner).copied().unwrap_or_default();
            sums.insert(partner, sum);
        }
        match self.last.filter(|last| *last < now) {
            Some(last) => {
                (self.last, self.sums) = (Some(now), sums);
                impulse / (now - last)
            }
            None if self.last.is_none() => {
                (self.last, self.sums) = (Some(now), sums);
                DVec3::ZERO
            }
            None => DVec3::ZERO,
        }
    }

    /// Everything that [`Self::load`] needs to go on from here with the same bits.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_body_id(self.body, &mut bytes);
        for number in [self.other.is_some(), self.last.is_some()] {
            bytes.bool(number);
        }
        write_body_id(self.other.unwrap_or(self.body), &mut bytes);
        bytes.f64(self.last.unwrap_or_default());
        bytes.u64(self.sums.len() as u64);
        for (partner, sum) in &self.sums {
            write_body_id(*partner, &mut bytes);
            bytes.vector(*sum);
        }
        bytes
    }

    /// Takes over what [`Self::save`] gave.
    ///
    /// # Errors
    /// If the bytes are not such.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let mut source = Source::new(bytes);
        let mut read = || {
            let body = read_body_id(&mut source)?;
            let (has_other, was_read) = (source.bool()?, source.bool()?);
            let (other, last) = (read_body_id(&mut source)?, source.f64()?);
            let sums = source.list(32, |source| Ok((read_body_id(source)?, source.vector()?)))?;
            Ok::<_, crate::snapshot::SnapshotError>(Self {
                body,
                other: has_other.then_some(other),
                last: was_read.then_some(last),
                sums: sums.into_iter().collect(),
            })
        };
        *self = read().map_err(|error| LoadError { reason: error.to_string() })?;
        Ok(())
    }
}
