//! Sums of sinusoids, with the exact range of each over a window of time.
//!
//! A term is C·cos Ωt + S·sin Ωt with Ω ≥ 0; its k-th derivative is again one, with (C, S) turned by k quarter
//! turns and multiplied by Ωᵏ. Along a direction d it is the scalar sinusoid with coefficients d·C and d·S.

use glam::DVec3;

use super::angle::Angle;
use super::range::{Range, times};
use crate::Span;
use crate::tolerances::{LAW_ROUNDING_ULPS, PAIRED_ANGLE, RANGE_ROUNDING_ULPS};

/// A scalar sinusoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wave {
    /// Ω `[rad/s]`, not negative.
    pub(super) rate: f64,
    /// Coefficient of cos Ωt.
    pub(super) cos: f64,
    /// Coefficient of sin Ωt.
    pub(super) sin: f64,
}

impl Wave {
    /// Value and first two derivatives.
    pub(super) fn at(&self, time: f64) -> [f64; 3] {
        let (s, c) = Angle::turned(self.rate, time, 0.0).sin_cos();
        let value = self.cos * c + self.sin * s;
        [value, self.rate * (self.sin * c - self.cos * s), -self.rate * self.rate * value]
    }

    /// Range of the derivative of this order over a window.
    fn range(&self, order: usize, window: Span) -> Range {
        let wave = self.derivative(order);
        let from = Angle::turned(wave.rate, window.start, 0.0).reduced();
        Range::of_sinusoid(wave.cos, wave.sin, from, from + times(wave.rate, window.length()))
    }

    fn derivative(&self, order: usize) -> Self {
        (0..order).fold(*self, |wave, _| Self {
            rate: wave.rate,
            cos: wave.rate * wave.sin,
            sin: -wave.rate * wave.cos,
        })
    }
}

/// Range of the derivative of this order of a sum of waves over a window.
///
/// The sum of the ranges is exact for one wave. For several it is met with the first-order bound from the
/// start of the window, which is the better one while the window is short.
pub(super) fn range_of_sum(
    waves: &(impl Iterator<Item = Wave> + Clone),
    order: usize,
    window: Span,
) -> Range {
    let sum = |order: usize| {
        waves.clone().fold(Range::ZERO, |range, wave| range.plus(wave.range(order, window)))
    };
    let total = sum(order);
    if waves.clone().nth(1).is_none() {
        return total;
    }
    let (mut start, mut size) = (0.0, 0.0);
    for wave in waves.clone() {
        let derivative = wave.derivative(order);
        start += derivative.at(window.start)[0];
        size += libm::hypot(derivative.cos, derivative.sin);
    }
    let drift = sum(order + 1).scaled(window.length()).with(0.0);
    let rounding = RANGE_ROUNDING_ULPS * f64::EPSILON * (size + drift.size());
    total.and(Range::point(start).plus(drift).widened(rounding))
}

/// A sinusoid of vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VectorWave {
    /// Ω `[rad/s]`, not negative.
    pub(super) rate: f64,
    /// Coefficient of cos Ωt.
    pub(super) cos: DVec3,
    /// Coefficient of sin Ωt.
    pub(super) sin: DVec3,
}

impl VectorWave {
    /// Value and first two derivatives.
    pub(super) fn at(&self, time: f64) -> [DVec3; 3] {
        let (s, c) = Angle::turned(self.rate, time, 0.0).sin_cos();
        let value = self.cos * c + self.sin * s;
        [value, self.rate * (self.sin * c - self.cos * s), -self.rate * self.rate * value]
    }

    /// Its component along a direction.
    pub(super) fn along(&self, direction: DVec3) -> Wave {
        Wave { rate: self.rate, cos: direction.dot(self.cos), sin: direction.dot(self.sin) }
    }

    /// The largest length it ever has: the longer semi-axis of the ellipse that it draws.
    pub(super) fn reach(&self) -> f64 {
        let (cc, ss) = (self.cos.length_squared(), self.sin.length_squared());
        let skew = 2.0 * self.cos.dot(self.sin);
        (0.5 * (cc + ss + libm::hypot(cc - ss, skew))).sqrt()
    }
}

/// How far a computed wave of this amplitude may be from the exact one within a window: rounding of sine and
/// products, and of the angle, which cannot do more than turn the wave round.
pub(super) fn rounding(amplitude: f64, rate: f64, window: Span) -> f64 {
    let turned = times(rate, window.start.abs().max(window.end.abs()));
    amplitude * (LAW_ROUNDING_ULPS * f64::EPSILON + (PAIRED_ANGLE * turned).min(2.0))
}
