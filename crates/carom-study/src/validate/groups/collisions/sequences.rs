//! Sequences of collisions with closed forms: reference cases B1 to B4, rows of balls, spheres that bounce without loss.

use glam::DVec3;

use carom::{Body, BodyId, World};
use oracles::sequences::{BouncingBall, Cradle, CutShot, FallingGrid, StackedDrop};

use super::super::super::{Context, Row};
use super::stage::{GRAVITY, Stage, ball};

const CASES: &str = "reference cases B (closed forms)";

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = bouncing(context);
    rows.extend(stacked(context));
    rows.extend(cradles(context));
    rows.extend(billiards(context));
    rows.push(lossless(context));
    rows
}

/// B1: bounces, and when they would end.
fn bouncing(context: &Context) -> Vec<Row> {
    let expected = BouncingBall { drop: 1.0, gravity: GRAVITY, restitution: 0.5 };
    let found = || {
        let (mut stage, floor, material) =
            Stage::on_a_floor(context, World::builder().envelope(1e-5), [0.0, 0.5])?;
        let body = Body::free(ball(0.05)?).material(material).at(1.05 * DVec3::Z);
        let id = stage.world.add(body).ok()?;
        stage.run(2.0).ok()?;
        let times: Option<Vec<f64>> = (0..8).map(|n| Some(stage.told(n)?.0)).collect();
        let settled = stage.world.contact(floor, id)?.settled()?;
        Some((times?, context.subject.told(settled)))
    };
    let (times, settled) = found().unwrap_or((vec![f64::NAN; 8], f64::NAN));
    let row = |key: &str, what: &str| Row::case(format!("ref/B1/{key}"), what, CASES).in_unit("s");
    let wanted: Vec<f64> = (1..9).map(|n| expected.impact_time(n)).collect();
    vec![
        row("bounces", "a ball dropped 1 m, e = 0.5: times of the first eight bounces")
            .absolute(1e-6, wanted, times),
        row("end", "the same: when it has come to rest").absolute(1e-3, expected.end(), settled),
    ]
}

/// B2: a light ball on top of a heavy one.
fn stacked(context: &Context) -> Vec<Row> {
    let row = |key: &str, restitutions: [f64; 2]| {
        let drop = StackedDrop { masses: [0.6, 0.06], drop: 1.0, gravity: GRAVITY, restitutions };
        let what = format!("two balls dropped together, e = {restitutions:?}: velocities after");
        let got = dropped(context, restitutions).unwrap_or([f64::NAN; 2]);
        Row::case(format!("ref/B2/{key}"), what, CASES).in_unit("m/s").relative(
            1e-3,
            drop.speeds().to_vec(),
            got.to_vec(),
        )
    };
    vec![row("elastic", [1.0, 1.0]), row("lossy", [0.8, 0.7])]
}

fn dropped(context: &Context, [floor_e, balls_e]: [f64; 2]) -> Option<[f64; 2]> {
    let (mut stage, _, ground) = Stage::on_a_floor(context, World::builder(), [0.0, floor_e])?;
    let rubber = stage.material(0.0, balls_e)?;
    let (on_floor, on_ball) = (stage.surface(0.0, floor_e), stage.surface(0.0, balls_e));
    stage.world.set_pair(ground, rubber, on_floor).ok()?;
    stage.world.set_pair(rubber, rubber, on_ball).ok()?;
    let low = Body::free(ball(0.1)?).mass(0.6).material(rubber).at(1.1 * DVec3::Z);
    let high = Body::free(ball(0.02)?).mass(0.06).material(rubber).at((1.22 + 1e-6) * DVec3::Z);
    let ids = [stage.world.add(low).ok()?, stage.world.add(high).ok()?];
    stage.run(0.46).ok()?;
    let since = stage.world.now() - stage.told(1)?.0;
    let [low, high] = ids.map(|id| Some(stage.velocity(id)?.z + GRAVITY * since));
    Some([low?, high?])
}

/// B3: five equal balls, with gaps and touching.
fn cradles(context: &Context) -> Vec<Row> {
    let row = |key: &str, what: &str, expected: Vec<f64>, got: Option<Vec<f64>>| {
        let got = got.unwrap_or_else(|| vec![f64::NAN; expected.len()]);
        Row::case(format!("ref/B3/{key}"), what, CASES).in_unit("m/s").absolute(1e-9, expected, got)
    };
    let whole = vec![0.0, 0.0, 0.0, 0.0, 1.0];
    let lossy = Cradle { speed: 1.0, restitution: 0.9 };
    let last = cradle(context, 1e-3, 0.9, 0.52).map(|speeds| vec![speeds[4]]);
    vec![
        row(
            "gaps",
            "five balls with gaps of 1 mm, e = 1: speeds after",
            whole.clone(),
            cradle(context, 1e-3, 1.0, 1.0),
        ),
        row(
            "touching",
            "five balls that touch, e = 1: speeds after",
            whole,
            cradle(context, 0.0, 1.0, 1.0),
        ),
        row("lossy", "e = 0.9: the fifth leaves its first hit at", vec![lossy.passed_on(5)], last),
    ]
}

