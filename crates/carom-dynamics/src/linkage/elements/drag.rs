//! Drag of a medium on a link, which may move as a whole: a wind.
//!
//! With u the velocity of the end's point relative to the wind and ω the link's angular velocity,
//!
//! ```text
//! force = −(c + k·|u|)·u,      torque = −c_r·ω,      k = ½ρ·C_d·A                                     (1)
//! ```
//!
//! The loss is −force·u − torque·ω ≥ 0. A wind w does the work force·w besides, because the power force·v is
//! force·u + force·w.

use glam::DVec3;

use super::end::{Damper, Ends};
use crate::spatial::ForceVector;

/// Drag at a point of a link (1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drag {
    /// c `[N·s/m]`.
    pub linear: f64,
    /// k = ½ρ·C_d·A `[N·s²/m²]`.
    pub quadratic: f64,
    /// c_r `[N·m·s/rad]`.
    pub angular: f64,
    /// w, velocity of the medium `[m/s]`.
    pub wind: DVec3,
}

impl Drag {
    /// Quadratic drag of a medium of this density `[kg/m³]` on a cross section `[m²]` with a drag coefficient `[-]`.
    pub const fn of_area(density: f64, coefficient: f64, area: f64) -> Self {
        let quadratic = 0.5 * density * coefficient * area;
        Self { linear: 0.0, quadratic, angular: 0.0, wind: DVec3::ZERO }
    }

    /// c + k·|u| and c_r.
    pub(super) fn coefficients(&self, ends: &Ends) -> [f64; 2] {
        let speed = (ends.on.velocity - self.wind).length();
        [self.linear + self.quadratic * speed, self.angular]
    }

    pub(super) fn act(&self, ends: &Ends, damp: &mut impl FnMut(Damper)) -> ForceVector {
        let [slide, spin] = self.coefficients(ends);
        for (axis, unit) in DVec3::AXES.into_iter().enumerate() {
            if slide > 0.0 {
                let direction = ForceVector::new(DVec3::ZERO, unit);
                damp(Damper { direction, damping: slide, drift: self.wind[axis] });
            }
            if spin > 0.0 {
                let direction = ForceVector::new(unit, DVec3::ZERO);
                damp(Damper { direction, damping: spin, drift: 0.0 });
            }
        }
        ForceVector::ZERO
    }
}
