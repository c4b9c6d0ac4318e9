//! Mass, centre of mass and inertia.
//!
//! [`MassProperties`] is the one currency: shapes produce it at a density, point masses and given inertias
//! enter as it, placements move it, and sums of it are composite bodies (M 6.1, guide MP-1).
//!
//! Inertia is always about the centre of mass. With S = ∫ρ·x·xᵀ dV about that point, I = tr(S)·1 − S;
//! off-diagonal entries of I are *minus* the products of inertia. The parallel-axis rule for a mass m
//! whose centre is off by r adds m(|r|²·1 − r·rᵀ).

mod face_integrals;
pub mod given;
pub mod polyhedral;
pub mod principal;
pub(crate) mod special;

use glam::{DMat3, DVec3};
use thiserror::Error;

use crate::Pose;
pub use given::{InertiaFault, check_inertia};
pub use polyhedral::VolumeIntegrals;
pub use principal::PrincipalFrame;

/// Mass, centre and inertia of a body, in the axes of the frame it was asked in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Total mass `[kg]`.
    pub mass: f64,
    /// Centre of mass `[m]`.
    pub center: DVec3,
    /// Inertia tensor about the centre of mass `[kg·m²]`.
    pub inertia: DMat3,
}

/// Why a shape has no mass properties.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MassError {
    /// The shape has no finite volume.
    #[error("a {shape} is unbounded and has no mass: use it for fixed bodies only")]
    Unbounded {
        /// Kind of the shape.
        shape: &'static str,
    },
    /// The surface is wound inwards.
    #[error(
        "the volume comes out as {volume:e} m³: the faces are wound inwards; flip them, or repair the mesh"
    )]
    InsideOut {
        /// Signed volume `[m³]`.
        volume: f64,
    },
    /// The volume is zero, or too small or large to represent.
    #[error(
        "the volume comes out as {volume:e} m³, which no mass can be spread over\n\
         hint: check that the faces enclose something, and the unit of length"
    )]
    NoVolume {
        /// Signed volume `[m³]`.
        volume: f64,
    },
    /// Mass or inertia leave the range of numbers.
    #[error(
        "mass and inertia come out as {mass:e} kg and {inertia:e} kg·m², beyond what can be computed with\n\
         hint: check the density and the unit of length"
    )]
    OutOfRange {
        /// Mass `[kg]`.
        mass: f64,
        /// Largest entry of the inertia `[kg·m²]`.
        inertia: f64,
    },
    /// A position that is not finite.
    #[error("the position of a point mass is {position}, but must be finite")]
    NotFinite {
        /// The position.
        position: DVec3,
    },
    /// A density or mass that is not a positive finite number.
    #[error("the {what} is {value}, but must be a positive finite number")]
    NotPositive {
        /// What the number stands for.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// Nothing to sum.
    #[error("a body without parts has no mass")]
    NoParts,
    /// One density is needed for each part.
    #[error(
        "there are {n_parts} parts but {n_densities} densities: give one density for each part"
    )]
    WrongCount {
        /// How many parts the body has.
        n_parts: usize,
        /// How many densities were given.
        n_densities: usize,
    },
}

impl MassProperties {
    /// A mass without extent.
    ///
    /// # Errors
    /// If `mass` is not positive and finite, or the position is not finite.
    pub fn point_mass(mass: f64, position: DVec3) -> Result<Self, MassError> {
        if !position.is_finite() {
            return Err(MassError::NotFinite { position });
        }
        Ok(Self { mass: positive("mass", mass)?, center: position, inertia: DMat3::ZERO })
    }

    /// Mass properties of the same body seen from another frame.
    #[must_use]
    pub fn placed(&self, target_from_source: &Pose) -> Self {
        let rotation = target_from_source.rotation_matrix();
        Self {
            mass: self.mass,
            center: target_from_source.point(self.center),
            inertia: symmetric(rotation * self.inertia * rotation.transpose()),
        }
    }

