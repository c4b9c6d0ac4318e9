//! Sweeps: one scene run again and again with other parameters, a row of a table for each run.
//!
//! Which runs there are is a [`Plan`]. Threads take them one after the other; each is worked by one thread, alone, so what
//! comes of it depends on the scene, its parameters and its seed only, and the table is put together by the numbers of the
//! runs. A run that fails is a row that says why. A [`Journal`] keeps rows until the table is written.

mod crew;
mod curves;
mod files;
mod journal;
mod plan;
mod proportion;
mod student;
mod summary;
mod table;

use std::sync::atomic::{AtomicBool, Ordering};

use carom_record::Sheet;
use carom_scene::{Loaded, Options, Problems, Scene, Source, load, nearest};
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

pub use curves::{Curve, CurvePoint, Curves, CurvesError, Titles, curves};
pub use files::FirstRead;
pub use journal::{Header, Journal, JournalError};
pub use plan::{Draws, MOST_RUNS, Plan, PlanError, Setting, Trial, Values};
pub use proportion::Proportion;
pub use summary::{Spread, Summary, SummaryLine};
pub use table::{Columns, Row, Tally, Verdict};

use crate::run::{End, RunError, RunOptions, Supervisor, run};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scene.
    pub source: Source,
    /// How it is read; what it sets is set in every run.
    pub options: Options,
    /// What varies.
    pub settings: Vec<Setting>,
    /// Runs at each point of the grid, if they are drawn.
    pub random: Option<u64>,
    /// Simulated time at which to end, instead of the scene's `[s]`.
    pub until: Option<f64>,
    /// Which program it is, for journals.
    pub version: String,
}

/// Why there is no sweep.
#[derive(Debug, Error)]
pub enum SweepError {
    /// The runs make no sense.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The scene has mistakes, whatever its parameters.
    #[error("the scene has mistakes")]
    Scene(Problems),
    /// A parameter that the scene does not have.
    #[error("the scene has no parameter {name}\nhint: {hint}")]
    Parameter {
        /// What was asked for.
        name: String,
        /// What may be meant.
        hint: String,
    },
}

/// A sweep that can begin.
#[derive(Debug)]
pub struct Sweep {
    request: Request,
    files: FirstRead,
    plan: Plan,
    columns: Columns,
    title: String,
    problems: Problems,
    fingerprint: String,
}

impl Sweep {
    /// Reads the scene and checks that the sweep makes sense.
    ///
    /// # Errors
    /// If it does not, or if the scene has mistakes as it is and as its first run has it.
    pub fn new(request: Request) -> Result<Self, SweepError> {
        let files = FirstRead::default();
        let plan_with = |seed| {
            let draws = request.random.map(|count| Draws { count, seed });
            Plan::new(request.settings.clone(), draws)
        };
        let seed = request.options.seed;
        let first = plan_with(seed.unwrap_or_default())?.trial(0);
        let mut loaded = load(&request.source, &request.options, &files);
        // A scene may need what the sweep sets.
        if loaded.scene.is_none() {
            loaded = load(&request.source, &options_of(&request, &first), &files);
        }
        let Loaded { scene, problems } = loaded;
        let Some(scene) = scene else { return Err(SweepError::Scene(problems)) };
        for setting in &request.settings {
            check_parameter(&scene, &setting.name)?;
        }
        let plan = plan_with(seed.unwrap_or(scene.seed))?;
        let fingerprint = fingerprint(&request, &plan, &scene);
        let (columns, title) = (Columns::of(&scene), scene.title);
        Ok(Self { request, files, plan, columns, title, problems, fingerprint })
    }

    /// Its runs.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What the scene is called; may be empty.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What is doubtful about the scene.
    pub const fn problems(&self) -> &Problems {
        &self.problems
    }

    /// What its journal begins with.
    pub fn header(&self) -> Header {
        let setting = |it: &Setting| format!("{}={}", it.name, it.values);
        Header {
            carom_sweep: journal::FORMAT,
            fingerprint: self.fingerprint.clone(),
            version: self.request.version.clone(),
            settings: self.plan.settings().iter().map(setting).collect(),
            runs: self.plan.runs(),
        }
    }

