//! The ends of all boxes along one axis, sorted.

use std::cmp::Ordering;

use carom_geometry::Aabb;

use crate::broad::Proxy;

/// Which end of a box; at the same coordinate begins come first, so that boxes that touch overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Begin,
    End,
}

/// One end of one box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    coordinate: f64,
    pub(super) side: Side,
    pub(super) proxy: Proxy,
}

impl End {
    /// Both ends of a box along an axis.
    pub(super) fn of(bounds: &Aabb, axis: usize, proxy: Proxy) -> [Self; 2] {
        // Adding zero makes zeros of both signs one.
        let end = |coordinate: f64, side| Self { coordinate: coordinate + 0.0, side, proxy };
        [end(bounds.min[axis], Side::Begin), end(bounds.max[axis], Side::End)]
    }

    /// A total order in which no two ends are equal.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let coordinates = self.coordinate.total_cmp(&other.coordinate);
        coordinates.then(self.side.cmp(&other.side)).then(self.proxy.cmp(&other.proxy))
    }
}

/// Ends in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Axis {
    ends: Vec<End>,
}

impl Axis {
    /// All ends, from the lowest.
    pub(super) fn ends(&self) -> &[End] {
        &self.ends
    }

    /// Replaces all ends.
    pub(super) fn build(&mut self, ends: impl Iterator<Item = End>) {
        self.ends.clear();
        self.ends.extend(ends);
        self.ends.sort_unstable_by(End::order);
    }

    pub(super) fn insert(&mut self, end: End) {
        let at = self.index(&end);
        self.ends.insert(at, end);
    }

    pub(super) fn remove(&mut self, end: &End) {
        let at = self.index(end);
        if self.ends.get(at) == Some(end) {
            self.ends.remove(at);
        }
    }

    /// Moves an end to its new place by exchanges with its neighbours, and tells `passed` of each.
    pub(super) fn shift(&mut self, from: &End, to: End, mut passed: impl FnMut(&End)) {
        let mut at = self.index(from);
        while at > 0 && to.order(&self.ends[at - 1]).is_lt() {
            passed(&self.ends[at - 1]);
            self.ends[at] = self.ends[at - 1];
            at -= 1;
        }
        while at + 1 < self.ends.len() && self.ends[at + 1].order(&to).is_lt() {
            passed(&self.ends[at + 1]);
            self.ends[at] = self.ends[at + 1];
            at += 1;
        }
        self.ends[at] = to;
    }

    fn index(&self, end: &End) -> usize {
        self.ends.partition_point(|other| other.order(end).is_lt())
    }
}
