//! Impacts by Baraff's model: one alone, and all contacts at once.

use glam::DVec3;

use carom::{Body, Impacts};

use super::super::super::{Context, Row};
use super::{GRAVITY, GUIDE, Stage, ball, cuboid, or_nan};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    vec![
        pair(context, "newton", 0.5),
        pair(context, "lossless", 1.0),
        cube(context, 0.0),
        cube(context, 0.5),
        three(context),
        excess(context),
    ]
}

/// Two balls of 1 kg and 3 kg, the first at 1 m/s: velocities and energy after.
fn pair(context: &Context, key: &str, restitution: f64) -> Row {
    let found = || {
        let mut stage = Stage::new(context, 0.0, restitution, Impacts::Simultaneous)?;
        let first = Body::free(ball(0.125)?).mass(1.0).at(-0.5 * DVec3::X).velocity(DVec3::X);
        let first = stage.add(first)?;
        let second = stage.add(Body::free(ball(0.125)?).mass(3.0))?;
        stage.run(1.0)?;
        let [u, v] = [stage.velocity(first)?.x, stage.velocity(second)?.x];
        Some(vec![u, v, 0.5 * (u * u + 3.0 * v * v)])
    };
    // j = (1 + e)·v·m₁m₂/(m₁ + m₂).
    let push = (1.0 + restitution) * 0.75;
    let (u, v) = (1.0 - push, push / 3.0);
    let expected = vec![u, v, 0.5 * (u * u + 3.0 * v * v)];
    let what = format!("balls of 1 and 3 kg, e = {restitution}: velocities and energy after");
    Row::case(format!("baraff/38/{key}"), what, GUIDE).in_unit("m/s, J").absolute(
        1e-9,
        expected,
        or_nan(found(), 3),
    )
}

/// A cube of 2 kg that falls flat on four corners: the sum of impulses, and its spin.
fn cube(context: &Context, restitution: f64) -> Row {
    let time = (2.0 * 0.2 / GRAVITY).sqrt();
    let found = || {
        let mut stage = Stage::new(context, GRAVITY, restitution, Impacts::Simultaneous)?;
        stage.floor()?;
        let body =
            stage.add(Body::free(cuboid(0.25, 0.25, 0.25)?).mass(2.0).at(0.325 * DVec3::Z))?;
        let later = 1e-3;
        stage.run(time + later)?;
        let spin = stage.world.state(body)?.angular_velocity;
        // While it lies it does not fall.
        let fallen = if restitution > 0.0 { GRAVITY * later } else { 0.0 };
        let push = 2.0 * (stage.velocity(body)?.z + fallen + GRAVITY * time);
        Some(vec![context.subject.extent(push), spin.x, spin.y, spin.z])
    };
    let push = (1.0 + restitution) * 2.0 * GRAVITY * time;
    let what = format!("a cube falls flat, e = {restitution}, all corners at once: impulse, spin");
    Row::case(format!("baraff/39/{restitution}"), what, GUIDE).in_unit("N·s, rad/s").absolute(
        1e-6,
        vec![push, 0.0, 0.0, 0.0],
        or_nan(found(), 4),
    )
}

/// Three balls in a row, two of which touch, the first at 1 m/s.
fn three(context: &Context) -> Row {
    let found = || {
        let mut stage = Stage::new(context, 0.0, 1.0, Impacts::Simultaneous)?;
        let mut ids = Vec::new();
        for (x, speed) in [(-0.5, 1.0), (0.0, 0.0), (0.25, 0.0)] {
            let body = Body::free(ball(0.125)?).mass(1.0).at(x * DVec3::X);
            ids.push(stage.add(body.velocity(speed * DVec3::X))?);
        }
        stage.run(0.5)?;
        ids.into_iter().map(|id| Some(stage.velocity(id)?.x)).collect()
    };
    let what = "three equal balls in a row, e = 1, all at once: speeds after";
    Row::case("baraff/40/simultaneous", what, GUIDE).in_unit("m/s").absolute(
        1e-9,
        vec![-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0],
        or_nan(found(), 3),
    )
}

/// A ball is struck away from one that it touches, which stays.
fn excess(context: &Context) -> Row {
    let found = || {
        let mut stage = Stage::new(context, 0.0, 1.0, Impacts::Simultaneous)?;
        let aside = 0.25 * DVec3::new(-0.28, 0.96, 0.0);
        let mut ids = Vec::new();
        for (place, speed) in [(-0.5 * DVec3::X, 1.0), (DVec3::ZERO, 0.0), (aside, 0.0)] {
            let body = Body::free(ball(0.125)?).mass(1.0).at(place);
            ids.push(stage.add(body.velocity(speed * DVec3::X))?);
        }
        stage.run(0.4)?;
        let speeds: Option<Vec<DVec3>> = ids.into_iter().map(|id| stage.velocity(id)).collect();
        Some(speeds?.iter().flat_map(|it| [it.x, it.y]).collect())
    };
    // The two that touch are held apart by 1e-8 m before, which turns the line of centres by as much.
    let what = "a ball struck away from one that it touches, e = 1, all at once: velocities";
    Row::case("baraff/41", what, GUIDE).in_unit("m/s").absolute(
        1e-6,
        vec![0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        or_nan(found(), 6),
    )
}
