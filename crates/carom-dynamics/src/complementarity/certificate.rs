//! Certificates: numbers from which anyone can see that a problem has no answer, or where Lemke's path went.
//!
//! **No answer.** An answer of (1) has lo ≤ z ≤ hi, and w_i ≥ 0 where hi_i = ∞, w_i ≤ 0 where lo_i = −∞ (so w_i = 0
//! in bilateral rows); rows with two finite bounds ask nothing of w alone. Let u have u_i ≥ 0, ≤ 0, any sign and zero
//! in these four kinds of rows. Then uᵀw ≥ 0 at every answer, but
//!
//! ```text
//! uᵀw = uᵀq + (Mᵀu)ᵀz ≤ uᵀq + Σ_j sup{ g_j·z_j : lo_j ≤ z_j ≤ hi_j },   g = Mᵀu                    (2)
//! ```
//!
//! If the right side is negative there is no answer (Farkas). Minus the right side, over the size of its terms, is
//! the margin.
//!
//! **Ray.** A direction z^h that Lemke's path follows forever has, with covering vector d > 0,
//!
//! ```text
//! z^h ≥ 0,  z^h ≠ 0,  z^h_i > 0 ⇒ (M·z^h)_i = −z₀^h·d_i ≤ 0                                         (3)
//! ```
//!
//! (Baraff 13-1, B-7): forces that do not part what they press.

use super::Problem;
use super::scaling::Scaled;
use crate::tolerances::CERTIFICATE_ZERO;

/// By how much u proves that there is no answer, as a share of the size of the terms of (2) `[-]`.
///
/// Positive: proved, up to entries of Mᵀu that are zero to [`CERTIFICATE_ZERO`] of their terms. Zero or negative:
/// u proves nothing.
pub fn infeasibility_margin(problem: &Problem<'_>, u: &[f64]) -> f64 {
    let n = problem.n();
    if u.len() != n {
        return f64::NEG_INFINITY;
    }
    let allowed = |i: usize| match (problem.lo(i).is_finite(), problem.hi(i).is_finite()) {
        (true, false) => u[i] >= 0.0,
        (false, true) => u[i] <= 0.0,
        (false, false) => true,
        (true, true) => u[i] == 0.0,
    };
    if !(0..n).all(allowed) {
        return f64::NEG_INFINITY;
    }
    let (mut bound, mut size) = (0.0, 0.0);
    for (u, q) in u.iter().zip(problem.q()) {
        bound += u * q;
        size += (u * q).abs();
    }
    for j in 0..n {
        let terms = || (0..n).map(|i| u[i] * problem.row(i)[j]);
        let slope: f64 = terms().sum();
        let is_zero = slope.abs() <= CERTIFICATE_ZERO * terms().map(f64::abs).sum::<f64>();
        let end = if slope > 0.0 { problem.hi(j) } else { problem.lo(j) };
        if is_zero && !end.is_finite() {
            continue;
        }
        bound += slope * end;
        size += (slope * end).abs();
    }
    if size > 0.0 && bound < f64::INFINITY { -bound / size } else { f64::NEG_INFINITY }
}

/// Largest violation of (3) by a direction, as a share of its size and of M's rows `[-]`.
///
/// Defined for rows with one finite bound (an upper one turns all signs) and with two (whose entry must be zero);
/// bilateral rows are not judged. Infinite for the zero direction.
pub fn ray_violation(problem: &Problem<'_>, direction: &[f64]) -> f64 {
    let n = problem.n();
    let size = direction.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if direction.len() != n || size == 0.0 {
        return f64::INFINITY;
    }
    let violation = |i: usize| {
        let sign = match (problem.lo(i).is_finite(), problem.hi(i).is_finite()) {
            (true, false) => 1.0,
            (false, true) => -1.0,
            (false, false) => return 0.0,
            (true, true) => return direction[i].abs() / size,
        };
        let along = sign * direction[i] / size;
        let terms = || problem.row(i).iter().zip(direction).map(|(a, x)| a * x);
        let extent: f64 = terms().map(f64::abs).sum();
        let parting = sign * terms().sum::<f64>();
        let pressed = along > CERTIFICATE_ZERO && extent > 0.0;
        (-along).max(if pressed { parting / extent } else { 0.0 })
    };
    (0..n).map(violation).fold(0.0, f64::max)
}

/// Writes scaled multipliers in the units of the problem; entries of a forbidden sign that are rounding become zero.
pub(super) fn multipliers(
    scaled: &Scaled,
    entries: impl Iterator<Item = f64> + Clone,
    direction: &mut Vec<f64>,
) {
    let size = entries.clone().fold(0.0, |most: f64, x| most.max(x.abs()));
    direction.clear();
    direction.extend(entries.enumerate().map(|(i, entry)| {
        let keeps_positive = scaled.hi[i] == f64::INFINITY;
        let keeps_negative = scaled.lo[i] == f64::NEG_INFINITY;
        let is_rounding = entry.abs() <= CERTIFICATE_ZERO * size;
        let is_allowed = if entry > 0.0 { keeps_positive } else { keeps_negative };
        if is_rounding && !is_allowed { 0.0 } else { entry / scaled.w_unit[i] }
    }));
}

/// Writes a scaled direction of z in the units of the problem.
pub(super) fn ray(scaled: &Scaled, entries: impl Iterator<Item = f64>, direction: &mut Vec<f64>) {
    direction.clear();
    direction.extend(entries.zip(&scaled.z_unit).map(|(entry, unit)| entry * unit));
}
