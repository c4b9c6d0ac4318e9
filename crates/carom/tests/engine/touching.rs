//! Touches, as a world finds them.

use carom::{Body, Fault, Happening, History, Observers, StopAtTouch, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Cuboid, Ellipsoid, HalfSpace};
use glam::DVec3;

use crate::common::{Numbers, ball, cuboid};

fn wall(normal: DVec3, offset: f64) -> Body {
    Body::fixed(Shape::HalfSpace(HalfSpace::new(normal, offset).expect("a wall")))
}

/// A ball between two walls, turned around at every touch from outside.
#[test]
fn a_ball_that_is_turned_around_at_every_touch_stays_between_its_walls() {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    world.add(wall(DVec3::X, -1.0)).unwrap();
    world.add(wall(DVec3::NEG_X, -1.0)).unwrap();
    let ball = world.add(Body::free(ball(0.1)).mass(1.0).velocity(DVec3::X)).unwrap();
    let mut history = History::of_all();
    for bounce in 0..20 {
        let mut stop = StopAtTouch::default();
        let mut watchers = Observers::none().with(&mut history).with(&mut stop);
        let end = world.advance_watched(100.0, &mut watchers);
        assert!(matches!(end, Err(Fault::Stopped { .. })), "bounce {bounce}: {end:?}");
        let expected = 0.9 + 1.8 * f64::from(bounce);
        assert!((world.now() - expected).abs() < 1e-8, "bounce {bounce} at {}", world.now());
        let state = world.state(ball).unwrap();
        world.apply_impulse(ball, -2.0 * state.velocity, state.position).unwrap();
    }
    let touches = history.events().iter().filter(|it| matches!(it.what, Happening::Touch(_)));
    assert_eq!(touches.count(), 20);
}

/// Balls in a box that bounce elastically, each touch answered from outside.
struct Gas {
    world: World,
}

impl Gas {
    fn new(n: usize, settings: carom::Settings) -> Self {
        let mut world = World::builder()
            .passing()
            .gravity(DVec3::ZERO)
            .settings(settings)
            .build()
            .expect("a world");
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            world.add(wall(axis, -1.0)).expect("a wall");
            world.add(wall(-axis, -1.0)).expect("a wall");
        }
        let mut numbers = Numbers(5);
        let per_side = (1..=n).find(|k| k * k * k >= n).expect("a number");
        let pitch = 2.0 / per_side as f64;
        for i in 0..n {
            let cell = [i % per_side, i / per_side % per_side, i / per_side / per_side];
            let cell = DVec3::from_array(cell.map(|k| k as f64));
            let place = (cell + 0.5) * pitch - 1.0 + 0.1 * pitch * numbers.vector();
            let body = Body::free(ball(0.3 * pitch)).mass(1.0).at(place).velocity(numbers.vector());
            world.add(body).expect("a ball");
        }
        Self { world }
    }

    /// Goes on to the next touch and answers it; its time and bodies.
    fn next(&mut self) -> (f64, [carom::BodyId; 2]) {
        let mut stop = StopAtTouch::default();
        let end = self.world.advance_watched(1e6, &mut Observers::none().with(&mut stop));
        assert!(matches!(end, Err(Fault::Stopped { .. })), "{end:?}");
        let (time, contact) = stop.touch.expect("a touch");
        let [a, b] = contact.bodies;
        let velocity = |id| self.world.state(id).expect("a state").velocity;
        let inverse = |id| {
            let body = self.world.body(id).expect("a body");
            if body.is_free() { 1.0 } else { 0.0 }
        };
        let speed = contact.normal.dot(velocity(a) - velocity(b));
        let impulse = -2.0 * speed / (inverse(a) + inverse(b)) * contact.normal;
        for (id, sign, free) in [(a, 1.0, inverse(a) > 0.0), (b, -1.0, inverse(b) > 0.0)] {
            if free {
                self.world.apply_impulse(id, sign * impulse, contact.point).expect("a strike");
            }
        }
        (time, contact.bodies)
    }
}

