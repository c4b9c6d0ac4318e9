//! Motion integrated ahead: q̈ = f(t, q, q̇) in ℝⁿ, solved by collocation, one polynomial per segment.
//!
//! **Problem.** Given q₀ and q̇₀ at t₀, find q on a span [t₀, t₀+h] that is as long as the tolerance allows, as
//! data that can be asked at any time. f is one call of forward dynamics. What the coordinates are is not
//! known here: angles, lengths, or a rotation vector relative to the segment's start.
//!
//! **Collocation.** With θ = (t − t₀)/h, right-Radau nodes c₁ < … < c_s = 1 and a polynomial a(θ) of degree
//! s − 1 that stands for q̈,
//!
//! ```text
//! q̇(θ) = v₀ + h ∫₀^θ a,        q(θ) = q₀ + θh·v₀ + h² ∫₀^θ∫₀^σ a                              (1)
//! A_j := a(c_j) = f(t₀ + c_j·h, q(c_j), q̇(c_j)),      j = 1…s                                 (2)
//! ```
//!
//! q and q̇ are exact integrals of a, so that a segment is q₀, v₀ and a, and nothing is interpolated
//! ([`Segment`]). The order at the end is 2s − 1; within, the velocity errs by O(h^(s+1)).
//!
//! **Sweeps.** In terms of the A_j, (1) is v_j = v₀ + h Σ_k Q_jk·A_k and
//! q_j = q₀ + c_j·h·v₀ + h² Σ_k Q²_jk·A_k, where Q and Q² (not the square of Q) integrate Lagrange polynomials
//! once and twice. (2) is solved by sweeps through the nodes in which A_j is replaced by f at the newest
//! values. Each takes s calls and shrinks the error by about 0.13·h·|∂f/∂q̇| + 0.008·h²·|∂f/∂q| (s = 6).
//!
//! **Damping.** Light links with damped joints decay at rates c/D of thousands per second, and sweeps that
//! treat −C·q̇ like the rest of f diverge above h·c/D ≈ 5. Let the equation of motion be
//! H(q)·q̈ = F(t, q, q̇) − C·q̇. With Crout's factors Q = L·U (U has a unit diagonal) the sweep takes for the
//! velocity that damps at node j
//!
//! ```text
//! u_j = v₀ + h [ Σ_{i≤j} L_ji·A_i + Σ_k (Q − L)_jk·A_k^old ] = w_j + γ_j·A_j,    γ_j = h·L_jj    (3)
//! (H + γ_j·C)·A_j = F(t_j, q_j, v_j) − C·w_j                                                      (4)
//! ```
//!
//! where w_j holds all that is known before A_j. When nothing changes any more, u_j = v_j and (4) is the
//! equation of motion. For ever stiffer damping the error is multiplied by I − L⁻¹Q = I − U from sweep to
//! sweep, which is nilpotent: s sweeps end it. (4) is one call of forward dynamics with γ·c added to each
//! damped joint's own inertia. Only C·q̇ needs this; Coriolis forces in F read v_j.
//!
//! **Error.** a misses q̈ by C_s·Π(θ − c_j) to leading order, C_s = h^s·q^(s+2)/s!. The acceleration a₀ at the
//! start is known (at the end of the segment before, or from one call), and no node is there, so
//!
//! ```text
//! C_s = (−1)^s·(a₀ − a(0)) / Π c_j,     |δq̇| ≤ h·|C_s|·max_θ|∫Π|,   |δq| ≤ h²·|C_s|·max_θ|∫∫Π|     (5)
//! ```
//!
//! the leading coefficient of the polynomial of one degree more. It holds at every θ; at the end both integrals
//! vanish. So the tolerance is kept where a segment is cut, and better where it is not ([`Accuracy`]).
//!
//! | here | meaning | unit |
//! |---|---|---|
//! | q, v, a | displacement, velocity, acceleration, one number per freedom | rad or m, /s, /s² |
//! | h, θ | length of the segment, time in it from 0 to 1 | s, – |
//! | A_j, c_j, s | acceleration at a node, node, number of nodes | |
//! | γ, w, C, H | share of the new acceleration in the velocity, velocity without it, damping, inertia | s, … |
//! | a₀ − a(0) | the *defect* | |
//!
//! **Sources.** Collocation: Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, II.7 and
//! II.14; Crout's factor in sweeps: Weiser, *Faster SDC convergence on non-equidistant grids by DIRK sweeps*
//! (2015). Deviations: the second integral is exact instead of Q·Q, the factor L is used for damping alone
//! (Gauss-Seidel with Q and Q² contracts better elsewhere), and the error is controlled where it is largest
//! instead of at the end.
//!
//! | file | idea |
//! |---|---|
//! | `rule` | nodes and matrices for s = 4 and 6 |
//! | `segment`, `single`, `range` | the polynomial, its state at a time, that of one coordinate, and what it cannot leave |
//! | `accuracy` | what a tolerance means |
//! | `memory` | the last polynomial as a guess for the next, and step sizes: state that the caller keeps |
//! | `sweep`, `integrator` | solving (2), and choosing h |

