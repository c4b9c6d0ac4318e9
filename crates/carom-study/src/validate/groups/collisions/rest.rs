//! Rest, sliding and rolling by collisions alone: thesis 3.5, guide MC, SY-R5.

use glam::{DQuat, DVec3};

use carom::{Body, ContactSettings, Microcollisions, World};
use carom_geometry::Pose;
use oracles::sequences::{BlockOnSlope, SlidingBall};

use super::super::super::{Context, Row};
use super::stage::{GRAVITY, Stage, ball, cuboid};

const THESIS: &str = "Mirtich 1996, 3.5, and the guide's MC";
const CLOSED: &str = "reference cases C, closed form";

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = vec![resting(context), ramp(context)];
    rows.extend(rolling(context));
    rows.push(weightless(context));
    rows
}

/// MC-R4: what holds a cube up.
fn resting(context: &Context) -> Row {
    let found = || {
        let builder = World::builder().envelope(1e-5);
        let (mut stage, floor, material) = Stage::on_a_floor(context, builder, [0.5, 0.4])?;
        let askew = DQuat::from_scaled_axis(0.01 * DVec3::new(0.44, 0.87, 0.22));
        let body = Body::free(cuboid(DVec3::splat(0.1))?).material(material).mass(1.0);
        let place = Pose::new(0.051 * DVec3::Z, askew);
        let cube = stage.world.add(body.pose(place)).ok()?;
        stage.run(1.0).ok()?;
        let before = *stage.world.contact(floor, cube)?.sums();
        stage.run(6.0).ok()?;
        let after = *stage.world.contact(floor, cube)?.sums();
        let force = (after.normal_impulse - before.normal_impulse) / 5.0;
        Some(context.subject.extent(force))
    };
    let what = "a cube of 1 kg at rest: mean support over 5 s";
    Row::case("m1/MC-R4/force", what, THESIS).in_unit("N").relative(
        5e-4,
        GRAVITY,
        found().unwrap_or(f64::NAN),
    )
}

/// MC-R5: the ramp of the thesis.
fn ramp(context: &Context) -> Row {
    let slope = BlockOnSlope::THESIS;
    let found = || {
        let (sin, cos) = libm::sincos(slope.angle);
        let gravity = slope.gravity * DVec3::new(sin, 0.0, -cos);
        let mut stage = Stage::new(context, gravity, World::builder().envelope(1e-4))?;
        let material = stage.material(slope.friction, 0.3)?;
        let ground = carom_geometry::shapes::HalfSpace::new(DVec3::Z, 0.0).ok()?;
        let ground = carom_geometry::Shape::HalfSpace(ground);
        stage.world.add(Body::fixed(ground).material(material)).ok()?;
        let block = Body::free(cuboid(DVec3::new(0.2, 0.2, 0.1))?).material(material);
        let start = block.at(0.0501 * DVec3::Z).velocity(BlockOnSlope::THESIS_SPEED * DVec3::X);
        let block = stage.world.add(start).ok()?;
        stage.run(2.0).ok()?;
        Some(stage.world.state(block)?.position.x)
    };
    let (_, way) = slope.stop(BlockOnSlope::THESIS_SPEED).unwrap_or((f64::NAN, f64::NAN));
    let what = "a block sent down a ramp of 30° at 5.48 m/s, μ = 0.9: way after 2 s";
    // A hundredth more friction stops it 2.8 % earlier.
    Row::case("m1/MC-R5/way", what, THESIS).in_unit("m").relative(
        0.01,
        way,
        found().unwrap_or(f64::NAN),
    )
}

/// SY-R5 and C3: from sliding to rolling.
fn rolling(context: &Context) -> Vec<Row> {
    let expected =
        SlidingBall { velocity: [2.0, 0.0], surface: [0.0, 0.0], friction: 0.2, gravity: GRAVITY };
    let found = || {
        let builder = World::builder().envelope(1e-7);
        let (mut stage, _, material) = Stage::on_a_floor(context, builder, [0.2, 0.0])?;
        let body = Body::free(ball(0.1)?).material(material).at((0.1 + 1e-7) * DVec3::Z);
        let id = stage.world.add(body.velocity(2.0 * DVec3::X)).ok()?;
        let mut rolls = None;
        for step in 1..=4000 {
            stage.run(1e-4 * f64::from(step)).ok()?;
            let state = stage.world.state(id)?;
            let slips = state.velocity.x - 0.1 * state.angular_velocity.y;
            if rolls.is_none() && slips < 1e-6 {
                rolls = Some(context.subject.time(stage.world.now()));
            }
        }
        Some((rolls?, context.subject.extent(stage.velocity(id)?.x)))
    };
    let (time, speed) = found().unwrap_or((f64::NAN, f64::NAN));
    let row = |key: &str, what: &str| Row::case(format!("m1/SY-R5/{key}"), what, CLOSED);
    vec![
        row("time", "a ball thrown along a floor: when it begins to roll").in_unit("s").relative(
            2e-3,
            expected.rolls_after(),
            time,
        ),
        row("speed", "the same: how fast it rolls then").in_unit("m/s").relative(
            1e-6,
            expected.rolling()[0],
            speed,
        ),
    ]
}

/// MC-R8: without weight nothing is micro, however slow.
fn weightless(context: &Context) -> Row {
    let micro = |microcollisions| {
        let contact = ContactSettings { microcollisions, ..ContactSettings::default() };
        let mut stage = Stage::new(context, DVec3::ZERO, World::builder().contact(contact))?;
        let material = stage.material(0.5, 0.2)?;
        for side in [-1.0, 1.0] {
            let body = Body::free(cuboid(DVec3::new(0.1, 0.2, 0.3))?).material(material);
            let body = body.at(side * 0.2 * DVec3::X).velocity(-side * 1e-3 * DVec3::X);
            stage.world.add(body.angular_velocity(0.01 * DVec3::ONE)).ok()?;
        }
        stage.run(500.0).ok()?;
        let sums = *stage.world.contacts().next()?.sums();
        let counted = context.subject.extent(sums.collisions as f64);
        Some([sums.micro as f64, counted.fract()])
    };
    let found = [Microcollisions::Trains, Microcollisions::Plain].map(micro);
    let got: Vec<f64> = found.into_iter().flat_map(|it| it.unwrap_or([f64::NAN; 2])).collect();
    let what =
        "two boxes meet at 2 mm/s without gravity: microcollisions, by trains and by the letter";
    Row::case("m1/MC-R8/weightless", what, THESIS).absolute(0.0, vec![0.0; 4], got)
}
