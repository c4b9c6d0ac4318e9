//! One scene under several regimes, side by side.
//!
//! Every regime gets a run of its own, watched by an [`Auditor`](crate::audit::Auditor), so that the least gap is that of
//! `carom run --audit`. A regime that cannot run the scene has the reason in the place of what it would have given; the
//! others run all the same. Where curves are wanted each scene is run a second time, for a recorder alone.

mod curves;

use carom::{Fault, Regime};
use carom_scene::measure::Finding;
use carom_scene::{Expectation, Problems, Scene};

pub use curves::CurvesError;

use crate::audit::{AuditOptions, AuditReport};
use crate::run::{End, RunError, RunOptions, RunReport, Supervisor, run};

/// What to compare.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// Under which regimes, in order.
    pub regimes: Vec<Regime>,
    /// Simulated time at which to end, instead of the scene's `[s]`.
    pub until: Option<f64>,
}

/// A scene under several regimes.
#[derive(Debug)]
pub struct Comparison {
    /// One for each regime, in order.
    pub trials: Vec<Trial>,
}

/// A scene under one regime.
#[derive(Debug)]
pub struct Trial {
    /// Which one.
    pub regime: Regime,
    /// How it ended.
    pub ending: Ending,
    /// What the run gave, up to where it ended; none if it could not begin.
    pub report: Option<RunReport>,
    /// What came of each expectation of the scene, in their order.
    pub answers: Vec<Answer>,
}

/// How a run under a regime ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At the time it was meant to.
    Complete,
    /// At the first touch, as the scene has it.
    Touched,
    /// The regime does not know what the scene asks for.
    Refused {
        /// Why.
        reason: String,
    },
    /// Something went wrong.
    Broken {
        /// What.
        reason: String,
    },
}

/// What came of an expectation under a regime.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The scene states it for other regimes.
    NotAsked,
    /// The run did not come to its end.
    NoRun,
    /// What was measured.
    Found(Finding),
}

impl Ending {
    /// In one word.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Touched => "touched",
            Self::Refused { .. } => "refused",
            Self::Broken { .. } => "broken",
        }
    }

    /// Why it did not come to its end.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Complete | Self::Touched => None,
            Self::Refused { reason } | Self::Broken { reason } => Some(reason),
        }
    }
}

impl Trial {
    /// Time that the run took, without that of the audit `[s]`.
    pub fn wall(&self) -> Option<f64> {
        let report = self.report.as_ref()?;
        let audit = report.audit.as_ref().map_or(0.0, |audit| audit.wall);
        Some((report.wall - audit).max(0.0))
    }

    /// Expectations that were asked and are not met.
    pub fn unmet(&self) -> impl Iterator<Item = &Finding> {
        self.answers.iter().filter_map(|answer| match answer {
            Answer::Found(finding) if !finding.pass => Some(finding),
            _ => None,
        })
    }

    /// Whether nothing is wrong with it: a regime that refuses the scene makes no promise.
    pub fn is_good(&self) -> bool {
        let is_clean = |report: &RunReport| report.audit.as_ref().is_none_or(AuditReport::is_clean);
        match self.ending {
            Ending::Refused { .. } => true,
            Ending::Broken { .. } => false,
            Ending::Complete | Ending::Touched => {
                self.unmet().next().is_none() && self.report.as_ref().is_none_or(is_clean)
            }
        }
    }
}

impl Comparison {
    /// Whether there is no regime that knows what the scene asks for.
    pub fn is_refused(&self) -> bool {
        self.trials.iter().all(|trial| matches!(trial.ending, Ending::Refused { .. }))
    }

    /// Whether all that was asked under any regime is met, nothing overlaps, and nothing broke down.
    pub fn is_good(&self) -> bool {
        self.trials.iter().all(Trial::is_good)
    }

    /// What could not be measured, regime by regime.
    pub fn problems(&self) -> impl Iterator<Item = &Problems> {
        let reports = self.trials.iter().filter_map(|trial| trial.report.as_ref());
        reports.map(|report| &report.problems).filter(|problems| !problems.is_empty())
    }
}

/// Runs a scene under one regime after the other; none if the supervisor ended it. The supervisor sees the times of all runs
/// added up. Pairs with a regime of their own keep it.
pub fn compare(
    scene: &Scene,
    options: &CompareOptions,
    supervisor: &mut dyn Supervisor,
) -> Option<Comparison> {
    let of = options.regimes.len();
    let mut trials = Vec::with_capacity(of);
    for (before, &regime) in options.regimes.iter().enumerate() {
        let mut turn = Turn { supervisor, before, of };
        trials.push(trial(&under(scene, regime), options.until, &mut turn)?);
    }
    Some(Comparison { trials })
}

/// The scene under another regime.
fn under(scene: &Scene, regime: Regime) -> Scene {
    Scene { regime, ..scene.clone() }
}

/// One run; none if the supervisor ended it.
fn trial(scene: &Scene, until: Option<f64>, supervisor: &mut dyn Supervisor) -> Option<Trial> {
    let options = RunOptions {
        until,
        threads: 1,
        rate_hz: scene.record.rate_hz,
        audit: Some(AuditOptions::default()),
        given: Vec::new(),
    };
    let result = run(scene, &options, &|| Ok(None), supervisor, &|_| String::new());
    let (ending, report) = match result {
        Ok(report) => (ending(&report.end)?, Some(report)),
        Err(RunError::Build(problems)) => {
            (Ending::Refused { reason: problems.render(false).trim_end().to_owned() }, None)
        }
        Err(RunError::Record(error)) => (Ending::Broken { reason: error.to_string() }, None),
    };
    let mut found = report.iter().flat_map(|report| report.findings.iter().cloned());
    let answer = |expectation: &Expectation| {
        if !expectation.holds_for(scene.regime) {
            return Answer::NotAsked;
        }
        found.next().map_or(Answer::NoRun, Answer::Found)
    };
    let answers = scene.expectations.iter().map(answer).collect();
    Some(Trial { regime: scene.regime, ending, report, answers })
}

/// How a run ended; none if the supervisor ended it.
fn ending(end: &End) -> Option<Ending> {
    match end {
        End::Complete => Some(Ending::Complete),
        End::Touched => Some(Ending::Touched),
        End::Stopped => None,
        End::Fault { fault, message } => {
            // What to do about it is of no use to whoever wants to see what a regime can do.
            let reason = message.split("\nhint: ").next().unwrap_or_default().to_owned();
            let is_refusal = matches!(fault, Fault::NoFriction { .. });
            Some(if is_refusal { Ending::Refused { reason } } else { Ending::Broken { reason } })
        }
    }
}

/// Tells a supervisor of one of several runs as a part of all of them.
struct Turn<'a, 's> {
    supervisor: &'a mut (dyn Supervisor + 's),
    before: usize,
    of: usize,
}

impl Supervisor for Turn<'_, '_> {
    fn goes_on(&mut self, now: f64, until: f64) -> bool {
        let [before, of] = [self.before, self.of].map(|count| count as f64);
        self.supervisor.goes_on(before * until + now, of * until)
    }
}