#[test]
fn a_gas_keeps_its_energy_and_its_box() {
    let mut gas = Gas::new(64, carom::Settings::default());
    let energy = gas.world.account().kinetic;
    for _ in 0..3000 {
        gas.next();
    }
    let change = (gas.world.account().kinetic - energy).abs() / energy;
    println!("energy changed by {change:e} in 3000 touches");
    assert!(change < 1e-12, "{change:e}");
    for body in gas.world.bodies().filter(carom::BodyRef::is_free) {
        let place = body.state().unwrap().position;
        assert!(place.abs().max_element() < 1.0, "{} is at {place}", body.name());
    }
}

/// Windows, broad phase, forgotten caches and with them queue and check schedule change no bit.
///
/// proves: m1/HP-R3
#[test]
fn the_schedule_changes_no_bit_of_any_touch() {
    use carom::broad::BroadPhaseKind;
    let run = |window_radii: f64, broad_phase: BroadPhaseKind, forgets: usize| {
        let settings = carom::Settings { window_radii, broad_phase, ..carom::Settings::default() };
        let mut gas = Gas::new(40, settings);
        let touches: Vec<(u64, [carom::BodyId; 2])> = (0..400)
            .map(|i| {
                if forgets > 0 && i % forgets == 0 {
                    gas.world.forget_caches();
                }
                let (time, bodies) = gas.next();
                (time.to_bits(), bodies)
            })
            .collect();
        (touches, crate::common::bits(&gas.world), gas.world.hash())
    };
    let expected = run(4.0, BroadPhaseKind::Hash, 0);
    assert_eq!(run(0.7, BroadPhaseKind::Hash, 0), expected, "short windows");
    assert_eq!(run(50.0, BroadPhaseKind::Hash, 0), expected, "long windows");
    assert_eq!(run(4.0, BroadPhaseKind::Sweep, 0), expected, "sorted coordinates");
    assert_eq!(run(2.0, BroadPhaseKind::All, 0), expected, "every pair");
    assert_eq!(run(3.0, BroadPhaseKind::Hash, 7), expected, "forgotten caches");
}

/// A slope's box is all of space, whatever the broad phase.
#[test]
fn a_ball_comes_down_on_a_slope() {
    use carom::broad::BroadPhaseKind::{All, Hash, Sweep};
    let normal = DVec3::new(0.6, 0.0, 0.8);
    let slope = || wall(normal, 0.0);
    let thrown = || Body::free(ball(0.5)).at(1.5 * normal).velocity(-normal);
    for broad_phase in [Hash, Sweep, All] {
        for slope_first in [true, false] {
            let settings = carom::Settings { broad_phase, ..carom::Settings::default() };
            let builder = World::builder().passing().gravity(DVec3::ZERO).settings(settings);
            let mut world = builder.build().unwrap();
            let bodies = if slope_first { [slope(), thrown()] } else { [thrown(), slope()] };
            for body in bodies {
                world.add(body).unwrap();
            }
            let mut stop = StopAtTouch::default();
            let end = world.advance_watched(10.0, &mut Observers::none().with(&mut stop));
            assert!(matches!(end, Err(Fault::Stopped { .. })), "{broad_phase:?}: {end:?}");
            assert!((world.now() - 1.0).abs() < 1e-8, "{broad_phase:?}: {}", world.now());
        }
    }
}

