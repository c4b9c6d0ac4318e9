//! The convex quadratic programme: for symmetric semidefinite M, (1) is where a quadratic has its least value.
//!
//! ```text
//! min ½zᵀMz + qᵀz   subject to   lo ≤ z ≤ hi                                            (10) = Baraff's (8-11)
//! ```
//!
//! has the conditions M·z + q = s − t, s ≥ 0 where z = lo, t ≥ 0 where z = hi, else zero: that is (1), with w = s − t. A
//! bilateral row is one without bounds; nothing is split and nothing added, and its z may have either sign.
//!
//! **Method.** A primal-dual interior point: with x = z − lo and y = hi − z,
//!
//! ```text
//! M·z + q − s + t = 0,   x_i·s_i = μ,   y_i·t_i = μ,   μ → 0                                          (11)
//! (M + S/X + T/Y)·Δz = −(M·z + q − s + t) + c_s/x − c_t/y
//! Δs = (c_s − s·Δz)/x,   Δt = (c_t + t·Δz)/y
//! ```
//!
//! by Newton steps with Mehrotra's choice of μ: a first step aims at μ = 0 (c = −x·s); how far it gets tells by how much
//! μ can be lowered, and its second-order term corrects the second step. Ten to twenty decompositions whatever the number of
//! contacts, so it overtakes pivoting where sets of rows are large, and it does not care about redundant or
//! degenerate ones: forces end in the middle of all that do the same.
//!
//! The diagonal is made larger by [`PROXIMAL_SHARE`], which leaves (11) as it is but shortens steps in null directions
//! of rows without bounds.
//!
//! **End.** Rows are put where the larger of each product's factors says, and solved once more (`repair`). M that is not symmetric is refused ([`Reason::Kind`]).
//!
//! **No answer.** Then (10) falls forever along some z^h with M·z^h = 0 and qᵀz^h < 0, and iterates grow along it:
//! multipliers u = z^h, checked before they are reported.

use super::certificate::multipliers;
use super::cholesky::Cholesky;
use super::interior::{Barrier, damped, longest};
use super::linear::dot;
use super::polish::report;
use super::repair::Repair;
use super::scaling::Scaled;
use super::{Outcome, Place, Problem, Reason, Solution, Solver, infeasibility_margin};
use crate::tolerances::{CENTRED, CERTIFIED, COMPLEMENTARY, ENDLESS, PROXIMAL_SHARE};

/// Newton steps before the search is given up. Most problems take ten to twenty.
const STEPS: usize = 80;

/// Interior point for (10).
#[derive(Clone, Debug, Default)]
pub struct Convex {
    scaled: Scaled,
    cholesky: Cholesky,
    z: Vec<f64>,
    /// x and s, y and t.
    sides: [Barrier; 2],
    /// M·z + q − s + t.
    rest: Vec<f64>,
    step: Vec<f64>,
    repair: Repair,
    steps: usize,
}

impl Solver for Convex {
    fn name(&self) -> &'static str {
        "convex"
    }

    fn solve(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        self.scaled.load(problem);
        self.start();
        solution.direction.clear();
        let is_symmetric = self.scaled.asymmetry().is_none();
        let failure = if is_symmetric { self.approach() } else { None };
        let violation = self.settle();
        let answer = (&*self.z, self.repair.places(), violation);
        let outcome = report(problem, &self.scaled, answer, solution);
        solution.iterations = self.steps;
        match (outcome, failure) {
            _ if !is_symmetric => Outcome::Unsolved(Reason::Kind),
            (Outcome::Solved, _) => outcome,
            (_, Some(Reason::Limit)) => self.prove(problem, solution),
            (_, Some(reason)) => Outcome::Unsolved(reason),
            _ => outcome,
        }
    }
}

impl Convex {
    /// With no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One within bounds of one side, in the middle between two.
    fn start(&mut self) {
        let (scaled, n) = (&self.scaled, self.scaled.n);
        self.steps = 0;
        self.z.clear();
        self.z.extend((0..n).map(|i| match (scaled.lo[i], scaled.hi[i]) {
            (lo, hi) if lo.is_finite() && hi.is_finite() => lo + 0.5 * (hi - lo),
            (lo, _) if lo.is_finite() => lo + 1.0,
            (_, hi) if hi.is_finite() => hi - 1.0,
            _ => 0.0,
        }));
        let is_free = |i: usize| scaled.lo[i] < scaled.hi[i];
        let [lower, upper] = &mut self.sides;
        lower.start((0..n).map(|i| (is_free(i) && scaled.lo[i].is_finite()).then_some(1.0)));
        upper.start((0..n).map(|i| (is_free(i) && scaled.hi[i].is_finite()).then_some(1.0)));
        self.find_rooms();
        self.step.clear();
        self.step.resize(n, 0.0);
    }

