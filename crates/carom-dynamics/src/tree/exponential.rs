//! Rotation vectors: the exponential map of rotations with its first two derivatives.
//!
//! A rotation vector s turns by θ = |s| about s/θ. Along a path s(t) the rate of exp(s), in axes that turn with it, is
//! ω = T(s)·ṡ with
//!
//! ```text
//! T·x   = x − a·s×x + b·s×(s×x),      a = (1 − cos θ)/θ²,   b = (θ − sin θ)/θ³                   (1)
//! T⁻¹·x = x + ½·s×x + c·s×(s×x),      c = 1/θ² − (1 + cos θ)/(2θ·sin θ)                          (2)
//! ω̇     = T·s̈ + Ṫ·ṡ,   Ṫ·ṡ = −ȧ·s×ṡ + ḃ·s×(s×ṡ) + b·ṡ×(s×ṡ)                                     (3)
//! ```
//!
//! where ȧ = 2(s·ṡ)·da/dx with x = θ², and the same for b. (3) is the time derivative of (1) at s̈ = 0, in which
//! ṡ×ṡ = 0. Near θ = 0 the coefficients are their power series in x; T is singular at θ = 2π.

use glam::{DQuat, DVec3};

use crate::tolerances::ROTATION_SERIES;

/// a, b and their derivatives by x = θ².
struct Coefficients {
    a: f64,
    b: f64,
    a_slope: f64,
    b_slope: f64,
}

impl Coefficients {
    fn at(x: f64) -> Self {
        if x < ROTATION_SERIES {
            return Self::series(x);
        }
        let theta = x.sqrt();
        let (sin, cos) = libm::sincos(theta);
        let half = libm::sin(0.5 * theta);
        // 1 − cos θ = 2·sin²½θ keeps its digits where cos θ is near 1.
        let a = 2.0 * half * half / x;
        let b = (theta - sin) / (theta * x);
        // da/dx = (θ·sin θ − 2(1 − cos θ))/(2x²), db/dx = (θ(1 − cos θ) − 3(θ − sin θ))/(2θx²).
        let a_slope = (sin / theta - 2.0 * a) / (2.0 * x);
        let b_slope = (1.0 - cos - 3.0 * x * b) / (2.0 * x * x);
        Self { a, b, a_slope, b_slope }
    }

    /// a = Σ (−x)ᵏ/(2k+2)!, b = Σ (−x)ᵏ/(2k+3)!, from the highest term.
    fn series(x: f64) -> Self {
        let (mut a, mut b, mut a_slope, mut b_slope) = (0.0, 0.0, 0.0, 0.0);
        for [even, odd] in RECIPROCAL_FACTORIALS.into_iter().rev() {
            a_slope = a_slope * x + a;
            b_slope = b_slope * x + b;
            a = a * x + even;
            b = b * x + odd;
        }
        Self { a, b, a_slope, b_slope }
    }
}

/// (−1)ᵏ/(2k+2)! and (−1)ᵏ/(2k+3)!; the first one left out is below 10⁻¹⁷ of the sum.
const RECIPROCAL_FACTORIALS: [[f64; 2]; 9] = {
    let mut terms = [[0.5, 1.0 / 6.0]; 9];
    let mut k = 1;
    while k < 9 {
        let n = (2 * k) as f64;
        terms[k] = [
            -terms[k - 1][0] / ((n + 1.0) * (n + 2.0)),
            -terms[k - 1][1] / ((n + 2.0) * (n + 3.0)),
        ];
        k += 1;
    }
    terms
};

/// The rotation by a rotation vector.
pub(super) fn exp(s: DVec3) -> DQuat {
    let theta = s.length();
    let (sin, cos) = libm::sincos(0.5 * theta);
    let v = if theta > 0.0 { (sin / theta) * s } else { 0.5 * s };
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

/// The rotation vector of a unit quaternion, of length up to π.
pub(crate) fn log(q: DQuat) -> DVec3 {
    log_beyond(if q.w < 0.0 { -q } else { q })
}

/// The rotation vector of a unit quaternion, of length up to 2π: that of its negative goes the other way round.
pub(crate) fn log_beyond(q: DQuat) -> DVec3 {
    let v = DVec3::new(q.x, q.y, q.z);
    let sin = v.length();
    if sin == 0.0 {
        return DVec3::ZERO;
    }
    (2.0 * libm::atan2(sin, q.w) / sin) * v
}

/// ω = T(s)·ṡ (1).
pub(super) fn rate(s: DVec3, s_dot: DVec3) -> DVec3 {
    let Coefficients { a, b, .. } = Coefficients::at(s.length_squared());
    let turned = s.cross(s_dot);
    s_dot - a * turned + b * s.cross(turned)
}

/// ṡ = T(s)⁻¹·ω (2).
pub(crate) fn rate_inverse(s: DVec3, omega: DVec3) -> DVec3 {
    let x = s.length_squared();
    let Coefficients { a, b, .. } = Coefficients::at(x);
    let c = if x < ROTATION_SERIES {
        inverse_series(x)
    } else {
        // (2) with 1 + cos θ = sin²θ/(1 − cos θ) and sin θ/θ = 1 − b·x.
        (2.0 * a - 1.0 + x * b) / (2.0 * a * x)
    };
    let turned = s.cross(omega);
    omega + 0.5 * turned + c * s.cross(turned)
}

/// c = Σ |B₂ₖ|·xᵏ⁻¹/(2k)!, k from 1, with Bernoulli's numbers.
fn inverse_series(x: f64) -> f64 {
    const TERMS: [f64; 11] = [
        1.0 / 12.0,
        1.0 / 720.0,
        1.0 / 30_240.0,
        1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        691.0 / 1_307_674_368_000.0,
        1.0 / 74_724_249_600.0,
        3617.0 / 10_670_622_842_880_000.0,
        43_867.0 / 5_109_094_217_170_944_000.0,
        174_611.0 / 802_857_662_698_291_200_000.0,
        77_683.0 / 14_101_100_039_391_805_440_000.0,
    ];
    TERMS.iter().rev().fold(0.0, |sum, term| sum * x + term)
}

/// Ṫ·ṡ (3): what ω̇ is at s̈ = 0.
pub(super) fn rate_bias(s: DVec3, s_dot: DVec3) -> DVec3 {
    let Coefficients { b, a_slope, b_slope, .. } = Coefficients::at(s.length_squared());
    let x_dot = 2.0 * s.dot(s_dot);
    let turned = s.cross(s_dot);
    (b_slope * x_dot) * s.cross(turned) - (a_slope * x_dot) * turned + b * s_dot.cross(turned)
}
