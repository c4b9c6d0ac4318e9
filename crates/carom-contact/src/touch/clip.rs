//! The first time at which a function can be zero, from control values of polynomials below it.
//!
//! A polynomial lies above the lower convex hull of its control values (Bernstein's form). So where the line from the
//! first control value with the least slope to any other crosses zero, the polynomial has not crossed zero yet. Clipping
//! there and asking for control values of what is left converges quadratically to the first zero, from below
//! (Bézier clipping, one-sided).

use crate::tolerances::{MOST_CLIPS, SMALL_PROGRESS};

/// Control values of a polynomial of degree four on an interval.
pub(super) type Controls = [f64; 5];

/// How far a function is proven to be positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clear {
    /// Positive from 0 to here.
    pub(super) until: f64,
    /// True when that is the whole interval.
    pub(super) whole: bool,
}

/// How long a function stays positive from 0 on, at most to `horizon`, at least to what is said.
///
/// `controls(low, high)` are control values on that interval of a polynomial that is nowhere above the function.
/// `enough` is a value at which the function counts as having arrived at zero.
pub(super) fn first_zero(
    horizon: f64,
    enough: f64,
    mut controls: impl FnMut(f64, f64) -> Controls,
) -> Clear {
    let (mut low, mut high) = (0.0, horizon);
    for _ in 0..MOST_CLIPS {
        let values = controls(low, high);
        let Some(share) = crossing(&values) else {
            if high >= horizon {
                return Clear { until: horizon, whole: true };
            }
            let length = high - low;
            low = high;
            high = horizon.min(low + 4.0 * length);
            continue;
        };
        let step = share * (high - low);
        let arrived = values[0] <= enough && values[1] <= values[0];
        if arrived || values[0] <= 0.0 || high - low <= SMALL_PROGRESS * low {
            return Clear { until: low + step, whole: false };
        }
        // A hull that falls far below a small value says little: the function may well rise first.
        if share < 0.1 {
            high = low + share.sqrt() * (high - low);
            continue;
        }
        // What is left of the way to a zero is short beside the step, unless the hull was far below.
        let next = low + step;
        (low, high) = (next, high.min(next + step));
    }
    Clear { until: low, whole: false }
}

/// True when a polynomial with these control values is positive before the end of its interval.
pub(super) fn is_positive(values: &Controls) -> bool {
    let [first, rest @ ..] = values;
    *first > 0.0 && rest.iter().all(|value| *value >= 0.0)
}

/// Share of the interval up to which the polynomial is positive; none if that is all of it.
fn crossing(values: &Controls) -> Option<f64> {
    let [first, rest @ ..] = values;
    if *first <= 0.0 || first.is_nan() {
        return Some(0.0);
    }
    if is_positive(values) {
        return None;
    }
    // Positive values count too: the hull may fall steeply to one of them before it crosses zero.
    let mut share = 1.0_f64;
    for (place, value) in [0.25, 0.5, 0.75, 1.0].into_iter().zip(rest) {
        if value < first {
            share = share.min(place * (first / (first - value)));
        }
    }
    Some(if share.is_finite() && rest.iter().all(|value| !value.is_nan()) { share } else { 0.0 })
}

/// Control values of the product of two quadratics, given by theirs.
pub(super) fn product<T: Copy>(a: [T; 3], b: [T; 3], times: impl Fn(T, T) -> f64) -> Controls {
    [
        times(a[0], b[0]),
        0.5 * (times(a[0], b[1]) + times(a[1], b[0])),
        (times(a[0], b[2]) + 4.0 * times(a[1], b[1]) + times(a[2], b[0])) / 6.0,
        0.5 * (times(a[1], b[2]) + times(a[2], b[1])),
        times(a[2], b[2]),
    ]
}

/// A quadratic's control values as those of degree four.
pub(super) fn raised([a, b, c]: [f64; 3]) -> Controls {
    [a, 0.5 * (a + b), (a + 4.0 * b + c) / 6.0, 0.5 * (b + c), c]
}

/// Control values of x³ on an interval.
pub(super) fn cube(low: f64, high: f64) -> Controls {
    let [a, b, c, d] = [low * low * low, low * low * high, low * high * high, high * high * high];
    [a, 0.25 * (a + 3.0 * b), 0.5 * (b + c), 0.25 * (3.0 * c + d), d]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quartic(coefficients: [f64; 5], low: f64, high: f64) -> Controls {
        // p(low + x·h) by Taylor, then from powers to Bernstein.
        let [c0, c1, c2, c3, c4] = coefficients;
        let h = high - low;
        let p = [
            c0 + low * (c1 + low * (c2 + low * (c3 + low * c4))),
            h * (c1 + low * (2.0 * c2 + low * (3.0 * c3 + low * 4.0 * c4))),
            h * h * (c2 + low * (3.0 * c3 + low * 6.0 * c4)),
            h * h * h * (c3 + 4.0 * low * c4),
            h * h * h * h * c4,
        ];
        [
            p[0],
            p[0] + p[1] / 4.0,
            p[0] + p[1] / 2.0 + p[2] / 6.0,
            p[0] + 0.75 * p[1] + p[2] / 2.0 + p[3] / 4.0,
            p[0] + p[1] + p[2] + p[3] + p[4],
        ]
    }

    #[test]
    fn the_first_of_several_zeros_is_reached_from_below() {
        // (x − 1)(x − 2)(x − 3)(x − 4)
        let found = first_zero(10.0, 1e-13, |low, high| {
            quartic([24.0, -50.0, 35.0, -10.0, 1.0], low, high)
        });
        assert!(found.until <= 1.0 && found.until > 1.0 - 1e-9 && !found.whole, "{found:?}");
    }

    #[test]
    fn a_near_miss_is_passed() {
        // (x − 1)² + 1e-9
        let found = first_zero(4.0, 1e-13, |low, high| {
            quartic([1.0 + 1e-9, -2.0, 1.0, 0.0, 0.0], low, high)
        });
        assert!(found.whole, "{found:?}");
    }

    #[test]
    fn cubes_and_products_have_the_values_of_their_ends() {
        let c = cube(1.0, 3.0);
        assert_eq!([c[0], c[4]], [1.0, 27.0]);
        assert_eq!(c[2], 0.5 * (3.0 + 9.0));
        assert_eq!(
            product([1.0, 1.0, 1.0], [2.0, 3.0, 5.0], |a, b| a * b),
            raised([2.0, 3.0, 5.0])
        );
    }
}
