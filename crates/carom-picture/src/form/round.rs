//! Round surfaces: turned profiles, and superquadrics by a grid on a cube.
//!
//! A superquadric is N(x) = 1 for the norm N = ‖(‖(x/a, y/b)‖_m, z/c)‖_n. A cube with a grid on its faces, stretched by
//! the semi-axes, is projected on it along rays through the centre: x/N(x). Box-like, round and octahedral ones alike get
//! points where their edges are, as long as the grid has lines on the planes of symmetry. The normal is the gradient of N.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use carom_geometry::Pose;
use glam::DVec3;

use super::surface::Surface;

/// Below this exponent a superquadric has edges rather than curves there.
const EDGED: f64 = 1.5;

/// A superquadric around the origin, with exponents of xy and of z.
pub(super) fn superquadric(semi_axes: DVec3, exponents: [f64; 2], turns: usize) -> Surface {
    // Even, so that there is a line on each plane of symmetry.
    let n = (turns.max(8) / 8) * 2;
    let mut surface = Surface::default();
    let box_like = exponents.iter().any(|exponent| *exponent > 4.0);
    let at = |i: usize| {
        let share = 2.0 * i as f64 / n as f64 - 1.0;
        // Even angles for round ones, even lengths for boxes.
        if box_like { share } else { libm::tan(share * FRAC_PI_4) }
    };
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let first = surface.points.len() as u32;
            for i in 0..=n {
                for j in 0..=n {
                    let mut on_cube = [0.0; 3];
                    on_cube[axis] = side;
                    on_cube[(axis + 1) % 3] = side * at(i);
                    on_cube[(axis + 2) % 3] = at(j);
                    let scaled = DVec3::from_array(on_cube);
                    let (norm, gradient) = norm_and_gradient(scaled, exponents);
                    let normal = (gradient / semi_axes).normalize_or_zero();
                    surface.push(scaled / norm * semi_axes, normal);
                }
            }
            add_grid(&mut surface, first, n as u32);
        }
    }
    if exponents.iter().any(|exponent| *exponent < EDGED) {
        return Surface::creased(&surface.points, &surface.triangles);
    }
    surface
}

