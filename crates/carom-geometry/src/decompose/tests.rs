//! Decompositions whose quality is known by construction.

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::*;
use crate::mesh::fixtures::{
    cube, cuboid, ellipsoid, join, placed, tetrahedron, torus, tunnel, unwelded, volume,
};
use crate::testing::property;

fn closed(mesh: TriMesh) -> ClosedMesh {
    ClosedMesh::new(mesh).unwrap()
}

fn surfaces(result: &Decomposition) -> Vec<TriMesh> {
    result.pieces.iter().map(ConvexPolyhedron::to_mesh).collect()
}

fn turn() -> DQuat {
    DQuat::from_xyzw(0.1, -0.2, 0.3, 0.9).normalize()
}

/// Sampled from outside the certificate: largest distance over a lattice on each triangle.
fn sampled(triangles: impl Iterator<Item = [DVec3; 3]>, field: &impl deviation::Field) -> f64 {
    let n = 12;
    let mut largest = 0.0_f64;
    for [a, b, c] in triangles {
        for i in 0..=n {
            for j in 0..=n - i {
                let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                largest = largest.max(field.value(a + u * (b - a) + v * (c - a)).0);
            }
        }
    }
    largest
}

#[test]
fn a_convex_mesh_is_one_piece_without_deviation() {
    let round = ellipsoid(DVec3::new(1.0, 2.0, 3.0), 16, 9);
    let mut stray = vec![DVec3::splat(9.0)];
    stray.extend(unwelded(&cube()).vertices());
    let triangles = unwelded(&cube()).triangles().iter().map(|t| t.map(|v| v + 1)).collect();
    let loose = TriMesh::new(stray, triangles).unwrap();
    for source in [cube(), tetrahedron(), round, loose] {
        for mesh in [source.clone(), placed(&source, 0.01, turn(), DVec3::new(0.3, -0.1, 0.2))] {
            let expected = volume(&mesh);
            let solid = closed(mesh);
            let result = decompose(&solid, &DecomposeOptions::default()).unwrap();
            assert_eq!(result.pieces.len(), 1);
            let found = volume(&surfaces(&result)[0]);
            // Dents of rounding are filled.
            assert!((found - expected).abs() < 1e-12 * expected, "{found}, expected {expected}");
            let size = solid.aabb().diagonal();
            assert!(result.bulge.upper < 1e-12 * size, "{}", result.bulge);
            assert_eq!(surfaces(&result)[0].aabb(), solid.aabb());
            assert!(result.uncovered.upper < 1e-12 * size, "{}", result.uncovered);
        }
    }
}

#[test]
fn concave_solids_are_covered_within_the_bounds() {
    let apart = placed(&cube(), 1.0, DQuat::IDENTITY, DVec3::new(3.0, 0.5, 0.0));
    for source in [tunnel(), torus(1.0, 0.3, 24, 12), join(&[cube(), apart])] {
        let solid = closed(placed(&source, 1.0, turn(), DVec3::X));
        let options = DecomposeOptions { tolerance: 0.1, ..DecomposeOptions::default() };
        let result = decompose(&solid, &options).unwrap_or_else(|error| panic!("{error}"));
        assert!(result.pieces.len() > 1 && result.pieces.len() <= 32);
        let size = solid.aabb().diagonal();
        let uncovered = sampled(solid.mesh().iter_corners(), &Uncovered::new(&surfaces(&result)));
        let pieces = surfaces(&result);
        let bulge =
            sampled(pieces.iter().flat_map(TriMesh::iter_corners), &Bulge { solid: &solid });
        for (found, bound) in [(uncovered, result.uncovered), (bulge, result.bulge)] {
            assert!(found <= bound.upper, "sampled {found}, bound {bound}");
            assert!(bound.lower <= bound.upper && bound.upper <= 0.1 * size, "{bound}");
        }
    }
}

/// Three unit cubes around a corner, as one solid.
fn l_shape() -> TriMesh {
    let vertices = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)];
    let at = |z: f64| vertices.map(|(x, y)| DVec3::new(x.into(), y.into(), z));
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.extend([[a, c, b], [6 + a, 6 + b, 6 + c]]);
    }
    for k in 0..6_u32 {
        let next = (k + 1) % 6;
        triangles.extend([[k, next, 6 + next], [k, 6 + next, 6 + k]]);
    }
    TriMesh::new([at(0.0), at(1.0)].concat(), triangles).unwrap()
}

