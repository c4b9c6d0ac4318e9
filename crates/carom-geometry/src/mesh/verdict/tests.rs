//! Verdicts on meshes whose faults are known by construction.

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::*;
use crate::mesh::fixtures::{
    cube, cuboid, ellipsoid, join, mesh, placed, tetrahedron, torus, tunnel, unwelded,
    with_triangles,
};
use crate::testing::property;

fn shifted(source: &TriMesh, x: f64, y: f64, z: f64) -> TriMesh {
    placed(source, 1.0, DQuat::IDENTITY, DVec3::new(x, y, z))
}

/// How often each problem was found, in a fixed order.
fn problems(v: &MeshVerdict) -> [u64; 10] {
    [
        v.open_edges.count,
        v.inconsistent_edges.count,
        v.nonmanifold_edges.count,
        v.nonmanifold_vertices.count,
        v.zero_area_faces.count,
        v.duplicate_faces.count,
        v.self_intersections.count,
        v.inside_out_shells.count,
        v.flat_shells.count,
        v.nested_shells.count,
    ]
}

#[track_caller]
fn solid(mesh: &TriMesh) -> MeshVerdict {
    let verdict = MeshVerdict::new(mesh);
    assert!(verdict.is_solid(), "{verdict}");
    verdict
}

#[track_caller]
fn unsound(mesh: &TriMesh) -> MeshVerdict {
    let verdict = MeshVerdict::new(mesh);
    assert!(!verdict.is_solid(), "{verdict}");
    verdict
}

#[test]
fn sound_meshes_pass_with_their_genus() {
    let cases = [
        (cube(), 1_u32, 0_u32),
        (tetrahedron(), 1, 0),
        (ellipsoid(DVec3::new(1.0, 2.0, 3.0), 17, 11), 1, 0),
        (torus(2.0, 0.5, 24, 12), 1, 1),
        (tunnel(), 1, 1),
        (join(&[cube(), shifted(&tunnel(), 5.0, 0.0, 0.0)]), 2, 1),
    ];
    for (mesh, n_shells, genus) in cases {
        let verdict = solid(&mesh);
        assert_eq!(verdict.n_shells, n_shells as usize, "{verdict}");
        assert_eq!(verdict.genus, Some(u64::from(genus)), "{verdict}");
        let characteristic = 2 * i64::from(n_shells) - 2 * i64::from(genus);
        assert_eq!(verdict.euler_characteristic, characteristic, "{verdict}");
    }
}

#[test]
fn an_open_box_is_open_along_its_rim() {
    // The last two triangles are the lid.
    let verdict = unsound(&with_triangles(&cube(), |t| t.truncate(10)));
    assert_eq!(problems(&verdict), [4, 0, 0, 0, 0, 0, 0, 0, 0, 0], "{verdict}");
    let rim: Vec<[u32; 2]> = verdict.open_edges.places.iter().map(|e| e.vertices).collect();
    assert_eq!(rim, [[4, 5], [4, 6], [5, 7], [6, 7]]);
    assert_eq!(verdict.open_edges.places[0].positions, [DVec3::Z, DVec3::new(1.0, 0.0, 1.0)]);
}

#[test]
fn one_flipped_triangle_disagrees_along_its_sides() {
    let verdict = unsound(&with_triangles(&cube(), |t| t[3].swap(0, 1)));
    assert_eq!(problems(&verdict), [0, 3, 0, 0, 0, 0, 0, 0, 0, 0], "{verdict}");
}

#[test]
fn all_triangles_flipped_is_inside_out() {
    let verdict = unsound(&cube().flipped());
    assert_eq!(problems(&verdict), [0, 0, 0, 0, 0, 0, 0, 1, 0, 0], "{verdict}");
    let volume = verdict.inside_out_shells.places[0].volume;
    // Twelve rounded terms.
    assert!((volume + 1.0).abs() < 1e-15, "volume {volume}, expected -1");
}

