//! How many points hold a cube up, by Baraff's list of contacts.

use std::f64::consts::FRAC_PI_4;
use std::sync::Arc;

use glam::{DQuat, DVec3};

use carom_geometry::distance::{Convex, Manifold, Warm, closest, manifold};
use carom_geometry::shapes::HalfSpace;
use carom_geometry::{ConvexPolyhedron, Pose};

use super::super::super::{Context, Row};

const BY_HAND: &str = "by hand: corners of the common polygon";

/// A cube of edge 1 and what carries it, just in contact: how many points, and the area they enclose.
struct Case {
    id: &'static str,
    what: &'static str,
    carrier: Convex,
    carrier_from_cube: Pose,
    points: f64,
    area: f64,
}

pub(super) fn rows(context: &Context) -> Vec<Row> {
    cases().unwrap_or_default().iter().map(|case| row(context, case)).collect()
}

fn cases() -> Option<Vec<Case>> {
    let cube = Convex::Polyhedron(Arc::new(ConvexPolyhedron::cuboid(DVec3::splat(0.5))));
    let plane = Convex::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).ok()?);
    let on = |x: f64, y: f64, z: f64, turned: DQuat| Pose::new(DVec3::new(x, y, z), turned);
    let straight = DQuat::IDENTITY;
    let tilted = |about: DVec3| DQuat::from_axis_angle(about, FRAC_PI_4);
    let high = libm::sqrt(0.5);
    let of = |id, what, carrier: &Convex, carrier_from_cube, points, area| Case {
        id,
        what,
        carrier: carrier.clone(),
        carrier_from_cube,
        points,
        area,
    };
    Some(vec![
        of("baraff/14/plane", "on a plane", &plane, on(0.2, 0.1, 0.5, straight), 4.0, 1.0),
        of("baraff/14/half", "half off a cube", &cube, on(0.5, 0.25, 1.0, straight), 4.0, 0.375),
        of(
            "baraff/14/turned",
            "on a cube, turned by 45°",
            &cube,
            on(0.0, 0.0, 1.0, tilted(DVec3::Z)),
            8.0,
            2.0 * libm::sqrt(2.0) - 2.0,
        ),
        of(
            "baraff/14/edge",
            "on its edge on a plane",
            &plane,
            on(0.0, 0.0, high, tilted(DVec3::X)),
            2.0,
            0.0,
        ),
        of(
            "baraff/14/edge-cube",
            "on its edge on a cube",
            &cube,
            on(0.0, 0.0, 0.5 + high, tilted(DVec3::X)),
            2.0,
            0.0,
        ),
    ])
}

fn row(context: &Context, case: &Case) -> Row {
    let cube = Convex::Polyhedron(Arc::new(ConvexPolyhedron::cuboid(DVec3::splat(0.5))));
    let answer = closest(&case.carrier, &cube, &case.carrier_from_cube, &mut Warm::Cold);
    let mut found = Manifold::default();
    manifold(&case.carrier, &cube, &case.carrier_from_cube, &answer, 1e-6, &mut found);
    let points: Vec<DVec3> = found.points().iter().map(|it| it.point_b).collect();
    let got = vec![points.len() as f64, area(&points, answer.normal)];
    let got = got.into_iter().map(|it| context.subject.extent(it)).collect::<Vec<f64>>();
    let what =
        format!("a unit cube {}: number of contact points and the area between them", case.what);
    // Corners are products of some ten roundings of size 1.
    Row::case(case.id, what, BY_HAND).absolute(1e-14, vec![case.points, case.area], got)
}

/// Area of the convex polygon whose corners these are, in any order, seen along a normal.
fn area(points: &[DVec3], normal: DVec3) -> f64 {
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let (u, v) = normal.any_orthonormal_pair();
    let mut around: Vec<(f64, DVec3)> = points
        .iter()
        .map(|p| *p - middle)
        .map(|arm| (libm::atan2(v.dot(arm), u.dot(arm)), arm))
        .collect();
    around.sort_by(|a, b| a.0.total_cmp(&b.0));
    let next = around.iter().cycle().skip(1);
    0.5 * around.iter().zip(next).map(|(a, b)| a.1.cross(b.1).dot(normal)).sum::<f64>().abs()
}
