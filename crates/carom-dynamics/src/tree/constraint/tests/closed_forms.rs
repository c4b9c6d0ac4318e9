//! Constraints whose forces one finds by hand.

use carom_geometry::Pose;
use glam::DVec3;

use super::{BENT, Constraint, HINGE, Hold, LOWER_END, gravity, hold, placed, tip, two_rods};
use crate::tree::tests::{diagonal, largest_difference, rod, tree_of};
use crate::tree::{Joint, LinkPoint, LinkSpec, Load, Row, Tree};

const G: f64 = 9.81;
/// A few roundings of numbers of size ten.
const ROUNDING: f64 = 1e-13;

fn assert_near(what: &str, measured: &[f64], expected: &[f64]) {
    let off = largest_difference(measured, expected);
    println!("{what}: off by {off:e}");
    assert!(off < ROUNDING, "{what}: {measured:?} instead of {expected:?}");
}

/// A body on nothing, its frame at its centre.
fn free_body(mass: f64, moments: [f64; 3]) -> Tree {
    let body = diagonal(mass, DVec3::ZERO, moments);
    let parent_from_joint = Pose::from_translation(DVec3::ZERO);
    tree_of(&[LinkSpec { parent: None, parent_from_joint, joint: Joint::Free, body }])
}

#[test]
fn a_pendulum_on_its_stop_presses_with_its_weight_times_its_lever() {
    let (mass, length) = (0.7, 1.3);
    let body = diagonal(mass, DVec3::new(0.0, 0.0, -length), [0.0; 3]);
    let parent_from_joint = Pose::from_translation(DVec3::new(0.2, 0.0, 1.0));
    let tree = tree_of(&[LinkSpec { parent: None, parent_from_joint, joint: HINGE, body }]);
    for above_horizontal in [-1.2, -0.6, 0.0, 0.4, 1.5_f64] {
        let q = [core::f64::consts::FRAC_PI_2 + above_horizontal];
        let mut scratch = placed(&tree, &q, &[0.0]);
        let stop = |hold| Constraint { row: Row::Freedom(0), target: 0.0, hold };
        let moment = mass * G * length * libm::cos(above_horizontal);
        let (v_dot, forces, _) =
            hold(&tree, &gravity(), &[stop(Hold::Pushes)], &mut scratch).unwrap();
        assert_near("moment of the stop", &forces, &[moment]);
        assert_near("acceleration on the stop", &v_dot, &[0.0]);
        // On the other side the stop does nothing.
        let (v_dot, forces, _) =
            hold(&tree, &gravity(), &[stop(Hold::Pulls)], &mut scratch).unwrap();
        assert_near("moment of an upper stop", &forces, &[0.0]);
        assert_near("fall from it", &v_dot, &[-moment / (mass * length * length)]);
    }
}

#[test]
fn two_rods_held_at_the_tip_hang_as_an_arch_does() {
    let tree = two_rods();
    let mut scratch = placed(&tree, &BENT, &[0.0; 2]);
    let held = tip(&scratch, 1);
    let (v_dot, forces, report) =
        hold(&tree, &gravity(), &Constraint::point(held, DVec3::ZERO), &mut scratch).unwrap();
    // Moments about the elbow and about the root, of weights and of the force at the tip.
    let along = |angle: f64| [-libm::sin(angle), -libm::cos(angle)];
    let ([x1, z1], [x2, z2]) = (along(BENT[0]), along(BENT[0] + BENT[1]));
    let (b2, b1) = (-0.5 * x2 * G, -1.5 * x1 * G);
    let determinant = -z2 * x1 + x2 * z1;
    let expected = [(-b2 * x1 + x2 * b1) / determinant, 0.0, (z2 * b1 - z1 * b2) / determinant];
    assert_near("force at the tip", &forces, &expected);
    assert_near("accelerations", &v_dot, &[0.0, 0.0]);
    assert_eq!(report.redundant, 1, "the plane of the rods holds one direction already");
}

#[test]
fn the_tip_of_moving_rods_accelerates_as_asked() {
    let tree = two_rods();
    let v = [1.0, -0.5];
    let mut scratch = placed(&tree, &BENT, &v);
    let driven = tip(&scratch, 1);
    let target = DVec3::new(3.0, 0.0, -2.0);
    let (v_dot, ..) =
        hold(&tree, &gravity(), &Constraint::point(driven, target), &mut scratch).unwrap();
    // With angles φ of the rods the tip is at d(φ₁) + d(φ₂), d = −(sin φ, cos φ), d'' = −d.
    let (f1, f2) = (BENT[0], BENT[0] + BENT[1]);
    let (w1, w2) = (v[0], v[0] + v[1]);
    let pull = |f: f64, w: f64| [w * w * libm::sin(f), w * w * libm::cos(f)];
    let (p1, p2) = (pull(f1, w1), pull(f2, w2));
    let (bx, bz) = (target.x - p1[0] - p2[0], target.z - p1[1] - p2[1]);
    let (t1, t2) = ([-libm::cos(f1), libm::sin(f1)], [-libm::cos(f2), libm::sin(f2)]);
    let determinant = t1[0] * t2[1] - t2[0] * t1[1];
    let a1 = (bx * t2[1] - t2[0] * bz) / determinant;
    let a2 = (t1[0] * bz - bx * t1[1]) / determinant;
    let off = largest_difference(&v_dot, &[a1, a2 - a1]);
    println!("accelerations: off by {off:e}");
    assert!(off < 1e-12, "{v_dot:?}");
}

