//! Contact points of solids that rest on each other, lean on each other or just pass.

use std::sync::Arc;

use glam::DQuat;
use proptest::prelude::*;

use super::*;
use crate::distance::{Warm, closest};
use crate::shapes::{Ball, Capsule, Cone, Cylinder, HalfSpace};
use crate::testing::{box_corners, point, property, rotation};
use crate::{ConvexPolyhedron, convex_hull};

fn hull(points: &[DVec3]) -> Convex {
    Convex::Polyhedron(Arc::new(convex_hull(points).expect("the points span a solid")))
}

fn cuboid(x: f64, y: f64, z: f64) -> Convex {
    hull(&box_corners(DVec3::new(x, y, z)))
}

fn floor() -> Convex {
    Convex::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("the normal is unit"))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

fn about_x(angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(sin, 0.0, 0.0, cos)
}

fn about_z(angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(0.0, 0.0, sin, cos)
}

/// The manifold of B standing on A, seen from A.
fn points(a: &Convex, b: &Convex, pose: &Pose, reach: f64) -> Vec<ManifoldPoint> {
    let closest = closest(a, b, pose, &mut Warm::Cold);
    let mut out = Manifold::default();
    manifold(a, b, pose, &closest, reach, &mut out);
    out.points().to_vec()
}

#[test]
fn cylinders_and_capsules_side_by_side_meet_along_what_they_share() {
    let cylinder = Convex::Cylinder(Cylinder::new(0.5, 0.3).expect("sizes"));
    let capsule = Convex::Capsule(Capsule::new(0.5, 0.3).expect("sizes"));
    for (a, b) in [(&cylinder, &cylinder), (&cylinder, &capsule), (&capsule, &capsule)] {
        for shift in [0.0, 0.25, -0.4] {
            let found = points(a, b, &at(0.6, 0.0, shift), 1e-9);
            let mut heights: Vec<f64> = found.iter().map(|it| it.point_a.z).collect();
            heights.sort_by(f64::total_cmp);
            let expected = [(-0.5_f64).max(shift - 0.5), 0.5_f64.min(shift + 0.5)];
            assert_eq!(heights.len(), 2, "{found:?}");
            let off = [0, 1].map(|i| (heights[i] - expected[i]).abs());
            assert!(off[0] + off[1] < 1e-12, "{heights:?} instead of {expected:?}");
        }
    }
}

/// The manifold of B above the floor, for an answer that is known: the deepest point of B is at `lowest`.
fn on_floor(b: &Convex, pose: &Pose, lowest: DVec3, reach: f64) -> Vec<ManifoldPoint> {
    let foot = lowest.with_z(0.0);
    let closest = Closest {
        distance: lowest.z,
        point_a: foot,
        point_b: lowest,
        normal: -DVec3::Z,
        features: [Feature::Face(0); 2],
    };
    let mut out = Manifold::default();
    manifold(&floor(), b, pose, &closest, reach, &mut out);
    out.points().to_vec()
}

/// x and y of the points, in order.
fn plan(points: &[ManifoldPoint]) -> Vec<[f64; 2]> {
    let round = |x: f64| libm::round(x * 1e9) / 1e9 + 0.0;
    let mut plan: Vec<[f64; 2]> =
        points.iter().map(|it| [round(it.point_a.x), round(it.point_a.y)]).collect();
    plan.sort_by(|p, q| p.partial_cmp(q).expect("numbers"));
    plan
}

fn assert_gaps(points: &[ManifoldPoint], expected: f64) {
    for point in points {
        assert!((point.gap - expected).abs() <= 1e-15, "{} instead of {expected}", point.gap);
        let gap = (point.point_a - point.point_b).length();
        assert!((gap - expected.abs()).abs() <= 1e-15, "{point:?}");
    }
}

/// proves: baraff/14
#[test]
fn a_box_on_a_plane_stands_on_its_four_corners() {
    for gap in [0.0, 1e-6, -1e-6] {
        let found =
            on_floor(&cuboid(1.0, 2.0, 0.5), &at(0.0, 0.0, 0.5 + gap), DVec3::Z * gap, 1e-9);
        let corners = vec![[-1.0, -2.0], [-1.0, 2.0], [1.0, -2.0], [1.0, 2.0]];
        assert_eq!(plan(&found), corners);
        assert_gaps(&found, 0.5 + gap - 0.5);
        assert!(
            found.iter().all(|it| matches!(it.features, [Feature::Face(0), Feature::Vertex(_)]))
        );
    }
}

