//! Sorted coordinates (Baraff 5.3; thesis 2.4.4).
//!
//! Along each axis the ends of all boxes are kept in order. Two boxes that begin to overlap were apart along
//! some axis before, so there a begin must have passed an end of the other box: bᵢ > eⱼ became bᵢ ≤ eⱼ. An
//! update moves the six ends of a box, one after the other, by exchanges with their neighbours, as insertion
//! sort would, and at every exchange of that kind looks at the two boxes in full. Pairs that cease to overlap
//! are found in the table of pairs.
//!
//! An end is found by bisection, for the order is total: by coordinate, begins before ends, then by proxy. So
//! nothing but the lists has to be written when ends change places.
//!
//! The first boxes of all, if they come together, are sorted, and swept along the x axis with a list of those
//! open: O(n log n + k) for k overlaps along that axis. A box that comes later is put in its places and compared
//! with all others, O(n); so many of those are better swept anew.
//!
//! Costs go with the number of exchanges. In space that is many: ends along one axis belong to boxes that are far
//! away along the others, worst where all stand on one floor.

mod axis;

use carom_geometry::Aabb;

use super::Proxy;
use super::overlaps::Overlaps;
use super::search::Search;
use axis::{Axis, End, Side};

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    axes: [Axis; 3],
}

impl Sweep {
    /// Moves the ends of a proxy from its old box to its new one, and finds what that overlaps anew.
    pub(super) fn update(&mut self, proxy: Proxy, search: &mut Search) {
        match (search.old == Aabb::EMPTY, search.new == Aabb::EMPTY) {
            (true, true) => (),
            (true, false) => self.insert(proxy, search),
            (false, true) => self.remove(proxy, search),
            (false, false) => self.shift(proxy, search),
        }
    }

    fn insert(&mut self, proxy: Proxy, search: &mut Search) {
        for (axis, list) in self.axes.iter_mut().enumerate() {
            for end in End::of(&search.new, axis, proxy) {
                list.insert(end);
            }
        }
        search.test_all();
    }

    fn remove(&mut self, proxy: Proxy, search: &Search) {
        for (axis, list) in self.axes.iter_mut().enumerate() {
            for end in &End::of(&search.old, axis, proxy) {
                list.remove(end);
            }
        }
    }

    fn shift(&mut self, proxy: Proxy, search: &mut Search) {
        for (axis, list) in self.axes.iter_mut().enumerate() {
            let from = End::of(&search.old, axis, proxy);
            let to = End::of(&search.new, axis, proxy);
            for (from, to) in from.into_iter().zip(to) {
                let opens = match to.side {
                    Side::Begin => to.order(&from).is_lt(),
                    Side::End => to.order(&from).is_gt(),
                };
                list.shift(&from, to, |other| {
                    search.counts.exchanges += 1;
                    if opens && other.side != to.side {
                        search.test(other.proxy);
                    }
                });
            }
        }
    }

    /// True when there are no boxes.
    pub(super) fn is_empty(&self) -> bool {
        self.axes[0].ends().is_empty()
    }

    /// Sorts all boxes, and calls `overlap` for every pair that overlaps.
    pub(super) fn build(&mut self, boxes: &Overlaps, mut overlap: impl FnMut(Proxy, Proxy)) {
        let present = || (0..boxes.limit()).filter(|proxy| *boxes.bounds(*proxy) != Aabb::EMPTY);
        for (axis, list) in self.axes.iter_mut().enumerate() {
            list.build(present().flat_map(|proxy| End::of(boxes.bounds(proxy), axis, proxy)));
        }
        let mut open: Vec<Proxy> = Vec::new();
        for begin in self.axes[0].ends().iter().filter(|end| end.side == Side::Begin) {
            let bounds = boxes.bounds(begin.proxy);
            open.retain(|other| boxes.bounds(*other).max.x >= bounds.min.x);
            let overlapping = open.iter().filter(|other| boxes.bounds(**other).overlaps(bounds));
            overlapping.for_each(|other| overlap(*other, begin.proxy));
            open.push(begin.proxy);
        }
    }
}
