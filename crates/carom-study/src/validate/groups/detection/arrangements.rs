//! Two unit cubes in arrangements whose distance can be read off: parallel faces and edges, corners over everything,
//! edges a billionth of a radian from parallel, and overlaps.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

use glam::{DQuat, DVec3};

use carom_geometry::shapes::Cuboid;
use carom_geometry::{Pose, Shape};

use super::super::super::{Context, Row};
use super::nearest;

const BY_HAND: &str = "by hand: Pythagoras";

/// Two cubes, A turned about its centre at the origin, B turned and placed.
struct Arrangement {
    id: &'static str,
    what: &'static str,
    turned: [DQuat; 2],
    place: DVec3,
    distance: f64,
}

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows: Vec<Row> = arrangements().iter().map(|it| distance_row(context, it)).collect();
    rows.push(normal_row(context));
    rows
}

fn arrangements() -> Vec<Arrangement> {
    let straight = DQuat::IDENTITY;
    // An edge, or a corner, foremost along ±x.
    let [edge_z, edge_y] = [DQuat::from_rotation_z(FRAC_PI_4), DQuat::from_rotation_y(FRAC_PI_4)];
    let corner = DQuat::from_rotation_arc(DVec3::ONE / 3.0_f64.sqrt(), DVec3::X);
    let nearly_z = DQuat::from_rotation_x(1e-9) * edge_z;
    let half_diagonal = 0.5 * 3.0_f64.sqrt();
    let along = |x: f64| DVec3::new(x, 0.0, 0.0);
    let of = |id, what, turned, place, distance| Arrangement { id, what, turned, place, distance };
    vec![
        of("m1/LC-R5/faces", "parallel faces", [straight; 2], DVec3::new(1.25, 0.3, -0.2), 0.25),
        of("m1/LC-R5/edges", "parallel edges", [straight; 2], DVec3::new(1.3, 1.4, 0.1), 0.5),
        of("m1/LC-R5/corners", "two corners", [straight; 2], DVec3::new(1.2, 1.3, 1.6), 0.7),
        of(
            "m1/LC-R5/edge-face",
            "an edge over a face",
            [straight, edge_z],
            along(0.5 + FRAC_1_SQRT_2 + 0.1),
            0.1,
        ),
        of(
            "m1/LC-R5/corner-face",
            "a corner over a face",
            [straight, corner],
            along(0.5 + half_diagonal + 0.2),
            0.2,
        ),
        of(
            "m1/LC-R5/corner-edge",
            "a corner over an edge",
            [edge_z, corner],
            along(FRAC_1_SQRT_2 + half_diagonal + 0.15),
            0.15,
        ),
        of(
            "m1/LC-R5/crossed",
            "crossed edges",
            [edge_z, edge_y],
            along(2.0 * FRAC_1_SQRT_2 + 0.3),
            0.3,
        ),
        of(
            "m1/LC-R5/nearly",
            "edges 1e-9 rad from parallel",
            [edge_z, nearly_z],
            along(2.0 * FRAC_1_SQRT_2 + 0.3),
            0.3,
        ),
        of("baraff/13/stack", "one in the other by 1e-3", [straight; 2], along(1.0 - 1e-3), -1e-3),
        of("baraff/13/deep", "one centre, 45° apart", [straight, edge_z], DVec3::ZERO, -1.0),
    ]
}

fn distance_row(context: &Context, case: &Arrangement) -> Row {
    let found = cubes(context, case);
    let got = found.map_or(f64::NAN, |it| it.distance);
    let row = Row::case(case.id, format!("two unit cubes, {}: distance", case.what), BY_HAND);
    // Turned corners are rounded in some ten operations of size 1.
    row.in_unit("m").absolute(4e-15, case.distance, got)
}

fn cubes(context: &Context, case: &Arrangement) -> Option<carom::Nearest> {
    let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.5)).ok()?);
    let poses = [DVec3::ZERO, case.place];
    let poses = [0, 1].map(|i| Pose::new(poses[i], case.turned[i]));
    nearest(context, [&cube, &cube], poses)
}

fn normal_row(context: &Context) -> Row {
    let found = arrangements().get(2).and_then(|corners| cubes(context, corners));
    let got = found.map_or(DVec3::NAN, |it| it.normal);
    let what = "two unit cubes, two corners: direction from the second to the first";
    let row = Row::case("m1/LC-R3/normal", what, BY_HAND);
    row.absolute(1e-15, -DVec3::new(0.2, 0.3, 0.6) / 0.7, got)
}
