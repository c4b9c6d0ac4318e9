//! The thesis's pair bound: exact where it should be, and beside the engine's search on the same approaches.

use carom_contact::touch::thesis::{self, time_to_cover};
use carom_contact::touch::{Outcome, touch_distance};
use carom_dynamics::{BodyState, Span};
use carom_geometry::shapes::HalfSpace;
use carom_geometry::{Pose, Shape};
use glam::{DQuat, DVec3};

use crate::common::{Body, Numbers, nearest, search};
use crate::families::{
    GRAVITY, box_on_plane, cuboid, curved, departure, grazing, spinning_rod, under_one_turn,
};

/// After so many distances an approach counts as one that never ends.
const MOST: u32 = 2000;

fn box_at(position: DVec3, velocity: DVec3) -> Body {
    let state = BodyState {
        position,
        orientation: DQuat::IDENTITY,
        velocity,
        angular_velocity: DVec3::ZERO,
    };
    Body::free(&cuboid(DVec3::splat(0.5)), state, GRAVITY)
}

/// The first step from the start, with all of the gap to cover.
fn first_step(a: &Body, b: &Body) -> f64 {
    let closest = nearest(a, b, 0.0);
    let normal = a.motion.state_at(0.0).orientation * closest.normal;
    thesis::step(&a.mover(), &b.mover(), normal, closest.distance, Span::from(0.0))
}

/// proves: m1/TOI-R2
#[test]
fn the_first_step_of_a_box_that_drops_without_turning_is_the_whole_fall() {
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    let floor = Body::fixed(&floor, Pose::IDENTITY);
    for gap in [1e-3, 0.25, 1.0, 80.0] {
        let fallen = first_step(&box_at(DVec3::Z * (0.5 + gap), DVec3::ZERO), &floor);
        let expected = (2.0 * gap / 9.80665_f64).sqrt();
        let off = (fallen - expected).abs() / expected;
        // What the subtraction of half a metre leaves of the gap's digits.
        assert!(off <= 2.0 * f64::EPSILON / gap.min(1.0), "{fallen} s, not {expected} s: {off:e}");
    }
}

/// proves: m1/TOI-R3
#[test]
fn the_first_step_of_two_bodies_in_flight_knows_no_gravity() {
    for (first, second) in [(3.0, 1.0), (5.0, -2.0), (0.25, 0.25)] {
        let a = box_at(DVec3::ZERO, DVec3::new(0.0, 0.0, first));
        let b = box_at(DVec3::Z * 5.0, DVec3::new(0.5, 0.0, -second));
        let expected = 4.0 / (first + second);
        let step = first_step(&a, &b);
        assert!((step - expected).abs() < 4.0 * f64::EPSILON * expected, "{step}, not {expected}");
    }
}

/// proves: m1/TOI-R4
#[test]
fn bodies_that_recede_without_turning_never_touch() {
    let a = box_at(DVec3::ZERO, DVec3::new(0.0, 3.0, -1.0));
    let b = box_at(DVec3::Z * 5.0, DVec3::Z);
    assert_eq!(first_step(&a, &b), f64::INFINITY);
    let together = box_at(DVec3::Z * 5.0, DVec3::new(0.0, 3.0, -1.0));
    assert_eq!(first_step(&a, &together), f64::INFINITY);
}

/// proves: m1/TOI-R9
#[test]
fn all_cases_of_the_first_root_are_right() {
    let never = f64::INFINITY;
    let cases = [
        (3.0, 0.0, 2.0, 1.5),
        (3.0, 0.0, 0.0, never),
        (3.0, 0.0, -2.0, never),
        (3.0, 2.0, 1.0, 1.0),
        (8.0, 2.0, 0.0, 2.0),
        (3.0, 2.0, -1.0, 1.5),
        (3.0, -2.0, -1.0, never),
        (3.0, -2.0, 0.0, never),
        (3.0, -1.0, 3.0, never),
        (2.0, -1.0, 3.0, 1.0),
        (1.0, -1.0, 2.0, 1.0),
        (0.0, 1.0, -1.0, 0.0),
    ];
    for (distance, a, b, expected) in cases {
        assert_eq!(time_to_cover(distance, a, b), expected, "A = {a}, B = {b}, d = {distance}");
    }
}

