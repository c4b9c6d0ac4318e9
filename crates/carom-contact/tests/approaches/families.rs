//! Families of approaches, each case from a seed.

use carom_contact::touch::Outcome;
use carom_dynamics::BodyState;
use carom_geometry::shapes::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Superquadric,
};
use carom_geometry::{Pose, Shape};
use glam::{DQuat, DVec3};

use crate::common::{Body, Numbers, nearest, search};

/// `[m/s²]`
pub(crate) const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.80665);

/// Spin of the rods `[rad/s]`.
pub(crate) const ROD_SPIN: f64 = 1e4;

pub(crate) fn cuboid(half: DVec3) -> Shape {
    Shape::Cuboid(Cuboid::new(half).expect("a box"))
}

/// A box, a rod or a plate.
fn shape(numbers: &mut Numbers) -> Shape {
    let half = match (3.0 * numbers.unit()) as u32 {
        0 => DVec3::new(numbers.range(0.2, 1.0), numbers.range(0.2, 1.0), numbers.range(0.2, 1.0)),
        1 => DVec3::new(1.0, 0.02, 0.02),
        _ => DVec3::new(1.0, 1.0, 0.01),
    };
    cuboid(half)
}

/// Two bodies that fly at each other and turn less than once while in reach.
fn pair(numbers: &mut Numbers) -> (Body, Body) {
    let (one, other) = (shape(numbers), shape(numbers));
    let speed = numbers.decades(0.5, 50.0);
    let direction = numbers.direction();
    let aside = numbers.direction() * numbers.range(0.0, 0.8);
    // In reach for about 4 m.
    let spin = |numbers: &mut Numbers| numbers.direction() * numbers.range(0.0, 3.0) * speed / 4.0;
    let state = |position, velocity, numbers: &mut Numbers| BodyState {
        position,
        orientation: numbers.rotation(),
        velocity,
        angular_velocity: spin(numbers),
    };
    let a = state(DVec3::ZERO, DVec3::ZERO, numbers);
    let b = state(4.0 * direction + aside, -speed * direction, numbers);
    (Body::free(&one, a, GRAVITY), Body::free(&other, b, GRAVITY))
}

/// Two bodies that fly at each other and turn less than once while in reach.
pub(crate) fn under_one_turn(seed: u64) -> [Body; 2] {
    let (a, b) = pair(&mut Numbers(seed));
    [a, b]
}

/// The same, shifted so that they pass each other with a clearance, negative for a touch; none if they cannot.
pub(crate) fn grazing(seed: u64) -> Option<([Body; 2], f64)> {
    let mut numbers = Numbers(1_000_000 + seed);
    let (a, b) = pair(&mut numbers);
    graze(a, &b, &mut numbers)
}

fn graze(a: Body, b: &Body, numbers: &mut Numbers) -> Option<([Body; 2], f64)> {
    let clearance = numbers.decades(1e-9, 1e-3) * if numbers.unit() < 0.5 { 1.0 } else { -1.0 };
    let b = shifted_to(&a, b, clearance)?;
    Some(([a, b], clearance))
}

/// B shifted so that its least distance from A is the clearance; none if they do not pass each other once.
fn shifted_to(a: &Body, b: &Body, clearance: f64) -> Option<Body> {
    let mut b = b.clone();
    for _ in 0..8 {
        let (time, distance) = least(a, &b)?;
        let normal = a.motion.state_at(time).orientation * nearest(a, &b, time).normal;
        b = b.shifted((distance - clearance) * normal);
    }
    let (_, distance) = least(a, &b)?;
    ((distance - clearance).abs() < 1e-3 * clearance.abs() + 1e-12).then_some(b)
}

/// Time and value of the least distance, by sampling and golden section.
fn least(a: &Body, b: &Body) -> Option<(f64, f64)> {
    let horizon = 16.0 / (b.motion.state_at(0.0).velocity.length() + 1e-9);
    let at = |time: f64| nearest(a, b, time).distance;
    let n = 200;
    let times: Vec<f64> = (0..=n).map(|i| horizon * f64::from(i) / f64::from(n)).collect();
    let values: Vec<f64> = times.iter().map(|time| at(*time)).collect();
    let best = (0..values.len()).min_by(|i, j| values[*i].total_cmp(&values[*j]))?;
    if best == 0 || best + 1 == values.len() {
        return None;
    }
    let (mut low, mut high) = (times[best - 1], times[best + 1]);
    for _ in 0..70 {
        let (x, y) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if at(x) < at(y) { high = y } else { low = x }
    }
    let time = 0.5 * (low + high);
    Some((time, at(time)))
}

/// A box, a rod or a plate that falls on a plane.
pub(crate) fn box_on_plane(seed: u64) -> [Body; 2] {
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a half-space"));
    let floor = Body::fixed(&floor, Pose::IDENTITY);
    let mut numbers = Numbers(seed);
    let body = shape(&mut numbers);
    let state = BodyState {
        position: DVec3::Z * numbers.range(2.0, 10.0),
        orientation: numbers.rotation(),
        velocity: 3.0 * numbers.direction(),
        angular_velocity: numbers.direction() * numbers.range(0.0, 6.0),
    };
    [Body::free(&body, state, GRAVITY), floor]
}

