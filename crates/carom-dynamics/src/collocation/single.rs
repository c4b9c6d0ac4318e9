//! Single coordinates of a segment, without storage.
//!
//! The same sums as in `segment`, to the bit, for those who need a few coordinates of many.

use super::segment::{MOST_COEFFICIENTS, Segment, weights};

/// A time of a segment, as weights of its coefficients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    theta: f64,
    q: [f64; MOST_COEFFICIENTS],
    v: [f64; MOST_COEFFICIENTS],
    a: [f64; MOST_COEFFICIENTS],
}

impl Weights {
    /// True at the very start of the segment.
    pub(crate) fn is_start(&self) -> bool {
        self.theta == 0.0
    }
}

/// Sizes of one coordinate over a whole segment, rounding aside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// ≥ |q̇|.
    pub(crate) speed: f64,
    /// ≥ |q̈|.
    pub(crate) push: f64,
    /// ≥ |q⃛|, rounded up.
    pub(crate) jerk: f64,
}

impl Segment {
    /// h; longer than the span when the segment was cut `[s]`.
    pub(crate) fn length(&self) -> f64 {
        self.length
    }

    pub(crate) fn weights_at(&self, time: f64) -> Weights {
        let (theta, s) = (self.theta(time), self.nodes);
        Weights { theta, q: weights(s + 2, theta), v: weights(s + 1, theta), a: weights(s, theta) }
    }

    /// q, q̇ and q̈ of coordinate `i`, with the bits of [`Self::state_at`].
    pub(crate) fn coordinate(&self, i: usize, at: &Weights) -> [f64; 3] {
        let (n, s) = (self.freedoms(), self.nodes);
        let sum = |coefficients: &[f64], weights: &[f64]| {
            let own = coefficients[i..].iter().step_by(n);
            weights.iter().zip(own).fold(0.0, |sum, (weight, value)| sum + weight * value)
        };
        let a = sum(&self.acceleration, &at.a[..s]);
        if at.is_start() {
            return [self.q0[i], self.v0[i], a];
        }
        let v = sum(&self.gain, &at.v[..=s]) + self.v0[i];
        [sum(&self.way, &at.q[..s + 2]) + self.q0[i], v, a]
    }

    /// Sizes of coordinate `i`: its largest Bernstein coefficients.
    pub(crate) fn extent(&self, i: usize) -> Extent {
        let n = self.freedoms();
        let own = |list: &[f64], start: f64| {
            list[i..].iter().step_by(n).fold(0.0, |most: f64, c| most.max((start + c).abs()))
        };
        let (speed, push) = (own(&self.gain, self.v0[i]), own(&self.acceleration, 0.0));
        Extent { speed, push, jerk: self.jerk[i] }
    }
}
