//! A ball in flight and a plane that stands still: the closed form beside exact answers and beside the search that bodies of
//! any shape go through.

use carom_contact::touch::{Outcome, PairSearch, Parting, Rigid, Search, Touch, touch_distance_of};
use carom_dynamics::{Ballistic, BodyState, Mass, Motion};
use carom_geometry::distance::pieces::Pieces;
use carom_geometry::shapes::{Ball, HalfSpace};
use carom_geometry::{Pose, Shape};
use glam::{DQuat, DVec3};

use crate::common::Numbers;

const RADIUS: f64 = 0.01;

struct Body {
    motion: Motion,
    pieces: Pieces,
    size: f64,
}

impl Body {
    fn rigid(&self) -> Rigid<'_> {
        Rigid {
            motion: &self.motion,
            pieces: &self.pieces,
            frame_from_shape: Pose::IDENTITY,
            size: self.size,
        }
    }
}

fn ball(position: DVec3, velocity: DVec3, gravity: DVec3) -> Body {
    let shape = Shape::Ball(Ball::new(RADIUS).expect("a ball"));
    let properties = shape.as_solid().mass_properties(1000.0).expect("a solid");
    let mass = Mass::new(&properties).expect("a mass");
    let angular_velocity = DVec3::new(3.0, 1.0, -2.0);
    let state = BodyState { position, orientation: DQuat::IDENTITY, velocity, angular_velocity };
    Body {
        motion: Motion::Ballistic(Ballistic::new(0.0, state, gravity, &mass)),
        pieces: Pieces::of(&shape),
        size: 2.0 * RADIUS,
    }
}

fn ground(place: Pose, offset: f64) -> Body {
    let shape = Shape::HalfSpace(HalfSpace::new(DVec3::Z, offset).expect("a half-space"));
    Body { motion: Motion::Fixed(place), pieces: Pieces::of(&shape), size: f64::INFINITY }
}

fn floor() -> Body {
    ground(Pose::IDENTITY, 0.0)
}

fn closed(a: &Body, b: &Body, from: f64) -> Outcome {
    let mut search = PairSearch::new(&a.rigid(), &b.rigid(), from);
    let found = search.advance(&a.rigid(), &b.rigid(), f64::INFINITY, f64::INFINITY);
    assert_eq!(search.queries(), 0, "not in closed form");
    found.outcome
}

fn touch(a: &Body, b: &Body, from: f64) -> Touch {
    match closed(a, b, from) {
        Outcome::Touch(touch) => touch,
        other => panic!("{other:?}"),
    }
}

/// The search of any two convex solids, up to a time.
fn searched(a: &Body, b: &Body, end: f64) -> Outcome {
    let (one, other) = (a.rigid(), b.rigid());
    let (one, other) =
        (one.mover(0, &one.pieces.tree()[0]), other.mover(0, &other.pieces.tree()[0]));
    Search::from(0.0).advance(&one, &other, end, f64::INFINITY)
}

fn parted(a: &Body, b: &Body, from: f64) -> Outcome {
    Parting::from(from).advance(&a.rigid(), &b.rigid(), f64::INFINITY, f64::INFINITY)
}

#[test]
fn a_thrown_ball_comes_down_after_its_time_of_flight() {
    let (up, height) = (7.0, 2.0);
    let gravity = DVec3::NEG_Z * 9.8;
    let thrown = ball(DVec3::Z * (height + RADIUS), DVec3::new(3.0, 0.0, up), gravity);
    let expected = (up + (up * up + 2.0 * 9.8 * height).sqrt()) / 9.8;
    let found = touch(&floor(), &thrown, 0.0);
    assert!((found.time - expected).abs() < 1e-11, "{} {expected}", found.time);
    assert!(found.distance > 0.0 && found.distance <= 2e-11, "{found:?}");
    assert_eq!(found.normal, DVec3::NEG_Z);
    assert!((found.point - DVec3::X * 3.0 * expected).length() < 1e-10);
    assert_eq!(touch(&thrown, &floor(), 0.0).normal, DVec3::Z);
}

/// Thrown at a ceiling: the ball turns at a height that misses it by some clearance, or reaches into it by as much.
#[test]
fn a_ball_that_turns_just_below_the_ceiling_touches_it_or_does_not() {
    for exponent in 3..=8 {
        let clearance = libm::pow(10.0, -f64::from(exponent));
        for (sign, touches) in [(1.0, false), (-1.0, true)] {
            // An apex of 8 m after 2 s.
            let thrown = ball(DVec3::ZERO, DVec3::new(1.0, 2.0, 8.0), DVec3::NEG_Z * 4.0);
            let turned = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
            let ceiling =
                ground(Pose::new(DVec3::Z * 5.0, turned), -3.0 - RADIUS - sign * clearance);
            let outcome = closed(&thrown, &ceiling, 0.0);
            assert_eq!(matches!(outcome, Outcome::Touch(_)), touches, "{exponent} {outcome:?}");
            if let Outcome::Touch(touch) = outcome {
                let expected = 2.0 - (2.0 * clearance / 4.0).sqrt();
                // The touch distance of 2e-11 m, at the speed there.
                let slack = 2e-11 / (4.0 * (2.0 - expected));
                assert!(
                    (touch.time - expected).abs() < slack,
                    "{exponent} {}",
                    touch.time - expected
                );
                assert!(touch.distance > 0.0 && touch.distance <= 2e-11 && touch.speed < 0.0);
            }
        }
    }
}

