//! What joints carry, and when they break.

use std::sync::Arc;

use carom::elements::{ElementLaw, Ends, User, UserForce};
use carom::{
    Body, BodyId, Element, Event, Happening, History, Hold, Joint, JointForce, JointId, JointKind,
    Material, Observers, Overload, Place, RestitutionLaw, Snapshot, Strength, Surface, World,
};
use carom_dynamics::spatial::ForceVector;
use glam::DVec3;

use crate::common::{ball, chain, cuboid};

const G: f64 = 9.80665;

fn against_force(force: f64) -> Strength {
    Strength { force, ..Strength::UNBREAKABLE }
}

fn run(world: &mut World, end: f64) -> Vec<Event> {
    let mut history = History::of_all();
    world.advance_watched(end, &mut Observers::none().with(&mut history)).expect("a run");
    history.events().to_vec()
}

fn breaks(events: &[Event]) -> Vec<&Event> {
    events.iter().filter(|it| matches!(it.what, Happening::Broken { .. })).collect()
}

/// A ball on an arm of 1 m, let go at rest from θ₀. With k = ml²/I about the pivot, the arm pulls along itself by
/// mg(cos θ + 2k(cos θ − cos θ₀)) and across by mg(1 − k)sin θ; for a point mass k = 1 that is mg(3cos θ − 2cos θ₀).
#[test]
fn a_pendulum_breaks_off_at_the_angle_of_the_closed_form() {
    let (radius, mass, start) = (0.05_f64, 0.7, 1.4_f64);
    let k = 1.0 / (1.0 + 0.4 * radius * radius);
    let carried = |angle: f64| {
        let along = libm::cos(angle) + 2.0 * k * (libm::cos(angle) - libm::cos(start));
        mass * G * libm::hypot(along, (1.0 - k) * libm::sin(angle))
    };
    for share in [1.0, 1.8, 2.4] {
        let strength = share * mass * G;
        let (mut above, mut below) = (start, 0.0);
        for _ in 0..60 {
            let middle = 0.5 * (above + below);
            if carried(middle) > strength { below = middle } else { above = middle }
        }
        let mut world = World::builder().tolerance(1e-11).build().unwrap();
        let at = DVec3::new(libm::sin(start), 0.0, -libm::cos(start));
        let bob = world.add(Body::free(ball(radius)).mass(mass).at(at)).unwrap();
        let hinge = JointKind::Revolute { axis: -DVec3::Y };
        let joint = Joint::new(hinge, None, bob).at(DVec3::ZERO).start(&[start]).named("arm");
        let joint = world.join(joint.breaking(against_force(strength))).unwrap();
        let events = run(&mut world, 1.0);
        let [broken] = breaks(&events)[..] else { panic!("{events:?}") };
        let change = broken.change.unwrap();
        let (before, after) = (change.before.unwrap(), change.after.unwrap());
        let angle = libm::atan2(before.position.x, -before.position.z);
        println!("breaks at {angle} rad at {} s, off by {:e}", broken.time, angle - above);
        assert!((angle - above).abs() < 1e-8);
        assert!(before.velocity.distance(after.velocity) < 1e-12, "it flies on as it swung");
        let Happening::Broken { name, overload, load, .. } = &broken.what else { unreachable!() };
        assert_eq!((name.as_str(), *overload), ("arm", Overload::Force));
        assert!((load.force.length() - strength).abs() < 1e-6, "{load:?}");
        assert!(load.point.length() < 1e-12);
        assert!(world.joint(joint).is_none() && world.body(bob).unwrap().role() == "free");
        let account = world.account();
        assert!(account.residual.abs() < 1e-12 && account.restitution_loss.abs() < 1e-12);
    }
}

/// Just too strong for what it carries at the bottom, 3 − 2cos θ₀ times the weight of a point mass, it holds.
#[test]
fn a_joint_that_is_strong_enough_by_a_millionth_holds() {
    for (share, expected) in [(1.0 + 1e-6, 0), (1.0 - 1e-6, 1)] {
        let mut world = World::builder().tolerance(1e-11).build().unwrap();
        let bob = world.add(Body::free(ball(1e-3)).mass(1.0).at(DVec3::X)).unwrap();
        let most = (1.0 + 2.0 / (1.0 + 0.4e-6)) * G;
        let joint = Joint::new(JointKind::Revolute { axis: DVec3::Y }, None, bob).at(DVec3::ZERO);
        world.join(joint.breaking(against_force(share * most))).unwrap();
        assert_eq!(breaks(&run(&mut world, 3.0)).len(), expected, "{share}");
    }
}