/// A rod that spins fast, and a plate that it meets.
pub(crate) fn spinning_rod(seed: u64) -> [Body; 2] {
    let mut numbers = Numbers(seed);
    let rod = cuboid(DVec3::new(0.5, 0.005, 0.005));
    let plate = cuboid(DVec3::new(0.5, 0.5, 0.005));
    let state = BodyState {
        position: DVec3::new(numbers.range(-0.3, 0.3), numbers.range(-0.3, 0.3), 1.0),
        orientation: DQuat::IDENTITY,
        velocity: DVec3::new(0.0, 0.0, -numbers.decades(1.0, 100.0)),
        angular_velocity: ROD_SPIN * (DVec3::Y + 0.1 * numbers.direction()),
    };
    let a = Body::free(&rod, state, DVec3::ZERO);
    let b = Body::fixed(&plate, Pose::new(DVec3::ZERO, numbers.rotation()));
    [a, b]
}

/// Turns of the rod until a time, or while it passes if it never touches; in reach from a distance of 1.25 m on.
pub(crate) fn turns_of_rod(time: Option<f64>) -> f64 {
    time.unwrap_or(0.02) * ROD_SPIN / std::f64::consts::TAU
}

/// Two bodies that are let go again, apart, where they have touched; none if they do not.
pub(crate) fn departure(seed: u64) -> Option<[Body; 2]> {
    let (a, b) = pair(&mut Numbers(5_000_000 + seed));
    let (_, outcome) = search(&a, &b, 20.0);
    let Outcome::Touch(touch) = outcome else { return None };
    let reversed = |body: &Body, sign: f64, shape: &Shape| {
        let state = body.motion.state_at(touch.time);
        let velocity = state.velocity + sign * 2.0 * touch.speed.abs() * touch.normal;
        let turns_back = seed.is_multiple_of(2);
        let spin = if turns_back { -state.angular_velocity } else { state.angular_velocity };
        Body::free(shape, BodyState { velocity, angular_velocity: spin, ..state }, GRAVITY)
    };
    let mut again = Numbers(5_000_000 + seed);
    let shapes = (shape(&mut again), shape(&mut again));
    Some([reversed(&a, 1.0, &shapes.0), reversed(&b, -1.0, &shapes.1)])
}

/// Curved kinds, and boxes.
pub(crate) const CURVED: [&str; 7] =
    ["ball", "capsule", "cylinder", "cone", "ellipsoid", "superquadric", "box"];

fn curved_shape(kind: u32, numbers: &mut Numbers) -> Shape {
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

fn curved_pair(kinds: [u32; 2], numbers: &mut Numbers) -> (Body, Body) {
    let [one, other] = kinds.map(|kind| curved_shape(kind, numbers));
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

/// Two bodies of the kinds that fly at each other and turn less than once while in reach.
pub(crate) fn curved(kinds: [u32; 2], seed: u64) -> [Body; 2] {
    let [first, second] = kinds.map(u64::from);
    let (a, b) = curved_pair(kinds, &mut Numbers(seed + 1000 * first + 100_000 * second));
    [a, b]
}

/// As [`grazing`], for a body of the kind and one of any.
pub(crate) fn curved_grazing(first: u32, seed: u64) -> Option<([Body; 2], f64)> {
    let mut numbers = Numbers(seed + 7000 * u64::from(first));
    let second = (7.0 * numbers.unit()) as u32;
    let (a, b) = curved_pair([first, second], &mut numbers);
    graze(a, &b, &mut numbers)
}

/// Two bars that meet edge to edge, the edges 10⁻⁹ to 10⁻³ rad from parallel, sometimes turning that slowly.
pub(crate) fn nearly_parallel(seed: u64) -> [Body; 2] {
    let mut numbers = Numbers(5_000_000 + seed);
    let bar = cuboid(DVec3::new(1.0, 0.2, 0.2));
    let on_edge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let speed = numbers.decades(0.5, 50.0);
    let mut small = || numbers.decades(1e-9, 1e-3);
    let turned = DQuat::from_rotation_z(small()) * DQuat::from_rotation_y(small()) * on_edge;
    let (aside, spin) =
        (DVec3::new(0.3, small(), 0.0), speed * small() * DVec3::new(0.0, 0.5, 1.0));
    let state = |position, orientation, velocity, angular_velocity| BodyState {
        position,
        orientation,
        velocity,
        angular_velocity,
    };
    let a = state(DVec3::ZERO, on_edge, DVec3::ZERO, DVec3::ZERO);
    let spin = if seed.is_multiple_of(2) { spin } else { DVec3::ZERO };
    let b = state(2.0 * DVec3::Z + aside, turned, -speed * DVec3::Z, spin);
    [Body::free(&bar, a, GRAVITY), Body::free(&bar, b, GRAVITY)]
}
