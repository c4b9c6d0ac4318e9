//! Where a polynomial first passes a value.

use crate::tolerances::{MOST_ROOT_STEPS, ROOT_SHARE};

/// The value of a polynomial: four sums, each in the fourth power.
pub(super) fn value(polynomial: &[f64], at: f64) -> f64 {
    let square = at * at;
    let fourth = square * square;
    let chunks = polynomial.chunks_exact(4);
    let rest = chunks.remainder();
    let mut sums = [0.0; 4];
    for (sum, coefficient) in sums.iter_mut().zip(rest) {
        *sum = *coefficient;
    }
    for chunk in chunks.rev() {
        for (sum, coefficient) in sums.iter_mut().zip(chunk) {
            *sum = *sum * fourth + coefficient;
        }
    }
    (sums[0] + at * sums[1]) + square * (sums[2] + at * sums[3])
}

/// The value of a polynomial, its first derivative, and half its second.
pub(super) fn expansion(polynomial: &[f64], at: f64) -> [f64; 3] {
    let (mut sum, mut slope, mut bend) = (0.0, 0.0, 0.0);
    for coefficient in polynomial.iter().rev() {
        bend = bend * at + slope;
        slope = slope * at + sum;
        sum = sum * at + coefficient;
    }
    [sum, slope, bend]
}

/// Where a polynomial takes the value `goal` between 0 and `end`, if it is monotone there and lies on either side of it at
/// the two.
pub(super) fn root(polynomial: &[f64], goal: f64, end: f64) -> f64 {
    let start = polynomial[0] - goal;
    let guess = guess([start, polynomial[1], polynomial[2]], end);
    let miss = |at: f64| {
        let [sum, slope, bend] = expansion(polynomial, at);
        [sum - goal, slope, bend]
    };
    zero(miss, start, guess, end)
}

/// The zero between 0 and `end` of a monotone function that is `start` at 0: Halley's method within a bracket that shrinks.
///
/// The function gives its value, its first derivative, and half its second.
pub(super) fn zero(of: impl Fn(f64) -> [f64; 3], start: f64, guess: f64, end: f64) -> f64 {
    if start == 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, end);
    let mut at = guess;
    for _ in 0..MOST_ROOT_STEPS {
        let [miss, slope, bend] = of(at);
        if (miss > 0.0) == (start > 0.0) {
            low = at;
        } else {
            high = at;
        }
        let change = miss * slope / (slope * slope - miss * bend);
        let next = at - change;
        if change.abs() <= ROOT_SHARE * at {
            return next.clamp(low, high);
        }
        at = if next > low && next < high { next } else { 0.5 * (low + high) };
    }
    at
}

/// The smallest positive zero of a polynomial of second degree, or the middle.
pub(super) fn guess([start, slope, bend]: [f64; 3], end: f64) -> f64 {
    let square = slope * slope - 4.0 * start * bend;
    let root = -2.0 * start / (slope + square.max(0.0).sqrt().copysign(slope));
    if root > 0.0 && root < end { root } else { 0.5 * end }
}
