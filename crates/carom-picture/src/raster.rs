//! What is nearest at 16 points of every pixel of a tile.
//!
//! Depth is kept as its inverse, which is linear over the picture for flat things, so planes without end take part like
//! triangles. Of a pixel only what is seen is lit, once for each thing seen: edges are smooth at little cost. Bodies that one
//! sees through take part at some of the points only.

use crate::stage::{Flat, Stage};

/// Pixels of a tile's side.
pub(crate) const TILE: u32 = 32;

/// Points in a pixel at which is looked.
pub(crate) const SAMPLES: usize = 16;

/// What is seen where nothing is.
pub(crate) const NOTHING: u32 = u32::MAX;

/// Set in the numbers of planes.
pub(crate) const PLANE: u32 = 1 << 31;

/// Rows of the points, each on a column of its own, so that edges of any direction pass them one by one.
const ROWS: [usize; SAMPLES] = [6, 13, 2, 9, 15, 4, 11, 0, 7, 14, 3, 10, 1, 12, 5, 8];

/// The points, from the pixel's upper left corner `[px]`.
pub(crate) const OFFSETS: [[f32; 2]; SAMPLES] = {
    let mut offsets = [[0.0; 2]; SAMPLES];
    let mut i = 0;
    while i < SAMPLES {
        offsets[i] = [(i as f32 + 0.5) / 16.0, (ROWS[i] as f32 + 0.5) / 16.0];
        i += 1;
    }
    offsets
};

/// A linear function over a tile: a·x + b·y + c, from its upper left corner.
#[derive(Clone, Copy, Debug)]
struct Linear {
    a: f32,
    b: f32,
    c: f32,
}

impl Linear {
    fn of(flat: &Flat, left: u32, top: u32) -> Self {
        let c = flat.a * f64::from(left) + flat.b * f64::from(top) + flat.c;
        Self { a: flat.a as f32, b: flat.b as f32, c: c as f32 }
    }

    fn offsets(self) -> [f32; SAMPLES] {
        OFFSETS.map(|[x, y]| self.a * x + self.b * y)
    }

    fn at(self, x: u32, y: u32) -> f32 {
        self.a * x as f32 + self.b * y as f32 + self.c
    }
}

/// A tile of a picture.
#[derive(Debug)]
pub(crate) struct Tile {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// One over the depth; 0 where nothing is.
    inverse: Vec<[f32; SAMPLES]>,
    /// What is there: a triangle, a plane or nothing.
    pub(crate) seen: Vec<[u32; SAMPLES]>,
}

impl Tile {
    /// With all planes and the triangles of these numbers.
    pub(crate) fn of(stage: &Stage, triangles: &[u32], place: [u32; 4]) -> Self {
        let [left, top, width, height] = place;
        let count = (width * height) as usize;
        let inverse = vec![[0.0; SAMPLES]; count];
        let mut tile =
            Self { left, top, width, height, inverse, seen: vec![[NOTHING; SAMPLES]; count] };
        for (index, plane) in stage.planes.iter().enumerate() {
            tile.add_plane(&plane.inverse, PLANE | index as u32);
        }
        for &index in triangles {
            tile.add_triangle(stage, index);
        }
        tile
    }

    fn add_plane(&mut self, inverse: &Flat, number: u32) {
        let inverse = Linear::of(inverse, self.left, self.top);
        let offsets = inverse.offsets();
        for y in 0..self.height {
            for x in 0..self.width {
                let depth = inverse.at(x, y);
                let pixel = (y * self.width + x) as usize;
                for (sample, offset) in offsets.iter().enumerate() {
                    let found = depth + offset;
                    if found > self.inverse[pixel][sample] {
                        self.inverse[pixel][sample] = found;
                        self.seen[pixel][sample] = number;
                    }
                }
            }
        }
    }

    fn add_triangle(&mut self, stage: &Stage, number: u32) {
        let triangle = &stage.triangles[number as usize];
        let [x0, y0, x1, y1] = triangle.bounds;
        let (left, top) = (f64::from(self.left), f64::from(self.top));
        let clamp = |value: f64, end: u32| value.clamp(0.0, f64::from(end)) as u32;
        let columns = clamp((x0 - left).floor(), self.width)..clamp((x1 - left).ceil(), self.width);
        let rows = clamp((y0 - top).floor(), self.height)..clamp((y1 - top).ceil(), self.height);
        let edges = triangle.shares.map(|share| Linear::of(&share, self.left, self.top));
        let inverse = Linear::of(&triangle.inverse, self.left, self.top);
        let offsets = edges.map(Linear::offsets);
        let depths = inverse.offsets();
        let reach = offsets.map(|of| of.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b)));
        for y in rows {
            for x in columns.clone() {
                let at = edges.map(|edge| edge.at(x, y));
                if (0..3).any(|i| at[i] + reach[i] < 0.0) {
                    continue;
                }
                let depth = inverse.at(x, y);
                let pixel = (y * self.width + x) as usize;
                let (kept, seen) = (&mut self.inverse[pixel], &mut self.seen[pixel]);
                for sample in 0..SAMPLES {
                    let inside = at[0] + offsets[0][sample] >= 0.0
                        && at[1] + offsets[1][sample] >= 0.0
                        && at[2] + offsets[2][sample] >= 0.0;
                    let found = depth + depths[sample];
                    if inside && found > kept[sample] && triangle.mask >> sample & 1 == 1 {
                        kept[sample] = found;
                        seen[sample] = number;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_a_row_and_a_column_of_its_own() {
        let mut rows = ROWS;
        rows.sort_unstable();
        assert!(rows.iter().enumerate().all(|(index, row)| index == *row));
    }
}
