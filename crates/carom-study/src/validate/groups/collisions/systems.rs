//! Worlds as a whole: nothing overlaps (SY-R1), rows of balls (SY-R3), threads (SY-R4), slopes (MC-R6).

use glam::{DQuat, DVec3};
use oracles::impact::samples::Random;
use oracles::sequences::BlockOnSlope;

use carom::{Body, BodyId, BodyState, StateHash, World, WorldBuilder};
use carom_geometry::shapes::HalfSpace;
use carom_geometry::{Pose, Shape};

use super::super::super::{Context, Row};
use super::sequences::cradle;
use super::stage::{GRAVITY, Stage, ball, cuboid};

/// Edges of the boxes that are thrown down `[m]`.
const EDGES: DVec3 = DVec3::new(0.1, 0.2, 0.3);
const RADIUS: f64 = 0.1;
const N_BODIES: u32 = 8;
const N_LOOKS: u32 = 1000;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = slopes(context).to_vec();
    rows.extend([apart(context), row_of_balls(context), threads(context)]);
    rows
}

/// Of the slopes `[m]`.
const ENVELOPE: f64 = 1e-5;

/// MC-R6: a block on a slope of 30° slides or is held, but for creep.
///
/// What each collision stops and what hops at v_μ = √(2gε) in between, for 2v_μ/(g·cos ϑ), slides at tan ϑ·v_μ in the mean:
/// faster than that nothing creeps that is held. The prototypes of the guide's MC-3 crept at 3.7 to 5.1 mm/s where μ = 0.9.
fn slopes(context: &Context) -> [Row; 3] {
    let slope = |friction| BlockOnSlope { friction, ..BlockOnSlope::THESIS };
    let way = |slope: &BlockOnSlope| slid(context, slope).unwrap_or(f64::NAN);
    let row = |key: &str, source: &str| {
        let what = format!("a block put on a slope of 30°, μ = {key}: way after 1 s");
        Row::case(format!("m1/MC-R6/{key}"), what, source).in_unit("m")
    };
    let held = |row: Row, friction: f64, creep: f64| {
        let way = context.subject.measure(way(&slope(friction)), [-creep, creep]);
        row.absolute(creep, 0.0, way)
    };
    let steep = slope(0.4);
    let bound = libm::tan(steep.angle) * (2.0 * GRAVITY * ENVELOPE).sqrt();
    [
        // A hundredth more friction makes it 2.3 % shorter.
        row("0.4", "reference cases C, closed form").relative(
            0.01,
            0.5 * steep.acceleration(),
            way(&steep),
        ),
        held(row("0.7", "held, by hand: creep below tan ϑ·√(2gε)"), 0.7, bound),
        held(row("0.9", "held; guide to Mirtich 1996, MC-3: creep of 5.1 mm/s"), 0.9, 5.1e-3),
    ]
}

fn slid(context: &Context, slope: &BlockOnSlope) -> Option<f64> {
    let (sin, cos) = libm::sincos(slope.angle);
    let gravity = slope.gravity * DVec3::new(sin, 0.0, -cos);
    let mut stage = Stage::new(context, gravity, World::builder().envelope(ENVELOPE))?;
    let material = stage.material(slope.friction, 0.3)?;
    let ground = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).ok()?);
    stage.world.add(Body::fixed(ground).material(material)).ok()?;
    let block = Body::free(cuboid(DVec3::new(0.2, 0.2, 0.1))?).material(material);
    let block = stage.world.add(block.at(0.05 * DVec3::Z)).ok()?;
    stage.run(1.0).ok()?;
    Some(stage.world.state(block)?.position.x)
}

