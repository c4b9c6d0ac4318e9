//! Projection on an ellipsoid, by its secular equation.
//!
//! z − p = t·p/a² by components, so p_i = a_i²·z_i/(a_i² + t), and p lies on the ellipsoid where
//!
//! q(t) = ‖( a_i·z_i/(a_i² + t) )‖ = 1.
//!
//! 1/q is nearly straight and concave in t, so that Newton's method on it, started where q ≥ 1, approaches the root
//! from that side and needs two to four steps; a start on the other side lands on the right side or is put there.
//! With g = p/a² and M = diag(a_i²/(a_i² + t)), differentiation gives D = M − (M·g)(M·g)ᵀ/(gᵀ·M·g).
//! Since p·(z − p) = t, any guess of p gives one of t.

use glam::{DMat3, DVec3};

use super::{Foot, dyad};
use crate::distance::Feature;
use crate::shapes::Ellipsoid;
use crate::tolerances::{PROJECTION_STEP, PROJECTION_STEPS};

pub(super) fn project(ellipsoid: &Ellipsoid, z: DVec3, near: &Foot) -> Option<Foot> {
    let axes = ellipsoid.semi_axes();
    let squares = axes * axes;
    let image = axes * z;
    // Where one term alone is 1, q is at least 1.
    let least = (image.abs() - squares).max_element().max(0.0);
    let guess = near.point.dot(z - near.point);
    let mut t = if guess > least { guess } else { least };
    for _ in 0..PROJECTION_STEPS {
        let w = image / (squares + t);
        let q = w.length();
        let slope = (w * w / (squares + t)).element_sum();
        let step = q * q * (q - 1.0) / slope;
        // Also where z is the centre and nothing is a number.
        if !(t > 0.0 || step > 0.0) {
            return None;
        }
        let next = (t + step).max(least);
        let settled = (next - t).abs() <= PROJECTION_STEP * next;
        t = next;
        if settled {
            break;
        }
    }
    let direction = z / (squares + t);
    let normal = (direction / direction.abs().max_element()).try_normalize()?;
    let map = DMat3::from_diagonal(squares / (squares + t));
    let bent = map * direction;
    let map = map - dyad(bent) * (1.0 / direction.dot(bent));
    Some(Foot { point: squares * direction, normal, map, feature: Feature::Face(0) })
}
