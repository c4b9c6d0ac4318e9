//! Collisions: what the closed forms of bouncing, of rows of balls and of driven bodies say.

use carom::{
    Body, BodyId, Collision, EventKind, Happening, Instant, Law, Material, MaterialId, Observer,
    Observers, RestitutionLaw, Stop, Surface, World, WorldBuilder,
};
use carom_dynamics::law::LawSpec;
use carom_geometry::Pose;
use glam::{DQuat, DVec3};

use crate::common::{Numbers, ball, cuboid, floor};

pub(crate) const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// All collisions of a run.
#[derive(Default)]
pub(crate) struct Collisions(pub(crate) Vec<(f64, Collision)>);

impl Observer for Collisions {
    fn between(&mut self, _: &World, _: std::ops::Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, _: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        for event in instant.events {
            if let Happening::Collision(collision) = event.what {
                self.0.push((event.time, collision));
            }
        }
        Ok(())
    }
}

pub(crate) fn earth() -> WorldBuilder {
    World::builder().gravity(GRAVITY)
}

pub(crate) fn made_of(world: &mut World, friction: f64, restitution: f64) -> MaterialId {
    let surface = Surface { friction, restitution, law: RestitutionLaw::Stronge };
    let name = format!("{friction} {restitution}");
    world.add_material(Material { name, surface }).expect("a material")
}

/// A world with a floor, and what everything in it is made of.
pub(crate) fn on_a_floor(
    builder: WorldBuilder,
    friction: f64,
    restitution: f64,
) -> (World, BodyId, MaterialId) {
    let mut world = builder.build().expect("a world");
    let material = made_of(&mut world, friction, restitution);
    let floor = world.add(Body::fixed(floor()).named("floor").material(material)).expect("a floor");
    (world, floor, material)
}

/// Normal speed after a collision.
pub(crate) fn leaving(collision: &Collision) -> f64 {
    collision.after.dot(collision.contact.normal)
}

pub(crate) fn moving(velocity: DVec3, position: DVec3) -> Law {
    Law::new(LawSpec::Constant {
        start: 0.0,
        world_from_body: Pose::from_translation(position),
        velocity,
        angular_velocity: DVec3::ZERO,
    })
    .expect("a law")
}

/// proves: ref/B1
#[test]
fn a_bouncing_ball_bounces_when_the_closed_form_says_and_comes_to_rest() {
    for share in [0.5, 1.0, 2.0] {
        let envelope = share * 1e-5;
        let (mut world, floor, material) = on_a_floor(earth().envelope(envelope), 0.0, 0.5);
        let falling = Body::free(ball(0.05)).material(material).at(1.05 * DVec3::Z);
        let falling = world.add(falling).unwrap();
        let mut seen = Collisions::default();
        world.advance_watched(2.0, &mut Observers::none().with(&mut seen)).unwrap();
        let slow = (2.0 * 9.81 * envelope).sqrt();
        let first = (2.0_f64 / 9.81).sqrt();
        let mut expected = first;
        let mut speed = 9.81 * first;
        let mut fast = 0;
        for (time, collision) in &seen.0 {
            if speed <= slow {
                break;
            }
            assert!((time - expected).abs() < 1e-6, "bounce {fast}: {time} instead of {expected}");
            assert!((collision.contact.speed + speed).abs() < 1e-6, "{collision:?}");
            speed *= 0.5;
            expected += 2.0 * speed / 9.81;
            fast += 1;
        }
        assert!(fast >= 8, "{fast}");
        let settled = world.contact(floor, falling).unwrap().settled().unwrap();
        assert!((settled - 1.354_570_9).abs() < 1e-3, "{settled}");
        for (time, collision) in seen.0.iter().filter(|(time, _)| *time > settled + 0.02) {
            assert!(leaving(collision) < slow, "at {time}: {collision:?}");
        }
        let mut highest = 0.0_f64;
        for step in 0..1000 {
            world.advance_to(2.0 + 1e-3 * f64::from(step)).unwrap();
            highest = highest.max(world.state(falling).unwrap().position.z - 0.05);
        }
        assert!(highest < envelope, "{highest:e}");
    }
}

