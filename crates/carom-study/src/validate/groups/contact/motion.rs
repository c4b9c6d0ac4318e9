//! What moves in contact: a ball that leaves a sphere, a rod that slips, an ellipsoid that rocks, a block on a wedge.

use glam::{DMat3, DQuat, DVec3};

use carom::{Body, BodyId, Happening, Impacts, Instant, Observer, Observers, Stop, World};
use carom_geometry::shapes::Ellipsoid;
use carom_geometry::{MassProperties, Pose, Shape};

use super::super::super::{Context, Row};
use super::{CASES, GRAVITY, GUIDE, Stage, ball, cuboid, hull, or_nan};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = leaving(context);
    rows.extend(falling(context));
    for (a, least, most, crossing) in [
        (2.0, 0.51468, 2.79895, 0.43069),
        (4.0, 0.27385, 10.78498, 0.59850),
        (8.0, 0.20501, 29.44231, 0.89885),
    ] {
        rows.push(rocking(context, a, [least, most, crossing]));
    }
    rows.push(wedge(context));
    rows
}

/// Where a body is when it lifts.
struct Lifts(BodyId, Option<DVec3>);

impl Observer for Lifts {
    fn between(&mut self, _: &World, _: std::ops::Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        let lifts = |it: &carom::Event| matches!(it.what, Happening::Lifts { .. });
        if instant.events.iter().any(lifts) {
            self.1 = self.1.or(world.state(self.0).map(|it| it.position));
        }
        Ok(())
    }
}

/// A ball 0.1° from the top of a fixed one: (2-13) on the way, and where it leaves.
fn leaving(context: &Context) -> Vec<Row> {
    let found = || {
        let mut stage = Stage::dead(context)?;
        let sphere = stage.add(Body::fixed(ball(0.5)?))?;
        let start = 0.1_f64.to_radians();
        let place = (0.55 + 1e-10) * DVec3::new(libm::sin(start), 0.0, libm::cos(start));
        let small = stage.add(Body::free(ball(0.05)?).mass(1.0).at(place))?;
        let (mut expected, mut got) = (Vec::new(), Vec::new());
        for time in [0.5, 1.0, 1.5, 1.6] {
            stage.run(time)?;
            let state = stage.world.state(small)?;
            let pull = state.position.dot(GRAVITY * DVec3::NEG_Z);
            let length = state.position.length();
            expected.push(-(state.velocity.length_squared() + pull) / length);
            got.push(stage.force(sphere, small));
        }
        let mut lifts = Lifts(small, None);
        stage.world.advance_watched(2.0, &mut Observers::none().with(&mut lifts)).ok()?;
        let place = lifts.1?;
        let place = place / place.length();
        Some((expected, got, context.subject.extent(place.z)))
    };
    let (expected, got, cosine) = found().unwrap_or((vec![0.0], vec![f64::NAN], f64::NAN));
    vec![
        Row::case("baraff/4", "a particle on a sphere at four times: force by (2-13)", GUIDE)
            .in_unit("N")
            .relative(1e-6, expected, got),
        Row::case("baraff/3", "the same leaves the sphere: cosine of the angle there", GUIDE)
            .absolute(1e-5, 2.0 / 3.0, cosine),
        Row::case("ref/C8", "the same: the angle", CASES).in_unit("°").absolute(
            0.01,
            48.18969,
            libm::acos(cosine).to_degrees(),
        ),
    ]
}

/// A rod of 1 m, 5° off the vertical, as one edge of a thin tetrahedron.
fn falling(context: &Context) -> Vec<Row> {
    let found = || {
        let mut stage = Stage::dead(context)?;
        stage.floor()?;
        let side = |y: f64| DVec3::new(-0.02, y, 0.0);
        let shape = hull(&[-0.5 * DVec3::Z, 0.5 * DVec3::Z, side(0.01), side(-0.01)])?;
        let inertia = DMat3::from_diagonal(DVec3::new(1.0 / 12.0, 1.0 / 12.0, 1e-3));
        let mass = MassProperties { mass: 1.0, center: DVec3::ZERO, inertia };
        let lean = 5.0_f64.to_radians();
        let pose = Pose::new(0.5 * libm::cos(lean) * DVec3::Z, DQuat::from_rotation_y(lean));
        let rod = stage.add(Body::free(shape).mass_properties(mass).pose(pose))?;
        // Just before; the rest of the way takes 2e-5 s, in which it speeds up by 1.5 g.
        stage.run(0.6032)?;
        let state = stage.world.state(rod)?;
        let left = libm::asin((state.orientation * DVec3::Z).z) / state.angular_velocity.y;
        let rate = state.angular_velocity.y + 1.5 * GRAVITY * left;
        Some([0.6032 + left, rate].map(|it| context.subject.extent(it)))
    };
    let [time, rate] = found().unwrap_or([f64::NAN; 2]);
    vec![
        Row::case("ref/C7/time", "a rod that slips on a floor: when it is flat", CASES)
            .in_unit("s")
            .absolute(1e-5, 0.6032211, time),
        Row::case("ref/C7/rate", "the same: its rate then", CASES)
            .in_unit("rad/s")
            .absolute(1e-5, 5.4146108, rate),
    ]
}

