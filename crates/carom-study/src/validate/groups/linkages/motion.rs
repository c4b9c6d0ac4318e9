//! Linkages that move in a world: a pendulum from a library of benchmarks, energy and momentum.

use glam::{DMat3, DVec3};

use carom::{Body, BodyId, Joint, JointKind, World};
use carom_geometry::shapes::{Ball, Cuboid};
use carom_geometry::{MassProperties, Shape};

use super::super::super::{Context, Row};
use super::GUIDE;

const HINGE: JointKind = JointKind::Revolute { axis: DVec3::Y };

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = vec![pendulum(context), energy(context), falling(context)];
    rows.extend(momentum(context));
    rows
}

/// F1: a point mass on a rod of 1 m, from the horizontal.
fn pendulum(context: &Context) -> Row {
    let found = || {
        let gravity = context.subject.gravity(DVec3::new(0.0, -9.81, 0.0));
        let mut world = World::builder().gravity(gravity).build().ok()?;
        // A world's bodies turn, so a point has a moment, too small by far to be noticed.
        let point = MassProperties {
            mass: 1.0,
            center: DVec3::ZERO,
            inertia: DMat3::from_diagonal(DVec3::splat(1e-13)),
        };
        let ball = Shape::Ball(Ball::new(1e-3).ok()?);
        let bob = world.add(Body::free(ball).mass_properties(point).at(-DVec3::X)).ok()?;
        let hinge = JointKind::Revolute { axis: DVec3::Z };
        world.join(Joint::new(hinge, None, bob).at(DVec3::ZERO)).ok()?;
        let mut places = Vec::new();
        for time in [1.0, 5.0, 10.0] {
            world.advance_to(context.subject.time(time)).ok()?;
            let place = world.state(bob)?.position;
            places.extend([place.x, place.y]);
        }
        Some(places)
    };
    let expected = vec![
        0.9862917511,
        -0.1650108531,
        -0.9423054350,
        -0.3347543384,
        -0.2750874626,
        -0.9614192051,
    ];
    let what = "a point mass on a rod of 1 m, let go at (−1, 0): places at 1, 5 and 10 s";
    Row::case("ref/F1/places", what, "reference case F1; IFToMM library, simple pendulum")
        .in_unit("m")
        .absolute(1e-6, expected, found().unwrap_or_else(|| vec![f64::NAN; 6]))
}

/// Rods along x, hinged to each other, the first to the world or to nothing.
fn chain(world: &mut World, rods: usize, floats: bool) -> Option<Vec<BodyId>> {
    let mut bodies: Vec<BodyId> = Vec::new();
    for i in 0..rods {
        let half = DVec3::new(0.2, 0.01, 0.01);
        let rod = Body::free(Shape::Cuboid(Cuboid::new(half).ok()?)).mass(1.0);
        let rod = world.add(rod.at(DVec3::X * (0.5 * i as f64 + 0.25))).ok()?;
        if !(floats && i == 0) {
            let joint = Joint::new(HINGE, bodies.last().copied(), rod);
            world.join(joint.at(DVec3::X * 0.5 * i as f64)).ok()?;
        }
        bodies.push(rod);
    }
    Some(bodies)
}

/// Momentum and angular momentum about the origin, and kinetic energy, of bodies as they are told one by one.
fn sums(world: &World, bodies: &[BodyId]) -> Option<(DVec3, DVec3, f64)> {
    let mut sums = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for body in bodies {
        let (state, mass) = (world.state(*body)?, *world.body(*body)?.mass()?);
        let (linear, own) = (
            mass.mass * state.velocity,
            mass.angular_momentum(state.orientation, state.angular_velocity),
        );
        sums.0 += linear;
        sums.1 += state.position.cross(linear) + own;
        sums.2 += 0.5 * (linear.dot(state.velocity) + own.dot(state.angular_velocity));
    }
    Some(sums)
}

/// A triple pendulum from the horizontal: at z = 0 and at rest it has no energy, and has none later.
fn energy(context: &Context) -> Row {
    let found = || {
        let gravity = context.subject.gravity(DVec3::new(0.0, 0.0, -9.81));
        let mut world = World::builder().gravity(gravity).passing().build().ok()?;
        let bodies = chain(&mut world, 3, false)?;
        let mut energies = Vec::new();
        for time in [1.0, 2.0, 3.0] {
            world.advance_to(time).ok()?;
            let heights: Option<f64> =
                bodies.iter().map(|body| Some(world.state(*body)?.position.z)).sum();
            energies.push(sums(&world, &bodies)?.2 + 9.81 * heights?);
        }
        Some(energies)
    };
    let what = "a triple pendulum from the horizontal: energy at 1, 2 and 3 s, of M·g·L/2";
    // The engine's tolerance, over some hundred segments.
    Row::case("m2/R-07/energy", what, &format!("{GUIDE}, checklist R-07")).in_unit("J").relative_to(
        3.0 * 9.81 * 0.75,
        1e-7,
        vec![0.0; 3],
        found().unwrap_or_else(|| vec![f64::NAN; 3]),
    )
}

