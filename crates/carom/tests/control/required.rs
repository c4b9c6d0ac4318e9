//! Forces of motors for accelerations that are wanted, with everything present that acts on joints and links.

use carom::elements::{Drag, ElementLaw, GasSpring, Spring};
use carom::{Body, Element, Hold, Joint, JointForce, JointId, JointKind, World};
use glam::DVec3;

use crate::common::{cuboid, rate, slider_with};

/// Two rods with springs, dampers and friction in their joints, a spring and a gas spring between links, and drag.
fn burdened(world: &mut World, rates: [f64; 2]) -> [JointId; 2] {
    let rod = |at: f64| Body::free(cuboid(DVec3::new(0.2, 0.02, 0.02))).mass(1.0).at(at * DVec3::X);
    let upper = world.add(rod(0.25)).expect("a rod");
    let lower = world.add(rod(0.75)).expect("a rod");
    let force = |friction: f64| JointForce {
        damping: 0.3,
        stiffness: 2.0,
        rest: 0.2,
        armature: 0.05,
        friction,
        ..JointForce::default()
    };
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    let shoulder = Joint::new(hinge, None, upper).at(DVec3::ZERO).force(force(0.7));
    let elbow = Joint::new(hinge, upper, lower).at(0.5 * DVec3::X).force(force(0.4));
    let joints = vec![shoulder.velocity(&rates[..1]), elbow.velocity(&rates[1..])];
    let joints = world.join_all(joints).expect("an arm");
    let spring = Spring { stiffness: 40.0, rest: 0.3, damping: 2.0, pulls_only: false };
    let ends = [Hold::body(lower, 0.1 * DVec3::Z), Hold::world(DVec3::new(0.5, 0.1, 1.0))];
    world.add_element(Element::new(ElementLaw::Spring(spring), ends)).expect("a spring");
    let gas = GasSpring {
        force: 30.0,
        extended: 0.6,
        stroke: 0.4,
        column: 0.5,
        exponent: 1.3,
        damping: 1.0,
    };
    let ends = [Hold::body(upper, 0.05 * DVec3::Z), Hold::body(lower, 0.05 * DVec3::Z)];
    world.add_element(Element::new(ElementLaw::GasSpring(gas), ends)).expect("a gas spring");
    let rope = Spring { stiffness: 500.0, rest: 5.0, damping: 1.0, pulls_only: true };
    let ends = [Hold::body(lower, DVec3::ZERO), Hold::world(DVec3::Y)];
    world.add_element(Element::new(ElementLaw::Spring(rope), ends)).expect("a slack rope");
    let drag = Drag { linear: 0.3, quadratic: 0.8, angular: 0.02, wind: DVec3::new(1.0, 0.0, 2.0) };
    let drag = Element::on(ElementLaw::Drag(drag), Hold::body(lower, 0.2 * DVec3::X));
    world.add_element(drag).expect("drag");
    [joints[0], joints[1]]
}

/// Accelerations just after now, from rates a little later, without what is of first order in the time.
fn accelerations(world: &World, joints: [JointId; 2]) -> [f64; 2] {
    joints.map(|joint| {
        let (now, it) = (world.now(), world.joint(joint).expect("a joint"));
        let slope = |h: f64| (it.state_at(now + h).expect("a course").1[0] - it.rates()[0]) / h;
        let h = 1e-5;
        2.0 * slope(0.5 * h) - slope(h)
    })
}

/// proves: m2/R-27
#[test]
fn computed_torques_give_the_accelerations_that_are_wanted_under_elements_drag_and_friction() {
    for rates in [[0.7, -1.1], [-0.4, 0.9], [0.0, 0.0], [0.3, 0.0]] {
        let mut world = World::builder().tolerance(1e-10).build().unwrap();
        let joints = burdened(&mut world, rates);
        let child = world.joint(joints[0]).unwrap().child();
        let wanted = [1.5, -2.5];
        let torque = world.linkage(child).unwrap().inverse_dynamics(&wanted).unwrap();
        for (joint, torque) in joints.into_iter().zip(&torque) {
            world.drive(joint, &[*torque]).unwrap();
        }
        let got = accelerations(&world, joints);
        println!("{rates:?}: {torque:?} N·m give {got:?} rad/s², {wanted:?} wanted");
        // The rope is slack and counts as nothing; what joints and elements do is found to the tolerance.
        assert!((got[0] - wanted[0]).abs() < 1e-5 && (got[1] - wanted[1]).abs() < 1e-5);
    }
}

/// proves: m2/R-27
#[test]
fn a_slider_needs_what_the_closed_form_says() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().unwrap();
    let force = JointForce {
        damping: 0.5,
        stiffness: 10.0,
        friction: 2.0,
        armature: 0.3,
        ..JointForce::default()
    };
    let (body, joint) = slider_with(&mut world, 1.7, DVec3::X, 0.4, force);
    let drag = Drag { linear: 0.2, quadratic: 0.6, angular: 0.0, wind: DVec3::ZERO };
    world.add_element(Element::on(ElementLaw::Drag(drag), Hold::body(body, DVec3::ZERO))).unwrap();
    let needed = |world: &World, a: f64| {
        world.linkage(body).expect("a slider").inverse_dynamics(&[a]).expect("a force")[0]
    };
    let spring = 10.0 * 0.4;
    // At rest: friction against the acceleration that is wanted, or none.
    assert!((needed(&world, 3.0) - (2.0 * 3.0 + spring + 2.0)).abs() < 1e-12);
    assert!((needed(&world, -3.0) - (-2.0 * 3.0 + spring - 2.0)).abs() < 1e-12);
    assert!((needed(&world, 0.0) - spring).abs() < 1e-12);
    world.apply_impulse(body, -1.7 * 2.0 * DVec3::X, 0.4 * DVec3::X).unwrap();
    let v = rate(&world, joint);
    let passive = spring + 0.5 * v + (0.2 + 0.6 * v.abs()) * v + 2.0 * v.signum();
    println!("at {v} m/s {} N, {} expected", needed(&world, 3.0), 6.0 + passive);
    assert!(v < 0.0 && (needed(&world, 3.0) - 6.0 - passive).abs() < 1e-12);
}

/// A joint that is not prescribed stays where friction holds it.
#[test]
fn joints_that_friction_holds_stay_where_nothing_is_asked_of_them() {
    let mut world = World::builder().build().unwrap();
    let rod = |at: f64| Body::free(cuboid(DVec3::new(0.2, 0.02, 0.02))).mass(1.0).at(at * DVec3::X);
    let (upper, lower) = (world.add(rod(0.25)).unwrap(), world.add(rod(0.75)).unwrap());
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    let shoulder = Joint::new(hinge, None, upper).at(DVec3::ZERO);
    let friction = JointForce { friction: 50.0, ..JointForce::default() };
    let elbow = Joint::new(hinge, upper, lower).at(0.5 * DVec3::X).force(friction);
    let joints = world.join_all(vec![shoulder, elbow]).unwrap();
    let (accelerations, torque) =
        world.linkage(upper).unwrap().mixed_dynamics(&[Some(0.0), None]).unwrap();
    // One stiff arm of 2 kg, whose centre is half a metre out.
    println!("{accelerations:?} {torque:?}");
    assert!((torque[0] + 2.0 * 9.80665 * 0.5).abs() < 1e-12 && accelerations[1] == 0.0);
    world.drive(joints[0], &[torque[0]]).unwrap();
    world.advance_to(0.5).unwrap();
    assert!(joints.iter().all(|it| world.joint(*it).unwrap().rates()[0].abs() < 1e-9));
}
