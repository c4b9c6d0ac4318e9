//! Constraints that say too much, or what cannot be.

use glam::DVec3;

use super::{
    BENT, Constraint, ConstraintError, Contact, Hold, bring, contact, gravity, hold, placed,
    strike, tip, two_rods,
};
use crate::tree::tests::largest_difference;
use crate::tree::{LinkPoint, Row};

#[test]
fn what_is_said_twice_is_carried_by_both_halves() {
    let tree = two_rods();
    let mut scratch = placed(&tree, &BENT, &[1.0, -0.5]);
    let at = tip(&scratch, 1);
    let one = Constraint::along(at, DVec3::X, 2.0);
    let (v_dot, single, _) = hold(&tree, &gravity(), &[one], &mut scratch).unwrap();
    let (again, forces, held) = hold(&tree, &gravity(), &[one, one], &mut scratch).unwrap();
    assert_eq!((held.redundant, held.is_shortest), (1, true));
    let off = largest_difference(&forces, &[0.5 * single[0]; 2]);
    println!("halves: off by {off:e}, {:?}", largest_difference(&v_dot, &again));
    assert!(off < 1e-12 && largest_difference(&v_dot, &again) < 1e-12);
    // Twice the row is half the force on it: shortest is (1, 2)/5 of what one takes.
    let double = Constraint::along(at, 2.0 * DVec3::X, 4.0);
    let (_, forces, _) = hold(&tree, &gravity(), &[one, double], &mut scratch).unwrap();
    let expected = [0.2 * single[0], 0.4 * single[0]];
    assert!(largest_difference(&forces, &expected) < 1e-12, "{forces:?}");
}

#[test]
fn three_constraints_on_two_freedoms_share_what_two_would_carry() {
    let tree = two_rods();
    let mut scratch = placed(&tree, &BENT, &[0.0; 2]);
    let at = tip(&scratch, 1);
    let mut all = Constraint::point(at, DVec3::ZERO).to_vec();
    all.extend([Constraint::freedom(0, 0.0), Constraint::freedom(1, 0.0)]);
    let (v_dot, forces, held) = hold(&tree, &gravity(), &all, &mut scratch).unwrap();
    assert_eq!(held.redundant, 3);
    assert!(super::largest(v_dot) < 1e-12);
    assert!(forces[1].abs() < 1e-15, "nothing moves the plane of the rods");
    let (_, fewer, _) = hold(&tree, &gravity(), &all[..3], &mut scratch).unwrap();
    let norm = |forces: &[f64]| forces.iter().map(|f| f * f).sum::<f64>();
    println!("norms {} of five, {} of three", norm(&forces), norm(&fewer));
    assert!(norm(&forces) < norm(&fewer));
}

#[test]
fn contradictions_are_named() {
    let tree = two_rods();
    let mut scratch = placed(&tree, &BENT, &[1.0, -0.5]);
    let at = tip(&scratch, 1);
    let x = |target| Constraint::along(at, DVec3::X, target);
    let twice = hold(&tree, &gravity(), &[x(2.0), x(2.1)], &mut scratch).unwrap_err();
    println!("{twice}");
    let ConstraintError::Contradiction { constraint: 1, missed } = twice else {
        panic!("{twice:?}")
    };
    assert!((missed + 0.1).abs() < 1e-12);
    // The joints forbid it.
    let aside = Constraint::along(at, DVec3::Y, 1.0);
    let error = hold(&tree, &gravity(), &[x(2.0), aside], &mut scratch).unwrap_err();
    assert!(matches!(error, ConstraintError::Contradiction { constraint: 1, .. }), "{error:?}");
    let error = bring(&tree, &[1.0, -0.5], &[aside], &mut scratch).unwrap_err();
    assert!(matches!(error, ConstraintError::Contradiction { constraint: 0, .. }), "{error:?}");
    // A wall that comes nearer from either side.
    let wall = |normal| Constraint::resting(at, normal, 1.0);
    let walls = [wall(DVec3::X), wall(-DVec3::X)];
    let error = hold(&tree, &gravity(), &walls, &mut scratch).unwrap_err();
    println!("{error}");
    let ConstraintError::Contradiction { missed, .. } = error else { panic!("{error:?}") };
    assert!((missed.abs() - 2.0).abs() < 1e-9, "each is to leave by 1");
    // A surface that moves into a point which is held.
    let held = [
        Constraint::freedom(0, 0.0),
        Constraint::freedom(1, 0.0),
        Constraint::resting(at, DVec3::Z, 5.0),
    ];
    let error = hold(&tree, &gravity(), &held, &mut scratch).unwrap_err();
    println!("{error}");
    assert!(matches!(error, ConstraintError::Contradiction { constraint: 2, .. }), "{error:?}");
}

#[test]
fn a_point_between_two_walls_that_touch_it_stays() {
    let tree = two_rods();
    let v = [1.0, -0.5];
    let mut scratch = placed(&tree, &BENT, &v);
    let at = tip(&scratch, 1);
    let walls = [contact(at, DVec3::X, 0.8), contact(at, -DVec3::X, 0.8)];
    let (jumps, impulses, bounce) = strike(&tree, &v, &walls, &mut scratch).unwrap();
    let after = placed(&tree, &BENT, &super::sum(&v, &jumps));
    let speed = after.velocity(1).at(at.point - after.pose(1).translation).linear.x;
    println!("{impulses:?}, {bounce:?}, {speed:e}");
    assert!(speed.abs() < 1e-14 && bounce.energy_change < 0.0 && bounce.share == 0.0);
}

#[test]
fn constraints_that_are_none_are_refused() {
    let tree = two_rods();
    let mut scratch = placed(&tree, &BENT, &[0.0; 2]);
    let nowhere = LinkPoint { link: 2, point: DVec3::ZERO };
    let here = LinkPoint { link: 1, point: DVec3::ZERO };
    let bad = [
        Constraint::along(nowhere, DVec3::X, 0.0),
        Constraint::along(LinkPoint { point: DVec3::NAN, ..here }, DVec3::X, 0.0),
        Constraint::along(here, DVec3::INFINITY, 0.0),
        Constraint::along(here, DVec3::X, f64::NAN),
        Constraint::freedom(2, 0.0),
        Constraint::spin(7, DVec3::X)[0],
    ];
    for constraint in bad {
        let list = [Constraint::freedom(0, 0.0), constraint];
        let error = hold(&tree, &gravity(), &list, &mut scratch).unwrap_err();
        println!("{error}");
        assert!(matches!(error, ConstraintError::Invalid { constraint: 1, .. }));
    }
    for restitution in [-0.1, 1.1, f64::NAN] {
        let contact = Contact { row: Row::Freedom(0), hold: Hold::Pushes, restitution };
        let error = strike(&tree, &[0.0; 2], &[contact], &mut scratch).unwrap_err();
        assert!(matches!(error, ConstraintError::Invalid { constraint: 0, .. }));
    }
}
