//! The rows of a sweep: what each run was set to and what came of it. No time that a clock tells is in them, so that they
//! are the same to the bit on every machine and with any number of threads.

use carom::EventKind;
use carom_record::{Cell, Sheet};
use carom_scene::expression::Value;
use carom_scene::{Parameter, Problems, Scene, Severity};
use serde::{Deserialize, Serialize};

use super::plan::Trial;
use crate::run::{End, RunReport};

/// What came of a run, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It ran to its end, and every expectation is met.
    Met,
    /// It ran to its end, but an expectation is not met.
    Unmet,
    /// The scene was refused, or the run broke down.
    Failed,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Which run, from 0.
    pub index: u64,
    /// What came of it.
    pub verdict: Verdict,
    /// Its cells in the order of [`Columns`], without the index.
    pub cells: Vec<Cell>,
}

/// The columns that depend on the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Parameters: name and unit.
    pub parameters: Vec<(String, String)>,
    /// Expectations: name and sentence.
    pub expectations: Vec<(String, String)>,
}

/// How many runs there are of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// All expectations are met.
    pub met: u64,
    /// Some are not.
    pub unmet: u64,
    /// Refused or broken down.
    pub failed: u64,
    /// Expectations that are not met in some run, and in how many.
    pub expectations: Vec<Missed>,
    /// The first runs that failed, and why.
    pub errors: Vec<(u64, String)>,
}

/// An expectation that is not always met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// The expectation, in a sentence.
    pub what: String,
    /// Runs in which it is not met.
    pub runs: u64,
}

/// Errors that a [`Tally`] has; the others are in the table.
const MOST_ERRORS: usize = 5;

/// What every table has behind the expectations.
const RESULTS: [&str; 17] = [
    "end",
    "simulated_s",
    "initial_J",
    "final_J",
    "work_J",
    "restitution_loss_J",
    "friction_loss_J",
    "boost_J",
    "projection_J",
    "integration_J",
    "residual_J",
    "collisions",
    "micro",
    "events",
    "bodies",
    "hash",
    "error",
];

impl Columns {
    /// Of a scene.
    pub(super) fn of(scene: &Scene) -> Self {
        let parameter = |it: &Parameter| (it.name.clone(), it.unit.clone());
        let asked = scene.expectations.iter().filter(|it| it.holds_for(scene.regime));
        Self {
            parameters: scene.parameters.iter().map(parameter).collect(),
            expectations: asked.map(|it| (it.label().to_owned(), it.what.clone())).collect(),
        }
    }

    /// Where in the cells of a row the value of an expectation is; behind it its verdict.
    pub(super) const fn value_at(&self, expectation: usize) -> usize {
        // Behind the parameters and the seed, a number and a verdict for each.
        self.parameters.len() + 1 + 2 * expectation
    }

