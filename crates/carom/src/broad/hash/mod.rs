//! The coherent hierarchical hash table.
//!
//! Space is tiled by cells of many sizes, the *levels* (`level.rs`). A box leaves its label in the cells that it
//! lies in at the level that suits its size, at most eight of them, and labels stay from update to update: only
//! cells entered or left are written, and a box that stays as it is writes nothing. An updated box is compared
//! with the labels in its own cells, and with those in the cells that it covers at every other level in use.
//!
//! # What differs from the thesis (2.4.2), and why
//!
//! *Counters are not stored.* The close counter of a pair is the number of cells that both lie in at the coarser
//! of their levels. Both lie in whole ranges of cells, so it is a product of three lengths of intersections, and
//! can be had at any time from the two boxes; the tests compare it with counters kept as in the thesis. What
//! is stored instead are the pairs whose *boxes* overlap (`overlaps.rs`): fewer, and what the caller wants.
//!
//! *Labels are at one level.* The thesis stores every label at all coarser levels too, so that a large box need
//! not look at finer ones. But then whatever uses a new coarse level makes all others write there, and windows
//! that double do that all the time. Here a large box looks at finer levels itself, and where its range has more
//! cells than the level has boxes, it goes through the boxes. Large bodies are rare, and their windows long.
//!
//! *Labels carry outlines* (`cell.rs`), so that most boxes in a cell are dismissed without a look at them.
//!
//! In a gas of 10² to 10⁵ spheres an update with its neighbours takes 1.3 to 3.4 times as long with stored counters
//! (`bench/benches/broad.rs`). Without outlines updates took 1.8 times as long.

pub(in crate::broad) mod cell;
pub(in crate::broad) mod level;
mod members;
mod table;

use carom_geometry::Aabb;

use super::Proxy;
use super::pool::Pool;
use super::search::Search;
use cell::{Cell, Key, Outline, Range};
use level::Level;
use members::Register;
use table::Table;

/// Where a box is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Nowhere: it is empty.
    Nowhere,
    /// Apart, for it is too large for cells; compared with everything.
    Wide,
    Cells(Level),
}

/// What a box leaves in a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Label {
    outline: Outline,
    proxy: Proxy,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Hash {
    table: Table,
    labels: Pool<Label>,
    register: Register,
}

impl Hash {
    pub(super) fn new() -> Self {
        Self { table: Table::new(), labels: Pool::new(), register: Register::new() }
    }

    /// Moves the labels of a proxy from its old box to its new one, and finds what that overlaps anew.
    pub(super) fn update(&mut self, proxy: Proxy, radius: f64, search: &mut Search) {
        let (old, new) = (search.old, search.new);
        let (was, is) = (self.register.place(proxy), Place::of(&new, radius));
        let range = match is {
            Place::Cells(level) => Range::of(&new, level),
            Place::Nowhere | Place::Wide => Range::EMPTY,
        };
        if let Place::Cells(level) = was {
            Range::of(&old, level).for_each(|cell| {
                if was != is || !range.contains(cell) {
                    self.take_out(proxy, Key::of(level, cell));
                    search.counts.cells_written += 1;
                }
            });
        }
        if was != is {
            self.register.enrol(proxy, is);
        }
        if let Place::Cells(level) = is {
            range.for_each(|cell| self.lay(proxy, level, cell, range.outline(cell), search));
        }
        self.look(is, search);
    }

    /// Finds what a box overlaps that has no labels.
    pub(super) fn query(&self, search: &mut Search) {
        self.look(Place::Nowhere, search);
    }

    /// Looks everywhere but in the cells of `done`.
    fn look(&self, done: Place, search: &mut Search) {
        self.register.wide.iter().for_each(|other| search.test(*other));
        for members in &self.register.levels {
            if members.proxies.is_empty() || done == Place::Cells(members.level) {
                continue;
            }
            let range = Range::of(&search.new, members.level);
            if range.len() >= members.proxies.len() as u64 {
                members.proxies.iter().for_each(|other| search.test(*other));
            } else {
                range.for_each(|cell| {
                    self.look_into(members.level, cell, range.outline(cell), search);
                });
            }
        }
    }

    fn look_into(&self, level: Level, cell: Cell, outline: Outline, search: &mut Search) {
        search.counts.cells_visited += 1;
        let labels = self.labels.items(self.table.get(Key::of(level, cell)));
        search.counts.labels_seen += labels.len() as u64;
        for label in labels {
            if label.outline.overlaps(outline) {
                search.test(label.proxy);
            }
        }
    }

    /// Puts a proxy's label into a cell, or brings it up to date, and looks at the others there.
    #[inline]
    fn lay(
        &mut self,
        proxy: Proxy,
        level: Level,
        cell: Cell,
        outline: Outline,
        search: &mut Search,
    ) {
        search.counts.cells_visited += 1;
        let list = self.table.entry(Key::of(level, cell));
        search.counts.labels_seen += list.len() as u64;
        let mut own = None;
        for label in self.labels.items_mut(list) {
            if label.proxy == proxy {
                own = Some(label);
            } else if label.outline.overlaps(outline) {
                search.test(label.proxy);
            }
        }
        if let Some(label) = own {
            label.outline = outline;
        } else {
            self.labels.push(list, Label { outline, proxy });
            search.counts.cells_written += 1;
        }
    }

    fn take_out(&mut self, proxy: Proxy, key: Key) {
        self.table.reduce(key, |list| {
            let is_own = |label: &Label| label.proxy == proxy;
            if let Some(index) = self.labels.items(list).iter().position(is_own) {
                self.labels.swap_remove(list, index);
            }
        });
    }
}

#[cfg(test)]
impl Hash {
    /// Number of cells that have labels.
    pub(super) fn cells(&self) -> usize {
        self.table.len()
    }

    /// Blocks of memory in use.
    pub(super) fn blocks(&self) -> usize {
        self.labels.blocks_in_use()
    }

    /// How many of the cells have labels, and how many labels those are.
    pub(super) fn cells_and_labels(
        &self,
        cells: impl Iterator<Item = (Level, Cell)>,
    ) -> (usize, usize) {
        let labels: Vec<usize> =
            cells.map(|(level, cell)| self.table.get(Key::of(level, cell)).len()).collect();
        (labels.iter().filter(|count| **count > 0).count(), labels.iter().sum())
    }
}

impl Place {
    fn of(bounds: &Aabb, radius: f64) -> Self {
        if *bounds == Aabb::EMPTY {
            return Self::Nowhere;
        }
        Level::of(bounds, radius).map_or(Self::Wide, Self::Cells)
    }
}
