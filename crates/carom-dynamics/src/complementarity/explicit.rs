//! Baraff's other quadratic programme, in which that nothing penetrates is a constraint of its own.
//!
//! ```text
//! min zᵀMz + qᵀz   subject to   z ≥ 0,  M·z + q ≥ 0                                     (12) = Baraff's (8-10)
//! ```
//!
//! Its value is zᵀw, which is never negative and zero exactly at answers of (1), symmetric M or not. It is convex for
//! semidefinite M; for symmetric M it has the answers of [`Convex`](super::Convex), at twice the number of
//! unknowns. He prefers it because w ≥ 0 is explicit and survives an inexact end.
//!
//! **Method.** As in `convex`, with a = M·z + q as unknowns of their own and their multipliers y:
//!
//! ```text
//! (M + Mᵀ)·z + q − s − Mᵀ·y = 0,   a = M·z + q,   z_i·s_i = μ,   a_i·y_i = μ,   μ → 0                  (13)
//! ⎡ M + Mᵀ + S/Z   −Mᵀ ⎤ ⎡Δz⎤   ⎡ c_s/z − r   ⎤
//! ⎣ M              A/Y ⎦ ⎣Δy⎦ = ⎣ c_y/y + r_a ⎦ ,   Δa = (c_y − a·Δy)/y
//! ```
//!
//! with r the first expression and r_a = a − M·z − q. Rows that have bounds other than 0 ≤ z are refused
//! ([`Reason::Kind`]): (12) is stated for contacts.
//! Both diagonals are made larger by [`PROXIMAL_SHARE`]: redundant contacts leave z and y free in the same directions.
//! Eliminating Δy would square differences of sizes, which are large where contacts contradict each other slightly.
//!
//! **Limit.** Where M·z + q > 0 cannot be had in all rows at once there is no inner point to follow, multipliers are
//! unbounded, and the search may end unsolved: 11 of 600 random problems of low rank do.

use super::interior::{Barrier, damped, longest};
use super::linear::{Elimination, dot};
use super::polish::report;
use super::repair::Repair;
use super::scaling::Scaled;
use super::{Outcome, Place, Problem, Reason, Solution, Solver};
use crate::tolerances::{CENTRED, COMPLEMENTARY, ENDLESS, PROXIMAL_SHARE};

/// Newton steps before the search is given up.
const STEPS: usize = 80;

/// Interior point for (12).
#[derive(Clone, Debug, Default)]
pub struct Explicit {
    scaled: Scaled,
    elimination: Elimination,
    z: Vec<f64>,
    /// z and s, a and y.
    sides: [Barrier; 2],
    /// r and r_a of (13).
    rest: [Vec<f64>; 2],
    target: Vec<f64>,
    /// Δz, then Δy.
    step: Vec<f64>,
    repair: Repair,
    steps: usize,
}

impl Solver for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn solve(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        self.scaled.load(problem);
        self.start();
        solution.direction.clear();
        let is_standard =
            (0..problem.n()).all(|i| problem.lo(i) == 0.0 && problem.hi(i) == f64::INFINITY);
        let failure = if is_standard { self.approach() } else { None };
        let side = &self.sides[0];
        let place = |i: usize| if side.is_tight(i) { Place::Lower } else { Place::Between };
        let violation = self.repair.run(&self.scaled, place, &mut self.z);
        let answer = (&*self.z, self.repair.places(), violation);
        let outcome = report(problem, &self.scaled, answer, solution);
        solution.iterations = self.steps;
        match (outcome, failure) {
            _ if !is_standard => Outcome::Unsolved(Reason::Kind),
            (Outcome::Unsolved(_), Some(reason)) => Outcome::Unsolved(reason),
            _ => outcome,
        }
    }
}

