//! What grows with the number of links, and how: operations on six-vectors, counted.

use glam::{DMat3, DVec3};

use super::{rod, tree_of};
use crate::Impulse;
use crate::testing::operations_of;
use crate::tree::{Joint, LinkImpulse, LinkPoint, LinkSpec, Load, ResponseScratch, Scratch, Tree};

/// A chain of rods with axes that alternate, in a bent configuration with velocities.
fn chain(n: usize) -> (Tree, Scratch) {
    let link = |i: usize| -> LinkSpec {
        let axis = if i.is_multiple_of(2) { DVec3::Y } else { DVec3::Z };
        let at = if i == 0 { DVec3::ZERO } else { DVec3::X };
        rod(i.checked_sub(1), at, Joint::Revolute { axis })
    };
    let tree = tree_of(&(0..n).map(link).collect::<Vec<_>>());
    let number = |i: usize, size: f64| size * libm::sin(1.7 * i as f64);
    let q: Vec<f64> = (0..n).map(|i| number(i, 0.4)).collect();
    let v: Vec<f64> = (0..n).map(|i| number(i + 3, 0.2)).collect();
    let mut scratch = Scratch::new(&tree);
    tree.place(&q, &v, &mut scratch);
    (tree, scratch)
}

/// The same count for each link more, however many there are.
fn assert_linear(what: &str, counts: [u64; 4], sizes: [usize; 4]) {
    let share = |i: usize| {
        let (more, links) = (counts[i + 1] - counts[i], (sizes[i + 1] - sizes[i]) as u64);
        assert_eq!(more % links, 0, "{what}: {counts:?}");
        more / links
    };
    let shares = [0, 1, 2].map(share);
    println!("{what}: {} operations for each link", shares[0]);
    assert!(shares.iter().all(|it| *it == shares[0]) && shares[0] > 0, "{what}: {counts:?}");
}

const SIZES: [usize; 4] = [10, 100, 1000, 10_000];

/// proves: m2/R-06
#[test]
fn forward_dynamics_does_the_same_for_each_link_of_ten_as_of_ten_thousand() {
    let counts = SIZES.map(|n| {
        let (tree, mut scratch) = chain(n);
        let (tau, mut v_dot) = (vec![0.1; n], vec![0.0; n]);
        let load = Load {
            gravity: DVec3::new(0.0, 0.0, -9.81),
            tau: &tau,
            wrenches: &[],
            added_diagonal: &[],
        };
        operations_of(|| tree.forward(&load, &mut scratch, &mut v_dot).unwrap())
    });
    assert_linear("forward dynamics", counts, SIZES);
}

/// Three test impulses inward, one factorisation for all, one impulse through the whole tree.
///
/// proves: m2/R-18
#[test]
fn the_matrix_of_a_collision_and_its_impulse_cost_the_same_for_each_link() {
    let mut factor = [0; 4];
    let mut tests = [0; 4];
    let mut impulse = [0; 4];
    for (i, n) in SIZES.into_iter().enumerate() {
        let (tree, mut scratch) = chain(n);
        let at = LinkPoint { link: n - 1, point: DVec3::new(1.0, 2.0, 3.0) };
        let mut memory = ResponseScratch::default();
        factor[i] = operations_of(|| tree.factorise_with(&[], &mut scratch).unwrap());
        let mut blocks = [DMat3::ZERO];
        tests[i] = operations_of(|| {
            tree.point_responses(&[at], &mut scratch, &mut memory, &mut blocks).unwrap();
        });
        let given = Impulse { point: at.point, linear: DVec3::X, angular: DVec3::ZERO };
        let given = [LinkImpulse { link: at.link, impulse: given }];
        let mut jumps = vec![0.0; n];
        impulse[i] = operations_of(|| {
            tree.impulse_response(&given, &[], &mut scratch, &mut jumps).unwrap();
        });
    }
    assert_linear("articulated inertias", factor, SIZES);
    assert_linear("three test impulses", tests, SIZES);
    assert_linear("one impulse through the tree", impulse, SIZES);
}
