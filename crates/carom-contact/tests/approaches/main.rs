//! Thousands of approaches: none missed, none too early, and how many distances each took.

mod common;
mod curved;
mod families;
mod pieces;
mod planes;
mod thesis;

use carom_contact::touch::{Outcome, touch_distance};

use common::{Body, nearest, search};
use families::{
    box_on_plane, departure, grazing, nearly_parallel, spinning_rod, turns_of_rod, under_one_turn,
};

/// How many distances the approaches of a set took.
#[derive(Default)]
struct Tally {
    queries: Vec<u32>,
    legs: u64,
    touches: usize,
    slow: Vec<(u32, u64)>,
    nanos: u128,
}

impl Tally {
    #[expect(clippy::print_stdout, reason = "counts are what these tests are about")]
    fn report(&mut self, name: &str) -> (f64, u32, u32) {
        self.queries.sort_unstable();
        let n = self.queries.len();
        let mean = self.queries.iter().map(|q| f64::from(*q)).sum::<f64>() / n as f64;
        let at = |share: f64| self.queries[((n - 1) as f64 * share) as usize];
        let (p99, max) = (at(0.99), self.queries[n - 1]);
        println!(
            "{name}: {n} approaches, {} touches; distances mean {mean:.2}, 99 % {p99}, max {max}; legs mean {:.1}, {:.1} µs",
            self.touches,
            self.legs as f64 / n as f64,
            self.nanos as f64 / n as f64 / 1e3
        );
        (mean, p99, max)
    }

    /// Runs a search and holds its outcome against many distances in between.
    fn check(&mut self, a: &Body, b: &Body, end: f64, seed: u64) -> Option<f64> {
        let begun = std::time::Instant::now();
        let (found, outcome) = search(a, b, end);
        self.nanos += begun.elapsed().as_nanos();
        self.queries.push(found.queries);
        self.slow.push((found.queries, seed));
        self.legs += u64::from(found.legs);
        let last = match outcome {
            Outcome::Touch(touch) => {
                self.touches += 1;
                let resolution = touch_distance(&a.mover(), &b.mover(), touch.time);
                let measured = nearest(a, b, touch.time).distance;
                assert!(measured > 0.0, "seed {seed}: overlap {measured:e} at the touch");
                assert!(
                    touch.distance <= resolution,
                    "seed {seed}: {:e} > {resolution:e}",
                    touch.distance
                );
                touch.time
            }
            Outcome::Never => end,
            other => panic!("seed {seed}: {other:?} after {} distances", found.queries),
        };
        for i in 0..40 {
            let time = last * f64::from(i) / 40.0;
            let distance = nearest(a, b, time).distance;
            assert!(distance > 0.0, "seed {seed}: {distance:e} at {time} before {last}");
        }
        matches!(outcome, Outcome::Touch(_)).then_some(last)
    }
}

#[test]
fn bodies_that_turn_less_than_once_in_reach() {
    let mut tally = Tally::default();
    for seed in 0..3000 {
        let [a, b] = under_one_turn(seed);
        tally.check(&a, &b, 20.0, seed);
    }
    let (mean, p99, max) = tally.report("under one turn");
    tally.slow.sort_unstable();
    println!("slowest {:?}", &tally.slow[tally.slow.len() - 8..]);
    assert!(mean <= 5.0 && p99 <= 16 && max <= 24);
}

#[test]
fn grazing_passes() {
    let mut tally = Tally::default();
    let mut seed = 0;
    while tally.queries.len() < 1500 {
        seed += 1;
        let Some(([a, b], clearance)) = grazing(seed) else { continue };
        let touched = tally.check(&a, &b, 20.0, seed).is_some();
        // A touch with positive clearance is one that the sampling for the least distance has overlooked.
        assert!(touched || clearance > -1e-8, "seed {seed}: clearance {clearance:e} missed");
    }
    let (mean, p99, max) = tally.report("grazing");
    tally.slow.sort_unstable();
    println!("slowest {:?}", &tally.slow[tally.slow.len() - 8..]);
    assert!(mean <= 5.0 && p99 <= 16 && max <= 24);
}

#[test]
fn boxes_that_fall_on_a_plane() {
    let mut tally = Tally::default();
    for seed in 0..2000 {
        let [a, b] = box_on_plane(seed);
        tally.check(&a, &b, 20.0, seed);
    }
    let (mean, p99, max) = tally.report("box and plane");
    assert!(mean <= 5.0 && p99 <= 16 && max <= 24);
}

#[test]
fn a_rod_that_spins_fast_past_a_plate() {
    let mut tally = Tally::default();
    let mut per_turn = Vec::new();
    for seed in 0..60 {
        let [a, b] = spinning_rod(seed);
        let turns = turns_of_rod(tally.check(&a, &b, 3.0, seed)).max(1.0);
        per_turn.push(f64::from(tally.queries[tally.queries.len() - 1]) / turns);
    }
    tally.report("rod at 10⁴ rad/s and plate");
    let mean = per_turn.iter().sum::<f64>() / per_turn.len() as f64;
    let most = per_turn.iter().copied().fold(0.0, f64::max);
    println!("distances per turn: mean {mean:.2}, most {most:.2}");
    assert!(mean <= 2.0 && most <= 12.0);
}

#[test]
fn departures_from_touch() {
    let mut tally = Tally::default();
    for seed in 0..2000 {
        let Some([a, b]) = departure(seed) else { continue };
        tally.check(&a, &b, 20.0, seed);
    }
    let (mean, _, max) = tally.report("departures");
    tally.slow.sort_unstable();
    println!("slowest {:?}", &tally.slow[tally.slow.len() - 8..]);
    assert!(mean <= 5.0 && max <= 12);
}

/// Edges a billionth to a thousandth of a radian from parallel cross as any others do.
#[test]
fn edges_that_are_nearly_parallel() {
    let mut tally = Tally::default();
    for seed in 0..700 {
        let [a, b] = nearly_parallel(seed);
        let touched = tally.check(&a, &b, 20.0, seed);
        assert!(touched.is_some(), "seed {seed}");
    }
    let (mean, p99, max) = tally.report("nearly parallel edges");
    assert!(mean <= 5.0 && p99 <= 16 && max <= 24);
}
