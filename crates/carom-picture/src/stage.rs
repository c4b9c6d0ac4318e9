//! A frame as the camera sees it: triangles with their places in the picture, and planes.

use glam::DVec3;

use crate::camera::{Projected, View};
use crate::form::{Plane, Surface};
use crate::raster::TILE;

/// A linear function over the picture: a·x + b·y + c.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flat {
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) c: f64,
}

impl Flat {
    pub(crate) fn at(&self, x: f64, y: f64) -> f64 {
        self.a * x + self.b * y + self.c
    }
}

/// How something is coloured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    /// In linear light.
    pub(crate) color: DVec3,
    pub(crate) finish: Finish,
}

/// What light does to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// It is lit and shines a little.
    Body,
    /// It is lit, and has a grid where it is level.
    Ground,
    /// It has its own colour in any light.
    Mark,
}

/// A corner of triangles.
#[derive(Clone, Copy, Debug)]
struct Corner {
    point: DVec3,
    normal: DVec3,
    place: Projected,
}

/// A triangle that faces the camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    corners: [u32; 3],
    /// Each corner's share in a place of the picture; all are positive inside.
    pub(crate) shares: [Flat; 3],
    /// One over the depth.
    pub(crate) inverse: Flat,
    /// Left, top, right and bottom `[px]`.
    pub(crate) bounds: [f64; 4],
    pub(crate) paint: u32,
    /// At which of a pixel's points it can be seen.
    pub(crate) mask: u16,
}

/// A plane that faces the camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StagePlane {
    pub(crate) plane: Plane,
    /// One over the depth; positive where it is seen.
    pub(crate) inverse: Flat,
    pub(crate) paint: u32,
}

/// Everything that can be seen.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) view: View,
    pub(crate) size: [u32; 2],
    corners: Vec<Corner>,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) planes: Vec<StagePlane>,
    pub(crate) paints: Vec<Paint>,
}

/// A solid that hides everything behind it.
pub(crate) const SOLID: u16 = u16::MAX;

/// A body that one sees through: 6 points of 16, spread over the pixel.
pub(crate) const SEE_THROUGH: u16 = 0b0100_1010_0100_1001;

/// A wall that stands in the way: 2 points of 16.
pub(crate) const GLASS: u16 = 0b0000_0100_0000_1000;

impl Stage {
    pub(crate) fn new(view: View, size: [u32; 2]) -> Self {
        let (corners, triangles) = (Vec::new(), Vec::new());
        Self { view, size, corners, triangles, planes: Vec::new(), paints: Vec::new() }
    }

    /// A new paint; its number.
    pub(crate) fn paint(&mut self, color: DVec3, finish: Finish) -> u32 {
        self.paints.push(Paint { color, finish });
        self.paints.len() as u32 - 1
    }

    /// Adds a plane, if the camera is above it.
    pub(crate) fn add_plane(&mut self, plane: Plane, paint: u32) {
        let height = plane.height(self.view.eye);
        if height <= 0.0 {
            return;
        }
        // The ray d from the eye meets the plane at depth t with height + t·(n·d) = 0.
        let inverse = |x: f64, y: f64| -plane.normal.dot(self.view.ray(x, y)) / height;
        let c = inverse(0.0, 0.0);
        let inverse = Flat { a: inverse(1.0, 0.0) - c, b: inverse(0.0, 1.0) - c, c };
        self.planes.push(StagePlane { plane, inverse, paint });
    }

    /// Adds a surface whose points and normals are in the world.
    pub(crate) fn add(&mut self, surface: &Surface, paint: u32, mask: u16) {
        let seen: Vec<DVec3> = surface.points.iter().map(|it| self.view.seen(*it)).collect();
        let near = self.view.near;
        let first = self.corners.len() as u32;
        for ((point, normal), seen) in surface.points.iter().zip(&surface.normals).zip(&seen) {
            // Corners behind the camera are never used.
            let ahead = DVec3::new(seen.x, seen.y, seen.z.max(near));
            let place = self.view.projected(ahead);
            self.corners.push(Corner { point: *point, normal: *normal, place });
        }
        for triangle in &surface.triangles {
            let depths = triangle.map(|corner| seen[corner as usize].z);
            let corners = triangle.map(|corner| corner + first);
            if depths.iter().all(|depth| *depth >= near) {
                self.add_triangle(corners, paint, mask);
            } else if depths.iter().any(|depth| *depth > near) {
                self.add_cut(corners, depths, paint, mask);
            }
        }
    }

