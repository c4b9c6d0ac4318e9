//! Links that touch and strike: known touches, times after an impulse, who is exempt, and one freedom only.

use glam::DVec3;

use carom::{
    Body, Command, Happening, History, Joint, JointKind, Material, Observers, Push, RestitutionLaw,
    Surface, World,
};
use carom_geometry::Shape;
use carom_geometry::shapes::Cuboid;

use super::super::super::{Context, Row};
use super::GUIDE;
use crate::never_miss::{LinkCase, LinkFamily, Verdict};

const HINGE: JointKind = JointKind::Revolute { axis: DVec3::Y };

/// Cases of each family.
const CASES: u64 = 4;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    vec![never_missed(context), refreshed(context), exempt(context), one_freedom(context)]
}

fn row(key: &str, what: &str) -> Row {
    Row::case(format!("m2/{key}"), what, &format!("{GUIDE}, checklist"))
}

fn cuboid(half: DVec3) -> Option<Shape> {
    Some(Shape::Cuboid(Cuboid::new(half).ok()?))
}

/// Whipping links, sudden motors and rods with closed forms against plates of 0.1 to 3 mm.
fn never_missed(context: &Context) -> Row {
    let mut right = 0;
    for family in LinkFamily::ALL {
        for index in 0..CASES {
            let found = family.case(index).map(LinkCase::run);
            right += u64::from(found.is_some_and(|it| it.verdict == Verdict::Right));
        }
    }
    let all = LinkFamily::ALL.len() as u64 * CASES;
    let what = "whipping links, sudden motors, hinged rods and bounces against thin plates: share judged right";
    row("R-14/found", what).absolute(0.0, 1.0, context.subject.extent(right as f64 / all as f64))
}

/// Three rods in line, struck along the line: they go on as one, and the first of them meets a wall that nobody was near before.
fn refreshed(context: &Context) -> Row {
    let found = || {
        let mut world = World::builder().passing().gravity(DVec3::ZERO).build().ok()?;
        let mut last = None;
        for i in 0..3 {
            let rod = Body::free(cuboid(DVec3::new(0.2, 0.01, 0.01))?).mass(1.0);
            let id = world.add(rod.at(0.5 * f64::from(i) * DVec3::X)).ok()?;
            if let Some(parent) = last {
                let at = (0.5 * f64::from(i) - 0.25) * DVec3::X;
                world.join(Joint::new(HINGE, Some(parent), id).at(at)).ok()?;
            }
            last = Some(id);
        }
        let wall = Body::fixed(cuboid(DVec3::new(5e-5, 0.5, 0.5))?);
        world.add(wall.at((1.2 + 0.75 + 5e-5) * DVec3::X)).ok()?;
        let first = world.bodies().next()?.id();
        let push = context.subject.push(Push::central(first, 6.0 * DVec3::X));
        world.schedule(0.25, Command::Impulse(push)).ok()?;
        let mut history = History::of_all();
        world.advance_watched(1.0, &mut Observers::none().with(&mut history)).ok()?;
        let touch = history.events().iter().find_map(|event| match event.what {
            Happening::Touch(_) => Some(event.time),
            _ => None,
        });
        touch.map(|time| context.subject.told(time))
    };
    // Tip at 1.2 m, wall at 1.95 m, 6 N·s on 3 kg from 0.25 s on.
    let what = "a chain in line is struck at its end at 0.25 s: when its other end touches a wall";
    row("R-16/time", what).in_unit("s").absolute(1e-9, 0.625, found().unwrap_or(f64::NAN))
}

/// Two rods that fold upon each other: bodies of one joint do not touch unless they are told to.
fn exempt(context: &Context) -> Row {
    let touches = |colliding: bool| {
        let mut world = World::builder().passing().gravity(DVec3::ZERO).build().ok()?;
        let half = DVec3::new(0.2, 0.02, 0.02);
        let base = world.add(Body::fixed(cuboid(half)?).at(0.25 * DVec3::X)).ok()?;
        let arm = world.add(Body::free(cuboid(half)?).at(-0.25 * DVec3::X)).ok()?;
        let joint = Joint::new(HINGE, Some(base), arm).at(DVec3::ZERO).velocity(&[3.0]);
        world.join(if colliding { joint.colliding() } else { joint }).ok()?;
        let mut history = History::of_all();
        world.advance_watched(1.0, &mut Observers::none().with(&mut history)).ok()?;
        let is_touch = |event: &&carom::Event| matches!(event.what, Happening::Touch(_));
        Some(history.events().iter().filter(is_touch).count().min(1) as f64)
    };
    let got = [false, true].map(|it| context.subject.extent(touches(it).unwrap_or(f64::NAN)));
    let what =
        "two rods fold upon each other: touches of parent and child, exempt and when asked for";
    row("R-19/exempt", what).absolute(0.0, vec![0.0, 1.0], got.to_vec())
}

/// A hinged rod falls upon a block: K has rank one, and the rate after is −e times that before.
fn one_freedom(context: &Context) -> Row {
    let (length, width, restitution) = (0.5_f64, 0.01, 0.4);
    let found = || {
        let gravity = context.subject.gravity(DVec3::new(0.0, 0.0, -9.81));
        let mut world = World::builder().gravity(gravity).build().ok()?;
        let law = RestitutionLaw::Stronge;
        let surface = context.subject.surface(Surface { friction: 0.0, restitution, law });
        let steel = world.add_material(Material { name: "steel".into(), surface }).ok()?;
        let half = DVec3::new(0.5 * length, width, width);
        let rod = Body::free(cuboid(half)?).mass(1.0).material(steel).at(0.5 * length * DVec3::X);
        let rod = world.add(rod).ok()?;
        let joint = world.join(Joint::new(HINGE, None, rod).at(DVec3::ZERO)).ok()?;
        let block = Body::fixed(cuboid(DVec3::splat(0.05))?).material(steel);
        world.add(block.at(DVec3::new(0.4, 0.0, -0.3))).ok()?;
        let mut history = History::of_all();
        let mut rates = Vec::new();
        for i in 1..4000 {
            let watchers = &mut Observers::none().with(&mut history);
            world.advance_watched(f64::from(i) * 1e-4, watchers).ok()?;
            let hit = history.events().iter().find_map(|event| match event.what {
                Happening::Collision(_) => Some(event.time),
                _ => None,
            });
            let (q, v) = (world.joint(joint)?.coordinates()[0], world.joint(joint)?.rates()[0]);
            if hit.is_some() {
                // Back to the impact by the energy of a rod on a hinge: ½J·q̇² − ½m·g·l·sin q is constant.
                let moment =
                    (length * length + 4.0 * width * width) / 12.0 + 0.25 * length * length;
                let time = hit?;
                let at = history.state_at(rod, time)?.position;
                let angle = libm::atan2(-at.z, at.x);
                let energy = 0.5 * moment * v * v - 0.5 * 9.81 * length * libm::sin(q);
                let square = 2.0 * (energy + 0.5 * 9.81 * length * libm::sin(angle)) / moment;
                let before = (9.81 * length * libm::sin(angle) / moment).sqrt();
                rates.push(square.sqrt() / before);
                break;
            }
        }
        rates.first().copied()
    };
    let what =
        "a hinged rod from the horizontal strikes a block, e = 0.4: rate after over rate before";
    row("R-20/rank-one", what).absolute(1e-6, restitution, found().unwrap_or(f64::NAN))
}
