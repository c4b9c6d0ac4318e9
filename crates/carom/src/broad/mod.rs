//! The broad phase: which boxes overlap.
//!
//! **Takes** boxes under small numbers, the *proxies*, one at a time, as bodies get new ones. **Gives** the
//! proxies whose boxes overlap a box, and the pairs that enter and leave the table of overlapping pairs.
//! **Refuses to know** bodies, motions and time: whatever a box stands for, and for how long, is the caller's.
//!
//! Every pair of boxes that share a point is found, at any coordinates and sizes, unbounded ones included; boxes
//! are closed, so touching is overlapping. What is reported, and in which order, depends on the boxes and their
//! updates: no method and no hash function shows through.
//!
//! | [`BroadPhaseKind`] | an update costs | when |
//! |---|---|---|
//! | `Hash` (`hash/`) | a constant: its cells and what is near | the default |
//! | `Sweep` (`sweep/`) | exchanges of ends: about n^⅔ in a volume, n on a floor | few boxes, or all in a row |
//! | `All` | n comparisons | to compare with, and below some dozens |
//!
//! A box that is replaced by itself costs one comparison and writes nothing. Nothing is allocated once lists have
//! grown to what the scene needs.
//!
//! ```
//! use carom::broad::{BroadPhase, BroadPhaseKind, ChangeKind};
//! use carom_geometry::Aabb;
//! use glam::DVec3;
//!
//! let ball = |x: f64| Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 1.0, 1.0) };
//! let mut broad = BroadPhase::new(BroadPhaseKind::Hash);
//! let mut changes = Vec::new();
//! broad.update(0, &ball(0.0), 0.5, &mut changes);
//! broad.update(1, &ball(3.0), 0.5, &mut changes);
//! assert!(changes.is_empty());
//! broad.update(1, &ball(0.75), 0.5, &mut changes);
//! assert_eq!((changes[0].kind, changes[0].pair), (ChangeKind::Entered, [0, 1]));
//! ```

mod counts;
mod hash;
mod overlaps;
mod pool;
mod search;
mod sweep;
#[cfg(test)]
mod tests;

use carom_geometry::Aabb;

pub use counts::Counts;
use hash::Hash;
use overlaps::Overlaps;
use search::Search;
use sweep::Sweep;

/// The number of a box. Memory goes with the largest one.
pub type Proxy = u32;

/// How overlapping boxes are found; it changes costs and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BroadPhaseKind {
    /// The coherent hierarchical hash table (thesis 2.4).
    #[default]
    Hash,
    /// Sorted coordinates (Baraff 5.3).
    Sweep,
    /// Every box is compared with every other.
    All,
}

/// What happened to a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It left the table: two updates of one of the two, running, found the boxes apart, or one was removed.
    Left,
    /// It entered the table: the boxes overlap.
    Entered,
}

/// A pair that entered or left the table of overlapping pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// The two proxies, the smaller first.
    pub pair: [Proxy; 2],
    /// A number that no other pair of the table has, and that the pair keeps until it leaves: an index for what
    /// belongs to it. Which one depends on what happened before and shall decide nothing.
    pub slot: u32,
}

/// A proxy whose box overlaps that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbour {
    /// The proxy.
    pub proxy: Proxy,
    /// The slot of the pair, as in [`Change::slot`].
    pub slot: u32,
}

/// Boxes, and which of them overlap.
#[derive(Clone, Debug)]
pub struct BroadPhase {
    boxes: Overlaps,
    method: Method,
    counts: Counts,
    scratch: Scratch,
}

#[derive(Clone, Debug)]
enum Method {
    Hash(Hash),
    Sweep(Sweep),
    All,
}

/// Memory that an update needs for itself.
#[derive(Clone, Debug)]
struct Scratch {
    leaving: Vec<(Proxy, u32)>,
    rejoined: Vec<Proxy>,
    found: Vec<Proxy>,
}

impl BroadPhase {
    /// Without boxes.
    pub fn new(kind: BroadPhaseKind) -> Self {
        let method = match kind {
            BroadPhaseKind::Hash => Method::Hash(Hash::new()),
            BroadPhaseKind::Sweep => Method::Sweep(Sweep::default()),
            BroadPhaseKind::All => Method::All,
        };
        Self { boxes: Overlaps::new(), method, counts: Counts::default(), scratch: Scratch::new() }
    }

