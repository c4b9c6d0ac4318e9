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

fn inner() -> TriMesh {
    cuboid(DVec3::splat(0.25), DVec3::splat(0.75))
}

#[test]
fn nests_are_turned_where_there_is_one_way_to_do_it() {
    let shell = 1.0 - 0.125;
    // All the wrong way, then only the outer one.
    let report = restored(&join(&[cube().flipped(), inner()]), shell);
    assert_eq!(report.actions, [RepairAction::FlippedShells(2)]);
    let report = restored(&join(&[cube().flipped(), inner().flipped()]), shell);
    assert_eq!(report.actions, [RepairAction::FlippedShells(1)]);
    let core = cuboid(DVec3::splat(0.375), DVec3::splat(0.625));
    let report = restored(&join(&[core, inner().flipped(), cube()]).flipped(), shell + 1.0 / 64.0);
    assert_eq!(report.actions, [RepairAction::FlippedShells(3)]);
}

#[test]
fn a_body_in_a_body_is_not_made_a_cavity() {
    let nested = join(&[cube(), inner()]);
    let (result, report) = mended(&nested);
    assert_eq!((result, report.actions.len()), (nested, 0), "{}", report.verdict);
    assert_eq!(report.refusals, [Refusal::Nested]);
    // Turning the outermost shell leaves the same question, one level down.
    let core = cuboid(DVec3::splat(0.375), DVec3::splat(0.625));
    let (_, report) = mended(&join(&[cube().flipped(), inner(), core]));
    assert_eq!(report.actions, [RepairAction::FlippedShells(1)]);
    assert_eq!(report.refusals, [Refusal::Nested]);
    assert_eq!(report.verdict.nested_shells.count, 1, "{report}");
}

#[test]
fn shells_that_overlap_are_not_turned() {
    let through = placed(&cube(), 1.0, DQuat::IDENTITY, DVec3::splat(0.5));
    for parts in [[cube(), through.clone()], [cube().flipped(), through.flipped()]] {
        let overlapping = join(&parts);
        let (result, report) = mended(&overlapping);
        // Corners meet nothing of the other, so there is nothing to weld either.
        assert_eq!((result, report.actions.len()), (overlapping, 0), "{}", report.verdict);
        assert_eq!(report.refusals, [Refusal::Intersections]);
    }
}

#[test]
fn a_cavity_in_a_shell_that_is_crossed_is_not_turned() {
    // A spike of the floor touches the lid; the cavity beside it is sound.
    let cavity = cuboid(DVec3::new(0.05, 0.05, 0.8), DVec3::new(0.1, 0.1, 0.9)).flipped();
    let mut vertices = cube().vertices().to_vec();
    vertices.push(DVec3::new(0.5, 0.625, 1.0));
    let mut triangles: Vec<[u32; 3]> = cube().triangles().to_vec();
    triangles.drain(8..10);
    triangles.extend([[0, 2, 8], [2, 3, 8], [3, 1, 8], [1, 0, 8]]);
    let (_, report) = mended(&join(&[mesh(vertices, triangles), cavity]));
    assert_eq!(report.refusals, [Refusal::Intersections]);
    assert_eq!(report.actions, [], "{report}");
}

#[test]
fn an_inner_wall_of_two_sides_is_dropped() {
    let next = placed(&cube(), 1.0, DQuat::IDENTITY, DVec3::X);
    for parts in [[cube(), next.clone()], [next, cube()]] {
        let report = restored(&join(&parts), 2.0);
        assert_eq!(report.actions, [RepairAction::WeldedEqual(4), RepairAction::DroppedWalls(4)]);
    }
    let text = RepairAction::DroppedWalls(4).to_string();
    assert_eq!(text, "dropped 4 faces of inner walls wound both ways");
}

#[test]
fn of_a_copy_wound_the_other_way_one_stays() {
    for faces in [vec![4], vec![4, 5], vec![0, 1, 2, 3]] {
        let damaged = with_triangles(&cube(), |t| {
            for &face in &faces {
                let [a, b, c] = t[face];
                t.push([a, c, b]);
            }
        });
        let report = restored(&damaged, 1.0);
        assert_eq!(report.actions, [RepairAction::DroppedCopies(faces.len() as u64)]);
    }
    let sheet = mesh(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2], [0, 2, 1]]);
    assert_eq!(repair(&sheet, &RepairOptions::default()), Err(RepairError::NothingLeft));
}

#[test]
fn a_face_without_area_that_closes_nothing_is_dropped() {
    let mut vertices = cube().vertices().to_vec();
    vertices.extend([0.5, 0.75, 7.0, 8.0, 9.0].map(|x| x * DVec3::X));
    // On an edge; a chain of two; on the edge from both sides; far away.
    for flat in [
        vec![[0, 8, 1]],
        vec![[0, 8, 1], [8, 9, 1]],
        vec![[0, 8, 1], [1, 9, 0]],
        vec![[10, 11, 12]],
    ] {
        let mut triangles = cube().triangles().to_vec();
        triangles.extend(&flat);
        let used = triangles.iter().flatten().max().map_or(0, |&v| v as usize + 1);
        let report = restored(&mesh(vertices[..used].to_vec(), triangles), 1.0);
        let action = RepairAction::DroppedDangling(flat.len() as u64);
        assert!(report.actions.contains(&action), "{report}");
    }
}

#[test]
fn actions_count_in_the_singular_and_the_plural() {
    for (action, text) in [
        (RepairAction::Rewound(1), "rewound 1 face"),
        (RepairAction::Rewound(2), "rewound 2 faces"),
        (RepairAction::WeldedEqual(1), "welded 1 vertex at equal positions"),
        (RepairAction::DroppedCopies(1), "dropped 1 copy of a face"),
        (RepairAction::SplitJunctions(3), "split 3 neighbours of faces without area"),
        (RepairAction::DroppedDangling(1), "dropped 1 face without area that closes nothing"),
        (RepairAction::DroppedUnused(1), "dropped 1 unused vertex"),
        (RepairAction::FlippedShells(1), "turned 1 shell right side out"),
    ] {
        assert_eq!(action.to_string(), text);
    }
}

#[test]
fn repairable_is_said_of_what_a_repair_mends() {
    let pushed = |face: [u32; 3]| with_triangles(&cube(), |t| t.push(face));
    for damaged in [
        unwelded(&cube()),
        cube().flipped(),
        pushed([3, 3, 5]),
        pushed(cube().triangles()[4]),
        with_triangles(&cube(), |t| t[4].swap(0, 1)),
        with_triangles(&cube(), |t| t.truncate(10)),
        join(&[cube(), inner()]),
        join(&[cube(), placed(&cube(), 1.0, DQuat::IDENTITY, DVec3::splat(0.5))]),
        join(&[cube(), placed(&cube(), 1.0, DQuat::IDENTITY, DVec3::splat(2.0))]),
        cuboid(DVec3::ZERO, DVec3::new(1.0, 1e-8, 1.0)),
    ] {
        let left = mended(&damaged).1.verdict.complaints();
        for complaint in MeshVerdict::new(&damaged).complaints() {
            let is_left = left.iter().any(|other| other.what == complaint.what);
            let start = if is_left { "not repairable" } else { "repairable" };
            assert!(complaint.remedy.starts_with(start), "{complaint}");
        }
    }
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
