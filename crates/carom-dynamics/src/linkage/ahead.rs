//! What one segment leaves for the next.
//!
//! The integrator's memory holds accelerations in the chart of the segment that it remembers. The next segment has a chart
//! of its own, around its start at s of the old one, in which s̈' = T(s)·s̈ but for terms without s̈. So rows are turned by T(s)
//! before they serve as a guess, and what is left is for the sweeps.
//!
//! How long segments last before something cuts them decides how many nodes they get, and how far it is worth looking: short
//! segments take fewer sweeps. Once a segment is carried on from its end, none is expected to be cut.

use super::Linkage;
use crate::Span;
use crate::collocation::{Memory, Rule};
use crate::tolerances::{LEAST_LOOK, LIVES_AHEAD};
use crate::tree::Chart;

/// The integrator's memory of one linkage: state that belongs to its motion, to be kept and saved with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ahead {
    pub(super) memory: Memory,
    /// Start of the chart that the memory is in; empty before the first segment.
    chart: Vec<f64>,
    /// The last segment, as it was integrated.
    last: Span,
    /// How long segments live before they are cut, where they are `[s]`.
    expected: Option<f64>,
}

impl Default for Ahead {
    fn default() -> Self {
        Self::new()
    }
}

impl Ahead {
    /// Of a linkage that was never integrated.
    pub fn new() -> Self {
        Self { memory: Memory::new(), chart: Vec::new(), last: Span::new(0.0, 0.0), expected: None }
    }

    /// Appends all it is made of, for [`Self::read`].
    pub fn write(&self, numbers: &mut Vec<f64>) {
        numbers.push(self.chart.len() as f64);
        numbers.extend([self.last.start, self.last.end, self.expected.unwrap_or(0.0)]);
        numbers.extend(&self.chart);
        self.memory.write(numbers);
    }

    /// What wrote these numbers, to the bit; `None` when nothing did.
    pub fn read(numbers: &[f64]) -> Option<Self> {
        let (&[count, start, end, expected], rest) = numbers.split_first_chunk::<4>()?;
        let is_count = count >= 0.0 && count <= rest.len() as f64 && count.fract() == 0.0;
        let is_sane = is_count && start <= end && expected >= 0.0;
        if !(is_sane && numbers.iter().all(|x| x.is_finite())) {
            return None;
        }
        let (chart, memory) = rest.split_at(count as usize);
        Some(Self {
            memory: Memory::read(memory)?,
            chart: chart.to_vec(),
            last: Span::new(start, end),
            expected: (expected > 0.0).then_some(expected),
        })
    }

    /// Makes itself ready for a segment from `time` on, in the chart around `q`; `s` is scratch.
    pub(super) fn turn_to(&mut self, linkage: &Linkage, time: f64, q: &[f64], s: &mut [f64]) {
        let was_cut = self.last.start < time && time < self.last.end;
        let lived = time - self.last.start;
        self.expected = was_cut.then(|| self.expected.map_or(lived, |mean| 0.5 * (mean + lived)));
        if self.chart.len() != q.len() {
            self.memory.forget();
            self.chart.clear();
            self.chart.extend_from_slice(q);
        } else if linkage.has_quaternions {
            let tree = &linkage.tree;
            for link in 0..tree.n_links() {
                if tree.joint(link).quaternion().is_some() {
                    tree.displacement(link, &self.chart, q, s);
                }
            }
            self.memory.rechart(|row| Chart::rechart(tree, s, row));
            self.chart.copy_from_slice(q);
        }
    }

    /// Forgets how freedoms moved that are held now.
    pub(super) fn still(&mut self, held: &[bool]) {
        if held.is_empty() {
            return;
        }
        self.memory.rechart(|row| {
            for (value, _) in row.iter_mut().zip(held).filter(|(_, held)| **held) {
                *value = 0.0;
            }
        });
    }

    /// How many nodes the next segment gets, which ends at `latest_end` at the latest.
    pub(super) fn rule(&self, time: f64, latest_end: f64) -> Rule {
        let expected = self.expected.unwrap_or(f64::INFINITY).min(latest_end - time);
        Rule::suited(expected, &self.memory)
    }

    /// How far to look at most `[s]`.
    pub(super) fn horizon(&self, time: f64) -> f64 {
        let Some(expected) = self.expected else { return f64::INFINITY };
        // Before the first step is known, nothing was cut.
        let step = self.memory.step(Rule::Four).or(self.memory.step(Rule::Six));
        let least = step.map_or(f64::INFINITY, |step| LEAST_LOOK * step);
        time + least.max(LIVES_AHEAD * expected)
    }

    pub(super) fn keep(&mut self, span: Span) {
        self.last = span;
    }
}
