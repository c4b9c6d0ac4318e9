//! Motion between impacts.

use carom::elements::{ElementLaw, Spring};
use carom::{Body, Element, Hold, Joint, JointForce, JointKind, World};
use glam::DVec3;

use crate::common::{ball, chain, cuboid};

/// A small ball on a massless rod of 1 m, let go at rest from the horizontal: a quarter of its period is K(½)·√(l/g) for a point
/// mass, and for a ball of radius r with l replaced by l + ⅖r²/l.
#[test]
fn a_pendulum_from_the_horizontal_has_its_period() {
    let mut world = World::builder().build().unwrap();
    let radius = 0.05;
    let bob = world.add(Body::free(ball(radius)).at(DVec3::X)).unwrap();
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    let pendulum = world.join(Joint::new(hinge, None, bob).at(DVec3::ZERO)).unwrap();
    // K(m = 1/2), to 17 digits.
    let k = 1.854_074_677_301_371_9;
    let reduced = 1.0 + 0.4 * radius * radius;
    let quarter = k * (reduced / 9.80665_f64).sqrt();
    world.advance_to(quarter).unwrap();
    let joint = world.joint(pendulum).unwrap();
    let (q, v) = (joint.coordinates()[0], joint.rates()[0]);
    let bottom = world.state(bob).unwrap();
    println!("angle {q} rad, off by {:e}; rate {v} rad/s", q - std::f64::consts::FRAC_PI_2);
    assert!((q - std::f64::consts::FRAC_PI_2).abs() < 1e-8);
    assert!((v - (2.0 * 9.80665 / reduced).sqrt()).abs() < 1e-8);
    assert!(bottom.position.distance(-DVec3::Z) < 1e-8);
    world.advance_to(4.0 * quarter).unwrap();
    let back = world.state(bob).unwrap();
    println!("after a period {:e} m off", back.position.distance(DVec3::X));
    assert!(back.position.distance(DVec3::X) < 1e-7);
    assert_eq!(world.body(bob).unwrap().role(), "linked");
}

/// A damped torsion spring: θ(t) = θ₀·e^(−γt)·(cos ωt + γ/ω·sin ωt).
#[test]
fn a_damped_spring_follows_its_law() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let body = Body::free(ball(0.1)).mass(2.0);
    let wheel = world.add(body).unwrap();
    let moment = 0.4 * 2.0 * 0.01;
    let (stiffness, damping, armature) = (3.0, 0.01, 0.012);
    let hinge = JointKind::Revolute { axis: DVec3::Z };
    let force = JointForce { stiffness, damping, armature, ..JointForce::default() };
    let joint = Joint::new(hinge, None, wheel).start(&[0.7]).force(force);
    let joint = world.join(joint).unwrap();
    let inertia = moment + armature;
    let gamma = 0.5 * damping / inertia;
    let omega = (stiffness / inertia - gamma * gamma).sqrt();
    let mut worst = 0.0_f64;
    for i in 1..=40 {
        let time = 0.1 * f64::from(i);
        world.advance_to(time).unwrap();
        let (sin, cos) = libm::sincos(omega * time);
        let expected = 0.7 * libm::exp(-gamma * time) * (cos + gamma / omega * sin);
        worst = worst.max((world.joint(joint).unwrap().coordinates()[0] - expected).abs());
    }
    println!("off by {worst:e} rad");
    assert!(worst < 1e-8);
    let account = world.account();
    println!("{account:?}");
    assert!(account.residual.abs() < 1e-13);
    let elastic = 0.5 * stiffness * 0.7 * 0.7;
    assert!((account.initial + account.work - elastic).abs() < 1e-12);
    assert!(account.friction_loss > 0.0 && account.integration.abs() < 1e-8);
}

/// Cutting a run by commands that do nothing changes it by no more than the tolerance allows.
#[test]
fn a_chain_cut_at_many_times_goes_where_it_would_have_gone() {
    let end = 1.0;
    let mut whole = World::builder().build().unwrap();
    let (bodies, _) = chain(&mut whole, 3, 0.5);
    whole.advance_to(end).unwrap();
    let mut cut = World::builder().build().unwrap();
    let (_, joints) = chain(&mut cut, 3, 0.5);
    let mut random = 1_u64;
    let mut time = 0.0;
    while time < end {
        cut.advance_to(time).unwrap();
        // A torque of almost nothing ends the course.
        cut.drive(joints[0], &[if random & 1 == 0 { 0.0 } else { 1e-300 }]).unwrap();
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        time += 0.05 * ((random >> 40) as f64 / (1_u64 << 24) as f64);
    }
    cut.advance_to(end).unwrap();
    let worst = bodies
        .iter()
        .map(|body| {
            whole.state(*body).unwrap().position.distance(cut.state(*body).unwrap().position)
        })
        .fold(0.0_f64, f64::max);
    println!("{worst:e} m apart");
    assert!(worst < 1e-6);
}