    fn find_rooms(&mut self) {
        let (scaled, z) = (&self.scaled, &self.z);
        let [lower, upper] = &mut self.sides;
        lower.set_rooms(|i| z[i] - scaled.lo[i]);
        upper.set_rooms(|i| scaled.hi[i] - z[i]);
    }

    /// Newton steps until (11) holds to [`CENTRED`] with μ down to [`COMPLEMENTARY`].
    fn approach(&mut self) -> Option<Reason> {
        loop {
            self.find_rest();
            let rest = self.rest.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let size = self.z.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            let mean = self.mean_after(0.0);
            if rest <= CENTRED * size && mean <= COMPLEMENTARY * size {
                return None;
            }
            if self.steps == STEPS || size > ENDLESS {
                return Some(Reason::Limit);
            }
            self.steps += 1;
            if !self.decompose() {
                return Some(Reason::Pivot);
            }
            let reach = self.aim(0.0).min(1.0);
            let ahead = self.mean_after(reach);
            let share = ahead / mean.max(f64::MIN_POSITIVE);
            self.sides.iter_mut().for_each(Barrier::keep_second_order);
            let reach = self.aim(mean * share * share * share);
            self.advance(damped(reach, mean));
        }
    }

    fn find_rest(&mut self) {
        let (scaled, [lower, upper]) = (&self.scaled, &self.sides);
        self.rest.clear();
        self.rest.extend((0..scaled.n).map(|i| {
            if scaled.lo[i] == scaled.hi[i] {
                return 0.0;
            }
            scaled.q[i] + dot(scaled.row(i), &self.z) - lower.push(i) + upper.push(i)
        }));
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

    fn decompose(&mut self) -> bool {
        let (scaled, [lower, upper]) = (&self.scaled, &self.sides);
        let added = |i: usize| {
            // Prescribed rows do not move.
            let held = if scaled.lo[i] == scaled.hi[i] { f64::MAX.sqrt() } else { 0.0 };
            PROXIMAL_SHARE + lower.stiffness(i) + upper.stiffness(i) + held
        };
        self.cholesky.decompose(&scaled.matrix, added, 0.1 * PROXIMAL_SHARE)
    }

    /// A step towards this μ; returns how long it may be.
    fn aim(&mut self, mu: f64) -> f64 {
        let [lower, upper] = &mut self.sides;
        lower.aim(mu);
        upper.aim(mu);
        for (i, step) in self.step.iter_mut().enumerate() {
            *step = -self.rest[i] + lower.force(i) - upper.force(i);
        }
        self.cholesky.solve(&mut self.step);
        lower.follow(&self.step, 1.0);
        upper.follow(&self.step, -1.0);
        self.sides.iter().map(longest).fold(f64::INFINITY, f64::min)
    }

    fn advance(&mut self, length: f64) {
        for (z, step) in self.z.iter_mut().zip(&self.step) {
            *z += length * step;
        }
        self.sides.iter_mut().for_each(|side| side.advance(length));
    }

    /// Puts rows where they belong and solves them once more; returns the violation of (1).
    fn settle(&mut self) -> f64 {
        let [lower, upper] = &self.sides;
        let place = |i: usize| match (lower.is_tight(i), upper.is_tight(i)) {
            (true, _) => Place::Lower,
            (_, true) => Place::Upper,
            _ => Place::Between,
        };
        self.repair.run(&self.scaled, place, &mut self.z)
    }

    /// Checks whether what grows without end proves that there is no answer.
    fn prove(&self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        let size = self.z.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let entries = self.z.iter().map(|z| z / size);
        multipliers(&self.scaled, entries, &mut solution.direction);
        if infeasibility_margin(problem, &solution.direction) > CERTIFIED {
            return Outcome::Infeasible;
        }
        solution.direction.clear();
        Outcome::Unsolved(Reason::Limit)
    }
}
