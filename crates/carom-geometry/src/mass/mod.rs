//! Mass, centre of mass and inertia.
//!
//! [`MassProperties`] is the one currency: shapes produce it at a density, point masses and given inertias
//! enter as it, placements move it, and sums of it are composite bodies (M 6.1, guide MP-1).
//!
//! Inertia is always about the centre of mass. With S = ∫ρ·x·xᵀ dV about that point, I = tr(S)·1 − S;
//! off-diagonal entries of I are *minus* the products of inertia. The parallel-axis rule for a mass m
//! whose centre is off by r adds m(|r|²·1 − r·rᵀ).

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
    #[error("the volume comes out as {volume:e} m³, which no mass can be spread over")]
    NoVolume {
        /// Signed volume `[m³]`.
        volume: f64,
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
    /// If `mass` is not positive and finite.
    pub fn point_mass(mass: f64, position: DVec3) -> Result<Self, MassError> {
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
        Ok(Self { mass: self.mass * factor, center: self.center, inertia: self.inertia * factor })
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

/// |r|²·1 − r·rᵀ: inertia of a unit mass at the tip of r `[m²]`.
fn steiner(r: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
    DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer
}

/// Inertia from the second moments S = ∫ρ·x·xᵀ dV about the same point: tr(S)·1 − S.
pub(crate) fn inertia_from_second_moments(second: DMat3) -> DMat3 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - second
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
