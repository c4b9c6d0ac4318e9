//! What a motion promises about its future: boxes and polynomials that it cannot leave.

/// Bounds on the rates of a rigid motion, valid throughout a window of time.
///
/// With them a point at distance ρ from the reference point has a jerk of at most K + (J + 3AW + W³)·ρ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateBounds {
    /// W ≥ |ω| `[rad/s]`.
    pub spin: f64,
    /// A ≥ |α| `[rad/s²]`.
    pub angular_acceleration: f64,
    /// J ≥ |α̇| `[rad/s³]`.
    pub angular_jerk: f64,
    /// K ≥ |d³x/dt³| of the reference point `[m/s³]`.
    pub jerk: f64,
    /// How far computed reference points may be from one exact motion through all of them `[m]`.
    pub rounding: f64,
    /// How far computed orientations may be from one exact motion through all of them `[rad]`.
    pub angular_rounding: f64,
}

impl RateBounds {
    /// Of a frame that does not move.
    pub const STILL: Self = Self {
        spin: 0.0,
        angular_acceleration: 0.0,
        angular_jerk: 0.0,
        jerk: 0.0,
        rounding: 0.0,
        angular_rounding: 0.0,
    };
}

/// Which points of a body a bound speaks of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    /// All points within this distance of the reference point `[m]`.
    Body(f64),
    /// One point, given in body axes from the reference point `[m]`.
    Point(glam::DVec3),
}

/// How far points can get along a direction: d·(x(t+τ) − x(t)) ≤ A·τ² + B·τ + C for t ≤ t+τ ≤ `valid_until`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    /// A `[m/s²]`.
    pub a: f64,
    /// B `[m/s]`.
    pub b: f64,
    /// C, the rounding of evaluation `[m]`.
    pub c: f64,
    /// Last time for which it holds `[s]`.
    pub valid_until: f64,
}

impl Travel {
    /// The bound after `tau` seconds `[m]`.
    pub fn after(&self, tau: f64) -> f64 {
        (self.a * tau + self.b) * tau + self.c
    }
}

/// A lower bound on a gap: g(t+τ) ≥ g + ġτ + ½g̈τ² − ⅙Jτ³ for t ≤ t+τ ≤ `valid_until`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapBound {
    /// g, less the rounding of evaluation `[m]`.
    pub gap: f64,
    /// ġ `[m/s]`.
    pub rate: f64,
    /// g̈ `[m/s²]`.
    pub acceleration: f64,
    /// J `[m/s³]`.
    pub jerk: f64,
    /// Last time for which it holds `[s]`.
    pub valid_until: f64,
}

impl GapBound {
    /// The bound after `tau` seconds `[m]`.
    pub fn after(&self, tau: f64) -> f64 {
        self.gap + tau * (self.rate + tau * (0.5 * self.acceleration - tau * self.jerk / 6.0))
    }
}