/// An ellipsoid that rocks: the least push of the floor, the push at the first crossing, and its time.
fn rocking(context: &Context, a: f64, expected: [f64; 3]) -> Row {
    let found = || {
        let (mut stage, floor, body) = tilted(context, a)?;
        let tilt =
            |stage: &Stage<'_>| stage.world.state(body).map(|it| -(it.orientation * DVec3::X).z);
        let (mut least, mut step, mut before) = (f64::INFINITY, 2, tilt(&stage)?);
        let crossing = loop {
            let time = 1e-3 * f64::from(step);
            stage.run(time)?;
            let after = tilt(&stage)?;
            if after <= 0.0 {
                break time - 1e-3 * after / (after - before);
            }
            least = least.min(stage.force(floor, body));
            (before, step) = (after, step + 1);
        };
        let (mut again, floor, body) = tilted(context, a)?;
        again.run(crossing)?;
        let most = again.force(floor, body);
        Some(vec![least / 9.8, most / 9.8, context.subject.extent(crossing)])
    };
    let got = or_nan(found(), 3);
    let shares: Vec<f64> = got.iter().zip(expected).map(|(got, expected)| got / expected).collect();
    let what = format!(
        "an ellipse of {a} m and 1 m rocks: least and largest push, first crossing, as shares of \
         {expected:?}"
    );
    Row::case(format!("baraff/26/{a}"), what, GUIDE).absolute(1e-4, vec![1.0; 3], shares)
}

fn tilted(context: &Context, a: f64) -> Option<(Stage<'_>, BodyId, BodyId)> {
    let mut stage = Stage::new(context, 9.8, 0.0, Impacts::Sequence)?;
    let floor = stage.floor()?;
    let shape = Shape::Ellipsoid(Ellipsoid::new(DVec3::new(a, 1.5, 1.0)).ok()?);
    let height = libm::hypot(a * libm::sin(0.5), libm::cos(0.5)) + 1e-9;
    let pose = Pose::new(height * DVec3::Z, DQuat::from_rotation_y(0.5));
    let body = stage.add(Body::free(shape).mass(1.0).pose(pose))?;
    Some((stage, floor, body))
}

/// A block of 1 kg on a wedge of 2 kg and 30°.
fn wedge(context: &Context) -> Row {
    let (block, base) = (1.0, 2.0);
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let found = || {
        let mut stage = Stage::dead(context)?;
        stage.floor()?;
        let (long, high) = (1.5 * cos, 1.5 * sin);
        let corner = |x: f64, z: f64| [DVec3::new(x, -0.2, z), DVec3::new(x, 0.2, z)];
        let points = [corner(0.0, 0.0), corner(long, 0.0), corner(0.0, high)].concat();
        let wedge = stage.add(Body::free(hull(&points)?).mass(base))?;
        let (down, out) = (DVec3::new(cos, 0.0, -sin), DVec3::new(sin, 0.0, cos));
        let place = high * DVec3::Z + 0.15 * down + (0.05 + 1e-9) * out;
        let pose = Pose::new(place, DQuat::from_rotation_y(30.0_f64.to_radians()));
        let top = stage.add(Body::free(cuboid(0.2, 0.2, 0.1)?).mass(block).pose(pose))?;
        stage.run(0.3)?;
        let moved = -stage.world.kinematics(wedge)?.acceleration.x;
        Some(vec![context.subject.extent(moved), stage.force(wedge, top)])
    };
    let below = base + block * sin * sin;
    let expected = vec![block * GRAVITY * sin * cos / below, block * base * GRAVITY * cos / below];
    let what = "a block on a wedge of 30°: acceleration of the wedge, force between them";
    Row::case("baraff/33", what, GUIDE).in_unit("m/s², N").relative(
        1e-6,
        expected,
        or_nan(found(), 2),
    )
}