#[test]
fn ten_bounces_reach_the_height_that_restitution_leaves() {
    let (mut world, _, material) = on_a_floor(earth(), 0.0, 0.9);
    let body = Body::free(ball(0.05)).material(material).at(1.05 * DVec3::Z);
    let falling = world.add(body).unwrap();
    let mut seen = Collisions::default();
    world.advance_watched(5.6, &mut Observers::none().with(&mut seen)).unwrap();
    let (time, tenth) = seen.0[9];
    // Flies on from there: the apex is v²/2g above the place of the bounce.
    let speed = leaving(&tenth);
    let apex = tenth.contact.point.z + speed * speed / (2.0 * 9.81);
    let expected = libm::pow(0.9, 20.0);
    println!("after ten bounces {apex} m instead of {expected} m");
    assert!((apex / expected - 1.0).abs() < 1e-9, "{apex} at {time}");
    assert!(world.state(falling).is_some());
}

/// proves: ref/B2
#[test]
fn of_two_balls_dropped_together_the_upper_one_flies_as_the_closed_form_says() {
    for (floor_e, balls_e, upper, lower) in
        [(1.0, 1.0, 11.677_633, 2.818_739), (0.8, 0.7, 7.892_469, 2.311_366)]
    {
        let mut world = earth().build().unwrap();
        let ground = made_of(&mut world, 0.0, floor_e);
        let rubber = made_of(&mut world, 0.0, balls_e);
        let pair = |e| Surface { friction: 0.0, restitution: e, law: RestitutionLaw::Stronge };
        world.set_pair(ground, rubber, pair(floor_e)).unwrap();
        world.set_pair(rubber, rubber, pair(balls_e)).unwrap();
        world.add(Body::fixed(floor()).material(ground)).unwrap();
        let low = Body::free(ball(0.1)).mass(0.6).material(rubber).at(1.1 * DVec3::Z);
        let low = world.add(low).unwrap();
        let high = Body::free(ball(0.02)).mass(0.06).material(rubber).at((1.22 + 1e-6) * DVec3::Z);
        let high = world.add(high).unwrap();
        let mut seen = Collisions::default();
        world.advance_watched(0.46, &mut Observers::none().with(&mut seen)).unwrap();
        let after = seen.0[1].0;
        let speed = |id| world.state(id).unwrap().velocity.z + 9.81 * (0.46 - after);
        assert!((speed(high) / upper - 1.0).abs() < 1e-3, "{}", speed(high));
        assert!((speed(low) / lower - 1.0).abs() < 1e-3, "{}", speed(low));
    }
}

/// Five balls in a row along x with gaps, the first on its way at 1 m/s; their speeds after `until`.
fn cradle(gap: f64, restitution: f64, until: f64) -> (World, Vec<f64>) {
    let mut world = World::builder().gravity(DVec3::ZERO).build().expect("a world");
    let material = made_of(&mut world, 0.0, restitution);
    let balls: Vec<BodyId> = (0..5)
        .map(|index| {
            let place = f64::from(index) * (0.2 + gap) - if index == 0 { 0.5 } else { 0.0 };
            let body = Body::free(ball(0.1)).mass(1.0).material(material).at(place * DVec3::X);
            let body = if index == 0 { body.velocity(DVec3::X) } else { body };
            world.add(body).expect("a ball")
        })
        .collect();
    world.advance_to(until).expect("no fault");
    let speeds = balls.iter().map(|id| world.state(*id).expect("a ball").velocity.x).collect();
    (world, speeds)
}

