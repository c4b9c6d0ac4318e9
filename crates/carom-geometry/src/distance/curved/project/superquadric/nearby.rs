//! All equations of a projection at once, from a point near the foot.
//!
//! The unknowns are logarithms, in which the equations are nearly linear: with the shares σ, τ of the two terms of a
//! line, its excess e (the logarithm of their sum over Z) falls by σ·δℓ + τ·(δk + (m−1)·δℓ), so that
//!
//! δℓ = A − B·δk,   A = −e/(σ + (m−1)·τ),   B = τ/(σ + (m−1)·τ),
//!
//! with k = ln μ for x and y and ln λ = k − (n−m)·ln P for z; the last equation, ln(P^n + ζ^n) = 0, gives δk.
//! Coordinates and their powers are carried along by factors close to 1, for which short series do.

use glam::DVec3;

use super::Solved;
use crate::shapes::Superquadric;
use crate::tolerances::{NEARBY_FACTOR, NEARBY_STEP, NEARBY_STEPS};

/// One coordinate with its power and the coefficients of its line.
#[derive(Clone, Copy)]
struct Line {
    /// The coordinate over its axis, and that to the exponent less one.
    ratio: f64,
    power: f64,
    /// Exponent less one.
    steeper: f64,
    /// Axis over target; 1 over their product.
    first: f64,
    second: f64,
    /// σ and τ.
    share: f64,
    rest: f64,
    /// A and B.
    offset: f64,
    fall: f64,
}

impl Line {
    fn new(ratio: f64, axis: f64, target: f64, exponent: f64) -> Self {
        let steeper = exponent - 1.0;
        let power = if steeper == 1.0 { ratio } else { libm::exp(steeper * libm::log(ratio)) };
        let (first, second) = (axis / target, 1.0 / (axis * target));
        Self { ratio, power, steeper, first, second, share: 1.0, rest: 0.0, offset: 0.0, fall: 0.0 }
    }

    fn linearize(&mut self, multiplier: f64) {
        let (first, second) = (self.first * self.ratio, multiplier * self.second * self.power);
        let sum = first + second;
        (self.share, self.rest) = (first / sum, second / sum);
        let slope = self.share + self.steeper * self.rest;
        self.offset = -ln(sum) / slope;
        self.fall = self.rest / slope;
    }

    /// Moves by δℓ and returns how far the power has moved.
    fn advance(&mut self, step: f64) -> f64 {
        self.ratio *= exp(step);
        self.power *= exp(self.steeper * step);
        step.abs().max((self.steeper * step).abs())
    }

    fn follow(&self) -> f64 {
        self.share / (self.share + self.steeper * self.rest)
    }
}

/// The solution near `point`; `None` where it is not near enough or a power vanishes.
pub(super) fn solve(solid: &Superquadric, target: DVec3, point: DVec3) -> Option<Solved> {
    let ([m, n], axes) = (solid.exponents(), solid.semi_axes());
    let ratios = point / axes;
    let mut lambda = point.dot(target - point);
    let inner = ratios.min_element().min(target.min_element()).min(lambda);
    if m == 1.0 || n == 1.0 || inner <= 0.0 || inner.is_nan() {
        return None;
    }
    let mut x = Line::new(ratios.x, axes.x, target.x, m);
    let mut y = Line::new(ratios.y, axes.y, target.y, m);
    let mut z = Line::new(ratios.z, axes.z, target.z, n);
    let mut plane = x.ratio * x.power + y.ratio * y.power;
    // P^{n−m}.
    let mut coupling = if n == m { 1.0 } else { libm::exp((n - m) / m * libm::log(plane)) };
    for _ in 0..NEARBY_STEPS {
        x.linearize(lambda * coupling);
        y.linearize(lambda * coupling);
        z.linearize(lambda);
        let (part_x, part_z) = (x.ratio * x.power / plane, z.ratio * z.power);
        let whole = coupling * plane + part_z;
        let (share_p, share_z) = (coupling * plane / whole, part_z / whole);
        let offset_p = part_x * x.offset + (1.0 - part_x) * y.offset;
        let fall_p = part_x * x.fall + (1.0 - part_x) * y.fall;
        let rise = 1.0 + (n - m) * fall_p;
        let excess =
            ln(whole) / n + share_p * offset_p + share_z * (z.offset + z.fall * (n - m) * offset_p);
        let step = excess / (share_p * fall_p + share_z * z.fall * rise);
        let step_lambda = rise * step - (n - m) * offset_p;
        let moved = x
            .advance(x.offset - x.fall * step)
            .max(y.advance(y.offset - y.fall * step))
            .max(z.advance(z.offset - z.fall * step_lambda))
            .max(step.abs())
            .max(step_lambda.abs());
        if moved > NEARBY_FACTOR || moved.is_nan() {
            return None;
        }
        let before = plane;
        plane = x.ratio * x.power + y.ratio * y.power;
        coupling *= if n == m { 1.0 } else { exp((n - m) / m * ln(plane / before)) };
        lambda *= exp(step_lambda);
        if moved <= NEARBY_STEP {
            return solved([x, y, z], plane, coupling, lambda, m);
        }
    }
    None
}

fn solved([x, y, z]: [Line; 3], plane: f64, coupling: f64, lambda: f64, m: f64) -> Option<Solved> {
    let p = if m == 2.0 { libm::sqrt(plane) } else { libm::exp(libm::log(plane) / m) };
    let inner = plane / p;
    let rise = coupling * inner;
    let usable = inner > f64::MIN_POSITIVE / f64::EPSILON && rise > f64::MIN_POSITIVE;
    usable.then(|| Solved {
        ratios: DVec3::new(x.ratio, y.ratio, z.ratio),
        follow: DVec3::new(x.follow(), y.follow(), z.follow()),
        plane: [x.power / inner, y.power / inner],
        rise,
        height: z.power,
        stiffness: lambda * rise / p,
    })
}

/// e^x, by a series where x is small.
fn exp(x: f64) -> f64 {
    if x.abs() >= 0.06 || x.is_nan() {
        return libm::exp(x);
    }
    // The next term is 3e-17.
    let tail = 1.0 + x / 6.0 * (1.0 + x / 7.0 * (1.0 + x / 8.0));
    1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0 * tail))))
}

/// ln x, by a series where x is close to 1.
fn ln(x: f64) -> f64 {
    if (x - 1.0).abs() >= 0.04 || x.is_nan() {
        return libm::log(x);
    }
    // 2·artanh; the next term is 1e-18.
    let s = (x - 1.0) / (x + 1.0);
    let q = s * s;
    2.0 * s * (1.0 + q * (1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q / 9.0))))
}
