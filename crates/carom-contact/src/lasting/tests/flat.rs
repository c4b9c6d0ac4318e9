//! Cylinders and cones that stand, tip and roll on their rims.

use carom_geometry::distance::Feature;

use super::*;
use crate::lasting::{Kind, sufficient};

const REACH: f64 = 1e-6;

/// Accelerations of a body that turns about a line of the floor, with the other at rest.
fn tipping(about: DVec3, axis: DVec3, center: DVec3) -> [Accelerating; 2] {
    [Accelerating { linear: axis.cross(center - about), angular: axis }, Accelerating::default()]
}

#[test]
fn a_cylinder_stands_on_points_of_its_rim() {
    for shape in [cylinder(0.5, 0.3), cone(0.5, 0.3)] {
        let (body, plane) = (Pieces::of(&shape), Pieces::of(&floor()));
        let solids = [&solid(&body), &solid(&plane)];
        let pose = Pose::from_translation(DVec3::new(2.0, 1.0, 0.5 + 1e-8));
        let points = points_at(solids, [&pose, &Pose::IDENTITY], REACH);
        assert_eq!(points.len(), 8);
        for here in at_rest(&points, solids, [&pose, &Pose::IDENTITY]) {
            assert!((here.gap - 1e-8).abs() < 1e-15 && here.room > 0.0);
            let rim = (here.points[0] - pose.translation).with_z(0.0).length();
            assert!((rim - 0.3).abs() < 1e-15);
        }
        // The same points, whatever way noise tilts it.
        for axis in [DVec3::X, DVec3::Y, DVec3::new(0.6, -0.8, 0.0)] {
            let tilt = DQuat::from_scaled_axis(1e-7 * axis);
            let tilted = Pose::new(pose.translation, tilt);
            let again = points_at(solids, [&tilted, &Pose::IDENTITY], REACH);
            assert_eq!(again, points);
        }
    }
}

/// Tipped about any line, the point that is drawn in first is the one of the rim farthest beyond the line; once it is in the set, a body
/// that turns about the tangent there is held by it.
#[test]
fn the_worst_point_of_the_rim_is_found_in_closed_form() {
    let (body, plane) = (Pieces::of(&cylinder(0.5, 0.3)), Pieces::of(&floor()));
    let solids = [&solid(&body), &solid(&plane)];
    let pose = Pose::new(DVec3::new(2.0, 1.0, 0.5), DQuat::from_rotation_z(0.3));
    let moving = [Moving::at_rest(pose), Moving::at_rest(Pose::IDENTITY)];
    let moving = [&moving[0], &moving[1]];
    let mut points = points_at(solids, [&pose, &Pose::IDENTITY], REACH);
    let angle = 1.234;
    let out = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
    let foot = pose.translation.with_z(0.0);
    // About the middle: the far side goes down.
    let drawn = tipping(foot, DVec3::Z.cross(out), pose.translation);
    let worst = sufficient(solids, moving, &points, [&drawn[0], &drawn[1]], [1e-12, 1e-9])
        .expect("it goes down");
    let Kind::Corner { center, .. } = worst.kind else { panic!("{worst:?}") };
    assert!(pose.point(center).distance(foot + 0.3 * out) < 1e-15, "{center}");
    points.push(worst);
    // About the tangent there nothing goes down any more.
    let held = tipping(foot + 0.3 * out, DVec3::Z.cross(out), pose.translation);
    let more = sufficient(solids, moving, &points, [&held[0], &held[1]], [1e-12, 1e-9]);
    assert!(more.is_none(), "{more:?}");
    // A sliver of the cap lies beyond the line between two of the eight points; tipping about that line draws it in.
    let found = at_rest(&points, solids, [&pose, &Pose::IDENTITY]);
    let edge = found[1].points[0] - found[0].points[0];
    let about = found[0].points[0];
    let axis = edge.try_normalize().expect("apart");
    let beyond = axis.cross(DVec3::Z);
    let sign = (0.5 * (found[0].points[0] + found[1].points[0]) - foot).dot(beyond).signum();
    let sliver = tipping(about, sign * axis, pose.translation);
    let worst = sufficient(solids, moving, &points[..8], [&sliver[0], &sliver[1]], [1e-12, 1e-9])
        .expect("the sliver");
    let here = at_rest(&[worst], solids, [&pose, &Pose::IDENTITY])[0];
    assert!((here.points[0] - foot).dot(sign * beyond) > 0.3 - 1e-12, "{here:?}");
}

