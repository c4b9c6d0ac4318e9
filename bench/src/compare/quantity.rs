//! What proves a scene: its expectations, asked of any engine.
//!
//! An expectation can be asked of another engine if it states a value, and its measure reads motions only: bodies, distances,
//! gaps, or energies of the ledger. The quantity of a scene's curves is the first of those that the scene calls a proof and that
//! may be off by something, for a number that is right or wrong has no curve. How many of all of them each run meets is told
//! beside it. A scene without such a proof is judged by where its free bodies are at the end, against our own run with a
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
    /// Whether it is one of the numbers that prove the scene.
    pub proof: bool,
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
        proof: finding.proof,
    })
}

/// Which expectation the curves are drawn in.
pub fn proving(run: &[Promise]) -> Option<usize> {
    run.iter().position(|it| it.proof && it.tolerance > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_proof_that_may_be_off_is_drawn() {
        let promise = |proof: bool, tolerance: f64| Promise {
            what: String::new(),
            expected: 1.0,
            tolerance,
            error: Some(0.0),
            met: true,
            proof,
        };
        let run = [promise(false, 0.1), promise(true, 0.0), promise(true, 0.1), promise(true, 0.2)];
        assert_eq!(proving(&run), Some(2));
        assert_eq!(proving(&run[..2]), None);
    }
}
