//! One collision of two bodies with Coulomb friction, to all digits of a double.
//!
//! **The problem** (Routh 1860; Keller 1986; Mirtich's thesis, chapter 3). In axes with z along the normal the relative
//! velocity u of the contact changes with the impulse p by Δu = K·p. While the contact slides, friction opposes sliding
//! at its limit, so with the normal impulse p_z as the clock
//!
//! du/dp_z = K·ξ,   ξ = (−μ·û_x, −μ·û_y, 1),   dW_z/dp_z = u_z,   dW_t/dp_z = −μ·‖u_t‖,
//!
//! where W_z and W_t are the works of the normal impulse and of friction. *Compression* ends where u_z rises through 0;
//! there W_z is W_c and p_z is p_c. *Restitution* ends, by law,
//!
//! | law | where |
//! |---|---|
//! | Stronge | W_z = (1 − e²)·W_c |
//! | Poisson | p_z = (1 + e)·p_c |
//! | Newton | u_z = −e·u_z(0) |
//!
//! Friction can drive the bodies together, so that u_z falls through 0 once more; then compression begins anew, and W_c
//! and p_c are those of its last end. Where sliding stops it does not begin again if friction can hold it
//! (‖M⁻¹s‖ ≤ μ, Theorem 9), and else goes on along the one diverging ray (Theorem 16). Both are straight lines with u_z
//! rising, and have closed forms.
//!
//! **The route** is chosen to share nothing with a solver that is fast. Sliding is integrated with p_z by extrapolation
//! in doubled precision (`extrapolation.rs`), in steps that get shorter with ‖u_t‖ (`slide.rs`). The sliding angle never
//! turns back, for its rate has the sign of a function of itself; so u_z' = c − μ·s·û has at most one extremum, where û
//! passes s. Steps end there and where u_z' or u_z vanishes, so that nothing happens twice within one. The diverging ray
//! comes from the quartic (`rays.rs`).
//!
//! **How far to trust it.** For two states at the same p_z the distance √(Δu_t·M⁻¹·Δu_t) never grows, because friction is
//! monotone: its rate is −μ·(û₁ − û₂)·(u₁ − u₂) divided by the distance. And u_z − s·M⁻¹·u_t rises at a constant rate.
//! So errors of steps add up but are not amplified, also where paths pass close by u_t = 0. Each collision is solved with
//! two tolerances; [`Outcome::error`] tells how far the answers differ, and whether the work agrees with
//! ½(u₀ + u)·p (Theorem 11) and u_z with K·p. `planar.rs` has exact answers for contacts that stay in a plane.

mod bodies;
pub mod cases;
mod events;
mod extrapolation;
mod matrix;
pub mod micro;
mod outcome;
pub mod planar;
mod rays;
pub mod samples;
mod slide;
mod straight;
#[cfg(test)]
mod tests;
mod tolerances;

pub use bodies::{Striker, inverse_of_moments};
pub use outcome::Outcome;

use crate::doubled::Doubled;

use matrix::Matrix;
use slide::Slide;
use tolerances::STEP_ERRORS;

/// What ends restitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// The normal impulse gives back e² of the work that compression took.
    Stronge,
    /// Restitution has e times the normal impulse of compression.
    Poisson,
    /// The contact parts with e times the speed at which it closed.
    Newton,
}

/// A collision to solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// K, row by row, symmetric; z is the normal `[1/kg]`.
    pub matrix: [[f64; 3]; 3],
    /// Relative velocity of the contact, with u_z < 0 `[m/s]`.
    pub velocity: [f64; 3],
    /// μ `[-]`.
    pub friction: f64,
    /// e `[-]`.
    pub restitution: f64,
    /// What e means.
    pub law: Law,
}

/// How a collision ends; none if it does not close, K is not positive definite, or a number is not finite or negative
/// where it must not be.
pub fn solve(impact: &Impact) -> Option<Outcome> {
    let matrix = Matrix::new(&impact.matrix);
    let numbers = [impact.velocity, [impact.friction, impact.restitution, 0.0]];
    let all = impact.matrix.iter().chain(&numbers).flatten();
    let is_sound = all.into_iter().all(|it| it.is_finite())
        && impact.velocity[2] < 0.0
        && impact.friction >= 0.0
        && impact.restitution >= 0.0
        && matrix.is_positive_definite();
    if !is_sound {
        return None;
    }
    let [rough, fine] = STEP_ERRORS.map(|error| Slide::new(impact, &matrix, error));
    Some(Outcome::new(&fine, &fine.solve()?, &rough.solve()?))
}

/// Friction from which on sticking is stable, ‖M⁻¹s‖ `[-]`.
pub fn critical_friction(matrix: &[[f64; 3]; 3]) -> f64 {
    Matrix::new(matrix).critical_friction().value()
}

/// A direction in which sliding stays straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Angle from x towards y `[rad]`.
    pub angle: f64,
    /// Rate of the sliding speed with p_z, positive if the ray diverges `[1/kg]`.
    pub rate: f64,
}

/// All rays, by angle; there are at most four unless every direction is one.
pub fn rays(matrix: &[[f64; 3]; 3], friction: f64) -> Vec<Ray> {
    let found = rays::rays(&Matrix::new(matrix), Doubled::from(friction));
    let plain = |ray: rays::Ray| {
        let [x, y] = ray.direction.map(Doubled::value);
        Ray { angle: libm::atan2(y, x), rate: ray.rate.value() }
    };
    let mut rays: Vec<Ray> = found.into_iter().map(plain).collect();
    rays.sort_by(|a, b| a.angle.total_cmp(&b.angle));
    rays
}
