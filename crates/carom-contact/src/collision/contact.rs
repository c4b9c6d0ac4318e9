//! K and μ as the equations of sliding use them.

use glam::{DMat2, DMat3, DVec2, DVec3, Vec2Swizzles};

use crate::tolerances::DEGENERATE;

/// What stays the same throughout a collision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// M: tangential velocity by tangential impulse.
    pub(super) m: DMat2,
    /// s: tangential velocity by normal impulse.
    pub(super) s: DVec2,
    /// c: normal velocity by normal impulse.
    pub(super) c: f64,
    /// Friction.
    pub(super) mu: f64,
    /// Bound on the rates at which sliding changes, per σ: ‖s‖ + μ·tr M.
    pub(super) rate: f64,
    /// 1/(rate + c): the unit of σ.
    pub(super) unit: f64,
    /// Whether u_z can fall while sliding in some direction: μ‖s‖ > c.
    pub(super) dips: bool,
}

/// How sliding in one direction goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slip {
    /// û.
    pub(super) along: DVec2,
    /// ρ = û·g with g = s − μMû: relative rate of the sliding speed per σ, its rate per p_z.
    pub(super) growth: f64,
    /// τ = û⊥·g: rate of the angle per σ.
    pub(super) turn: f64,
    /// dτ/dθ = −ρ − μû⊥·Mû⊥ (lemma 5).
    pub(super) bend: f64,
}

impl Contact {
    pub(super) fn new(k: &DMat3, mu: f64) -> Self {
        let f = 0.5 * (k.x_axis.y + k.y_axis.x);
        let s = 0.5 * DVec2::new(k.x_axis.z + k.z_axis.x, k.y_axis.z + k.z_axis.y);
        let m = DMat2::from_cols_array(&[k.x_axis.x, f, f, k.y_axis.y]);
        let (c, coupling) = (k.z_axis.z, s.length());
        let rate = coupling + mu * (k.x_axis.x + k.y_axis.y);
        Self { m, s, c, mu, rate, unit: 1.0 / (rate + c), dips: mu * coupling > c }
    }

    /// K·p.
    pub(super) fn response(&self, p: DVec3) -> DVec3 {
        let t = p.truncate();
        (self.m * t + p.z * self.s).extend(self.s.dot(t) + self.c * p.z)
    }

    /// How sliding along a unit vector goes on.
    pub(super) fn slip(&self, along: DVec2) -> Slip {
        let across = along.perp();
        let g = self.s - self.mu * (self.m * along);
        let growth = along.dot(g);
        let bend = -growth - self.mu * across.dot(self.m * across);
        Slip { along, growth, turn: across.dot(g), bend }
    }

    /// du_z/dp_z while sliding along a unit vector.
    pub(super) fn lift(&self, along: DVec2) -> f64 {
        self.c - self.mu * self.s.dot(along)
    }

    /// λ = M⁺s: friction that would hold the points, per normal impulse and reversed.
    pub(super) fn hold(&self) -> DVec2 {
        let [a, f, _, b] = self.m.to_cols_array();
        if a >= b { solve([a, f, b], self.s) } else { solve([b, f, a], self.s.yx()).yx() }
    }
}

/// [a f; f b]⁺s, where a ≥ b: by elimination, so that M·λ differs from s by rounding only.
fn solve([a, f, b]: [f64; 3], s: DVec2) -> DVec2 {
    if a <= 0.0 {
        return DVec2::ZERO;
    }
    let share = f / a;
    let left = b - share * f;
    if left <= DEGENERATE * a {
        // M = (a + b)·nnᵀ, and s is along n because K is positive semi-definite.
        return s / (a + b);
    }
    let second = (s.y - share * s.x) / left;
    DVec2::new(s.x / a - share * second, second)
}