/// proves: baraff/14
#[test]
fn a_box_half_off_an_edge_stands_on_the_corners_of_the_overlap() {
    let (table, brick) = (cuboid(2.0, 1.0, 0.5), cuboid(0.5, 0.25, 0.125));
    for gap in [0.0, 1e-6, 0.25, -1e-6] {
        let found = points(&table, &brick, &at(2.0, 0.5, 0.625 + gap), 1e-9);
        assert_eq!(plan(&found), [[1.5, 0.25], [1.5, 0.75], [2.0, 0.25], [2.0, 0.75]]);
        assert_gaps(&found, 0.625 + gap - 0.625);
        let crossings =
            found.iter().filter(|it| matches!(it.features, [Feature::Edge(_), Feature::Edge(_)]));
        assert_eq!(crossings.count(), 2);
    }
}

/// proves: baraff/14
#[test]
fn crossed_edges_meet_in_one_point_along_their_common_normal() {
    // Boxes on their edges, one above the other, at right angles.
    let bar = cuboid(1.0, 0.2, 0.2);
    let on_edge = about_x(std::f64::consts::FRAC_PI_4);
    let lower = Pose::new(DVec3::ZERO, on_edge);
    let height = 2.0 * 0.2 * 2.0_f64.sqrt() + 1e-3;
    let upper =
        Pose::new(DVec3::new(0.1, 0.2, height), about_z(std::f64::consts::FRAC_PI_2) * on_edge);
    let pose = lower.inverse().then_from(&upper);
    let closest = closest(&bar, &bar, &pose, &mut Warm::Cold);
    let mut out = Manifold::default();
    manifold(&bar, &bar, &pose, &closest, 1e-3, &mut out);
    let [only] = out.points() else { panic!("{:?}", out.points()) };
    assert!(matches!(only.features, [Feature::Edge(_), Feature::Edge(_)]));
    assert!((only.gap - 1e-3).abs() < 1e-15);
    let normal = lower.vector(closest.normal);
    assert!((normal + DVec3::Z).length() < 1e-15, "{normal}");
    let place = lower.point(only.point_a);
    assert!((place - DVec3::new(0.1, 0.0, 0.2 * 2.0_f64.sqrt())).length() < 1e-15, "{place}");
}

/// proves: baraff/14
#[test]
fn parallel_edges_meet_at_the_two_ends_of_what_they_share() {
    let bar = cuboid(1.0, 0.2, 0.2);
    let on_edge = about_x(std::f64::consts::FRAC_PI_4);
    let lower = Pose::new(DVec3::ZERO, on_edge);
    let height = 2.0 * 0.2 * 2.0_f64.sqrt();
    for gap in [1e-6, 1e-3] {
        let upper = Pose::new(DVec3::new(0.5, 0.0, height + gap), on_edge);
        let pose = lower.inverse().then_from(&upper);
        let found = points(&bar, &bar, &pose, 1e-9);
        let mut along: Vec<f64> = found.iter().map(|it| it.point_a.x).collect();
        along.sort_by(f64::total_cmp);
        assert_eq!(along.len(), 2, "{found:?}");
        assert!((along[0] + 0.5).abs() < 1e-15 && (along[1] - 1.0).abs() < 1e-15, "{along:?}");
        assert!(found.iter().all(|it| (it.gap - gap).abs() < 1e-15));
    }
}

/// proves: baraff/13
#[test]
fn equal_cubes_stacked_or_lowered_by_a_thousandth_meet_in_four_corners() {
    let cube = cuboid(0.5, 0.5, 0.5);
    for height in [1.0, 1.0 + 1e-6, 0.999] {
        let found = points(&cube, &cube, &at(0.0, 0.0, height), 1e-6);
        assert_eq!(plan(&found), [[-0.5, -0.5], [-0.5, 0.5], [0.5, -0.5], [0.5, 0.5]]);
        assert_gaps(&found, height - 1.0);
    }
}

#[test]
fn a_cube_turned_by_an_eighth_stands_on_an_octagon() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let pose = Pose::new(DVec3::Z, about_z(std::f64::consts::FRAC_PI_4));
    let found = points(&cube, &cube, &pose, 1e-6);
    assert_eq!(found.len(), 8, "{found:?}");
    let reach = 0.5 * (2.0_f64.sqrt() - 1.0);
    assert!(found.iter().all(|it| {
        let p = it.point_a.truncate().abs();
        (p.max_element() - 0.5).abs() < 1e-15 && (p.min_element() - reach).abs() < 1e-15
    }));
}

