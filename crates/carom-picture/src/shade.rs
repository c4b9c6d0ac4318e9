//! The colour of a pixel: what is seen in it, lit.

use glam::DVec3;

use crate::color::srgb;
use crate::ground::Grid;
use crate::light::Lights;
use crate::raster::{NOTHING, OFFSETS, PLANE, SAMPLES, Tile};
use crate::stage::{Finish, Stage, StagePlane, Triangle};
use crate::tolerances::LEVEL;

/// The sky above, in linear light.
const ZENITH: DVec3 = DVec3::new(0.52, 0.63, 0.76);

/// What is far below, where there is no ground.
const NADIR: DVec3 = DVec3::new(0.66, 0.71, 0.77);

/// Where the sky meets the ground.
const HORIZON: DVec3 = DVec3::new(0.83, 0.86, 0.89);

/// Everything that a pixel's colour depends on.
#[derive(Debug)]
pub(crate) struct Shading<'a> {
    pub(crate) stage: &'a Stage,
    pub(crate) lights: &'a Lights,
    pub(crate) grid: &'a Grid,
    pub(crate) up: DVec3,
    /// Distances from the eye at which ground begins to fade and is gone `[m]`.
    pub(crate) fade: [f64; 2],
}

impl Shading<'_> {
    /// The colours of a tile, row by row.
    pub(crate) fn tile(&self, tile: &Tile) -> Vec<[u8; 3]> {
        let mut colors = Vec::with_capacity(tile.seen.len());
        for y in 0..tile.height {
            for x in 0..tile.width {
                let seen = &tile.seen[(y * tile.width + x) as usize];
                let light = self.pixel(seen, f64::from(tile.left + x), f64::from(tile.top + y));
                colors.push(srgb(light));
            }
        }
        colors
    }

    fn pixel(&self, seen: &[u32; SAMPLES], left: f64, top: f64) -> DVec3 {
        let mut sum = DVec3::ZERO;
        let mut done = 0_u32;
        for first in 0..SAMPLES {
            if done >> first & 1 == 1 {
                continue;
            }
            // The same thing at other points of the pixel is lit once, in the middle of them.
            let (mut count, mut x, mut y) = (0.0, 0.0, 0.0);
            for other in first..SAMPLES {
                if seen[other] == seen[first] {
                    done |= 1 << other;
                    count += 1.0;
                    x += f64::from(OFFSETS[other][0]);
                    y += f64::from(OFFSETS[other][1]);
                }
            }
            sum += count * self.lit(seen[first], left + x / count, top + y / count);
        }
        sum / SAMPLES as f64
    }

    fn lit(&self, seen: u32, x: f64, y: f64) -> DVec3 {
        match seen {
            NOTHING => self.background(x, y),
            number if number & PLANE != 0 => self.plane((number & !PLANE) as usize, x, y),
            number => self.triangle(number as usize, x, y),
        }
    }

    /// The sky, and below the horizon what shows where ground has faded.
    fn background(&self, x: f64, y: f64) -> DVec3 {
        let ray = self.stage.view.ray(x, y);
        let height = ray.dot(self.up) / ray.length();
        let end = if height < 0.0 { NADIR } else { ZENITH };
        let share = (height.abs() / 0.6).clamp(0.0, 1.0);
        HORIZON.lerp(end, share * (2.0 - share))
    }

    fn plane(&self, index: usize, x: f64, y: f64) -> DVec3 {
        let plane = &self.stage.planes[index];
        let view = &self.stage.view;
        let inverse = plane.inverse.at(x, y);
        let faded = self.faded(1.0 / inverse);
        if inverse.is_nan() || inverse <= 0.0 || faded >= 1.0 {
            return self.background(x, y);
        }
        let point = view.eye + view.ray(x, y) / inverse;
        let color = self.stage.paints[plane.paint as usize].color;
        let (light, _) = self.lights.diffuse(point, plane.plane.normal);
        let grid =
            if self.is_floor(plane) { self.grid_at(point, plane.plane.normal, x, y) } else { 1.0 };
        (color * light * grid).lerp(self.background(x, y), faded)
    }

    fn triangle(&self, index: usize, x: f64, y: f64) -> DVec3 {
        let triangle = &self.stage.triangles[index];
        let paint = &self.stage.paints[triangle.paint as usize];
        if paint.finish == Finish::Mark {
            return paint.color;
        }
        let (point, normal) = self.stage.surface_at(triangle, x, y);
        let from_eye = point - self.stage.view.eye;
        let to_eye = -from_eye.normalize_or_zero();
        let (light, lit) = self.lights.diffuse(point, normal);
        if paint.finish == Finish::Ground {
            let grid = if self.is_level(normal) { self.grid_at(point, normal, x, y) } else { 1.0 };
            let faded = self.faded(from_eye.dot(self.stage.view.forward));
            return (paint.color * light * grid).lerp(self.background(x, y), faded);
        }
        paint.color * light + DVec3::splat(self.lights.shine(normal, to_eye, lit))
    }

    fn is_floor(&self, plane: &StagePlane) -> bool {
        plane.plane.normal.dot(self.up) > 0.5
    }

    fn is_level(&self, normal: DVec3) -> bool {
        normal.dot(self.up) > 1.0 - LEVEL
    }

    /// True where a grid can be seen.
    pub(crate) fn has_grid(&self) -> bool {
        let is_ground = |triangle: &&Triangle| {
            self.stage.paints[triangle.paint as usize].finish == Finish::Ground
        };
        let mut grounds = self.stage.triangles.iter().filter(is_ground);
        self.stage.planes.iter().any(|plane| self.is_floor(plane))
            || grounds
                .any(|it| self.is_level(self.stage.surface_at(it, it.bounds[0], it.bounds[1]).1))
    }

    fn faded(&self, depth: f64) -> f64 {
        let [begin, end] = self.fade;
        let share = ((depth - begin) / (end - begin)).clamp(0.0, 1.0);
        share * share * (3.0 - 2.0 * share)
    }

    /// How much the grid darkens a level place.
    fn grid_at(&self, point: DVec3, normal: DVec3, x: f64, y: f64) -> f64 {
        let view = &self.stage.view;
        let onto = |x: f64, y: f64| {
            let ray = view.ray(x, y);
            let depth = (point - view.eye).dot(normal) / ray.dot(normal);
            view.eye + ray * depth
        };
        let steps = [onto(x + 1.0, y) - point, onto(x, y + 1.0) - point];
        if steps.iter().all(|step| step.is_finite()) { self.grid.shade(point, steps) } else { 1.0 }
    }
}
