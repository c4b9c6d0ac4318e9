//! Golden numbers of the guide (section 15) by constraints.

use glam::DVec3;

use super::{
    BENT, Constraint, Hold, LOWER_END, bring, contact, gravity, hold, placed, strike, sum, tip,
    two_rods,
};
use crate::tree::constraint::{ConstraintScratch, Side, Stop};
use crate::tree::tests::{largest_difference, rod, tree_of};
use crate::tree::{Joint, Load};

/// Nine decimals are given.
const GIVEN: f64 = 6e-10;
const TURNED: [f64; 2] = [-1.0, 0.5];

fn assert_near(what: &str, measured: &[f64], given: &[f64]) {
    let off = largest_difference(measured, given);
    println!("{what}: off by {off:e}");
    assert!(off < GIVEN, "{what}: {measured:?} instead of {given:?}");
}

/// proves: m2/R-25 m2/G6
#[test]
fn the_stop_of_the_second_joint_strikes_as_given() {
    let tree = two_rods();
    let mut scratch = placed(&tree, &BENT, &TURNED);
    let stop = Stop { freedom: 1, side: Side::Upper, restitution: 0.0 };
    let (jumps, impulses, bounce) =
        strike(&tree, &TURNED, &[stop.contact()], &mut scratch).unwrap();
    assert_near("G6 impulse", &impulses, &[-0.041242798]);
    assert_near("G6 jumps", &jumps, &[0.154653051, -0.5]);
    assert_near("G6 after", &sum(&TURNED, &jumps), &[-0.845346949, 0.0]);
    assert!(bounce.energy_change < 0.0);
    let mut direct = [0.0; 2];
    let mut memory = ConstraintScratch::default();
    let impulse = tree.strike_stop(&TURNED, &stop, &mut scratch, &mut memory, &mut direct).unwrap();
    assert_near("G6 impulse by F-7.1", &[impulse], &[-0.041242798]);
    assert_near("G6 jumps by F-7.1", &direct, &[0.154653051, -0.5]);
    let (jumps, impulses, _) =
        bring(&tree, &TURNED, &[Constraint::freedom(1, 0.0)], &mut scratch).unwrap();
    assert_near(
        "G6 as a target",
        &[jumps[0], jumps[1], impulses[0]],
        &[0.154653051, -0.5, -0.041242798],
    );
}

/// proves: m2/G5
#[test]
fn the_tip_strikes_a_smooth_floor_as_given() {
    let tree = two_rods();
    let mut scratch = placed(&tree, &BENT, &TURNED);
    let at = tip(&scratch, 1);
    let (jumps, impulses, bounce) =
        strike(&tree, &TURNED, &[contact(at, DVec3::Z, 1.0)], &mut scratch).unwrap();
    assert_near(
        "G5 elastic",
        &[impulses[0], jumps[0], jumps[1]],
        &[0.834945470, -0.705896563, 3.514309335],
    );
    assert!(bounce.energy_change.abs() < 1e-15, "{bounce:?}");
    let (jumps, impulses, bounce) =
        strike(&tree, &TURNED, &[contact(at, DVec3::Z, 0.0)], &mut scratch).unwrap();
    let after = sum(&TURNED, &jumps);
    assert_near(
        "G5 plastic",
        &[impulses[0], after[0], after[1]],
        &[0.417472735, -1.352948281, 2.257154668],
    );
    assert_near("G5 energy", &[0.947167456 + bounce.energy_change], &[0.772224758]);
    // Stopping the tip in both directions would take a floor that pulls.
    let stuck = Constraint::point(at, DVec3::ZERO);
    let (_, impulses, _) = bring(&tree, &TURNED, &stuck, &mut scratch).unwrap();
    assert!((impulses[0] + 2.771).abs() < 5e-4 && (impulses[2] + 1.793).abs() < 5e-4);
}

/// proves: m2/R-37
#[test]
fn several_constraints_of_all_kinds_are_met_at_once() {
    let mut links = vec![rod(None, DVec3::ZERO, Joint::Spherical)];
    links.extend((0..8).map(|i| rod(Some(i), LOWER_END, Joint::Spherical)));
    links.push(rod(Some(3), LOWER_END, Joint::Revolute { axis: DVec3::X }));
    let tree = tree_of(&links);
    let mut q = tree.neutral();
    for (i, joint) in q.chunks_exact_mut(4).enumerate() {
        let turn = glam::DQuat::from_xyzw(0.1 * i as f64, 0.3, -0.2, 0.9).normalize();
        joint.copy_from_slice(&turn.to_array());
    }
    let v: Vec<f64> = (0..tree.n_v()).map(|k| 0.5 - 0.17 * (k % 7) as f64).collect();
    let mut scratch = placed(&tree, &q, &v);
    let mut constraints = vec![Constraint::freedom(4, -2.0), Constraint::freedom(27, 5.0)];
    constraints.extend(Constraint::point(tip(&scratch, 8), DVec3::new(1.0, 2.0, 3.0)));
    constraints.extend(Constraint::point(tip(&scratch, 9), DVec3::ZERO));
    constraints.extend(Constraint::spin(5, DVec3::new(-1.0, 0.0, 4.0)));
    constraints.push(Constraint::along(tip(&scratch, 6), DVec3::new(0.6, 0.8, 0.0), 7.0));
    let (v_dot, _, held) = hold(&tree, &gravity(), &constraints, &mut scratch).unwrap();
    let off = constraints.iter().map(|constraint| {
        crate::tree::Tree::row_acceleration(&constraint.row, &v_dot, &scratch) - constraint.target
    });
    let off = super::largest(off);
    println!("{} constraints at once: off by {off:e}", constraints.len());
    assert!(off < 1e-9, "{off:e}");
    assert_eq!(held.redundant, 0);
}

/// proves: m2/R-38
#[test]
fn an_impact_is_the_same_in_any_gravity() {
    let tree = two_rods();
    let mut answers = Vec::new();
    for strength in [0.0, 9.81, 1000.0] {
        let mut scratch = placed(&tree, &BENT, &TURNED);
        let tau = [strength, -strength];
        let load = Load { gravity: -strength * DVec3::Z, tau: &tau, ..Load::default() };
        tree.forward(&load, &mut scratch, &mut [0.0; 2]).unwrap();
        let at = tip(&scratch, 1);
        let target = [Constraint::along(at, DVec3::Z, 0.3), Constraint::freedom(0, 0.1)];
        let (jumps, impulses, _) = bring(&tree, &TURNED, &target, &mut scratch).unwrap();
        let after = placed(&tree, &BENT, &sum(&TURNED, &jumps));
        let arm = at.point - after.pose(1).translation;
        let reached = [after.velocity(1).at(arm).linear.z, TURNED[0] + jumps[0]];
        let off = largest_difference(&reached, &[0.3, 0.1]);
        println!("gravity {strength}: targets off by {off:e}");
        assert!(off < 1e-13);
        answers.push((jumps, impulses));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[test]
fn a_bead_pushed_off_its_stop_is_let_go() {
    let tree = two_rods();
    let mut scratch = placed(&tree, &BENT, &[0.0; 2]);
    let (free, ..) = hold(&tree, &gravity(), &[], &mut scratch).unwrap();
    let constraint = |hold| Constraint { hold, ..Constraint::freedom(1, 0.0) };
    let side = if free[1] > 0.0 { Hold::Pushes } else { Hold::Pulls };
    let (v_dot, forces, _) = hold(&tree, &gravity(), &[constraint(side)], &mut scratch).unwrap();
    assert_eq!((v_dot, forces), (free, vec![0.0]));
}