#[test]
fn a_cavity_is_wound_inward() {
    let inner = cuboid(DVec3::splat(0.25), DVec3::splat(0.75));
    let verdict = solid(&join(&[cube(), inner.flipped()]));
    assert_eq!((verdict.n_shells, verdict.n_cavities), (2, 1));
    for parts in [[cube(), inner.clone()], [inner.clone(), cube()]] {
        let verdict = unsound(&join(&parts));
        assert_eq!(problems(&verdict), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "{verdict}");
        assert_eq!(verdict.nested_shells.places[0].depth, 1, "the inner one is at fault");
        assert!(verdict.to_string().contains("not repairable: say whether it is a cavity"));
    }
    let island = cuboid(DVec3::splat(0.375), DVec3::splat(0.625));
    let verdict = solid(&join(&[island, inner.flipped(), cube()]));
    assert_eq!((verdict.n_shells, verdict.n_cavities), (3, 1));
}

#[test]
fn repeated_vertices_are_only_a_note() {
    let verdict = solid(&unwelded(&cube()));
    assert_eq!(verdict.duplicate_vertices.count, 36 - 8);
    let minus_zero = with_minus_zeros(&unwelded(&cube()));
    assert_eq!(solid(&minus_zero).duplicate_vertices.count, 36 - 8);
}

fn with_minus_zeros(source: &TriMesh) -> TriMesh {
    let flip = |k: usize, x: f64| if k.is_multiple_of(2) && x == 0.0 { -0.0 } else { x };
    let vertices = source.vertices().iter().enumerate();
    let vertices = vertices.map(|(k, v)| DVec3::new(flip(k, v.x), flip(k, v.y), flip(k, v.z)));
    mesh(vertices.collect(), source.triangles().to_vec())
}

#[test]
fn unused_vertices_are_only_a_note() {
    let mut vertices = cube().vertices().to_vec();
    vertices.push(DVec3::splat(9.0));
    let verdict = solid(&mesh(vertices, cube().triangles().to_vec()));
    assert_eq!(verdict.unused_vertices.places[0].vertex, 8);
}

#[test]
fn folded_and_collinear_faces_have_no_area() {
    let verdict = unsound(&with_triangles(&cube(), |t| t.push([0, 0, 5])));
    assert_eq!(problems(&verdict), [0, 0, 0, 0, 1, 0, 0, 0, 0, 0], "{verdict}");
    // Two of the faces around the junction touch along a piece of an edge.
    let verdict = unsound(&t_junction());
    assert_eq!(problems(&verdict), [0, 0, 0, 0, 1, 0, 2, 0, 0, 0], "{verdict}");
}

