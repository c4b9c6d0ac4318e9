//! What comes next: one queue for everything that has a time.
//!
//! Entries are ordered by time, then by kind, then by who owns them; nothing of how or when they were put in
//! decides a tie. An entry is never taken out early: it is *live* as long as its owner still names that
//! time, and a dead one is dropped when it comes up. The queue is derived data: [`World::rebuild_queue`]
//! makes it anew from the state.
//!
//! [`World::rebuild_queue`]: crate::World

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::event::EventKind;

/// Something that is due at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) time: f64,
    pub(crate) kind: EventKind,
    /// Slot of the owner; for a command, its number.
    pub(crate) owner: u64,
    /// Generation of the owner's slot.
    pub(crate) generation: u32,
}

impl Entry {
    fn rank(&self) -> (EventKind, u64, u32) {
        (self.kind, self.owner, self.generation)
    }
}

impl Eq for Entry {}

impl Ord for Entry {
    /// Earlier entries are greater, for a heap that gives its greatest first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then_with(|| other.rank().cmp(&self.rank()))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The queue.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Entry>,
    /// How many entries have ever been put in.
    pub(crate) pushes: u64,
}

impl Queue {
    /// Puts an entry in; one that never comes due is not kept.
    pub(crate) fn push(&mut self, entry: Entry) {
        if entry.time < f64::INFINITY {
            self.heap.push(entry);
            self.pushes += 1;
        }
    }

    pub(crate) fn peek(&self) -> Option<&Entry> {
        self.heap.peek()
    }

    pub(crate) fn pop(&mut self) -> Option<Entry> {
        self.heap.pop()
    }

    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_time_then_kind_then_owner_whatever_the_order_of_arrival() {
        let entry = |time, kind, owner| Entry { time, kind, owner, generation: 0 };
        let mut entries = vec![
            entry(2.0, EventKind::Command, 0),
            entry(1.0, EventKind::Span, 0),
            entry(1.0, EventKind::Tick, 7),
            entry(1.0, EventKind::Tick, 2),
            entry(1.0, EventKind::Command, 9),
            entry(-0.5, EventKind::Box, 1),
        ];
        let drained = |entries: &[Entry]| {
            let mut queue = Queue::default();
            for &entry in entries {
                queue.push(entry);
            }
            std::iter::from_fn(move || queue.pop()).collect::<Vec<Entry>>()
        };
        let forward = drained(&entries);
        entries.reverse();
        assert_eq!(forward, drained(&entries));
        let kinds: Vec<(f64, EventKind, u64)> =
            forward.iter().map(|entry| (entry.time, entry.kind, entry.owner)).collect();
        assert_eq!(
            kinds,
            [
                (-0.5, EventKind::Box, 1),
                (1.0, EventKind::Command, 9),
                (1.0, EventKind::Tick, 2),
                (1.0, EventKind::Tick, 7),
                (1.0, EventKind::Span, 0),
                (2.0, EventKind::Command, 0),
            ]
        );
    }

    #[test]
    fn what_never_comes_is_not_kept() {
        let mut queue = Queue::default();
        queue.push(Entry { time: f64::INFINITY, kind: EventKind::Box, owner: 0, generation: 0 });
        assert_eq!(queue.peek(), None);
    }
}
