//! Capsules: cylinders with hemispherical ends.

use std::f64::consts::PI;

use glam::DVec3;

use super::{diagonal_mass, length, side, unit};
use crate::shape::{ShapeError, Solid, positive_size};
use crate::{MassError, MassProperties};

/// All points within a radius of a segment on the z axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    half_length: f64,
    radius: f64,
}

impl Capsule {
    /// Around the segment from z = −`half_length` to z = `half_length`, without the round ends `[m]`.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn new(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            half_length: positive_size("capsule", "half length", half_length)?,
            radius: positive_size("capsule", "radius", radius)?,
        })
    }

    /// Half the length of its segment `[m]`.
    pub fn half_length(&self) -> f64 {
        self.half_length
    }

    /// Its radius `[m]`.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Solid for Capsule {
    fn kind(&self) -> &'static str {
        "capsule"
    }

    fn support(&self, direction: DVec3) -> Option<DVec3> {
        let end = DVec3::Z * self.half_length * side(direction.z);
        Some(end + self.radius * unit(direction).unwrap_or(DVec3::X))
    }

    fn support_value(&self, direction: DVec3) -> f64 {
        self.half_length * direction.z.abs() + self.radius * length(direction)
    }

    fn radius_about(&self, point: DVec3) -> f64 {
        let end = DVec3::Z * self.half_length * -side(point.z);
        self.radius + end.distance(point)
    }

    fn volume(&self) -> f64 {
        PI * self.radius * self.radius * (2.0 * self.half_length + 4.0 / 3.0 * self.radius)
    }

    fn surface_area(&self) -> f64 {
        4.0 * PI * self.radius * (self.half_length + self.radius)
    }

    /// Sums of the cylinder (mean x² = r²/4, mean z² = h²/3) and of two half balls whose points lie at
    /// h + ζ with ⟨ζ⟩ = 3r/8, ⟨ζ²⟩ = ⟨x²⟩ = r²/5.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        let (h, r) = (self.half_length, self.radius);
        let cylinder = 2.0 * h;
        let balls = 4.0 / 3.0 * r;
        let total = cylinder + balls;
        let xx = (cylinder * r * r / 4.0 + balls * r * r / 5.0) / total;
        let zz = (cylinder * h * h / 3.0 + balls * (h * h + 0.75 * h * r + r * r / 5.0)) / total;
        diagonal_mass(density, self.volume(), DVec3::ZERO, DVec3::new(xx, xx, zz))
    }
}
