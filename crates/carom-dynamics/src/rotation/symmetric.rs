//! Bodies with two or three equal moments.
//!
//! With axis ê and moments I_s along it, I_t across it (any of the textbooks, e.g. Goldstein, Classical
//! Mechanics, 5.6): L = I_t·ω + (I_s − I_t)(ω·ê)ê, so ω = p + s·ê with *precession* p = L/I_t constant and
//! *spin* s = ω·ê·(I_t − I_s)/I_t constant. Hence, with exp the rotation by a vector,
//!
//! ```text
//! R(τ) = exp(p·τ)·R(0)·exp(s·τ·ê_body),  ω(τ) = exp(p·τ)·ω(0),  ω̇ = p × ω.
//! ```
//!
//! A steady spin is the case p = ω, s = 0.

use glam::{DQuat, DVec3};

use super::{Attitude, RotationRates, polished, turned};
use crate::Mass;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Symmetric {
    orientation: DQuat,
    angular_velocity: DVec3,
    /// p.
    precession: DVec3,
    /// Direction of p and half its length.
    precession_axis: DVec3,
    half_precession: f64,
    /// ê in body axes, and half the spin about it.
    axis_body: DVec3,
    half_spin: f64,
}

impl Symmetric {
    /// A spin that keeps its axis.
    pub(super) fn steady(orientation: DQuat, angular_velocity: DVec3) -> Self {
        let (precession_axis, rate) = direction_and_length(angular_velocity);
        Self {
            orientation,
            angular_velocity,
            precession: angular_velocity,
            precession_axis,
            half_precession: 0.5 * rate,
            axis_body: DVec3::Z,
            half_spin: 0.0,
        }
    }

    /// A body whose moment about principal axis number `axis` is alone.
    pub(super) fn new(
        mass: &Mass,
        orientation: DQuat,
        angular_velocity: DVec3,
        axis: usize,
    ) -> Self {
        let (alone, shared) = (mass.moments[axis], mass.moments.y);
        let axis_body = turned(mass.body_from_principal, DVec3::AXES[axis]);
        let axis_world = turned(orientation, axis_body);
        // p = ω − s·ê: the given ω is not turned to and fro.
        let spin = axis_world.dot(angular_velocity) * ((shared - alone) / shared);
        let precession = angular_velocity - spin * axis_world;
        let (precession_axis, rate) = direction_and_length(precession);
        Self {
            orientation,
            angular_velocity,
            precession,
            precession_axis,
            half_precession: 0.5 * rate,
            axis_body,
            half_spin: 0.5 * spin,
        }
    }

    pub(super) fn at(&self, tau: f64) -> Attitude {
        let turn = rotation(self.precession_axis, self.half_precession * tau);
        let mut orientation = turn * self.orientation;
        if self.half_spin != 0.0 {
            orientation *= rotation(self.axis_body, self.half_spin * tau);
        }
        let angular_velocity = turned(turn, self.angular_velocity);
        Attitude {
            orientation: polished(orientation),
            angular_velocity,
            angular_acceleration: self.precession.cross(angular_velocity),
        }
    }

    /// |ω|, |p × ω| and |p × (p × ω)|, all of them constant.
    pub(super) fn rates(&self, angular_velocity: DVec3) -> RotationRates {
        let (_, spin) = direction_and_length(angular_velocity);
        let (_, acceleration) = direction_and_length(self.precession.cross(self.angular_velocity));
        RotationRates::new(spin, acceleration, 2.0 * self.half_precession * acceleration)
    }
}

/// The rotation by twice `half_angle` about a unit axis.
fn rotation(axis: DVec3, half_angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(half_angle);
    let vector = axis * sin;
    DQuat::from_xyzw(vector.x, vector.y, vector.z, cos)
}

/// Without squares of numbers that are far from 1.
fn direction_and_length(v: DVec3) -> (DVec3, f64) {
    let largest = v.abs().max_element();
    if largest == 0.0 {
        return (DVec3::Z, 0.0);
    }
    let scaled = v / largest;
    let length = scaled.length();
    (scaled / length, length * largest)
}
