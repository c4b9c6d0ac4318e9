//! Circular cones.

use std::f64::consts::PI;

use glam::DVec3;

use super::{diagonal_mass, radial};
use crate::shape::{ShapeError, Solid, positive_size};
use crate::{MassError, MassProperties};

/// A solid circular cone along the z axis: base at z = −h, apex at z = h for the half length h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    half_length: f64,
    radius: f64,
}

impl Cone {
    /// A cone `2·half_length` high over a base of the given radius `[m]`.
    ///
    /// # Errors
    /// If a size is not positive and finite.
    pub fn new(half_length: f64, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            half_length: positive_size("cone", "half length", half_length)?,
            radius: positive_size("cone", "base radius", radius)?,
        })
    }

    /// Half its height `[m]`.
    pub fn half_length(&self) -> f64 {
        self.half_length
    }

    /// Radius of its base `[m]`.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    fn apex(&self) -> DVec3 {
        DVec3::Z * self.half_length
    }
}

impl Solid for Cone {
    fn kind(&self) -> &'static str {
        "cone"
    }

    fn support(&self, direction: DVec3) -> Option<DVec3> {
        let rim = self.radius * radial(direction) - self.apex();
        Some(if direction.dot(self.apex()) > direction.dot(rim) { self.apex() } else { rim })
    }

    fn radius_about(&self, point: DVec3) -> f64 {
        let across = self.radius + libm::hypot(point.x, point.y);
        let rim = libm::hypot(across, self.half_length + point.z);
        rim.max(self.apex().distance(point))
    }

    fn volume(&self) -> f64 {
        2.0 / 3.0 * PI * self.radius * self.radius * self.half_length
    }

    fn surface_area(&self) -> f64 {
        PI * self.radius * (self.radius + libm::hypot(self.radius, 2.0 * self.half_length))
    }

    /// With H = 2h the height: the centre lies H/4 above the base, mean x² is 3r²/20 and mean z² about
    /// the centre 3H²/80.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        let height = 2.0 * self.half_length;
        let across = 3.0 / 20.0 * self.radius * self.radius;
        let along = 3.0 / 80.0 * height * height;
        let center = DVec3::Z * (-self.half_length / 2.0);
        diagonal_mass(density, self.volume(), center, DVec3::new(across, across, along))
    }
}
