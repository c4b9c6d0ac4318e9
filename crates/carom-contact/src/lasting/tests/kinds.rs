//! Closed forms of simple contacts.

use carom_geometry::distance::Feature;

use super::*;
use crate::lasting::Kind;

/// A ball that spins and slips on a plane: g̈ is the acceleration of its centre.
///
/// proves: baraff/23
#[test]
fn a_ball_on_a_plane_accelerates_as_its_centre_does() {
    let (ball, plane) = (Pieces::of(&ball(0.5)), Pieces::of(&floor()));
    let solids = [&solid(&ball), &solid(&plane)];
    let mut numbers = Numbers(3);
    for _ in 0..100 {
        let mut flight = Flight::random(&mut numbers, numbers_place());
        flight.start.translation.z = 0.5;
        let rest = Flight {
            start: Pose::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            acceleration: DVec3::ZERO,
        };
        let flights = [flight, rest];
        let poses = flights.map(|it| it.at(0.0).world_from_frame);
        let points = points_at(solids, [&poses[0], &poses[1]], 1e-9);
        assert_eq!(points.len(), 1);
        let here = follow(&points[0], solids, &flights, 0.0).expect("followed");
        assert!(here.gap.abs() < 1e-15 && (here.rate - flight.velocity.z).abs() < 1e-15);
        assert!(here.bias.abs() < 1e-14, "{}", here.bias);
        let angular = numbers.vector(9.0);
        let moving = flights.map(|it| it.at(0.0));
        let accelerating =
            [Accelerating { linear: flight.acceleration, angular }, Accelerating::default()];
        let second =
            here.acceleration([&moving[0], &moving[1]], [&accelerating[0], &accelerating[1]]);
        assert!((second - flight.acceleration.z).abs() < 1e-14, "{second}");
        assert!(here.room == f64::INFINITY);
    }
}

fn numbers_place() -> DVec3 {
    DVec3::new(0.3, -0.2, 0.0)
}

/// A ball over every region of a box has the distance from the nearest feature; past a border it hands over once, by the sign of its
/// room, and where it does the gap is the same for both.
///
/// proves: baraff/18
#[test]
fn a_ball_over_a_box_knows_its_feature_and_hands_over_once() {
    let (ball, block) = (Pieces::of(&ball(0.25)), Pieces::of(&cuboid(1.0, 1.0, 1.0)));
    let solids = [&solid(&ball), &solid(&block)];
    let rest = Pose::IDENTITY;
    let distance = |p: DVec3| (p.abs() - DVec3::ONE).max(DVec3::ZERO).length() - 0.25;
    let mut numbers = Numbers(5);
    for _ in 0..500 {
        let place = numbers.vector(2.0);
        if distance(place) < 0.01 {
            continue;
        }
        let pose = Pose::from_translation(place);
        let points = points_at(solids, [&pose, &rest], 1e-9);
        let here = at_rest(&points, solids, [&pose, &rest])[0];
        assert!((here.gap - distance(place)).abs() < 1e-14 && here.room > 0.0, "{place} {here:?}");
        let beyond = (0..3).filter(|&i| place[i].abs() > 1.0).count();
        let fits = match points[0].features[1] {
            Feature::Face(_) => beyond == 1,
            Feature::Edge(_) => beyond == 2,
            Feature::Vertex(_) => beyond == 3,
        };
        assert!(fits, "{place}: {:?}", points[0]);
    }
    // From over the top to beside it, and past a corner of it.
    for along in [DVec3::X, DVec3::new(1.0, 0.9, 0.0)] {
        let changes = hand_overs(solids, along, distance);
        assert!((1..=2).contains(&changes), "{changes}");
    }
}

