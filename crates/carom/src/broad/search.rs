//! What every method looks for when a box is updated.

use carom_geometry::Aabb;

use super::Proxy;
use super::counts::Counts;
use super::overlaps::Overlaps;

/// A search for boxes that overlap the new box of a proxy and did not overlap its old one.
pub(super) struct Search<'a> {
    pub(super) boxes: &'a Overlaps,
    /// Whose box it is; none in a query.
    pub(super) proxy: Option<Proxy>,
    pub(super) old: Aabb,
    pub(super) new: Aabb,
    /// What was found so far, in any order and perhaps more than once.
    pub(super) found: &'a mut Vec<Proxy>,
    pub(super) counts: &'a mut Counts,
}

impl Search<'_> {
    /// Compares a candidate's box with both boxes.
    pub(super) fn test(&mut self, other: Proxy) {
        self.counts.tests += 1;
        let theirs = self.boxes.bounds(other);
        if theirs.overlaps(&self.new) && !theirs.overlaps(&self.old) && self.proxy != Some(other) {
            self.found.push(other);
        }
    }

    /// Compares every box with both.
    pub(super) fn test_all(&mut self) {
        (0..self.boxes.limit()).for_each(|other| self.test(other));
    }
}
