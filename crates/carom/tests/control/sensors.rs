//! What sensors read, against what is known.

use std::sync::{Arc, Mutex};

use carom::control::UserController;
use carom::sense::{Axes, ContactForce, Encoder, Imu, PoseSensor, Range, VelocitySensor};
use carom::{Body, Commands, Joint, JointKind, Rate, Readings, World};
use carom_geometry::{Pose, Shape, shapes::HalfSpace};
use glam::{DQuat, DVec3};

use crate::common::{ball, cuboid, slider, weightless};

const G: f64 = 9.80665;

fn floor() -> Body {
    Body::fixed(Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a valid scene")))
}

#[test]
fn an_encoder_gives_the_nearest_of_its_steps() {
    let mut world = weightless();
    let (_, joint) = slider(&mut world, 1.0, DVec3::X, 0.3);
    world.drive(joint, &[1.0]).unwrap();
    let (fine, coarse) = (Encoder::new(joint), Encoder::new(joint).resolution(0.01));
    for i in 0..50 {
        world.advance_to(0.02 * f64::from(i)).unwrap();
        let (fine, coarse) = (fine.read(&world).unwrap(), coarse.read(&world).unwrap());
        let steps = coarse.position / 0.01;
        assert!((steps - steps.round()).abs() < 1e-9, "{coarse:?}");
        assert!((coarse.position - fine.position).abs() <= 0.005 + 1e-12);
        assert_eq!(coarse.velocity, fine.velocity);
    }
    assert!(Encoder::new(joint).freedom(1).read(&world).is_none());
}

#[test]
fn pose_and_velocity_are_those_of_the_mount() {
    let mut world = weightless();
    let body = Body::free(ball(0.1)).at(DVec3::X).velocity(DVec3::Y);
    let body = world.add(body.angular_velocity(2.0 * DVec3::Z)).unwrap();
    let mount = Pose::new(0.1 * DVec3::X, DQuat::from_rotation_z(1.0));
    world.advance_to(0.25).unwrap();
    let pose = PoseSensor { body, body_from_sensor: mount }.read(&world).unwrap();
    let turned = DQuat::from_rotation_z(0.5);
    let place = DVec3::new(1.0, 0.25, 0.0) + turned * (0.1 * DVec3::X);
    assert!(
        pose.translation.distance(place) < 1e-14
            && pose.rotation.angle_between(turned * mount.rotation) < 1e-7
    );
    let sensor = VelocitySensor { body, body_from_sensor: mount, axes: Axes::Sensor };
    let read = sensor.read(&world).unwrap();
    let velocity = DVec3::Y + 0.2 * (turned * DVec3::Y);
    assert!(read.velocity.distance((turned * mount.rotation).conjugate() * velocity) < 1e-14);
    let world_axes = VelocitySensor { axes: Axes::World, ..sensor }.read(&world).unwrap();
    assert!(world_axes.velocity.distance(velocity) < 1e-14);
}

#[test]
fn an_imu_feels_nothing_in_free_flight_its_weight_when_it_hangs_and_the_whirl_off_centre() {
    let mut world = World::builder().build().unwrap();
    let flying =
        world.add(Body::free(ball(0.1)).at(5.0 * DVec3::Z).angular_velocity(3.0 * DVec3::Z));
    let hung = world.add(Body::free(ball(0.1)).at(DVec3::new(2.0, 0.0, -0.5))).unwrap();
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    world.join(Joint::new(hinge, None, hung).at(2.0 * DVec3::X)).unwrap();
    world.advance_to(0.3).unwrap();
    let flying = flying.unwrap();
    let center = Imu::new(flying).read(&world).unwrap();
    assert!(center.specific_force.length() < 1e-13, "{center:?}");
    assert!(center.angular_velocity.distance(3.0 * DVec3::Z) < 1e-14);
    // ω²·r inwards, in the axes of the body.
    let off = Imu { body: flying, body_from_sensor: Pose::from_translation(0.05 * DVec3::X) };
    let off = off.read(&world).unwrap().specific_force;
    println!("{off} m/s²");
    assert!(off.distance(-9.0 * 0.05 * DVec3::X) < 1e-13);
    let hung = Imu::new(hung).read(&world).unwrap().specific_force;
    println!("{hung} m/s²");
    assert!(hung.distance(G * DVec3::Z) < 1e-9);
}

#[test]
fn at_the_instant_of_a_collision_sensors_read_what_comes_after() {
    let mut world = World::builder().build().unwrap();
    world.add(floor()).unwrap();
    // A rod on a hinge falls flat and strikes a stop; another world tells when.
    let build = |world: &mut World| {
        let half = DVec3::new(0.5, 0.05, 0.05);
        let rod =
            world.add(Body::free(cuboid(half)).mass(1.0).at(DVec3::new(0.5, 0.0, 0.6))).unwrap();
        let hinge = JointKind::Revolute { axis: DVec3::Y };
        world.join(Joint::new(hinge, None, rod).at(DVec3::new(0.0, 0.0, 0.6))).unwrap();
        rod
    };
    let rod = build(&mut world);
    let imu = Imu { body: rod, body_from_sensor: Pose::from_translation(0.4 * DVec3::X) };
    let mut at = 0.0;
    while world.contacts().next().is_none() && at < 2.0 {
        at = world.next_event_time().unwrap();
        world.advance_to(at).unwrap();
    }
    let (after, spin) = (imu.read(&world).unwrap(), world.state(rod).unwrap().angular_velocity.y);
    let mut again = World::builder().build().unwrap();
    again.add(floor()).unwrap();
    let same = build(&mut again);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let tick = move |readings: &Readings<'_>, _: &mut Commands| {
        let imu = Imu { body: same, ..imu };
        log.lock().unwrap().push((readings.time(), imu.read(readings.world()).unwrap()));
    };
    again.add_controller(Rate::Period(at), Box::new(UserController::new(tick))).unwrap();
    again.advance_to(at).unwrap();
    let seen = seen.lock().unwrap();
    println!("struck at {at} s, then {spin} rad/s: {after:?}; at the tick {:?}", seen[1]);
    assert_eq!(seen[1].0, at);
    assert!(spin < 0.0 && (seen[1].1.angular_velocity.y - spin).abs() < 1e-9);
    assert!(seen[1].1.specific_force.distance(after.specific_force) < 1e-6);
}

