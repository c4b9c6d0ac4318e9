//! Every joule is booked where it came from, and what is left over is rounding.

use carom::{Body, Command, Fault, Push, World};
use glam::DVec3;

use crate::common::{Numbers, ball, busy_world, cuboid};

#[test]
fn the_ledger_of_a_busy_world_closes_to_rounding() {
    let mut worst = 0.0_f64;
    for seed in 0..10 {
        let mut world = busy_world(World::builder(), seed, 40);
        for step in 1..=30 {
            match world.advance_to(0.1 * f64::from(step)) {
                Ok(()) => {}
                // One of the scripted plates goes down through the floor, and now and then wedges somebody.
                Err(Fault::Cascade { .. }) => break,
                Err(fault) => panic!("{fault}"),
            }
            let account = world.account();
            worst = worst.max(account.residual.abs() / account.scale());
        }
    }
    println!("largest residual {worst:e} of the largest line");
    // Thousands of collisions, the works of which are integrated to 1e-11 of each.
    assert!(worst < 1e-11, "{worst:e}");
}

#[test]
fn work_of_an_impulse_is_impulse_times_mean_velocity() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let id = world.add(Body::free(ball(0.1)).mass(2.0).velocity(DVec3::X)).unwrap();
    assert_eq!(world.account().initial, 1.0);
    world.schedule(1.0, Command::Impulse(Push::central(id, -6.0 * DVec3::X))).unwrap();
    world.advance_to(2.0).unwrap();
    let account = world.account();
    // From 1 to −2 m/s: −6·(−½) = 3 J.
    assert_eq!((account.work, account.kinetic, account.residual), (3.0, 4.0, 0.0));
}

#[test]
fn energy_of_a_falling_tumbling_body_goes_from_height_to_speed() {
    let numbers = &mut Numbers(5);
    let mut world = World::builder().build().unwrap();
    let body = Body::free(cuboid(0.1, 0.2, 0.3))
        .at(100.0 * DVec3::Z)
        .velocity(numbers.vector())
        .angular_velocity(10.0 * numbers.vector());
    world.add(body).unwrap();
    let initial = world.account().initial;
    world.advance_to(1000.0).unwrap();
    let account = world.account();
    let drift = account.residual.abs() / account.kinetic;
    println!("after 1000 s: {} J became {} J, residual {drift:e}", initial, account.total());
    // Kinetic and potential energy, 10⁸ times the initial one, must cancel: rounding of the two.
    assert!(drift < 1e-14, "{drift:e}");
}
