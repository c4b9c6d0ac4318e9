//! Regimes: what contact does to bodies.
//!
//! One file each, one interface: the touches of a round in, effects out. A round is what phase 2 of an instant repeats
//! until nothing closes any more (`rounds.rs`); a regime sees bodies as the instant has left them so far.

mod constraint;
mod effects;
mod impulse;
mod micro;
mod wedge;

use glam::DVec3;

use carom_contact::touch::Place;
use carom_geometry::distance::Feature;

use crate::body::BodyId;

pub(crate) use constraint::{Constraint, joins};
pub(crate) use effects::{Effects, Trouble};
pub(crate) use impulse::Impulse;

/// How contact is worked out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Regime {
    /// Everything is a collision; rest is a train of microcollisions.
    #[default]
    Impulse,
    /// Fast touches are collisions; lasting contact is held by forces.
    Constraint,
}

impl Regime {
    /// All regimes.
    pub const ALL: [Self; 2] = [Self::Impulse, Self::Constraint];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Impulse => "impulse",
            Self::Constraint => "constraint",
        }
    }

    /// The regime of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|regime| regime.name() == name)
    }
}

/// How collisions that are slower than a fall through the envelope are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Microcollisions {
    /// As part of a train: reversed where friction allows, else run to the speed of a fall through the envelope.
    #[default]
    Trains,
    /// By the letter of the thesis (M 3.18): every slow collision, by a coefficient of restitution that grows with the depth in
    /// the envelope; at a true touch that is 5.
    Plain,
    /// Not at all: collisions follow one another faster and faster until they cannot be told apart, which ends the run.
    Off,
}

impl Microcollisions {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Trains, Self::Plain, Self::Off];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trains => "trains",
            Self::Plain => "plain",
            Self::Off => "off",
        }
    }

    /// The kind of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// How an impact goes through bodies that touch, under the constraint regime.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Impacts {
    /// From contact to contact, one collision after the other, until nothing closes.
    #[default]
    Sequence,
    /// Through all contacts at once, by Baraff's model.
    Simultaneous,
}

impl Impacts {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sequence, Self::Simultaneous];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sequence => "sequence",
            Self::Simultaneous => "simultaneous",
        }
    }

    /// The one of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What touching bodies do; changes trajectories.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSettings {
    /// The regime of pairs for which no other is stated.
    pub regime: Regime,
    /// The collision envelope ε_c; where none is stated, [`ContactSettings::ENVELOPE_SHARE`] of the smaller free body `[m]`.
    pub envelope: Option<f64>,
    /// How slow collisions are answered.
    pub microcollisions: Microcollisions,
    /// How impacts go through contacts that last.
    pub impacts: Impacts,
    /// True when what rests by forces is kept awake: it then costs something, and the least that it moves shows.
    pub sleepless: bool,
    /// True when bodies pass through each other and touches are only told.
    pub passes: bool,
}

impl ContactSettings {
    /// The envelope of a pair as a share of its smaller free body's size, the diameter of the ball around it: resting
    /// bodies hop by about the envelope. A tenth of it costs three times the collisions.
    pub const ENVELOPE_SHARE: f64 = 1e-4;
}

/// Two bodies within touch distance at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    /// The smaller id first.
    pub(crate) bodies: [BodyId; 2],
    /// How it is worked out.
    pub(crate) regime: Regime,
    /// True in the first round for what the search has found: something has to come of it.
    pub(crate) due: bool,
    /// True in all rounds for what the search has found.
    pub(crate) found: bool,
    /// Its points, as a range of the instant's.
    pub(crate) points: [u32; 2],
}

impl Touch {
    pub(crate) fn indices(&self) -> std::ops::Range<usize> {
        self.points[0] as usize..self.points[1] as usize
    }
}

/// A point of a touch, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TouchPoint {
    /// Halfway between the bodies `[m]`.
    pub(crate) point: DVec3,
    /// Unit vector from B to A.
    pub(crate) normal: DVec3,
    /// Distance of the bodies there `[m]`.
    pub(crate) gap: f64,
    pub(crate) features: [Feature; 2],
    pub(crate) pieces: [u32; 2],
}

impl TouchPoint {
    /// As a place, at a time.
    fn place(&self, time: f64) -> Place {
        let Self { point, normal, features, pieces, .. } = *self;
        Place { time, points: [point; 2], normal, features, pieces }
    }
}

/// All pairs within touch distance at an instant that matter to it, in the order of their bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touches {
    pub(crate) all: Vec<Touch>,
    pub(crate) points: Vec<TouchPoint>,
}

/// Answers contact.
pub(crate) trait Answers {
    /// Answers the touches of a round, in order.
    fn round(&self, touches: &Touches, effects: &mut Effects<'_>);
}
