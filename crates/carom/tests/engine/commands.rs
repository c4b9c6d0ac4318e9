//! What comes from outside, at a time; what is refused leaves no trace.

use carom::{
    Body, BodyError, Command, Event, Fault, Happening, Instant, Material, Observer, Observers,
    Place, Push, Stop, Surface, World, WorldError,
};
use carom_geometry::Pose;
use glam::{DQuat, DVec3};
use std::ops::Range;

use crate::common::{ball, bits, busy_world, cuboid, floor, laws};

#[derive(Default)]
struct Witness {
    events: Vec<Event>,
    times: Vec<Range<f64>>,
}

impl Observer for Witness {
    fn between(&mut self, _: &World, times: Range<f64>) -> Result<(), Stop> {
        self.times.push(times);
        Ok(())
    }

    fn after(&mut self, _: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.events.extend_from_slice(instant.events);
        Ok(())
    }
}

#[test]
fn an_impulse_off_centre_turns_and_shifts_and_conserves_momentum() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let id = world.add(Body::free(cuboid(1.0, 2.0, 3.0)).mass(6.0)).unwrap();
    let (impulse, point) = (DVec3::new(3.0, 0.0, 0.0), DVec3::new(0.0, 1.0, 0.0));
    let predicted = world.response(id, point, point).unwrap() * impulse;
    world.apply_impulse(id, impulse, point).unwrap();
    let state = world.state(id).unwrap();
    assert_eq!(state.velocity, DVec3::new(0.5, 0.0, 0.0));
    assert!((state.velocity_at(point) - predicted).length() < 1e-15, "{predicted}");
    // I_z = m(1² + 2²)/12 = 2.5, and r×p = −3 about z.
    assert!((state.angular_velocity - DVec3::new(0.0, 0.0, -1.2)).length() < 1e-15);
    let mass = world.body(id).unwrap().mass().copied().unwrap();
    let spin = mass.angular_momentum(state.orientation, state.angular_velocity);
    assert!((spin - point.cross(impulse)).length() < 1e-14, "{spin}");
}

/// proves: m1/GM-R2
#[test]
fn fixed_and_scripted_bodies_take_no_impulses() {
    let mut world = World::builder().build().unwrap();
    let fixed = world.add(Body::fixed(floor()).named("floor")).unwrap();
    let [law, ..] = laws();
    let scripted = world.add(Body::scripted(ball(0.1), law).named("belt")).unwrap();
    let before = bits(&world);
    for (id, role) in [(fixed, "fixed"), (scripted, "scripted")] {
        let error = world.apply_impulse(id, DVec3::X, DVec3::ZERO).unwrap_err();
        assert!(error.to_string().contains(&format!("is {role} and takes no impulses")), "{error}");
        assert_eq!(bits(&world), before);
        assert_eq!(world.response(id, DVec3::X, DVec3::Y), Some(glam::DMat3::ZERO));
    }
    // Their velocity is there for those who meet them.
    let state = world.state(scripted).unwrap();
    assert_eq!(state.velocity, DVec3::Y);
    assert_ne!(state.velocity_at(state.position + DVec3::X), state.velocity);
}

#[test]
fn scheduled_commands_act_at_their_time_in_the_order_they_were_given() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let id = world.add(Body::free(ball(0.1)).mass(1.0)).unwrap();
    let push = |v| Command::Impulse(Push::central(id, v));
    world.schedule(2.0, push(DVec3::Y)).unwrap();
    world.schedule(1.0, push(DVec3::X)).unwrap();
    let taken_back = world.schedule(1.5, push(100.0 * DVec3::Z)).unwrap();
    assert!(world.cancel(taken_back));
    assert!(!world.cancel(taken_back));
    world.advance_to(1.0).unwrap();
    // Right-continuous: at its own time the impulse has acted.
    assert_eq!(world.state(id).unwrap().velocity, DVec3::X);
    world.advance_to(3.0).unwrap();
    assert_eq!(world.state(id).unwrap().position, DVec3::new(2.0, 1.0, 0.0));
    assert!(matches!(world.schedule(2.0, push(DVec3::X)), Err(WorldError::Time { .. })));
    assert!(matches!(world.schedule(f64::NAN, push(DVec3::X)), Err(WorldError::Time { .. })));
}

#[test]
fn an_impulse_at_a_point_of_the_body_follows_the_body() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let half_turn = DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0);
    let body = Body::free(ball(1.0)).mass(1.0).pose(Pose::new(5.0 * DVec3::X, half_turn));
    let id = world.add(body).unwrap();
    let push =
        Push { body: id, linear: DVec3::Y, angular: DVec3::ZERO, point: Place::Body(DVec3::X) };
    world.command(Command::Impulse(push)).unwrap();
    // The body's x axis points to −x, so the arm is −x and r×p = −z; I = 0.4.
    let spin = world.state(id).unwrap().angular_velocity;
    assert!((spin - DVec3::new(0.0, 0.0, -2.5)).length() < 1e-14, "{spin}");
}

