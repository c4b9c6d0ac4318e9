//! The never-miss grid: whatever the speed, spin or thinness, does the engine tell every first touch, and no other?
//!
//! A [`Family`] gives cases without end, each made from its number alone: two bodies with places, spins, sizes and
//! placements in space and time drawn at random. [`Case::run`] runs the engine until the first touch or the end of the
//! case, and has the outcome judged (`verdict.rs`) by a search of its own over the exact motions (`proof.rs`), with
//! distances from `oracles` that hold for certain. Closed forms enter where they exist: at the meeting of a case the
//! distance is known by construction (`stage.rs`, `grazing.rs`).

mod ball_plate;
mod bolts;
mod grazing;
mod head_on;
mod links;
mod numbers;
mod proof;
mod rod_edge;
mod shapes;
mod spin;
mod stage;
mod tally;
#[cfg(test)]
mod tests;
mod tolerances;
mod verdict;

use std::ops::Range;
use std::time::Instant as Clock;

use carom::{BodyId, Fault, Instant, Observer, Observers, Stop, StopAtTouch, World};

pub use head_on::SPEEDS as HEAD_ON_SPEEDS;
pub use links::{LinkCase, LinkFamily};
pub use tally::Tally;
pub use verdict::{Landing, Verdict};

use numbers::Numbers;
use tolerances::MOST_DRAWS;
use verdict::judge;

/// A kind of encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A ball of 1 cm and a plate of 1 mm, at 1 m/s to 10 km/s.
    BallPlate,
    /// Convex bodies of every kind at ±10, ±50, ±200 and ±5,000 m/s.
    HeadOn,
    /// A thin rod that spins at 10⁴ rad/s past a thin edge.
    RodEdge,
    /// Passes with a clearance of 10⁻⁹ to 10⁻³ m either way.
    Grazing,
    /// Two tumbling threaded bolts.
    Bolts,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::BallPlate, Self::HeadOn, Self::RodEdge, Self::Grazing, Self::Bolts];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BallPlate => "1 cm ball, 1 mm plate, 1 to 10,000 m/s",
            Self::HeadOn => "head-on, ±10 to ±5,000 m/s",
            Self::RodEdge => "rod at 10⁴ rad/s past an edge",
            Self::Grazing => "grazing, ±10⁻⁹ to ±10⁻³ m",
            Self::Bolts => "two threaded bolts",
        }
    }

    /// A case by its number; the same one every time. None if no draw made one, which is a defect.
    pub fn case(self, index: u64) -> Option<Case> {
        let mut numbers = Numbers::of(self as u64 + 1, index);
        let draw = match self {
            Self::BallPlate => ball_plate::draw,
            Self::HeadOn => head_on::draw,
            Self::RodEdge => rod_edge::draw,
            Self::Grazing => grazing::draw,
            Self::Bolts => bolts::draw,
        };
        (0..MOST_DRAWS).find_map(|_| draw(&mut numbers))
    }
}

/// Two bodies on their way.
#[derive(Debug)]
pub struct Case {
    /// Just begun; nothing else is in it.
    pub world: World,
    /// The two.
    pub bodies: [BodyId; 2],
    /// When it begins `[s]`.
    pub start: f64,
    /// When they are where they were meant to meet, if nothing happens before `[s]`.
    pub meeting: f64,
    /// When it ends `[s]`.
    pub until: f64,
    /// What it took to put the bodies into the world, with a first look at their future if they are near `[s]`.
    pub preparing: f64,
}

/// What became of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Right or wrong.
    pub verdict: Verdict,
    /// The touch that was told.
    pub landing: Option<Landing>,
    /// Full distance queries of the engine's search.
    pub queries: u64,
    /// What the engine took from getting the bodies until it knew `[s]`.
    pub seconds: f64,
    /// Turns of the faster of the two from the start to the touch or the end, at most `[-]`.
    pub turns: f64,
    /// Distances that the judge measured.
    pub judged_by: u64,
}

impl Case {
    /// Runs until the first touch or the end, and judges.
    pub fn run(mut self) -> Finding {
        let mut stop = StopAtTouch::default();
        let mut counter = Counter::new(self.bodies);
        let mut watchers = Observers::none().with(&mut counter).with(&mut stop);
        let end = self.world.advance_watched(self.until, &mut watchers);
        let (queries, seconds) = (counter.queries, self.preparing + counter.seconds);
        let (verdict, landing, judged_by) = match end {
            Ok(()) | Err(Fault::Stopped { .. }) => judge(&self, stop.touch),
            Err(fault) => (Verdict::Failed(fault.to_string()), None, 0),
        };
        let end = landing.map_or(self.until, |landing| landing.time);
        let turns = self.largest_spin() * (end - self.start) / std::f64::consts::TAU;
        Finding { verdict, landing, queries, seconds, turns, judged_by }
    }

    fn largest_spin(&self) -> f64 {
        let spin = |id: &BodyId| {
            let state = self.world.state_at(*id, self.start);
            state.map_or(0.0, |state| state.angular_velocity.length())
        };
        self.bodies.iter().map(spin).fold(0.0, f64::max)
    }
}

/// What the search of a pair has cost, up to the last instant: from then on the engine looks for their parting.
struct Counter {
    bodies: [BodyId; 2],
    queries: u64,
    started: Clock,
    seconds: f64,
}

impl Counter {
    fn new(bodies: [BodyId; 2]) -> Self {
        Self { bodies, queries: 0, started: Clock::now(), seconds: 0.0 }
    }
}

impl Observer for Counter {
    fn between(&mut self, world: &World, _times: Range<f64>) -> Result<(), Stop> {
        self.seconds = self.started.elapsed().as_secs_f64();
        let [a, b] = self.bodies;
        let forecast = world.explain(a, b).and_then(|it| it.forecast);
        self.queries = self.queries.max(forecast.map_or(0, |it| it.queries));
        Ok(())
    }

    fn after(&mut self, _world: &World, _instant: &Instant<'_>) -> Result<(), Stop> {
        Ok(())
    }
}
