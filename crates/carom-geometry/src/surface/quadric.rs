//! Ellipsoids and superquadrics on a grid of angles.
//!
//! With the exponents m of the pair xy and n of z against it, Barr's angles give the point
//! (x/a, y/b, z/c) = (P·c(ω, m), P·s(ω, m), s(η, n)), P = c(η, n), where c(α, p) = ±|cos α|^{2/p} and s likewise with the
//! sine: |c|^p + |s|^p = 1, so the norm of the module `superquadric` is 1. Equal steps of the angles crowd where the
//! surface bends, whatever the exponents. An exponent of 1 makes creases, whose normals come from the triangles.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use super::{Fineness, Surface};
use crate::TriMesh;
use crate::shapes::{Ellipsoid, Superquadric};

pub(super) fn ellipsoid(ellipsoid: &Ellipsoid, fineness: Fineness) -> Surface {
    let semi_axes = ellipsoid.semi_axes();
    // The gradient of |x/a|² is along x/a².
    let normal = |point: DVec3| (point / semi_axes / semi_axes).normalize_or_zero();
    grid(semi_axes, [2.0, 2.0], fineness, &normal)
}

pub(super) fn superquadric(shape: &Superquadric, fineness: Fineness) -> Surface {
    let normal = |point: DVec3| shape.norm_and_gradient(point).1.normalize_or_zero();
    let exponents = shape.exponents();
    let surface = grid(shape.semi_axes(), exponents, fineness, &normal);
    if exponents.contains(&1.0) {
        return Surface::of_mesh(&TriMesh::from_parts(surface.positions, surface.triangles));
    }
    surface
}

/// Cosine and sine as they place points for an exponent, exact where an angle is a multiple of a quarter turn.
fn rounded(angle_steps: u32, quarter_steps: u32, exponent: f64) -> [f64; 2] {
    let within = angle_steps % quarter_steps;
    let (sin, cos) = libm::sincos(FRAC_PI_2 * f64::from(within) / f64::from(quarter_steps));
    let power = |x: f64| libm::pow(x, 2.0 / exponent);
    let [c, s] = if within == 0 { [1.0, 0.0] } else { [power(cos), power(sin)] };
    match angle_steps / quarter_steps % 4 {
        0 => [c, s],
        1 => [-s, c],
        2 => [-c, -s],
        _ => [s, -c],
    }
}

fn grid(
    semi_axes: DVec3,
    [m, n]: [f64; 2],
    fineness: Fineness,
    normal: &dyn Fn(DVec3) -> DVec3,
) -> Surface {
    let quarter = fineness.quarter;
    let around = fineness.edges();
    let mut surface = Surface::default();
    let mut below: Option<Vec<u32>> = None;
    for step in 0..=2 * quarter {
        // From the south pole to the north: the angle from the xy plane runs from minus to plus a quarter turn.
        let [plane, height] = rounded(step + 3 * quarter, quarter, n);
        let is_pole = step == 0 || step == 2 * quarter;
        let point = |k: u32| {
            let [x, y] = rounded(k, quarter, m);
            semi_axes * DVec3::new(plane * x, plane * y, height)
        };
        let ring: Vec<u32> = if is_pole {
            let pole = semi_axes * DVec3::Z * height;
            vec![surface.vertex(pole, DVec3::Z * height); around as usize]
        } else {
            (0..around).map(|k| surface.vertex(point(k), normal(point(k)))).collect()
        };
        if let Some(below) = below.replace(ring.clone()) {
            for k in 0..around as usize {
                let next = (k + 1) % around as usize;
                surface.triangle([below[k], below[next], ring[next]]);
                surface.triangle([below[k], ring[next], ring[k]]);
            }
        }
    }
    surface
}
