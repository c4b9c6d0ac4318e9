//! Constraints on trees by test forces: joints and points that are held, driven, stopped or struck.
//!
//! Seed 004 (Patil's slides after Kokkevis; guide F-10.2, F-10.3 and section 7). At a frozen state every acceleration
//! that v̇ determines linearly is affine in what pushes along it. With rows J of such accelerations and forces f dual to them,
//! equation (1) of `tree/mod.rs` gives
//!
//! ```text
//! a = K·f + a⁰,   K = J·H⁻¹·Jᵀ,   a⁰ at f = 0                             (a^f = k·f + a⁰ of the seed)       (1)
//! ```
//!
//! | question | condition | file |
//! |---|---|---|
//! | accelerations aᵈ: held and driven | K·f = aᵈ − a⁰ | `acceleration.rs` |
//! | velocities after an impact u⁺ | K·p = u⁺ − u⁻ | `impact.rs` |
//! | pushes only | f ≥ 0, a − aᵈ ≥ 0, complementary | both, by `solve.rs` |
//! | restitution | u⁺ ≥ −e·u⁻, p ≥ 0, complementary | `restitution.rs` |
//! | joint stops | F-7.1, F-7.2 | `stop.rs` |
//!
//! **Answer.** v̇ = v̇⁰ + H⁻¹·Jᵀ·f, the second part by one more sweep over the tree; likewise Δv = H⁻¹·Jᵀ·p. Jumps of
//! velocity come from the response without gravity, velocities and actuators (erratum E16), so that no part of a second of gravity
//! gets into them. Forces on points go into the tree once, as wrenches on their links (erratum E17).
//!
//! **Velocity terms.** Accelerations of points are those of the material points, ω×(ω×r) included. Where a point stays
//! on a surface whose normal n turns, the gap accelerates by n·a + 2·ṅ·u + …; the further terms are the caller's
//! and go into the target with the opposite sign.
//!
//! **Rank.** K is singular where constraints say the same twice. Bilateral rows are eliminated from K one after the other,
//! that with the largest share of its own diagonal left first, of equals the first given. A row with no share left
//! follows from those before: met, it is redundant; missed, it is the contradiction that is reported. The same elimination
//! leaves for unilateral rows the problem
//!
//! ```text
//! a_U = (K_UU − K_UB·K_BB⁻¹·K_BU)·f_U + a_U⁰ − K_UB·K_BB⁻¹·a_B⁰                                              (2)
//! ```
//!
//! with a semidefinite matrix, for `complementarity`. Accelerations are unique; where forces are not, all of them together are the
//! shortest (`least_norm`), each counted in the unit of its row. A row that nothing can move, as a point on an axis, has no share from the start.
//!
//! **Rounding.** Where all rows hold both ways, what they miss is measured on the links and solved for once more. Against the dense
//! system this takes two digits off the error.
//!
//! **Cost.** n links and m rows: m sweeps inward, n·m; products of those, at most ½·n·m² multiplications; m³ for elimination and
//! pivots; two sweeps over the tree. Deviation from the seed, whose test forces are m calls of forward dynamics and whose k is a
//! difference of large numbers: here columns of K come from the sweeps of `response.rs`. For m up to some 50 the products are the
//! smaller part of that.
//!
//! **Signs.** A force is dual to its row: positive along the direction of a point or spin, or on the freedom. A row
//! [`Hold::Pushes`] at a lower stop, and [`Hold::Pulls`] at an upper one.

mod acceleration;
mod impact;
mod restitution;
mod rows;
mod solve;
mod stop;
#[cfg(test)]
mod tests;

use glam::DVec3;
use thiserror::Error;

use super::{LinkImpulse, LinkPoint, ResponseScratch, Row, SingularJoint};
use crate::complementarity::{LeastNorm, Lemke, Outcome, Pivoting, Solution};

pub use restitution::{Bounce, Contact};
pub use stop::{RestOnStop, Side, Stop};

/// Which way a constraint can push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Both ways: the row equals its target.
    Both,
    /// The row is at least its target, the force at least zero, and one of the two is equal.
    Pushes,
    /// The row is at most its target, the force at most zero, and one of the two is equal.
    Pulls,
}

/// What is asked of one row of J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The acceleration or velocity that is constrained. Directions need not be unit; forces are dual to rows.
    pub row: Row,
    /// Its value, or bound: `[m/s²]`, `[rad/s²]` for accelerations, `[m/s]`, `[rad/s]` for impacts.
    pub target: f64,
    /// Which way the force may act.
    pub hold: Hold,
}

