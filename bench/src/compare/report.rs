//! What a benchmark found, as it is printed in JSON.

use serde::Serialize;

use super::curve::Reading;
use super::ours::Figures;
use super::quantity::Promise;
use super::scaling::Scaling;

/// Everything.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// How it was measured, in sentences.
    pub settings: Vec<String>,
    /// The scenes.
    pub scenes: Vec<SceneReport>,
    /// How cost grows, if that was asked for.
    pub scaling: Option<Scaling>,
}

/// One scene.
#[derive(Clone, Debug, Serialize)]
pub struct SceneReport {
    /// Its name or file.
    pub scene: String,
    /// How many bodies it has.
    pub bodies: usize,
    /// Why there are no figures of ours.
    pub failed: Option<String>,
    /// What it costs us.
    pub carom: Option<Figures>,
    /// What the errors are of.
    pub quantity: Option<Quantity>,
    /// How far ours is off.
    pub error: Option<f64>,
    /// Our curve: the same scene with other envelopes, coarsest first.
    pub carom_runs: Vec<OwnRun>,
    /// All expectations that could be asked of every engine.
    pub promises: Vec<Promise>,
    /// The others.
    pub peers: Vec<PeerReport>,
}

impl SceneReport {
    /// Of a scene with so many bodies, still without anything.
    pub fn of(scene: &str, bodies: usize) -> Self {
        Self {
            scene: scene.to_owned(),
            bodies,
            failed: None,
            carom: None,
            quantity: None,
            error: None,
            carom_runs: Vec::new(),
            promises: Vec::new(),
            peers: Vec::new(),
        }
    }
}

/// One run of ours.
#[derive(Clone, Debug, Serialize)]
pub struct OwnRun {
    /// Its envelope `[m]`.
    pub envelope_m: f64,
    /// Time that the thread worked in it `[s]`.
    pub cpu_s: f64,
    /// How far it is off; none if that could not be measured.
    pub error: Option<f64>,
    /// Why there is nothing, if it broke down.
    pub failed: Option<String>,
}

/// What errors are of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quantity {
    /// In a sentence.
    pub what: String,
    /// `expectation` or `final positions`.
    pub kind: &'static str,
    /// The value expected, of an expectation.
    pub expected: Option<f64>,
    /// Its tolerance.
    pub tolerance: Option<f64>,
}

/// One engine beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PeerReport {
    /// Its name.
    pub engine: String,
    /// Why it was not run.
    pub not_run: Option<String>,
    /// Its runs, coarsest first.
    pub runs: Vec<PeerRun>,
    /// The ratio, read off the curve.
    pub reading: Option<Reading>,
    /// Whether it is as exact as ours, and cheaper.
    pub wins: bool,
    /// Its cost at 1 kHz as a multiple of ours.
    pub cost_at_1khz: Option<f64>,
    /// Peak memory at 1 kHz `[byte]`.
    pub peak_memory: Option<u64>,
}

impl PeerReport {
    /// Of a peer, still without anything.
    pub fn of(engine: &str) -> Self {
        Self {
            engine: engine.to_owned(),
            not_run: None,
            runs: Vec::new(),
            reading: None,
            wins: false,
            cost_at_1khz: None,
            peak_memory: None,
        }
    }
}

/// One run of a peer.
#[derive(Clone, Debug, Serialize)]
pub struct PeerRun {
    /// Its step `[s]`.
    pub dt_s: f64,
    /// How many it made.
    pub steps: usize,
    /// Time that the thread worked in them `[s]`.
    pub cpu_s: f64,
    /// How far it is off; none if that could not be measured.
    pub error: Option<f64>,
    /// Why it means nothing, if it broke down.
    pub failed: Option<String>,
    /// How many of the expectations it meets.
    pub met: usize,
    /// All of them.
    pub promises: Vec<Promise>,
}
