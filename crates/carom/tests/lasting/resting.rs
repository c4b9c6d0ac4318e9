//! What stands stands: held gaps, weights, the ledger, and sleep.

use carom::{Body, BodyId, EventKind, Observers, World};
use carom_geometry::Pose;
use glam::{DQuat, DVec3};

use crate::common::{GRAVITY, ball, books_close, cuboid, sleepless, smooth_floor};

/// Boxes with a side of 1 m on each other, of 1 kg, 2 kg and so on from the bottom up.
fn stack(world: &mut World, material: carom::MaterialId, count: u32) -> Vec<BodyId> {
    let make = |i: u32| {
        let body = Body::free(cuboid(1.0, 1.0, 1.0)).mass(1.0 + f64::from(i)).material(material);
        world.add(body.at((0.5 + f64::from(i)) * DVec3::Z)).expect("a box")
    };
    (0..count).map(make).collect()
}

/// Sum of the forces between two bodies `[N]`.
fn force(world: &World, a: BodyId, b: BodyId) -> f64 {
    let own = |it: &carom::ContactForce| it.bodies == [a, b];
    world.contact_forces().iter().filter(|it| own(it)).map(|it| it.force).sum()
}

/// proves: baraff/31 ref/D3
#[test]
fn a_box_on_four_corners_does_not_move_and_carries_its_weight() {
    let (mut world, floor, material) = sleepless(0.0);
    let body = Body::free(cuboid(0.4, 0.3, 0.2)).mass(2.0).material(material).at(0.1 * DVec3::Z);
    let body = world.add(body).expect("a box");
    for step in 1..=20 {
        world.advance_to(0.1 * f64::from(step)).expect("it stands");
        let forces = world.contact_forces();
        assert_eq!(forces.len(), 4);
        assert!((force(&world, floor, body) - 2.0 * GRAVITY).abs() < 1e-9);
        assert!(forces.iter().all(|it| (it.force - 0.5 * GRAVITY).abs() < 1e-9), "{forces:?}");
        let moved = world.kinematics(body).expect("a box");
        assert!(moved.acceleration.length() < 1e-9 && moved.angular_acceleration.length() < 1e-9);
        let gap = world.nearest(floor, body, world.now()).expect("both").distance;
        assert!(0.0 < gap && gap < 1e-6 * 0.538, "{gap}");
    }
    books_close(&world, 1e-13);
}

/// proves: baraff/32 ref/D2
#[test]
fn interfaces_of_a_stack_carry_the_weight_above_and_heights_stay() {
    for (count, end) in [(2, 2.0), (5, 10.0), (30, 1.0)] {
        let (mut world, floor, material) = sleepless(0.0);
        let mut bodies = vec![floor];
        bodies.extend(stack(&mut world, material, count));
        world.advance_to(end).expect("it stands");
        let heavier = |i: u32| (i..count).map(|i| 1.0 + f64::from(i)).sum::<f64>();
        for (i, pair) in bodies.windows(2).enumerate() {
            let expected = GRAVITY * heavier(i as u32);
            let found = force(&world, pair[0], pair[1]);
            assert!((found - expected).abs() < 1e-9 * expected, "{i}: {found} and {expected}");
            let gap = world.nearest(pair[0], pair[1], end).expect("both").distance;
            assert!(0.0 < gap && gap < 1e-6, "{gap}");
        }
        let top = world.state(bodies[count as usize]).expect("the top").position.z;
        let drift = top - f64::from(count) + 0.5;
        println!("{count}: top higher by {drift:.2e} m, {:?}", world.event_counts());
        assert!(drift.abs() < 1e-7 * f64::from(count));
        books_close(&world, 1e-13);
    }
}

#[test]
fn what_rests_sleeps_without_events_and_wakes_by_a_touch() {
    let (mut world, floor, material) = smooth_floor(0.0);
    let bodies = stack(&mut world, material, 5);
    let stone = Body::free(ball(0.1)).mass(1.0).material(material).at(DVec3::new(0.1, 0.0, 25.0));
    world.add(stone).expect("a stone");
    world.advance_to(0.5).expect("it stands");
    assert!(bodies.iter().all(|body| world.is_asleep(*body)));
    let before = world.event_counts().total();
    let places: Vec<DVec3> =
        bodies.iter().map(|body| world.state(*body).unwrap().position).collect();
    world.advance_to(1.9).expect("it stands");
    let of_the_stone = world.event_counts().of(EventKind::Box);
    println!("{} events, {of_the_stone} boxes", world.event_counts().total() - before);
    for (body, place) in bodies.iter().zip(&places) {
        assert_eq!(world.state(*body).unwrap().position, *place);
    }
    assert!((force(&world, floor, bodies[0]) - 15.0 * GRAVITY).abs() < 1e-9);
    world.advance_to(2.5).expect("it is hit");
    assert!(world.state(bodies[4]).unwrap().angular_velocity.length() >= 0.0);
    world.advance_to(6.0).expect("it goes on");
    books_close(&world, 1e-12);
}

