//! Solids within and around each other.

use super::super::second::opinion;
use super::super::{Oracle, Pose, Solid};
use super::{Random, assert_is, body, box_mesh, gap, torus, turn};

#[test]
fn a_ball_inside_a_mesh_overlaps_it_although_the_surfaces_are_apart() {
    let solid = box_mesh([1.0; 3]);
    let ball = Solid::Ball { radius: 0.25 };
    let inside = gap(&solid, Pose::IDENTITY, &ball, Pose::at([0.5, 0.0, 0.0]));
    // It must come out by its own radius and its depth: 0.75.
    assert!(inside.is_overlap() && inside.holds(-0.75, 1e-6), "{inside:?}");
    let swapped = gap(&ball, Pose::at([0.5, 0.0, 0.0]), &solid, Pose::IDENTITY);
    assert!(swapped.is_overlap() && swapped.holds(-0.75, 1e-6), "{swapped:?}");
}

#[test]
fn a_mesh_inside_a_mesh_overlaps_it_whichever_comes_first() {
    let (outer, inner) = (box_mesh([2.0; 3]), box_mesh([0.5; 3]));
    let at = Pose { position: [0.7, 0.1, 0.0], quaternion: turn([1.0, 1.0, 0.0], 0.5) };
    assert!(gap(&outer, Pose::IDENTITY, &inner, at).is_overlap());
    assert!(gap(&inner, at, &outer, Pose::IDENTITY).is_overlap());
    assert!(gap(&inner, Pose::at([2.6, 0.0, 0.0]), &outer, Pose::IDENTITY).is_apart());
}

#[test]
fn a_rod_through_a_ring_is_apart_from_it() {
    // A torus of 64 × 32 corners: its inner rim is a polygon, nearest at the middles of its sides.
    let ring = torus(1.0, 0.25, 64, 32);
    let inner = 0.75 * libm::cos(std::f64::consts::PI / 64.0);
    let rod = Solid::Capsule { half_length: 3.0, radius: 0.5 };
    assert_is(gap(&ring, Pose::IDENTITY, &rod, Pose::IDENTITY), inner - 0.5, 1e-11);
    let bolt = Solid::Cylinder { half_length: 3.0, radius: inner - 1e-9 };
    let tight = gap(&ring, Pose::IDENTITY, &bolt, Pose::IDENTITY);
    assert!(tight.is_apart() && tight.holds(1e-9, 1e-13), "{tight:?}");
    let too_thick = Solid::Cylinder { half_length: 3.0, radius: inner + 1e-6 };
    assert!(gap(&ring, Pose::IDENTITY, &too_thick, Pose::IDENTITY).is_overlap());
}

#[test]
fn linked_rings_are_apart_and_crossing_ones_are_not() {
    let ring = torus(1.0, 0.2, 48, 24);
    let across = turn([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2);
    let linked =
        gap(&ring, Pose::IDENTITY, &ring, Pose { position: [1.0, 0.0, 0.0], quaternion: across });
    assert!(linked.is_apart() && linked.holds(0.6, 0.01), "{linked:?}");
    let crossing =
        gap(&ring, Pose::IDENTITY, &ring, Pose { position: [1.7, 0.0, 0.0], quaternion: across });
    assert!(crossing.is_overlap(), "{crossing:?}");
    assert!(crossing.lower >= -2.0, "{crossing:?}");
}

#[test]
fn parts_of_a_compound_count_one_by_one() {
    // A dumb-bell astride a post.
    let ball = |x: f64| (Pose::at([x, 0.0, 0.0]), Solid::Ball { radius: 0.5 });
    let dumb_bell = Solid::Compound { parts: vec![ball(-1.0), ball(1.0)] };
    let post = Solid::Cuboid { half: [0.25, 1.0, 2.0] };
    assert_is(gap(&dumb_bell, Pose::IDENTITY, &post, Pose::IDENTITY), 0.25, 1e-12);
    let nested = Solid::Compound { parts: vec![(Pose::at([5.0, 0.0, 0.0]), dumb_bell)] };
    assert_is(gap(&nested, Pose::at([-5.0, 0.0, 0.0]), &post, Pose::IDENTITY), 0.25, 1e-12);
    let caught = gap(&nested, Pose::at([-5.3, 0.0, 0.0]), &post, Pose::IDENTITY);
    // To the left by 0.25 − 0.2 it is astride again; no direction of a shift separates it by less.
    assert!(caught.is_overlap() && caught.holds(-0.05, 1e-9), "{caught:?}");
}

/// Parry is not asked for two meshes by itself, because it takes ten times as long as all the rest; here it is.
#[test]
fn gaps_of_meshes_agree_with_parry() {
    let mut random = Random(7);
    let (mut apart, mut off) = (0, 0.0_f64);
    for _ in 0..40 {
        let [a, b] = [0, 1].map(|_| body(&torus(1.0, 0.1 + 0.3 * random.unit(), 20, 12)));
        let (pose_a, pose_b) = (random.pose(1.2), random.pose(1.2));
        let found = Oracle::new().gap(&a, &pose_a, &b, &pose_b);
        let parry = opinion(&a, &pose_a, &b, &pose_b).unwrap();
        if found.is_apart() {
            apart += 1;
            off = off.max(parry.distance - found.upper).max(found.lower - parry.distance);
        } else {
            assert!(parry.distance < 1e-9, "{found:?}, but parry says {}", parry.distance);
        }
    }
    println!("{apart} of 40 apart, parry off by at most {off:e} m");
    assert!(apart > 5 && off < 1e-9, "{apart} {off:e}");
}
