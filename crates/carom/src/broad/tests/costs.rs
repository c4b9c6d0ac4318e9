//! What updates cost, in counts: times decide nothing.

use super::*;
use crate::broad::Counts;

/// Boxes of side 1 in a square or cubic pattern, two apart.
fn pattern(boxes: u32, across: u32) -> Vec<(Proxy, Aabb, f64)> {
    let one = |proxy: u32| {
        let place =
            [proxy % across, proxy / across % across, proxy / across / across].map(f64::from);
        let low = 2.0 * DVec3::from_array(place);
        (proxy, Aabb { min: low, max: low + 1.0 }, 0.87)
    };
    (0..boxes).map(one).collect()
}

/// Work of any kind per update, over some sweeps through all boxes with small random motion.
fn work(kind: BroadPhaseKind, boxes: &[(Proxy, Aabb, f64)], motion: DVec3) -> Counts {
    let mut numbers = Numbers(21);
    let mut broad = BroadPhase::new(kind);
    broad.update_all(boxes, &mut Vec::new());
    let before = *broad.counts();
    for _ in 0..3 {
        for (proxy, bounds, radius) in boxes {
            let shift = motion * numbers.vector();
            let moved = Aabb { min: bounds.min + shift, max: bounds.max + shift };
            broad.update(*proxy, &moved, *radius, &mut Vec::new());
        }
    }
    let now = broad.counts();
    Counts {
        updates: now.updates - before.updates,
        still: now.still - before.still,
        cells_written: now.cells_written - before.cells_written,
        cells_visited: now.cells_visited - before.cells_visited,
        labels_seen: now.labels_seen - before.labels_seen,
        exchanges: now.exchanges - before.exchanges,
        tests: now.tests - before.tests,
        changes: now.changes - before.changes,
    }
}

fn per_update(counts: &Counts) -> f64 {
    let Counts { cells_written, cells_visited, labels_seen, exchanges, tests, .. } = *counts;
    let total = cells_written + cells_visited + labels_seen + exchanges + tests;
    total as f64 / counts.updates as f64
}

/// proves: m1/BP-R7
#[test]
fn a_box_that_stays_writes_and_visits_nothing() {
    for kind in KINDS {
        let mut broad = BroadPhase::new(kind);
        let mut changes = Vec::new();
        let boxes = pattern(125, 5);
        broad.update_all(&boxes, &mut changes);
        let before = *broad.counts();
        for (proxy, bounds, radius) in &boxes {
            broad.update(*proxy, bounds, *radius, &mut changes);
        }
        let expected =
            Counts { updates: before.updates + 125, still: before.still + 125, ..before };
        assert_eq!(*broad.counts(), expected, "{kind:?}");
    }
}

#[test]
fn a_box_that_moves_within_its_cells_writes_none_and_one_that_crosses_writes_what_it_crosses() {
    let mut broad = BroadPhase::new(BroadPhaseKind::Hash);
    let at = |x: f64| Aabb { min: DVec3::new(x, 0.5, 0.5), max: DVec3::new(x + 1.5, 2.0, 2.0) };
    let mut written = |x: f64| {
        let before = broad.counts().cells_written;
        broad.update(0, &at(x), 0.0, &mut Vec::new());
        broad.counts().cells_written - before
    };
    // Cells of 2 m: two along x, and two each along the others up to and including 2.0.
    let steps = [(1.0, 8), (1.2, 0), (1.9, 0), (2.1, 4), (2.4, 0), (2.5, 4), (-7.0, 16)];
    for (x, expected) in steps {
        assert_eq!(written(x), expected, "{x}");
    }
}

/// proves: m1/BP-R8
#[test]
fn uniformly_spaced_boxes_cost_the_same_each_however_many() {
    let work = [12, 24, 48].map(|across| {
        let boxes = pattern(across * across * across, across);
        per_update(&work(BroadPhaseKind::Hash, &boxes, DVec3::splat(0.6)))
    });
    // Boxes on the outside have fewer neighbours: a tenth of all in the second pattern are more than in the third.
    assert!(work[1] < 1.3 * work[0] && work[2] < 1.1 * work[1], "{work:?}");
}

