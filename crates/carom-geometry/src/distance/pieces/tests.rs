//! Shapes of several pieces against all pairs of their pieces, and what holds a jack on stairs.

use std::sync::Arc;

use glam::DQuat;
use proptest::prelude::*;

use super::*;
use crate::distance::{Closest, Warm, closest};
use crate::shapes::{Capsule, Compound, Cuboid, Cylinder, Ellipsoid, HalfSpace, Part};
use crate::testing::{box_mesh, property, rotation};

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(DVec3::new(x, y, z)).expect("positive sizes"))
}

fn compound(parts: Vec<(Shape, Pose)>) -> Pieces {
    let part = |(shape, body_from_shape)| Part { body_from_shape, shape };
    let parts = parts.into_iter().map(part).collect();
    Pieces::of(&Shape::Compound(Arc::new(Compound::new(parts).expect("several parts"))))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

/// Three bars through one point, each 2 m long and 0.2 m thick.
fn jack() -> Pieces {
    let bars = [cuboid(1.0, 0.1, 0.1), cuboid(0.1, 1.0, 0.1), cuboid(0.1, 0.1, 1.0)];
    compound(bars.into_iter().map(|bar| (bar, Pose::IDENTITY)).collect())
}

/// A jack of different kinds.
fn odd_jack() -> Pieces {
    let valid = "positive sizes";
    let quarter = std::f64::consts::FRAC_PI_2;
    compound(vec![
        (Shape::Cylinder(Cylinder::new(1.0, 0.1).expect(valid)), Pose::IDENTITY),
        (
            Shape::Capsule(Capsule::new(1.0, 0.1).expect(valid)),
            Pose::new(DVec3::ZERO, DQuat::from_rotation_x(quarter)),
        ),
        (
            Shape::Ellipsoid(Ellipsoid::new(DVec3::new(1.2, 0.2, 0.1)).expect(valid)),
            at(0.0, 0.1, 0.0),
        ),
    ])
}

/// Steps 1 m deep and 0.9 m high, the first one's top at z = 0 from x = 0 to 1.
fn stairs(n: u32) -> Pieces {
    let step = |k: u32| {
        let k = f64::from(k);
        (cuboid(0.5, 2.0, 0.5 + 0.45 * k), at(0.5 + k, 0.0, 0.45 * k - 0.5))
    };
    compound((0..n).map(step).collect())
}

/// The least of all pairs of pieces.
fn brute(a: &Pieces, b: &Pieces, a_from_b: &Pose) -> f64 {
    let pairs = a.pieces().iter().flat_map(|p| b.pieces().iter().map(move |q| (p, q)));
    let distance = |(p, q): (&Piece, &Piece)| {
        let place = a_from_b.then_from(&q.shape_from_piece);
        let place = p.shape_from_piece.inverse().then_from(&place);
        closest(&p.convex, &q.convex, &place, &mut Warm::Cold).distance
    };
    pairs.map(distance).fold(f64::INFINITY, f64::min)
}

/// The points of an answer are as far apart along its normal as it says.
fn is_consistent(answer: &Closest) -> bool {
    let along = answer.normal.dot(answer.point_a - answer.point_b);
    (along - answer.distance).abs() < 1e-12
}

proptest! {
    #![proptest_config(property(300))]

    /// proves: m1/LC-R7
    #[test]
    fn the_distance_of_shapes_is_the_least_of_all_pairs_of_pieces(
        start in prop::array::uniform3(-3.0..3.0_f64), turn in rotation(), odd in any::<bool>(),
    ) {
        let (a, b) = (stairs(6), if odd { odd_jack() } else { jack() });
        let mut cache = PiecesCache::default();
        for step in 0..8 {
            let along = DVec3::from_array(start) + DVec3::new(3.0, 0.0, 0.3 * f64::from(step));
            let turn = turn * DQuat::from_rotation_y(0.02 * f64::from(step));
            let pose = Pose::new(along, turn);
            let found = closest_pieces(&a, &b, &pose, &mut cache);
            prop_assert!(is_consistent(&found.closest), "{:?}", found);
            let expected = brute(&a, &b, &pose);
            prop_assert!((found.closest.distance - expected).abs() < 1e-13, "{:?}", found);
        }
    }
}

fn contacts(a: &Pieces, b: &Pieces, pose: &Pose, reach: f64) -> Vec<PiecePoint> {
    let mut out = PiecesManifold::default();
    manifold_pieces(a, b, pose, reach, None, &mut out);
    out.points().to_vec()
}

/// One foot on the lower step, one arm on the upper: each is a rectangle of contact, and the crossing bars, which
/// overlap in the middle of the jack, are no contact.
///
/// proves: baraff/19
#[test]
fn a_jack_on_stairs_rests_on_the_union_of_its_contacts() {
    let points = contacts(&stairs(3), &jack(), &at(0.5, 0.0, 1.0), 1e-6);
    let mut places: Vec<[f64; 3]> = points.iter().map(|it| it.point.point_a.to_array()).collect();
    places.sort_by(|p, q| p.partial_cmp(q).expect("numbers"));
    let foot = [[0.4, -0.1, 0.0], [0.4, 0.1, 0.0], [0.6, -0.1, 0.0], [0.6, 0.1, 0.0]];
    let arm = [[1.0, -0.1, 0.9], [1.0, 0.1, 0.9], [1.5, -0.1, 0.9], [1.5, 0.1, 0.9]];
    let expected: Vec<[f64; 3]> = foot.into_iter().chain(arm).collect();
    assert_eq!(places.len(), expected.len(), "{places:?}");
    for (place, expected) in places.iter().zip(&expected) {
        let off = DVec3::from_array(*place).distance(DVec3::from_array(*expected));
        assert!(off < 1e-14, "{place:?} instead of {expected:?}");
    }
    for point in &points {
        assert!(point.point.gap.abs() < 1e-15 && (point.normal + DVec3::Z).length() < 1e-15);
    }
}

#[test]
fn a_mesh_on_a_floor_rests_on_its_corners_each_told_once() {
    let mesh = ClosedMesh::new(box_mesh(DVec3::new(0.5, 1.0, 0.2))).expect("a closed mesh");
    let floor = HalfSpace::new(DVec3::Z, 0.0).expect("a plane");
    let floor = Pieces::of(&Shape::HalfSpace(floor));
    let points =
        contacts(&floor, &Pieces::of(&Shape::Mesh(Arc::new(mesh))), &at(0.0, 0.0, 0.2), 1e-9);
    assert_eq!(points.len(), 4, "{points:?}");
}

#[test]
fn nothing_is_in_contact_beyond_reach() {
    assert_eq!(contacts(&stairs(2), &jack(), &at(0.5, 0.0, 1.1), 0.09), []);
    assert_eq!(contacts(&stairs(2), &jack(), &at(0.5, 0.0, 1.1), 0.11).len(), 8);
}

/// Two balls of one body, only the second of them inside the box that a mesh bounds.
#[test]
fn every_part_is_asked_whether_it_lies_inside_a_mesh() {
    let valid = "a positive radius";
    let ball = || Shape::Ball(crate::shapes::Ball::new(0.1).expect(valid));
    let pair = compound(vec![(ball(), at(5.0, 0.0, 0.0)), (ball(), at(0.0, 0.0, 0.5))]);
    let mesh = ClosedMesh::new(box_mesh(DVec3::ONE)).expect("a closed mesh");
    let mesh = Pieces::of(&Shape::Mesh(Arc::new(mesh)));
    let depth = depth_inside(&mesh, &pair, &Pose::IDENTITY).expect("one is inside");
    // Its anchor is its top.
    assert!((depth - 0.4).abs() < 1e-12, "{depth}");
    assert_eq!(depth_inside(&pair, &mesh, &Pose::IDENTITY), Some(depth));
    assert_eq!(depth_inside(&mesh, &pair, &at(0.0, 3.0, 0.0)), None);
    assert_eq!(depth_inside(&pair, &pair, &Pose::IDENTITY), None);
}
