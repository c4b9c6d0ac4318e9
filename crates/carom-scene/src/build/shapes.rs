//! Shapes: first as evaluated numbers, then built; copies whose numbers agree share one shape.

use std::path::PathBuf;
use std::sync::Arc;

use carom_geometry::mesh_file::Unit;
use carom_geometry::shapes::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Part, Superquadric,
};
use carom_geometry::{ConvexPolyhedron, HullError, Pose, Shape, ShapeError, convex_hull};
use glam::DVec3;

use super::Builder;
use crate::decode::Number;
use crate::format::{PartTable, ShapeTable};
use crate::problem::{Place, Problem};

/// Operations that a point of a hull counts for; a hull takes about a microsecond per point.
const HULL_COST: u64 = 20;

/// A shape as numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ShapeSpec {
    Ball { radius: f64 },
    Box { size: DVec3 },
    Capsule { radius: f64, length: f64 },
    Cylinder { radius: f64, height: f64 },
    Cone { radius: f64, height: f64 },
    Ellipsoid { semi_axes: DVec3 },
    Superquadric { semi_axes: DVec3, exponents: [f64; 2] },
    HalfSpace { normal: DVec3, offset: f64 },
    Hull { points: Vec<DVec3> },
    Mesh { mesh: MeshSpec, is_hull: bool },
    Compound { parts: Vec<PartSpec> },
}

/// A mesh file and how to read it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeshSpec {
    pub(super) path: PathBuf,
    /// Its path from the folder of the scene, as it is carried along.
    pub(super) relative: PathBuf,
    pub(super) unit: Option<Unit>,
    pub(super) scale: f64,
    /// Where the file is named.
    pub(super) place: Place,
}

/// A part of a compound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartSpec {
    pub(super) shape: ShapeSpec,
    pub(super) compound_from_part: Pose,
    pub(super) density: Option<f64>,
}

impl ShapeSpec {
    pub(super) fn is_half_space(&self) -> bool {
        matches!(self, Self::HalfSpace { .. })
    }

    /// Whether a part states a density of its own.
    pub(super) fn has_densities(&self) -> bool {
        let Self::Compound { parts } = self else { return false };
        parts.iter().any(|part| part.density.is_some() || part.shape.has_densities())
    }
}

impl Builder<'_, '_> {
    /// Evaluates the numbers of a shape.
    pub(super) fn shape_spec(&mut self, table: &ShapeTable) -> Option<ShapeSpec> {
        Some(match table {
            ShapeTable::Ball(t) => ShapeSpec::Ball { radius: self.positive(&t.radius, "radius")? },
            ShapeTable::Box(t) => ShapeSpec::Box { size: self.positive_vector(&t.size, "size")? },
            ShapeTable::Capsule(t) => {
                let (radius, length) =
                    self.two_sizes((&t.radius, "radius"), (&t.length, "length"))?;
                ShapeSpec::Capsule { radius, length }
            }
            ShapeTable::Cylinder(t) => {
                let (radius, height) =
                    self.two_sizes((&t.radius, "radius"), (&t.height, "height"))?;
                ShapeSpec::Cylinder { radius, height }
            }
            ShapeTable::Cone(t) => {
                let (radius, height) =
                    self.two_sizes((&t.radius, "radius"), (&t.height, "height"))?;
                ShapeSpec::Cone { radius, height }
            }
            ShapeTable::Ellipsoid(t) => {
                ShapeSpec::Ellipsoid { semi_axes: self.positive_vector(&t.semi_axes, "semi_axes")? }
            }
            ShapeTable::Superquadric(t) => {
                let semi_axes = self.positive_vector(&t.semi_axes, "semi_axes");
                let exponents =
                    self.two_sizes((&t.exponent_xy, "exponent_xy"), (&t.exponent_z, "exponent_z"))?;
                ShapeSpec::Superquadric { semi_axes: semi_axes?, exponents: exponents.into() }
            }
            ShapeTable::HalfSpace(t) => {
                let normal = t.normal.as_ref();
                let normal =
                    normal.map_or(Some(DVec3::Z), |normal| self.direction(normal, "normal"));
                let offset = self.number_or(t.offset.as_ref(), 0.0);
                ShapeSpec::HalfSpace { normal: normal?, offset: offset? }
            }
            ShapeTable::Hull(t) => {
                let points: Vec<Option<DVec3>> =
                    t.points.iter().map(|point| self.vector(point)).collect();
                ShapeSpec::Hull { points: points.into_iter().collect::<Option<_>>()? }
            }
            ShapeTable::Mesh(t) => ShapeSpec::Mesh { mesh: self.mesh_spec(t)?, is_hull: false },
            ShapeTable::HullOfMesh(t) => {
                ShapeSpec::Mesh { mesh: self.mesh_spec(t)?, is_hull: true }
            }
            ShapeTable::Compound(t) => {
                let parts: Vec<Option<PartSpec>> =
                    t.parts.iter().map(|part| self.part_spec(part)).collect();
                ShapeSpec::Compound { parts: parts.into_iter().collect::<Option<_>>()? }
            }
        })
    }

