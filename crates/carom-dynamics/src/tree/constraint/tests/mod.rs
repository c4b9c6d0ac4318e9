//! What the tests of constraints share: rods of the guide, and calls with memory of their own.

mod closed_forms;
mod golden;
mod impacts;
mod memory;
mod oracle;
mod rank;
mod stops;

use glam::DVec3;

use super::{Bounce, Constraint, ConstraintError, ConstraintScratch, Contact, Held, Hold};
use crate::tree::tests::{GRAVITY, rod, tree_of};
use crate::tree::{Joint, LinkPoint, Load, Row, Scratch, Tree};

const HINGE: Joint = Joint::Revolute { axis: DVec3::Y };
const LOWER_END: DVec3 = DVec3::new(0.0, 0.0, -1.0);

/// The state of the guide's G1 and, with velocities turned round, of G5 and G6.
const BENT: [f64; 2] = [0.5, 0.3];

fn two_rods() -> Tree {
    tree_of(&[rod(None, DVec3::ZERO, HINGE), rod(Some(0), LOWER_END, HINGE)])
}

fn placed(tree: &Tree, q: &[f64], v: &[f64]) -> Scratch {
    let mut scratch = Scratch::new(tree);
    tree.place(q, v, &mut scratch);
    scratch
}

fn tip(scratch: &Scratch, link: usize) -> LinkPoint {
    LinkPoint { link, point: scratch.pose(link).point(LOWER_END) }
}

fn gravity() -> Load<'static> {
    Load { gravity: GRAVITY, ..Load::default() }
}

/// v̇, forces and report of constraints on accelerations.
fn hold(
    tree: &Tree,
    load: &Load<'_>,
    constraints: &[Constraint],
    scratch: &mut Scratch,
) -> Result<(Vec<f64>, Vec<f64>, Held), ConstraintError> {
    let (mut v_dot, mut forces) = (vec![0.0; tree.n_v()], vec![0.0; constraints.len()]);
    let mut memory = ConstraintScratch::default();
    let held = tree.constrain_accelerations(
        load,
        constraints,
        scratch,
        &mut memory,
        &mut v_dot,
        &mut forces,
    )?;
    assert_eq!(held.redundant, memory.redundant().len());
    Ok((v_dot, forces, held))
}

/// Δv, impulses and report of velocity targets.
fn bring(
    tree: &Tree,
    v: &[f64],
    constraints: &[Constraint],
    scratch: &mut Scratch,
) -> Result<(Vec<f64>, Vec<f64>, Held), ConstraintError> {
    let (mut jumps, mut impulses) = (vec![0.0; tree.n_v()], vec![0.0; constraints.len()]);
    let mut memory = ConstraintScratch::default();
    let held = tree.constrain_velocities(
        v,
        &[],
        constraints,
        scratch,
        &mut memory,
        &mut jumps,
        &mut impulses,
    )?;
    Ok((jumps, impulses, held))
}

/// Δv, impulses and report of a collision.
fn strike(
    tree: &Tree,
    v: &[f64],
    contacts: &[Contact],
    scratch: &mut Scratch,
) -> Result<(Vec<f64>, Vec<f64>, Bounce), ConstraintError> {
    let (mut jumps, mut impulses) = (vec![0.0; tree.n_v()], vec![0.0; contacts.len()]);
    let mut memory = ConstraintScratch::default();
    let bounce = tree.bounce(v, &[], contacts, scratch, &mut memory, &mut jumps, &mut impulses)?;
    Ok((jumps, impulses, bounce))
}

fn contact(at: LinkPoint, normal: DVec3, restitution: f64) -> Contact {
    Contact { row: Row::Point { at, direction: normal }, hold: Hold::Pushes, restitution }
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |m: f64, x| if x.is_nan() { f64::NAN } else { m.max(x.abs()) })
}
