//! Distances beside parry's, for the kinds both have.
//!
//! Parry iterates on support points to its own tolerance; where the two disagree by more than its digits, the
//! bounds that our answer carries say who is right, and they are checked here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use carom_geometry::distance::Convex;
use glam::{DQuat, DVec3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::distance;
use parry3d_f64::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Shape};

use crate::random::{Pair, Random, opposite, size, solid};

/// Parry's shape, and the turn that takes its axis y to our axis z.
fn theirs(shape: &Convex) -> Option<(Box<dyn Shape>, DQuat)> {
    let upright = DQuat::from_rotation_arc(DVec3::Y, DVec3::Z);
    Some(match shape {
        Convex::Ball(it) => (Box::new(Ball::new(it.radius())), DQuat::IDENTITY),
        Convex::Capsule(it) => {
            (Box::new(Capsule::new_z(it.half_length(), it.radius())), DQuat::IDENTITY)
        }
        Convex::Cylinder(it) => (Box::new(Cylinder::new(it.half_length(), it.radius())), upright),
        Convex::Cone(it) => (Box::new(Cone::new(it.half_length(), it.radius())), upright),
        Convex::Polyhedron(it) => {
            let half = it.vertices().iter().fold(DVec3::ZERO, |half, v| half.max(v.abs()));
            (Box::new(Cuboid::new(Vector::new(half.x, half.y, half.z))), DQuat::IDENTITY)
        }
        _ => return None,
    })
}

fn their_pose(translation: DVec3, rotation: DQuat) -> Pose {
    let DVec3 { x, y, z } = translation;
    let q = rotation;
    Pose::from_parts(Vector::new(x, y, z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}

fn their_distance(pair: &Pair) -> Option<f64> {
    let ((a, turn_a), (b, turn_b)) = (theirs(&pair.a)?, theirs(&pair.b)?);
    let from_a = their_pose(DVec3::ZERO, turn_a);
    let from_b = their_pose(pair.a_from_b.translation, pair.a_from_b.rotation * turn_b);
    let ask = AssertUnwindSafe(|| distance(&from_a, a.as_ref(), &from_b, b.as_ref()).ok());
    let answer = catch_unwind(ask);
    Some(answer.ok()??.distance)
}

#[test]
fn distances_agree_with_parrys_wherever_ours_does_not_prove_them_wrong() {
    let kinds = ["ball", "capsule", "cylinder", "cone", "box"];
    let mut random = Random(0xBA22);
    let (mut n_agree, mut n_refused, mut n_off) = (0, 0, 0);
    for i in 0..5 {
        for j in i..5 {
            for k in 0..400 {
                let [a, b] = [kinds[i], kinds[j]].map(|kind| solid(kind, 10.0, &mut random));
                let gap = [1e-6, 1e-3, 0.1, 1.0][k % 4] * size(&a).max(size(&b));
                let pair = opposite(a, b, gap, &mut random);
                let ours = pair.closest();
                let Some(theirs) = their_distance(&pair) else {
                    n_refused += 1;
                    continue;
                };
                if (ours.distance - theirs).abs() <= 1e-7 * pair.size() {
                    n_agree += 1;
                } else {
                    n_off += 1;
                    assert!(pair.error(&ours) < 1e-12, "{ours:?}, not {theirs}, of {pair:?}");
                }
            }
        }
    }
    println!("{n_agree} agree, parry refused {n_refused} and is off in {n_off}");
    assert!(n_agree > 5000, "{n_agree}");
}
