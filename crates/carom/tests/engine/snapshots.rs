//! A world saved and restored goes on with the same bits.

use carom::{
    Body, Command, Commands, Controller, LoadError, NotSavable, Rate, Readings, Snapshot,
    SnapshotError, World,
};
use carom_geometry::shapes::{
    Ball, Capsule, Compound, Cone, Cylinder, Ellipsoid, Part, Superquadric,
};
use carom_geometry::{ClosedMesh, Pose, Shape, convex_hull};
use glam::DVec3;
use std::sync::Arc;

use crate::common::{Numbers, ball, bits, busy_world, cuboid, floor};

#[test]
fn a_run_cut_by_snapshots_at_any_times_has_the_same_bits() {
    for seed in 0..6 {
        let mut whole = busy_world(World::builder(), seed, 40);
        whole.advance_to(3.0).unwrap();
        let mut numbers = Numbers(seed);
        let mut times: Vec<f64> = (0..12).map(|_| 1.5 + 1.5 * numbers.next()).collect();
        times.extend([0.6, 1.1, 1.2, 1.3]);
        times.sort_by(f64::total_cmp);
        let mut world = busy_world(World::builder(), seed, 40);
        for time in times {
            world.advance_to(time).unwrap();
            let bytes = world.snapshot().unwrap().as_bytes().to_vec();
            let snapshot = Snapshot::from_bytes(bytes).unwrap();
            let restored = World::restore(&snapshot, Vec::new(), 1).unwrap();
            assert_eq!(restored.hash(), world.hash());
            assert_eq!(restored.snapshot().unwrap(), snapshot);
            assert_eq!(restored.event_counts(), world.event_counts());
            world = restored;
        }
        world.advance_to(3.0).unwrap();
        assert_eq!(bits(&world), bits(&whole));
        assert_eq!(world.hash(), whole.hash());
        assert_eq!(world.event_counts(), whole.event_counts());
        assert_eq!(world.account(), whole.account());
    }
}

/// Where the child process finds the snapshot.
const CHILD: &str = "CAROM_TEST_SNAPSHOT";

/// Runs the test binary once more: what it is asked there stands in the variable.
#[test]
fn a_snapshot_in_a_file_goes_on_in_another_process_with_the_same_bits() {
    if let Some(path) = std::env::var_os(CHILD) {
        let snapshot = Snapshot::from_bytes(std::fs::read(&path).unwrap()).unwrap();
        let mut world = World::restore(&snapshot, Vec::new(), 2).unwrap();
        world.advance_to(3.0).unwrap();
        std::fs::write(path, world.hash().to_string()).unwrap();
        return;
    }
    let mut world = busy_world(World::builder(), 11, 100);
    world.advance_to(0.7).unwrap();
    let path = std::env::temp_dir().join(format!("carom-snapshot-{}", std::process::id()));
    std::fs::write(&path, world.snapshot().unwrap().as_bytes()).unwrap();
    let name = "snapshots::a_snapshot_in_a_file_goes_on_in_another_process_with_the_same_bits";
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name])
        .env(CHILD, &path)
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    let hash = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    world.advance_to(3.0).unwrap();
    assert_eq!(hash, world.hash().to_string());
}

/// Counts, and pushes harder each time.
struct Counter {
    body: carom::BodyId,
    count: u32,
}

impl Controller for Counter {
    fn tick(&mut self, _: &Readings<'_>, commands: &mut Commands) {
        self.count += 1;
        commands.apply_impulse(self.body, f64::from(self.count) * DVec3::X);
    }

    fn save(&self) -> Result<Vec<u8>, NotSavable> {
        Ok(self.count.to_le_bytes().to_vec())
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let bytes = bytes.try_into();
        let reason = "a count has four bytes".to_owned();
        self.count = u32::from_le_bytes(bytes.map_err(|_| LoadError { reason })?);
        Ok(())
    }
}

#[test]
fn controllers_go_on_with_what_they_knew() {
    let world_of = || {
        let mut world = World::builder().build().unwrap();
        let body = world.add(Body::free(ball(0.1))).unwrap();
        let counter = Box::new(Counter { body, count: 0 });
        world.add_controller(Rate::Hertz(7.0), counter).unwrap();
        (world, body)
    };
    let (mut whole, body) = world_of();
    whole.advance_to(5.0).unwrap();
    let (mut cut, _) = world_of();
    cut.advance_to(2.2).unwrap();
    let snapshot = cut.snapshot().unwrap();
    let fresh = Box::new(Counter { body, count: 0 });
    let mut restored = World::restore(&snapshot, vec![fresh], 1).unwrap();
    restored.advance_to(5.0).unwrap();
    assert_eq!(restored.hash(), whole.hash());
    assert_eq!(restored.state(body), whole.state(body));
    let missing = World::restore(&snapshot, Vec::new(), 1).unwrap_err();
    assert_eq!(missing, SnapshotError::Controllers { saved: 1, given: 0 });
}

