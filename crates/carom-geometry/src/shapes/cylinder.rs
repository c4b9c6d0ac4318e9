//! Circular cylinders.

use std::f64::consts::PI;

use glam::DVec3;

use super::{across, diagonal_mass, radial, side};
use crate::shape::{ShapeError, Solid, positive_size};
use crate::{MassError, MassProperties};

/// A solid circular cylinder along the z axis, centred on the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    half_length: f64,
    radius: f64,
}

impl Cylinder {
    /// From z = −`half_length` to z = `half_length` `[m]`.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn new(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            half_length: positive_size("cylinder", "half length", half_length)?,
            radius: positive_size("cylinder", "radius", radius)?,
        })
    }

    /// Half its length `[m]`.
    pub fn half_length(&self) -> f64 {
        self.half_length
    }

    /// Its radius `[m]`.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Solid for Cylinder {
    fn kind(&self) -> &'static str {
        "cylinder"
    }

    fn support(&self, direction: DVec3) -> Option<DVec3> {
        Some(self.radius * radial(direction) + DVec3::Z * self.half_length * side(direction.z))
    }

    fn support_value(&self, direction: DVec3) -> f64 {
        self.half_length * direction.z.abs() + self.radius * across(direction)
    }

    fn radius_about(&self, point: DVec3) -> f64 {
        let across = self.radius + libm::hypot(point.x, point.y);
        libm::hypot(across, self.half_length + point.z.abs())
    }

    fn volume(&self) -> f64 {
        2.0 * PI * self.radius * self.radius * self.half_length
    }

    fn surface_area(&self) -> f64 {
        2.0 * PI * self.radius * (2.0 * self.half_length + self.radius)
    }

    /// Mean x² is r²/4, mean z² is h²/3 for the half length h.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        let across = self.radius * self.radius / 4.0;
        let along = self.half_length * self.half_length / 3.0;
        diagonal_mass(density, self.volume(), DVec3::ZERO, DVec3::new(across, across, along))
    }
}
