//! Distances between curved solids, pair of kinds by pair of kinds, beside parry's `closest_points`.
//!
//! Solids about one in size with aspect ratios from 1.001 to 1000, placed by `opposite` at random boundary points with
//! gaps from 10⁻⁹ of the size to the size; overlaps, a quarter of all, from 10⁻⁹ to a third of the smaller size.
//! `cold` is the first query of a pair, `warm` one of the queries after it while B turns about its own origin by 1° per
//! call about a random axis. A query is timed alone; the least of a few repetitions counts, for others use the machine.
//!
//! `cargo bench --bench curved -- cone` prints the pairs with a cone only; `-- cone ball` those of the two;
//! `-- worst` adds the slowest pairs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use carom_geometry::Pose;
use carom_geometry::distance::{Convex, Warm, closest};
use carom_geometry::shapes::HalfSpace;
use divan::black_box;
use glam::{DQuat, DVec3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::closest_points;
use parry3d_f64::shape::{
    Ball, Capsule, Cone, ConvexPolyhedron, Cylinder, HalfSpace as Plane, Shape, Triangle,
};
use random::{KINDS, Pair, Random, opposite, size, solid};

#[path = "../../crates/carom-geometry/tests/curved_distance/random.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod random;

/// Pairs of each pair of kinds.
const PAIRS: usize = 1200;
/// One in so many pairs is followed through a motion.
const ONE_MOVES_IN: usize = 6;
/// Queries of a motion, each after a turn by 1°.
const CALLS: usize = 30;
const REPETITIONS: usize = 5;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|w| !w.starts_with('-')).collect();
    let worst = words.iter().any(|word| word == "worst");
    let wanted: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| *word != "worst").collect();
    let is_wanted = |pair: &[&str; 2]| match wanted[..] {
        [] => true,
        [one] => pair.contains(&one),
        [one, other, ..] => *pair == [one, other] || *pair == [other, one],
    };
    // Parry's panics are counted, not told.
    std::panic::set_hook(Box::new(|_| {}));
    println!("median / 99 % / longest of each, in µs");
    println!("| pair | cold | cold, overlapping | warm | warm, overlapping | parry |");
    println!("|---|---|---|---|---|---|");
    let mut all = Times::default();
    let mut superquadrics = Times::default();
    let with_plane = KINDS[..KINDS.len() - 3].iter().map(|kind| [*kind, "half-space"]);
    for kinds in random::curved_pairs().chain(with_plane).filter(is_wanted) {
        let times = measure(kinds, worst);
        println!("{}", times.row(&kinds.join(", ")));
        let sum = if kinds.contains(&"superquadric") { &mut superquadrics } else { &mut all };
        sum.extend(&times);
    }
    println!("{}", all.row("all without superquadrics"));
    println!("{}", superquadrics.row("all with superquadrics"));
    all.extend(&superquadrics);
    println!("{}", all.row("all"));
    println!("parry panicked or had no answer in {} of {}", all.refused, all.asked);
}

/// Times of single queries `[µs]`.
#[derive(Default)]
struct Times {
    apart: Vec<f64>,
    overlapping: Vec<f64>,
    warm: Vec<f64>,
    warm_overlapping: Vec<f64>,
    parry: Vec<f64>,
    asked: usize,
    refused: usize,
}

impl Times {
    fn extend(&mut self, other: &Self) {
        self.apart.extend(&other.apart);
        self.overlapping.extend(&other.overlapping);
        self.warm.extend(&other.warm);
        self.warm_overlapping.extend(&other.warm_overlapping);
        self.parry.extend(&other.parry);
        self.asked += other.asked;
        self.refused += other.refused;
    }

    fn row(&self, name: &str) -> String {
        let mut row = format!("| {name} |");
        let columns =
            [&self.apart, &self.overlapping, &self.warm, &self.warm_overlapping, &self.parry];
        for times in columns {
            let mut sorted = times.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            let at = |share: f64| short(sorted[((sorted.len() - 1) as f64 * share) as usize]);
            row += &match sorted.len() {
                0 => " |".to_owned(),
                _ => format!(" {} / {} / {} |", at(0.5), at(0.99), at(1.0)),
            };
        }
        row
    }
}

/// Two digits or so.
fn short(time: f64) -> String {
    if time < 1.0 {
        format!("{time:.2}")
    } else if time < 10.0 {
        format!("{time:.1}")
    } else {
        format!("{time:.0}")
    }
}

