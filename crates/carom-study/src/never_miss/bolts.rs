//! Two tumbling threaded bolts, from exact convex pieces.
//!
//! A bolt is a hexagonal head, a cylindrical core, and a thread: a helix of wedges, each the hull of two triangles
//! (root below, root above, crest) an eighth of a turn apart. Its sides are flat and its crest is straight between them,
//! so nothing is tessellated but the thread itself, which is what it is.

use std::sync::{Arc, OnceLock};

use carom::BodyState;
use carom_geometry::shapes::{Compound, Part};
use carom_geometry::{Pose, Shape};
use glam::DVec3;

use super::Case;
use super::numbers::Numbers;
use super::shapes::{cylinder, hull};
use super::stage::{Actor, Role, Stage};

/// Wedges in a turn of the thread.
const PER_TURN: u32 = 8;
/// Turns of the thread.
const TURNS: u32 = 4;
/// From turn to turn `[m]`.
const PITCH: f64 = 0.00125;
/// Of the core `[m]`.
const CORE: f64 = 0.0032;
/// Of the thread's crest `[m]`.
const CREST: f64 = 0.004;
/// Half of the core's length `[m]`.
const HALF_LENGTH: f64 = 0.0035;
/// Of the circle around the head, and its height `[m]`.
const HEAD: [f64; 2] = [0.0075, 0.005];

pub(super) fn draw(numbers: &mut Numbers) -> Option<Case> {
    let speed = numbers.decades(1.0, 300.0);
    let way = numbers.range(0.03, 0.1);
    let stage = Stage::any(numbers, way / speed, 0.02 / speed);
    let bolt = bolt()?;
    let along = numbers.direction();
    let aside = numbers.range(0.0, 0.02) * numbers.across(along);
    let boost = if numbers.chance(0.5) { speed * numbers.direction() } else { DVec3::ZERO };
    let mut actor = |position: DVec3, velocity: DVec3| Actor {
        shape: bolt.clone(),
        role: Role::Free,
        state: BodyState {
            position,
            orientation: numbers.rotation(),
            velocity: boost + velocity,
            angular_velocity: numbers.range(0.0, 12.0) / stage.before * numbers.direction(),
        },
    };
    let actors = [actor(DVec3::ZERO, DVec3::ZERO), actor(aside, speed * along)];
    stage.case(&actors)
}

/// The bolt, made once; its axis is z, with the head at the lower end.
pub(super) fn bolt() -> Option<Shape> {
    static BOLT: OnceLock<Option<Shape>> = OnceLock::new();
    BOLT.get_or_init(made).clone()
}

fn made() -> Option<Shape> {
    let mut shapes = vec![cylinder(HALF_LENGTH, CORE)?, head()?];
    for segment in 0..TURNS * PER_TURN {
        shapes.push(wedge(segment)?);
    }
    let part = |shape| Part { body_from_shape: Pose::IDENTITY, shape };
    let parts = shapes.into_iter().map(part).collect();
    Some(Shape::Compound(Arc::new(Compound::new(parts).ok()?)))
}

fn head() -> Option<Shape> {
    let top = -HALF_LENGTH;
    let corner = |i: u32| {
        let z = if i.is_multiple_of(2) { top } else { top - HEAD[1] };
        at(HEAD[0], f64::from(i / 2) / 6.0, z)
    };
    hull(&(0..12).map(corner).collect::<Vec<DVec3>>())
}

fn wedge(segment: u32) -> Option<Shape> {
    let profile = |end: u32| {
        let turn = f64::from(end) / f64::from(PER_TURN);
        let z = PITCH * (turn - 0.5 * f64::from(TURNS));
        // The root reaches into the core, so that no gap opens under the straight edges of the wedge.
        let root = 0.85 * CORE;
        [at(root, turn, z - 0.45 * PITCH), at(root, turn, z + 0.45 * PITCH), at(CREST, turn, z)]
    };
    let corners = [profile(segment), profile(segment + 1)];
    hull(corners.as_flattened())
}

/// A point by its distance from the axis, turns about it and height.
fn at(radius: f64, turns: f64, z: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(std::f64::consts::TAU * turns);
    DVec3::new(radius * cos, radius * sin, z)
}
