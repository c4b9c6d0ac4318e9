//! Which pairs are found, reported and kept.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// The table as it follows from the changes.
#[derive(Default)]
struct Followed(BTreeMap<[Proxy; 2], u32>);

impl Followed {
    fn follow(&mut self, changes: &[Change]) {
        for Change { kind, pair, slot } in changes {
            assert!(pair[0] < pair[1], "{pair:?}");
            match kind {
                ChangeKind::Entered => assert_eq!(self.0.insert(*pair, *slot), None, "{pair:?}"),
                ChangeKind::Left => assert_eq!(self.0.remove(pair), Some(*slot), "{pair:?}"),
            }
        }
        let mut slots: Vec<u32> = self.0.values().copied().collect();
        slots.sort_unstable();
        assert!(slots.is_sorted_by(|a, b| a < b), "a slot twice");
    }

    fn check(&self, broad: &BroadPhase, oracle: &Oracle) {
        assert_eq!(broad.pairs(), self.0.len());
        for proxy in 0..oracle.0.len() as Proxy {
            let expected = oracle.neighbours(proxy);
            assert_eq!(neighbours(broad, proxy), expected, "{:?} {proxy}", broad.kind());
            for other in expected {
                assert!(self.0.contains_key(&[proxy.min(other), proxy.max(other)]));
            }
        }
    }
}

/// proves: m1/BP-R2 baraff/8
#[test]
fn every_method_finds_exactly_the_boxes_that_overlap_after_any_updates() {
    let mut numbers = Numbers(1);
    let mut broads = KINDS.map(BroadPhase::new);
    let mut oracle = Oracle::default();
    let mut followed = Followed::default();
    for step in 0..20_000 {
        let proxy = numbers.below(50) as Proxy;
        let bounds = Some(numbers.any_bounds()).filter(|_| numbers.below(6) > 0);
        let radius = if numbers.below(3) == 0 { 0.0 } else { numbers.scale(4.0) };
        oracle.set(proxy, bounds);
        let mut reported = Vec::new();
        for broad in &mut broads {
            let mut changes = Vec::new();
            match &bounds {
                Some(bounds) => broad.update(proxy, bounds, radius, &mut changes),
                None => broad.remove(proxy, &mut changes),
            }
            reported.push(changes);
        }
        assert_eq!(reported[0], reported[1], "step {step}");
        assert_eq!(reported[0], reported[2], "step {step}");
        followed.follow(&reported[0]);
        let expected = oracle.neighbours(proxy);
        for broad in &broads {
            assert_eq!(neighbours(broad, proxy), expected, "{:?} {step}", broad.kind());
        }
        if step % 50 == 0 {
            for broad in &broads {
                followed.check(broad, &oracle);
            }
        }
    }
}

/// proves: baraff/8
#[test]
fn moving_boxes_are_followed_in_every_frame_with_ties_and_coincident_boxes() {
    let mut numbers = Numbers(2);
    let mut broads = KINDS.map(BroadPhase::new);
    let mut oracle = Oracle::default();
    // Whole coordinates: ends coincide all the time.
    let place = |numbers: &mut Numbers| numbers.below(12) as f64;
    let mut corners: Vec<DVec3> = (0..40)
        .map(|_| DVec3::new(place(&mut numbers), place(&mut numbers), place(&mut numbers)))
        .collect();
    for _ in 0..300 {
        for (proxy, corner) in (0..).zip(&mut corners) {
            *corner += DVec3::new(1.0, 0.0, 0.0) * (numbers.below(3) as f64 - 1.0);
            corner.z += numbers.below(3) as f64 - 1.0;
            let bounds = Aabb { min: *corner, max: *corner + 2.0 };
            oracle.set(proxy, Some(bounds));
            for broad in &mut broads {
                broad.update(proxy, &bounds, 1.0, &mut Vec::new());
            }
        }
        for broad in &broads {
            for proxy in 0..corners.len() as Proxy {
                assert_eq!(
                    neighbours(broad, proxy),
                    oracle.neighbours(proxy),
                    "{:?}",
                    broad.kind()
                );
            }
        }
    }
}

/// Two moving boxes along a line, for tests of single steps.
fn interval(low: f64, high: f64) -> Aabb {
    Aabb { min: DVec3::new(low, 0.0, 0.0), max: DVec3::new(high, 1.0, 1.0) }
}

/// proves: m1/HP-R5
#[test]
fn a_pair_that_meets_and_parts_at_every_step_enters_once_and_leaves_when_it_stays_apart() {
    for kind in KINDS {
        let mut broad = BroadPhase::new(kind);
        let mut changes = Vec::new();
        broad.update(0, &interval(0.0, 1.0), 0.5, &mut changes);
        for step in 0..100 {
            let low = if step % 2 == 0 { 0.9 } else { 1.1 };
            broad.update(1, &interval(low, low + 1.0), 0.5, &mut changes);
            let expected: &[Proxy] = if step % 2 == 0 { &[1] } else { &[] };
            assert_eq!(neighbours(&broad, 0), expected);
        }
        assert_eq!(changes.len(), 1, "{changes:?}");
        changes.clear();
        broad.update(1, &interval(1.2, 2.2), 0.5, &mut changes);
        assert_eq!(
            changes.iter().map(|change| change.kind).collect::<Vec<_>>(),
            [ChangeKind::Left]
        );
        assert_eq!(broad.pairs(), 0);
    }
}