/// Boxes and balls thrown down, close enough to meet.
fn thrown(context: &Context, builder: WorldBuilder) -> Option<(Stage<'_>, Vec<BodyId>)> {
    let (mut stage, _, material) = Stage::on_a_floor(context, builder, [0.4, 0.6])?;
    let mut random = Random(41);
    let mut ids = Vec::new();
    for index in 0..N_BODIES {
        let shape = if index % 2 == 0 { cuboid(EDGES)? } else { ball(RADIUS)? };
        let [x, y] = [index % 4, index / 4].map(|i| 0.4 * f64::from(i));
        let mut vector = || DVec3::new(random.signed(), random.signed(), random.signed());
        let place = Pose::new(DVec3::new(x, y, 0.5), DQuat::from_scaled_axis(vector()));
        let body = Body::free(shape).material(material).pose(place);
        ids.push(stage.world.add(body.velocity(vector()).angular_velocity(3.0 * vector())).ok()?);
    }
    Some((stage, ids))
}

/// The height of the lowest point of a thrown body, from its place alone `[m]`.
fn lowest(index: usize, state: &BodyState) -> f64 {
    if index % 2 == 1 {
        return state.position.z - RADIUS;
    }
    let axes = glam::DMat3::from_quat(state.orientation);
    state.position.z - 0.5 * axes.transpose().z_axis.abs().dot(EDGES)
}

/// SY-R1: no body is ever below the floor, no two balls closer than their radii.
fn apart(context: &Context) -> Row {
    let found = || {
        let (mut stage, ids) = thrown(context, World::builder())?;
        let mut n_apart = 0_u32;
        for look in 1..=N_LOOKS {
            stage.run(1e-3 * f64::from(look)).ok()?;
            let states: Option<Vec<BodyState>> =
                ids.iter().map(|id| stage.world.state(*id)).collect();
            let states = states?;
            let above = states.iter().enumerate().all(|(i, state)| lowest(i, state) > 0.0);
            let balls: Vec<DVec3> =
                states.iter().skip(1).step_by(2).map(|it| it.position).collect();
            let clear =
                |(i, a): (usize, &DVec3)| balls[..i].iter().all(|b| a.distance(*b) > 2.0 * RADIUS);
            n_apart += u32::from(above && balls.iter().enumerate().all(clear));
        }
        let n_pairs = stage.world.contacts().count();
        (n_pairs > ids.len()).then(|| context.subject.extent(f64::from(n_apart)))
    };
    let what = format!(
        "{N_BODIES} boxes and balls thrown on a floor and each other: looks at which none was below it and no balls \
         overlapped"
    );
    Row::case("m1/SY-R1", what, "lowest corners and distances of centres, by hand").absolute(
        0.0,
        f64::from(N_LOOKS),
        found().unwrap_or(f64::NAN),
    )
}

/// SY-R3: balls as far apart as the envelope is wide.
fn row_of_balls(context: &Context) -> Row {
    let gap = carom::ContactSettings::ENVELOPE_SHARE * 0.2;
    let got = cradle(context, gap, 1.0, 1.0).unwrap_or_else(|| vec![f64::NAN; 5]);
    let what = "five elastic balls an envelope apart: speeds after the first was hit";
    Row::case("m1/SY-R3", what, "equal elastic balls exchange their velocities")
        .in_unit("m/s")
        .absolute(1e-9, vec![0.0, 0.0, 0.0, 0.0, 1.0], got)
}

/// SY-R4: the same bits again, and with any number of threads.
fn threads(context: &Context) -> Row {
    let end = |threads: usize| -> Option<StateHash> {
        let (mut stage, _) = thrown(context, World::builder().threads(threads))?;
        stage.run(0.5).ok()?;
        Some(stage.world.hash())
    };
    let first = end(1);
    let same = [1, 2, 3, 8].into_iter().filter(|n| first.is_some() && end(*n) == first).count();
    let what =
        "the same bodies after 0.5 s by 1, 2, 3 and 8 threads: ends with the bits of the first run";
    let got = context.subject.extent(same as f64);
    Row::case("m1/SY-R4", what, "guide to Mirtich 1996, SY-R4").absolute(0.0, 4.0, got)
}
