//! Linkages that several tests put together.

use carom::{Body, BodyId, Joint, JointId, JointKind, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Cuboid};
use glam::DVec3;

pub(crate) fn ball(radius: f64) -> Shape {
    Shape::Ball(Ball::new(radius).expect("a linkage to test with"))
}

pub(crate) fn cuboid(half: DVec3) -> Shape {
    Shape::Cuboid(Cuboid::new(half).expect("a linkage to test with"))
}

/// A chain of rods along x from the origin, in the plane of x and z, each of this length and 1 kg, joined with a little room.
pub(crate) fn chain(world: &mut World, rods: usize, length: f64) -> (Vec<BodyId>, Vec<JointId>) {
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for i in 0..rods {
        let half = DVec3::new(0.5 * length, 0.02 * length, 0.02 * length);
        let at = DVec3::X * length * (i as f64 + 0.5);
        let mut rod = Body::free(cuboid(half)).named(format!("rod {i}")).mass(1.0).at(at);
        if let Some(last) = bodies.last() {
            rod = rod.except(*last);
        }
        let rod = world.add(rod).expect("a linkage to test with");
        let hinge = JointKind::Revolute { axis: DVec3::Y };
        let place = DVec3::X * length * i as f64;
        let joint = Joint::new(hinge, bodies.last().copied(), rod).at(place);
        joints.push(world.join(joint.named(format!("hinge {i}"))).expect("a linkage to test with"));
        bodies.push(rod);
    }
    (bodies, joints)
}
