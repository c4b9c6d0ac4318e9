//! The projection from any guess, by nested iterations that cannot fail.
//!
//! Each coordinate follows from its multiplier: as ℓ = ln u, the logarithm of the left side over Z is convex and
//! increasing with slopes between 1 and m − 1, so Newton's method on it converges from anywhere, whatever the
//! exponent. As μ grows, u, v and P fall; τ = λ·P^{n−1} is the slope of the least squared distance to the figure
//! ‖·‖_m ≤ P, which falls with P, so λ grows with μ and ζ falls. So
//!
//! G(k) = ln(P^n + ζ^n)/n,   k = ln μ,
//!
//! falls, and its one zero is found by Newton's method kept in a bracket.

use std::f64::consts::LN_2;

use glam::DVec3;

use super::{Outcome, Solved};
use crate::shapes::Superquadric;
use crate::tolerances::{NEGLIGIBLE_PLANE, PROJECTION_STEP, PROJECTION_STEPS};

/// How far k may go at first while no bracket is known; doubled from step to step.
const FIRST_STRIDE: f64 = 4.0;
/// Stride beyond which it is worth asking whether the target lies inside.
const INSIDE_STRIDE: f64 = 64.0;

/// One line of (1): first·e^ℓ + e^k/first·e^{(e−1)ℓ} = target.
#[derive(Clone, Copy)]
pub(super) struct Line {
    exponent: f64,
    target: f64,
    /// ln first.
    ln_axis: f64,
    /// ln target.
    ln_target: f64,
}

/// The solution of a line: the coordinate's logarithm ℓ, the share σ of the first term and that of the second, each
/// to its own last digit.
#[derive(Clone, Copy)]
pub(super) struct Coordinate {
    pub(super) ln: f64,
    pub(super) share: f64,
    rest: f64,
}

impl Line {
    pub(super) fn new(axis: f64, target: f64, exponent: f64) -> Self {
        Self { exponent, target, ln_axis: libm::log(axis), ln_target: libm::log(target) }
    }

    /// The solution for ln multiplier `k`, from a guess of ℓ where there is one.
    pub(super) fn solve(&self, k: f64, guess: Option<f64>) -> Coordinate {
        let steeper = self.exponent - 1.0;
        let (first, second) = (self.ln_axis - self.ln_target, k - self.ln_axis - self.ln_target);
        if self.target <= 0.0 {
            return self.vanishing(k);
        }
        if steeper == 0.0 {
            let rest = libm::exp(second).min(1.0);
            return Coordinate { ln: libm::log(1.0 - rest) - first, share: 1.0 - rest, rest };
        }
        // Neither term alone exceeds the target, and one is at least half of it.
        let most = (-first).min(-second / steeper);
        let least = (-first - LN_2).min((-second - LN_2) / steeper);
        // What was predicted from where P vanishes is no guess.
        let guess = guess.filter(|guess| guess.is_finite());
        let mut ln = guess.map_or(most, |guess| guess.clamp(least, most));
        let mut terms = [0.0; 2];
        for _ in 0..PROJECTION_STEPS {
            terms = [libm::exp(first + ln), libm::exp(second + steeper * ln)];
            let sum = terms[0] + terms[1];
            let step = -libm::log(sum) * sum / (terms[0] + steeper * terms[1]);
            ln += step;
            terms = [terms[0] * (1.0 + step), terms[1] * (1.0 + steeper * step)];
            if step.abs() <= PROJECTION_STEP / self.exponent {
                break;
            }
        }
        let sum = terms[0] + terms[1];
        Coordinate { ln, share: terms[0] / sum, rest: terms[1] / sum }
    }

    /// The limit of the solution as the target vanishes.
    fn vanishing(&self, k: f64) -> Coordinate {
        let ratio = libm::exp(k - 2.0 * self.ln_axis);
        let share = match self.exponent {
            2.0 => 1.0 / (1.0 + ratio),
            exponent if exponent > 2.0 => 1.0,
            _ => 0.0,
        };
        Coordinate { ln: f64::NEG_INFINITY, share, rest: 1.0 - share }
    }
}

