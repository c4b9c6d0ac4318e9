//! Stops that push only, legs of a table, springs and dampers.

use glam::{DMat3, DVec3};

use carom::{Body, Joint as WorldJoint, JointForce, JointKind, World};
use carom_dynamics::tree::constraint::{Constraint, ConstraintScratch, Hold};
use carom_dynamics::tree::{Joint, LinkPoint, LinkSpec, Load, Row as Freedom, Scratch, Tree};
use carom_geometry::shapes::{Ball, Cuboid};
use carom_geometry::{MassProperties, Pose, Shape};

use super::super::super::{Context, Row};
use super::GUIDE;

const G: f64 = 9.81;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = vec![stop(context), bounce(context), swing(context)];
    rows.extend(table(context));
    rows
}

fn row(key: &str, what: &str) -> Row {
    Row::case(format!("m2/{key}"), what, &format!("{GUIDE}, checklist; closed form"))
}

fn one_link(joint: Joint, body: MassProperties) -> Option<(Tree, Scratch)> {
    let mut builder = Tree::builder();
    builder.add(LinkSpec { parent: None, parent_from_joint: Pose::IDENTITY, joint, body });
    let tree = builder.build().ok()?;
    let mut scratch = Scratch::new(&tree);
    tree.place(&tree.neutral(), &vec![0.0; tree.n_v()], &mut scratch);
    Some((tree, scratch))
}

/// Accelerations and forces of one link at rest under gravity and constraints.
fn rest(
    context: &Context,
    (tree, mut scratch): (Tree, Scratch),
    wrench: &[carom_dynamics::spatial::ForceVector],
    constraints: &[Constraint],
) -> Option<[Vec<f64>; 2]> {
    let (mut v_dot, mut forces) = (vec![0.0; tree.n_v()], vec![0.0; constraints.len()]);
    let gravity = context.subject.gravity(-G * DVec3::Z);
    let load = Load { gravity, wrenches: wrench, ..Load::default() };
    let mut memory = ConstraintScratch::default();
    tree.constrain_accelerations(
        &load,
        constraints,
        &mut scratch,
        &mut memory,
        &mut v_dot,
        &mut forces,
    )
    .ok()?;
    Some([v_dot, forces])
}

/// A horizontal pendulum on a stop beneath it, and on one above it, which lets it fall.
fn stop(context: &Context) -> Row {
    let (mass, length) = (0.7, 1.3);
    let found = || {
        let body = MassProperties { mass, center: length * DVec3::X, inertia: DMat3::ZERO };
        let mut got = Vec::new();
        // A positive turn about y is downwards: its upper stop carries it.
        for hold in [Hold::Pulls, Hold::Pushes] {
            let link = one_link(Joint::Revolute { axis: DVec3::Y }, body)?;
            let hold = context.subject.hold(hold);
            let held = Constraint { row: Freedom::Freedom(0), target: 0.0, hold };
            let [v_dot, forces] = rest(context, link, &[], &[held])?;
            got.extend([forces[0], v_dot[0]]);
        }
        Some(got)
    };
    let expected = vec![-mass * G * length, 0.0, 0.0, G / length];
    let what = "a horizontal pendulum on its lower and at its upper stop: moment and acceleration";
    row("R-25/rest", what).absolute(1e-9, expected, found().unwrap_or_else(|| vec![f64::NAN; 4]))
}

/// A rod on a hinge falls upon its stop in a world: what bounces cost, and where it comes to rest.
fn bounce(context: &Context) -> Row {
    let (length, angle, mass) = (0.6, 0.5, 2.0);
    let found = || {
        let gravity = context.subject.gravity(-G * DVec3::Z);
        let mut world = World::builder().gravity(gravity).build().ok()?;
        let half = DVec3::new(0.5 * length, 0.01, 0.01);
        let rod = Body::free(Shape::Cuboid(Cuboid::new(half).ok()?)).mass(mass);
        let rod = world.add(rod.at(0.5 * length * DVec3::X)).ok()?;
        let force =
            JointForce { limits: Some([-1.0, angle]), restitution: 0.5, ..JointForce::default() };
        let hinge = JointKind::Revolute { axis: DVec3::Y };
        let joint = WorldJoint::new(hinge, None, rod).at(DVec3::ZERO).force(force);
        let joint = world.join(joint).ok()?;
        world.advance_to(3.0).ok()?;
        let seen = world.joint(joint)?;
        let lost = context.subject.account(world.account()).restitution_loss;
        Some(vec![seen.coordinates()[0], seen.rates()[0], lost])
    };
    let drop = mass * G * 0.5 * length * libm::sin(angle);
    let what = "a rod falls 0.5 rad upon its stop, e = 0.5: angle and rate at rest, energy lost";
    row("R-25/bounces", what).absolute(
        1e-6,
        vec![angle, 0.0, drop],
        found().unwrap_or_else(|| vec![f64::NAN; 3]),
    )
}

