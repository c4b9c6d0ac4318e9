//! Where an axis has marks, and what stands beside them.
//!
//! On a linear axis marks are multiples of 1, 2 or 5 times a power of ten, about six of them, and the axis ends at marks
//! (after Heckbert, Graphics Gems, 1990). On a logarithmic axis they are powers of ten, every second or third one where
//! there are many, or 1, 2 and 5 times powers of ten where there are few.

use std::ops::RangeInclusive;

/// How many marks there are, about.
const WANTED: f64 = 6.0;

/// Numbers larger than this are not drawn: their differences could overflow.
pub(super) const LARGEST: f64 = 1e300;

/// Positive numbers smaller than this are not drawn on logarithmic axes, and differences smaller than this do not show on
/// linear ones: powers of ten beyond it have fewer digits, and their inverses overflow.
pub(super) const SMALLEST: f64 = 1e-300;

/// An axis is at least this much wider than the rounding of the numbers on it. Less: marks coincide; more: differences that
/// are there do not show.
const LEAST_WIDTH: f64 = 1e-12;

/// Decades up to which a logarithmic axis has marks at 2 and 5, too.
const FEW_DECADES: i32 = 2;

/// Decades in which people read plain numbers with ease.
const PLAIN_DECADES: RangeInclusive<i32> = -3..=5;

/// A mark.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Where.
    pub(super) at: f64,
    /// What stands beside it; empty for a small mark.
    pub(super) label: String,
}

/// The ends of an axis and its marks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    pub(super) ends: [f64; 2],
    pub(super) ticks: Vec<Tick>,
}

/// 10ᵏ, exactly rounded.
pub(super) fn power_of_ten(exponent: i32) -> f64 {
    // The one way to powers of ten with the same bits everywhere.
    format!("1e{exponent}").parse().unwrap_or(f64::INFINITY)
}

/// The largest k with 10ᵏ ≤ x, for a positive x.
pub(super) fn decade_of(x: f64) -> i32 {
    let guess = libm::floor(libm::log10(x)) as i32;
    let is_below = |exponent: i32| power_of_ten(exponent) <= x;
    (guess - 1..=guess + 1).rev().find(|exponent| is_below(*exponent)).unwrap_or(guess)
}

/// Marks of a linear axis over a stretch of numbers.
pub(super) fn linear([low, high]: [f64; 2]) -> Ticks {
    let size = low.abs().max(high.abs());
    let (low, high) = if high - low > (LEAST_WIDTH * size).max(SMALLEST) {
        (low, high)
    } else if size >= SMALLEST {
        (low - 0.5 * size, high + 0.5 * size)
    } else {
        (-1.0, 1.0)
    };
    let rough = (high - low) / WANTED;
    let exponent = decade_of(rough);
    let share = rough / power_of_ten(exponent);
    let (digit, exponent) = match share {
        share if share < 1.4 => (1.0, exponent),
        share if share < 2.8 => (2.0, exponent),
        share if share < 7.0 => (5.0, exponent),
        _ => (1.0, exponent + 1),
    };
    // Quotients of whole numbers, where they are exact, are the decimals that people write.
    let value = |n: f64| match exponent {
        0.. => n * digit * power_of_ten(exponent),
        _ => n * digit / power_of_ten(-exponent),
    };
    let step = value(1.0);
    let (first, last) = (libm::floor(low / step), libm::ceil(high / step));
    let count = (last - first) as usize;
    let at = |n: usize| value(first + n as f64);
    let largest = at(0).abs().max(at(count).abs());
    let label = |x: f64| linear_label(x, exponent, largest);
    let ticks = (0..=count).map(|n| Tick { at: at(n), label: label(at(n)) }).collect();
    Ticks { ends: [at(0), at(count)], ticks }
}

/// A number that is a multiple of 10^exponent, as it stands on an axis up to `largest`.
fn linear_label(x: f64, exponent: i32, largest: f64) -> String {
    let top = if largest > 0.0 { decade_of(largest) } else { 0 };
    if x == 0.0 {
        return "0".to_owned();
    }
    if top < 6 && exponent > -6 {
        return signed(&format!("{x:.*}", (-exponent).max(0) as usize));
    }
    let digits = (top - exponent).clamp(0, 15) as usize;
    let mantissa = x / power_of_ten(top);
    format!("{}e{top}", signed(&format!("{mantissa:.digits$}")))
}

