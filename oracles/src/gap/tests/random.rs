//! Pairs at random: known gaps, points and directions that would give an interval the lie, and symmetry.

use std::time::Instant;

use glam::DVec3;

use super::super::pair::Pair;
use super::super::pieces::What;
use super::super::{AGREEMENT, Body, Gap, Oracle, Pose, slab};
use super::{CONVEX, Random, body, solid_of};

fn direction(random: &mut Random) -> DVec3 {
    loop {
        let v = DVec3::new(random.signed(), random.signed(), random.signed());
        if let Some(unit) = v.try_normalize().filter(|_| v.length() < 1.0) {
            return unit;
        }
    }
}

/// A point of the surface of a convex body, the farthest along a direction.
fn farthest(body: &Body, pose: &Pose, along: DVec3) -> DVec3 {
    let What::Convex(convex) = &body.pieces[0].what else { panic!("not convex") };
    let rotation = pose.rotation();
    let (_, point) = convex.core.support(rotation.transpose() * along);
    rotation * point + DVec3::from(pose.position) + along * convex.radius
}

/// The farthest points of A along −n and of B along n, put opposite each other at a distance g along n, are as near as any:
/// the slab between them is g wide. So the distance is known for any pair of convex solids in any orientation.
#[test]
fn gaps_known_by_construction_are_held_and_proven_down_to_a_ten_thousand_millionth_of_the_size() {
    let mut random = Random(1);
    let mut oracle = Oracle::new();
    let (mut widest, mut slowest) = ((0.0, ""), (0.0, ""));
    for kind_a in CONVEX {
        let started = Instant::now();
        let mut count = 0;
        for kind_b in CONVEX {
            for share in [1.0, 1e-3, 1e-6, 1e-9, 1e-10] {
                for _ in 0..4 {
                    let (a, b) = (
                        body(&solid_of(kind_a, &mut random)),
                        body(&solid_of(kind_b, &mut random)),
                    );
                    let size = a.radius().min(b.radius());
                    let (pose_a, mut pose_b) = (random.pose(1.0), random.pose(1.0));
                    let n = direction(&mut random);
                    let shift =
                        farthest(&a, &pose_a, -n) - n * (share * size) - farthest(&b, &pose_b, n);
                    pose_b.position = (DVec3::from(pose_b.position) + shift).to_array();
                    let found = oracle.gap(&a, &pose_a, &b, &pose_b);
                    count += 1;
                    // Placing B rounds.
                    let slack = 1e-14 * (1.0 + a.radius() + b.radius());
                    assert!(
                        found.holds(share * size, slack),
                        "{kind_a} {kind_b}: {found:?}, not {}",
                        share * size
                    );
                    assert!(found.is_apart(), "{kind_a} {kind_b} at {share}: {found:?}");
                    if found.width() / size > widest.0 {
                        widest = (found.width() / size, kind_a);
                    }
                }
            }
        }
        let each = started.elapsed().as_secs_f64() / f64::from(count);
        if each > slowest.0 {
            slowest = (each, kind_a);
        }
    }
    println!("widest {widest:?} of the smaller radius, slowest {slowest:?} s; {oracle:?}");
    assert!(widest.0 < 1e-9, "{widest:?}");
}

/// Whoever finds two points nearer than the lower end, or a slab wider than the upper one, has caught a lie.
#[test]
fn no_points_are_nearer_and_no_slab_is_wider_than_the_interval_allows() {
    let mut random = Random(2);
    let mut oracle = Oracle::new();
    let (mut apart, mut overlapping) = (0, 0);
    for round in 0..400 {
        let kinds = [CONVEX[round % 8], CONVEX[round / 8 % 8]];
        let [a, b] = kinds.map(|kind| body(&solid_of(kind, &mut random)));
        let (pose_a, pose_b) = (random.pose(2.0), random.pose(2.0));
        let found = oracle.gap(&a, &pose_a, &b, &pose_b);
        assert!(found.lower <= found.upper, "{kinds:?} {found:?}");
        apart += usize::from(found.is_apart());
        overlapping += usize::from(found.is_overlap());
        let pair = Pair::new(&a, &pose_a, &b, &pose_b);
        let rounding = 1e-14 * pair.extent();
        let mut points = [Vec::new(), Vec::new()];
        for _ in 0..60 {
            let n = direction(&mut random);
            assert!(pair.slab(n) <= found.upper + rounding, "{kinds:?} {found:?} {}", pair.slab(n));
            points[0].push(farthest(&a, &pose_a, n));
            points[1].push(farthest(&b, &pose_b, n));
        }
        for p in &points[0] {
            for q in &points[1] {
                assert!(p.distance(*q) >= found.lower - rounding, "{kinds:?} {found:?}");
            }
        }
    }
    println!("{apart} apart, {overlapping} overlapping, of 400; {oracle:?}");
    assert!(apart > 80 && overlapping > 80 && apart + overlapping > 390);
}

/// Two intervals for one number have something in common.
#[track_caller]
fn assert_meet(one: Gap, other: Gap, slack: f64, what: &str) {
    let apart = (one.lower - other.upper).max(other.lower - one.upper);
    assert!(apart <= slack, "{what}: {one:?} and {other:?}");
}

