//! Links in the way of thin plates: the last link of a triple pendulum that whips, arms that a motor starts all at once, rods
//! on a hinge whose touch has a closed form (guide R-14); and links of one linkage that fold onto each other.
//!
//! The thesis has no bounds for links and rolls back where a link was faster than it had guessed. Here nothing is guessed and nothing rolled
//! back, so what is left of that requirement is its question: is the touch still found? Plates are 0.1 to 3 mm thick; one in three has a
//! window that the link may or may not fit through.
//!
//! A case is drawn from its number alone. The linkage is run once without plates, to know where the link is at some time; there a plate is
//! put in its way. Then it is run with the plates, and judged (`judge.rs`) by distances from `oracles` and by bounds on speeds from
//! energy, which share nothing with the engine's.

mod draw;
mod judge;
mod rod;
#[cfg(test)]
mod tests;

use std::time::Instant as Clock;

use carom::{
    BodyId, Fault, Happening, History, Instant, Observer, Observers, Stop, StopAtTouch, World,
};

use super::numbers::Numbers;
use super::tolerances::MOST_DRAWS;
use super::{Finding, Landing, Verdict};
use judge::Judge;

/// A kind of encounter of links and plates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkFamily {
    /// The last link of a triple pendulum, light and fast.
    Whip,
    /// An arm at rest whose motors start with full torque at once.
    Actuator,
    /// A triple pendulum that strikes plates and goes on.
    Bounces,
    /// A rod on a hinge that meets the face of a plate at a time known in closed form.
    Rod,
    /// A pendulum of three or four links that meet each other, neighbours aside; half of them go on.
    Folds,
}

impl LinkFamily {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Whip, Self::Actuator, Self::Bounces, Self::Rod, Self::Folds];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whip => "whipping link, plates of 0.1 to 3 mm",
            Self::Actuator => "sudden actuator, plates of 0.1 to 3 mm",
            Self::Bounces => "whipping link that bounces",
            Self::Rod => "hinged rod, closed form",
            Self::Folds => "links of one linkage that meet",
        }
    }

    /// A case by its number; the same one every time. None if no draw made one, which is a defect.
    pub fn case(self, index: u64) -> Option<LinkCase> {
        let mut numbers = Numbers::of(self as u64 + 101, index);
        let draw = match self {
            Self::Whip => draw::whip,
            Self::Actuator => draw::actuator,
            Self::Bounces => draw::bounces,
            Self::Rod => rod::draw,
            Self::Folds => draw::folds,
        };
        (0..MOST_DRAWS).find_map(|_| draw(&mut numbers))
    }
}

/// A linkage and the plates in its way.
#[derive(Debug)]
pub struct LinkCase {
    /// Just begun.
    pub world: World,
    /// Links that may meet plates.
    pub links: Vec<BodyId>,
    /// Fixed.
    pub plates: Vec<BodyId>,
    /// Whether links that are no neighbours meet each other.
    folds: bool,
    /// When it ends `[s]`.
    pub until: f64,
    /// What motors add to c of (1) in `judge.rs` `[√J/s]`.
    motors: f64,
    ending: Ending,
}

/// How a case is run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    /// To the first touch.
    FirstTouch,
    /// Through so many collisions.
    Collisions(usize),
    /// To the first touch, at this time of a closed form `[s]`, of a point that is this fast `[m/s]`.
    Known { time: f64, speed: f64 },
}

/// Ends a run after so many collisions.
struct Enough {
    left: usize,
}

impl Observer for Enough {
    fn between(&mut self, _world: &World, _times: std::ops::Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, _world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        let is_collision = |event: &&carom::Event| matches!(event.what, Happening::Collision(_));
        let count = instant.events.iter().filter(is_collision).count();
        self.left = self.left.saturating_sub(count);
        if self.left == 0 { Err(Stop::Enough) } else { Ok(()) }
    }
}

impl LinkCase {
    /// Runs and judges.
    pub fn run(mut self) -> Finding {
        let (mut history, mut stop) = (History::of_all(), StopAtTouch::default());
        let mut enough = Enough { left: usize::MAX };
        let started = Clock::now();
        let watchers = Observers::none().with(&mut history);
        let end = match self.ending {
            Ending::Collisions(most) => {
                enough.left = most;
                self.world.advance_watched(self.until, &mut watchers.with(&mut enough))
            }
            _ => self.world.advance_watched(self.until, &mut watchers.with(&mut stop)),
        };
        let seconds = started.elapsed().as_secs_f64();
        let (verdict, landing, judged_by) = match end {
            Ok(()) | Err(Fault::Stopped { .. }) => self.judged(&history, stop.touch),
            Err(fault) => (Verdict::Failed(fault.to_string()), None, 0),
        };
        Finding { verdict, landing, queries: 0, seconds, turns: 0.0, judged_by }
    }

    fn judged(
        &self,
        history: &History,
        told: Option<(f64, carom::Contact)>,
    ) -> (Verdict, Option<Landing>, u64) {
        let landing = told.map(|(time, contact)| Landing::of(&self.world, time, &contact));
        if landing == Some(None) {
            return (Verdict::Failed("a touch of nobody".into()), None, 0);
        }
        let landing = landing.flatten();
        let Some(mut judge) = Judge::new(self, history) else {
            return (Verdict::Failed("a shape that the oracle refuses".into()), None, 0);
        };
        let verdict = match (&landing, self.ending) {
            (Some(landing), ending) => judge.touch(landing).unwrap_or_else(|| {
                let Ending::Known { time, speed } = ending else { return Verdict::Right };
                rod::compared(landing, time, speed)
            }),
            (None, Ending::Known { time, .. }) => Verdict::Missed(time),
            (None, _) => judge.silence(self.world.now()),
        };
        (verdict, landing, judge.measured())
    }
}
