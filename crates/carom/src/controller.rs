//! Controllers: called at exact times, reading all before any of them writes.

use std::fmt;

use glam::DVec3;
use thiserror::Error;

use crate::arena::handle;
use crate::body::BodyId;
use crate::command::{Command, Push};
use crate::control::{Aimed, Target};
use crate::joint::JointId;
use crate::world::World;
use carom_dynamics::BodyState;

handle!(
    /// A controller of a world.
    ControllerId,
    "controller"
);

/// How often a controller is called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// So many times a second: tick n comes at start + n / hertz, so that rates whose ticks coincide as
    /// fractions coincide in bits.
    Hertz(f64),
    /// Every so many seconds: tick n comes at start + n · period.
    Period(f64),
}

impl Rate {
    /// Time of tick `count` after the start `[s]`.
    pub fn time_of(self, count: u64) -> f64 {
        match self {
            Self::Hertz(hertz) => count as f64 / hertz,
            Self::Period(period) => count as f64 * period,
        }
    }

    pub(crate) fn is_valid(self) -> bool {
        let (Self::Hertz(value) | Self::Period(value)) = self;
        value.is_finite() && value > 0.0 && self.time_of(1).is_finite() && self.time_of(1) > 0.0
    }
}

/// Something that looks at the world at its own rate and acts on it.
///
/// Controllers due at the same time all see the world as it was before any of them acted.
pub trait Controller: Send + Sync {
    /// Reads, and says what to do.
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands);

    /// Takes a new target for a freedom of a joint; one that controls no joints refuses.
    ///
    /// # Errors
    /// Why not.
    fn aim(&mut self, joint: JointId, freedom: usize, target: &Target) -> Result<(), &'static str> {
        let _ = (joint, freedom, target);
        Err("it aims at nothing")
    }

    /// The freedoms of joints that it drives, and what it aims at there; none of one that nobody can give a target.
    fn aims(&self) -> Vec<Aimed<'_>> {
        Vec::new()
    }

    /// Lets go of what it holds, because it stops; what it remembers of the past is forgotten.
    fn let_go(&mut self, world: &World, commands: &mut Commands) {
        let _ = (world, commands);
    }

    /// What those who watch see of it after its last tick: the numbers of a gauge.
    fn shows(&self) -> &[f64] {
        &[]
    }

    /// Everything that [`Self::load`] needs to go on from here with the same bits.
    ///
    /// # Errors
    /// If the controller cannot be saved; the world then cannot be either.
    fn save(&self) -> Result<Vec<u8>, NotSavable>;

    /// Takes over what [`Self::save`] gave.
    ///
    /// # Errors
    /// If the bytes are not such.
    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError>;
}

/// A controller that cannot be saved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the controller cannot be saved: {reason}")]
pub struct NotSavable {
    /// Why.
    pub reason: String,
}

/// Bytes that a controller does not understand.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the saved controller cannot be loaded: {reason}")]
pub struct LoadError {
    /// Why.
    pub reason: String,
}

/// What a controller may read.
#[derive(Clone, Copy)]
pub struct Readings<'a> {
    pub(crate) world: &'a World,
    pub(crate) count: u64,
}

impl Readings<'_> {
    /// The time of this tick `[s]`.
    pub fn time(&self) -> f64 {
        self.world.now()
    }

    /// How many ticks came before this one.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// A body's state now; none if it is gone.
    pub fn state(&self, body: BodyId) -> Option<BodyState> {
        self.world.state(body)
    }

    /// The world itself, for everything else.
    pub const fn world(&self) -> &World {
        self.world
    }
}

/// What a controller wants done.
#[derive(Debug, Default)]
pub struct Commands {
    pub(crate) now: Vec<Command>,
    pub(crate) later: Vec<(f64, Command)>,
}

impl Commands {
    /// Do this in the same instant, after all controllers have read.
    pub fn push(&mut self, command: Command) {
        self.now.push(command);
    }

    /// Strike a body at its centre of mass.
    pub fn apply_impulse(&mut self, body: BodyId, linear: DVec3) {
        self.push(Command::Impulse(Push::central(body, linear)));
    }

    /// Do this at a later time `[s]`.
    pub fn schedule(&mut self, time: f64, command: Command) {
        self.later.push((time, command));
    }
}

/// A controller with its clock.
pub(crate) struct Registered {
    pub(crate) rate: Rate,
    pub(crate) start: f64,
    /// Ticks so far; the next has this number.
    pub(crate) count: u64,
    /// False while its ticks pass without it.
    pub(crate) enabled: bool,
    /// Lent out while it ticks.
    pub(crate) controller: Option<Box<dyn Controller>>,
}

impl Registered {
    pub(crate) fn next_time(&self) -> f64 {
        self.start + self.rate.time_of(self.count)
    }
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registered")
            .field("rate", &self.rate)
            .field("start", &self.start)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

/// A controller to be asked.
#[derive(Clone, Copy, Debug)]
pub struct ControllerRef<'a> {
    id: ControllerId,
    registered: &'a Registered,
}

impl World {
    /// All controllers, in order of their ids.
    pub fn controllers(&self) -> impl Iterator<Item = ControllerRef<'_>> {
        self.state.controllers.iter().map(|(id, registered)| ControllerRef { id, registered })
    }
}

impl<'a> ControllerRef<'a> {
    /// Its handle.
    pub const fn id(&self) -> ControllerId {
        self.id
    }

    /// How often it is called.
    pub const fn rate(&self) -> Rate {
        self.registered.rate
    }

    /// False while its ticks pass without it.
    pub const fn is_enabled(&self) -> bool {
        self.registered.enabled
    }

    /// The freedoms of joints that it drives, and what it aims at there.
    pub fn aims(&self) -> Vec<Aimed<'a>> {
        self.registered.controller.as_deref().map(Controller::aims).unwrap_or_default()
    }
}