/// How often a ball hands over on its way over the top of a box.
fn hand_overs(solids: [&Solid<'_>; 2], along: DVec3, distance: impl Fn(DVec3) -> f64) -> usize {
    let rest = Pose::IDENTITY;
    let at = |k: i32| Pose::from_translation(1.2 * DVec3::Z + f64::from(k) * 0.01 * along);
    let mut current = points_at(solids, [&at(0), &rest], 1e-9);
    let mut changes = 0;
    for k in 0..200 {
        let here = at_rest(&current, solids, [&at(k), &rest])[0];
        let exact = distance(at(k).translation);
        assert!(here.room < 0.0 || (here.gap - exact).abs() < 1e-14, "{k}: {here:?}");
        if here.room < 0.0 {
            current = points_at(solids, [&at(k), &rest], 1e-9);
            let there = at_rest(&current, solids, [&at(k), &rest])[0];
            assert!(there.room >= 0.0 && (there.gap - here.gap).abs() < 1e-3);
            changes += 1;
        }
    }
    changes
}

/// s = 0 ⇒ n·ds/dt = g̈: with the bodies moved so that they do not slip where they touch, the normal part of the rate of slip by
/// (6-33) is the second derivative that differences of the distance give.
///
/// proves: baraff/25
#[test]
fn without_slip_the_rate_of_slip_along_the_normal_is_the_second_derivative() {
    let shapes = [ellipsoid(0.4, 0.7, 1.1), ellipsoid(0.9, 0.5, 0.6)].map(|it| Pieces::of(&it));
    let solids = [&solid(&shapes[0]), &solid(&shapes[1])];
    let mut numbers = Numbers(11);
    let h = 2.5e-3;
    for _ in 0..50 {
        let mut flights =
            [DVec3::ZERO, DVec3::new(2.0, 1.0, 0.5)].map(|p| Flight::random(&mut numbers, p));
        let found = measured([&shapes[0], &shapes[1]], &flights, 0.0).closest;
        let normal = flights[0].start.vector(found.normal);
        // Brought to a hair's breadth, so that neither overlaps.
        flights[1].start.translation += (found.distance - 0.05) * normal;
        let poses = flights.map(|it| it.at(0.0).world_from_frame);
        let points = points_at(solids, [&poses[0], &poses[1]], 1e-9);
        let here = follow(&points[0], solids, &flights, 0.0).expect("followed");
        let material = |flight: &Flight, p: DVec3| {
            flight.velocity + flight.spin.cross(p - flight.start.translation)
        };
        let slip = material(&flights[0], here.points[0]) - material(&flights[1], here.points[1]);
        flights[0].velocity -= slip;
        let here = follow(&points[0], solids, &flights, 0.0).expect("followed");
        assert!(here.rate.abs() < 1e-14);
        let part = |i: usize| {
            flights[i].acceleration
                + flights[i].spin.cross(here.point_rates[i] - flights[i].velocity)
        };
        let slip_rate = here.normal.dot(part(0) - part(1));
        let gaps = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]
            .map(|k| measured([&shapes[0], &shapes[1]], &flights, k * h).closest.distance);
        let expected = second_difference(gaps, h);
        assert!(
            (slip_rate - expected).abs() < 1e-7 * (10.0 + expected.abs()),
            "{slip_rate} {expected}"
        );
    }
}

/// Slipping over each other with a curved relative motion, a naive choice of ṗ = V_A would be wrong: the geometric point of a rolling
/// ball moves with its centre.
#[test]
fn the_point_of_a_rolling_ball_moves_with_its_centre() {
    let (ball, plane) = (Pieces::of(&ball(0.5)), Pieces::of(&floor()));
    let solids = [&solid(&ball), &solid(&plane)];
    let pose = Pose::from_translation(DVec3::new(0.0, 0.0, 0.5));
    let points = points_at(solids, [&pose, &Pose::IDENTITY], 1e-9);
    let velocity = 2.0 * DVec3::X;
    let rolling = Moving { world_from_frame: pose, velocity, spin: 4.0 * DVec3::Y };
    let rest = Moving::at_rest(Pose::IDENTITY);
    let here = points[0].follow(solids, [&rolling, &rest], &mut Warm::Cold).expect("followed");
    assert_eq!(here.point_rates, [velocity; 2]);
    assert!((here.wandering - 2.0).abs() < 1e-15 && here.bias.abs() < 1e-15);
}

/// A corner that has slid past the border of its face goes on measuring the height over its plane.
#[test]
fn a_corner_beyond_its_face_keeps_its_gap() {
    let (top, base) = (Pieces::of(&cuboid(0.2, 0.2, 0.2)), Pieces::of(&cuboid(1.0, 1.0, 0.5)));
    let solids = [&solid(&top), &solid(&base)];
    let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.0, 0.7 + 1e-6));
    let points = points_at(solids, [&at(0.0), &Pose::IDENTITY], 1e-5);
    assert_eq!(points.len(), 4);
    for x in [0.0, 0.7, 0.9, 1.5] {
        for here in at_rest(&points, solids, [&at(x), &Pose::IDENTITY]) {
            assert!((here.gap - 1e-6).abs() < 1e-15);
            let inside = (1.0 - here.points[1].x.abs()).min(0.8);
            assert!((here.room - inside).abs() < 1e-12, "{} {inside}", here.room);
        }
    }
}

/// Crossed edges: one point, with the normal along the cross product; beyond its ends the room says so.
#[test]
fn crossed_edges_hold_by_their_cross_product() {
    let block = Pieces::of(&cuboid(0.5, 0.5, 0.5));
    let solids = [&solid(&block), &solid(&block)];
    let quarter = std::f64::consts::FRAC_PI_4;
    let ridge = DQuat::from_rotation_x(quarter);
    let top = |x: f64, y: f64| {
        let height = f64::sqrt(2.0) + 1e-7;
        Pose::new(DVec3::new(x, y, height), DQuat::from_rotation_z(1.0) * ridge)
    };
    let base = Pose::new(DVec3::ZERO, ridge);
    let points = points_at(solids, [&top(0.1, 0.05), &base], 1e-6);
    assert_eq!(points.len(), 1, "{points:?}");
    assert!(matches!(points[0].kind, Kind::Lines { .. }));
    let here = at_rest(&points, solids, [&top(0.1, 0.05), &base])[0];
    assert!(here.normal.distance(DVec3::Z) < 1e-15 && (here.gap - 1e-7).abs() < 1e-15);
    assert!(here.room > 0.3 && here.room < 0.5, "{}", here.room);
    let there = at_rest(&points, solids, [&top(0.7, 0.0), &base])[0];
    assert!(there.room < 0.0 && (there.gap - 1e-7).abs() < 1e-15);
}
