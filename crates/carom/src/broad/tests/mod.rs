//! Tests of the broad phase as a whole, against every pair compared with every other.

mod cells;
mod costs;
mod pairs;
mod sorted;

use carom_geometry::Aabb;
use glam::DVec3;

use super::{BroadPhase, BroadPhaseKind, Change, ChangeKind, Proxy};

/// A small generator of numbers that look random (splitmix64); the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit
    }

    /// Between −1 and 1.
    fn next(&mut self) -> f64 {
        self.below(1 << 53) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    /// Between 2^−`range` and 2^`range`.
    fn scale(&mut self, range: f64) -> f64 {
        libm::exp2(range * self.next())
    }

    /// A box of random sides up to `size`.
    fn bounds(&mut self, within: f64, size: f64) -> Aabb {
        let low = within * self.vector();
        Aabb { min: low, max: low + size * self.vector().abs() }
    }

    /// A box such as a scene may have, or an unusual one: without a volume, equal to others, unbounded, huge,
    /// far away or empty.
    fn any_bounds(&mut self) -> Aabb {
        let size = self.scale(3.0);
        let bounds = self.bounds(8.0, size);
        match self.below(20) {
            0 => Aabb { max: bounds.min, ..bounds },
            1 | 2 => Aabb { min: bounds.min.floor(), max: bounds.max.floor() },
            3 => Aabb { min: DVec3::splat(-0.0), max: DVec3::ZERO },
            4 => {
                Aabb { min: DVec3::NEG_INFINITY, max: DVec3::new(f64::INFINITY, bounds.max.y, 0.0) }
            }
            5 => Aabb {
                min: DVec3::new(-1e4, -1e4, bounds.min.z),
                max: DVec3::new(1e4, 1e4, bounds.max.z),
            },
            6 => Aabb { min: bounds.min.floor() + 1e15, max: bounds.min.floor() + (1e15 + 2.0) },
            7 => Aabb { min: bounds.min * 1e-9, max: bounds.min * 1e-9 + 1e-12 },
            8 => Aabb::EMPTY,
            9 => Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY },
            _ => bounds,
        }
    }
}

/// Boxes, compared one with all: what every method shall agree with.
#[derive(Default)]
struct Oracle(Vec<Option<Aabb>>);

impl Oracle {
    fn set(&mut self, proxy: Proxy, bounds: Option<Aabb>) {
        if self.0.len() <= proxy as usize {
            self.0.resize(proxy as usize + 1, None);
        }
        self.0[proxy as usize] = bounds;
    }

    fn overlapping(&self, bounds: &Aabb) -> Vec<Proxy> {
        let overlaps = |theirs: &Option<Aabb>| theirs.is_some_and(|theirs| theirs.overlaps(bounds));
        let proxies = (0..).zip(&self.0);
        proxies.filter(|(_, theirs)| overlaps(theirs)).map(|(proxy, _)| proxy).collect()
    }

    fn neighbours(&self, proxy: Proxy) -> Vec<Proxy> {
        let Some(Some(bounds)) = self.0.get(proxy as usize) else { return Vec::new() };
        self.overlapping(bounds).into_iter().filter(|other| *other != proxy).collect()
    }
}

fn neighbours(broad: &BroadPhase, proxy: Proxy) -> Vec<Proxy> {
    let mut found = Vec::new();
    broad.neighbours(proxy, &mut found);
    found.into_iter().map(|neighbour| neighbour.proxy).collect()
}

const KINDS: [BroadPhaseKind; 3] =
    [BroadPhaseKind::Hash, BroadPhaseKind::Sweep, BroadPhaseKind::All];
