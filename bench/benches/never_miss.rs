//! The never-miss grid in full, the families with links, and the head-on set with Rapier beside it.
//!
//! `cargo bench --manifest-path bench/Cargo.toml --bench never_miss [-- number of cases [first one]]`

use std::io::Write;
use std::ops::Range;
use std::time::Instant;

use carom::{Body, Fault, Observers, StopAtTouch, World};
use carom_bench::motion::Numbers;
use carom_geometry::Shape;
use carom_geometry::shapes::Ball;
use carom_study::never_miss::{Case, Family, Finding, HEAD_ON_SPEEDS, LinkCase, LinkFamily, Tally};
use glam::DVec3;
use rapier3d_f64::prelude as rapier;

/// Cases unless told otherwise.
const CASES: u64 = 100_000;

/// Cases of each family in a hundred.
const SHARES: [(Family, u64); 5] = [
    (Family::BallPlate, 30),
    (Family::HeadOn, 30),
    (Family::RodEdge, 10),
    (Family::Grazing, 25),
    (Family::Bolts, 5),
];

/// Cases of each family with links, besides, for a hundred of those.
const LINKS_SHARE: u64 = 4;

fn main() {
    let mut asked = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let (cases, first) = (asked.next().unwrap_or(CASES), asked.next().unwrap_or(0));
    println!(
        "| family | cases | touches | missed | false | undecided | faults | distance / d_touch | distances mean, 99 %, max | per turn mean, max | time per case | judged in |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut all = Tally::default();
    for (family, share) in SHARES {
        let started = Instant::now();
        let cases = first..first + cases * share / 100;
        let tally = run(family.name(), cases, |index| family.case(index).map(Case::run));
        row(family.name(), &tally, started.elapsed().as_secs_f64());
        all.merge(tally);
    }
    for family in LinkFamily::ALL {
        let started = Instant::now();
        let cases = first..first + cases * LINKS_SHARE / 100;
        let tally = run(family.name(), cases, |index| family.case(index).map(LinkCase::run));
        row(family.name(), &tally, started.elapsed().as_secs_f64());
        all.merge(tally);
    }
    println!(
        "\n{} cases, {} wrong; intervals up to {:.1e} of d_touch wide",
        all.cases,
        all.wrong.len(),
        all.widest
    );
    println!(
        "\n| head-on, 1 cm balls, missed of {PAIRS} | {} |",
        HEAD_ON_SPEEDS.map(|v| format!("±{v} m/s")).join(" | ")
    );
    println!("|---|{}", "---|".repeat(HEAD_ON_SPEEDS.len()));
    head_on_row("Carom", carom_misses);
    for rate in [60.0, 600.0] {
        head_on_row(&format!("Rapier, CCD on both, dt 1/{rate} s"), |start| {
            rapier_misses(start, rate)
        });
    }
}

/// Runs cases, with a word now and then.
fn run(name: &str, cases: Range<u64>, case: impl Fn(u64) -> Option<Finding>) -> Tally {
    let n = cases.end - cases.start;
    let mut tally = Tally::default();
    let mut told = Instant::now();
    for index in cases {
        tally.add(index, case(index));
        if told.elapsed().as_secs() >= 2 {
            eprint!("\r{name}: {} of {n}, {} wrong ", tally.cases, tally.wrong.len());
            let _ = std::io::stderr().flush();
            told = Instant::now();
        }
    }
    eprintln!("\r{name}: {n} done                      ");
    for (index, verdict) in tally.wrong.iter().take(20) {
        eprintln!("  {name} {index}: {verdict:?}");
    }
    tally
}

fn row(name: &str, tally: &Tally, seconds: f64) {
    let (mean, most_of_them, most) = tally.query_figures().unwrap_or_default();
    let [low, high] = tally.shares.unwrap_or_default();
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {low:.3} to {high:.3} | {mean:.1}, {most_of_them}, {most} | {:.1}, {:.1} | {:.0} µs | {:.0} s |",
        tally.cases,
        tally.touches,
        tally.missed,
        tally.false_touches,
        tally.undecided,
        tally.failed,
        tally.turning.1 as f64 / tally.turning.0.max(1.0),
        tally.most_per_turn,
        1e6 * tally.seconds / tally.cases.max(1) as f64,
        seconds - tally.seconds,
    );
}

/// Pairs of balls at each speed.
const PAIRS: u64 = 50;
/// Of the balls `[m]`.
const RADIUS: f64 = 0.01;

/// Two balls that fly at each other along a line.
#[derive(Clone, Copy)]
struct Start {
    along: DVec3,
    /// From each of the two to the middle `[m]`.
    way: f64,
    speed: f64,
}

fn head_on_row(name: &str, is_missed: impl Fn(&Start) -> bool) {
    let missed = HEAD_ON_SPEEDS.map(|speed| {
        let mut numbers = Numbers(speed.to_bits());
        let start = |_| {
            let way = 0.75 + 0.25 * numbers.signed();
            Start { along: numbers.direction(), way, speed }
        };
        (0..PAIRS).map(start).filter(|start| is_missed(start)).count().to_string()
    });
    println!("| {name} | {} |", missed.join(" | "));
}

/// True unless the touch is told, within a millionth of a radius of where it is.
fn carom_misses(start: &Start) -> bool {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().expect("a world");
    let ball = Shape::Ball(Ball::new(RADIUS).expect("a ball"));
    for side in [-1.0, 1.0] {
        let place = side * start.way * start.along;
        let body = Body::free(ball.clone()).at(place).velocity(-side * start.speed * start.along);
        world.add(body).expect("a body");
    }
    let mut stop = StopAtTouch::default();
    let end = world
        .advance_watched(2.0 * start.way / start.speed, &mut Observers::none().with(&mut stop));
    assert!(matches!(end, Ok(()) | Err(Fault::Stopped { .. })), "{end:?}");
    let expected = (start.way - RADIUS) / start.speed;
    !stop.touch.is_some_and(|(time, _)| (time - expected).abs() * start.speed < 1e-6 * RADIUS)
}

/// True when the two have passed through each other: nothing has changed their velocities.
fn rapier_misses(start: &Start, rate: f64) -> bool {
    let vector = |v: DVec3| rapier::Vector::new(v.x, v.y, v.z);
    let mut world = rapier::PhysicsWorld::new();
    world.gravity = vector(DVec3::ZERO);
    world.integration_parameters.dt = 1.0 / rate;
    // Its cap on speeds, 400 m/s, would slow the fastest down.
    world.integration_parameters.normalized_max_linear_velocity = f64::MAX;
    let handles = [-1.0, 1.0].map(|side| {
        let body = rapier::RigidBodyBuilder::dynamic()
            .translation(vector(side * start.way * start.along))
            .linvel(vector(-side * start.speed * start.along))
            .ccd_enabled(true);
        let collider = rapier::ColliderBuilder::ball(RADIUS).restitution(1.0).density(1000.0);
        world.insert(body, collider).0
    });
    let (until, dt) = (2.0 * start.way / start.speed + 2.0 / rate, 1.0 / rate);
    let mut time = 0.0;
    while time < until {
        world.step();
        time += dt;
    }
    handles.iter().zip([1.0, -1.0]).all(|(handle, side)| {
        let velocity = world.bodies[*handle].linvel();
        let expected = vector(side * start.speed * start.along);
        (velocity - expected).length() < 1e-6 * start.speed
    })
}