#[test]
fn a_rod_released_at_one_end_leaves_a_quarter_of_its_weight_on_the_other() {
    let tree = free_body(2.0, [1e-3, 2.0 / 12.0, 2.0 / 12.0]);
    let mut scratch = placed(&tree, &tree.neutral(), &[0.0; 6]);
    let end = |x: f64| LinkPoint { link: 0, point: DVec3::new(x, 0.0, 0.0) };
    let both = [-0.5, 0.5].map(|x| Constraint::resting(end(x), DVec3::Z, 0.0));
    let (_, forces, _) = hold(&tree, &gravity(), &both, &mut scratch).unwrap();
    assert_near("on two ends", &forces, &[G, G]);
    let (_, forces, _) = hold(&tree, &gravity(), &both[..1], &mut scratch).unwrap();
    assert_near("on one end", &forces, &[2.0 * G / 4.0]);
    let falls = scratch.acceleration(0).at(DVec3::new(0.5, 0.0, 0.0)).linear;
    assert_near("the other end", &falls.to_array(), &[0.0, 0.0, -1.5 * G]);
    // Its weight is also what holding it by a pin takes, since it does not move yet.
    let pinned = Constraint::point(end(-0.5), DVec3::ZERO);
    let (_, forces, _) = hold(&tree, &gravity(), &pinned, &mut scratch).unwrap();
    assert_near("on a pin", &forces, &[0.0, 0.0, 2.0 * G / 4.0]);
}

/// proves: m2/R-39
#[test]
fn a_table_with_four_legs_shares_its_weight_and_tips_over_an_edge() {
    let (mass, half, inertia) = (3.0, 0.6, 0.4);
    let tree = free_body(mass, [inertia, inertia, 0.7]);
    let mut scratch = placed(&tree, &tree.neutral(), &[0.0; 6]);
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    let legs = corners.map(|(x, y)| {
        let point = DVec3::new(x * half, y * half, 0.0);
        Constraint::resting(LinkPoint { link: 0, point }, DVec3::Z, 0.0)
    });
    let (v_dot, forces, held) = hold(&tree, &gravity(), &legs, &mut scratch).unwrap();
    assert_near("four legs", &forces, &[mass * G / 4.0; 4]);
    assert_near("standing", &v_dot, &[0.0; 6]);
    assert!(held.is_shortest);
    for press in [0.2 * mass * G, 0.49 * mass * G, 0.6 * mass * G, 3.0 * mass * G] {
        let arm = DVec3::new(3.0 * half, 0.0, 0.0);
        let wrenches = [crate::spatial::ForceVector::acting_at(arm, -press * DVec3::Z)];
        let load = Load { wrenches: &wrenches, ..gravity() };
        let (_, forces, _) = hold(&tree, &load, &legs, &mut scratch).unwrap();
        let turn = ((2.0 * press - mass * G) * half / (inertia + mass * half * half)).max(0.0);
        assert_near("tipping", &scratch.acceleration(0).angular.to_array(), &[0.0, turn, 0.0]);
        let near = 0.5 * (mass * turn * half + mass * G + press);
        let far = if turn > 0.0 { 0.0 } else { 0.25 * (mass * G - 2.0 * press) };
        let near = if turn > 0.0 { near } else { 0.25 * (mass * G + 4.0 * press) };
        assert_near("legs", &forces, &[far, far, near, near]);
        for (leg, force) in legs.iter().zip(&forces) {
            let Row::Point { at, direction } = leg.row else { continue };
            let leaves = scratch.acceleration(0).at(at.point).linear.dot(direction);
            assert!(*force >= 0.0 && leaves > -1e-12 && force * leaves < 1e-11);
        }
    }
}

#[test]
fn a_driven_link_spins_as_asked_whatever_hangs_on_it() {
    let tree = tree_of(&[
        rod(None, DVec3::ZERO, Joint::Spherical),
        rod(Some(0), LOWER_END, Joint::Spherical),
    ]);
    let q = [0.1, -0.2, 0.3, 0.927_361_849_549_570_4, 0.5, 0.5, 0.5, 0.5];
    let mut scratch = placed(&tree, &q, &[0.3, 1.0, -2.0, 0.4, 0.5, 0.6]);
    let target = DVec3::new(1.0, -2.0, 3.0);
    hold(&tree, &gravity(), &Constraint::spin(1, target), &mut scratch).unwrap();
    let off = (scratch.acceleration(1).angular - target).length();
    println!("angular acceleration off by {off:e}");
    assert!(off < 1e-11);
}
