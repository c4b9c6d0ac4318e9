//! Principal moments and axes, the same for the same tensor every time.
//!
//! Cyclic Jacobi rotations (M 6.1 recommends them) bring the tensor to diagonal form. What Jacobi leaves
//! open is then fixed:
//! - *order*: moments ascending;
//! - *equal moments*: where two or three agree to [`EQUAL_MOMENTS`] any axes of their plane or space will
//!   do; taken are those nearest the coordinate axes, so that a cube keeps the axes it was drawn in, and
//!   each of the moments is their mean;
//! - *sign*: the largest component of the first two axes is positive, and the third is their cross
//!   product, so det R = +1.

use glam::{DMat3, DVec3};

use crate::tolerances::{EQUAL_MOMENTS, OFF_DIAGONAL};

/// Moments and axes in which an inertia tensor is diagonal: I = R·diag(moments)·Rᵀ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalFrame {
    /// Principal moments, ascending `[kg·m²]`.
    pub moments: DVec3,
    /// R: its columns are the principal axes in the tensor's frame; det R = +1.
    pub axes: DMat3,
}

impl PrincipalFrame {
    /// Of a symmetric tensor; only its symmetric part is read. A tensor that is not finite gives moments
    /// that are not.
    pub fn of(inertia: &DMat3) -> Self {
        let inertia = (*inertia + inertia.transpose()) * 0.5;
        let (diagonal, axes) = diagonalized(inertia);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| diagonal[i].total_cmp(&diagonal[j]));
        let sorted = DMat3::from_cols(axes.col(order[0]), axes.col(order[1]), axes.col(order[2]));
        let moments = DVec3::from_array(order.map(|i| diagonal[i]));
        let axes = with_signs(with_canonical_degenerate_axes(moments, sorted));
        let in_axes = axes.transpose() * inertia * axes;
        let diagonal = DVec3::new(in_axes.x_axis.x, in_axes.y_axis.y, in_axes.z_axis.z);
        Self { moments: with_mean_where_equal(moments, diagonal), axes }
    }
}

/// Which neighbours among ascending moments count as equal: the first two, the last two.
fn equal_neighbors(moments: DVec3) -> [bool; 2] {
    let largest = moments.abs().max_element();
    [moments.y - moments.x, moments.z - moments.y].map(|gap| gap <= EQUAL_MOMENTS * largest)
}

/// `diagonal` with entries that belong to equal moments replaced by their mean, so that it ascends.
fn with_mean_where_equal(moments: DVec3, diagonal: DVec3) -> DVec3 {
    let DVec3 { x, y, z } = diagonal;
    match equal_neighbors(moments) {
        [true, true] => DVec3::splat((x + y + z) / 3.0),
        [true, false] => DVec3::new(f64::midpoint(x, y), f64::midpoint(x, y), z),
        [false, true] => DVec3::new(x, f64::midpoint(y, z), f64::midpoint(y, z)),
        [false, false] => diagonal,
    }
}

/// Jacobi's iteration: eigenvalues and eigenvectors (as columns) of a symmetric matrix.
fn diagonalized(matrix: DMat3) -> (DVec3, DMat3) {
    let mut m = matrix.to_cols_array_2d();
    let mut v = DMat3::IDENTITY.to_cols_array_2d();
    let scale = matrix.to_cols_array().iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    // Converges quadratically; a handful of sweeps suffices, and the bound only guards non-finite input.
    for _ in 0..32 {
        let off = m[0][1].abs().max(m[1][2].abs()).max(m[2][0].abs());
        if off <= OFF_DIAGONAL * scale || !off.is_finite() {
            break;
        }
        for (p, q) in [(0, 1), (1, 2), (0, 2)] {
            rotate(&mut m, &mut v, p, q);
        }
    }
    (DVec3::new(m[0][0], m[1][1], m[2][2]), DMat3::from_cols_array_2d(&v))
}

/// One Jacobi rotation that annihilates m_pq, applied to `m` from both sides and to the columns of `v`.
fn rotate(m: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize) {
    if m[p][q] == 0.0 {
        return;
    }
    let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cos = 1.0 / (t * t + 1.0).sqrt();
    let sin = t * cos;
    for row in m.iter_mut() {
        (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
    }
    for k in 0..3 {
        (m[p][k], m[q][k]) = (cos * m[p][k] - sin * m[q][k], sin * m[p][k] + cos * m[q][k]);
        // `v` is stored by columns, so column p is v[p].
        (v[p][k], v[q][k]) = (cos * v[p][k] - sin * v[q][k], sin * v[p][k] + cos * v[q][k]);
    }
}

/// Replaces axes that equal moments leave free by those nearest the coordinate axes.
fn with_canonical_degenerate_axes(moments: DVec3, axes: DMat3) -> DMat3 {
    match equal_neighbors(moments) {
        [true, true] => DMat3::IDENTITY,
        [true, false] => {
            let [first, second] = plane_axes(axes.z_axis);
            DMat3::from_cols(first, second, axes.z_axis)
        }
        [false, true] => {
            let [first, second] = plane_axes(axes.x_axis);
            DMat3::from_cols(axes.x_axis, first, second)
        }
        [false, false] => axes,
    }
}

/// Two unit vectors that span the plane perpendicular to `normal`: the first is the nearest to the
/// coordinate axis that lies nearest the plane.
fn plane_axes(normal: DVec3) -> [DVec3; 2] {
    let tilt = normal.abs();
    let least = if tilt.x <= tilt.y && tilt.x <= tilt.z {
        DVec3::X
    } else if tilt.y <= tilt.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let first = (least - normal * normal.dot(least)).try_normalize().unwrap_or(least);
    [first, normal.cross(first)]
}

fn with_signs(axes: DMat3) -> DMat3 {
    let pointed = |axis: DVec3| {
        let size = axis.abs();
        let lead = if size.x >= size.y && size.x >= size.z {
            axis.x
        } else if size.y >= size.z {
            axis.y
        } else {
            axis.z
        };
        if lead < 0.0 { -axis } else { axis }
    };
    // Adding zero turns −0 into 0.
    let (x, y) = (pointed(axes.x_axis) + DVec3::ZERO, pointed(axes.y_axis) + DVec3::ZERO);
    DMat3::from_cols(x, y, x.cross(y) + DVec3::ZERO)
}
