//! What proves a scene: its expectations, asked of any engine.
//!
//! An expectation can be asked of another engine if it states a value, and its measure reads motions only: bodies, distances,
//! gaps, or energies of the ledger. The quantity of a scene's curves is the first of those that is not met by every run of
//! every engine, for one that all meet tells nothing apart; if all are met, the first. How many of them each run meets is told
//! beside it. A scene without any is judged by where its free bodies are at the end, against our own run with a
//! tenth of the envelope.

use carom_scene::measure::{Finding, Measures};
use carom_scene::{Bound, Expectation, Scene};
use serde::Serialize;

/// Words of measures that ask for more than motions.
const MORE_THAN_MOTIONS: [&str; 4] = ["contact", "force", "count", "event_time"];

/// Parts of the ledger that follow from motions.
const OF_MOTIONS: [&str; 4] = ["total", "kinetic", "potential", "initial"];

/// What came of one expectation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Promise {
    /// What is expected, in a sentence.
    pub what: String,
    /// The value expected.
    pub expected: f64,
    /// How far it may be off.
    pub tolerance: f64,
    /// How far it was off; none if it could not be measured.
    pub error: Option<f64>,
    /// Whether it is met.
    pub met: bool,
}

/// Whether an expectation can be asked of another engine.
pub fn is_comparable(expectation: &Expectation) -> bool {
    let text = &expectation.measure_text;
    let ledger_reads_motions = || {
        text.match_indices("ledger(").all(|(at, _)| {
            let rest = text[at..].split_once(").").map_or("", |(_, rest)| rest);
            OF_MOTIONS.iter().any(|part| rest.starts_with(part))
        })
    };
    matches!(expectation.bound, Bound::Equals(_))
        && MORE_THAN_MOTIONS.iter().all(|word| !text.contains(word))
        && ledger_reads_motions()
}

/// The scene with those expectations only that can be asked of another engine.
#[must_use]
pub fn comparable(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    let regime = scene.regime;
    scene.expectations.retain(|it| is_comparable(it) && it.holds_for(regime));
    scene
}

/// What came of the expectations of a scene that [`comparable`] gave.
pub fn promises(measures: &Measures<'_>) -> Vec<Promise> {
    measures.findings().0.into_iter().filter_map(promise).collect()
}

fn promise(finding: Finding) -> Option<Promise> {
    let Bound::Equals(expected) = finding.bound else { return None };
    Some(Promise {
        what: finding.what,
        expected,
        tolerance: finding.tolerance,
        error: finding.got.map(|got| (got - expected).abs()),
        met: finding.pass,
    })
}

/// Which expectation the curves are drawn in; of runs that all have the same number of them.
pub fn telling(runs: &[&[Promise]]) -> Option<usize> {
    let count = runs.iter().map(|run| run.len()).max()?;
    let met_by_all =
        |index: &usize| runs.iter().all(|run| run.get(*index).is_some_and(|it| it.met));
    (0..count).find(|index| !met_by_all(index)).or((count > 0).then_some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(met: &[bool]) -> Vec<Promise> {
        let promise = |&met: &bool| Promise {
            what: String::new(),
            expected: 1.0,
            tolerance: 0.1,
            error: Some(0.0),
            met,
        };
        met.iter().map(promise).collect()
    }

    #[test]
    fn the_first_promise_that_somebody_breaks_is_told_apart() {
        let [ours, coarse, fine] = [run(&[true; 3]), run(&[true, false, false]), run(&[true; 3])];
        assert_eq!(telling(&[&ours, &coarse, &fine]), Some(1));
        assert_eq!(telling(&[&ours, &fine]), Some(0));
        assert_eq!(telling(&[&[], &[]]), None);
    }
}
