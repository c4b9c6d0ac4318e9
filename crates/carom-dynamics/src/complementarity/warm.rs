//! The set of rows that solved the last problem, tried first on the next one.
//!
//! Between two changes of contacts the same rows carry: a basis L = {i : w_i = 0} with M_LL invertible, all others at
//! their bounds. z_L = −M_LL⁻¹·(q_L + M_LB·z_B) is then one linear solve, and z a smooth function of time (Baraff 8.5 and
//! 13.3; guide 15.3). The set is *stale* if
//!
//! * the rows are not those of before: every row has an identity, which its owner keeps as long as the contact lasts;
//! * M_LL is singular;
//! * some z_i of L is outside its bounds;
//! * some w_i outside L has the wrong sign, which the thesis does not list but which is as wrong.
//!
//! All to [`SOLVED`], as for any answer: what a hit returns is as good as a full solve. A stale set costs its linear solve, n³/3 at
//! most and less the fewer rows carry.

use super::polish::{Polish, report};
use super::scaling::Scaled;
use super::{Automatic, Outcome, Place, Problem, Solution, Solver};
use crate::tolerances::SOLVED;

/// Why the last set of rows could not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stale {
    /// There is none: nothing was solved yet, or it was forgotten.
    Empty,
    /// The rows have other identities or another order.
    Rows,
    /// The rows with w = 0 depend on each other.
    Singular,
    /// z of this row would be outside its bounds.
    Outside(usize),
    /// w of this row would have the wrong sign.
    Response(usize),
}

/// A solver with a memory of one set of rows.
///
/// Not a [`Solver`]: of several answers it returns the one that the last set leads to, so that answers depend on what came before.
#[derive(Clone, Debug, Default)]
pub struct Warm<S = Automatic> {
    solver: S,
    identities: Vec<u64>,
    places: Vec<Place>,
    scaled: Scaled,
    polish: Polish,
    z: Vec<f64>,
    w: Vec<f64>,
    hits: usize,
    full_solves: usize,
    last_stale: Option<Stale>,
}

impl<S: Solver> Warm<S> {
    /// Falls back on this solver.
    pub fn new(solver: S) -> Self {
        Self {
            solver,
            identities: Vec::new(),
            places: Vec::new(),
            scaled: Scaled::default(),
            polish: Polish::default(),
            z: Vec::new(),
            w: Vec::new(),
            hits: 0,
            full_solves: 0,
            last_stale: None,
        }
    }

    /// Solves `problem`, whose row i belongs to `identities[i]`, by the last set of rows or anew.
    ///
    /// # Panics
    /// If there are not as many identities as rows.
    pub fn solve(
        &mut self,
        identities: &[u64],
        problem: &Problem<'_>,
        solution: &mut Solution,
    ) -> Outcome {
        assert_eq!(identities.len(), problem.n(), "one identity for each row");
        match self.attempt(identities, problem, solution) {
            Ok(()) => {
                self.hits += 1;
                self.last_stale = None;
                return Outcome::Solved;
            }
            Err(stale) => self.last_stale = Some(stale),
        }
        self.full_solves += 1;
        let outcome = self.solver.solve(problem, solution);
        self.forget();
        if outcome == Outcome::Solved {
            self.identities.extend_from_slice(identities);
            self.places.extend_from_slice(&solution.places);
        }
        outcome
    }

    /// Tries the last set of rows.
    ///
    /// # Errors
    /// Why it is stale; `solution` is then as it was.
    pub fn attempt(
        &mut self,
        identities: &[u64],
        problem: &Problem<'_>,
        solution: &mut Solution,
    ) -> Result<(), Stale> {
        if self.places.is_empty() {
            return Err(Stale::Empty);
        }
        if self.identities != identities {
            return Err(Stale::Rows);
        }
        let n = problem.n();
        self.scaled.load(problem);
        if (0..n).any(|i| !self.scaled.bound(i, self.places[i]).is_finite()) {
            return Err(Stale::Rows);
        }
        self.z.clear();
        self.z.resize(n, 0.0);
        let violation = self.polish.run(&self.scaled, &self.places, &mut self.z, &mut self.w);
        if self.polish.is_singular() {
            return Err(Stale::Singular);
        }
        // What is put back to its bound may happen to solve the problem, but by another set.
        if let Some(row) = self.polish.outside() {
            return Err(Stale::Outside(row));
        }
        if violation > SOLVED {
            return Err(Stale::Response(self.most_wrong()));
        }
        report(problem, &self.scaled, (&self.z, &self.places, violation), solution);
        solution.iterations = 0;
        solution.direction.clear();
        Ok(())
    }

    /// The row that violates (1) most.
    fn most_wrong(&self) -> usize {
        let violation = |i: usize| self.scaled.violation(i, self.z[i], self.w[i]);
        let worse = |a: usize, b: usize| if violation(b) > violation(a) { b } else { a };
        (0..self.scaled.n).reduce(worse).unwrap_or(0)
    }

    /// Forgets the set of rows, as after an impact, when it is not worth trying.
    pub fn forget(&mut self) {
        self.identities.clear();
        self.places.clear();
    }

    /// How often the last set of rows was the answer.
    pub const fn hits(&self) -> usize {
        self.hits
    }

    /// How often the problem was solved from nothing.
    pub const fn full_solves(&self) -> usize {
        self.full_solves
    }

    /// Why the last call did not use the set, if it did not.
    pub const fn last_stale(&self) -> Option<Stale> {
        self.last_stale
    }
}
