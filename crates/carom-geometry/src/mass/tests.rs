//! Chapter 6 of the thesis, its tables and its checklist (guide MP-R1 to MP-R8).

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;

use super::*;
use crate::mesh::TriMesh;
use crate::polyhedron::{ConvexPolyhedron, convex_hull};
use crate::shape::Solid;
use crate::testing::{box_mesh, pose, property};

fn moved(mesh: &TriMesh, pose: &Pose) -> TriMesh {
    let vertices = mesh.vertices().iter().map(|v| pose.point(*v)).collect();
    TriMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
}

fn norm(matrix: DMat3) -> f64 {
    matrix.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn relative(got: DMat3, expected: DMat3) -> f64 {
    norm(got - expected) / norm(expected)
}

/// proves: m1/MP-R1 m1/Q26
#[test]
fn the_cube_and_the_tetrahedron_of_the_thesis_come_out_to_fifteen_digits() {
    let cube = VolumeIntegrals::of_mesh(&box_mesh(DVec3::splat(10.0)));
    assert_eq!(cube.volume, 8000.0);
    assert_eq!((cube.first, cube.products), (DVec3::ZERO, DVec3::ZERO));
    assert!((cube.squares / (800_000.0 / 3.0) - DVec3::ONE).abs().max_element() < 1e-15);

    let corners = [DVec3::ZERO, 5.0 * DVec3::X, 4.0 * DVec3::Y, 3.0 * DVec3::Z];
    let tetra = VolumeIntegrals::of_mesh(&convex_hull(&corners).unwrap().to_mesh());
    let expected = [10.0, 12.5, 10.0, 7.5, 25.0, 16.0, 9.0, 10.0, 6.0, 7.5];
    let DVec3 { x, y, z } = tetra.first;
    let (s, p) = (tetra.squares, tetra.products);
    for (got, expected) in
        [tetra.volume, x, y, z, s.x, s.y, s.z, p.x, p.y, p.z].iter().zip(expected)
    {
        assert!((got / expected - 1.0).abs() < 1e-14, "{got} instead of {expected}");
    }
}

/// The thesis's refinement of a sphere: edge midpoints are pushed onto it and the hull taken.
fn refined(solid: &ConvexPolyhedron) -> ConvexPolyhedron {
    let mut points = solid.vertices().to_vec();
    for &edge in solid.edges() {
        let [a, b] = solid.ends(edge).map(|v| solid.vertices()[v as usize]);
        points.push((a + b).try_normalize().unwrap());
    }
    convex_hull(&points).unwrap()
}

fn icosahedron() -> ConvexPolyhedron {
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    let mut points = Vec::new();
    for (i, j) in [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)] {
        points.extend([DVec3::new(0.0, i, j), DVec3::new(i, j, 0.0), DVec3::new(j, 0.0, i)]);
    }
    let unit: Vec<DVec3> = points.iter().map(|p| p.try_normalize().unwrap()).collect();
    convex_hull(&unit).unwrap()
}

/// proves: m1/MP-R1 m1/Q27 m1/Q28
#[test]
fn six_spheres_agree_with_the_thesis_to_its_printed_digits() {
    let table = [
        (12, 30, 20, 2.536, 0.3670),
        (42, 120, 80, 3.659, 0.6692),
        (162, 480, 320, 4.047, 0.7911),
        (642, 1920, 1280, 4.153, 0.8258),
        (2562, 7680, 5120, 4.180, 0.8347),
        (10242, 30720, 20480, 4.187, 0.8370),
    ];
    let mut solid = icosahedron();
    for (v, e, f, volume, square) in table {
        assert_eq!((solid.vertices().len(), solid.edges().len(), solid.faces().len()), (v, e, f));
        let t = VolumeIntegrals::of_mesh(&solid.to_mesh());
        // Half a unit of the last printed digit.
        assert!((t.volume - volume).abs() <= 0.5e-3, "{} instead of {volume}", t.volume);
        for got in t.squares.to_array() {
            assert!((got - square).abs() <= 0.5e-4, "{got} instead of {square}");
        }
        let noise = t.first.abs().max_element().max(t.products.abs().max_element());
        println!("{f} faces: largest |T_x|, |T_yz| {noise:e}");
        // The guide measured up to 2e-15 where the thesis claims 1e-15.
        assert!(noise < 1e-14, "{noise:e}");
        solid = refined(&solid);
    }
}

