//! Gaps that are too small are opened at once.
//!
//! Bodies touch nearer than a contact is held, down to no gap at all where they were put down so. From there the hold (2) of the
//! module would lift them so slowly that nobody could prove them apart for a while. So before a course begins, every gap below a share of h is
//! brought to h by the displacement d that is least in the norm of the masses and brings no other contact below h or what it has:
//!
//! ```text
//! d = H⁻¹·Jᵀ·λ,   λ ≥ 0,   g + K·λ ≥ min(h, max(g, h·[g low])),   complementary                           (1)
//! ```
//!
//! Others that are near, though not in contact, take part as *guards*, whose gaps must not become smaller by it. It is
//! repeated, since gaps are not linear in d; the second time leaves rounding. Velocities stay. The energy that this takes is told by
//! whoever asks for it before and after.

use super::settle::{ContactSettling, strike};
use super::{Site, Surfaces};
use crate::linkage::{Contacts, Linkage, SettleError, Workspace};
use crate::tolerances::{LIFTS, LOW_GAP};
use crate::tree::constraint::ConstraintError;

impl Linkage {
    /// True when a gap of a contact is so small that it has to be opened.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn has_low_contacts(
        &self,
        time: f64,
        q: &[f64],
        contacts: &Contacts,
        workspace: &mut Workspace,
    ) -> bool {
        let Some(surfaces) = contacts.surfaces() else { return false };
        let surfaces = surfaces.as_ref();
        let Workspace { buffers, contacts: ContactSettling { room, .. }, .. } = workspace;
        self.tree.place(q, &buffers.zero, &mut buffers.scratch);
        let placed = (&self.tree, &buffers.scratch);
        let looked = room.look(surfaces, 0..surfaces.count(), time, placed);
        looked.is_ok() && is_any_low(surfaces, &room.sites)
    }

    /// Opens the gaps of contacts that are too small, in `q`, without making those of guards smaller.
    ///
    /// # Errors
    /// When surfaces cannot be told apart, a joint is singular, or no displacement opens all gaps.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn lift_contacts(
        &self,
        time: f64,
        q: &mut [f64],
        contacts: &Contacts,
        guards: &dyn Surfaces,
        workspace: &mut Workspace,
    ) -> Result<(), SettleError> {
        let Some(surfaces) = contacts.surfaces().cloned() else { return Ok(()) };
        let mut settling = std::mem::take(&mut workspace.contacts);
        let mut lifted = Ok(true);
        for round in 0..LIFTS {
            let is_first = round == 0;
            let all = [surfaces.as_ref(), guards];
            lifted = self.lift_once(time, q, (all, is_first), &mut settling, workspace);
            if !matches!(lifted, Ok(true)) {
                break;
            }
        }
        workspace.contacts = settling;
        lifted.map(|_| ())
    }

    /// (1); false when no gap is too small.
    fn lift_once(
        &self,
        time: f64,
        q: &mut [f64],
        ([surfaces, guards], is_first): ([&dyn Surfaces; 2], bool),
        settling: &mut ContactSettling,
        workspace: &mut Workspace,
    ) -> Result<bool, SettleError> {
        let ContactSettling { room, offset, impulses, jumps, complementary, .. } = settling;
        let Workspace { chart, start, rates, buffers, .. } = workspace;
        let (tree, scratch) = (&self.tree, &mut buffers.scratch);
        tree.place(q, &buffers.zero, scratch);
        room.look(surfaces, 0..surfaces.count(), time, (tree, scratch))?;
        if !is_any_low(surfaces, &room.sites) {
            return Ok(false);
        }
        offset.clear();
        offset.extend(room.sites.iter().enumerate().map(|(contact, site)| {
            let held = surfaces.law(contact).gap;
            let is_low = site.gap < LOW_GAP * held;
            site.gap - if is_low || !is_first { held } else { site.gap.min(held) }
        }));
        room.look_further(guards, 0..guards.count(), time)?;
        offset.resize(room.sites.len(), 0.0);
        tree.factorise_with(&self.armature, scratch).map_err(ConstraintError::from)?;
        room.respond(tree, scratch);
        let rows = offset.len();
        complementary
            .solve(&room.matrix, offset)
            .map_err(|outcome| ConstraintError::Unsolved { rows, outcome })?;
        strike(&room.rows, &complementary.solution.z, impulses);
        jumps.resize(tree.n_v(), 0.0);
        tree.impulse_response(impulses, &[], scratch, jumps).map_err(ConstraintError::from)?;
        chart.restart(q);
        chart.rates(tree, start, jumps, rates);
        chart.configuration(tree, rates, q);
        Ok(true)
    }
}

fn is_any_low(surfaces: &dyn Surfaces, sites: &[Site]) -> bool {
    let is_low = |(contact, site): (usize, &Site)| site.gap < LOW_GAP * surfaces.law(contact).gap;
    sites.iter().enumerate().any(is_low)
}
