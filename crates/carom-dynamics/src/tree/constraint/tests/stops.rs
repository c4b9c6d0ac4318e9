//! Joint stops by their closed forms and by complementarity: one answer.

use std::cell::Cell;

use super::{GRAVITY, hold, placed, strike, sum};
use crate::tree::Load;
use crate::tree::constraint::{ConstraintScratch, RestOnStop, Side, Stop};
use crate::tree::tests::{any_case, for_all, largest_difference};

fn stop(freedom: usize, upper: bool, restitution: f64) -> Stop {
    let side = if upper { Side::Upper } else { Side::Lower };
    Stop { freedom, side, restitution }
}

/// proves: m2/R-25
#[test]
fn one_stop_is_struck_and_rested_on_by_formula_as_by_complementarity() {
    let (worst, [held, released, away]) = (Cell::new(0.0_f64), [0, 1, 2].map(|_| Cell::new(0)));
    let inputs = (any_case(false), 0.0..1.0_f64, 0.0..1.0_f64, proptest::bool::ANY);
    for_all(500, &inputs, |(case, place, restitution, upper)| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let stop = stop((place * n as f64) as usize, upper, restitution);
        let mut scratch = placed(tree, &case.q, &case.v);
        let mut memory = ConstraintScratch::default();
        let mut direct = vec![0.0; n];
        let impulse =
            tree.strike_stop(&case.v, &stop, &mut scratch, &mut memory, &mut direct).unwrap();
        let (jumps, impulses, bounce) =
            strike(tree, &case.v, &[stop.contact()], &mut scratch).unwrap();
        let size = 1.0 + super::largest(direct.iter().copied()) + impulse.abs();
        let mut off = largest_difference(&jumps, &direct).max((impulse - impulses[0]).abs()) / size;
        assert_eq!(bounce.share, 1.0);
        away.set(away.get() + usize::from(impulse == 0.0));
        // At rest on it, under gravity and torques.
        let load = Load { gravity: GRAVITY, tau: &case.numbers[0], ..Load::default() };
        let rest = tree.rest_on_stop(&load, &stop, &mut scratch, &mut memory, &mut direct).unwrap();
        let (v_dot, forces, _) = hold(tree, &load, &[stop.resting()], &mut scratch).unwrap();
        let push = match rest {
            RestOnStop::Held(push) => {
                held.set(held.get() + 1);
                push
            }
            RestOnStop::Released => {
                released.set(released.get() + 1);
                0.0
            }
        };
        let size = 1.0 + super::largest(direct.iter().copied()) + push.abs();
        off = off.max(largest_difference(&v_dot, &direct).max((push - forces[0]).abs()) / size);
        worst.set(worst.get().max(off));
    });
    println!(
        "{} held, {} released, {} moving away; off by {:e}",
        held.get(),
        released.get(),
        away.get(),
        worst.get()
    );
    assert!(held.get() > 100 && released.get() > 100 && away.get() > 100);
    assert!(worst.get() < 1e-10, "{:e}", worst.get());
}

/// From rest, what is gained in a short time is taken back by a plastic impact: its impulse is the resting force
/// times that time, whatever the number of stops.
///
/// proves: m2/R-25
#[test]
fn resting_on_many_stops_is_striking_them_again_and_again() {
    let worst = Cell::new(0.0_f64);
    for_all(400, &any_case(false), |case| {
        let (tree, n) = (&case.tree, case.tree.n_v());
        let stops: Vec<Stop> = (0..n).map(|k| stop(k, case.numbers[1][k] > 0.0, 0.0)).collect();
        let still = vec![0.0; n];
        let mut scratch = placed(tree, &case.q, &still);
        let load = Load { gravity: GRAVITY, tau: &case.numbers[0], ..Load::default() };
        let mut free = vec![0.0; n];
        tree.forward(&load, &mut scratch, &mut free).unwrap();
        let resting: Vec<_> = stops.iter().map(Stop::resting).collect();
        let (v_dot, forces, _) = hold(tree, &load, &resting, &mut scratch).unwrap();
        let short = 1.0 / 1024.0;
        let fallen: Vec<f64> = free.iter().map(|a| short * a).collect();
        let mut scratch = placed(tree, &case.q, &fallen);
        let contacts: Vec<_> = stops.iter().map(Stop::contact).collect();
        let (jumps, impulses, _) = strike(tree, &fallen, &contacts, &mut scratch).unwrap();
        let rate: Vec<f64> = sum(&fallen, &jumps).iter().map(|v| v / short).collect();
        let mean: Vec<f64> = impulses.iter().map(|p| p / short).collect();
        let size = 1.0 + super::largest(free) + super::largest(forces.iter().copied());
        let off = largest_difference(&rate, &v_dot).max(largest_difference(&mean, &forces)) / size;
        worst.set(worst.get().max(off));
    });
    println!("forces and mean forces of impacts differ by {:e}", worst.get());
    assert!(worst.get() < 1e-9, "{:e}", worst.get());
}

/// proves: m2/R-25
#[test]
fn a_stop_lets_go_when_the_torque_turns_round() {
    let tree = super::two_rods();
    let stop = stop(1, false, 0.0);
    let mut scratch = placed(&tree, &super::BENT, &[0.0; 2]);
    let mut memory = ConstraintScratch::default();
    let mut last = f64::INFINITY;
    let mut released_at = None;
    for step in -40..40 {
        let tau = [0.0, 0.25 * f64::from(step)];
        let load = Load { gravity: GRAVITY, tau: &tau, ..Load::default() };
        let (v_dot, forces, _) = hold(&tree, &load, &[stop.resting()], &mut scratch).unwrap();
        let mut direct = [0.0; 2];
        let rest = tree.rest_on_stop(&load, &stop, &mut scratch, &mut memory, &mut direct).unwrap();
        assert!(largest_difference(&v_dot, &direct) < 1e-12);
        if forces[0] > 0.0 {
            assert!(matches!(rest, RestOnStop::Held(push) if (push - forces[0]).abs() < 1e-12));
            assert!(released_at.is_none() && forces[0] < last && v_dot[1].abs() < 1e-13);
            last = forces[0];
        } else {
            assert!(rest == RestOnStop::Released && v_dot[1] > 0.0);
            released_at = released_at.or(Some(tau[1]));
        }
    }
    println!("released at {released_at:?} N·m, last force {last}");
    assert!(released_at.is_some() && last < 0.25, "forces fall to zero before release");
}