    /// The same distribution with `factor` times the mass.
    ///
    /// # Errors
    /// If `factor` is not positive and finite.
    pub fn times(&self, factor: f64) -> Result<Self, MassError> {
        let factor = positive("factor of mass", factor)?;
        let scaled = Self { mass: self.mass * factor, inertia: self.inertia * factor, ..*self };
        // A point mass has no inertia and keeps none.
        if self.inertia == DMat3::ZERO && scaled.mass.is_finite() {
            Ok(scaled)
        } else {
            scaled.in_range()
        }
    }

    /// The body made of all parts, given in one frame. Parts are taken not to overlap.
    ///
    /// Arms are measured from the joint centre, not from the frame's origin, so a small body far away
    /// loses no digits.
    ///
    /// # Errors
    /// If there is no part or a mass is not positive and finite.
    pub fn combined(parts: &[Self]) -> Result<Self, MassError> {
        let first = parts.first().ok_or(MassError::NoParts)?;
        for part in parts {
            positive("mass", part.mass)?;
        }
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        let moment: DVec3 = parts.iter().map(|part| part.mass * (part.center - first.center)).sum();
        let center = first.center + moment / mass;
        let about_center = |part: &Self| part.inertia_about(center);
        let inertia = parts.iter().map(about_center).fold(DMat3::ZERO, |sum, part| sum + part);
        Ok(Self { mass, center, inertia })
    }

    /// Inertia about another point, same axes `[kg·m²]`.
    pub fn inertia_about(&self, point: DVec3) -> DMat3 {
        self.inertia + self.mass * steiner(self.center - point)
    }

    /// Principal moments and axes.
    pub fn principal(&self) -> PrincipalFrame {
        PrincipalFrame::of(&self.inertia)
    }

    /// What is physically wrong with mass and inertia, if anything.
    ///
    /// # Errors
    /// As [`check_inertia`].
    pub fn verdict(&self) -> Result<(), InertiaFault> {
        check_inertia(self.mass, &self.inertia)
    }
}

impl MassProperties {
    /// Refuses numbers that arithmetic could not hold: a body with extent has finite, positive ones.
    pub(crate) fn in_range(self) -> Result<Self, MassError> {
        let diagonal =
            DVec3::new(self.inertia.x_axis.x, self.inertia.y_axis.y, self.inertia.z_axis.z);
        let positive = |x: f64| x.is_finite() && x > 0.0;
        if positive(self.mass) && diagonal.to_array().into_iter().all(positive) {
            return Ok(self);
        }
        Err(MassError::OutOfRange { mass: self.mass, inertia: diagonal.max_element() })
    }
}

/// |r|²·1 − r·rᵀ: inertia of a unit mass at the tip of r `[m²]`.
fn steiner(r: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
    DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer
}

/// Inertia from the second moments about the same point: squares ∫ρx², ∫ρy², ∫ρz² and products ∫ρxy, ∫ρyz, ∫ρzx.
///
/// Diagonal entries are sums of two squares, not the trace less one: the smallest of a rod keeps its digits.
fn inertia_from_second_moments(squares: DVec3, products: DVec3) -> DMat3 {
    let DVec3 { x: xx, y: yy, z: zz } = squares;
    // Subtracted from zero rather than negated, because −0 puzzles readers.
    let DVec3 { x: xy, y: yz, z: zx } = DVec3::ZERO - products;
    DMat3::from_cols(
        DVec3::new(yy + zz, xy, zx),
        DVec3::new(xy, zz + xx, yz),
        DVec3::new(zx, yz, xx + yy),
    )
}

/// Removes the asymmetry that rounding leaves in a product R·I·Rᵀ.
fn symmetric(matrix: DMat3) -> DMat3 {
    (matrix + matrix.transpose()) * 0.5
}

pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, MassError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(MassError::NotPositive { what, value })
    }
}

#[cfg(test)]
mod tests;
