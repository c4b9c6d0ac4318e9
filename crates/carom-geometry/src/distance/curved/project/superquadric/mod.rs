//! Projection on a superquadric.
//!
//! In the octant of positive coordinates let u = x/a, v = y/b, ζ = z/c, P^m = u^m + v^m; the surface is
//! P^n + ζ^n = 1. The point nearest to a point Z outside satisfies, with two multipliers,
//!
//! a·u + (μ/a)·u^{m−1} = Z_x,   b·v + (μ/b)·v^{m−1} = Z_y,   c·ζ + (λ/c)·ζ^{n−1} = Z_z,   μ = λ·P^{n−m}.   (1)
//!
//! Since p·(Z − p) = λ on the surface, any guess of p gives one of λ. From a good guess, `nearby` solves all of (1)
//! together by Newton's method; from any other, `bracketed` solves it by nested ones that cannot fail.
//!
//! Tangent map. Let σ be the share of the first term in each of (1), and M = σ/(σ + (e − 1)(1 − σ)) with e = m or n:
//! how far the coordinate follows its Z at fixed multipliers. It needs no power of a coordinate that vanishes.
//! Differentiating (1) with gradient g = (P^{n−1}·ĝ, ζ^{n−1}/c), ĝ = ((u/P)^{m−1}/a, (v/P)^{m−1}/b), gives
//!
//! D = M − (M·g)(M·g)ᵀ/S − C/(1 + C·κ)·b·bᵀ,   S = gᵀ·M·g,   C = λ·(n − m)·P^{n−2},                        (2)
//!
//! with Â = ĝᵀ·M·ĝ, A_z = M_z·(ζ^{n−1}/c)², κ = Â·A_z/S and b = (M·ĝ·A_z/S, −M_z·(ζ^{n−1}/c)·P^{n−1}·Â/S).
//!
//! An exponent of 1 makes edges and corners: a coordinate is then Z − μ/a or zero, and at the apex n = 1, P = 0 for
//! all Z with λ = (Z_z − c)·c ≥ ‖(a·Z_x, b·Z_y)‖_{m*}.

mod bracketed;
mod diamond;
mod nearby;
mod support;

use glam::{DMat3, DVec3};

use super::{Foot, dyad};
use crate::distance::Feature;
use crate::shapes::Superquadric;

pub(in crate::distance::curved) use support::{support, support_value};

/// A solution of (1) in the octant of positive coordinates, as far as the foot needs it.
struct Solved {
    /// u, v, ζ.
    ratios: DVec3,
    /// M of the header.
    follow: DVec3,
    /// (u/P)^{m−1} and (v/P)^{m−1}.
    plane: [f64; 2],
    /// P^{n−1}.
    rise: f64,
    /// ζ^{n−1}.
    height: f64,
    /// λ·P^{n−2}.
    stiffness: f64,
}

pub(super) fn project(solid: &Superquadric, z: DVec3, near: &Foot) -> Option<Foot> {
    let signs = z.signum();
    let target = z.abs();
    let foot = if is_over_pole(solid, target) {
        pole(solid, target)?
    } else {
        match solve(solid, target, near.point.abs())? {
            Outcome::Pole => pole(solid, target)?,
            Outcome::Solved(solved) => foot(solid, target, &solved)?,
        }
    };
    let flip = DMat3::from_diagonal(signs);
    Some(Foot {
        point: foot.point * signs,
        normal: foot.normal * signs,
        map: flip * foot.map * flip,
        feature: Feature::Face(0),
    })
}

/// Where the foot of a target lies.
enum Outcome {
    /// At the end of the z axis, to within rounding.
    Pole,
    /// Elsewhere.
    Solved(Solved),
}

/// The solution of (1), or `None` where the solid contains the target.
fn solve(solid: &Superquadric, target: DVec3, point: DVec3) -> Option<Outcome> {
    if let Some(solved) = nearby::solve(solid, target, point) {
        return Some(Outcome::Solved(solved));
    }
    let outcome = bracketed::solve(solid, target, point)?;
    if let Outcome::Solved(solved) = &outcome
        && solid.exponents()[0] == 1.0
    {
        // Coordinates that are small differences follow better from P than P from them.
        let followed = solved.ratios * solid.semi_axes() / target;
        if !(followed.x > 0.5 || followed.y > 0.5) {
            return diamond::solve(solid, target, point).map(Outcome::Solved).or(Some(outcome));
        }
    }
    Some(outcome)
}

/// Whether the foot is the upper end of the z axis itself.
fn is_over_pole(solid: &Superquadric, target: DVec3) -> bool {
    let axis = solid.semi_axes().z;
    let lambda = (target.z - axis) * axis;
    let across = DVec3::new(target.x, target.y, 0.0);
    let is_apex = || solid.exponents()[1] == 1.0 && lambda >= support_value(solid, across);
    lambda > 0.0 && (across == DVec3::ZERO || is_apex())
}

/// The foot at the upper end of the z axis, where P = 0, for targets above it.
fn pole(solid: &Superquadric, target: DVec3) -> Option<Foot> {
    let (axes, n) = (solid.semi_axes(), solid.exponents()[1]);
    let point = DVec3::Z * axes.z;
    let normal = (target - point).try_normalize()?;
    let lambda = (target.z - axes.z) * axes.z;
    let across = if n > 2.0 {
        DVec3::ONE
    } else if n == 2.0 {
        1.0 / (1.0 + lambda / (axes * axes))
    } else {
        DVec3::ZERO
    };
    let map = DMat3::from_diagonal(DVec3::new(across.x, across.y, 0.0));
    Some(Foot { point, normal, map, feature: Feature::Face(0) })
}

fn foot(solid: &Superquadric, target: DVec3, at: &Solved) -> Option<Foot> {
    let (axes, [m, n]) = (solid.semi_axes(), solid.exponents());
    let point = axes * at.ratios;
    let plane = DVec3::new(at.plane[0], at.plane[1], 0.0) / axes;
    let height = at.height / axes.z;
    let gradient = at.rise * plane + DVec3::Z * height;
    let offset = target - point;
    // The difference loses digits where the target is near, the powers in the gradient where the exponent is large.
    let is_near = m > 1.0 && n > 1.0 && offset.length() * m.max(n) < axes.max_element();
    let direction = if is_near { gradient * axes.min_element() } else { offset };
    let normal = direction.try_normalize()?;
    let map = tangent_map(at, plane, height, n - m);
    Some(Foot { point, normal, map, feature: Feature::Face(0) })
}

/// D of (2), from ĝ and ζ^{n−1}/c.
fn tangent_map(at: &Solved, plane: DVec3, height: f64, excess: f64) -> DMat3 {
    let follow = at.follow;
    let bent = follow * (at.rise * plane + DVec3::Z * height);
    let (in_plane, in_height) = (plane.dot(follow * plane), follow.z * height * height);
    let total = at.rise * at.rise * in_plane + in_height;
    let map = DMat3::from_diagonal(follow);
    if total <= 0.0 || total.is_nan() {
        return map;
    }
    let map = map - dyad(bent) * (1.0 / total);
    let b = follow * plane * in_height - DVec3::Z * (follow.z * height * at.rise * in_plane);
    let weight = 1.0 / (1.0 / (excess * at.stiffness) + in_plane * in_height / total);
    if excess == 0.0 || !weight.is_finite() {
        return map;
    }
    map - dyad(b / total) * weight
}
