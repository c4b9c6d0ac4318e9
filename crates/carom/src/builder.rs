//! Putting a world together.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use crate::arena::Arena;
use crate::budget::Spent;
use crate::contacts::Contacts;
use crate::error::WorldError;
use crate::event::EventCounts;
use crate::group::Groups;
use crate::lasting::LastingPairs;
use crate::ledger::Ledger;
use crate::near::Meetings;
use crate::regime::ContactSettings;
use crate::workers::Workers;
use crate::world::{
    Model, Scratch, Settings, World, WorldState, checked_envelope, checked_gravity,
    checked_tolerance,
};

/// Puts a [`World`] together.
#[derive(Clone, Debug)]
pub struct WorldBuilder {
    gravity: DVec3,
    start: f64,
    contact: ContactSettings,
    settings: Settings,
    tolerance: f64,
    threads: usize,
}

impl Default for WorldBuilder {
    fn default() -> Self {
        Self {
            gravity: World::STANDARD_GRAVITY,
            start: 0.0,
            contact: ContactSettings::default(),
            settings: Settings::default(),
            tolerance: World::STANDARD_TOLERANCE,
            threads: 1,
        }
    }
}

impl WorldBuilder {
    /// Uniform gravity `[m/s²]`; 9.80665 downwards unless told otherwise.
    #[must_use]
    pub fn gravity(mut self, gravity: DVec3) -> Self {
        self.gravity = gravity;
        self
    }

    /// The time at which the world begins `[s]`; 0 unless told otherwise.
    #[must_use]
    pub fn start(mut self, start: f64) -> Self {
        self.start = start;
        self
    }

    /// What touching bodies do: regime, envelope, microcollisions.
    #[must_use]
    pub fn contact(mut self, contact: ContactSettings) -> Self {
        self.contact = contact;
        self
    }

    /// The collision envelope ε_c of all pairs `[m]`: bodies at rest hop by about it, and a touch slower than a fall
    /// through it may be one of rest. Without it, each pair has [`ContactSettings::ENVELOPE_SHARE`] of its smaller body.
    #[must_use]
    pub fn envelope(mut self, envelope: f64) -> Self {
        self.contact.envelope = Some(envelope);
        self
    }

    /// Bodies pass through each other, and touches are only told.
    #[must_use]
    pub fn passing(mut self) -> Self {
        self.contact.passes = true;
        self
    }

    /// How far linkages may be from the true solution through the start of each of their segments, at every time: angles
    /// to so many radians, lengths to so much of the linkage's size, rates alike; 10⁻⁹ unless told otherwise. Costs grow with its
    /// sixth to eighth root.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// How it goes about its work.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// How many threads may work; 1 unless told otherwise. Any number gives the same bits.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// An empty world.
    ///
    /// # Errors
    /// If gravity or the start are not finite, or threads cannot be started.
    pub fn build(self) -> Result<World, WorldError> {
        checked_gravity(self.gravity)?;
        let radii = self.settings.window_radii;
        if !(radii.is_finite() && radii > 0.0) {
            return Err(WorldError::WindowRadii { radii });
        }
        checked_envelope(self.contact.envelope)?;
        checked_tolerance(self.tolerance)?;
        if !self.start.is_finite() {
            return Err(WorldError::Time {
                time: self.start,
                reason: "not finite",
                now: self.start,
            });
        }
        Ok(World {
            model: Model {
                gravity: self.gravity,
                materials: Arena::new(),
                pairs: BTreeMap::new(),
                contact: self.contact,
                settings: self.settings,
                tolerance: self.tolerance,
            },
            state: WorldState {
                now: self.start,
                bodies: Arena::new(),
                groups: Groups::default(),
                joints: Arena::new(),
                elements: Arena::new(),
                forces: BTreeMap::new(),
                pending: BTreeMap::new(),
                scheduled: 0,
                controllers: Arena::new(),
                excluded: BTreeSet::new(),
                regimes: BTreeMap::new(),
                meetings: Meetings::default(),
                contacts: Contacts::default(),
                lasting: LastingPairs::new(),
                ledger: Ledger::default(),
                counts: EventCounts::default(),
                spent: Spent::default(),
                begun: false,
            },
            scratch: Scratch::new(Workers::new(self.threads)?, self.settings.broad_phase),
        })
    }
}
