//! Shapes as the oracle has them, each made once.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom::BodyId;
use carom_geometry::{Pose, Shape};
use oracles::gap::{self, Body, Solid};

use super::view::View;

/// Shapes made ready for measuring.
#[derive(Clone, Debug, Default)]
pub(super) struct Solids {
    of_body: BTreeMap<BodyId, Option<Arc<Body>>>,
    /// Of shapes that bodies share, by where they are; the shape is kept, so that nothing else comes to be there.
    shared: BTreeMap<usize, (Shape, Option<Arc<Body>>)>,
    /// Bodies whose shape the oracle refuses.
    pub(super) refused: u64,
}

impl Solids {
    /// The solid of a body; none if it has none that can be measured.
    pub(super) fn of(&mut self, view: &dyn View, body: BodyId) -> Option<Arc<Body>> {
        if let Some(known) = self.of_body.get(&body) {
            return known.clone();
        }
        let shape = view.shape(body)?;
        let made = match address(shape) {
            Some(place) => {
                let entry = self.shared.entry(place);
                entry.or_insert_with(|| (shape.clone(), made(shape))).1.clone()
            }
            None => made(shape),
        };
        self.refused += u64::from(made.is_none());
        self.of_body.insert(body, made.clone());
        made
    }

    /// Forgets a body that is gone.
    pub(super) fn forget(&mut self, body: BodyId) {
        self.of_body.remove(&body);
    }
}

fn made(shape: &Shape) -> Option<Arc<Body>> {
    Body::new(&solid_of(shape)).ok().map(Arc::new)
}

/// Where the data of a shape is that bodies may share.
fn address(shape: &Shape) -> Option<usize> {
    match shape {
        Shape::Polyhedron(shape) => Some(Arc::as_ptr(shape) as usize),
        Shape::Mesh(shape) => Some(Arc::as_ptr(shape) as usize),
        Shape::Compound(shape) => Some(Arc::as_ptr(shape) as usize),
        _ => None,
    }
}

/// A shape as the oracle has it.
pub fn solid_of(shape: &Shape) -> Solid {
    match shape {
        Shape::Ball(ball) => Solid::Ball { radius: ball.radius() },
        Shape::Cuboid(cuboid) => Solid::Cuboid { half: cuboid.half().to_array() },
        Shape::Capsule(capsule) => {
            Solid::Capsule { half_length: capsule.half_length(), radius: capsule.radius() }
        }
        Shape::Cylinder(cylinder) => {
            Solid::Cylinder { half_length: cylinder.half_length(), radius: cylinder.radius() }
        }
        Shape::Cone(cone) => Solid::Cone { half_length: cone.half_length(), radius: cone.radius() },
        Shape::Ellipsoid(it) => Solid::Ellipsoid { semi_axes: it.semi_axes().to_array() },
        Shape::Superquadric(it) => {
            let [exponent_xy, exponent_z] = it.exponents();
            Solid::Superquadric { semi_axes: it.semi_axes().to_array(), exponent_xy, exponent_z }
        }
        Shape::HalfSpace(it) => {
            Solid::HalfSpace { normal: it.normal().to_array(), offset: it.offset() }
        }
        Shape::Polyhedron(it) => {
            Solid::Hull { points: it.vertices().iter().map(glam::DVec3::to_array).collect() }
        }
        Shape::Mesh(it) => {
            let mesh = it.mesh();
            let triangle = |corners: &[u32; 3]| corners.map(|corner| corner as usize);
            Solid::Mesh {
                vertices: mesh.vertices().iter().map(glam::DVec3::to_array).collect(),
                triangles: mesh.triangles().iter().map(triangle).collect(),
            }
        }
        Shape::Compound(it) => {
            let part = |part: &carom_geometry::shapes::Part| {
                (pose_of(&part.body_from_shape), solid_of(&part.shape))
            };
            Solid::Compound { parts: it.parts().iter().map(part).collect() }
        }
    }
}

/// A placement as the oracle has it.
pub fn pose_of(pose: &Pose) -> gap::Pose {
    gap::Pose { position: pose.translation.to_array(), quaternion: pose.rotation.to_array() }
}
