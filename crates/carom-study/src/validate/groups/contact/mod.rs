//! Lasting contact without friction under the constraint regime: what stands, what moves in contact, and impacts on it.
//!
//! | file | cases |
//! |---|---|
//! | `statics` | legs, corners and stacks: checks 31 and 32, reference cases D1 to D3 |
//! | `motion` | bodies that slide, tip and rock: checks 3, 4, 26 and 33, reference cases C7 and C8 |
//! | `impacts` | one impact, and all at once: checks 38 to 41 |

mod impacts;
mod motion;
mod statics;

use glam::DVec3;

use carom::{Body, BodyId, ContactSettings, Impacts, Material, MaterialId, Regime, Surface, World};
use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};
use carom_geometry::{Shape, convex_hull};
use std::sync::Arc;

use super::super::{Context, Row};

const GUIDE: &str = "guide to Baraff 1992, checklist";

const CASES: &str = "reference cases C and D";

/// Of all worlds here but one `[m/s²]`.
const GRAVITY: f64 = 9.81;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = statics::rows(context);
    rows.extend(motion::rows(context));
    rows.extend(impacts::rows(context));
    rows
}

/// A world under the constraint regime, in which nothing sleeps, and one smooth material.
struct Stage<'a> {
    context: &'a Context,
    world: World,
    material: MaterialId,
}

impl<'a> Stage<'a> {
    fn new(context: &'a Context, gravity: f64, restitution: f64, impacts: Impacts) -> Option<Self> {
        let regime = Regime::Constraint;
        let contact =
            ContactSettings { regime, impacts, sleepless: true, ..ContactSettings::default() };
        let gravity = context.subject.gravity(gravity * DVec3::NEG_Z);
        let mut world = World::builder().gravity(gravity).contact(contact).build().ok()?;
        let surface = Surface { friction: 0.0, restitution, ..Surface::default() };
        let surface = context.subject.surface(surface);
        let material = world.add_material(Material { name: "smooth".into(), surface }).ok()?;
        Some(Self { context, world, material })
    }

    /// The same for what does not bounce.
    fn dead(context: &'a Context) -> Option<Self> {
        Self::new(context, GRAVITY, 0.0, Impacts::Sequence)
    }

    fn floor(&mut self) -> Option<BodyId> {
        let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).ok()?);
        self.add(Body::fixed(floor))
    }

    fn add(&mut self, body: Body) -> Option<BodyId> {
        self.world.add(body.material(self.material)).ok()
    }

    fn run(&mut self, until: f64) -> Option<()> {
        self.world.advance_to(until).ok()
    }

    /// Sum of the forces between two bodies, as it comes out `[N]`.
    fn force(&self, a: BodyId, b: BodyId) -> f64 {
        let forces = self.world.contact_forces();
        let own = forces.iter().filter(|it| it.bodies == [a.min(b), a.max(b)]);
        self.context.subject.pushes(&[own.map(|it| it.force).sum()])[0]
    }

    /// As it comes out `[m/s]`.
    fn velocity(&self, body: BodyId) -> Option<DVec3> {
        let velocity = self.world.state(body)?.velocity;
        Some(velocity.map(|it| self.context.subject.extent(it)))
    }
}

fn ball(radius: f64) -> Option<Shape> {
    Ball::new(radius).ok().map(Shape::Ball)
}

fn cuboid(x: f64, y: f64, z: f64) -> Option<Shape> {
    Cuboid::new(0.5 * DVec3::new(x, y, z)).ok().map(Shape::Cuboid)
}

fn hull(points: &[DVec3]) -> Option<Shape> {
    convex_hull(points).ok().map(|it| Shape::Polyhedron(Arc::new(it)))
}

/// What was found, or as many numbers that fail.
fn or_nan(found: Option<Vec<f64>>, count: usize) -> Vec<f64> {
    found.unwrap_or_else(|| vec![f64::NAN; count])
}
