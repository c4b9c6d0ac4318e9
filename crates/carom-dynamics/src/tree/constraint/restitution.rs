//! Impacts of several rows at once, with restitution.
//!
//! **Law.** Newton's, row by row: every row comes back with e of its approach,
//!
//! ```text
//! u⁺ ≥ max(−e·u⁻, 0),   p ≥ 0,   complementary                                                       (5)
//! ```
//!
//! for rows that push, mirrored for rows that pull, and u⁺ = −e·u⁻ for rows that hold both ways. e = 0 is the plastic impact, which
//! leaves the least kinetic energy of all motions with u⁺ ≥ 0.
//!
//! **Energy.** ΔT = ½·pᵀ·(u⁺ + u⁻). A row with p > 0 that approached gives ½·p·(1 − e)·u⁻ ≤ 0; one that was leaving, or rows with
//! different e, may give more than zero, a known fault of Newton's law with several rows. So let v₀ be the plastic answer and
//! v₁ that of (5). All v₀ + s·(v₁ − v₀), 0 ≤ s ≤ 1, have u⁺ ≥ 0 and p ≥ 0, T is convex in s, and T(0) ≤ T⁻. The answer is that with the
//! largest s for which T ≤ T⁻: s = 1 wherever Newton's law is possible, otherwise all energy is kept that there was. Where no motion
//! fulfils (5), as for a point squeezed from both sides, s = 0.
//!
//! With p(s) = p₀ + s·d and K·p the jump of u, 2·ΔT(s) = p(s)ᵀ·(2·u⁻ + K·p(s)) is a quadratic c + b·s + a·s² with
//! c ≤ 0, and for c + b + a > 0 its root in [0, 1) is s = −2c/(b + √(b² − 4·a·c)), or (−b + √…)/(2a), whichever adds.

use super::{Constraint, ConstraintError, ConstraintScratch, Held, Hold};
use crate::tree::{Row, Scratch, Tree};

/// A row that is struck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Its velocity; for a point on a surface that of the gap.
    pub row: Row,
    /// Which way it can push.
    pub hold: Hold,
    /// e, from 0 to 1 `[-]`.
    pub restitution: f64,
}

/// What an impact did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// Redundant rows, and whether impulses are the shortest.
    pub held: Held,
    /// s: 1 where Newton's law holds row by row; less where it would have made energy, then the share of the way to it from the
    /// plastic impact `[-]`.
    pub share: f64,
    /// ½·pᵀ·(u⁺ + u⁻), never positive beyond rounding `[J]`.
    pub energy_change: f64,
}

impl Tree {
    /// Jumps Δv and impulses of an impact of all contacts at once, in the state that `scratch` was placed in with velocities
    /// `v`. `added_diagonal` is inertia of the joints' own, or empty.
    ///
    /// # Errors
    /// If a contact is none, contradicts others, or a joint is singular; `jumps` and `impulses` then hold nothing of use.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[expect(clippy::too_many_arguments, reason = "state, question, memory and answer, as in tree")]
    pub fn bounce(
        &self,
        v: &[f64],
        added_diagonal: &[f64],
        contacts: &[Contact],
        scratch: &mut Scratch,
        memory: &mut ConstraintScratch,
        jumps: &mut [f64],
        impulses: &mut [f64],
    ) -> Result<Bounce, ConstraintError> {
        let lengths = [v.len(), jumps.len(), impulses.len()];
        assert_eq!(lengths, [self.n_v, self.n_v, contacts.len()], "lengths of v, Δv, impulses");
        memory.take_contacts(contacts)?;
        self.check_constraints(&memory.targets)?;
        memory.before.clear();
        for contact in contacts {
            memory.before.push(Self::row_velocity(&contact.row, v, scratch));
        }
        memory.rows.clear();
        memory.rows.extend(contacts.iter().map(|contact| contact.row));
        memory.holds.clear();
        memory.holds.extend(contacts.iter().map(|contact| contact.hold));
        self.constraint_response(added_diagonal, v, scratch, memory)?;
        let bounce = memory.solve_impact(contacts)?;
        self.push_along_rows(scratch, memory)?;
        scratch.forget_added(added_diagonal);
        jumps.copy_from_slice(&memory.jumps);
        impulses.copy_from_slice(&memory.forces);
        Ok(bounce)
    }
}