/// A ball goes up through a plate and comes down through it again; nobody answers. Each way it touches once and parts once,
/// although its motion stays the same and what was predicted is forgotten in between.
#[test]
fn a_ball_that_passes_a_plate_twice_touches_it_twice_and_parts_twice() {
    let mut world = World::builder().passing().gravity(DVec3::NEG_Z * 10.0).build().unwrap();
    let plate = Shape::Cuboid(Cuboid::new(DVec3::new(1.0, 1.0, 0.1)).unwrap());
    world.add(Body::fixed(plate).at(DVec3::Z * 3.0)).unwrap();
    world.add(Body::free(ball(0.1)).mass(1.0).velocity(DVec3::Z * 10.0)).unwrap();
    let mut history = History::of_all();
    for step in 1..=40 {
        world.forget_caches();
        let time = 0.05 * f64::from(step);
        world.advance_watched(time, &mut Observers::none().with(&mut history)).unwrap();
    }
    let times = |is: fn(&Happening) -> bool| -> Vec<f64> {
        history.events().iter().filter(|it| is(&it.what)).map(|it| it.time).collect()
    };
    let touches = times(|what| matches!(what, Happening::Touch(_)));
    let partings = times(|what| matches!(what, Happening::Parted { .. }));
    // Heights 2.8 and 3.2 are passed at 1 ∓ √(1 − h/5).
    let at = |height: f64| (1.0 - height / 5.0_f64).sqrt();
    let (low, high) = (at(2.8), at(3.2));
    for (found, expected) in
        [(touches, [1.0 - low, 1.0 + high]), (partings, [1.0 - high, 1.0 + low])]
    {
        assert_eq!(found.len(), 2, "{found:?}");
        let near = found.iter().zip(expected).all(|(t, expected)| (t - expected).abs() < 1e-8);
        assert!(near, "{found:?} {expected:?}");
    }
}

/// What is over is not saved: a snapshot of a gas is as long after thousands of touches as after one.
#[test]
fn a_snapshot_of_a_gas_does_not_grow_with_its_touches() {
    let mut gas = Gas::new(30, carom::Settings::default());
    let mut length = || {
        let end = gas.next().0 + 1e-9;
        gas.world.advance_to(end).unwrap();
        gas.world.snapshot().unwrap().as_bytes().len()
    };
    let first = length();
    assert!((0..1000).all(|_| length() == first));
}

/// A ball of 5 cm that passes a round body as large at 10 m/s, 10⁻⁸ m deep: both are inside each other for 9 µs, in which
/// the depth is never more than what the ball travels in a nanosecond.
#[test]
fn a_ball_that_grazes_a_round_body_parts_from_it_when_the_closed_form_says() {
    let round = Shape::Ellipsoid(Ellipsoid::new(DVec3::splat(0.05)).unwrap());
    let (speed, radii, depth) = (10.0, 0.1, 1e-8);
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    world.add(Body::fixed(round)).unwrap();
    let start = DVec3::new(-0.5, radii - depth, 0.0);
    world.add(Body::free(ball(0.05)).at(start).velocity(speed * DVec3::X)).unwrap();
    let mut history = History::of_all();
    world.advance_watched(0.1, &mut Observers::none().with(&mut history)).unwrap();
    let times = |told: fn(&Happening) -> bool| -> Vec<f64> {
        history.events().iter().filter(|it| told(&it.what)).map(|it| it.time).collect()
    };
    let touches = times(|what| matches!(what, Happening::Touch(_)));
    let partings = times(|what| matches!(what, Happening::Parted { .. }));
    let half = ((2.0 * radii - depth) * depth).sqrt() / speed;
    // Both are told within the touch distance, 10⁻¹⁰ m, of the true depth of zero.
    let closing = half * speed * speed / radii;
    let slack = 1.1e-10 / closing;
    for (found, expected) in [(touches, 0.05 - half), (partings, 0.05 + half)] {
        assert!(found.len() == 1 && (found[0] - expected).abs() < slack, "{found:?}, {expected}");
    }
}

/// Times of all touches up to a time.
fn touch_times(world: &mut World, until: f64) -> Vec<f64> {
    let mut history = History::of_all();
    world.advance_watched(until, &mut Observers::none().with(&mut history)).expect("no fault");
    let is_touch = |it: &&carom::Event| matches!(it.what, Happening::Touch(_));
    history.events().iter().filter(is_touch).map(|it| it.time).collect()
}

fn plate(thickness: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(DVec3::new(0.5 * thickness, 1.0, 1.0)).expect("a plate"))
}

