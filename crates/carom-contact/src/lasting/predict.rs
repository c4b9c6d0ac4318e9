//! When a gap will close, from its value and two derivatives (Baraff 1992, section 6.5).
//!
//! The least τ > 0 with g + ġτ + ½g̈τ² = 0. Of the two forms of a root, the one is taken that adds what has one sign:
//!
//! ```text
//! ġ ≤ 0:  τ = 2g/(−ġ + √(ġ² − 2g̈g)),        ġ > 0, g̈ < 0:  τ = (ġ + √(ġ² − 2g̈g))/(−g̈).                         (13)
//! ```
//!
//! The first goes over into the linear estimate −g/ġ as g̈ → 0 and is right for ġ = 0 too. Under constant relative acceleration
//! it is exact, to rounding.

/// Time after which a gap `[m]` with this rate `[m/s]` and second derivative `[m/s²]` is closed; none if it never is. A gap that
/// is closed already and does not open closes now.
pub fn touch_time(gap: f64, rate: f64, acceleration: f64) -> Option<f64> {
    if gap <= 0.0 && (rate < 0.0 || rate == 0.0 && acceleration <= 0.0) {
        return Some(0.0);
    }
    let discriminant = rate * rate - 2.0 * acceleration * gap;
    if discriminant < 0.0 {
        return None;
    }
    let root = f64::sqrt(discriminant);
    let time = if rate > 0.0 || gap < 0.0 {
        // Apart now and then back; of what is inside, the way out comes first and the way back second.
        if acceleration >= 0.0 {
            return None;
        }
        (rate + root) / -acceleration
    } else {
        2.0 * gap / (root - rate)
    };
    time.is_finite().then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dropped at rest from h the estimate is √(2h/g), thrown down or up the root of the parabola.
    #[test]
    fn a_drop_ends_when_the_parabola_does() {
        let g = 9.81;
        for h in [1e-9_f64, 1e-3, 1.0, 1e4] {
            let exact = libm::sqrt(2.0 * h / g);
            let off = (touch_time(h, 0.0, -g).expect("it falls") / exact - 1.0).abs();
            assert!(off < 4e-16, "from {h}: {off:e}");
        }
        // Thrown up at 3 m/s from a height of 2 m: 3τ − 4.905τ² = −2.
        let up = touch_time(2.0, 3.0, -g).expect("it comes back");
        assert!((2.0 + 3.0 * up - 0.5 * g * up * up).abs() < 1e-14, "{up}");
        let down = touch_time(2.0, -3.0, -g).expect("it falls");
        assert!((2.0 - 3.0 * down - 0.5 * g * down * down).abs() < 1e-14 && down < up, "{down}");
    }

    #[test]
    fn grazing_is_told_from_missing_to_rounding() {
        // (1 − τ)² touches at τ = 1, with a double root.
        assert_eq!(touch_time(1.0, -2.0, 2.0), Some(1.0));
        assert_eq!(touch_time(1.0 + 1e-15, -2.0, 2.0), None);
        let near = touch_time(1.0 - 1e-12, -2.0, 2.0).expect("it just gets there");
        assert!((near - (1.0 - 1e-6)).abs() < 1e-9, "{near}");
        // The nearer of two roots, without cancellation: 1e-12 − τ + ½τ².
        let small = touch_time(1e-12, -1.0, 1.0).expect("it closes");
        assert!((small / 1e-12 - 1.0).abs() < 1e-11, "{small}");
    }

    #[test]
    fn as_acceleration_vanishes_the_estimate_becomes_linear() {
        for acceleration in [0.0, 1e-300, -1e-300, 1e-20, -1e-20] {
            assert_eq!(touch_time(3.0, -2.0, acceleration), Some(1.5));
        }
        assert_eq!(touch_time(3.0, 0.0, 0.0), None);
        assert_eq!(touch_time(3.0, 2.0, 0.0), None);
        assert_eq!(touch_time(3.0, 2.0, 1.0), None);
    }

    #[test]
    fn what_touches_closes_now_or_opens() {
        assert_eq!(touch_time(0.0, -1.0, 5.0), Some(0.0));
        assert_eq!(touch_time(0.0, 0.0, -1.0), Some(0.0));
        assert_eq!(touch_time(0.0, 0.0, 0.0), Some(0.0));
        // A hop: back after 2ġ/g.
        assert_eq!(touch_time(0.0, 1.0, -2.0), Some(1.0));
        assert_eq!(touch_time(0.0, 0.0, 1.0), None);
        assert_eq!(touch_time(-1.0, 2.0, 0.0), None);
    }
}
