//! Ellipsoids.

use std::f64::consts::PI;

use glam::DVec3;

use super::{diagonal_mass, length, unit};
use crate::mass::special::carlson_rg;
use crate::shape::{ShapeError, Solid, positive_size};
use crate::{MassError, MassProperties};

/// A solid ellipsoid around the origin, its axes along the coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    semi_axes: DVec3,
}

impl Ellipsoid {
    /// An ellipsoid with the given semi-axes `[m]`.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(semi_axes: DVec3) -> Result<Self, ShapeError> {
        for length in semi_axes.to_array() {
            positive_size("ellipsoid", "semi-axis", length)?;
        }
        Ok(Self { semi_axes })
    }

    /// Its semi-axes `[m]`.
    pub fn semi_axes(&self) -> DVec3 {
        self.semi_axes
    }
}

impl Solid for Ellipsoid {
    fn kind(&self) -> &'static str {
        "ellipsoid"
    }

    /// With A = diag(a, b, c): h(d) = |A·d|, reached at A²·d/|A·d|.
    fn support(&self, direction: DVec3) -> Option<DVec3> {
        let image = unit(self.semi_axes * direction).unwrap_or(DVec3::X);
        Some(self.semi_axes * image)
    }

    fn support_value(&self, direction: DVec3) -> f64 {
        length(self.semi_axes * direction)
    }

    /// The farthest point from p satisfies x_i = a_i²·p_i/(a_i² − λ) with λ ≥ max a_i², the largest
    /// root of Σ (a_i·p_i/(λ − a_i²))² = 1; where p has no component along the longest axes that root
    /// may lie at λ = max a_i² itself, and the longest axes take up what is left.
    ///
    /// For a given λ the dual bound |x − p|² ≤ λ + Σ λ·p_i²/(λ − a_i²) holds for *every* λ above max a_i²
    /// (Lagrange), so the value returned is never too small, however λ was rounded.
    fn radius_about(&self, point: DVec3) -> f64 {
        let squares = self.semi_axes * self.semi_axes;
        let top = squares.max_element();
        let dual = |lambda: f64| {
            let mut bound = lambda;
            for i in 0..3 {
                if point[i] != 0.0 {
                    bound += point[i] * point[i] * lambda / (lambda - squares[i]);
                }
            }
            bound
        };
        // The dual is convex in λ, and its least value lies between these ends: the first makes each
        // denominator positive, the second bounds the root of the secular equation.
        let reach = self.semi_axes.max_element() * point.length();
        minimum_of_convex(dual, top, top + reach.max(f64::EPSILON * top)).sqrt()
    }

    fn volume(&self) -> f64 {
        let DVec3 { x, y, z } = self.semi_axes;
        4.0 / 3.0 * PI * x * y * z
    }

    /// 4π·R_G(a²b², b²c², c²a²) (DLMF 19.33.1).
    fn surface_area(&self) -> f64 {
        // Scaled by the largest product of two axes, so that squares of products stay in range.
        let DVec3 { x, y, z } = self.semi_axes;
        let products = [x * y, y * z, z * x];
        let largest = products.into_iter().fold(0.0, f64::max);
        let [xy, yz, zx] = products.map(|product| (product / largest) * (product / largest));
        4.0 * PI * largest * carlson_rg(xy, yz, zx)
    }

    /// Mean x² is a²/5.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        let squares = self.semi_axes * self.semi_axes / 5.0;
        diagonal_mass(density, self.volume(), DVec3::ZERO, squares)
    }
}

/// Least value of a convex function on (low, high], to rounding, by golden-section search.
fn minimum_of_convex(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (low, high);
    let mut best = f(b);
    let (mut x, mut y) = (b - GOLDEN * (b - a), a + GOLDEN * (b - a));
    let (mut fx, mut fy) = (f(x), f(y));
    // Each pass shrinks the bracket by 0.618; 80 of them reach 2e-17 of it.
    for _ in 0..80 {
        best = best.min(fx.min(fy));
        if fx <= fy {
            (b, y, fy) = (y, x, fx);
            x = b - GOLDEN * (b - a);
            fx = f(x);
        } else {
            (a, x, fx) = (x, y, fy);
            y = a + GOLDEN * (b - a);
            fy = f(y);
        }
    }
    best
}