/// proves: m1/Q29
#[test]
fn the_gap_of_the_finest_sphere_is_the_one_of_its_largest_face_distance() {
    let mut solid = icosahedron();
    for _ in 1..6 {
        solid = refined(&solid);
    }
    let distances = || solid.faces().iter().map(|face| face.offset);
    let (least, most) = (distances().fold(2.0, f64::min), distances().fold(0.0, f64::max));
    let gap =
        |r: f64| (4.0 * PI / 3.0 * (1.0 - r * r * r), 4.0 * PI / 15.0 * (1.0 - r * r * r * r * r));
    let (most_gap, least_gap) = (gap(most), gap(least));
    let near =
        |got: f64, expected: f64, digit: f64| assert!((got - expected).abs() < digit, "{got}");
    near(most_gap.0, 2.84e-3, 0.005e-3);
    near(most_gap.1, 9.48e-4, 0.005e-4);
    near(least_gap.0, 3.58e-3, 0.005e-3);
    near(least_gap.1, 1.19e-3, 0.005e-3);
}

fn solid_strategy() -> impl Strategy<Value = ConvexPolyhedron> {
    let point = proptest::array::uniform3(-1.0..1.0_f64).prop_map(DVec3::from_array);
    proptest::collection::vec(point, 8..40).prop_filter_map("flat", |p| convex_hull(&p).ok())
}

proptest! {
    #![proptest_config(property(300))]

    /// proves: m1/MP-R2
    #[test]
    fn moving_a_solid_moves_its_centre_and_turns_its_inertia(
        solid in solid_strategy(), pose in pose(), exponent in -60_i32..60,
    ) {
        let scale = libm::scalbn(1.0, exponent);
        let here = MassProperties::of_mesh(&solid.to_mesh(), 3.0).unwrap();
        let there = MassProperties::of_mesh(&moved(&solid.to_mesh(), &pose).scaled(scale).unwrap(), 3.0).unwrap();
        let expected = here.placed(&pose);
        prop_assert!((there.mass / (expected.mass * scale * scale * scale) - 1.0).abs() < 1e-12);
        prop_assert!((there.center / scale - expected.center).length() < 1e-13 * 10.0);
        let error = relative(there.inertia * libm::scalbn(1.0, -5 * exponent), expected.inertia);
        prop_assert!(error < 1e-11, "{}", error);
    }

    /// proves: m1/MP-R4
    #[test]
    fn triangulating_the_faces_changes_nothing(solid in solid_strategy()) {
        let polygons = MassProperties::of_polyhedron(&solid, 1.0).unwrap();
        let triangles = MassProperties::of_mesh(&solid.to_mesh(), 1.0).unwrap();
        prop_assert!((polygons.mass / triangles.mass - 1.0).abs() < 1e-13);
        prop_assert!(relative(polygons.inertia, triangles.inertia) < 1e-13);
    }

    /// proves: m1/MP-R5
    #[test]
    fn principal_axes_are_a_right_handed_frame_that_makes_the_inertia_diagonal(
        solid in solid_strategy(), pose in pose(),
    ) {
        let mass = MassProperties::of_polyhedron(&solid, 1.0).unwrap().placed(&pose);
        prop_assert_eq!(mass.verdict(), Ok(()));
        let PrincipalFrame { moments, axes } = mass.principal();
        prop_assert!((axes.determinant() - 1.0).abs() < 1e-14);
        prop_assert!(norm(axes.transpose() * axes - DMat3::IDENTITY) < 1e-14);
        prop_assert!(moments.x > 0.0 && moments.x <= moments.y && moments.y <= moments.z);
        let back = axes * DMat3::from_diagonal(moments) * axes.transpose();
        prop_assert!(relative(back, mass.inertia) < 1e-14);
        prop_assert_eq!(PrincipalFrame::of(&mass.inertia), mass.principal());
    }

    /// proves: m1/MP-R3
    #[test]
    fn cutting_a_box_into_parts_gives_the_same_totals(
        half in proptest::array::uniform3(0.1..2.0_f64), cut in 0.05..0.95_f64, pose in pose(),
    ) {
        let half = DVec3::from_array(half);
        let whole = MassProperties::of_mesh(&box_mesh(half), 2.0).unwrap().placed(&pose);
        let part = |share: f64, side: f64| {
            let size = half * DVec3::new(share, 1.0, 1.0);
            let shift = Pose::from_translation(DVec3::X * side * half.x * (1.0 - share));
            MassProperties::of_mesh(&box_mesh(size), 2.0).unwrap().placed(&pose.then_from(&shift))
        };
        let sum = MassProperties::combined(&[part(cut, -1.0), part(1.0 - cut, 1.0)]).unwrap();
        prop_assert!((sum.mass / whole.mass - 1.0).abs() < 1e-14);
        prop_assert!((sum.center - whole.center).length() < 1e-14 * 10.0);
        prop_assert!(relative(sum.inertia, whole.inertia) < 1e-13);
    }
}

