//! What iterations by sweeps share: when to look, when to stop, and what to say.
//!
//! A sweep is cheap beside an exact look at (1), so that looks are taken at sweeps 1, 2, 3, … 16, then after an eighth more
//! each time, and at the last. Sweeps that give the bits of two sweeps ago will do so forever; the search then ends at once,
//! at the state and with the count that the last sweep would have had. So does one whose numbers grow without end.

use super::polish::report;
use super::scaling::Scaled;
use super::{Outcome, Place, Problem, Reason, Solution};
use crate::tolerances::{CYCLE, LARGEST_ENTRY, SOLVED};

/// Where sweeps are.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweeps {
    z: Vec<f64>,
    /// One and two sweeps ago.
    past: [Vec<f64>; 2],
    places: Vec<Place>,
    count: usize,
    violation: f64,
}

/// True if every row that may move has a positive diagonal entry.
pub(super) fn is_sweepable(scaled: &Scaled) -> bool {
    (0..scaled.n).all(|i| scaled.row(i)[i] > 0.0 || scaled.lo[i] == scaled.hi[i])
}

impl Sweeps {
    /// From the values nearest to zero.
    pub(super) fn start(&mut self, scaled: &Scaled) {
        self.z.clear();
        self.z.extend((0..scaled.n).map(|i| scaled.start(i)));
        for past in &mut self.past {
            past.clear();
            past.resize(scaled.n, f64::NAN);
        }
        self.count = 0;
        self.violation = violation(scaled, &self.z);
    }

    /// Sweeps until (1) holds, or why it does not after all of them.
    pub(super) fn follow(
        &mut self,
        scaled: &Scaled,
        limit: usize,
        mut sweep: impl FnMut(&mut [f64]),
    ) -> Option<Reason> {
        let mut look = 1;
        while self.violation > SOLVED {
            if self.count == limit {
                return Some(self.reason());
            }
            self.past.swap(0, 1);
            self.past[0].copy_from_slice(&self.z);
            sweep(&mut self.z);
            self.count += 1;
            if !self.z.iter().all(|z| z.abs() <= LARGEST_ENTRY) {
                self.z.copy_from_slice(&self.past[0]);
                return Some(Reason::Limit);
            }
            if self.z == self.past[1] && (limit - self.count).is_multiple_of(2) {
                self.count = limit;
            }
            if self.count >= look || self.count == limit {
                self.violation = violation(scaled, &self.z);
                look = self.count + (self.count / 8).max(1);
            }
        }
        None
    }

    /// Why (1) does not hold: to and fro, or not far enough.
    fn reason(&self) -> Reason {
        let distance =
            |past: &[f64]| self.z.iter().zip(past).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let [last, one_before] = [distance(&self.past[0]), distance(&self.past[1])];
        if one_before < CYCLE * last { Reason::Cycle } else { Reason::Limit }
    }

    /// Writes out where sweeps ended.
    pub(super) fn report(
        &mut self,
        problem: &Problem<'_>,
        scaled: &Scaled,
        failure: Option<Reason>,
        solution: &mut Solution,
    ) -> Outcome {
        self.places.clear();
        self.places.extend((0..scaled.n).map(|i| match self.z[i] {
            z if z <= scaled.lo[i] => Place::Lower,
            z if z >= scaled.hi[i] => Place::Upper,
            _ => Place::Between,
        }));
        solution.direction.clear();
        let answer = (&*self.z, &*self.places, self.violation);
        let outcome = report(problem, scaled, answer, solution);
        solution.iterations = self.count;
        failure.map_or(outcome, Outcome::Unsolved)
    }
}

/// Largest violation of (1) over max(1, |z|).
pub(super) fn violation(scaled: &Scaled, z: &[f64]) -> f64 {
    let size = z.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let violations = (0..scaled.n).map(|i| scaled.violation(i, z[i], scaled.w(i, z)));
    violations.fold(0.0, f64::max) / size
}
