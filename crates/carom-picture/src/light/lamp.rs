//! A lamp far away, and how much of it reaches a point.
//!
//! A map over the plane across its direction has how far bodies reach towards it. A point is in shadow where the map is
//! higher than the point itself. Soft shadows: the mean height of what stands in the way within the widest half-shadow tells
//! how wide the half-shadow is here, w = (height of it − height of the point)·tan of the lamp's half angle; the share of a
//! disk of that radius that is free is how much of the lamp reaches the point. A cell is in the way only if it is higher than
//! the point and, at the cell's own middle, higher than the plane of the face: a face does not shade itself, however steep
//! it is, and what lies lower than the point cannot. Disks are sunflowers, the same for every point: no noise.

use glam::DVec3;

use crate::fit::extent;
use crate::form::Surface;
use crate::tolerances::SHADOW_BIAS_CELLS;

/// How soft a lamp's shadows are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Softness {
    /// Of half the angle that the lamp fills.
    pub(super) tangent: f64,
    /// Places that are looked at for what stands in the way.
    pub(super) search: usize,
    /// Places that are asked whether they are free.
    pub(super) taps: usize,
}

/// Cells of a block, of which the highest is known.
const BLOCK: usize = 8;

/// A disk of half-shadow is at most so many cells wide each way.
const WIDEST: f64 = 44.0;

/// A face steeper against the lamp than this slope is taken to be no steeper: such a face has a fiftieth of the light that
/// one across it has.
const STEEPEST: f64 = 50.0;

/// A lamp with its map.
#[derive(Debug)]
pub(super) struct Lamp {
    /// Towards it.
    pub(super) direction: DVec3,
    u: DVec3,
    v: DVec3,
    /// Where the map begins `[m]`.
    start: [f64; 2],
    /// Length of a cell `[m]`.
    cell: f64,
    width: usize,
    height: usize,
    /// How far bodies reach towards the lamp, from `base` `[m]`.
    heights: Vec<f32>,
    base: f64,
    /// The highest of each block and of its neighbours, one farther in each list, and of all `[m]`.
    around: Vec<Vec<f32>>,
    highest: f64,
    softness: Softness,
    /// Places on a disk of radius 1.
    disk: Vec<[f64; 2]>,
}

impl Lamp {
    pub(super) fn new(
        direction: DVec3,
        casters: &[Surface],
        cells: usize,
        softness: Softness,
    ) -> Self {
        let mut lamp = Self::empty(direction, softness);
        let [(u0, u1), (v0, v1), (base, _)] = [lamp.u, lamp.v, direction]
            .map(|axis| extent(casters.iter().flat_map(|it| &it.points).map(|it| it.dot(axis))));
        let longer = (u1 - u0).max(v1 - v0);
        if longer > 0.0 && longer.is_finite() {
            let cell = longer / (cells - 4) as f64;
            let count = |from: f64, to: f64| ((to - from) / cell) as usize + 4;
            lamp.cell = cell;
            lamp.base = base;
            lamp.start = [u0 - 2.0 * cell, v0 - 2.0 * cell];
            (lamp.width, lamp.height) = (count(u0, u1), count(v0, v1));
            lamp.heights = vec![f32::NEG_INFINITY; lamp.width * lamp.height];
            for caster in casters {
                lamp.add(caster);
            }
        }
        lamp.sum_up();
        lamp
    }

    /// With nothing in its way.
    fn empty(direction: DVec3, softness: Softness) -> Self {
        let (u, v) = direction.any_orthonormal_pair();
        Self {
            direction,
            u,
            v,
            start: [0.0; 2],
            cell: 1.0,
            width: 1,
            height: 1,
            heights: vec![f32::NEG_INFINITY],
            base: 0.0,
            around: Vec::new(),
            highest: f64::NEG_INFINITY,
            softness,
            disk: sunflower(softness.taps),
        }
    }

