//! Spheres.

use std::f64::consts::PI;

use glam::DVec3;

use super::{diagonal_mass, length, unit};
use crate::shape::{ShapeError, Solid, positive_size};
use crate::{MassError, MassProperties};

/// A solid sphere around the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    radius: f64,
}

impl Ball {
    /// A sphere of the given radius `[m]`.
    ///
    /// # Errors
    /// If the radius is not positive and finite.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { radius: positive_size("sphere", "radius", radius)? })
    }

    /// Its radius `[m]`.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Solid for Ball {
    fn kind(&self) -> &'static str {
        "sphere"
    }

    fn support(&self, direction: DVec3) -> Option<DVec3> {
        Some(self.radius * unit(direction).unwrap_or(DVec3::X))
    }

    fn support_value(&self, direction: DVec3) -> f64 {
        self.radius * length(direction)
    }

    fn radius_about(&self, point: DVec3) -> f64 {
        self.radius + point.length()
    }

    fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radius * self.radius * self.radius
    }

    fn surface_area(&self) -> f64 {
        4.0 * PI * self.radius * self.radius
    }

    /// Mean x² is r²/5.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        let square = self.radius * self.radius / 5.0;
        diagonal_mass(density, self.volume(), DVec3::ZERO, DVec3::splat(square))
    }
}
