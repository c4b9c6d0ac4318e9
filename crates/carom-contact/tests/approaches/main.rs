//! Thousands of approaches: none missed, none too early, and how many distances each took.

mod common;
mod curved;
mod pieces;

use carom_contact::touch::{Outcome, touch_distance};
use carom_dynamics::BodyState;
use carom_geometry::shapes::{Cuboid, HalfSpace};
use carom_geometry::{Pose, Shape};
use glam::{DQuat, DVec3};

use common::{Body, Numbers, nearest, search};

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.80665);

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
                    touch.distance <= 2.0 * resolution,
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

fn cuboid(half: DVec3) -> Shape {
    Shape::Cuboid(Cuboid::new(half).expect("a box"))
}

/// A box, a rod or a plate.
fn shape(numbers: &mut Numbers) -> Shape {
    let half = match (3.0 * numbers.unit()) as u32 {
        0 => DVec3::new(numbers.range(0.2, 1.0), numbers.range(0.2, 1.0), numbers.range(0.2, 1.0)),
        1 => DVec3::new(1.0, 0.02, 0.02),
        _ => DVec3::new(1.0, 1.0, 0.01),
    };
    cuboid(half)
}

/// Two bodies that fly at each other and turn less than once while in reach.
fn pair(numbers: &mut Numbers) -> (Body, Body) {
    let (one, other) = (shape(numbers), shape(numbers));
    let speed = numbers.decades(0.5, 50.0);
    let direction = numbers.direction();
    let aside = numbers.direction() * numbers.range(0.0, 0.8);
    // In reach for about 4 m.
    let spin = |numbers: &mut Numbers| numbers.direction() * numbers.range(0.0, 3.0) * speed / 4.0;
    let state = |position, velocity, numbers: &mut Numbers| BodyState {
        position,
        orientation: numbers.rotation(),
        velocity,
        angular_velocity: spin(numbers),
    };
    let a = state(DVec3::ZERO, DVec3::ZERO, numbers);
    let b = state(4.0 * direction + aside, -speed * direction, numbers);
    (Body::free(&one, a, GRAVITY), Body::free(&other, b, GRAVITY))
}

#[test]
fn bodies_that_turn_less_than_once_in_reach() {
    let mut tally = Tally::default();
    for seed in 0..3000 {
        let (a, b) = pair(&mut Numbers(seed));
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
        let mut numbers = Numbers(1_000_000 + seed);
        let (a, b) = pair(&mut numbers);
        let clearance = numbers.decades(1e-9, 1e-3) * if numbers.unit() < 0.5 { 1.0 } else { -1.0 };
        let Some(b) = grazing(&a, &b, clearance) else { continue };
        let touched = tally.check(&a, &b, 20.0, seed).is_some();
        // A touch with positive clearance is one that the sampling for the least distance has overlooked.
        assert!(touched || clearance > -1e-8, "seed {seed}: clearance {clearance:e} missed");
    }
    let (mean, p99, max) = tally.report("grazing");
    tally.slow.sort_unstable();
    println!("slowest {:?}", &tally.slow[tally.slow.len() - 8..]);
    assert!(mean <= 8.0 && p99 <= 16 && max <= 24);
}

/// B shifted so that its least distance from A is the clearance; none if they do not pass each other once.
fn grazing(a: &Body, b: &Body, clearance: f64) -> Option<Body> {
    let mut b = b.clone();
    for _ in 0..8 {
        let (time, distance) = least(a, &b)?;
        let normal = a.motion.state_at(time).orientation * nearest(a, &b, time).normal;
        b = b.shifted((distance - clearance) * normal);
    }
    let (_, distance) = least(a, &b)?;
    ((distance - clearance).abs() < 1e-3 * clearance.abs() + 1e-12).then_some(b)
}

