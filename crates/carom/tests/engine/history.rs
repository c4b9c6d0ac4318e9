//! The past can be asked like the present.

use carom::{Body, Command, History, Observers, Push, World};
use glam::DVec3;

use crate::common::{ball, bits_of, busy_world};

#[test]
fn a_history_answers_as_the_world_did_at_the_time() {
    let mut world = busy_world(World::builder().passing(), 9, 30);
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
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
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
    let mut world = busy_world(World::builder().passing(), 9, 30);
    let mut history = History::of_all().limited_to(50);
    let fault = world.advance_watched(3.0, &mut Observers::none().with(&mut history)).unwrap_err();
    assert!(fault.to_string().contains("the history is full"), "{fault}");
}

#[test]
fn distances_of_the_past_are_those_of_their_time() {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    let still = world.add(Body::free(ball(0.5)).named("still")).unwrap();
    let passing = Body::free(ball(0.25)).at(DVec3::new(-2.0, 3.0, 0.0)).velocity(DVec3::X);
    let passing = world.add(passing.named("passing")).unwrap();
    world.schedule(2.0, Command::Remove(passing)).unwrap();
    let mut history = History::of_all();
    world.advance_watched(3.0, &mut Observers::none().with(&mut history)).unwrap();
    let gap = |time| history.nearest_at(still, passing, time).map(|nearest| nearest.distance);
    // The centres are √(9 + (2 − t)²) apart.
    assert!((gap(0.0).unwrap() - (13.0_f64.sqrt() - 0.75)).abs() < 1e-15);
    assert!((gap(1.5).unwrap() - (9.25_f64.sqrt() - 0.75)).abs() < 1e-15);
    assert_eq!((gap(2.0), gap(-1.0), gap(4.0)), (None, None, None));
    let nearest = history.nearest_at(still, passing, 1.5).unwrap();
    assert_eq!(nearest.bodies, [still, passing]);
    let along = DVec3::new(0.5, -3.0, 0.0) / 9.25_f64.sqrt();
    assert!((nearest.normal - along).length() < 1e-15, "{}", nearest.normal);
}

#[test]
fn events_name_everybody_whom_they_concern() {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    let one = Body::free(ball(0.5)).at(DVec3::new(-3.0, 0.0, 0.0)).velocity(DVec3::X);
    let (gate, one) =
        (world.add(Body::fixed(ball(0.5)).sensor()).unwrap(), world.add(one).unwrap());
    let other = world.add(Body::free(ball(0.5)).at(DVec3::new(3.0, 0.0, 0.0))).unwrap();
    let mut history = History::of_all();
    world.advance_watched(10.0, &mut Observers::none().with(&mut history)).unwrap();
    let told: Vec<(&str, Vec<_>)> = history
        .events()
        .iter()
        .map(|event| (event.what.name(), event.bodies().collect()))
        .collect();
    let expected = [
        ("added", vec![gate]),
        ("added", vec![one]),
        ("added", vec![other]),
        ("entered", vec![gate, one]),
        ("left", vec![gate, one]),
        ("touch", vec![one, other]),
        ("parted", vec![one, other]),
    ];
    assert_eq!(told, expected);
}
