//! The second half of phase 4: pairs of the bodies whose boxes were made anew.

use crate::arena::Handle as _;
use crate::body::BodyId;
use crate::broad::{Change, ChangeKind, Neighbour};
use crate::event::EventKind;
use crate::queue::Entry;
use crate::world::{World, WorldState};

use super::{Near, Prediction};

impl World {
    /// Brings the broad phase up to date and predicts what has become unknown.
    pub(crate) fn examine_pairs(&mut self) {
        let moved = std::mem::take(&mut self.scratch.moved);
        let mut slots = std::mem::take(&mut self.scratch.to_predict);
        let regrouped = std::mem::take(&mut self.scratch.regrouped);
        for &body in &moved {
            self.box_moved(body);
            if regrouped {
                self.sort_out(body);
            }
            self.scratch.broad.slots_of(body.index(), &mut slots);
        }
        slots.sort_unstable();
        slots.dedup();
        self.predict_all(&slots);
        slots.clear();
        self.scratch.to_predict = slots;
        self.scratch.moved = moved;
        self.scratch.moved.clear();
    }

    /// One body's new box: pairs that enter and leave.
    fn box_moved(&mut self, body: BodyId) {
        let Some(record) = self.state.bodies.get(body) else { return };
        let mut changes = std::mem::take(&mut self.scratch.changes);
        changes.clear();
        let (swept, radius) = (record.swept, record.model.radius);
        self.scratch.broad.update(body.index(), &swept, radius, &mut changes);
        self.follow(&changes);
        self.scratch.changes = changes;
    }

    fn follow(&mut self, changes: &[Change]) {
        for Change { kind, pair, slot } in changes.iter().copied() {
            self.scratch.near.leave(slot);
            if kind == ChangeKind::Entered
                && let Some(bodies) = self.bodies_in(pair)
                && self.pairing(bodies[0], bodies[1]).is_some()
            {
                self.scratch.near.enter(slot, bodies);
            }
        }
    }

    /// Who a body is to its neighbours may have changed with its group; also to those from whose boxes its own has just
    /// parted, which stay in the table and come back without a word.
    fn sort_out(&mut self, body: BodyId) {
        let mut neighbours = std::mem::take(&mut self.scratch.neighbours);
        self.scratch.broad.partners(body.index(), &mut neighbours);
        for &Neighbour { proxy, slot } in &neighbours {
            let pair = [body.index().min(proxy), body.index().max(proxy)];
            let Some(bodies) = self.bodies_in(pair) else { continue };
            if self.pairing(bodies[0], bodies[1]).is_some() {
                self.scratch.near.enter(slot, bodies);
            } else {
                self.scratch.near.leave(slot);
            }
        }
        self.scratch.neighbours = neighbours;
    }

    /// Forgets all pairs of a body that has gone.
    pub(crate) fn forget_pairs_of(&mut self, body: BodyId) {
        let mut changes = std::mem::take(&mut self.scratch.changes);
        changes.clear();
        self.scratch.broad.remove(body.index(), &mut changes);
        self.follow(&changes);
        self.scratch.changes = changes;
        self.state.meetings.forget(body);
        self.state.contacts.forget(body);
        self.state.regimes.retain(|(a, b), _| *a != body && *b != body);
        self.state.excluded.retain(|(a, b)| *a != body && *b != body);
    }

    /// What is known of a pair that is near.
    pub(crate) fn near(&self, [a, b]: [BodyId; 2]) -> Option<&Near> {
        let slot = self.scratch.broad.slot_of(a.index(), b.index())?;
        self.scratch.near.get(slot).filter(|near| near.bodies == [a, b])
    }

    fn predict_all(&mut self, slots: &[u32]) {
        // Taken out meanwhile, so that predictions can read the whole world.
        let mut pairs = std::mem::take(&mut self.scratch.near.slots);
        let mut spares = std::mem::take(&mut self.scratch.near.spares);
        for &slot in slots {
            if let Some(Some(near)) = pairs.get_mut(slot as usize) {
                self.prepare(near, &mut spares);
            }
        }
        self.scratch.near.spares = spares;
        self.scratch.workers.each_of(&mut pairs, slots, |place| {
            if let Some(near) = place.as_mut().filter(|near| near.searched) {
                self.predict(near);
            }
        });
        let now = self.state.now;
        for &slot in slots {
            let Some(near) = pairs.get_mut(slot as usize).and_then(Option::as_mut) else {
                continue;
            };
            self.scratch.near.predictions += u64::from(near.searched);
            // What would have happened before now has been missed; time does not go back for it.
            if near.prediction.due().is_some_and(|due| due < now) {
                near.prediction = match near.prediction {
                    Prediction::Blurred(_) => Prediction::Blurred(now),
                    _ => Prediction::Overlap(now),
                };
            }
            self.scratch.queue_check(&self.state, slot, near);
        }
        self.scratch.near.slots = pairs;
    }
}

impl crate::world::Scratch {
    /// Queues what a pair is due for, if that is not later than both windows' ends.
    fn queue_check(&mut self, state: &WorldState, slot: u32, near: &Near) {
        let Some(due) = near.prediction.due() else { return };
        let end = |body| state.bodies.get(body).map_or(f64::NEG_INFINITY, |it| it.window.end);
        if due <= end(near.bodies[0]) && due <= end(near.bodies[1]) {
            self.queue.push(check_entry(near.bodies, slot, due));
        }
    }
}

/// The entry of a pair: its owner is both bodies, and where its generation would be stands the pair's slot.
fn check_entry([a, b]: [BodyId; 2], slot: u32, time: f64) -> Entry {
    let owner = u64::from(a.index()) << 32 | u64::from(b.index());
    Entry { time, kind: EventKind::Check, owner, generation: slot }
}

/// The slot of the pair of a check.
pub(crate) const fn slot_of(entry: &Entry) -> u32 {
    entry.generation
}

impl World {
    /// The pair that is due for what an entry says, as long as it is.
    pub(crate) fn pair_due(&self, entry: &Entry) -> Option<&Near> {
        let slot = slot_of(entry);
        let near = self.scratch.near.get(slot)?;
        let due = near.prediction.due() == Some(entry.time)
            && check_entry(near.bodies, slot, entry.time) == *entry;
        (due && self.is_current(near)).then_some(near)
    }

    /// True when two bodies are known to be farther from each other now than any touch distance.
    pub(crate) fn is_apart(&self, near: &Near) -> bool {
        self.state.now <= near.apart_until && self.is_current(near)
    }

    /// True when both bodies still move as they did when the prediction was made.
    pub(crate) fn is_current(&self, near: &Near) -> bool {
        let epoch = |body| self.state.bodies.get(body).map(|record| record.epoch);
        near.bodies.map(epoch) == near.epochs.map(Some)
    }
}
