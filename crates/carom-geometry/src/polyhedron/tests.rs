//! Faces, adjacency and support of polyhedra.

use super::*;
use crate::testing::{box_corners, property};
use glam::DQuat;
use proptest::prelude::*;

fn counts(solid: &ConvexPolyhedron) -> (usize, usize, usize) {
    (solid.vertices().len(), solid.edges().len(), solid.faces().len())
}

#[test]
fn a_box_has_eight_vertices_twelve_edges_and_six_faces_however_it_is_turned() {
    let corners = box_corners(DVec3::new(0.1, 0.25, 3.0));
    for i in 0..200 {
        let i = f64::from(i);
        let turn = DQuat::from_xyzw(libm::sin(i), libm::cos(3.0 * i), libm::sin(0.7 * i), 0.3);
        let shift = DVec3::new(libm::sin(5.0 * i), 2.0, -1.0);
        let moved: Vec<DVec3> = corners.iter().map(|p| turn.normalize() * *p + shift).collect();
        let solid = convex_hull(&moved).unwrap();
        assert_eq!(counts(&solid), (8, 12, 6), "turn {i}");
    }
}

#[test]
fn points_inside_faces_and_edges_are_not_vertices() {
    let mut points = box_corners(DVec3::ONE);
    for p in box_corners(DVec3::ONE) {
        points.extend([p.with_x(0.0), p.with_y(0.25).with_z(0.5), p * 0.5]);
    }
    assert_eq!(counts(&convex_hull(&points).unwrap()), (8, 12, 6));
}

#[test]
fn a_turned_box_stays_a_box_with_points_all_over_its_faces_and_edges() {
    for i in 0..100 {
        let i = f64::from(i);
        let turn = DQuat::from_xyzw(libm::sin(i), libm::cos(3.0 * i), libm::sin(0.7 * i), 0.3);
        let mut points = box_corners(DVec3::ONE);
        for k in 0..60 {
            let (s, t) = libm::sincos(f64::from(k) + i);
            points.extend([
                DVec3::new(s, t, 1.0),
                DVec3::new(1.0, s, -1.0),
                DVec3::new(-1.0, s, t),
            ]);
        }
        let stretch = DVec3::new(1.0, 0.3, 0.07);
        let turned: Vec<DVec3> = points.iter().map(|p| turn.normalize() * (*p * stretch)).collect();
        assert_eq!(counts(&convex_hull(&turned).unwrap()), (8, 12, 6), "turn {i}");
    }
}

#[test]
fn a_prism_has_two_large_faces_and_one_per_side() {
    let n = 24;
    let rim = (0..n).map(|i| libm::sincos(f64::from(i) * std::f64::consts::TAU / f64::from(n)));
    let points: Vec<DVec3> = rim
        .flat_map(|(sin, cos)| [DVec3::new(cos, sin, -0.5), DVec3::new(cos, sin, 0.5)])
        .collect();
    let solid = convex_hull(&points).unwrap();
    assert_eq!(counts(&solid), (48, 72, 26));
    assert!(solid.faces().iter().filter(|face| face.n_edges == 24).count() == 2);
}

#[test]
fn the_area_of_a_box_is_the_sum_of_its_faces() {
    let solid = convex_hull(&box_corners(DVec3::new(1.0, 2.0, 3.0))).unwrap();
    assert_eq!(solid.surface_area(), 88.0);
    assert_eq!(solid.to_mesh().surface_area(), 88.0);
}

#[test]
fn large_clouds_on_and_in_a_sphere_make_valid_polyhedra() {
    let n = 30_000;
    let spiral = |i: i32| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(n);
        let (sin, cos) = libm::sincos(2.399963229728653 * f64::from(i));
        DVec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z
    };
    let sphere: Vec<DVec3> = (0..n).map(spiral).collect();
    let solid = convex_hull(&sphere).unwrap();
    assert_eq!(solid.find_broken_invariant(), None);
    assert_eq!(solid.vertices().len(), n as usize);
    let ball: Vec<DVec3> =
        (0..n).map(|i| spiral(i) * libm::cbrt(f64::from(i % 997) / 997.0)).collect();
    let solid = convex_hull(&ball).unwrap();
    assert_eq!(solid.find_broken_invariant(), None);
    for face in solid.faces() {
        assert!(ball.iter().all(|p| face.normal.dot(*p) <= face.offset + 1e-15 * 4.0));
    }
}

fn cloud() -> impl Strategy<Value = Vec<DVec3>> {
    let coordinate = prop_oneof![3 => -1.0..1.0, 1 => (-1_i32..2).prop_map(f64::from)];
    let point = proptest::array::uniform3(coordinate).prop_map(DVec3::from_array);
    proptest::collection::vec(point, 4..80)
}