#[derive(Debug)]
struct Ramp(f64);

impl UserForce for Ramp {
    fn wrench(&self, ends: &Ends) -> ForceVector {
        ForceVector::new(DVec3::ZERO, -self.0 * ends.time * DVec3::Z)
    }
}

/// Rods that hang on each other at rest, with a load on the last that grows by c a second: joint i carries the weight of what
/// is below it and c·t, and breaks when that is its strength.
#[test]
fn of_a_hanging_chain_with_a_growing_load_the_weakest_joint_breaks_in_time() {
    let (mass, growth) = (0.5, 20.0);
    for weakest in 0..3 {
        let mut world = World::builder().tolerance(1e-11).build().unwrap();
        let mut last: Option<BodyId> = None;
        let mut joints: Vec<JointId> = Vec::new();
        for i in 0..3 {
            let half = DVec3::new(0.02, 0.02, 0.2);
            let at = -DVec3::Z * (0.2 + 0.4 * f64::from(i));
            let mut rod = Body::free(cuboid(half)).mass(mass).at(at);
            rod = last.into_iter().fold(rod, Body::except);
            let rod = world.add(rod).unwrap();
            let strength = if i == weakest { 25.0 } else { 100.0 };
            let joint =
                Joint::new(JointKind::Spherical, last, rod).at(-0.4 * f64::from(i) * DVec3::Z);
            joints.push(world.join(joint.breaking(against_force(strength))).unwrap());
            last = Some(rod);
        }
        let load = ElementLaw::User(User(Arc::new(Ramp(growth))));
        world.add_element(Element::on(load, Hold::body(last.unwrap(), -0.2 * DVec3::Z))).unwrap();
        // At rest a joint carries what hangs below.
        for (i, joint) in joints.iter().enumerate() {
            let load = world.joint(*joint).unwrap().load().unwrap();
            let below = mass * G * (3 - i) as f64;
            assert!(load.force.distance(below * DVec3::Z) < 1e-12, "{load:?}");
            assert!(load.torque.length() < 1e-12, "{load:?}");
        }
        let events = run(&mut world, 2.0);
        let expected = (25.0 - mass * G * f64::from(3 - weakest)) / growth;
        let times: Vec<f64> = breaks(&events).iter().map(|it| it.time).collect();
        println!("joint {weakest} breaks at {times:?} s, {expected} expected");
        assert!((times[0] - expected).abs() < 1e-8 && times.len() == 1, "{times:?}");
        let account = world.account();
        assert!(account.residual.abs() < 1e-9 * account.scale(), "{account:?}");
    }
}

/// A ball strikes a hinged rod at the arm a: the rod gets P = (1 + e)·u/(1/m + a²/I), and its hinge carries P·(1 − a·½l·M/I).
#[test]
fn a_strike_breaks_a_joint_by_the_impulse_that_it_carries() {
    let (arm, speed) = (0.9_f64, 2.0);
    let inertia = 1.0 / 12.0 * (4.0 * (0.01 * 0.01 + 0.25)) + 0.25;
    let struck = speed / (1.0 + arm * arm / inertia);
    let carried = struck * (1.0 - arm * 0.5 / inertia).abs();
    for (share, expected) in [(1.001, 0), (0.999, 1)] {
        let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
        let surface = Surface { friction: 0.0, restitution: 0.0, law: RestitutionLaw::default() };
        let smooth = world.add_material(Material { name: "smooth".into(), surface }).unwrap();
        let half = DVec3::new(0.01, 0.01, 0.5);
        let rod = Body::free(cuboid(half)).mass(1.0).at(-0.5 * DVec3::Z).material(smooth);
        let rod = world.add(rod).unwrap();
        let strength = Strength { impulse: share * carried, ..Strength::UNBREAKABLE };
        let hinge = JointKind::Revolute { axis: DVec3::Y };
        world.join(Joint::new(hinge, None, rod).at(DVec3::ZERO).breaking(strength)).unwrap();
        let at = DVec3::new(-0.5, 0.0, -arm);
        let shot = Body::free(ball(0.05)).mass(1.0).at(at).velocity(speed * DVec3::X);
        world.add(shot.material(smooth)).unwrap();
        let events = run(&mut world, 0.3);
        let broken = breaks(&events);
        assert_eq!(broken.len(), expected);
        if let [Event { what: Happening::Broken { overload, load, .. }, change, .. }] = broken[..] {
            println!("carried {} N·s, {carried} expected", load.force.length());
            assert_eq!(*overload, Overload::Impulse);
            assert!((load.force.length() - carried).abs() < 1e-9);
            // The hinge held through the impact.
            let after = change.unwrap().after.unwrap();
            let spin = struck * arm / inertia;
            assert!((after.angular_velocity.length() - spin).abs() < 1e-9);
            assert_eq!(world.body(rod).unwrap().role(), "free");
        }
        let account = world.account();
        assert!(account.residual.abs() < 1e-12, "{account:?}");
    }
}

