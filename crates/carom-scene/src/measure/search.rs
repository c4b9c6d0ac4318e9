//! Zeros, extremes and means of functions of time.

use rhai::EvalAltResult;

type Answer<T> = Result<T, Box<EvalAltResult>>;

/// A function of time that may fail.
type Function<'a> = dyn Fn(f64) -> Answer<f64> + 'a;

/// Into so many parts an interval is cut in search of a change of sign, an extreme or a mean.
const PARTS: u32 = 2000;

/// Halvings after which an interval of doubles cannot be cut any more.
const HALVINGS: u32 = 1100;

/// Golden sections after which an interval has shrunk by more than the digits of a double.
const SECTIONS: u32 = 60;

/// The golden section, (√5 − 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

fn at_part(from: f64, to: f64, part: u32) -> f64 {
    if part == PARTS { to } else { from + (to - from) * (f64::from(part) / f64::from(PARTS)) }
}

/// The first time at which the function changes its sign between two of the parts, to rounding.
pub(super) fn first_zero(f: &Function<'_>, from: f64, to: f64) -> Answer<f64> {
    let mut before = (from, f(from)?);
    for part in 1..=PARTS {
        if before.1 == 0.0 {
            return Ok(before.0);
        }
        let time = at_part(from, to, part);
        let after = (time, f(time)?);
        if (before.1 < 0.0) != (after.1 < 0.0) {
            return halved(f, before, after.0);
        }
        before = after;
    }
    Err(format!("the function does not change its sign between {from} s and {to} s").into())
}

fn halved(f: &Function<'_>, (mut low, at_low): (f64, f64), mut high: f64) -> Answer<f64> {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if (f(middle)? < 0.0) == (at_low < 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}

/// The largest value: the best of the parts, refined between its neighbours by golden sections.
pub(super) fn maximum(f: &Function<'_>, from: f64, to: f64) -> Answer<f64> {
    let mut best = (0, f64::NEG_INFINITY);
    for part in 0..=PARTS {
        let found = f(at_part(from, to, part))?;
        if found > best.1 {
            best = (part, found);
        }
    }
    let mut low = at_part(from, to, best.0.saturating_sub(1));
    let mut high = at_part(from, to, (best.0 + 1).min(PARTS));
    for _ in 0..SECTIONS {
        let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        let (at_left, at_right) = (f(left)?, f(right)?);
        best.1 = best.1.max(at_left).max(at_right);
        if at_left > at_right {
            high = right;
        } else {
            low = left;
        }
    }
    Ok(best.1)
}

/// The mean, by Simpson's rule.
pub(super) fn mean(f: &Function<'_>, from: f64, to: f64) -> Answer<f64> {
    let mut sum = 0.0;
    for part in 0..=PARTS {
        let weight = match part {
            0 | PARTS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        sum += weight * f(at_part(from, to, part))?;
    }
    Ok(sum / (3.0 * f64::from(PARTS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_is_found_to_rounding_and_the_first_of_several() {
        let zero = first_zero(&|t| Ok(libm::sin(t)), 1.0, 20.0).unwrap();
        assert_eq!(zero, std::f64::consts::PI.next_up());
        assert_eq!(first_zero(&|t| Ok(t - 1.0), 1.0, 2.0).unwrap(), 1.0);
        assert!(first_zero(&|_| Ok(1.0), 0.0, 1.0).is_err());
    }

    #[test]
    fn an_extreme_between_the_parts_is_found() {
        let top = maximum(&|t| Ok(-(t - 0.123_456) * (t - 0.123_456)), 0.0, 7.0).unwrap();
        assert!(top.abs() < 1e-16, "{top}");
        assert_eq!(maximum(&Ok, 0.0, 7.0).unwrap(), 7.0);
    }

    #[test]
    fn the_mean_of_a_cubic_is_exact_to_rounding() {
        let mean = mean(&|t| Ok(t * t * t), 0.0, 2.0).unwrap();
        assert!((mean - 2.0).abs() < 1e-14, "{mean}");
    }
}
