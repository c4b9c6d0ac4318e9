//! The grid on the ground: lines at round distances, as wide as a pixel's footprint allows, so that they never flicker.
//!
//! A pixel covers an interval of width f of the coordinate across the lines. The share of it that lines of width d at
//! multiples of s cover is the difference of I(x) = ⌊x/s⌋·d + min(x mod s, d) at its ends, by f: exact for any f, and the
//! mean where many lines fall into one pixel.

use glam::DVec3;

/// Lines of a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// From line to line `[m]`.
    pub(crate) spacing: f64,
    /// How many fine lines make a strong one.
    strong: f64,
    /// Width of lines `[m]`.
    width: f64,
    east: DVec3,
    north: DVec3,
}

/// How dark lines are.
const FINE: f64 = 0.16;
const STRONG: f64 = 0.30;

impl Grid {
    /// For a picture that is so high at what it looks at, with pixels so large there `[m]`.
    pub(crate) fn new(height: f64, pixel: f64, up: DVec3) -> Self {
        let (spacing, strong) = round_length(height / 9.0);
        let east = if up.dot(DVec3::X).abs() < 0.9 { DVec3::X } else { DVec3::Y };
        let east = (east - east.dot(up) * up).try_normalize().unwrap_or(DVec3::X);
        Self { spacing, strong, width: 1.1 * pixel, east, north: up.cross(east) }
    }

    /// How much darker the ground is at a point, for a pixel whose sides are these steps on the ground `[m]`.
    pub(crate) fn shade(&self, point: DVec3, steps: [DVec3; 2]) -> f64 {
        let mut light = 1.0;
        for axis in [self.east, self.north] {
            let footprint = steps.iter().map(|step| step.dot(axis).abs()).sum::<f64>();
            let at = point.dot(axis);
            let fine = covered(at, self.spacing, self.width, footprint);
            let strong = covered(at, self.spacing * self.strong, 1.5 * self.width, footprint);
            // Where lines are closer than pixels the mean would only darken the ground.
            let fades = |spacing: f64| (1.5 - 3.0 * footprint / spacing).clamp(0.0, 1.0);
            light *= 1.0 - FINE * fine * fades(self.spacing);
            light *= 1.0 - STRONG * strong * fades(self.spacing * self.strong);
        }
        light
    }
}

/// The share of an interval around `at` that lines cover.
fn covered(at: f64, spacing: f64, width: f64, footprint: f64) -> f64 {
    let footprint = footprint.max(1e-3 * width);
    let sum = |x: f64| {
        let turns = (x / spacing).floor();
        turns * width + (x - turns * spacing).min(width)
    };
    // Lines are centred on the multiples.
    let start = at - 0.5 * footprint + 0.5 * width;
    ((sum(start + footprint) - sum(start)) / footprint).clamp(0.0, 1.0)
}

/// The largest of 1, 2 and 5 times a power of ten up to a length, and how many of them make a rounder one.
pub(crate) fn round_length(length: f64) -> (f64, f64) {
    if !(length.is_finite() && length > 0.0) {
        return (1.0, 5.0);
    }
    let mut exponent = libm::floor(libm::log10(length));
    let mut power = libm::pow(10.0, exponent);
    // A logarithm can be off by a rounding at powers of ten.
    if length >= 10.0 * power * (1.0 - 1e-12) {
        exponent += 1.0;
        power = libm::pow(10.0, exponent);
    }
    let mantissa = length / power;
    let (digit, strong) = match mantissa {
        m if m >= 5.0 => (5.0, 2.0),
        m if m >= 2.0 => (2.0, 5.0),
        _ => (1.0, 5.0),
    };
    // Below 1 by division: 0.1 and its like have no exact power to multiply with.
    let rounded = if exponent < 0.0 { digit / libm::pow(10.0, -exponent) } else { digit * power };
    (rounded, strong)
}

/// A length as people say it.
pub(crate) fn length_text(length: f64) -> String {
    let (factor, unit) = match length {
        l if l >= 1000.0 => (1e-3, "km"),
        l if l >= 1.0 => (1.0, "m"),
        l if l >= 0.01 => (100.0, "cm"),
        l if l >= 0.001 => (1e3, "mm"),
        _ => (1e6, "µm"),
    };
    let number = length * factor;
    let rounded = number.round();
    if (number - rounded).abs() < 1e-6 * number {
        format!("{rounded} {unit}")
    } else {
        format!("{number:.2e} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_round() {
        for (length, expected) in
            [(0.0123, 0.01), (0.1, 0.1), (0.3, 0.2), (7.0, 5.0), (999.0, 500.0)]
        {
            assert_eq!(round_length(length).0, expected);
        }
        assert_eq!(round_length(f64::NAN).0, 1.0);
        assert_eq!(length_text(0.1), "10 cm");
        assert_eq!(length_text(0.002), "2 mm");
        assert_eq!(length_text(5000.0), "5 km");
        assert_eq!(length_text(0.00005), "50 µm");
    }

    #[test]
    fn lines_cover_their_width_over_many_and_all_of_a_small_pixel() {
        assert!((covered(0.37, 1.0, 0.1, 1000.0) - 0.1).abs() < 1e-3);
        assert!((covered(3.0, 1.0, 0.1, 0.01) - 1.0).abs() < 1e-12);
        assert_eq!(covered(3.5, 1.0, 0.1, 0.01), 0.0);
    }
}