    /// Columns, rows (in cells) and height of a point.
    fn place(&self, point: DVec3) -> [f64; 3] {
        [
            (point.dot(self.u) - self.start[0]) / self.cell,
            (point.dot(self.v) - self.start[1]) / self.cell,
            point.dot(self.direction) - self.base,
        ]
    }

    fn add(&mut self, surface: &Surface) {
        let places: Vec<[f64; 3]> = surface.points.iter().map(|it| self.place(*it)).collect();
        for triangle in &surface.triangles {
            self.add_triangle(triangle.map(|corner| places[corner as usize]));
        }
    }

    fn add_triangle(&mut self, [a, b, c]: [[f64; 3]; 3]) {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        // What faces away from the lamp is behind what faces it.
        if area.is_nan() || area <= 1e-12 {
            return;
        }
        let low = |i: usize| a[i].min(b[i]).min(c[i]);
        let high = |i: usize| a[i].max(b[i]).max(c[i]);
        let cells = |i: usize, end: usize| {
            // Centres of cells lie at halves.
            let first = (low(i) - 0.5).ceil().max(0.0) as usize;
            let last = (high(i) - 0.5).floor().min(end as f64 - 1.0);
            (first, last)
        };
        let ((x0, x1), (y0, y1)) = (cells(0, self.width), cells(1, self.height));
        if x1 < 0.0 || y1 < 0.0 {
            return;
        }
        for y in y0..=y1 as usize {
            let py = y as f64 + 0.5;
            // One more on either side, so that rounding leaves out none.
            let (from, to) = span([a, b, c], py);
            let (from, to) = ((from - 1.5).max(x0 as f64), (to + 0.5).min(x1));
            if from > to {
                continue;
            }
            for x in from as usize..=to as usize {
                let px = x as f64 + 0.5;
                let of_b = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) / area;
                let of_c = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) / area;
                if of_b < 0.0 || of_c < 0.0 || of_b + of_c > 1.0 {
                    continue;
                }
                let height = (a[2] + of_b * (b[2] - a[2]) + of_c * (c[2] - a[2])) as f32;
                let kept = &mut self.heights[y * self.width + x];
                *kept = kept.max(height);
            }
        }
    }

    fn sum_up(&mut self) {
        let columns = self.width.div_ceil(BLOCK);
        let rows = self.height.div_ceil(BLOCK);
        let mut blocks = vec![f32::NEG_INFINITY; columns * rows];
        for y in 0..self.height {
            for x in 0..self.width {
                let block = &mut blocks[y / BLOCK * columns + x / BLOCK];
                *block = block.max(self.heights[y * self.width + x]);
            }
        }
        let highest = blocks.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
        self.highest = f64::from(highest);
        for _ in 0..=blocks_within(WIDEST) {
            let farther = spread(&blocks, columns);
            self.around.push(std::mem::replace(&mut blocks, farther));
        }
    }

    /// How much of the lamp reaches a point of a face, from 0 to 1.
    pub(super) fn reaches(&self, point: DVec3, normal: DVec3) -> f64 {
        // Beside the face, too: at grazing light it would meet its own cells.
        let [x, y, height] = self.place(point + normal * self.cell);
        let height = height + self.cell * SHADOW_BIAS_CELLS;
        if height >= self.highest {
            return 1.0;
        }
        let widest = (self.highest - height) * self.softness.tangent / self.cell;
        let widest = widest.clamp(1.0, WIDEST);
        if !self.may_be_hidden([x, y, height], widest) {
            return 1.0;
        }
        let facing = normal.dot(self.direction).max(1e-3);
        let slope =
            |axis: DVec3| (-normal.dot(axis) / facing).clamp(-STEEPEST, STEEPEST) * self.cell;
        let face = Face { x, y, height, slopes: [slope(self.u), slope(self.v)] };
        let (mut sum, mut count) = (0.0, 0);
        for [dx, dy] in sunflower_part(&self.disk, self.softness.search) {
            let (column, row) = (whole(x + dx * widest), whole(y + dy * widest));
            let above = self.cell_of(column, row) - face.height_at(column, row);
            if above > 0.0 {
                sum += f64::from(above);
                count += 1;
            }
        }
        if count == 0 {
            return 1.0;
        }
        let radius = sum / f64::from(count) * self.softness.tangent / self.cell;
        self.free(&face, radius.clamp(0.75, widest))
    }

    /// Whether anything within a distance is higher. Most places have nothing near that is, which takes one look.
    fn may_be_hidden(&self, [x, y, height]: [f64; 3], reach: f64) -> bool {
        let (w, h) = (self.width as f64, self.height as f64);
        if x + reach < 0.0 || y + reach < 0.0 || x - reach > w || y - reach > h {
            return false;
        }
        let columns = self.width.div_ceil(BLOCK);
        let block = |value: f64, end: usize| (value.max(0.0) as usize).min(end - 1) / BLOCK;
        let middle = block(y, self.height) * columns + block(x, self.width);
        height < f64::from(self.around[blocks_within(reach)][middle])
    }

    /// The share of a disk that is free.
    fn free(&self, face: &Face, radius: f64) -> f64 {
        let mut free = 0.0;
        for [dx, dy] in &self.disk {
            // Between four cells in proportion, so that shadows have no steps.
            let (left, top) = (face.x + dx * radius - 0.5, face.y + dy * radius - 0.5);
            let (column, row) = (whole(left), whole(top));
            let (fx, fy) = (left - column as f64, top - row as f64);
            let is_free = |i: i64, j: i64| {
                let (column, row) = (column + i, row + j);
                let is_free = self.cell_of(column, row) <= face.height_at(column, row);
                if is_free { 1.0 } else { 0.0 }
            };
            let upper = is_free(0, 0) * (1.0 - fx) + is_free(1, 0) * fx;
            let lower = is_free(0, 1) * (1.0 - fx) + is_free(1, 1) * fx;
            free += upper * (1.0 - fy) + lower * fy;
        }
        free / self.disk.len().max(1) as f64
    }

    fn cell_of(&self, column: i64, row: i64) -> f32 {
        let (Ok(column), Ok(row)) = (usize::try_from(column), usize::try_from(row)) else {
            return f32::NEG_INFINITY;
        };
        if column >= self.width || row >= self.height {
            return f32::NEG_INFINITY;
        }
        self.heights[row * self.width + column]
    }
}

