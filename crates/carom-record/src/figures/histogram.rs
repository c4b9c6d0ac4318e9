//! How often the values of a column occur.

use super::column::{Found, axis_title};
use super::{Drawn, FigureError, FigureOptions, RecordedRun, fitting, named, titled};
use crate::plot::{Axis, Chart};

/// How many bins there are where nobody says: the square root of the number of values, but within these.
const BINS: [usize; 2] = [8, 60];

/// More bins than this are not drawn.
const MOST_BINS: usize = 1000;

pub(super) fn chart(
    runs: &[RecordedRun],
    options: &FigureOptions,
    column: &str,
    bins: Option<usize>,
) -> Result<Drawn, FigureError> {
    let found = Found::find([column], options)?;
    let mut all: Vec<(String, Vec<f64>)> = Vec::new();
    for run in runs {
        let rows = found.rows(run, options).into_iter().flat_map(|(_, rows)| rows);
        let values = rows.map(|[value]| value).filter(|value| value.is_finite()).collect();
        all.push((named(runs, run, ""), values));
    }
    let values = || all.iter().flat_map(|(_, values)| values.iter().copied());
    let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return Err(FigureError::Nothing("this column has no values"));
    }
    let by_count = (values().count() as f64).sqrt() as usize;
    let bins = bins.unwrap_or_else(|| by_count.clamp(BINS[0], BINS[1])).clamp(1, MOST_BINS);
    // All the same: one bin around it, as wide as its size.
    let (low, width) = if high > low {
        (low, (high - low) / bins as f64)
    } else {
        (low - 0.5 * low.abs().max(1.0), low.abs().max(1.0) / bins as f64)
    };
    let (shown, left_out) = fitting(all, "recordings", "name fewer of them");
    let title = axis_title(column);
    let what = title.split(" in ").next().unwrap_or_default();
    let mut chart = Chart::new(titled(runs, &format!("distribution of {what}")))
        .x_axis(Axis::linear(title.clone()))
        .y_axis(Axis::linear("count in a bin").range(0.0, 1.0));
    for (name, values) in shown {
        let mut counts = vec![0_u32; bins];
        for value in values {
            counts[(((value - low) / width) as usize).min(bins - 1)] += 1;
        }
        let edges = |(index, count): (usize, &u32)| {
            let edge = |k: usize| low + (index + k) as f64 * width;
            [edge(0), edge(1)].map(|x| [x, 0.0, f64::from(*count)])
        };
        let steps: Vec<[f64; 3]> = counts.iter().enumerate().flat_map(edges).collect();
        chart = if runs.len() == 1 {
            chart.area(&name, steps)
        } else {
            let outline: Vec<[f64; 2]> = steps.iter().map(|&[x, _, count]| [x, count]).collect();
            chart.band(&name, steps).line(&name, outline)
        };
    }
    Ok(Drawn { chart, left_out })
}