    fn two_sizes(&mut self, a: (&Number, &str), b: (&Number, &str)) -> Option<(f64, f64)> {
        let (a, b) = (self.positive(a.0, a.1), self.positive(b.0, b.1));
        Some((a?, b?))
    }

    fn part_spec(&mut self, table: &PartTable) -> Option<PartSpec> {
        let shape = self.shape_spec(&table.shape);
        let position = self.vector_or(table.position.as_ref(), DVec3::ZERO);
        let rotation = self.orientation(&table.orientation, position.unwrap_or(DVec3::ZERO));
        let density = table.density.as_ref().map(|number| self.positive(number, "density"));
        let density = match density {
            Some(given) => Some(given?),
            None => None,
        };
        let compound_from_part = Pose::new(position?, rotation?);
        Some(PartSpec { shape: shape?, compound_from_part, density })
    }

    /// Builds a shape; what its numbers cannot make is told at `place`.
    pub(super) fn shape(&mut self, spec: &ShapeSpec, place: Place) -> Option<Arc<Shape>> {
        if let ShapeSpec::Mesh { mesh, is_hull } = spec {
            return self.mesh_shape(mesh, *is_hull);
        }
        let shape = match spec {
            ShapeSpec::Compound { parts } => return self.compound(parts, place),
            ShapeSpec::Hull { points } => match self.charged_hull(points, place)? {
                Ok(hull) => Shape::Polyhedron(Arc::new(hull)),
                Err(error) => {
                    self.error(place, format!("the points make no hull: {error}"));
                    return None;
                }
            },
            simple => match simple_shape(simple) {
                Ok(shape) => shape,
                Err(error) => {
                    self.error(place, error.to_string());
                    return None;
                }
            },
        };
        Some(Arc::new(shape))
    }

    /// The hull, with its cost counted: copies of different size each have their own.
    pub(super) fn charged_hull(
        &mut self,
        points: &[DVec3],
        place: Place,
    ) -> Option<Result<ConvexPolyhedron, HullError>> {
        self.charge(HULL_COST * points.len() as u64, place)?;
        Some(convex_hull(points))
    }

    fn compound(&mut self, specs: &[PartSpec], place: Place) -> Option<Arc<Shape>> {
        let mut parts = Vec::with_capacity(specs.len());
        for spec in specs {
            let shape = self.shape(&spec.shape, place)?.as_ref().clone();
            parts.push(Part { body_from_shape: spec.compound_from_part, shape });
        }
        match Compound::new(parts) {
            Ok(compound) => Some(Arc::new(Shape::Compound(Arc::new(compound)))),
            Err(error) => {
                let problem =
                    Problem::error(place, error.to_string()).hint("parts are counted from 0");
                self.report(problem);
                None
            }
        }
    }
}

/// Shapes that are made of a few numbers.
fn simple_shape(spec: &ShapeSpec) -> Result<Shape, ShapeError> {
    Ok(match *spec {
        ShapeSpec::Ball { radius } => Shape::Ball(Ball::new(radius)?),
        ShapeSpec::Box { size } => Shape::Cuboid(Cuboid::new(0.5 * size)?),
        ShapeSpec::Capsule { radius, length } => {
            Shape::Capsule(Capsule::new(0.5 * length, radius)?)
        }
        ShapeSpec::Cylinder { radius, height } => {
            Shape::Cylinder(Cylinder::new(0.5 * height, radius)?)
        }
        ShapeSpec::Cone { radius, height } => Shape::Cone(Cone::new(0.5 * height, radius)?),
        ShapeSpec::Ellipsoid { semi_axes } => Shape::Ellipsoid(Ellipsoid::new(semi_axes)?),
        ShapeSpec::Superquadric { semi_axes, exponents: [xy, z] } => {
            Shape::Superquadric(Superquadric::new(semi_axes, xy, z)?)
        }
        ShapeSpec::HalfSpace { normal, offset } => {
            Shape::HalfSpace(HalfSpace::new(normal, offset)?)
        }
        ShapeSpec::Hull { .. } | ShapeSpec::Mesh { .. } | ShapeSpec::Compound { .. } => {
            return Err(ShapeError::NoParts);
        }
    })
}
