//! The walk, its proofs and its ways out, beside brute force.

mod cases;
mod coherence;
mod exact;
mod oracle;
mod random;
mod regions;

use glam::DVec3;

use super::*;
use cases::Dice;
use oracle::{Bare, width};

/// Any feature of a solid.
fn any_feature(dice: &mut Dice, solid: &Convex) -> Feature {
    let (vertices, half_edges, faces) = match solid {
        Convex::Polyhedron(it) => (it.vertices().len(), it.half_edges().len(), it.faces().len()),
        _ => (3, 3, 1),
    };
    match dice.below(3) {
        0 => Feature::Vertex(dice.below(vertices as u64) as u32),
        1 => Feature::Edge(dice.below(half_edges as u64) as u32),
        _ => Feature::Face(dice.below(faces as u64) as u32),
    }
}

/// A memory of features and a distance that mean nothing.
fn any_memory(dice: &mut Dice, a: &Convex, b: &Convex) -> Warm {
    let [point_a, point_b, normal] = [0; 3].map(|_| dice.direction());
    let features = [any_feature(dice, a), any_feature(dice, b)];
    Warm::Last(Closest { distance: dice.within(-1.0, 1.0), point_a, point_b, normal, features })
}

fn solved(a: &Convex, b: &Convex, a_from_b: &Pose, warm: &Warm) -> (Closest, Effort) {
    closest_with_effort(a, b, a_from_b, warm).expect("both are polyhedra")
}

fn cold(a: &Convex, b: &Convex, a_from_b: &Pose) -> Closest {
    solved(a, b, a_from_b, &Warm::Cold).0
}

/// What is wrong with an answer in itself: its normal must part all vertices as far as it says, and its points must
/// differ by that along the normal.
fn find_contradiction(answer: &Closest, a: &Bare, b: &Bare, tolerance: f64) -> Option<String> {
    let slab = width(a, b, answer.normal);
    let difference = answer.point_a - answer.point_b;
    let along = difference.dot(answer.normal);
    let wrong = [
        ("length of the normal", answer.normal.length() - 1.0, 1e-14),
        ("slab", slab - answer.distance, tolerance),
        ("points along the normal", along - answer.distance, tolerance),
        ("points", difference.length() - answer.distance.abs(), tolerance),
        ("A's point outside A", a.outside(answer.point_a), tolerance),
        ("B's point outside B", b.outside(answer.point_b), tolerance),
    ];
    let find = |(what, error, allowed): &(&str, f64, f64)| {
        let is_right = error.abs() <= *allowed;
        (!is_right).then(|| format!("{what} off by {error:e}"))
    };
    wrong.iter().find_map(find)
}
