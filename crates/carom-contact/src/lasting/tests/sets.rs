//! Which points are found, and that they stay the same ones.

use carom_geometry::distance::Feature;

use super::*;
use crate::lasting::{Kind, refresh_points};

const REACH: f64 = 1e-6;

fn places(points: &[ContactPoint], solids: [&Solid<'_>; 2], poses: [&Pose; 2]) -> Vec<DVec3> {
    at_rest(points, solids, poses).iter().map(|it| it.points[1]).collect()
}

/// Whether places are those expected, in any order.
fn are(found: &[DVec3], expected: &[DVec3], near: f64) -> bool {
    let has = |set: &[DVec3], p: &DVec3| set.iter().any(|q| q.distance(*p) < near);
    found.len() == expected.len() && expected.iter().all(|p| has(found, p))
}

/// A box on a plane has four points, half over an edge the corners of what they share, on parallel ridges two.
///
/// proves: baraff/14
#[test]
fn sets_are_the_corners_of_what_is_shared() {
    let (block, plane) = (Pieces::of(&cuboid(0.5, 0.4, 0.3)), Pieces::of(&floor()));
    let [on, under] = [&solid(&block), &solid(&plane)];
    let above = Pose::from_translation(DVec3::new(0.0, 0.0, 0.3 + 1e-8));
    let points = points_at([on, under], [&above, &Pose::IDENTITY], REACH);
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let four = [(0.5, 0.4), (-0.5, 0.4), (0.5, -0.4), (-0.5, -0.4)];
    let expected = four.map(|(x, y)| corner(x, y, 0.0));
    assert!(are(&places(&points, [on, under], [&above, &Pose::IDENTITY]), &expected, 1e-7));
    // Half off: x from 0.3 to 0.5, and y turned by nothing.
    let beside = Pose::from_translation(DVec3::new(0.8, 0.1, 0.6 + 1e-8));
    let points = points_at([on, on], [&beside, &Pose::IDENTITY], REACH);
    let expected =
        [(0.3, -0.3), (0.5, -0.3), (0.3, 0.4), (0.5, 0.4)].map(|(x, y)| corner(x, y, 0.3));
    let found = places(&points, [on, on], [&beside, &Pose::IDENTITY]);
    assert!(are(&found, &expected, 1e-7), "{found:?}");
    // Ridge on ridge, along each other: the ends of what they share, with the normal of a face that separates them.
    let ridge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let half = f64::sqrt(0.5) * 0.7;
    let top = Pose::new(DVec3::new(0.3, 0.0, 2.0 * half), ridge);
    let low = Pose::new(DVec3::ZERO, ridge);
    let roof = Pieces::of(&cuboid(0.5, 0.35, 0.35));
    let roof = &solid(&roof);
    let top = Pose::new(top.translation.with_z(2.0 * f64::sqrt(2.0) * 0.35 + 1e-8), ridge);
    let points = points_at([roof, roof], [&top, &low], REACH);
    let found = at_rest(&points, [roof, roof], [&top, &low]);
    let mut xs: Vec<f64> = found.iter().map(|it| it.points[0].x).collect();
    xs.sort_by(f64::total_cmp);
    assert!(xs.len() == 2 && (xs[0] + 0.2).abs() < 1e-9 && (xs[1] - 0.5).abs() < 1e-9, "{found:?}");
}

/// Vertex on vertex and vertex on edge take the normal of the face whose plane separates the bodies.
#[test]
fn degenerate_contacts_take_the_separating_face() {
    let block = Pieces::of(&cuboid(0.5, 0.5, 0.5));
    let solids = [&solid(&block), &solid(&block)];
    // Equal cubes on each other, off by less than the gap: nearest are corners, far off any normal of a face.
    let top = Pose::from_translation(DVec3::new(1e-8, 1e-8, 1.0 + 1e-8));
    let points = points_at(solids, [&top, &Pose::IDENTITY], REACH);
    let found = at_rest(&points, solids, [&top, &Pose::IDENTITY]);
    assert_eq!(points.len(), 4, "{points:?}");
    assert!(found.iter().all(|it| it.normal.distance(DVec3::Z) < 1e-7), "{found:?}");
    assert!(found.iter().all(|it| (it.gap - 1e-8).abs() < 1e-14));
    // A corner that stands right on the edge of a box.
    let tip = DQuat::from_rotation_arc(DVec3::ONE.normalize_or(DVec3::Z), DVec3::NEG_Z);
    let height = 0.5 * f64::sqrt(3.0) + 0.5 + 1e-8;
    let top = Pose::new(DVec3::new(0.5, 0.1, height), tip);
    let points = points_at(solids, [&top, &Pose::IDENTITY], REACH);
    let found = at_rest(&points, solids, [&top, &Pose::IDENTITY]);
    assert_eq!(points.len(), 1, "{points:?}");
    assert!(found[0].normal.distance(DVec3::Z) < 1e-12 && found[0].room.abs() < 1e-9, "{found:?}");
    assert!(matches!(points[0].kind, Kind::Corner { of: 0, .. }));
    // Corner on corner, no face separates: the plane across the way between them, on B.
    let low = Pose::new(DVec3::ZERO, tip.inverse());
    let top = Pose::new(DVec3::new(0.0, 0.0, f64::sqrt(3.0) + 1e-8), tip);
    let points = points_at(solids, [&top, &low], REACH);
    let found = at_rest(&points, solids, [&top, &low]);
    assert_eq!(points.len(), 1, "{points:?}");
    assert!((found[0].gap - 1e-8).abs() < 1e-12 && found[0].room > 0.0, "{found:?}");
    assert!(found[0].normal.distance(DVec3::Z) < 0.1, "{found:?}");
}

/// Two faces that lie on each other, turned by a small angle: edges cross almost parallel, and nothing turns wild.
#[test]
fn faces_turned_on_each_other_keep_their_normal() {
    let block = Pieces::of(&cuboid(0.5, 0.5, 0.5));
    let solids = [&solid(&block), &solid(&block)];
    for turn in [1e-9, 1e-6, 1e-3, 0.04, 0.3, std::f64::consts::FRAC_PI_4] {
        let tilt = DQuat::from_rotation_y(1e-7);
        let top = Pose::new(DVec3::new(0.0, 0.0, 1.0 + 2e-7), DQuat::from_rotation_z(turn) * tilt);
        let points = points_at(solids, [&top, &Pose::IDENTITY], REACH);
        let found = at_rest(&points, solids, [&top, &Pose::IDENTITY]);
        assert!((4..=8).contains(&found.len()), "{turn}: {points:?}");
        for it in &found {
            assert!(it.normal.distance(DVec3::Z) < 1e-5, "{turn}: {it:?}");
            assert!((0.0..4e-7).contains(&it.gap) && it.room > -1e-3, "{turn}: {it:?}");
        }
        if turn < 2e-3 {
            for (x, y) in [(0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)] {
                let is_near = |it: &Followed| {
                    (it.points[0] - DVec3::new(x, y, 0.5)).with_z(0.0).length() < 1e-3
                };
                assert!(found.iter().any(is_near), "{turn}: {found:?}");
            }
        }
    }
}

/// A box that slides and turns over another keeps its points' identities from call to call, and a refreshed set changes only where a
/// feature was left by more than the hysteresis.
#[test]
fn points_keep_their_identity_while_their_features_meet() {
    let block = Pieces::of(&cuboid(0.5, 0.5, 0.5));
    let solids = [&solid(&block), &solid(&block)];
    let at = |k: i32| {
        let k = f64::from(k);
        let turn = DQuat::from_rotation_z(0.2 + 1e-3 * k);
        Pose::new(DVec3::new(0.3 + 1e-3 * k, 0.2, 1.0 + 1e-8), turn)
    };
    let mut before = points_at(solids, [&at(0), &Pose::IDENTITY], REACH);
    let mut kept = before.clone();
    let mut changes = 0;
    for k in 1..100 {
        let now = points_at(solids, [&at(k), &Pose::IDENTITY], REACH);
        let again = points_at(solids, [&at(k), &Pose::IDENTITY], REACH);
        assert_eq!(now, again);
        let same =
            now.iter().map(ContactPoint::identity).eq(before.iter().map(ContactPoint::identity));
        changes += usize::from(!same);
        before = now;
        refresh_points(solids, [&at(k), &Pose::IDENTITY], REACH, 1e-6, &mut kept).expect("a gap");
        assert_eq!(kept.len(), before.len(), "{k}: {kept:?} {before:?}");
    }
    println!("{changes} changes");
    assert!(changes <= 3, "{changes}");
}

/// To and fro over a border by less than the hysteresis, a refreshed set stays as it is.
#[test]
fn refreshing_does_not_flip_at_a_border() {
    let (top, base) = (Pieces::of(&cuboid(0.2, 0.2, 0.2)), Pieces::of(&cuboid(1.0, 1.0, 0.5)));
    let solids = [&solid(&top), &solid(&base)];
    let at = |k: i32| {
        let off = if k % 2 == 0 { 4e-7 } else { -4e-7 };
        Pose::from_translation(DVec3::new(0.8 + off, 0.1, 0.7 + 1e-8))
    };
    let mut points = points_at(solids, [&at(1), &Pose::IDENTITY], REACH);
    let first = points.clone();
    assert_eq!(first.len(), 4);
    for k in 0..10 {
        refresh_points(solids, [&at(k), &Pose::IDENTITY], REACH, 1e-6, &mut points).expect("a gap");
        assert_eq!(points, first, "{k}");
    }
}

/// Bodies of several pieces: points of all pieces, and one of those that facets share.
#[test]
fn pieces_add_up_and_shared_points_count_once() {
    let legs = [DVec3::X, DVec3::NEG_X]
        .map(|x| (cuboid(0.1, 0.3, 0.5), Pose::from_translation(0.6 * x - 0.6 * DVec3::Z)));
    let mut parts = vec![(cuboid(0.8, 0.4, 0.1), Pose::IDENTITY)];
    parts.extend(legs);
    let (table, plane) = (Pieces::of(&together(parts)), Pieces::of(&floor()));
    let solids = [&solid(&table), &solid(&plane)];
    let pose = Pose::from_translation(DVec3::new(0.0, 0.0, 1.1 + 1e-8));
    let points = points_at(solids, [&pose, &Pose::IDENTITY], REACH);
    assert_eq!(points.len(), 8);
    assert!(points.iter().all(|it| it.pieces[0] > 0 && it.pieces[1] == 0));
    // A box on a floor of triangles, across their common edge.
    let corners = [(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)];
    let mut vertices: Vec<DVec3> = corners.map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
    vertices.push(-2.0 * DVec3::Z);
    let triangles = vec![[0, 1, 2], [0, 2, 3], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]];
    let mesh = carom_geometry::TriMesh::new(vertices, triangles).expect("indices in range");
    let mesh = carom_geometry::ClosedMesh::new(mesh).expect("a solid");
    let (ground, block) =
        (Pieces::of(&Shape::Mesh(Arc::new(mesh))), Pieces::of(&cuboid(0.5, 0.5, 0.3)));
    let solids = [&solid(&block), &solid(&ground)];
    let pose = Pose::from_translation(DVec3::new(0.0, 0.0, 0.3 + 1e-8));
    let points = points_at(solids, [&pose, &Pose::IDENTITY], REACH);
    let found = at_rest(&points, solids, [&pose, &Pose::IDENTITY]);
    assert!(found.iter().all(|it| it.normal.distance(DVec3::Z) < 1e-12), "{found:?}");
    for (x, y) in [(0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)] {
        let here = |it: &&Followed| it.points[0].distance(DVec3::new(x, y, 1e-8)) < 1e-9;
        assert_eq!(found.iter().filter(here).count(), 1, "{found:?}");
    }
}

