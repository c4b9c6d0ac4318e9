//! Worlds under the constraint regime.

use carom::{Body, BodyId, ContactSettings, Material, MaterialId, Regime, Surface, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};
use glam::DVec3;

pub(crate) const GRAVITY: f64 = 9.81;

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(0.5 * DVec3::new(x, y, z)).expect("sizes"))
}

pub(crate) fn ball(radius: f64) -> Shape {
    Shape::Ball(Ball::new(radius).expect("a radius"))
}

/// A floor at z = 0 and a smooth material.
pub(crate) fn smooth_floor(restitution: f64) -> (World, BodyId, MaterialId) {
    on_a_floor(restitution, ContactSettings::default())
}

/// The same where nothing sleeps.
pub(crate) fn sleepless(restitution: f64) -> (World, BodyId, MaterialId) {
    on_a_floor(restitution, ContactSettings { sleepless: true, ..ContactSettings::default() })
}

pub(crate) fn on_a_floor(
    restitution: f64,
    contact: ContactSettings,
) -> (World, BodyId, MaterialId) {
    let mut world = World::builder()
        .gravity(DVec3::new(0.0, 0.0, -GRAVITY))
        .contact(ContactSettings { regime: Regime::Constraint, ..contact })
        .build()
        .expect("a world");
    let surface = Surface { friction: 0.0, restitution, ..Surface::default() };
    let material = world.add_material(Material { name: "smooth".into(), surface }).expect("smooth");
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a floor"));
    let floor = world.add(Body::fixed(floor).named("floor").material(material)).expect("a floor");
    (world, floor, material)
}

/// The ledger closes, and what the hold and the integrator added is small.
pub(crate) fn books_close(world: &World, integration: f64) {
    let account = world.account();
    let scale = account.scale();
    assert!(account.residual.abs() <= 1e-13 * scale, "{account:?}");
    assert!(account.integration.abs() <= integration * scale, "{account:?}");
    assert!(account.projection.abs() <= 1e-5 * scale, "{account:?}");
}
