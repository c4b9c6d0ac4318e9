//! Forces and torques that are held on bodies.

use carom::{Body, Joint, JointKind, Place, World};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

use crate::common::{ball, cuboid, weightless};

/// Tolerance of linkages over some segments, for places near 10 m.
const INTEGRATED: f64 = 1e-8;

#[test]
fn a_constant_force_moves_a_free_body_by_half_f_over_m_t_squared() {
    let mut world = World::builder().build().unwrap();
    let body = world.add(Body::free(ball(0.1)).mass(2.0).velocity(DVec3::Y)).unwrap();
    let (force, gravity) = (DVec3::new(3.0, -1.0, 25.0), world.gravity());
    world.hold_force(body, force, DVec3::ZERO, Place::Center).unwrap();
    assert_eq!(world.body(body).unwrap().role(), "free");
    world.advance_to(3.0).unwrap();
    let state = world.state(body).unwrap();
    let a = force / 2.0 + gravity;
    let exact = 3.0 * DVec3::Y + 4.5 * a;
    println!(
        "off by {:e} m and {:e} m/s",
        state.position.distance(exact),
        state.velocity.distance(DVec3::Y + 3.0 * a)
    );
    assert!(state.position.distance(exact) < 1e-12);
    assert!(state.velocity.distance(DVec3::Y + 3.0 * a) < 1e-12);
    let account = world.account();
    println!("{account:?}");
    assert!((account.work - force.dot(exact)).abs() < 1e-11 && account.residual.abs() < 1e-11);
    // Taken away, the body flies freely again, in closed form.
    world.hold_force(body, DVec3::ZERO, DVec3::ZERO, Place::Center).unwrap();
    assert!(world.linkage(body).is_none());
    let before = world.account().work;
    world.advance_to(4.0).unwrap();
    let flown = exact + state.velocity + 0.5 * gravity;
    assert!(world.state(body).unwrap().position.distance(flown) < 1e-11);
    assert_eq!(world.account().work, before);
    assert!(world.account().residual.abs() < 1e-11);
}

#[test]
fn a_torque_about_a_principal_axis_spins_a_body_up_uniformly() {
    let mut world = weightless();
    let body = world.add(Body::free(cuboid(DVec3::new(0.1, 0.2, 0.3))).mass(3.0)).unwrap();
    let inertia = 3.0 / 3.0 * (0.1 * 0.1 + 0.2 * 0.2);
    world.hold_force(body, DVec3::ZERO, 0.5 * DVec3::Z, Place::Center).unwrap();
    world.advance_to(2.0).unwrap();
    let (state, spin) = (world.state(body).unwrap(), 0.5 * 2.0 / inertia);
    let turn = DQuat::from_rotation_z(0.5 * spin * 2.0);
    println!(
        "{} rad/s, exactly {spin} rad/s; turned off by {:e} rad",
        state.angular_velocity.z,
        state.orientation.angle_between(turn)
    );
    assert!((state.angular_velocity - spin * DVec3::Z).length() < INTEGRATED * spin);
    assert!(1.0 - state.orientation.dot(turn).abs() < 1e-14, "{turn}");
    assert!((world.account().work - 0.5 * inertia * spin * spin).abs() < 1e-7);
}

#[test]
fn a_force_at_a_point_turns_as_it_did_when_it_was_commanded() {
    let mut world = weightless();
    let body = world.add(Body::free(ball(0.1)).mass(1.0)).unwrap();
    world.hold_force(body, DVec3::Z, DVec3::ZERO, Place::World(0.1 * DVec3::X)).unwrap();
    assert_eq!(world.held_force(body), Some((DVec3::Z, -0.1 * DVec3::Y)));
    world.advance_to(1.0).unwrap();
    // The wrench about the centre is held: α = −0.1/(0.4·0.01) about y.
    let state = world.state(body).unwrap();
    assert!((state.angular_velocity.y + 25.0).abs() < 1e-6, "{state:?}");
    assert!(state.position.distance(0.5 * DVec3::Z) < INTEGRATED);
}

#[test]
fn forces_on_links_stay_when_joints_come_and_go_and_passive_bodies_refuse_them() {
    let mut world = weightless();
    let floor = world.add(Body::fixed(ball(0.1)).at(5.0 * DVec3::Y)).unwrap();
    let a = world.add(Body::free(ball(0.1)).mass(1.0)).unwrap();
    let b = world.add(Body::free(ball(0.1)).mass(3.0).at(DVec3::X)).unwrap();
    let joint = world.join(Joint::new(JointKind::Fixed, a, b)).unwrap();
    world.hold_force(b, 4.0 * DVec3::X, DVec3::ZERO, Place::Center).unwrap();
    world.advance_to(1.0).unwrap();
    let speed = |world: &World, body| world.state(body).unwrap().velocity.x;
    assert!((speed(&world, a) - 1.0).abs() < INTEGRATED);
    world.part(joint).unwrap();
    assert_eq!((world.body(a).unwrap().role(), world.body(b).unwrap().role()), ("free", "free"));
    world.advance_to(2.0).unwrap();
    println!("{} and {} m/s", speed(&world, a), speed(&world, b));
    assert!((speed(&world, a) - 1.0).abs() < INTEGRATED);
    assert!((speed(&world, b) - (1.0 + 4.0 / 3.0)).abs() < INTEGRATED);
    assert!(world.account().residual.abs() < 1e-11, "{:?}", world.account());
    let held = world.held_force(b);
    assert!(world.hold_force(floor, DVec3::X, DVec3::ZERO, Place::Center).is_err());
    assert!(world.hold_force(b, DVec3::NAN, DVec3::ZERO, Place::Center).is_err());
    assert_eq!(world.held_force(b), held);
    world.remove(b).unwrap();
    assert_eq!(world.held_force(b), None);
    assert!(world.account().residual.abs() < 1e-11, "{:?}", world.account());
    world.advance_to(3.0).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Newton and Euler for any body under any wrench: momentum and angular momentum grow by its integral.
    #[test]
    fn momenta_grow_by_the_wrench_times_the_time(
        force in prop::array::uniform3(-5.0..5.0_f64),
        torque in prop::array::uniform3(-0.5..0.5_f64),
        spin in prop::array::uniform3(-3.0..3.0_f64),
    ) {
        let mut world = weightless();
        let half = DVec3::new(0.1, 0.15, 0.25);
        let body = Body::free(cuboid(half)).mass(2.0).angular_velocity(spin.into());
        let body = world.add(body).unwrap();
        let angular = |world: &World| {
            let state = world.state(body).unwrap();
            world.body(body).unwrap().mass().unwrap().angular_momentum(state.orientation, state.angular_velocity)
        };
        let before = angular(&world);
        let (force, torque) = (DVec3::from(force), DVec3::from(torque));
        world.hold_force(body, force, torque, Place::Center).unwrap();
        world.advance_to(1.5).unwrap();
        let gained = angular(&world) - before - 1.5 * torque;
        let moved = world.state(body).unwrap().position - 0.5 * 2.25 * force / 2.0;
        prop_assert!(gained.length() < 1e-7, "{gained}");
        prop_assert!(moved.length() < 1e-7, "{moved}");
        prop_assert!(world.account().residual.abs() < 1e-11, "{:?}", world.account());
    }
}
