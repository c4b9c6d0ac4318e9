//! Lemke's complementary pivoting, with a proof in hand when it fails.
//!
//! Bounds are first written out as unknowns (`standard`); what follows is about y ≥ 0, v = A·y + p ≥ 0, yᵀv = 0. The
//! path itself is in `path`: it ends in an answer, or on a ray. What a ray means depends on A:
//!
//! * A semidefinite: with y^h the ray, Aᵀy^h ≤ 0 and pᵀy^h < 0, so y^h are multipliers that prove that there is no
//!   answer. This is tried first, for any A.
//! * otherwise it may be the fault of the covering vector d, and others are tried, from a fixed list; then other
//!   dictionaries to start from (`start`).
//! * if all fail, the inequalities alone are tested, y ≥ 0, A·y + p ≥ 0. They are the complementarity problem of
//!
//! ```text
//! ⎡ 0  −Aᵀ⎤        ⎡0⎤
//! ⎣ A   0 ⎦ ,      ⎣p⎦                                                                             (4)
//! ```
//!
//!   which is semidefinite, so that Lemke's path decides it: an answer, or multipliers.
//! * if they can be met, the first ray is reported as what it is ([`Outcome::Ray`]).
//!
//! Every certificate is checked against the given numbers before it is reported.
//!
//! Deviation: the guide asks for the unit covering vector; here it is one in the scaled problem.

mod path;
mod start;

use super::certificate::{multipliers, ray};
use super::polish::{Polish, report};
use super::scaling::Scaled;
use super::standard::Standard;
use super::{
    Outcome, Place, Problem, Reason, Solution, Solver, infeasibility_margin, ray_violation,
};
use crate::tolerances::{CERTIFIED, DISTINCT};
use path::{End, Path};
use start::Start;

/// Lemke's algorithm.
#[derive(Clone, Debug)]
pub struct Lemke {
    /// How many further covering vectors, and how many other starts, are tried when a path ends on a ray that proves
    /// nothing; 0 keeps to the first path, for those who want its ray.
    pub retries: usize,
    scaled: Scaled,
    standard: Standard,
    path: Path,
    start: Start,
    covering: Vec<f64>,
    feasibility: Feasibility,
    polish: Polish,
    y: Vec<f64>,
    /// Which y are basic in the dictionary that was reached.
    basic: Vec<bool>,
    z: Vec<f64>,
    w: Vec<f64>,
    places: Vec<Place>,
    first_ray: Vec<f64>,
}

/// Problem (4).
#[derive(Clone, Debug, Default)]
struct Feasibility {
    matrix: Vec<f64>,
    offset: Vec<f64>,
    path: Path,
}

impl Default for Lemke {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver for Lemke {
    fn name(&self) -> &'static str {
        "Lemke"
    }

    fn solve(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        self.scaled.load(problem);
        self.standard.load(&self.scaled);
        solution.iterations = 0;
        solution.direction.clear();
        self.first_ray.clear();
        let mut outcome = Outcome::Unsolved(Reason::Limit);
        for attempt in 0..=self.retries {
            let reached = self.attempt(attempt, problem, solution);
            if matches!(reached, Outcome::Solved | Outcome::Infeasible) {
                return reached;
            }
            // What the first path met says most about the problem.
            if attempt == 0 {
                outcome = reached;
            }
        }
        for first in 0..self.retries.min(self.standard.size) {
            if self.attempt_from(first, problem, solution) == Outcome::Solved {
                return Outcome::Solved;
            }
        }
        if self.first_ray.is_empty() { outcome } else { self.judge_ray(problem, solution) }
    }
}

impl Lemke {
    /// With no memory yet.
    pub fn new() -> Self {
        Self {
            retries: 8,
            scaled: Scaled::default(),
            standard: Standard::default(),
            path: Path::default(),
            start: Start::default(),
            covering: Vec::new(),
            feasibility: Feasibility::default(),
            polish: Polish::default(),
            y: Vec::new(),
            basic: Vec::new(),
            z: Vec::new(),
            w: Vec::new(),
            places: Vec::new(),
            first_ray: Vec::new(),
        }
    }

