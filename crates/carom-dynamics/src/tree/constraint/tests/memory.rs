//! Memory and time.

use std::time::Instant;

use glam::DVec3;

use super::{Constraint, ConstraintScratch, HINGE, LOWER_END, contact, gravity, placed, tip};
use crate::tree::tests::{rod, tree_of};
use crate::tree::{Joint, Tree};

fn chain(links: usize) -> Tree {
    let mut specs = vec![rod(None, DVec3::ZERO, HINGE)];
    let axis = |i: usize| if i.is_multiple_of(2) { DVec3::X } else { DVec3::Y };
    specs
        .extend((1..links).map(|i| rod(Some(i - 1), LOWER_END, Joint::Revolute { axis: axis(i) })));
    tree_of(&specs)
}

#[test]
fn once_memory_is_there_nothing_is_allocated() {
    let tree = chain(12);
    let (q, v) = ([0.2; 12], [0.1; 12]);
    let mut scratch = placed(&tree, &q, &v);
    let mut memory = ConstraintScratch::default();
    let at = [tip(&scratch, 11), tip(&scratch, 6)];
    let mut constraints = Constraint::point(at[0], DVec3::X).to_vec();
    constraints.push(constraints[0]);
    constraints.push(Constraint::resting(at[1], DVec3::Z, 12.0));
    constraints.push(Constraint::resting(at[1], DVec3::X, 1.0));
    let contacts = [contact(at[0], DVec3::Z, 0.5), contact(at[1], DVec3::Y, 1.0)];
    let (mut v_dot, mut forces, mut impulses) = ([0.0; 12], [0.0; 6], [0.0; 2]);
    let mut answers = Vec::with_capacity(2);
    let mut count = 0;
    for _ in 0..2 {
        let counted = allocation_counter::measure(|| {
            tree.place(&q, &v, &mut scratch);
            tree.constrain_accelerations(
                &gravity(),
                &constraints,
                &mut scratch,
                &mut memory,
                &mut v_dot,
                &mut forces,
            )
            .unwrap();
            tree.bounce(
                &v,
                &[],
                &contacts,
                &mut scratch,
                &mut memory,
                &mut [0.0; 12],
                &mut impulses,
            )
            .unwrap();
        });
        count = counted.count_total;
        answers.push((v_dot, forces, impulses));
    }
    println!("{count} allocations in the second call");
    assert_eq!(count, 0);
    assert_eq!(answers[0], answers[1], "what was solved before does not matter");
}

#[test]
fn the_time_for_six_constraints_grows_as_the_number_of_links() {
    for links in [100, 400, 1600, 6400] {
        let tree = chain(links);
        let (q, v) = (vec![0.01; links], vec![0.1; links]);
        let mut scratch = placed(&tree, &q, &v);
        let mut memory = ConstraintScratch::default();
        let mut constraints = Constraint::point(tip(&scratch, links - 1), DVec3::X).to_vec();
        constraints.extend(Constraint::point(tip(&scratch, links / 2), DVec3::ZERO));
        let (mut v_dot, mut forces) = (vec![0.0; links], vec![0.0; 6]);
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let start = Instant::now();
            let held = tree.constrain_accelerations(
                &gravity(),
                &constraints,
                &mut scratch,
                &mut memory,
                &mut v_dot,
                &mut forces,
            );
            best = best.min(start.elapsed().as_secs_f64());
            assert_eq!(held.unwrap().redundant, 0);
        }
        let off = constraints.iter().map(|constraint| {
            Tree::row_acceleration(&constraint.row, &v_dot, &scratch) - constraint.target
        });
        println!(
            "{links} links: {:.1} µs, {:.3} µs per link, constraints off by {:e}",
            1e6 * best,
            1e6 * best / links as f64,
            super::largest(off)
        );
    }
}