/// A tetrahedron with one edge split on one side only; a face without area closes the gap.
pub(crate) fn t_junction() -> TriMesh {
    let mut vertices = tetrahedron().vertices().to_vec();
    vertices.push(0.5 * DVec3::X);
    mesh(vertices, vec![[0, 2, 4], [4, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [0, 4, 1]])
}

#[test]
fn a_sliver_is_only_a_note() {
    let thin = DVec3::new(1.0, 1e-8, 1.0);
    let verdict = solid(&cuboid(DVec3::ZERO, thin));
    assert_eq!(verdict.slivers.count, 8, "{verdict}");
}

#[test]
fn three_faces_on_an_edge_are_not_a_surface() {
    let fin = |t: &mut Vec<[u32; 3]>| t.push([0, 7, 4]);
    let verdict = unsound(&with_triangles(&cube(), fin));
    assert_eq!(verdict.nonmanifold_edges.places[0].vertices, [0, 4], "{verdict}");
    // Two cubes that share an edge.
    let verdict = unsound(&join(&[cube(), shifted(&cube(), 1.0, 1.0, 0.0)]));
    assert_eq!(problems(&verdict), [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], "{verdict}");
}

#[test]
fn tetrahedra_that_share_one_vertex_are_a_bow_tie() {
    let mirrored = placed(&tetrahedron(), -1.0, DQuat::IDENTITY, DVec3::ZERO).flipped();
    let verdict = unsound(&join(&[tetrahedron(), mirrored]));
    assert_eq!(problems(&verdict), [0, 0, 0, 1, 0, 0, 0, 0, 0, 0], "{verdict}");
    assert_eq!((verdict.n_shells, verdict.genus), (2, None));
}

#[test]
fn interpenetrating_cubes_intersect() {
    let verdict = unsound(&join(&[cube(), shifted(&cube(), 0.5, 0.25, 0.375)]));
    assert!(verdict.self_intersections.count >= 6, "{verdict}");
    assert_eq!(problems(&verdict)[..6], [0; 6], "{verdict}");
}

#[test]
fn overlapping_shells_are_not_judged_for_nesting() {
    // The corner of one lies in the other, whichever is asked; a third stands apart, inside out.
    let through = shifted(&cube(), 0.5, 0.5, 0.5);
    let apart = shifted(&cube(), 5.0, 0.0, 0.0).flipped();
    for parts in [[cube(), through.clone()], [through.clone(), cube()]] {
        let verdict = unsound(&join(&parts));
        assert_eq!(problems(&verdict)[7..], [0, 0, 0], "{verdict}");
        assert_eq!((verdict.n_cavities, verdict.n_outer_shells), (0, 0), "{verdict}");
    }
    let verdict = unsound(&join(&[cube(), apart, through]));
    assert_eq!(problems(&verdict)[7..], [1, 0, 0], "{verdict}");
    assert_eq!(verdict.inside_out_shells.places[0].shell, 1, "{verdict}");
}

#[test]
fn nests_too_deep_to_settle_are_refused_for_that_reason() {
    let n = 2000;
    let layer = |k: u32| {
        let half = DVec3::splat(f64::from(n - k));
        let layer = cuboid(-half, half);
        if k.is_multiple_of(2) { layer } else { layer.flipped() }
    };
    let nest = join(&(0..n).map(layer).collect::<Vec<_>>());
    let options = VerdictOptions { max_pairs_tested: 0, ..VerdictOptions::default() };
    let verdict = MeshVerdict::with_options(&nest, &options);
    assert!(!verdict.is_solid() && verdict.search_is_complete && !verdict.nesting_is_settled);
    let text = verdict.to_string();
    assert!(text.contains("too many shells lie in each other to settle which is inside which"));
    assert!(!text.contains("self-intersection") && !text.contains("separate"), "{text}");
    let settled = solid(&nest);
    assert_eq!((settled.n_cavities, settled.n_outer_shells), (1000, 1000));
}

#[test]
fn coplanar_overlap_is_an_intersection() {
    // A smaller cube on top of the first: its floor lies in the other's lid.
    let on_top = cuboid(DVec3::new(0.25, 0.25, 1.0), DVec3::new(0.5, 0.5, 2.0));
    let verdict = unsound(&join(&[cube(), on_top]));
    assert!(verdict.self_intersections.count > 0, "{verdict}");
    // Two triangles in one plane, one inside the other without a common side.
    let verdict = unsound(&mesh(
        [[0, 0], [9, 0], [0, 9], [1, 1], [2, 1], [1, 2]]
            .map(|[x, y]: [i32; 2]| DVec3::new(f64::from(x), f64::from(y), 0.0))
            .to_vec(),
        vec![[0, 1, 2], [3, 4, 5]],
    ));
    assert_eq!(verdict.self_intersections.count, 1, "{verdict}");
}

#[test]
fn a_spike_touching_the_far_wall_from_inside_is_found() {
    // The floor of the cube is drawn up to a tip; at height 1 it touches the lid in one point.
    let spiked = |height: f64| {
        let mut vertices = cube().vertices().to_vec();
        vertices.push(DVec3::new(0.5, 0.625, height));
        with_floor(vertices)
    };
    assert_eq!(problems(&solid(&spiked(1.0_f64.next_down()))), [0; 10]);
    let verdict = unsound(&spiked(1.0));
    // The tip lies in one of the two triangles of the lid; four faces of the spike end in it.
    assert_eq!(problems(&verdict), [0, 0, 0, 0, 0, 0, 4, 0, 0, 0], "{verdict}");
}

fn with_floor(vertices: Vec<DVec3>) -> TriMesh {
    let mut triangles: Vec<[u32; 3]> = cube().triangles().to_vec();
    triangles.drain(8..10);
    triangles.extend([[0, 2, 8], [2, 3, 8], [3, 1, 8], [1, 0, 8]]);
    mesh(vertices, triangles)
}

#[test]
fn a_sheet_of_two_sides_is_flat() {
    let sheet = mesh(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2], [0, 2, 1]]);
    let verdict = unsound(&sheet);
    assert_eq!(problems(&verdict), [0, 0, 0, 0, 0, 1, 0, 0, 1, 0], "{verdict}");
}