/// Floating chains: without gravity nothing changes their momenta, with it their weight does.
fn momentum(context: &Context) -> Vec<Row> {
    let run = |gravity: DVec3| {
        let gravity = context.subject.gravity(gravity);
        let mut world = World::builder().gravity(gravity).passing().build().ok()?;
        let bodies = chain(&mut world, 4, true)?;
        let push = carom::Push::at_point(
            bodies[3],
            DVec3::new(0.2, -0.4, 1.5),
            DVec3::new(1.9, 0.01, 0.01),
        );
        let push = context.subject.push(push);
        world.command(carom::Command::Impulse(push)).ok()?;
        world.advance_to(2.0).ok()?;
        sums(&world, &bodies)
    };
    // At rest before, so all they have is what the impulse gave them.
    let p = DVec3::new(0.2, -0.4, 1.5);
    let spin = DVec3::new(1.9, 0.01, 0.01).cross(p);
    let (linear, angular, _) = run(DVec3::ZERO).unwrap_or((DVec3::NAN, DVec3::NAN, f64::NAN));
    let free = [linear.to_array(), angular.to_array()].concat();
    let (fallen, ..) = run(DVec3::new(0.0, 0.0, -9.81)).unwrap_or((DVec3::NAN, DVec3::NAN, 0.0));
    let row = |key: &str, what: &str| {
        Row::case(format!("m2/{key}"), what, &format!("{GUIDE}, checklist")).in_unit("N·s, N·m·s")
    };
    vec![
        row("R-22/momentum", "a floating chain struck at its last link, 2 s later: both momenta")
            .absolute(1e-8, [p.to_array(), spin.to_array()].concat(), free),
        row("R-07/weight", "the same under gravity: momentum after 2 s").absolute(
            1e-7,
            p - 4.0 * 9.81 * 2.0 * DVec3::Z,
            fallen,
        ),
    ]
}

/// The rods of G3 after a second: with the transport term the energy is what it was.
fn falling(context: &Context) -> Row {
    let found = || {
        let gravity = context.subject.gravity(DVec3::new(0.0, 0.0, -9.81));
        let mut world = World::builder().gravity(gravity).passing().build().ok()?;
        let moments = DVec3::new(1.0 / 12.0, 1.0 / 12.0, 1e-3);
        let body = MassProperties {
            mass: 1.0,
            center: DVec3::ZERO,
            inertia: DMat3::from_diagonal(moments),
        };
        let shape = Shape::Ball(Ball::new(0.01).ok()?);
        let turn = |angle: f64| {
            let (sin, cos) = libm::sincos(0.5 * angle);
            glam::DQuat::from_xyzw(0.0, sin, 0.0, cos)
        };
        let down = -0.5 * DVec3::Z;
        let (first, second) = (turn(0.5), turn(0.8));
        let (one, elbow) = (first * down, first * (2.0 * down));
        let other = elbow + second * down;
        let add = |world: &mut World, at: DVec3, turn, spin: f64, velocity| {
            let body = Body::free(shape.clone()).mass_properties(body);
            let pose = carom_geometry::Pose::new(at, turn);
            let body = body.pose(pose).velocity(velocity).angular_velocity(spin * DVec3::Y);
            world.add(body).ok()
        };
        let a = add(&mut world, one, first, 1.0, DVec3::Y.cross(one))?;
        let velocity = DVec3::Y.cross(elbow) + 0.5 * DVec3::Y.cross(other - elbow);
        let b = add(&mut world, other, second, 0.5, velocity)?;
        world.join(Joint::new(HINGE, a, b).at(elbow)).ok()?;
        world.advance_to(context.subject.time(1.0)).ok()?;
        let height = world.state(a)?.position.z + world.state(b)?.position.z;
        Some(sums(&world, &[a, b])?.2 + 9.81 * height)
    };
    let what =
        "the two falling rods of G3 after 1 s: energy (without the transport term −12.7372 J)";
    Row::case("m2/R-08/energy", what, &format!("{GUIDE}, F-4.3")).in_unit("J").absolute(
        6e-5,
        -15.3838,
        context.subject.extent(found().unwrap_or(f64::NAN)),
    )
}
