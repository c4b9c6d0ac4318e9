//! What contacts do along a course: impulses and work, by Gauss's rule of seven points.
//!
//! A force f does f·J·v on the links. Of this f·ġ is the work of the hold (2) of the module, which nature would not do, and the rest
//! that of surfaces that are driven.

use super::Site;
use crate::collocation::IntegrationError;
use crate::linkage::books::GAUSS;
use crate::linkage::{Course, Workspace};

/// What contacts gave between two times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactFlow {
    /// ∫ f dt of each contact, zero of those that are not active `[N·s]`.
    pub impulses: Vec<f64>,
    /// Work of the hold `[J]`.
    pub hold: f64,
    /// Work of what is driven `[J]`.
    pub driven: f64,
}

/// A contact at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    /// Its number.
    pub contact: usize,
    /// Where it is.
    pub site: Site,
    /// f `[N]`.
    pub force: f64,
}

impl Course {
    /// What contacts gave between two times of the span.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn contact_flow(&self, from: f64, to: f64, workspace: &mut Workspace) -> ContactFlow {
        let contacts = self.mode.contacts();
        let mut flow =
            ContactFlow { impulses: vec![0.0; contacts.active().len()], ..ContactFlow::default() };
        if contacts.is_idle() {
            return flow;
        }
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        for (node, weight) in GAUSS {
            if self.derive(middle + node * half, workspace).is_err() {
                continue;
            }
            let (room, scratch) = (&workspace.buffers.contacts, &workspace.buffers.scratch);
            for (k, contact) in contacts.indices().enumerate() {
                let impulse = weight * half * room.forces[k];
                let rate = room.sites[k].rate;
                flow.impulses[contact] += impulse;
                flow.hold += impulse * rate;
                flow.driven += impulse * (room.rows[k].velocity(scratch) - rate);
            }
        }
        flow
    }

    /// The active contacts at a time of the span, with their forces.
    ///
    /// # Errors
    /// If there is no acceleration then.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn contacts_at(
        &self,
        time: f64,
        workspace: &mut Workspace,
    ) -> Result<Vec<Touching>, IntegrationError> {
        let contacts = self.mode.contacts();
        if contacts.is_idle() {
            return Ok(Vec::new());
        }
        self.derive(time, workspace)?;
        let room = &workspace.buffers.contacts;
        let sites = room.sites.iter().zip(&room.forces);
        let all = contacts.indices().zip(sites);
        Ok(all
            .map(|(contact, (site, force))| Touching { contact, site: *site, force: *force })
            .collect())
    }
}
