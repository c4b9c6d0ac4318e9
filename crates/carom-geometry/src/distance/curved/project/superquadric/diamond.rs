//! The projection where the exponent of the pair xy is 1 and the coordinates are small beside those of the target.
//!
//! The plane figures ‖(u, v)‖₁ ≤ P are diamonds. For a given P the nearest point of one has a closed form: both
//! coordinates are Z − μ/axis over their axis, with μ from u + v = P, or the one that would be negative is zero and
//! the other P. So P itself is the unknown. (As a function of μ, the small difference Z_x − μ/a would lose the digits
//! that P must have, for λ = μ·P^{1−n}.) As P grows, μ and λ fall and ζ grows, so that
//!
//! G(q) = ln(P^n + ζ^n)/n,   q = ln P,
//!
//! grows, and its one zero is found by Newton's method kept in a bracket.

use glam::DVec3;

use super::Solved;
use super::bracketed::{Line, contains, ln_norm};
use crate::shapes::Superquadric;
use crate::tolerances::{NEGLIGIBLE_PLANE, PROJECTION_STEP, PROJECTION_STEPS};

/// u, v, μ and dμ/dP of the point of the diamond nearest to the target.
struct Corner {
    ratios: [f64; 2],
    mu: f64,
    slope: f64,
}

fn corner(axes: DVec3, target: DVec3, p: f64) -> Corner {
    let (x, y) = (axes.x * axes.x, axes.y * axes.y);
    let slope = -x * y / (x + y);
    let mu = slope * (p - target.x / axes.x - target.y / axes.y);
    let [u, v] = [(target.x - mu / axes.x) / axes.x, (target.y - mu / axes.y) / axes.y];
    if u <= 0.0 {
        Corner { ratios: [0.0, p], mu: axes.y * (target.y - axes.y * p), slope: -y }
    } else if v <= 0.0 {
        Corner { ratios: [p, 0.0], mu: axes.x * (target.x - axes.x * p), slope: -x }
    } else {
        Corner { ratios: [u, v], mu, slope }
    }
}

/// The solution of (1) for m = 1; `None` where the solid contains the target. Poles have been dealt with.
pub(super) fn solve(solid: &Superquadric, target: DVec3, point: DVec3) -> Option<Solved> {
    if contains(solid, target) {
        return None;
    }
    let (axes, n) = (solid.semi_axes(), solid.exponents()[1]);
    let height = Line::new(axes.z, target.z, n);
    let most = libm::log(target.x / axes.x + target.y / axes.y).min(0.0);
    let (mut low, mut high) = (NEGLIGIBLE_PLANE, most);
    let near = libm::log(point.x / axes.x + point.y / axes.y);
    let mut q = if near > low && near < high { near } else { high };
    let (mut settled, mut last) = (false, f64::INFINITY);
    for _ in 0..PROJECTION_STEPS {
        let p = libm::exp(q);
        let Corner { ratios: [u, v], mu, slope } = corner(axes, target, p);
        let ln_lambda = libm::log(mu.max(f64::MIN_POSITIVE)) - (n - 1.0) * q;
        let z = height.solve(ln_lambda, None);
        if settled {
            let power = |ratio: f64| if ratio > 0.0 { 1.0 } else { 0.0 };
            return Some(Solved {
                ratios: DVec3::new(u, v, libm::exp(z.ln)),
                follow: DVec3::new(power(u), power(v), z.follow(n)),
                plane: [power(u), power(v)],
                rise: libm::exp((n - 1.0) * q),
                height: if z.share > 0.0 { libm::exp((n - 1.0) * z.ln) } else { 0.0 },
                stiffness: libm::exp(ln_lambda + (n - 2.0) * q),
            });
        }
        let (value, share) = ln_norm(q, z.ln, n);
        (low, high) = if value > 0.0 { (low, q) } else { (q, high) };
        let rise_lambda = p * slope / mu - (n - 1.0);
        let newton = q - value / (share - (1.0 - share) * z.fall(n) * rise_lambda);
        // Steps that do not shrink by half go to and fro between two kinks.
        let is_good =
            mu > 0.0 && newton >= low && newton <= high && (newton - q).abs() < 0.5 * last;
        let next = if is_good { newton } else { 0.5 * (low + high) };
        last = (next - q).abs();
        settled = last <= PROJECTION_STEP;
        q = next;
    }
    None
}