    /// Counts runs.
    pub(super) fn tally<'a>(&self, rows: impl IntoIterator<Item = &'a Row>) -> Tally {
        let mut tally = Tally::default();
        let mut missed = vec![0; self.expectations.len()];
        for row in rows {
            match row.verdict {
                Verdict::Met => tally.met += 1,
                Verdict::Unmet => tally.unmet += 1,
                Verdict::Failed => tally.failed += 1,
            }
            let verdicts = row.cells.iter().skip(self.value_at(0) + 1).step_by(2);
            for (missed, cell) in missed.iter_mut().zip(verdicts) {
                *missed += u64::from(*cell == Cell::Truth(false));
            }
            if row.verdict == Verdict::Failed && tally.errors.len() < MOST_ERRORS {
                let error = row.cells.last().map(Cell::to_text).unwrap_or_default();
                tally.errors.push((row.index, error));
            }
        }
        let with_count = self.expectations.iter().zip(missed).filter(|(_, runs)| *runs > 0);
        let missed =
            |((_, what), runs): (&(String, String), u64)| Missed { what: what.clone(), runs };
        tally.expectations = with_count.map(missed).collect();
        tally
    }

    /// A table without rows.
    pub(super) fn sheet(&self) -> Sheet {
        let mut names = vec!["index".to_owned()];
        names.extend(self.parameters.iter().map(|(name, _)| name.clone()));
        names.push("seed".to_owned());
        for (name, _) in &self.expectations {
            names.extend([name.clone(), format!("{name} pass")]);
        }
        names.extend(RESULTS.map(str::to_owned));
        Sheet::new(names)
    }

    /// What a column of [`Self::sheet`] is called on an axis: parameters with their unit, expectations by their sentence.
    pub(super) fn title(&self, column: usize) -> Option<String> {
        let expectations = self.parameters.len() + 2;
        if let Some((name, unit)) = column.checked_sub(1).and_then(|at| self.parameters.get(at)) {
            let unit = if unit.is_empty() { String::new() } else { format!(" in {unit}") };
            return Some(format!("{name}{unit}"));
        }
        let at = column.checked_sub(expectations)?;
        let (_, what) = self.expectations.get(at / 2)?;
        Some(if at % 2 == 0 { what.clone() } else { format!("share that passes: {what}") })
    }

    /// The row of a run that did not begin.
    pub(super) fn refused(&self, trial: &Trial, error: String) -> Row {
        let mut cells: Vec<Cell> =
            self.parameters.iter().map(|(name, _)| typed(trial, name)).collect();
        cells.push(trial.seed.into());
        cells.extend(vec![Cell::Empty; 2 * self.expectations.len()]);
        let mut results = vec![Cell::Empty; RESULTS.len()];
        results[0] = "refused".into();
        results[RESULTS.len() - 1] = error.into();
        cells.extend(results);
        Row { index: trial.index, verdict: Verdict::Failed, cells }
    }

    /// The row of a run.
    pub(super) fn ran(&self, trial: &Trial, scene: &Scene, report: &RunReport) -> Row {
        let value = |(name, _): &(String, String)| scene.parameter(name).map(cell);
        let mut cells: Vec<Cell> =
            self.parameters.iter().map(|parameter| value(parameter).into()).collect();
        cells.push(scene.seed.into());
        for index in 0..self.expectations.len() {
            let finding = report.findings.get(index);
            cells.push(finding.and_then(|finding| finding.got).into());
            cells.push(finding.map(|finding| finding.pass).into());
        }
        let (end, error) = match &report.end {
            End::Complete => ("complete", None),
            End::Touched => ("touch", None),
            End::Stopped => ("stopped", None),
            End::Fault { message, .. } => ("fault", Some(one_line(message))),
        };
        let error = error.or_else(|| errors(&report.problems));
        cells.extend(results(end, report));
        cells.push(error.into());
        let verdict = match &report.end {
            End::Fault { .. } | End::Stopped => Verdict::Failed,
            _ if report.findings.iter().all(|finding| finding.pass) => Verdict::Met,
            _ => Verdict::Unmet,
        };
        Row { index: trial.index, verdict, cells }
    }
}

/// All of [`RESULTS`] but the error.
fn results(end: &str, report: &RunReport) -> [Cell; RESULTS.len() - 1] {
    let account = &report.account;
    let events: u64 = EventKind::ALL.into_iter().map(|kind| report.events.of(kind)).sum();
    [
        end.into(),
        report.simulated.into(),
        account.initial.into(),
        account.total().into(),
        account.work.into(),
        account.restitution_loss.into(),
        account.friction_loss.into(),
        account.boost.into(),
        account.projection.into(),
        account.integration.into(),
        account.residual.into(),
        report.contacts.collisions.into(),
        report.contacts.micro.into(),
        events.into(),
        (report.bodies as u64).into(),
        report.hash.to_string().into(),
    ]
}

/// What a parameter was set to, where the scene does not say what that means.
fn typed(trial: &Trial, name: &str) -> Cell {
    let found = trial.overrides.iter().find(|(known, _)| known == name);
    found.map_or(Cell::Empty, |(_, text)| match text.parse() {
        Ok(number) => Cell::Number(number),
        Err(_) => Cell::Text(text.clone()),
    })
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Number(number) => Cell::Number(*number),
        Value::Bool(truth) => Cell::Truth(*truth),
        Value::Text(text) => Cell::Text(text.to_string()),
        Value::Vector(v) => Cell::Text(format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)),
    }
}

/// The errors among problems in one line; none if there is none.
pub(super) fn errors(problems: &Problems) -> Option<String> {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    let told = |problem: &carom_scene::Problem| {
        let label = if problem.label.is_empty() { "" } else { ": " };
        one_line(&format!("{}{label}{}", problem.message, problem.label))
    };
    let errors: Vec<String> = errors.map(told).collect();
    (!errors.is_empty()).then(|| errors.join("; "))
}

/// A message without its advice, in one line.
fn one_line(message: &str) -> String {
    let what = message.split_once("\nhint: ").map_or(message, |(what, _)| what);
    what.split_whitespace().collect::<Vec<_>>().join(" ")
}
