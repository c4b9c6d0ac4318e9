//! How far a mean may be off: quantiles of Student's distribution.
//!
//! For n independent values with mean x̄ and standard deviation s, the true mean lies within x̄ ± t s/√n with the probability
//! A(t | ν), ν = n − 1. For whole ν, A is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4), with θ = arctan(t/√ν):
//!
//! - ν odd: A = (2/π) (θ + sin θ (cos θ + ⅔ cos³ θ + … + (2·4⋯(ν−3))/(3·5⋯(ν−2)) cos^(ν−2) θ)), for ν = 1 just 2θ/π;
//! - ν even: A = sin θ (1 + ½ cos² θ + … + (1·3⋯(ν−3))/(2·4⋯(ν−2)) cos^(ν−2) θ).
//!
//! A grows with θ, so t is found by halving the interval.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// The probability with which a confidence interval holds.
pub(super) const CONFIDENCE: f64 = 0.95;

/// Degrees of freedom beyond which the quantile is taken for that of this many: by then it is within 1.3e-4 of its limit.
/// More: sums get longer for nothing; fewer: intervals of large samples get too wide.
const MOST_DEGREES: u64 = 10_000;

/// Halvings of the interval, to the last bit.
const HALVINGS: usize = 60;

/// The t with A(t | ν) = 95 %, for ν of at least 1.
pub(super) fn quantile(degrees: u64) -> f64 {
    let degrees = degrees.clamp(1, MOST_DEGREES);
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if probability(middle, degrees) < CONFIDENCE {
            low = middle;
        } else {
            high = middle;
        }
    }
    libm::tan(0.5 * (low + high)) * (degrees as f64).sqrt()
}

/// A as a function of θ.
fn probability(theta: f64, degrees: u64) -> f64 {
    let (sine, cosine) = libm::sincos(theta);
    let odd = degrees % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = if degrees == 1 { 0.0 } else { term };
    // Exponents of the cosine: those of one parity up to ν − 2.
    let mut power = if odd { 3 } else { 2 };
    while power + 2 <= degrees {
        let factor = (power - 1) as f64 / power as f64;
        term *= factor * cosine * cosine;
        sum += term;
        power += 2;
    }
    if odd { FRAC_2_PI * (theta + sine * sum) } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 26.10, to three decimals; digits beyond from the closed forms of ν = 1 and 2.
        let table = [
            (1, 12.7062047),
            (2, 4.30265273),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (10, 2.228),
            (11, 2.201),
            (30, 2.042),
            (60, 2.000),
            (120, 1.980),
        ];
        for (degrees, expected) in table {
            let got = quantile(degrees);
            println!("ν = {degrees}: {got}");
            // Half a unit of the last decimal that the table has.
            let off = if degrees < 3 { 5e-8 } else { 5e-4 };
            assert!((got - expected).abs() <= off, "ν = {degrees}: {got}, {expected}");
        }
        // The limit is the normal distribution's 1.959964.
        assert!((quantile(u64::MAX) - 1.959964).abs() < 3e-4);
    }
}