    /// Puts a box in place or replaces the one there; an empty box removes it. `radius` is that of the body
    /// itself `[m]`, and gives a hint of its size when it is slow.
    ///
    /// Changes are appended: first pairs that leave, then pairs that enter, each in increasing order of the other
    /// proxy. Whoever follows them one after the other always has the table.
    pub fn update(&mut self, proxy: Proxy, bounds: &Aabb, radius: f64, changes: &mut Vec<Change>) {
        debug_assert!(!bounds.min.is_nan() && !bounds.max.is_nan(), "{bounds:?} of {proxy}");
        let new = proper(bounds);
        self.counts.updates += 1;
        if *self.boxes.bounds(proxy) == new {
            self.counts.still += 1;
            return;
        }
        let old = self.boxes.replace(proxy, new);
        let before = changes.len();
        self.scratch.clear();
        self.boxes.review(proxy, &old, &mut self.scratch.leaving, &mut self.scratch.rejoined);
        self.strike_out(proxy, changes);
        self.find(proxy, radius, old, new);
        self.enter_found(proxy, changes);
        self.counts.changes += (changes.len() - before) as u64;
    }

    /// Puts many boxes in place, each given with its radius: the same as one after the other, and cheaper where
    /// the method can make use of it.
    pub fn update_all(&mut self, boxes: &[(Proxy, Aabb, f64)], changes: &mut Vec<Change>) {
        let in_order = boxes.is_sorted_by(|a, b| a.0 < b.0);
        if matches!(&self.method, Method::Sweep(sweep) if sweep.is_empty()) && in_order {
            self.sweep_all(boxes, changes);
        } else {
            for (proxy, bounds, radius) in boxes {
                self.update(*proxy, bounds, *radius, changes);
            }
        }
    }

    /// Takes a box away, and its pairs out of the table.
    pub fn remove(&mut self, proxy: Proxy, changes: &mut Vec<Change>) {
        self.update(proxy, &Aabb::EMPTY, 0.0, changes);
    }

    /// Writes the proxies whose boxes overlap that of `proxy` into `neighbours`, in increasing order.
    pub fn neighbours(&self, proxy: Proxy, neighbours: &mut Vec<Neighbour>) {
        neighbours.clear();
        let partners = self.boxes.partners(proxy);
        neighbours.extend(partners.map(|(proxy, slot)| Neighbour { proxy, slot }));
        neighbours.sort_unstable();
    }

    /// Writes all partners of a proxy in the table, those that have just parted among them, into `neighbours`, in
    /// increasing order.
    pub fn partners(&self, proxy: Proxy, neighbours: &mut Vec<Neighbour>) {
        neighbours.clear();
        let partners = self.boxes.all_partners(proxy);
        neighbours.extend(partners.map(|(proxy, slot)| Neighbour { proxy, slot }));
        neighbours.sort_unstable();
    }

    /// Number of pairs of a proxy in the table.
    pub fn partner_count(&self, proxy: Proxy) -> usize {
        self.boxes.partner_count(proxy)
    }

    /// Appends the slots of the pairs of a proxy whose boxes overlap to `slots`, in no particular order.
    pub fn slots_of(&self, proxy: Proxy, slots: &mut Vec<u32>) {
        slots.extend(self.boxes.partners(proxy).map(|(_, slot)| slot));
    }

    /// The slot of two proxies, if their boxes overlap.
    pub fn slot_of(&self, proxy: Proxy, other: Proxy) -> Option<u32> {
        self.boxes.partners(proxy).find(|(partner, _)| *partner == other).map(|(_, slot)| slot)
    }

    /// Writes the proxies whose boxes overlap `bounds` into `proxies`, in increasing order.
    pub fn query(&self, bounds: &Aabb, proxies: &mut Vec<Proxy>) {
        proxies.clear();
        let mut counts = Counts::default();
        let mut search = Search {
            boxes: &self.boxes,
            proxy: None,
            old: Aabb::EMPTY,
            new: proper(bounds),
            found: proxies,
            counts: &mut counts,
        };
        match &self.method {
            Method::Hash(hash) => hash.query(&mut search),
            Method::Sweep(_) | Method::All => search.test_all(),
        }
        proxies.sort_unstable();
        proxies.dedup();
    }

