//! Modes: which freedoms slide, stick, or rest on a stop, frozen over a segment.
//!
//! Under a mode the equation of motion (1) of the module has no inequalities. A freedom that slides feels −F against its
//! direction. One that is held has v = v̇ = 0, its coordinate does not change by a bit, and the force λ that this takes follows from
//! the motion of the others: mixed dynamics (`tree/mixed.rs`), in time proportional to the number of links. When λ leaves its
//! range, a stop is reached or sliding ends, the segment ends (`guard/`), and the next mode is chosen (`settle.rs`).

use super::{Contacts, Linkage, restraint::Restraint};
use crate::tree::constraint::Side;

/// Which way a freedom moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// v > 0.
    Forward,
    /// v < 0.
    Backward,
}

impl Sense {
    /// 1 or −1.
    pub const fn sign(self) -> f64 {
        match self {
            Self::Forward => 1.0,
            Self::Backward => -1.0,
        }
    }

    /// That of a velocity or acceleration that is not zero.
    pub(super) fn of(rate: f64) -> Self {
        if rate > 0.0 { Self::Forward } else { Self::Backward }
    }
}

/// What holds one freedom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grip {
    /// Nothing.
    #[default]
    Free,
    /// Dry friction against this direction.
    Sliding(Sense),
    /// Dry friction, without moving.
    Stuck,
    /// A stop, and friction if there is any, without moving.
    Resting(Side),
}

impl Grip {
    /// True when it does not move.
    pub const fn is_held(self) -> bool {
        matches!(self, Self::Stuck | Self::Resting(_))
    }

    /// The stop that it rests on.
    pub(super) const fn stop(self) -> Option<Side> {
        match self {
            Self::Resting(side) => Some(side),
            _ => None,
        }
    }

    /// The number that stands for it in snapshots.
    const fn number(self) -> f64 {
        match self {
            Self::Free => 0.0,
            Self::Sliding(sense) => sense.sign(),
            Self::Stuck => 2.0,
            Self::Resting(side) => 3.0 * side.sign(),
        }
    }

    fn from_number(number: f64) -> Option<Self> {
        let all = [
            Self::Free,
            Self::Sliding(Sense::Forward),
            Self::Sliding(Sense::Backward),
            Self::Stuck,
            Self::Resting(Side::Lower),
            Self::Resting(Side::Upper),
        ];
        all.into_iter().find(|grip| grip.number() == number)
    }
}

/// What holds the freedoms of a linkage, and keeps its links apart. The default does nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mode {
    /// One for each freedom, or none.
    grips: Vec<Grip>,
    /// Which freedoms do not move; empty where all do.
    held: Vec<bool>,
    /// Which surfaces touch.
    contacts: Contacts,
}

impl Mode {
    /// With one grip for each freedom, or none.
    pub fn new(grips: Vec<Grip>) -> Self {
        let mut mode = Self { grips, ..Self::default() };
        mode.mark_held();
        mode
    }

    /// What holds a freedom.
    pub fn grip(&self, freedom: usize) -> Grip {
        self.grips.get(freedom).copied().unwrap_or_default()
    }

    /// One for each freedom, or none where all are free.
    pub fn grips(&self) -> &[Grip] {
        &self.grips
    }

    /// Which freedoms do not move; empty where all do.
    pub fn held(&self) -> &[bool] {
        &self.held
    }

    /// Which surfaces touch.
    pub const fn contacts(&self) -> &Contacts {
        &self.contacts
    }

    pub(super) const fn contacts_mut(&mut self) -> &mut Contacts {
        &mut self.contacts
    }

    /// Lets other surfaces touch.
    pub fn set_contacts(&mut self, contacts: Contacts) {
        self.contacts = contacts;
    }

    /// Appends one number for each freedom, for [`Self::read`].
    pub fn write(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self.grips.iter().map(|grip| grip.number()));
    }

    /// The mode that wrote these numbers, without contacts; `None` when none did.
    pub fn read(numbers: &[f64]) -> Option<Self> {
        let grips: Option<Vec<Grip>> =
            numbers.iter().map(|number| Grip::from_number(*number)).collect();
        grips.map(Self::new)
    }

    /// Lets all freedoms go.
    pub(super) fn let_go(&mut self) {
        self.grips.clear();
        self.held.clear();
    }

    /// Lets `count` freedoms go.
    pub(super) fn clear(&mut self, count: usize) {
        self.grips.clear();
        self.grips.resize(count, Grip::Free);
        self.held.clear();
    }

    /// Changes one grip; [`Self::mark_held`] has to follow.
    pub(super) fn set(&mut self, freedom: usize, grip: Grip) {
        self.grips[freedom] = grip;
    }

    pub(super) fn mark_held(&mut self) {
        self.held.clear();
        if self.grips.iter().any(|grip| grip.is_held()) {
            self.held.extend(self.grips.iter().map(|grip| grip.is_held()));
        }
    }
}

impl Linkage {
    /// What speaks against a mode in a state, if anything does.
    pub(super) fn fault_of_mode(&self, q: &[f64], v: &[f64], mode: &Mode) -> Option<&'static str> {
        let count = mode.grips.len();
        if count != 0 && count != self.tree.n_v() {
            return Some("there must be one grip for each freedom of the linkage, or none");
        }
        let mut restrained = 0;
        for restraint in &self.restraints {
            let (grip, v) = (mode.grip(restraint.freedom), v[restraint.freedom]);
            restrained += usize::from(grip != Grip::Free);
            if let Some(fault) = restraint.fault(grip, q[restraint.coordinate], v) {
                return Some(fault);
            }
        }
        let others = mode.grips.iter().filter(|grip| **grip != Grip::Free).count() - restrained;
        (others > 0).then_some("only freedoms with friction or stops can be held or slide")
    }

    /// Adds the friction of what slides.
    pub(super) fn add_friction(&self, mode: &Mode, tau: &mut [f64]) {
        for restraint in &self.restraints {
            if let Grip::Sliding(sense) = mode.grip(restraint.freedom) {
                tau[restraint.freedom] -= sense.sign() * restraint.friction;
            }
        }
    }
}

impl Restraint {
    fn fault(&self, grip: Grip, q: f64, v: f64) -> Option<&'static str> {
        if self.gap(Side::Lower, q) < 0.0 || self.gap(Side::Upper, q) < 0.0 {
            return Some("a coordinate is beyond its stops");
        }
        let is_lawful = match grip {
            Grip::Free => self.friction == 0.0,
            Grip::Sliding(sense) => self.friction > 0.0 && sense.sign() * v >= 0.0,
            Grip::Stuck => self.friction > 0.0 && v == 0.0,
            Grip::Resting(_) => self.limits.is_some() && v == 0.0,
        };
        (!is_lawful).then_some("the mode is not one of this state: settle it first")
    }
}
