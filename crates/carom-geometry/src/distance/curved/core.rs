//! Solids without the radius around them: a ball is a point, a capsule a segment.
//!
//! A radius shifts s(n) by the same amount for every n, so the best normal of the cores is that of the solids, and
//! the points lie a radius further along it.

use glam::DVec3;

use super::project::{Foot, superquadric_support, superquadric_value};
use crate::ConvexPolyhedron;
use crate::distance::{Convex, Feature};
use crate::shape::Solid;
use crate::shapes::{Cone, Cylinder, Ellipsoid, HalfSpace, Superquadric};

/// No feature of any solid: where a climb or a walk starts is left open.
pub(super) const NOWHERE: Feature = Feature::Vertex(u32::MAX);

/// What remains of a solid without its radius.
#[derive(Clone, Copy, Debug)]
pub(super) enum Core<'a> {
    /// The origin.
    Point,
    /// On the z axis, from −`half_length` to `half_length`.
    Segment {
        /// Half its length `[m]`.
        half_length: f64,
    },
    Cylinder(&'a Cylinder),
    Cone(&'a Cone),
    Ellipsoid(&'a Ellipsoid),
    Superquadric(&'a Superquadric),
    Polyhedron(&'a ConvexPolyhedron),
    Triangle(&'a [DVec3; 3]),
    /// Only its boundary matters: answers about half-spaces need no search.
    Plane(&'a HalfSpace),
}

/// A core, its radius, and its sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stripped<'a> {
    /// The core.
    pub(super) core: Core<'a>,
    /// Radius around the core `[m]`.
    pub(super) radius: f64,
    /// Half the diagonal of the bounding box, radius included: r of the offset surface `[m]`.
    pub(super) size: f64,
    /// Largest distance of a point from the origin of its frame, to within a factor of two `[m]`.
    pub(super) reach: f64,
    /// A point well inside `[m]`.
    pub(super) middle: DVec3,
}

impl<'a> Stripped<'a> {
    /// A half-space, which has no size, is given one of 1.
    pub(super) fn of(solid: &'a Convex) -> Self {
        let (core, radius, half) = match solid {
            Convex::HalfSpace(it) => (Core::Plane(it), 0.0, DVec3::X),
            Convex::Ball(it) => (Core::Point, it.radius(), DVec3::ZERO),
            Convex::Capsule(it) => {
                let half_length = it.half_length();
                (Core::Segment { half_length }, it.radius(), DVec3::Z * half_length)
            }
            Convex::Cylinder(it) => {
                let half = DVec3::new(it.radius(), it.radius(), it.half_length());
                (Core::Cylinder(it), 0.0, half)
            }
            Convex::Cone(it) => {
                let half = DVec3::new(it.radius(), it.radius(), it.half_length());
                (Core::Cone(it), 0.0, half)
            }
            Convex::Ellipsoid(it) => (Core::Ellipsoid(it), 0.0, it.semi_axes()),
            Convex::Superquadric(it) => (Core::Superquadric(it), 0.0, it.semi_axes()),
            Convex::Polyhedron(it) => {
                return Self::boxed(Core::Polyhedron(it), it.corners_of_box());
            }
            Convex::Triangle(it) => {
                let low = it[0].min(it[1]).min(it[2]);
                let high = it[0].max(it[1]).max(it[2]);
                return Self::boxed(Core::Triangle(it), [low, high]);
            }
        };
        let size = half.length() + radius;
        Self { core, radius, size, reach: size, middle: DVec3::ZERO }
    }

    fn boxed(core: Core<'a>, [low, high]: [DVec3; 2]) -> Self {
        let middle = 0.5 * (low + high);
        let size = 0.5 * low.distance(high);
        Self { core, radius: 0.0, size, reach: middle.length() + size, middle }
    }
}

impl Core<'_> {
    /// A point farthest along a direction, with the feature it lies on; `near` is where a climb over a polyhedron
    /// starts.
    pub(super) fn support(&self, direction: DVec3, near: Feature) -> (DVec3, Feature) {
        let point = match self {
            Self::Point => Some(DVec3::ZERO),
            Self::Segment { half_length } => {
                Some(DVec3::Z * if direction.z < 0.0 { -half_length } else { *half_length })
            }
            Self::Cylinder(it) => it.support(direction),
            Self::Cone(it) => it.support(direction),
            Self::Ellipsoid(it) => it.support(direction),
            Self::Superquadric(it) => Some(superquadric_support(it, direction)),
            Self::Polyhedron(it) => {
                let vertex = climb(it, direction, near);
                return (it.vertices()[vertex as usize], Feature::Vertex(vertex));
            }
            Self::Triangle(corners) => {
                let heights = corners.map(|corner| direction.dot(corner));
                let top = (1..3).fold(0, |top, i| if heights[i] > heights[top] { i } else { top });
                return (corners[top], Feature::Vertex(top as u32));
            }
            Self::Plane(it) => Some(it.offset() * it.normal()),
        };
        (point.unwrap_or(DVec3::ZERO), Feature::Face(0))
    }

    /// h(d) = max d·x, from a foot in about that direction.
    pub(super) fn support_value(&self, direction: DVec3, near: &Foot) -> f64 {
        match self {
            Self::Point => 0.0,
            Self::Segment { half_length } => half_length * direction.z.abs(),
            Self::Cylinder(it) => {
                let across = libm::sqrt(direction.x * direction.x + direction.y * direction.y);
                it.radius() * across + it.half_length() * direction.z.abs()
            }
            Self::Cone(it) => {
                let across = libm::sqrt(direction.x * direction.x + direction.y * direction.y);
                let along = it.half_length() * direction.z;
                along.max(it.radius() * across - along)
            }
            Self::Ellipsoid(it) => (it.semi_axes() * direction).length(),
            Self::Superquadric(it) => superquadric_value(it, direction),
            Self::Plane(it) => it.support_value(direction),
            Self::Polyhedron(_) | Self::Triangle(_) => {
                direction.dot(self.support(direction, near.feature).0)
            }
        }
    }
}

/// Climbs from a vertex of the feature if there is one, else from an extreme vertex.
fn climb(solid: &ConvexPolyhedron, direction: DVec3, near: Feature) -> u32 {
    let start = match near {
        Feature::Vertex(v) if (v as usize) < solid.vertices().len() => Some(v),
        Feature::Edge(h) => solid.half_edges().get(h as usize).map(|half_edge| half_edge.origin),
        Feature::Face(f) => solid
            .faces()
            .get(f as usize)
            .and_then(|face| solid.half_edges().get(face.first_half_edge as usize))
            .map(|half_edge| half_edge.origin),
        Feature::Vertex(_) => None,
    };
    match start {
        Some(start) => solid.support_vertex_from(start, direction),
        None => solid.support_vertex(direction),
    }
}
