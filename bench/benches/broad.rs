//! The broad phase: what an update costs as scenes grow.
//!
//! `cargo bench --bench broad -- gas` runs one part only. Times are the least of several runs of the same number
//! of updates, made beforehand; counts are those of all runs.

use std::time::Instant;

use carom::broad::{BroadPhase, BroadPhaseKind, Change, Counts};
use carom_bench::counters::CounterHash;
use carom_bench::motion::{Dice, Gas};
use carom_geometry::Aabb;

fn main() {
    let parts: [(&str, fn()); 5] =
        [("gas", gas), ("counters", counters), ("dice", dice), ("still", still), ("row", row)];
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, run) in parts {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            run();
        }
    }
}

const RUNS: u32 = 30;

/// Runs `update` on batches of boxes and gives the least time per update `[ns]`.
fn least_time(
    updates: u32,
    mut next: impl FnMut() -> (u32, Aabb),
    mut update: impl FnMut(u32, &Aabb),
) -> f64 {
    let run = |_| {
        let batch: Vec<(u32, Aabb)> = (0..updates).map(|_| next()).collect();
        time_of_each(&batch, &mut update)
    };
    (0..RUNS).map(run).fold(f64::INFINITY, f64::min)
}

/// Time per update of one batch `[ns]`.
fn time_of_each(batch: &[(u32, Aabb)], mut update: impl FnMut(u32, &Aabb)) -> f64 {
    let start = Instant::now();
    for (proxy, bounds) in batch {
        update(*proxy, bounds);
    }
    start.elapsed().as_secs_f64() * 1e9 / batch.len() as f64
}

/// Counts per update since `before`.
fn per_update(counts: &Counts, before: &Counts) -> [f64; 6] {
    let updates = (counts.updates - before.updates) as f64;
    let pick = |counts: &Counts| {
        let Counts { cells_written, cells_visited, labels_seen, exchanges, tests, changes, .. } =
            *counts;
        [cells_written, cells_visited, labels_seen, exchanges, tests, changes]
    };
    let [now, then] = [pick(counts), pick(before)];
    std::array::from_fn(|i| (now[i] - then[i]) as f64 / updates)
}

fn header(what: &str) {
    println!("\n{what}");
    println!(
        "{:>9} {:>10} {:>8} {:>8} {:>8} {:>10} {:>8} {:>8} {:>8}",
        "boxes",
        "ns/update",
        "written",
        "visited",
        "labels",
        "exchanges",
        "tests",
        "changes",
        "pairs"
    );
}

fn line(boxes: u32, time: f64, broad: &BroadPhase, before: &Counts) {
    let [written, visited, labels, exchanges, tests, changes] = per_update(broad.counts(), before);
    let pairs = broad.pairs() as f64 / f64::from(boxes);
    println!(
        "{boxes:>9} {time:>10.0} {written:>8.2} {visited:>8.2} {labels:>8.1} {exchanges:>10.1} \
         {tests:>8.2} {changes:>8.2} {pairs:>8.2}"
    );
}

fn filled(kind: BroadPhaseKind, gas: &Gas, spheres: u32) -> BroadPhase {
    let mut broad = BroadPhase::new(kind);
    let boxes: Vec<(u32, Aabb, f64)> =
        (0..spheres).map(|sphere| (sphere, gas.bounds(sphere), gas.radius)).collect();
    broad.update_all(&boxes, &mut Vec::new());
    broad
}

fn gas_of(kind: BroadPhaseKind, spheres: u32, updates: u32, mut gas: Gas) {
    let mut broad = filled(kind, &gas, spheres);
    let mut changes: Vec<Change> = Vec::new();
    let radius = gas.radius;
    let mut update = |broad: &mut BroadPhase, proxy: u32, bounds: &Aabb| {
        changes.clear();
        broad.update(proxy, bounds, radius, &mut changes);
    };
    for _ in 0..spheres {
        let (proxy, bounds) = gas.update();
        update(&mut broad, proxy, &bounds);
    }
    let before = *broad.counts();
    let time =
        least_time(updates, || gas.update(), |proxy, bounds| update(&mut broad, proxy, bounds));
    line(spheres, time, &broad, &before);
}

