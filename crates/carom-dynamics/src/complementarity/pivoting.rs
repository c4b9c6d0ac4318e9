//! Incremental pivoting: rows are made right one after another, and none that is right becomes wrong.
//!
//! Rows start with z at the value between their bounds that is nearest to zero. A row d whose w_d has the wrong sign is
//! *driven*, the most wrong one first, but free rows before all others: z_d moves, and with it those z_i that keep
//! their w_i = 0 (the basic ones, C):
//!
//! ```text
//! Δz_C = −M_CC⁻¹·M_Cd·Δz_d,   Δw_d = (M_dd − M_dC·M_CC⁻¹·M_Cd)·Δz_d                                   (5)
//! ```
//!
//! until the first of: w_d reaches zero (d joins C, done); z_d reaches its other bound (done); a z_i of C reaches a
//! bound (i leaves C); a w_i outside C would change its sign (i joins C). This is the principal pivoting of Dantzig and
//! Cottle (CPS 4.2), as Baraff used it in 1994, with bounds on both sides. Deviation: he takes rows as they come, which on
//! Murty's problem takes 2ⁿ − 1 pivots.
//!
//! **Semidefinite M.** For M symmetric and semidefinite the bracket in (5) is never negative. Where it is zero all of
//! Δw is: z_d then grows until a z_i of C reaches its bound; if none does, Δz are multipliers that prove that there is
//! no answer. M_CC stays definite. So redundant rows need no care, and inconsistent ones are told.
//!
//! **Ties** go to the row that is driven, then to the least index, which excludes cycling in exact arithmetic for
//! semidefinite M (Chang; Cottle and Chang 1992); a limit of pivots stands behind it.
//!
//! **Other M.** Where a pivot that (5) needs is zero or negative the method gives up ([`Reason::Pivot`]). It has no
//! retries: that is what [`Lemke`](super::Lemke) is for.
//!
//! **Cost.** The dictionary of all rows is carried along: 2n² operations per pivot, and one elimination of C at the end.

use super::certificate::multipliers;
use super::dictionary::Dictionary;
use super::polish::{Polish, report};
use super::scaling::Scaled;
use super::{Outcome, Place, Problem, Reason, Solution, Solver, infeasibility_margin};
use crate::tolerances::{CERTIFIED, DISTINCT, SIGN_OF_W, SOLVED};

/// Pivots per row, and pivots for any size, before the search is given up. Most problems take less than one per row.
const PIVOTS_PER_ROW: usize = 20;
const PIVOTS: usize = 200;

/// Times that rows are driven again because the last step found them wrong.
const PASSES: usize = 4;

/// Incremental principal pivoting.
#[derive(Clone, Debug, Default)]
pub struct Pivoting {
    scaled: Scaled,
    /// Rows: z_i if i is basic, else w_i. Columns: the other of the two.
    dictionary: Dictionary,
    is_basic: Vec<bool>,
    /// Rows that are right, and must stay so.
    is_done: Vec<bool>,
    z: Vec<f64>,
    w: Vec<f64>,
    places: Vec<Place>,
    polish: Polish,
    pivots: usize,
}

/// What ends a move of the driven row.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stop {
    /// Its w is zero.
    Done,
    /// Its z is at this bound.
    OwnBound(f64),
    /// z of a basic row is at this bound.
    Leaves(usize, f64),
    /// w of another row is zero.
    Joins(usize),
}

/// Why a row could not be made right.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Failure {
    /// Nothing stops z of the row when it moves in this direction.
    Endless(usize, f64),
    Pivot,
    Limit,
}

impl Solver for Pivoting {
    fn name(&self) -> &'static str {
        "pivoting"
    }

    fn solve(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        self.scaled.load(problem);
        self.start();
        solution.direction.clear();
        let mut failure = None;
        let mut violation = f64::INFINITY;
        for _ in 0..PASSES {
            failure = self.drive_all();
            violation = self.refresh();
            if failure.is_some() || violation <= SOLVED {
                break;
            }
        }
        let outcome = report(problem, &self.scaled, (&self.z, &self.places, violation), solution);
        solution.iterations = self.pivots;
        match failure {
            None => outcome,
            Some(Failure::Pivot) => Outcome::Unsolved(Reason::Pivot),
            Some(Failure::Limit) => Outcome::Unsolved(Reason::Limit),
            Some(Failure::Endless(driven, sign)) => self.prove(driven, sign, problem, solution),
        }
    }
}

