//! How often the values of a column occur.

use super::column::{Found, axis_title};
use super::{Drawn, FigureError, FigureOptions, RecordedRun, fitting, named, nothing, titled};
use crate::plot::{Axis, Chart};

/// How many bins there are where nobody says: the square root of the number of values, but within these.
const BINS: [usize; 2] = [8, 60];

/// More bins than this are not drawn.
const MOST_BINS: usize = 1000;

/// Where a logarithmic axis of counts begins, so that a bin with one value in it is seen.
const LEAST_COUNT: f64 = 0.5;

/// A bin that is so many times lower than the highest is less than a pixel or two.
const UNSEEN: u32 = 200;

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
        return Err(nothing(runs, options, "this column has no values"));
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
    let mut what = title.split(" in ").next().unwrap_or_default().to_owned();
    let of = options.bodies.iter().chain(options.pair.iter().flatten());
    let of: Vec<&str> = of.map(String::as_str).collect();
    if !of.is_empty() {
        what += &format!(" of {}", of.join(", "));
    }
    let counted: Vec<(String, Vec<u32>)> =
        shown.into_iter().map(|(name, values)| (name, counts(&values, low, width, bins))).collect();
    let is_steep = counted.iter().any(|(_, counts)| is_steep(counts));
    let mut chart = Chart::new(titled(runs, &format!("distribution of {what}")))
        .x_axis(Axis::linear(title.clone()))
        .y_axis(if is_steep {
            Axis::logarithmic("count in a bin, logarithmic").range(LEAST_COUNT, 1.0)
        } else {
            Axis::linear("count in a bin").range(0.0, 1.0)
        });
    let ground = if is_steep { LEAST_COUNT } else { 0.0 };
    for (name, counts) in counted {
        let edges = |(index, count): (usize, &u32)| {
            let edge = |k: usize| low + (index + k) as f64 * width;
            [edge(0), edge(1)].map(|x| [x, ground, f64::from(*count).max(ground)])
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

fn counts(values: &[f64], low: f64, width: f64, bins: usize) -> Vec<u32> {
    let mut counts = vec![0; bins];
    for value in values {
        counts[(((value - low) / width) as usize).min(bins - 1)] += 1;
    }
    counts
}

/// True where most of the bins that are not empty would not be seen beside the highest.
fn is_steep(counts: &[u32]) -> bool {
    let most = counts.iter().copied().max().unwrap_or_default();
    let filled = counts.iter().filter(|count| **count > 0);
    let unseen = filled.clone().filter(|count| count.saturating_mul(UNSEEN) < most);
    2 * unseen.count() > filled.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_logarithmic_where_most_bins_would_not_be_seen() {
        assert_eq!(counts(&[0.0, 0.4, 1.0, 2.0], 0.0, 1.0, 2), [2, 2]);
        assert!(is_steep(&[901, 1, 0, 4]));
        assert!(!is_steep(&[901, 6, 0, 4]) && !is_steep(&[901, 0, 0]));
    }
}