#[test]
fn sleep_costs_nothing() {
    let (mut world, _, material) = smooth_floor(0.0);
    let bodies = stack(&mut world, material, 3);
    world.advance_to(1.0).expect("it stands");
    assert!(bodies.iter().all(|body| world.is_asleep(*body)));
    let before = world.event_counts().total();
    world.advance_to(1e6).expect("it stands");
    assert_eq!(world.event_counts().total(), before);
    books_close(&world, 1e-13);
}

/// proves: baraff/6
#[test]
fn what_is_dropped_bounces_comes_to_rest_and_sleeps() {
    for (restitution, tilt) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.1), (0.5, 0.1), (0.8, 0.7)] {
        let (mut world, floor, material) = smooth_floor(restitution);
        let turn = DQuat::from_scaled_axis(tilt * DVec3::new(0.3, 1.0, 0.2));
        let body = Body::free(cuboid(0.2, 0.3, 0.25)).mass(2.0).material(material);
        let body = world.add(body.pose(Pose::new(0.4 * DVec3::Z, turn))).expect("a box");
        let mut least = f64::INFINITY;
        for step in 1..=400 {
            world.advance_to(0.01 * f64::from(step)).expect("it comes to rest");
            least = least.min(world.nearest(floor, body, world.now()).expect("both").distance);
        }
        let counts = world.event_counts();
        println!("e = {restitution}, tilt {tilt}: least gap {least:.2e} m, {counts:?}");
        assert!(least > 0.0);
        assert!(world.contact_forces().len() >= 3, "{:?}", world.state(body));
        books_close(&world, 1e-9);
    }
}

#[test]
fn a_box_slides_off_a_table_tips_and_falls() {
    let (mut world, _, material) = smooth_floor(0.0);
    let table = Body::fixed(cuboid(2.0, 2.0, 0.1)).material(material).at(0.95 * DVec3::Z);
    world.add(table).expect("a table");
    let body = Body::free(cuboid(0.3, 0.2, 0.1)).mass(1.0).material(material);
    let body = body.at(DVec3::new(0.5, 0.1, 1.05)).velocity(DVec3::X);
    let body = world.add(body).expect("a box");
    world.advance_to(0.499).expect("it slides");
    assert!(world.state(body).unwrap().angular_velocity.length() < 1e-9);
    world.advance_to(0.55).expect("it tips");
    let state = world.state(body).unwrap();
    assert!(state.angular_velocity.y > 0.5, "{state:?}");
    assert!(state.angular_velocity.x.abs() + state.angular_velocity.z.abs() < 1e-9, "{state:?}");
    world.advance_to(0.9).expect("it flies");
    let state = world.state(body).unwrap();
    assert!(world.contact_forces().is_empty());
    println!("{:?} {:?}", state, world.event_counts());
    world.advance_to(3.0).expect("it lies");
    println!("{:?}", world.event_counts());
    books_close(&world, 1e-9);
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    let (mut world, _, material) = smooth_floor(0.3);
    let turn = DQuat::from_scaled_axis(0.2 * DVec3::new(0.3, 1.0, 0.2));
    for i in 0..3 {
        let body = Body::free(cuboid(0.2, 0.3, 0.25)).mass(2.0).material(material);
        let place = DVec3::new(0.02 * f64::from(i), 0.0, 0.4 + 0.5 * f64::from(i));
        world.add(body.pose(Pose::new(place, turn))).expect("a box");
    }
    let mut other = None;
    for step in 1..=30 {
        let time = 0.1 * f64::from(step);
        world.advance_watched(time, &mut Observers::none()).expect("it goes on");
        if let Some(other) = &mut other {
            let other: &mut World = other;
            other.advance_to(time).expect("so does the other");
            assert_eq!(other.hash(), world.hash(), "at {time} s");
        }
        if step % 5 == 0 {
            let saved = world.snapshot().expect("a snapshot");
            other = Some(World::restore(&saved, Vec::new(), 1).expect("it comes back"));
        }
    }
    println!("{:?}", world.event_counts());
}