/// Triangles of a grid of points whose first index runs along u and second along v, with u × v outwards.
fn add_grid(surface: &mut Surface, first: u32, n: u32) {
    let point = |i: u32, j: u32| first + i * (n + 1) + j;
    for i in 0..n {
        for j in 0..n {
            let [a, b] = [point(i, j), point(i + 1, j)];
            let [c, d] = [point(i + 1, j + 1), point(i, j + 1)];
            surface.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
}

/// N and its gradient at a point whose coordinates are divided by the semi-axes.
fn norm_and_gradient(scaled: DVec3, [m, n]: [f64; 2]) -> (f64, DVec3) {
    let size = scaled.abs();
    let plane = norm(size.x, size.y, m);
    let whole = norm(plane, size.z, n);
    let slope = |part: f64, all: f64, p: f64| {
        if all > 0.0 { libm::pow(part / all, p - 1.0) } else { 0.0 }
    };
    let (of_plane, of_z) = (slope(plane, whole, n), slope(size.z, whole, n));
    let (x, y) = (slope(size.x, plane, m), slope(size.y, plane, m));
    let gradient = DVec3::new(of_plane * x, of_plane * y, of_z);
    (whole, gradient * scaled.signum())
}

/// (u^p + v^p)^(1/p) without leaving the range of numbers.
fn norm(u: f64, v: f64, p: f64) -> f64 {
    let (small, large) = if u < v { (u, v) } else { (v, u) };
    if large <= 0.0 {
        return 0.0;
    }
    large * libm::pow(1.0 + libm::pow(small / large, p), 1.0 / p)
}

/// A point of a profile: radius and height, and the normal's parts along them.
type Turned = [f64; 4];

/// A profile turned about z, from bottom to top; between two points at the same place there is an edge.
fn lathe(profile: &[Turned], turns: usize) -> Surface {
    let turns = turns.max(6);
    let mut surface = Surface::default();
    for [radius, height, across, along] in profile {
        for i in 0..=turns {
            // The last column lies exactly on the first.
            let angle = TAU * (i % turns) as f64 / turns as f64;
            let (sin, cos) = libm::sincos(angle);
            let point = DVec3::new(radius * cos, radius * sin, *height);
            surface.push(point, DVec3::new(across * cos, across * sin, *along));
        }
    }
    let row = turns as u32 + 1;
    for (ring, pair) in profile.windows(2).enumerate() {
        let [lower, upper] = [ring as u32 * row, (ring as u32 + 1) * row];
        for i in 0..turns as u32 {
            let [a, b, c, d] = [lower + i, lower + i + 1, upper + i + 1, upper + i];
            if pair[0][0] > 0.0 {
                surface.triangles.push([a, b, c]);
            }
            if pair[1][0] > 0.0 {
                surface.triangles.push([a, c, d]);
            }
        }
    }
    surface
}

/// A cylinder along z with half its length and its radius.
pub(super) fn cylinder(half: f64, radius: f64, turns: usize) -> Surface {
    let profile = [
        [0.0, -half, 0.0, -1.0],
        [radius, -half, 0.0, -1.0],
        [radius, -half, 1.0, 0.0],
        [radius, half, 1.0, 0.0],
        [radius, half, 0.0, 1.0],
        [0.0, half, 0.0, 1.0],
    ];
    // The profile has an edge between points at one place, where no triangles are.
    let mut surface = lathe(&profile[..2], turns);
    surface.append(&lathe(&profile[2..4], turns), &Pose::IDENTITY);
    surface.append(&lathe(&profile[4..], turns), &Pose::IDENTITY);
    surface
}

/// A cone along z, apex up, with half its height and the radius of its base.
pub(super) fn cone(half: f64, radius: f64, turns: usize) -> Surface {
    let slant = libm::hypot(2.0 * half, radius);
    let (across, along) = (2.0 * half / slant, radius / slant);
    let mut surface = lathe(&[[0.0, -half, 0.0, -1.0], [radius, -half, 0.0, -1.0]], turns);
    let side = [[radius, -half, across, along], [0.0, half, across, along]];
    surface.append(&lathe(&side, turns), &Pose::IDENTITY);
    surface
}

/// All points within a radius of a segment of z with half its length.
pub(super) fn capsule(half: f64, radius: f64, turns: usize) -> Surface {
    let rings = (turns / 4).max(3);
    let mut profile: Vec<Turned> = Vec::new();
    let cap = |i: usize, side: f64| {
        let (sin, cos) = libm::sincos(FRAC_PI_2 * i as f64 / rings as f64);
        [radius * cos, side * (half + radius * sin), cos, side * sin]
    };
    profile.extend((0..=rings).rev().map(|i| cap(i, -1.0)));
    profile.extend((0..=rings).map(|i| cap(i, 1.0)));
    // Cosines of a right angle are not quite zero.
    for end in [0, profile.len() - 1] {
        profile[end][0] = 0.0;
        profile[end][2] = 0.0;
    }
    lathe(&profile, turns)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn volume(surface: &Surface) -> f64 {
        let part = |it: &[u32; 3]| {
            let [a, b, c] = it.map(|corner| surface.points[corner as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        surface.triangles.iter().map(part).sum()
    }

    #[test]
    fn surfaces_are_closed_with_nearly_the_volume_of_their_shapes() {
        let semi_axes = DVec3::new(1.0, 2.0, 0.5);
        let cases = [
            (superquadric(semi_axes, [2.0; 2], 96), 4.0 / 3.0 * PI),
            (superquadric(semi_axes, [1000.0; 2], 96), 8.0),
            (superquadric(semi_axes, [1.0; 2], 96), 8.0 / 6.0),
            (cylinder(0.5, 2.0, 96), 4.0 * PI),
            (cone(1.5, 1.0, 96), PI),
            (capsule(1.0, 1.0, 96), 2.0 * PI + 4.0 / 3.0 * PI),
        ];
        for (index, (surface, expected)) in cases.iter().enumerate() {
            let found = volume(surface);
            // Chords of a 96th of a turn lose about 0.2 % of the area of a circle.
            assert!((found / expected - 1.0).abs() < 8e-3, "case {index}: {found}, {expected}");
        }
    }

    #[test]
    fn normals_are_unit_and_point_outwards() {
        for surface in [superquadric(DVec3::ONE, [3.0, 5.0], 24), capsule(1.0, 0.5, 24)] {
            for (point, normal) in surface.points.iter().zip(&surface.normals) {
                assert!((normal.length() - 1.0).abs() < 1e-9, "{normal}");
                assert!(point.dot(*normal) > 0.0, "{point} {normal}");
            }
        }
    }
}
