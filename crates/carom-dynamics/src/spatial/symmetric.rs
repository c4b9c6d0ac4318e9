//! Symmetric 3×3 matrices, six numbers each.

use std::ops::{Add, AddAssign, Mul};

use glam::{DMat3, DVec3};

/// A symmetric matrix, such as an inertia; symmetric by what it stores, whatever is added to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Symmetric3 {
    /// Entries (1,1), (2,2), (3,3).
    pub diagonal: DVec3,
    /// Entries (2,3), (1,3), (1,2).
    pub off: DVec3,
}

impl Symmetric3 {
    /// The zero matrix.
    pub const ZERO: Self = Self { diagonal: DVec3::ZERO, off: DVec3::ZERO };

    /// Mean of a matrix and its transpose.
    #[inline]
    pub fn of(matrix: &DMat3) -> Self {
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = *matrix;
        Self {
            diagonal: DVec3::new(x.x, y.y, z.z),
            off: 0.5 * DVec3::new(y.z + z.y, x.z + z.x, x.y + y.x),
        }
    }

    /// A multiple of the identity.
    #[inline]
    pub const fn scalar(value: f64) -> Self {
        Self { diagonal: DVec3::splat(value), off: DVec3::ZERO }
    }

    /// All nine entries.
    #[inline]
    pub const fn matrix(&self) -> DMat3 {
        let Self { diagonal: d, off: o } = *self;
        DMat3::from_cols(
            DVec3::new(d.x, o.z, o.y),
            DVec3::new(o.z, d.y, o.x),
            DVec3::new(o.y, o.x, d.z),
        )
    }

    /// R·S·Rᵀ: the same tensor in axes that R turns these into.
    #[must_use]
    #[inline]
    pub fn turned(&self, rotation: &DMat3) -> Self {
        let half = *rotation * self.matrix();
        let [a, b, c] = [half.row(0), half.row(1), half.row(2)];
        let [p, q, r] = [rotation.row(0), rotation.row(1), rotation.row(2)];
        Self {
            diagonal: DVec3::new(a.dot(p), b.dot(q), c.dot(r)),
            off: DVec3::new(b.dot(r), a.dot(r), a.dot(q)),
        }
    }

    /// S − scale·a·aᵀ.
    #[must_use]
    #[inline]
    pub fn less_square(&self, a: DVec3, scale: f64) -> Self {
        let b = scale * a;
        Self {
            diagonal: self.diagonal - a * b,
            off: self.off - DVec3::new(a.y * b.z, a.x * b.z, a.x * b.y),
        }
    }

    /// −r̃·r̃ = |r|²·1 − r·rᵀ, the inertia of a unit mass at r about the origin.
    #[inline]
    pub fn of_point(r: DVec3) -> Self {
        let squares = r * r;
        Self {
            diagonal: DVec3::new(
                squares.y + squares.z,
                squares.z + squares.x,
                squares.x + squares.y,
            ),
            off: -DVec3::new(r.y * r.z, r.x * r.z, r.x * r.y),
        }
    }

    /// Sum of the diagonal.
    #[inline]
    pub fn trace(&self) -> f64 {
        self.diagonal.element_sum()
    }
}

impl Mul<DVec3> for Symmetric3 {
    type Output = DVec3;
    #[inline]
    fn mul(self, v: DVec3) -> DVec3 {
        let Self { diagonal: d, off: o } = self;
        DVec3::new(
            d.x * v.x + o.z * v.y + o.y * v.z,
            o.z * v.x + d.y * v.y + o.x * v.z,
            o.y * v.x + o.x * v.y + d.z * v.z,
        )
    }
}

impl Mul<Symmetric3> for f64 {
    type Output = Symmetric3;
    #[inline]
    fn mul(self, matrix: Symmetric3) -> Symmetric3 {
        Symmetric3 { diagonal: self * matrix.diagonal, off: self * matrix.off }
    }
}

impl Add for Symmetric3 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { diagonal: self.diagonal + other.diagonal, off: self.off + other.off }
    }
}

impl AddAssign for Symmetric3 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