fn measure(kinds: [&'static str; 2], worst: bool) -> Times {
    let mut random = Random(0xC0DE);
    let mut times = Times::default();
    let mut slowest: Vec<(f64, Pair)> = Vec::new();
    for i in 0..PAIRS {
        let pair = random_pair(kinds, &mut random, i % 4 == 3);
        let cold = least(|| {
            let pair = black_box(&pair);
            black_box(closest(&pair.a, &pair.b, &pair.a_from_b, &mut Warm::Cold));
        });
        let is_apart = pair.closest().distance > 0.0;
        if is_apart { &mut times.apart } else { &mut times.overlapping }.push(cold);
        if i.is_multiple_of(ONE_MOVES_IN) {
            follow(&pair, random.direction(), &mut times);
        }
        if is_apart {
            time_parry(&pair, &mut times);
        }
        if worst {
            slowest.push((cold, pair));
        }
    }
    slowest.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (time, pair) in slowest.iter().take(3) {
        println!("  {time:.1} µs, {} apart: {pair:?}", pair.closest().distance);
    }
    times
}

/// Least time of a few runs `[µs]`.
fn least(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let begun = Instant::now();
        run();
        begun.elapsed().as_secs_f64() * 1e6
    };
    (0..REPETITIONS).map(time).fold(f64::INFINITY, f64::min)
}

fn random_pair(kinds: [&str; 2], random: &mut Random, overlaps: bool) -> Pair {
    let [a, b] = kinds.map(|kind| {
        if kind == "half-space" {
            return Convex::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a unit normal"));
        }
        let aspect = random.log_between(1.001, 1000.0);
        solid(kind, aspect, random)
    });
    let sizes = [&a, &b].map(size).map(|size| if size.is_finite() { size } else { 1.0 });
    let gap = if overlaps {
        -random.log_between(1e-9, 0.3) * sizes[0].min(sizes[1])
    } else {
        random.log_between(1e-9, 1.0) * sizes[0].max(sizes[1])
    };
    opposite(a, b, gap, random)
}

/// Times the queries of a motion, each with the memory that the one before it has left.
fn follow(pair: &Pair, axis: DVec3, times: &mut Times) {
    let turn = DQuat::from_axis_angle(axis, 1_f64.to_radians());
    let mut pose = pair.a_from_b;
    let mut memory = Warm::Last(pair.closest());
    for _ in 0..CALLS {
        pose = Pose::new(pose.translation, (turn * pose.rotation).normalize());
        let before = memory;
        let time = least(|| {
            memory = before;
            black_box(closest(&pair.a, &pair.b, black_box(&pose), &mut memory));
        });
        let Warm::Last(answer) = memory else { continue };
        let is_apart = answer.distance > 0.0;
        if is_apart { &mut times.warm } else { &mut times.warm_overlapping }.push(time);
    }
}

fn time_parry(pair: &Pair, times: &mut Times) {
    let (Some((a, turn_a)), Some((b, turn_b))) = (theirs(&pair.a), theirs(&pair.b)) else { return };
    let from_a = their_pose(DVec3::ZERO, turn_a);
    let from_b = their_pose(pair.a_from_b.translation, pair.a_from_b.rotation * turn_b);
    times.asked += 1;
    let ask = || closest_points(&from_a, a.as_ref(), &from_b, b.as_ref(), f64::MAX).is_ok();
    if catch_unwind(AssertUnwindSafe(ask)).unwrap_or(false) {
        times.parry.push(least(|| {
            black_box(ask());
        }));
    } else {
        times.refused += 1;
    }
}

/// Parry's shape, and the turn that takes its axis y to our axis z.
fn theirs(shape: &Convex) -> Option<(Box<dyn Shape>, DQuat)> {
    let upright = DQuat::from_rotation_arc(DVec3::Y, DVec3::Z);
    let vector = |v: &DVec3| Vector::new(v.x, v.y, v.z);
    Some(match shape {
        Convex::Ball(it) => (Box::new(Ball::new(it.radius())), DQuat::IDENTITY),
        Convex::Capsule(it) => {
            (Box::new(Capsule::new_z(it.half_length(), it.radius())), DQuat::IDENTITY)
        }
        Convex::Cylinder(it) => (Box::new(Cylinder::new(it.half_length(), it.radius())), upright),
        Convex::Cone(it) => (Box::new(Cone::new(it.half_length(), it.radius())), upright),
        Convex::Polyhedron(it) => {
            let points: Vec<Vector> = it.vertices().iter().map(vector).collect();
            let hull = catch_unwind(|| ConvexPolyhedron::from_convex_hull(&points)).ok()??;
            (Box::new(hull), DQuat::IDENTITY)
        }
        Convex::Triangle([a, b, c]) => {
            (Box::new(Triangle::new(vector(a), vector(b), vector(c))), DQuat::IDENTITY)
        }
        Convex::HalfSpace(_) => (Box::new(Plane::new(Vector::new(0.0, 0.0, 1.0))), DQuat::IDENTITY),
        Convex::Ellipsoid(_) | Convex::Superquadric(_) => return None,
    })
}

fn their_pose(translation: DVec3, rotation: DQuat) -> ParryPose {
    ParryPose {
        translation: Vector::from_array(translation.to_array()),
        rotation: Rotation::from_array(rotation.to_array()),
    }
}
