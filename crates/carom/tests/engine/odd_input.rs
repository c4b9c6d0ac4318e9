//! Odd but lawful input: worlds that begin before time zero, huge times, numbers near the end of the range, and
//! questions at the wrong moment.

use std::sync::{Arc, Mutex};

use carom::{
    Body, BodyError, BodyId, Command, Commands, Controller, Fault, History, LoadError, NotSavable,
    Observers, Place, Push, Rate, Readings, World, WorldError,
};
use glam::DVec3;

use crate::common::{ball, busy_world, cuboid, laws};

/// Does whatever it is told to do at each tick.
struct Doer<F>(F);

impl<F: FnMut(&Readings<'_>, &mut Commands) + Send + Sync> Controller for Doer<F> {
    fn tick(&mut self, readings: &Readings<'_>, commands: &mut Commands) {
        (self.0)(readings, commands);
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Ok(Vec::new())
    }

    fn load(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Ok(())
    }
}

#[test]
fn a_world_may_begin_long_before_time_zero_and_tick_all_the_way() {
    let mut world = World::builder().start(-100.0).build().unwrap();
    world.add(Body::free(ball(0.1))).unwrap();
    let count = Arc::new(Mutex::new(0_u32));
    let counter = Arc::clone(&count);
    let doer = Doer(move |_: &Readings<'_>, _: &mut Commands| {
        *counter.lock().expect("one thread") += 1;
    });
    world.add_controller(Rate::Hertz(1000.0), Box::new(doer)).unwrap();
    world.advance_to(0.0).unwrap();
    assert_eq!(*count.lock().unwrap(), 100_001);
}

#[test]
fn a_flight_of_any_length_takes_few_boxes_and_ends_with_a_fault_where_numbers_do() {
    for end in [1e15, 1e30, 1e100] {
        let mut world = World::builder().build().unwrap();
        let id = world.add(Body::free(cuboid(0.1, 0.2, 0.3)).angular_velocity(DVec3::X)).unwrap();
        world.advance_to(end).unwrap();
        assert!(world.state(id).unwrap().position.is_finite());
        let events = world.event_counts().total();
        assert!(events < 1000, "{events} events up to {end} s");
    }
    let mut world = World::builder().build().unwrap();
    world.add(Body::free(ball(0.1)).named("far")).unwrap();
    let fault = world.advance_to(1e200).unwrap_err();
    assert!(matches!(&fault, Fault::NotFinite { body, .. } if body == "far"), "{fault}");
}

#[test]
fn a_time_without_end_has_no_state() {
    let mut world = World::builder().build().unwrap();
    let free = world.add(Body::free(ball(0.1)).velocity(DVec3::X)).unwrap();
    let [law, ..] = laws();
    let scripted = world.add(Body::scripted(ball(0.1), law)).unwrap();
    for time in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(world.state_at(free, time), None, "free at {time}");
        assert_eq!(world.state_at(scripted, time), None, "scripted at {time}");
    }
}

#[test]
fn a_speed_or_spin_beyond_numbers_is_refused_and_leaves_no_trace() {
    let mut world = World::builder().build().unwrap();
    let id = world.add(Body::free(ball(0.1)).named("top").mass(1e-3)).unwrap();
    let hash = world.hash();
    for (linear, angular) in [(DVec3::ZERO, 1e306 * DVec3::X), (1e200 * DVec3::X, DVec3::ZERO)] {
        let push = Push { body: id, linear, angular, point: Place::Center };
        let error = world.command(Command::Impulse(push)).unwrap_err();
        assert!(error.to_string().contains("velocity after the impulse is not valid"), "{error}");
    }
    let huge = 1e200 * DVec3::ONE;
    let body = || Body::free(ball(0.1));
    for body in [body().at(huge), body().velocity(huge), body().angular_velocity(huge)] {
        assert!(matches!(world.add(body), Err(WorldError::Body(BodyError::State { .. }))));
    }
    assert_eq!(world.hash(), hash);
    world.advance_to(1.0).unwrap();
}

#[test]
fn a_broken_world_refuses_every_command_and_does_not_panic() {
    let mut world = World::builder().build().unwrap();
    let id = world.add(Body::free(ball(0.1)).mass(1e-3)).unwrap();
    let push = Push::central(id, 1e306 * DVec3::X);
    world.schedule(1.0, Command::Impulse(push)).unwrap();
    assert!(world.advance_to(2.0).is_err());
    let bodies = world.body_count();
    for _ in 0..200 {
        let added = world.add(Body::free(ball(0.1)));
        assert!(matches!(added, Err(WorldError::Broken { .. })), "{added:?}");
        assert!(matches!(world.set_gravity(DVec3::ZERO), Err(WorldError::Broken { .. })));
    }
    assert_eq!(world.body_count(), bodies);
    assert!(matches!(world.advance_to(3.0), Err(Fault::Before { .. })));
}

