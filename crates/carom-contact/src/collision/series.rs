//! Taylor series of sliding in σ.
//!
//! Each coefficient of u follows from those of u_t and r before it; those of r from r² = u_x² + u_y²:
//! 2r₀r_k = Σ (x_j·x_{k−j} + y_j·y_{k−j}) − Σ' r_j·r_{k−j}, where Σ' leaves out the two terms with r_k.

use glam::DVec3;

use super::contact::Contact;
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

/// Number of coefficients of the work, a product of two series.
pub(super) const WORK_COUNT: usize = 2 * ORDER + 1;

/// Sliding from one point on, in σ times a rate of the contact.
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
    /// 1/rate.
    unit: f64,
}

impl Series {
    /// From a velocity with which the points slide.
    pub(super) fn new(contact: &Contact, u: DVec3) -> Self {
        let zero = [0.0; COUNT];
        let unit = 1.0 / (contact.rate + contact.c);
        let mut series = Self { x: zero, y: zero, z: zero, r: zero, unit };
        let Self { x, y, z, r, .. } = &mut series;
        let [a, f, _, b] = (unit * contact.mu * contact.m).to_cols_array();
        let (s, c) = (unit * contact.s, unit * contact.c);
        let drag = contact.mu * s;
        (x[0], y[0], z[0]) = (u.x, u.y, u.z);
        r[0] = u.truncate().length();
        let half = 0.5 / r[0];
        for k in 1..COUNT {
            let (share, before) = (RECIPROCALS[k - 1], k - 1);
            x[k] = share * (r[before] * s.x - a * x[before] - f * y[before]);
            y[k] = share * (r[before] * s.y - f * x[before] - b * y[before]);
            z[k] = share * (r[before] * c - drag.x * x[before] - drag.y * y[before]);
            if k < ORDER {
                let squares = inner_product(x, k) + inner_product(y, k) - inner_product(r, k);
                r[k] = half * (squares + 2.0 * (x[0] * x[k] + y[0] * y[k]));
            }
        }
        series
    }

    /// The rate at which u_z would rise without friction.
    pub(super) fn free_lift(&self, contact: &Contact) -> f64 {
        self.unit * contact.c * self.r[0]
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

    /// The impulse of sliding over `by`.
    pub(super) fn impulse(&self, contact: &Contact, by: f64) -> DVec3 {
        let mut sum = DVec3::ZERO;
        let mut weight = by * self.unit;
        for (k, reciprocal) in RECIPROCALS.iter().enumerate().take(ORDER) {
            sum += weight * reciprocal * DVec3::new(self.x[k], self.y[k], self.r[k]);
            weight *= by;
        }
        (-contact.mu * sum.truncate()).extend(sum.z)
    }

    /// The work of the normal impulse, ∫u_z·r·dσ.
    ///
    /// All terms of the product are kept: where u_z and r decay as exponentials, the coefficients of the product are 2^k times
    /// as large as theirs.
    pub(super) fn work(&self) -> [f64; WORK_COUNT] {
        let mut all = [0.0; WORK_COUNT];
        for (i, z) in self.z.iter().enumerate() {
            for (sum, r) in all[i + 1..].iter_mut().zip(&self.r[..ORDER]) {
                *sum += z * r;
            }
        }
        for (k, coefficient) in all.iter_mut().enumerate().skip(1) {
            *coefficient *= self.unit / k as f64;
        }
        all
    }

    /// The normal impulse, ∫r·dσ.
    pub(super) fn push(&self) -> Coefficients {
        let mut all = [0.0; COUNT];
        for k in 0..ORDER {
            all[k + 1] = self.unit * self.r[k] * RECIPROCALS[k];
        }
        all
    }
}

fn power_15(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let x8 = x4 * x4;
    x8 * x4 * x2 * x
}

/// Σ a_j·a_{k−j} for j from 1 to k−1.
fn inner_product(a: &Coefficients, k: usize) -> f64 {
    let half = k.div_ceil(2);
    let pairs = a[1..half].iter().zip(a[..k].iter().rev());
    let twice = 2.0 * pairs.fold(0.0, |sum, (a, b)| sum + a * b);
    if k.is_multiple_of(2) { twice + a[half] * a[half] } else { twice }
}
