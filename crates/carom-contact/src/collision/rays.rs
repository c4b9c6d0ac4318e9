//! Rays: directions in which sliding does not turn (M 3.3.4).
//!
//! A ray is a unit vector n with g = s − μMn = ρn. Where ρ > 0 it diverges, so n = (μM + ρ·1)⁻¹s, and
//! φ(ρ) = ‖(μM + ρ·1)⁻¹s‖ falls strictly from φ(0) = ‖λ‖/μ to 0: there is exactly one diverging ray if sticking is
//! unstable and none if it is stable, which proves theorems 15 and 16. Newton's method on 1/φ = 1, nearly linear in ρ,
//! takes some five steps. The quartic of theorem 14 is not needed.
//!
//! A ray near a given direction, of either kind, is found by Newton's method on the angle: δθ = −τ/(dτ/dθ). Near the
//! marginal case the sign of ρ in a direction does not tell that of the ray beside it.

use glam::{DMat2, DVec2};

use super::contact::{Contact, Slip};
use crate::tolerances::{MOST_RAY_STEPS, RAY_ROUNDING};

impl Contact {
    /// The unit vector of the diverging ray; sticking must be unstable.
    pub(super) fn diverging_ray(&self) -> DVec2 {
        let [a, f, _, b] = (self.mu * self.m).to_cols_array();
        // φ(ρ) ≥ ‖s‖/(tr μM + ρ), so the root is not below ‖s‖ − tr μM.
        let mut growth = (self.s.length() - (a + b)).max(0.0);
        let mut ray = self.s;
        for _ in 0..MOST_RAY_STEPS {
            let (a, b) = (a + growth, b + growth);
            let determinant = (a * b - f * f).max(f64::MIN_POSITIVE);
            let inverse = DMat2::from_cols_array(&[b, -f, -f, a]) * (1.0 / determinant);
            ray = inverse * self.s;
            let length = ray.length();
            let fall = ray.dot(inverse * ray);
            let step = (length - 1.0) * length * length / fall;
            growth = (growth + step).max(0.0);
            if (length - 1.0).abs() <= RAY_ROUNDING {
                break;
            }
        }
        ray.normalize_or_zero()
    }

    /// The ray near a direction that is nearly one; `None` if there is none within reach of Newton's method.
    pub(super) fn ray_near(&self, slip: &Slip) -> Option<Slip> {
        let mut near = *slip;
        for _ in 0..MOST_RAY_STEPS {
            if near.turn.abs() <= RAY_ROUNDING * self.rate {
                return Some(near);
            }
            let angle = -near.turn / near.bend;
            if angle.is_nan() || angle.abs() > 0.1 {
                return None;
            }
            near = self.slip((near.along + angle * near.along.perp()).normalize_or_zero());
        }
        None
    }
}