/// Marks of a logarithmic axis over a stretch of positive numbers.
pub(super) fn logarithmic([low, high]: [f64; 2]) -> Ticks {
    let (low, high) =
        if high > low * (1.0 + LEAST_WIDTH) { (low, high) } else { (low / 2.0, high * 2.0) };
    let marks = |exponent: i32| [1.0, 2.0, 5.0].map(|digit| digit * power_of_ten(exponent));
    let around = (decade_of(low) - 1..=decade_of(high) + 1).flat_map(marks);
    let first = around.clone().filter(|mark| *mark <= low).fold(f64::NAN, f64::max);
    let last = around.filter(|mark| *mark >= high).fold(f64::NAN, f64::min);
    let ends = [if first.is_nan() { low } else { first }, if last.is_nan() { high } else { last }];
    let decades = decade_of(ends[0])..=decade_of(ends[1]);
    let n_decades = decades.end() - decades.start();
    let every = 1 + n_decades / 9;
    let is_plain = PLAIN_DECADES.contains(decades.start()) && PLAIN_DECADES.contains(decades.end());
    let mut ticks = Vec::new();
    for exponent in decades {
        for digit in 1_i32..10 {
            let at = f64::from(digit) * power_of_ten(exponent);
            let is_labelled = match digit {
                1 => exponent.rem_euclid(every) == 0,
                2 | 5 => n_decades <= FEW_DECADES,
                _ => false,
            };
            // Where decades are crowded the small marks between them are none.
            let is_there = is_labelled || every == 1;
            if (ends[0]..=ends[1]).contains(&at) && is_there {
                let label = if is_labelled {
                    logarithmic_label(digit, exponent, is_plain)
                } else {
                    String::new()
                };
                ticks.push(Tick { at, label });
            }
        }
    }
    Ticks { ends, ticks }
}

/// Plain numbers, or on axes that reach farther powers of ten.
fn logarithmic_label(digit: i32, exponent: i32, is_plain: bool) -> String {
    let number = f64::from(digit) * power_of_ten(exponent);
    match digit {
        _ if is_plain => format!("{number:.*}", (-exponent).max(0) as usize),
        _ => format!("{digit}e{exponent}"),
    }
}

/// With a minus that is as wide as a plus.
fn signed(number: &str) -> String {
    number.replacen('-', "−", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &Ticks) -> Vec<&str> {
        ticks.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn marks_of_a_linear_axis_are_round_and_hold_the_data() {
        assert_eq!(
            labels(&linear([0.0, 1.0])),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"].map(zero)
        );
        assert_eq!(labels(&linear([-3.0, 7.9])), ["−4", "−2", "0", "2", "4", "6", "8"]);
        assert_eq!(
            labels(&linear([0.012, 0.031])),
            ["0.010", "0.015", "0.020", "0.025", "0.030", "0.035"]
        );
        let large = linear([0.0, 2.5e7]);
        assert_eq!(labels(&large), ["0", "0.5e7", "1.0e7", "1.5e7", "2.0e7", "2.5e7"]);
        assert_eq!(labels(&linear([1e-9, 3e-9]))[0], "1.0e-9");
    }

    fn zero(text: &str) -> &str {
        if text == "0.0" { "0" } else { text }
    }

    #[test]
    fn marks_are_few_rising_and_around_the_data_whatever_it_is() {
        let sizes = [1e-300_f64, 1e-17, 3e-5, 0.7, 1.0, 9.99, 123.456, 1e15, 1e299];
        for a in sizes {
            for b in sizes {
                for [low, high] in [[a, b], [-a, b], [-a, -b], [a, a], [a, a * (1.0 + 1e-15)]] {
                    let [low, high] = [low.min(high), low.max(high)];
                    let Ticks { ends, ticks } = linear([low, high]);
                    // What is smaller than the rounding of the other end may round away.
                    let off = f64::EPSILON * (ends[1] - ends[0]);
                    let holds = ends[0] <= low + off && high - off <= ends[1];
                    assert!(holds, "{low:e} {high:e}: {ends:?}");
                    assert!((2..=13).contains(&ticks.len()), "{low} {high}: {}", ticks.len());
                    assert!(ticks.windows(2).all(|pair| pair[0].at < pair[1].at), "{low} {high}");
                }
                let [low, high] = [a.min(b), a.max(b)];
                let Ticks { ends, ticks } = logarithmic([low, high]);
                assert!(ends[0] <= low && high <= ends[1], "{low} {high}: {ends:?}");
                let n_labels = ticks.iter().filter(|tick| !tick.label.is_empty()).count();
                assert!((1..=12).contains(&n_labels), "{low} {high}: {n_labels}");
                assert!(ticks.len() <= 100 && ticks.windows(2).all(|p| p[0].at < p[1].at));
            }
        }
        assert_eq!(linear([0.0, 0.0]).ends, [-1.0, 1.0]);
    }

    #[test]
    fn marks_of_a_logarithmic_axis_are_powers_of_ten_or_one_two_five() {
        let named = |ticks: &Ticks| -> Vec<String> {
            ticks.ticks.iter().map(|it| it.label.clone()).filter(|it| !it.is_empty()).collect()
        };
        assert_eq!(
            named(&logarithmic([0.3, 40.0])),
            ["0.2", "0.5", "1", "2", "5", "10", "20", "50"]
        );
        let wide = logarithmic([1e-6, 1e3]);
        assert_eq!(wide.ends, [1e-6, 1e3]);
        assert_eq!(named(&wide), ["1e-6", "1e-4", "1e-2", "1e0", "1e2"]);
        assert_eq!(named(&logarithmic([1.0, 1e5])), ["1", "10", "100", "1000", "10000", "100000"]);
        assert_eq!([decade_of(1000.0), decade_of(999.999), decade_of(1e-5)], [3, 2, -5]);
    }
}
