//! Who waits for which time: the entries that the state stands for.

use carom_dynamics::Motion;

use crate::arena::Handle as _;
use crate::body::BodyId;
use crate::broad::BroadPhase;
use crate::command::Scheduled;
use crate::controller::ControllerId;
use crate::event::EventKind;
use crate::group::Group;
use crate::near::NearPairs;
use crate::queue::Entry;
use crate::workers::Workers;
use crate::world::{Scratch, World};

impl World {
    /// Throws away everything that can be made anew. Changes no bit of what follows.
    pub fn forget_caches(&mut self) {
        let old = std::mem::replace(
            &mut self.scratch,
            Scratch::new(Workers::default(), self.model.settings.broad_phase),
        );
        self.scratch.workers = old.workers;
        self.scratch.broken = old.broken;
        // What observers have not been told yet is no cache.
        self.scratch.events = old.events;
        self.scratch.changed = old.changed;
        self.rebuild();
    }

    /// Makes names and queue anew from the state.
    pub(crate) fn rebuild(&mut self) {
        let Self { model, state, scratch } = self;
        scratch.names =
            state.bodies.iter().map(|(id, body)| (body.model.name.clone(), id)).collect();
        scratch.joint_names =
            state.joints.iter().map(|(id, joint)| (joint.name.clone(), id)).collect();
        scratch.queue.clear();
        state.pending.keys().for_each(|key| scratch.queue.push(key.entry()));
        for (id, controller) in state.controllers.iter() {
            scratch.queue.push(tick_entry(id, controller.next_time()));
        }
        for (id, body) in state.bodies.iter() {
            scratch.queue.push(body_entry(EventKind::Box, id, body.window.end));
        }
        for (id, group) in state.groups.iter() {
            if let Some(entry) = span_entry(id.0, group, state.now) {
                scratch.queue.push(entry);
            }
        }
        scratch.broad = BroadPhase::new(model.settings.broad_phase);
        scratch.near = NearPairs::default();
        scratch.moved = state.bodies.iter().map(|(id, _)| id).collect();
        self.examine_pairs();
    }
}

impl Scheduled {
    pub(crate) fn new(time: f64, order: u64) -> Self {
        // Adding zero turns −0 into +0, so that both are one time.
        Self { time_bits: orderable(time + 0.0), order }
    }

    /// When it is due `[s]`.
    pub fn time(&self) -> f64 {
        let bits = self.time_bits;
        let bits = if bits >> 63 == 1 { bits ^ (1 << 63) } else { !bits };
        f64::from_bits(bits)
    }

    pub(crate) fn entry(self) -> Entry {
        let time = self.time();
        Entry { time, kind: EventKind::Command, owner: self.order, generation: 0 }
    }
}

/// Bits that are ordered like the numbers.
fn orderable(time: f64) -> u64 {
    let bits = time.to_bits();
    if bits >> 63 == 1 { !bits } else { bits ^ (1 << 63) }
}

pub(crate) fn tick_entry(id: ControllerId, time: f64) -> Entry {
    Entry { time, kind: EventKind::Tick, owner: u64::from(id.index()), generation: id.generation() }
}

pub(crate) fn body_entry(kind: EventKind, id: BodyId, time: f64) -> Entry {
    Entry { time, kind, owner: u64::from(id.index()), generation: id.generation() }
}

/// When a group's motion ends, if it does: a scripted law with its piece, a prediction with its span.
pub(crate) fn span_entry(smallest: BodyId, group: &Group, now: f64) -> Option<Entry> {
    match group.motion_of(&group.members[0]) {
        Motion::Fixed(_) | Motion::Ballistic(_) => None,
        Motion::Scripted(law) => Some(body_entry(EventKind::Law, smallest, law.piece(now).end)),
        Motion::Linked(link) => Some(body_entry(EventKind::Span, smallest, link.span().end)),
    }
}
