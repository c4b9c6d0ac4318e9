//! Elliptic integrals of the first kind and Jacobi's theta functions, with uniform accuracy.
//!
//! Throughout k is the modulus, k' = √(1 − k²) its complement; functions take whichever of the two keeps its
//! digits. K = K(k) and K' = K(k') are the quarter periods.
//!
//! - M(1, x) is the arithmetic-geometric mean; K = π/(2·M(1, k')), K' = π/(2·M(1, k)) (DLMF 19.8.5).
//! - F(φ, k) = sin φ·R_F(cos²φ, 1 − k²sin²φ, 1) (DLMF 19.25.5) with 1 − k²sin²φ = cos²φ + k'²sin²φ, a sum of
//!   positive terms; R_F by Carlson's duplication (DLMF 19.36.1).
//! - [`theta`] has the pair of theta functions that free rotation is made of.
//!
//! Source: NIST Digital Library of Mathematical Functions, chapters 19, 20 and 22.

mod theta;

pub(crate) use theta::ThetaPair;

use crate::tolerances::{CARLSON_SPREAD, MEANS_AGREE};

/// M(1, x) for x ≥ 0, to rounding; 0 for x = 0.
pub(crate) fn mean_with_one(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let (mut a, mut g) = (1.0, x);
    // A tiny x takes about log₂|ln x| ≤ 10 steps to come near, four more to converge.
    for _ in 0..32 {
        if (a - g).abs() <= MEANS_AGREE * a {
            break;
        }
        (a, g) = (f64::midpoint(a, g), (a * g).sqrt());
    }
    f64::midpoint(a, g)
}

/// R_F(x, y, z) for non-negative arguments of which at most one is zero.
pub(crate) fn carlson_rf(x: f64, y: f64, z: f64) -> f64 {
    let [mut x, mut y, mut z] = [x, y, z];
    // Each step takes the root of large ratios and, later, a quarter of small ones.
    for _ in 0..64 {
        let mean = (x + y + z) / 3.0;
        let spread = (x - mean).abs().max((y - mean).abs()).max((z - mean).abs());
        if spread <= CARLSON_SPREAD * mean {
            return rf_series(mean, (mean - x) / mean, (mean - y) / mean);
        }
        let [p, q, r] = [x.sqrt(), y.sqrt(), z.sqrt()];
        let shift = p * q + q * r + r * p;
        (x, y, z) = (0.25 * (x + shift), 0.25 * (y + shift), 0.25 * (z + shift));
    }
    // Only arguments outside the domain get here.
    f64::NAN
}

/// R_F of three numbers that deviate by the shares x, y and −x−y from their mean (DLMF 19.36.1).
fn rf_series(mean: f64, x: f64, y: f64) -> f64 {
    let z = -(x + y);
    let (e2, e3) = (x * y - z * z, x * y * z);
    let fifth = e2 * (-1.0 / 10.0 + e2 / 24.0 - 3.0 * e3 / 44.0) + e3 / 14.0;
    let seventh = -5.0 * e2 * e2 * e2 / 208.0 + 3.0 * e3 * e3 / 104.0 + e2 * e2 * e3 / 16.0;
    (1.0 + (fifth + seventh)) / mean.sqrt()
}

/// F(φ, k) for −π/2 ≤ φ ≤ π/2, from sin φ, cos φ and k'.
pub(crate) fn first_kind(sin: f64, cos: f64, complement: f64) -> f64 {
    let slope = complement * sin;
    sin * carlson_rf(cos * cos, cos * cos + slope * slope, 1.0)
}

#[cfg(test)]
mod tests;
