//! Worlds for whole sequences of collisions, and how they are asked.

use glam::DVec3;

use carom::{
    Body, BodyId, Collision, Fault, Happening, Instant, Material, MaterialId, Observer, Observers,
    RestitutionLaw, Stop, Surface, World, WorldBuilder,
};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};

use super::super::super::Context;

/// Of all worlds here, as in the reference cases `[m/s²]`.
pub(super) const GRAVITY: f64 = 9.81;

/// A world in which collisions are taken down.
pub(super) struct Stage<'a> {
    pub(super) context: &'a Context,
    pub(super) world: World,
    pub(super) seen: Vec<(f64, Collision)>,
}

struct Notes<'a>(&'a mut Vec<(f64, Collision)>);

impl Observer for Notes<'_> {
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

impl<'a> Stage<'a> {
    /// An empty world under a gravity.
    pub(super) fn new(context: &'a Context, gravity: DVec3, builder: WorldBuilder) -> Option<Self> {
        let world = builder.gravity(context.subject.gravity(gravity)).build().ok()?;
        Some(Self { context, world, seen: Vec::new() })
    }

    /// Under gravity, on a floor of a material of these coefficients.
    pub(super) fn on_a_floor(
        context: &'a Context,
        builder: WorldBuilder,
        [friction, restitution]: [f64; 2],
    ) -> Option<(Self, BodyId, MaterialId)> {
        let mut stage = Self::new(context, DVec3::new(0.0, 0.0, -GRAVITY), builder)?;
        let material = stage.material(friction, restitution)?;
        let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).ok()?);
        let floor = stage.world.add(Body::fixed(floor).material(material)).ok()?;
        Some((stage, floor, material))
    }

    pub(super) fn material(&mut self, friction: f64, restitution: f64) -> Option<MaterialId> {
        let surface = self.surface(friction, restitution);
        let name = format!("{friction} {restitution}");
        self.world.add_material(Material { name, surface }).ok()
    }

    pub(super) fn surface(&self, friction: f64, restitution: f64) -> Surface {
        let surface = Surface { friction, restitution, law: RestitutionLaw::Stronge };
        self.context.subject.surface(surface)
    }

    /// Lets time pass.
    pub(super) fn run(&mut self, until: f64) -> Result<(), Fault> {
        let mut notes = Notes(&mut self.seen);
        self.world.advance_watched(until, &mut Observers::none().with(&mut notes))
    }

    /// Time and closing speed of the n-th collision, from 0, as they come out.
    pub(super) fn told(&self, n: usize) -> Option<(f64, f64)> {
        let (time, collision) = self.seen.get(n)?;
        let (time, contact) = self.context.subject.touch(*time, collision.contact);
        Some((time, -contact.speed))
    }

    /// Velocity of a body now, as it comes out.
    pub(super) fn velocity(&self, body: BodyId) -> Option<DVec3> {
        let time = self.context.subject.time(self.world.now());
        self.world.state_at(body, time.max(self.world.now())).map(|state| state.velocity)
    }
}

pub(super) fn ball(radius: f64) -> Option<Shape> {
    Ball::new(radius).ok().map(Shape::Ball)
}

pub(super) fn cuboid(edges: DVec3) -> Option<Shape> {
    Cuboid::new(0.5 * edges).ok().map(Shape::Cuboid)
}
