//! Boxes that strike a floor with a corner, at random.

use super::super::critical_friction;
use super::super::samples::{Random, box_corner};
use super::*;

#[test]
fn six_hundred_collisions_of_boxes_are_known_to_fourteen_digits() {
    let mut random = Random(2);
    let mut patterns = std::collections::BTreeSet::new();
    for number in 0..600 {
        let law = [Law::Stronge, Law::Poisson, Law::Newton][number % 3];
        let impact = box_corner(&mut random, law);
        let got = solved(&impact);
        assert!(got.error < 1e-14, "{:e}: {impact:?}", got.error);
        patterns.insert(got.pattern);
    }
    let common = ["+ |", "+ | S", "+ S", "+ - S", "- S", "S", "D"];
    assert!(common.iter().all(|it| patterns.contains(*it)), "{patterns:?}");
}

/// Friction just enough to hold, just not enough, and exactly as much as a double can tell.
#[test]
fn friction_close_to_the_critical_one_is_no_harder() {
    let mut random = Random(6);
    for number in 0..60 {
        let mut impact = box_corner(&mut random, Law::Stronge);
        let off = [1e-3, -1e-3, 1e-8, -1e-8, 1e-14, 0.0][number % 6];
        impact.friction = critical_friction(&impact.matrix) * (1.0 + off);
        let got = solved(&impact);
        assert!(got.error < 1e-13, "{:e}: {impact:?}", got.error);
    }
}
