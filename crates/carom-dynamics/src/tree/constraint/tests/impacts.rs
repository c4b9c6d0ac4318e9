//! What impacts keep on random trees: momentum on nothing, and no more energy than there was.

use std::cell::Cell;

use glam::DVec3;
use proptest::prelude::*;

use super::oracle::{any_rows, row_of};
use super::{Constraint, Contact, Hold, bring, placed, strike, sum};
use crate::tree::tests::{any_case, for_all};
use crate::tree::{Row, Tree};

/// proves: m2/R-23 m2/R-24
#[test]
fn impacts_of_several_rows_make_no_energy_and_leave_none_approaching() {
    let [worst, cut, several, longer] = [0, 1, 2, 3].map(|_| Cell::new(0.0_f64));
    let restitutions = proptest::array::uniform6(0.0..1.0_f64);
    let inputs = (any_case(false), any_rows(6), restitutions, any::<bool>());
    for_all(800, &inputs, |(case, given, restitutions, elastic)| {
        let tree = &case.tree;
        let mut contacts: Vec<Contact> = Vec::new();
        for (row, e) in given.iter().zip(restitutions) {
            let hold = if row.4 > 0.0 { Hold::Pushes } else { Hold::Pulls };
            let restitution = if elastic { 1.0 } else { e };
            contacts.push(Contact { row: row_of(tree, row), hold, restitution });
        }
        let mut scratch = placed(tree, &case.q, &case.v);
        let (jumps, impulses, bounce) = strike(tree, &case.v, &contacts, &mut scratch).unwrap();
        let v = sum(&case.v, &jumps);
        let after = placed(tree, &case.q, &v);
        let energy = [scratch.kinetic_energy(), after.kinetic_energy()];
        let change = energy[1] - energy[0];
        let gain = change.max(bounce.energy_change) / energy[0];
        let books = (change - bounce.energy_change).abs() / energy[0];
        let size = 1.0 + super::largest(v.iter().copied());
        let mut off = gain.max(books);
        for (contact, impulse) in contacts.iter().zip(&impulses) {
            let sign = if contact.hold == Hold::Pulls { -1.0 } else { 1.0 };
            let before = sign * Tree::row_velocity(&contact.row, &case.v, &scratch);
            let leaves = sign * Tree::row_velocity(&contact.row, &v, &after);
            assert!(sign * impulse >= -1e-12 * size, "{impulse}");
            off = off.max(-leaves / size);
            if bounce.share == 1.0 {
                let target = (-contact.restitution * before).max(0.0);
                off = off.max((target - leaves) / size);
                // Complementary: where more than asked is left, no impulse.
                let spare = (leaves - target) / size * impulse.abs() / (1.0 + impulse.abs());
                off = off.max(spare);
            }
        }
        worst.set(worst.get().max(off));
        cut.set(cut.get() + if bounce.share < 1.0 { 1.0 } else { 0.0 });
        let pushed = impulses.iter().filter(|p| **p != 0.0).count();
        several.set(several.get() + if pushed > 1 { 1.0 } else { 0.0 });
        longer.set(longer.get() + if bounce.held.is_shortest { 0.0 } else { 1.0 });
    });
    println!(
        "off by {:e}; {} of 800 with several impulses, {} where Newton's law would make energy or \
         cannot be, {} not the shortest",
        worst.get(),
        several.get(),
        cut.get(),
        longer.get()
    );
    assert!(worst.get() < 1e-9, "{:e}", worst.get());
    assert!(several.get() > 100.0 && cut.get() > 0.0 && longer.get() == 0.0);
}

/// proves: m2/R-22
#[test]
fn impacts_bring_the_momentum_of_their_impulses_and_of_nothing_else() {
    let worst = Cell::new(0.0_f64);
    for_all(400, &(any_case(true), any_rows(3)), |(case, given)| {
        let tree = &case.tree;
        let constraints: Vec<Constraint> = given
            .iter()
            .map(|row| {
                let row = (row.0.max(1), row.1, row.2, row.3, row.4);
                Constraint { row: row_of(tree, &row), ..Constraint::freedom(0, row.4) }
            })
            .collect();
        let mut scratch = placed(tree, &case.q, &case.v);
        // Three rows of one link may contradict each other.
        let Ok((jumps, impulses, _)) = bring(tree, &case.v, &constraints, &mut scratch) else {
            return;
        };
        let after = placed(tree, &case.q, &sum(&case.v, &jumps));
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for (constraint, impulse) in constraints.iter().zip(&impulses) {
            match constraint.row {
                Row::Point { at, direction } => {
                    linear += *impulse * direction;
                    angular += at.point.cross(*impulse * direction);
                }
                Row::Spin { direction, .. } => angular += *impulse * direction,
                Row::Freedom(_) => {}
            }
        }
        let (was, is) = (scratch.momentum(), after.momentum());
        let size = 1.0 + is.angular.length() + is.linear.length() + super::largest(impulses);
        let off = (is.linear - was.linear - linear).length()
            + (is.angular - was.angular - angular).length();
        worst.set(worst.get().max(off / size));
    });
    println!("momentum off by {:e}", worst.get());
    assert!(worst.get() < 1e-10, "{:e}", worst.get());
}
