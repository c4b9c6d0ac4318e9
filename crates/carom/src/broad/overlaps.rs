//! Boxes, and the table of pairs that overlap.
//!
//! Every proxy has the list of its partners, and every pair knows its place in both lists, so that a pair is
//! entered and struck out in constant time however many partners either side has (a floor has all the others).
//! The order within lists depends on what happened before, so whoever reports from them sorts.
//!
//! # Hysteresis (thesis 2.4.3)
//!
//! A pair whose boxes part stays in the table until the next update of the proxy that parted from the other:
//! only a second update of the same proxy that finds them apart strikes it out. A pair that parts and meets at
//! every update is thus entered once. (The thesis keeps a pair until it comes up in the queue; here a pair
//! whose next event lies beyond its windows is not in the queue, but both its bodies get new boxes.)

use carom_geometry::Aabb;

use super::Proxy;
use super::pool::{List, Pool};

/// A box, and who overlaps it: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Record {
    bounds: Aabb,
    near: List,
}

const NOTHING: Record = Record { bounds: Aabb::EMPTY, near: List::EMPTY };

/// One side's view of a pair.
#[derive(Clone, Copy, Debug, Default)]
struct Near {
    partner: Proxy,
    slot: u32,
    /// This side's last update found the boxes apart.
    parted: bool,
}

/// Both proxies of a pair, and where the pair stands in their lists.
#[derive(Clone, Copy, Debug)]
struct Pair {
    proxies: [Proxy; 2],
    at: [u32; 2],
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Overlaps {
    records: Vec<Record>,
    near: Pool<Near>,
    pairs: Vec<Pair>,
    free: Vec<u32>,
}

impl Overlaps {
    pub(super) fn new() -> Self {
        Self { records: Vec::new(), near: Pool::new(), pairs: Vec::new(), free: Vec::new() }
    }

    /// Number of pairs in the table.
    pub(super) fn len(&self) -> usize {
        self.pairs.len() - self.free.len()
    }

    /// All proxies that have boxes are below this.
    pub(super) fn limit(&self) -> Proxy {
        self.records.len() as Proxy
    }

    /// The box of a proxy; empty if it has none.
    pub(super) fn bounds(&self, proxy: Proxy) -> &Aabb {
        self.records.get(proxy as usize).map_or(&Aabb::EMPTY, |record| &record.bounds)
    }

    /// Puts a box in place and returns the old one.
    pub(super) fn replace(&mut self, proxy: Proxy, bounds: Aabb) -> Aabb {
        if self.records.len() <= proxy as usize {
            self.records.resize(proxy as usize + 1, NOTHING);
        }
        std::mem::replace(&mut self.records[proxy as usize].bounds, bounds)
    }

    /// Partners and slots of the pairs of a proxy whose boxes overlap, in no particular order.
    pub(super) fn partners(&self, proxy: Proxy) -> impl Iterator<Item = (Proxy, u32)> {
        let bounds = self.bounds(proxy);
        let list = self.records.get(proxy as usize).map_or(&List::EMPTY, |record| &record.near);
        let overlaps = |near: &&Near| self.bounds(near.partner).overlaps(bounds);
        self.near.items(list).iter().filter(overlaps).map(|near| (near.partner, near.slot))
    }

    /// Partners and slots of all pairs of a proxy, those that have just parted among them, in no particular order.
    pub(super) fn all_partners(&self, proxy: Proxy) -> impl Iterator<Item = (Proxy, u32)> {
        let list = self.records.get(proxy as usize).map_or(&List::EMPTY, |record| &record.near);
        self.near.items(list).iter().map(|near| (near.partner, near.slot))
    }

    /// Number of pairs of a proxy.
    pub(super) fn partner_count(&self, proxy: Proxy) -> usize {
        self.records.get(proxy as usize).map_or(0, |record| record.near.len())
    }

    /// Looks through the pairs of a proxy whose box has replaced `old`: those to strike out go into `leaving`,
    /// and partners whose boxes have met again before that into `rejoined`.
    pub(super) fn review(
        &mut self,
        proxy: Proxy,
        old: &Aabb,
        leaving: &mut Vec<(Proxy, u32)>,
        rejoined: &mut Vec<Proxy>,
    ) {
        let Record { bounds, near } = self.records[proxy as usize];
        let last = bounds == Aabb::EMPTY;
        for near in self.near.items_mut(&near) {
            let theirs = &self.records[near.partner as usize].bounds;
            if theirs.overlaps(&bounds) {
                near.parted = false;
                if !theirs.overlaps(old) {
                    rejoined.push(near.partner);
                }
            } else if near.parted || last {
                leaving.push((near.partner, near.slot));
            } else {
                near.parted = true;
            }
        }
    }

    /// Enters a pair that is not in the table and returns its slot.
    pub(super) fn enter(&mut self, proxies: [Proxy; 2]) -> u32 {
        let slot = self.free.pop().unwrap_or(self.pairs.len() as u32);
        let [a, b] = proxies;
        let pair = Pair { proxies, at: [self.append(a, b, slot), self.append(b, a, slot)] };
        if let Some(vacant) = self.pairs.get_mut(slot as usize) {
            *vacant = pair;
        } else {
            self.pairs.push(pair);
            // Room for the time when no two boxes overlap.
            self.free.reserve(self.pairs.capacity());
        }
        slot
    }

    /// Strikes a pair out.
    pub(super) fn strike(&mut self, slot: u32) {
        let Pair { proxies: [a, b], at } = self.pairs[slot as usize];
        self.take_out(a, at[0]);
        self.take_out(b, at[1]);
        self.free.push(slot);
    }

    fn append(&mut self, proxy: Proxy, partner: Proxy, slot: u32) -> u32 {
        let list = &mut self.records[proxy as usize].near;
        self.near.push(list, Near { partner, slot, parted: false });
        list.len() as u32 - 1
    }

    fn take_out(&mut self, proxy: Proxy, at: u32) {
        let list = &mut self.records[proxy as usize].near;
        self.near.swap_remove(list, at as usize);
        if let Some(moved) = self.near.items(list).get(at as usize) {
            let pair = &mut self.pairs[moved.slot as usize];
            pair.at[usize::from(pair.proxies[1] == proxy)] = at;
        }
    }
}