/// Hanging over the edge of a box, it stands on its rim, on where the rim crosses the edge, and on the corners of the box below it.
#[test]
fn over_an_edge_the_rim_is_cut_where_it_crosses() {
    let (body, base) = (Pieces::of(&cylinder(0.5, 0.3)), Pieces::of(&cuboid(1.0, 1.0, 0.5)));
    let solids = [&solid(&body), &solid(&base)];
    let place = |x: f64, y: f64| Pose::from_translation(DVec3::new(x, y, 1.0 + 1e-8));
    let pose = place(0.9, 0.0);
    let points = points_at(solids, [&pose, &Pose::IDENTITY], REACH);
    let found = at_rest(&points, solids, [&pose, &Pose::IDENTITY]);
    let on_edge: Vec<DVec3> =
        found.iter().map(|it| it.points[0]).filter(|point| (point.x - 1.0).abs() < 1e-12).collect();
    // (1 − 0.9)² + y² = 0.3².
    let y = f64::sqrt(0.08);
    assert_eq!(on_edge.len(), 2, "{found:?}");
    assert!(on_edge.iter().all(|point| (point.y.abs() - y).abs() < 1e-12), "{on_edge:?}");
    assert!(found.iter().all(|it| it.points[0].x < 1.0 + 1e-9 && it.room > -1e-9));
    // Tipping over the edge, the crossings hold it; there is no lower point of the rim over the box.
    let moving = [Moving::at_rest(pose), Moving::at_rest(Pose::IDENTITY)];
    let about = tipping(DVec3::new(1.0, 0.0, 0.5), DVec3::Y, pose.translation);
    let more = sufficient(
        solids,
        [&moving[0], &moving[1]],
        &points,
        [&about[0], &about[1]],
        [1e-12, 1e-9],
    );
    assert!(more.is_none(), "{more:?}");
    // Over a corner of the box.
    let pose = place(0.9, 0.9);
    let points = points_at(solids, [&pose, &Pose::IDENTITY], REACH);
    let corners = points.iter().filter(|it| matches!(it.features[1], Feature::Vertex(_)));
    assert_eq!(corners.count(), 1, "{points:?}");
}

#[test]
fn a_coin_on_a_coin_stands_on_both_rims() {
    let coin = Pieces::of(&cylinder(0.1, 0.5));
    let solids = [&solid(&coin), &solid(&coin)];
    let above = Pose::from_translation(DVec3::new(0.6, 0.0, 0.2 + 1e-8));
    let points = points_at(solids, [&above, &Pose::IDENTITY], REACH);
    let found = at_rest(&points, solids, [&above, &Pose::IDENTITY]);
    // The rims cross at x = 0.3, y = ±0.4.
    for y in [0.4, -0.4] {
        let is_there = |it: &Followed| it.points[0].distance(DVec3::new(0.3, y, 0.1)) < 1e-7;
        assert!(found.iter().any(is_there), "{found:?}");
    }
    let inside = |p: DVec3, x: f64| (p - DVec3::new(x, 0.0, 0.0)).with_z(0.0).length() < 0.5 + 1e-9;
    assert!(found.iter().all(|it| inside(it.points[0], 0.0) && inside(it.points[0], 0.6)));
    // Right on top of each other: the eight points of one rim, each once.
    let above = Pose::from_translation(DVec3::new(0.0, 0.0, 0.2 + 1e-8));
    assert_eq!(points_at(solids, [&above, &Pose::IDENTITY], REACH).len(), 8);
}

