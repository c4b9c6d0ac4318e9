//! Bounds on the rates of a free rotation that hold at all times, and how errors grow.

use crate::tolerances::BOUND_ULPS;

/// Bounds valid at all times, rounded up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RotationRates {
    /// W ≥ |ω| `[rad/s]`.
    pub(crate) spin: f64,
    /// A ≥ |ω̇| `[rad/s²]`.
    pub(crate) acceleration: f64,
    /// J ≥ |ω̈| `[rad/s³]`.
    pub(crate) jerk: f64,
    /// σ, at which neighbouring motions part while they pass the middle axis `[1/s]`.
    instability: f64,
    /// 1/k'², which that parting does not exceed.
    most_growth: f64,
}

impl RotationRates {
    pub(super) const REST: Self =
        Self { spin: 0.0, acceleration: 0.0, jerk: 0.0, instability: 0.0, most_growth: 1.0 };

    /// Of a motion without separatrix; the bounds are rounded up here.
    pub(super) fn new(spin: f64, acceleration: f64, jerk: f64) -> Self {
        let up = 1.0 + BOUND_ULPS * f64::EPSILON;
        Self { spin: spin * up, acceleration: acceleration * up, jerk: jerk * up, ..Self::REST }
    }

    pub(super) fn with_growth(self, instability: f64, most_growth: f64) -> Self {
        Self { instability, most_growth, ..self }
    }

    /// By what factor errors may have grown up to `tau`: min(e^(σ|τ|), 1/k'²).
    pub(super) fn growth(&self, tau: f64) -> f64 {
        libm::exp(self.instability * tau.abs()).min(self.most_growth)
    }
}
