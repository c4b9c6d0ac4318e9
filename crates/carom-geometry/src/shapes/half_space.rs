//! Half-spaces: floors and walls without an end.

use glam::DVec3;

use super::{length, unit};
use crate::shape::{ShapeError, Solid};
use crate::tolerances::PARALLEL;
use crate::{MassError, MassProperties};

/// All points with n·x ≤ d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    normal: DVec3,
    offset: f64,
}

impl HalfSpace {
    /// Below the plane at distance `offset` from the origin along `normal`, which points out of the
    /// solid and need not be unit `[m]`.
    ///
    /// # Errors
    /// If the normal has no direction or the offset is not finite.
    pub fn new(normal: DVec3, offset: f64) -> Result<Self, ShapeError> {
        // A normal that is unit to rounding keeps its bits, so that a half-space made from another's is the same.
        let is_unit = (normal.length_squared() - 1.0).abs() <= 2.0 * f64::EPSILON;
        let direction = if is_unit { Some(normal) } else { unit(normal) };
        let no_direction =
            ShapeError::NoDirection { shape: "half-space", what: "normal", value: normal };
        if !offset.is_finite() {
            let (shape, what) = ("half-space", "offset");
            return Err(ShapeError::NotFinite { shape, what, value: offset });
        }
        Ok(Self { normal: direction.ok_or(no_direction)?, offset })
    }

    /// Unit normal of its plane, out of the solid.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// Distance of its plane from the origin along the normal `[m]`.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

impl Solid for HalfSpace {
    fn kind(&self) -> &'static str {
        "half-space"
    }

    /// Bounded along its own normal only, to rounding ([`PARALLEL`]).
    fn support(&self, direction: DVec3) -> Option<DVec3> {
        let along = unit(direction).is_none_or(|along| {
            along.dot(self.normal) > 0.0 && along.cross(self.normal).length() <= PARALLEL
        });
        along.then_some(self.normal * self.offset)
    }

    fn support_value(&self, direction: DVec3) -> f64 {
        self.support(direction).map_or(f64::INFINITY, |_| self.offset * length(direction))
    }

    fn radius_about(&self, _point: DVec3) -> f64 {
        f64::INFINITY
    }

    fn volume(&self) -> f64 {
        f64::INFINITY
    }

    fn surface_area(&self) -> f64 {
        f64::INFINITY
    }

    fn mass_properties(&self, _density: f64) -> Result<MassProperties, MassError> {
        Err(MassError::Unbounded { shape: "half-space" })
    }
}
