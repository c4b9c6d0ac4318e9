//! Numbers that know their first and second derivative with respect to time.

use std::ops::{Add, Mul, Neg};

/// x, ẋ and ẍ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Jet(pub(super) [f64; 3]);

impl Jet {
    pub(super) const fn of(value: f64) -> Self {
        Self([value, 0.0, 0.0])
    }

    pub(super) fn sin(self) -> Self {
        let [x, v, a] = self.0;
        let (sin, cos) = libm::sincos(x);
        Self([sin, cos * v, cos * a - sin * v * v])
    }

    pub(super) fn cos(self) -> Self {
        let [x, v, a] = self.0;
        let (sin, cos) = libm::sincos(x);
        Self([cos, -sin * v, -sin * a - cos * v * v])
    }
}

impl Add for Jet {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self([0, 1, 2].map(|i| self.0[i] + other.0[i]))
    }
}

impl Neg for Jet {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Mul for Jet {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([a * x, a * y + b * x, a * z + 2.0 * b * y + c * x])
    }
}

/// A matrix of jets, row by row.
pub(super) type Matrix = [[Jet; 3]; 3];

pub(super) fn constant(matrix: [[f64; 3]; 3]) -> Matrix {
    matrix.map(|row| row.map(Jet::of))
}

pub(super) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j]))
}

pub(super) fn applied(a: &Matrix, x: &[Jet; 3]) -> [Jet; 3] {
    a.map(|row| row[0] * x[0] + row[1] * x[1] + row[2] * x[2])
}

pub(super) fn sum(a: &[Jet; 3], b: &[Jet; 3]) -> [Jet; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Rodrigues: 1 + sin φ·ũ + (1 − cos φ)·ũ².
pub(super) fn turned(axis: [f64; 3], angle: Jet) -> Matrix {
    let [x, y, z] = axis;
    let cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    let (sin, rest) = (angle.sin(), Jet::of(1.0) + -angle.cos());
    [0, 1, 2].map(|i: usize| {
        [0, 1, 2].map(|j: usize| {
            let one = if i == j { 1.0 } else { 0.0 };
            let square: f64 = (0..3).map(|k: usize| cross[i][k] * cross[k][j]).sum();
            Jet::of(one) + sin * Jet::of(cross[i][j]) + rest * Jet::of(square)
        })
    })
}
