//! What an audit has found.

use carom::{BodyId, Short};
use oracles::gap::Gap;

/// Two bodies at a time, and their gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    /// The smaller id first.
    pub bodies: [BodyId; 2],
    /// What people call them.
    pub names: [String; 2],
    /// When `[s]`.
    pub time: f64,
    /// Their signed distance `[m]`.
    pub gap: Gap,
}

/// A pair of bodies that did what must not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Offence {
    /// When it was at its worst.
    pub worst: Sighting,
    /// When it was first seen `[s]`.
    pub first: f64,
    /// How often it was seen.
    pub count: u64,
}

/// What an audit has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditReport {
    /// Instants with events that were looked at.
    pub instants: u64,
    /// Times that were looked at, those instants among them.
    pub times: u64,
    /// Distances measured.
    pub distances: u64,
    /// Pairs that came near but were left out, because there were too many at once.
    pub left_out: u64,
    /// Bodies whose shape could not be measured.
    pub not_measurable: u64,
    /// The least gap of any two bodies that take notice of each other.
    pub least: Option<Sighting>,
    /// Pairs that were proven to overlap.
    pub overlaps: Vec<Offence>,
    /// Pairs that came to touch without the engine having said so.
    pub missed: Vec<Offence>,
    /// Pairs whose offences are not listed, because there were too many.
    pub not_listed: u64,
    /// Distances for which there was a second opinion, and how often it contradicted what is certain.
    pub second_opinions: [u64; 2],
    /// Time that the audit took `[s]`.
    pub wall: f64,
}

impl AuditReport {
    /// True when nothing was found that must not be.
    pub fn is_clean(&self) -> bool {
        self.overlaps.is_empty() && self.missed.is_empty()
    }

    /// Each offence in words, the earliest first.
    pub fn complaints(&self) -> Vec<String> {
        let overlaps = self.overlaps.iter().map(|it| (it.first, it.overlap_in_words()));
        let missed = self.missed.iter().map(|it| (it.first, it.miss_in_words()));
        let mut all: Vec<(f64, String)> = overlaps.chain(missed).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.into_iter().map(|(_, text)| text).collect()
    }
}

impl Offence {
    fn overlap_in_words(&self) -> String {
        let Self { worst: Sighting { names: [a, b], time, gap, .. }, first, .. } = self;
        let deepest = if gap.lower.is_finite() {
            format!(", at most {} m", Short(-gap.lower))
        } else {
            String::new()
        };
        format!(
            "\"{a}\" and \"{b}\" overlap at {time} s, by at least {} m{deepest}; first seen at {first} s",
            Short(-gap.upper)
        )
    }

    fn miss_in_words(&self) -> String {
        let Self { worst: Sighting { names: [a, b], time, gap, .. }, .. } = self;
        let gap = if gap.upper < 0.0 {
            format!("they overlap by at least {} m", Short(-gap.upper))
        } else {
            format!("they are at most {} m apart", Short(gap.upper))
        };
        format!("\"{a}\" and \"{b}\" touch at {time} s, but no touch was told: {gap}")
    }
}