/// Two balls welded together spin about their middle: the weld carries m·ω²·d, from the beginning.
#[test]
fn a_weld_that_is_too_weak_breaks_where_it_is_made_and_momenta_are_kept() {
    let (mass, spin, distance) = (0.3, 7.0, 0.25);
    let carried = mass * spin * spin * distance;
    for (share, expected) in [(1.001, 0), (0.999, 1)] {
        let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
        let omega = spin * DVec3::Z;
        let side = |sign: f64| {
            let at = sign * distance * DVec3::X;
            Body::free(ball(0.1))
                .mass(mass)
                .at(at)
                .velocity(omega.cross(at))
                .angular_velocity(omega)
        };
        let one = world.add(side(1.0)).unwrap();
        let other = world.add(side(-1.0)).unwrap();
        let weld = Joint::new(JointKind::Fixed, one, other).at(DVec3::ZERO);
        let weld = world.join(weld.breaking(against_force(share * carried))).unwrap();
        if let Some(joint) = world.joint(weld) {
            let load = joint.load().unwrap();
            assert!((load.force.x - carried).abs() < 1e-9, "{load:?}");
        }
        let before = world.state(one).unwrap();
        assert_eq!(breaks(&run(&mut world, 0.1)).len(), expected);
        assert!(before.velocity.distance(omega.cross(distance * DVec3::X)) < 1e-12);
        let account = world.account();
        assert!(account.residual.abs() < 1e-12 && account.work.abs() < 1e-12, "{account:?}");
    }
}

/// The spring of a joint that breaks takes its energy with it.
#[test]
fn what_a_joint_had_stored_is_lost_where_it_breaks() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let wheel = world.add(Body::free(ball(0.1)).mass(2.0)).unwrap();
    let moment = 0.4 * 2.0 * 0.01;
    let force = JointForce { stiffness: 3.0, armature: moment, ..JointForce::default() };
    let joint = Joint::new(JointKind::Revolute { axis: DVec3::Z }, None, wheel);
    let strength = Strength { torque: 0.6, ..Strength::UNBREAKABLE };
    let joint = joint.start(&[0.0]).velocity(&[8.0]).force(force).breaking(strength);
    world.join(joint).unwrap();
    let events = run(&mut world, 1.0);
    let [broken] = breaks(&events)[..] else { panic!("{events:?}") };
    // Half of the spring's torque turns the wheel, the other half its drive; the load is what turns the wheel.
    let angle = 2.0 * 0.6 / 3.0;
    let spin = (64.0_f64 - 3.0 * angle * angle / (2.0 * moment)).sqrt();
    let lost = 0.5 * 3.0 * angle * angle + 0.5 * moment * spin * spin;
    let account = world.account();
    println!("lost {} J, {lost} expected; {:?}", account.restitution_loss, broken.what);
    assert!((account.restitution_loss - lost).abs() < 1e-7);
    assert!(account.residual.abs() < 1e-12, "{account:?}");
    assert!((world.state(wheel).unwrap().angular_velocity.z - spin).abs() < 1e-7);
}

