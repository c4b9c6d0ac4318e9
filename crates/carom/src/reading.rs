//! Reading a world.

use std::sync::Arc;

use carom_dynamics::{BodyState, Mass, Motion, Span};
use carom_geometry::{Aabb, Pose, Shape};
use glam::{DMat3, DVec3};

use crate::body::{BodyId, BodyModel, BodyRecord};
use crate::controller::ControllerId;
use crate::event::EventCounts;
use crate::group::{Group, System};
use crate::ledger::Account;
use crate::material::{Material, MaterialId};
use crate::sum::Sum;
use crate::world::{Settings, World};

/// Asking.
impl World {
    /// The time up to which the world has been advanced `[s]`.
    pub const fn now(&self) -> f64 {
        self.state.now
    }

    /// The time of the next event, if any `[s]`.
    pub fn next_event_time(&self) -> Option<f64> {
        // Dead entries may stand before the first live one, so the owners are asked instead of the queue.
        let commands = self.state.pending.keys().next().map(crate::command::Scheduled::time);
        let ticks = self.state.controllers.iter().map(|(_, it)| it.next_time());
        let windows = self.state.bodies.iter().map(|(_, body)| body.window.end);
        let spans = self.state.groups.iter().map(|(_, group)| group.span(self.state.now).end);
        let checks = self
            .scratch
            .near
            .iter()
            .filter(|near| self.is_current(near))
            .filter_map(|near| near.prediction.due());
        let first = commands.into_iter().chain(ticks).chain(windows).chain(spans).chain(checks);
        first.min_by(f64::total_cmp).filter(|time| time.is_finite())
    }

    /// Uniform gravity `[m/s²]`.
    pub const fn gravity(&self) -> DVec3 {
        self.model.gravity
    }

    /// How the world goes about its work.
    pub const fn settings(&self) -> &Settings {
        &self.model.settings
    }

    /// A body.
    pub fn body(&self, id: BodyId) -> Option<BodyRef<'_>> {
        self.state.bodies.get(id).map(|record| BodyRef { world: self, id, record })
    }

    /// All bodies, in order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = BodyRef<'_>> {
        self.state.bodies.iter().map(|(id, record)| BodyRef { world: self, id, record })
    }

    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.state.bodies.len()
    }

    /// The body of this name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.scratch.names.get(name).copied()
    }

    /// All materials.
    pub fn materials(&self) -> impl Iterator<Item = (MaterialId, &Material)> {
        self.model.materials.iter()
    }

    /// What a controller showed at its last tick: the reading of a gauge, empty of one that shows nothing.
    pub fn shown(&self, controller: ControllerId) -> Option<&[f64]> {
        let registered = self.state.controllers.get(controller)?;
        registered.controller.as_ref().map(|it| it.shows())
    }

    /// A body's state now.
    pub fn state(&self, body: BodyId) -> Option<BodyState> {
        self.state_at(body, self.state.now)
    }

    /// A body's state at a time for which its present motion holds; right-continuous at events. None if the
    /// body is gone, or at a time before its motion began or after an event that is known to come for it.
    pub fn state_at(&self, body: BodyId, time: f64) -> Option<BodyState> {
        self.body(body)?.state_at(time)
    }

    /// The states of all bodies whose present motions hold at this time, in order of their ids.
    pub fn states_at(&self, time: f64, states: &mut Vec<(BodyId, BodyState)>) {
        self.scratch.workers.states_at(self, time, states);
    }

    /// How the velocity of a body's point at `of` answers a unit impulse at `at`, both points of the world, now:
    /// Δu = K·p; zero for bodies that are not free `[1/kg]`.
    pub fn response(&self, body: BodyId, of: DVec3, at: DVec3) -> Option<DMat3> {
        self.response_between((body, of), (body, at))
    }

    /// The same where the impulse is on another body; zero where nothing ties the two together `[1/kg]`.
    pub(crate) fn response_between(
        &self,
        (body, of): (BodyId, DVec3),
        (other, at): (BodyId, DVec3),
    ) -> Option<DMat3> {
        let id = self.state.bodies.get(body)?.group;
        if self.state.bodies.get(other)?.group != id {
            return Some(DMat3::ZERO);
        }
        let group = self.state.groups.get(id)?;
        let member = group.member(body)?;
        match &group.system {
            System::Passive(_) => Some(DMat3::ZERO),
            System::Free(free) => {
                Some(free.mass.response(&group.state_of(member, self.state.now), of, at))
            }
            System::Coupled(coupled) => {
                let points = [(member.link, of), (group.member(other)?.link, at)];
                coupled.responses(self.state.now, points).map(|blocks| blocks[0][1])
            }
        }
    }

    /// How the relative velocity of two bodies at a point answers an impulse there on the first and its opposite on the
    /// second. Between links of one linkage each feels what the other gets (guide 2 F-6.6) `[1/kg]`.
    pub(crate) fn pair_response(&self, [a, b]: [BodyId; 2], point: DVec3) -> DMat3 {
        let alone = |body| self.response(body, point, point).unwrap_or_default();
        let group = |body| self.state.bodies.get(body).map(|it| it.group);
        let shared = group(a).filter(|it| Some(*it) == group(b)).map(|id| self.group(id));
        let joint_answer = || {
            let group = shared?;
            let points = [(group.member(a)?.link, point), (group.member(b)?.link, point)];
            let [[aa, ab], [ba, bb]] = group.coupled()?.responses(self.state.now, points)?;
            Some(aa + bb - ab - ba)
        };
        joint_answer().unwrap_or_else(|| alone(a) + alone(b))
    }

    /// How many events have been worked.
    pub const fn event_counts(&self) -> &EventCounts {
        &self.state.counts
    }

    /// The ledger at a time for which the present motions hold.
    pub fn account_at(&self, time: f64) -> Account {
        let (mut kinetic, mut potential) = (Sum::default(), Sum::default());
        let mut ledger = self.state.ledger;
        for (_, group) in self.state.groups.iter().filter(|(_, group)| group.is_free()) {
            let energies = self.energies_of(group, time);
            kinetic.add(energies.kinetic);
            potential.add(energies.potential);
            if let Some(coupled) = group.coupled() {
                ledger.add(&coupled.flow(time));
            }
        }
        ledger.account(kinetic.value(), potential.value())
    }

    /// The ledger now.
    pub fn account(&self) -> Account {
        self.account_at(self.state.now)
    }

    /// What the schedule has cost so far; none of it decides anything.
    pub fn effort(&self) -> Effort {
        let counts = self.scratch.broad.counts();
        Effort {
            pairs_entered: self.scratch.near.entered,
            predictions: self.scratch.near.predictions,
            queue_pushes: self.scratch.queue.pushes,
            cells: counts.cells_visited + counts.cells_written,
        }
    }

    /// How many threads may work.
    pub const fn threads(&self) -> usize {
        self.scratch.workers.threads()
    }

    /// How many pieces of work each thread has done so far.
    pub fn work_by_thread(&self) -> Vec<u64> {
        self.scratch.workers.work()
    }
}

