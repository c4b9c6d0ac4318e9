//! Pairs that touch the two sides of a slab at opposite points, so that its width is their distance.

use carom_geometry::Pose;
use carom_geometry::distance::{Closest, Convex, Warm, closest};
use carom_geometry::shapes::HalfSpace;
use glam::{DQuat, DVec3};

use crate::random::{KINDS, Pair, Random, contact, curved_pairs, opposite, scaled, solid};

/// Gaps as shares of the larger solid's size.
const GAPS: [f64; 7] = [0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0];

/// What is promised.
const PROMISE: f64 = 1e-12;

struct Tally {
    checked: usize,
    wrong: Vec<String>,
    worst: f64,
}

impl Tally {
    const NONE: Self = Self { checked: 0, wrong: Vec::new(), worst: 0.0 };

    fn count(&mut self, pair: &Pair, answer: &Closest) {
        let error = pair.error(answer);
        self.checked += 1;
        self.worst = self.worst.max(error);
        if error > PROMISE {
            self.wrong.push(format!("off by {error:e} of the size: {pair:?} gave {answer:?}"));
        }
    }

    fn settle(&self, least: usize) {
        let Self { checked, wrong, worst } = self;
        assert!(*checked >= least, "{checked} pairs");
        assert!(wrong.is_empty(), "worst {worst:e}: {wrong:#?}");
    }
}

/// Two solids a share of the larger size apart, either of them first.
fn pair(kinds: [&str; 2], aspect: f64, gap: f64, random: &mut Random) -> Pair {
    let [a, b] = kinds.map(|kind| solid(kind, aspect, random));
    let size = crate::random::size(&a).max(crate::random::size(&b));
    let pair = opposite(a, b, gap * size, random);
    if random.one_in(2) { pair.swapped() } else { pair }
}

#[test]
fn a_hundred_thousand_pairs_of_all_kinds_are_as_far_apart_as_they_were_built() {
    let mut random = Random(0xCA20);
    let mut tally = Tally::NONE;
    for kinds in curved_pairs() {
        for k in 0..2660 {
            let aspect = [1000.0, 30.0, 1.001][k % 3];
            let pair = pair(kinds, aspect, GAPS[k % 7], &mut random);
            tally.count(&pair, &pair.closest());
        }
    }
    tally.settle(100_000);
}

#[test]
fn sizes_from_micrometres_to_a_thousand_kilometres_may_meet() {
    let mut random = Random(0xCA21);
    let mut tally = Tally::NONE;
    for kinds in curved_pairs() {
        for k in 0..300 {
            let [a, b] = kinds.map(|kind| {
                let shape = solid(kind, 100.0, &mut random);
                scaled(&shape, random.log_between(1e-6, 1e6))
            });
            let size = crate::random::size(&a).max(crate::random::size(&b));
            let pair = opposite(a, b, GAPS[k % 7] * size, &mut random);
            tally.count(&pair, &pair.closest());
        }
    }
    tally.settle(10_000);
}

/// proves: baraff/18
#[test]
fn half_spaces_are_as_far_from_every_kind_as_they_were_built() {
    let mut random = Random(0xCA22);
    for k in 0..9000 {
        let shape = solid(KINDS[k % 9], 1000.0, &mut random);
        let size = crate::random::size(&shape);
        let (point, out) = contact(&shape, &mut random);
        let gap = size * [-0.3, -1e-6, 0.0, 1e-9, 0.5][k % 5];
        let up = random.direction();
        let plane = Convex::HalfSpace(
            HalfSpace::new(up, random.between(-2.0, 2.0)).expect("a unit normal"),
        );
        // Turns the contact down onto the plane, and lifts it by the gap.
        let rotation = DQuat::from_rotation_arc(out, -up);
        let Convex::HalfSpace(it) = &plane else { unreachable!() };
        let origin = (it.offset() + gap - up.dot(rotation * point)) * up;
        let plane_from_shape = Pose::new(origin, rotation);
        let over = closest(&plane, &shape, &plane_from_shape, &mut Warm::Cold);
        let under = closest(&shape, &plane, &plane_from_shape.inverse(), &mut Warm::Cold);
        for answer in [over, under] {
            let error = (answer.distance - gap).abs() / (size + 2.0);
            assert!(error < 4e-15, "{answer:?} of {shape:?}, not {gap}");
            let span = answer.point_a - answer.point_b - answer.distance * answer.normal;
            assert!(span.length() < 1e-15 * (size + 4.0), "{answer:?} of {shape:?}");
        }
    }
}

#[test]
fn small_overlaps_are_as_deep_as_they_were_built_or_less_in_a_better_direction() {
    let mut random = Random(0xCA23);
    let mut n_checked = 0;
    for kinds in curved_pairs() {
        for k in 0..400 {
            let depth = [1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-4, 3e-4, 1e-3][k % 8];
            let pair = pair(kinds, 100.0, -depth, &mut random);
            let answer = pair.closest();
            let built = pair.slab(pair.normal);
            let tolerance = PROMISE * pair.size();
            assert!(answer.distance >= built - tolerance, "{pair:?} gave {answer:?}, not {built}");
            let own = pair.slab(answer.normal);
            assert!(
                (answer.distance - own).abs() < tolerance,
                "{pair:?} gave {answer:?}, not {own}"
            );
            n_checked += 1;
        }
    }
    println!("{n_checked} overlaps");
}

#[test]
fn the_farther_apart_the_better_known() {
    let mut random = Random(0xCA24);
    for kinds in curved_pairs() {
        for _ in 0..30 {
            let pair = pair(kinds, 30.0, random.log_between(10.0, 1e6), &mut random);
            let answer = pair.closest();
            let error = (answer.distance / pair.gap - 1.0).abs();
            assert!(error < 1e-14, "{pair:?} gave {answer:?}");
            let turned = answer.normal.distance(pair.normal);
            let blur = 2.0 * pair.size() / pair.gap;
            assert!(turned < blur, "{pair:?} gave {}", answer.normal);
        }
    }
}

#[test]
fn a_hull_of_five_thousand_facets_is_like_any_other() {
    let mut random = Random(0xCA25);
    let points: Vec<DVec3> =
        (0..2600).map(|_| random.direction() * DVec3::new(1.0, 0.7, 0.4)).collect();
    let hull = carom_geometry::convex_hull(&points).unwrap();
    assert!(hull.faces().len() > 5000, "{} faces", hull.faces().len());
    let hull = Convex::Polyhedron(std::sync::Arc::new(hull));
    let mut tally = Tally::NONE;
    for kind in &KINDS[..6] {
        for k in 0..100 {
            let partner = solid(kind, 100.0, &mut random);
            let pair = opposite(hull.clone(), partner, GAPS[k % 7], &mut random);
            tally.count(&pair, &pair.closest());
        }
    }
    tally.settle(600);
}
