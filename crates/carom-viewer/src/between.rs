//! States at any time, from samples and what happened between them.
//!
//! A recording has states some sixty times a second. A picture of a ball that bounces between two of them must not be a curve
//! through both, which goes through the floor: what is shown is what was computed. So a free body flies on from its last
//! sample, in the closed form that the engine itself uses, and every collision, push and change of gravity since then is
//! applied again from its record. What is not free follows a cubic through both samples with both velocities: laws of motion
//! are smooth, and at sixty samples a second a sine of 1 Hz is off by less than a millionth of its amplitude. So are linkages and
//! bodies that a hand or another spring holds, between two blows.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use carom::{Ballistic, BodyState, Impulse, Mass};
use carom_record::{Message, ReadError, RecordedCollision, RecordedEvent, Sample};
use glam::{DQuat, DVec3};

use crate::history::History;
use crate::index::Flyer;

/// States at times in ascending order; before the first sample, that one. `gravity` is the one to begin with, where the
/// recording does not tell it; `newest` is the state of a run that goes on, which is later than its last sample.
///
/// # Errors
/// If the recording is damaged there.
pub(crate) fn samples_at(
    history: &History,
    flyers: &BTreeMap<u32, Flyer>,
    mut gravity: DVec3,
    newest: Option<&Sample>,
    times: &[f64],
) -> Result<Vec<Sample>, ReadError> {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return Ok(Vec::new()) };
    let mut stretch: Option<Stretch<'_>> = None;
    let mut wanted = times.iter().copied().peekable();
    let mut found = Vec::with_capacity(times.len());
    history.visit([first, last], |message| {
        match message {
            Message::Ledger(line) => gravity = line.gravity.unwrap_or(gravity),
            Message::Sample(sample) => {
                if let Some(done) = stretch.take() {
                    let ends = |time: &f64| *time < sample.time;
                    let here: Vec<f64> = std::iter::from_fn(|| wanted.next_if(ends)).collect();
                    found.extend(done.at(&here, Some(sample)));
                }
                if wanted.peek().is_none() {
                    return ControlFlow::Break(());
                }
                let first = sample.clone();
                stretch = Some(Stretch { first, gravity, flyers, changes: Vec::new() });
            }
            Message::Contacts(collisions) => {
                if let Some(stretch) = &mut stretch {
                    let changes = collisions.iter().map(|it| Change::Collision(*it));
                    stretch.changes.extend(changes);
                }
            }
            Message::Event(event) => {
                if let Some(stretch) = &mut stretch {
                    stretch.changes.push(Change::Event(Box::new(event.clone())));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    // A sample may have come since the newest state was shown.
    let newest = newest.filter(|it| stretch.as_ref().is_none_or(|last| last.first.time <= it.time));
    let is_past = |time: &f64| newest.is_none_or(|it| *time < it.time);
    let past: Vec<f64> = std::iter::from_fn(|| wanted.next_if(is_past)).collect();
    found.extend(stretch.into_iter().flat_map(|it| it.at(&past, newest)));
    if let Some(newest) = newest {
        found.extend(wanted.map(|_| newest.clone()));
    }
    Ok(found)
}

/// From one sample to the next.
struct Stretch<'a> {
    first: Sample,
    gravity: DVec3,
    flyers: &'a BTreeMap<u32, Flyer>,
    changes: Vec<Change>,
}

enum Change {
    Collision(RecordedCollision),
    Event(Box<RecordedEvent>),
}

impl Change {
    fn time(&self) -> f64 {
        match self {
            Self::Collision(collision) => collision.time,
            Self::Event(event) => event.time,
        }
    }
}

/// A body on its way.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every body flies, and a box for each would allocate"
)]
enum Way {
    Flying(Ballistic, Mass),
    /// Follows a law, joints, a hand, another body, or nothing: its state at a time `[s]`.
    Led(f64, BodyState),
}

impl Stretch<'_> {
    /// The states at times of the stretch.
    fn at(mut self, times: &[f64], next: Option<&Sample>) -> Vec<Sample> {
        if times.is_empty() {
            return Vec::new();
        }
        let start = self.first.time;
        let mut ways: BTreeMap<u32, Way> = BTreeMap::new();
        for (number, state) in &self.first.states {
            ways.insert(*number, self.way(*number, start, *state));
        }
        let changes = std::mem::take(&mut self.changes);
        let mut changes = changes.iter().peekable();
        let mut samples = Vec::with_capacity(times.len());
        for &time in times {
            while let Some(change) = changes.next_if(|it| it.time() <= time) {
                self.apply(change, &mut ways);
            }
            samples.push(self.sample(time, &ways, next));
        }
        samples
    }

    /// How a body goes on from a state.
    fn way(&self, number: u32, time: f64, state: BodyState) -> Way {
        match self.flyers.get(&number).filter(|flyer| flyer.is_free(time)) {
            Some(Flyer { mass, .. }) => {
                Way::Flying(Ballistic::new(time, state, self.gravity, mass), *mass)
            }
            None => Way::Led(time, state),
        }
    }

    fn sample(&self, time: f64, ways: &BTreeMap<u32, Way>, next: Option<&Sample>) -> Sample {
        if time <= self.first.time {
            return self.first.clone();
        }
        let state = |(number, way): (&u32, &Way)| {
            let state = match way {
                Way::Flying(arc, _) => arc.state_at(time),
                Way::Led(since, state) => {
                    let later = next.and_then(|it| {
                        let found = it.states.iter().find(|(other, _)| other == number);
                        found.map(|(_, state)| (it.time, state))
                    });
                    later.map_or(*state, |later| led((*since, state), later, time))
                }
            };
            (*number, state)
        };
        Sample { time, states: ways.iter().map(state).collect() }
    }

    fn apply(&mut self, change: &Change, ways: &mut BTreeMap<u32, Way>) {
        match change {
            Change::Collision(it) => {
                for (body, sign) in it.bodies.iter().zip([1.0, -1.0]) {
                    let Some(Way::Flying(arc, mass)) = body.and_then(|body| ways.get_mut(&body))
                    else {
                        continue;
                    };
                    let impulse = Impulse {
                        point: it.point,
                        linear: sign * it.impulse,
                        angular: DVec3::ZERO,
                    };
                    let struck = mass.struck(&arc.state_at(it.time), &impulse);
                    *arc = Ballistic::new(it.time, struck, self.gravity, mass);
                }
            }
            Change::Event(event) => self.happen(event, ways),
        }
    }

    fn happen(&mut self, event: &RecordedEvent, ways: &mut BTreeMap<u32, Way>) {
        if event.kind == "gravity" {
            let stated = event.details.get("gravity_m_s2").cloned().unwrap_or_default();
            self.gravity = serde_json::from_value(stated).map_or(self.gravity, DVec3::from_array);
            for way in ways.values_mut() {
                if let Way::Flying(arc, mass) = way {
                    *arc = Ballistic::new(event.time, arc.state_at(event.time), self.gravity, mass);
                }
            }
        }
        let Some(body) = event.body else { return };
        if event.kind == "removed" {
            ways.remove(&body);
        } else if let Some(after) = event.after {
            ways.insert(body, self.way(body, event.time, after));
        }
    }
}

