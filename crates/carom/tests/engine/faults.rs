//! A run that runs away ends with a fault that names who ran.

use carom::{
    Body, Budget, Command, Commands, Controller, Fault, LoadError, NotSavable, Observer, Observers,
    Rate, Readings, Settings, Stop, World,
};
use glam::DVec3;
use std::ops::Range;

use crate::common::ball;

/// Schedules something for the very same time, again and again.
struct Restless;

impl Controller for Restless {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        let time = readings.time();
        for _ in 0..3 {
            commands.schedule(time, Command::Gravity(DVec3::ZERO));
        }
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Ok(Vec::new())
    }

    fn load(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Ok(())
    }
}

fn world_with(budget: Budget) -> World {
    World::builder().settings(Settings { budget, ..Settings::default() }).build().expect("a world")
}

#[test]
fn too_many_events_in_a_second_end_the_run() {
    let mut world = world_with(Budget { events_per_second: 1000, ..Budget::default() });
    world.add_controller(Rate::Period(1e-6), Box::new(Restless)).unwrap();
    let fault = world.advance_to(1.0).unwrap_err();
    let text = fault.to_string();
    assert!(matches!(fault, Fault::Budget { limit: 1000, .. }), "{text}");
    assert!(text.contains("1000 events in one simulated second"), "{text}");
    assert!(text.contains("controller 0") || text.contains("command"), "{text}");
}

#[test]
fn instants_that_do_not_get_on_end_the_run() {
    let budget = Budget { instants_without_progress: 50, ..Budget::default() };
    let mut world = world_with(budget);
    world.add(Body::free(ball(0.1)).named("victim")).unwrap();
    world.advance_to(1e6).unwrap();
    // Periods of one unit in the last place of the time.
    world.add_controller(Rate::Period(1.2e-10), Box::new(Restless)).unwrap();
    let fault = world.advance_to(2e6).unwrap_err();
    assert!(matches!(fault, Fault::Budget { limit: 50, .. }), "{fault}");
    assert!(fault.to_string().contains("without progress"), "{fault}");
}

#[test]
fn a_speed_beyond_numbers_is_a_fault_and_not_a_panic() {
    let mut world = World::builder().build().unwrap();
    let id = world.add(Body::free(ball(0.1)).named("bolt").mass(1e-3)).unwrap();
    world.schedule(1.0, Command::Impulse(carom::Push::central(id, 1e306 * DVec3::X))).unwrap();
    let fault = world.advance_to(1e10).unwrap_err();
    assert!(matches!(fault, Fault::Command { .. }), "{fault}");
    let text = "body \"bolt\": the velocity after the impulse is not valid";
    assert!(fault.to_string().contains(text), "{fault}");
}

#[test]
fn times_that_are_none_are_refused_and_the_world_goes_on() {
    let mut world = World::builder().build().unwrap();
    world.advance_to(1.0).unwrap();
    for time in [0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(world.advance_to(time), Err(Fault::Time(_))), "{time}");
    }
    world.advance_to(2.0).unwrap();
}

/// Stops or fails at a time.
struct Impatient {
    until: f64,
    stop: fn() -> Stop,
}

impl Observer for Impatient {
    fn between(&mut self, _: &World, times: Range<f64>) -> Result<(), Stop> {
        if times.end > self.until { Err((self.stop)()) } else { Ok(()) }
    }

    fn after(&mut self, _: &World, _: &carom::Instant<'_>) -> Result<(), Stop> {
        Ok(())
    }
}

#[test]
fn an_observer_can_end_the_run_and_the_world_can_go_on() {
    let mut world = World::builder().build().unwrap();
    let id = world.add(Body::free(ball(0.1))).unwrap();
    let mut enough = Impatient { until: 2.0, stop: || Stop::Enough };
    let observers = &mut Observers::none().with(&mut enough);
    assert!(matches!(world.advance_watched(1.0, observers), Ok(())));
    assert!(matches!(world.advance_watched(5.0, observers), Err(Fault::Stopped { .. })));
    world.advance_to(5.0).unwrap();
    let stopped = world.state(id).unwrap();
    let mut other = World::builder().build().unwrap();
    let id = other.add(Body::free(ball(0.1))).unwrap();
    other.advance_to(5.0).unwrap();
    assert_eq!(stopped, other.state(id).unwrap());

    let mut full = Impatient { until: 6.0, stop: || Stop::failed("the disk is full") };
    let fault = world.advance_watched(9.0, &mut Observers::none().with(&mut full)).unwrap_err();
    assert!(fault.to_string().contains("the disk is full"), "{fault}");
}