/// What the schedule of a world has cost; counted from its making or its last forgetting of caches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Pairs whose boxes began to overlap.
    pub pairs_entered: u64,
    /// Searches for a touch or a parting that were begun or resumed.
    pub predictions: u64,
    /// Entries put into the queue.
    pub queue_pushes: u64,
    /// Cells of the broad phase that were looked into or written to.
    pub cells: u64,
}

/// A body to be asked.
#[derive(Clone, Copy, Debug)]
pub struct BodyRef<'a> {
    world: &'a World,
    id: BodyId,
    record: &'a BodyRecord,
}

impl<'a> BodyRef<'a> {
    /// Largest distance of its points from its reference point, infinite if unbounded `[m]`.
    pub fn radius(&self) -> f64 {
        self.record.model.radius
    }

    /// Its handle.
    pub const fn id(&self) -> BodyId {
        self.id
    }

    /// What people call it.
    pub fn name(&self) -> &'a str {
        &self.record.model.name
    }

    /// Its shape, in the body frame.
    pub fn shape(&self) -> &'a Shape {
        &self.record.model.shape
    }

    /// Its mass about its centre; none of bodies without end.
    pub fn mass(&self) -> Option<&'a Mass> {
        self.record.model.mass.as_ref()
    }

    /// The point at which it is followed, in the body frame: its centre of mass, or the origin if it has no
    /// mass `[m]`.
    pub fn reference(&self) -> DVec3 {
        self.record.model.reference
    }

    /// Its material.
    pub fn material(&self) -> Option<MaterialId> {
        self.record.model.material
    }

    /// True when it passes through everything.
    pub fn is_ghost(&self) -> bool {
        self.record.model.ghost
    }

    /// True when it notices who enters and leaves it, and touches nobody.
    pub fn is_sensor(&self) -> bool {
        self.record.model.sensor
    }

    /// What does not change of it.
    pub(crate) fn model(&self) -> &'a Arc<BodyModel> {
        &self.record.model
    }

    /// True when forces and impulses move it.
    pub fn is_free(&self) -> bool {
        self.world.state.groups.get(self.record.group).is_some_and(Group::is_free)
    }

    /// Free, fixed, scripted, linked or carried.
    pub fn role(&self) -> &'static str {
        let Some(group) = self.world.state.groups.get(self.record.group) else { return "free" };
        match &group.system {
            System::Free(_) => "free",
            System::Coupled(coupled) if coupled.is_alone() => "free",
            System::Coupled(_) => "linked",
            System::Passive(_) if group.carrier != self.id => "carried",
            System::Passive(Motion::Scripted(_)) => "scripted",
            System::Passive(_) => "fixed",
        }
    }

    /// Grows with every change of its motion.
    pub const fn epoch(&self) -> u64 {
        self.record.epoch
    }

    /// A box that the body does not leave, and for how long.
    pub const fn swept_box(&self) -> (Aabb, Span) {
        (self.record.swept, self.record.window)
    }

    /// The motion of the frame in which it is fixed, and its place there.
    pub fn motion(&self) -> Option<(&'a Motion, Pose)> {
        let group = self.world.state.groups.get(self.record.group)?;
        let member = group.member(self.id)?;
        Some((group.motion_of(member), member.frame_from_body))
    }

    /// Its state now.
    pub fn state(&self) -> Option<BodyState> {
        self.state_at(self.world.state.now)
    }

    /// Its state at a time for which its present motion holds.
    pub fn state_at(&self, time: f64) -> Option<BodyState> {
        let group = self.world.state.groups.get(self.record.group)?;
        let member = group.member(self.id)?;
        // Spans may have no end, but a time without end is no time.
        let holds = time.is_finite() && group.span(self.world.state.now).contains(time);
        holds.then(|| group.state_of(member, time))
    }

    /// Placement of the body frame at a time for which its present motion holds.
    pub fn pose_at(&self, time: f64) -> Option<Pose> {
        let state = self.state_at(time)?;
        Some(state.pose().then_from(&self.record.model.body_from_shape()))
    }
}
