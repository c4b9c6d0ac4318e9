//! One segment: the polynomial that was integrated, and its state at any time.
//!
//! In Bernstein's basis B_i^n(θ) = C(n, i)·θ^i·(1−θ)^(n−i) integrals are running sums: with a = Σ b_i·B_i^(s−1),
//!
//! ```text
//! q̇ = v₀ + Σ W_i·B_i^s,         W₀ = 0,   W_{i+1} = W_i + h/s·b_i                                  (7)
//! q  = q₀ + Σ D_i·B_i^(s+1),     D₀ = 0,   D_{i+1} = D_i + h/(s+1)·(v₀ + W_i)                       (8)
//! ```
//!
//! All weights are between 0 and 1, so that values round like a sum of positive terms, and at θ = 0 and 1 they
//! are the first and last coefficient to the bit. θ is (t − t₀)/h as rounded, which never decreases with t.

use super::range;
use crate::Span;

/// The most coefficients that a polynomial here has: degree s + 1 with s = 6.
pub(super) const MOST_COEFFICIENTS: usize = super::rule::MOST_NODES + 2;

/// State and acceleration at a time; storage that is used again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
}

/// A motion of n coordinates from a start to an end.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    span: Span,
    /// h; longer than the span when the segment was cut `[s]`.
    pub(super) length: f64,
    /// s.
    pub(super) nodes: usize,
    pub(super) q0: Vec<f64>,
    pub(super) v0: Vec<f64>,
    /// b, coefficient by coefficient, each with one number per coordinate.
    pub(super) acceleration: Vec<f64>,
    /// W.
    pub(super) gain: Vec<f64>,
    /// D.
    pub(super) way: Vec<f64>,
    /// Largest |q⃛| of each coordinate.
    pub(super) jerk: Vec<f64>,
}

impl Default for Segment {
    fn default() -> Self {
        Self::new()
    }
}

impl Segment {
    /// Storage for a segment; it has no coordinates until it is integrated.
    pub const fn new() -> Self {
        Self {
            span: Span::new(0.0, 0.0),
            length: 0.0,
            nodes: 0,
            q0: Vec::new(),
            v0: Vec::new(),
            acceleration: Vec::new(),
            gain: Vec::new(),
            way: Vec::new(),
            jerk: Vec::new(),
        }
    }

    /// Number of coordinates.
    pub fn freedoms(&self) -> usize {
        self.q0.len()
    }

    /// When it can be asked.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Ends the segment at `time`, within its span; nothing before changes, to the bit.
    pub fn cut(&mut self, time: f64) {
        self.span.end = time.clamp(self.span.start, self.span.end);
    }

    /// Largest |q⃛| of each coordinate over the whole segment, rounded up.
    pub fn jerk(&self) -> &[f64] {
        &self.jerk
    }

    /// θ.
    pub(super) fn theta(&self, time: f64) -> f64 {
        if self.length > 0.0 { (time - self.span.start) / self.length } else { 0.0 }
    }

    /// The state at `time`, a pure function of it. At the start it is what was given, and at the end what the
    /// next segment starts from, to the bit.
    pub fn state_at(&self, time: f64, out: &mut Point) {
        self.state_at_theta(self.theta(time), out);
    }

    pub(super) fn state_at_theta(&self, theta: f64, out: &mut Point) {
        let s = self.nodes;
        combine(&self.acceleration, &weights(s, theta), self.freedoms(), &mut out.a);
        combine(&self.gain, &weights(s + 1, theta), self.freedoms(), &mut out.v);
        combine(&self.way, &weights(s + 2, theta), self.freedoms(), &mut out.q);
        for (v, v0) in out.v.iter_mut().zip(&self.v0) {
            *v += v0;
        }
        for (q, q0) in out.q.iter_mut().zip(&self.q0) {
            *q += q0;
        }
        if theta == 0.0 {
            // The sign of a zero is kept, too.
            out.q.copy_from_slice(&self.q0);
            out.v.copy_from_slice(&self.v0);
        }
    }

    /// Takes on a new start; [`Self::finish`] has to follow.
    pub(super) fn begin(&mut self, span: Span, nodes: usize, q0: &[f64], v0: &[f64]) {
        (self.span, self.length, self.nodes) = (span, span.length(), nodes);
        for (own, given) in [(&mut self.q0, q0), (&mut self.v0, v0)] {
            own.clear();
            own.extend_from_slice(given);
        }
    }

    /// Integrates accelerations given at the nodes: b = β·A, (7) and (8), and the largest |q⃛|.
    pub(super) fn finish(&mut self, bernstein: &[f64], at_nodes: &[f64]) {
        let (s, n, h) = (self.nodes, self.freedoms(), self.length);
        self.acceleration.clear();
        self.acceleration.resize(s * n, 0.0);
        for (row, b) in self.acceleration.chunks_exact_mut(n.max(1)).enumerate() {
            add_products(&bernstein[row * s..(row + 1) * s], at_nodes, b);
        }
        self.gain.clear();
        self.gain.resize((s + 1) * n, 0.0);
        for i in 0..s * n {
            self.gain[i + n] = self.gain[i] + h / s as f64 * self.acceleration[i];
        }
        self.way.clear();
        self.way.resize((s + 2) * n, 0.0);
        for i in 0..(s + 1) * n {
            self.way[i + n] = self.way[i] + h / (s + 1) as f64 * (self.v0[i % n] + self.gain[i]);
        }
        range::largest_jerks(self);
    }
}

/// B_i(θ) of the basis with `count` functions; the rest is zero.
pub(super) fn weights(count: usize, theta: f64) -> [f64; MOST_COEFFICIENTS] {
    let mut out = [0.0; MOST_COEFFICIENTS];
    let degree = count.saturating_sub(1);
    // C(n, i)·θ^i upward, times (1−θ)^(n−i) downward.
    let mut rising = 1.0;
    for (i, weight) in out.iter_mut().take(count).enumerate() {
        *weight = rising * BINOMIALS[degree][i];
        rising *= theta;
    }
    let mut falling = 1.0;
    for weight in out[..count].iter_mut().rev() {
        *weight *= falling;
        falling *= 1.0 - theta;
    }
    out
}

/// C(n, i) for n up to 7.
const BINOMIALS: [[f64; MOST_COEFFICIENTS]; MOST_COEFFICIENTS] = binomials();

const fn binomials() -> [[f64; MOST_COEFFICIENTS]; MOST_COEFFICIENTS] {
    let mut table = [[0.0; MOST_COEFFICIENTS]; MOST_COEFFICIENTS];
    let mut n = 0;
    while n < MOST_COEFFICIENTS {
        table[n][0] = 1.0;
        let mut i = 1;
        while i <= n {
            table[n][i] = table[n - 1][i - 1] + table[n - 1][i];
            i += 1;
        }
        n += 1;
    }
    table
}

/// Σ weight_i · coefficient_i for every coordinate.
fn combine(
    coefficients: &[f64],
    weights: &[f64; MOST_COEFFICIENTS],
    freedoms: usize,
    out: &mut Vec<f64>,
) {
    out.clear();
    out.resize(freedoms, 0.0);
    add_products(weights, coefficients, out);
}

/// out += Σ_k weight_k · row_k, for as many rows as there are.
pub(super) fn add_products(weights: &[f64], rows: &[f64], out: &mut [f64]) {
    if out.is_empty() {
        return;
    }
    for (weight, row) in weights.iter().zip(rows.chunks_exact(out.len())) {
        for (sum, value) in out.iter_mut().zip(row) {
            *sum += weight * value;
        }
    }
}
