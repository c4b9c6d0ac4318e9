//! Scripted bodies of a world, read at given times; every number is worked out by hand.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, PI};

use glam::{DQuat, DVec3};

use carom::{Body, World};
use carom_dynamics::Law;
use carom_dynamics::law::{LawSpec, Oscillation, Swing, Waypoint};
use carom_geometry::shapes::Ball;
use carom_geometry::{Pose, Shape};

use super::super::{Context, Row};
use super::quaternion_like;

const BY_HAND: &str = "by hand from the law";

/// Rounding of a sine, its amplitude and a sum, for lengths of some metres.
const ROUNDING: f64 = 4e-15;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    [constant(context), cycler(context), oscillator(context), waypoints(context)].concat()
}

/// Positions and orientation of a ball that follows the law, at the times.
fn follow(context: &Context, spec: LawSpec, times: &[f64]) -> Option<Vec<(DVec3, DQuat)>> {
    let shape = Shape::Ball(Ball::new(0.1).ok()?);
    let mut world = World::builder().build().ok()?;
    let id = world.add(Body::scripted(shape, Law::new(spec).ok()?)).ok()?;
    let mut found = Vec::new();
    for &time in times {
        world.advance_to(context.subject.time(time)).ok()?;
        let state = context.subject.state(world.state(id)?);
        found.push((state.position, state.orientation));
    }
    Some(found)
}

fn positions(found: Option<&Vec<(DVec3, DQuat)>>) -> Vec<f64> {
    found.into_iter().flatten().flat_map(|(position, _)| position.to_array()).collect()
}

fn row(key: &str, what: &str) -> Row {
    Row::case(format!("world/scripted/{key}"), what, BY_HAND).in_unit("m")
}

/// Where the last orientation should be, as w, x, y, z.
fn last_orientation(
    key: &str,
    what: &str,
    expected: [f64; 4],
    found: Option<&Vec<(DVec3, DQuat)>>,
) -> Row {
    let last = found.and_then(|found| found.last());
    let got = last.map(|(_, orientation)| quaternion_like(expected, *orientation));
    row(key, what).in_unit("-").absolute(ROUNDING, expected.to_vec(), got.unwrap_or_default())
}

/// From (1, 2, 3) at 1 s with (2, 0, −1) m/s and a quarter turn about z per second.
fn constant(context: &Context) -> Vec<Row> {
    let spec = LawSpec::Constant {
        start: 1.0,
        world_from_body: Pose::from_translation(DVec3::new(1.0, 2.0, 3.0)),
        velocity: DVec3::new(2.0, 0.0, -1.0),
        angular_velocity: FRAC_PI_2 * DVec3::Z,
    };
    let found = follow(context, spec, &[1.5, 3.0]);
    let what = "constant velocity: positions at 1.5 and 3 s";
    vec![
        row("constant/position", what).relative(
            ROUNDING,
            vec![2.0, 2.0, 2.5, 5.0, 2.0, 1.0],
            positions(found.as_ref()),
        ),
        last_orientation(
            "constant/orientation",
            "constant spin: orientation after half a turn, w, x, y, z",
            [0.0, 0.0, 0.0, 1.0],
            found.as_ref(),
        ),
    ]
}

/// Round (1, 0, 0) on an ellipse of semi-axes 2 and 1, half a turn per second.
fn cycler(context: &Context) -> Vec<Row> {
    let spec = LawSpec::Cycler {
        centre: DVec3::X,
        semi_axes: [2.0 * DVec3::X, DVec3::Y],
        rate: PI,
        phase: 0.0,
        orientation: DQuat::IDENTITY,
    };
    let found = follow(context, spec, &[0.25, 0.5, 1.0]);
    // 1 + √2 and √½.
    let first = [2.414213562373095, std::f64::consts::FRAC_1_SQRT_2, 0.0];
    let expected = [first, [1.0, 1.0, 0.0], [-1.0, 0.0, 0.0]].concat();
    let what = "cycler: positions at ¼, ½ and 1 s";
    vec![row("cycler", what).relative(ROUNDING, expected, positions(found.as_ref()))]
}

/// Shakes by ½ m along z at 1 Hz about 1 m, and rocks by 60° about the axis x = 0, z = 0 at ½ Hz.
///
/// At ¼ s the shake is at its top, 1 + ½. The body, 2 m along x from the rocking axis y, is turned by
/// 60°·sin 90° at ½ s, to (2·cos 60°, 0, −2·sin 60°), where the shake is back at 1.
fn oscillator(context: &Context) -> Vec<Row> {
    let term =
        |swing, amplitude, rate, mean| Oscillation { swing, amplitude, rate, phase: 0.0, mean };
    let along = Swing::Along { axis: DVec3::Z };
    let about = Swing::About { axis: DVec3::Y, pivot: DVec3::ZERO };
    let shake = term(along, 0.5, 2.0 * PI, 1.0);
    let rock = term(about, FRAC_PI_3, PI, 0.0);
    let base = Pose::from_translation(2.0 * DVec3::X);
    let of = |terms: Vec<Oscillation>, times: &[f64]| {
        follow(context, LawSpec::Oscillator { base, terms }, times)
    };
    // A tenth of a second later than the top: 1 + ½·cos 36°.
    let shaken = of(vec![shake], &[0.25, 0.35]);
    let rocked = of(vec![shake, rock], &[0.5]);
    let above = 1.0 + 0.5 * 0.8090169943749475;
    vec![
        row("oscillator/shaken", "oscillator along an axis: positions at 0.25 and 0.35 s")
            .relative(ROUNDING, vec![2.0, 0.0, 1.5, 2.0, 0.0, above], positions(shaken.as_ref())),
        // 1 − √3.
        row("oscillator/rocked", "oscillator along and about axes: position at 0.5 s").relative(
            ROUNDING,
            DVec3::new(1.0, 0.0, -0.7320508075688772),
            positions(rocked.as_ref()),
        ),
    ]
}

/// From the origin to (4, 0, 0) in 2 s, then to (4, 2, 0) in 1 s, turned by 60° about z on the way.
///
/// A quarter of a leg in time is 10/64 − 15/256 + 6/1024 = 0.103515625 of it in length, half of it is half.
fn waypoints(context: &Context) -> Vec<Row> {
    // 60° about z: cos 30° and sin 30°.
    let turned = DQuat::from_xyzw(0.0, 0.0, 0.5, 0.8660254037844386);
    let point =
        |time, x, y, rotation| Waypoint { time, pose: Pose::new(DVec3::new(x, y, 0.0), rotation) };
    let points = vec![
        point(0.0, 0.0, 0.0, DQuat::IDENTITY),
        point(2.0, 4.0, 0.0, DQuat::IDENTITY),
        point(3.0, 4.0, 2.0, turned),
    ];
    let found = follow(context, LawSpec::Waypoints { points, period: None }, &[0.5, 2.0, 2.5]);
    let expected = [[0.4140625, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 1.0, 0.0]].concat();
    let what = "waypoints: positions at 0.5, 2 and 2.5 s";
    vec![
        row("waypoints/position", what).relative(ROUNDING, expected, positions(found.as_ref())),
        // 30° about z: cos 15° and sin 15°.
        last_orientation(
            "waypoints/orientation",
            "waypoints: orientation half-way through a turn of 60°, w, x, y, z",
            [0.9659258262890683, 0.0, 0.0, 0.25881904510252074],
            found.as_ref(),
        ),
    ]
}