/// A table on four legs, and pushed down beside its legs so hard that two of them let go.
fn table(context: &Context) -> Vec<Row> {
    let (mass, half, inertia) = (3.0, 0.6, 0.4);
    let solve = |press: f64| {
        let moments = DVec3::new(inertia, inertia, 0.7);
        let body =
            MassProperties { mass, center: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) };
        let legs = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].map(|(x, y)| {
            let point = DVec3::new(x * half, y * half, 0.0);
            let at = LinkPoint { link: 0, point };
            let hold = context.subject.hold(Hold::Pushes);
            Constraint { row: Freedom::Point { at, direction: DVec3::Z }, target: 0.0, hold }
        });
        let arm = DVec3::new(3.0 * half, 0.0, 0.0);
        let wrench = [carom_dynamics::spatial::ForceVector::acting_at(arm, -press * DVec3::Z)];
        rest(context, one_link(Joint::Free, body)?, &wrench, &legs)
    };
    let standing = solve(0.0).map_or_else(|| vec![f64::NAN; 4], |[_, forces]| forces);
    // About the edge at x = h: moment P·2h − m·g·h against inertia I + m·h².
    let press = 3.0 * mass * G;
    let tipping = (press * 2.0 * half - mass * G * half) / (inertia + mass * half * half);
    let tipped = solve(press).map_or(f64::NAN, |[v_dot, _]| v_dot[4]);
    vec![
        row("R-39/table", "a table on four legs: their forces").in_unit("N").absolute(
            1e-9,
            vec![mass * G / 4.0; 4],
            standing,
        ),
        row("R-39/tips", "the same pressed down beside its legs: how fast it begins to tip")
            .in_unit("rad/s²")
            .absolute(1e-9, tipping, tipped),
    ]
}

/// A mass on a spring with a damper: x = A·e^(−γt)·(cos ωt + γ/ω·sin ωt).
fn swing(context: &Context) -> Row {
    let (m, k, c) = (0.8_f64, 30.0_f64, 1.1_f64);
    let (omega, zeta) = ((k / m).sqrt(), c / (2.0 * (k * m).sqrt()));
    let damped = omega * (1.0 - zeta * zeta).sqrt();
    let times = [0.5, 1.0, 1.5, 2.5];
    let expected: Vec<f64> = times
        .iter()
        .map(|t| {
            let (sin, cos) = libm::sincos(damped * t);
            0.3 * libm::exp(-zeta * omega * t) * (cos + zeta * omega / damped * sin)
        })
        .collect();
    let found = || {
        let mut world = World::builder().gravity(DVec3::ZERO).build().ok()?;
        let ball = Shape::Ball(Ball::new(0.1).ok()?);
        let body = world.add(Body::free(ball).mass(m).at(0.3 * DVec3::X)).ok()?;
        let force = JointForce { stiffness: k, damping: c, ..JointForce::default() };
        let kind = JointKind::Prismatic { axis: DVec3::X };
        let joint = WorldJoint::new(kind, None, body).start(&[0.3]).force(force);
        let joint = world.join(joint).ok()?;
        let mut places = Vec::new();
        for time in times {
            world.advance_to(context.subject.time(time)).ok()?;
            places.push(world.joint(joint)?.coordinates()[0]);
        }
        Some(places)
    };
    let what = "a mass on a spring with a damper: places at 0.5, 1, 1.5 and 2.5 s";
    row("R-26/swing", what).in_unit("m").absolute(
        3e-7,
        expected,
        found().unwrap_or_else(|| vec![f64::NAN; 4]),
    )
}
