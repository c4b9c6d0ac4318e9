//! Pairs of bodies that take no notice of each other.

use super::Builder;
use crate::decode::Text;
use crate::format::ExcludeTable;
use crate::limits::Limit;
use crate::load::Document;
use crate::problem::Problem;

impl Builder<'_, '_> {
    pub(super) fn add_exclusions(&mut self, documents: &[Document]) {
        for document in documents {
            for table in document.table.exclude.iter().flat_map(|tables| &tables.tables) {
                self.add_exclusion(table);
            }
        }
    }

    fn add_exclusion(&mut self, table: &ExcludeTable) -> Option<()> {
        // All names are looked up before the first mistake ends it, so that each is told.
        let named: Vec<Option<Vec<usize>>> =
            table.bodies.iter().map(|text| self.matching(text)).collect();
        let named: Vec<Vec<usize>> = named.into_iter().collect::<Option<_>>()?;
        match named.as_slice() {
            [] => {
                let problem = Problem::error(table.place, "who is excluded from whom?")
                    .label("`bodies` is empty")
                    .hint("write `bodies = [\"a\", \"b\"]`");
                self.report(problem);
                None
            }
            [alone] => self.exclude_all(table, &table.bodies[0], alone),
            entries => self.exclude_entries(table, entries),
        }
    }

    /// The bodies of one entry, from each other.
    fn exclude_all(&mut self, table: &ExcludeTable, text: &Text, bodies: &[usize]) -> Option<()> {
        if let [body] = *bodies {
            let name = &self.bodies[body].name;
            let problem = Problem::error(text.place, format!("`{name}` is one body alone"))
                .label("excluded from whom?")
                .hint("name two bodies or more, or several by a pattern such as \"ball_*\"");
            self.report(problem);
            return None;
        }
        let count = bodies.len() as u64;
        self.check_exclusions(table, count.saturating_mul(count - 1) / 2)?;
        for (place, &a) in bodies.iter().enumerate() {
            self.exclusions.extend(bodies[place + 1..].iter().map(|&b| [a, b]));
        }
        Some(())
    }

    /// The bodies of each entry, from those of every other one.
    fn exclude_entries(&mut self, table: &ExcludeTable, entries: &[Vec<usize>]) -> Option<()> {
        for (number, theirs) in entries.iter().enumerate() {
            for ours in &entries[..number] {
                if ours == theirs && ours.len() == 1 {
                    let name = &self.bodies[ours[0]].name;
                    let message = format!("the body `{name}` cannot be excluded from itself");
                    let place = table.bodies[number].place;
                    self.report(Problem::error(place, message).label("named twice"));
                    return None;
                }
                let count = (ours.len() as u64).saturating_mul(theirs.len() as u64);
                self.check_exclusions(table, count)?;
                for &a in ours {
                    let others = theirs.iter().filter(|b| **b != a);
                    self.exclusions.extend(others.map(|&b| [a.min(b), a.max(b)]));
                }
            }
        }
        Some(())
    }

    /// None if so many more are too many.
    fn check_exclusions(&mut self, table: &ExcludeTable, more: u64) -> Option<()> {
        let total = (self.exclusions.len() as u64).saturating_add(more);
        if total <= self.loader.options.limits.exclusions {
            return Some(());
        }
        self.report_limit(
            Limit::Exclusions,
            table.place,
            "the scene excludes more pairs of bodies",
        );
        None
    }
}
