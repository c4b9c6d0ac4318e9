//! Attraction that falls with the square of the distance: gravity between points, or charges.
//!
//! ```text
//! force = −κ·d/|d|³,      energy −κ/|d|,      κ = G·m₁·m₂                                             (1)
//! ```
//!
//! Equal charges repel: κ < 0. Points that meet have no force; integration refuses to go there.

use glam::DVec3;

use super::end::Ends;
use crate::spatial::ForceVector;

/// Attraction between two points (1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Attraction {
    /// κ `[N·m²]`.
    pub strength: f64,
}

impl Attraction {
    pub(super) fn act(self, ends: &Ends) -> ForceVector {
        let arm = ends.arm();
        let square = arm.length_squared();
        let force = (-self.strength / (square * square.sqrt())) * arm;
        ForceVector::new(DVec3::ZERO, force)
    }

    pub(super) fn energy(self, ends: &Ends) -> f64 {
        -self.strength / ends.arm().length()
    }
}
