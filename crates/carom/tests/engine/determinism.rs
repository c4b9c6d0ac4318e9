//! Same input, same bits: whatever the threads, the windows, the cuts, the watchers and the caches.

use carom::{History, Observers, SampleTimes, Settings, World, WorldBuilder};

use crate::common::{bits, busy_world};

fn end_of(builder: WorldBuilder, seed: u64, bodies: usize) -> (carom::StateHash, Vec<u64>) {
    let mut world = busy_world(builder, seed, bodies);
    world.advance_to(3.0).expect("three seconds");
    (world.hash(), bits(&world))
}

/// proves: m1/SY-R4
#[test]
fn threads_change_no_bit_and_really_share_the_work() {
    for seed in 0..5 {
        let one = end_of(World::builder(), seed, 300);
        for threads in [2, 3, 8] {
            assert_eq!(end_of(World::builder().threads(threads), seed, 300), one, "{threads}");
        }
    }
    let mut world = busy_world(World::builder().threads(2), 1, 5000);
    let mut states = Vec::new();
    // A thread may be late to wake on a busy machine, but not every time.
    for step in 1..2000 {
        world.advance_to(1e-3 * f64::from(step)).unwrap();
        world.states_at(world.now(), &mut states);
        if world.work_by_thread().iter().all(|&pieces| pieces > 5000) {
            break;
        }
    }
    let work = world.work_by_thread();
    println!("pieces of work by thread: {work:?}");
    assert!(work.len() == 2 && work.iter().all(|&pieces| pieces > 0), "{work:?}");
}

#[test]
fn lengths_of_windows_change_no_bit() {
    for seed in 0..5 {
        let usual = end_of(World::builder(), seed, 60);
        for window_radii in [0.3, 1.0, 50.0] {
            let settings = Settings { window_radii, ..Settings::default() };
            let other = end_of(World::builder().settings(settings), seed, 60);
            assert_eq!(other, usual, "{window_radii}");
        }
    }
}

#[test]
fn cuts_watchers_and_forgotten_caches_change_no_bit() {
    for seed in 0..5 {
        let (hash, states) = end_of(World::builder(), seed, 60);
        let mut world = busy_world(World::builder(), seed, 60);
        let mut history = History::of_all();
        let mut times = SampleTimes::new(0.0, 317.0).unwrap();
        while let Some(time) = times.next_before(3.0) {
            world.advance_watched(time, &mut Observers::none().with(&mut history)).unwrap();
            world.forget_caches();
        }
        world.advance_watched(3.0, &mut Observers::none().with(&mut history)).unwrap();
        assert_eq!((world.hash(), bits(&world)), (hash, states));
    }
}

#[test]
fn the_hash_tells_worlds_apart_that_differ_in_one_bit() {
    let mut world = busy_world(World::builder(), 1, 10);
    let mut hashes = vec![world.hash()];
    world.advance_to(1e-300).unwrap();
    hashes.push(world.hash());
    world.set_gravity(world.gravity() * (1.0 + f64::EPSILON)).unwrap();
    hashes.push(world.hash());
    hashes.sort_by_key(|hash| hash.0);
    hashes.dedup();
    assert_eq!(hashes.len(), 3);
}
