//! Bodies at rest that stay so: the certificate of sleep.
//!
//! A linkage whose links hardly move sleeps if its contacts would hold it without moving at all, and not just so. That is, if
//!
//! - its kinetic energy is below a share of what a fall by its least link's radius of gyration gives,
//! - at v = 0 there are forces f ≥ 0 under which nothing accelerates, with all points of a pair moved by a share m towards their
//!   middle: so that what stands on the very edge of its support does not sleep.
//!
//! The forces come from (1) of the module with these points, whose answer has least accelerations in the norm of the masses.
//! Then the motion is constant, and its span endless ([`Course::at_rest`](crate::linkage::Course)). The kinetic energy that is left is lost.

use glam::DVec3;

use super::{Anchor, ContactSettling, Contacts};
use crate::collocation::{Implicit, Probe, SecondOrder};
use crate::linkage::extend::System;
use crate::linkage::{Drive, Linkage, Mode, Workspace};
use crate::tolerances::{PATCH_SHRINK, SLEEPING_ACCELERATION, SLEEPING_ENERGY, STANDARD_GRAVITY};
use crate::tree::Load;

impl Linkage {
    /// Whether the contacts of a mode hold it where it is; see the module `sleep`.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn can_sleep(
        &self,
        time: f64,
        q: &[f64],
        v: &[f64],
        drive: &Drive,
        mode: &Mode,
        workspace: &mut Workspace,
    ) -> bool {
        if mode.contacts().is_idle() || !self.is_calm(q, v, workspace) {
            return false;
        }
        let mut settling = std::mem::take(&mut workspace.contacts);
        let is_held = self.is_held(time, q, drive, mode, &mut settling, workspace);
        workspace.contacts = settling;
        is_held.unwrap_or(false)
    }

    fn is_calm(&self, q: &[f64], v: &[f64], workspace: &mut Workspace) -> bool {
        let (mut mass, mut radius) = (0.0, f64::INFINITY);
        for link in 0..self.tree.n_links() {
            let own = self.tree.mass_properties(link);
            mass += own.mass;
            if own.mass > 0.0 {
                let moment = own.inertia.x_axis.x + own.inertia.y_axis.y + own.inertia.z_axis.z;
                radius = f64::min(radius, (moment / (2.0 * own.mass)).sqrt());
            }
        }
        let floor = SLEEPING_ENERGY * mass * STANDARD_GRAVITY * radius;
        self.kinetic_energy(q, v, workspace) <= floor
    }

    /// None where it cannot be told.
    fn is_held(
        &self,
        time: f64,
        q: &[f64],
        drive: &Drive,
        mode: &Mode,
        settling: &mut ContactSettling,
        workspace: &mut Workspace,
    ) -> Option<bool> {
        let surfaces = mode.contacts().surfaces()?.clone();
        let surfaces = surfaces.as_ref();
        let mut idle = mode.clone();
        idle.set_contacts(mode.contacts().idle());
        let Workspace { chart, start, rates, buffers, .. } = workspace;
        chart.restart(q);
        rates.fill(0.0);
        settling.s_ddot.resize(rates.len(), 0.0);
        let probe = Probe { time, q: start, v: rates, implicit: Implicit { gamma: 0.0, w: rates } };
        let mut system = System { linkage: self, drive, mode: &idle, chart, buffers };
        system.acceleration(&probe, &mut settling.s_ddot).ok()?;
        let ContactSettling { room, offset, complementary, .. } = settling;
        let placed = (&self.tree, &buffers.scratch);
        room.look(surfaces, mode.contacts().indices(), time, placed).ok()?;
        // Nothing moves, not even what is driven.
        if room.sites.iter().any(|site| site.rate != 0.0) {
            return Some(false);
        }
        shrink(room, mode.contacts());
        room.respond(placed.0, placed.1);
        let count = room.sites.len();
        room.ask(std::iter::repeat_n(0.0, count), placed);
        offset.clear();
        offset.extend(room.wanted.iter().map(|wanted| -wanted));
        complementary.solve(&room.matrix, offset).ok()?;
        room.forces.clone_from(&complementary.solution.z);
        room.push(&buffers.scratch, &mut buffers.wrenches, self.tree.n_links());
        let load = Load {
            gravity: drive.gravity,
            tau: &buffers.tau,
            wrenches: &buffers.wrenches,
            added_diagonal: &self.armature,
        };
        if mode.held().is_empty() {
            self.tree.forward(&load, &mut buffers.scratch, &mut buffers.v_dot).ok()?;
        } else {
            buffers.v_dot.fill(0.0);
            let out = (&mut buffers.v_dot, &mut buffers.needed);
            self.tree.mixed(&load, mode.held(), &mut buffers.scratch, out.0, out.1).ok()?;
        }
        let rate = |k: usize| {
            // S_v/T, with T = S_q/S_v.
            let scale = self.accuracy.scales()[k];
            scale.velocity * scale.velocity / scale.displacement
        };
        let still = |(k, v_dot): (usize, &f64)| v_dot.abs() <= SLEEPING_ACCELERATION * rate(k);
        Some(buffers.v_dot.iter().enumerate().all(still))
    }
}

/// Moves the points of each pair towards their middle.
fn shrink(room: &mut super::ContactRoom, contacts: &Contacts) {
    let Some(surfaces) = contacts.surfaces() else { return };
    let tags: Vec<_> = contacts.indices().map(|contact| surfaces.tag(contact).bodies).collect();
    let points: Vec<[DVec3; 2]> = room.sites.iter().map(|site| site.points).collect();
    for (i, tag) in tags.iter().enumerate() {
        let own = || tags.iter().zip(&points).filter(|(other, _)| *other == tag);
        let count = own().count() as f64;
        for (side, point) in points[i].iter().enumerate() {
            let middle = own().map(|(_, points)| points[side]).sum::<DVec3>() / count;
            let point = point.lerp(middle, PATCH_SHRINK);
            room.sites[i].points[side] = point;
            if let Some(end) = &mut room.rows[i].ends[side] {
                end.point = point;
            }
        }
    }
}

impl Contacts {
    /// The same with every gap as it is held, and no rate.
    pub(in crate::linkage) fn at_rest(&self, time: f64) -> Self {
        let mut rest = self.clone();
        rest.since = time;
        rest.anchors.clear();
        if let Some(surfaces) = &self.surfaces {
            let held =
                |contact: usize| Anchor { gap: surfaces.law(contact).gap, rate: 0.0, room: 0.0 };
            rest.anchors.extend((0..surfaces.count()).map(held));
        }
        rest
    }
}
