//! Tests of the search: exact answers, and a finer search that knows nothing of certificates.

use carom_dynamics::{Ballistic, BodyState, Mass};
use carom_geometry::shape::Shape;
use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};
use glam::DQuat;

use super::*;

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.80665);

/// A free body for tests: a convex shape and its flight.
struct Body {
    motion: Motion,
    convex: Convex,
    reach: f64,
}

impl Body {
    fn fixed(shape: &Shape, pose: Pose) -> Self {
        Self::with(shape, Motion::Fixed(pose))
    }

    fn free(shape: &Shape, state: BodyState, gravity: DVec3) -> Self {
        let mass = shape.as_solid().mass_properties(1000.0).expect("a solid");
        let mass = Mass::new(&mass).expect("a mass");
        Self::with(shape, Motion::Ballistic(Ballistic::new(0.0, state, gravity, &mass)))
    }

    fn with(shape: &Shape, motion: Motion) -> Self {
        let convex = Convex::of(shape).expect("a convex shape");
        let reach = convex.radius_about(DVec3::ZERO);
        Self { motion, convex, reach }
    }

    fn mover(&self) -> Mover<'_> {
        Mover {
            motion: &self.motion,
            convex: &self.convex,
            frame_from_convex: Pose::IDENTITY,
            reach: self.reach,
            center: DVec3::ZERO,
            radius: self.reach,
            size: 2.0 * self.reach,
        }
    }
}

fn flying(position: DVec3, velocity: DVec3, angular_velocity: DVec3) -> BodyState {
    BodyState { position, orientation: DQuat::IDENTITY, velocity, angular_velocity }
}

fn floor() -> Body {
    let shape = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a half-space"));
    Body::fixed(&shape, Pose::IDENTITY)
}

fn first_touch(a: &Body, b: &Body) -> (Search, Outcome) {
    let mut search = Search::from(0.0);
    let outcome = search.advance(&a.mover(), &b.mover(), f64::INFINITY, f64::INFINITY);
    (search, outcome)
}

#[test]
fn a_ball_that_falls_touches_the_floor_when_it_should() {
    let ball = Shape::Ball(Ball::new(0.01).unwrap());
    let height = 1.0;
    let state = flying(DVec3::Z * (height + 0.01), DVec3::ZERO, DVec3::new(3.0, 1.0, 0.0));
    let (search, outcome) = first_touch(&Body::free(&ball, state, GRAVITY), &floor());
    let Outcome::Touch(touch) = outcome else { panic!("{outcome:?}") };
    let expected = (2.0 * height / 9.80665_f64).sqrt();
    println!("{search:?} {touch:?} expected {expected}");
    assert!(touch.time <= expected && touch.time > expected - 1e-10, "{touch:?}");
    assert!(touch.distance > 0.0 && touch.distance <= 2e-11);
}

#[test]
fn a_spinning_box_touches_the_floor() {
    let shape = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap());
    let state = flying(DVec3::Z * 3.0, DVec3::X, DVec3::new(3.0, 7.0, 1.0));
    let (search, outcome) = first_touch(&Body::free(&shape, state, GRAVITY), &floor());
    println!("{search:?} {outcome:?}");
    let Outcome::Touch(touch) = outcome else { panic!("{outcome:?}") };
    assert!(touch.distance > 0.0 && touch.distance <= 1e-9);
}

#[test]
fn two_boxes_meet() {
    let shape = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap());
    let a = Body::free(
        &shape,
        flying(DVec3::X * 3.0, DVec3::NEG_X, DVec3::new(3.0, 7.0, 1.0)),
        GRAVITY,
    );
    let b =
        Body::free(&shape, flying(DVec3::X * -3.0, DVec3::X, DVec3::new(-3.0, 2.0, 1.0)), GRAVITY);
    let (search, outcome) = first_touch(&a, &b);
    let Outcome::Touch(touch) = outcome else { panic!("{outcome:?}") };
    // Their centres meet after 3 s; half diagonals are 0.37 m, and nothing is thinner than 0.1 m.
    assert!((3.0 - 0.375..3.0 - 0.1).contains(&touch.time), "{touch:?}");
    assert!(touch.distance > 0.0 && touch.distance <= 1e-9 && touch.speed < 0.0, "{touch:?}");
    assert!(search.queries <= 6, "{search:?}");
}
