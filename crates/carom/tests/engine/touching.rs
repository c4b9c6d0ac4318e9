//! Touches, as a world finds them.

use carom::{Body, Fault, Happening, History, Observers, StopAtTouch, World};
use carom_geometry::Shape;
use carom_geometry::shapes::HalfSpace;
use glam::DVec3;

use crate::common::ball;

fn wall(normal: DVec3, offset: f64) -> Body {
    Body::fixed(Shape::HalfSpace(HalfSpace::new(normal, offset).expect("a wall")))
}

/// A ball between two walls, turned around at every touch from outside.
#[test]
fn a_ball_that_is_turned_around_at_every_touch_stays_between_its_walls() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    world.add(wall(DVec3::X, -1.0)).unwrap();
    world.add(wall(DVec3::NEG_X, -1.0)).unwrap();
    let ball = world.add(Body::free(ball(0.1)).mass(1.0).velocity(DVec3::X)).unwrap();
    let mut history = History::of_all();
    for bounce in 0..20 {
        let mut stop = StopAtTouch::default();
        let mut watchers = Observers::none().with(&mut history).with(&mut stop);
        let end = world.advance_watched(100.0, &mut watchers);
        assert!(matches!(end, Err(Fault::Stopped { .. })), "bounce {bounce}: {end:?}");
        let expected = 0.9 + 1.8 * f64::from(bounce);
        assert!((world.now() - expected).abs() < 1e-8, "bounce {bounce} at {}", world.now());
        let state = world.state(ball).unwrap();
        world.apply_impulse(ball, -2.0 * state.velocity, state.position).unwrap();
    }
    let touches = history.events().iter().filter(|it| matches!(it.what, Happening::Touch(_)));
    assert_eq!(touches.count(), 20);
}
