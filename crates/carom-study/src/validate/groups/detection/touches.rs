//! When and where bodies first touch, where that has a closed form.
//!
//! A touch is told when the bodies are within d_touch of each other, a billionth of the smaller one's size. All bodies here
//! have come at least a tenth of their size, so times and places agree to 1e-8 of theirs.

use glam::{DQuat, DVec3};

use carom::{Body, Contact, Observers, StopAtTouch, World, WorldError};
use carom_geometry::shapes::{Ball, Capsule, Cuboid, HalfSpace};
use carom_geometry::{Pose, Shape};

use super::super::super::{Context, Row};

const BY_HAND: &str = "by hand";
/// Share of a time or a length, see the head of this file `[-]`.
const TOLD: f64 = 1e-8;

/// Bodies that meet, and when.
struct Meeting {
    id: &'static str,
    what: &'static str,
    gravity: DVec3,
    bodies: [Option<Body>; 2],
    time: f64,
}

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows: Vec<Row> = meetings().into_iter().map(|it| time_row(context, it)).collect();
    rows.push(grazing(context));
    rows.extend(place(context));
    rows.extend(casts(context));
    rows.extend(refused(context));
    rows
}

fn ball(radius: f64) -> Option<Shape> {
    Ball::new(radius).ok().map(Shape::Ball)
}

fn cuboid(half: DVec3) -> Option<Shape> {
    Cuboid::new(half).ok().map(Shape::Cuboid)
}

fn below(normal: DVec3, offset: f64) -> Option<Body> {
    Some(Body::fixed(Shape::HalfSpace(HalfSpace::new(normal, offset).ok()?)))
}

fn thrown(shape: Option<Shape>, at: DVec3, velocity: DVec3) -> Option<Body> {
    Some(Body::free(shape?).at(at).velocity(velocity))
}

fn meetings() -> Vec<Meeting> {
    let mut meetings = straight();
    meetings.extend(turning());
    meetings
}

/// Bodies that do not turn.
fn straight() -> Vec<Meeting> {
    let fall = DVec3::new(0.0, 0.0, -10.0);
    let box_of_two = cuboid(DVec3::new(0.1, 0.2, 0.3));
    vec![
        Meeting {
            id: "touch/drop",
            what: "a box falls 5 m at 10 m/s²: √(2d/g)",
            gravity: fall,
            bodies: [
                below(DVec3::Z, 0.0),
                thrown(box_of_two, DVec3::new(0.0, 0.0, 5.3), DVec3::ZERO),
            ],
            time: 1.0,
        },
        Meeting {
            id: "touch/projectiles",
            what: "two thrown balls, gravity cancels: d/(v₁ + v₂)",
            gravity: fall,
            bodies: [
                thrown(ball(0.1), DVec3::ZERO, DVec3::new(3.0, 0.0, 9.0)),
                thrown(ball(0.1), DVec3::new(10.2, 0.0, 0.0), DVec3::new(-2.0, 0.0, 9.0)),
            ],
            time: 2.0,
        },
        Meeting {
            id: "touch/wall",
            what: "a ball of 1 cm at 10 km/s meets a plate of 1 mm",
            gravity: DVec3::ZERO,
            bodies: [
                cuboid(DVec3::new(0.0005, 0.5, 0.5)).map(Body::fixed),
                thrown(ball(0.005), DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1e4, 0.0, 0.0)),
            ],
            time: 0.9945e-4,
        },
        Meeting {
            id: "touch/head-on",
            what: "two cubes of 1 cm at ±5,000 m/s",
            gravity: DVec3::ZERO,
            bodies: [-1.0, 1.0].map(|side| {
                thrown(cuboid(DVec3::splat(0.005)), side * DVec3::X, -5e3 * side * DVec3::X)
            }),
            time: 1.99e-4,
        },
    ]
}

/// Bodies that turn at a steady rate.
fn turning() -> Vec<Meeting> {
    let rod = Capsule::new(0.5, 0.005).ok().map(Shape::Capsule);
    let spun = |body: Option<Body>, rate: f64| Some(body?.angular_velocity(rate * DVec3::X));
    vec![
        Meeting {
            id: "touch/rod",
            what: "a rod at 10⁴ rad/s meets a ball 0.4 m out: 0.4·cos ωt = r + R",
            gravity: DVec3::ZERO,
            bodies: [
                ball(0.01).map(|ball| Body::fixed(ball).at(DVec3::new(0.0, -0.4, 0.0))),
                spun(thrown(rod, DVec3::ZERO, DVec3::ZERO), 1e4),
            ],
            time: libm::acos(0.015 / 0.4) / 1e4,
        },
        Meeting {
            id: "touch/tilting",
            what: "a cube turns over a floor 1.2 half edges below: sin 2ωt = 1.2² − 1",
            gravity: DVec3::ZERO,
            bodies: [
                below(DVec3::Z, -0.12),
                spun(thrown(cuboid(DVec3::splat(0.1)), DVec3::ZERO, DVec3::ZERO), 3.0),
            ],
            time: 0.5 * libm::asin(0.44) / 3.0,
        },
    ]
}

/// The first touch of the bodies of a world, and when, as it comes out.
fn first_touch(context: &Context, world: &mut World) -> Option<(f64, Contact)> {
    let mut stop = StopAtTouch::default();
    // It ends with the touch, which is what is wanted, or with none.
    let _ = world.advance_watched(10.0, &mut Observers::none().with(&mut stop));
    stop.touch.map(|(time, contact)| context.subject.touch(time, contact))
}