/// From flat over its rim and back: while it tips, points of the rim have room up to twice the tilt from which on it is a single point of
/// the rim, and the other way around down to half of it.
#[test]
fn tipping_hands_over_to_the_rim_and_back_with_hysteresis() {
    let (body, plane) = (Pieces::of(&cylinder(0.5, 0.3)), Pieces::of(&floor()));
    let solids = [&solid(&body), &solid(&plane)];
    let flat = REACH / 0.6;
    // About the lowest point of the rim along x.
    let at = |tilt: f64| {
        let turn = DQuat::from_rotation_y(tilt);
        Pose::new(0.3 * DVec3::X - turn * DVec3::new(0.3, 0.0, -0.5), turn)
    };
    let room = |points: &[ContactPoint], tilt: f64| {
        let found = at_rest(points, solids, [&at(tilt), &Pose::IDENTITY]);
        found.iter().map(|it| it.room).fold(f64::INFINITY, f64::min)
    };
    let standing = points_at(solids, [&at(0.9 * flat), &Pose::IDENTITY], REACH);
    assert!(standing.len() > 2 && standing.iter().all(|it| matches!(it.kind, Kind::Corner { .. })));
    assert!(room(&standing, 1.9 * flat) > 0.0 && room(&standing, 2.1 * flat) < 0.0);
    let rim = points_at(solids, [&at(1.1 * flat), &Pose::IDENTITY], 0.1 * REACH);
    assert!(rim.len() == 1 && matches!(rim[0].kind, Kind::Rim { .. }), "{rim:?}");
    let rim = points_at(solids, [&at(1.1 * flat), &Pose::IDENTITY], REACH);
    assert!(rim.iter().any(|it| matches!(it.kind, Kind::Rim { .. })), "{rim:?}");
    let rolling = rim.iter().find(|it| matches!(it.kind, Kind::Rim { .. })).expect("a rim");
    assert!(room(&[*rolling], 0.6 * flat) > 0.0 && room(&[*rolling], 0.4 * flat) < 0.0);
    let here = at_rest(&[*rolling], solids, [&at(0.3), &Pose::IDENTITY])[0];
    assert!(here.gap.abs() < 1e-15 && here.points[0].distance(0.3 * DVec3::X) < 1e-15);
}

/// Lying on its side it touches with both rims, and rolls without the points going up or down.
#[test]
fn a_lying_cylinder_rolls_on_both_rims() {
    let (body, plane) = (Pieces::of(&cylinder(0.5, 0.3)), Pieces::of(&floor()));
    let solids = [&solid(&body), &solid(&plane)];
    let lying = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let pose = Pose::new(DVec3::new(0.0, 0.0, 0.3 + 1e-8), lying);
    let points = points_at(solids, [&pose, &Pose::IDENTITY], REACH);
    assert_eq!(points.len(), 2);
    let rolling = Moving { world_from_frame: pose, velocity: 0.6 * DVec3::X, spin: 2.0 * DVec3::Y };
    let rest = Moving::at_rest(Pose::IDENTITY);
    for point in &points {
        assert!(matches!(point.kind, Kind::Rim { .. }));
        let here = point.follow(solids, [&rolling, &rest], &mut Warm::Cold).expect("followed");
        assert!((here.gap - 1e-8).abs() < 1e-15 && (here.points[0].y.abs() - 0.5).abs() < 1e-15);
        assert!(here.rate.abs() < 1e-15 && here.bias.abs() < 1e-14, "{here:?}");
        assert!(here.point_rates[0].distance(0.6 * DVec3::X) < 1e-14);
    }
}

/// Side by side at one height nothing lies on anything, however flat the cap is.
#[test]
fn a_cap_beside_a_face_of_the_same_height_does_not_stand_on_it() {
    let (body, base) = (Pieces::of(&cylinder(0.5, 0.3)), Pieces::of(&cuboid(1.0, 1.0, 0.5)));
    let solids = [&solid(&body), &solid(&base)];
    let pose = Pose::from_translation(DVec3::new(1.3 + 1e-8, 0.0, 1.0 + 1e-8));
    let points = points_at(solids, [&pose, &Pose::IDENTITY], REACH);
    let found = at_rest(&points, solids, [&pose, &Pose::IDENTITY]);
    assert_eq!(points.len(), 1, "{points:?}");
    assert!(found[0].gap > 0.0 && found[0].gap < 2e-8, "{found:?}");
    assert!(found[0].points[0].distance(DVec3::new(1.0, 0.0, 0.5)) < 1e-7, "{found:?}");
}