#[test]
fn only_what_is_within_reach_belongs() {
    let brick = cuboid(0.5, 0.5, 0.5);
    let tilt = 1e-4;
    let pose = Pose::new(DVec3::Z, about_x(tilt));
    let lowest = pose.point(DVec3::new(0.5, -0.5, -0.5));
    assert_eq!(on_floor(&brick, &pose, lowest, 0.5e-4).len(), 2);
    assert_eq!(on_floor(&brick, &pose, lowest, 2e-4).len(), 4);
    let table = cuboid(2.0, 2.0, 0.5);
    let pose = Pose::new(DVec3::new(0.0, 0.0, 1.1), about_x(tilt));
    assert_eq!(points(&table, &brick, &pose, 0.5e-4).len(), 2);
    assert_eq!(points(&table, &brick, &pose, 2e-4).len(), 4);
}

#[test]
fn a_ball_touches_in_one_point() {
    let ball = Convex::Ball(Ball::new(0.5).expect("a size"));
    let found = on_floor(&ball, &at(0.3, 0.0, 0.6), DVec3::new(0.3, 0.0, 0.1), 0.05);
    assert_eq!(plan(&found), [[0.3, 0.0]]);
    assert_gaps(&found, 0.6 - 0.5);
}

#[test]
fn cylinders_capsules_and_cones_lie_on_the_ends_of_a_line() {
    let lying = about_x(std::f64::consts::FRAC_PI_2);
    let cylinder = Convex::Cylinder(Cylinder::new(1.0, 0.25).expect("sizes"));
    let capsule = Convex::Capsule(Capsule::new(1.0, 0.25).expect("sizes"));
    for solid in [&cylinder, &capsule] {
        let pose = Pose::new(DVec3::Z * 0.25, lying);
        let found = on_floor(solid, &pose, DVec3::ZERO, 1e-6);
        assert_eq!(plan(&found), [[0.0, -1.0], [0.0, 1.0]]);
        // On a table that ends before they do: an end, and where the line crosses the rim.
        let table = cuboid(1.0, 0.5, 0.5);
        let answer = Closest {
            distance: 0.0,
            point_a: DVec3::new(0.0, 0.0, 0.5),
            point_b: DVec3::new(0.0, 0.0, 0.5),
            normal: -DVec3::Z,
            features: [Feature::Face(0); 2],
        };
        let mut out = Manifold::default();
        let pose = Pose::new(DVec3::new(0.0, 1.0, 0.75), lying);
        manifold(&table, solid, &pose, &answer, 1e-6, &mut out);
        assert_eq!(plan(out.points()), [[0.0, 0.0], [0.0, 0.5]]);
    }
    // A cone with a half angle α touches along a side that is tilted by α against its axis.
    let cone = Convex::Cone(Cone::new(1.0, 0.5).expect("sizes"));
    let slope = libm::atan2(0.5, 2.0);
    let rotation = about_x(std::f64::consts::FRAC_PI_2 + slope);
    let apex = rotation * DVec3::Z;
    let found = on_floor(&cone, &Pose::new(-apex, rotation), DVec3::ZERO, 1e-6);
    let length = (0.25_f64 + 4.0).sqrt();
    assert_eq!(found.len(), 2, "{found:?}");
    let distance = found[0].point_b.distance(found[1].point_b);
    assert!((distance - length).abs() < 1e-15, "{distance}");
}

#[test]
fn standing_cylinders_and_cones_stand_on_points_spread_around_their_rims() {
    let cylinder = Convex::Cylinder(Cylinder::new(1.0, 0.25).expect("sizes"));
    let cone = Convex::Cone(Cone::new(1.0, 0.25).expect("sizes"));
    let table = cuboid(1.0, 1.0, 0.5);
    for solid in [&cylinder, &cone] {
        let found = on_floor(solid, &at(0.0, 0.0, 1.0), DVec3::ZERO, 1e-6);
        assert!(found.len() >= 4);
        let sum: DVec3 = found.iter().map(|it| it.point_a).sum();
        assert!(sum.length() < 1e-15);
        assert!(found.iter().all(|it| (it.point_b.truncate().length() - 0.25).abs() < 1e-15));
        let answer = Closest {
            distance: 0.0,
            point_a: DVec3::new(0.0, 0.0, 0.5),
            point_b: DVec3::new(0.0, 0.0, 0.5),
            normal: -DVec3::Z,
            features: [Feature::Face(0); 2],
        };
        let mut out = Manifold::default();
        manifold(&table, solid, &at(0.0, 0.0, 1.5), &answer, 1e-6, &mut out);
        assert_eq!(plan(out.points()), plan(&found));
        // The other way round: a small box under the disc stands out on its own corners.
        let small = cuboid(0.1, 0.1, 0.5);
        manifold(&small, solid, &at(0.0, 0.0, 1.5), &answer, 1e-6, &mut out);
        assert_eq!(plan(out.points()), [[-0.1, -0.1], [-0.1, 0.1], [0.1, -0.1], [0.1, 0.1]]);
    }
}

