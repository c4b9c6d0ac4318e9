//! What one segment leaves for the next: a guess, and step sizes.
//!
//! The last polynomial, raised by one degree so that it passes through the acceleration at its start, too,
//!
//! ```text
//! p(θ) = a(θ) + (a₀ − a(0))·Π(θ − c_j)/Π(0 − c_j)                                                  (10)
//! ```
//!
//! is carried on beyond its end, or read from where it was cut, and shifted to the acceleration at the new start.
//! It decides where sweeps begin and hence the last bits of a segment, and the step decides where a segment ends.
//! So it is state: whoever saves a motion saves its memory.

use super::rule::Rule;
use super::segment::{Segment, add_products, weights};
use crate::tolerances::FARTHEST_GUESS;

/// What is known from the segment before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Steps that the tolerance would allow, by rule `[s]`.
    steps: [Option<f64>; 2],
    /// t₀ of the last segment `[s]`.
    start: f64,
    /// h of the last segment `[s]`.
    length: f64,
    rule: Rule,
    /// b of the last segment, coefficient by coefficient.
    acceleration: Vec<f64>,
    /// a₀ − a(0).
    defect: Vec<f64>,
}

impl Memory {
    /// Of a motion that has just begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// The step that the tolerance would allow under a rule, where it is known `[s]`.
    pub const fn step(&self, rule: Rule) -> Option<f64> {
        self.steps[rule as usize]
    }

    /// Forgets the polynomial but not the steps, for a motion whose coordinates are others now.
    pub fn forget(&mut self) {
        self.acceleration.clear();
        self.defect.clear();
    }

    /// Changes the chart in which the polynomial is kept: `map` is applied to vectors of accelerations.
    pub fn rechart(&mut self, mut map: impl FnMut(&mut [f64])) {
        let n = self.defect.len().max(1);
        for row in self.acceleration.chunks_exact_mut(n) {
            map(row);
        }
        if !self.defect.is_empty() {
            map(&mut self.defect);
        }
    }

    /// Appends all it is made of, for [`Self::read`].
    pub fn write(&self, numbers: &mut Vec<f64>) {
        let step = |rule: Rule| self.step(rule).unwrap_or(0.0);
        let head = [step(Rule::Four), step(Rule::Six), self.start, self.length];
        numbers.extend(head);
        numbers.push(self.rule.nodes() as f64);
        numbers.extend(self.defect.iter().chain(&self.acceleration));
    }

    /// The memory that wrote these numbers, to the bit; `None` when none did.
    pub fn read(numbers: &[f64]) -> Option<Self> {
        let (&[four, six, start, length, nodes], rest) = numbers.split_first_chunk::<5>()?;
        let rule = [Rule::Four, Rule::Six].into_iter().find(|rule| rule.nodes() as f64 == nodes)?;
        let rows = rule.nodes() + 1;
        let sane =
            numbers.iter().all(|x| x.is_finite()) && [four, six, length].iter().all(|x| *x >= 0.0);
        if !sane || !rest.len().is_multiple_of(rows) {
            return None;
        }
        let (defect, acceleration) = rest.split_at(rest.len() / rows);
        Some(Self {
            steps: [four, six].map(|step| (step > 0.0).then_some(step)),
            start,
            length,
            rule,
            acceleration: acceleration.to_vec(),
            defect: defect.to_vec(),
        })
    }

    pub(super) fn set_step(&mut self, rule: Rule, step: f64) {
        self.steps[rule as usize] = Some(step);
    }

    pub(super) fn keep(&mut self, segment: &Segment, rule: Rule, defect: &[f64]) {
        (self.start, self.length, self.rule) = (segment.span().start, segment.length, rule);
        for (own, given) in
            [(&mut self.acceleration, &segment.acceleration[..]), (&mut self.defect, defect)]
        {
            own.clear();
            own.extend_from_slice(given);
        }
    }

    /// Guesses accelerations at the nodes of a segment that starts at `time` with acceleration `a0`; `shift` is
    /// scratch.
    pub(super) fn guess(
        &self,
        time: f64,
        nodes: &[f64],
        h: f64,
        shift: &mut [f64],
        out: &mut [f64],
    ) {
        let n = shift.len();
        for row in out.chunks_exact_mut(n) {
            row.copy_from_slice(shift);
        }
        let from = (time - self.start) / self.length;
        let to = from + h / self.length;
        if self.defect.len() != n || !(from >= 0.0 && to <= FARTHEST_GUESS) {
            return;
        }
        shift.fill(0.0);
        self.add_value(from, shift);
        for (row, c) in out.chunks_exact_mut(n).zip(nodes) {
            self.add_value(from + c * (h / self.length), row);
            for (value, start) in row.iter_mut().zip(&*shift) {
                *value -= start;
            }
        }
    }

    /// out += p(θ).
    fn add_value(&self, theta: f64, out: &mut [f64]) {
        let tables = self.rule.tables();
        add_products(&weights(tables.nodes.len(), theta), &self.acceleration, out);
        // Π(0 − c_j) is positive: both rules have an even number of nodes.
        let product = tables.nodes.iter().fold(tables.defect, |p, c| p * (theta - c));
        add_products(&[product], &self.defect, out);
    }
}
