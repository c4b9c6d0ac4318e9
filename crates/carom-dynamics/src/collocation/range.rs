//! What a segment cannot leave: ranges of q, q̇ and q̈ and the largest |q⃛| over any window of it.
//!
//! A polynomial lies between its smallest and its largest Bernstein coefficient. The jerk has the coefficients
//! j_i = (s−1)/h·(b_{i+1} − b_i). For a window [α, β] of θ they are restricted to it by de Casteljau's
//! subdivision, and from the state at α the coefficients of q̈, q̇ and q over the window follow by running sums,
//! as in (7) and (8), over the time h·(β − α).
//!
//! **Rounding.** Ranges enclose what [`Segment::state_at`] returns and the exact polynomial of the stored
//! coefficients. θ as rounded never decreases with t, so no time of the window is outside [α, β]. With
//! u = ε/2, weights of degree n carry 2n + 2 roundings and sums n + 1, so a value of degree 7 is off by less
//! than 25u·max|coefficient|; a subdivision rounds 3u at each of 2(s−2) levels, running sums 2u each. All of it
//! stays below R = SEGMENT_RANGE_ULPS·ε of the sum of what a value is made of:
//!
//! ```text
//! q̈: R·(max|b| + η·J)     q̇: R·(max|W| + η·max|b| + η²·J) + 4ε|q̇|
//! q: R·(max|D| + η·max|q̇| + η²·max|b| + η³·J) + 4ε|q|,       η = h·(β−α), J = max|j|                  (9)
//! ```
//!
//! The last terms are the sums with q₀ and v₀: of the value, of the window's start, and of both ends of a range.
//! Running sums are of ways from the window's start; taken from q itself, they would round at |q| each time.
//! Without them windows of 10⁻⁶ s and less are violated by rounding; a test shows it.

use super::segment::{MOST_COEFFICIENTS, Point, Segment};
use crate::Span;
use crate::tolerances::{BOUND_ULPS, SEGMENT_RANGE_ULPS};

/// From `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// True when `value` lies in it.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Moved by `start`, and wider by `margin` on both sides.
    fn around(&self, start: f64, margin: f64) -> Self {
        Self { low: start + self.low - margin, high: start + self.high + margin }
    }

    /// Largest size of a number in it.
    pub const fn magnitude(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}

/// Ranges over a window, one for each coordinate; storage that is used again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranges {
    /// Of coordinates.
    pub q: Vec<Interval>,
    /// Of velocities.
    pub v: Vec<Interval>,
    /// Of accelerations.
    pub a: Vec<Interval>,
    /// Largest |q⃛|.
    pub jerk: Vec<f64>,
    /// The state at the window's start.
    pub start: Point,
}

/// Factors by which parts of a range are scaled: 1, or a deliberate fault in a test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    /// Of what a polynomial leaves its chord by.
    pub(super) bulge: f64,
    /// Of the margins for rounding.
    pub(super) rounding: f64,
}

impl Shares {
    pub(super) const WHOLE: Self = Self { bulge: 1.0, rounding: 1.0 };
}

impl Segment {
    /// Writes ranges that hold throughout `window`; parts of it outside the span are left out.
    pub fn ranges(&self, window: Span, out: &mut Ranges) {
        self.ranges_with(window, Shares::WHOLE, out);
    }

    pub(super) fn ranges_with(&self, window: Span, shares: Shares, out: &mut Ranges) {
        let inside = |t: f64| self.theta(t.clamp(self.span().start, self.span().end));
        let [alpha, beta] = [window.start, window.end].map(inside);
        self.state_at_theta(alpha, &mut out.start);
        for list in [&mut out.q, &mut out.v, &mut out.a] {
            list.clear();
        }
        out.jerk.clear();
        for i in 0..self.freedoms() {
            let course = Course::new(self, i, alpha, beta, &out.start);
            let [q, v, a] = course.ranges(shares);
            out.q.push(q);
            out.v.push(v);
            out.a.push(a);
            out.jerk.push(course.largest_jerk());
        }
    }

    /// Largest |coefficient| of coordinate `i`.
    fn largest(&self, coefficients: &[f64], i: usize) -> f64 {
        let own = coefficients.iter().skip(i).step_by(self.freedoms());
        own.fold(0.0, |most: f64, c| most.max(c.abs()))
    }
}

/// Fills in the largest |q⃛| of every coordinate.
pub(super) fn largest_jerks(segment: &mut Segment) {
    let (n, s) = (segment.freedoms(), segment.nodes);
    let per_step = (s - 1) as f64 / segment.length * (1.0 + BOUND_ULPS * f64::EPSILON);
    segment.jerk.clear();
    segment.jerk.resize(n, 0.0);
    for (k, (next, b)) in segment.acceleration[n..].iter().zip(&segment.acceleration).enumerate() {
        let jerk = &mut segment.jerk[k % n];
        *jerk = jerk.max(per_step * (next - b).abs());
    }
}