    /// Adds the part of a triangle that is beyond the nearest depth.
    fn add_cut(&mut self, corners: [u32; 3], depths: [f64; 3], paint: u32, mask: u16) {
        let near = self.view.near;
        let mut outline = Vec::with_capacity(4);
        for i in 0..3 {
            let j = (i + 1) % 3;
            if depths[i] >= near {
                outline.push(corners[i]);
            }
            if (depths[i] >= near) != (depths[j] >= near) {
                let share = (near - depths[i]) / (depths[j] - depths[i]);
                let [a, b] = [corners[i], corners[j]].map(|it| self.corners[it as usize]);
                let point = a.point.lerp(b.point, share);
                let normal = a.normal.lerp(b.normal, share).normalize_or_zero();
                let seen = self.view.seen(point);
                let place = self.view.projected(DVec3::new(seen.x, seen.y, near));
                self.corners.push(Corner { point, normal, place });
                outline.push(self.corners.len() as u32 - 1);
            }
        }
        for i in 2..outline.len() {
            self.add_triangle([outline[0], outline[i - 1], outline[i]], paint, mask);
        }
    }

    /// Adds a triangle if it faces the camera and is in the picture.
    fn add_triangle(&mut self, corners: [u32; 3], paint: u32, mask: u16) {
        let [a, b, c] = corners.map(|corner| self.corners[corner as usize].place);
        // Rows run downwards, so what is counter-clockwise in the world has a negative area here.
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        // Not a number is none either.
        if area.is_nan() || area >= -1e-9 {
            return;
        }
        let min = |f: fn(&Projected) -> f64| f(&a).min(f(&b)).min(f(&c));
        let max = |f: fn(&Projected) -> f64| f(&a).max(f(&b)).max(f(&c));
        let bounds = [min(|it| it.x), min(|it| it.y), max(|it| it.x), max(|it| it.y)];
        let [width, height] = self.size.map(f64::from);
        if bounds[2] < 0.0 || bounds[3] < 0.0 || bounds[0] > width || bounds[1] > height {
            return;
        }
        let share = |p: Projected, q: Projected| {
            let (a, b) = ((p.y - q.y) / area, (q.x - p.x) / area);
            Flat { a, b, c: -(a * p.x + b * p.y) }
        };
        let shares = [share(b, c), share(c, a), share(a, b)];
        let mixed = |f: fn(&Flat) -> f64| {
            f(&shares[0]) * a.inverse + f(&shares[1]) * b.inverse + f(&shares[2]) * c.inverse
        };
        let inverse = Flat { a: mixed(|it| it.a), b: mixed(|it| it.b), c: mixed(|it| it.c) };
        self.triangles.push(Triangle { corners, shares, inverse, bounds, paint, mask });
    }

    /// The point and the normal of a triangle at a place of the picture.
    pub(crate) fn surface_at(&self, triangle: &Triangle, x: f64, y: f64) -> (DVec3, DVec3) {
        let corners = triangle.corners.map(|corner| self.corners[corner as usize]);
        let mut shares = [0.0; 3];
        let mut sum = 0.0;
        for i in 0..3 {
            // Shares in the picture become shares in the world by the depths.
            shares[i] = triangle.shares[i].at(x, y).max(0.0) * corners[i].place.inverse;
            sum += shares[i];
        }
        if sum <= 0.0 {
            return (corners[0].point, corners[0].normal);
        }
        let mix = |f: fn(&Corner) -> DVec3| {
            (f(&corners[0]) * shares[0] + f(&corners[1]) * shares[1] + f(&corners[2]) * shares[2])
                / sum
        };
        (mix(|it| it.point), mix(|it| it.normal).normalize_or_zero())
    }

    /// Columns and rows of tiles.
    pub(crate) fn tiles(&self) -> [u32; 2] {
        self.size.map(|length| length.div_ceil(TILE))
    }

    /// The triangles that reach into each tile, tiles row by row.
    pub(crate) fn binned(&self) -> Vec<Vec<u32>> {
        let [columns, rows] = self.tiles();
        let mut bins = vec![Vec::new(); (columns * rows) as usize];
        let tile = |value: f64, end: u32| {
            ((value / f64::from(TILE)).max(0.0) as u32).min(end.saturating_sub(1))
        };
        for (index, triangle) in self.triangles.iter().enumerate() {
            let [x0, y0, x1, y1] = triangle.bounds;
            for row in tile(y0, rows)..=tile(y1, rows) {
                for column in tile(x0, columns)..=tile(x1, columns) {
                    bins[(row * columns + column) as usize].push(index as u32);
                }
            }
        }
        bins
    }
}
