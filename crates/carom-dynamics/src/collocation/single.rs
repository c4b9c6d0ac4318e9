//! Single coordinates of a segment, each with all its coefficients in one place.
//!
//! The same sums as in `segment`, to the bit, for those who need a few coordinates of many, often.

use super::segment::{MOST_COEFFICIENTS, Segment, weights};
use crate::Span;

/// s of what stands still; nothing depends on it.
const LEAST_NODES: usize = 4;

/// When a segment is, and what its polynomials are polynomials of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    pub(crate) span: Span,
    /// h; longer than the span when the segment was cut `[s]`.
    pub(crate) length: f64,
    /// s.
    nodes: usize,
}

/// A time of a segment, as weights of its coefficients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    theta: f64,
    q: [f64; MOST_COEFFICIENTS],
    v: [f64; MOST_COEFFICIENTS],
    a: [f64; MOST_COEFFICIENTS],
}

/// One coordinate of a segment. Coefficients that it does not have are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coordinate {
    /// s.
    nodes: usize,
    /// D, W and b.
    way: [f64; MOST_COEFFICIENTS],
    gain: [f64; MOST_COEFFICIENTS],
    acceleration: [f64; MOST_COEFFICIENTS],
    /// q₀ and v₀.
    start: [f64; 2],
    /// ≥ |q̇| over the whole segment, rounding aside.
    pub(crate) speed: f64,
    /// ≥ |q̈|.
    pub(crate) push: f64,
    /// ≥ |q⃛|, rounded up.
    pub(crate) jerk: f64,
}

impl Clock {
    /// Of what stands still for ever.
    pub(crate) const fn standing(time: f64) -> Self {
        Self { span: Span { start: time, end: f64::INFINITY }, length: 0.0, nodes: LEAST_NODES }
    }

    pub(crate) fn weights_at(&self, time: f64) -> Weights {
        let s = self.nodes;
        let theta = if self.length > 0.0 { (time - self.span.start) / self.length } else { 0.0 };
        Weights { theta, q: weights(s + 2, theta), v: weights(s + 1, theta), a: weights(s, theta) }
    }
}

impl Weights {
    /// True at the very start of the segment.
    pub(crate) fn is_start(&self) -> bool {
        self.theta == 0.0
    }
}

impl Coordinate {
    /// Of what stands still.
    pub(crate) const STILL: Self = Self {
        nodes: LEAST_NODES,
        way: [0.0; MOST_COEFFICIENTS],
        gain: [0.0; MOST_COEFFICIENTS],
        acceleration: [0.0; MOST_COEFFICIENTS],
        start: [0.0; 2],
        speed: 0.0,
        push: 0.0,
        jerk: 0.0,
    };

    /// Bernstein coefficients of q − q₀, all that it has.
    pub(crate) fn way(&self) -> &[f64] {
        &self.way[..self.nodes + 2]
    }

    /// Bernstein coefficients of q̇ − v₀.
    pub(crate) fn gain(&self) -> &[f64] {
        &self.gain[..=self.nodes]
    }

    /// q, q̇ and q̈, with the bits of [`Segment::state_at`].
    pub(crate) fn at(&self, at: &Weights) -> [f64; 3] {
        let [q0, v0] = self.start;
        let a = sum(&at.a, &self.acceleration);
        if at.is_start() {
            return [q0, v0, a];
        }
        [sum(&at.q, &self.way) + q0, sum(&at.v, &self.gain) + v0, a]
    }
}

fn sum(weights: &[f64; MOST_COEFFICIENTS], values: &[f64; MOST_COEFFICIENTS]) -> f64 {
    let mut sum = 0.0;
    for k in 0..MOST_COEFFICIENTS {
        sum += weights[k] * values[k];
    }
    sum
}

impl Segment {
    pub(crate) fn clock(&self) -> Clock {
        Clock { span: self.span(), length: self.length, nodes: self.nodes }
    }

    /// Coordinate `i`; its sizes are its largest Bernstein coefficients.
    pub(crate) fn single(&self, i: usize) -> Coordinate {
        let n = self.freedoms();
        let own = |list: &[f64]| {
            let mut out = [0.0; MOST_COEFFICIENTS];
            for (value, row) in out.iter_mut().zip(list.chunks_exact(n)) {
                *value = row[i];
            }
            out
        };
        let start = [self.q0[i], self.v0[i]];
        let (gain, acceleration) = (own(&self.gain), own(&self.acceleration));
        let largest = |list: &[f64], start: f64| {
            list.iter().fold(0.0, |most: f64, c| most.max((start + c).abs()))
        };
        Coordinate {
            nodes: self.nodes,
            way: own(&self.way),
            speed: largest(&gain[..=self.nodes], start[1]),
            push: largest(&acceleration, 0.0),
            gain,
            acceleration,
            start,
            jerk: self.jerk[i],
        }
    }
}
