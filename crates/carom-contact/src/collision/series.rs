//! Taylor series of sliding in σ.
//!
//! Each coefficient of u follows from those of u_t and r before it; those of r from r² = u_t·u_t, of which the terms with
//! the newest coefficients are taken apart:
//!
//!   r_k = û·t_k + Σ (t_j·t_{k−j} − r_j·r_{k−j})/2r₀, j from 1 to k−1.
//!
//! There t_k is written out by the equations of sliding, so that r_k waits for nothing but the coefficients before it.

use glam::{DMat2, DVec2, DVec3};

use super::contact::Contact;
use super::quadrature::integral_of_product;
use super::root::expansion;

/// Highest power of σ.
///
/// At an error of 10⁻¹³ a step of order 20 reaches 1.4 times as far as one of order 16 and costs 1.2 times as much.
pub(super) const ORDER: usize = 20;
/// Number of coefficients.
pub(super) const COUNT: usize = ORDER + 1;
/// Coefficients of a polynomial in σ, lowest power first.
pub(super) type Coefficients = [f64; COUNT];

/// 1/k, with 1 for k = 0.
const RECIPROCALS: [f64; COUNT] = {
    let mut all = [1.0; COUNT];
    let mut k = 1;
    while k < COUNT {
        all[k] = 1.0 / k as f64;
        k += 1;
    }
    all
};

/// Sliding from one point on, in σ times a rate of the contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    /// u_t.
    pub(super) slip: [DVec2; COUNT],
    /// u_z.
    pub(super) z: Coefficients,
    /// r, but for the last.
    pub(super) r: Coefficients,
    /// 1/rate.
    unit: f64,
}

/// What the recursion multiplies by.
#[derive(Clone, Copy)]
struct Rates {
    /// μM and s per rate.
    drag: DMat2,
    push: DVec2,
    /// û·μM and û·s per rate.
    drag_along: DVec2,
    push_along: f64,
    /// 1/r₀.
    inverse: f64,
}

impl Series {
    /// From a velocity with which the points slide.
    pub(super) fn new(contact: &Contact, u: DVec3) -> Self {
        let unit = contact.unit;
        let mut series =
            Self { slip: [DVec2::ZERO; COUNT], z: [0.0; COUNT], r: [0.0; COUNT], unit };
        let start = u.truncate();
        let speed = start.length();
        let inverse = 1.0 / speed;
        let along = inverse * start;
        let (drag, push) = (unit * contact.mu * contact.m, unit * contact.s);
        let rates =
            Rates { drag, push, drag_along: drag * along, push_along: push.dot(along), inverse };
        series.slip[0] = start;
        series.r[0] = speed;
        series.expand(&rates);
        series.z[0] = u.z;
        let (lift, drop) = (unit * contact.c, contact.mu * push);
        for (k, share) in RECIPROCALS.iter().enumerate().skip(1) {
            let rise = series.r[k - 1] * lift - drop.dot(series.slip[k - 1]);
            series.z[k] = share * rise;
        }
        series
    }

    fn expand(&mut self, rates: &Rates) {
        // Written out, so that each order is compiled for its own number of terms.
        self.add_order::<1>(rates);
        self.add_order::<2>(rates);
        self.add_order::<3>(rates);
        self.add_order::<4>(rates);
        self.add_order::<5>(rates);
        self.add_order::<6>(rates);
        self.add_order::<7>(rates);
        self.add_order::<8>(rates);
        self.add_order::<9>(rates);
        self.add_order::<10>(rates);
        self.add_order::<11>(rates);
        self.add_order::<12>(rates);
        self.add_order::<13>(rates);
        self.add_order::<14>(rates);
        self.add_order::<15>(rates);
        self.add_order::<16>(rates);
        self.add_order::<17>(rates);
        self.add_order::<18>(rates);
        self.add_order::<19>(rates);
        self.add_order::<20>(rates);
    }

    #[inline]
    fn add_order<const K: usize>(&mut self, rates: &Rates) {
        let (slip, r) = (&mut self.slip, &mut self.r);
        let share = RECIPROCALS[K];
        let (slip_before, r_before) = (slip[K - 1], r[K - 1]);
        slip[K] = share * (r_before * rates.push - rates.drag * slip_before);
        if K == ORDER {
            return;
        }
        let mut early = 0.0;
        for j in 2..K.div_ceil(2) {
            early += slip[j].dot(slip[K - j]) - r[j] * r[K - j];
        }
        if K.is_multiple_of(2) {
            let middle = slip[K / 2];
            early += 0.5 * (middle.dot(middle) - r[K / 2] * r[K / 2]);
        }
        if K > 2 {
            early += slip[1].dot(slip_before) - r[1] * r_before;
        }
        let along = r_before * rates.push_along - rates.drag_along.dot(slip_before);
        r[K] = rates.inverse * early + share * along;
    }

    /// The rate at which u_z would rise without friction.
    pub(super) fn free_lift(&self, contact: &Contact) -> f64 {
        self.unit * contact.c * self.r[0]
    }

    /// How far the series may be used: the last two terms stay below an error.
    pub(super) fn reach(&self, error: f64) -> f64 {
        let largest = |k: usize| self.slip[k].abs().max_element().max(self.z[k].abs());
        let reach = |k: usize| rough_root(error / largest(k), k);
        reach(ORDER).min(reach(ORDER - 1))
    }

    /// The impulse of sliding over `by`.
    pub(super) fn impulse(&self, contact: &Contact, by: f64) -> DVec3 {
        let mut sum = DVec3::ZERO;
        let mut weight = by * self.unit;
        for k in 0..ORDER {
            sum += weight * RECIPROCALS[k + 1] * self.slip[k].extend(self.r[k]);
            weight *= by;
        }
        (-contact.mu * sum.truncate()).extend(sum.z)
    }

    /// The work of the normal impulse over `by`, ∫u_z·r·dσ.
    ///
    /// A series for it would have to be twice as long: where u_z and r decay as exponentials, the coefficients of their product
    /// are 2^k times as large as theirs.
    pub(super) fn work(&self, by: f64) -> f64 {
        self.unit * integral_of_product(&self.z, &self.r, by)
    }

    /// That work, its first derivative, and half its second.
    pub(super) fn work_expansion(&self, by: f64) -> [f64; 3] {
        let [z, z_slope, _] = expansion(&self.z, by);
        let [r, r_slope, _] = expansion(&self.r, by);
        let bend = 0.5 * (z * r_slope + z_slope * r);
        [self.work(by), self.unit * z * r, self.unit * bend]
    }

    /// The normal impulse, ∫r·dσ.
    pub(super) fn push(&self) -> Coefficients {
        let mut all = [0.0; COUNT];
        for k in 1..COUNT {
            all[k] = self.unit * self.r[k - 1] * RECIPROCALS[k];
        }
        all
    }

    /// u_t at a place.
    pub(super) fn slip_at(&self, at: f64) -> DVec2 {
        self.slip.iter().rev().fold(DVec2::ZERO, |sum, coefficient| sum * at + *coefficient)
    }
}

/// The n-th root of a positive number to a percent: the logarithm as the bits of a number give it, divided by n.
fn rough_root(number: f64, n: usize) -> f64 {
    const ONE: i64 = 1.0_f64.to_bits().cast_signed();
    let logarithm = number.to_bits().cast_signed() - ONE;
    f64::from_bits((ONE + logarithm / n.cast_signed() as i64).cast_unsigned())
}
