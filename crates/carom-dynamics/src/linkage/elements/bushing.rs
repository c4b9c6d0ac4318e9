//! Bushings: springs and dampers between the frames of two ends, in three directions and about three axes.
//!
//! Let a be the frame of `from` and b that of `on`, R the rotation from b to a, φ its rotation vector (|φ| ≤ π, the same
//! numbers in both frames) and d_a the position of b's point in a. Then
//!
//! ```text
//! energy  U = ½·d_aᵀ·K·d_a + ½·φᵀ·K_φ·φ                                                              (1)
//! force on b at its point, in a:    −K·d_a − C·ḋ_a                                                    (2)
//! torque on b, in b:                −T(φ)⁻ᵀ·K_φ·φ,        and in a:   −C_φ·ω_a                         (3)
//! ```
//!
//! with K, K_φ, C, C_φ diagonal in a's axes, ω_a how b turns relative to a, and ω_b = T(φ)·φ̇ (`tree/exponential.rs`). (2) and (3)
//! are what makes power −dU/dt: the force acts at the point of b on both bodies, so that a feels a moment where K is
//! not the same in all directions. Where K_φ is, T⁻ᵀ·φ = φ and the torque is −k·φ.
//!
//! **Half a turn.** At |φ| = π the rotation vector changes its sign, and with it the torque: a bushing that is turned over
//! pulls on to the whole turn. No segment goes across. It starts with the φ of (1), follows it beyond π, and ends where |φ| > π
//! (`sides.rs`), which is where the quaternion of R has lost its real part.

use glam::{DQuat, DVec3};

use super::end::{Damper, Ends};
use crate::spatial::ForceVector;
use crate::tree::exponential;

/// Springs and dampers in the axes of `from`: at rest where the frames of both ends are one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bushing {
    /// K `[N/m]`.
    pub stiffness: DVec3,
    /// C `[N·s/m]`.
    pub damping: DVec3,
    /// K_φ `[N·m/rad]`.
    pub torsion_stiffness: DVec3,
    /// C_φ `[N·m·s/rad]`.
    pub torsion_damping: DVec3,
}

impl Bushing {
    /// A torsion spring with damper, the same about all axes, that leaves positions alone.
    pub const fn torsion(stiffness: f64, damping: f64) -> Self {
        Self {
            stiffness: DVec3::ZERO,
            damping: DVec3::ZERO,
            torsion_stiffness: DVec3::splat(stiffness),
            torsion_damping: DVec3::splat(damping),
        }
    }

    /// With φ from the quaternion of R as it is, or from its negative.
    pub(super) fn act(
        &self,
        ends: &Ends,
        is_negative: bool,
        damp: &mut impl FnMut(Damper),
    ) -> ForceVector {
        let (world_from_a, world_from_b) = (ends.from.orientation, ends.on.orientation);
        let (arm, rotation) = strain(ends);
        let turn = exponential::log_beyond(if is_negative { -rotation } else { rotation });
        let force = world_from_a * (-self.stiffness * arm);
        let torque =
            world_from_b * -exponential::rate_inverse(-turn, self.torsion_stiffness * turn);
        for (axis, unit) in DVec3::AXES.into_iter().enumerate() {
            let along = world_from_a * unit;
            let (slide, spin) = (self.damping[axis], self.torsion_damping[axis]);
            if slide > 0.0 {
                let direction = ForceVector::new(DVec3::ZERO, along);
                damp(Damper { direction, damping: slide, drift: 0.0 });
            }
            if spin > 0.0 {
                let direction = ForceVector::new(along, DVec3::ZERO);
                damp(Damper { direction, damping: spin, drift: 0.0 });
            }
        }
        ForceVector::new(torque, force)
    }

    pub(super) fn energy(&self, ends: &Ends) -> f64 {
        let (arm, rotation) = strain(ends);
        let turn = exponential::log(rotation);
        0.5 * (self.stiffness * arm).dot(arm) + 0.5 * (self.torsion_stiffness * turn).dot(turn)
    }

    /// Real part of the quaternion of R, which is zero at half a turn.
    pub(super) fn real_part(ends: &Ends) -> f64 {
        strain(ends).1.w
    }

    /// Whether it has springs that turn.
    pub(super) fn twists(&self) -> bool {
        self.torsion_stiffness != DVec3::ZERO
    }

    /// How many dampers it has.
    pub(super) fn dampers(&self) -> usize {
        let counted = [self.damping, self.torsion_damping].map(|c| c.to_array());
        counted.as_flattened().iter().filter(|c| **c > 0.0).count()
    }
}

/// d_a and R.
fn strain(ends: &Ends) -> (DVec3, DQuat) {
    let a_from_world = ends.from.orientation.conjugate();
    (a_from_world * ends.arm(), a_from_world * ends.on.orientation)
}
