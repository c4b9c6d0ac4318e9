//! The hash table against the thesis: Definition 1, the standard variant (2.4.1), and counters kept as in 2.4.2.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::broad::hash::cell::{Cell, Range};
use crate::broad::hash::level::{Level, size};

/// A box at its level.
#[derive(Clone, Copy)]
struct Leveled {
    bounds: Aabb,
    size: f64,
    level: Level,
}

impl Leveled {
    fn new(bounds: Aabb, radius: f64) -> Self {
        let level = Level::of(&bounds, radius).expect("a level");
        Self { bounds, size: size(&bounds, radius), level }
    }

    fn cells(&self, level: Level) -> BTreeSet<Cell> {
        let mut cells = BTreeSet::new();
        Range::of(&self.bounds, level).for_each(|cell| assert!(cells.insert(cell)));
        cells
    }
}

/// Cells that two boxes share at the coarser of their levels: close, by Definition 1, if there are any.
fn shared(a: &Leveled, b: &Leveled) -> usize {
    let level = a.level.max(b.level);
    let shared = a.cells(level).intersection(&b.cells(level)).count();
    // A product of three lengths, for which nothing has to be counted.
    let common = Aabb { min: a.bounds.min.max(b.bounds.min), max: a.bounds.max.min(b.bounds.max) };
    assert_eq!(Range::of(&common, level).len(), shared as u64);
    shared
}

type Pairs = BTreeMap<[Proxy; 2], usize>;

fn close_by_definition(boxes: &[Leveled]) -> Pairs {
    let mut close = Pairs::new();
    for (a, first) in (0..).zip(boxes) {
        for (b, second) in (0..).zip(boxes).take(a as usize) {
            let counter = shared(first, second);
            if counter > 0 {
                close.insert([b, a], counter);
            }
        }
    }
    close
}

/// The standard variant: stored at one's own level, looked up there and at coarser ones, coarsest boxes first.
fn close_by_standard_variant(boxes: &[Leveled]) -> BTreeSet<[Proxy; 2]> {
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(boxes[*index].level));
    let levels: BTreeSet<Level> = boxes.iter().map(|leveled| leveled.level).collect();
    let mut table: BTreeMap<(Level, Cell), Vec<Proxy>> = BTreeMap::new();
    let mut close = BTreeSet::new();
    for index in order {
        let own = &boxes[index];
        for level in levels.range(own.level..) {
            for cell in own.cells(*level) {
                let labels = table.get(&(*level, cell)).into_iter().flatten();
                close.extend(labels.map(|other| pair(index as Proxy, *other)));
            }
        }
        for cell in own.cells(own.level) {
            table.entry((own.level, cell)).or_default().push(index as Proxy);
        }
    }
    close
}

fn pair(a: Proxy, b: Proxy) -> [Proxy; 2] {
    [a.min(b), a.max(b)]
}

/// The coherent variant to the letter: labels at all coarser levels, and counters of pairs.
#[derive(Default)]
struct Counters {
    table: BTreeMap<(Level, Cell), BTreeMap<Proxy, Level>>,
    counters: BTreeMap<[Proxy; 2], usize>,
}

impl Counters {
    fn change(&mut self, proxy: Proxy, own: &Leveled, levels: &BTreeSet<Level>, enter: bool) {
        for level in levels.range(own.level..) {
            for cell in own.cells(*level) {
                let labels = self.table.entry((*level, cell)).or_default();
                labels.remove(&proxy);
                for (other, theirs) in &*labels {
                    if *level == own.level.max(*theirs) {
                        let counter = self.counters.entry(pair(proxy, *other)).or_default();
                        *counter = if enter { *counter + 1 } else { *counter - 1 };
                    }
                }
                if enter {
                    labels.insert(proxy, own.level);
                }
            }
        }
        self.counters.retain(|_, counter| *counter > 0);
    }
}

