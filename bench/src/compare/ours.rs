//! Carom on one thread: how long a scene takes, what that goes into, and what came of its promises.
//!
//! Three runs: one that is timed, with nobody watching, repeated while it is short; one with a stopwatch, for the profile; and
//! one that remembers, for the promises. All three are the same to the bit.

use std::time::Instant;

use carom::{BodyState, EventKind, Fault, Observers, Stage, StopAtTouch, Stopwatch, World};
use carom_scene::measure::{Measures, Memory};
use carom_scene::{OnTouch, Scene};
use serde::Serialize;

use super::clock::Moment;
use super::description::Role;
use super::quantity::{Promise, promises};

/// The name in tables.
pub const NAME: &str = "Carom";

/// Runs are repeated until they have taken so long together `[s]`, or have been so many; the fastest counts.
const LONG_ENOUGH: f64 = 0.3;
const MOST_RUNS: usize = 7;

/// What a scene costs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figures {
    /// Time of the fastest run, as the thread worked `[s]`.
    pub cpu_s: f64,
    /// How many runs were timed.
    pub runs: usize,
    /// Simulated time `[s]`.
    pub simulated_s: f64,
    /// Simulated seconds per second.
    pub speed: f64,
    /// Events that were worked.
    pub events: u64,
    /// Events per second.
    pub events_per_s: f64,
    /// Collisions, microcollisions included.
    pub collisions: u64,
    /// Microcollisions.
    pub micro: u64,
    /// Times at which a pair was looked at.
    pub checks: u64,
    /// Searches for a touch or a parting that were begun or resumed.
    pub searches: u64,
    /// Checks for each collision; none without collisions.
    pub checks_per_collision: Option<f64>,
    /// Shares of the time: motion, detection, response, control.
    pub profile: [f64; 4],
    /// Peak memory of a process that loads and runs the scene `[byte]`; none where it cannot be told.
    pub peak_memory: Option<u64>,
}

/// A scene run by us.
pub struct Ours {
    /// What it cost.
    pub figures: Figures,
    /// What came of the expectations that any engine can be asked.
    pub promises: Vec<Promise>,
    /// States of the free bodies at the end, in the order of the scene.
    pub last: Vec<BodyState>,
}

/// Runs a scene to its end; `stop` ends it at a touch if the scene says so.
///
/// # Errors
/// What the engine says.
pub fn advance<'a>(
    world: &mut World,
    scene: &Scene,
    mut observers: Observers<'a>,
    stop: &'a mut StopAtTouch,
) -> Result<(), String> {
    if scene.on_touch == OnTouch::Stop {
        observers.push(stop);
    }
    match world.advance_watched(scene.until, &mut observers) {
        Ok(()) | Err(Fault::Stopped { .. }) => Ok(()),
        Err(fault) => Err(fault.to_string()),
    }
}

/// Runs a scene to its end while nobody watches.
///
/// # Errors
/// What the engine says.
pub fn advance_alone(world: &mut World, scene: &Scene) -> Result<(), String> {
    advance(world, scene, Observers::none(), &mut StopAtTouch::default())
}

/// The world of a scene on one thread.
///
/// # Errors
/// What the engine refuses.
pub fn build(scene: &Scene) -> Result<(World, Vec<carom::BodyId>), String> {
    scene.build_with_ids(1).map_err(|problems| problems.render(false))
}

/// Measures a scene; `comparable` is the same with the expectations that any engine can be asked.
///
/// # Errors
/// If the scene cannot be built, or its run breaks down.
pub fn measure(scene: &Scene, comparable: &Scene) -> Result<Ours, String> {
    let (world, cpu_s, runs) = timed(scene)?;
    let mut figures = counted(&world, cpu_s, runs);
    figures.profile = profile(scene)?;
    let (world, ids, promises) = remembered(comparable)?;
    let states = scene.bodies.iter().zip(&ids);
    let free = states.filter(|(body, _)| super::description::role(&body.motion) == Role::Free);
    let last = free.filter_map(|(_, id)| world.state(*id)).collect();
    Ok(Ours { figures, promises, last })
}

/// How long a scene takes, and what comes of its expectations.
///
/// # Errors
/// If the scene cannot be built, or its run breaks down.
pub fn asked(scene: &Scene) -> Result<(f64, Vec<Promise>), String> {
    let (_, cpu_s, _) = timed(scene)?;
    let (_, _, promises) = remembered(scene)?;
    Ok((cpu_s, promises))
}

/// A run that remembers what the expectations ask for.
fn remembered(scene: &Scene) -> Result<(World, Vec<carom::BodyId>, Vec<Promise>), String> {
    let (mut world, ids) = build(scene)?;
    let mut memory = Memory::of(scene);
    let watching = match &mut memory {
        Some(memory) => Observers::none().with(memory),
        None => Observers::none(),
    };
    advance(&mut world, scene, watching, &mut StopAtTouch::default())?;
    let promises = memory.map(|memory| promises(&Measures::new(scene, memory, &world)));
    Ok((world, ids, promises.unwrap_or_default()))
}

fn timed(scene: &Scene) -> Result<(World, f64, usize), String> {
    let (mut least, mut total, mut runs) = (f64::INFINITY, 0.0, 0);
    loop {
        let (mut world, _) = build(scene)?;
        let started = Moment::now();
        advance_alone(&mut world, scene)?;
        let took = started.seconds();
        least = least.min(took);
        total += took;
        runs += 1;
        if total >= LONG_ENOUGH || runs >= MOST_RUNS {
            return Ok((world, least, runs));
        }
    }
}

fn counted(world: &World, cpu_s: f64, runs: usize) -> Figures {
    let counts = world.event_counts();
    let (events, checks) = (counts.total(), counts.of(EventKind::Check));
    let sums = || world.contacts().map(|contact| *contact.sums());
    let collisions: u64 = sums().map(|sums| sums.collisions).sum();
    Figures {
        cpu_s,
        runs,
        simulated_s: world.now(),
        speed: world.now() / cpu_s,
        events,
        events_per_s: events as f64 / cpu_s,
        collisions,
        micro: sums().map(|sums| sums.micro).sum(),
        checks,
        searches: world.effort().predictions,
        checks_per_collision: (collisions > 0).then(|| checks as f64 / collisions as f64),
        ..Figures::default()
    }
}

/// Sums up laps.
struct Laps {
    last: Instant,
    sums: [f64; 4],
}

impl Stopwatch for Laps {
    fn lap(&mut self, stage: Stage) {
        let now = Instant::now();
        self.sums[stage as usize] += (now - self.last).as_secs_f64();
        self.last = now;
    }
}

/// Shares of the stages, each by its least sum of several runs: laps are by the clock on the wall, and one interruption in a
/// short run would be all there is to see.
fn profile(scene: &Scene) -> Result<[f64; 4], String> {
    let (mut least, mut total) = ([f64::INFINITY; 4], 0.0);
    for _ in 0..MOST_RUNS {
        let (mut world, _) = build(scene)?;
        let mut laps = Laps { last: Instant::now(), sums: [0.0; 4] };
        let mut stop = StopAtTouch::default();
        advance(&mut world, scene, Observers::none().timed_by(&mut laps), &mut stop)?;
        laps.lap(Stage::Control);
        for (least, sum) in least.iter_mut().zip(laps.sums) {
            *least = least.min(sum);
            total += sum;
        }
        if total >= LONG_ENOUGH {
            break;
        }
    }
    let whole: f64 = least.iter().sum();
    Ok(least.map(|sum| if whole > 0.0 { sum / whole } else { 0.0 }))
}