#[test]
fn a_duplicate_face_is_named_with_its_twin() {
    let verdict = unsound(&with_triangles(&cube(), |t| t.push([t[5][1], t[5][2], t[5][0]])));
    assert_eq!(verdict.duplicate_faces.count, 1);
    assert_eq!(verdict.duplicate_faces.places[0].triangles, [5, 12], "{verdict}");
}

#[test]
fn the_words_name_place_and_remedy() {
    let verdict = unsound(&with_triangles(&cube(), |t| t.truncate(11)));
    let text = verdict.to_string();
    assert!(text.starts_with("not a solid: 11 triangles, 8 vertices, 1 shell"), "{text}");
    assert!(text.contains("problem: 3 × open edge: 4–6 from (0, 0, 1) to (0, 1, 1)"), "{text}");
    assert!(text.contains("not repairable: holes are not filled"), "{text}");
    assert!(text.ends_with("\n  (vertices, triangles and shells are counted from 0)"), "{text}");
    let text = unsound(&with_minus_zeros(&cube()).flipped()).to_string();
    assert!(text.contains("volume -1 m³, inside 0 others) at (0, 0, 0)"), "{text}");
    assert_eq!(solid(&cube()).to_string(), "a solid: 12 triangles, 8 vertices, 1 shell, 0 tunnels");
}

