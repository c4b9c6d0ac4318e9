//! The coherent hash table to the letter of the thesis (2.4.2), to compare with: labels in every cell at every
//! level in use from the box's own on upwards, and a counter for every pair that shares cells.
//!
//! Keeps, for every box, those close to it, so that neighbours can be told by comparing boxes.

use carom_geometry::Aabb;
use rustc_hash::FxHashMap;

type Cell = (i32, [i64; 3]);

/// See the module.
#[derive(Default)]
pub struct CounterHash {
    /// Exponents of the sides of cells, finest first; all boxes belong to one of them.
    levels: Vec<i32>,
    cells: FxHashMap<Cell, Vec<u32>>,
    boxes: Vec<Option<(Aabb, i32)>>,
    counters: FxHashMap<(u32, u32), u32>,
    close: Vec<Vec<u32>>,
    /// Pairs that became or ceased to be close.
    pub changes: u64,
}

impl CounterHash {
    /// With cells of the given sides, 2^level `[m]`.
    pub fn new(mut levels: Vec<i32>) -> Self {
        levels.sort_unstable();
        Self { levels, ..Self::default() }
    }

    /// Puts a box in place at a level.
    pub fn update(&mut self, proxy: u32, bounds: &Aabb, level: i32) {
        if self.boxes.len() <= proxy as usize {
            self.boxes.resize(proxy as usize + 1, None);
            self.close.resize(proxy as usize + 1, Vec::new());
        }
        let old = self.boxes[proxy as usize].replace((*bounds, level));
        for at in self.levels.clone().into_iter().filter(|at| *at >= level) {
            let new = range(bounds, at);
            if let Some((old, _)) = &old {
                let old = range(old, at);
                each(&old, |cell| {
                    if !contains(&new, cell) {
                        self.leave(proxy, (at, cell), level);
                    }
                });
                each(&new, |cell| {
                    if !contains(&old, cell) {
                        self.enter(proxy, (at, cell), level);
                    }
                });
            } else {
                each(&new, |cell| self.enter(proxy, (at, cell), level));
            }
        }
    }

    /// Boxes that overlap that of a proxy, in order.
    pub fn neighbours(&self, proxy: u32, found: &mut Vec<u32>) {
        found.clear();
        let Some((bounds, _)) = self.boxes[proxy as usize] else { return };
        let overlaps = |other: &&u32| {
            self.boxes[**other as usize].is_some_and(|(theirs, _)| theirs.overlaps(&bounds))
        };
        found.extend(self.close[proxy as usize].iter().filter(overlaps));
        found.sort_unstable();
    }

    fn enter(&mut self, proxy: u32, cell: Cell, level: i32) {
        let labels = self.cells.entry(cell).or_default();
        for other in &*labels {
            let theirs = self.boxes[*other as usize].map_or(level, |(_, level)| level);
            if cell.0 == level.max(theirs) {
                let counter = self.counters.entry(pair(proxy, *other)).or_default();
                *counter += 1;
                if *counter == 1 {
                    self.changes += 1;
                    self.close[proxy as usize].push(*other);
                    self.close[*other as usize].push(proxy);
                }
            }
        }
        labels.push(proxy);
    }

    fn leave(&mut self, proxy: u32, cell: Cell, level: i32) {
        let Some(labels) = self.cells.get_mut(&cell) else { return };
        labels.retain(|other| *other != proxy);
        for other in &*labels {
            let theirs = self.boxes[*other as usize].map_or(level, |(_, level)| level);
            if cell.0 == level.max(theirs) {
                let Some(counter) = self.counters.get_mut(&pair(proxy, *other)) else { continue };
                *counter -= 1;
                if *counter == 0 {
                    self.counters.remove(&pair(proxy, *other));
                    self.changes += 1;
                    strike(&mut self.close[proxy as usize], *other);
                    strike(&mut self.close[*other as usize], proxy);
                }
            }
        }
    }
}

fn strike(close: &mut Vec<u32>, proxy: u32) {
    if let Some(at) = close.iter().position(|other| *other == proxy) {
        close.swap_remove(at);
    }
}

fn pair(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

fn range(bounds: &Aabb, level: i32) -> [[i64; 3]; 2] {
    let scale = libm::ldexp(1.0, -level);
    [bounds.min, bounds.max].map(|corner| (corner * scale).to_array().map(|x| x.floor() as i64))
}

fn contains(range: &[[i64; 3]; 2], cell: [i64; 3]) -> bool {
    (0..3).all(|axis| range[0][axis] <= cell[axis] && cell[axis] <= range[1][axis])
}

fn each(range: &[[i64; 3]; 2], mut f: impl FnMut([i64; 3])) {
    for z in range[0][2]..=range[1][2] {
        for y in range[0][1]..=range[1][1] {
            for x in range[0][0]..=range[1][0] {
                f([x, y, z]);
            }
        }
    }
}