/// Spheres at equal density, from 10² to 10⁵; several radii, for cells are powers of two.
fn gas() {
    let cases = [
        (0.1, 1.5, "10 % filled, windows of 1.5 radii"),
        (0.5, 0.3, "50 % filled, windows of 0.3 radii"),
    ];
    for (filling, windows, what) in cases {
        for radius in [0.065, 0.085, 0.12] {
            header(&format!("gas, hash, {what}, radius {radius} m"));
            for spheres in [100, 1000, 10_000, 100_000] {
                gas_of(
                    BroadPhaseKind::Hash,
                    spheres,
                    20_000,
                    Gas::new(spheres, radius, filling, windows),
                );
            }
        }
    }
    header("gas, sorted coordinates, 10 % filled, windows of 1.5 radii, radius 0.1 m");
    for (spheres, updates) in [(100, 20_000), (1000, 5000), (10_000, 1000), (100_000, 100)] {
        gas_of(BroadPhaseKind::Sweep, spheres, updates, Gas::new(spheres, 0.1, 0.1, 1.5));
    }
}

/// The same gas in the table with stored counters, both with the neighbours of every updated box; batches
/// alternate, so that both have the same company on the machine.
fn counters() {
    println!("\ngas, 10 % filled, windows of 1.5 radii: table with stored counters, and ours");
    println!(
        "{:>9} {:>7} {:>7} {:>13} {:>13} {:>13} {:>13}",
        "boxes", "radius", "cell", "counters [ns]", "ours [ns]", "median ratio", "close changes"
    );
    for (radius, level) in [(0.065, -1), (0.065, -2), (0.085, -1), (0.12, -1), (0.12, 0)] {
        for spheres in [100, 1000, 10_000, 100_000] {
            compare(spheres, radius, level);
        }
    }
}

fn compare(spheres: u32, radius: f64, level: i32) {
    let updates = 10_000;
    let mut gas = Gas::new(spheres, radius, 0.1, 1.5);
    let mut broad = filled(BroadPhaseKind::Hash, &gas, spheres);
    let mut table = CounterHash::new(vec![level]);
    (0..spheres).for_each(|sphere| table.update(sphere, &gas.bounds(sphere), level));
    let mut changes = Vec::new();
    let mut times: Vec<[f64; 2]> = Vec::new();
    let warm = (2 * spheres).div_ceil(updates);
    let mut before = 0;
    let (mut found, mut neighbours, mut total) = (Vec::new(), Vec::new(), 0);
    for run in 0..warm + RUNS {
        let batch: Vec<(u32, Aabb)> = (0..updates).map(|_| gas.update()).collect();
        let theirs = time_of_each(&batch, |proxy, bounds| {
            table.update(proxy, bounds, level);
            table.neighbours(proxy, &mut found);
            total += found.len();
        });
        let ours = time_of_each(&batch, |proxy, bounds| {
            changes.clear();
            broad.update(proxy, bounds, radius, &mut changes);
            broad.neighbours(proxy, &mut neighbours);
            total -= neighbours.len();
        });
        if run < warm {
            before = table.changes;
        } else {
            times.push([theirs, ours]);
        }
    }
    assert_eq!(total, 0, "both tell the same neighbours");
    let least = |which: usize| times.iter().map(|pair| pair[which]).fold(f64::INFINITY, f64::min);
    let mut ratios: Vec<f64> = times.iter().map(|[theirs, ours]| theirs / ours).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    println!(
        "{spheres:>9} {radius:>7} {:>7} {:>13.0} {:>13.0} {:>13.2} {:>13.2}",
        libm::ldexp(1.0, level),
        least(0),
        least(1),
        ratios[ratios.len() / 2],
        (table.changes - before) as f64 / f64::from(updates * RUNS)
    );
}

