//! The impulse that brings a point to a chosen velocity.
//!
//! Of free bodies K is definite, and p = K⁻¹·w with w the wanted change. A point of a linkage may give way in a plane or along a line
//! only (guide 2 F-6.7): K has rank 2 or 1, and w must lie in what it can do. Then all p with K·p = w do the same to the
//! linkage and the same work; K⁺·w is the one without a part that does nothing. Where that lies outside the cone of friction,
//! another may not: the one with the least friction is tried next.
//!
//! **K⁺ without eigenvectors.** With t the trace of K and m the sum of its principal minors of two rows, the smallest eigenvalue is near
//! det K/m, and the second near m/t where that is zero. Of rank 1, K = t·aaᵀ with a along its largest column, and K⁺ = aaᵀ/t. Of
//! rank 2 the null vector n is along the largest cross product of two columns, and K⁺w = (K + t·nnᵀ)⁻¹·w for w ⊥ n.

use glam::{DMat3, DVec3};

use crate::tolerances::{RANK_SHARE, REACHED_SHARE};

/// The impulse p = K⁻¹(target − from) that brings a point from one velocity to another, if it lies in the cone of
/// friction; by it microcollisions reverse a velocity without work (M, corollary 1 and 3.4) `[N·s]`. Where K lacks rank, the
/// shortest such impulse, or else the one with the least friction.
///
/// `None` if K cannot make the change, a number is not finite, or the impulse pulls or lies outside the cone.
#[must_use]
pub fn impulse_to(matrix: &DMat3, from: DVec3, target: DVec3, friction: f64) -> Option<DVec3> {
    let wanted = target - from;
    let inside = |p: &DVec3| p.is_finite() && p.truncate().length() <= friction * p.z;
    let reaches = |p: &DVec3| {
        let off = (*matrix * *p - wanted).length();
        off <= REACHED_SHARE * wanted.length()
    };
    match Rank::of(matrix)? {
        Rank::Full => Some(solve(matrix, wanted)).filter(inside),
        Rank::Plane(null) => {
            let stiff = *matrix + trace(matrix) * outer(null);
            let shortest = Some(solve(&stiff, wanted)).filter(reaches)?;
            // |p_t| is least where it is across n_t.
            let (p, n) = (shortest.truncate(), null.truncate());
            let least = || shortest - p.dot(n) / n.length_squared() * null;
            Some(shortest).filter(inside).or_else(|| Some(least()).filter(inside))
        }
        Rank::Line(along) => {
            let size = along.dot(wanted) / trace(matrix);
            let shortest = Some(size * along).filter(reaches)?;
            let normal = DVec3::new(0.0, 0.0, size / along.z);
            Some(shortest).filter(inside).or_else(|| Some(normal).filter(inside))
        }
    }
}

/// In how many directions a point gives way.
#[derive(Clone, Copy, Debug)]
enum Rank {
    Full,
    /// Not along this unit vector.
    Plane(DVec3),
    /// Along this unit vector only.
    Line(DVec3),
}

impl Rank {
    /// None of a point that gives no way, or a matrix that is none.
    fn of(matrix: &DMat3) -> Option<Self> {
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        let size = trace(matrix);
        if !(matrix.is_finite() && size > 0.0) {
            return None;
        }
        let minors = x.x * y.y - x.y * x.y + x.x * z.z - x.z * x.z + y.y * z.z - y.z * y.z;
        if minors <= RANK_SHARE * size * size {
            return longest([x, y, z]).map(Self::Line);
        }
        let crosses = [x.cross(y), y.cross(z), z.cross(x)];
        if crosses[0].dot(z) / minors <= RANK_SHARE * size {
            return longest(crosses).map(Self::Plane);
        }
        Some(Self::Full)
    }
}

fn trace(matrix: &DMat3) -> f64 {
    matrix.diagonal().element_sum()
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v.x * v, v.y * v, v.z * v)
}

fn longest(vectors: [DVec3; 3]) -> Option<DVec3> {
    let longer = |a: DVec3, b: DVec3| if b.length_squared() > a.length_squared() { b } else { a };
    vectors.into_iter().fold(DVec3::ZERO, longer).try_normalize()
}

/// K⁻¹·w by K = LDLᵀ, of a matrix that is definite.
fn solve(matrix: &DMat3, wanted: DVec3) -> DVec3 {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let first = x.x;
    let (l_yx, l_zx) = (x.y / first, x.z / first);
    let second = y.y - l_yx * x.y;
    let l_zy = (y.z - l_zx * x.y) / second;
    let third = z.z - l_zx * x.z - l_zy * (y.z - l_zx * x.y);
    let v_y = wanted.y - l_yx * wanted.x;
    let v_z = wanted.z - l_zx * wanted.x - l_zy * v_y;
    let p_z = v_z / third;
    let p_y = v_y / second - l_zy * p_z;
    let p_x = wanted.x / first - l_yx * p_y - l_zx * p_z;
    DVec3::new(p_x, p_y, p_z)
}
