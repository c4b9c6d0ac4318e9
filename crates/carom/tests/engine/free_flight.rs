//! A free body flies on a parabola, and turns as torque-free bodies do, until something strikes it.

use carom::{Body, World};
use glam::DVec3;

use crate::common::{Numbers, ball, cuboid};

/// proves: m1/RB-R1
#[test]
fn any_split_of_the_time_gives_the_same_bits() {
    let numbers = &mut Numbers(7);
    for _ in 0..20 {
        let body = Body::free(cuboid(0.1, 0.2, 0.3))
            .at(numbers.vector())
            .velocity(10.0 * numbers.vector())
            .angular_velocity(30.0 * numbers.vector());
        let end = |splits: &[f64]| {
            let mut world = World::builder().build().unwrap();
            let id = world.add(body.clone()).unwrap();
            for &time in splits {
                world.advance_to(time).unwrap();
            }
            world.state(id).unwrap()
        };
        let mut splits: Vec<f64> = (0..50).map(|_| 5.0 + 5.0 * numbers.next()).collect();
        splits.sort_by(f64::total_cmp);
        splits.push(10.0);
        assert_eq!(end(&[10.0]), end(&splits));
    }
}

#[test]
fn a_thrown_ball_is_on_its_parabola() {
    let mut world = World::builder().gravity(DVec3::new(0.0, 0.0, -10.0)).build().unwrap();
    let thrown = Body::free(ball(0.1)).velocity(DVec3::new(3.0, 0.0, 20.0));
    let id = world.add(thrown).unwrap();
    world.advance_to(2.0).unwrap();
    let top = world.state(id).unwrap();
    assert_eq!(top.position, DVec3::new(6.0, 0.0, 20.0));
    assert_eq!(top.velocity, DVec3::new(3.0, 0.0, 0.0));
    // The present motion answers for other times, too.
    assert_eq!(world.state_at(id, 4.0).unwrap().position, DVec3::new(12.0, 0.0, 0.0));
    assert_eq!(world.state_at(id, -1.0), None);
}

#[test]
fn a_scene_a_thousand_times_larger_does_the_same_a_thousand_times_larger() {
    let run = |scale: f64| {
        let numbers = &mut Numbers(11);
        let mut world = World::builder().gravity(-9.81 * scale * DVec3::Z).build().unwrap();
        for _ in 0..30 {
            let body = Body::free(cuboid(0.1 * scale, 0.2 * scale, 0.3 * scale))
                .at(scale * 10.0 * numbers.vector())
                .velocity(scale * 5.0 * numbers.vector())
                .angular_velocity(20.0 * numbers.vector());
            world.add(body).unwrap();
        }
        world.advance_to(10.0).unwrap();
        let states: Vec<_> = world.bodies().map(|body| body.state().unwrap()).collect();
        states
    };
    let mut worst = 0.0_f64;
    for (small, large) in run(1.0).iter().zip(run(1000.0)) {
        // The largest coordinate is that of the fall, half a kilometre.
        let shift = (1000.0 * small.position - large.position).length() / large.position.length();
        let turn = (small.orientation * large.orientation.conjugate()).xyz().length();
        worst = worst.max(shift).max(turn);
    }
    // 1e-12·max(1, |ω|T/1000) with |ω|T below 400.
    println!("largest difference {worst:e}");
    assert!(worst < 1e-12, "{worst:e}");
}