pub(super) fn cradle(
    context: &Context,
    gap: f64,
    restitution: f64,
    until: f64,
) -> Option<Vec<f64>> {
    let mut stage = Stage::new(context, DVec3::ZERO, World::builder())?;
    let material = stage.material(0.0, restitution)?;
    let mut balls: Vec<BodyId> = Vec::new();
    for index in 0..5 {
        let place = f64::from(index) * (0.2 + gap) - if index == 0 { 0.5 } else { 0.0 };
        let velocity = if index == 0 { DVec3::X } else { DVec3::ZERO };
        let body = Body::free(ball(0.1)?).mass(1.0).material(material);
        balls.push(stage.world.add(body.at(place * DVec3::X).velocity(velocity)).ok()?);
    }
    stage.run(until).ok()?;
    balls.iter().map(|id| Some(stage.velocity(*id)?.x)).collect()
}

/// B4: a rolling cue ball cuts another, and both roll again.
fn billiards(context: &Context) -> Vec<Row> {
    [15.0_f64, 45.0]
        .into_iter()
        .flat_map(|degrees| {
            let shot = CutShot { speed: 1.0, cut: degrees.to_radians() };
            let got = cut(context, shot.cut).unwrap_or([DVec3::NAN; 2]);
            let row = |who: &str, expected: [f64; 2], got: DVec3| {
                let what = format!("a cut of {degrees}°: velocity of the {who} ball once it rolls");
                Row::case(format!("ref/B4/{who}/{degrees}"), what, CASES).in_unit("m/s").absolute(
                    2e-4,
                    expected.to_vec(),
                    vec![got.x, got.y],
                )
            };
            [row("cue", shot.cue(), got[0]), row("object", shot.object(), got[1])]
        })
        .collect()
}

fn cut(context: &Context, angle: f64) -> Option<[DVec3; 2]> {
    let radius = 0.028_575;
    let builder = World::builder().envelope(1e-7);
    let (mut stage, _, cloth) = Stage::on_a_floor(context, builder, [0.2, 0.0])?;
    let ivory = stage.material(0.0, 1.0)?;
    let (on_cloth, on_ball) = (stage.surface(0.2, 0.0), stage.surface(0.0, 1.0));
    stage.world.set_pair(cloth, ivory, on_cloth).ok()?;
    stage.world.set_pair(ivory, ivory, on_ball).ok()?;
    let (sin, cos) = libm::sincos(angle);
    let place = (radius + 1e-7) * DVec3::Z;
    // At the touch the object ball is 2r from the cue ball, turned from its way by the cut.
    let meeting = 2.0 * radius * DVec3::new(cos, -sin, 0.0);
    let body = || Some(Body::free(ball(radius)?).mass(0.17).material(ivory));
    let rolling = body()?.at(place - 0.02 * DVec3::X).velocity(DVec3::X);
    let cue = stage.world.add(rolling.angular_velocity(DVec3::Y / radius)).ok()?;
    let object = stage.world.add(body()?.at(place + meeting)).ok()?;
    stage.run(0.6).ok()?;
    let told = |id| Some(context.subject.extent(1.0) * stage.velocity(id)?);
    Some([told(cue)?, told(object)?])
}

/// SimBenchmark's bouncing spheres: nothing is lost in twenty seconds.
fn lossless(context: &Context) -> Row {
    let expected = FallingGrid::SIM_BENCHMARK;
    let found = || {
        let (mut stage, _, material) = Stage::on_a_floor(context, World::builder(), [0.0, 1.0])?;
        for index in 0..49 {
            let place = DVec3::new(f64::from(index % 7), f64::from(index / 7), 5.0);
            let body = Body::free(ball(0.1)?).mass(10.0).material(material);
            stage.world.add(body.at(place)).ok()?;
        }
        stage.run(20.0).ok()?;
        Some(stage.world.account().total())
    };
    let what = "49 spheres bounce without loss for 20 s: their energy then";
    Row::case("m1/SY-R2/lossless", what, "SimBenchmark, bouncing: E0 = 24,034.5 J")
        .in_unit("J")
        .relative(1e-12, expected.energy(), found().unwrap_or(f64::NAN))
}
