//! Contact forces inside the derivative.
//!
//! With the factors of H that forward dynamics leaves, K costs a sweep inward for each end of a contact and a product for each
//! pair of contacts that share a link. Then f solves K·f = c − g̈⁰ over the active contacts (least norm), acts on the links as
//! wrenches, and forward dynamics is done once more: so joints that are held, implicit damping and loads of joints see contact
//! forces like any others.

use super::{Contacts, Site, Surfaces};
use crate::BodyState;
use crate::collocation::Undefined;
use crate::complementarity::Equality;
use crate::spatial::ForceVector;
use crate::tree::{LinkPoint, PairRow, PairScratch, Scratch, Tree};

/// Storage that is used again: contacts at one state, in the order in which they were asked for.
#[derive(Clone, Debug, Default)]
pub(in crate::linkage) struct ContactRoom {
    /// All links.
    links: Vec<BodyState>,
    pub(super) sites: Vec<Site>,
    pub(super) rows: Vec<PairRow>,
    /// c − g̈⁰ `[m/s²]`.
    pub(super) wanted: Vec<f64>,
    /// K, row by row `[1/kg]`.
    pub(super) matrix: Vec<f64>,
    /// f `[N]`.
    pub(super) forces: Vec<f64>,
    memory: PairScratch,
    equality: Equality,
}

impl ContactRoom {
    /// Finds the points of contacts where the tree was placed.
    pub(super) fn look(
        &mut self,
        surfaces: &dyn Surfaces,
        which: impl Iterator<Item = usize>,
        time: f64,
        (tree, scratch): (&Tree, &Scratch),
    ) -> Result<(), Undefined> {
        self.links.clear();
        self.links.extend((0..tree.n_links()).map(|link| scratch.body_state(tree, link)));
        self.sites.clear();
        self.rows.clear();
        self.look_further(surfaces, which, time)
    }

    /// The same for more of them.
    pub(super) fn look_further(
        &mut self,
        surfaces: &dyn Surfaces,
        which: impl Iterator<Item = usize>,
        time: f64,
    ) -> Result<(), Undefined> {
        for contact in which {
            let site = surfaces
                .follow(contact, time, &self.links)
                .filter(|site| site.gap.is_finite() && site.bias.is_finite())
                .ok_or(Undefined::NoContact(contact))?;
            let ends = surfaces.links(contact);
            let end = |side: usize| {
                let link = ends[side]?;
                Some(LinkPoint { link, point: site.points[side] })
            };
            self.rows.push(PairRow { ends: [end(0), end(1)], direction: site.normal });
            self.sites.push(site);
        }
        Ok(())
    }

    /// All links, where contacts were looked at last.
    pub(super) fn links(&self) -> &[BodyState] {
        &self.links
    }

    /// K of the points that were looked at.
    pub(super) fn respond(&mut self, tree: &Tree, scratch: &Scratch) {
        let m = self.rows.len();
        self.matrix.clear();
        self.matrix.resize(m * m, 0.0);
        tree.pair_responses(&self.rows, scratch, &mut self.memory, &mut self.matrix);
    }

    /// c − g̈⁰ with the accelerations that forward dynamics has left.
    pub(super) fn ask(
        &mut self,
        asked: impl Iterator<Item = f64>,
        (tree, scratch): (&Tree, &Scratch),
    ) {
        self.wanted.clear();
        for ((asked, site), row) in asked.zip(&self.sites).zip(&self.rows) {
            self.wanted.push(asked - acceleration(site, row, tree, scratch));
        }
    }

    /// f of least norm with K·f = c − g̈⁰.
    pub(super) fn balance(&mut self) {
        let m = self.rows.len();
        self.forces.clear();
        self.forces.resize(m, 0.0);
        self.equality.factorise(&self.matrix, m);
        self.equality.solve(&self.wanted, &mut self.forces);
    }

    /// Adds the forces to wrenches at the origins of the links.
    pub(super) fn push(&self, scratch: &Scratch, wrenches: &mut Vec<ForceVector>, links: usize) {
        wrenches.resize(links, ForceVector::ZERO);
        for (row, force) in self.rows.iter().zip(&self.forces) {
            row.push(*force, scratch, wrenches);
        }
    }

    /// Lets the active contacts of a mode begin to be held where the tree was placed.
    pub(in crate::linkage) fn anchor(
        &mut self,
        contacts: &mut Contacts,
        time: f64,
        placed: (&Tree, &Scratch),
    ) -> Result<(), Undefined> {
        if let Some(surfaces) = contacts.surfaces().cloned() {
            self.look(surfaces.as_ref(), 0..surfaces.count(), time, placed)?;
            contacts.anchor(time, &self.sites);
        }
        Ok(())
    }

    /// All three, for the active contacts of a mode.
    pub(in crate::linkage) fn work_out(
        &mut self,
        contacts: &Contacts,
        time: f64,
        (tree, scratch): (&Tree, &Scratch),
        wrenches: &mut Vec<ForceVector>,
    ) -> Result<(), Undefined> {
        let Some(surfaces) = contacts.surfaces() else { return Ok(()) };
        let surfaces = surfaces.as_ref();
        self.look(surfaces, contacts.indices(), time, (tree, scratch))?;
        self.respond(tree, scratch);
        let tau = time - contacts.since;
        let asked = |contact| surfaces.law(contact).asked(&contacts.anchors[contact], tau);
        self.ask(contacts.indices().map(asked), (tree, scratch));
        self.balance();
        self.push(scratch, wrenches, tree.n_links());
        Ok(())
    }
}

/// g̈ with the accelerations that forward dynamics has left.
fn acceleration(site: &Site, row: &PairRow, tree: &Tree, scratch: &Scratch) -> f64 {
    let mut sum = site.bias;
    for (end, sign) in row.ends.iter().zip([1.0, -1.0]) {
        let Some(LinkPoint { link, point }) = *end else { continue };
        let body = scratch.body_kinematics(tree, link);
        let arm = point - body.state.position;
        let carried = body.acceleration + body.angular_acceleration.cross(arm);
        sum += sign * carried.dot(site.normal);
    }
    sum
}
