//! The hash table: from cells to lists of labels.
//!
//! Open addressing with linear probing and full comparison of keys: two cells with the same hash are two cells.
//! A cell without labels is taken out, and those behind it are moved up, so that what is in the table depends
//! on where boxes are and not on where they have been, and nothing ever needs cleaning.

use super::cell::Key;
use crate::broad::pool::List;

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: Key,
    labels: List,
}

const VACANT: Slot = Slot { key: Key::NONE, labels: List::EMPTY };

/// Slots to begin with; their number is a power of two.
const SLOTS: usize = 64;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
    len: usize,
}

impl Table {
    pub(super) fn new() -> Self {
        Self { slots: vec![VACANT; SLOTS], len: 0 }
    }

    /// Number of cells that have labels.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Labels of a cell.
    #[inline]
    pub(super) fn get(&self, key: Key) -> &List {
        &self.slots[self.find(key)].labels
    }

    /// Labels of a cell, to which the caller adds one if there is none.
    #[inline]
    pub(super) fn entry(&mut self, key: Key) -> &mut List {
        let mut at = self.find(key);
        if self.slots[at].key == Key::NONE {
            if 2 * self.len >= self.slots.len() {
                self.grow();
                at = self.find(key);
            }
            self.len += 1;
            self.slots[at].key = key;
        }
        &mut self.slots[at].labels
    }

    /// Lets `f` take labels out of a cell that has some.
    pub(super) fn reduce(&mut self, key: Key, f: impl FnOnce(&mut List)) {
        let at = self.find(key);
        f(&mut self.slots[at].labels);
        if self.slots[at].labels.is_empty() && self.slots[at].key == key {
            self.vacate(at);
        }
    }

    /// The slot of a cell, or the vacant one where it belongs; at least half of all are vacant.
    #[inline]
    fn find(&self, key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key.hash() as usize & mask;
        while self.slots[at].key != key && self.slots[at].key != Key::NONE {
            at = (at + 1) & mask;
        }
        at
    }

    /// Closes the gap that a cell leaves: whatever was pushed past the gap by it moves up.
    fn vacate(&mut self, mut gap: usize) {
        self.len -= 1;
        let mask = self.slots.len() - 1;
        let mut at = (gap + 1) & mask;
        while self.slots[at].key != Key::NONE {
            let home = self.slots[at].key.hash() as usize & mask;
            let from_home = at.wrapping_sub(home) & mask;
            let from_gap = at.wrapping_sub(gap) & mask;
            if from_home >= from_gap {
                self.slots[gap] = self.slots[at];
                gap = at;
            }
            at = (at + 1) & mask;
        }
        self.slots[gap] = VACANT;
    }

    fn grow(&mut self) {
        let larger = vec![VACANT; 2 * self.slots.len()];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.key != Key::NONE {
                let at = self.find(slot.key);
                self.slots[at] = slot;
            }
        }
    }
}
