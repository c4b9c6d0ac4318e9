//! Repairs of meshes damaged in known ways.

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::*;
use crate::mesh::fixtures::{
    cube, cuboid, join, mesh, placed, tetrahedron, torus, unwelded, volume, with_triangles,
};
use crate::testing::property;

fn mended(mesh: &TriMesh) -> (TriMesh, RepairReport) {
    repair(mesh, &RepairOptions::default()).unwrap()
}

#[track_caller]
fn restored(damaged: &TriMesh, expected_volume: f64) -> RepairReport {
    let (result, report) = mended(damaged);
    assert!(report.verdict.is_solid() && report.refusals.is_empty(), "{report}");
    let found = volume(&result);
    // Sums of a few hundred rounded terms.
    let error = (found - expected_volume).abs() / expected_volume;
    assert!(error < 1e-13, "volume {found}, expected {expected_volume}");
    report
}

#[test]
fn a_sound_mesh_is_left_alone() {
    let (result, report) = mended(&cube());
    assert_eq!((result, report.actions), (cube(), vec![]));
}

#[test]
fn each_fault_has_its_action() {
    let cases = [
        (unwelded(&cube()), RepairAction::WeldedEqual(28)),
        (with_triangles(&cube(), |t| t.push([3, 3, 5])), RepairAction::DroppedFolded(1)),
        (with_triangles(&cube(), |t| t.push(t[4])), RepairAction::DroppedCopies(1)),
        (with_triangles(&cube(), |t| t[4].swap(0, 1)), RepairAction::Rewound(1)),
        (cube().flipped(), RepairAction::FlippedShells(1)),
    ];
    for (damaged, action) in cases {
        assert_eq!(restored(&damaged, 1.0).actions, [action]);
    }
    let mut vertices = cube().vertices().to_vec();
    vertices.insert(0, DVec3::splat(7.0));
    let triangles = cube().triangles().iter().map(|t| t.map(|v| v + 1)).collect();
    let report = restored(&mesh(vertices, triangles), 1.0);
    assert_eq!(report.actions, [RepairAction::DroppedUnused(1)]);
}

#[test]
fn cavities_are_turned_inward() {
    let inner = cuboid(DVec3::splat(0.25), DVec3::splat(0.75));
    let report = restored(&join(&[cube(), inner.clone()]), 1.0 - 0.125);
    assert_eq!(report.actions, [RepairAction::FlippedShells(1)]);
    restored(&join(&[cube().flipped(), inner]), 1.0 - 0.125);
}

