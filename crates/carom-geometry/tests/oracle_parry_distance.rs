//! Distances and depths beside parry's, on random hulls.
//!
//! Ours carry their own proof: the points are that far apart and the slab between the solids is that wide. Where
//! parry differs by more than its tolerance the proof decides, and the number of such cases is printed.

use std::sync::Arc;

use carom_geometry::distance::{Closest, Convex, Warm, closest};
use carom_geometry::{ConvexPolyhedron, Pose, convex_hull};
use glam::{DQuat, DVec3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::ConvexPolyhedron as ParryPolyhedron;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestRunner};

fn runner() -> TestRunner {
    let rng_seed = RngSeed::Fixed(0xCA20);
    TestRunner::new(Config { failure_persistence: None, rng_seed, ..Config::default() })
}

fn vector(p: DVec3) -> Vector {
    Vector::from_array(p.to_array())
}

fn theirs(hull: &ConvexPolyhedron) -> Option<ParryPolyhedron> {
    let mesh = hull.to_mesh();
    let points = mesh.vertices().iter().map(|v| vector(*v)).collect();
    ParryPolyhedron::from_convex_mesh(points, mesh.triangles())
}

/// How far the answer is from being proved: difference of its points against the slab over all vertices.
fn doubt(a: &ConvexPolyhedron, b: &ConvexPolyhedron, pose: &Pose, answer: &Closest) -> f64 {
    let n = answer.normal;
    let low = a.vertices().iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min);
    let high = b.vertices().iter().map(|p| n.dot(pose.point(*p))).fold(f64::NEG_INFINITY, f64::max);
    let apart = answer.point_a.distance(answer.point_b) - answer.distance.abs();
    (low - high - answer.distance).abs().max(apart.abs())
}

/// Two hulls and a placement.
type Drawn = (ConvexPolyhedron, ConvexPolyhedron, Pose);

fn draws() -> impl Strategy<Value = Option<Drawn>> {
    let point = proptest::array::uniform3(-1.0..1.0_f64).prop_map(DVec3::from_array);
    let cloud = proptest::collection::vec(point, 5..30);
    let shift = proptest::array::uniform3(-2.0..2.0_f64).prop_map(DVec3::from_array);
    let turn = proptest::array::uniform4(-1.0..1.0_f64).prop_map(DQuat::from_array);
    (cloud.clone(), cloud, shift, turn).prop_map(|(a, b, shift, turn)| {
        Some((convex_hull(&a).ok()?, convex_hull(&b).ok()?, Pose::new(shift, turn.normalize())))
    })
}

/// Parry's distance, or minus its depth.
fn their_distance((a, b, pose): &Drawn) -> Option<f64> {
    let translation = vector(pose.translation);
    let rotation = Rotation::from_array(pose.rotation.to_array());
    let placed = ParryPose { translation, rotation };
    let (a, b) = (theirs(a)?, theirs(b)?);
    Some(query::contact(&ParryPose::IDENTITY, &a, &placed, &b, f64::MAX).ok()??.dist)
}

#[test]
fn distances_and_depths_agree_with_parrys_wherever_it_is_right() {
    let (strategy, mut runner) = (draws(), runner());
    let [mut apart, mut overlapping, mut differed] = [0; 3];
    let mut worst = 0.0_f64;
    for index in 0..10_000 {
        let Some(drawn) = strategy.new_tree(&mut runner).unwrap().current() else { continue };
        let (a, b, pose) = &drawn;
        let solids = [a, b].map(|it| Convex::Polyhedron(Arc::new(it.clone())));
        let answer = closest(&solids[0], &solids[1], pose, &mut Warm::Cold);
        assert!(doubt(a, b, pose, &answer) <= 1e-14, "pair {index}: {answer:?}");
        *if answer.distance > 0.0 { &mut apart } else { &mut overlapping } += 1;
        let Some(theirs) = their_distance(&drawn) else {
            differed += 1;
            continue;
        };
        let error = (theirs - answer.distance).abs();
        if error > 1e-6 {
            // A proved distance cannot be wrong; of two depths the smaller one is right.
            assert!(answer.distance > 0.0 || theirs < answer.distance, "pair {index}: {theirs}");
            differed += 1;
        } else {
            worst = worst.max(error);
        }
    }
    println!("{apart} apart, {overlapping} overlapping, worst {worst:e}; parry off in {differed}");
    assert!(apart > 3_000 && overlapping > 2_000, "{apart} {overlapping}");
    assert!(differed < 100, "{differed}");
}