#[test]
fn order_place_and_small_shifts_change_what_they_must_and_no_more() {
    let kinds = ["box", "cylinder", "ellipsoid", "superquadric", "hull", "torus", "compound"];
    let mut random = Random(3);
    let mut oracle = Oracle::new();
    for (i, kind_a) in kinds.into_iter().enumerate() {
        for kind_b in kinds.into_iter().skip(i) {
            for _ in 0..3 {
                let (a, b) =
                    (body(&solid_of(kind_a, &mut random)), body(&solid_of(kind_b, &mut random)));
                let (pose_a, pose_b) = (random.pose(3.0), random.pose(3.0));
                let found = oracle.gap(&a, &pose_a, &b, &pose_b);
                let what = format!("{kind_a} {kind_b}");
                assert!(found.lower <= found.upper, "{what} {found:?}");
                assert_meet(found, oracle.gap(&b, &pose_b, &a, &pose_a), 0.0, &what);
                // Far away coordinates are as coarse as they are large.
                let moved =
                    |pose: Pose| Pose { position: pose.position.map(|x| x + 1024.0), ..pose };
                let far = oracle.gap(&a, &moved(pose_a), &b, &moved(pose_b));
                assert_meet(found, far, 1e-12, &what);
                let mut aside = pose_b;
                aside.position[0] += 1e-3;
                assert_meet(found, oracle.gap(&a, &pose_a, &b, &aside), 1e-3, &what);
            }
        }
    }
    println!("{oracle:?}");
}

#[test]
fn solids_a_million_times_larger_or_smaller_have_gaps_to_scale() {
    let mut random = Random(4);
    for _ in 0..50 {
        let sizes = [random.length(), random.length(), random.length()];
        let (pose_a, mut pose_b) = (random.pose(1.0), random.pose(1.0));
        pose_b.position[0] += 12.0;
        let at = |scale: f64| {
            let axes = sizes.map(|size| scale * size);
            let scaled = |pose: Pose| Pose { position: pose.position.map(|x| scale * x), ..pose };
            let ellipsoid = body(&super::Solid::Ellipsoid { semi_axes: axes });
            let cylinder = body(&super::Solid::Cylinder { half_length: axes[0], radius: axes[1] });
            let found = Oracle::new().gap(&ellipsoid, &scaled(pose_a), &cylinder, &scaled(pose_b));
            Gap { lower: found.lower / scale, upper: found.upper / scale }
        };
        for scale in [1e-6, 1e6, 1e-50, 1e50] {
            assert_meet(at(1.0), at(scale), 1e-14, "scaled");
            let width = if at(1.0).is_apart() { 1e-10 } else { 1e-2 };
            assert!(at(scale).width() < width, "{scale}: {:?}", at(scale));
        }
    }
}

#[test]
fn parry_is_asked_where_it_can_answer_and_outvoted_where_it_errs() {
    let mut random = Random(6);
    let mut oracle = Oracle::new();
    let kinds = ["box", "capsule", "cylinder", "cone", "hull", "ball"];
    for round in 0..1200 {
        let [a, b] = [round % 6, round / 6 % 6].map(|k| body(&solid_of(kinds[k], &mut random)));
        let (pose_a, mut pose_b) = (random.pose(1.0), random.pose(1.0));
        pose_b.position[2] += 0.8 * (a.radius() + b.radius());
        oracle.gap(&a, &pose_a, &b, &pose_b);
    }
    println!(
        "parry is off by more than {AGREEMENT:e} of the lengths in {} of {}",
        oracle.disagreements, oracle.second_opinions
    );
    assert_eq!(oracle.second_opinions, 1200);
    // Were it wrong as often as not, it would be we who do not understand it.
    assert!(oracle.disagreements < 120, "{oracle:?}");
}

/// Along the direction of a separation the slab is as wide as the gap's lower end, and along any other not above its upper.
#[test]
fn a_separation_comes_with_the_direction_that_proves_it_and_no_slab_is_wider() {
    let mut random = Random(21);
    let mut oracle = Oracle::new();
    for kind_a in CONVEX {
        for kind_b in CONVEX {
            let (a, b) =
                (body(&solid_of(kind_a, &mut random)), body(&solid_of(kind_b, &mut random)));
            let (pose_a, pose_b) = (random.pose(3.0), random.pose(3.0));
            let (gap, n) = oracle.separation(&a, &pose_a, &b, &pose_b);
            let along = slab(&a, &pose_a, &b, &pose_b, n);
            let extent = Pair::new(&a, &pose_a, &b, &pose_b).extent();
            // Both are widened for rounding, in frames of their own.
            let slack = 1e-12 * extent;
            assert!((along - gap.lower).abs() < slack, "{kind_a} {kind_b}: {along} {gap:?}");
            for _ in 0..20 {
                let n = direction(&mut random).to_array();
                let along = slab(&a, &pose_a, &b, &pose_b, n);
                assert!(along <= gap.upper, "{kind_a} {kind_b}: {along} {gap:?}");
            }
        }
    }
}