/// Boxes whose sizes span about six levels.
fn scene(numbers: &mut Numbers, boxes: usize) -> Vec<(Aabb, f64)> {
    let one = |_| {
        let size = numbers.scale(2.5);
        (numbers.bounds(3.0, size), 0.1 * size)
    };
    (0..boxes).map(one).collect()
}

fn shuffled(numbers: &mut Numbers, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_cached_key(|_| numbers.below(1 << 40));
    order
}

fn leveled(scene: &[(Aabb, f64)]) -> Vec<Leveled> {
    scene.iter().map(|(bounds, radius)| Leveled::new(*bounds, *radius)).collect()
}

/// proves: m1/BP-R2 m1/BP-R3
#[test]
fn close_pairs_agree_between_definition_standard_and_coherent_variant() {
    let mut numbers = Numbers(11);
    for _ in 0..30 {
        let boxes = leveled(&scene(&mut numbers, 60));
        let levels: BTreeSet<Level> = boxes.iter().map(|leveled| leveled.level).collect();
        let close = close_by_definition(&boxes);
        let standard = close_by_standard_variant(&boxes);
        assert_eq!(close.keys().copied().collect::<BTreeSet<_>>(), standard);

        let mut coherent = Counters::default();
        let order = shuffled(&mut numbers, boxes.len());
        for &index in &order {
            coherent.change(index as Proxy, &boxes[index], &levels, true);
        }
        assert_eq!(coherent.counters, close);
        for &index in order.iter().rev() {
            coherent.change(index as Proxy, &boxes[index], &levels, false);
        }
        assert_eq!(coherent.counters, BTreeMap::new());
    }
}

/// proves: m1/BP-R2 m1/BP-R3
#[test]
fn the_table_has_the_close_pairs_of_the_standard_variant_whose_boxes_overlap_in_any_order() {
    let mut numbers = Numbers(16);
    let mut close = 0;
    let mut overlapping = 0;
    for _ in 0..30 {
        let scene = scene(&mut numbers, 60);
        let boxes = leveled(&scene);
        let mut broad = BroadPhase::new(BroadPhaseKind::Hash);
        for index in shuffled(&mut numbers, scene.len()) {
            let (bounds, radius) = scene[index];
            broad.update(index as Proxy, &bounds, radius, &mut Vec::new());
        }
        let overlap =
            |[a, b]: &[Proxy; 2]| boxes[*a as usize].bounds.overlaps(&boxes[*b as usize].bounds);
        let standard = close_by_standard_variant(&boxes);
        let expected: BTreeSet<[Proxy; 2]> = standard.iter().copied().filter(overlap).collect();
        let found = |proxy: Proxy| {
            let others = neighbours(&broad, proxy).into_iter();
            others.map(move |other| pair(proxy, other)).collect::<Vec<_>>()
        };
        assert_eq!((0..60).flat_map(found).collect::<BTreeSet<_>>(), expected);
        let every = (0..60).flat_map(|b| (0..b).map(move |a| [a, b]));
        assert_eq!(every.filter(overlap).count(), expected.len());
        close += standard.len();
        overlapping += expected.len();
    }
    assert!(overlapping > 500 && close > 2 * overlapping, "{overlapping} of {close}");
}

/// proves: m1/BP-R3
#[test]
fn labels_stay_where_boxes_are_through_updates_and_nothing_remains_when_all_are_removed() {
    let mut numbers = Numbers(12);
    let mut broad = BroadPhase::new(BroadPhaseKind::Hash);
    let mut boxes = scene(&mut numbers, 60);
    for (proxy, (bounds, radius)) in (0..).zip(&boxes) {
        broad.update(proxy, bounds, *radius, &mut Vec::new());
    }
    for _ in 0..2000 {
        let index = numbers.below(boxes.len() as u64) as usize;
        let (bounds, radius) = boxes[index];
        let shift = 0.3 * numbers.vector();
        let grown = if numbers.below(10) == 0 { numbers.scale(1.0) } else { 1.0 };
        let min = bounds.min + shift;
        let bounds = Aabb { min, max: min + grown * (bounds.max - bounds.min) };
        boxes[index].0 = bounds;
        broad.update(index as Proxy, &bounds, radius, &mut Vec::new());
        let levels = leveled(&boxes);
        let expected: BTreeSet<(Level, Cell)> = levels
            .iter()
            .flat_map(|own| own.cells(own.level).into_iter().map(|cell| (own.level, cell)))
            .collect();
        let labels: usize = levels.iter().map(|own| own.cells(own.level).len()).sum();
        assert_eq!(
            broad.hash().cells_and_labels(expected.iter().copied()),
            (expected.len(), labels)
        );
        assert_eq!(broad.hash().cells(), expected.len());
    }
    let mut changes = Vec::new();
    (0..60).for_each(|proxy| broad.remove(proxy, &mut changes));
    assert!(changes.iter().all(|change| change.kind == ChangeKind::Left));
    assert_eq!((broad.pairs(), broad.hash().cells(), broad.hash().blocks()), (0, 0, 0));
}