/// proves: ref/B3 m1/SY-R3
#[test]
fn a_cradle_hands_on_what_it_gets() {
    for gap in [1e-3, 0.0] {
        let (world, speeds) = cradle(gap, 1.0, 1.0);
        for (speed, expected) in speeds.iter().zip([0.0, 0.0, 0.0, 0.0, 1.0]) {
            assert!((speed - expected).abs() < 1e-9, "gap {gap}: {speeds:?}");
        }
        assert!((world.account().kinetic - 0.5).abs() < 1e-12);
    }
    let (_, speeds) = cradle(1e-3, 0.9, 0.52);
    assert!((speeds[4] - 0.814_506_25).abs() < 1e-9, "{speeds:?}");
}

#[test]
fn a_touching_cradle_is_worked_in_rounds_of_one_instant() {
    let (world, _) = cradle(0.0, 1.0, 1.0);
    let times: Vec<f64> = world.contacts().map(|it| it.first()).collect();
    assert_eq!(times, [times[0]; 4]);
    assert_eq!(world.contacts().map(|it| it.sums().collisions).sum::<u64>(), 4);
    // Four pairs that begin in contact are told, and one check sets off all collisions.
    assert!(world.event_counts().of(EventKind::Check) <= 6);
}

#[test]
fn a_cube_that_lands_flat_bounces_straight_back() {
    for (restitution, friction) in [(1.0, 0.0), (1.0, 0.5), (0.5, 0.5), (0.0, 0.5)] {
        let (mut world, floor, material) = on_a_floor(earth(), friction, restitution);
        let cube = Body::free(cuboid(0.1, 0.1, 0.1)).material(material).at(0.15 * DVec3::Z);
        let cube = world.add(cube).unwrap();
        let mut seen = Collisions::default();
        world.advance_watched(0.15, &mut Observers::none().with(&mut seen)).unwrap();
        let state = world.state(cube).unwrap();
        assert!(state.angular_velocity.length() < 1e-9, "{state:?}");
        assert!(state.velocity.truncate().length() < 1e-9, "{state:?}");
        let shared: Vec<_> = seen.0.iter().filter(|it| it.0 == seen.0[0].0).collect();
        assert_eq!(shared.len(), 4, "one collision of four corners");
        assert!((shared.iter().map(|it| it.1.share).sum::<f64>() - 1.0).abs() < 1e-12);
        let rebound = leaving(&shared[0].1) / -shared[0].1.contact.speed;
        let slow = (2.0 * 9.81 * world.envelope_of([floor, cube])).sqrt();
        let expected = restitution.max(0.3 * slow / -shared[0].1.contact.speed);
        assert!((rebound - expected).abs() < 1e-9, "{rebound} instead of {expected}");
    }
}

/// Spheres that bounce without loss: RMS of the energy's error as a share of it.
fn energy_error(world: &mut World, until: f64) -> f64 {
    let initial = world.account().total();
    let mut squares = 0.0;
    for step in 1..=100 {
        world.advance_to(until * f64::from(step) / 100.0).expect("no fault");
        let off = world.account().total() / initial - 1.0;
        squares += off * off;
    }
    (squares / 100.0).sqrt()
}

#[test]
fn spheres_that_bounce_for_twenty_seconds_keep_their_energy() {
    let (mut world, _, material) = on_a_floor(earth(), 0.0, 1.0);
    for index in 0..49 {
        let place = DVec3::new(f64::from(index % 7), f64::from(index / 7), 5.0);
        world.add(Body::free(ball(0.1)).mass(10.0).material(material).at(place)).unwrap();
    }
    assert!((world.account().total() - 24_034.5).abs() < 1e-9);
    let error = energy_error(&mut world, 20.0);
    println!("49 bouncing spheres: {error:e} of the energy");
    assert!(error < 1e-12, "{error:e}");
    assert_eq!(world.account().boost, 0.0);
}

