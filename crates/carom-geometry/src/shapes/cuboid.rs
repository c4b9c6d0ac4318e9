//! Boxes.

use glam::DVec3;

use super::{diagonal_mass, side};
use crate::shape::{ShapeError, Solid, positive_size};
use crate::{MassError, MassProperties};

/// A solid box around the origin, its edges along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    half: DVec3,
}

impl Cuboid {
    /// A box with the given half edge lengths `[m]`.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(half: DVec3) -> Result<Self, ShapeError> {
        for length in half.to_array() {
            positive_size("box", "half edge length", length)?;
        }
        Ok(Self { half })
    }

    /// Its half edge lengths `[m]`.
    pub fn half(&self) -> DVec3 {
        self.half
    }
}

impl Solid for Cuboid {
    fn kind(&self) -> &'static str {
        "box"
    }

    fn support(&self, d: DVec3) -> Option<DVec3> {
        Some(self.half * DVec3::new(side(d.x), side(d.y), side(d.z)))
    }

    fn support_value(&self, direction: DVec3) -> f64 {
        self.half.dot(direction.abs())
    }

    fn radius_about(&self, point: DVec3) -> f64 {
        (self.half + point.abs()).length()
    }

    fn volume(&self) -> f64 {
        8.0 * self.half.x * self.half.y * self.half.z
    }

    fn surface_area(&self) -> f64 {
        let DVec3 { x, y, z } = self.half;
        8.0 * (x * y + y * z + z * x)
    }

    /// Mean x² is a²/3 for the half edge a.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        diagonal_mass(density, self.volume(), DVec3::ZERO, self.half * self.half / 3.0)
    }
}