#[test]
fn storage_is_used_again() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let mut out = Manifold::default();
    let pose = at(0.1, 0.2, 1.1);
    let answer = closest(&cube, &cube, &pose, &mut Warm::Cold);
    manifold(&cube, &cube, &pose, &answer, 1e-3, &mut out);
    let first = out.points().to_vec();
    manifold(&cube, &cube, &pose, &answer, 1e-3, &mut out);
    assert_eq!(out.points(), first);
}

/// Where a line along n through x leaves a polyhedron on the side of `sign`, over all its faces.
fn exit(solid: &ConvexPolyhedron, pose: &Pose, x: DVec3, n: DVec3, sign: f64) -> Option<f64> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for face in solid.faces() {
        let normal = pose.vector(face.normal);
        let offset = face.offset + normal.dot(pose.translation);
        let (along, room) = (normal.dot(n), offset - normal.dot(x));
        if along > 1e-12 {
            high = high.min(room / along);
        } else if along < -1e-12 {
            low = low.max(room / along);
        } else if room < 0.0 {
            return None;
        }
    }
    (low <= high).then_some(if sign > 0.0 { high } else { low })
}

fn cloud() -> impl Strategy<Value = ConvexPolyhedron> {
    proptest::collection::vec(point(1.0), 6..20)
        .prop_filter_map("flat", |points| convex_hull(&points).ok())
}

proptest! {
    #![proptest_config(property(3000))]

    #[test]
    fn every_vertex_within_reach_of_the_other_solid_has_its_point(
        a in cloud(),
        b in cloud(),
        turn in rotation(),
        way in crate::testing::direction(),
        gap in prop_oneof![Just(1e-3), Just(1e-6), Just(0.1), Just(-1e-3)],
        reach in prop_oneof![Just(1e-3), Just(0.1), Just(0.5)],
    ) {
        let (solid_a, solid_b) = (Convex::Polyhedron(Arc::new(a.clone())), Convex::Polyhedron(Arc::new(b.clone())));
        let mut pose = Pose::new(6.0 * way, turn);
        let far = closest(&solid_a, &solid_b, &pose, &mut Warm::Cold);
        pose.translation += far.normal * (far.distance - gap);
        let answer = closest(&solid_a, &solid_b, &pose, &mut Warm::Cold);
        let mut out = Manifold::default();
        manifold(&solid_a, &solid_b, &pose, &answer, reach, &mut out);
        let n = answer.normal;
        let least = out.points().iter().map(|it| it.gap).fold(f64::INFINITY, f64::min);
        // Coordinates up to 6, over faces that are seen from the side.
        prop_assert!((least - answer.distance).abs() <= 1e-13, "{} {}", least, answer.distance);
        for it in out.points() {
            prop_assert!(it.gap <= answer.distance + reach + 1e-14);
            prop_assert!((it.point_a - it.point_b - it.gap * n).length() <= 1e-14);
            let outside = |solid: &ConvexPolyhedron, p: DVec3| solid.faces().iter()
                .map(|face| face.normal.dot(p) - face.offset).fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(outside(&a, it.point_a).abs() <= 1e-13);
            prop_assert!(outside(&b, pose.inverse().point(it.point_b)).abs() <= 1e-13);
        }
        let has = |place: DVec3| out.points().iter()
            .any(|it| (it.point_a - place).reject_from_normalized(n).length() <= 1e-8);
        for vertex in a.vertices() {
            let below = exit(&b, &pose, *vertex, n, 1.0);
            if below.is_some_and(|t| -t < answer.distance + reach - 1e-9) {
                prop_assert!(has(*vertex), "vertex of A {}", vertex);
            }
        }
        for vertex in b.vertices() {
            let place = pose.point(*vertex);
            let above = exit(&a, &Pose::IDENTITY, place, n, -1.0);
            if above.is_some_and(|t| t < answer.distance + reach - 1e-9) {
                prop_assert!(has(place), "vertex of B {}", place);
            }
        }
    }
}
