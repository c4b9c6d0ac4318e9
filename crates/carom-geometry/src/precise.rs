//! Normals to full precision where plain arithmetic cancels.
//!
//! The cross product of two nearly parallel arms loses as many digits as the triangle is thin. Here
//! coordinate differences are exact (Knuth's two-sum), products are exact (Dekker's splitting), and the
//! sums carry a second double, so the relative error is about 2⁻¹⁰⁰ of the largest product: thin
//! triangles of double coordinates keep a normal correct to rounding.

use glam::DVec3;

/// A number as the unevaluated sum hi + lo.
#[derive(Clone, Copy)]
struct Double {
    hi: f64,
    lo: f64,
}

impl Double {
    /// a − b, exactly.
    fn difference(a: f64, b: f64) -> Self {
        let hi = a - b;
        let b_part = a - hi;
        let a_part = hi + b_part;
        Self { hi, lo: (a - a_part) + (b_part - b) }
    }

    fn product(self, other: Self) -> Self {
        let (hi, error) = exact_product(self.hi, other.hi);
        Self { hi, lo: error + (self.hi * other.lo + self.lo * other.hi) }
    }

    fn minus(self, other: Self) -> f64 {
        let high = Self::difference(self.hi, other.hi);
        high.hi + (high.lo + (self.lo - other.lo))
    }
}

/// a·b as rounded value and rounding error.
fn exact_product(a: f64, b: f64) -> (f64, f64) {
    let split = |x: f64| {
        let spread = 134_217_729.0 * x; // 2²⁷ + 1
        let high = spread - (spread - x);
        (high, x - high)
    };
    let value = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let error = ((a_high * b_high - value) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (value, error)
}

/// (b − a) × (c − a): twice the vector area of a triangle, whose direction is its normal.
///
/// Coordinates must be finite and within about 1e±140, so that products neither over- nor underflow.
pub(crate) fn triangle_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    let arm = |p: DVec3| [0, 1, 2].map(|i| Double::difference(p[i], a[i]));
    let (u, v) = (arm(b), arm(c));
    let component = |i: usize, j: usize| u[i].product(v[j]).minus(u[j].product(v[i]));
    DVec3::new(component(1, 2), component(2, 0), component(0, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_of_a_sliver_keeps_its_digits() {
        // Height 1e-15 over a base of 1: the plain cross product has about one digit left.
        let a = DVec3::new(0.1, 0.2, 0.3);
        let b = DVec3::new(0.9, 0.7, 0.4);
        let c = DVec3::new(0.5, 0.45, 0.35_f64.next_up());
        let normal = triangle_normal([a, b, c]);
        let swapped = triangle_normal([b, c, a]);
        let error = (normal - swapped).length() / normal.length();
        assert!(normal.length() > 0.0 && error < 1e-15, "{normal} {swapped} {error:e}");
    }

    #[test]
    fn fat_triangles_agree_with_the_plain_product() {
        let [a, b, c] = [DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0), DVec3::new(-2.0, 1.0, 0.5)];
        assert_eq!(triangle_normal([a, b, c]), b.cross(c));
    }
}
