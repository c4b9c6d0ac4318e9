//! Worlds that begin in contact, as people write them: bodies put on each other to the last digit.

use carom::{Body, World};
use carom_geometry::Shape;
use glam::DVec3;

use crate::collisions::{earth, made_of, on_a_floor};
use crate::common::{Numbers, ball, cuboid, cylinder, floor};

/// Materials from clay to perfect bounces, smooth to rough.
const SURFACES: [(f64, f64); 7] =
    [(0.0, 0.0), (0.5, 0.0), (1.2, 0.0), (0.5, 0.3), (0.3, 0.9), (0.5, 1.0), (0.0, 1.0)];

/// Puts bodies of the given shapes and heights on each other, from the floor up, and lets some time pass.
fn stacked(shapes: &[(Shape, f64)], (friction, restitution): (f64, f64)) -> World {
    let (mut world, _, material) = on_a_floor(earth(), friction, restitution);
    let mut top = 0.0;
    for (shape, height) in shapes {
        let place = (top + 0.5 * height) * DVec3::Z;
        world.add(Body::free(shape.clone()).material(material).at(place)).expect("a body");
        top += height;
    }
    let ended = world.advance_to(0.3);
    ended.unwrap_or_else(|fault| panic!("μ {friction}, e {restitution}: {fault}"));
    world
}

#[test]
fn stacks_that_are_put_down_stand() {
    let cube = || (cuboid(0.1, 0.1, 0.1), 0.1);
    let wide = || (cuboid(0.3, 0.2, 0.05), 0.05);
    let can = || (cylinder(0.05, 0.1), 0.1);
    let stacks = [
        vec![cube(), cube()],
        vec![cube(), cube(), cube()],
        vec![wide(), cube()],
        vec![cube(), wide()],
        vec![can(), can()],
        vec![cube(), (ball(0.05), 0.1)],
    ];
    for surface in SURFACES {
        for shapes in &stacks {
            let world = stacked(shapes, surface);
            let height: f64 = shapes.iter().map(|(_, height)| height).sum();
            let top = world.bodies().last().and_then(|body| world.state(body.id())).unwrap();
            let last = shapes.last().map_or(0.0, |(_, height)| 0.5 * height);
            let rise = top.position.z - (height - last);
            let envelope = 1e-4 * 0.36;
            // Each body hops on the one below.
            let hops = 1.5 * shapes.len() as f64 * envelope;
            let level = surface.1 == 1.0 && surface.0 == 0.0 || rise.abs() < hops;
            assert!(level, "{surface:?}, {} bodies: {rise}", shapes.len());
            let account = world.account();
            assert!(account.residual.abs() < 1e-9 * account.initial.abs(), "{account:?}");
        }
    }
}

#[test]
fn boxes_flat_on_a_wall_leave_it_however_they_move() {
    let mut numbers = Numbers(11);
    for case in 0..300 {
        let (friction, restitution) = SURFACES[case % SURFACES.len()];
        let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
        let material = made_of(&mut world, friction, restitution);
        world.add(Body::fixed(floor()).material(material)).unwrap();
        let scale = [1e-6, 1e-3, 1.0][case / 7 % 3];
        let spin = [0.0, 1e-3, 1.0, 30.0][case / 21 % 4];
        let body = Body::free(cuboid(0.1, 0.1, 0.1)).material(material).at(0.05 * DVec3::Z);
        let body = body
            .velocity(scale * numbers.vector())
            .angular_velocity(spin * scale * numbers.vector());
        let body = world.add(body).unwrap();
        let ended = world.advance_to(1.0);
        ended.unwrap_or_else(|fault| panic!("{case}: {fault}"));
        assert!(world.state(body).unwrap().position.z > 0.049, "{case}");
        let account = world.account();
        assert!(account.residual.abs() <= 1e-9 * account.initial, "{case}: {account:?}");
    }
}
