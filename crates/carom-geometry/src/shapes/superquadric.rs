//! Superquadrics: between octahedron, ellipsoid and box.
//!
//! The solid N(x) ≤ 1 of the norm
//!
//! N(x) = ‖( ‖(x/a, y/b)‖_m , z/c )‖_n ,   ‖(u, v)‖_p = (|u|^p + |v|^p)^{1/p},
//!
//! with one exponent m for the pair xy and one exponent n for z against it. m = n gives
//! |x/a|^n + |y/b|^n + |z/c|^n ≤ 1; m = n = 2 an ellipsoid; in Barr's superellipsoid, m = 2/ε₂ and
//! n = 2/ε₁. Exponents ≥ 1 make it convex, since norms of norms are norms.
//!
//! - *Support*: h(d) is the dual norm of the same form with exponents m* = m/(m−1), n* = n/(n−1), reached
//!   where Hölder's inequality is an equality.
//! - *Volume and moments*: a slice at height z is the plane figure ‖(x/a, y/b)‖_m ≤ (1 − |z/c|^n)^{1/n}, so
//!   all integrals are Beta functions: with A = (4/m)·B(1/m, 1/m + 1) the area and
//!   Q = (4/m)·B(3/m, 1/m + 1) the integral of x² over the unit figure,
//!   V = 2abc·A·(1/n)·B(1/n, 2/n + 1), ∫x² = 2a³bc·Q·(1/n)·B(1/n, 4/n + 1),
//!   ∫z² = 2abc³·A·(1/n)·B(3/n, 2/n + 1).
//! - *Area*: N is homogeneous, so the area is ∫ |∇N|/N³ over directions. Eight octants are alike, and each is
//!   cut where the integrand has its creases: at x/a = y/b, where a large m makes an edge, and where the plane
//!   norm P = ‖(x/a, y/b)‖_m equals z/c, where a large n makes one. With the ratio τ of the smaller to the
//!   larger of x/a, y/b and ν = ‖(1, τ)‖_m, the sides are X = (1/ν, τ/ν, ζ) and the top X = (p/ν, pτ/ν, 1) with
//!   ζ, p, τ from 0 to 1; X·(X₁ × X₂) is 1/ν² and p/ν² times abc. All edges and cusps lie on boundaries,
//!   where tanh-sinh quadrature does not mind them.

use glam::DVec3;

use super::{diagonal_mass, side};
use crate::mass::special::beta;
use crate::shape::{ShapeError, Solid, positive_size};
use crate::tolerances::AREA_QUADRATURE;
use crate::{MassError, MassProperties};

/// A superquadric around the origin; see the module's header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superquadric {
    semi_axes: DVec3,
    exponent_xy: f64,
    exponent_z: f64,
}

/// Largest exponent: beyond it edges are sharper than 1e-3 of the size; use a box or a cylinder.
const MAX_EXPONENT: f64 = 1000.0;

impl Superquadric {
    /// Semi-axes a, b, c `[m]` and the exponents m of the pair xy and n of z against it `[-]`, 1 to 1000.
    ///
    /// # Errors
    /// If a semi-axis is not positive and finite or an exponent is out of range.
    pub fn new(semi_axes: DVec3, exponent_xy: f64, exponent_z: f64) -> Result<Self, ShapeError> {
        for length in semi_axes.to_array() {
            positive_size("superquadric", "semi-axis", length)?;
        }
        for value in [exponent_xy, exponent_z] {
            if !(1.0..=MAX_EXPONENT).contains(&value) {
                let (shape, what) = ("superquadric", "exponent");
                let (min, max) = (1.0, MAX_EXPONENT);
                return Err(ShapeError::OutOfRange { shape, what, value, min, max });
            }
        }
        Ok(Self { semi_axes, exponent_xy, exponent_z })
    }

    /// Its semi-axes `[m]`.
    pub fn semi_axes(&self) -> DVec3 {
        self.semi_axes
    }

    /// Exponents of the pair xy and of z against it `[-]`.
    pub fn exponents(&self) -> [f64; 2] {
        [self.exponent_xy, self.exponent_z]
    }

