//! Impacts through bodies that stay in contact: in sequence, and all at once.

use carom::{Body, BodyId, ContactSettings, Impacts, Regime, World};
use glam::DVec3;

use crate::common::{ball, books_close, cuboid, on_a_floor};

/// Three equal balls in a row that touch, in free space; the first comes at 1 m/s.
fn row(impacts: Impacts, restitution: f64) -> (World, Vec<BodyId>) {
    let contact = ContactSettings { impacts, ..ContactSettings::default() };
    let (mut world, _, material) = on_a_floor(restitution, contact);
    world.set_gravity(DVec3::ZERO).expect("no gravity");
    let mut add = |x: f64, velocity: DVec3| {
        let body = Body::free(ball(0.5)).mass(1.0).material(material);
        world.add(body.at(DVec3::new(x, 0.0, 5.0)).velocity(velocity)).expect("a ball")
    };
    let balls = vec![add(-0.2, DVec3::X), add(1.0, DVec3::ZERO), add(2.0, DVec3::ZERO)];
    (world, balls)
}

fn speeds(world: &World, balls: &[BodyId]) -> Vec<f64> {
    balls.iter().map(|it| world.state(*it).expect("a ball").velocity.x).collect()
}

/// proves: baraff/38 baraff/40 baraff/41
#[test]
fn three_balls_in_a_row_give_what_each_model_says() {
    let cases = [
        (Impacts::Sequence, [0.0, 0.0, 1.0]),
        (Impacts::Simultaneous, [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]),
    ];
    for (impacts, expected) in cases {
        let (mut world, balls) = row(impacts, 1.0);
        world.advance_to(1.0).expect("they meet");
        let found = speeds(&world, &balls);
        println!("{impacts:?}: {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{impacts:?}: {found} instead of {expected}");
        }
        books_close(&world, 1e-12);
    }
}

#[test]
fn a_row_without_rebound_goes_on_together() {
    for impacts in Impacts::ALL {
        let (mut world, balls) = row(impacts, 0.0);
        world.advance_to(1.0).expect("they meet");
        let found = speeds(&world, &balls);
        assert!(found.iter().all(|speed| (speed - 1.0 / 3.0).abs() < 1e-9), "{found:?}");
        assert_eq!(world.regime_of(balls[0], balls[1]), Regime::Constraint);
        books_close(&world, 1e-12);
    }
}

/// proves: baraff/39
#[test]
fn a_cube_that_lands_flat_leaves_without_spin() {
    for impacts in Impacts::ALL {
        for restitution in [0.0, 0.5, 1.0] {
            let contact = ContactSettings { impacts, ..ContactSettings::default() };
            let (mut world, floor, material) = on_a_floor(restitution, contact);
            let body = Body::free(cuboid(0.2, 0.2, 0.2)).mass(3.0).material(material);
            let body = world.add(body.at(0.6 * DVec3::Z)).expect("a cube");
            // √(2·0.5/9.81) is 0.31928 s.
            world.advance_to(0.32).expect("it lands");
            let state = world.state(body).expect("a cube");
            let speed = (2.0 * 9.81 * 0.5_f64).sqrt();
            let expected = restitution * speed - 9.81 * (0.32 - speed / 9.81);
            let expected = if restitution == 0.0 { 0.0 } else { expected };
            assert!((state.velocity.z - expected).abs() < 1e-6, "{state:?} and {expected}");
            assert!(state.angular_velocity.length() < 1e-12, "{state:?}");
            let given = world.contact(floor, body).expect("they met").sums().normal_impulse;
            let momentum = (1.0 + restitution) * 3.0 * speed;
            assert!(given >= momentum * (1.0 - 1e-9), "{given} and {momentum}");
        }
    }
}

#[test]
fn a_ball_that_falls_on_a_stack_loses_what_restitution_takes() {
    for restitution in [0.0, 0.3, 0.8] {
        for impacts in Impacts::ALL {
            let contact = ContactSettings { impacts, ..ContactSettings::default() };
            let (mut world, _, material) = on_a_floor(restitution, contact);
            for i in 0..4 {
                let body = Body::free(cuboid(0.3, 0.3, 0.1)).mass(1.0).material(material);
                world.add(body.at((0.05 + 0.1 * f64::from(i)) * DVec3::Z)).expect("a box");
            }
            let stone = Body::free(ball(0.05)).mass(1.0).material(material).at(0.9 * DVec3::Z);
            let stone = world.add(stone).expect("a ball");
            world.advance_to(3.0).expect("it comes to rest");
            println!("{impacts:?} e {restitution}: {:?}", world.event_counts());
            assert!((world.state(stone).unwrap().position.z - 0.45).abs() < 1e-6);
            books_close(&world, 1e-12);
        }
    }
}
