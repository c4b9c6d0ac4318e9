//! Several placed shapes that move as one.

use glam::DVec3;

use crate::mass::positive;
use crate::shape::{Shape, ShapeError, Solid};
use crate::tolerances::UNIT_QUATERNION;
use crate::{MassError, MassProperties, Pose};

/// How deep compounds may be nested; deeper ones are a mistake, and recursion must end.
const MAX_DEPTH: usize = 32;

/// One shape of a compound and where it sits.
#[derive(Clone, Debug)]
pub struct Part {
    /// Placement in the compound's frame.
    pub body_from_shape: Pose,
    /// The shape.
    pub shape: Shape,
}

/// A union of placed shapes, whose interiors are taken not to overlap: volumes, areas and masses add up.
#[derive(Clone, Debug)]
pub struct Compound {
    parts: Vec<Part>,
    depth: usize,
}

impl Compound {
    /// Checks the parts.
    ///
    /// # Errors
    /// If there is none, one is unbounded or badly placed, or compounds are nested too deeply.
    pub fn new(parts: Vec<Part>) -> Result<Self, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError::NoParts);
        }
        let mut depth = 1;
        for (index, Part { body_from_shape, shape }) in parts.iter().enumerate() {
            if !body_from_shape.is_valid(UNIT_QUATERNION) {
                return Err(ShapeError::BadPlacement {
                    part: index,
                    translation: body_from_shape.translation,
                    length: body_from_shape.rotation.length(),
                });
            }
            match shape {
                Shape::HalfSpace(_) => {
                    let shape = shape.as_solid().kind();
                    return Err(ShapeError::UnboundedPart { part: index, shape });
                }
                Shape::Compound(inner) => depth = depth.max(inner.depth + 1),
                _ => {}
            }
        }
        if depth > MAX_DEPTH {
            return Err(ShapeError::TooDeep { limit: MAX_DEPTH });
        }
        Ok(Self { parts, depth })
    }

    /// Its parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Mass properties with a density of its own for each part `[kg/m³]`.
    ///
    /// # Errors
    /// If their number differs from that of the parts, or one is not positive and finite.
    pub fn mass_with_densities(&self, densities: &[f64]) -> Result<MassProperties, MassError> {
        if densities.len() != self.parts.len() {
            let (n_parts, n_densities) = (self.parts.len(), densities.len());
            return Err(MassError::WrongCount { n_parts, n_densities });
        }
        let placed = |(part, density): (&Part, &f64)| {
            let mass = part.shape.as_solid().mass_properties(*density)?;
            Ok(mass.placed(&part.body_from_shape))
        };
        let masses: Vec<MassProperties> =
            self.parts.iter().zip(densities).map(placed).collect::<Result<_, MassError>>()?;
        MassProperties::combined(&masses)
    }

    fn support_of(part: &Part, direction: DVec3) -> Option<DVec3> {
        let local = part.body_from_shape.vector_inverse(direction);
        Some(part.body_from_shape.point(part.shape.as_solid().support(local)?))
    }
}

impl Solid for Compound {
    fn kind(&self) -> &'static str {
        "compound"
    }

    fn support(&self, direction: DVec3) -> Option<DVec3> {
        let mut best: Option<DVec3> = None;
        for part in &self.parts {
            let candidate = Self::support_of(part, direction)?;
            if best.is_none_or(|point| direction.dot(candidate) > direction.dot(point)) {
                best = Some(candidate);
            }
        }
        best
    }

    fn radius_about(&self, point: DVec3) -> f64 {
        let radius = |part: &Part| {
            part.shape.as_solid().radius_about(part.body_from_shape.inverse().point(point))
        };
        self.parts.iter().map(radius).fold(0.0, f64::max)
    }

    fn volume(&self) -> f64 {
        self.parts.iter().map(|part| part.shape.as_solid().volume()).sum()
    }

    fn surface_area(&self) -> f64 {
        self.parts.iter().map(|part| part.shape.as_solid().surface_area()).sum()
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        positive("density", density)?;
        self.mass_with_densities(&vec![density; self.parts.len()])
    }
}