/// A face around one of its points, as the lamp's map sees it.
struct Face {
    /// Column and row of the point, in cells, and its height `[m]`.
    x: f64,
    y: f64,
    height: f64,
    /// How its height changes from column to column and from row to row `[m]`.
    slopes: [f64; 2],
}

impl Face {
    /// How high something in the middle of a cell has to be to stand between the point and the lamp `[m]`.
    fn height_at(&self, column: i64, row: i64) -> f32 {
        let (dx, dy) = (column as f64 + 0.5 - self.x, row as f64 + 0.5 - self.y);
        (self.height + (dx * self.slopes[0] + dy * self.slopes[1]).max(0.0)) as f32
    }
}

/// Where a row passes a triangle.
fn span([a, b, c]: [[f64; 3]; 3], y: f64) -> (f64, f64) {
    let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
    for [p, q] in [[a, b], [b, c], [c, a]] {
        let (low, high) = (p[1].min(q[1]), p[1].max(q[1]));
        if y >= low && y <= high && low < high {
            let x = p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
            (from, to) = (from.min(x), to.max(x));
        }
    }
    (from, to)
}

/// The largest whole number that is no larger.
fn whole(value: f64) -> i64 {
    let towards_zero = value as i64;
    towards_zero - i64::from(towards_zero as f64 > value)
}

/// How many blocks from its own a point has to look to see all cells within a distance.
fn blocks_within(reach: f64) -> usize {
    (reach + 1.0) as usize / BLOCK + 1
}