    /// One of its runs; none if it was stopped.
    pub fn run_one(&self, index: u64, stop: &AtomicBool) -> Option<Row> {
        let trial = self.plan.trial(index);
        let options = options_of(&self.request, &trial);
        let Loaded { scene, problems } = load(&self.request.source, &options, &self.files);
        let Some(scene) = scene else {
            let error = table::errors(&problems).unwrap_or_default();
            return Some(self.columns.refused(&trial, error));
        };
        let options = RunOptions {
            until: self.request.until,
            threads: 1,
            rate_hz: scene.record.rate_hz,
            audit: None,
            given: Vec::new(),
        };
        let mut until_stopped = UntilStopped(stop);
        match run(&scene, &options, &|| Ok(None), &mut until_stopped, &|_| String::new()) {
            Ok(report) if matches!(report.end, End::Stopped) => None,
            Ok(report) => Some(self.columns.ran(&trial, &scene, &report)),
            Err(RunError::Build(problems)) => {
                let error = table::errors(&problems).unwrap_or_default();
                Some(self.columns.refused(&trial, error))
            }
            Err(RunError::Record(error)) => Some(self.columns.refused(&trial, error.to_string())),
        }
    }

    /// Works off all runs that are not done yet, on so many threads, and hands each row over as soon as it is there, in
    /// any order. Ends early if `stop` becomes true or a row is not taken.
    ///
    /// # Errors
    /// What `take` says of a row that it does not take.
    pub fn run<E>(
        &self,
        is_done: &(dyn Fn(u64) -> bool + Sync),
        threads: usize,
        stop: &AtomicBool,
        take: &mut dyn FnMut(Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let left: Vec<u64> = (0..self.plan.runs()).filter(|index| !is_done(*index)).collect();
        let work = |index: u64| {
            let unwound = |message: &str| {
                let trial = self.plan.trial(index);
                self.columns.refused(&trial, format!("internal error: {message}"))
            };
            crew::guarded(|| self.run_one(index, stop)).unwrap_or_else(|it| Some(unwound(&it)))
        };
        crew::work(&left, threads, stop, &work, take)
    }

    /// The table of rows in their order.
    pub fn sheet<'a>(&self, rows: impl IntoIterator<Item = &'a Row>) -> Sheet {
        let mut sheet = self.columns.sheet();
        let mut rows: Vec<&Row> = rows.into_iter().collect();
        rows.sort_by_key(|row| row.index);
        for row in rows {
            let cells = std::iter::once(row.index.into()).chain(row.cells.iter().cloned());
            sheet.push(cells.collect());
        }
        sheet
    }

    /// How many runs there are of each kind.
    pub fn tally<'a>(&self, rows: impl IntoIterator<Item = &'a Row>) -> Tally {
        self.columns.tally(rows)
    }

    /// How values are spread and how often expectations are met; in a random set at each point of the grid by itself.
    pub fn summary<'a>(&self, rows: impl IntoIterator<Item = &'a Row>) -> Summary {
        let mut rows: Vec<&Row> = rows.into_iter().collect();
        rows.sort_by_key(|row| row.index);
        Summary::new(&self.plan, &self.columns, &rows)
    }

    /// What a column of the table is called on an axis.
    pub fn axis_title(&self, column: usize) -> Option<String> {
        self.columns.title(column)
    }
}

struct UntilStopped<'a>(&'a AtomicBool);

impl Supervisor for UntilStopped<'_> {
    fn goes_on(&mut self, _: f64, _: f64) -> bool {
        !self.0.load(Ordering::Relaxed)
    }
}

fn options_of(request: &Request, trial: &Trial) -> Options {
    let mut options = request.options.clone();
    options.overrides.extend(trial.overrides.iter().cloned());
    options.seed = trial.seed.or(options.seed);
    options
}

fn check_parameter(scene: &Scene, name: &str) -> Result<(), SweepError> {
    if scene.parameter(name).is_some() {
        return Ok(());
    }
    let names = || scene.parameters.iter().map(|parameter| parameter.name.as_str());
    let hint = match nearest(name, names()) {
        Some(near) => format!("did you mean {near}?"),
        None if scene.parameters.is_empty() => "it has none; [parameters] names them".to_owned(),
        None => format!("its parameters are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(SweepError::Parameter { name: name.to_owned(), hint })
}

/// A hash of all that decides what comes out of a sweep.
fn fingerprint(request: &Request, plan: &Plan, scene: &Scene) -> String {
    let mut hash = Xxh3::new();
    let mut add = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(request.version.as_bytes());
    add(serde_json::to_string(plan).unwrap_or_default().as_bytes());
    let Options { overrides, seed, contact, limits, allow_paths } = &request.options;
    add(format!("{overrides:?} {seed:?} {contact:?} {limits:?} {allow_paths:?}").as_bytes());
    add(format!("{:?}", request.until).as_bytes());
    for file in &scene.files {
        add(file.path.as_bytes());
        add(&file.bytes);
    }
    format!("{:032x}", hash.digest128())
}

#[cfg(test)]
mod tests;
