//! What to write down.

use super::{Builder, DEFAULT_RATE_HZ};
use crate::decode::Text;
use crate::load::Document;
use crate::scene::Record;

impl Builder<'_, '_> {
    pub(super) fn record(&mut self, top: &Document) -> Option<Record> {
        let table = top.table.record.as_ref();
        let rate = table.and_then(|table| table.rate_hz.as_ref());
        let rate_hz = rate.map_or(Some(DEFAULT_RATE_HZ), |number| self.positive(number, "rate_hz"));
        let events = table.and_then(|table| table.events).is_none_or(|events| events.value);
        let bodies = match table.and_then(|table| table.bodies.as_ref()) {
            None => (0..self.bodies.len()).collect(),
            Some(patterns) => self.chosen(patterns),
        };
        Some(Record { rate_hz: rate_hz?, bodies, events })
    }

    /// Indices of the bodies that match one of the patterns, ascending.
    fn chosen(&mut self, patterns: &[Text]) -> Vec<usize> {
        let mut is_chosen = vec![false; self.bodies.len()];
        for text in patterns {
            for index in self.matching(text).into_iter().flatten() {
                is_chosen[index] = true;
            }
        }
        (0..is_chosen.len()).filter(|&index| is_chosen[index]).collect()
    }
}