#[test]
fn an_l_of_two_boxes_is_cut_where_it_bends() {
    // The cut is moved onto the wall at the bend, so nothing is lost.
    let solid = closed(l_shape());
    let result = decompose(&solid, &DecomposeOptions::default()).unwrap();
    let found: f64 = surfaces(&result).iter().map(volume).sum();
    assert_eq!(result.pieces.len(), 2);
    // Rounding of a dozen terms; the bounds are as wide as the gap of the search, 10⁻³ of 3 m.
    assert!((found - 3.0).abs() < 1e-14, "volume {found}, expected 3");
    assert!(result.uncovered.upper < 3.01e-3, "{}", result.uncovered);
    assert!(result.bulge.upper < 3.01e-3, "{}", result.bulge);
}

#[test]
fn exact_pieces_meet_a_tolerance_below_the_gap() {
    let solid = closed(l_shape());
    for tolerance in [1e-3, 1e-4] {
        let options = DecomposeOptions { tolerance, ..DecomposeOptions::default() };
        let result = decompose(&solid, &options).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(result.pieces.len(), 2, "tolerance {tolerance}");
    }
}

#[test]
fn a_bound_too_wide_to_tell_asks_for_more_evaluations() {
    let solid = closed(l_shape());
    let options =
        DecomposeOptions { tolerance: 1e-4, max_evaluations: 400, ..DecomposeOptions::default() };
    let error = decompose(&solid, &options).unwrap_err();
    assert!(error.to_string().ends_with("raise max_evaluations"), "{error}");
    let ring = closed(torus(1.0, 0.3, 24, 12));
    let options = DecomposeOptions { max_pieces: 4, tolerance: 1e-3, ..Default::default() };
    let error = decompose(&ring, &options).unwrap_err();
    assert!(error.to_string().contains("hint: allow more pieces"), "{error}");
}

#[test]
fn too_coarse_a_result_is_refused_with_both_numbers() {
    let solid = closed(torus(1.0, 0.3, 24, 12));
    let options =
        DecomposeOptions { max_pieces: 4, tolerance: 0.001, ..DecomposeOptions::default() };
    let error = decompose(&solid, &options).unwrap_err();
    let DecomposeError::TooCoarse { bulge, allowed, .. } = &error else { panic!("{error}") };
    assert!(bulge.lower > *allowed, "{error}");
    assert!(error.to_string().contains("bulge by up to"), "{error}");
}

#[test]
fn a_tunnel_is_cut_along_its_walls() {
    // By volume no first cut is better than another; the worst bulge leads to the walls.
    let solid = closed(tunnel());
    let result = decompose(&solid, &DecomposeOptions::default()).unwrap();
    let found: f64 = surfaces(&result).iter().map(volume).sum();
    assert!((found - 8.0).abs() < 1e-13, "volume {found}, expected 8");
    assert!(result.pieces.len() <= 5, "{} pieces, 4 would do", result.pieces.len());
    assert!(result.bulge.upper < 1e-3 * solid.aabb().diagonal() + 1e-9, "{}", result.bulge);
}

#[test]
fn a_ring_that_is_cut_too_coarsely_is_cut_again() {
    let solid = closed(torus(2.0, 0.5, 40, 20));
    let result = decompose(&solid, &DecomposeOptions::default()).unwrap();
    assert!(result.worst() <= 0.02 * solid.aabb().diagonal(), "{}", result.bulge);
    assert!(result.pieces.len() <= 32);
}

#[test]
fn the_same_mesh_gives_the_same_pieces() {
    let solid = closed(tunnel());
    let options = DecomposeOptions { tolerance: 0.1, ..DecomposeOptions::default() };
    assert_eq!(decompose(&solid, &options), decompose(&solid, &options));
}

