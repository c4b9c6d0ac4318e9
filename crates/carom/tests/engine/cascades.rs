//! Cascades of collisions at one instant: those that end, and those that cannot.

use carom::{Body, Fault, World};
use carom_dynamics::law::{Law, LawSpec, Oscillation, Swing};
use carom_geometry::Pose;
use glam::DVec3;

use crate::collisions::{made_of, moving};
use crate::common::{ball, cuboid, floor};

#[test]
fn a_ball_wedged_between_closing_plates_ends_the_run_with_their_names() {
    for restitution in [0.0, 0.5, 1.0] {
        let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
        let material = made_of(&mut world, 0.3, restitution);
        for (name, side) in [("left", -1.0), ("right", 1.0)] {
            let law = moving(-0.5 * side * DVec3::X, side * DVec3::X);
            let plate = Body::scripted(cuboid(0.2, 1.0, 1.0), law).named(name).material(material);
            world.add(plate).unwrap();
        }
        world.add(Body::free(ball(0.1)).named("ball").material(material)).unwrap();
        let fault = world.advance_to(3.0).expect_err("there is no way out");
        let text = fault.to_string();
        println!("{text}");
        assert!(matches!(fault, Fault::Cascade { .. } | Fault::Budget { .. }), "{fault:?}");
        for name in ["\"ball\"", "\"left\"", "\"right\""] {
            assert!(text.contains(name), "{text}");
        }
        // The plates meet the ball after 1.6 s.
        assert!((fault.time().unwrap() - 1.6).abs() < 0.05, "{text}");
    }
}

#[test]
fn rows_that_do_not_bounce_come_to_rest_against_a_wall() {
    for (count, restitution) in [(2, 0.0), (5, 0.0), (10, 0.0), (5, 0.3), (10, 0.5), (30, 0.0)] {
        let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
        let material = made_of(&mut world, 0.0, restitution);
        let wall = Body::fixed(cuboid(0.2, 1.0, 1.0)).material(material);
        world.add(wall.at((0.2 * f64::from(count)) * DVec3::X)).unwrap();
        for index in 0..count {
            let place = 0.2 * f64::from(index) - if index == 0 { 0.5 } else { 0.0 };
            let velocity = if index == 0 { DVec3::X } else { DVec3::ZERO };
            let body = Body::free(ball(0.1)).mass(1.0).material(material);
            world.add(body.at(place * DVec3::X).velocity(velocity)).unwrap();
        }
        world.advance_to(2.0).unwrap();
        let account = world.account();
        let collisions: u64 = world.contacts().map(|it| it.sums().collisions).sum();
        println!(
            "{count} balls, e {restitution}: {collisions} collisions, boost {:e} J",
            account.boost
        );
        // Thirty balls take as many rounds as are had patience with.
        assert!(account.boost < 5e-3 * account.initial, "{account:?}");
        assert!(account.residual.abs() < 1e-12, "{account:?}");
    }
}

#[test]
fn a_long_elastic_row_passes_its_impulse_on_to_the_last_ball() {
    let count = 1500;
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let material = made_of(&mut world, 0.0, 1.0);
    let mut last = None;
    for index in 0..count {
        let place = 0.2 * f64::from(index) - if index == 0 { 0.5 } else { 0.0 };
        let velocity = if index == 0 { DVec3::X } else { DVec3::ZERO };
        let body = Body::free(ball(0.1)).mass(1.0).material(material);
        last = world.add(body.at(place * DVec3::X).velocity(velocity)).ok();
    }
    world.advance_to(1.0).unwrap();
    let account = world.account();
    assert!((world.state(last.unwrap()).unwrap().velocity - DVec3::X).length() < 1e-9);
    assert!(account.restitution_loss.abs() < 1e-12, "{account:?}");
}

