//! Convex shapes of every kind.

use std::sync::Arc;

use carom_geometry::shapes::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Superquadric};
use carom_geometry::{Shape, convex_hull};
use glam::DVec3;

use super::numbers::Numbers;

/// Corners of a hull.
const CORNERS: [usize; 2] = [8, 24];

/// A convex shape of some kind, about as large as `radius`; up to eight times as long as wide, one in five up to a hundred
/// times `[m]`.
pub(super) fn any_convex(numbers: &mut Numbers, radius: f64) -> Option<Shape> {
    let thinnest = if numbers.chance(0.2) { 0.01 } else { 0.125 };
    let mut size = || radius * numbers.decades(thinnest, 1.0);
    let sizes = DVec3::new(size(), size(), size());
    let round = sizes.x;
    let half_length = sizes.z;
    Some(match numbers.below(8) {
        0 => ball(radius)?,
        1 => cuboid(sizes)?,
        2 => capsule(half_length, round)?,
        3 => cylinder(half_length, round)?,
        4 => Shape::Cone(Cone::new(half_length, round).ok()?),
        5 => Shape::Ellipsoid(Ellipsoid::new(sizes).ok()?),
        6 => {
            let exponents = [numbers.decades(1.2, 8.0), numbers.decades(1.2, 8.0)];
            Shape::Superquadric(Superquadric::new(sizes, exponents[0], exponents[1]).ok()?)
        }
        _ => {
            let corners = CORNERS[0] + numbers.below(CORNERS[1] - CORNERS[0]);
            let points: Vec<DVec3> = (0..corners).map(|_| sizes * numbers.direction()).collect();
            hull(&points)?
        }
    })
}

pub(super) fn ball(radius: f64) -> Option<Shape> {
    Some(Shape::Ball(Ball::new(radius).ok()?))
}

pub(super) fn cuboid(half: DVec3) -> Option<Shape> {
    Some(Shape::Cuboid(Cuboid::new(half).ok()?))
}

pub(super) fn capsule(half_length: f64, radius: f64) -> Option<Shape> {
    Some(Shape::Capsule(Capsule::new(half_length, radius).ok()?))
}

pub(super) fn cylinder(half_length: f64, radius: f64) -> Option<Shape> {
    Some(Shape::Cylinder(Cylinder::new(half_length, radius).ok()?))
}

pub(super) fn hull(points: &[DVec3]) -> Option<Shape> {
    Some(Shape::Polyhedron(Arc::new(convex_hull(points).ok()?)))
}
