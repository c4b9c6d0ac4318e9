//! The impulse that brings a point to a chosen velocity.

use glam::{DMat3, DVec3};

use crate::tolerances::DEGENERATE;

/// The impulse p = K⁻¹(target − from) that brings a point from one velocity to another, if it lies in the cone of
/// friction; by it microcollisions reverse a velocity without work (M, corollary 1 and 3.4) `[N·s]`.
///
/// `None` if K is singular, a number is not finite, or the impulse pulls or lies outside the cone.
#[must_use]
pub fn impulse_to(matrix: &DMat3, from: DVec3, target: DVec3, friction: f64) -> Option<DVec3> {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let wanted = target - from;
    // K = LDLᵀ; pivots are positive for a positive definite matrix.
    let first = x.x;
    let (l_yx, l_zx) = (x.y / first, x.z / first);
    let second = y.y - l_yx * x.y;
    let l_zy = (y.z - l_zx * x.y) / second;
    let third = z.z - l_zx * x.z - l_zy * (y.z - l_zx * x.y);
    // The smallest eigenvalue is near the determinant divided by the sum of the minors of two rows.
    let minors = first * second + x.x * z.z - x.z * x.z + y.y * z.z - y.z * y.z;
    let least = first * second * third / minors;
    let regular = first > 0.0 && second > 0.0 && least > DEGENERATE * (x.x + y.y + z.z);
    if !regular {
        return None;
    }
    let v_y = wanted.y - l_yx * wanted.x;
    let v_z = wanted.z - l_zx * wanted.x - l_zy * v_y;
    let p_z = v_z / third;
    let p_y = v_y / second - l_zy * p_z;
    let p_x = wanted.x / first - l_yx * p_y - l_zx * p_z;
    let impulse = DVec3::new(p_x, p_y, p_z);
    let inside = impulse.truncate().length() <= friction * p_z;
    (inside && impulse.is_finite()).then_some(impulse)
}
