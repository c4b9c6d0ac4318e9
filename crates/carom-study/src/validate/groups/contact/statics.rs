//! What stands: legs, corners and stacks.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};

use carom::{Body, BodyId};
use carom_geometry::shapes::{Compound, Part};
use carom_geometry::{MassProperties, Pose, Shape};

use super::super::super::{Context, Row};
use super::{CASES, GRAVITY, GUIDE, Stage, ball, cuboid, or_nan};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = vec![three_legs(context)];
    rows.extend(five_boxes(context));
    rows.extend(four_corners(context));
    rows.push(thirty_blocks(context));
    rows
}

/// A table on three round feet; its parts are its legs.
fn three_legs(context: &Context) -> Row {
    let found = || {
        let mut stage = Stage::dead(context)?;
        stage.floor()?;
        let part = |x: f64, y: f64| {
            let body_from_shape = Pose::new(DVec3::new(x, y, 0.0625), DQuat::IDENTITY);
            Some(Part { body_from_shape, shape: ball(0.0625)? })
        };
        let parts = vec![part(0.0, 0.0)?, part(0.6, 0.0)?, part(0.0, 0.5)?];
        let table = Shape::Compound(Arc::new(Compound::new(parts).ok()?));
        let center = DVec3::new(0.2, 0.15, 0.4);
        let inertia = DMat3::from_diagonal(DVec3::new(0.3, 0.3, 0.5));
        let mass = MassProperties { mass: 10.0, center, inertia };
        stage.add(Body::free(table).mass_properties(mass))?;
        stage.run(1.0)?;
        let forces = stage.world.contact_forces();
        let of =
            |leg: u32| forces.iter().find(|it| it.pieces.contains(&leg) && it.pieces[1] == leg);
        let loads: Option<Vec<f64>> = (0..3).map(|leg| Some(of(leg)?.force)).collect();
        Some(context.subject.pushes(&loads?))
    };
    let what = "10 kg on three legs: the load of each";
    Row::case("ref/D1/legs", what, CASES).in_unit("N").absolute(
        1e-9,
        vec![35.97, 32.70, 29.43],
        or_nan(found(), 3),
    )
}

/// Boxes of 1 m on each other, of masses by their number; with the floor in front.
fn stack(stage: &mut Stage<'_>, masses: &[f64]) -> Option<Vec<BodyId>> {
    let mut ids = vec![stage.floor()?];
    for (i, mass) in masses.iter().enumerate() {
        let body = Body::free(cuboid(1.0, 1.0, 1.0)?).mass(*mass);
        ids.push(stage.add(body.at((0.5 + i as f64) * DVec3::Z))?);
    }
    Some(ids)
}

fn loads(stage: &Stage<'_>, ids: &[BodyId]) -> Vec<f64> {
    ids.windows(2).map(|pair| stage.force(pair[0], pair[1])).collect()
}

fn five_boxes(context: &Context) -> Vec<Row> {
    let found = || {
        let mut stage = Stage::dead(context)?;
        let ids = stack(&mut stage, &[1.0, 2.0, 3.0, 4.0, 5.0])?;
        stage.run(10.0)?;
        let height = |i: usize| Some(stage.world.state(ids[i])?.position.z);
        let heights: Option<Vec<f64>> = (1..6).map(height).collect();
        let heights = heights?.iter().map(|it| context.subject.extent(*it)).collect();
        Some((loads(&stage, &ids), heights))
    };
    let (loads, heights): (Vec<f64>, Vec<f64>) =
        found().unwrap_or((vec![f64::NAN; 5], vec![f64::NAN; 5]));
    vec![
        Row::case("ref/D2/loads", "five boxes of 1 to 5 kg after 10 s: loads between them", CASES)
            .in_unit("N")
            .relative(1e-9, vec![147.15, 137.34, 117.72, 88.29, 49.05], loads),
        Row::case("ref/D2/heights", "the same: heights of their centres", CASES)
            .in_unit("m")
            .absolute(1e-6, vec![0.5, 1.5, 2.5, 3.5, 4.5], heights),
    ]
}

fn four_corners(context: &Context) -> Vec<Row> {
    let found = || {
        let mut stage = Stage::dead(context)?;
        let floor = stage.floor()?;
        let body = stage.add(Body::free(cuboid(0.4, 0.3, 0.2)?).mass(2.0).at(0.1 * DVec3::Z))?;
        stage.run(1.0)?;
        let forces = stage.world.contact_forces();
        let moment = |it: &carom::ContactForce| {
            let [push] = context.subject.pushes(&[it.force])[..] else { return DVec3::NAN };
            it.point.cross(push * DVec3::Z)
        };
        let moments: DVec3 = forces.iter().map(moment).sum();
        let moved = stage.world.kinematics(body)?;
        let still = moved.acceleration.length() + moved.angular_acceleration.length();
        let weight = stage.force(floor, body);
        Some((vec![weight, moments.x, moments.y], vec![weight / 2.0 - GRAVITY, still]))
    };
    let (weight, still) = found().unwrap_or((vec![f64::NAN; 3], vec![f64::NAN; 2]));
    let expected = vec![19.62, 0.0, 0.0];
    vec![
        Row::case("ref/D3/box", "a box of 2 kg on four corners: force and moments", CASES)
            .in_unit("N, N·m")
            .absolute(1e-9, expected, weight),
        Row::case(
            "baraff/31/world",
            "the same: what is left to move it, and its acceleration",
            GUIDE,
        )
        .in_unit("m/s²")
        .absolute(1e-9, vec![0.0, 0.0], still),
    ]
}

fn thirty_blocks(context: &Context) -> Row {
    let found = || {
        let mut stage = Stage::dead(context)?;
        let ids = stack(&mut stage, &[1.0; 30])?;
        stage.run(1.0)?;
        Some(loads(&stage, &ids))
    };
    let expected: Vec<f64> = (1..31).rev().map(|above| f64::from(above) * GRAVITY).collect();
    Row::case("baraff/32/thirty", "a stack of 30 blocks of 1 kg: loads between them", GUIDE)
        .in_unit("N")
        .relative(1e-9, expected, or_nan(found(), 30))
}
