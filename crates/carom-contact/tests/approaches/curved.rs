//! Approaches of curved bodies: balls, capsules, cylinders, cones, ellipsoids, superquadrics, against each other and boxes.

use carom_dynamics::BodyState;
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Superquadric};
use glam::DVec3;

use crate::common::{Body, Numbers};
use crate::{GRAVITY, Tally, grazing};

fn shape(kind: u32, numbers: &mut Numbers) -> Shape {
    let mut size = || numbers.decades(0.05, 1.0);
    match kind {
        0 => Shape::Ball(Ball::new(size()).expect("a ball")),
        1 => Shape::Capsule(Capsule::new(size(), 0.5 * size()).expect("a capsule")),
        2 => Shape::Cylinder(Cylinder::new(size(), size()).expect("a cylinder")),
        3 => Shape::Cone(Cone::new(size(), size()).expect("a cone")),
        4 => Shape::Ellipsoid(
            Ellipsoid::new(DVec3::new(size(), size(), size())).expect("an ellipsoid"),
        ),
        5 => Shape::Superquadric(
            Superquadric::new(DVec3::new(size(), size(), size()), 3.0, 4.0)
                .expect("a superquadric"),
        ),
        _ => Shape::Cuboid(Cuboid::new(DVec3::new(size(), size(), size())).expect("a box")),
    }
}

fn pair(kinds: [u32; 2], numbers: &mut Numbers) -> (Body, Body) {
    let [one, other] = kinds.map(|kind| shape(kind, numbers));
    let speed = numbers.decades(0.5, 50.0);
    let direction = numbers.direction();
    let aside = numbers.direction() * numbers.range(0.0, 0.8);
    let state = |position, velocity, numbers: &mut Numbers| BodyState {
        position,
        orientation: numbers.rotation(),
        velocity,
        angular_velocity: numbers.direction() * numbers.range(0.0, 3.0) * speed / 4.0,
    };
    let a = state(DVec3::ZERO, DVec3::ZERO, numbers);
    let b = state(5.0 * direction + aside, -speed * direction, numbers);
    (Body::free(&one, a, GRAVITY), Body::free(&other, b, GRAVITY))
}

const NAMES: [&str; 7] =
    ["ball", "capsule", "cylinder", "cone", "ellipsoid", "superquadric", "box"];

#[test]
fn curved_bodies_that_turn_less_than_once_in_reach() {
    for first in 0..7 {
        for second in first..7 {
            let mut tally = Tally::default();
            for seed in 0..60 {
                let mut numbers =
                    Numbers(seed + 1000 * u64::from(first) + 100_000 * u64::from(second));
                let (a, b) = pair([first, second], &mut numbers);
                tally.check(&a, &b, 20.0, seed);
            }
            let name = format!("{} and {}", NAMES[first as usize], NAMES[second as usize]);
            let (mean, _, max) = tally.report(&name);
            assert!(mean <= 5.0 && max <= 24, "{name}");
        }
    }
}

#[test]
fn grazing_passes_of_curved_bodies() {
    for first in 0..7 {
        let mut tally = Tally::default();
        let mut seed = 0;
        while tally.queries.len() < 60 {
            seed += 1;
            let mut numbers = Numbers(seed + 7000 * u64::from(first));
            let second = (7.0 * numbers.unit()) as u32;
            let (a, b) = pair([first, second], &mut numbers);
            let clearance =
                numbers.decades(1e-9, 1e-3) * if numbers.unit() < 0.5 { 1.0 } else { -1.0 };
            let Some(b) = grazing(&a, &b, clearance) else { continue };
            let touched = tally.check(&a, &b, 20.0, seed).is_some();
            assert!(touched || clearance > -1e-8, "seed {seed}: clearance {clearance:e} missed");
        }
        let (mean, _, max) = tally.report(&format!("{} grazing", NAMES[first as usize]));
        assert!(mean <= 8.0 && max <= 24);
    }
}