/// A rider takes no notice of a fixed wall. It is let go while their boxes overlap; its new box is short and apart from the
/// wall, and meets it again later, in the same place of the table.
#[test]
fn who_is_let_go_touches_what_it_rode_towards() {
    use carom::{Command, Law};
    use carom_dynamics::law::LawSpec;
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    let law = Law::new(LawSpec::Constant {
        start: 0.0,
        world_from_body: carom_geometry::Pose::IDENTITY,
        velocity: DVec3::X,
        angular_velocity: DVec3::ZERO,
    });
    let law = law.unwrap();
    let carrier = world.add(Body::scripted(ball(0.1), law).ghost()).unwrap();
    let rider = world.add(Body::carried(ball(0.1), carrier).mass(1.0)).unwrap();
    world.add(Body::fixed(plate(0.1)).at(2.55 * DVec3::X)).unwrap();
    world.schedule(1.3, Command::Release(rider)).unwrap();
    let times = touch_times(&mut world, 5.0);
    assert_eq!(times.len(), 1, "{times:?}");
    assert!((times[0] - 2.4).abs() < 1e-8, "{times:?}");
}

/// The same with a pair that is excluded and let meet again while the table keeps it.
#[test]
fn who_may_meet_again_touches_and_who_may_not_any_more_does_not() {
    use carom::Command;
    for (until_excluded, expected) in [(f64::INFINITY, 1), (1.3, 0)] {
        for begin_excluded in [false, true] {
            let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
            let thrown = world.add(Body::free(ball(0.1)).velocity(DVec3::X)).unwrap();
            let wall = world.add(Body::fixed(plate(0.1)).at(2.55 * DVec3::X)).unwrap();
            let bodies = [thrown, wall];
            if begin_excluded {
                world.exclude(thrown, wall).unwrap();
                world.schedule(1.2, Command::Exclude { bodies, excluded: false }).unwrap();
            }
            if until_excluded.is_finite() {
                world
                    .schedule(until_excluded, Command::Exclude { bodies, excluded: true })
                    .unwrap();
            }
            assert_eq!(touch_times(&mut world, 5.0).len(), expected, "{until_excluded}");
        }
    }
}

/// An impulse at the very time of a touch turns the ball around before it touches.
#[test]
fn who_is_turned_around_at_the_time_of_a_touch_does_not_touch() {
    let build = || {
        let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
        world.add(wall(DVec3::X, -1.0)).unwrap();
        let ball = Body::free(ball(0.1)).mass(1.0).velocity(-DVec3::X);
        let ball = world.add(ball).unwrap();
        (world, ball)
    };
    let time = touch_times(&mut build().0, 5.0)[0];
    let (mut world, ball) = build();
    let push = carom::Push::central(ball, 2.0 * DVec3::X);
    world.schedule(time, carom::Command::Impulse(push)).unwrap();
    assert_eq!(touch_times(&mut world, 5.0), [0.0; 0]);
    // And one that pushes it on does not hide the touch.
    let (mut world, ball) = build();
    let push = carom::Push::central(ball, -1.0 * DVec3::X);
    world.schedule(time, carom::Command::Impulse(push)).unwrap();
    assert_eq!(touch_times(&mut world, time + 1e-3), [time]);
}

/// Searches look ahead no farther than about as long as has been simulated: a body that turns near another for ever costs
/// what its turns cost.
#[test]
fn who_spins_in_place_costs_its_turns() {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    let floor = world.add(wall(DVec3::Z, 0.0)).unwrap();
    let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.5)).unwrap());
    let spinning = Body::free(cube).at(0.8 * DVec3::Z).angular_velocity(DVec3::new(0.1, 0.2, 1.0));
    let cube = world.add(spinning).unwrap();
    assert_eq!(touch_times(&mut world, 100.0), [0.0; 0]);
    let turns = 100.0 * 1.025 / std::f64::consts::TAU;
    let forecast = world.explain(floor, cube).unwrap().forecast.unwrap();
    let queries = forecast.queries as f64;
    assert!(queries < 24.0 * turns, "{queries} distances in {turns} turns");
}

/// The first touch up to a time, with its distance.
fn first_touch(mut world: World, until: f64) -> Option<(f64, carom::Contact)> {
    let mut stop = StopAtTouch::default();
    let _ = world.advance_watched(until, &mut Observers::none().with(&mut stop));
    stop.touch
}

fn on_floor(shape: Shape, height: f64, velocity: DVec3, gravity: f64) -> World {
    let mut world =
        World::builder().passing().gravity(gravity * DVec3::NEG_Z).build().expect("a world");
    world.add(wall(DVec3::Z, 0.0)).expect("a floor");
    world.add(Body::free(shape).at(height * DVec3::Z).velocity(velocity)).expect("a body");
    world
}