mod accuracy;
mod integrator;
mod memory;
mod range;
mod rule;
mod segment;
mod single;
mod sweep;

#[cfg(test)]
mod tests;

use thiserror::Error;

pub use accuracy::{Accuracy, Scale};
pub use integrator::{Effort, Integrator, Start};
pub use memory::Memory;
pub use range::{Interval, Ranges};
pub use rule::Rule;
pub use segment::{Point, Segment};
pub(crate) use single::{Clock, Coordinate, Weights};

/// A system H(q)·q̈ = F(t, q, q̇) − C·q̇ that can be asked for its acceleration.
pub trait SecondOrder {
    /// Number of coordinates.
    fn freedoms(&self) -> usize;

    /// True when C is not zero; otherwise `Probe::implicit` is not filled in.
    fn is_damped(&self) -> bool {
        false
    }

    /// Writes the acceleration that solves (H + γ·C)·a = F(t, q, v) − C·w.
    ///
    /// Answers must be a function of `probe` alone. It may be asked for states that the motion never reaches;
    /// an answer that is refused or not finite makes the segment shorter.
    ///
    /// # Errors
    ///
    /// When the system has no acceleration there.
    fn acceleration(&mut self, probe: &Probe, out: &mut [f64]) -> Result<(), Undefined>;
}

/// A state at which the acceleration is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// t `[s]`.
    pub time: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Velocities, for everything but damping.
    pub v: &'a [f64],
    /// How damping is to be treated.
    pub implicit: Implicit<'a>,
}

/// The velocity that damps is w + γ·a, with the acceleration a that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Implicit<'a> {
    /// γ ≥ 0 `[s]`; 0 where the velocity is known, and then w = v.
    pub gamma: f64,
    /// w.
    pub w: &'a [f64],
}

/// Why a system has no acceleration in a state.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Undefined {
    /// The coordinates are where their chart ends, such as a rotation vector of a whole turn.
    #[error("coordinate {0} has left its chart")]
    OutOfChart(usize),
    /// The inertia that a coordinate feels is not positive.
    #[error("coordinate {0} feels no inertia")]
    Singular(usize),
    /// The surfaces of a contact cannot be told apart.
    #[error("contact {0} has no gap that could be held")]
    NoContact(usize),
}

/// Why a segment could not be integrated.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum IntegrationError {
    /// Numbers handed in do not fit together.
    #[error("{what} (at t = {time} s)")]
    BadStart {
        /// Time of the start `[s]`.
        time: f64,
        /// What is wrong.
        what: &'static str,
    },
    /// The system has no acceleration at the start.
    #[error("no acceleration at t = {time} s: {reason}")]
    NoAcceleration {
        /// Time of the start `[s]`.
        time: f64,
        /// Why.
        reason: Undefined,
    },
    /// The acceleration at the start is not finite.
    #[error("the acceleration of coordinate {coordinate} is not finite at t = {time} s")]
    NotFinite {
        /// Time of the start `[s]`.
        time: f64,
        /// Which coordinate.
        coordinate: usize,
    },
    /// No step was short enough.
    #[error(
        "steps became too short at t = {time} s: {step:e} s after {attempts} attempts ({obstacle})\n\
         hint: a force may jump or grow without bound there, or the tolerance may be below rounding"
    )]
    StepCollapsed {
        /// Time of the start `[s]`.
        time: f64,
        /// The last step tried `[s]`.
        step: f64,
        /// How many were tried.
        attempts: u32,
        /// What stood in the way of the last one.
        obstacle: Obstacle,
    },
}

/// What made an attempt at a segment fail.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum Obstacle {
    /// The estimate of the error, in units of the tolerance.
    #[error("error {0:.3e} of what is allowed")]
    Error(f64),
    /// Sweeps did not converge; the share of the error that a sweep left.
    #[error("sweeps leave {0:.3} of the error")]
    Sweeps(f64),
    /// Not a finite acceleration.
    #[error("an acceleration is not finite")]
    NotFinite,
    /// The system refused.
    #[error("{0}")]
    Undefined(#[from] Undefined),
}
