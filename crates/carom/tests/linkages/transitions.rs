//! Joints that meet stops, stick and slip, and ropes: what is told of them.

use carom::elements::{ElementLaw, Spring};
use carom::{
    Body, Command, Element, Event, EventKind, Happening, History, Hold, Joint, JointForce, JointId,
    JointKind, Observers, Sense, Side, World,
};
use glam::DVec3;

use crate::common::{ball, cuboid};

fn run(world: &mut World, end: f64) -> Vec<Event> {
    let mut history = History::of_all();
    world.advance_watched(end, &mut Observers::none().with(&mut history)).expect("a run");
    history.events().to_vec()
}

fn of<'a>(events: &'a [Event], name: &str) -> Vec<&'a Event> {
    events.iter().filter(|it| it.what.name() == name).collect()
}

/// A rod of 1 m and 1 kg, hinged at its end, falls from the horizontal on a stop 1 rad below.
fn falling(world: &mut World, restitution: f64) -> JointId {
    let half = DVec3::new(0.5, 0.01, 0.01);
    let rod = world.add(Body::free(cuboid(half)).mass(1.0).at(0.5 * DVec3::X)).expect("a rod");
    let force = JointForce { limits: Some([-2.0, 1.0]), restitution, ..JointForce::default() };
    let joint = Joint::new(JointKind::Revolute { axis: DVec3::Y }, None, rod).at(DVec3::ZERO);
    world.join(joint.named("hinge").force(force)).expect("a hinge")
}

const INERTIA: f64 = 1.0 / 12.0 * (4.0 * (0.25 + 0.0001)) + 0.25;

/// proves: m2/R-25
#[test]
fn a_stop_is_told_with_its_speeds_its_impulse_and_what_it_took() {
    let mut world = World::builder().tolerance(1e-11).build().unwrap();
    let joint = falling(&mut world, 0.5);
    world.schedule(6.0, Command::Drive { joint, torque: vec![-6.0].into() }).unwrap();
    let events = run(&mut world, 6.5);
    let stops = of(&events, "stop");
    // ½Iω² = mg·½l·sin 1.
    let mut speed = (9.80665 * libm::sin(1.0) / INERTIA).sqrt();
    let mut taken = 0.0;
    for (i, stop) in stops.iter().enumerate() {
        let Happening::Stop { site, side, before, after, impulse, loss } = &stop.what else {
            unreachable!()
        };
        assert_eq!((site.joint, site.name.as_str(), *side), (joint, "hinge", Side::Upper));
        assert_eq!((stop.tie(), site.freedom, site.parent), (Some("hinge"), 0, None));
        assert_eq!(stop.bodies().collect::<Vec<_>>(), [site.child]);
        assert_eq!(stop.what.kind(), EventKind::Transition);
        taken += loss;
        if i < 6 {
            assert!((before - speed).abs() < 1e-8 && (after + 0.5 * speed).abs() < 1e-8);
            assert!((impulse + 1.5 * INERTIA * speed).abs() < 1e-8, "an upper stop pushes back");
            assert!((loss - 0.5 * INERTIA * speed * speed * 0.75).abs() < 1e-8);
        }
        speed *= 0.5;
    }
    let account = world.account();
    println!("{} stops took {taken} J of {account:?}", stops.len());
    assert!(stops.len() > 6 && (taken - account.restitution_loss).abs() < 1e-12);
    let [rested] = of(&events, "rested")[..] else { panic!("it comes to rest once") };
    assert!(rested.time >= stops.last().unwrap().time && rested.time < 6.0);
    let [lifted] = of(&events, "lifted")[..] else { panic!("it is lifted once") };
    assert_eq!(lifted.time, 6.0);
    let told = events.iter().filter(|it| it.what.kind() == EventKind::Transition).count();
    assert_eq!(world.event_counts().of(EventKind::Transition), told as u64);
    assert!(account.residual.abs() < 1e-12);
}

/// A block that slides with 2 m/s against friction of a third of its weight stops after v/(μg), and starts again when it is
/// pushed by more.
#[test]
fn a_joint_with_friction_is_told_to_stick_and_to_slip() {
    let mut world = World::builder().tolerance(1e-11).build().unwrap();
    let block = world.add(Body::free(cuboid(DVec3::splat(0.1))).mass(3.0)).unwrap();
    let friction = 9.80665;
    let joint = Joint::new(JointKind::Prismatic { axis: DVec3::X }, None, block).named("slide");
    let force = JointForce { friction, ..JointForce::default() };
    let joint = world.join(joint.velocity(&[2.0]).force(force)).unwrap();
    for (time, push) in [(1.0, 9.0), (1.5, -9.5), (2.0, -9.81)] {
        world.schedule(time, Command::Drive { joint, torque: vec![push].into() }).unwrap();
    }
    let events = run(&mut world, 3.0);
    let [stuck] = of(&events, "stuck")[..] else { panic!("{events:?}") };
    let expected = 2.0 * 3.0 / friction;
    println!("sticks at {} s, {expected} expected", stuck.time);
    assert!((stuck.time - expected).abs() < 1e-9);
    let [slipped] = of(&events, "slipped")[..] else { panic!("{events:?}") };
    assert_eq!((slipped.time, slipped.tie()), (2.0, Some("slide")));
    assert!(matches!(slipped.what, Happening::Slipped { sense: Sense::Backward, .. }));
}

