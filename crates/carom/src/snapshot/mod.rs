//! Snapshots: a world as bytes, and back, with nothing lost.
//!
//! A snapshot holds exactly what the future depends on: gravity, materials, bodies with their shapes, who
//! belongs to which group, motions by what they were made from, epochs, boxes, pending commands, clocks and
//! memories of controllers, the ledger and what is spent of budgets. A motion's precomputed constants, the
//! queue and the table of names are made anew from these, with the same bits.
//!
//! The *state hash* is a 128-bit hash of the same writing, less what only decides how the work is scheduled:
//! boxes and their windows, settings, counts of events and what is spent of budgets. Two worlds with one hash have the same future.

pub(crate) mod bodies;
pub(crate) mod bytes;
mod commands;
mod contacts;
mod controllers;
mod elements;
mod forces;
mod groups;
pub(crate) mod joints;
mod lasting;
mod laws;
mod model;
mod shapes;
mod state;

use std::fmt;

use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

use crate::broad::BroadPhaseKind;
use crate::controller::{Controller, LoadError, NotSavable};
use crate::error::WorldError;
use crate::workers::Workers;
use crate::world::{Scratch, World, checked_tolerance};
use bytes::{Sink as _, Source};

/// What every snapshot begins with: a name and the version of the format.
const MAGIC: &[u8; 8] = b"CAROMSN7";

/// A world as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    bytes: Vec<u8>,
}

/// A 128-bit hash of everything that the future of a world depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StateHash(pub u128);

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why bytes are not a snapshot, or a world cannot become one.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SnapshotError {
    /// The bytes do not begin as a snapshot does.
    #[error("this is not a snapshot of this version of the format")]
    NotASnapshot,
    /// The bytes end too early.
    #[error("the snapshot is cut short")]
    TooShort,
    /// The bytes have been damaged.
    #[error("the snapshot is damaged: its checksum does not fit")]
    Checksum,
    /// The bytes say something that cannot be.
    #[error("the snapshot is damaged: {what}")]
    Wrong {
        /// What cannot be.
        what: String,
    },
    /// A controller cannot be saved.
    #[error(transparent)]
    NotSavable(#[from] NotSavable),
    /// A controller does not accept what was saved.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Not as many controllers as the snapshot has.
    #[error("the snapshot has {saved} controllers, but {given} were given to take their places")]
    Controllers {
        /// How many were saved.
        saved: usize,
        /// How many were given.
        given: usize,
    },
    /// A world that stopped in the middle of an instant has no state to save.
    #[error("the world stopped with a fault and cannot be saved")]
    Broken,
    /// The world refuses to be made.
    #[error(transparent)]
    World(#[from] WorldError),
}

impl SnapshotError {
    pub(crate) fn wrong(what: impl Into<String>) -> Self {
        Self::Wrong { what: what.into() }
    }
}

impl Snapshot {
    /// Its bytes, to be written to a file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// From bytes that were read from a file; what is in them is looked at by [`World::restore`].
    ///
    /// # Errors
    /// If they do not begin as a snapshot does, or have been damaged.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, SnapshotError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(SnapshotError::NotASnapshot) };
        let Some((content, checksum)) = rest.split_last_chunk::<16>() else {
            return Err(SnapshotError::TooShort);
        };
        if hash_of(content) != u128::from_le_bytes(*checksum) {
            return Err(SnapshotError::Checksum);
        }
        Ok(Self { bytes })
    }

    fn content(&self) -> &[u8] {
        &self.bytes[MAGIC.len()..self.bytes.len() - 16]
    }
}

fn hash_of(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}

impl World {
    /// Everything that the future depends on, as bytes.
    ///
    /// # Errors
    /// If a controller cannot be saved, or the world stopped with a fault.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        if self.scratch.broken.is_some() {
            return Err(SnapshotError::Broken);
        }
        let mut bytes = MAGIC.to_vec();
        model::write(&self.model, &mut bytes)?;
        bytes.f64(self.model.settings.window_radii);
        bytes.u8(self.model.settings.broad_phase as u8);
        bytes.u64(self.model.settings.budget.events_per_second);
        bytes.u64(self.model.settings.budget.instants_without_progress);
        bytes.f64(self.model.tolerance);
        state::write(&self.state, state::Scope::Everything, &mut bytes)?;
        let checksum = hash_of(&bytes[MAGIC.len()..]);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        Ok(Snapshot { bytes })
    }

    /// The world that a snapshot was made of, in this process or another. Controllers are code and cannot be
    /// saved: the same number must be given, in the order of their ids, and each takes over what its
    /// predecessor saved.
    ///
    /// # Errors
    /// If the snapshot says something that cannot be, or controllers do not fit.
    pub fn restore(
        snapshot: &Snapshot,
        controllers: Vec<Box<dyn Controller>>,
        threads: usize,
    ) -> Result<Self, SnapshotError> {
        let mut source = Source::new(snapshot.content());
        let mut model = model::read(&mut source)?;
        model.settings.window_radii = source.f64()?;
        model.settings.broad_phase = match source.u8()? {
            0 => BroadPhaseKind::Hash,
            1 => BroadPhaseKind::Sweep,
            2 => BroadPhaseKind::All,
            _ => return Err(SnapshotError::wrong("there is no such broad phase")),
        };
        model.settings.budget.events_per_second = source.u64()?;
        model.settings.budget.instants_without_progress = source.u64()?;
        model.tolerance = source.f64()?;
        checked_tolerance(model.tolerance)?;
        let (state, touching) = state::read(&mut source, &model, controllers)?;
        if !source.is_empty() {
            return Err(SnapshotError::wrong("it is longer than its contents"));
        }
        let kind = model.settings.broad_phase;
        let mut world = Self { model, state, scratch: Scratch::new(Workers::new(threads)?, kind) };
        for group in touching {
            group.resume(&mut world)?;
        }
        if let Some(broken) = world.broken_motion() {
            return Err(SnapshotError::wrong(broken));
        }
        world.rebuild();
        Ok(world)
    }

    /// A hash of everything that the future of the world depends on; memories of controllers that cannot be
    /// saved count as empty.
    pub fn hash(&self) -> StateHash {
        let mut hasher = Xxh3::new();
        let written = model::write(&self.model, &mut hasher)
            .map(|()| {
                // Without linkages nothing is integrated.
                if self.state.groups.iter().any(|(_, group)| group.coupled().is_some()) {
                    hasher.f64(self.model.tolerance);
                }
            })
            .and_then(|()| state::write(&self.state, state::Scope::WhatDecides, &mut hasher));
        debug_assert!(written.is_ok(), "a hash leaves out what cannot be saved");
        StateHash(hasher.digest128())
    }
}
