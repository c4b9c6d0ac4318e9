//! Who is who: numbers of bodies, which a recording gives out once, unlike the engine its slots.

use std::collections::BTreeMap;

use carom::BodyId;

use crate::options::Selection;

/// The bodies that have been met.
#[derive(Debug)]
pub(crate) struct Roster {
    selection: Selection,
    /// Of every body ever met, its number if it is selected.
    numbers: BTreeMap<BodyId, Option<u32>>,
    /// The last body met in each slot: a shortcut past the tree.
    slots: Vec<Option<(BodyId, Option<u32>)>>,
    /// By number.
    names: Vec<String>,
}

impl Roster {
    pub(crate) const fn new(selection: Selection) -> Self {
        Self { selection, numbers: BTreeMap::new(), slots: Vec::new(), names: Vec::new() }
    }

    /// Takes note of a body; its number if it is new and selected.
    pub(crate) fn meet(&mut self, body: BodyId, name: &str) -> Option<u32> {
        if self.numbers.contains_key(&body) {
            return None;
        }
        let number = self.selection.wants(name).then_some(self.names.len() as u32);
        if number.is_some() {
            self.names.push(name.to_owned());
        }
        self.numbers.insert(body, number);
        let slot = body.slot() as usize;
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, None);
        }
        self.slots[slot] = Some((body, number));
        number
    }

    /// The number of a body that has been met and is selected.
    pub(crate) fn number(&self, body: BodyId) -> Option<u32> {
        match self.slots.get(body.slot() as usize).copied().flatten() {
            Some((known, number)) if known == body => number,
            _ => self.numbers.get(&body).copied().flatten(),
        }
    }

    /// The name of a body by its number.
    pub(crate) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }
}
