//! Angles Ω·t of many turns, without loss of digits.
//!
//! A double holds 10⁶ rad to 10⁻¹⁰ only, so that a vibrator at 400 rad/s would jitter by that much times its
//! amplitude after an hour. Kept as two doubles the product is exact to 2⁻¹⁰⁰, and the sine of the pair comes
//! from sin(h + l) = sin h·cos l + cos h·sin l, with `libm` reducing h exactly.

use crate::tolerances::LINEAR_SINE;

/// An angle as the sum of two doubles, the second below an ulp of the first `[rad]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Angle {
    high: f64,
    low: f64,
}

impl Angle {
    pub(super) const ZERO: Self = Self { high: 0.0, low: 0.0 };

    /// Rate `[rad/s]` times `time − origin` `[s]`.
    pub(super) fn turned(rate: f64, time: f64, origin: f64) -> Self {
        let (elapsed, elapsed_rest) = sum(time, -origin);
        let (angle, rest) = product(rate, elapsed);
        let (high, low) = sum(angle, rest + rate * elapsed_rest);
        Self { high, low }
    }

    /// An angle that one double holds well enough `[rad]`.
    pub(super) fn plain(angle: f64) -> Self {
        Self { high: angle, low: 0.0 }
    }

    /// Half of it, exactly.
    pub(super) fn half(self) -> Self {
        Self { high: 0.5 * self.high, low: 0.5 * self.low }
    }

    /// Sine and cosine, to about an ulp of 1.
    pub(super) fn sin_cos(self) -> (f64, f64) {
        let (sin, cos) = libm::sincos(self.high);
        let (sin_low, cos_low) =
            if self.low.abs() < LINEAR_SINE { (self.low, 1.0) } else { libm::sincos(self.low) };
        (sin * cos_low + cos * sin_low, cos * cos_low - sin * sin_low)
    }

    /// The angle reduced to (−π, π] `[rad]`.
    pub(super) fn reduced(self) -> f64 {
        let (sin, cos) = self.sin_cos();
        libm::atan2(sin, cos)
    }
}

/// a + b exactly, as rounded sum and rest (Knuth).
fn sum(a: f64, b: f64) -> (f64, f64) {
    let total = a + b;
    let b_part = total - a;
    (total, (a - (total - b_part)) + (b - b_part))
}

/// a·b exactly, as rounded product and rest (Dekker).
fn product(a: f64, b: f64) -> (f64, f64) {
    let rounded = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    let rest = ((a_high * b_high - rounded) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (rounded, rest)
}

/// A number as the sum of two with 26 bits each (Veltkamp).
fn halves(a: f64) -> (f64, f64) {
    let spread = 134_217_729.0 * a;
    let high = spread - (spread - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_split_without_loss() {
        // (2²⁷ + 1)² = 2⁵⁴ + 2²⁸ + 1 needs 55 bits.
        let a = f64::from((1 << 27) + 1);
        let (rounded, rest) = product(a, a);
        assert_eq!((rounded, rest), (((1_u64 << 54) + (1 << 28)) as f64, 1.0));
    }

    /// The time is a sum of two powers of two, so that its angle is a sum of two doubles, each exact and each
    /// reduced exactly by `libm`.
    #[test]
    fn the_sine_of_a_long_spin_keeps_its_digits() {
        let rate = 377.0;
        for exponent in [0, 10, 20, 30] {
            let time = f64::from(1 << exponent) + 1.0 / f64::from(1 << 20);
            let (sin, cos) = Angle::turned(rate, time, 0.0).sin_cos();
            let (whole_sin, whole_cos) = libm::sincos(rate * f64::from(1 << exponent));
            let (part_sin, part_cos) = libm::sincos(rate / f64::from(1 << 20));
            let expected = whole_sin * part_cos + whole_cos * part_sin;
            let expected_cos = whole_cos * part_cos - whole_sin * part_sin;
            let worst = (sin - expected).abs().max((cos - expected_cos).abs());
            assert!(worst < 4.0 * f64::EPSILON, "t = {time}: off by {worst:e}");
        }
    }
}