/// How a joint begins is no transition, and an impulse that reverses it is neither sticking nor slipping.
#[test]
fn what_is_just_made_or_struck_is_not_told_to_stick() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let block = world.add(Body::free(cuboid(DVec3::splat(0.1))).mass(1.0)).unwrap();
    let joint = Joint::new(JointKind::Prismatic { axis: DVec3::X }, None, block);
    let force = JointForce { friction: 0.1, limits: Some([0.0, 9.0]), ..JointForce::default() };
    world.join(joint.force(force)).unwrap();
    let events = run(&mut world, 0.1);
    assert!(events.iter().all(|it| it.what.kind() != EventKind::Transition), "{events:?}");
    world.apply_impulse(block, DVec3::X, DVec3::ZERO).unwrap();
    let events = run(&mut world, 0.2);
    assert_eq!((of(&events, "lifted").len(), of(&events, "stuck").len()), (1, 0), "{events:?}");
    world.apply_impulse(block, -1.5 * DVec3::X, DVec3::ZERO).unwrap();
    let events = run(&mut world, 0.21);
    assert!(events.iter().all(|it| it.what.kind() != EventKind::Transition), "{events:?}");
    assert!(world.account().residual.abs() < 1e-12);
}

/// A blow on a link that rests on its stop is carried by the stop, which is no new meeting.
#[test]
fn a_blow_on_a_link_that_rests_is_booked_and_not_told_as_a_meeting() {
    let mut world = World::builder().build().unwrap();
    falling(&mut world, 0.0);
    let events = run(&mut world, 2.0);
    assert_eq!((of(&events, "stop").len(), of(&events, "rested").len()), (1, 1));
    let rod = world.bodies().next().unwrap().id();
    let lost = world.account().restitution_loss;
    let at = world.state(rod).unwrap().position;
    world.apply_impulse(rod, DVec3::new(0.0, 0.0, -0.5), at).unwrap();
    let events = run(&mut world, 2.5);
    assert_eq!((of(&events, "stop").len(), of(&events, "rested").len()), (0, 0), "{events:?}");
    let account = world.account();
    // P·½ω with ω = P·½l·cos 1/I what the blow alone would have made of the rod.
    let arm = 0.5 * libm::cos(1.0);
    let blow = 0.5 * 0.5 * 0.5 * arm * arm / INERTIA;
    println!("took {} J, {blow} expected; {account:?}", account.restitution_loss - lost);
    assert!((account.restitution_loss - lost - blow).abs() < 1e-9);
    assert!((account.work - blow).abs() < 1e-9 && account.residual.abs() < 1e-12);
}

/// A ball falls on a rope of 1 m that is slack by half: taut after √(2·½/g), and slack again after half a swing of the rope.
#[test]
fn a_rope_is_told_to_become_taut_and_slack() {
    let mut world = World::builder().tolerance(1e-10).build().unwrap();
    let bob = world.add(Body::free(ball(0.05)).mass(1.0).at(-0.5 * DVec3::Z)).unwrap();
    let rope = Spring { stiffness: 4000.0, rest: 1.0, damping: 0.0, pulls_only: true };
    let ends = [Hold::body(bob, DVec3::ZERO), Hold::world(DVec3::ZERO)];
    world.add_element(Element::new(ElementLaw::Spring(rope), ends).named("rope")).unwrap();
    let events = run(&mut world, 0.6);
    let (taut, slack) = (of(&events, "taut"), of(&events, "slack"));
    let first = (2.0 * 0.5 / 9.80665_f64).sqrt();
    println!("taut at {}, {first} expected; slack at {}", taut[0].time, slack[0].time);
    assert!((taut[0].time - first).abs() < 1e-9 && taut[0].tie() == Some("rope"));
    assert!(slack[0].time > taut[0].time && slack[0].time < taut[0].time + 0.06);
    assert_eq!(taut[0].bodies().collect::<Vec<_>>(), [bob]);
}
