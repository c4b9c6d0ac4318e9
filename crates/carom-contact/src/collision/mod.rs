//! One collision, integrated through compression and restitution (M 3.1 to 3.3).
//!
//! A collision takes no time. What runs in it is the normal impulse p_z; the relative velocity u of the two points in
//! contact follows from Δu = K·p (M 3.4), with a matrix K that stays the same. Nothing else is known of the bodies, so a
//! point of a linkage collides by the same function.
//!
//! **Frame and signs.** z is the contact normal from B to A, x and y any two tangents; u is the velocity of A minus that
//! of B, closing where u_z < 0; p acts on A and −p on B.
//!
//! | symbol | meaning |
//! |---|---|
//! | K = [M s; sᵀ c] | M the tangential 2×2 block, s the coupling, c = K₃₃ (M 3.15, with M = [a f; f b], s = (e, d)) |
//! | r, û | sliding speed \|u_t\| and direction u_t/r |
//! | ξ = (−μû, 1) | dp/dp_z while sliding |
//! | W_z | work of the normal impulse, dW_z = u_z·dp_z |
//!
//! **Sliding.** du/dp_z = K·ξ (theorem 8), which the thesis integrates in u_z (M 3.8) and in W_z (M 3.9). Both are
//! singular, in p_z the direction jumps where sliding ends, and u_z may fall on the way. Here the variable is σ with
//! dp_z = r·dσ:
//!
//!   u_t' = −μM·u_t + r·s,  u_z' = c·r − μs·u_t,  p' = (−μu_t, r),  W_z' = u_z·r,  friction's work' = −μr².
//!
//! These are nearly linear and regular everywhere, the end of sliding lies at σ = ∞, and no trigonometric function
//! enters. Where û stays (g = s − μMû is parallel to it: a *ray*, theorem 14) everything is a straight line in p_z
//! (`line`); where it does not, Taylor series of order 20 are summed (`series`, `step`); shortly before sliding ends a
//! sum of two exponentials does the rest (`tail`).
//!
//! In p_z the flow of u_t contracts distances in the metric of M⁻¹: d/dp_z ½δᵀM⁻¹δ = −μδ·(û₁−û₂) ≤ 0, since û is the
//! gradient of the convex \|u_t\|. And u_z = u_z0 + λ·(u_t−u_t0) + κ·p_z with λ = M⁻¹s and κ = c − s·λ. So an error in
//! u_t is never amplified, whether near a ray or near the end of sliding, and what it does to u_z is bounded with it.
//!
//! **End of sliding.** Friction holds if it can (theorem 9): dp/dp_z = (−λ, 1) and du_z/dp_z = κ if ‖λ‖ ≤ μ. If not,
//! sliding begins anew along the one diverging ray there is (theorems 15 and 16; `rays`), on which it stays.
//!
//! **End of the collision** (`course`). u_z runs to 0, where W_c is known, and on to what the law asks for: work
//! e²\|W_c\| (Stronge), normal impulse e times that so far (Poisson), or speed e\|u_z0\| (Newton). If friction
//! presses the points together again before that, u_z falls back through 0, and what the law asks for is set anew
//! where it next rises through 0. Restitution's work is counted from 0 each time, for it may be small beside W_c.
//!
//! If a least rebound is asked for and not reached, the same motion goes on until u_z first arrives there; from the end of
//! the law on nothing is set anew.
//!
//! The thesis splits a collision into phases with a variable each, and its recipe for a falling u_z covers only the
//! start (3.3.1); here its sign is watched throughout. Velocities come from accumulated impulses, u = u_start + K·Δp,
//! so K is never inverted and may lack rank.

mod closed;
mod contact;
mod course;
mod law;
mod line;
mod quadrature;
mod rays;
mod reversal;
mod root;
mod scale;
mod series;
mod slide;
mod step;
mod tail;
#[cfg(test)]
mod tests;

use glam::{DMat3, DVec3};