/// The cubic through two states with their velocities; the shorter way from one orientation to the other.
fn led((t0, a): (f64, &BodyState), (t1, b): (f64, &BodyState), time: f64) -> BodyState {
    let span = t1 - t0;
    if span <= 0.0 || span.is_nan() {
        return *b;
    }
    let s = (time - t0) / span;
    let (s2, s3) = (s * s, s * s * s);
    let near = if a.orientation.dot(b.orientation) < 0.0 { -b.orientation } else { b.orientation };
    let turn = a.orientation * (1.0 - s) + near * s;
    BodyState {
        position: (2.0 * s3 - 3.0 * s2 + 1.0) * a.position
            + (3.0 * s2 - 2.0 * s3) * b.position
            + span * ((s3 - 2.0 * s2 + s) * a.velocity + (s3 - s2) * b.velocity),
        orientation: if turn.length_squared() > 0.0 { turn.normalize() } else { DQuat::IDENTITY },
        velocity: a.velocity.lerp(b.velocity, s),
        angular_velocity: a.angular_velocity.lerp(b.angular_velocity, s),
    }
}

#[cfg(test)]
mod tests {
    use carom::{Observers, World};
    use carom_record::{Gatherer, Options};
    use carom_scene::{DiskFiles, Source, load};
    use carom_study::given::Action;

    use super::*;

