//! Numbers that a run must give, as a scene states them.

use carom::Regime;

use crate::decode::expression_problem;
use crate::expression::{Expression, ExpressionError};
use crate::problem::{Place, Problem};

/// A number that the run must give.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// What is expected, in a sentence.
    pub what: String,
    /// A short name, for columns and axes; may be empty.
    pub name: String,
    /// What to measure: an expression whose syntax has been checked.
    pub measure: Expression,
    /// Its text.
    pub measure_text: String,
    /// Where it stands.
    pub measure_place: Place,
    /// Where the text of the measure begins in its file, so that a part of it can be underlined; none if
    /// escapes make the two differ.
    pub measure_start: Option<u32>,
    /// What it is compared with.
    pub bound: Bound,
    /// How far it may be off, in its own unit.
    pub tolerance: f64,
    /// Where the expected value comes from; may be empty.
    pub source: String,
    /// The regimes for which it is expected; empty for all.
    pub regimes: Vec<String>,
    /// Whether it is one of the numbers that prove the scene.
    pub proof: bool,
    /// Where it stands in the scene file.
    pub place: Place,
}

/// What a measured number is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// It must have this value.
    Equals(f64),
    /// It must lie between these, either of which may be infinite.
    Between(f64, f64),
}

impl Expectation {
    /// What it is called where a sentence is too long: its name, or else the sentence.
    pub fn label(&self) -> &str {
        if self.name.is_empty() { &self.what } else { &self.name }
    }

    /// What was wrong with evaluating the measure, as a problem at its place.
    pub fn problem(&self, error: ExpressionError) -> Problem {
        expression_problem(self.measure_place, self.measure_start, error)
    }

    /// Whether it is expected under a regime.
    pub fn holds_for(&self, regime: Regime) -> bool {
        self.regimes.is_empty() || self.regimes.iter().any(|name| name == regime.name())
    }

    /// Whether a measured number meets it; NaN never does.
    pub fn is_met_by(&self, measured: f64) -> bool {
        match self.bound {
            Bound::Equals(expected) => (measured - expected).abs() <= self.tolerance,
            Bound::Between(low, high) => {
                measured >= low - self.tolerance && measured <= high + self.tolerance
            }
        }
    }
}