/// A box of half sizes (2, 1.5, 0.5) with a square tunnel of half width 0.5 along z, as polygons with holes.
fn box_with_tunnel() -> MassProperties {
    let ring = |h: DVec3, z: f64| {
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, y]| DVec3::new(x * h.x, y * h.y, z))
    };
    let (outer, inner) = (DVec3::new(2.0, 1.5, 0.5), DVec3::new(0.5, 0.5, 0.5));
    let turned = |mut loop_: [DVec3; 4]| {
        loop_.reverse();
        loop_
    };
    let (top, bottom) = (ring(outer, 0.5), turned(ring(outer, -0.5)));
    let (top_hole, bottom_hole) = (turned(ring(inner, 0.5)), ring(inner, -0.5));
    let walls = |h: DVec3| {
        let (low, high) = (ring(h, -0.5), ring(h, 0.5));
        [0, 1, 2, 3].map(|i| [low[i], low[(i + 1) % 4], high[(i + 1) % 4], high[i]])
    };
    let (outside, inside) = (walls(outer), walls(inner).map(turned));
    let caps: [&[&[DVec3]]; 2] = [&[&top, &top_hole], &[&bottom, &bottom_hole]];
    let sides: Vec<[&[DVec3]; 1]> = outside.iter().chain(&inside).map(|wall| [&wall[..]]).collect();
    let faces = caps.into_iter().chain(sides.iter().map(|side| &side[..]));
    MassProperties::of_faces(faces, 1.0).unwrap()
}

/// proves: m1/MP-R3
#[test]
fn a_tunnel_given_by_faces_with_holes_equals_analytic_subtraction() {
    let got = box_with_tunnel();
    let of_box = |x: f64, y: f64, z: f64| {
        let mass = x * y * z;
        mass / 12.0 * DVec3::new(y * y + z * z, z * z + x * x, x * x + y * y)
    };
    let expected = of_box(4.0, 3.0, 1.0) - of_box(1.0, 1.0, 1.0);
    assert!((got.mass - 11.0).abs() < 1e-14 * 11.0, "{}", got.mass);
    assert!(got.center.length() < 1e-15, "{}", got.center);
    let error = relative(got.inertia, DMat3::from_diagonal(expected));
    assert!(error < 1e-14, "{error:e}");
}

/// proves: m1/MP-R6
#[test]
fn reversed_faces_are_detected_by_the_sign_of_the_volume() {
    let inward = box_mesh(DVec3::ONE).flipped();
    assert_eq!(VolumeIntegrals::of_mesh(&inward).volume, -8.0);
    let error = MassProperties::of_mesh(&inward, 1.0).unwrap_err();
    assert_eq!(error, MassError::InsideOut { volume: -8.0 });
}

/// The thesis's rattleback carries 30 g on a 500 g body.
///
/// proves: m1/MP-R8
#[test]
fn a_point_mass_shifts_the_centre_and_skews_the_inertia() {
    let body =
        MassProperties::of_mesh(&box_mesh(DVec3::new(0.1, 0.02, 0.01)), 500.0 / 0.16).unwrap();
    assert!((body.mass - 0.5).abs() < 1e-15);
    let at = DVec3::new(0.06, 0.015, 0.01);
    let sum =
        MassProperties::combined(&[body, MassProperties::point_mass(0.03, at).unwrap()]).unwrap();
    assert!((sum.mass - 0.53).abs() < 1e-15);
    assert!((sum.center - at * (0.03 / 0.53)).length() < 1e-16);
    // Reduced mass times the arm between the two centres.
    let reduced = 0.5 * 0.03 / 0.53;
    let expected = body.inertia.x_axis.y - reduced * at.x * at.y;
    assert!((sum.inertia.x_axis.y / expected - 1.0).abs() < 1e-13);
    assert_eq!(sum.verdict(), Ok(()));
}

#[test]
fn an_octahedron_whose_normals_are_the_worst_for_projection_comes_out_exactly() {
    let corners: Vec<DVec3> =
        [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|a| [a, -a]).collect();
    let solid = convex_hull(&corners).unwrap();
    let mass = MassProperties::of_polyhedron(&solid, 1.0).unwrap();
    assert!((mass.mass - 4.0 / 3.0).abs() < 1e-15);
    assert!(relative(mass.inertia, DMat3::from_diagonal(DVec3::splat(4.0 / 15.0))) < 1e-15);
}

#[test]
fn a_cube_keeps_the_axes_it_was_drawn_in_and_a_turned_disc_its_plane() {
    let cube = MassProperties::of_mesh(&box_mesh(DVec3::ONE), 1.0).unwrap();
    assert_eq!(cube.principal().axes, DMat3::IDENTITY);
    let turn = DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    let disc = MassProperties {
        mass: 1.0,
        center: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::new(1.0, 1.0, 1.9)),
    };
    let PrincipalFrame { moments, axes } = disc.placed(&Pose::new(DVec3::ZERO, turn)).principal();
    assert_eq!(moments, DVec3::new(1.0, 1.0, 1.9));
    // The normal was z and is now x.
    assert_eq!(axes.z_axis.x.abs(), 1.0);
    assert_eq!(axes.determinant(), 1.0);
}