#[test]
fn a_controller_may_ask_the_world_anything_in_the_middle_of_an_instant() {
    let mut world = busy_world(World::builder(), 4, 5);
    let doer = |readings: &Readings<'_>, commands: &mut Commands| {
        let world = readings.world();
        let _ = (world.hash(), world.snapshot().is_ok(), world.next_event_time());
        let _ = (world.account(), world.broken_invariant());
        for body in world.bodies() {
            assert!(body.state().is_some_and(|state| state.is_finite()), "{}", body.name());
        }
        commands.schedule(readings.time(), Command::Gravity(-9.81 * DVec3::Z));
    };
    world.add_controller(Rate::Hertz(50.0), Box::new(Doer(doer))).unwrap();
    world.advance_to(3.0).unwrap();
    assert_eq!(world.broken_invariant(), None);
}

#[test]
fn a_history_that_joins_late_remembers_those_who_were_there_before() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let old = world.add(Body::free(ball(0.1)).velocity(DVec3::X)).unwrap();
    world.advance_to(1.0).unwrap();
    let new = world.add(Body::free(ball(0.1)).velocity(DVec3::Y)).unwrap();
    let mut history = History::of_all();
    world.advance_watched(2.0, &mut Observers::none().with(&mut history)).unwrap();
    for (id, expected) in [(old, DVec3::new(1.5, 0.0, 0.0)), (new, DVec3::new(0.0, 0.5, 0.0))] {
        let position = history.state_at(id, 1.5).map(|state| state.position);
        assert_eq!(position, Some(expected), "{id}");
    }
    assert_eq!(history.account_at(1.5).map(|account| account.residual), Some(0.0));
}

#[test]
fn a_hundred_thousand_commands_at_one_time_act_in_order() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let id = world.add(Body::free(ball(0.1)).mass(1.0)).unwrap();
    for index in 0..100_000 {
        let sign = if index % 2 == 0 { 1.0 } else { -1.0 };
        world.schedule(1.0, Command::Impulse(Push::central(id, sign * DVec3::X))).unwrap();
    }
    world.schedule(1.0, Command::Remove(id)).unwrap();
    let late = Body::free(ball(0.1)).named("late");
    world.schedule(1.0, Command::add(late)).unwrap();
    world.advance_to(2.0).unwrap();
    assert_eq!(world.state(id), None);
    assert!(world.find("late").is_some());
    assert_eq!(world.broken_invariant(), None);
}

/// Removes and releases riders and their neighbours in every order; ids before and after the carrier's.
#[test]
fn riders_leave_their_group_in_any_order() {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
        let mut world = World::builder().build().unwrap();
        let early: Vec<BodyId> =
            (0..2).map(|_| world.add(Body::free(ball(0.1)).ghost()).unwrap()).collect();
        let [.., law] = laws();
        let carrier = world.add(Body::scripted(ball(0.1), law)).unwrap();
        let late = (0..2).map(|i| {
            let place = f64::from(i + 1) * DVec3::X;
            world.add(Body::carried(ball(0.1), carrier).at(place).ghost()).unwrap()
        });
        let late: Vec<BodyId> = late.collect();
        for &body in &early {
            world.schedule(0.1, Command::Carry { body, by: carrier }).unwrap();
        }
        let riders = [early, late].concat();
        for (step, &rider) in order.iter().enumerate() {
            let time = 0.3 + 0.25 * step as f64;
            let body = riders[rider];
            let command =
                if step % 2 == 0 { Command::Remove(body) } else { Command::Release(body) };
            world.schedule(time, command).unwrap();
            world.advance_to(time).unwrap();
            assert_eq!(world.broken_invariant(), None, "after {rider} of {order:?}");
        }
        world.remove(carrier).unwrap();
        world.advance_to(3.0).unwrap();
        assert_eq!(world.body_count(), 2);
        let account = world.account();
        assert!(account.residual.abs() < 1e-13 * account.scale(), "{account:?}");
    }
}

#[test]
fn grains_and_mountains_fly_alike() {
    for mass in [1e-30, 1e-9, 1.0, 1e12, 1e30] {
        let mut world = World::builder().gravity(-8.0 * DVec3::Z).build().unwrap();
        let body = Body::free(cuboid(0.1, 0.2, 0.3)).mass(mass).angular_velocity(DVec3::ONE);
        let id = world.add(body).unwrap();
        let push =
            Push { point: Place::Body(0.1 * DVec3::X), ..Push::central(id, mass * DVec3::Y) };
        world.schedule(1.0, Command::Impulse(push)).unwrap();
        world.advance_to(2.0).unwrap();
        let state = world.state(id).unwrap();
        let off = (state.position - DVec3::new(0.0, 1.0, -16.0)).length();
        assert!(off < 1e-14, "{mass} kg: off by {off:e} m");
        let account = world.account();
        assert!(account.residual.abs() < 1e-14 * account.scale(), "{mass} kg: {account:?}");
    }
}