/// At rest or sliding in contact they touch from the beginning; thrown up from contact they touch when they come down,
/// and never deeper than eight units in the last place of their coordinates.
#[test]
fn who_begins_in_contact_touches_at_once_unless_it_leaves() {
    let cube = || Shape::Cuboid(Cuboid::new(DVec3::splat(0.5)).unwrap());
    let round = || Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.7, 0.6, 0.5)).unwrap());
    for shape in [cube(), round(), ball(0.5)] {
        for (velocity, gravity) in
            [(DVec3::ZERO, 0.0), (DVec3::ZERO, 9.8), (DVec3::X, 0.0), (10.0 * DVec3::X, 9.8)]
        {
            let touch = first_touch(on_floor(shape.clone(), 0.5, velocity, gravity), 5.0);
            assert_eq!(touch.map(|it| it.0), Some(0.0), "{shape:?} {velocity}");
        }
        for up in [1e-3, 1.0, 5.0] {
            let world = on_floor(shape.clone(), 0.5, DVec3::new(0.3, 0.0, up), 10.0);
            let (time, contact) = first_touch(world, 5.0).expect("it comes down");
            assert!((time - 0.2 * up).abs() < 1e-6 && time > 0.0, "{shape:?} {up}: {time}");
            assert!(contact.distance > 0.0, "{shape:?} {up}: {contact:?}");
        }
        // A hop lower than rounding is no hop.
        let world = on_floor(shape.clone(), 0.5, 1e-9 * DVec3::Z, 10.0);
        let (time, contact) = first_touch(world, 5.0).expect("it stays");
        assert!(time < 1e-7 && contact.distance > -1e-15, "{shape:?}: {time} {contact:?}");
    }
}

/// Whoever overlaps by more than rounding is refused, however little.
#[test]
fn an_overlap_of_a_part_in_a_billion_is_refused() {
    for depth in [1e-10, 1e-12, 3e-15] {
        let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
        world.add(Body::fixed(ball(0.5))).unwrap();
        let near = Body::free(ball(0.5)).at((1.0 - depth) * DVec3::X);
        assert!(world.add(near).is_err(), "{depth:e}");
        world.add(Body::free(ball(0.5)).at((1.0 - 1e-16) * DVec3::X)).unwrap();
    }
}

/// Far away and late, places have few digits: boxes reach as far as touches, and nothing is found too late.
#[test]
fn bodies_that_fall_for_months_meet_without_a_fault() {
    let mut world = World::builder().passing().gravity(9.8 * DVec3::NEG_Z).build().unwrap();
    world.add(Body::free(ball(0.5))).unwrap();
    world.add(Body::free(ball(0.5)).at(10.0 * DVec3::X).velocity(-1e-12 * DVec3::X)).unwrap();
    world.advance_to(1e6).unwrap();
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    let far = 1e8 * DVec3::X;
    world.add(Body::free(ball(0.5)).at(far)).unwrap();
    world.add(Body::free(ball(0.5)).at(far + 5.0 * DVec3::X).velocity(-DVec3::X)).unwrap();
    let (time, _) = first_touch(world, 10.0).unwrap();
    assert!((time - 4.0).abs() < 2e-6, "{time}");
}

/// A cylinder that stands on the floor and begins to tip: of its whole rim, the side that goes down is told.
#[test]
fn who_begins_in_contact_is_told_by_the_point_that_closes_fastest() {
    let cylinder = carom_geometry::shapes::Cylinder::new(0.1, 0.1).unwrap();
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    world.add(wall(DVec3::Z, 0.0)).unwrap();
    let tipping = Body::free(Shape::Cylinder(cylinder)).mass(1.0).at(0.1 * DVec3::Z);
    world.add(tipping.angular_velocity(DVec3::X)).unwrap();
    let (time, contact) = first_touch(world, 1.0).unwrap();
    assert_eq!(time, 0.0);
    assert!((contact.speed + 0.1).abs() < 1e-9, "{contact:?}");
}