/// A piston at rest against a box, which then moves as t³: neither closes nor accelerates at first.
#[test]
fn what_begins_to_push_softly_is_felt() {
    for gravity in [DVec3::ZERO, -9.81 * DVec3::Z] {
        let mut world = World::builder().gravity(gravity).build().unwrap();
        let material = made_of(&mut world, 0.3, 0.3);
        world.add(Body::fixed(floor()).material(material)).unwrap();
        let swing = |amplitude: f64, rate: f64| Oscillation {
            swing: Swing::Along { axis: DVec3::X },
            amplitude,
            rate,
            phase: 0.0,
            mean: 0.0,
        };
        let law = Law::new(LawSpec::Oscillator {
            base: Pose::from_translation(DVec3::new(-0.125, 0.0, 0.5)),
            terms: vec![swing(0.05, 10.0), swing(-0.025, 20.0)],
        });
        let piston = Body::scripted(cuboid(0.25, 1.0, 0.25), law.unwrap()).material(material);
        let piston = world.add(piston).unwrap();
        let pushed = Body::free(cuboid(0.5, 0.5, 0.5)).material(material);
        let pushed = world.add(pushed.at(DVec3::new(0.25, 0.0, 0.25))).unwrap();
        world.advance_to(0.3).unwrap();
        let (way, driven) = (world.state(pushed).unwrap(), world.state(piston).unwrap());
        // At 0.3 s the piston is as far out as it gets.
        let gap = way.position.x - 0.25 - (driven.position.x + 0.125);
        assert!(way.position.x > 0.25 + 0.04 && gap > -1e-9, "{gap}: {way:?}");
        let account = world.account();
        assert!(account.residual.abs() < 1e-9 * account.work.abs(), "{account:?}");
    }
}

#[test]
fn what_fits_exactly_between_two_walls_slides_along_them() {
    for friction in [0.0, 0.3] {
        let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
        let material = made_of(&mut world, friction, 0.0);
        for side in [-1.0, 1.0] {
            let wall = Body::fixed(cuboid(0.2, 10.0, 1.0)).material(material);
            world.add(wall.at(0.2 * side * DVec3::X)).unwrap();
        }
        let body = Body::free(ball(0.1)).mass(1.0).material(material);
        let slider = world.add(body.velocity(DVec3::new(1e-3, 1.0, 0.0))).unwrap();
        world.advance_to(1.0).unwrap();
        let state = world.state(slider).unwrap();
        assert!(state.position.x.abs() < 1e-9, "{state:?}");
        if friction == 0.0 {
            assert!((state.position.y - 1.0).abs() < 1e-6, "{state:?}");
        }
    }
}

#[test]
fn boxes_that_meet_flat_in_free_fall_do_not_stall() {
    for restitution in [0.0, 1e-9, 0.5] {
        let mut world = World::builder().build().unwrap();
        let material = made_of(&mut world, 0.5, restitution);
        let mut boxes = Vec::new();
        for side in [-1.0, 1.0] {
            let body = Body::free(cuboid(0.1, 0.1, 0.1)).material(material);
            let body = body.at(0.2 * side * DVec3::Z).velocity(-0.5 * side * DVec3::Z);
            boxes.push(world.add(body).unwrap());
        }
        world.advance_to(2.0).unwrap();
        let [a, b] = [boxes[0], boxes[1]].map(|id| world.state(id).unwrap().velocity.z);
        assert!((b - a - restitution).abs() < 1e-8, "{}", b - a);
    }
}

#[test]
fn balls_in_an_exact_column_bounce_as_they_should() {
    let (mut world, _, material) =
        crate::collisions::on_a_floor(crate::collisions::earth(), 0.0, 1.0);
    for index in 0..6 {
        let place = (1.101 + 0.21 * f64::from(index)) * DVec3::Z;
        world.add(Body::free(ball(0.1)).mass(10.0).material(material).at(place)).unwrap();
    }
    let before = world.account().total();
    world.advance_to(5.0).unwrap();
    assert!((world.account().total() / before - 1.0).abs() < 1e-12);
}
