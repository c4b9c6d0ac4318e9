//! Exact answers to the questions that topology hangs on.
//!
//! `robust` evaluates the sign of a determinant exactly (Shewchuk's adaptive expansions) as long as no
//! product over- or underflows. [`ExactPoints`] makes that hold for any finite input: it scales all
//! coordinates by one power of two, which changes no bit of a mantissa, so that the largest lies in
//! [½, 1), and sets those below 2⁻²⁵⁰ of the largest to zero. Three coordinate differences and their
//! roundings then stay above 2⁻⁹⁰⁹, far from the smallest number.

use std::cmp::Ordering;

use glam::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Coordinates below this share of the largest count as zero.
const NEGLIGIBLE: f64 = f64::from_bits((1023 - 250) << 52);

/// Points scaled so that predicates on them are exact; see the module's header.
#[derive(Clone, Debug)]
pub struct ExactPoints {
    points: Vec<DVec3>,
}

impl ExactPoints {
    /// Takes finite points.
    pub fn new(points: &[DVec3]) -> Self {
        let largest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let (_, exponent) = libm::frexp(largest);
        let scale = |x: f64| {
            let scaled = libm::scalbn(x, -exponent);
            if scaled.abs() < NEGLIGIBLE { 0.0 } else { scaled }
        };
        let points = points.iter().map(|p| DVec3::new(scale(p.x), scale(p.y), scale(p.z)));
        Self { points: points.collect() }
    }

    /// The scaled points, in order.
    pub fn as_slice(&self) -> &[DVec3] {
        &self.points
    }

    /// Which side of the plane through points `a`, `b`, `c` point `d` lies on: `Greater` on the side
    /// from which they run counter-clockwise (outside, for a face), `Less` behind, `Equal` on it.
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn side(&self, [a, b, c]: [usize; 3], d: usize) -> Ordering {
        side_of_plane([self.points[a], self.points[b], self.points[c]], self.points[d])
    }
}

/// As [`ExactPoints::side`] for bare positions; exact while their coordinates and differences are zero or
/// within about 2^±250.
pub fn side_of_plane([a, b, c]: [DVec3; 3], d: DVec3) -> Ordering {
    sign(-orient3d(coord3(a), coord3(b), coord3(c), coord3(d)))
}

/// Turning sense of three points in a coordinate plane: `Greater` for counter-clockwise.
pub fn turn_2d(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Ordering {
    let coord = |[x, y]: [f64; 2]| Coord { x, y };
    sign(orient2d(coord(a), coord(b), coord(c)))
}

/// True when the three points lie on one line, exactly: all three coordinate shadows are collinear.
pub fn collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    let shadow = |i: usize, j: usize| turn_2d([a[i], a[j]], [b[i], b[j]], [c[i], c[j]]);
    [(0, 1), (1, 2), (2, 0)].iter().all(|&(i, j)| shadow(i, j) == Ordering::Equal)
}

fn coord3(p: DVec3) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

fn sign(determinant: f64) -> Ordering {
    determinant.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    #[test]
    fn the_side_that_sees_the_corners_counter_clockwise_is_outside() {
        assert_eq!(side_of_plane(UNIT, DVec3::Z), Ordering::Greater);
        assert_eq!(side_of_plane(UNIT, -DVec3::Z), Ordering::Less);
        assert_eq!(side_of_plane(UNIT, DVec3::new(5.0, -3.0, 0.0)), Ordering::Equal);
    }

    #[test]
    fn one_ulp_off_a_tilted_plane_is_seen_at_any_scale() {
        for scale in [1e-300, 1e-150, 1.0, 1e150, 1e300] {
            let a = DVec3::new(0.1, 0.2, 0.3) * scale;
            let b = DVec3::new(0.7, 0.1, 0.5) * scale;
            let c = DVec3::new(0.3, 0.9, 0.4) * scale;
            let above = DVec3::new(c.x, c.y, c.z.next_up());
            let below = DVec3::new(c.x, c.y, c.z.next_down());
            let points = ExactPoints::new(&[a, b, c, above, below]);
            assert_eq!(points.side([0, 1, 2], 3), Ordering::Greater, "scale {scale:e}");
            assert_eq!(points.side([0, 1, 2], 4), Ordering::Less, "scale {scale:e}");
            assert_eq!(points.side([0, 1, 2], 2), Ordering::Equal, "scale {scale:e}");
        }
    }

    #[test]
    fn collinearity_is_exact() {
        let a = DVec3::new(0.1, 0.3, 0.7);
        assert!(collinear(a, a * 2.0, a * 4.0));
        let off = DVec3::new(a.x * 4.0, (a.y * 4.0).next_up(), a.z * 4.0);
        assert!(!collinear(a, a * 2.0, off));
    }
}
