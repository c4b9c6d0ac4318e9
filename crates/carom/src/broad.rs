//! Boxes that overlap.

use carom_geometry::Aabb;

/// A pair of boxes that began or ceased to overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// True when they began to.
    pub began: bool,
    /// The smaller proxy first.
    pub pair: [u32; 2],
}

/// Boxes by number.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    boxes: Vec<Option<Aabb>>,
}

impl BroadPhase {
    /// Puts a box in place.
    pub fn update(&mut self, proxy: u32, bounds: &Aabb, _radius: f64, changes: &mut Vec<Change>) {
        let index = proxy as usize;
        if self.boxes.len() <= index {
            self.boxes.resize(index + 1, None);
        }
        let old = self.boxes[index].replace(*bounds);
        for (other, other_box) in (0..).zip(&self.boxes) {
            let Some(other_box) = other_box.filter(|_| other != proxy) else { continue };
            let before = old.is_some_and(|old| old.overlaps(&other_box));
            let after = bounds.overlaps(&other_box);
            if before != after {
                changes.push(Change { began: after, pair: [proxy.min(other), proxy.max(other)] });
            }
        }
    }

    /// Takes a box away.
    pub fn remove(&mut self, proxy: u32) {
        if let Some(slot) = self.boxes.get_mut(proxy as usize) {
            *slot = None;
        }
    }

    /// Whose boxes overlap that of a proxy.
    pub fn partners(&self, proxy: u32, out: &mut Vec<u32>) {
        let Some(Some(bounds)) = self.boxes.get(proxy as usize) else { return };
        self.query(bounds, out);
        out.retain(|other| *other != proxy);
    }

    /// Whose boxes overlap a box.
    pub fn query(&self, bounds: &Aabb, out: &mut Vec<u32>) {
        out.clear();
        let hit = |(index, other): (u32, &Option<Aabb>)| {
            other.is_some_and(|other| other.overlaps(bounds)).then_some(index)
        };
        out.extend((0..).zip(&self.boxes).filter_map(hit));
    }
}
