//! Sorted coordinates: exchanges (Baraff 5.3).

use super::*;

/// Along the x axis; all overlap along the others, each with ends of its own.
fn interval(place: f64, low: f64, high: f64) -> Aabb {
    Aabb { min: DVec3::new(low, place, place), max: DVec3::new(high, place + 100.0, place + 100.0) }
}

/// Figures 5.5 and 5.6: a single interval moves until its end has passed one begin.
///
/// proves: baraff/10
#[test]
fn one_interval_that_moves_past_one_begin_makes_one_exchange_and_one_change() {
    let mut broad = BroadPhase::new(BroadPhaseKind::Sweep);
    let mut changes = Vec::new();
    let ends = [(0.0, 3.0), (1.0, 2.0), (4.0, 7.0), (5.0, 6.0), (8.0, 9.0), (8.4, 9.4)];
    for (proxy, (low, high)) in (0..).zip(ends) {
        broad.update(proxy, &interval(f64::from(proxy), low, high), 0.5, &mut changes);
    }
    assert_eq!(broad.counts().exchanges, 0);
    changes.clear();
    // The end of the first passes the begin of the third, 4.
    broad.update(0, &interval(0.0, 0.5, 4.5), 0.5, &mut changes);
    let told: Vec<_> = changes.iter().map(|change| (change.kind, change.pair)).collect();
    assert_eq!(told, [(ChangeKind::Entered, [0, 2])]);
    assert_eq!((broad.counts().exchanges, broad.counts().tests), (1, 1 + 15 + 6));
    // And back.
    let exchanges = broad.counts().exchanges;
    broad.update(0, &interval(0.0, 0.5, 3.5), 0.5, &mut changes);
    assert_eq!(broad.counts().exchanges, exchanges + 1);
    assert_eq!(neighbours(&broad, 0), [1]);
}

#[test]
fn boxes_that_touch_at_one_coordinate_overlap_whichever_comes_first() {
    for kind in KINDS {
        for (a, b) in [(0, 1), (1, 0)] {
            let mut broad = BroadPhase::new(kind);
            broad.update(a, &interval(0.0, 0.0, 1.0), 0.5, &mut Vec::new());
            broad.update(b, &interval(0.0, 5.0, 6.0), 0.5, &mut Vec::new());
            broad.update(b, &interval(0.0, 1.0, 2.0), 0.5, &mut Vec::new());
            assert_eq!(neighbours(&broad, a), [b]);
            broad.update(b, &interval(0.0, 1.0 + f64::EPSILON, 2.0), 0.5, &mut Vec::new());
            assert_eq!(neighbours(&broad, a), Vec::<Proxy>::new());
            broad.update(b, &interval(0.0, -1.0, -0.0), 0.5, &mut Vec::new());
            assert_eq!(neighbours(&broad, a), [b]);
        }
    }
}

/// Boxes along a diagonal that move less than they are apart; the larger numbers are in the benchmark.
///
/// proves: baraff/9
#[test]
fn exchanges_in_a_frame_of_small_motion_are_few_and_linear_in_the_number_of_boxes() {
    let exchanges = |boxes: u32| {
        let mut numbers = Numbers(31);
        let mut bounds = |place: u32| {
            let low = DVec3::splat(1.05 * f64::from(place)) + 0.02 * numbers.vector();
            Aabb { min: low, max: low + 1.0 }
        };
        let all: Vec<(Proxy, Aabb, f64)> =
            (0..boxes).map(|place| (place, bounds(place), 0.87)).collect();
        let mut broad = BroadPhase::new(BroadPhaseKind::Sweep);
        broad.update_all(&all, &mut Vec::new());
        let before = *broad.counts();
        for place in 0..boxes {
            let bounds = bounds(place);
            broad.update(place, &bounds, 0.87, &mut Vec::new());
        }
        let now = broad.counts();
        ((now.exchanges - before.exchanges) as f64, (now.changes - before.changes) as f64)
    };
    for boxes in [1000, 4000, 16_000] {
        let (s, k) = exchanges(boxes);
        assert!(s - k < 0.2 * f64::from(boxes), "{boxes}: {s} exchanges, {k} changes");
    }
}
