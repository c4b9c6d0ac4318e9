//! A body's shape as an entity of Foxglove's scene.

use carom_geometry::{Fineness, Pose, Surface};
use glam::DVec3;

use super::{EDGES, Shown, pose, stamp, vector};
use crate::bodies::ShapeDescription;
use crate::proto::Encoder;
use crate::surfaces::{Meshes, Stage};

/// Fields of an entity in which primitives are.
const CUBES: u32 = 8;
const SPHERES: u32 = 9;
const CYLINDERS: u32 = 10;
const TRIANGLES: u32 = 12;

/// What primitives are drawn with.
struct Brush<'a> {
    meshes: &'a Meshes,
    stage: &'a Stage,
    world_from_body: &'a Pose,
    color: [f64; 4],
}

/// Writes a body that is somewhere at a time.
pub(super) fn encode(
    shown: &Shown,
    (meshes, stage): (&Meshes, &Stage),
    world_from_body: &Pose,
    time: f64,
    message: &mut Encoder,
) {
    let body = &shown.body;
    stamp(1, time, message);
    message.field(2, shown.frame.as_bytes());
    message.field(3, shown.frame.as_bytes());
    // It goes where its frame goes.
    message.uint(5, 1);
    let mass = body.mass_kg.map(|mass| format!("{mass} kg"));
    let about =
        [("name", Some(body.name.clone())), ("role", Some(body.role.clone())), ("mass", mass)];
    for (key, value) in about {
        let Some(value) = value else { continue };
        message.message(6, |it| {
            it.field(1, key.as_bytes());
            it.field(2, value.as_bytes());
        });
    }
    let brush = Brush { meshes, stage, world_from_body, color: body.shown_color() };
    brush.shape(&body.shape, &Pose::IDENTITY, message);
}

impl Brush<'_> {
    fn shape(&self, shape: &ShapeDescription, place: &Pose, message: &mut Encoder) {
        let along = |height: f64| Pose::new(place.point(DVec3::Z * height), place.rotation);
        match *shape {
            ShapeDescription::Ball { radius } => {
                self.sized(SPHERES, place, DVec3::splat(2.0 * radius), message);
            }
            ShapeDescription::Ellipsoid { semi_axes } => {
                self.sized(SPHERES, place, 2.0 * DVec3::from_array(semi_axes), message);
            }
            ShapeDescription::Cuboid { half } => {
                self.sized(CUBES, place, 2.0 * DVec3::from_array(half), message);
            }
            ShapeDescription::Cylinder { half_length, radius } => {
                self.cylinder(place, [half_length, radius], 1.0, message);
            }
            ShapeDescription::Cone { half_length, radius } => {
                self.cylinder(place, [half_length, radius], 0.0, message);
            }
            ShapeDescription::Capsule { half_length, radius } => {
                self.cylinder(place, [half_length, radius], 1.0, message);
                for end in [-half_length, half_length] {
                    self.sized(SPHERES, &along(end), DVec3::splat(2.0 * radius), message);
                }
            }
            ShapeDescription::HalfSpace { normal, offset } => {
                let normal = DVec3::from_array(normal);
                let square = self.stage.square(normal, offset, self.world_from_body);
                self.triangles(place, &square, message);
            }
            ShapeDescription::Compound { ref parts } => {
                for part in parts {
                    self.shape(&part.shape, &place.then_from(&part.pose()), message);
                }
            }
            ShapeDescription::Superquadric { .. }
            | ShapeDescription::Polyhedron { .. }
            | ShapeDescription::Mesh { .. } => {
                let surface = shape.surface(self.meshes, Fineness::around(EDGES));
                if let Some(surface) = surface {
                    self.triangles(place, &surface, message);
                }
            }
        }
    }

    fn sized(&self, field: u32, place: &Pose, size: DVec3, message: &mut Encoder) {
        message.message(field, |it| {
            pose(1, place, it);
            vector(2, size, it);
            self.color(3, it);
        });
    }

    /// A cylinder, or a cone where the upper end is scaled to nothing.
    fn cylinder(
        &self,
        place: &Pose,
        [half_length, radius]: [f64; 2],
        top: f64,
        message: &mut Encoder,
    ) {
        message.message(CYLINDERS, |it| {
            pose(1, place, it);
            vector(2, 2.0 * DVec3::new(radius, radius, half_length), it);
            it.double(3, 1.0);
            it.double(4, top);
            self.color(5, it);
        });
    }

    fn triangles(&self, place: &Pose, surface: &Surface, message: &mut Encoder) {
        message.message(TRIANGLES, |it| {
            pose(1, place, it);
            for &point in surface.positions() {
                vector(2, point, it);
            }
            self.color(3, it);
            it.words(5, surface.triangles(), |&triangle| triangle);
        });
    }

    fn color(&self, field: u32, message: &mut Encoder) {
        message.message(field, |it| {
            for (number, part) in (1..).zip(self.color) {
                it.double(number, part);
            }
        });
    }
}