impl Coordinate {
    /// −dℓ/dk.
    pub(super) fn fall(&self, exponent: f64) -> f64 {
        if self.ln == f64::NEG_INFINITY {
            return 0.0;
        }
        self.rest / (self.share + (exponent - 1.0) * self.rest)
    }

    /// M of the header.
    pub(super) fn follow(&self, exponent: f64) -> f64 {
        let both = self.share + (exponent - 1.0) * self.rest;
        if both > 0.0 { self.share / both } else { 0.0 }
    }
}

/// ln(e^{p·a} + e^{p·b})/p and the share of the first term.
pub(super) fn ln_norm(a: f64, b: f64, p: f64) -> (f64, f64) {
    let (low, high) = (a.min(b), a.max(b));
    if high == f64::NEG_INFINITY {
        return (high, 0.5);
    }
    let ratio = libm::exp(p * (low - high));
    let share = 1.0 / (1.0 + ratio);
    (high + libm::log1p(ratio) / p, if a >= b { share } else { ratio * share })
}

/// Everything that follows from k.
struct Trial {
    x: Coordinate,
    y: Coordinate,
    z: Coordinate,
    ln_p: f64,
    ln_lambda: f64,
    /// G and −dG/dk.
    value: f64,
    fall: f64,
    /// −dℓ/dk of the three coordinates.
    falls: [f64; 3],
}

/// ln λ from ln μ = k. Where P is small, k is large and cancels; then by way of τ = λ·P^{n−1}, the dual norm of the
/// second terms of the first two lines.
fn ln_outer(lines: &[Line; 3], k: f64, ln_p: f64, [x, y]: [&Coordinate; 2]) -> f64 {
    let (m, n) = (lines[0].exponent, lines[2].exponent);
    if n == m || ln_p > -1.0 || m == 1.0 {
        return if n == m { k } else { k - (n - m) * ln_p };
    }
    // A large share from itself, a small one, which may underflow, from its exponent.
    let second = |line: &Line, at: &Coordinate| {
        let product = line.ln_target + line.ln_axis;
        if at.rest > 0.5 { libm::log(at.rest) + product } else { k + (m - 1.0) * at.ln }
    };
    let (ln_tau, _) = ln_norm(second(&lines[0], x), second(&lines[1], y), m / (m - 1.0));
    ln_tau - (n - 1.0) * ln_p
}

fn trial(lines: &[Line; 3], k: f64, guess: Option<[f64; 3]>) -> Trial {
    let [lx, ly, lz] = lines;
    let (m, n) = (lx.exponent, lz.exponent);
    let (x, y) = (lx.solve(k, guess.map(|g| g[0])), ly.solve(k, guess.map(|g| g[1])));
    let (ln_p, share_x) = ln_norm(x.ln, y.ln, m);
    let ln_lambda = ln_outer(lines, k, ln_p, [&x, &y]);
    let z = lz.solve(ln_lambda, guess.map(|g| g[2]));
    let (value, share_p) = ln_norm(ln_p, z.ln, n);
    let (fall_x, fall_y) = (x.fall(m), y.fall(m));
    let fall_p = share_x * fall_x + (1.0 - share_x) * fall_y;
    let rise_lambda = 1.0 + (n - m) * fall_p;
    let fall_z = z.fall(n) * rise_lambda;
    let fall = share_p * fall_p + (1.0 - share_p) * fall_z;
    Trial { x, y, z, ln_p, ln_lambda, value, fall, falls: [fall_x, fall_y, fall_z] }
}