/// Capsules that lie: on a plane, on each other along their sides, and across the edge of a box.
#[test]
fn capsules_lie_on_two_points() {
    let capsule = Shape::Capsule(Capsule::new(0.5, 0.2).expect("sizes"));
    let (capsule, plane) = (Pieces::of(&capsule), Pieces::of(&floor()));
    let lying = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let [capsule, plane] = [&solid(&capsule), &solid(&plane)];
    let on_floor = Pose::new(DVec3::new(0.0, 0.0, 0.2 + 1e-8), lying);
    let points = points_at([capsule, plane], [&on_floor, &Pose::IDENTITY], REACH);
    assert_eq!(points.len(), 2, "{points:?}");
    let above = Pose::new(DVec3::new(0.3, 0.0, 0.6 + 2e-8), lying);
    let points = points_at([capsule, capsule], [&above, &on_floor], REACH);
    let found = at_rest(&points, [capsule, capsule], [&above, &on_floor]);
    let mut xs: Vec<f64> = found.iter().map(|it| it.points[0].x).collect();
    xs.sort_by(f64::total_cmp);
    assert!(xs.len() == 2 && (xs[0] + 0.2).abs() < 1e-9 && (xs[1] - 0.5).abs() < 1e-9, "{found:?}");
    let block = Pieces::of(&cuboid(0.3, 0.5, 0.5));
    let block = &solid(&block);
    let across = Pose::new(DVec3::new(0.0, 0.0, 0.7 + 1e-8), lying);
    let points = points_at([capsule, block], [&across, &Pose::IDENTITY], REACH);
    let found = at_rest(&points, [capsule, block], [&across, &Pose::IDENTITY]);
    let mut xs: Vec<f64> = found.iter().map(|it| it.points[1].x).collect();
    xs.sort_by(f64::total_cmp);
    assert!(xs.len() == 2 && (xs[0] + 0.3).abs() < 1e-9 && (xs[1] - 0.3).abs() < 1e-9, "{found:?}");
    assert!(points.iter().all(|it| matches!(it.features, [Feature::Face(0), Feature::Edge(_)])));
}
