//! The hull's three promises under friendly, degenerate and hostile input.

use super::*;
use crate::testing::property;
use proptest::prelude::*;

fn broken_promise(points: &[DVec3], hull: &Triangulation) -> Option<String> {
    for (t, corners) in hull.corners.iter().enumerate() {
        for side in 0..3 {
            let (from, to) = (corners[side], corners[(side + 1) % 3]);
            let across = hull.neighbors[t][side] as usize;
            let back = (0..3).any(|i| {
                hull.corners[across][i] == to
                    && hull.corners[across][(i + 1) % 3] == from
                    && hull.neighbors[across][i] as usize == t
            });
            if !back {
                return Some(format!("triangle {t} and its neighbour {across} do not match"));
            }
        }
        let plane = corners.map(|v| v as usize);
        for point in 0..points.len() {
            if hull.exact.side(plane, point) == Ordering::Greater {
                return Some(format!("point {point} is outside triangle {t}"));
            }
        }
    }
    None
}

fn check(points: &[DVec3]) -> Triangulation {
    let hull = triangulated_hull(points).expect("the points span a volume");
    assert_eq!(broken_promise(points, &hull), None);
    hull
}

fn grid(n: i32) -> Vec<DVec3> {
    let range = || 0..n;
    range()
        .flat_map(|x| range().map(move |y| (x, y)))
        .flat_map(|(x, y)| range().map(move |z| DVec3::new(x.into(), y.into(), z.into())))
        .collect()
}

#[test]
fn a_grid_full_of_coplanar_and_collinear_points_has_the_hull_of_a_cube() {
    let points = grid(6);
    let hull = check(&points);
    let mut used: Vec<u32> = hull.corners.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    assert!(used.len() >= 8, "{used:?}");
}

#[test]
fn points_without_volume_are_refused_with_the_reason() {
    let on_line: Vec<DVec3> = (0..9).map(|i| DVec3::new(1.0, 2.0, 3.0) * f64::from(i)).collect();
    let on_plane: Vec<DVec3> = grid(3).into_iter().map(|p| p.with_z(0.25)).collect();
    let cases = [
        (vec![DVec3::ONE; 3], "a convex hull needs at least 4 points, there are 3"),
        (vec![DVec3::ONE; 9], "all points lie at [1, 1, 1]"),
        (on_line, "all points lie on one line"),
        (on_plane, "all points lie within 0e0 of one plane"),
        (vec![DVec3::NAN; 4], "point 0 has the coordinates [NaN, NaN, NaN]"),
    ];
    for (points, expected) in cases {
        let message = triangulated_hull(&points).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn a_plane_turned_by_rounding_is_still_flat() {
    let turn = glam::DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    let points: Vec<DVec3> = grid(4).into_iter().map(|p| turn * p.with_z(0.0)).collect();
    let error = triangulated_hull(&points).unwrap_err();
    assert!(matches!(error, HullError::OnePlane { .. } | HullError::OneLine), "{error}");
}

#[test]
fn a_foil_of_a_millionth_is_a_solid() {
    let foil: Vec<DVec3> = grid(2).into_iter().map(|p| p * DVec3::new(1.0, 1.0, 1e-6)).collect();
    check(&foil);
}

#[test]
fn points_on_a_sphere_all_become_vertices() {
    let n = 400;
    let spiral: Vec<DVec3> = (0..n)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(n);
            let (sin, cos) = libm::sincos(2.399963229728653 * f64::from(i));
            DVec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z
        })
        .collect();
    let hull = check(&spiral);
    assert_eq!(hull.corners.len(), 2 * n as usize - 4, "Euler's formula for a simplicial sphere");
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1.0..1.0,
        3 => (-2_i32..3).prop_map(f64::from),
        1 => Just(1e-17),
        1 => Just(1.0 + f64::EPSILON),
        1 => -1e-9..1e-9,
    ]
}

fn cloud() -> impl Strategy<Value = Vec<DVec3>> {
    let point =
        (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| DVec3::new(x, y, z));
    proptest::collection::vec(point, 4..60)
}

proptest! {
    #![proptest_config(property(2000))]

    #[test]
    fn random_and_degenerate_clouds_are_enclosed_exactly_at_any_scale(
        points in cloud(),
        exponent in prop_oneof![Just(0), -900_i32..900],
    ) {
        let points: Vec<DVec3> = points.iter().map(|p| *p * libm::scalbn(1.0, exponent)).collect();
        if let Ok(hull) = triangulated_hull(&points) {
            prop_assert_eq!(broken_promise(&points, &hull), None);
        }
    }
}
