//! Distances between convex polyhedra beside parry's, in the same run.
//!
//! Two equal hulls of a sphere, one of which turns by 1° per call about a fixed axis, half a radius apart; `warm` hands
//! each answer to the next query, `cold` forgets it. Parry has no memory between calls. `overlapping` are the same
//! hulls with half a radius in common; `box_on_box` is two boxes at rest on each other, with their manifold.

use std::sync::Arc;

use carom_bench::sphere_points;
use carom_geometry::distance::{Convex, Manifold, Warm, closest, manifold};
use carom_geometry::{Pose, convex_hull};
use divan::Bencher;
use divan::counter::ItemsCount;
use glam::{DQuat, DVec3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::ConvexPolyhedron;

fn main() {
    divan::main();
}

/// Facets of the hulls: 2n − 4 for n points on a sphere.
const FACETS: [u32; 3] = [20, 162, 5000];

/// Where the hull stands that turns half a radius away, and half of one inside.
const APART: DVec3 = DVec3::new(2.2, 1.0, 0.5);
const INSIDE: DVec3 = DVec3::new(1.3, 0.59, 0.29);

/// Turned by one degree after the other about a tilted axis.
fn poses(place: DVec3) -> Vec<Pose> {
    let axis = DVec3::new(0.3, 0.8, 0.52).normalize_or_zero();
    let pose = |degrees: u32| {
        let half = f64::from(degrees).to_radians() / 2.0;
        let (sin, cos) = libm::sincos(half);
        Pose::new(place, DQuat::from_xyzw(sin * axis.x, sin * axis.y, sin * axis.z, cos))
    };
    (0..360).map(pose).collect()
}

fn points(facets: u32) -> Vec<DVec3> {
    sphere_points(facets / 2 + 2)
}

fn hull(facets: u32) -> Convex {
    Convex::Polyhedron(Arc::new(convex_hull(&points(facets)).expect("the points span a solid")))
}

fn parry_hull(facets: u32) -> ConvexPolyhedron {
    let points: Vec<Vector> = points(facets).iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    ConvexPolyhedron::from_convex_hull(&points).expect("the points span a solid")
}

fn parry_poses() -> Vec<ParryPose> {
    let convert = |pose: &Pose| ParryPose {
        translation: Vector::from_array(pose.translation.to_array()),
        rotation: Rotation::from_array(pose.rotation.to_array()),
    };
    poses(APART).iter().map(convert).collect()
}

/// One item is one query.
fn bench<P>(bencher: Bencher, poses: &[P], mut query: impl FnMut(&P)) {
    bencher
        .counter(ItemsCount::new(poses.len()))
        .bench_local(|| poses.iter().for_each(|pose| query(divan::black_box(pose))));
}

#[divan::bench(args = FACETS)]
fn warm(bencher: Bencher, facets: u32) {
    let (a, b, mut memory) = (hull(facets), hull(facets), Warm::Cold);
    bench(bencher, &poses(APART), |pose| {
        divan::black_box(closest(&a, &b, pose, &mut memory));
    });
}

#[divan::bench(args = FACETS)]
fn cold(bencher: Bencher, facets: u32) {
    let (a, b) = (hull(facets), hull(facets));
    bench(bencher, &poses(APART), |pose| {
        divan::black_box(closest(&a, &b, pose, &mut Warm::Cold));
    });
}

#[divan::bench(args = FACETS)]
fn parry_closest_points(bencher: Bencher, facets: u32) {
    let (a, b, origin) = (parry_hull(facets), parry_hull(facets), ParryPose::IDENTITY);
    bench(bencher, &parry_poses(), |pose| {
        let _ = divan::black_box(query::closest_points(&origin, &a, pose, &b, f64::MAX));
    });
}

#[divan::bench(args = FACETS)]
fn parry_distance(bencher: Bencher, facets: u32) {
    let (a, b, origin) = (parry_hull(facets), parry_hull(facets), ParryPose::IDENTITY);
    bench(bencher, &parry_poses(), |pose| {
        let _ = divan::black_box(query::distance(&origin, &a, pose, &b));
    });
}

#[divan::bench(args = FACETS)]
fn overlapping(bencher: Bencher, facets: u32) {
    let (a, b, mut memory) = (hull(facets), hull(facets), Warm::Cold);
    bench(bencher, &poses(INSIDE), |pose| {
        divan::black_box(closest(&a, &b, pose, &mut memory));
    });
}

#[divan::bench]
fn box_on_box(bencher: Bencher) {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
    let corners: Vec<DVec3> = (0..8).map(corner).collect();
    let solid = Convex::Polyhedron(Arc::new(convex_hull(&corners).expect("a box")));
    let place = |i: u32| Pose::from_translation(DVec3::new(f64::from(i) / 720.0, 0.3, 1.0 + 1e-6));
    let poses: Vec<Pose> = (0..360).map(place).collect();
    let (mut memory, mut points) = (Warm::Cold, Manifold::default());
    bench(bencher, &poses, |pose| {
        let answer = closest(&solid, &solid, pose, &mut memory);
        manifold(&solid, &solid, pose, &answer, 1e-4, &mut points);
        divan::black_box(points.points());
    });
}
