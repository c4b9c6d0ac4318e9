//! Contact points beside measured distances, closed forms and other derivations of the same numbers.

mod derivatives;
mod flat;
mod kinds;
mod rocking;
mod routes;
mod sets;

use std::sync::Arc;

use carom_geometry::distance::Warm;
use carom_geometry::distance::pieces::{ClosestPieces, Pieces, PiecesCache, closest_pieces};
use carom_geometry::shapes::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Part, Superquadric,
};
use carom_geometry::{Pose, Shape, convex_hull};
use glam::{DQuat, DVec3};

use super::{Accelerating, ContactPoint, Followed, Moving, Solid, contact_points};

/// Numbers between −1 and 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        size * DVec3::new(self.next(), self.next(), self.next())
    }
}

/// A body that moves with constant acceleration of its origin and constant angular velocity.
#[derive(Clone, Copy, Debug)]
struct Flight {
    start: Pose,
    velocity: DVec3,
    spin: DVec3,
    acceleration: DVec3,
}

impl Flight {
    fn random(numbers: &mut Numbers, place: DVec3) -> Self {
        Self {
            start: Pose::new(place, DQuat::from_scaled_axis(numbers.vector(3.0))),
            velocity: numbers.vector(1.0),
            spin: numbers.vector(2.0),
            acceleration: numbers.vector(3.0),
        }
    }

    fn at(&self, t: f64) -> Moving {
        let turn = DQuat::from_scaled_axis(t * self.spin);
        let place = self.start.translation + t * self.velocity + 0.5 * t * t * self.acceleration;
        Moving {
            world_from_frame: Pose::new(place, (turn * self.start.rotation).normalize()),
            velocity: self.velocity + t * self.acceleration,
            spin: self.spin,
        }
    }

    fn accelerating(&self) -> Accelerating {
        Accelerating { linear: self.acceleration, angular: DVec3::ZERO }
    }
}

fn solid(pieces: &Pieces) -> Solid<'_> {
    Solid { pieces, frame_from_shape: Pose::IDENTITY, size: 1.0 }
}

fn measured(pieces: [&Pieces; 2], flights: &[Flight; 2], t: f64) -> ClosestPieces {
    let [a, b] = [0, 1].map(|i| flights[i].at(t).world_from_frame);
    let a_from_b = a.inverse().then_from(&b);
    closest_pieces(pieces[0], pieces[1], &a_from_b, &mut PiecesCache::default())
}

fn points_at(solids: [&Solid<'_>; 2], poses: [&Pose; 2], reach: f64) -> Vec<ContactPoint> {
    let mut points = Vec::new();
    contact_points(solids, poses, reach, &mut points).expect("a finite gap");
    points
}

fn follow(
    point: &ContactPoint,
    solids: [&Solid<'_>; 2],
    flights: &[Flight; 2],
    t: f64,
) -> Option<Followed> {
    let [a, b] = [flights[0].at(t), flights[1].at(t)];
    point.follow(solids, [&a, &b], &mut Warm::Cold)
}

/// What each point says of bodies at rest.
fn at_rest(points: &[ContactPoint], solids: [&Solid<'_>; 2], poses: [&Pose; 2]) -> Vec<Followed> {
    let moving = poses.map(|pose| Moving::at_rest(*pose));
    let say = |point: &ContactPoint| {
        point.follow(solids, [&moving[0], &moving[1]], &mut Warm::Cold).expect("it can be followed")
    };
    points.iter().map(say).collect()
}

/// Second derivative from seven values, an h apart, to the order of h⁶.
fn second_difference(values: [f64; 7], h: f64) -> f64 {
    let weights = [2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0];
    weights.iter().zip(values).map(|(w, v)| w * v).sum::<f64>() / (180.0 * h * h)
}

/// First derivative from seven values, an h apart, to the order of h⁶.
fn first_difference(values: [f64; 7], h: f64) -> f64 {
    let weights = [-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0];
    weights.iter().zip(values).map(|(w, v)| w * v).sum::<f64>() / (60.0 * h)
}

/// How much differences over five and over seven values are apart: more than the latter are off by; of the first and the second
/// derivative.
fn doubts(v: [f64; 7], h: f64) -> [f64; 2] {
    let first = (v[1] - 8.0 * v[2] + 8.0 * v[4] - v[5]) / (12.0 * h);
    let second = (16.0 * (v[2] + v[4]) - v[1] - v[5] - 30.0 * v[3]) / (12.0 * h * h);
    [(first - first_difference(v, h)).abs(), (second - second_difference(v, h)).abs()]
}

fn ball(radius: f64) -> Shape {
    Shape::Ball(Ball::new(radius).expect("a radius"))
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(DVec3::new(x, y, z)).expect("sizes"))
}

fn cylinder(half_length: f64, radius: f64) -> Shape {
    Shape::Cylinder(Cylinder::new(half_length, radius).expect("sizes"))
}

fn cone(half_length: f64, radius: f64) -> Shape {
    Shape::Cone(Cone::new(half_length, radius).expect("sizes"))
}

fn ellipsoid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Ellipsoid(Ellipsoid::new(DVec3::new(x, y, z)).expect("semi-axes"))
}

fn superquadric(x: f64, y: f64, z: f64, exponent: f64) -> Shape {
    let axes = DVec3::new(x, y, z);
    Shape::Superquadric(Superquadric::new(axes, exponent, exponent).expect("axes"))
}

fn floor() -> Shape {
    Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a plane"))
}

fn together(parts: Vec<(Shape, Pose)>) -> Shape {
    let part = |(shape, body_from_shape)| Part { shape, body_from_shape };
    let parts = parts.into_iter().map(part).collect();
    Shape::Compound(Arc::new(Compound::new(parts).expect("parts")))
}

/// One of each kind.
fn all_kinds() -> Vec<(&'static str, Shape)> {
    let corners = [DVec3::X, DVec3::Y, DVec3::Z, -0.6 * DVec3::ONE, DVec3::new(0.5, 0.5, -0.7)];
    let hull = Shape::Polyhedron(Arc::new(convex_hull(&corners).expect("a hull")));
    let tilted = Pose::new(DVec3::new(0.4, -0.2, 0.1), DQuat::from_rotation_x(0.7));
    let jack =
        together(vec![(cuboid(0.8, 0.2, 0.2), Pose::IDENTITY), (cylinder(0.7, 0.2), tilted)]);
    vec![
        ("ball", ball(0.5)),
        ("box", cuboid(0.3, 0.5, 0.8)),
        ("ellipsoid", ellipsoid(0.4, 0.7, 1.1)),
        ("superquadric", superquadric(0.6, 0.5, 0.8, 3.0)),
        ("capsule", Shape::Capsule(Capsule::new(0.6, 0.3).expect("sizes"))),
        ("cylinder", cylinder(0.5, 0.7)),
        ("cone", cone(0.6, 0.5)),
        ("hull", hull),
        ("pieces", jack),
        ("plane", floor()),
    ]
}
