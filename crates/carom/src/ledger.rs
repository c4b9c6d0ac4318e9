//! The ledger: where energy came from and where it went.
//!
//! Mechanical energy E = Σ (½m|v|² + ½ω·I·ω − m g·x) over the free bodies, with that of drives and springs of joints. Each line
//! of the ledger is summed from its own physics as it happens, never as what the others leave over:
//!
//! - *work*: of impulses from outside, p·½(u⁻ + u⁺) + l·½(ω⁻ + ω⁺); of a change of gravity, −m Δg·x; of
//!   bodies that come (their energy) and go (minus it), by command or from a scripted carrier; of motors, ∫τ·v dt;
//! - *restitution* and *friction*: what collisions, sliding and dampers took; a gain by Newton's law is a negative loss;
//! - *boost*, *projection*, *integration*: what contact models and integrators added that nature would not.
//!
//! Free flight is evaluated in closed form and has no line. The *residual*, E − E₀ − work + losses − boost −
//! projection − integration, is what is left when all lines are right: rounding.

use crate::coupled::Flow;
use crate::sum::Sum;

/// The lines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Ledger {
    pub(crate) initial: Sum,
    pub(crate) work: Sum,
    pub(crate) restitution_loss: Sum,
    pub(crate) friction_loss: Sum,
    pub(crate) boost: Sum,
    pub(crate) projection: Sum,
    pub(crate) integration: Sum,
}

impl Ledger {
    /// Its lines, in the order of its fields.
    pub(crate) fn lines(&self) -> [Sum; 7] {
        [
            self.initial,
            self.work,
            self.restitution_loss,
            self.friction_loss,
            self.boost,
            self.projection,
            self.integration,
        ]
    }

    /// Adds what a course has done.
    pub(crate) fn add(&mut self, flow: &Flow) {
        self.work.add(flow.work);
        self.friction_loss.add(flow.loss);
        self.restitution_loss.add(flow.stopped);
        self.integration.add(flow.error);
        self.projection.add(flow.hold);
    }

    /// The account with the energy that there is now.
    pub(crate) fn account(&self, kinetic: f64, potential: f64) -> Account {
        let mut account = Account {
            initial: self.initial.value(),
            kinetic,
            potential,
            work: self.work.value(),
            restitution_loss: self.restitution_loss.value(),
            friction_loss: self.friction_loss.value(),
            boost: self.boost.value(),
            projection: self.projection.value(),
            integration: self.integration.value(),
            residual: 0.0,
        };
        let closing: Sum = [
            kinetic,
            potential,
            -account.initial,
            -account.work,
            account.restitution_loss,
            account.friction_loss,
            -account.boost,
            -account.projection,
            -account.integration,
        ]
        .into_iter()
        .collect();
        account.residual = closing.value();
        account
    }
}

/// The ledger of a world at a time; all in joules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Account {
    /// Energy at the beginning `[J]`.
    pub initial: f64,
    /// Kinetic energy `[J]`.
    pub kinetic: f64,
    /// Potential energy in gravity, zero at the origin, and in springs `[J]`.
    pub potential: f64,
    /// Work done from outside `[J]`.
    pub work: f64,
    /// Lost in restitution `[J]`.
    pub restitution_loss: f64,
    /// Lost to friction and damping `[J]`.
    pub friction_loss: f64,
    /// Added by the boost of microcollisions `[J]`.
    pub boost: f64,
    /// Added by projections `[J]`.
    pub projection: f64,
    /// Added by integrators `[J]`.
    pub integration: f64,
    /// What does not add up `[J]`.
    pub residual: f64,
}

impl Account {
    /// Kinetic and potential energy `[J]`.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// The largest of the amounts involved, against which the residual is rounding `[J]`.
    pub fn scale(&self) -> f64 {
        [
            self.initial,
            self.kinetic,
            self.potential,
            self.work,
            self.restitution_loss,
            self.friction_loss,
            self.boost,
        ]
        .into_iter()
        .fold(0.0, |largest, line| largest.max(line.abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_residual_is_what_the_lines_do_not_explain() {
        let mut ledger = Ledger::default();
        ledger.initial.add(10.0);
        ledger.work.add(5.0);
        ledger.friction_loss.add(2.0);
        ledger.boost.add(0.25);
        let account = ledger.account(9.0, 4.5);
        assert_eq!(account.residual, 13.5 - 13.25);
        assert_eq!(account.total(), 13.5);
        assert_eq!(account.scale(), 10.0);
    }
}