    /// N and its gradient at a point; at the centre, zero and a gradient along z.
    pub(crate) fn norm_and_gradient(&self, point: DVec3) -> (f64, DVec3) {
        let scaled = point / self.semi_axes;
        let DVec3 { x, y, z } = scaled.abs();
        if x.max(y).max(z) <= 0.0 {
            return (0.0, DVec3::Z / self.semi_axes.z);
        }
        let (plane, [px, py]) = if x.max(y) > 0.0 {
            norm_and_gradient(x, y, self.exponent_xy)
        } else {
            (0.0, [0.0, 0.0])
        };
        let (norm, [pp, pz]) = norm_and_gradient(plane, z, self.exponent_z);
        let signs = DVec3::new(side(point.x), side(point.y), side(point.z));
        (norm, signs * DVec3::new(pp * px, pp * py, pz) / self.semi_axes)
    }

    /// |∇N|/N³ at a point with plane norm P and height ζ, one of them 1, in the direction (x/a, y/b) ∝ `ratios`,
    /// which have plane norm 1.
    fn area_density(&self, ratios: [f64; 2], plane: f64, zeta: f64) -> f64 {
        let (m, n) = (self.exponent_xy, self.exponent_z);
        let (norm, [pp, pz]) = norm_and_gradient(plane, zeta, n);
        // ∂P/∂(x/a) = (x/(a·P))^{m−1}.
        let [px, py] = ratios.map(|ratio| libm::pow(ratio, m - 1.0));
        let gradient = DVec3::new(pp * px, pp * py, pz) / self.semi_axes;
        gradient.length() / (norm * norm * norm)
    }
}

impl Solid for Superquadric {
    fn kind(&self) -> &'static str {
        "superquadric"
    }

    fn support(&self, direction: DVec3) -> Option<DVec3> {
        let image = (self.semi_axes * direction).abs();
        let (plane, [px, py]) = dual_norm_and_point(image.x, image.y, self.exponent_xy);
        let (_, [pp, pz]) = dual_norm_and_point(plane, image.z, self.exponent_z);
        let signs = DVec3::new(side(direction.x), side(direction.y), side(direction.z));
        Some(self.semi_axes * signs * DVec3::new(pp * px, pp * py, pz))
    }

    fn support_value(&self, direction: DVec3) -> f64 {
        let image = (self.semi_axes * direction).abs();
        let (plane, _) = dual_norm_and_point(image.x, image.y, self.exponent_xy);
        dual_norm_and_point(plane, image.z, self.exponent_z).0
    }

    /// Exact about its centre; about another point an upper bound, the smaller of centre radius plus offset
    /// and the radius of the bounding box.
    fn radius_about(&self, point: DVec3) -> f64 {
        let plane = largest_distance(self.semi_axes.x, self.semi_axes.y, self.exponent_xy);
        let radius = largest_distance(plane, self.semi_axes.z, self.exponent_z);
        (radius + point.length()).min((self.semi_axes + point.abs()).length())
    }

    fn volume(&self) -> f64 {
        let (m, n) = (self.exponent_xy, self.exponent_z);
        let DVec3 { x, y, z } = self.semi_axes;
        let area = 4.0 / m * beta(1.0 / m, 1.0 / m + 1.0);
        2.0 * x * y * z * area / n * beta(1.0 / n, 2.0 / n + 1.0)
    }

    fn surface_area(&self) -> f64 {
        // Sides and top, for either of x/a and y/b the larger.
        let charts = |tau: f64, t: f64| {
            let nu = libm::pow(1.0 + libm::pow(tau, self.exponent_xy), 1.0 / self.exponent_xy);
            let (major, minor) = (1.0 / nu, tau / nu);
            let both = |plane: f64, zeta: f64| {
                self.area_density([major, minor], plane, zeta)
                    + self.area_density([minor, major], plane, zeta)
            };
            (both(1.0, t) + t * both(t, 1.0)) * major * major
        };
        let DVec3 { x, y, z } = self.semi_axes;
        8.0 * x * y * z * integral_over_unit_square(charts)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassError> {
        let (m, n) = (self.exponent_xy, self.exponent_z);
        // Means of squares over the unit solid: ratios of the integrals in the module's header.
        let across = beta(3.0 / m, 1.0 / m + 1.0) / beta(1.0 / m, 1.0 / m + 1.0)
            * beta(1.0 / n, 4.0 / n + 1.0)
            / beta(1.0 / n, 2.0 / n + 1.0);
        let along = beta(3.0 / n, 2.0 / n + 1.0) / beta(1.0 / n, 2.0 / n + 1.0);
        let squares = self.semi_axes * self.semi_axes * DVec3::new(across, across, along);
        diagonal_mass(density, self.volume(), DVec3::ZERO, squares)
    }
}

