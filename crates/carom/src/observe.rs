//! Observers: who watches a run without changing it.
//!
//! Between two instants every motion is known, so an observer may read any time between them. It is told
//! twice: *before* an instant, with the times that end there, and *after* it, with what happened. It gets
//! the world by shared reference: watching changes no bit.

use std::ops::Range;

use thiserror::Error;

use crate::body::BodyId;
use crate::event::{Contact, Event, Happening};
use crate::world::World;

/// Watches a run.
pub trait Observer {
    /// The world's motions hold for all times from the start of `times` up to, but not including, its end.
    ///
    /// # Errors
    /// To end the run.
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop>;

    /// An instant has been worked; the world is as it is just after it.
    ///
    /// # Errors
    /// To end the run.
    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop>;

    /// A fault has ended the run in the middle of an instant: what had happened in it by then. The sums of contacts and the
    /// ledger have it, but motions were not made anew, so that states may only be asked for up to before the instant.
    ///
    /// # Errors
    /// Whatever could not be done; the run ends with its fault all the same.
    fn broken(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        let _ = (world, instant);
        Ok(())
    }
}

/// What an instant did.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// When `[s]`.
    pub time: f64,
    /// What happened, in order.
    pub events: &'a [Event],
    /// Bodies whose motion was made anew, in order of their ids.
    pub changed: &'a [BodyId],
}

/// An observer's reason to end the run.
#[derive(Debug, Error)]
pub enum Stop {
    /// Enough seen.
    #[error("stopped")]
    Enough,
    /// Cannot go on.
    #[error(transparent)]
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl Stop {
    /// Wraps an error.
    pub fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }
}

/// What the time of an instant goes into (the profile of thesis table 7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// New motions, and the boxes that they stay in.
    Motion,
    /// Which boxes overlap, and the search for first touches.
    Detection,
    /// What collisions do, with the points of contact they ask for.
    Response,
    /// The queue, commands, laws, controllers and observers.
    Control,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Motion, Self::Detection, Self::Response, Self::Control];

    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::Detection => "detection",
            Self::Response => "response",
            Self::Control => "control",
        }
    }
}

/// Is told whenever a stage has been worked. The engine reads no clock; whoever wants a profile does, here.
pub trait Stopwatch {
    /// What was done since the last lap belonged to this stage.
    fn lap(&mut self, stage: Stage);
}

/// Some observers, told in order.
#[derive(Default)]
pub struct Observers<'a> {
    /// Needs no memory: most runs are watched by one.
    first: Option<&'a mut dyn Observer>,
    others: Vec<&'a mut dyn Observer>,
    stopwatch: Option<&'a mut dyn Stopwatch>,
}

impl<'a> Observers<'a> {
    /// Nobody watches.
    pub fn none() -> Self {
        Self::default()
    }

    /// One more.
    #[must_use]
    pub fn with(mut self, observer: &'a mut dyn Observer) -> Self {
        self.push(observer);
        self
    }

    /// A stopwatch for the stages of every instant; without one, nothing but a comparison is done for it.
    #[must_use]
    pub fn timed_by(mut self, stopwatch: &'a mut dyn Stopwatch) -> Self {
        self.stopwatch = Some(stopwatch);
        self
    }

    pub(crate) fn lap(&mut self, stage: Stage) {
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.lap(stage);
        }
    }

    /// One more.
    pub fn push(&mut self, observer: &'a mut dyn Observer) {
        if self.first.is_none() {
            self.first = Some(observer);
        } else {
            self.others.push(observer);
        }
    }

    /// Asks each in order until one wants to stop.
    fn each(
        &mut self,
        mut ask: impl FnMut(&mut dyn Observer) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut all = self.first.iter_mut().chain(&mut self.others);
        all.try_for_each(|observer| ask(&mut **observer))
    }

    pub(crate) fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        if times.is_empty() {
            return Ok(());
        }
        self.each(|observer| observer.between(world, times.clone()))
    }

    pub(crate) fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.each(|observer| observer.after(world, instant))
    }

    pub(crate) fn broken(&mut self, world: &World, instant: &Instant<'_>) {
        for observer in self.first.iter_mut().chain(&mut self.others) {
            // Nobody is kept from hearing by another's failure: the fault is what counts.
            let _ = observer.broken(world, instant);
        }
    }
}

/// Ends a run at the first touch of two bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StopAtTouch {
    /// The touch, once there was one, and when `[s]`.
    pub touch: Option<(f64, Contact)>,
}

