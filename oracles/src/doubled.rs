//! Numbers of about 32 decimal digits: the unevaluated sum of two doubles.
//!
//! A value is `hi + lo` with |lo| ≤ ½ ulp(hi). Sums and products of doubles split into a rounded result and its exact
//! error (Knuth 1969; Dekker 1971), and carrying that error along gives every operation below a relative error of a few
//! 2⁻¹⁰⁴. That holds from 10⁻¹⁴⁰ to 10¹⁴⁰; outside, products of the halves under- or overflow.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number of about 32 digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Doubled {
    hi: f64,
    lo: f64,
}

/// a + b as its rounded value and the exact rest.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// The same for |a| ≥ |b|.
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// a as a sum of two numbers of at most 26 bits, whose products are exact.
fn split(a: f64) -> (f64, f64) {
    // 2²⁷ + 1.
    let shifted = 134_217_729.0 * a;
    let high = shifted - (shifted - a);
    (high, a - high)
}

/// a·b as its rounded value and the exact rest.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (product, ((ah * bh - product) + ah * bl + al * bh) + al * bl)
}

impl Doubled {
    /// 0.
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    /// 1.
    pub const ONE: Self = Self { hi: 1.0, lo: 0.0 };

    /// The nearest double.
    pub const fn value(self) -> f64 {
        self.hi
    }

    /// Without its sign.
    #[must_use]
    pub fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }

    /// The square root; 0 of what is not positive.
    #[must_use]
    pub fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return Self::ZERO;
        }
        // One step of Newton's iteration doubles the digits of the first guess.
        let guess = self.hi.sqrt();
        let rest = self - Self::from(guess) * Self::from(guess);
        let (hi, lo) = quick_two_sum(guess, rest.hi / (2.0 * guess));
        Self { hi, lo }
    }
}

impl From<f64> for Doubled {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Neg for Doubled {
    type Output = Self;

    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for Doubled {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, rest) = two_sum(self.hi, other.hi);
        let (low, last) = two_sum(self.lo, other.lo);
        let (high, rest) = quick_two_sum(high, rest + low);
        let (hi, lo) = quick_two_sum(high, rest + last);
        Self { hi, lo }
    }
}

impl Sub for Doubled {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Doubled {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (product, rest) = two_product(self.hi, other.hi);
        let crossed = self.hi * other.lo + self.lo * other.hi;
        let (hi, lo) = quick_two_sum(product, rest + crossed);
        Self { hi, lo }
    }
}

impl Div for Doubled {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        // Long division, a double at a time.
        let first = self.hi / other.hi;
        let rest = self - other * Self::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Self::from(second);
        let (hi, lo) = quick_two_sum(first, second);
        Self { hi, lo } + Self::from(rest.hi / other.hi)
    }
}

impl AddAssign for Doubled {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Doubled {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubled(number: f64) -> Doubled {
        Doubled::from(number)
    }

    #[test]
    fn a_third_times_three_is_one_to_31_digits() {
        let third = doubled(1.0) / doubled(3.0);
        assert!((third * doubled(3.0) - Doubled::ONE).abs().value() < 1e-31);
        assert!((third.value() - 1.0 / 3.0).abs() < 1e-16);
    }

    #[test]
    fn the_square_of_a_root_is_its_number() {
        for number in [2.0, 1e-20, 7.3e12, 0.1] {
            let root = doubled(number).sqrt();
            let error = (root * root - doubled(number)).abs().value() / number;
            assert!(error < 1e-30, "√{number}: {error:e}");
        }
        assert_eq!(doubled(-1.0).sqrt(), Doubled::ZERO);
    }

    #[test]
    fn what_a_double_forgets_is_kept() {
        let sum = doubled(1.0) + doubled(1e-25);
        assert_eq!((sum - doubled(1.0)).value(), 1e-25);
        // (1 + ε)² = 1 + 2ε + ε², which a double rounds.
        let square = doubled(1.0 + f64::EPSILON) * doubled(1.0 + f64::EPSILON);
        let rest = square - Doubled::ONE - doubled(2.0 * f64::EPSILON);
        assert_eq!(rest.value(), f64::EPSILON * f64::EPSILON);
    }

    #[test]
    fn comparison_sees_both_halves() {
        let more = doubled(1.0) + doubled(1e-30);
        assert!(more > Doubled::ONE && -more < -Doubled::ONE);
        assert_eq!((-more).abs(), more);
    }
}
