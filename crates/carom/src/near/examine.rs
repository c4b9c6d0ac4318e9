//! The second half of phase 4: pairs of the bodies whose boxes were made anew.

use crate::arena::Handle as _;
use crate::body::BodyId;
use crate::broad::Change;
use crate::event::EventKind;
use crate::queue::Entry;
use crate::world::World;

use super::{Near, PATIENCE, Prediction};

impl World {
    /// Brings the broad phase up to date and predicts what has become unknown.
    pub(crate) fn examine_pairs(&mut self) {
        let moved = std::mem::take(&mut self.scratch.moved);
        let mut slots = std::mem::take(&mut self.scratch.to_predict);
        for &(body, fresh) in &moved {
            self.box_moved(body, fresh);
            slots.extend_from_slice(self.scratch.near.of(body));
        }
        slots.sort_unstable();
        slots.dedup();
        self.predict_all(&slots);
        slots.clear();
        self.scratch.to_predict = slots;
        self.scratch.moved = moved;
        self.scratch.moved.clear();
    }

    /// One body's new box: pairs that begin and cease to overlap.
    fn box_moved(&mut self, body: BodyId, fresh: bool) {
        let Some(record) = self.state.bodies.get(body) else { return };
        let mut changes = std::mem::take(&mut self.scratch.changes);
        changes.clear();
        let (swept, radius) = (record.swept, record.model.radius);
        self.scratch.broad.update(body.index(), &swept, radius, &mut changes);
        for Change { began, pair } in changes.iter().copied() {
            let Some(bodies) = self.bodies_in(pair) else { continue };
            if !began {
                if let Some(near) =
                    self.scratch.near.slot(bodies).and_then(|slot| self.scratch.near.get_mut(slot))
                {
                    near.idle = 1;
                }
            } else if self.pairing(bodies[0], bodies[1]).is_some() {
                self.scratch.near.enter(bodies);
            }
        }
        self.scratch.changes = changes;
        if fresh {
            self.sort_out_partners(body);
        }
        self.lose_patience(body, fresh);
    }

    /// Who a body is to its neighbours may have changed with its motion.
    fn sort_out_partners(&mut self, body: BodyId) {
        let mut partners = std::mem::take(&mut self.scratch.partners);
        self.scratch.broad.partners(body.index(), &mut partners);
        for &other in &partners {
            let pair = [body.index().min(other), body.index().max(other)];
            let Some(bodies) = self.bodies_in(pair) else { continue };
            if self.pairing(bodies[0], bodies[1]).is_some() {
                self.scratch.near.enter(bodies);
            } else if let Some(slot) = self.scratch.near.slot(bodies) {
                self.scratch.near.remove(slot);
            }
        }
        self.scratch.partners = partners;
    }

    /// Pairs whose boxes do not overlap go when the body's motion has changed, or after some of its boxes.
    fn lose_patience(&mut self, body: BodyId, fresh: bool) {
        let mut place = 0;
        while let Some(&slot) = self.scratch.near.of(body).get(place) {
            let gone = match self.scratch.near.get_mut(slot) {
                Some(near) if near.idle > 0 => {
                    near.idle += 1;
                    fresh || near.idle > PATIENCE
                }
                _ => false,
            };
            if gone {
                self.scratch.near.remove(slot);
            } else {
                place += 1;
            }
        }
    }

    fn predict_all(&mut self, slots: &[u32]) {
        let mut pairs = std::mem::take(&mut self.scratch.in_hand);
        for &slot in slots {
            if let Some(near) = self.scratch.near.slots[slot as usize].take() {
                pairs.push((slot, near, false));
            }
        }
        let workers = &self.scratch.workers;
        workers.each(&mut pairs, |(_, near, searched)| *searched = self.predict(near));
        let now = self.state.now;
        for (slot, mut near, searched) in pairs.drain(..) {
            self.scratch.near.predictions += u64::from(searched);
            // What would have happened before now has been missed; time does not go back for it.
            if near.prediction.due().is_some_and(|due| due < now) {
                near.prediction = Prediction::Overlap(now);
            }
            self.scratch.queue_check(&self.state, &near);
            self.scratch.near.slots[slot as usize] = Some(near);
        }
        self.scratch.in_hand = pairs;
    }
}

impl crate::world::Scratch {
    /// Queues what a pair is due for, if that is not later than both windows' ends.
    pub(crate) fn queue_check(&mut self, state: &crate::world::WorldState, near: &Near) {
        let Some(due) = near.prediction.due() else { return };
        let end = |body| state.bodies.get(body).map_or(f64::NEG_INFINITY, |it| it.window.end);
        if due <= end(near.bodies[0]) && due <= end(near.bodies[1]) {
            self.queue.push(check_entry(near.bodies, due));
        }
    }
}

/// The entry of a pair; its owner is both bodies.
pub(crate) fn check_entry([a, b]: [BodyId; 2], time: f64) -> Entry {
    let owner = u64::from(a.index()) << 32 | u64::from(b.index());
    Entry { time, kind: EventKind::Check, owner, generation: 0 }
}

/// The slots of the two bodies of a check.
pub(crate) fn pair_of(entry: &Entry) -> [u32; 2] {
    [(entry.owner >> 32) as u32, entry.owner as u32]
}

/// True while a pair is due for what an entry says.
pub(crate) fn is_due(near: &Near, time: f64) -> bool {
    !matches!(near.prediction, Prediction::Clear(_)) && near.prediction.due() == Some(time)
}
