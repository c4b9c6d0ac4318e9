//! Links without mass between joints.
//!
//! Two turns about crossing axes with a link without mass between them are a universal joint: the same freedoms, the same inertia.
//! So both ways to say it must move alike, which is an oracle for everything that the link between takes part in.

use carom::{Body, BodyId, Joint, JointError, JointKind, World, WorldError};
use glam::DVec3;

use crate::common::{ball, cuboid};

const HANGER: DVec3 = DVec3::new(0.3, -0.2, 0.5);

fn bob() -> Body {
    let at = HANGER + DVec3::new(0.4, 0.1, -0.2);
    Body::free(cuboid(DVec3::new(0.1, 0.05, 0.02))).named("bob").mass(1.3).at(at)
}

/// A bob on two hinges with nothing but a marker between them.
fn gimbal(world: &mut World) -> (BodyId, BodyId, Vec<carom::JointId>) {
    let bob = world.add(bob()).expect("a bob");
    let cross = Body::massless(ball(0.01)).ghost().named("cross").at(HANGER);
    let cross = world.add(cross).expect("a cross");
    let [first, second] = [DVec3::X, DVec3::Y].map(|axis| JointKind::Revolute { axis });
    let joints = vec![
        Joint::new(first, None, cross).named("first").at(HANGER),
        Joint::new(second, cross, bob).named("second").at(HANGER),
    ];
    let joints = world.join_all(joints).expect("a gimbal");
    (bob, cross, joints)
}

#[test]
fn two_hinges_across_a_link_without_mass_are_a_universal_joint() {
    let mut apart = World::builder().tolerance(1e-11).build().unwrap();
    let (bob_apart, cross, joints) = gimbal(&mut apart);
    let mut whole = World::builder().tolerance(1e-11).build().unwrap();
    let bob_whole = whole.add(bob()).unwrap();
    let kind = JointKind::Universal { first: DVec3::X, second: DVec3::Y };
    let joint = whole.join(Joint::new(kind, None, bob_whole).at(HANGER)).unwrap();
    assert_eq!(apart.body(cross).unwrap().role(), "linked");
    let mut worst = 0.0_f64;
    for i in 1..=20 {
        let time = 0.05 * f64::from(i);
        for world in [&mut apart, &mut whole] {
            world.advance_to(time).unwrap();
        }
        if i == 10 {
            for (world, bob) in [(&mut apart, bob_apart), (&mut whole, bob_whole)] {
                let at = world.state(bob).unwrap().position + DVec3::new(0.05, 0.0, 0.01);
                world.apply_impulse(bob, DVec3::new(0.3, -0.4, 0.2), at).unwrap();
            }
        }
        let q = whole.joint(joint).unwrap().coordinates();
        let [first, second] = [0, 1].map(|i| apart.joint(joints[i]).unwrap().coordinates()[0]);
        worst = worst.max((q[0] - first).abs()).max((q[1] - second).abs());
        let places = [apart.state(bob_apart), whole.state(bob_whole)].map(Option::unwrap);
        worst = worst.max(places[0].position.distance(places[1].position));
        assert!(apart.state(cross).unwrap().position.distance(HANGER) < 1e-12);
    }
    println!("angles and places differ by {worst:e}");
    // Errors of the integrator, at a tolerance of 1e-11 for each segment, over 1 s and an impulse.
    assert!(worst < 1e-9);
    let account = apart.account();
    println!("{account:?}");
    assert!(account.residual.abs() < 1e-12 && account.integration.abs() < 1e-9);
}

#[test]
fn a_link_without_mass_stands_where_it_is_until_a_joint_carries_it() {
    let mut world = World::builder().build().unwrap();
    let cross = world.add(Body::massless(ball(0.01)).ghost().named("cross").at(HANGER)).unwrap();
    let bob = world.add(bob()).unwrap();
    assert_eq!(world.body(cross).unwrap().role(), "fixed");
    let kind = JointKind::Revolute { axis: DVec3::X };
    let alone = Joint::new(kind, None, cross).named("alone").at(HANGER);
    let refused = world.join(alone.clone()).unwrap_err();
    println!("{refused}");
    assert!(matches!(refused, WorldError::Joint(JointError::Massless { .. })));
    assert_eq!(world.joints().count(), 0, "what is refused leaves no trace");
    // From the tip inward, one by one.
    let second = JointKind::Revolute { axis: DVec3::Y };
    let outer = world.join(Joint::new(second, cross, bob).at(HANGER)).unwrap();
    world.advance_to(0.1).unwrap();
    let closed = Joint::new(kind, bob, cross).named("closed").at(HANGER);
    let refused = world.join(closed).unwrap_err();
    assert!(matches!(refused, WorldError::Joint(JointError::Loop { .. })), "{refused}");
    let inner = world.join(alone).unwrap();
    assert_eq!(world.body(cross).unwrap().role(), "linked");
    world.advance_to(0.2).unwrap();
    let refused = world.part(outer).unwrap_err();
    assert!(matches!(refused, WorldError::Joint(JointError::Massless { .. })), "{refused}");
    let refused = world.remove(cross).unwrap_err();
    assert!(matches!(refused, WorldError::Linked { .. }), "{refused}");
    world.part(inner).unwrap();
    assert_eq!(world.body(cross).unwrap().role(), "fixed");
    world.advance_to(0.3).unwrap();
    let account = world.account();
    println!("{account:?}");
    assert!(account.residual.abs() < 1e-12);
}

#[test]
fn a_saved_world_goes_on_with_its_links_without_mass() {
    let mut world = World::builder().build().unwrap();
    let (bob, _, _) = gimbal(&mut world);
    world.advance_to(0.33).unwrap();
    let mut again = World::restore(&world.snapshot().unwrap(), Vec::new(), 1).unwrap();
    for world in [&mut world, &mut again] {
        world.advance_to(0.8).unwrap();
    }
    assert_eq!(world.state(bob), again.state(bob), "to the bit");
    assert_eq!(world.hash(), again.hash());
}