/// The highest of each block and of those next to it.
fn spread(blocks: &[f32], columns: usize) -> Vec<f32> {
    let across = blocks.chunks(columns.max(1)).flat_map(|row| {
        (0..row.len()).map(|at| {
            let near = &row[at.saturating_sub(1)..(at + 2).min(row.len())];
            near.iter().copied().fold(f32::NEG_INFINITY, f32::max)
        })
    });
    let across: Vec<f32> = across.collect();
    let along = |index: usize| {
        let above = index.checked_sub(columns).map_or(f32::NEG_INFINITY, |it| across[it]);
        let below = across.get(index + columns).copied().unwrap_or(f32::NEG_INFINITY);
        across[index].max(above).max(below)
    };
    (0..across.len()).map(along).collect()
}

/// Places spread evenly over a disk of radius 1.
fn sunflower(count: usize) -> Vec<[f64; 2]> {
    let place = |i: usize| {
        let radius = ((i as f64 + 0.5) / count as f64).sqrt();
        let (sin, cos) = libm::sincos(i as f64 * 2.399_963_229_728_653);
        [radius * cos, radius * sin]
    };
    (0..count).map(place).collect()
}

/// So many of the places, still spread over the disk.
fn sunflower_part(disk: &[[f64; 2]], count: usize) -> impl Iterator<Item = [f64; 2]> {
    let step = (disk.len() / count.max(1)).max(1);
    disk.iter().step_by(step).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Pose;

    use crate::form::Form;

    fn lamp() -> Lamp {
        use carom_geometry::Shape;
        use carom_geometry::shapes::Ball;
        let ball = Shape::Ball(Ball::new(1.0).expect("a size"));
        let mut surface = Surface::default();
        let pose = Pose::from_translation(DVec3::Z * 3.0);
        surface.append(&Form::of(&ball).surface(48), &pose);
        let softness = Softness { tangent: 0.1, search: 16, taps: 32 };
        Lamp::new(DVec3::Z, &[surface], 256, softness)
    }

    #[test]
    fn below_a_ball_it_is_dark_beside_it_light_and_between_it_is_soft() {
        let lamp = lamp();
        let at = |x: f64| lamp.reaches(DVec3::X * x, DVec3::Z);
        assert_eq!(at(0.0), 0.0);
        assert_eq!(at(2.0), 1.0);
        let edge = at(1.0);
        assert!(edge > 0.2 && edge < 0.8, "{edge}");
        let mut last = 0.0;
        for step in 0..20 {
            let here = at(0.6 + 0.05 * f64::from(step));
            assert!(here >= last - 0.05, "{step}: {here} after {last}");
            last = here;
        }
    }

    #[test]
    fn a_wall_shades_itself_at_no_angle() {
        use carom_geometry::{Shape, shapes::Cuboid};
        let half = DVec3::new(0.1, 1.0, 1.0);
        let wall = Form::of(&Shape::Cuboid(Cuboid::new(half).expect("sizes"))).surface(16);
        let softness = Softness { tangent: 0.35, search: 5, taps: 8 };
        for degrees in [2.0, 5.0, 10.0, 30.0, 60.0] {
            let (sin, cos) = libm::sincos(f64::to_radians(degrees));
            let lamp =
                Lamp::new(DVec3::new(sin, 0.0, cos), std::slice::from_ref(&wall), 320, softness);
            for step in 0..=36 {
                let height = -0.9 + 0.05 * f64::from(step);
                let reaches = lamp.reaches(DVec3::new(0.1, 0.3 * height, height), DVec3::X);
                assert_eq!(reaches, 1.0, "{degrees}° at {height}");
            }
        }
    }

    #[test]
    fn the_top_of_a_ball_does_not_shade_itself() {
        let lamp = lamp();
        for degrees in [0.0, 20.0, 40.0, 60.0] {
            let (sin, cos) = libm::sincos(f64::to_radians(degrees));
            let normal = DVec3::new(sin, 0.0, cos);
            let reaches = lamp.reaches(DVec3::Z * 3.0 + normal, normal);
            assert!(reaches > 0.9, "{degrees}°: {reaches}");
        }
    }
}
