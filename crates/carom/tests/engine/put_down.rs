//! Worlds that begin in contact, as people write them: bodies put on each other to the last digit.

use carom::{Body, World};
use carom_dynamics::law::{Law, LawSpec, Oscillation, Swing};
use carom_geometry::{Pose, Shape};
use glam::DVec3;

use crate::collisions::{earth, made_of, moving, on_a_floor};
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

#[test]
fn cylinders_side_by_side_touch_along_a_line() {
    for (friction, restitution) in SURFACES {
        for gravity in [DVec3::ZERO, -9.81 * DVec3::Z] {
            let mut world = World::builder().gravity(gravity).build().unwrap();
            let material = made_of(&mut world, friction, restitution);
            world.add(Body::fixed(floor()).material(material)).unwrap();
            let can = |x: f64, speed: f64| {
                let can = Body::free(cylinder(0.05, 0.1)).material(material);
                can.at(DVec3::new(x, 0.0, 0.05)).velocity(speed * DVec3::X)
            };
            world.add(can(0.0, 0.5)).unwrap();
            let struck = world.add(can(0.1, 0.0)).unwrap();
            let case = format!("μ {friction}, e {restitution}, g {}", gravity.z);
            let ended = world.advance_to(0.3);
            ended.unwrap_or_else(|fault| panic!("{case}: {fault}"));
            let state = world.state(struck).unwrap();
            if gravity == DVec3::ZERO {
                // Struck along a line, it does not tip.
                let expected = 0.25 * (1.0 + restitution);
                assert!((state.velocity.x - expected).abs() < 1e-6, "{case}: {state:?}");
                assert!(state.angular_velocity.length() < 1e-6, "{case}: {state:?}");
            }
            let account = world.account();
            assert!(account.residual.abs() < 1e-9 * account.initial.abs(), "{case}: {account:?}");
        }
    }
}

#[test]
fn cans_that_are_pushed_over_each_other_are_not_hurled_about() {
    // Friction above 1 may jam them.
    for (friction, restitution) in SURFACES.into_iter().filter(|it| it.0 < 1.0 && it.1 < 1.0) {
        for ahead in [0.1, 0.12, 0.15] {
            let (mut world, _, material) = on_a_floor(earth(), friction, restitution);
            let pushing = moving(0.5 * DVec3::X, DVec3::new(-0.1, 0.0, 0.05));
            let plate = Body::scripted(cuboid(0.1, 0.3, 0.08), pushing);
            world.add(plate.material(material)).unwrap();
            for x in [0.0, ahead] {
                let can = Body::free(cylinder(0.05, 0.1)).material(material);
                world.add(can.at(DVec3::new(x, 0.0, 0.05))).unwrap();
            }
            let case = format!("μ {friction}, e {restitution}, {ahead} m ahead");
            let ended = world.advance_to(1.0);
            ended.unwrap_or_else(|fault| panic!("{case}: {fault}"));
            let account = world.account();
            // Side by side they touch along a line, and flat on the floor with a rim: there the place of contact may run from
            // end to end in no time, which must not count as acceleration.
            let most = 0.2 * account.initial;
            assert!(account.boost < most, "{case}: {account:?}");
        }
    }
}

#[test]
fn who_is_put_on_a_plate_that_swings_is_thrown_by_it() {
    let shapes = [cuboid(0.1, 0.1, 0.1), cylinder(0.05, 0.1), ball(0.05)];
    for shape in shapes {
        let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
        let material = made_of(&mut world, 0.5, 0.0);
        let axis = Swing::Along { axis: DVec3::Z };
        let swinging = Law::new(LawSpec::Oscillator {
            base: Pose::from_translation(-0.05 * DVec3::Z),
            terms: vec![Oscillation {
                swing: axis,
                amplitude: 0.01,
                rate: 16.0,
                phase: 0.0,
                mean: 0.0,
            }],
        });
        let plate = Body::scripted(cuboid(0.5, 0.5, 0.1), swinging.unwrap());
        world.add(plate.material(material)).unwrap();
        let thrown = Body::free(shape).material(material).at(0.05 * DVec3::Z);
        let thrown = world.add(thrown).unwrap();
        // It begins at its highest speed, without acceleration: what lies on it leaves with that.
        world.advance_to(1.0).unwrap();
        let state = world.state(thrown).unwrap();
        // A hop takes it just out of contact, at 2e-6 m/s.
        assert!((state.velocity - 0.16 * DVec3::Z).length() < 1e-5, "{state:?}");
    }
}

#[test]
fn who_parts_slowly_in_free_fall_falls_on() {
    for speed in [0.0, 1e-12, 1e-9, 1e-6] {
        let mut world = earth().build().unwrap();
        let material = made_of(&mut world, 0.0, 0.5);
        let below = Body::free(cylinder(0.2, 0.5)).material(material).at(1.75 * DVec3::Z);
        world.add(below).unwrap();
        let above = Body::free(ball(0.5)).material(material).at(2.5 * DVec3::Z);
        let above = world.add(above.velocity(speed * DVec3::Z)).unwrap();
        world.advance_to(0.5).unwrap_or_else(|fault| panic!("{speed} m/s: {fault}"));
        let state = world.state(above).unwrap();
        assert!((state.velocity.z - (speed - 0.5 * 9.81)).abs() < 1e-9, "{state:?}");
    }
}