fn time_row(context: &Context, meeting: Meeting) -> Row {
    let Meeting { id, what, gravity, bodies: [a, b], time } = meeting;
    let touch = || {
        let mut world = World::builder().passing().gravity(gravity).build().ok()?;
        world.add(a?).ok()?;
        world.add(b?).ok()?;
        first_touch(context, &mut world)
    };
    let got = touch().map_or(f64::NAN, |(time, _)| time);
    let row = Row::case(id, format!("{what}: time of the first touch"), BY_HAND);
    row.in_unit("s").relative(TOLD, time, got)
}

/// A ball passes another, 10 m on either side, at 10⁻³ to 10⁻⁸ of a metre more or less than the sum of their radii.
fn grazing(context: &Context) -> Row {
    let touches = |clearance: f64| {
        let mut world = World::builder().passing().gravity(DVec3::ZERO).build().ok()?;
        world.add(Body::fixed(ball(0.5)?)).ok()?;
        let start = DVec3::new(-10.0, 1.0 + clearance, 0.0);
        world.add(thrown(ball(0.5), start, 50.0 * DVec3::X)?).ok()?;
        Some(f64::from(u8::from(first_touch(context, &mut world).is_some())))
    };
    let counted = |sign: f64| -> f64 {
        let clearances = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8].map(|it| sign * it);
        let found = clearances.map(|it| touches(it).unwrap_or(f64::NAN));
        context.subject.extent(found.iter().sum())
    };
    let what =
        "touches in six passes with overlaps of 10⁻³ to 10⁻⁸ m, and in six that clear by as much";
    let got = vec![counted(-1.0), counted(1.0)];
    Row::case("m1/TOI-R7/grazing", what, BY_HAND).absolute(0.0, vec![6.0, 0.0], got)
}

/// A ball of radius ½ comes down on a slope along its normal n = (0.6, 0, 0.8), 2 m from the origin.
fn place(context: &Context) -> Vec<Row> {
    let normal = DVec3::new(0.6, 0.0, 0.8);
    let foot = 2.0 * DVec3::new(0.8, 0.0, -0.6);
    let touch = || {
        let mut world = World::builder().passing().gravity(DVec3::ZERO).build().ok()?;
        world.add(below(normal, 0.0)?).ok()?;
        world.add(thrown(ball(0.5), foot + 1.5 * normal, -normal)?).ok()?;
        first_touch(context, &mut world)
    };
    let found = touch().map(|(_, contact)| contact);
    let row = |key: &str, what: &str| {
        Row::case(format!("touch/{key}"), format!("a ball comes down on a slope: {what}"), BY_HAND)
    };
    vec![
        row("point", "where").in_unit("m").absolute(
            TOLD,
            foot,
            found.map_or(DVec3::NAN, |it| it.point),
        ),
        row("normal", "normal, from the ball to the slope").absolute(
            TOLD,
            -normal,
            found.map_or(DVec3::NAN, |it| it.normal),
        ),
        row("speed", "rate of the distance").in_unit("m/s").absolute(
            TOLD,
            -1.0,
            found.map_or(f64::NAN, |it| context.subject.extent(it.speed)),
        ),
    ]
}

/// A cube of edge 1 at 5 m from the origin along x, turned by 45° about z: its edge is foremost.
fn casts(context: &Context) -> Vec<Row> {
    let edge = 5.0 - libm::sqrt(0.5);
    let shares = || {
        let mut world = World::builder().passing().build().ok()?;
        let turned = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
        let pose = Pose::new(5.0 * DVec3::X, turned);
        world.add(Body::fixed(cuboid(DVec3::splat(0.5))?).pose(pose)).ok()?;
        let ray = world.cast_ray(DVec3::ZERO, DVec3::X, 10.0, 0.0)?;
        let ball = world.cast_shape(&ball(0.25)?, &Pose::IDENTITY, 10.0 * DVec3::X, 0.0)?;
        Some([ray.share, ball.share])
    };
    let [ray, ball] = shares().unwrap_or([f64::NAN; 2]).map(|it| context.subject.extent(it));
    let row = |key: &str, what: &str| {
        Row::case(
            format!("touch/cast/{key}"),
            format!("{what} at an edge: share of its way"),
            BY_HAND,
        )
    };
    vec![
        row("ray", "a ray").absolute(1e-15, edge / 10.0, ray),
        row("ball", "a ball of 0.25 m").absolute(TOLD, (edge - 0.25) / 10.0, ball),
    ]
}

/// A cube put 0.9 edges beside another.
fn refused(context: &Context) -> Vec<Row> {
    let error = || {
        let mut world = World::builder().passing().build().ok()?;
        let cube = cuboid(DVec3::splat(0.5))?;
        world.add(Body::fixed(cube.clone())).ok()?;
        world.add(Body::free(cube).at(DVec3::new(0.0, 0.9, 0.2))).err()
    };
    let (depth, direction) = match error() {
        Some(WorldError::Overlap { depth, direction, .. }) => {
            (context.subject.extent(depth), context.subject.direction(direction))
        }
        _ => (f64::NAN, DVec3::NAN),
    };
    let row = |key: &str, what: &str| {
        Row::case(
            format!("touch/refused/{key}"),
            format!("a cube put into another: {what}"),
            BY_HAND,
        )
    };
    vec![
        row("depth", "depth").in_unit("m").absolute(1e-15, 0.1, depth),
        row("direction", "the way out").absolute(1e-15, DVec3::Y, direction),
    ]
}