#[test]
fn the_mean_force_on_a_body_at_rest_is_its_weight_and_goes_on_after_loading() {
    let mut world = World::builder().build().unwrap();
    let floor = world.add(floor()).unwrap();
    let cube =
        world.add(Body::free(cuboid(DVec3::splat(0.1))).mass(2.0).at(0.1001 * DVec3::Z)).unwrap();
    let (mut up, mut down) = (ContactForce::new(cube), ContactForce::new(floor).with(cube));
    assert_eq!(up.read(&world), DVec3::ZERO);
    world.advance_to(1.0).unwrap();
    let (_, _) = (up.read(&world), down.read(&world));
    let mut loaded = ContactForce::new(floor);
    loaded.load(&up.save()).unwrap();
    assert_eq!(loaded, up);
    world.advance_to(3.0).unwrap();
    let (up, down, loaded) = (up.read(&world), down.read(&world), loaded.read(&world));
    println!("{up} N up, {down} N down, weight {} N", 2.0 * G);
    assert_eq!((loaded, -up), (up, down));
    // Hops of the envelope carry some momentum over the ends of the two seconds.
    assert!(up.distance(2.0 * G * DVec3::Z) < 0.01 * 2.0 * G, "{up}");
    assert!(loaded.is_finite() && ContactForce::new(cube).load(&[1, 2]).is_err());
}

#[test]
fn a_range_finder_sees_the_next_body_but_not_its_own() {
    let mut world = weightless();
    let eye = world.add(Body::free(ball(0.2)).velocity(DVec3::X)).unwrap();
    let wall =
        world.add(Body::fixed(cuboid(DVec3::new(0.1, 1.0, 1.0))).at(4.0 * DVec3::X)).unwrap();
    world.advance_to(1.0).unwrap();
    let seen = Range::new(eye, 10.0).read(&world).unwrap();
    assert!((seen.distance - 2.9).abs() < 1e-12 && seen.body == wall, "{seen:?}");
    assert!(seen.normal.distance(-DVec3::X) < 1e-12);
    assert!(Range::new(eye, 2.0).read(&world).is_none());
    let aside = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(1.5));
    assert!(Range { body_from_sensor: aside, ..Range::new(eye, 10.0) }.read(&world).is_none());
}