#[test]
fn a_t_junction_is_split_without_moving_the_surface() {
    // The edge from 0 to 1 carries vertices on one side only: one, then three in a chain of faces.
    let mut vertices = tetrahedron().vertices().to_vec();
    vertices.extend([0.5, 0.25, 0.75].map(|x| x * DVec3::X));
    let rest = [[0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mut triangles = vec![[0, 2, 4], [4, 2, 1], [0, 4, 1]];
    triangles.extend(rest);
    let report = restored(&mesh(vertices[..5].to_vec(), triangles), 1.0 / 6.0);
    assert_eq!(report.actions, [RepairAction::SplitJunctions(1)]);
    let mut triangles = vec![[0, 2, 5], [5, 2, 4], [4, 2, 6], [6, 2, 1]];
    triangles.extend([[0, 5, 4], [4, 6, 1], [0, 4, 1]]);
    triangles.extend(rest);
    let report = restored(&mesh(vertices, triangles), 1.0 / 6.0);
    assert_eq!(report.actions, [RepairAction::SplitJunctions(3)]);
}

#[test]
fn close_vertices_are_welded_only_on_request() {
    let mut vertices = unwelded(&cube()).vertices().to_vec();
    for (k, vertex) in vertices.iter_mut().enumerate() {
        *vertex += 1e-9 * DVec3::new((k % 3) as f64, (k % 5) as f64, (k % 7) as f64);
    }
    let loose = mesh(vertices, unwelded(&cube()).triangles().to_vec());
    let (_, report) = mended(&loose);
    assert_eq!(report.refusals[0], Refusal::OpenEdges, "{report}");
    let options = RepairOptions { weld_tolerance: Some(1e-7), ..RepairOptions::default() };
    let (result, report) = repair(&loose, &options).unwrap();
    assert!(report.verdict.is_solid(), "{report}");
    assert_eq!(result.vertices().len(), 8);
    // Farthest apart: two, four and six steps.
    let RepairAction::WeldedNear { count: 28, largest_move } = report.actions[0] else {
        panic!("{report}");
    };
    assert!(largest_move > 0.0 && largest_move < 8e-9, "moved {largest_move}");
    for bad in [0.0, -1.0, f64::NAN, 0.5] {
        let options = RepairOptions { weld_tolerance: Some(bad), ..RepairOptions::default() };
        assert!(matches!(repair(&loose, &options), Err(RepairError::Tolerance(_))), "{bad}");
    }
}

#[test]
fn holes_and_intersections_are_refused_with_the_reason() {
    let (_, report) = mended(&with_triangles(&cube(), |t| t.truncate(10)));
    assert_eq!(report.refusals, [Refusal::OpenEdges]);
    assert!(report.to_string().contains("filling a hole would invent a surface"), "{report}");
    let through = placed(&cube(), 1.0, DQuat::IDENTITY, DVec3::new(0.5, 0.25, 0.375));
    let (_, report) = mended(&join(&[cube(), through]));
    assert_eq!(report.refusals, [Refusal::Intersections]);
    let folded = mesh(vec![DVec3::ZERO, DVec3::X], vec![[0, 1, 0]]);
    assert_eq!(repair(&folded, &RepairOptions::default()), Err(RepairError::NothingLeft));
}

#[test]
fn a_moebius_band_is_not_wound_alike() {
    // Five triangles in a ring, each sharing sides with the next two vertices.
    let ring = (0..5).map(|k: u32| {
        let (sin, cos) = libm::sincos(f64::from(k) * 1.2566);
        DVec3::new(cos, sin, 0.3 * f64::from(k % 2))
    });
    let band = (0..5).map(|k| [k, (k + 1) % 5, (k + 2) % 5]).collect();
    let (_, report) = mended(&mesh(ring.collect(), band));
    assert!(report.refusals.contains(&Refusal::Winding), "{report}");
}

proptest! {
    #![proptest_config(property(256))]

    #[test]
    fn flips_copies_and_loose_corners_are_undone(
        flips in proptest::collection::btree_set(0..144_usize, 0..60),
        copies in proptest::collection::vec(0..144_usize, 0..10),
        inside_out in any::<bool>(),
        scale in -6.0..6.0_f64,
    ) {
        let source = torus(2.0, 0.5, 12, 6);
        let damaged = with_triangles(&source, |triangles| {
            for &pick in &flips {
                triangles[pick].swap(1, 2);
            }
            for &pick in &copies {
                let [a, b, c] = triangles[pick];
                triangles.extend([[b, c, a], [a, a, c]]);
            }
        });
        let damaged = if inside_out { damaged.flipped() } else { damaged };
        let scale = libm::pow(10.0, scale);
        let damaged = unwelded(&damaged).scaled(scale).unwrap();
        restored(&damaged, volume(&source) * scale * scale * scale);
    }

    #[test]
    fn soup_is_repaired_without_panic(
        vertices in proptest::collection::vec((-2..3_i32, -2..3_i32, -2..3_i32), 1..20),
        picks in proptest::collection::vec((0..1000_u32, 0..1000_u32, 0..1000_u32), 1..60),
        tolerance in proptest::option::of(1e-9..0.01_f64),
    ) {
        let n = vertices.len() as u32;
        let vertices = vertices.iter().map(|&(x, y, z)| DVec3::new(x.into(), y.into(), z.into()));
        let triangles = picks.iter().map(|&(a, b, c)| [a % n, b % n, c % n]).collect();
        let soup = mesh(vertices.collect(), triangles);
        let options = RepairOptions { weld_tolerance: tolerance, ..RepairOptions::default() };
        if let Ok((_, report)) = repair(&soup, &options) {
            prop_assert_eq!(report.verdict.is_solid(), report.refusals.is_empty());
        }
    }
}
