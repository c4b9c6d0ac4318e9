//! What follows an impact, or the end of a mode: which contacts are active next.
//!
//! **Impact.** If a contact closes, all of them take part in one impact: impulses p ≥ 0 along the normals with
//!
//! ```text
//! u⁺ = K·p + u⁻ ≥ −e·min(0, u⁻),   p·(u⁺ + e·min(0, u⁻)) = 0,     u = ġ                               (1)
//! ```
//!
//! (Baraff's simultaneous model, guide section 16; contacts that part take part with e = 0.) With e = 0 it is the inelastic impact
//! that brings slow approaches to rest. It takes −Σ p·½(u⁻ + u⁺) ≥ 0 of the energy.
//!
//! **Mode.** Contacts that part for more than a hop ([`HoldLaw::hop`]) are not active. For the others (1) of the module is solved; active are
//! those with g̈ = c, read from the accelerations, which are unique, and not from the forces, which may not be. Accelerations
//! are known to the tolerance ε of integration, so the width of "=" is half of that of g₀ and of the largest g̈⁰.
//!
//! **Hops.** A box that comes to rest on an edge rocks from corner to corner by ever smaller impacts, infinitely many in finite
//! time. The rule against that: an active contact that still parts, by less than `HoldLaw::hop`, is stopped together with all others by
//! impulses that may pull, K·p = −ġ. They take kinetic energy, never give any, of what a hop by a hundredth of the held gap has.

use glam::DVec3;

use super::{Anchor, ContactRoom, Contacts};
use crate::Impulse;
use crate::collocation::{Implicit, Probe, SecondOrder};
use crate::complementarity::{Lemke, Outcome, Pivoting, Problem, Reason, Solution, Solver};
use crate::linkage::extend::System;
use crate::linkage::{Drive, Linkage, Mode, SettleError, Workspace};
use crate::tolerances::{LEAST_FORCE_SLACK, STANDARD_GRAVITY};
use crate::tree::constraint::ConstraintError;
use crate::tree::{LinkImpulse, PairRow};

/// Storage that is used again.
#[derive(Clone, Debug, Default)]
pub(in crate::linkage) struct ContactSettling {
    pub(super) room: ContactRoom,
    pub(super) offset: Vec<f64>,
    /// ġ before an impact `[m/s]`.
    before: Vec<f64>,
    candidates: Vec<usize>,
    pub(super) impulses: Vec<LinkImpulse>,
    pub(super) jumps: Vec<f64>,
    pub(super) s_ddot: Vec<f64>,
    pub(super) complementary: Complementary,
}

/// Solvers with what they find.
#[derive(Clone, Debug, Default)]
pub(super) struct Complementary {
    pivoting: Pivoting,
    lemke: Lemke,
    low: Vec<f64>,
    high: Vec<f64>,
    pub(super) solution: Solution,
}

impl Complementary {
    /// z ≥ 0, w = M·z + q ≥ 0, z·w = 0; true when found.
    pub(super) fn solve(&mut self, matrix: &[f64], offset: &[f64]) -> Result<(), Outcome> {
        let n = offset.len();
        self.low.clear();
        self.low.resize(n, 0.0);
        self.high.clear();
        self.high.resize(n, f64::INFINITY);
        let problem = Problem::bounded(matrix, offset, &self.low, &self.high)
            .map_err(|_| Outcome::Unsolved(Reason::Accuracy))?;
        let mut outcome = self.pivoting.solve(&problem, &mut self.solution);
        if outcome != Outcome::Solved {
            outcome = self.lemke.solve(&problem, &mut self.solution);
        }
        if outcome == Outcome::Solved { Ok(()) } else { Err(outcome) }
    }
}

/// What an impact of contacts did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactSettled {
    /// Kinetic energy that was lost, never negative but for rounding `[J]`.
    pub loss: f64,
    /// Work of what is driven `[J]`.
    pub driven: f64,
    /// Impulse of each contact; empty where none closed `[N·s]`.
    pub impulses: Vec<f64>,
    /// ġ of each contact before and after `[m/s]`.
    pub rates: Vec<[f64; 2]>,
}

