//! A collision on its way: what has been reached, what comes next, and what ends it.

use glam::DVec3;

use super::contact::Contact;
use super::{Collision, RestitutionLaw};
use crate::tolerances::ROUNDING_OF_SPEED;

/// What is being waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Closing, until u_z rises through 0.
    Compression,
    /// Parting, until the law is satisfied or u_z falls through 0.
    Restitution,
    /// The law is satisfied, but the point does not leave fast enough yet.
    Extension,
    /// Nothing more.
    Over,
}

/// What ends a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// u_z rises through 0: maximum compression.
    Turns,
    /// u_z falls through 0: compression again.
    Falls,
    /// The law is satisfied.
    Meets,
    /// The least rebound is reached.
    Leaves,
}

/// A collision on its way.
#[derive(Debug)]
pub(super) struct Course<'a> {
    /// What stays the same.
    pub(super) contact: &'a Contact,
    /// Impulse so far.
    pub(super) impulse: DVec3,
    /// Relative velocity reached.
    pub(super) velocity: DVec3,
    /// W_c, once known; work so far where there was no maximum compression yet.
    pub(super) compression_work: f64,
    /// What is being waited for.
    pub(super) phase: Phase,
    /// What the law asks for since maximum compression: work, impulse or speed.
    pub(super) goal: f64,
    /// Work of the normal impulse up to the last event.
    settled_work: f64,
    /// Work of the normal impulse when the law was satisfied and more was asked for.
    lawful_work: Option<f64>,
    /// Work of the normal impulse since the last event.
    pub(super) work: f64,
    /// Normal impulse since the last event.
    pub(super) push: f64,
    /// Error of velocities that is accepted in one stretch.
    pub(super) error: f64,
    /// What the coefficient of restitution multiplies.
    pub(super) law: RestitutionLaw,
    restitution: f64,
    start: DVec3,
    /// Rebound speed to reach beyond the law.
    pub(super) least_rebound: f64,
}

impl<'a> Course<'a> {
    /// At the start of a collision that closes.
    pub(super) fn new(collision: &Collision, contact: &'a Contact, error: f64) -> Self {
        let closing = (-collision.velocity.z).max(0.0);
        let least_rebound = collision.least_rebound.max(0.0);
        let parts = collision.velocity.z >= 0.0;
        let rounding = ROUNDING_OF_SPEED * collision.velocity.length();
        // Of what moves the points, the normal impulse has a share of 1/μ if friction is large; the law asks for its digits.
        let share = error / collision.friction.max(1.0);
        Self {
            contact,
            impulse: DVec3::ZERO,
            velocity: collision.velocity,
            compression_work: 0.0,
            phase: if parts { Phase::Extension } else { Phase::Compression },
            goal: 0.0,
            settled_work: 0.0,
            lawful_work: parts.then_some(0.0),
            work: 0.0,
            push: 0.0,
            error: (share * if parts { least_rebound } else { closing }).max(rounding),
            law: collision.law,
            restitution: collision.restitution,
            start: collision.velocity,
            least_rebound,
        }
    }

    /// Work of the normal impulse so far.
    pub(super) fn normal_work(&self) -> f64 {
        self.settled_work + self.work
    }

    /// Work of the normal impulse beyond what the law asked for.
    pub(super) fn boost(&self) -> f64 {
        self.lawful_work.map_or(0.0, |lawful| self.normal_work() - lawful)
    }

    /// Whether the collision has ended.
    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Work of friction so far: what the whole impulse does, ½(u₀ + u)·p (theorem 11), less the normal work.
    pub(super) fn friction_work(&self) -> f64 {
        let whole = 0.5 * self.impulse.dot(self.start + self.velocity);
        (whole - self.normal_work()).min(0.0)
    }

    /// Goes on by a stretch; the velocity is the caller's.
    pub(super) fn add(&mut self, impulse: DVec3, work: f64) {
        self.impulse += impulse;
        self.push += impulse.z;
        self.work += work;
    }

    /// What is left of what the law asks for: work, impulse or speed.
    pub(super) fn left(&self) -> f64 {
        let reached = match self.law {
            RestitutionLaw::Stronge => self.work,
            RestitutionLaw::Poisson => self.push,
            RestitutionLaw::Newton => self.velocity.z,
        };
        (self.goal - reached).max(0.0)
    }

    /// Passes an event that has been reached, and makes exact what is exact there.
    pub(super) fn pass(&mut self, event: Event) {
        match event {
            Event::Turns => self.turn(),
            Event::Falls => {
                self.velocity.z = 0.0;
                self.settle();
                self.phase = Phase::Compression;
            }
            Event::Meets => self.meet(),
            Event::Leaves => {
                self.velocity.z = self.least_rebound;
                self.phase = Phase::Over;
            }
        }
    }

    /// Begins to count work and impulse anew.
    fn settle(&mut self) {
        self.settled_work += self.work;
        self.work = 0.0;
        self.push = 0.0;
    }

    fn turn(&mut self) {
        self.velocity.z = 0.0;
        self.settle();
        self.compression_work = self.settled_work;
        let e = self.restitution;
        self.goal = match self.law {
            RestitutionLaw::Stronge => e * e * (-self.settled_work).max(0.0),
            RestitutionLaw::Poisson => e * self.impulse.z,
            RestitutionLaw::Newton => e * -self.start.z,
        };
        self.phase = Phase::Restitution;
        if self.goal <= 0.0 {
            self.meet();
        }
    }

    fn meet(&mut self) {
        match self.law {
            RestitutionLaw::Stronge => self.work = self.goal,
            RestitutionLaw::Poisson => {}
            RestitutionLaw::Newton => self.velocity.z = self.goal,
        }
        self.velocity.z = self.velocity.z.max(0.0);
        let enough = self.velocity.z >= self.least_rebound;
        self.phase = if enough { Phase::Over } else { Phase::Extension };
        self.lawful_work = (!enough).then(|| self.normal_work());
    }
}