proptest! {
    #![proptest_config(property(1500))]

    #[test]
    fn every_hull_is_a_valid_polyhedron_that_holds_its_points(
        points in cloud(),
        q in proptest::array::uniform4(-1.0..1.0_f64),
        // Crushing one axis makes slivers and nearly coplanar facets.
        crush in prop_oneof![Just(1.0), Just(1e-3), Just(1e-9), Just(1e-14)],
    ) {
        let turn = DQuat::from_array(q).normalize();
        let points: Vec<DVec3> = points.iter().map(|p| turn * (*p * DVec3::new(1.0, 1.0, crush))).collect();
        let Ok(solid) = convex_hull(&points) else { return Ok(()) };
        prop_assert_eq!(solid.find_broken_invariant(), None);
        // Rounding of the plane's evaluation at coordinates up to √3.
        let tolerance = 16.0 * f64::EPSILON;
        for face in solid.faces() {
            for p in &points {
                let above = face.normal.dot(*p) - face.offset;
                prop_assert!(above <= tolerance, "{} above a face of {} edges", above, face.n_edges);
            }
        }
    }

    #[test]
    fn climbing_finds_the_highest_vertex_from_any_start(
        points in cloud(),
        d in proptest::array::uniform3(-1.0..1.0_f64),
        start in any::<prop::sample::Index>(),
    ) {
        let Ok(solid) = convex_hull(&points) else { return Ok(()) };
        let direction = DVec3::from_array(d);
        let brute = points.iter().map(|p| direction.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
        let start = start.index(solid.vertices().len()) as u32;
        for found in [solid.support_vertex(direction), solid.support_vertex_from(start, direction)] {
            let height = direction.dot(solid.vertices()[found as usize]);
            prop_assert!((height - brute).abs() <= 1e-13, "{} instead of {}", height, brute);
        }
    }

    #[test]
    fn a_polyhedron_made_from_another_s_faces_has_the_same_bits(points in cloud()) {
        let Ok(solid) = convex_hull(&points) else { return Ok(()) };
        let faces = (0..solid.faces().len())
            .map(|i| {
                let face = solid.faces()[i];
                (face.normal, face.offset, solid.face_vertices(i).collect())
            })
            .collect();
        let copy = ConvexPolyhedron::from_faces(solid.vertices().to_vec(), faces);
        prop_assert_eq!(copy, Ok(solid));
    }
}

/// Normal, offset and corners of each face.
type Faces = Vec<(DVec3, f64, Vec<u32>)>;

#[test]
fn faces_that_bound_no_convex_solid_are_refused() {
    let solid = convex_hull(&box_corners(DVec3::ONE)).unwrap();
    let faces = || -> Faces {
        let face = |i: usize| {
            (solid.faces()[i].normal, solid.faces()[i].offset, solid.face_vertices(i).collect())
        };
        (0..solid.faces().len()).map(face).collect()
    };
    let refused = |change: fn(&mut Faces)| {
        let mut faces = faces();
        change(&mut faces);
        ConvexPolyhedron::from_faces(solid.vertices().to_vec(), faces).unwrap_err()
    };
    assert!(refused(|faces| faces[0].2[0] = 99).contains("not vertices"));
    assert!(refused(|faces| faces[2].1 -= 0.5).contains("above face 2"));
    assert!(refused(|faces| faces[1].0 = DVec3::ZERO).contains("no plane"));
    assert!(!refused(|faces| drop(faces.pop())).is_empty());
    assert!(!refused(|faces| faces[3].2.reverse()).is_empty());
}

#[test]
fn a_box_is_the_hull_of_its_corners() {
    let half = DVec3::new(1.0, 2.0, 3.0);
    let cuboid = ConvexPolyhedron::cuboid(half);
    assert_eq!(cuboid.find_broken_invariant(), None);
    assert_eq!([cuboid.vertices().len(), cuboid.edges().len(), cuboid.faces().len()], [8, 12, 6]);
    for face in 0..6 {
        let [a, b, c] = [0, 1, 2].map(|i| {
            let corner = cuboid.face_vertices(face).nth(i).expect("four corners");
            cuboid.vertices()[corner as usize]
        });
        let turn = (b - a).cross(c - b);
        let Face { normal, offset, .. } = cuboid.faces()[face];
        assert!((turn.normalize_or_zero() - normal).length() < 1e-15, "face {face} turns outwards");
        assert_eq!(normal.dot(a), offset);
    }
}