impl Explicit {
    /// With no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// z = 1, and a as it is there or 1 where that is less.
    fn start(&mut self) {
        let (scaled, n) = (&self.scaled, self.scaled.n);
        self.steps = 0;
        self.z.clear();
        self.z.extend((0..n).map(|i| 1.0_f64.clamp(scaled.lo[i], scaled.hi[i])));
        let [first, second] = &mut self.sides;
        first.start((0..n).map(|_| Some(1.0)));
        first.set_rooms(|_| 1.0);
        second.start((0..n).map(|_| Some(1.0)));
        second.set_rooms(|i| (dot(scaled.row(i), &self.z) + scaled.q[i]).max(1.0));
        self.step.clear();
        self.step.resize(2 * n, 0.0);
    }

    /// Newton steps until (13) holds to [`CENTRED`] with μ down to [`COMPLEMENTARY`].
    fn approach(&mut self) -> Option<Reason> {
        loop {
            self.find_rest();
            let entries = self.rest.iter().flatten();
            let rest = entries.fold(0.0, |most: f64, x| most.max(x.abs()));
            let size = self.z.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            let mean = self.mean_after(0.0);
            if rest <= CENTRED * size && mean <= COMPLEMENTARY * size {
                return None;
            }
            if self.steps == STEPS || size > ENDLESS {
                return Some(Reason::Limit);
            }
            self.steps += 1;
            self.decompose();
            let reach = self.aim(0.0).min(1.0);
            let share = self.mean_after(reach) / mean.max(f64::MIN_POSITIVE);
            self.sides.iter_mut().for_each(Barrier::keep_second_order);
            let reach = self.aim(mean * share * share * share);
            self.advance(damped(reach, mean));
        }
    }

    fn find_rest(&mut self) {
        let (scaled, n) = (&self.scaled, self.scaled.n);
        let [first, second] = &self.sides;
        let [rest, a_rest] = &mut self.rest;
        rest.clear();
        a_rest.clear();
        for i in 0..n {
            let w = dot(scaled.row(i), &self.z) + scaled.q[i];
            let column = |j: usize| scaled.matrix[j * n + i] * (self.z[j] - second.push(j));
            rest.push(w + (0..n).map(column).sum::<f64>() - first.push(i));
            a_rest.push(second.room(i) - w);
        }
    }

    /// μ after a step of this length.
    fn mean_after(&self, length: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0_usize);
        for side in &self.sides {
            let (s, c) = side.products_after(length);
            sum += s;
            count += c;
        }
        sum / count.max(1) as f64
    }

    fn decompose(&mut self) {
        let (scaled, n) = (&self.scaled, self.scaled.n);
        let [first, second] = &self.sides;
        let entry = |at: usize| {
            let (row, column) = (at / (2 * n), at % (2 * n));
            let (i, j) = (row % n, column % n);
            let is_diagonal = i == j;
            match (row < n, column < n) {
                (true, true) => {
                    let added = if is_diagonal { first.stiffness(i) + PROXIMAL_SHARE } else { 0.0 };
                    scaled.matrix[i * n + j] + scaled.matrix[j * n + i] + added
                }
                (true, false) => -scaled.matrix[j * n + i],
                (false, true) => scaled.matrix[i * n + j],
                (false, false) if is_diagonal => 1.0 / second.stiffness(i) + PROXIMAL_SHARE,
                (false, false) => 0.0,
            }
        };
        self.elimination.factorise(2 * n, (0..4 * n * n).map(entry), 0.0);
    }

    /// A step towards this μ; returns how long it may be.
    fn aim(&mut self, mu: f64) -> f64 {
        let n = self.scaled.n;
        let [first, second] = &mut self.sides;
        let [rest, a_rest] = &self.rest;
        first.aim(mu);
        second.aim(mu);
        self.target.clear();
        self.target.extend((0..n).map(|i| first.force(i) - rest[i]));
        self.target.extend((0..n).map(|i| second.force(i) / second.stiffness(i) + a_rest[i]));
        self.elimination.solve(&self.target, &mut self.step);
        first.follow(&self.step[..n], 1.0);
        second.follow_pushes(&self.step[n..]);
        self.sides.iter().map(longest).fold(f64::INFINITY, f64::min)
    }

    fn advance(&mut self, length: f64) {
        for (z, step) in self.z.iter_mut().zip(&self.step) {
            *z += length * step;
        }
        self.sides.iter_mut().for_each(|side| side.advance(length));
    }
}