/// Every kind of shape.
fn shapes() -> Vec<Shape> {
    let numbers = &mut Numbers(4);
    let cloud: Vec<DVec3> = (0..20).map(|_| numbers.vector()).collect();
    let hull = convex_hull(&cloud).expect("a shape");
    let mesh = ClosedMesh::new(hull.to_mesh()).expect("a shape");
    let parts = vec![
        Part { body_from_shape: Pose::IDENTITY, shape: ball(0.3) },
        Part {
            body_from_shape: Pose::new(DVec3::X, numbers.rotation()),
            shape: cuboid(0.1, 0.2, 0.3),
        },
    ];
    vec![
        Shape::Ball(Ball::new(0.1).expect("a shape")),
        cuboid(0.1, 0.3, 0.2),
        Shape::Capsule(Capsule::new(0.2, 0.1).expect("a shape")),
        Shape::Cylinder(Cylinder::new(0.2, 0.1).expect("a shape")),
        Shape::Cone(Cone::new(0.2, 0.1).expect("a shape")),
        Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.1, 0.2, 0.3)).expect("a shape")),
        Shape::Superquadric(
            Superquadric::new(DVec3::new(0.1, 0.2, 0.3), 3.0, 4.0).expect("a shape"),
        ),
        Shape::Polyhedron(Arc::new(hull)),
        Shape::Mesh(Arc::new(mesh)),
        Shape::Compound(Arc::new(Compound::new(parts).expect("a shape"))),
    ]
}

#[test]
fn every_shape_comes_back_as_it_was() {
    let mut world = World::builder().build().unwrap();
    world.add(Body::fixed(floor())).unwrap();
    for shape in shapes() {
        let late = Body::free(shape.clone()).angular_velocity(DVec3::ONE).ghost();
        world.schedule(1.0, Command::add(late)).unwrap();
        world.add(Body::free(shape).ghost()).unwrap();
    }
    let snapshot = world.snapshot().unwrap();
    let mut restored = World::restore(&snapshot, Vec::new(), 1).unwrap();
    for (old, new) in world.bodies().zip(restored.bodies()) {
        assert_eq!(format!("{:?}", old.shape()), format!("{:?}", new.shape()));
        assert_eq!((old.mass(), old.reference()), (new.mass(), new.reference()));
        assert_eq!(old.swept_box(), new.swept_box());
    }
    world.advance_to(2.0).unwrap();
    restored.advance_to(2.0).unwrap();
    assert_eq!(world.hash(), restored.hash());
    assert_eq!(world.snapshot().unwrap(), restored.snapshot().unwrap());
}

#[test]
fn one_shape_of_many_bodies_is_saved_once() {
    let mesh = shapes().swap_remove(8);
    let size = |bodies: usize| {
        let mut world = World::builder().build().unwrap();
        for _ in 0..bodies {
            world.add(Body::free(mesh.clone()).ghost()).unwrap();
        }
        world.snapshot().unwrap().as_bytes().len()
    };
    let (one, hundred) = (size(1), size(100));
    assert!(hundred < one + 100 * 600, "{one} and {hundred} bytes");
}

#[test]
fn damaged_snapshots_are_refused_and_never_panic() {
    let mut world = busy_world(World::builder(), 2, 6);
    world.advance_to(0.4).unwrap();
    let bytes = world.snapshot().unwrap().as_bytes().to_vec();
    assert_eq!(Snapshot::from_bytes(Vec::new()), Err(SnapshotError::NotASnapshot));
    assert_eq!(Snapshot::from_bytes(bytes[..10].to_vec()), Err(SnapshotError::TooShort));
    let mut flipped = bytes.clone();
    flipped[100] ^= 1;
    assert_eq!(Snapshot::from_bytes(flipped), Err(SnapshotError::Checksum));

    // Damage that the checksum does not see, because it was made anew.
    let mut numbers = Numbers(1);
    let mut accepted = 0;
    for round in 0..4000_u32 {
        let mut content = bytes[8..bytes.len() - 16].to_vec();
        for _ in 0..=(round % 3) {
            let place = numbers.below(content.len());
            content[place] = (256.0 * numbers.next()) as i64 as u8;
        }
        if round % 5 == 0 {
            content.truncate(numbers.below(content.len()));
        }
        let mut forged = bytes[..8].to_vec();
        forged.extend_from_slice(&content);
        forged.extend_from_slice(&xxhash_rust::xxh3::xxh3_128(&content).to_le_bytes());
        let snapshot = Snapshot::from_bytes(forged).unwrap();
        if let Ok(mut world) = World::restore(&snapshot, Vec::new(), 1) {
            accepted += 1;
            // Other numbers may make another valid world; it must then run or end with a fault.
            drop(world.advance_to(world.now() + 0.01));
        }
    }
    println!("{accepted} of 4000 forged snapshots describe some world");
}
