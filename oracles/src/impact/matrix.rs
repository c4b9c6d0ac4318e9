//! The collision matrix in doubled precision, and what follows from it alone.
//!
//! In the thesis's letters (3.15), with z the normal:
//!
//! K = [ M s ; sᵀ c ],   M = [ a f ; f b ],   s = (e, d).

use crate::doubled::Doubled;

/// The entries of a symmetric matrix, named as in the thesis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
    pub a: Doubled,
    pub b: Doubled,
    pub c: Doubled,
    pub d: Doubled,
    pub e: Doubled,
    pub f: Doubled,
}

impl Matrix {
    /// From its entries; those above the diagonal count.
    pub(super) fn new(k: &[[f64; 3]; 3]) -> Self {
        let [a, f, e] = k[0].map(Doubled::from);
        let [_, b, d] = k[1].map(Doubled::from);
        Self { a, b, c: Doubled::from(k[2][2]), d, e, f }
    }

    /// K·p.
    pub(super) fn times(&self, p: &[Doubled; 3]) -> [Doubled; 3] {
        [
            self.a * p[0] + self.f * p[1] + self.e * p[2],
            self.f * p[0] + self.b * p[1] + self.d * p[2],
            self.e * p[0] + self.d * p[1] + self.c * p[2],
        ]
    }

    /// |M|.
    pub(super) fn tangential_determinant(&self) -> Doubled {
        self.a * self.b - self.f * self.f
    }

    /// M⁻¹·v by Cramer's rule.
    pub(super) fn tangential_solve(&self, v: [Doubled; 2]) -> [Doubled; 2] {
        let determinant = self.tangential_determinant();
        [
            (self.b * v[0] - self.f * v[1]) / determinant,
            (self.a * v[1] - self.f * v[0]) / determinant,
        ]
    }

    /// Tangential impulse per normal impulse that holds u_t: −M⁻¹·s.
    pub(super) fn holding(&self) -> [Doubled; 2] {
        self.tangential_solve([self.e, self.d]).map(|x| -x)
    }

    /// Rate of u_z with p_z while the contact sticks, 1/K⁻¹₃₃ = c − sᵀM⁻¹s.
    pub(super) fn sticking_rate(&self) -> Doubled {
        let held = self.holding();
        self.c + self.e * held[0] + self.d * held[1]
    }

    /// Friction from which on sticking is stable, ‖M⁻¹s‖ (Theorem 9).
    pub(super) fn critical_friction(&self) -> Doubled {
        let [x, y] = self.holding();
        (x * x + y * y).sqrt()
    }

    /// Whether all leading minors are positive.
    pub(super) fn is_positive_definite(&self) -> bool {
        self.a > Doubled::ZERO
            && self.tangential_determinant() > Doubled::ZERO
            && self.sticking_rate() > Doubled::ZERO
    }
}