/// Time and value of the least distance, by sampling and golden section.
fn least(a: &Body, b: &Body) -> Option<(f64, f64)> {
    let horizon = 16.0 / (b.motion.state_at(0.0).velocity.length() + 1e-9);
    let at = |time: f64| nearest(a, b, time).distance;
    let n = 200;
    let times: Vec<f64> = (0..=n).map(|i| horizon * f64::from(i) / f64::from(n)).collect();
    let values: Vec<f64> = times.iter().map(|time| at(*time)).collect();
    let best = (0..values.len()).min_by(|i, j| values[*i].total_cmp(&values[*j]))?;
    if best == 0 || best + 1 == values.len() {
        return None;
    }
    let (mut low, mut high) = (times[best - 1], times[best + 1]);
    for _ in 0..70 {
        let (x, y) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if at(x) < at(y) { high = y } else { low = x }
    }
    let time = 0.5 * (low + high);
    Some((time, at(time)))
}

#[test]
fn boxes_that_fall_on_a_plane() {
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a half-space"));
    let floor = Body::fixed(&floor, Pose::IDENTITY);
    let mut tally = Tally::default();
    for seed in 0..2000 {
        let mut numbers = Numbers(seed);
        let body = shape(&mut numbers);
        let state = BodyState {
            position: DVec3::Z * numbers.range(2.0, 10.0),
            orientation: numbers.rotation(),
            velocity: 3.0 * numbers.direction(),
            angular_velocity: numbers.direction() * numbers.range(0.0, 6.0),
        };
        tally.check(&Body::free(&body, state, GRAVITY), &floor, 20.0, seed);
    }
    let (mean, p99, max) = tally.report("box and plane");
    assert!(mean <= 5.0 && p99 <= 16 && max <= 24);
}

#[test]
fn a_rod_that_spins_fast_past_a_plate() {
    let mut tally = Tally::default();
    let mut turns = 0.0;
    for seed in 0..60 {
        let mut numbers = Numbers(seed);
        let rod = cuboid(DVec3::new(0.5, 0.005, 0.005));
        let plate = cuboid(DVec3::new(0.5, 0.5, 0.005));
        let spin = 1e4;
        let state = BodyState {
            position: DVec3::new(numbers.range(-0.3, 0.3), numbers.range(-0.3, 0.3), 1.0),
            orientation: DQuat::IDENTITY,
            velocity: DVec3::new(0.0, 0.0, -numbers.decades(1.0, 100.0)),
            angular_velocity: spin * (DVec3::Y + 0.1 * numbers.direction()),
        };
        let a = Body::free(&rod, state, DVec3::ZERO);
        let b = Body::fixed(&plate, Pose::new(DVec3::ZERO, numbers.rotation()));
        let time = tally.check(&a, &b, 3.0, seed);
        // In reach from a distance of 1.25 m on.
        turns += time.unwrap_or(0.02) * spin / std::f64::consts::TAU;
    }
    let (mean, ..) = tally.report("rod at 10⁴ rad/s and plate");
    println!("distances per turn {:.2}", mean * 60.0 / turns);
}

#[test]
fn departures_from_touch() {
    let mut tally = Tally::default();
    for seed in 0..2000 {
        let mut numbers = Numbers(5_000_000 + seed);
        let (a, b) = pair(&mut numbers);
        // Where they touch, they are let go again, apart.
        let (_, outcome) = search(&a, &b, 20.0);
        let Outcome::Touch(touch) = outcome else { continue };
        let reversed = |body: &Body, sign: f64, shape: &Shape| {
            let state = body.motion.state_at(touch.time);
            let velocity = state.velocity + sign * 2.0 * touch.speed.abs() * touch.normal;
            let spin =
                if numbers_bool(seed) { -state.angular_velocity } else { state.angular_velocity };
            Body::free(shape, BodyState { velocity, angular_velocity: spin, ..state }, GRAVITY)
        };
        let mut again = Numbers(5_000_000 + seed);
        let shapes = (shape(&mut again), shape(&mut again));
        let (a, b) = (reversed(&a, 1.0, &shapes.0), reversed(&b, -1.0, &shapes.1));
        tally.check(&a, &b, 20.0, seed);
    }
    let (mean, _, max) = tally.report("departures");
    tally.slow.sort_unstable();
    println!("slowest {:?}", &tally.slow[tally.slow.len() - 8..]);
    assert!(mean <= 5.0 && max <= 24);
}

fn numbers_bool(seed: u64) -> bool {
    seed.is_multiple_of(2)
}