use crate::tolerances::{COLLISION_ERROR, DEGENERATE};
use contact::Contact;
use course::Course;
pub use law::RestitutionLaw;
pub use reversal::impulse_to;
use scale::Scale;

/// Two points about to collide, in the collision frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// K, symmetric `[1/kg]`.
    pub matrix: DMat3,
    /// Relative velocity u before; z < 0 closes `[m/s]`.
    pub velocity: DVec3,
    /// Coulomb's coefficient of friction `[-]`.
    pub friction: f64,
    /// Coefficient of restitution; may exceed 1 `[-]`.
    pub restitution: f64,
    /// What it multiplies.
    pub law: RestitutionLaw,
    /// The collision runs on until the point leaves at least this fast; 0 for the law alone. Points that do not close, but
    /// part more slowly than this, are driven apart as after a compression of nothing `[m/s]`.
    pub least_rebound: f64,
}

/// What a collision does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Impulse on body A, collision frame `[N·s]`.
    pub impulse: DVec3,
    /// Relative velocity after `[m/s]`.
    pub velocity: DVec3,
    /// W_c: work of the normal impulse up to the maximum compression from which the law counts, the last one before it was
    /// satisfied. At most 0, except that under another law than Stronge's, or with e > 1, a second compression may follow after
    /// more work was returned than taken `[J]`.
    pub compression_work: f64,
    /// Work of the normal impulse over the whole collision, integrated `[J]`.
    pub normal_work: f64,
    /// What of it was done after the law was satisfied, to reach the least rebound; exactly 0 where the law alone does `[J]`.
    pub boost: f64,
    /// Work of friction; at most 0 `[J]`.
    pub friction_work: f64,
    /// How it went.
    pub ending: Ending,
}

/// How a collision goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The points do not close: no impulse.
    Receding,
    /// They slide to the end.
    Slides,
    /// They stop sliding, and friction holds.
    Sticks,
    /// They stop sliding, friction cannot hold, and they slide anew along the diverging ray.
    Diverges,
    /// No impulse drives the points apart as the law asks, or the numbers are not those of a collision; the answer is
    /// how far it got.
    Jammed,
}

impl Collision {
    /// Integrates the collision.
    #[must_use]
    pub fn solve(&self) -> Answer {
        if !self.is_sound() {
            return self.untouched(Ending::Jammed);
        }
        if self.velocity.z >= 0.0 && self.velocity.z >= self.least_rebound {
            return self.untouched(Ending::Receding);
        }
        if self.friction == 0.0 || closed::is_round(&self.matrix) {
            return closed::solve(self);
        }
        self.integrate(COLLISION_ERROR)
    }

    /// The general case, with an error of a step of this share of the closing speed.
    fn integrate(&self, error: f64) -> Answer {
        let scale = Scale::of(self);
        let scaled = scale.apply(self);
        let contact = Contact::new(&scaled.matrix, scaled.friction);
        let mut course = Course::new(&scaled, &contact, error);
        let ending = slide::run(&mut course);
        scale.restore(&course, ending)
    }

    /// True when normal and tangential motion do not act on each other and no tangent differs from another, as of balls.
    pub fn is_round(&self) -> bool {
        closed::is_round(&self.matrix)
    }

    /// Finite numbers, a normal that gives way, friction and restitution that are not negative.
    fn is_sound(&self) -> bool {
        let numbers = [self.friction, self.restitution, self.least_rebound];
        self.matrix.is_finite()
            && self.velocity.is_finite()
            && numbers.iter().all(|number| number.is_finite())
            && self.matrix.diagonal().min_element() >= 0.0
            && self.matrix.z_axis.z > DEGENERATE * self.matrix.diagonal().element_sum()
            && self.friction >= 0.0
            && self.restitution >= 0.0
    }

    fn untouched(&self, ending: Ending) -> Answer {
        Answer {
            impulse: DVec3::ZERO,
            velocity: self.velocity,
            compression_work: 0.0,
            normal_work: 0.0,
            boost: 0.0,
            friction_work: 0.0,
            ending,
        }
    }
}
