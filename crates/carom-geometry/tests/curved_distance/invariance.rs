//! What must not change the answer.

use std::sync::Arc;

use carom_geometry::distance::{Closest, Convex, Warm, closest};
use carom_geometry::{Pose, convex_hull};
use glam::{DQuat, DVec3};

use crate::random::{Pair, Random, curved_pairs, opposite, scaled, size, solid};

/// A pair of the kinds, apart, touching or overlapping a little.
fn any_pair(kinds: [&str; 2], k: usize, random: &mut Random) -> Pair {
    let [a, b] = kinds.map(|kind| solid(kind, 100.0, random));
    let gap = [0.3, 1e-3, 1e-9, 0.0, -1e-6, -1e-3][k % 6] * size(&a).max(size(&b));
    opposite(a, b, gap, random)
}

/// Distances agree to the tolerance of answers. Overlaps may be left in any direction whose depth is the least to
/// within a billionth of the size.
fn same(one: f64, other: f64, size: f64) -> bool {
    let overlap = one < -1e-12 * size;
    (one - other).abs() <= if overlap { 1e-9 } else { 2e-12 } * size
}

#[test]
fn swapping_the_solids_swaps_the_answer() {
    let mut random = Random(1);
    for kinds in curved_pairs() {
        for k in 0..60 {
            let pair = any_pair(kinds, k, &mut random);
            let there = pair.closest();
            let back = pair.swapped().closest();
            assert!(
                same(there.distance, back.distance, pair.size()),
                "{there:?}, {back:?}, {pair:?}"
            );
        }
    }
}

#[test]
fn scaling_the_solids_scales_the_answer() {
    let mut random = Random(2);
    for kinds in curved_pairs() {
        for k in 0..40 {
            let pair = any_pair(kinds, k, &mut random);
            let factor = [1e-6, 1e-3, 7.0, 1e6][k % 4];
            let larger = Pair {
                a: scaled(&pair.a, factor),
                b: scaled(&pair.b, factor),
                a_from_b: Pose::new(factor * pair.a_from_b.translation, pair.a_from_b.rotation),
                ..pair.clone()
            };
            let (plain, scaled) = (pair.closest().distance, larger.closest().distance / factor);
            assert!(same(plain, scaled, pair.size()), "{plain}, {scaled} times {factor}, {pair:?}");
        }
    }
}

/// The same solid in a frame that is turned by `turn`, and the turn that was possible: solids with an axis only turn
/// about it, and those with three do not turn.
fn turned(shape: &Convex, turn: DQuat) -> (Convex, DQuat) {
    let about_z = DQuat::from_rotation_z(turn.to_scaled_axis().z);
    match shape {
        Convex::Ball(_) => (shape.clone(), turn),
        Convex::Capsule(_) | Convex::Cylinder(_) | Convex::Cone(_) => (shape.clone(), about_z),
        Convex::Triangle(corners) => (Convex::Triangle(corners.map(|corner| turn * corner)), turn),
        Convex::Polyhedron(it) => {
            let points: Vec<DVec3> = it.vertices().iter().map(|v| turn * *v).collect();
            (Convex::Polyhedron(Arc::new(convex_hull(&points).expect("it has a volume"))), turn)
        }
        _ => (shape.clone(), DQuat::IDENTITY),
    }
}

#[test]
fn turning_the_frames_turns_the_answer() {
    let mut random = Random(3);
    for kinds in curved_pairs() {
        for k in 0..40 {
            let pair = any_pair(kinds, k, &mut random);
            let (a, turn_a) = turned(&pair.a, random.rotation());
            let (b, turn_b) = turned(&pair.b, random.rotation());
            let rotation = turn_a * pair.a_from_b.rotation * turn_b.conjugate();
            let a_from_b = Pose::new(turn_a * pair.a_from_b.translation, rotation.normalize());
            let other = closest(&a, &b, &a_from_b, &mut Warm::Cold).distance;
            let one = pair.closest().distance;
            assert!(same(one, other, pair.size()), "{one}, {other}, {pair:?}");
        }
    }
}

/// Answers about the same pair elsewhere, and one about nothing in particular.
fn starts(pair: &Pair, random: &mut Random) -> Vec<Warm> {
    let mut elsewhere = |reach: f64| {
        let shift = reach * pair.size() * random.direction();
        let turn = DQuat::from_scaled_axis(reach * random.direction());
        let rotation = (turn * pair.a_from_b.rotation).normalize();
        let pose = Pose::new(pair.a_from_b.translation + shift, rotation);
        let mut warm = Warm::Cold;
        closest(&pair.a, &pair.b, &pose, &mut warm);
        warm
    };
    let mut starts = vec![elsewhere(1e-6), elsewhere(1e-3), elsewhere(0.1), elsewhere(3.0)];
    let here = pair.closest();
    // The far sides of both, which satisfy the equations of nearest points as well.
    starts.push(Warm::Last(Closest {
        point_a: pair.a.support(here.normal),
        point_b: pair.a_from_b.point(pair.b.support(pair.a_from_b.vector_inverse(-here.normal))),
        normal: -here.normal,
        ..here
    }));
    starts
}

/// proves: baraff/15
#[test]
fn the_answer_does_not_depend_on_where_the_search_starts() {
    let mut random = Random(4);
    let mut n_checked = 0;
    for kinds in curved_pairs() {
        for k in 0..30 {
            let pair = any_pair(kinds, k, &mut random);
            let cold = pair.closest();
            for mut warm in starts(&pair, &mut random) {
                let answer = closest(&pair.a, &pair.b, &pair.a_from_b, &mut warm);
                let right = same(cold.distance, answer.distance, pair.size());
                assert!(right, "{cold:?}, warm {answer:?}, {pair:?}");
                assert_eq!(warm, Warm::Last(answer));
                n_checked += 1;
            }
        }
    }
    println!("{n_checked} warm answers");
}

#[test]
fn the_same_question_gets_the_same_bits() {
    let mut random = Random(5);
    for kinds in curved_pairs() {
        for k in 0..6 {
            let pair = any_pair(kinds, k, &mut random);
            assert_eq!(pair.closest(), pair.closest());
        }
    }
}