#[test]
fn a_block_of_elastic_spheres_falls_apart_and_keeps_its_energy() {
    let (mut world, _, material) = on_a_floor(earth(), 0.0, 1.0);
    let numbers = &mut Numbers(3);
    for index in 0..216 {
        let grid =
            DVec3::new(f64::from(index % 6), f64::from(index / 6 % 6), f64::from(index / 36));
        let place = 0.21 * grid + 1.101 * DVec3::Z + 1e-3 * numbers.vector();
        world.add(Body::free(ball(0.1)).mass(10.0).material(material).at(place)).unwrap();
    }
    let error = energy_error(&mut world, 10.0);
    let collisions: u64 = world.contacts().map(|it| it.sums().collisions).sum();
    println!("216 elastic spheres: {error:e} of the energy after {collisions} collisions");
    assert!(error < 1e-12 && collisions > 4000, "{error:e}, {collisions}");
    let account = world.account();
    assert_eq!((account.boost, account.friction_loss), (0.0, 0.0));
}

/// proves: m1/GM-R2
#[test]
fn a_driven_plate_pushes_with_its_velocity_and_its_work_is_booked() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let material = made_of(&mut world, 0.0, 0.5);
    let plate = Body::scripted(cuboid(0.1, 1.0, 1.0), moving(2.0 * DVec3::X, -DVec3::X));
    let plate = world.add(plate.material(material)).unwrap();
    let target = Body::free(ball(0.1)).mass(3.0).material(material).velocity(-DVec3::X);
    let target = world.add(target).unwrap();
    world.advance_to(1.0).unwrap();
    // Closing at 3 m/s, parting at 1.5 m/s from a plate at 2 m/s.
    let speed = world.state(target).unwrap().velocity.x;
    assert!((speed - 3.5).abs() < 1e-12, "{speed}");
    assert!((world.state(plate).unwrap().velocity.x - 2.0).abs() < 1e-15);
    let account = world.account();
    // p·V = 3·4.5·2 of work; of the 3·3²/2 J that the plate sees, 1 − e² is lost.
    assert!((account.work - 27.0).abs() < 1e-12, "{account:?}");
    assert!((account.restitution_loss - 13.5 * 0.75).abs() < 1e-12, "{account:?}");
    assert!(account.residual.abs() < 1e-13, "{account:?}");
}

#[test]
fn a_box_on_a_belt_is_carried_along_and_the_belt_does_the_work() {
    let (mut world, _, material) = on_a_floor(earth(), 0.0, 0.0);
    let rough = made_of(&mut world, 0.5, 0.0);
    let pair = Surface { friction: 0.5, restitution: 0.0, law: RestitutionLaw::Stronge };
    world.set_pair(material, rough, pair).unwrap();
    let belt = Body::fixed(cuboid(20.0, 1.0, 0.2)).material(rough).at(0.1 * DVec3::Z);
    world.add(belt.surface_velocity(2.0 * DVec3::X)).unwrap();
    let cube = Body::free(cuboid(0.1, 0.1, 0.1)).material(rough).at(0.25 * DVec3::Z);
    let cube = world.add(cube).unwrap();
    // Friction accelerates by μg, until the box moves with the belt.
    world.advance_to(0.2).unwrap();
    let state = world.state(cube).unwrap();
    assert!((state.velocity.x - 0.5 * 9.81 * 0.2).abs() < 0.02, "{state:?}");
    world.advance_to(1.0).unwrap();
    let state = world.state(cube).unwrap();
    assert!((state.velocity.x - 2.0).abs() < 0.02, "{state:?}");
    let account = world.account();
    // Half of what the belt gives becomes kinetic energy, half heat: each ½mv² = 2 J.
    assert!((account.work - 4.0).abs() < 0.05, "{account:?}");
    assert!((account.friction_loss - 2.0).abs() < 0.05, "{account:?}");
    assert!(account.residual.abs() < 1e-9 * account.work, "{account:?}");
}