impl Constraint {
    /// One freedom has this acceleration, or velocity.
    pub const fn freedom(freedom: usize, target: f64) -> Self {
        Self { row: Row::Freedom(freedom), target, hold: Hold::Both }
    }

    /// A point has this acceleration, or velocity, along a direction.
    pub const fn along(at: LinkPoint, direction: DVec3, target: f64) -> Self {
        Self { row: Row::Point { at, direction }, target, hold: Hold::Both }
    }

    /// All three components of a point.
    pub fn point(at: LinkPoint, target: DVec3) -> [Self; 3] {
        [0, 1, 2].map(|axis| Self::along(at, DVec3::AXES[axis], target[axis]))
    }

    /// All three components of how a link turns.
    pub fn spin(link: usize, target: DVec3) -> [Self; 3] {
        [0, 1, 2].map(|axis| Self {
            row: Row::Spin { link, direction: DVec3::AXES[axis] },
            target: target[axis],
            hold: Hold::Both,
        })
    }

    /// A point on a surface that it can leave: it does not accelerate, or move, against the normal by more than the surface.
    pub const fn resting(at: LinkPoint, normal: DVec3, target: f64) -> Self {
        Self { row: Row::Point { at, direction: normal }, target, hold: Hold::Pushes }
    }
}

/// What became of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Rows that follow from bilateral ones before them, or that nothing can move; see [`ConstraintScratch::redundant`].
    pub redundant: usize,
    /// True when forces are the shortest that do this; false when they are only one of several answers.
    pub is_shortest: bool,
}

/// Why constraints cannot be met.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ConstraintError {
    /// A joint has no inertia in this configuration.
    #[error(transparent)]
    Singular(#[from] SingularJoint),
    /// A constraint that is none.
    #[error("the {what} of constraint {constraint} is {value}, but must be {expected}")]
    Invalid {
        /// Position in the list.
        constraint: usize,
        /// What is wrong.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// A constraint that others, or the joints, forbid.
    #[error(
        "constraint {constraint} contradicts the others or the joints: it is missed by {missed:e}\nhint: give it the \
         value that the others imply, or leave one of them out"
    )]
    Contradiction {
        /// Position in the list.
        constraint: usize,
        /// Value minus target when all others are met, in the unit of the row.
        missed: f64,
    },
    /// Neither forces nor a proof that there are none.
    #[error(
        "no forces were found for the {rows} unilateral constraints: {outcome:?}\nhint: scale the model to sane units"
    )]
    Unsolved {
        /// How many unilateral rows were left to solve.
        rows: usize,
        /// How the search ended.
        outcome: Outcome,
    },
}

/// Working memory of constraints; grows to what was asked of it and stays.
#[derive(Clone, Debug, Default)]
pub struct ConstraintScratch {
    rows: Vec<Row>,
    responses: ResponseScratch,
    /// K, with zeros where nothing moves.
    matrix: Vec<f64>,
    /// a⁰ − aᵈ, or u⁻ − u⁺.
    offset: Vec<f64>,
    /// Sizes of what a⁰ or u⁻ is the sum of, against which a miss is judged.
    sizes: Vec<f64>,
    holds: Vec<Hold>,
    elimination: solve::Elimination,
    unilateral: solve::Unilateral,
    pivoting: Pivoting,
    lemke: Lemke,
    solution: Solution,
    least_norm: LeastNorm,
    redundant: Vec<usize>,
    /// Forces or impulses found last.
    forces: Vec<f64>,
    impulses: Vec<LinkImpulse>,
    joint_impulses: Vec<f64>,
    /// Freedoms locked at a stop.
    prescribed: Vec<bool>,
    jumps: Vec<f64>,
    /// Restitution: rows before, after a plastic impact, and its impulses.
    before: Vec<f64>,
    plastic: Vec<f64>,
    targets: Vec<Constraint>,
}

impl ConstraintScratch {
    /// Constraints of the last call that follow from bilateral ones, or that nothing can move, in rising order.
    pub fn redundant(&self) -> &[usize] {
        &self.redundant
    }

    /// J·H⁻¹·Jᵀ of the last call, row by row, with zeros where nothing can move.
    pub fn response(&self) -> &[f64] {
        &self.matrix
    }
}
