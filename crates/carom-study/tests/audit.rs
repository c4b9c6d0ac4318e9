//! The auditor beside the engine: clean where the engine is, and blind where it must be.

use carom::{Body, Command, Happening, History, Layers, Observers, StopAtTouch, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};
use carom_study::audit::{AuditOptions, AuditReport, Auditor};
use glam::DVec3;

fn ball(radius: f64) -> Shape {
    Shape::Ball(Ball::new(radius).expect("a ball"))
}

fn empty() -> World {
    World::builder().passing().gravity(DVec3::ZERO).build().expect("an empty world")
}

/// Lets time pass in some cuts, with an auditor, and gives what it found and how many touches were told.
fn audited(world: &mut World, until: f64, cuts: u32) -> (AuditReport, usize) {
    let quiet = (until - world.now()) / 64.0;
    let mut auditor = Auditor::new(AuditOptions { quiet, ..AuditOptions::default() });
    let mut history = History::of_all();
    let start = world.now();
    for cut in 1..=cuts {
        let time = start + (until - start) * (f64::from(cut) / f64::from(cuts));
        let mut watchers = Observers::none().with(&mut auditor).with(&mut history);
        world.advance_watched(time, &mut watchers).unwrap_or_else(|fault| panic!("{fault}"));
    }
    let is_touch = |event: &&carom::Event| matches!(event.what, Happening::Touch(_));
    (auditor.finish(), history.events().iter().filter(is_touch).count())
}

#[test]
fn balls_that_pass_through_each_other_are_told_of_and_never_overlap_before() {
    let mut world = empty();
    for i in 0..60_u32 {
        let i = f64::from(i);
        let at = DVec3::new(i % 4.0, libm::floor(i / 4.0) % 4.0, libm::floor(i / 16.0)) * 1.5;
        let velocity = DVec3::new(libm::sin(7.0 * i), libm::cos(5.0 * i), libm::sin(3.0 * i + 1.0));
        world.add(Body::free(ball(0.3)).density(1000.0).at(at).velocity(2.0 * velocity)).unwrap();
    }
    let (report, touches) = audited(&mut world, 4.0, 8);
    assert!(report.is_clean(), "{:?}", report.complaints());
    assert!(touches > 10, "{touches}");
    let least = report.least.expect("they touch").gap;
    // Half a thousand-millionth of the diameter is what the engine aims at.
    assert!(least.is_apart() && least.upper < 6e-10, "{least:?}");
    println!("{touches} touches, {} distances at {} times", report.distances, report.times);
}

#[test]
fn a_collision_is_a_touch_that_was_told() {
    let mut world = World::builder().build().unwrap();
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    world.add(Body::fixed(floor)).unwrap();
    let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.1)).unwrap());
    let cube = Body::free(cube).at(DVec3::new(0.0, 0.0, 0.3));
    world.add(cube.angular_velocity(DVec3::new(3.0, 2.0, 1.0))).unwrap();
    let (report, touches) = audited(&mut world, 1.0, 8);
    assert!(report.is_clean(), "{:?}", report.complaints());
    assert_eq!(touches, 0, "all of them came to a collision");
    let collisions = world.contacts().map(|it| it.sums().collisions).sum::<u64>();
    assert!(collisions > 100, "{collisions}");
    let least = report.least.expect("they touch").gap;
    assert!(least.upper < 1e-9, "{least:?}");
}

#[test]
fn the_least_gap_hardly_depends_on_where_a_run_is_cut() {
    let gap = |cuts: u32| {
        let mut world = empty();
        let cuboid = Shape::Cuboid(Cuboid::new(DVec3::new(0.5, 0.2, 0.3)).unwrap());
        world
            .add(Body::free(cuboid).density(1.0).angular_velocity(DVec3::new(0.3, 0.2, 0.1)))
            .unwrap();
        let passing = Body::free(ball(0.25)).density(1.0).at(DVec3::new(-6.0, 1.1, 0.1));
        world.add(passing.velocity(DVec3::X * 3.0)).unwrap();
        let least = audited(&mut world, 5.0, cuts).0.least.expect("they pass");
        (least.gap.upper, least.time)
    };
    let (one, at) = gap(1);
    assert!(one > 0.1 && (1.0..3.0).contains(&at), "{one} at {at}");
    for cuts in [3, 64, 300] {
        let (other, _) = gap(cuts);
        assert!((other / one - 1.0).abs() < 1e-12, "{other} with {cuts} cuts, {one} with one");
    }
}

#[test]
fn who_takes_no_notice_of_whom_is_not_measured() {
    let mut world = empty();
    let flying = Body::free(ball(1.0)).density(1.0).velocity(DVec3::X * 10.0);
    let stone = world.add(flying).unwrap();
    world.add(Body::free(ball(1.0)).density(1.0).ghost()).unwrap();
    world.add(Body::fixed(ball(2.0)).at(DVec3::X * 5.0).sensor()).unwrap();
    world
        .add(
            Body::free(ball(1.0))
                .density(1.0)
                .except(stone)
                .layers(Layers { belongs: 2, meets: 2 }),
        )
        .unwrap();
    let (report, _) = audited(&mut world, 1.0, 4);
    assert_eq!((report.distances, &report.least), (0, &None), "{report:?}");
    let mut still = empty();
    still.add(Body::fixed(ball(1.0))).unwrap();
    still.add(Body::fixed(ball(1.0)).at(DVec3::X)).unwrap();
    assert_eq!(audited(&mut still, 1.0, 4).0.distances, 0);
}

#[test]
fn a_ball_that_is_turned_around_at_walls_without_end_never_enters_them() {
    let mut world = empty();
    for normal in [DVec3::X, DVec3::NEG_X] {
        let wall = Shape::HalfSpace(HalfSpace::new(normal, -1.0).unwrap());
        world.add(Body::fixed(wall)).unwrap();
    }
    let ball = world.add(Body::free(ball(0.1)).mass(1.0).velocity(DVec3::X)).unwrap();
    let mut auditor = Auditor::new(AuditOptions { quiet: 0.1, ..AuditOptions::default() });
    for _ in 0..20 {
        let mut stop = StopAtTouch::default();
        let mut watchers = Observers::none().with(&mut auditor).with(&mut stop);
        world.advance_watched(100.0, &mut watchers).expect_err("it stops at the touch");
        let state = world.state(ball).unwrap();
        world.apply_impulse(ball, -2.0 * state.velocity, state.position).unwrap();
    }
    let report = auditor.finish();
    assert!(report.is_clean(), "{:?}", report.complaints());
    assert!(report.instants >= 20, "{}", report.instants);
    assert!(report.least.expect("it touches").gap.upper < 1e-9);
}

#[test]
fn bodies_that_come_and_go_are_followed_while_they_are_there() {
    let mut world = empty();
    world.add(Body::free(ball(0.5)).density(1.0).named("stays")).unwrap();
    let first =
        world.add(Body::free(ball(0.5)).density(1.0).at(DVec3::X * 3.0).named("goes")).unwrap();
    world.schedule(1.0, Command::Remove(first)).unwrap();
    // The place of the one that went is taken by another, which comes nearer.
    let comes = Body::free(ball(0.5)).density(1.0).at(DVec3::Y * 1.25).named("comes");
    world.schedule(2.0, Command::add(comes)).unwrap();
    let (report, _) = audited(&mut world, 3.0, 5);
    assert!(report.is_clean());
    let least = report.least.expect("they are near");
    assert_eq!((least.names, least.time), (["stays".to_owned(), "comes".to_owned()], 2.0));
    assert!(least.gap.holds(0.25, 0.0), "{:?}", least.gap);
}