/// Dice on a floor (thesis 2.4.4): their boxes end at nearly equal heights.
///
/// proves: m1/BP-R8
#[test]
fn dice_on_a_floor_do_not_trouble_the_hash_table_and_do_trouble_sorted_coordinates() {
    let cost = |kind: BroadPhaseKind, across: u32| {
        let mut boxes = pattern(across * across, across);
        let side = 2.0 * f64::from(across);
        let floor = Aabb { min: DVec3::splat(-1.0), max: DVec3::new(side, side, 0.0) };
        boxes.push((across * across, floor, side));
        for (_, bounds, _) in &mut boxes {
            bounds.max.z += 0.1;
        }
        per_update(&work(kind, &boxes, 0.1 * DVec3::Z))
    };
    let sizes = [10, 20, 40];
    let hash = sizes.map(|across| cost(BroadPhaseKind::Hash, across));
    let sweep = sizes.map(|across| cost(BroadPhaseKind::Sweep, across));
    assert!(hash.iter().all(|work| *work < 1.2 * hash[0]), "{hash:?}");
    // Four times the dice: four times the exchanges of each.
    assert!(sweep[1] > 3.0 * sweep[0] && sweep[2] > 3.0 * sweep[1], "{sweep:?}");
}

#[test]
fn cells_visited_and_written_and_tests_per_event_do_not_grow_with_the_number_of_spheres() {
    let cost = |spheres: u32| {
        let mut numbers = Numbers(22);
        let (radius, travel) = (0.1, 0.15);
        // A tenth of the volume is filled.
        let side = libm::cbrt(f64::from(spheres) * 41.89) * radius;
        let mut positions: Vec<DVec3> =
            (0..spheres).map(|_| 0.5 * side * numbers.vector()).collect();
        let mut broad = BroadPhase::new(BroadPhaseKind::Hash);
        let mut before = Counts::default();
        for event in 0..3 * spheres.max(5000) {
            if event == spheres.max(5000) {
                before = *broad.counts();
            }
            let sphere = numbers.below(u64::from(spheres)) as usize;
            let wall = DVec3::splat(0.5 * side);
            let direction = numbers.vector().try_normalize().expect("a direction");
            let to = (positions[sphere] + travel * direction).clamp(-wall, wall);
            let bounds = Aabb::from_points([positions[sphere], to]).padded(radius);
            positions[sphere] = to;
            broad.update(sphere as Proxy, &bounds, radius, &mut Vec::new());
        }
        let now = broad.counts();
        let updates = (now.updates - before.updates) as f64;
        [
            (now.cells_visited - before.cells_visited + now.cells_written - before.cells_written)
                as f64
                / updates,
            (now.labels_seen - before.labels_seen) as f64 / updates,
            (now.tests - before.tests) as f64 / updates,
            (now.changes - before.changes) as f64 / updates,
        ]
    };
    let costs = [1000, 4000, 20_000].map(cost);
    for what in 0..4 {
        let [least, most] = [f64::min, f64::max].map(|choose| {
            costs.iter().map(|costs| costs[what]).reduce(choose).expect("three sizes")
        });
        assert!(most < 1.5 * least, "{costs:?}");
    }
}

#[test]
fn a_fast_or_huge_or_unbounded_box_lies_in_few_cells() {
    let mut broad = BroadPhase::new(BroadPhaseKind::Hash);
    let mut written = |min: DVec3, max: DVec3, radius: f64| {
        let before = broad.counts().cells_written;
        broad.remove(0, &mut Vec::new());
        broad.update(0, &Aabb { min, max }, radius, &mut Vec::new());
        broad.counts().cells_written - before
    };
    let corner = DVec3::splat(0.3);
    assert!(written(-corner, corner, 0.01) <= 8);
    // A bullet of a centimetre over a kilometre, a floor, half of space, and all that numbers can name.
    assert!(written(corner, corner + 1e3, 0.01) <= 16);
    assert!(written(DVec3::new(-1e4, -1e4, -1.0), DVec3::new(1e4, 1e4, 0.0), 1e4) <= 16);
    assert!(
        written(DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, f64::INFINITY, 0.0), f64::INFINITY)
            <= 8
    );
    assert_eq!(written(DVec3::splat(-1e300), DVec3::splat(1e300), 1.0), 0);
    assert!(written(DVec3::splat(1e15), DVec3::splat(1e15 + 1.0), 1e-3) <= 8);
}

#[test]
fn a_large_box_among_many_small_ones_costs_no_more_than_there_are() {
    let boxes = pattern(1000, 10);
    let mut broad = BroadPhase::new(BroadPhaseKind::Hash);
    broad.update_all(&boxes, &mut Vec::new());
    let before = *broad.counts();
    let huge = Aabb { min: DVec3::splat(-1e6), max: DVec3::splat(1e6) };
    broad.update(1000, &huge, 1e6, &mut Vec::new());
    let counts = broad.counts();
    assert!(counts.tests - before.tests <= 1000);
    assert!(counts.cells_visited - before.cells_visited <= 8);
    assert_eq!(neighbours(&broad, 1000).len(), 1000);
    // And a small one among them does not notice the large one's size.
    let before = *counts;
    broad.update(5, &boxes[6].1, 0.87, &mut Vec::new());
    assert!(broad.counts().tests - before.tests < 60);
}
