//! The past can be asked like the present.

use carom::{Body, Command, History, Observers, Push, World};
use glam::DVec3;

use crate::common::{ball, bits_of, busy_world};

#[test]
fn a_history_answers_as_the_world_did_at_the_time() {
    let mut world = busy_world(World::builder(), 9, 30);
    let mut history = History::of_all();
    let mut answers = Vec::new();
    let (mut residual, mut scale) = (0.0_f64, 0.0_f64);
    for step in 0..40 {
        let time = 0.05 * f64::from(step);
        world.advance_watched(time, &mut Observers::none().with(&mut history)).unwrap();
        for body in world.bodies() {
            answers.push((body.id(), time, body.state().unwrap()));
        }
        let past = history.account_at(time).map(|account| account.total());
        if step > 0 {
            assert_eq!(past, Some(world.account().total()));
        }
        residual = residual.max(world.account().residual.abs());
        scale = scale.max(world.account().scale());
    }
    for (id, time, state) in answers {
        let past = history.state_at(id, time).unwrap();
        assert_eq!(bits_of(&past), bits_of(&state), "{id} at {time}");
    }
    assert!(residual < 1e-12 * scale);
}

#[test]
fn a_history_is_right_continuous_and_ends_where_the_body_does() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let id = world.add(Body::free(ball(0.1)).named("ball").mass(1.0)).unwrap();
    world.schedule(1.0, Command::Impulse(Push::central(id, DVec3::X))).unwrap();
    world.schedule(2.0, Command::Remove(id)).unwrap();
    let mut history = History::of(["ball".to_owned()]);
    world.advance_watched(3.0, &mut Observers::none().with(&mut history)).unwrap();
    let velocity = |time| history.state_at(id, time).map(|state| state.velocity.x);
    assert_eq!(velocity(1.0_f64.next_down()), Some(0.0));
    assert_eq!(velocity(1.0), Some(1.0));
    assert_eq!(velocity(2.0_f64.next_down()), Some(1.0));
    assert_eq!(velocity(2.0), None);
    assert_eq!(velocity(-1.0), None);
    assert_eq!(history.events().len(), 3);
    assert_eq!(history.find("ball"), Some(id));
}

#[test]
fn a_history_that_is_full_ends_the_run_and_says_so() {
    let mut world = busy_world(World::builder(), 9, 30);
    let mut history = History::of_all().limited_to(50);
    let fault = world.advance_watched(3.0, &mut Observers::none().with(&mut history)).unwrap_err();
    assert!(fault.to_string().contains("the history is full"), "{fault}");
}