impl Linkage {
    /// How far an acceleration of a gap may be off and still be what is asked for, where gaps accelerate by so much by themselves
    /// `[m/s²]`.
    pub(super) fn same_acceleration(&self, largest: f64) -> f64 {
        let share = 0.5 * self.accuracy.tolerance().max(LEAST_FORCE_SLACK);
        share * (STANDARD_GRAVITY + largest)
    }

    /// Answers what closes among the contacts of a mode by one impact, in `v`, and marks those that are active next.
    ///
    /// # Errors
    /// When surfaces cannot be told apart, a joint is singular, or no impulses or forces are found.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn settle_contacts(
        &self,
        time: f64,
        q: &[f64],
        v: &mut [f64],
        drive: &Drive,
        mode: &mut Mode,
        workspace: &mut Workspace,
    ) -> Result<ContactSettled, SettleError> {
        if mode.contacts().surfaces().is_none() {
            return Ok(ContactSettled::default());
        }
        let mut settling = std::mem::take(&mut workspace.contacts);
        let settled = self.impact(time, q, v, mode.contacts(), &mut settling, workspace);
        let settled = settled.and_then(|mut settled| {
            self.choose(time, [q, v], drive, mode, &mut settling, workspace)?;
            settled.loss +=
                self.stop_hops(time, q, v, mode.contacts(), &mut settling, workspace)?;
            Ok(settled)
        });
        workspace.contacts = settling;
        settled
    }

    /// (1).
    fn impact(
        &self,
        time: f64,
        q: &[f64],
        v: &mut [f64],
        contacts: &Contacts,
        settling: &mut ContactSettling,
        workspace: &mut Workspace,
    ) -> Result<ContactSettled, SettleError> {
        let mut settled = ContactSettled::default();
        let Some(surfaces) = contacts.surfaces().map(AsRef::as_ref) else { return Ok(settled) };
        let ContactSettling { room, offset, before, impulses, jumps, complementary, .. } = settling;
        let (tree, scratch) = (&self.tree, &mut workspace.buffers.scratch);
        tree.place(q, v, scratch);
        room.look(surfaces, 0..surfaces.count(), time, (tree, scratch))?;
        let closes =
            |(contact, site): (usize, &super::Site)| site.rate < -surfaces.law(contact).still;
        if !room.sites.iter().enumerate().any(closes) {
            return Ok(settled);
        }
        tree.factorise_with(&self.armature, scratch).map_err(ConstraintError::from)?;
        room.respond(tree, scratch);
        offset.clear();
        before.clear();
        for (contact, site) in room.sites.iter().enumerate() {
            let law = surfaces.law(contact);
            let bounce = if site.rate < -law.slow { law.restitution * site.rate } else { 0.0 };
            before.push(site.rate);
            offset.push(site.rate + bounce);
        }
        let rows = offset.len();
        let unsolved = |outcome| SettleError::from(ConstraintError::Unsolved { rows, outcome });
        complementary.solve(&room.matrix, offset).map_err(unsolved)?;
        let given = &complementary.solution.z;
        strike(&room.rows, given, impulses);
        jumps.resize(v.len(), 0.0);
        tree.impulse_response(impulses, &[], scratch, jumps).map_err(ConstraintError::from)?;
        let links: Vec<f64> = room.rows.iter().map(|row| row.velocity(scratch)).collect();
        for (v, jump) in v.iter_mut().zip(&*jumps) {
            *v += jump;
        }
        tree.place(q, v, scratch);
        for (i, impulse) in given.iter().enumerate() {
            let gained = room.rows[i].velocity(scratch) - links[i];
            let after = before[i] + gained;
            settled.loss -= 0.5 * impulse * (before[i] + after);
            settled.driven += impulse * (links[i] - before[i]);
            settled.rates.push([before[i], after]);
        }
        settled.impulses.clone_from(given);
        Ok(settled)
    }

    /// Stops the active contacts where one of them hops; the energy that this takes `[J]`.
    fn stop_hops(
        &self,
        time: f64,
        q: &[f64],
        v: &mut [f64],
        contacts: &Contacts,
        settling: &mut ContactSettling,
        workspace: &mut Workspace,
    ) -> Result<f64, SettleError> {
        let Some(surfaces) = contacts.surfaces().map(AsRef::as_ref) else { return Ok(0.0) };
        let ContactSettling { room, impulses, jumps, .. } = settling;
        let (tree, scratch) = (&self.tree, &mut workspace.buffers.scratch);
        tree.place(q, v, scratch);
        room.look(surfaces, contacts.indices(), time, (tree, scratch))?;
        let mut active = contacts.indices().zip(&room.sites);
        if !active.any(|(contact, site)| surfaces.law(contact).hops(site)) {
            return Ok(0.0);
        }
        tree.factorise_with(&self.armature, scratch).map_err(ConstraintError::from)?;
        room.respond(tree, scratch);
        room.wanted.clear();
        room.wanted.extend(room.sites.iter().map(|site| -site.rate));
        room.balance();
        strike(&room.rows, &room.forces, impulses);
        jumps.resize(v.len(), 0.0);
        tree.impulse_response(impulses, &[], scratch, jumps).map_err(ConstraintError::from)?;
        for (v, jump) in v.iter_mut().zip(&*jumps) {
            *v += jump;
        }
        // ½p·(ġ⁻ + ġ⁺) with ġ⁺ = 0.
        let taken = room.forces.iter().zip(&room.sites).map(|(p, site)| -0.5 * p * site.rate);
        Ok(taken.sum())
    }

    /// The contacts that are active next.
    fn choose(
        &self,
        time: f64,
        [q, v]: [&[f64]; 2],
        drive: &Drive,
        mode: &mut Mode,
        settling: &mut ContactSettling,
        workspace: &mut Workspace,
    ) -> Result<(), SettleError> {
        let mut idle = mode.clone();
        idle.set_contacts(mode.contacts().idle());
        let Some(surfaces) = mode.contacts().surfaces().cloned() else { return Ok(()) };
        let surfaces = surfaces.as_ref();
        let Workspace { chart, start, rates, buffers, .. } = workspace;
        chart.restart(q);
        chart.rates(&self.tree, start, v, rates);
        settling.s_ddot.resize(v.len(), 0.0);
        let mut system = System { linkage: self, drive, mode: &idle, chart, buffers };
        let probe = Probe { time, q: start, v: rates, implicit: Implicit { gamma: 0.0, w: rates } };
        system.acceleration(&probe, &mut settling.s_ddot)?;
        let placed = (&self.tree, &buffers.scratch);
        let ContactSettling { room, offset, candidates, complementary, .. } = settling;
        room.look(surfaces, 0..surfaces.count(), time, placed)?;
        let parts = |contact: usize| surfaces.law(contact).lets_go(&room.sites[contact]);
        candidates.clear();
        candidates.extend((0..surfaces.count()).filter(|contact| !parts(*contact)));
        room.look(surfaces, candidates.iter().copied(), time, placed)?;
        room.respond(placed.0, placed.1);
        let asked = candidates
            .iter()
            .zip(&room.sites)
            .map(|(contact, site)| surfaces.law(*contact).asked(&Anchor::of(site), 0.0));
        let asked: Vec<f64> = asked.collect();
        room.ask(asked.into_iter(), placed);
        offset.clear();
        offset.extend(room.wanted.iter().map(|wanted| -wanted));
        let rows = offset.len();
        let unsolved = |outcome| SettleError::from(ConstraintError::Unsolved { rows, outcome });
        complementary.solve(&room.matrix, offset).map_err(unsolved)?;
        let largest = offset.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
        let same = self.same_acceleration(largest);
        let mut contacts = mode.contacts().idle();
        for (contact, w) in candidates.iter().zip(&complementary.solution.w) {
            contacts.set(*contact, *w <= same);
        }
        mode.set_contacts(contacts);
        Ok(())
    }
}

/// Impulses along rows, on the links at their ends.
pub(super) fn strike(rows: &[PairRow], given: &[f64], impulses: &mut Vec<LinkImpulse>) {
    impulses.clear();
    for (row, p) in rows.iter().zip(given).filter(|(_, p)| **p != 0.0) {
        for (end, sign) in row.ends.iter().zip([1.0, -1.0]) {
            let Some(at) = end else { continue };
            let linear = sign * *p * row.direction;
            let impulse = Impulse { point: at.point, linear, angular: DVec3::ZERO };
            impulses.push(LinkImpulse { link: at.link, impulse });
        }
    }
}
