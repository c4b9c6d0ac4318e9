//! Energy and momentum.

use carom::{Body, History, Joint, JointKind, Observers, World};
use glam::DVec3;

use crate::common::{ball, chain, cuboid};

#[test]
fn the_ledger_of_a_swinging_chain_closes_with_the_integrators_error_as_its_own_line() {
    let mut world = World::builder().passing().build().unwrap();
    chain(&mut world, 4, 0.25);
    let mut history = History::of_all();
    for i in 1..=20 {
        world
            .advance_watched(0.1 * f64::from(i), &mut Observers::none().with(&mut history))
            .unwrap();
        let account = world.account();
        assert!(account.residual.abs() < 1e-12, "{account:?}");
        assert!(account.integration.abs() < 1e-6, "{account:?}");
        assert!((account.total() - account.initial - account.integration).abs() < 1e-12);
    }
    println!("{:?}", world.account());
    for i in 0..=200 {
        let account = history.account_at(0.01 * f64::from(i)).unwrap();
        assert!(account.residual.abs() < 1e-12, "{i}: {account:?}");
    }
}

#[test]
fn a_motor_does_the_work_that_the_ledger_says() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let wheel = world.add(Body::free(ball(0.1)).mass(5.0)).unwrap();
    let hinge = JointKind::Revolute { axis: DVec3::X };
    let joint = world.join(Joint::new(hinge, None, wheel)).unwrap();
    world.drive(joint, &[0.3]).unwrap();
    world.advance_to(2.0).unwrap();
    let inertia = 0.4 * 5.0 * 0.01;
    let rate = 0.3 * 2.0 / inertia;
    let account = world.account();
    println!("{account:?}");
    assert!((world.joint(joint).unwrap().rates()[0] - rate).abs() < 1e-9 * rate);
    assert!((account.work - 0.5 * inertia * rate * rate).abs() < 1e-9);
    assert!(account.residual.abs() < 1e-12);
}

/// Two bodies that are joined while they fly keep momentum and angular momentum, and lose energy.
#[test]
fn joining_keeps_momentum_and_loses_energy_and_parting_keeps_both() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let half = DVec3::new(0.1, 0.2, 0.3);
    let a = world
        .add(
            Body::free(cuboid(half))
                .mass(2.0)
                .velocity(DVec3::new(1.0, 0.2, -0.3))
                .angular_velocity(DVec3::new(0.5, -1.0, 2.0)),
        )
        .unwrap();
    let b = world
        .add(
            Body::free(ball(0.1))
                .mass(1.0)
                .at(DVec3::new(0.5, 0.0, 0.0))
                .velocity(DVec3::new(-1.0, 0.4, 0.1)),
        )
        .unwrap();
    let momenta = |world: &World| {
        let mut sums = [DVec3::ZERO; 2];
        for body in [a, b] {
            let (state, mass) =
                (world.state(body).unwrap(), *world.body(body).unwrap().mass().unwrap());
            let linear = mass.mass * state.velocity;
            sums[0] += linear;
            sums[1] += state.position.cross(linear)
                + mass.angular_momentum(state.orientation, state.angular_velocity);
        }
        sums
    };
    let before = momenta(&world);
    let kind = JointKind::Universal { first: DVec3::X, second: DVec3::Y };
    let joint = world.join(Joint::new(kind, a, b).at(DVec3::new(0.3, 0.0, 0.0))).unwrap();
    let account = world.account();
    let joined = momenta(&world);
    println!("lost {} J of {}", account.restitution_loss, account.initial);
    for (one, other) in before.iter().zip(&joined) {
        assert!(one.distance(*other) < 1e-12, "{before:?} {joined:?}");
    }
    assert!(account.restitution_loss > 0.0 && account.residual.abs() < 1e-12, "{account:?}");
    world.advance_to(1.0).unwrap();
    for (one, other) in before.iter().zip(momenta(&world)) {
        assert!(one.distance(other) < 1e-8, "{one} {other}");
    }
    let energy = world.account().total();
    world.part(joint).unwrap();
    let account = world.account();
    assert!(
        (account.total() - energy).abs() < 1e-12 && account.residual.abs() < 1e-12,
        "{account:?}"
    );
    assert_eq!(world.body(a).unwrap().role(), "free");
    world.advance_to(2.0).unwrap();
}
