//! From the descriptions of shapes in a recording to surfaces that can be drawn.

use std::collections::BTreeMap;

use carom_geometry::shapes::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Superquadric,
};
use carom_geometry::{Fineness, Pose, Shape, Surface, TriMesh};
use glam::{DQuat, DVec3};

use crate::bodies::{BodyDescription, MeshData, PartDescription, ShapeDescription};

/// The meshes of a recording by their numbers.
pub(crate) type Meshes = BTreeMap<u32, MeshData>;

/// How much of planes is shown: a square as large as what moves, some times over.
const PLANE_MARGIN: f64 = 1.5;

/// A plane is shown this far at least `[m]`.
const LEAST_PLANE: f64 = 1e-3;

/// Colours of bodies without one, in turn; those that do not move are grey.
const COLORS: [[f64; 3]; 6] = [
    [0.35, 0.61, 0.84],
    [0.93, 0.55, 0.25],
    [0.35, 0.70, 0.52],
    [0.80, 0.50, 0.72],
    [0.88, 0.78, 0.35],
    [0.55, 0.58, 0.72],
];
const GREY: [f64; 3] = [0.72, 0.72, 0.70];

/// Opacity of bodies that touch nobody.
const FAINT: f64 = 0.35;

impl PartDescription {
    /// Its place in the compound.
    pub(crate) fn pose(&self) -> Pose {
        Pose::new(
            DVec3::from_array(self.position_m),
            DQuat::from_array(self.orientation_xyzw).normalize(),
        )
    }
}

impl BodyDescription {
    /// The place of its frame where its reference point is at `position`.
    pub(crate) fn frame(&self, position: DVec3, orientation: DQuat) -> Pose {
        let origin = position - orientation * DVec3::from_array(self.reference_m);
        Pose::new(origin, orientation)
    }

    /// Its surface in its own frame, of meshes that are found by their numbers; none if it is unbounded or its mesh is not
    /// there.
    pub fn surface(&self, meshes: &BTreeMap<u32, MeshData>, fineness: Fineness) -> Option<Surface> {
        self.shape.surface(meshes, fineness)
    }

    /// Its colour, or one by its number: red, green, blue and opacity, each from 0 to 1.
    pub fn shown_color(&self) -> [f64; 4] {
        self.color.unwrap_or_else(|| {
            let color = if self.role == "fixed" { GREY } else { COLORS[self.body as usize % 6] };
            let [r, g, b] = color;
            [r, g, b, if self.ghost || self.sensor { FAINT } else { 1.0 }]
        })
    }
}

impl ShapeDescription {
    /// The shape of one that is no mesh and no compound; none if its sizes make no shape.
    pub(crate) fn simple(&self) -> Option<Shape> {
        Some(match *self {
            Self::Ball { radius } => Shape::Ball(Ball::new(radius).ok()?),
            Self::Cuboid { half } => Shape::Cuboid(Cuboid::new(DVec3::from_array(half)).ok()?),
            Self::Capsule { half_length, radius } => {
                Shape::Capsule(Capsule::new(half_length, radius).ok()?)
            }
            Self::Cylinder { half_length, radius } => {
                Shape::Cylinder(Cylinder::new(half_length, radius).ok()?)
            }
            Self::Cone { half_length, radius } => Shape::Cone(Cone::new(half_length, radius).ok()?),
            Self::Ellipsoid { semi_axes } => {
                Shape::Ellipsoid(Ellipsoid::new(DVec3::from_array(semi_axes)).ok()?)
            }
            Self::Superquadric { semi_axes, exponents: [m, n] } => {
                Shape::Superquadric(Superquadric::new(DVec3::from_array(semi_axes), m, n).ok()?)
            }
            Self::HalfSpace { normal, offset } => {
                Shape::HalfSpace(HalfSpace::new(DVec3::from_array(normal), offset).ok()?)
            }
            Self::Polyhedron { .. } | Self::Mesh { .. } | Self::Compound { .. } => return None,
        })
    }

    /// Its surface; none if it is unbounded or its mesh is not there.
    pub(crate) fn surface(&self, meshes: &Meshes, fineness: Fineness) -> Option<Surface> {
        match self {
            Self::Polyhedron { mesh } | Self::Mesh { mesh } => {
                let MeshData { vertices, triangles, .. } = meshes.get(mesh)?;
                let mesh = TriMesh::new(vertices.clone(), triangles.clone()).ok()?;
                Some(Surface::of_mesh(&mesh))
            }
            Self::Compound { parts } => {
                let mut whole = Surface::default();
                for part in parts {
                    whole.add(&part.shape.surface(meshes, fineness)?, &part.pose());
                }
                Some(whole)
            }
            _ => Surface::of(&self.simple()?, fineness),
        }
    }
}

/// How far everything reaches, so that planes without an end can be shown in part.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stage {
    ends: Option<[DVec3; 2]>,
}

impl Stage {
    /// Takes a ball into account.
    pub(crate) fn include(&mut self, center: DVec3, radius: f64) {
        if !center.is_finite() || !radius.is_finite() {
            return;
        }
        let (low, high) = (center - radius, center + radius);
        let [min, max] = self.ends.unwrap_or([low, high]);
        self.ends = Some([min.min(low), max.max(high)]);
    }

    /// The square that shows a plane of a body at a place, in the body's frame.
    pub(crate) fn square(&self, normal: DVec3, offset: f64, world_from_body: &Pose) -> Surface {
        let [min, max] = self.ends.unwrap_or([DVec3::NEG_ONE, DVec3::ONE]);
        let middle = world_from_body.inverse().point(0.5 * (min + max));
        let center = middle - (middle.dot(normal) - offset) * normal;
        let half = PLANE_MARGIN * 0.5 * (max - min).length();
        Surface::square(center, normal, half.max(LEAST_PLANE))
    }
}

/// The largest distance of a surface's vertices from the origin `[m]`.
pub(crate) fn reach(surface: &Surface) -> f64 {
    surface.positions().iter().map(|point| point.length()).fold(0.0, f64::max)
}
