//! How far a share may be off: Wilson's interval.
//!
//! Of n runs that are independent, k come out. A true share p is believed as long as what was found is within z standard
//! deviations of it, (k/n − p)² ≤ z² p(1 − p)/n. That is a quadratic in p, with the roots
//!
//! (k + z²/2 ± z √(k(n − k)/n + z²/4)) / (n + z²)
//!
//! (Wilson, J. Am. Stat. Assoc. 22, 1927). They lie between 0 and 1, and say something for k = 0 and k = n too, where the
//! usual k/n ± z s/√n has no width.

use serde::Serialize;

/// Quantile of the normal distribution: 95 % lie within so many standard deviations of the mean.
const NORMAL: f64 = 1.959_963_984_540_054;

/// How many of some runs came out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proportion {
    /// Those that did.
    pub count: u64,
    /// All.
    pub runs: u64,
    /// Their share.
    pub share: f64,
    /// The lower end of what the true share may be, with 95 % confidence.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Proportion {
    /// So many of so many; none of no runs, and none if there are fewer runs than came out.
    pub fn new(count: u64, runs: u64) -> Option<Self> {
        if runs == 0 || count > runs {
            return None;
        }
        let (k, n) = (count as f64, runs as f64);
        let square = NORMAL * NORMAL;
        let middle = k + 0.5 * square;
        let half = NORMAL * (k * (n - k) / n + 0.25 * square).sqrt();
        // The ends are exact where rounding would make them nearly so.
        let low = if count == 0 { 0.0 } else { (middle - half) / (n + square) };
        let high = if count == runs { 1.0 } else { (middle + half) / (n + square) };
        Some(Self { count, runs, share: k / n, low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilsons_formula() {
        // z²/(10 + z²) for none of ten, its mirror image for all; ½ ± z/(2√(10 + z²)) for half of them.
        let exact = [
            (0, 0.0, 0.277_532_799_862_889_25),
            (5, 0.236_593_090_512_563_98, 0.763_406_909_487_436),
            (10, 0.722_467_200_137_110_7, 1.0),
        ];
        for (count, low, high) in exact {
            let got = Proportion::new(count, 10).unwrap();
            assert_eq!((got.count, got.runs, got.share), (count, 10, count as f64 / 10.0));
            // Rounding.
            let off = (got.low - low).abs().max((got.high - high).abs());
            assert!(off < 1e-15, "{count} of 10: {got:?}");
        }
    }

    #[test]
    fn the_ends_are_where_the_share_found_is_a_quantile_away() {
        for (count, runs) in [(1, 3), (7, 100), (99, 100), (320, 640), (1, 1_000_000)] {
            let got = Proportion::new(count, runs).unwrap();
            for end in [got.low, got.high] {
                let deviation = (end * (1.0 - end) / runs as f64).sqrt();
                let away = (got.share - end).abs() / deviation;
                assert!((away / NORMAL - 1.0).abs() < 1e-9, "{count} of {runs}: {away}");
            }
            assert!(0.0 <= got.low && got.low < got.share && got.share < got.high);
            assert!(got.high <= 1.0);
        }
    }

    #[test]
    fn no_runs_have_no_share() {
        assert_eq!(Proportion::new(0, 0), None);
        assert_eq!(Proportion::new(2, 1), None);
    }
}
