//! Sensors: who enters, who leaves, and who was inside from the beginning.

use carom::{Body, Command, Event, Happening, History, Observers, World};
use carom_geometry::Shape;
use carom_geometry::shapes::HalfSpace;
use glam::DVec3;

use crate::common::ball;

/// Everything below the origin.
fn zone() -> Body {
    let below = HalfSpace::new(DVec3::Z, 0.0).expect("a plane");
    Body::fixed(Shape::HalfSpace(below)).named("zone").sensor()
}

/// A ball of radius ½ at a height, with a speed upwards.
fn rising(name: &str, height: f64, speed: f64) -> Body {
    let at = DVec3::new(5.0 * height, 0.0, height);
    Body::free(ball(0.5)).named(name).at(at).velocity(DVec3::new(0.0, 0.0, speed))
}

/// When and what happened to sensors up to a time, with the name of the body.
fn passages(world: &mut World, until: f64) -> Vec<(f64, &'static str, String)> {
    let mut history = History::of_all();
    world.advance_watched(until, &mut Observers::none().with(&mut history)).expect("no fault");
    let name = |id| world.body(id).map_or_else(String::new, |it| it.name().to_owned());
    let passage = |event: &Event| match event.what {
        Happening::Entered { body, .. } | Happening::Left { body, .. } => {
            Some((event.time, event.what.name(), name(body)))
        }
        _ => None,
    };
    history.events().iter().filter_map(passage).collect()
}

#[test]
fn who_begins_or_comes_inside_has_entered_then_and_leaves_as_others_do() {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    world.add(rising("first", -1.0, 1.0)).unwrap();
    world.add(zone()).unwrap();
    world.schedule(0.25, Command::add(rising("late", -2.0, 4.0))).unwrap();
    let told = passages(&mut world, 3.0);
    let what: Vec<(&str, &str)> = told.iter().map(|it| (it.1, it.2.as_str())).collect();
    let expected = [("entered", "first"), ("entered", "late"), ("left", "late"), ("left", "first")];
    assert_eq!(what, expected);
    // The lowest points cross the plane: after 2.5 m at 4 m/s, and after 1.5 m at 1 m/s.
    for ((time, ..), expected) in told.iter().zip([0.0, 0.25, 0.875, 1.5]) {
        assert!((time - expected).abs() < 1e-8, "{time} s instead of {expected} s");
    }
    assert_eq!((told[0].0, told[1].0), (0.0, 0.25));
}

#[test]
fn a_sensor_that_comes_finds_who_is_inside() {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    world.add(rising("inside", -9.0, 1.0)).unwrap();
    world.add(rising("outside", 9.0, 1.0)).unwrap();
    world.schedule(1.0, Command::add(zone())).unwrap();
    assert_eq!(passages(&mut world, 2.0), [(1.0, "entered", "inside".to_owned())]);
    let (inside, zone) = (world.find("inside").unwrap(), world.find("zone").unwrap());
    assert!(world.is_inside(inside, zone));
}