/// The zero of G, or `None` where the target lies inside: then there is none.
fn root(solid: &Superquadric, target: DVec3, lines: &[Line; 3], start: f64) -> Option<Trial> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut k = start;
    let mut guess = None;
    let (mut stride, mut last) = (FIRST_STRIDE, f64::INFINITY);
    let small = PROJECTION_STEP / lines[0].exponent.max(lines[2].exponent);
    for _ in 0..PROJECTION_STEPS {
        let mut at = trial(lines, k, guess);
        (low, high) = if at.value > 0.0 { (k, high) } else { (low, k) };
        let mut next = k + at.value / at.fall;
        // Steps that do not shrink by half go to and fro between two kinks.
        let is_known = low != f64::NEG_INFINITY && high != f64::INFINITY;
        let is_good = next >= low && next <= high && (next - k).abs() < 0.5 * last;
        if !is_good && (is_known || !(next >= low && next <= high)) {
            next = 0.5 * (low + high);
        }
        if (next - k).abs() > stride && !is_known {
            // No bracket yet: farther and farther, but only where there is a zero to find.
            next = if next > k { k + stride } else { k - stride };
            stride *= 2.0;
            if at.value <= 0.0 && stride > INSIDE_STRIDE && contains(solid, target) {
                return None;
            }
        }
        let step = next - k;
        last = step.abs();
        let ln = [at.x.ln, at.y.ln, at.z.ln];
        let predicted = [0, 1, 2].map(|i| ln[i] - at.falls[i] * step);
        let steepest = at.falls.iter().fold(1.0, |most: f64, fall| most.max(fall.abs()));
        if step.abs() * steepest <= small {
            [at.x.ln, at.y.ln, at.z.ln] = predicted;
            (at.ln_p, _) = ln_norm(at.x.ln, at.y.ln, lines[0].exponent);
            return Some(at);
        }
        guess = Some(predicted);
        k = next;
    }
    (!contains(solid, target)).then(|| trial(lines, k, None))
}

/// Whether the solid contains the point.
pub(super) fn contains(solid: &Superquadric, z: DVec3) -> bool {
    let [m, n] = solid.exponents();
    let ln = (z.abs() / solid.semi_axes()).to_array().map(libm::log);
    let (ln_p, _) = ln_norm(ln[0], ln[1], m);
    ln_norm(ln_p, ln[2], n).0 <= 0.0
}

/// The solution of (1), from a guess of the foot; `None` where the solid contains the target.
pub(super) fn solve(solid: &Superquadric, target: DVec3, point: DVec3) -> Option<Outcome> {
    let (axes, [m, n]) = (solid.semi_axes(), solid.exponents());
    let lines = [
        Line::new(axes.x, target.x, m),
        Line::new(axes.y, target.y, m),
        Line::new(axes.z, target.z, n),
    ];
    let at = root(solid, target, &lines, start(solid, target, point))?;
    if at.ln_p < NEGLIGIBLE_PLANE {
        return Some(Outcome::Pole);
    }
    let power = |e: f64, ln: f64| if ln == f64::NEG_INFINITY { 0.0 } else { libm::exp(e * ln) };
    Some(Outcome::Solved(Solved {
        ratios: DVec3::new(libm::exp(at.x.ln), libm::exp(at.y.ln), libm::exp(at.z.ln)),
        follow: DVec3::new(at.x.follow(m), at.y.follow(m), at.z.follow(n)),
        plane: [at.x.ln, at.y.ln].map(|ln| power(m - 1.0, ln - at.ln_p)),
        rise: libm::exp((n - 1.0) * at.ln_p),
        height: power(n - 1.0, at.z.ln),
        stiffness: libm::exp(at.ln_lambda + (n - 2.0) * at.ln_p),
    }))
}

/// A guess of ln μ from a point near the foot, moved to the surface along its ray.
fn start(solid: &Superquadric, target: DVec3, point: DVec3) -> f64 {
    let ([m, n], axes) = (solid.exponents(), solid.semi_axes());
    let point = point.max(target * f64::EPSILON);
    let ln = (point / axes).to_array().map(libm::log);
    let (ln_p, _) = ln_norm(ln[0], ln[1], m);
    let (gauge, _) = ln_norm(ln_p, ln[2], n);
    let point = point * libm::exp(-gauge);
    let product = point.dot(target - point).max(f64::EPSILON * axes.dot(target));
    libm::log(product) + (n - m) * (ln_p - gauge)
}