#[test]
fn the_closed_form_and_the_search_of_any_solids_find_the_same_touches() {
    let (mut touches, mut late) = (0, 0.0_f64);
    for seed in 0..4000 {
        let mut numbers = Numbers(seed);
        let place = numbers.direction() * numbers.decades(1e-3, 1e3);
        let wall = ground(Pose::new(place, numbers.rotation()), numbers.range(-1.0, 1.0));
        let Motion::Fixed(pose) = &wall.motion else { unreachable!() };
        let normal = pose.vector(DVec3::Z);
        let offset = wall.pieces.pieces()[0].convex.support_value(DVec3::Z);
        let height = offset + RADIUS + numbers.decades(1e-6, 10.0);
        let start = place + height * normal;
        let velocity = numbers.direction() * numbers.decades(1e-2, 1e3);
        let gravity = numbers.direction() * [0.0, 9.81][(seed % 2) as usize];
        let flying = ball(start, velocity, gravity);
        let (a, b) = if seed % 3 == 0 { (&wall, &flying) } else { (&flying, &wall) };
        let end = 100.0;
        match (closed(a, b, 0.0), searched(a, b, end)) {
            (Outcome::Touch(found), Outcome::Touch(expected)) => {
                touches += 1;
                let resolution = touch_distance_of(&a.rigid(), &b.rigid(), found.time);
                assert!(found.distance > 0.0 && found.distance <= resolution, "{seed}: {found:?}");
                assert!(found.speed < 0.0, "{seed}: {found:?}");
                // Both stop within the touch distance.
                let between = (found.time - expected.time).abs();
                let way = between * -expected.speed;
                late = late.max(way / resolution);
                assert_eq!(found.features, expected.features);
                assert!((found.normal - expected.normal).length() < 1e-14);
                let speed = velocity.length() + gravity.length() * found.time;
                let apart = (found.point - expected.point).length();
                assert!(apart <= between * speed + resolution, "{seed}: {apart:e}");
            }
            (Outcome::Touch(found), Outcome::Never) => assert!(found.time > end, "{seed}"),
            (Outcome::Never, Outcome::Never) => {}
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(touches > 1500, "{touches}");
    assert!(late <= 2.0, "apart by {late} touch distances");
}

/// A ball that goes through the floor and comes back: in, out, up, in again.
#[test]
fn a_ball_thrown_down_through_a_lifting_field_parts_when_it_comes_out() {
    let lifted = ball(DVec3::Z * (1.0 + RADIUS), DVec3::NEG_Z * 3.0, DVec3::Z * 2.0);
    let found = touch(&lifted, &floor(), 0.0);
    // Height above: 1 − 3t + t².
    let [inward, outward] = [-1.0, 1.0].map(|sign| 0.5 * (3.0 + sign * 5.0_f64.sqrt()));
    assert!((found.time - inward).abs() < 1e-10, "{}", found.time);
    let Outcome::Later(out) = parted(&lifted, &floor(), found.time) else { panic!("stays inside") };
    assert!((out - outward).abs() < 1e-10 && out >= outward, "{out} {outward}");
    assert_eq!(closed(&lifted, &floor(), out), Outcome::Never);
    // Without lift it stays below; one that has just left has parted.
    let sinking = ball(DVec3::Z * (1.0 + RADIUS), DVec3::NEG_Z * 3.0, DVec3::NEG_Z);
    let found = touch(&sinking, &floor(), 0.0);
    assert_eq!(parted(&sinking, &floor(), found.time), Outcome::Never);
    let leaving = ball(DVec3::Z * (1e-11 + RADIUS), DVec3::Z, DVec3::NEG_Z);
    assert_eq!(parted(&leaving, &floor(), 0.0), Outcome::Later(0.0));
}

/// A ball that begins within the touch distance touches at once if it is at rest, and if it rises later, while it falls.
#[test]
fn a_ball_that_begins_as_good_as_in_contact_touches_at_once_or_once_it_falls() {
    for gap in [1e-11, 1e-13, 0.0, -1e-13] {
        for up in [0.0, 1e-12, 1e-6, 1e-3, 2.0] {
            let resting = ball(DVec3::Z * (RADIUS + gap), DVec3::Z * up, DVec3::NEG_Z * 9.81);
            let found = touch(&resting, &floor(), 0.0);
            if up == 0.0 {
                assert_eq!((found.time, found.speed), (0.0, 0.0), "{gap:e}: {found:?}");
                continue;
            }
            assert!(found.time > 0.0 && found.speed < 0.0, "{gap:e} {up:e}: {found:?}");
            assert!(found.distance <= 2e-11 && found.distance >= -2e-11, "{found:?}");
            let expected = 2.0 * up / 9.81;
            assert!((found.time - expected).abs() < 1e-5, "{gap:e} {up:e}: {found:?}");
        }
    }
}