#[test]
fn triangles_all_on_a_heap_end_at_the_limit() {
    // 20 000 triangles through one point: two hundred million pairs, stopped after the first ones.
    let heap = |n: u32| {
        let mut vertices = Vec::new();
        for k in 0..n {
            let (sin, cos) = libm::sincos(f64::from(k));
            let lift = f64::from(k) / f64::from(n);
            let tip = DVec3::new(cos, sin, lift);
            vertices.extend([tip, DVec3::new(-sin, cos, -lift), DVec3::new(-cos, -sin, 0.5)]);
        }
        mesh(vertices, (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect())
    };
    let verdict = unsound(&heap(20_000));
    assert!(!verdict.search_is_complete);
    assert_eq!(verdict.self_intersections.count, VerdictOptions::default().max_pairs_found);
    assert!(verdict.to_string().contains("problem (at least): 100000 × self-intersection"));
}

#[test]
fn a_weave_of_wires_ends_at_the_limit() {
    // Warp and weft in four layers by turns: no two boxes overlap, but those of most bundles do.
    let n = 20_000_u32;
    let wire = |k: u32| {
        let at = f64::from(k / 2) / f64::from(n);
        let (along, across) =
            if k.is_multiple_of(2) { (DVec3::X, DVec3::Y) } else { (DVec3::Y, DVec3::X) };
        let base = at * across + 1e-5 * f64::from(k % 4) * DVec3::Z;
        [base, base + along, base + 0.5 * along + 1e-7 * across]
    };
    let vertices = (0..n).flat_map(wire).collect();
    let weave = mesh(vertices, (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect());
    let options = VerdictOptions { max_pairs_tested: 0, ..VerdictOptions::default() };
    let verdict = MeshVerdict::with_options(&weave, &options);
    assert!(!verdict.search_is_complete && verdict.self_intersections.is_empty(), "{verdict}");
    // Tens of millions of pairs of bundles overlap, more than the five million steps granted above.
    let complete = MeshVerdict::new(&weave);
    assert!(complete.search_is_complete && complete.self_intersections.is_empty());
}

/// Any turn, shift and size from a micrometre to a thousand kilometres.
fn any_placement() -> impl Strategy<Value = (f64, DQuat, DVec3)> {
    let direction = (-1.0..1.0, -1.0..1.0, -1.0..1.0_f64);
    (-6.0..6.0_f64, direction, 0.0..6.3_f64, (-3.0..3.0, -3.0..3.0, -3.0..3.0_f64)).prop_map(
        |(exponent, (x, y, z), angle, shift)| {
            let scale = libm::pow(10.0, exponent);
            let axis = DVec3::new(x, y, z).try_normalize().unwrap_or(DVec3::X);
            let half = libm::sincos(0.5 * angle);
            let turn = DQuat::from_xyzw(axis.x * half.0, axis.y * half.0, axis.z * half.0, half.1);
            (scale, turn.normalize(), scale * DVec3::from(shift))
        },
    )
}

proptest! {
    #![proptest_config(property(256))]

    #[test]
    fn placement_and_size_do_not_change_a_verdict((scale, turn, shift) in any_placement()) {
        let inner = cuboid(DVec3::splat(0.25), DVec3::splat(0.75));
        let apart = shifted(&cube(), 2.0, 0.0, 0.0);
        let through = shifted(&cube(), 0.5, 0.25, 0.375);
        for source in [
            tetrahedron(),
            torus(2.0, 0.5, 9, 7),
            tunnel(),
            ellipsoid(DVec3::new(3.0, 1.0, 2.0), 7, 5),
            join(&[cube(), inner.flipped()]),
            join(&[cube(), inner]),
            join(&[cube(), apart]),
            join(&[cube(), through]),
            cube().flipped(),
            with_triangles(&tunnel(), |t| t[7].swap(0, 2)),
        ] {
            let (here, there) =
                (MeshVerdict::new(&source), MeshVerdict::new(&placed(&source, scale, turn, shift)));
            prop_assert_eq!(problems(&here), problems(&there));
            prop_assert_eq!(
                (here.is_solid(), here.n_shells, here.n_cavities, here.genus),
                (there.is_solid(), there.n_shells, there.n_cavities, there.genus)
            );
        }
    }

    #[test]
    fn a_mutated_torus_never_passes(
        kind in 0..3,
        picks in proptest::collection::btree_set(0..144_usize, 1..20),
    ) {
        let damaged = with_triangles(&torus(2.0, 0.5, 12, 6), |triangles| {
            for &pick in picks.iter().rev() {
                match kind {
                    0 => triangles[pick].swap(1, 2),
                    1 => { triangles.remove(pick); }
                    _ => triangles.push(triangles[pick]),
                }
            }
        });
        prop_assert!(!MeshVerdict::new(&damaged).is_solid());
    }

    #[test]
    fn soup_is_judged_without_panic(
        vertices in proptest::collection::vec((-3..3_i32, -3..3_i32, -3..3_i32), 1..30),
        picks in proptest::collection::vec((0..1000_u32, 0..1000_u32, 0..1000_u32), 1..60),
        exponent in -300..300_i32,
    ) {
        let scale = libm::pow(10.0, f64::from(exponent));
        let n = vertices.len() as u32;
        let vertices =
            vertices.iter().map(|&(x, y, z)| scale * DVec3::new(x.into(), y.into(), z.into()));
        let triangles = picks.iter().map(|&(a, b, c)| [a % n, b % n, c % n]).collect();
        let verdict = MeshVerdict::new(&mesh(vertices.collect(), triangles));
        prop_assert!(!verdict.to_string().is_empty());
    }
}

#[test]
fn a_rod_thinner_than_rounding_of_its_volume_keeps_its_sides() {
    for width in [1e-6, 1e-8, 1e-9, 3e-10] {
        for k in 0..40 {
            let angle = f64::from(k);
            let turn = DQuat::from_xyzw(libm::sin(angle), libm::cos(2.0 * angle), 0.4, 0.7);
            let rod = cuboid(DVec3::ZERO, DVec3::new(1.0, width, 2.0 * width));
            let verdict = MeshVerdict::new(&placed(&rod, 1.0, turn.normalize(), DVec3::ZERO));
            assert!(verdict.inside_out_shells.is_empty(), "width {width}, turn {k}: {verdict}");
        }
    }
}