    /// Largest deviation of places and velocities between samples taken five times a second from the run itself.
    fn deviation(scene: &str, until: f64, act: impl Fn(&mut World, f64)) -> (f64, f64) {
        deviation_at(5.0, scene, until, act)
    }

    /// The same with so many samples a second.
    fn deviation_at(
        rate_hz: f64,
        scene: &str,
        until: f64,
        act: impl Fn(&mut World, f64),
    ) -> (f64, f64) {
        let text = carom_scene::built_in(scene).expect("it is built in").text;
        let loaded = load(&Source::text(scene, text), &carom_scene::Options::default(), &DiskFiles);
        let (mut world, _) = loaded.scene.expect("it is right").build_with_ids(1).expect("built");
        let mut gatherer = Gatherer::new(&Options::at(rate_hz), BTreeMap::new()).expect("a rate");
        let times: Vec<f64> = (0..=400).map(|n| until * f64::from(n) / 400.0).collect();
        let mut truth = Vec::new();
        for &time in &times {
            world
                .advance_watched(time, &mut Observers::none().with(&mut gatherer))
                .expect("it runs");
            act(&mut world, time);
            truth.push(gatherer.sample(&world));
        }
        world
            .advance_watched(until + 0.2, &mut Observers::none().with(&mut gatherer))
            .expect("it runs");
        let (history, mut index) = (History::live(), crate::index::Index::default());
        let messages = gatherer.take();
        for message in &messages {
            index.add(message);
        }
        history.extend(messages);
        let shown = samples_at(&history, &index.flyers(), DVec3::ZERO, None, &times)
            .expect("it is in memory");
        assert_eq!(shown.len(), truth.len());
        let mut worst = (0.0_f64, 0.0_f64);
        for (shown, truth) in shown.iter().zip(&truth) {
            assert_eq!((shown.time, shown.states.len()), (truth.time, truth.states.len()));
            for ((_, a), (_, b)) in shown.states.iter().zip(&truth.states) {
                worst.0 = worst.0.max(a.position.distance(b.position));
                worst.1 = worst.1.max(a.orientation.angle_between(b.orientation).abs());
            }
        }
        println!("{scene}: {:e} m, {:e} rad", worst.0, worst.1);
        worst
    }

    #[test]
    fn free_bodies_are_where_the_engine_had_them_between_samples() {
        for (scene, until) in [("bouncing_ball", 2.0), ("two_balls", 1.0), ("dominos", 0.6)] {
            let (place, angle) = deviation(scene, until, |_, _| {});
            // Impulses act halfway between the two bodies of a record, at most a billionth of a body off.
            assert!(place < 1e-7 && angle < 1e-6, "{scene}: {place} m, {angle} rad");
        }
    }

    #[test]
    fn laws_of_motion_are_followed_closely() {
        // Five samples a second are few for it; at 60 a second the error is 20000 times smaller.
        let (place, _) = deviation("turntable", 1.0, |_, _| {});
        assert!(place < 0.05, "{place} m");
    }

    #[test]
    fn what_a_hand_holds_does_not_fly() {
        let act = |world: &mut World, time: f64| {
            let body = "lively".to_owned();
            let action = if time == 0.25 {
                let to = world.state(world.find(&body).expect("there")).expect("there").position;
                Action::Grab { body, point: [0.0; 3], to: (to + 0.2 * DVec3::X).to_array() }
            } else if time == 0.75 {
                Action::LetGo { body }
            } else {
                return;
            };
            action.take(world).expect("it can be done");
        };
        // The hand's rate is some 20 rad/s, so cubics over a sixtieth of a second err by 1e-4 of the way; flight would by g·t²/2.
        let (place, _) = deviation_at(60.0, "bouncing_ball", 1.0, act);
        assert!(place < 1e-4, "{place} m");
    }

    #[test]
    fn pushes_and_gravity_are_applied_again() {
        let act = |world: &mut World, time: f64| {
            let lively = "lively".to_owned();
            let action = if time == 0.5 {
                Action::Push { body: lively, impulse: [0.1, 0.0, 0.2], point: None }
            } else if time == 0.75 {
                Action::Gravity { gravity: [0.5, 0.0, -3.0] }
            } else {
                return;
            };
            action.take(world).expect("it can be done");
        };
        let (place, angle) = deviation("bouncing_ball", 2.0, act);
        assert!(place < 1e-7 && angle < 1e-6, "{place} m, {angle} rad");
    }
}