/// proves: m1/SY-R2
#[test]
fn colliding_bodies_keep_their_momenta_and_lose_energy() {
    let mut worst = [0.0_f64; 3];
    for seed in 0..12 {
        let numbers = &mut Numbers(seed);
        let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
        let (mu, e) = (0.5 + 0.5 * numbers.next(), 0.5 + 0.5 * numbers.next());
        let material = made_of(&mut world, mu, e);
        for index in 0..27 {
            let grid =
                DVec3::new(f64::from(index % 3), f64::from(index / 3 % 3), f64::from(index / 9));
            let shape = match index % 3 {
                0 => ball(0.1),
                1 => cuboid(0.1, 0.2, 0.3),
                _ => crate::common::cylinder(0.1, 0.2),
            };
            let body = Body::free(shape)
                .material(material)
                .pose(Pose::new(0.5 * grid, numbers.rotation()))
                .velocity(-2.0 * (grid - DVec3::ONE) + 0.3 * numbers.vector())
                .angular_velocity(3.0 * numbers.vector());
            world.add(body).unwrap();
        }
        let momenta = |world: &World| {
            let mut total = [DVec3::ZERO; 2];
            for body in world.bodies() {
                let (mass, state) = (body.mass().unwrap(), body.state().unwrap());
                let linear = mass.mass * state.velocity;
                total[0] += linear;
                total[1] += state.position.cross(linear)
                    + mass.angular_momentum(state.orientation, state.angular_velocity);
            }
            total
        };
        let before = momenta(&world);
        let mut last = world.account();
        for step in 1..=20 {
            world.advance_to(0.1 * f64::from(step)).unwrap();
            let account = world.account();
            let gained = account.total() - last.total() - (account.boost - last.boost);
            assert!(gained < 1e-9 * account.initial, "{gained:e}");
            assert!(account.friction_loss >= last.friction_loss, "{account:?}");
            worst[2] = worst[2].max(account.residual.abs() / account.initial);
            last = account;
        }
        let after = momenta(&world);
        let scale = [last.initial.sqrt() * 10.0; 2];
        for kind in 0..2 {
            worst[kind] = worst[kind].max((after[kind] - before[kind]).length() / scale[kind]);
        }
        assert!(world.contacts().count() > 10);
    }
    println!("momenta {:e} and {:e}, residual {:e}", worst[0], worst[1], worst[2]);
    assert!(worst[0] < 1e-13 && worst[1] < 1e-13 && worst[2] < 1e-11, "{worst:?}");
}

/// proves: m1/SY-R1
#[test]
fn bodies_of_all_kinds_that_are_thrown_down_never_overlap_the_floor() {
    let (mut world, floor, material) = on_a_floor(earth(), 0.4, 0.6);
    let numbers = &mut Numbers(9);
    let shapes = [cuboid(0.1, 0.2, 0.3), crate::common::cylinder(0.1, 0.1), ball(0.1)];
    let bodies: Vec<BodyId> = (0..9)
        .map(|index| {
            let place = DVec3::new(0.5 * f64::from(index), 0.0, 0.5);
            let body = Body::free(shapes[index as usize % 3].clone())
                .material(material)
                .pose(Pose::new(place, DQuat::from_scaled_axis(numbers.vector())))
                .velocity(numbers.vector());
            world.add(body).unwrap()
        })
        .collect();
    let mut least = f64::INFINITY;
    for step in 0..2000 {
        world.advance_to(1e-3 * f64::from(step)).unwrap();
        for body in &bodies {
            let gap = world.nearest(floor, *body, world.now()).unwrap().distance;
            least = least.min(gap);
        }
    }
    println!("least gap {least:e} m");
    assert!(least > 0.0, "{least:e}");
}

