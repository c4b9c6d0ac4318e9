//! Masses of bodies.

use carom_geometry::{MassError, MassProperties, Shape};
use glam::{DMat3, DVec3};

use super::Builder;
use super::shapes::ShapeSpec;
use crate::decode::{Matrix, Vector};
use crate::format::{BodyTable, InertiaTable};
use crate::problem::{Place, Problem};
use crate::tolerances::PERPENDICULAR_AXES;

/// What a body says of its mass, evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MassSpec {
    /// Nothing is known.
    Unknown,
    Density(f64),
    Mass(f64),
    Given(MassProperties),
}

/// The mass of a body, as far as anything is known of it.
pub(super) type Known = Result<MassProperties, Unknown>;

/// Nothing is said of the mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown;

impl Builder<'_, '_> {
    /// Evaluates what a body says of its mass; the density of its material serves where it says nothing.
    pub(super) fn mass_spec(
        &mut self,
        table: &BodyTable,
        of_material: Option<f64>,
    ) -> Option<MassSpec> {
        if let Some(inertia) = &table.inertia {
            return self.given(inertia).map(MassSpec::Given);
        }
        if let Some(mass) = &table.mass {
            return self.positive(mass, "mass").map(MassSpec::Mass);
        }
        if let Some(density) = &table.density {
            return self.positive(density, "density").map(MassSpec::Density);
        }
        Some(of_material.map_or(MassSpec::Unknown, MassSpec::Density))
    }

    /// The mass of a body; none is a mistake.
    pub(super) fn mass(
        &mut self,
        table: &BodyTable,
        spec: &MassSpec,
        shape_spec: &ShapeSpec,
        shape: &Shape,
    ) -> Option<Known> {
        let place = mass_place(table);
        if shape_spec.is_half_space() {
            // The density of a material says nothing about a floor without end.
            let is_stated =
                table.mass.is_some() || table.density.is_some() || table.inertia.is_some();
            if is_stated {
                self.error(place, "a half-space is unbounded and has no mass");
            }
            return (!is_stated).then_some(Err(Unknown));
        }
        let result = match *spec {
            MassSpec::Given(properties) => {
                if shape_spec.has_densities() {
                    self.error(place, "`inertia` and densities of the parts exclude each other");
                    return None;
                }
                Ok(Some(properties))
            }
            MassSpec::Unknown => mass_at(shape_spec, shape, None),
            MassSpec::Density(density) => mass_at(shape_spec, shape, Some(density)),
            MassSpec::Mass(mass) => mass_at(shape_spec, shape, Some(1.0))
                .and_then(|unit| unit.map(|unit| unit.times(mass / unit.mass)).transpose()),
        };
        match result {
            Ok(properties) => Some(properties.ok_or(Unknown)),
            Err(error) => {
                let text = error.to_string();
                let (message, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
                let mut problem = Problem::error(place, message);
                problem.hint = Some(hint.to_owned()).filter(|hint| !hint.is_empty());
                self.report(problem);
                None
            }
        }
    }

    /// Mass and inertia that the scene states.
    fn given(&mut self, table: &InertiaTable) -> Option<MassProperties> {
        let mass = self.positive(&table.mass, "mass");
        let center = self.vector_or(table.center.as_ref(), DVec3::ZERO);
        let (inertia, place) = match (&table.moments, &table.tensor) {
            (Some(moments), _) => {
                (self.tensor_of_moments(moments, table.axes.as_ref()), moments.place)
            }
            (None, Some(tensor)) => {
                (self.matrix(tensor).map(|rows| rows.transpose()), tensor.place)
            }
            (None, None) => {
                if !table.faulty {
                    let problem = Problem::error(
                        table.place,
                        "`inertia` needs `moments` or `tensor`",
                    )
                    .hint(
                        "for an evenly filled body give `mass` or `density` instead of `inertia`",
                    );
                    self.report(problem);
                }
                (None, table.place)
            }
        };
        let properties = MassProperties { mass: mass?, center: center?, inertia: inertia? };
        if let Err(fault) = properties.verdict() {
            let text = fault.to_string();
            self.report(Problem::error(place, "no body has this inertia").hint(text));
            return None;
        }
        Some(properties)
    }

    /// Σ Iᵢ·aᵢ·aᵢᵀ over the principal axes.
    fn tensor_of_moments(&mut self, moments: &Vector, axes: Option<&Matrix>) -> Option<DMat3> {
        let moments = self.vector(moments);
        let Some(table) = axes else { return moments.map(DMat3::from_diagonal) };
        let [x, y, z] = table.values.as_ref();
        let axes =
            [self.direction(x, "axes"), self.direction(y, "axes"), self.direction(z, "axes")];
        let [x, y, z] = [axes[0]?, axes[1]?, axes[2]?];
        let skew = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
        if skew > PERPENDICULAR_AXES {
            let problem =
                Problem::error(table.place, "principal axes are perpendicular to each other")
                    .label(format!("the cosine of an angle between these is {skew}"));
            self.report(problem);
            return None;
        }
        let axes = DMat3::from_cols(x, y, z);
        let inertia = axes * DMat3::from_diagonal(moments?) * axes.transpose();
        Some((inertia + inertia.transpose()) * 0.5)
    }

    /// Rows of numbers, as the columns of a matrix.
    fn matrix(&mut self, matrix: &Matrix) -> Option<DMat3> {
        let [x, y, z] = matrix.values.as_ref();
        let rows = [self.vector(x), self.vector(y), self.vector(z)];
        Some(DMat3::from_cols(rows[0]?, rows[1]?, rows[2]?))
    }
}

/// Where a body speaks of its mass.
fn mass_place(table: &BodyTable) -> Place {
    let density = table.density.as_ref().map(|number| number.place);
    let mass = table.mass.as_ref().map(|number| number.place);
    let inertia = table.inertia.as_ref().map(|inertia| inertia.place);
    density.or(mass).or(inertia).unwrap_or(table.place)
}

/// Mass at a density, which parts of a compound may state themselves; none if one is unknown.
fn mass_at(
    spec: &ShapeSpec,
    shape: &Shape,
    density: Option<f64>,
) -> Result<Option<MassProperties>, MassError> {
    if let (ShapeSpec::Compound { parts: specs }, Shape::Compound(compound)) = (spec, shape) {
        let mut masses = Vec::with_capacity(specs.len());
        for (spec, part) in specs.iter().zip(compound.parts()) {
            let Some(mass) = mass_at(&spec.shape, &part.shape, spec.density.or(density))? else {
                return Ok(None);
            };
            masses.push(mass.placed(&part.body_from_shape));
        }
        return MassProperties::combined(&masses).map(Some);
    }
    density.map(|density| shape.as_solid().mass_properties(density)).transpose()
}