    /// One path from its start to its end, judged.
    fn attempt(
        &mut self,
        attempt: usize,
        problem: &Problem<'_>,
        solution: &mut Solution,
    ) -> Outcome {
        let standard = &self.standard;
        self.covering.clear();
        self.covering.extend((0..standard.size).map(|row| covering(attempt, row)));
        // Every other path tells smaller numbers from zero.
        let distinct = if attempt.is_multiple_of(2) { DISTINCT } else { 0.01 * DISTINCT };
        self.path.load(&standard.matrix, &standard.offset, &self.covering, distinct);
        let end = self.path.follow();
        solution.iterations += self.path.pivots();
        self.path.values(&mut self.y);
        self.basic.clear();
        self.basic.extend((0..self.standard.size).map(|row| self.path.is_basic(row)));
        let outcome = self.write(problem, solution);
        match end {
            End::Answer => return outcome,
            End::Limit => return Outcome::Unsolved(Reason::Limit),
            End::Ray(column) => self.path.ray(column, &mut self.y),
        }
        let direction = (0..self.scaled.n).map(|i| self.standard.part(i, &self.y));
        multipliers(&self.scaled, direction, &mut solution.direction);
        if infeasibility_margin(problem, &solution.direction) > CERTIFIED {
            return Outcome::Infeasible;
        }
        if self.first_ray.is_empty() {
            let direction = (0..self.scaled.n).map(|i| self.standard.part(i, &self.y));
            ray(&self.scaled, direction, &mut self.first_ray);
        }
        solution.direction.clear();
        Outcome::Ray
    }

    /// One path from another start; rays prove nothing here.
    fn attempt_from(
        &mut self,
        first: usize,
        problem: &Problem<'_>,
        solution: &mut Solution,
    ) -> Outcome {
        if !self.start.load(&self.standard, first) {
            return Outcome::Ray;
        }
        self.covering.fill(1.0);
        self.path.load(&self.start.matrix, &self.start.offset, &self.covering, DISTINCT);
        let end = self.path.follow();
        solution.iterations += self.path.pivots();
        if end != End::Answer {
            return Outcome::Ray;
        }
        // The rows say all; the last step finds the numbers.
        self.y.fill(0.0);
        let (path, start) = (&self.path, &self.start);
        self.basic.clear();
        let rows = 0..self.standard.size;
        self.basic.extend(rows.map(|row| path.is_basic(row) != start.is_exchanged(row)));
        self.write(problem, solution)
    }

    /// Polishes what the path reached and writes it out.
    fn write(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        let (standard, n) = (&self.standard, self.scaled.n);
        self.z.clear();
        self.z.extend((0..n).map(|i| standard.unknown(i, &self.y)));
        self.places.clear();
        self.places.extend((0..n).map(|i| standard.place(i, |row| self.basic[row])));
        let violation = self.polish.run(&self.scaled, &self.places, &mut self.z, &mut self.w);
        report(problem, &self.scaled, (&self.z, &self.places, violation), solution)
    }

    /// Tells whether the inequalities alone can be met, after a ray.
    fn judge_ray(&mut self, problem: &Problem<'_>, solution: &mut Solution) -> Outcome {
        let size = self.standard.size;
        self.feasibility.load(&self.standard);
        self.covering.clear();
        self.covering.resize(2 * size, 1.0);
        let Feasibility { matrix, offset, path } = &mut self.feasibility;
        path.load(matrix, offset, &self.covering, DISTINCT);
        let end = path.follow();
        solution.iterations += path.pivots();
        if let End::Ray(column) = end {
            path.ray(column, &mut self.y);
            let duals = &self.y[size..];
            let direction = (0..self.scaled.n).map(|i| self.standard.part(i, duals));
            multipliers(&self.scaled, direction, &mut solution.direction);
            if infeasibility_margin(problem, &solution.direction) > CERTIFIED {
                return Outcome::Infeasible;
            }
        }
        solution.direction.clear();
        // With bounds a ray can run along unknowns that are not the given ones; that tells nobody anything.
        if ray_violation(problem, &self.first_ray) > CERTIFIED {
            return Outcome::Unsolved(Reason::Pivot);
        }
        solution.direction.extend_from_slice(&self.first_ray);
        Outcome::Ray
    }
}

impl Feasibility {
    fn load(&mut self, standard: &Standard) {
        let n = standard.size;
        self.matrix.clear();
        self.matrix.resize(4 * n * n, 0.0);
        for i in 0..n {
            for j in 0..n {
                let entry = standard.matrix[i * n + j];
                self.matrix[j * 2 * n + n + i] = -entry;
                self.matrix[(n + i) * 2 * n + j] = entry;
            }
        }
        self.offset.clear();
        self.offset.resize(n, 0.0);
        self.offset.extend_from_slice(&standard.offset);
    }
}

/// The covering vectors: ones, then spread between 1/4 and 5/4 by multiples of the golden section.
fn covering(attempt: usize, row: usize) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    if attempt == 0 {
        return 1.0;
    }
    let turns = GOLDEN * (row + 1) as f64 * (2 * attempt + 1) as f64;
    0.25 + turns - turns.floor()
}