/// A rod falls on the stop of its hinge with e = 0.5, bounces, and comes to rest there; lifted by its motor it leaves the stop when
/// the motor's torque exceeds its weight's (guide R-25).
#[test]
fn a_rod_bounces_on_its_stop_comes_to_rest_and_is_lifted_off_again() {
    let mut world = World::builder().build().unwrap();
    let (length, angle) = (0.6, 0.5);
    let half = DVec3::new(0.5 * length, 0.01, 0.01);
    let rod = Body::free(cuboid(half)).mass(2.0).at(0.5 * length * DVec3::X);
    let rod = world.add(rod).unwrap();
    let stop =
        JointForce { limits: Some([-1.0, angle]), restitution: 0.5, ..JointForce::default() };
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    let joint = world.join(Joint::new(hinge, None, rod).at(DVec3::ZERO).force(stop)).unwrap();
    let mut highest = 0.0_f64;
    for i in 0..=3000 {
        world.advance_to(1e-3 * f64::from(i)).unwrap();
        highest = highest.max(world.joint(joint).unwrap().coordinates()[0]);
    }
    let rest = world.joint(joint).unwrap();
    let account = world.account();
    println!("at most {highest}, at rest {:?} {:?}, {account:?}", rest.coordinates(), rest.rates());
    assert!(highest <= angle && (rest.coordinates()[0] - angle).abs() < 1e-9);
    assert_eq!(rest.rates(), [0.0]);
    let drop = 2.0 * 9.80665 * 0.5 * length * libm::sin(angle);
    assert!((account.restitution_loss - drop).abs() < 1e-7, "{drop}");
    assert!(account.residual.abs() < 1e-12);
    let weight = 2.0 * 9.80665 * 0.5 * length * libm::cos(angle);
    world.drive(joint, &[-0.999 * weight]).unwrap();
    world.advance_to(3.5).unwrap();
    assert_eq!(world.joint(joint).unwrap().rates(), [0.0]);
    world.drive(joint, &[-1.001 * weight]).unwrap();
    world.advance_to(4.0).unwrap();
    assert!(world.joint(joint).unwrap().rates()[0] < 0.0);
    assert!(world.account().residual.abs() < 1e-12);
}

/// A mass on a spring between it and the world, and one on a spring between two bodies: x = A·cos ωt.
#[test]
fn springs_between_bodies_oscillate_with_their_period() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let one = world.add(Body::free(ball(0.05)).mass(1.0).at(DVec3::X)).unwrap();
    let spring = Spring { stiffness: 30.0, rest: 0.6, damping: 0.0, pulls_only: false };
    let ends = [Hold::body(one, DVec3::ZERO), Hold::world(DVec3::ZERO)];
    world.add_element(Element::new(ElementLaw::Spring(spring), ends)).unwrap();
    let far = DVec3::new(0.0, 3.0, 0.0);
    let a = world.add(Body::free(ball(0.05)).mass(1.0).at(far)).unwrap();
    let b = world.add(Body::free(ball(0.05)).mass(3.0).at(far + DVec3::X)).unwrap();
    let ends = [Hold::body(a, DVec3::ZERO), Hold::body(b, DVec3::ZERO)];
    let tie = world.add_element(Element::new(ElementLaw::Spring(spring), ends)).unwrap();
    let (single, reduced) = (30.0_f64.sqrt(), (30.0_f64 / 0.75).sqrt());
    for i in 1..=20 {
        let time = 0.1 * f64::from(i);
        world.advance_to(time).unwrap();
        let x = world.state(one).unwrap().position.x;
        let apart = world.state(b).unwrap().position.x - world.state(a).unwrap().position.x;
        assert!((x - 0.6 - 0.4 * libm::cos(single * time)).abs() < 1e-8, "{x}");
        assert!((apart - 0.6 - 0.4 * libm::cos(reduced * time)).abs() < 1e-8, "{apart}");
    }
    let account = world.account();
    assert!(account.residual.abs() < 1e-12, "{account:?}");
    world.remove_element(tie).unwrap();
    assert_eq!(world.body(a).unwrap().role(), "free");
    assert!(world.account().residual.abs() < 1e-12);
    world.advance_to(3.0).unwrap();
}