#[test]
fn bodies_come_and_go_and_old_handles_find_nothing() {
    let mut world = World::builder().build().unwrap();
    let first = world.add(Body::free(ball(0.1)).named("first")).unwrap();
    world.schedule(1.0, Command::Remove(first)).unwrap();
    let late = Body::free(ball(0.1)).named("late").at(DVec3::X);
    world.schedule(2.0, Command::add(late)).unwrap();
    world.advance_to(1.5).unwrap();
    assert_eq!((world.body_count(), world.state(first), world.find("first")), (0, None, None));
    world.advance_to(2.0).unwrap();
    let late = world.find("late").unwrap();
    assert_ne!(late, first);
    assert_eq!(world.state(late).unwrap().position, DVec3::X);
    assert!(matches!(world.remove(first), Err(WorldError::NoBody { .. })));
}

#[test]
fn a_body_left_for_later_can_be_spoken_of_before_it_comes() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let (_, late) = world.schedule_add(1.0, Body::free(ball(0.1)).mass(1.0)).unwrap();
    let (never, gone) = world.schedule_add(1.0, Body::free(ball(0.1))).unwrap();
    world.schedule(2.0, Command::Impulse(Push::central(late, DVec3::X))).unwrap();
    assert_eq!((world.state(late), world.body_count()), (None, 0));
    assert!(world.apply_impulse(late, DVec3::X, DVec3::ZERO).is_err());
    assert!(world.cancel(never));
    let snapshot = world.snapshot().unwrap();
    let mut world = World::restore(&snapshot, Vec::new(), 1).unwrap();
    world.advance_to(3.0).unwrap();
    assert_eq!(world.state(late).unwrap().position, DVec3::X);
    assert_eq!((world.state(gone), world.body_count()), (None, 1));
}

#[test]
fn a_changed_gravity_bends_the_path_from_then_on() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let id = world.add(Body::free(ball(0.1)).velocity(DVec3::X)).unwrap();
    world.schedule(1.0, Command::Gravity(-2.0 * DVec3::Z)).unwrap();
    world.advance_to(3.0).unwrap();
    assert_eq!(world.state(id).unwrap().position, DVec3::new(3.0, 0.0, -4.0));
    assert_eq!(world.gravity(), -2.0 * DVec3::Z);
    assert!(world.set_gravity(DVec3::NAN).is_err());
}

#[test]
fn a_material_changes_and_pairs_fall_back_to_the_combination() {
    let mut world = World::builder().build().unwrap();
    let surface = |friction, restitution| Surface { friction, restitution, ..Surface::default() };
    let material = |name: &str, surface| Material { name: name.to_owned(), surface };
    let steel = world.add_material(material("steel", surface(0.2, 0.9))).unwrap();
    let wood = world.add_material(material("wood", surface(0.8, 0.4))).unwrap();
    assert_eq!(world.surface_of_pair(steel, wood).unwrap().friction, 0.4);
    world.set_pair(wood, steel, surface(0.3, 0.5)).unwrap();
    assert_eq!(world.surface_of_pair(steel, wood).unwrap(), surface(0.3, 0.5));
    let command = Command::Material { material: steel, surface: surface(0.45, 0.9) };
    world.schedule(1.0, command).unwrap();
    world.advance_to(1.0).unwrap();
    assert_eq!(world.material(steel).unwrap().surface.friction, 0.45);
    assert!(world.set_surface(steel, surface(-1.0, 0.9)).is_err());
    assert_eq!(world.material(steel).unwrap().surface.friction, 0.45);
}

#[test]
fn a_carried_body_rides_along_and_flies_off_when_released() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let spin = carom_dynamics::law::LawSpec::Constant {
        start: 0.0,
        world_from_body: Pose::IDENTITY,
        velocity: DVec3::ZERO,
        angular_velocity: 2.0 * DVec3::Z,
    };
    let table = Body::scripted(cuboid(2.0, 2.0, 0.1), carom::Law::new(spin).unwrap());
    let table = world.add(table.named("table")).unwrap();
    let rider = Body::carried(ball(0.1), table).mass(3.0).named("rider").at(DVec3::X).ghost();
    let rider = world.add(rider).unwrap();
    assert_eq!(world.body(rider).unwrap().role(), "carried");
    assert_eq!(world.account().kinetic, 0.0);
    world.schedule(1.0, Command::Release(rider)).unwrap();
    world.advance_to(1.0).unwrap();
    let state = world.state(rider).unwrap();
    assert!((state.position - DVec3::new(libm::cos(2.0), libm::sin(2.0), 0.0)).length() < 1e-15);
    assert!((state.velocity.length() - 2.0).abs() < 1e-15);
    world.advance_to(2.0).unwrap();
    let flown = world.state(rider).unwrap().position - state.position;
    assert!((flown - state.velocity).length() < 1e-15, "it flies straight on");
    // The carrier did the work: ½·3·4 J of flight and ½·(0.4·3·0.01)·4 J of spin.
    let account = world.account();
    assert!((account.work - (6.0 + 0.024)).abs() < 1e-14, "{}", account.work);
    assert!(account.residual.abs() < 1e-14, "{}", account.residual);

    let caught_at = world.state(rider).unwrap().position;
    world.command(Command::Carry { body: rider, by: table }).unwrap();
    assert!((world.state(rider).unwrap().position - caught_at).length() < 1e-15);
    let error = world.remove(table).unwrap_err();
    assert!(error.to_string().contains("carries \"rider\""), "{error}");
    world.advance_to(2.5).unwrap();
    let radius = world.state(rider).unwrap().position.length();
    assert!((radius - caught_at.length()).abs() < 1e-15, "it goes round again");
    world.remove(rider).unwrap();
    world.remove(table).unwrap();
    assert_eq!(world.body_count(), 0);
}

