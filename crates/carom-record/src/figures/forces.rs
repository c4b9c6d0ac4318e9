//! Forces between pairs, from impulses.
//!
//! Bodies at rest collide some hundred times a second, so a force is the sum of normal impulses in a span by its length.
//! Spans are hundredths of the time shown, but no shorter than five samples.

use std::collections::BTreeMap;

use super::column::pair_name;
use super::{Drawn, FigureError, FigureOptions, RecordedRun, fitting, named, nothing, titled};
use crate::plot::{Axis, Chart};

/// Spans over the time shown, at most.
const SPANS: f64 = 100.0;

/// Samples in a span, at least.
const SAMPLES: f64 = 5.0;

/// A pair with its normal impulses in every span `[N·s]`.
struct Pair {
    name: String,
    impulses: Vec<f64>,
}

pub(super) fn chart(runs: &[RecordedRun], options: &FigureOptions) -> Result<Drawn, FigureError> {
    // A run may go on after its last sample.
    let sampled = runs.iter().flat_map(|run| &run.samples).map(|sample| sample.time);
    let collided = runs.iter().flat_map(|run| &run.contacts).map(|collision| collision.time);
    let (start, end) = sampled
        .chain(collided)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), t| (a.min(t), b.max(t)));
    let rate = runs.iter().map(|run| run.rate_hz).fold(0.0, f64::max);
    let spans = (((end - start) * rate / SAMPLES).clamp(1.0, SPANS)) as usize;
    let width = (end - start) / spans as f64;
    if !(width > 0.0 && width.is_finite()) {
        return Err(FigureError::Nothing("the recording has no two samples"));
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for run in runs {
        let mut places: BTreeMap<[Option<u32>; 2], usize> = BTreeMap::new();
        for collision in run.contacts.iter().filter(|it| run.is_wanted(it, options)) {
            let place = *places.entry(collision.bodies).or_insert_with(|| {
                let name = named(runs, run, &pair_name(run, collision));
                pairs.push(Pair { name, impulses: vec![0.0; spans] });
                pairs.len() - 1
            });
            let span = (((collision.time - start) / width) as usize).min(spans - 1);
            pairs[place].impulses[span] += collision.impulse.dot(collision.normal);
        }
    }
    if pairs.is_empty() {
        return Err(nothing(runs, options, "no collisions are recorded"));
    }
    // The largest first; the sort is stable, so the order of first collisions settles ties.
    let total = |pair: &Pair| pair.impulses.iter().sum::<f64>();
    pairs.sort_by(|a, b| total(b).total_cmp(&total(a)));
    let (shown, left_out) = fitting(pairs, "pairs", "--pair A,B shows another");
    let mut chart = Chart::new(titled(runs, "forces between bodies"))
        .x_axis(Axis::linear("time in s"))
        .y_axis(Axis::linear(format!("normal force in N, mean over {width:.3} s")).range(0.0, 0.0));
    for pair in shown {
        let middle = |index: usize| start + (index as f64 + 0.5) * width;
        let force = |(index, impulse): (usize, &f64)| [middle(index), impulse / width];
        chart = chart.line(&pair.name, pair.impulses.iter().enumerate().map(force));
    }
    Ok(Drawn { chart, left_out })
}
