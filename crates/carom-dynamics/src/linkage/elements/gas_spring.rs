//! Gas springs: a cylinder of gas that pushes two points apart.
//!
//! A piston of area A on gas that fills the length L₁ of its cylinder when extended, and x less when compressed by x, at
//! p·Vⁿ = constant, pushes with
//!
//! ```text
//! F(x) = F₁·(L₁/(L₁ − x))ⁿ,      x = l₁ − l,      0 ≤ x ≤ stroke < L₁                                 (1)
//! U(x) = ∫₀ˣ F = F₁·L₁·(e^((n−1)·y) − 1)/(n − 1),      y = −ln(1 − x/L₁);      F₁·L₁·y for n = 1          (2)
//! ```
//!
//! where l₁ is the distance of the ends when extended and F₁ = p₁·A. n is 1 for slow strokes (isothermal), γ of
//! the gas for fast ones (1.4 for nitrogen). Catalogues give F₁ and the ratio F(stroke)/F₁, from which L₁ follows.
//!
//! **Outside its stroke.** Longer than extended (x < 0), (1) goes on and falls towards zero. Compressed beyond its stroke,
//! the force goes on along its tangent, so that it stays finite down to length zero and has a continuous slope.
//! Neither is a stop.
//!
//! Oil damps: c·l̇ along the line, as in a spring.

use super::end::{Damper, Ends, Line};
use crate::spatial::ForceVector;

/// A gas spring between two points (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GasSpring {
    /// F₁, push when extended `[N]`.
    pub force: f64,
    /// l₁, distance of the ends when extended `[m]`.
    pub extended: f64,
    /// How far it can be compressed `[m]`.
    pub stroke: f64,
    /// L₁, length of the gas when extended, more than the stroke `[m]`.
    pub column: f64,
    /// n `[-]`.
    pub exponent: f64,
    /// c `[N·s/m]`.
    pub damping: f64,
}

impl GasSpring {
    /// F at compression x `[N]`.
    pub fn push(&self, compression: f64) -> f64 {
        let within = compression.min(self.stroke);
        let share = self.column / (self.column - within);
        let force = self.force * libm::pow(share, self.exponent);
        force + (compression - within) * self.slope(force, within)
    }

    /// U at compression x `[J]`.
    pub fn energy_at(&self, compression: f64) -> f64 {
        let within = compression.min(self.stroke);
        let y = -libm::log1p(-within / self.column);
        let excess = self.exponent - 1.0;
        let growth = if excess == 0.0 { y } else { libm::expm1(excess * y) / excess };
        let beyond = compression - within;
        let force = self.push(within);
        self.force * self.column * growth
            + beyond * (force + 0.5 * beyond * self.slope(force, within))
    }

    /// dF/dx where the force is `force`.
    fn slope(&self, force: f64, compression: f64) -> f64 {
        self.exponent * force / (self.column - compression)
    }

    pub(super) fn act(&self, ends: &Ends, damp: &mut impl FnMut(Damper)) -> ForceVector {
        let line = Line::of(ends);
        if self.damping > 0.0 {
            damp(line.damper(self.damping));
        }
        line.pull(-self.push(self.extended - line.length))
    }

    pub(super) fn energy(&self, ends: &Ends) -> f64 {
        self.energy_at(self.extended - ends.arm().length())
    }
}