/// Dice on a floor: the hash table does not notice, sorted coordinates do (thesis 2.4.4).
fn dice() {
    for kind in [BroadPhaseKind::Hash, BroadPhaseKind::Sweep] {
        header(&format!("dice on a floor, {kind:?}"));
        for dice in [100, 300, 1000, 3000, 10_000, 30_000, 100_000] {
            let mut table = Dice::new(dice);
            let mut broad = BroadPhase::new(kind);
            let mut boxes: Vec<(u32, Aabb, f64)> =
                (0..dice).map(|die| (die, table.bounds(die), 0.87)).collect();
            boxes.push((dice, table.floor(), 2.0 * f64::from(dice).sqrt()));
            broad.update_all(&boxes, &mut Vec::new());
            let before = *broad.counts();
            let mut changes = Vec::new();
            let updates =
                if kind == BroadPhaseKind::Hash { 100_000 } else { (3_000_000 / dice).min(20_000) };
            let update = |proxy: u32, bounds: &Aabb| {
                changes.clear();
                broad.update(proxy, bounds, 0.87, &mut changes);
            };
            let time = least_time(updates, || table.update(), update);
            line(dice, time, &broad, &before);
        }
    }
}

/// Ten thousand bodies of which one in a hundred moves: kept up to date, and made anew.
fn still() {
    println!("\n10000 bodies, one in a hundred moves, time of a step [µs]");
    println!(
        "{:>7} {:>16} {:>16} {:>12} {:>14} {:>14}",
        "kind", "moved handed in", "all handed in", "made anew", "ratio moved", "ratio all"
    );
    for kind in [BroadPhaseKind::Hash, BroadPhaseKind::Sweep] {
        let [moved, all, anew] = step_times(kind, 10_000);
        println!(
            "{:>7} {moved:>16.1} {all:>16.1} {anew:>12.1} {:>14.1} {:>14.1}",
            format!("{kind:?}"),
            anew / moved,
            anew / all
        );
    }
}

/// Least times of steps with moved boxes only, with all boxes, and of making the table anew `[µs]`.
fn step_times(kind: BroadPhaseKind, spheres: u32) -> [f64; 3] {
    let mut gas = Gas::new(spheres, 0.1, 0.1, 0.3);
    let mut boxes: Vec<(u32, Aabb, f64)> =
        (0..spheres).map(|sphere| (sphere, gas.bounds(sphere), gas.radius)).collect();
    let mut broad = BroadPhase::new(kind);
    broad.update_all(&boxes, &mut Vec::new());
    let mut changes = Vec::new();
    let mut times = [f64::INFINITY; 3];
    for step in 0..2 * RUNS as usize {
        let mut moved: Vec<(u32, Aabb, f64)> = Vec::new();
        for _ in 0..spheres / 100 {
            let (proxy, bounds) = gas.update();
            moved.push((proxy, bounds, gas.radius));
            boxes[proxy as usize].1 = bounds;
        }
        changes.clear();
        let handed_in = if step % 2 == 0 { &moved } else { &boxes };
        let start = Instant::now();
        for (proxy, bounds, radius) in handed_in {
            broad.update(*proxy, bounds, *radius, &mut changes);
        }
        times[step % 2] = times[step % 2].min(start.elapsed().as_secs_f64() * 1e6);
        changes.clear();
        let start = Instant::now();
        let mut anew = BroadPhase::new(kind);
        anew.update_all(&boxes, &mut changes);
        times[2] = times[2].min(start.elapsed().as_secs_f64() * 1e6);
    }
    times
}

/// Boxes along a diagonal, where sorted coordinates have it easy: work per update does not grow (Baraff 5.3).
fn row() {
    for kind in [BroadPhaseKind::Hash, BroadPhaseKind::Sweep] {
        header(&format!("boxes along a diagonal, {kind:?}"));
        for boxes in [1000, 10_000, 100_000] {
            let mut numbers = carom_bench::motion::Numbers(5);
            let mut bounds = move |place: u32| {
                let low = glam::DVec3::splat(1.05 * f64::from(place)) + 0.05 * numbers.vector();
                Aabb { min: low, max: low + glam::DVec3::ONE }
            };
            let all: Vec<(u32, Aabb, f64)> =
                (0..boxes).map(|place| (place, bounds(place), 0.87)).collect();
            let mut broad = BroadPhase::new(kind);
            broad.update_all(&all, &mut Vec::new());
            let before = *broad.counts();
            let mut changes = Vec::new();
            let mut place = 0;
            let next = || {
                place = (place + 1) % boxes;
                (place, bounds(place))
            };
            let update = |proxy: u32, bounds: &Aabb| {
                changes.clear();
                broad.update(proxy, bounds, 0.87, &mut changes);
            };
            let time = least_time(boxes, next, update);
            line(boxes, time, &broad, &before);
        }
    }
}
