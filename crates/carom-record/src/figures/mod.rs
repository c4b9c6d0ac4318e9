//! Charts of recordings: where the energy went, forces between pairs, heights, phase plots, any column against any other,
//! and histograms; of one recording or several on top of each other.
//!
//! Columns have the names of the tables that runs write (states of bodies, contacts) and of the ledger's lines. A column
//! that is in several tables is taken from the ledger, unless bodies or a pair are named.

mod column;
mod data;
mod energy;
mod forces;
mod histogram;
#[cfg(test)]
mod tests;
mod ways;

use thiserror::Error;

use crate::plot::{Chart, Theme};
pub use column::COLUMN_NAMES;
pub use data::RecordedRun;

/// Series on one chart; more cannot be told apart.
const MOST_SERIES: usize = 8;

/// What a chart of a recording shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// The energy ledger over time, stacked; of several recordings, the energy that each has left.
    Energy,
    /// The normal force of each pair of bodies over time, from the impulses of their collisions.
    Forces,
    /// How high bodies are over time, against gravity.
    Heights,
    /// Upward speed over height.
    Phase,
    /// One column over another.
    Columns {
        /// To the right.
        x: String,
        /// Upwards.
        y: String,
    },
    /// How often the values of a column occur.
    Histogram {
        /// Which column.
        column: String,
        /// How many bins; none for about the square root of the number of values.
        bins: Option<usize>,
    },
}

/// A wish for a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureOptions {
    /// What it shows.
    pub figure: Figure,
    /// Names of the bodies to show; all that move if it is empty.
    pub bodies: Vec<String>,
    /// Names of the pair to show; all if it is none.
    pub pair: Option<[String; 2]>,
    /// Colours.
    pub theme: Theme,
    /// Width and height `[px]`; none for the default.
    pub size: Option<[f64; 2]>,
    /// Title; none for one that says what is shown.
    pub title: Option<String>,
}

impl FigureOptions {
    /// A figure with everything else as it is by default.
    pub fn of(figure: Figure) -> Self {
        let (bodies, pair) = (Vec::new(), None);
        Self { figure, bodies, pair, theme: Theme::default(), size: None, title: None }
    }
}

/// Why there is no such chart.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FigureError {
    /// There is no column of that name.
    #[error("there is no column {asked}")]
    NoColumn {
        /// What was asked for.
        asked: String,
        /// All names there are.
        known: Vec<String>,
    },
    /// The columns are in different tables.
    #[error(
        "{x} and {y} are not in one table\n\
         hint: take both from the states of bodies, from the ledger, or from contacts"
    )]
    Apart {
        /// One.
        x: String,
        /// The other.
        y: String,
    },
    /// There is no body of that name.
    #[error("there is no body {asked} in {label}")]
    NoBody {
        /// What was asked for.
        asked: String,
        /// Which recording.
        label: String,
        /// All names there are.
        known: Vec<String>,
    },
    /// It is not told apart by what was asked for.
    #[error("{what} is not told by {by}\nhint: leave --{by} away")]
    Unused {
        /// What is shown.
        what: String,
        /// `body` or `pair`.
        by: &'static str,
    },
    /// The two do not collide.
    #[error("{a} and {b} do not collide in {label}", a = pair[0], b = pair[1])]
    NeverMeet {
        /// Their names.
        pair: [String; 2],
        /// Which recordings.
        label: String,
    },
    /// There is nothing to show.
    #[error("there is nothing to show: {0}")]
    Nothing(&'static str),
}

/// A chart, and what it leaves out.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The chart.
    pub chart: Chart,
    /// What is not on it.
    pub left_out: Option<LeftOut>,
}

/// What a chart does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// In words, as it stands on the chart.
    pub told: String,
    /// How to see it.
    pub hint: &'static str,
}

/// Draws recordings.
///
/// # Errors
/// If a body or a column is not there, or there is nothing to show.
pub fn figure(runs: &[RecordedRun], options: &FigureOptions) -> Result<Drawn, FigureError> {
    for run in runs {
        run.check_names(options)?;
    }
    check_use(options)?;
    let mut drawn = match &options.figure {
        Figure::Energy => energy::chart(runs)?,
        Figure::Forces => forces::chart(runs, options)?,
        Figure::Heights => ways::heights(runs, &options.bodies)?,
        Figure::Phase => ways::phase(runs, &options.bodies)?,
        Figure::Columns { x, y } => ways::columns(runs, options, [x, y])?,
        Figure::Histogram { column, bins } => histogram::chart(runs, options, column, *bins)?,
    };
    if let Some(left_out) = &drawn.left_out {
        drawn.chart = drawn.chart.note(&left_out.told);
    }
    drawn.chart = drawn.chart.theme(options.theme);
    if let Some([width, height]) = options.size {
        drawn.chart = drawn.chart.size(width, height);
    }
    if let Some(title) = &options.title {
        drawn.chart = drawn.chart.titled(title);
    }
    Ok(drawn)
}

/// That bodies or a pair are asked for only of what is told apart by them.
fn check_use(options: &FigureOptions) -> Result<(), FigureError> {
    let (has_bodies, has_pair) = (!options.bodies.is_empty(), options.pair.is_some());
    let (what, by) = match options.figure {
        Figure::Energy if has_bodies => ("energy", "body"),
        Figure::Energy if has_pair => ("energy", "pair"),
        Figure::Heights if has_pair => ("height", "pair"),
        Figure::Phase if has_pair => ("speed over height", "pair"),
        _ => return Ok(()),
    };
    Err(FigureError::Unused { what: what.to_owned(), by })
}

/// Why there is nothing of what was asked for.
fn nothing(runs: &[RecordedRun], options: &FigureOptions, why: &'static str) -> FigureError {
    let labels: Vec<&str> = runs.iter().map(|run| run.label.as_str()).collect();
    match &options.pair {
        Some(pair) => FigureError::NeverMeet { pair: pair.clone(), label: labels.join(", ") },
        None => FigureError::Nothing(why),
    }
}

/// A name for a series: that of what is shown, with the recording's where there are several.
fn named(runs: &[RecordedRun], run: &RecordedRun, what: &str) -> String {
    match (runs.len() > 1, what.is_empty()) {
        (true, true) => run.label.clone(),
        (true, false) => format!("{}: {what}", run.label),
        (false, _) => what.to_owned(),
    }
}

/// A title with the name of the only recording.
fn titled(runs: &[RecordedRun], what: &str) -> String {
    match runs {
        [run] => format!("{}: {what}", run.label),
        _ => what.to_owned(),
    }
}

/// Series up to [`MOST_SERIES`], and how many of how many where these are not all.
fn fitting<T>(mut series: Vec<T>, what: &str, hint: &'static str) -> (Vec<T>, Option<LeftOut>) {
    let count = series.len();
    series.truncate(MOST_SERIES);
    let told = || format!("{MOST_SERIES} of {count} {what} are shown");
    (series, (count > MOST_SERIES).then(|| LeftOut { told: told(), hint }))
}