/// A chain of which every joint can break, above a floor.
fn fragile() -> World {
    let mut world = World::builder().build().expect("a world to test with");
    let floor = cuboid(DVec3::new(3.0, 3.0, 0.5));
    world.add(Body::fixed(floor).at(DVec3::new(0.0, 0.0, -1.0))).expect("a world to test with");
    let mut last: Option<BodyId> = None;
    for i in 0..5 {
        let half = DVec3::new(0.1, 0.01, 0.01);
        let at = DVec3::X * (0.1 + 0.2 * f64::from(i));
        let rod = last.into_iter().fold(Body::free(cuboid(half)).mass(1.0).at(at), Body::except);
        let rod = world.add(rod).expect("a world to test with");
        let strength = Strength { force: 90.0, impulse: 0.5, ..Strength::UNBREAKABLE };
        let joint = Joint::new(JointKind::Revolute { axis: DVec3::Y }, last, rod);
        let joint = joint.at(0.2 * f64::from(i) * DVec3::X).breaking(strength);
        world.join(joint).expect("a world to test with");
        last = Some(rod);
    }
    world
}

#[test]
fn a_chain_that_breaks_goes_on_from_a_snapshot_with_the_same_bits_whatever_the_threads() {
    let mut world = fragile();
    let mut broken = 0;
    for i in 1..=10 {
        let saved = Snapshot::from_bytes(world.snapshot().unwrap().as_bytes().to_vec()).unwrap();
        let mut again = World::restore(&saved, Vec::new(), 2).unwrap();
        assert_eq!(again.hash(), world.hash());
        let time = 0.1 * f64::from(i);
        broken += breaks(&run(&mut world, time)).len();
        again.advance_to(time).unwrap();
        assert_eq!(again.hash(), world.hash(), "after {i}");
        let account = world.account();
        assert!(account.residual.abs() < 1e-10, "{account:?}");
        assert!(account.total() <= account.initial + account.boost + account.integration + 1e-10);
    }
    println!("{broken} joints broke, {} are left", world.joints().count());
    assert!(broken > 0 && broken + world.joints().count() == 5);
}

/// Newton and Euler for every link of a chain that swings: what its joints do to it, and gravity, is its mass times its
/// acceleration, and the rate of its angular momentum.
#[test]
fn loads_of_all_joints_are_what_moves_their_links() {
    let mut world = World::builder().passing().build().unwrap();
    let (bodies, joints) = chain(&mut world, 5, 0.3);
    let force = DVec3::new(0.3, 0.2, -0.1);
    world.hold_force(bodies[2], force, DVec3::ZERO, Place::Center).unwrap();
    world.drive(joints[3], &[0.4]).unwrap();
    let mut worst = 0.0_f64;
    for i in 1..=40 {
        world.advance_to(0.05 * f64::from(i)).unwrap();
        let load =
            |joint: usize| joints.get(joint).map(|it| world.joint(*it).unwrap().load().unwrap());
        for (link, body) in bodies.iter().enumerate() {
            let kinematics = world.kinematics(*body).unwrap();
            let mass = *world.body(*body).unwrap().mass().unwrap();
            let state = kinematics.state;
            let (mut sum, mut moment) = (mass.mass * world.gravity(), DVec3::ZERO);
            if link == 2 {
                sum += force;
            }
            for (sign, load) in [(1.0, load(link)), (-1.0, load(link + 1))] {
                let Some(load) = load else { continue };
                sum += sign * load.force;
                moment += sign * (load.torque + (load.point - state.position).cross(load.force));
            }
            worst = worst.max(sum.distance(mass.mass * kinematics.acceleration));
            // In the plane of x and z nothing is gyroscopic.
            let turning = mass.angular_momentum(state.orientation, kinematics.angular_acceleration);
            worst = worst.max((moment - turning).y.abs());
        }
    }
    println!("off by {worst:e} N or N·m");
    // Accelerations are those of the polynomial, loads those of the derivative: both to the tolerance.
    assert!(worst < 1e-4);
}

#[test]
fn a_strength_that_is_none_is_refused() {
    let mut world = World::builder().build().unwrap();
    let bob = world.add(Body::free(ball(0.1)).at(DVec3::X)).unwrap();
    for force in [0.0, -1.0, f64::NAN] {
        let joint = Joint::new(JointKind::Spherical, None, bob).at(DVec3::ZERO);
        let refused = world.join(joint.breaking(against_force(force))).unwrap_err();
        println!("{refused}");
        assert_eq!(world.joints().count(), 0);
    }
}
