//! Complementarity problems: forces that push only, limits that hold only one way, and their exact solvers.
//!
//! Problem. Given M (n×n), q and bounds lo ≤ hi, find z with w = M·z + q such that for every row i
//!
//! ```text
//! lo_i < z_i < hi_i  ⇒  w_i = 0
//! z_i = lo_i         ⇒  w_i ≥ 0                                                            (1)
//! z_i = hi_i         ⇒  w_i ≤ 0
//! ```
//!
//! With lo = 0 and hi = ∞ this is the linear complementarity problem z ≥ 0, w ≥ 0, zᵀw = 0 (Baraff 8-7 with
//! A = M, f = z, b = −q). lo = −∞, hi = ∞ makes a bilateral row: w_i = 0, z_i anything. Two finite bounds are a
//! motor with a limit or friction with a given normal force. lo_i = hi_i prescribes z_i and asks nothing of w_i.
//!
//! | symbol | meaning |
//! |---|---|
//! | M | how w answers z, for contacts J·H⁻¹·Jᵀ |
//! | z | unknown, for contacts the forces |
//! | q, w | value at z = 0, and at the answer: for contacts accelerations of the gaps |
//! | lo, hi | bounds of z |
//! | u | multipliers that prove that (1) has no answer |
//!
//! Nothing here knows of contacts or joints, nor of units: problems are brought to size one by powers of two
//! before they are solved (`scaling`), so that grams and tonnes behave alike.
//!
//! **Existence.** For M positive semidefinite (its symmetric part, that is) an answer exists if and only if the
//! inequalities alone can be met. For M symmetric and semidefinite w is unique and z may not be: more legs than
//! a table needs. [`least_norm`] then singles out one z. For other M there may be none, one or many, and
//! deciding which is as hard as anything in NP.
//!
//! **Solvers.** One trait, [`Solver`], one file each:
//!
//! | solver | good for | cost |
//! |---|---|---|
//! | [`Lemke`] | any M; bounds and bilateral rows enlarge the problem | n² per pivot, mostly n to 3n pivots |
//! | [`Pivoting`] | symmetric semidefinite M with any bounds; many unsymmetric ones | n² per pivot, mostly n pivots |
//! | [`Convex`] | symmetric semidefinite M with any bounds, many rows | n³/3 per step, 10 to 20 steps |
//! | [`Explicit`] | semidefinite M without bounds: the same by Baraff's preferred programme | 5n³ per step |
//! | [`GaussSeidel`] | a rough answer of anything with a positive diagonal | n² per sweep, any number of sweeps |
//! | [`Jacobi`] | showing how Appendix C fails | n² per sweep |
//! | [`Automatic`] | the default: pivoting, and by kind what comes next | |
//!
//! [`Pivoting`] is what is often called Dantzig's method for contacts: principal pivoting of Dantzig and Cottle,
//! row after row, which Baraff took up in 1994.
//!
//! All but the sweeps end with the same step (`polish`): the rows with w = 0 are solved once more from the given numbers,
//! with residuals in twice the digits. Answers are therefore as good as the set of rows was right, and an answer is
//! only called [`Outcome::Solved`] after its residual was measured.
//!
//! Beside them stand [`Warm`], which tries the set of rows of the last problem first, and [`Equality`], for rows
//! that are known to hold, within a derivative.
//!
//! **Determinism.** Same input, same bits; no clock, no random numbers, no order of memory takes part.
//!
//! Sources: Cottle, Pang, Stone, *The Linear Complementarity Problem* (1992), sections 4.2, 4.4; Baraff's thesis,
//! chapters 8 and 13, and his *Fast contact force computation* (1994).

mod automatic;
mod certificate;
mod cholesky;
mod convex;
mod dictionary;
mod equality;
mod explicit;
mod gauss_seidel;
mod interior;
mod jacobi;
mod least_norm;
mod lemke;
mod linear;
mod pivoting;
mod polish;
mod problem;
mod repair;
mod scaling;
mod standard;
mod sweeps;
#[cfg(test)]
mod tests;
mod warm;

pub use automatic::Automatic;
pub use certificate::{infeasibility_margin, ray_violation};
pub use convex::Convex;
pub use equality::Equality;
pub use explicit::Explicit;
pub use gauss_seidel::GaussSeidel;
pub use jacobi::Jacobi;
pub use least_norm::{LeastNorm, LeastNormFault, least_norm};
pub use lemke::Lemke;
pub use pivoting::Pivoting;
pub use problem::{Problem, ProblemFault};
pub use warm::{Stale, Warm};

/// A way to solve a [`Problem`].
///
/// Solvers own their scratch memory, which grows with the largest problem seen; solving another one of that size
/// allocates nothing. What they return depends on the problem alone, not on what was solved before.
pub trait Solver {
    /// What it is called in tables.
    fn name(&self) -> &'static str;

    /// Solves `problem` and writes what was found into `solution`.
    ///
    /// `z`, `w`, `places` and `residual` are written in any case and belong together; unless the outcome is
    /// [`Outcome::Solved`] they are merely where the search ended.
    fn solve(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome;
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// (1) holds to rounding.
    Solved,
    /// There is no answer: [`Solution::direction`] holds multipliers u for which [`infeasibility_margin`] is
    /// positive.
    Infeasible,
    /// Lemke's path went off to infinity along [`Solution::direction`], for which [`ray_violation`] is rounding.
    ///
    /// For semidefinite M this cannot happen, as [`Outcome::Infeasible`] is then proved instead. For others it
    /// leaves open whether there is an answer; the direction itself is what Baraff applies as an impulse.
    Ray,
    /// Neither an answer nor a proof that there is none.
    Unsolved(Reason),
}

/// Why a search gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The limit of pivots, steps or sweeps was reached.
    Limit,
    /// No pivot that the method can take is large enough: M is not of the kind it is made for.
    Pivot,
    /// The problem is not of the kind the method is made for: M not symmetric, or without a positive diagonal, or bounds
    /// that it does not know.
    Kind,
    /// Sweeps go to and fro between the same values.
    Cycle,
    /// A set of rows was found, but (1) does not hold for it to [`SOLVED`](crate::tolerances::SOLVED).
    Accuracy,
}

/// Where an unknown is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At its lower bound, w ≥ 0.
    Lower,
    /// At its upper bound, w ≤ 0.
    Upper,
    /// Anywhere from bound to bound, w = 0.
    Between,
}

/// What a solver found; reuse one to avoid allocation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// The unknowns, never outside their bounds.
    pub z: Vec<f64>,
    /// M·z + q, summed with twice the digits.
    pub w: Vec<f64>,
    /// The set of rows behind the answer: z follows from it by one linear solve, but for sweeps, of which it tells where
    /// they ended.
    pub places: Vec<Place>,
    /// Largest violation of (1), [`Problem::residual`].
    pub residual: f64,
    /// Pivots, Newton steps or sweeps made, those of retries included.
    pub iterations: usize,
    /// A certificate, if the outcome has one; otherwise empty.
    pub direction: Vec<f64>,
}