impl Pivoting {
    /// With no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn start(&mut self) {
        let n = self.scaled.n;
        self.dictionary.restart(n);
        self.dictionary.extend(self.scaled.matrix.iter().copied());
        self.pivots = 0;
        for flags in [&mut self.is_basic, &mut self.is_done] {
            flags.clear();
            flags.resize(n, false);
        }
        self.z.clear();
        self.z.extend((0..n).map(|i| self.scaled.start(i)));
        self.w.clear();
        self.w.extend((0..n).map(|i| self.scaled.w(i, &self.z)));
    }

    /// Drives rows until none that is not done is wrong.
    fn drive_all(&mut self) -> Option<Failure> {
        while let Some(row) = self.most_wrong() {
            if let Err(failure) = self.drive(row) {
                return Some(failure);
            }
            self.is_done[row] = true;
        }
        None
    }

    /// The row to drive next: free ones first, then the largest |w|, of equal ones the last.
    fn most_wrong(&self) -> Option<usize> {
        let slack = SIGN_OF_W * self.size();
        let is_free =
            |i: usize| self.scaled.lo[i] == f64::NEG_INFINITY && self.scaled.hi[i] == f64::INFINITY;
        let mut most: Option<(bool, f64, usize)> = None;
        for i in (0..self.scaled.n).filter(|&i| !self.is_done[i]) {
            if self.wrong_sign(i, slack).is_none() {
                continue;
            }
            let (free, size) = (is_free(i), self.w[i].abs());
            let is_more = most.is_none_or(|(other, largest, _)| {
                (free && !other) || (free == other && size >= largest * (1.0 - DISTINCT))
            });
            if is_more {
                most = Some((free, size, i));
            }
        }
        most.map(|(_, _, row)| row)
    }

    /// Solves the set of rows that was found, and marks those that turn out wrong.
    fn refresh(&mut self) -> f64 {
        self.places.clear();
        for i in 0..self.scaled.n {
            self.places.push(match (self.at_lower(i), self.at_upper(i)) {
                _ if self.is_basic[i] => Place::Between,
                (true, _) => Place::Lower,
                (_, true) => Place::Upper,
                _ => Place::Between,
            });
        }
        let violation = self.polish.run(&self.scaled, &self.places, &mut self.z, &mut self.w);
        for i in 0..self.scaled.n {
            if self.is_basic[i] {
                self.w[i] = 0.0;
            } else {
                self.is_done[i] &= self.wrong_sign(i, SIGN_OF_W * self.size()).is_none();
            }
        }
        violation
    }

    fn at_lower(&self, i: usize) -> bool {
        self.z[i] <= self.scaled.lo[i]
    }

    fn at_upper(&self, i: usize) -> bool {
        self.z[i] >= self.scaled.hi[i]
    }

    fn size(&self) -> f64 {
        self.z.iter().fold(1.0, |most: f64, x| most.max(x.abs()))
    }

    /// The direction in which z of a nonbasic row must go to make its w right, if it is not.
    fn wrong_sign(&self, i: usize, slack: f64) -> Option<f64> {
        if self.w[i] < -slack && !self.at_upper(i) {
            Some(1.0)
        } else if self.w[i] > slack && !self.at_lower(i) {
            Some(-1.0)
        } else {
            None
        }
    }

    /// Makes row d right.
    fn drive(&mut self, d: usize) -> Result<(), Failure> {
        let slack = SIGN_OF_W * self.size();
        while let Some(sign) = self.wrong_sign(d, slack) {
            let Some((length, stop)) = self.first_stop(d, sign) else {
                if self.guard() {
                    continue;
                }
                return Err(Failure::Endless(d, sign));
            };
            self.advance(d, sign * length);
            match stop {
                Stop::Done => {
                    self.w[d] = 0.0;
                    return self.exchange(d);
                }
                Stop::OwnBound(bound) => {
                    self.z[d] = bound;
                    return Ok(());
                }
                Stop::Leaves(i, bound) => {
                    self.z[i] = bound;
                    self.exchange(i)?;
                }
                Stop::Joins(i) => {
                    self.w[i] = 0.0;
                    self.exchange(i)?;
                }
            }
        }
        Ok(())
    }

    /// Makes rows stay right that are so by chance; true if there were any.
    ///
    /// Without them fewer things stop a row that is driven; for unsymmetric M they may be what it needs.
    fn guard(&mut self) -> bool {
        let slack = SIGN_OF_W * self.size();
        let mut is_more = false;
        for i in 0..self.scaled.n {
            if !self.is_done[i] && self.wrong_sign(i, slack).is_none() {
                self.is_done[i] = true;
                is_more = true;
            }
        }
        is_more
    }

    /// The first thing that happens as z_d moves, and after which distance.
    fn first_stop(&self, d: usize, sign: f64) -> Option<(f64, Stop)> {
        let n = self.scaled.n;
        let column = |i: usize| self.dictionary.at(i, d);
        let moved = (0..n).filter(|&i| self.is_basic[i]).map(|i| column(i).abs());
        let least = DISTINCT * moved.fold(1.0, f64::max);
        let mut first: Option<(f64, Stop)> = None;
        let mut offer = |length: f64, stop: Stop| {
            let is_first = first.is_none_or(|(least, _)| length < least - DISTINCT * (1.0 + least));
            if length < f64::INFINITY && is_first {
                first = Some((length.max(0.0), stop));
            }
        };
        if column(d) > least {
            offer(self.w[d].abs() / column(d), Stop::Done);
        }
        let own = if sign > 0.0 { self.scaled.hi[d] } else { self.scaled.lo[d] };
        offer((own - self.z[d]).abs(), Stop::OwnBound(own));
        for i in (0..n).filter(|&i| i != d && self.is_done[i]) {
            let rate = sign * column(i);
            if self.is_basic[i] {
                let bound = if rate > 0.0 { self.scaled.hi[i] } else { self.scaled.lo[i] };
                if rate.abs() > DISTINCT {
                    offer((bound - self.z[i]) / rate, Stop::Leaves(i, bound));
                }
            } else if rate < -least && !self.at_upper(i) {
                offer(self.w[i] / -rate, Stop::Joins(i));
            } else if rate > least && !self.at_lower(i) {
                offer(-self.w[i] / rate, Stop::Joins(i));
            }
        }
        first
    }

    fn advance(&mut self, d: usize, length: f64) {
        self.z[d] += length;
        for i in 0..self.scaled.n {
            let change = self.dictionary.at(i, d) * length;
            if self.is_basic[i] {
                self.z[i] += change;
            } else {
                self.w[i] += change;
            }
        }
    }

    /// Row i joins or leaves C.
    fn exchange(&mut self, i: usize) -> Result<(), Failure> {
        if self.dictionary.at(i, i) <= DISTINCT {
            return Err(Failure::Pivot);
        }
        if self.pivots >= PIVOTS + PIVOTS_PER_ROW * self.scaled.n {
            return Err(Failure::Limit);
        }
        self.dictionary.exchange(i, i);
        self.is_basic[i] = !self.is_basic[i];
        self.pivots += 1;
        Ok(())
    }

    /// Checks whether the endless move of a row proves that there is no answer.
    fn prove(
        &self,
        d: usize,
        sign: f64,
        problem: &Problem<'_>,
        solution: &mut Solution,
    ) -> Outcome {
        let entry = |i: usize| match (i == d, self.is_basic[i]) {
            (true, _) => sign,
            (false, true) => sign * self.dictionary.at(i, d),
            (false, false) => 0.0,
        };
        multipliers(&self.scaled, (0..self.scaled.n).map(entry), &mut solution.direction);
        if infeasibility_margin(problem, &solution.direction) > CERTIFIED {
            return Outcome::Infeasible;
        }
        solution.direction.clear();
        Outcome::Unsolved(Reason::Pivot)
    }
}
