//! Convex solids as distance queries see them.

use std::sync::Arc;

use glam::DVec3;

use crate::shape::Solid;
use crate::shapes::{Ball, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Superquadric};
use crate::{ConvexPolyhedron, Shape};

/// A convex solid in its own frame; cheap to clone.
#[derive(Clone, Debug)]
pub enum Convex {
    /// A ball around the origin.
    Ball(Ball),
    /// A capsule along z.
    Capsule(Capsule),
    /// A cylinder along z.
    Cylinder(Cylinder),
    /// A cone along z.
    Cone(Cone),
    /// An ellipsoid around the origin.
    Ellipsoid(Ellipsoid),
    /// A superquadric around the origin.
    Superquadric(Superquadric),
    /// Everything below a plane.
    HalfSpace(HalfSpace),
    /// A convex polyhedron; boxes too.
    Polyhedron(Arc<ConvexPolyhedron>),
    /// A triangle without thickness, a facet of a mesh.
    Triangle([DVec3; 3]),
}

impl Convex {
    /// The shape, if it is convex by its kind: neither a mesh nor a compound.
    pub fn of(shape: &Shape) -> Option<Self> {
        Some(match shape {
            Shape::Ball(it) => Self::Ball(*it),
            Shape::Capsule(it) => Self::Capsule(*it),
            Shape::Cylinder(it) => Self::Cylinder(*it),
            Shape::Cone(it) => Self::Cone(*it),
            Shape::Ellipsoid(it) => Self::Ellipsoid(*it),
            Shape::Superquadric(it) => Self::Superquadric(*it),
            Shape::HalfSpace(it) => Self::HalfSpace(*it),
            Shape::Polyhedron(it) => Self::Polyhedron(Arc::clone(it)),
            Shape::Cuboid(it) => Self::Polyhedron(Arc::new(ConvexPolyhedron::cuboid(it.half()))),
            Shape::Mesh(_) | Shape::Compound(_) => return None,
        })
    }

    /// A point farthest along `direction`, which need not be unit; for a half-space, the foot of the origin.
    pub fn support(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Ball(it) => it.support(direction),
            Self::Capsule(it) => it.support(direction),
            Self::Cylinder(it) => it.support(direction),
            Self::Cone(it) => it.support(direction),
            Self::Ellipsoid(it) => it.support(direction),
            Self::Superquadric(it) => it.support(direction),
            Self::HalfSpace(it) => Some(it.normal() * it.offset()),
            Self::Polyhedron(it) => Some(it.vertices()[it.support_vertex(direction) as usize]),
            Self::Triangle(corners) => {
                let height = |v: &DVec3| direction.dot(*v);
                let higher =
                    |best: DVec3, v: &DVec3| if height(v) > height(&best) { *v } else { best };
                Some(corners.iter().fold(corners[0], higher))
            }
        }
        .unwrap_or(DVec3::ZERO)
    }

    /// h(d) = max d·x, times |d|; infinite where the solid has no end.
    pub fn support_value(&self, direction: DVec3) -> f64 {
        match self {
            Self::Ball(it) => it.support_value(direction),
            Self::Capsule(it) => it.support_value(direction),
            Self::Cylinder(it) => it.support_value(direction),
            Self::Cone(it) => it.support_value(direction),
            Self::Ellipsoid(it) => it.support_value(direction),
            Self::Superquadric(it) => it.support_value(direction),
            Self::HalfSpace(it) => it.support_value(direction),
            Self::Polyhedron(_) | Self::Triangle(_) => direction.dot(self.support(direction)),
        }
    }

    /// As [`Self::support_value`]; of a polyhedron, climbing from a vertex that is thought to be near.
    pub fn support_value_from(&self, near: u32, direction: DVec3) -> f64 {
        match self {
            Self::Polyhedron(it) if (near as usize) < it.vertices().len() => {
                let vertex = it.support_vertex_from(near, direction);
                direction.dot(it.vertices()[vertex as usize])
            }
            _ => self.support_value(direction),
        }
    }

    /// Largest distance of any of its points from `point` `[m]`.
    pub fn radius_about(&self, point: DVec3) -> f64 {
        match self {
            Self::Ball(it) => it.radius_about(point),
            Self::Capsule(it) => it.radius_about(point),
            Self::Cylinder(it) => it.radius_about(point),
            Self::Cone(it) => it.radius_about(point),
            Self::Ellipsoid(it) => it.radius_about(point),
            Self::Superquadric(it) => it.radius_about(point),
            Self::HalfSpace(_) => f64::INFINITY,
            Self::Polyhedron(it) => it.radius_about(point),
            Self::Triangle(corners) => {
                corners.iter().map(|corner| corner.distance(point)).fold(0.0, f64::max)
            }
        }
    }
}
