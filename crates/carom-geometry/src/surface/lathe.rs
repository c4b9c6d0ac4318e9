//! Outlines turned about the z axis.
//!
//! An outline runs from the bottom to the top of the axis as pieces of rings (radius, height, and the two parts of the
//! normal there); between pieces is a crease. Angles are whole fractions of a turn, and a ring of radius 0 is one point,
//! there once for every edge with the normal of that edge's middle, as the tip of a cone wants it.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;

use super::{Fineness, Surface};

/// A ring: radius and height `[m]`, and the radial and axial parts of the normal.
#[derive(Clone, Copy, Debug)]
struct Ring {
    radius: f64,
    height: f64,
    normal: [f64; 2],
}

pub(super) fn ball(radius: f64, fineness: Fineness) -> Surface {
    let quarter = fineness.quarter.cast_signed();
    turned(&[&arc(radius, 0.0, fineness.quarter, [-quarter, quarter])], fineness)
}

pub(super) fn capsule(half_length: f64, radius: f64, fineness: Fineness) -> Surface {
    let quarter = fineness.quarter.cast_signed();
    let mut outline = arc(radius, -half_length, fineness.quarter, [-quarter, 0]);
    outline.extend(arc(radius, half_length, fineness.quarter, [0, quarter]));
    turned(&[&outline], fineness)
}

pub(super) fn cylinder(half_length: f64, radius: f64, fineness: Fineness) -> Surface {
    let ring = |radius, height, normal| Ring { radius, height, normal };
    let bottom = disc(radius, -half_length, -1.0);
    let side = [ring(radius, -half_length, [1.0, 0.0]), ring(radius, half_length, [1.0, 0.0])];
    let [center, rim] = disc(radius, half_length, 1.0);
    turned(&[&bottom, &side, &[rim, center]], fineness)
}

pub(super) fn cone(half_length: f64, radius: f64, fineness: Fineness) -> Surface {
    // Perpendicular to the way from the rim (r, −h) to the tip (0, h).
    let length = libm::hypot(2.0 * half_length, radius);
    let normal = [2.0 * half_length / length, radius / length];
    let side = [
        Ring { radius, height: -half_length, normal },
        Ring { radius: 0.0, height: half_length, normal },
    ];
    turned(&[&disc(radius, -half_length, -1.0), &side], fineness)
}

/// The centre of a flat end and its rim.
fn disc(radius: f64, height: f64, up: f64) -> [Ring; 2] {
    [0.0, radius].map(|radius| Ring { radius, height, normal: [0.0, up] })
}

/// Part of a circle around a point of the axis, in steps of which so many are a quarter, counted from the horizontal up.
fn arc(radius: f64, middle: f64, quarter: u32, steps: [i32; 2]) -> Vec<Ring> {
    let ring = |step: i32| {
        let (sin, cos) = libm::sincos(FRAC_PI_2 * f64::from(step) / f64::from(quarter));
        // Where the arc meets the axis it does so exactly.
        let radial = if step.unsigned_abs() == quarter { 0.0 } else { cos };
        Ring { radius: radius * radial, height: middle + radius * sin, normal: [radial, sin] }
    };
    (steps[0]..=steps[1]).map(ring).collect()
}

/// Turns pieces of an outline, bottom to top, about the axis.
fn turned(pieces: &[&[Ring]], fineness: Fineness) -> Surface {
    let n = fineness.edges();
    let mut surface = Surface::default();
    for piece in pieces {
        let rings: Vec<Vec<u32>> = piece.iter().map(|ring| placed(ring, n, &mut surface)).collect();
        for (low, high) in rings.iter().zip(rings.iter().skip(1)) {
            for k in 0..n as usize {
                let next = (k + 1) % n as usize;
                surface.triangle([low[k], low[next], high[next]]);
                surface.triangle([low[k], high[next], high[k]]);
            }
        }
    }
    surface
}

/// The vertices of a ring; of a point on the axis one for each edge.
fn placed(ring: &Ring, n: u32, surface: &mut Surface) -> Vec<u32> {
    let Ring { radius, height, normal: [radial, axial] } = *ring;
    let shift = if radius == 0.0 { 0.5 } else { 0.0 };
    let vertex = |k: u32| {
        let (sin, cos) = libm::sincos(TAU * (f64::from(k) + shift) / f64::from(n));
        let position = DVec3::new(radius * cos, radius * sin, height);
        surface.vertex(position, DVec3::new(radial * cos, radial * sin, axial))
    };
    (0..n).map(vertex).collect()
}