#[test]
fn sizes_far_from_one_make_no_difference_until_products_overflow() {
    let pieces = |scale: f64| {
        let solid = closed(tunnel().scaled(scale).unwrap());
        let options = DecomposeOptions { resolution: 32, ..DecomposeOptions::default() };
        decompose(&solid, &options).map(|result| result.pieces.len())
    };
    let expected = pieces(1.0).unwrap();
    for exponent in [-200, -60, 60] {
        assert_eq!(pieces(libm::scalbn(1.0, exponent)), Ok(expected), "size 2^{exponent}");
    }
    // Beyond any length in the world: an error value, not a panic.
    for exponent in [-900, 900] {
        assert!(pieces(libm::scalbn(1.0, exponent)).is_err(), "size 2^{exponent}");
    }
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let solid = closed(cube());
    for (options, name) in [
        (DecomposeOptions { max_pieces: 0, ..Default::default() }, "max_pieces"),
        (DecomposeOptions { resolution: 100_000, ..Default::default() }, "resolution"),
        (DecomposeOptions { tolerance: f64::NAN, ..Default::default() }, "tolerance"),
        (DecomposeOptions { gap: 0.0, ..Default::default() }, "gap"),
    ] {
        let error = decompose(&solid, &options).unwrap_err();
        assert!(error.to_string().starts_with(name), "{error}");
    }
}

proptest! {
    #![proptest_config(property(40))]

    #[test]
    fn the_bounds_hold_and_close_in_on_the_truth(shift in (0.0..0.9, 0.0..0.9, 0.0..0.9_f64)) {
        // Two cubes for one: the surface of the first sticks out of the second by a known length.
        let shift = DVec3::from(shift);
        let moved = [cuboid(shift, shift + DVec3::ONE)];
        let search = Search { gap: 1e-3, max_evaluations: 400_000 };
        // Farthest is the corner at the origin.
        let expected = shift.length();
        let solid = closed(cube());
        for bound in [
            search.largest(solid.mesh().iter_corners(), &Uncovered::new(&moved)),
            search.largest(moved[0].iter_corners(), &Bulge { solid: &solid }),
        ] {
            prop_assert!(bound.lower <= expected + 1e-15 && expected <= bound.upper, "{}", bound);
            prop_assert!(bound.upper - bound.lower <= 1.01e-3, "{}", bound);
        }
    }
}

#[test]
fn a_spent_budget_leaves_a_wide_but_honest_bound() {
    let moved = [cuboid(DVec3::splat(0.5), DVec3::splat(1.5))];
    let search = Search { gap: 1e-6, max_evaluations: 0 };
    let solid = closed(cube());
    let bound = search.largest(moved[0].iter_corners(), &Bulge { solid: &solid });
    assert!(bound.lower < 0.75_f64.sqrt() && bound.upper >= 0.75_f64.sqrt(), "{bound}");
}

/// A cube with a cubic cavity, walls `wall` thick.
fn hollow(wall: f64) -> TriMesh {
    join(&[cube(), cuboid(DVec3::splat(wall), DVec3::splat(1.0 - wall)).flipped()])
}

#[test]
fn a_hollow_solid_does_not_come_back_full() {
    for wall in [0.1, 0.3] {
        for pose in [DQuat::IDENTITY, turn()] {
            let solid = closed(placed(&hollow(wall), 1.0, pose, DVec3::X));
            let middle = pose * DVec3::splat(0.5) + DVec3::X;
            let options = DecomposeOptions { max_pieces: 256, ..DecomposeOptions::default() };
            let Ok(result) = decompose(&solid, &options) else { continue };
            let filled = surfaces(&result).iter().any(|piece| {
                ClosedMesh::new(piece.clone()).is_ok_and(|piece| piece.contains(middle))
            });
            let depth = 0.5 - wall;
            assert!(!filled || depth <= result.void.upper, "wall {wall}: void {}", result.void);
            assert!(result.void.upper <= 0.02 * solid.aabb().diagonal(), "{}", result.void);
        }
    }
}

#[test]
fn an_upright_hollow_cube_is_cut_into_its_walls() {
    let solid = closed(hollow(0.1));
    let result = decompose(&solid, &DecomposeOptions::default()).unwrap();
    let found: f64 = surfaces(&result).iter().map(volume).sum();
    let expected = 1.0 - 0.8 * 0.8 * 0.8;
    assert!((found - expected).abs() < 1e-9, "{found} in {} pieces", result.pieces.len());
}
