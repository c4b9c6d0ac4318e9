//! Where a polynomial first passes a value.

use crate::tolerances::MOST_ROOT_STEPS;

/// The value of a polynomial.
pub(super) fn value(polynomial: &[f64], at: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, coefficient| sum * at + coefficient)
}

/// The value of a polynomial and its derivative.
fn value_and_slope(polynomial: &[f64], at: f64) -> [f64; 2] {
    let (mut sum, mut slope) = (0.0, 0.0);
    for coefficient in polynomial.iter().rev() {
        slope = slope * at + sum;
        sum = sum * at + coefficient;
    }
    [sum, slope]
}

/// Where a polynomial takes the value `goal` between 0 and `end`, if it is monotone there and lies on either side of it at
/// the two: Newton's method within a bracket that shrinks.
pub(super) fn root(polynomial: &[f64], goal: f64, end: f64) -> f64 {
    let start = polynomial[0] - goal;
    if start == 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, end);
    let mut at = guess(start, polynomial[1], polynomial[2], end);
    for _ in 0..MOST_ROOT_STEPS {
        let [sum, slope] = value_and_slope(polynomial, at);
        let miss = sum - goal;
        if miss == 0.0 {
            return at;
        }
        if (miss > 0.0) == (start > 0.0) {
            low = at;
        } else {
            high = at;
        }
        let newton = at - miss / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - at).abs() <= f64::EPSILON * at {
            return next;
        }
        at = next;
    }
    at
}

/// The smallest positive root of start + slope·x + bend·x², or the middle.
fn guess(start: f64, slope: f64, bend: f64, end: f64) -> f64 {
    let square = slope * slope - 4.0 * start * bend;
    let root = -2.0 * start / (slope + square.max(0.0).sqrt().copysign(slope));
    if root > 0.0 && root < end { root } else { 0.5 * end }
}
