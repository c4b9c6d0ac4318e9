//! Joints that several tests control.

use carom::{Body, BodyId, Joint, JointForce, JointId, JointKind, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Cuboid};
use glam::DVec3;

pub(crate) fn ball(radius: f64) -> Shape {
    Shape::Ball(Ball::new(radius).expect("a valid scene"))
}

pub(crate) fn cuboid(half: DVec3) -> Shape {
    Shape::Cuboid(Cuboid::new(half).expect("a valid scene"))
}

pub(crate) fn weightless() -> World {
    World::builder().gravity(DVec3::ZERO).build().expect("a valid scene")
}

/// A mass that slides along an axis through the origin.
pub(crate) fn slider(world: &mut World, mass: f64, axis: DVec3, start: f64) -> (BodyId, JointId) {
    slider_with(world, mass, axis, start, JointForce::default())
}

/// The same, with a spring or damper.
pub(crate) fn slider_with(
    world: &mut World,
    mass: f64,
    axis: DVec3,
    start: f64,
    force: JointForce,
) -> (BodyId, JointId) {
    let body = world.add(Body::free(ball(0.1)).mass(mass).at(start * axis)).expect("a valid scene");
    let joint = Joint::new(JointKind::Prismatic { axis }, None, body).start(&[start]).force(force);
    (body, world.join(joint).expect("a valid scene"))
}

/// Two rods of 0.5 m and 1 kg along x from the origin, hinged about y.
pub(crate) fn arm(world: &mut World) -> [JointId; 2] {
    let rod =
        |at: f64| Body::free(cuboid(DVec3::new(0.25, 0.02, 0.02))).mass(1.0).at(at * DVec3::X);
    let upper = world.add(rod(0.25)).expect("a valid scene");
    let lower = world.add(rod(0.75).except(upper)).expect("a valid scene");
    let hinge = JointKind::Revolute { axis: DVec3::Y };
    let shoulder =
        world.join(Joint::new(hinge, None, upper).at(DVec3::ZERO)).expect("a valid scene");
    let elbow =
        world.join(Joint::new(hinge, upper, lower).at(0.5 * DVec3::X)).expect("a valid scene");
    [shoulder, elbow]
}

pub(crate) fn position(world: &World, joint: JointId) -> f64 {
    world.joint(joint).expect("a valid scene").coordinates()[0]
}

pub(crate) fn rate(world: &World, joint: JointId) -> f64 {
    world.joint(joint).expect("a valid scene").rates()[0]
}