    /// The box of a proxy.
    pub fn bounds(&self, proxy: Proxy) -> Option<&Aabb> {
        Some(self.boxes.bounds(proxy)).filter(|bounds| **bounds != Aabb::EMPTY)
    }

    /// Number of pairs in the table: those that overlap, and those that have just parted.
    pub fn pairs(&self) -> usize {
        self.boxes.len()
    }

    /// What was done so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// How overlapping boxes are found.
    pub fn kind(&self) -> BroadPhaseKind {
        match self.method {
            Method::Hash(_) => BroadPhaseKind::Hash,
            Method::Sweep(_) => BroadPhaseKind::Sweep,
            Method::All => BroadPhaseKind::All,
        }
    }

    /// The first boxes of all, by sorting once.
    fn sweep_all(&mut self, boxes: &[(Proxy, Aabb, f64)], changes: &mut Vec<Change>) {
        let Method::Sweep(sweep) = &mut self.method else { return };
        for (proxy, bounds, _) in boxes {
            self.boxes.replace(*proxy, proper(bounds));
        }
        let mut pairs = Vec::new();
        sweep.build(&self.boxes, |a, b| pairs.push(pair_of(a, b)));
        // As if the boxes had come one after the other.
        pairs.sort_unstable_by_key(|[a, b]| (*b, *a));
        for pair in &pairs {
            let slot = self.boxes.enter(*pair);
            changes.push(Change { kind: ChangeKind::Entered, pair: *pair, slot });
        }
        self.counts.updates += boxes.len() as u64;
        self.counts.changes += pairs.len() as u64;
    }

    fn strike_out(&mut self, proxy: Proxy, changes: &mut Vec<Change>) {
        self.scratch.leaving.sort_unstable();
        for &(other, slot) in &self.scratch.leaving {
            self.boxes.strike(slot);
            changes.push(Change { kind: ChangeKind::Left, pair: pair_of(proxy, other), slot });
        }
    }

    /// Lets the method move the box and find what it overlaps anew.
    fn find(&mut self, proxy: Proxy, radius: f64, old: Aabb, new: Aabb) {
        let mut search = Search {
            boxes: &self.boxes,
            proxy: Some(proxy),
            old,
            new,
            found: &mut self.scratch.found,
            counts: &mut self.counts,
        };
        match &mut self.method {
            Method::Hash(hash) => hash.update(proxy, radius, &mut search),
            Method::Sweep(sweep) => sweep.update(proxy, &mut search),
            Method::All => search.test_all(),
        }
    }

    fn enter_found(&mut self, proxy: Proxy, changes: &mut Vec<Change>) {
        let Scratch { found, rejoined, .. } = &mut self.scratch;
        found.sort_unstable();
        found.dedup();
        for other in found.iter().filter(|other| !rejoined.contains(other)) {
            let pair = pair_of(proxy, *other);
            let slot = self.boxes.enter(pair);
            changes.push(Change { kind: ChangeKind::Entered, pair, slot });
        }
    }
}

#[cfg(test)]
impl BroadPhase {
    fn hash(&self) -> &Hash {
        let Method::Hash(hash) = &self.method else { panic!("not a hash table") };
        hash
    }
}

impl Scratch {
    /// With room for as many neighbours as bodies mostly have.
    fn new() -> Self {
        const ROOM: usize = 128;
        Self {
            leaving: Vec::with_capacity(ROOM),
            rejoined: Vec::with_capacity(ROOM),
            found: Vec::with_capacity(ROOM),
        }
    }

    fn clear(&mut self) {
        self.leaving.clear();
        self.rejoined.clear();
        self.found.clear();
    }
}

fn pair_of(a: Proxy, b: Proxy) -> [Proxy; 2] {
    [a.min(b), a.max(b)]
}

/// The box, or the one empty box for all that contain nothing.
fn proper(bounds: &Aabb) -> Aabb {
    if bounds.min.cmple(bounds.max).all() { *bounds } else { Aabb::EMPTY }
}