impl Observer for StopAtTouch {
    fn between(&mut self, _world: &World, _times: Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, _world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        let first = instant.events.iter().find_map(|event| match event.what {
            Happening::Touch(contact) => Some(contact),
            Happening::Collision(collision) => Some(collision.contact),
            _ => None,
        });
        let Some(contact) = first else { return Ok(()) };
        self.touch = Some((instant.time, contact));
        Err(Stop::Enough)
    }
}

/// The times at which something is sampled: start + n / hertz, exact for every n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleTimes {
    start: f64,
    hertz: f64,
    next: u64,
}

impl SampleTimes {
    /// From `start` on, `hertz` times a second; none if `hertz` is not a positive finite number.
    pub fn new(start: f64, hertz: f64) -> Option<Self> {
        (start.is_finite() && hertz.is_finite() && hertz > 0.0).then_some(Self {
            start,
            hertz,
            next: 0,
        })
    }

    /// The next time, if it comes before `end`; it is then used up.
    pub fn next_before(&mut self, end: f64) -> Option<f64> {
        let time = self.start + self.next as f64 / self.hertz;
        (time < end).then(|| {
            self.next += 1;
            time
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_times_do_not_drift_and_are_each_given_once() {
        let mut times = SampleTimes::new(0.0, 60.0).expect("a rate");
        let mut seen = Vec::new();
        for end in [0.5, 0.5, 1.0, 100.0] {
            while let Some(time) = times.next_before(end) {
                seen.push(time);
            }
        }
        assert_eq!(seen.len(), 6000);
        assert_eq!(seen[60], 1.0);
        assert_eq!(seen[5940], 99.0);
    }

    struct Laps(Vec<Stage>);

    impl Stopwatch for Laps {
        fn lap(&mut self, stage: Stage) {
            self.0.push(stage);
        }
    }

    #[test]
    fn a_stopwatch_hears_of_every_stage_and_changes_no_bit() {
        use carom_geometry::Shape;
        use carom_geometry::shapes::{Ball, HalfSpace};
        let world = || {
            let mut world = World::builder().build().expect("an empty world");
            let floor = HalfSpace::new(glam::DVec3::Z, 0.0).expect("a plane");
            world.add(crate::Body::fixed(Shape::HalfSpace(floor))).expect("a floor");
            let ball = Shape::Ball(Ball::new(0.1).expect("a radius"));
            world.add(crate::Body::free(ball).mass(1.0).at(glam::DVec3::Z)).expect("a ball");
            world
        };
        let (mut alone, mut timed, mut laps) = (world(), world(), Laps(Vec::new()));
        alone.advance_to(1.0).expect("it falls");
        timed.advance_watched(1.0, &mut Observers::none().timed_by(&mut laps)).expect("it falls");
        assert_eq!(alone.hash(), timed.hash());
        let instant =
            [Stage::Control, Stage::Response, Stage::Control, Stage::Motion, Stage::Detection];
        assert!(!laps.0.is_empty());
        assert!(laps.0.chunks(instant.len()).all(|laps| *laps == instant), "{:?}", laps.0);
    }

    #[test]
    fn a_history_that_is_told_is_asked_like_one_that_was_observed() {
        use carom_dynamics::{Ballistic, BodyState, Motion};
        use carom_geometry::{Pose, Shape, shapes::Ball};
        use glam::DVec3;
        let mut world = World::builder().gravity(DVec3::ZERO).build().expect("an empty world");
        let ball = Shape::Ball(Ball::new(0.1).expect("a radius"));
        let id = world.add(crate::Body::free(ball).mass(1.0).named("ball")).expect("a ball");
        let mass = *world.body(id).and_then(|it| it.mass()).expect("a mass");
        let mut history = crate::History::of_all().told(&world, 2.0).expect("room");
        let still = BodyState::at_rest(Pose::IDENTITY);
        for (start, x) in [(0.0, 1.0), (1.0, 5.0)] {
            let state = BodyState { position: x * DVec3::X, velocity: DVec3::Y, ..still };
            let motion = Motion::Ballistic(Ballistic::new(start, state, DVec3::ZERO, &mass));
            history.tell(id, start, motion).expect("room");
        }
        let place = |time| history.state_at(id, time).map(|state| state.position);
        assert_eq!(place(0.5), Some(DVec3::new(1.0, 0.5, 0.0)));
        assert_eq!(place(2.0), Some(DVec3::new(5.0, 1.0, 0.0)));
        assert_eq!(place(2.1), None);
        assert_eq!(history.find("ball"), Some(id));
        assert_eq!(history.account_at(0.5).map(|account| account.kinetic), Some(0.5));
    }
}