#[test]
fn a_ball_rolls_down_a_tilted_plane_alike_wherever_the_plane_is() {
    let tilt = std::f64::consts::FRAC_PI_6;
    let (sin, cos) = libm::sincos(tilt);
    let normal = DVec3::new(sin, 0.0, cos);
    let down = DVec3::new(cos, 0.0, -sin);
    let roll = |place: DVec3| {
        let mut world = earth().build().unwrap();
        let material = made_of(&mut world, 0.6, 0.0);
        let plane = carom_geometry::shapes::HalfSpace::new(normal, normal.dot(place)).unwrap();
        let plane = Body::fixed(carom_geometry::Shape::HalfSpace(plane)).material(material);
        world.add(plane).unwrap();
        let body = Body::free(ball(0.05)).material(material).at(place + (0.05 + 1e-6) * normal);
        let ball = world.add(body).unwrap();
        world.advance_to(1.0).unwrap();
        let state = world.state(ball).unwrap();
        let slip = state.velocity_at(state.position - 0.05 * normal);
        (down.dot(state.position - place), down.dot(slip))
    };
    // a = (5/7)·g·sin ϑ (C4).
    let expected = 0.5 * 3.503_571_4;
    for place in [DVec3::ZERO, DVec3::new(10.0, -7.0, 3.0), DVec3::new(-300.0, 100.0, 20.0)] {
        let (way, slip) = roll(place);
        println!("from {place}: {way} m, slip {slip:e} m/s");
        assert!((way / expected - 1.0).abs() < 2e-3, "{way} instead of {expected}");
        assert!(slip.abs() < 0.02, "{slip}");
    }
}

#[test]
fn sums_of_pieces_add_up_to_those_of_the_pair() {
    let (mut world, floor, material) = on_a_floor(earth(), 0.3, 0.5);
    let part = |shape, place| carom_geometry::shapes::Part {
        shape,
        body_from_shape: Pose::from_translation(place),
    };
    let parts = vec![part(cuboid(0.2, 0.05, 0.05), DVec3::ZERO), part(ball(0.05), 0.15 * DVec3::X)];
    let compound = carom_geometry::shapes::Compound::new(parts).unwrap();
    let body = Body::free(carom_geometry::Shape::Compound(compound.into())).material(material);
    let place = Pose::new(0.3 * DVec3::Z, DQuat::from_rotation_y(0.4));
    let club = world.add(body.pose(place).velocity(DVec3::X)).unwrap();
    world.advance_to(1.5).unwrap();
    let contact = world.contact(floor, club).unwrap();
    let impulse: DVec3 = contact.pieces().map(|(_, sums)| sums.impulse).sum();
    let boost: f64 = contact.pieces().map(|(_, sums)| sums.boost).sum();
    let slips: Vec<f64> = contact.pieces().map(|(_, sums)| sums.slip).collect();
    println!("pieces slid {slips:?} m of {} m", contact.sums().slip);
    assert!((impulse - contact.sums().impulse).length() < 1e-12, "{impulse}");
    assert!((boost - contact.sums().boost).abs() < 1e-12, "{boost}");
    assert!(contact.pieces().count() == 2);
}

#[test]
fn bodies_that_fall_on_each_other_never_overlap() {
    let (mut world, _, material) = on_a_floor(earth(), 0.5, 0.3);
    let numbers = &mut Numbers(21);
    let shapes = [cuboid(0.2, 0.15, 0.1), crate::common::cylinder(0.08, 0.1), ball(0.08)];
    let bodies: Vec<BodyId> = (0..6)
        .map(|index| {
            let place = DVec3::new(
                0.03 * numbers.next(),
                0.03 * numbers.next(),
                0.2 + 0.3 * f64::from(index),
            );
            let body = Body::free(shapes[index as usize % 3].clone()).material(material);
            world.add(body.pose(Pose::new(place, numbers.rotation()))).unwrap()
        })
        .collect();
    let mut least = f64::INFINITY;
    for step in 0..600 {
        world.advance_to(2e-3 * f64::from(step)).unwrap();
        for (index, a) in bodies.iter().enumerate() {
            for b in &bodies[..index] {
                least = least.min(world.nearest(*a, *b, world.now()).unwrap().distance);
            }
        }
    }
    println!("least gap {least:e} m");
    assert!(least > 0.0, "{least:e}");
}