/// Around the first root the parabola passes the distance, to the last digits, however small A is.
///
/// proves: m1/TOI-R9
#[test]
fn no_digits_cancel_as_the_quadratic_term_vanishes() {
    let mut numbers = Numbers(9);
    for _ in 0..100_000 {
        let (distance, b) = (numbers.decades(1e-9, 1e3), numbers.decades(1e-6, 1e4));
        let sign = |numbers: &mut Numbers| if numbers.unit() < 0.5 { -1.0 } else { 1.0 };
        let b = b * sign(&mut numbers);
        let a = numbers.decades(1e-300, 1e3) * sign(&mut numbers);
        let tau = time_to_cover(distance, a, b);
        if tau.is_finite() {
            let way = a * tau * tau + b * tau;
            let size = (a * tau * tau).abs() + (b * tau).abs() + distance;
            assert!((way - distance).abs() <= 8.0 * f64::EPSILON * size, "{way}, not {distance}");
        } else {
            let highest = if a < 0.0 && b > 0.0 { -b * b / (4.0 * a) } else { 0.0 };
            let reaches = a > 0.0 && b * b / a < 1e300;
            assert!(!reaches && highest <= distance * (1.0 + 1e-15), "A = {a:e}, B = {b:e}");
        }
        let linear = time_to_cover(distance, 0.0, b);
        if a.abs() * distance < 1e-20 * b * b && b > 0.0 {
            assert!((tau - linear).abs() <= 4.0 * f64::EPSILON * linear, "A = {a:e}, B = {b:e}");
        }
    }
}

/// Runs both searches and holds the thesis's against the engine's; how many distances it took, none if it was given up.
fn beside(a: &Body, b: &Body, end: f64, most: u32, what: &str) -> Option<u32> {
    let (_, engines) = search(a, b, end);
    let mut baseline = thesis::Search::from(0.0);
    let mut before = 0.0;
    let outcome = loop {
        let queries = baseline.queries() + 1;
        let outcome = baseline.advance(&a.mover(), &b.mover(), end, queries);
        if !matches!(outcome, Outcome::Later(_)) || queries >= most {
            break outcome;
        }
        before = baseline.cleared();
        if let Outcome::Touch(touch) = engines {
            let speed = touch.speed.abs().max(f64::MIN_POSITIVE);
            let room = touch_distance(&a.mover(), &b.mover(), touch.time) / speed;
            assert!(before <= touch.time + room, "{what}: {before} passes {touch:?}");
        }
    };
    for i in 0..40 {
        let time = before * f64::from(i) / 40.0;
        assert!(nearest(a, b, time).distance > 0.0, "{what}: overlap at {time} before {before}");
    }
    match (outcome, engines) {
        (Outcome::Touch(theirs), Outcome::Touch(ours)) => {
            let resolution = touch_distance(&a.mover(), &b.mover(), ours.time);
            let apart = nearest(a, b, theirs.time).distance;
            assert!(apart > 0.0 && apart <= 2.0 * resolution, "{what}: {apart:e}");
            let room = 2.0 * resolution / ours.speed.abs().max(f64::MIN_POSITIVE);
            let off = (theirs.time - ours.time).abs();
            assert!(off <= room, "{what}: {off:e} s apart, {theirs:?}, {ours:?}");
        }
        (Outcome::Never, Outcome::Never) => {}
        (Outcome::Later(_), _) => return None,
        _ => panic!("{what}: {outcome:?} beside {engines:?}, cleared {before}"),
    }
    Some(baseline.queries())
}

/// A family of approaches by number.
type Family = fn(u64) -> Option<[Body; 2]>;

/// Both find the same touches, and no step of the thesis's bound passes one.
///
/// proves: m1/TOI-R1
#[test]
fn both_searches_find_the_same_touches() {
    let families: [(&str, u64, f64, Family); 6] = [
        ("under one turn", 400, 20.0, |seed| Some(under_one_turn(seed))),
        ("grazing", 60, 20.0, |seed| grazing(seed).map(|(bodies, _)| bodies)),
        ("box on plane", 300, 20.0, |seed| Some(box_on_plane(seed))),
        ("spinning rod", 10, 3.0, |seed| Some(spinning_rod(seed))),
        ("departure", 200, 20.0, departure),
        ("curved", 300, 20.0, |seed| {
            Some(curved([(seed % 7) as u32, (seed / 7 % 7) as u32], seed))
        }),
    ];
    for (name, count, end, family) in families {
        let mut taken = Vec::new();
        let mut n_given_up = 0;
        for seed in 0..count {
            let Some([a, b]) = family(seed) else { continue };
            match beside(&a, &b, end, MOST, &format!("{name} {seed}")) {
                Some(queries) => taken.push(queries),
                None => n_given_up += 1,
            }
        }
        let mean = taken.iter().map(|it| f64::from(*it)).sum::<f64>() / taken.len().max(1) as f64;
        println!(
            "{name}: thesis mean {mean:.1}, {n_given_up} given up of {}",
            taken.len() + n_given_up
        );
        assert!(n_given_up == 0 || !matches!(name, "under one turn" | "box on plane"), "{name}");
    }
}
