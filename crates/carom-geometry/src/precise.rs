//! Twice the digits where plain arithmetic cancels.
//!
//! A [`Double`] is the unevaluated sum of two doubles. Differences and products of doubles are exact in it (Knuth's
//! two-sum, Dekker's splitting), other operations are good to about 2⁻¹⁰⁰. Thin triangles of double coordinates
//! keep a normal correct to rounding, and thin solids their moments.

use std::ops::{Add, Div, Mul, Neg, Sub};

use glam::DVec3;

/// A number that formulas can be written in once, for plain and for doubled precision.
pub(crate) trait Number:
    Copy
    + From<f64>
    + Into<Double>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// a − b, exactly where the type can hold it.
    fn difference(a: f64, b: f64) -> Self;

    /// The sum with this term; good to doubled precision for a plain term too, once [`Double::tidied`].
    fn added_to(self, sum: Double) -> Double;
}

impl Number for f64 {
    fn difference(a: f64, b: f64) -> Self {
        a - b
    }

    fn added_to(self, sum: Double) -> Double {
        let next = exact_sum(sum.hi, self);
        Double { hi: next.hi, lo: sum.lo + next.lo }
    }
}

impl Number for Double {
    fn difference(a: f64, b: f64) -> Self {
        exact_sum(a, -b)
    }

    fn added_to(self, sum: Double) -> Double {
        sum + self
    }
}

/// A number as the unevaluated sum hi + lo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double {
    hi: f64,
    lo: f64,
}

impl Double {
    pub(crate) const ZERO: Self = Self { hi: 0.0, lo: 0.0 };

    /// The nearest double.
    pub(crate) fn value(self) -> f64 {
        self.hi + self.lo
    }

    /// The same number with `lo` below the last place of `hi`, as arithmetic expects it.
    pub(crate) fn tidied(self) -> Self {
        exact_sum(self.hi, self.lo)
    }

    /// Times a power of two.
    pub(crate) fn scaled(self, exponent: i32) -> Self {
        Self { hi: libm::scalbn(self.hi, exponent), lo: libm::scalbn(self.lo, exponent) }
    }
}

impl From<f64> for Double {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let high = exact_sum(self.hi, other.hi);
        let low = exact_sum(self.lo, other.lo);
        let middle = quick_sum(high.hi, high.lo + low.hi);
        quick_sum(middle.hi, middle.lo + low.lo)
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = exact_product(self.hi, other.hi);
        quick_sum(product.hi, product.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Double {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self - other * Self::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Self::from(second);
        quick_sum(first, second) + Self::from(rest.hi / other.hi)
    }
}

/// a + b, exactly.
fn exact_sum(a: f64, b: f64) -> Double {
    let hi = a + b;
    let b_part = hi - a;
    let a_part = hi - b_part;
    Double { hi, lo: (a - a_part) + (b - b_part) }
}

/// a + b, exactly, where |a| ≥ |b|.
fn quick_sum(a: f64, b: f64) -> Double {
    let hi = a + b;
    Double { hi, lo: b - (hi - a) }
}

/// a·b, exactly.
fn exact_product(a: f64, b: f64) -> Double {
    let split = |x: f64| {
        let spread = 134_217_729.0 * x; // 2²⁷ + 1
        let high = spread - (spread - x);
        (high, x - high)
    };
    let hi = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let lo = ((a_high * b_high - hi) + a_high * b_low + a_low * b_high) + a_low * b_low;
    Double { hi, lo }
}

/// (b − a) × (c − a): twice the vector area of a triangle, whose direction is its normal.
///
/// Coordinates must be finite and within about 1e±140, so that products neither over- nor underflow.
pub(crate) fn triangle_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    let arm = |p: DVec3| [0, 1, 2].map(|i| Double::difference(p[i], a[i]));
    let (u, v) = (arm(b), arm(c));
    let component = |i: usize, j: usize| (u[i] * v[j] - u[j] * v[i]).value();
    DVec3::new(component(1, 2), component(2, 0), component(0, 1))
}

/// (a − o)·((b − o) × (c − o)): six times the volume of a tetrahedron, in doubled precision.
pub(crate) fn triple_product(o: DVec3, [a, b, c]: [DVec3; 3]) -> Double {
    let arm = |p: DVec3| [0, 1, 2].map(|i| Double::difference(p[i], o[i]));
    let (u, v, w) = (arm(a), arm(b), arm(c));
    let component = |i: usize, j: usize, k: usize| u[i] * (v[j] * w[k] - v[k] * w[j]);
    component(0, 1, 2) + component(1, 2, 0) + component(2, 0, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_of_a_sliver_keeps_its_digits() {
        // Height 1e-15 over a base of 1: the plain cross product has about one digit left.
        let a = DVec3::new(0.1, 0.2, 0.3);
        let b = DVec3::new(0.9, 0.7, 0.4);
        let c = DVec3::new(0.5, 0.45, 0.35_f64.next_up());
        let normal = triangle_normal([a, b, c]);
        let swapped = triangle_normal([b, c, a]);
        let error = (normal - swapped).length() / normal.length();
        assert!(normal.length() > 0.0 && error < 1e-15, "{normal} {swapped} {error:e}");
    }

    #[test]
    fn fat_triangles_agree_with_the_plain_product() {
        let [a, b, c] = [DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0), DVec3::new(-2.0, 1.0, 0.5)];
        assert_eq!(triangle_normal([a, b, c]), b.cross(c));
    }

    #[test]
    fn arithmetic_keeps_what_a_double_forgets() {
        let tiny = 1e-25;
        let one = Double::from(1.0) + Double::from(tiny);
        assert_eq!((one - Double::from(1.0)).value(), tiny);
        let square = one * one - Double::from(1.0);
        assert!((square.value() / (2.0 * tiny) - 1.0).abs() < 1e-5, "{square:?}");
        let third = Double::from(1.0) / Double::from(3.0);
        let rest = third * Double::from(3.0) - Double::from(1.0);
        assert!(rest.value().abs() < 1e-31, "{rest:?}");
        assert_eq!(third.scaled(-900).scaled(900), third);
    }
}
