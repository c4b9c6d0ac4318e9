//! Taylor series of sliding in σ.
//!
//! Each coefficient of u follows from those of u_t and r before it; those of r from r² = u_x² + u_y²:
//! 2r₀r_k = Σ (x_j·x_{k−j} + y_j·y_{k−j}) − Σ' r_j·r_{k−j}, where Σ' leaves out the two terms with r_k.

use glam::DVec3;

use super::contact::Contact;
use super::course::Gain;
use crate::tolerances::STEP_SHARE;

/// Highest power of σ.
pub(super) const ORDER: usize = 16;
/// Number of coefficients.
pub(super) const COUNT: usize = ORDER + 1;
/// Coefficients of a polynomial in σ, lowest power first.
pub(super) type Coefficients = [f64; COUNT];

/// 1/(k+1).
const RECIPROCALS: Coefficients = {
    let mut all = [1.0; COUNT];
    let mut k = 0;
    while k < COUNT {
        all[k] = 1.0 / (k as f64 + 1.0);
        k += 1;
    }
    all
};

/// Sliding from one point on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    /// u_x.
    pub(super) x: Coefficients,
    /// u_y.
    pub(super) y: Coefficients,
    /// u_z.
    pub(super) z: Coefficients,
    /// r, but for the last.
    pub(super) r: Coefficients,
    /// r², but for the last.
    square: Coefficients,
    /// u_z·r, but for the last.
    power: Coefficients,
}

impl Series {
    /// From a velocity with which the points slide.
    pub(super) fn new(contact: &Contact, u: DVec3) -> Self {
        let zero = [0.0; COUNT];
        let mut series = Self { x: zero, y: zero, z: zero, r: zero, square: zero, power: zero };
        let Self { x, y, z, r, square, power } = &mut series;
        let [a, f, _, b] = (contact.mu * contact.m).to_cols_array();
        let drag = contact.mu * contact.s;
        (x[0], y[0], z[0]) = (u.x, u.y, u.z);
        square[0] = u.x * u.x + u.y * u.y;
        r[0] = square[0].sqrt();
        power[0] = u.z * r[0];
        let half = 0.5 / r[0];
        for k in 1..COUNT {
            let (share, before) = (RECIPROCALS[k - 1], k - 1);
            x[k] = share * (r[before] * contact.s.x - a * x[before] - f * y[before]);
            y[k] = share * (r[before] * contact.s.y - f * x[before] - b * y[before]);
            z[k] = share * (r[before] * contact.c - drag.x * x[before] - drag.y * y[before]);
            if k == ORDER {
                break;
            }
            square[k] = own_product(x, k) + own_product(y, k);
            r[k] = half * (square[k] - inner_product(r, k));
            power[k] = product(z, r, k);
        }
        series
    }

    /// How far the series may be used: the last two terms stay below an error.
    pub(super) fn reach(&self, error: f64) -> f64 {
        let largest = |k: usize| self.x[k].abs().max(self.y[k].abs()).max(self.z[k].abs());
        let (last, before) = (largest(ORDER), largest(ORDER - 1));
        let mut reach = STEP_SHARE * (error / last).sqrt().sqrt().sqrt().sqrt();
        if !reach.is_finite() {
            reach = STEP_SHARE * (error / before).sqrt().sqrt().sqrt().sqrt();
        }
        while before * power_15(reach) > error {
            reach *= STEP_SHARE;
        }
        reach
    }

    /// What sliding over `by` adds.
    pub(super) fn gain(&self, contact: &Contact, by: f64) -> Gain {
        let mut sums = [0.0; 5];
        let mut weight = by;
        for (k, reciprocal) in RECIPROCALS.iter().enumerate().take(ORDER) {
            let term = weight * reciprocal;
            let column = [self.x[k], self.y[k], self.r[k], self.square[k], self.power[k]];
            for (sum, coefficient) in sums.iter_mut().zip(column) {
                *sum += term * coefficient;
            }
            weight *= by;
        }
        let [x, y, push, rubbed, work] = sums;
        Gain {
            impulse: DVec3::new(-contact.mu * x, -contact.mu * y, push),
            work,
            friction_work: -contact.mu * rubbed,
        }
    }

    /// The work of the normal impulse, from `start` on.
    pub(super) fn work(&self, start: f64) -> Coefficients {
        integral(&self.power, start)
    }

    /// The normal impulse, from `start` on.
    pub(super) fn push(&self, start: f64) -> Coefficients {
        integral(&self.r, start)
    }
}

fn power_15(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let x8 = x4 * x4;
    x8 * x4 * x2 * x
}

fn integral(of: &Coefficients, start: f64) -> Coefficients {
    let mut all = [start; COUNT];
    for k in 0..ORDER {
        all[k + 1] = of[k] * RECIPROCALS[k];
    }
    all
}

/// Σ a_j·b_{k−j} for j from 0 to k.
fn product(a: &Coefficients, b: &Coefficients, k: usize) -> f64 {
    a[..=k].iter().zip(b[..=k].iter().rev()).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// Σ a_j·a_{k−j} for j from 1 to k−1.
fn inner_product(a: &Coefficients, k: usize) -> f64 {
    let half = k.div_ceil(2);
    let pairs = a[1..half].iter().zip(a[..k].iter().rev());
    let twice = 2.0 * pairs.fold(0.0, |sum, (a, b)| sum + a * b);
    if k.is_multiple_of(2) { twice + a[half] * a[half] } else { twice }
}

/// Σ a_j·a_{k−j} for j from 0 to k.
fn own_product(a: &Coefficients, k: usize) -> f64 {
    inner_product(a, k) + 2.0 * a[0] * a[k]
}