/// Where places have too few digits to tell whether bodies touch, that is said; bodies that are not near do not matter.
#[test]
fn near_bodies_too_far_out_to_be_told_apart_are_a_fault() {
    for (shape, far) in [(ball(0.5), 1e14), (plate(0.5), 1e14), (ball(0.5), 1e15)] {
        let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
        let place = far * DVec3::X;
        world.add(Body::free(shape.clone()).mass(1.0).at(place)).unwrap();
        let coming = Body::free(shape).mass(1.0).at(place + 8.0 * DVec3::X).velocity(-DVec3::X);
        world.add(coming).unwrap();
        let end = world.advance_to(20.0);
        assert!(matches!(end, Err(Fault::Blurred { .. })), "{far:e}: {end:?}");
    }
    let mut world = World::builder().passing().gravity(9.8 * DVec3::NEG_Z).build().unwrap();
    world.add(Body::free(ball(0.1)).velocity(10.0 * DVec3::Z)).unwrap();
    let spinning = Body::free(plate(0.2)).at(-4.0 * DVec3::Y).angular_velocity(5.0 * DVec3::Z);
    world.add(spinning).unwrap();
    world.advance_to(4e6).unwrap();
}

/// A ball that spins beside a box for ever costs what its turns cost, though only its centre matters.
#[test]
fn a_ball_that_spins_beside_a_box_costs_its_turns() {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.1)).unwrap());
    world.add(Body::free(cube).mass(1.0)).unwrap();
    let spinning = Body::free(ball(0.1)).mass(1.0).at(0.200001 * DVec3::X);
    world.add(spinning.angular_velocity(DVec3::Z)).unwrap();
    assert_eq!(touch_times(&mut world, 10.0), [0.0; 0]);
}

/// A cube of a millimetre passes a floor a hundred metres from the floor's origin, where rounding and not its size says how
/// close is touching; and one about its middle axis is told no earlier than that.
#[test]
fn small_bodies_far_from_a_floors_origin_touch_it_once() {
    let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(5e-4)).unwrap());
    let mut world = World::builder().passing().gravity(10.0 * DVec3::NEG_Z).build().unwrap();
    world.add(wall(DVec3::Z, 0.0)).unwrap();
    let place = DVec3::new(100.0, 0.0, 0.05);
    world.add(Body::free(cube).at(place).angular_velocity(DVec3::X)).unwrap();
    assert_eq!(touch_times(&mut world, 1.0).len(), 1);
    let brick = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap());
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    world.add(wall(DVec3::Z, 0.0)).unwrap();
    let spin = DVec3::new(20e-6, 20.0, 0.0);
    let body = Body::free(brick).at(2.0 * DVec3::Z).velocity(-0.5 * DVec3::Z);
    world.add(body.angular_velocity(spin)).unwrap();
    let (time, contact) = first_touch(world, 10.0).unwrap();
    assert!(time > 3.0 && contact.distance <= 1e-9, "{time} {contact:?}");
}

#[test]
fn bodies_that_fall_side_by_side_keep_their_distance() {
    for (shapes, offset) in [
        ([ball(0.1), cuboid(0.1, 0.2, 0.15)], DVec3::new(0.05, 0.1, 2.1)),
        ([cuboid(0.1, 0.1, 0.1), cuboid(0.1, 0.1, 0.1)], DVec3::new(0.0, 0.0, 0.1 + 1e-6)),
        ([cuboid(0.1, 0.1, 0.1), cuboid(0.1, 0.1, 0.1)], DVec3::new(0.0, 0.0, 0.1)),
        ([ball(0.1), ball(0.1)], DVec3::new(0.2, 0.0, 0.0)),
    ] {
        let mut world = World::builder().build().unwrap();
        let [a, b] = shapes;
        let a = world.add(Body::free(a)).unwrap();
        let b = world.add(Body::free(b).at(offset)).unwrap();
        world.advance_to(2.0).unwrap();
        let [a, b] = [a, b].map(|id| world.state(id).unwrap().position);
        assert!((b - a - offset).length() < 1e-12, "{}", b - a);
    }
}
