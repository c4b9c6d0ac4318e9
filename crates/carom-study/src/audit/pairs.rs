//! What is remembered of pairs: when they were apart, when the engine said that they touch, and what they did wrong.

use std::collections::BTreeMap;

use carom::{BodyId, Event, Happening};

use super::report::{AuditReport, Offence, Sighting};
use super::tolerances::MOST_OFFENCES;

/// How a pair was seen at a time.
#[derive(Clone, Debug)]
pub(super) enum Seen {
    /// Farther apart than a touch, at this time `[s]`.
    Apart(f64),
    /// Touching or overlapping.
    Touching(Sighting),
}

impl Seen {
    pub(super) fn time(&self) -> f64 {
        match self {
            Self::Apart(time) => *time,
            Self::Touching(sighting) => sighting.time,
        }
    }
}

/// All pairs that were ever seen near.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// When a pair was last seen apart.
    apart: BTreeMap<[BodyId; 2], f64>,
    /// When a touch of it was last told.
    touched: BTreeMap<[BodyId; 2], f64>,
    /// Seen touching in the span that has just passed, and when they were last apart before; the instant that ends the
    /// span may yet tell.
    pending: Vec<(f64, Sighting)>,
    overlaps: BTreeMap<[BodyId; 2], Offence>,
    missed: BTreeMap<[BodyId; 2], Offence>,
}

impl Pairs {
    /// Takes down what the engine tells; pairs of bodies that go are forgotten, but not what they did.
    pub(super) fn told(&mut self, events: &[Event]) {
        for event in events {
            let bodies = match &event.what {
                Happening::Touch(contact) => contact.bodies,
                Happening::Collision(collision) => collision.contact.bodies,
                _ => continue,
            };
            let [a, b] = bodies;
            self.touched.insert([a.min(b), a.max(b)], event.time);
        }
    }

    pub(super) fn forget(&mut self, body: BodyId) {
        self.apart.retain(|pair, _| !pair.contains(&body));
        self.touched.retain(|pair, _| !pair.contains(&body));
    }

    /// What was seen of a pair in one span: when it was farther apart than a touch, and when it touched, or more than that,
    /// in the order of time. What has not been apart before is no touch that could be missed.
    pub(super) fn seen(&mut self, pair: [BodyId; 2], looks: Vec<Seen>) {
        let mut apart = self.apart.get(&pair).copied();
        let told = self.touched.get(&pair).copied().unwrap_or(f64::NEG_INFINITY);
        for seen in looks {
            match (seen, apart) {
                (Seen::Apart(time), _) => apart = Some(time),
                (Seen::Touching(sighting), Some(time)) if told < time => {
                    self.pending.push((time, sighting));
                }
                (Seen::Touching(_), _) => {}
            }
        }
        if let Some(time) = apart {
            self.apart.insert(pair, time);
        }
    }

    pub(super) fn seen_overlapping(&mut self, sighting: Sighting) {
        note(&mut self.overlaps, sighting);
    }

    /// A span is over, and so is the instant at its end: what has not been told by now was missed.
    pub(super) fn settle(&mut self) {
        for (apart, sighting) in std::mem::take(&mut self.pending) {
            if self.touched.get(&sighting.bodies).is_none_or(|told| *told < apart) {
                note(&mut self.missed, sighting);
            }
        }
    }

    /// Forgets what the last instant might have told.
    pub(super) fn acquit(&mut self) {
        self.pending.clear();
    }

    /// Puts all offences into a report.
    pub(super) fn accuse(mut self, report: &mut AuditReport) {
        self.settle();
        let listed = |offences: BTreeMap<[BodyId; 2], Offence>| -> (Vec<Offence>, usize) {
            let count = offences.len();
            let mut all: Vec<Offence> = offences.into_values().collect();
            all.sort_by(|a, b| a.first.total_cmp(&b.first));
            all.truncate(MOST_OFFENCES);
            (all, count)
        };
        let ((overlaps, all_overlaps), (missed, all_missed)) =
            (listed(self.overlaps), listed(self.missed));
        report.not_listed = (all_overlaps + all_missed - overlaps.len() - missed.len()) as u64;
        report.overlaps = overlaps;
        report.missed = missed;
    }
}

fn note(offences: &mut BTreeMap<[BodyId; 2], Offence>, sighting: Sighting) {
    let first = sighting.time;
    let offence = offences.entry(sighting.bodies).or_insert_with(|| Offence {
        worst: sighting.clone(),
        first,
        count: 0,
    });
    offence.count += 1;
    offence.first = offence.first.min(first);
    if sighting.gap.upper < offence.worst.gap.upper {
        offence.worst = sighting;
    }
}