/// One coordinate over a window.
struct Course {
    /// s.
    nodes: usize,
    /// η, the length of the window `[s]`.
    length: f64,
    /// Coefficients of q⃛ over the window, s − 1 of them.
    jerk: [f64; MOST_COEFFICIENTS],
    /// Largest |q⃛| of the segment.
    whole_jerk: f64,
    /// q, q̇ and q̈ at its start.
    start: [f64; 3],
    /// max|D|, max|W| and max|b| of the segment, |q₀| and |v₀|.
    sizes: [f64; 5],
}

impl Course {
    fn new(segment: &Segment, i: usize, alpha: f64, beta: f64, start: &Point) -> Self {
        let (n, s) = (segment.freedoms(), segment.nodes);
        let mut jerk = [0.0; MOST_COEFFICIENTS];
        let per_step = (s - 1) as f64 / segment.length;
        for (k, j) in jerk.iter_mut().take(s - 1).enumerate() {
            let b = &segment.acceleration[k * n + i..];
            *j = per_step * (b[n] - b[0]);
        }
        restrict(&mut jerk[..s - 1], alpha, beta);
        let sizes = [
            segment.largest(&segment.way, i),
            segment.largest(&segment.gain, i),
            segment.largest(&segment.acceleration, i),
            segment.q0[i].abs(),
            segment.v0[i].abs(),
        ];
        let start = [start.q[i], start.v[i], start.a[i]];
        let (length, whole_jerk) = (segment.length * (beta - alpha), segment.jerk[i]);
        Self { nodes: s, length, jerk, whole_jerk, start, sizes }
    }

    fn largest_jerk(&self) -> f64 {
        let most = self.jerk[..self.nodes - 1].iter().fold(0.0, |most: f64, j| most.max(j.abs()));
        // Subdivision rounds relative to the segment's largest coefficient.
        (most + SEGMENT_RANGE_ULPS * f64::EPSILON * self.whole_jerk).min(self.whole_jerk)
    }

    /// Ranges of q, q̇ and q̈ (9).
    fn ranges(&self, shares: Shares) -> [Interval; 3] {
        let (s, eta) = (self.nodes, self.length);
        let jerk = self.largest_jerk();
        let [way, gain, b, q0, v0] = self.sizes;
        // Ways from the window's start, which are small where the window is.
        let [q_start, v_start, a_start] = self.start;
        let a = summed(&self.jerk[..s - 1], 0.0, eta);
        let v = summed(&a[..s], a_start, eta);
        let q = summed(&v[..=s], v_start, eta);
        let share = SEGMENT_RANGE_ULPS * f64::EPSILON * shares.rounding;
        let (last, speed) = (4.0 * f64::EPSILON * shares.rounding, gain + v0);
        let in_a = share * (b + eta * jerk);
        let in_v = share * (gain + eta * (b + eta * jerk)) + last * speed;
        let in_q = share * (way + eta * (speed + eta * (b + eta * jerk))) + last * (way + q0);
        [
            hull(&q[..s + 2], shares.bulge).around(q_start, in_q),
            hull(&v[..=s], shares.bulge).around(v_start, in_v),
            hull(&a[..s], shares.bulge).around(a_start, in_a),
        ]
    }
}

/// Coefficients over [0, 1] become those over [α, β].
fn restrict(coefficients: &mut [f64], alpha: f64, beta: f64) {
    let count = coefficients.len();
    // Up to β: the first entries of de Casteljau's triangle.
    for level in 1..count {
        for i in (level..count).rev() {
            coefficients[i] = (1.0 - beta) * coefficients[i - 1] + beta * coefficients[i];
        }
    }
    // From α on, which is α/β of that: the last entries.
    let share = if beta > 0.0 { alpha / beta } else { 0.0 };
    for level in 1..count {
        for i in 0..count - level {
            coefficients[i] = (1.0 - share) * coefficients[i] + share * coefficients[i + 1];
        }
    }
}

/// Coefficients of the integral of `start` + a polynomial over a time `length`, from 0 on.
fn summed(rates: &[f64], start: f64, length: f64) -> [f64; MOST_COEFFICIENTS] {
    let mut out = [0.0; MOST_COEFFICIENTS];
    let step = length / rates.len() as f64;
    for (i, rate) in rates.iter().enumerate() {
        out[i + 1] = out[i] + step * (start + rate);
    }
    out
}

/// From the smallest to the largest coefficient; of what is beyond the ends a `bulge`.
fn hull(coefficients: &[f64], bulge: f64) -> Interval {
    let [first, last] = [coefficients[0], coefficients[coefficients.len() - 1]];
    let (low, high) = (first.min(last), first.max(last));
    let (mut least, mut most) = (low, high);
    for &c in coefficients {
        least = least.min(c);
        most = most.max(c);
    }
    Interval { low: low - bulge * (low - least), high: high + bulge * (most - high) }
}
