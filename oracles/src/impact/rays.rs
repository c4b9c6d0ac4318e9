//! Directions in which sliding stays straight.
//!
//! A ray is an angle θ at which u_t' = s − μ·M·û is parallel to û (thesis, Theorem 14). With t = tan(θ/2) the condition
//! is the quartic (Corollary 2)
//!
//! −(μf + d)·t⁴ − 2·[(a − b)μ + e]·t³ + 6μf·t² + 2·[(a − b)μ − e]·t + (d − μf) = 0.
//!
//! t from −1 to 1 covers half of all angles. The other half is t = 1/τ with τ from −1 to 1, for which the coefficients
//! come in the opposite order; θ = π is τ = 0. Both ranges are taken an eighth wider, so that rounding hides no ray at
//! ±90°, and what is found in both counts once. A polynomial is monotone between the roots of its derivative, so that the
//! roots of the quartic follow from those of the cubic, and so on down.
//!
//! On a ray ρ = û·u_t' is the rate of the sliding speed: ρ > 0 is a diverging ray. Its root is always simple, because
//! there the quartic's derivative along θ is −(ρ + μ·û⊥·M·û⊥) < 0.

use crate::doubled::Doubled;

use super::matrix::Matrix;
use super::tolerances::{N_HALVINGS, SAME_RAY};

/// A direction of constant sliding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    /// û.
    pub direction: [Doubled; 2],
    /// ρ, the rate of the sliding speed with p_z.
    pub rate: Doubled,
}

/// All rays, of both kinds.
pub(super) fn rays(matrix: &Matrix, friction: Doubled) -> Vec<Ray> {
    let mut ascending = quartic(matrix, friction);
    let near: Vec<_> = roots(&ascending).into_iter().map(|t| direction(t, Doubled::ONE)).collect();
    ascending.reverse();
    let far: Vec<_> = roots(&ascending).into_iter().map(|t| direction(Doubled::ONE, t)).collect();
    let is_new = |it: &[Doubled; 2]| {
        let same = |other: &[Doubled; 2]| {
            let aligned = it[0] * other[0] + it[1] * other[1];
            (aligned - Doubled::ONE).abs().value() < SAME_RAY
        };
        !near.iter().any(same)
    };
    let all = near.iter().chain(far.iter().filter(|it| is_new(it)));
    all.map(|&direction| Ray { direction, rate: rate(matrix, friction, direction) }).collect()
}

/// Coefficients of the quartic, from t⁰ to t⁴.
fn quartic(&Matrix { a, b, d, e, f, .. }: &Matrix, friction: Doubled) -> Vec<Doubled> {
    let (two, six) = (Doubled::from(2.0), Doubled::from(6.0));
    let across = (a - b) * friction;
    let along = friction * f;
    vec![d - along, two * (across - e), six * along, -two * (across + e), -(along + d)]
}

/// û of tan(θ/2) = over/under.
fn direction(over: Doubled, under: Doubled) -> [Doubled; 2] {
    let length = under * under + over * over;
    let twice = over * under + over * under;
    [(under * under - over * over) / length, twice / length]
}

fn rate(
    &Matrix { a, b, d, e, f, .. }: &Matrix,
    friction: Doubled,
    [x, y]: [Doubled; 2],
) -> Doubled {
    let along = [e - friction * (a * x + f * y), d - friction * (f * x + b * y)];
    x * along[0] + y * along[1]
}

/// Places in [−9/8, 9/8] where a polynomial changes its sign, ascending; coefficients from the constant one on.
fn roots(polynomial: &[Doubled]) -> Vec<Doubled> {
    if polynomial.len() < 2 {
        return Vec::new();
    }
    let terms = polynomial.iter().enumerate().skip(1);
    let derivative: Vec<Doubled> = terms.map(|(n, &it)| Doubled::from(n as f64) * it).collect();
    let edge = Doubled::from(1.125);
    let mut ends = vec![-edge];
    ends.extend(roots(&derivative));
    ends.push(edge);
    let mut found: Vec<Doubled> =
        ends.windows(2).filter_map(|pair| crossing(polynomial, pair[0], pair[1])).collect();
    found.dedup();
    found
}

fn value(polynomial: &[Doubled], at: Doubled) -> Doubled {
    polynomial.iter().rev().fold(Doubled::ZERO, |sum, &it| sum * at + it)
}

/// Where a polynomial that is monotone from `low` to `high` vanishes.
fn crossing(polynomial: &[Doubled], mut low: Doubled, mut high: Doubled) -> Option<Doubled> {
    let (first, last) = (value(polynomial, low), value(polynomial, high));
    if first == Doubled::ZERO {
        return Some(low);
    }
    if last == Doubled::ZERO {
        return Some(high);
    }
    let rises = first < Doubled::ZERO;
    if rises == (last < Doubled::ZERO) {
        return None;
    }
    let half = Doubled::from(0.5);
    for _ in 0..N_HALVINGS {
        let middle = (low + high) * half;
        let is_before = (value(polynomial, middle) < Doubled::ZERO) == rises;
        *(if is_before { &mut low } else { &mut high }) = middle;
    }
    Some((low + high) * half)
}
