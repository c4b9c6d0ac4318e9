//! Snapshots and repetition.

use carom::{Body, Joint, JointForce, JointKind, Snapshot, World};
use glam::DVec3;

use crate::common::{ball, chain, cuboid};

fn busy() -> World {
    let mut world = World::builder().build().expect("a world to test with");
    world
        .add(Body::fixed(cuboid(DVec3::new(3.0, 3.0, 0.5))).at(DVec3::new(0.0, 0.0, -1.0)))
        .expect("a world to test with");
    chain(&mut world, 3, 0.3);
    let float = world
        .add(Body::free(ball(0.1)).at(DVec3::new(0.0, 1.0, 0.0)).angular_velocity(DVec3::X))
        .expect("a world to test with");
    let ring = world
        .add(Body::free(ball(0.1)).at(DVec3::new(0.3, 1.0, 0.0)))
        .expect("a world to test with");
    let spring = JointForce { stiffness: 5.0, damping: 0.02, ..JointForce::default() };
    let joint =
        Joint::new(JointKind::Spherical, float, ring).at(DVec3::new(0.15, 1.0, 0.0)).force(spring);
    world.join(joint).expect("a world to test with");
    world
}

#[test]
fn a_world_with_linkages_goes_on_from_a_snapshot_with_the_same_bits() {
    let mut world = busy();
    for i in 1..=8 {
        world.advance_to(0.1 * f64::from(i)).unwrap();
        let saved = Snapshot::from_bytes(world.snapshot().unwrap().as_bytes().to_vec()).unwrap();
        let mut again = World::restore(&saved, Vec::new(), 1).unwrap();
        assert_eq!(again.hash(), world.hash());
        world.advance_to(0.1 * f64::from(i) + 0.05).unwrap();
        again.advance_to(0.1 * f64::from(i) + 0.05).unwrap();
        assert_eq!(again.hash(), world.hash(), "after {i}");
    }
}

#[test]
fn the_same_input_gives_the_same_bits_whatever_the_threads() {
    let run = |threads: usize| {
        let mut world = busy();
        let saved = world.snapshot().unwrap();
        world = World::restore(&saved, Vec::new(), threads).unwrap();
        world.advance_to(1.0).unwrap();
        world.hash()
    };
    assert_eq!(run(1), run(2));
    assert_eq!(run(1), run(1));
}