#[test]
fn what_is_refused_leaves_no_trace() {
    let mut world = busy_world(World::builder(), 3, 5);
    world.advance_to(0.3).unwrap();
    let (hash, counts) = (world.hash(), *world.event_counts());
    let free = world.bodies().find(carom::BodyRef::is_free).unwrap().id();
    let floor_id = world.find("floor").unwrap();
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    let refused = [
        Command::add(Body::free(ball(0.1)).named("floor")),
        Command::add(Body::free(ball(0.1)).at(nan)),
        Command::add(Body::free(ball(0.1)).velocity(nan)),
        Command::add(Body::free(ball(0.1)).mass(-1.0)),
        Command::add(Body::free(ball(0.1)).density(f64::INFINITY)),
        Command::add(Body::free(floor())),
        Command::add(Body::fixed(ball(0.1)).velocity(DVec3::X)),
        Command::add(Body::carried(ball(0.1), free)),
        Command::add(
            Body::free(ball(0.1))
                .pose(Pose::new(DVec3::ZERO, DQuat::from_xyzw(1.0, 1.0, 0.0, 0.0))),
        ),
        Command::Impulse(Push::central(free, nan)),
        Command::Impulse(Push::at_point(free, DVec3::X, nan)),
        Command::Impulse(Push::central(floor_id, DVec3::X)),
        Command::Release(free),
        Command::Carry { body: floor_id, by: floor_id },
        Command::Carry { body: free, by: free },
        Command::Gravity(nan),
    ];
    for command in refused {
        let text = format!("{command:?}");
        assert!(world.command(command).is_err(), "{text}");
        assert_eq!((world.hash(), *world.event_counts()), (hash, counts), "{text}");
        assert_eq!(world.broken_invariant(), None);
    }
}

#[test]
fn errors_say_what_is_wrong_with_which_body() {
    let mut world = World::builder().build().unwrap();
    let error = world.add(Body::free(ball(0.1)).named("egg").mass(0.0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "body \"egg\": the mass is 0 kg, but must be a positive finite number"
    );
    let error = world.add(Body::free(floor()).named("ground")).unwrap_err();
    assert!(matches!(error, WorldError::Body(BodyError::Mass { .. })), "{error}");
    assert!(error.to_string().starts_with("body \"ground\": "), "{error}");
}

#[test]
fn a_scheduled_command_that_cannot_be_carried_out_ends_the_run() {
    let mut world = World::builder().build().unwrap();
    let id = world.add(Body::free(ball(0.1)).named("egg")).unwrap();
    world.schedule(1.0, Command::Remove(id)).unwrap();
    world.schedule(2.0, Command::Impulse(Push::central(id, DVec3::X))).unwrap();
    let fault = world.advance_to(3.0).unwrap_err();
    assert!(matches!(fault, Fault::Command { time, .. } if time == 2.0), "{fault}");
    let again = world.advance_to(3.0).unwrap_err();
    assert!(matches!(again, Fault::Before { .. }), "{again}");
    assert!(world.snapshot().is_err());
}

#[test]
fn observers_see_every_event_once_with_the_state_before_and_after() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let id = world.add(Body::free(ball(0.1)).mass(2.0)).unwrap();
    world.schedule(1.0, Command::Impulse(Push::central(id, 4.0 * DVec3::X))).unwrap();
    let mut witness = Witness::default();
    for time in [0.5, 1.0, 1.0, 2.0] {
        world.advance_watched(time, &mut Observers::none().with(&mut witness)).unwrap();
    }
    world.apply_impulse(id, -4.0 * DVec3::X, DVec3::ZERO).unwrap();
    world.advance_watched(3.0, &mut Observers::none().with(&mut witness)).unwrap();
    let names: Vec<&str> = witness.events.iter().map(|event| event.what.name()).collect();
    assert_eq!(names, ["added", "impulse", "impulse"]);
    let Happening::Impulse { work, .. } = witness.events[1].what else { panic!("an impulse") };
    assert_eq!(work, 4.0);
    let change = witness.events[1].change.unwrap();
    assert_eq!(change.before.unwrap().velocity, DVec3::ZERO);
    assert_eq!(change.after.unwrap().velocity, 2.0 * DVec3::X);
    // The observed times join without gap or overlap.
    assert_eq!(witness.times.first().unwrap().start, 0.0);
    assert_eq!(witness.times.last().unwrap().end, 3.0);
    for pair in witness.times.windows(2) {
        assert_eq!(pair[0].end, pair[1].start);
    }
}