/// With α = ½ in three dimensions, 2·√3 sizes of the larger box.
///
/// proves: m1/BP-R4
#[test]
fn close_boxes_are_no_farther_apart_than_theorem_5_allows() {
    let mut numbers = Numbers(13);
    let mut farthest: f64 = 0.0;
    for _ in 0..40 {
        let boxes = leveled(&scene(&mut numbers, 60));
        for [a, b] in close_by_definition(&boxes).into_keys() {
            let (a, b) = (&boxes[a as usize], &boxes[b as usize]);
            let gap =
                (a.bounds.min - b.bounds.max).max(b.bounds.min - a.bounds.max).max(DVec3::ZERO);
            let limit = 2.0 * 3.0_f64.sqrt() * a.size.max(b.size);
            assert!(gap.length() < limit, "{} of {limit}", gap.length());
            farthest = farthest.max(gap.length() / limit);
        }
    }
    assert!(farthest > 0.3, "the limit is never approached: {farthest}");
}

/// The lemma counts levels that begin at the smallest box; powers of two of a metre may need one more.
///
/// proves: m1/BP-R5
#[test]
fn there_are_as_many_levels_as_lemma_1_allows_and_one() {
    let mut numbers = Numbers(14);
    let levels = |sizes: &[f64]| {
        let at = |size: &f64| Level::of(&Aabb { min: DVec3::ZERO, max: DVec3::splat(*size) }, 0.0);
        sizes.iter().map(|size| at(size).expect("a level")).collect::<BTreeSet<_>>().len()
    };
    for _ in 0..2000 {
        let range = 10.0 * numbers.next();
        let sizes: Vec<f64> = (0..100).map(|_| numbers.scale(range)).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let smallest = sizes.iter().copied().fold(f64::INFINITY, f64::min);
        let lemma = libm::log2(largest / smallest).ceil().max(1.0) as usize;
        assert!(levels(&sizes) <= lemma + 1, "{} levels, lemma {lemma}", levels(&sizes));
    }
    assert_eq!(levels(&[0.7; 20]), 1);
    assert_eq!(levels(&[0.1, 30.0, 9000.0, 0.1, 9000.0, 30.0]), 3);
}

#[test]
fn scaling_a_scene_by_a_power_of_two_changes_no_count() {
    let run = |scale: f64| {
        let mut numbers = Numbers(15);
        let mut broad = BroadPhase::new(BroadPhaseKind::Hash);
        let mut changes = Vec::new();
        for _ in 0..3000 {
            let proxy = numbers.below(100) as Proxy;
            let size = numbers.scale(3.0);
            let bounds = numbers.bounds(8.0, size);
            let bounds = Aabb { min: scale * bounds.min, max: scale * bounds.max };
            broad.update(proxy, &bounds, 0.1 * scale * size, &mut changes);
        }
        (*broad.counts(), changes)
    };
    let expected = run(1.0);
    for scale in [0.5, 1024.0, libm::ldexp(1.0, -40), libm::ldexp(1.0, 40)] {
        assert_eq!(run(scale), expected, "{scale}");
    }
}
