//! Controllers tick at exact times, many rates at once, and all read before any writes.

use std::sync::{Arc, Mutex};

use carom::{
    Body, BodyId, Command, Commands, Controller, EventKind, LoadError, NotSavable, Rate, Readings,
    World,
};
use glam::DVec3;

use crate::common::ball;

/// Writes down when it was called.
struct Scribe {
    log: Arc<Mutex<Vec<f64>>>,
}

impl Controller for Scribe {
    fn tick(&mut self, readings: &Readings<'_>, _: &mut Commands) {
        assert_eq!(readings.count(), self.log.lock().expect("one thread").len() as u64);
        self.log.lock().expect("one thread").push(readings.time());
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Err(NotSavable { reason: "its log is elsewhere".to_owned() })
    }

    fn load(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Ok(())
    }
}

/// proves: m2/R-29
#[test]
fn four_rates_together_tick_exactly_as_often_as_they_should_without_drift() {
    let mut world = World::builder().build().unwrap();
    let rates = [20.0, 100.0, 1000.0, 2000.0];
    let logs = rates.map(|hertz| {
        let log = Arc::new(Mutex::new(Vec::new()));
        let scribe = Box::new(Scribe { log: Arc::clone(&log) });
        world.add_controller(Rate::Hertz(hertz), scribe).unwrap();
        log
    });
    world.advance_to(10.0).unwrap();
    let mut expected = 0;
    for (hertz, log) in rates.into_iter().zip(logs) {
        let log = log.lock().unwrap();
        // From 0 to 10 s, both ends included.
        assert_eq!(log.len(), (10.0 * hertz) as usize + 1);
        for (count, &time) in log.iter().enumerate() {
            assert_eq!(time, count as f64 / hertz, "tick {count} at {hertz} Hz");
        }
        expected += log.len() as u64;
    }
    assert_eq!(world.event_counts().of(EventKind::Tick), expected);
}

#[test]
fn a_period_gives_ticks_at_exact_multiples() {
    let mut world = World::builder().start(0.5).build().unwrap();
    let log = Arc::new(Mutex::new(Vec::new()));
    let scribe = Box::new(Scribe { log: Arc::clone(&log) });
    world.add_controller(Rate::Period(0.1), scribe).unwrap();
    world.advance_to(100.0).unwrap();
    let log = log.lock().unwrap();
    for (count, &time) in log.iter().enumerate() {
        assert_eq!(time, 0.5 + count as f64 * 0.1);
    }
    assert_eq!(log.len(), 996);
}

/// Pushes its body away from where it sees the other one.
struct Mirror {
    own: BodyId,
    other: BodyId,
    seen: Arc<Mutex<Vec<DVec3>>>,
}

impl Controller for Mirror {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        let velocity = readings.state(self.other).expect("the other is there").velocity;
        self.seen.lock().expect("one thread").push(velocity);
        commands.apply_impulse(self.own, DVec3::X);
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Ok(Vec::new())
    }

    fn load(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Ok(())
    }
}

#[test]
fn controllers_due_together_all_read_before_any_writes() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let a = world.add(Body::free(ball(0.1)).mass(1.0)).unwrap();
    let b = world.add(Body::free(ball(0.1)).mass(1.0).at(DVec3::Y)).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    for (own, other) in [(a, b), (b, a)] {
        let mirror = Mirror { own, other, seen: Arc::clone(&seen) };
        world.add_controller(Rate::Hertz(10.0), Box::new(mirror)).unwrap();
    }
    world.advance_to(0.15).unwrap();
    // Two ticks each: at 0 both see rest, at 0.1 both see the push of 0.
    assert_eq!(*seen.lock().unwrap(), [DVec3::ZERO, DVec3::ZERO, DVec3::X, DVec3::X]);
    assert_eq!(world.state(a).unwrap().velocity, 2.0 * DVec3::X);
}

#[test]
fn a_command_at_a_tick_s_time_comes_before_the_tick() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let a = world.add(Body::free(ball(0.1)).mass(1.0)).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let mirror = Mirror { own: a, other: a, seen: Arc::clone(&seen) };
    world.add_controller(Rate::Hertz(1.0), Box::new(mirror)).unwrap();
    let push = carom::Push::central(a, 5.0 * DVec3::Y);
    world.schedule(1.0, Command::Impulse(push)).unwrap();
    world.advance_to(1.0).unwrap();
    assert_eq!(*seen.lock().unwrap(), [DVec3::ZERO, DVec3::X + 5.0 * DVec3::Y]);
}

#[test]
fn a_removed_controller_ticks_no_more_and_bad_rates_are_refused() {
    let mut world = World::builder().build().unwrap();
    let log = Arc::new(Mutex::new(Vec::new()));
    let scribe = Box::new(Scribe { log: Arc::clone(&log) });
    let id = world.add_controller(Rate::Hertz(10.0), scribe).unwrap();
    world.advance_to(0.55).unwrap();
    assert!(world.remove_controller(id).is_ok());
    assert!(world.remove_controller(id).is_err());
    world.advance_to(2.0).unwrap();
    assert_eq!(log.lock().unwrap().len(), 6);
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let scribe = Box::new(Scribe { log: Arc::clone(&log) });
        assert!(world.add_controller(Rate::Hertz(rate), scribe).is_err(), "{rate}");
    }
}
