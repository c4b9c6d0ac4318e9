//! Heights, phase plots, and one column over another.

use super::column::{Found, Source, axis_title, is_length};
use super::{Drawn, FigureError, FigureOptions, LeftOut, MOST_SERIES};
use super::{RecordedRun, fitting, named, nothing, titled};
use crate::plot::{Axis, Chart};

const NOBODY: FigureError = FigureError::Nothing("no body of the recording moves by itself");

/// How high bodies are; where there are many, the lowest, the highest and the mean.
pub(super) fn heights(runs: &[RecordedRun], names: &[String]) -> Result<Drawn, FigureError> {
    let all = climbs(runs, names, None);
    let mut chart = Chart::new(titled(runs, "heights of centres"))
        .x_axis(Axis::linear("time in s"))
        .y_axis(Axis::linear("height in m"));
    if all.is_empty() {
        return Err(NOBODY);
    }
    if all.len() <= MOST_SERIES {
        for (name, climb) in &all {
            chart = chart.line(name, climb.iter().map(|&[time, height, _]| [time, height]));
        }
        return Ok(Drawn { chart, left_out: None });
    }
    let (shown, mut left_out) = fitting(runs.iter().collect(), "recordings", "name fewer of them");
    for run in shown {
        let spread = spread(run, names);
        let name = named(runs, run, "mean, and from lowest to highest");
        chart = chart.line(&name, spread.iter().map(|&[time, _, mean, _]| [time, mean]));
        chart = chart.band(&name, spread.iter().map(|&[time, low, _, high]| [time, low, high]));
    }
    let count = all.len();
    let told = || format!("{count} bodies are shown together");
    left_out.get_or_insert_with(|| LeftOut { told: told(), hint: "--body shows one" });
    Ok(Drawn { chart, left_out })
}

/// Upward speed over height.
pub(super) fn phase(runs: &[RecordedRun], names: &[String]) -> Result<Drawn, FigureError> {
    let all = climbs(runs, names, Some(&[f64::NAN; 3]));
    if all.is_empty() {
        return Err(NOBODY);
    }
    let (shown, left_out) = fitting(all, "bodies", "--body shows others");
    let mut chart = Chart::new(titled(runs, "speed over height"))
        .x_axis(Axis::linear("height in m"))
        .y_axis(Axis::linear("upward speed in m/s"));
    for (name, climb) in &shown {
        chart = chart.line(name, climb.iter().map(|&[_, height, speed]| [height, speed]));
    }
    Ok(Drawn { chart, left_out })
}

/// Time, height and upward speed of every body that is chosen, with a gap where it collides.
fn climbs(
    runs: &[RecordedRun],
    names: &[String],
    gap: Option<&[f64; 3]>,
) -> Vec<(String, Vec<[f64; 3]>)> {
    let mut all = Vec::new();
    for run in runs {
        let up = run.up();
        let ways = run.ways(&run.chosen(names), gap, |_, _, time, state| {
            [time, state.position.dot(up), state.velocity.dot(up)]
        });
        all.extend(ways.into_iter().map(|(name, way)| (named(runs, run, &name), way)));
    }
    all
}

/// Time, lowest, mean and highest.
fn spread(run: &RecordedRun, names: &[String]) -> Vec<[f64; 4]> {
    let up = run.up();
    let chosen: std::collections::BTreeSet<u32> =
        run.chosen(names).iter().map(|body| body.body).collect();
    let at = |sample: &crate::Sample| {
        let chosen = sample.states.iter().filter(|(number, _)| chosen.contains(number));
        let heights: Vec<f64> = chosen.map(|(_, state)| state.position.dot(up)).collect();
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        [sample.time, low, heights.iter().sum::<f64>() / heights.len() as f64, high]
    };
    run.samples.iter().map(at).collect()
}

/// One column over another: lines of states and of the ledger, points of contacts.
pub(super) fn columns(
    runs: &[RecordedRun],
    options: &FigureOptions,
    names: [&str; 2],
) -> Result<Drawn, FigureError> {
    let found = Found::find(names, options)?;
    let mut all = Vec::new();
    for run in runs {
        for (name, rows) in found.rows(run, options) {
            all.push((named(runs, run, &name), rows));
        }
    }
    all.retain(|(_, rows)| !rows.is_empty());
    if all.is_empty() {
        return Err(nothing(runs, options, "these columns have no values"));
    }
    let (shown, left_out) = fitting(all, "series", "--body or --pair shows others");
    let [x, y] = names.map(axis_title);
    let what = |title: &str| title.split(" in ").next().unwrap_or_default().to_owned();
    let mut chart = Chart::new(titled(runs, &format!("{} over {}", what(&y), what(&x))))
        .x_axis(Axis::linear(x))
        .y_axis(Axis::linear(y));
    if names.iter().all(|name| is_length(name)) {
        chart = chart.equal_scales();
    }
    for (name, rows) in shown {
        chart = match found.source {
            Source::Contacts => chart.points(&name, rows),
            Source::States | Source::Ledger => chart.line(&name, rows),
        };
    }
    Ok(Drawn { chart, left_out })
}
