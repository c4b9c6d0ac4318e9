//! Every kind of solid against every other, beside intervals that hold the distance for certain.
//!
//! Each kind meets all kinds in random placements, from overlapping to a size apart. Where a solid that is not convex
//! overlaps another there is no telling how deep, so such placements count only if the solids are apart.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use oracles::gap::{Body, Oracle};

use carom_geometry::shapes::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Part, Superquadric,
};
use carom_geometry::{ClosedMesh, Pose, Shape, convex_hull};

use super::super::super::{Context, Row};
use super::nearest;
use crate::audit::{pose_of, solid_of};

const SOURCE: &str = "oracles::gap: a convex programme, bounded from both sides";
const N_PLACEMENTS: u32 = 4;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let kinds = kinds().unwrap_or_default();
    let mut numbers = Numbers(0.0);
    kinds.iter().map(|kind| kind_row(context, kind, &kinds, &mut numbers)).collect()
}

/// A shape of every kind, about 1 m in size.
fn kinds() -> Option<Vec<(&'static str, Shape)>> {
    let axes = DVec3::new(0.6, 0.4, 0.25);
    let corner =
        |i: u32| DVec3::from_array([0, 1, 2].map(|k| libm::cos(f64::from((i + 1) * (2 * k + 3)))));
    let corners: Vec<DVec3> = (0..24).map(|i| 0.5 * corner(i)).collect();
    let hull = convex_hull(&corners).ok()?;
    let bar = Shape::Cuboid(Cuboid::new(DVec3::new(0.6, 0.1, 0.1)).ok()?);
    let across = Pose::new(DVec3::new(0.0, 0.0, 0.15), DQuat::from_rotation_z(1.2));
    let part = |body_from_shape| Part { shape: bar.clone(), body_from_shape };
    let cross = Compound::new(vec![part(Pose::IDENTITY), part(across)]).ok()?;
    Some(vec![
        ("ball", Shape::Ball(Ball::new(0.5).ok()?)),
        ("box", Shape::Cuboid(Cuboid::new(axes).ok()?)),
        ("capsule", Shape::Capsule(Capsule::new(0.4, 0.2).ok()?)),
        ("cylinder", Shape::Cylinder(Cylinder::new(0.5, 0.3).ok()?)),
        ("cone", Shape::Cone(Cone::new(0.5, 0.4).ok()?)),
        ("ellipsoid", Shape::Ellipsoid(Ellipsoid::new(axes).ok()?)),
        ("superquadric", Shape::Superquadric(Superquadric::new(axes, 4.0, 2.5).ok()?)),
        ("half-space", Shape::HalfSpace(HalfSpace::new(DVec3::new(0.6, 0.0, 0.8), 0.1).ok()?)),
        ("polyhedron", Shape::Polyhedron(Arc::new(hull.clone()))),
        ("mesh", Shape::Mesh(Arc::new(ClosedMesh::new(hull.to_mesh()).ok()?))),
        ("compound", Shape::Compound(Arc::new(cross))),
    ])
}

/// Numbers between −1 and 1 (multiples of the golden section).
struct Numbers(f64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 += 1.0;
        2.0 * libm::fmod(0.618033988749895 * self.0, 1.0) - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    fn pose(&mut self) -> Pose {
        let place = 1.5 * self.vector();
        let turn = DQuat::from_scaled_axis(3.0 * self.vector());
        Pose::new(place, turn)
    }
}

fn kind_row(
    context: &Context,
    (name, shape): &(&'static str, Shape),
    kinds: &[(&'static str, Shape)],
    numbers: &mut Numbers,
) -> Row {
    let mut worst = 0.0_f64;
    let mut n_measured = 0;
    for (_, other) in kinds {
        for _ in 0..N_PLACEMENTS {
            let poses = [numbers.pose(), numbers.pose()];
            let Some(outside) = outside(context, [shape, other], poses) else { continue };
            n_measured += 1;
            worst = if worst >= outside || worst.is_nan() { worst } else { outside };
        }
    }
    let what = format!(
        "{name}: {n_measured} distances from solids of all kinds, out of their intervals by"
    );
    let row = Row::case(format!("distance/{name}"), what, SOURCE).in_unit("m");
    // What is promised of a distance: 1e-12 of the solids' size.
    row.absolute(1e-12, 0.0, worst)
}

/// How far a distance lies outside the interval that holds it; none if there is no interval `[m]`.
fn outside(context: &Context, shapes: [&Shape; 2], poses: [Pose; 2]) -> Option<f64> {
    let [a, b] = shapes.map(|shape| Body::new(&solid_of(shape)).ok());
    let [at, bt] = poses.map(|pose| pose_of(&pose));
    let gap = Oracle::new().gap(&a?, &at, &b?, &bt);
    let is_hollow = |shape: &&Shape| matches!(shape, Shape::Mesh(_) | Shape::Compound(_));
    if !gap.width().is_finite() || (!gap.is_apart() && shapes.iter().any(is_hollow)) {
        return None;
    }
    let distance = nearest(context, shapes, poses).map_or(f64::NAN, |it| it.distance);
    // NaN is not inside.
    if gap.holds(distance, 0.0) {
        Some(0.0)
    } else {
        Some((gap.lower - distance).max(distance - gap.upper))
    }
}
