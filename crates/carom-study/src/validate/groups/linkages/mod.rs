//! Linkages: spatial algebra, dynamics of trees, what they do when struck, stops, motors and constraints.
//!
//! Expected values are the golden numbers and closed forms of the guide, and dense matrices from `oracles::linkage`.

mod building;
mod data;
mod driven;
mod golden;
mod joints;
mod motion;
mod promised;
mod random;
mod same;
mod spatial;
mod struck;

use super::super::{Context, Row};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = spatial::rows(context);
    rows.extend(random::rows(context));
    rows.extend(building::rows(context));
    rows.extend(golden::rows(context));
    rows.extend(motion::rows(context));
    rows.extend(struck::rows(context));
    rows.extend(joints::rows(context));
    rows.extend(driven::rows(context));
    rows.extend(promised::rows(context));
    rows.extend(data::rows(context));
    rows
}

const GUIDE: &str = "guide to Mirtich 1996, part 2";

/// Numbers on their way out.
fn told(context: &Context, numbers: &[f64]) -> Vec<f64> {
    numbers.iter().map(|number| context.subject.extent(*number)).collect()
}

/// The larger of two errors; a NaN is the largest.
fn worse(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}

/// Largest difference of entries, relative to the largest expected one; not a number where there are more of one.
fn off(expected: &[f64], got: &[f64]) -> f64 {
    if expected.len() != got.len() {
        return f64::NAN;
    }
    let size = expected.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    expected.iter().zip(got).map(|(e, g)| (e - g).abs() / size).fold(0.0, worse)
}
