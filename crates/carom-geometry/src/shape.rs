//! One name for every kind of shape, and the questions they all answer.

use std::sync::Arc;

use glam::DVec3;
use thiserror::Error;

use crate::shapes::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Superquadric,
};
use crate::{Aabb, ClosedMesh, ConvexPolyhedron, MassError, MassProperties, Pose};

/// A solid in its own frame; cheap to clone.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A sphere around the origin.
    Ball(Ball),
    /// A box around the origin.
    Cuboid(Cuboid),
    /// All points within a radius of a segment on the z axis.
    Capsule(Capsule),
    /// A circular cylinder along the z axis.
    Cylinder(Cylinder),
    /// A circular cone along the z axis, apex up.
    Cone(Cone),
    /// An ellipsoid around the origin.
    Ellipsoid(Ellipsoid),
    /// A superquadric around the origin.
    Superquadric(Superquadric),
    /// Everything below a plane.
    HalfSpace(HalfSpace),
    /// A convex polyhedron.
    Polyhedron(Arc<ConvexPolyhedron>),
    /// The solid inside a closed triangle mesh, convex or not.
    Mesh(Arc<ClosedMesh>),
    /// Several placed shapes that move as one.
    Compound(Arc<Compound>),
}

/// Why numbers do not make a shape.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShapeError {
    /// A size that is not a positive finite number.
    #[error("the {what} of a {shape} is {value}, but must be a positive finite number")]
    NotPositive {
        /// Kind of the shape.
        shape: &'static str,
        /// Which size.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A number that is NaN or infinite.
    #[error("the {what} of a {shape} is {value}, but must be a finite number")]
    NotFinite {
        /// Kind of the shape.
        shape: &'static str,
        /// Which number.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A number outside its range.
    #[error("the {what} of a {shape} is {value}, but must lie between {min} and {max}")]
    OutOfRange {
        /// Kind of the shape.
        shape: &'static str,
        /// Which number.
        what: &'static str,
        /// The number.
        value: f64,
        /// Smallest value allowed.
        min: f64,
        /// Largest value allowed.
        max: f64,
    },
    /// A direction without a length, or not finite.
    #[error("the {what} of a {shape} is {value}, which gives no direction")]
    NoDirection {
        /// Kind of the shape.
        shape: &'static str,
        /// Which direction.
        what: &'static str,
        /// The vector.
        value: DVec3,
    },
    /// A placement that is not finite or whose quaternion is not unit.
    #[error(
        "part {part} is placed at {translation} with a quaternion of length {length}: \
             all must be finite and the length 1"
    )]
    BadPlacement {
        /// Index of the part.
        part: usize,
        /// Its translation.
        translation: DVec3,
        /// Length of its quaternion.
        length: f64,
    },
    /// A compound without parts.
    #[error("a compound needs at least one part")]
    NoParts,
    /// An unbounded part in a compound.
    #[error("part {part} is a {shape}, which is unbounded and cannot be part of a compound")]
    UnboundedPart {
        /// Index of the part.
        part: usize,
        /// Kind of the part.
        shape: &'static str,
    },
    /// Compounds within compounds within compounds …
    #[error("compounds are nested deeper than the limit of {limit} levels")]
    TooDeep {
        /// How many levels are allowed.
        limit: usize,
    },
}

/// The questions every shape answers, in its own frame.
pub trait Solid {
    /// What people call it.
    fn kind(&self) -> &'static str;

    /// A point of the shape farthest along `direction`, which need not be unit; any point for the zero
    /// vector, `None` where the shape has no end.
    fn support(&self, direction: DVec3) -> Option<DVec3>;

    /// How far the shape reaches along `direction`: max d·x, times |d|; infinite where it has no end.
    fn support_value(&self, direction: DVec3) -> f64 {
        self.support(direction).map_or(f64::INFINITY, |point| direction.dot(point))
    }

    /// Largest distance of any of its points from `point` (r_max, M 2.3), infinite if unbounded `[m]`.
    fn radius_about(&self, point: DVec3) -> f64;

    /// Volume, infinite if unbounded `[m³]`.
    fn volume(&self) -> f64;

    /// Surface area, infinite if unbounded `[m²]`.
    fn surface_area(&self) -> f64;

    /// Mass properties at a uniform density `[kg/m³]`.
    ///
    /// # Errors
    /// If the density is not positive and finite, or the shape is unbounded.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError>;
}

impl Shape {
    /// The shape behind the name, for everything that all of them can do.
    pub fn as_solid(&self) -> &dyn Solid {
        match self {
            Self::Ball(shape) => shape,
            Self::Cuboid(shape) => shape,
            Self::Capsule(shape) => shape,
            Self::Cylinder(shape) => shape,
            Self::Cone(shape) => shape,
            Self::Ellipsoid(shape) => shape,
            Self::Superquadric(shape) => shape,
            Self::HalfSpace(shape) => shape,
            Self::Polyhedron(shape) => shape.as_ref(),
            Self::Mesh(shape) => shape.as_ref(),
            Self::Compound(shape) => shape.as_ref(),
        }
    }

    /// Its extent between two parallel planes perpendicular to `direction`, a unit vector `[m]`.
    pub fn width(&self, direction: DVec3) -> f64 {
        let solid = self.as_solid();
        solid.support_value(direction) + solid.support_value(-direction)
    }

    /// The smallest axis-aligned box around the placed shape, padded for rounding; infinite on the sides
    /// where the shape has no end.
    pub fn aabb(&self, world_from_shape: &Pose) -> Aabb {
        let reach = |axis: DVec3| {
            let direction = world_from_shape.vector_inverse(axis);
            self.as_solid().support_value(direction)
        };
        let max = DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z));
        let min = -DVec3::new(reach(-DVec3::X), reach(-DVec3::Y), reach(-DVec3::Z));
        let origin = world_from_shape.translation;
        Aabb { min: min + origin, max: max + origin }.padded_for_rounding()
    }

    /// Largest distance of any of its points from its own centre of mass; infinite if unbounded `[m]`.
    ///
    /// Where the mass leaves the range of numbers, from the centre of its box.
    pub fn bounding_radius(&self) -> f64 {
        let solid = self.as_solid();
        let center = match solid.mass_properties(1.0) {
            Ok(mass) => mass.center,
            Err(MassError::Unbounded { .. }) => return f64::INFINITY,
            Err(_) => self.aabb(&Pose::IDENTITY).center(),
        };
        solid.radius_about(center)
    }
}

/// Checks a size on behalf of a shape's constructor.
pub(crate) fn positive_size(
    shape: &'static str,
    what: &'static str,
    value: f64,
) -> Result<f64, ShapeError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(ShapeError::NotPositive { shape, what, value })
    }
}