impl Contact {
    /// What (5) asks of u⁺, from u⁻.
    fn target(&self, before: f64) -> f64 {
        let back = -self.restitution * before;
        match self.hold {
            Hold::Both => back,
            Hold::Pushes => back.max(0.0),
            Hold::Pulls => back.min(0.0),
        }
    }
}

impl ConstraintScratch {
    fn take_contacts(&mut self, contacts: &[Contact]) -> Result<(), ConstraintError> {
        self.targets.clear();
        for (constraint, contact) in contacts.iter().enumerate() {
            let value = contact.restitution;
            if !(0.0..=1.0).contains(&value) {
                let (what, expected) = ("restitution", "from 0 to 1");
                return Err(ConstraintError::Invalid { constraint, what, value, expected });
            }
            self.targets.push(Constraint { row: contact.row, target: 0.0, hold: contact.hold });
        }
        Ok(())
    }

    /// Plastic impulses, Newton's, and the mixture of the two that makes no energy.
    fn solve_impact(&mut self, contacts: &[Contact]) -> Result<Bounce, ConstraintError> {
        self.offset.clear();
        self.offset.extend_from_slice(&self.before);
        let held = self.solve()?;
        if contacts.iter().all(|contact| contact.restitution == 0.0) {
            let energy_change = 0.5 * self.work(&self.forces);
            return Ok(Bounce { held, share: 1.0, energy_change });
        }
        self.plastic.clear();
        self.plastic.extend_from_slice(&self.forces);
        for (i, contact) in contacts.iter().enumerate() {
            self.offset[i] = self.before[i] - contact.target(self.before[i]);
        }
        let newton = match self.solve() {
            Err(ConstraintError::Contradiction { .. }) => {
                // Squeezed from both sides: no motion gives every row its own way back.
                self.forces.copy_from_slice(&self.plastic);
                let energy_change = 0.5 * self.work(&self.plastic);
                return Ok(Bounce { held, share: 0.0, energy_change });
            }
            other => other,
        };
        let held = newton?;
        let (start, end) = (self.work(&self.plastic), self.work(&self.forces));
        if end <= 0.0 {
            return Ok(Bounce { held, share: 1.0, energy_change: 0.5 * end });
        }
        for (force, plastic) in self.forces.iter_mut().zip(&self.plastic) {
            *force -= plastic;
        }
        let bend = self.squared(&self.forces);
        let share = root_of_gain(start.min(0.0), end, bend);
        for (force, plastic) in self.forces.iter_mut().zip(&self.plastic) {
            *force = plastic + share * *force;
        }
        Ok(Bounce { held, share, energy_change: 0.5 * self.work(&self.forces) })
    }

    /// pᵀ·(2·u⁻ + K·p), twice the change of energy.
    fn work(&self, impulses: &[f64]) -> f64 {
        let approach: f64 = impulses.iter().zip(&self.before).map(|(p, u)| p * u).sum();
        2.0 * approach + self.squared(impulses)
    }

    /// pᵀ·K·p.
    fn squared(&self, impulses: &[f64]) -> f64 {
        let m = impulses.len();
        let rows = self.matrix.chunks_exact(m.max(1)).zip(impulses);
        rows.map(|(row, p)| p * row.iter().zip(impulses).map(|(k, p)| k * p).sum::<f64>()).sum()
    }
}

/// s in [0, 1) with c + b·s + a·s² = 0, where c ≤ 0 at s = 0, c + b + a > 0 at s = 1 and a ≥ 0.
fn root_of_gain(start: f64, end: f64, bend: f64) -> f64 {
    let slope = end - start - bend;
    let root = (slope * slope - 4.0 * bend * start).max(0.0).sqrt();
    let share =
        if slope > 0.0 { -2.0 * start / (slope + root) } else { (root - slope) / (2.0 * bend) };
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}