#[test]
fn a_pair_leaves_at_once_when_a_box_is_removed_even_if_it_has_just_parted() {
    for kind in KINDS {
        let mut broad = BroadPhase::new(kind);
        let mut changes = Vec::new();
        broad.update(7, &interval(0.0, 1.0), 0.5, &mut changes);
        broad.update(3, &interval(1.0, 2.0), 0.5, &mut changes);
        broad.update(3, &interval(1.5, 2.0), 0.5, &mut changes);
        broad.remove(7, &mut changes);
        let told: Vec<_> = changes.iter().map(|change| (change.kind, change.pair)).collect();
        assert_eq!(told, [(ChangeKind::Entered, [3, 7]), (ChangeKind::Left, [3, 7])]);
        assert_eq!(broad.bounds(7), None);
        broad.remove(7, &mut changes);
        broad.remove(1000, &mut changes);
        assert_eq!(changes.len(), 2);
    }
}

#[test]
fn many_boxes_at_once_are_the_same_as_one_after_the_other() {
    let mut numbers = Numbers(4);
    let boxes: Vec<(Proxy, Aabb, f64)> =
        (0..200).map(|proxy| (proxy, numbers.any_bounds(), numbers.scale(2.0))).collect();
    let mut reversed = boxes.clone();
    reversed.reverse();
    for boxes in [boxes, reversed] {
        let mut expected = Vec::new();
        let mut broad = BroadPhase::new(BroadPhaseKind::All);
        for (proxy, bounds, radius) in &boxes {
            broad.update(*proxy, bounds, *radius, &mut expected);
        }
        assert!(expected.len() > 100);
        for kind in KINDS {
            let mut together = BroadPhase::new(kind);
            let mut changes = Vec::new();
            together.update_all(&boxes, &mut changes);
            assert_eq!(changes, expected, "{kind:?}");
            // And they go on like the others.
            together.update(3, &numbers.bounds(8.0, 1.0), 1.0, &mut changes);
            together.update(3, &boxes[100].1, 1.0, &mut changes);
            let mut oracle = Oracle::default();
            for (proxy, bounds, _) in &boxes {
                oracle.set(*proxy, Some(*bounds));
            }
            oracle.set(3, Some(boxes[100].1));
            assert_eq!(neighbours(&together, 3), oracle.neighbours(3));
        }
    }
}

#[test]
fn a_query_finds_what_overlaps_any_box() {
    let mut numbers = Numbers(5);
    let mut broads = KINDS.map(BroadPhase::new);
    let mut oracle = Oracle::default();
    for proxy in 0..300 {
        let bounds = numbers.any_bounds();
        oracle.set(proxy, Some(bounds));
        for broad in &mut broads {
            broad.update(proxy, &bounds, 0.1, &mut Vec::new());
        }
    }
    let mut found = vec![17];
    for _ in 0..2000 {
        let bounds = numbers.any_bounds();
        let expected = oracle.overlapping(&bounds);
        for broad in &broads {
            broad.query(&bounds, &mut found);
            assert_eq!(found, expected, "{:?} {bounds:?}", broad.kind());
        }
    }
}

proptest! {
    /// proves: m1/BP-R2
    #[test]
    fn boxes_overlap_whatever_their_size_place_and_order(
        boxes in prop::collection::vec((prop::array::uniform3(-0.7..0.1_f64), -60.0..60.0_f64, 0..4_u32), 2..12),
        order in any::<u64>(),
    ) {
        let mut numbers = Numbers(order);
        // Sizes over 36 decades, all around the origin: large boxes hold small ones.
        let bounds: Vec<Aabb> = boxes.iter().map(|(place, exponent, kind)| {
            let size = libm::exp2(*exponent);
            let low = size * DVec3::from_array(*place);
            let sides = size * numbers.vector().abs();
            let flat = DVec3::new(sides.x, 0.0, sides.z);
            Aabb { min: low, max: low + if *kind == 0 { flat } else { sides } }
        }).collect();
        let mut oracle = Oracle::default();
        let mut broad = BroadPhase::new(BroadPhaseKind::Hash);
        for _ in 0..30 {
            let proxy = numbers.below(bounds.len() as u64) as Proxy;
            let bounds = bounds[proxy as usize];
            if numbers.below(4) == 0 {
                oracle.set(proxy, None);
                broad.remove(proxy, &mut Vec::new());
            } else {
                oracle.set(proxy, Some(bounds));
                broad.update(proxy, &bounds, 0.0, &mut Vec::new());
            }
            for proxy in 0..boxes.len() as Proxy {
                prop_assert_eq!(neighbours(&broad, proxy), oracle.neighbours(proxy));
            }
        }
    }
}