/// Against the same rod unturned, whose closed form is exact.
#[test]
fn thin_rods_and_plates_keep_their_moments_however_they_lie() {
    let turn = DQuat::from_xyzw(0.3, -0.5, 0.1, 0.8).normalize();
    for width in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
        for half in [DVec3::new(0.5, width / 2.0, width), DVec3::new(0.5, 0.7, width)] {
            let volume = 8.0 * half.x * half.y * half.z;
            let square = half * half / 3.0;
            let exact = [square.y + square.z, square.z + square.x, square.x + square.y];
            let mut exact = exact.map(|i| volume * i);
            exact.sort_by(f64::total_cmp);
            let plain = MassProperties::of_mesh(&box_mesh(half), 1.0).unwrap();
            let mesh = moved(&box_mesh(half), &Pose::new(DVec3::new(0.3, 0.1, -0.2), turn));
            let turned = MassProperties::of_mesh(&mesh, 1.0).unwrap();
            let error = |got: f64, expected: f64| (got / expected - 1.0).abs();
            for (got, expected) in plain.principal().moments.to_array().iter().zip(exact) {
                assert!(error(*got, expected) < 1e-12, "width {width}: {got} beside {expected}");
            }
            // The turned vertices are rounded to 1e-16, a share of the width; and a tensor in other axes
            // holds its smallest moment only to 1e-16 of the largest.
            assert!(error(turned.mass, volume) < 1e-15 / width, "width {width}: {}", turned.mass);
            let got = turned.principal().moments.x;
            let share = 1e-15 / width + 1e-15 * exact[2] / exact[0];
            assert!(error(got, exact[0]) < 4.0 * share, "width {width}: {got} beside {}", exact[0]);
            // Moments that do not go through the tensor lose only what the vertices lose.
            let (_, frame) = MassProperties::of_mesh_with_principal(&mesh, 1.0).unwrap();
            for (got, expected) in frame.moments.to_array().iter().zip(exact) {
                // The moment goes with the fourth power of the width, and a turned vertex is off by a few ulp.
                let tolerance = 1e-15 / width + 1e-14;
                assert!(
                    error(*got, expected) < 32.0 * tolerance,
                    "width {width}: {got} beside {expected}"
                );
            }
        }
    }
}

#[test]
fn nearly_equal_moments_still_ascend() {
    for diagonal in [[1.0 + 1e-13, 1.0, 1.0], [1.0, 1.0 + 5e-13, 1.0], [1.0, 1.0, 1.0 - 5e-13]] {
        let tensor = DMat3::from_diagonal(DVec3::from_array(diagonal));
        let DVec3 { x, y, z } = PrincipalFrame::of(&tensor).moments;
        assert!(x <= y && y <= z, "{x} {y} {z}");
    }
}

#[test]
fn a_vertex_that_no_triangle_names_changes_nothing() {
    let cube = box_mesh(DVec3::new(0.5, 1.0, 1.5));
    let mut vertices = cube.vertices().to_vec();
    vertices.push(DVec3::new(1e8, 5e7, -1e8));
    let stray = TriMesh::new(vertices, cube.triangles().to_vec()).unwrap();
    let (alone, beside) =
        (MassProperties::of_mesh(&cube, 1.0), MassProperties::of_mesh(&stray, 1.0));
    assert_eq!(alone, beside);
}

#[test]
fn densities_and_masses_that_are_not_positive_are_refused() {
    let mesh = box_mesh(DVec3::ONE);
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = MassProperties::of_mesh(&mesh, density).unwrap_err();
        assert!(matches!(error, MassError::NotPositive { what: "density", .. }), "{error}");
    }
    assert!(MassProperties::point_mass(-1.0, DVec3::ZERO).is_err());
    assert!(MassProperties::point_mass(1.0, DVec3::NAN).is_err());
    let heavy = MassProperties::of_mesh(&mesh, 1e308).unwrap_err();
    assert!(matches!(heavy, MassError::OutOfRange { .. }), "{heavy}");
    for radius in [1e100, 1e-80] {
        let ball = crate::shapes::Ball::new(radius).unwrap();
        assert!(matches!(ball.mass_properties(1.0), Err(MassError::OutOfRange { .. })), "{radius}");
    }
    assert_eq!(MassProperties::combined(&[]), Err(MassError::NoParts));
}
