//! Pairs of bodies by their names: those that take no notice of each other, and those with a regime of their own.

use super::Builder;
use crate::decode::Text;
use crate::format::{ExcludeTable, PairTable};
use crate::limits::Limit;
use crate::load::Document;
use crate::problem::{Place, Problem};
use crate::scene::PairRegime;

/// What a table of pairs says in its messages.
struct Wording {
    /// Where no body is named.
    nobody: &'static str,
    /// Of one body alone.
    alone: &'static str,
    /// Of a body that is named twice.
    itself: &'static str,
    /// Of too many pairs.
    limit: &'static str,
}

const EXCLUDED: Wording = Wording {
    nobody: "who is excluded from whom?",
    alone: "excluded from whom?",
    itself: "cannot be excluded from itself",
    limit: "the scene excludes more pairs of bodies",
};

const PAIRED: Wording = Wording {
    nobody: "which bodies make the pair?",
    alone: "a pair with whom?",
    itself: "and itself are no pair",
    limit: "the scene names more pairs of bodies",
};

impl Builder<'_, '_> {
    pub(super) fn add_exclusions(&mut self, documents: &[Document]) {
        for document in documents {
            for table in document.table.exclude.iter().flat_map(|tables| &tables.tables) {
                let ExcludeTable { bodies, place, .. } = table;
                let found = self.pairs(bodies, *place, self.exclusions.len(), &EXCLUDED);
                self.exclusions.extend(found.into_iter().flatten());
            }
        }
    }

    pub(super) fn add_pairs(&mut self, documents: &[Document]) {
        for document in documents {
            for table in document.table.pair.iter().flat_map(|tables| &tables.tables) {
                self.add_pair_regime(table);
            }
        }
    }

    fn add_pair_regime(&mut self, table: &PairTable) -> Option<()> {
        let found = self.pairs(&table.bodies, table.place, self.regimes.len(), &PAIRED);
        let regime = self.regime_now(&table.regime);
        let (found, regime) = (found?, regime?);
        let later = found.iter().flatten().find(|&&body| self.bodies[body].from > 0.0);
        if let Some(&body) = later {
            let name = &self.bodies[body].name;
            let problem =
                Problem::error(table.place, format!("`{name}` is not there at the start"))
                    .hint("only pairs of bodies that are there from the start can have a regime");
            self.report(problem);
            return None;
        }
        for bodies in found {
            self.regimes.insert(bodies, PairRegime { bodies, regime, place: table.place });
        }
        Some(())
    }

    /// The pairs that a list of names stands for, the smaller index first; some may come twice. None is a mistake.
    /// So many are `known` already.
    fn pairs(
        &mut self,
        texts: &[Text],
        place: Place,
        known: usize,
        wording: &Wording,
    ) -> Option<Vec<[usize; 2]>> {
        // All names are looked up before the first mistake ends it, so that each is told.
        let named: Vec<Option<Vec<usize>>> = texts.iter().map(|text| self.matching(text)).collect();
        let named: Vec<Vec<usize>> = named.into_iter().collect::<Option<_>>()?;
        match named.as_slice() {
            [] => {
                let problem = Problem::error(place, wording.nobody)
                    .label("`bodies` is empty")
                    .hint("write `bodies = [\"a\", \"b\"]`");
                self.report(problem);
                None
            }
            [alone] => {
                self.check_alone(&texts[0], alone, wording)?;
                let count = alone.len() as u64;
                let total = known as u64 + count.saturating_mul(count - 1) / 2;
                self.check_pairs(place, total, wording)?;
                let others = |(at, &a): (usize, &usize)| {
                    alone[at + 1..].iter().map(move |&b| [a, b]).collect::<Vec<_>>()
                };
                Some(alone.iter().enumerate().flat_map(others).collect())
            }
            entries => self.pairs_of_entries(texts, entries, (place, known), wording),
        }
    }

    /// A single entry must name several bodies.
    fn check_alone(&mut self, text: &Text, bodies: &[usize], wording: &Wording) -> Option<()> {
        let [body] = *bodies else { return Some(()) };
        let name = &self.bodies[body].name;
        let problem = Problem::error(text.place, format!("`{name}` is one body alone"))
            .label(wording.alone)
            .hint("name two bodies or more, or several by a pattern such as \"ball_*\"");
        self.report(problem);
        None
    }

    /// The bodies of each entry with those of every other one.
    fn pairs_of_entries(
        &mut self,
        texts: &[Text],
        entries: &[Vec<usize>],
        (place, known): (Place, usize),
        wording: &Wording,
    ) -> Option<Vec<[usize; 2]>> {
        let mut found = Vec::new();
        for (number, theirs) in entries.iter().enumerate() {
            for ours in &entries[..number] {
                if ours == theirs && ours.len() == 1 {
                    let name = &self.bodies[ours[0]].name;
                    let message = format!("the body `{name}` {}", wording.itself);
                    let problem = Problem::error(texts[number].place, message);
                    self.report(problem.label("named twice"));
                    return None;
                }
                let count = (ours.len() as u64).saturating_mul(theirs.len() as u64);
                let total = ((known + found.len()) as u64).saturating_add(count);
                self.check_pairs(place, total, wording)?;
                for &a in ours {
                    let others = theirs.iter().filter(|b| **b != a);
                    found.extend(others.map(|&b| [a.min(b), a.max(b)]));
                }
            }
        }
        Some(found)
    }

    /// None if so many are too many.
    fn check_pairs(&mut self, place: Place, total: u64, wording: &Wording) -> Option<()> {
        if total <= self.loader.options.limits.exclusions {
            return Some(());
        }
        self.report_limit(Limit::Exclusions, place, wording.limit);
        None
    }
}