/// ‖(u, v)‖_p and its gradient, for u, v ≥ 0 not both zero.
fn norm_and_gradient(u: f64, v: f64, p: f64) -> (f64, [f64; 2]) {
    let largest = u.max(v);
    let ratio = u.min(v) / largest;
    let sum = 1.0 + libm::pow(ratio, p);
    let norm = largest * libm::pow(sum, 1.0 / p);
    // ∂/∂u = (u/norm)^{p−1}.
    let major = libm::pow(sum, (1.0 - p) / p);
    let minor = major * libm::pow(ratio, p - 1.0);
    (norm, if u >= v { [major, minor] } else { [minor, major] })
}

/// max u·x + v·y over ‖(x, y)‖_p ≤ 1 and where it is reached, for u, v ≥ 0 (Hölder).
fn dual_norm_and_point(u: f64, v: f64, p: f64) -> (f64, [f64; 2]) {
    let largest = u.max(v);
    if largest <= 0.0 {
        return (0.0, [1.0, 0.0]);
    }
    let ratio = u.min(v) / largest;
    // At p = 1 the dual is the largest component; p* = p/(p − 1) otherwise. Towards p = 1 the powers
    // of a ratio below one vanish, and at ratio one every point of the edge is as good.
    let conjugate = if p > 1.0 { p / (p - 1.0) } else { f64::INFINITY };
    let power = if p > 1.0 { libm::pow(ratio, conjugate) } else { 0.0 };
    let norm = largest * libm::pow(1.0 + power, 1.0 / conjugate);
    let major = libm::pow(1.0 + power, -1.0 / p);
    let minor = if p > 1.0 { major * libm::pow(ratio, conjugate - 1.0) } else { 0.0 };
    (norm, if u >= v { [major, minor] } else { [minor, major] })
}

/// Largest √(x² + y²) over ‖(x/a, y/b)‖_p ≤ 1: the longer axis up to p = 2, and by Hölder
/// (a^{2q} + b^{2q})^{1/2q} with q = p/(p − 2) beyond.
fn largest_distance(a: f64, b: f64, p: f64) -> f64 {
    let largest = a.max(b);
    if p <= 2.0 {
        return largest;
    }
    let q = p / (p - 2.0);
    largest * libm::pow(1.0 + libm::pow(a.min(b) / largest, 2.0 * q), 0.5 / q)
}

/// ∫∫ f over [0, 1]² by tanh-sinh quadrature, nodes and weights halved in spacing until two levels agree to
/// [`AREA_QUADRATURE`], six levels at most.
fn integral_over_unit_square(f: impl Fn(f64, f64) -> f64) -> f64 {
    let mut previous = f64::NAN;
    for level in 2..=6 {
        let nodes = tanh_sinh_nodes(libm::scalbn(1.0, -level));
        let row =
            |&(s, ws): &(f64, f64)| ws * nodes.iter().map(|&(t, wt)| wt * f(s, t)).sum::<f64>();
        let value: f64 = nodes.iter().map(row).sum();
        if (value - previous).abs() <= AREA_QUADRATURE * value {
            return value;
        }
        previous = value;
    }
    previous
}

/// Nodes and weights on [0, 1]: x = 1/(1 + e^{−π·sinh t}), w = h·π·cosh t·x·(1 − x).
fn tanh_sinh_nodes(spacing: f64) -> Vec<(f64, f64)> {
    let last = libm::ceil(3.2 / spacing) as i32;
    let node = |k: i32| {
        let t = f64::from(k) * spacing;
        let decay = libm::exp(-std::f64::consts::PI * libm::sinh(t));
        let x = 1.0 / (1.0 + decay);
        let rest = decay / (1.0 + decay);
        (x, spacing * std::f64::consts::PI * libm::cosh(t) * x * rest)
    };
    (-last..=last).map(node).collect()
}
