//! Intervals of values.

use std::f64::consts::{PI, TAU};

use crate::tolerances::RANGE_ROUNDING_ULPS;

/// From `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Range {
    pub(super) const ZERO: Self = Self { low: 0.0, high: 0.0 };

    pub(super) fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    pub(super) fn point(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// The smallest range around two values.
    pub(super) fn between(one: f64, other: f64) -> Self {
        Self { low: one.min(other), high: one.max(other) }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }

    pub(super) fn with(self, value: f64) -> Self {
        Self { low: self.low.min(value), high: self.high.max(value) }
    }

    pub(super) fn widened(self, margin: f64) -> Self {
        Self { low: self.low - margin, high: self.high + margin }
    }

    /// What both allow; `self` where rounding leaves nothing.
    pub(super) fn and(self, other: Self) -> Self {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low <= high { Self { low, high } } else { self }
    }

    /// All products of a value of each.
    pub(super) fn times(self, other: Self) -> Self {
        let corners = [
            times(self.low, other.low),
            times(self.low, other.high),
            times(self.high, other.low),
            times(self.high, other.high),
        ];
        corners[1..].iter().fold(Self::point(corners[0]), |range, corner| range.with(*corner))
    }

    pub(super) fn scaled(self, factor: f64) -> Self {
        Self::between(times(self.low, factor), times(self.high, factor))
    }

    /// All squares of its values.
    pub(super) fn squared(self) -> Self {
        let (low, high) = (self.low * self.low, self.high * self.high);
        let least = if self.low <= 0.0 && self.high >= 0.0 { 0.0 } else { low.min(high) };
        Self { low: least, high: low.max(high) }
    }

    /// All cubes of its values.
    pub(super) fn cubed(self) -> Self {
        let cube = |value: f64| value * value * value;
        Self { low: cube(self.low), high: cube(self.high) }
    }

    /// The largest size of its values.
    pub(super) fn size(self) -> f64 {
        self.high.max(-self.low)
    }

    /// Values of `cos`·cos θ + `sin`·sin θ for θ between `from` and `to` `[rad]`: its ends, and its crests
    /// where they lie between.
    pub(super) fn of_sinusoid(cos: f64, sin: f64, from: f64, to: f64) -> Self {
        let amplitude = libm::hypot(cos, sin);
        let sweep = to - from;
        let rounding = RANGE_ROUNDING_ULPS * f64::EPSILON * amplitude;
        if sweep.is_nan() || sweep >= TAU {
            return Self::new(-amplitude, amplitude).widened(rounding);
        }
        let value = |angle: f64| {
            let (s, c) = libm::sincos(angle);
            cos * c + sin * s
        };
        let crest = libm::atan2(sin, cos);
        let mut range = Self::between(value(from), value(to));
        if (crest - from).rem_euclid(TAU) <= sweep {
            range = range.with(amplitude);
        }
        if (crest + PI - from).rem_euclid(TAU) <= sweep {
            range = range.with(-amplitude);
        }
        range.widened(rounding)
    }
}

/// A product in which nothing times infinity is nothing: a rate of zero stays zero over any time.
pub(crate) fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sinusoid_reaches_its_crests_only_where_they_lie_between() {
        let close = |range: Range, low: f64, high: f64| {
            let off = (range.low - low).abs().max((range.high - high).abs());
            assert!(off < 1e-14, "{range:?}, expected {low} to {high}");
        };
        close(Range::of_sinusoid(3.0, 4.0, 0.0, 0.0), 3.0, 3.0);
        close(Range::of_sinusoid(1.0, 0.0, -0.5, 1.0), libm::cos(1.0), 1.0);
        close(Range::of_sinusoid(1.0, 0.0, 1.0, 4.0), -1.0, libm::cos(1.0));
        close(Range::of_sinusoid(3.0, 4.0, 0.0, 7.0), -5.0, 5.0);
    }

    #[test]
    fn products_with_an_endless_range_stay_numbers() {
        let endless = Range::new(f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(Range::ZERO.times(endless), Range::ZERO);
        assert_eq!(Range::new(-1.0, 2.0).squared(), Range::new(0.0, 4.0));
    }
}
