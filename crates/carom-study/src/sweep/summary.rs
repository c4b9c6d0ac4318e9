//! What a sweep comes to: for each expectation how its values are spread and in how many runs it is met; in a random set at
//! each point of the grid by itself.
//!
//! Means have their standard error s/√n and the interval that holds the true mean with 95 % confidence: Student's, or Wilson's
//! where all values are 0 or 1, for then the mean is a share. Quantiles lie on straight lines between the values in their
//! order, the least at 0 and the greatest at 1 (definition 7 of Hyndman and Fan, Am. Stat. 50, 1996).

use carom_record::{Cell, Sheet};
use serde::Serialize;

use super::plan::{Plan, Setting, Values};
use super::proportion::Proportion;
use super::student::quantile as student;
use super::table::{Columns, Row};

/// Quantiles that a summary has, between the least and the greatest.
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// How numbers are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// How many there are.
    pub runs: u64,
    /// Their mean.
    pub mean: f64,
    /// Standard error of the mean; none of a single one.
    pub error: Option<f64>,
    /// The lower end of what the true mean may be, with 95 % confidence; none of a single one.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The least.
    pub least: f64,
    /// Quantiles of 5, 25, 50, 75 and 95 %.
    pub quantiles: [f64; 5],
    /// The greatest.
    pub greatest: f64,
}

/// One expectation in some runs.
#[derive(Clone, Debug, PartialEq)]
pub struct SummaryLine {
    /// What the grid is set to in these runs.
    pub at: Vec<Cell>,
    /// Name of the expectation or, without one, its sentence.
    pub name: String,
    /// Its values, where they are finite numbers; none if there are none.
    pub values: Option<Spread>,
    /// In how many of the runs that could be judged it is met; none if there are none.
    pub met: Option<Proportion>,
}

/// A whole summary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Names of the parameters that span the grid, in a random set.
    pub by: Vec<String>,
    /// Points of the grid in their order, and at each the expectations in theirs.
    pub lines: Vec<SummaryLine>,
}

impl Spread {
    /// Of finite numbers in any order; none of none.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let (&least, &greatest) = (values.first()?, values.last()?);
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let error = (values.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt());
        let runs = values.len() as u64;
        let [low, high] = match share(&values) {
            Some(share) => [Some(share.low), Some(share.high)],
            None => [-1.0, 1.0].map(|sign| error.map(|it| mean + sign * student(runs - 1) * it)),
        };
        let quantiles = QUANTILES.map(|part| quantile(&values, part));
        Some(Self { runs, mean, error, low, high, least, quantiles, greatest })
    }
}

/// The share of ones, if there is nothing but zeros and ones.
fn share(values: &[f64]) -> Option<Proportion> {
    let ones = values.iter().filter(|value| **value == 1.0).count();
    let zeros = values.iter().filter(|value| **value == 0.0).count();
    let all = values.len();
    (ones + zeros == all).then(|| Proportion::new(ones as u64, all as u64)).flatten()
}

/// A quantile of sorted numbers, of which there is at least one.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = part * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let rest = place - below as f64;
    sorted[below] + (sorted[above] - sorted[below]) * rest
}

impl Summary {
    /// Of rows in their order.
    pub(super) fn new(plan: &Plan, columns: &Columns, rows: &[&Row]) -> Self {
        let spans = |it: &&Setting| !matches!(it.values, Values::Between { .. });
        let drawn = plan.draws().is_some();
        let by: Vec<String> = plan
            .settings()
            .iter()
            .filter(|it| drawn && spans(it))
            .map(|it| it.name.clone())
            .collect();
        let place = |name: &String| columns.parameters.iter().position(|(it, _)| it == name);
        let places: Vec<Option<usize>> = by.iter().map(place).collect();
        let per_point = plan.draws().map_or(u64::MAX, |draws| draws.count.max(1));
        let mut lines = Vec::new();
        for point in rows.chunk_by(|a, b| a.index / per_point == b.index / per_point) {
            let cell = |at: &Option<usize>| at.and_then(|at| point[0].cells.get(at)).cloned();
            let at: Vec<Cell> = places.iter().map(|at| cell(at).unwrap_or_default()).collect();
            let line = |(number, (name, _)): (usize, &(String, String))| {
                line(at.clone(), name, point, columns.value_at(number))
            };
            lines.extend(columns.expectations.iter().enumerate().map(line));
        }
        Self { by, lines }
    }

    /// As a table: what the grid is set to, the expectation's name, how its values are spread, and of the runs that could be
    /// judged how many there are, how many met it, their share and its interval.
    pub fn sheet(&self) -> Sheet {
        let spread = ["runs", "mean", "error", "low", "high", "least"];
        let quantiles = ["q05", "q25", "median", "q75", "q95", "greatest"];
        let met = ["judged", "met", "share", "share_low", "share_high"];
        let rest = ["name"].into_iter().chain(spread).chain(quantiles).chain(met);
        let mut sheet = Sheet::new(self.by.iter().cloned().chain(rest.map(str::to_owned)));
        for line in &self.lines {
            let mut cells = line.at.clone();
            cells.push(line.name.clone().into());
            cells.extend(spread_cells(line.values.as_ref()));
            cells.extend(met_cells(line.met.as_ref()));
            sheet.push(cells);
        }
        sheet
    }
}

fn line(at: Vec<Cell>, name: &str, rows: &[&Row], column: usize) -> SummaryLine {
    let cells = |column: usize| rows.iter().filter_map(move |row| row.cells.get(column));
    let values = cells(column).filter_map(Cell::as_number).collect();
    let met = cells(column + 1).filter(|cell| **cell == Cell::Truth(true)).count();
    let unmet = cells(column + 1).filter(|cell| **cell == Cell::Truth(false)).count();
    let met = Proportion::new(met as u64, (met + unmet) as u64);
    SummaryLine { at, name: name.to_owned(), values: Spread::of(values), met }
}

fn spread_cells(values: Option<&Spread>) -> Vec<Cell> {
    let number = |get: &dyn Fn(&Spread) -> Option<f64>| Cell::from(values.and_then(get));
    let mut cells = vec![
        values.map_or(0, |it| it.runs).into(),
        number(&|it| Some(it.mean)),
        number(&|it| it.error),
        number(&|it| it.low),
        number(&|it| it.high),
        number(&|it| Some(it.least)),
    ];
    cells.extend((0..QUANTILES.len()).map(|at| number(&|it| Some(it.quantiles[at]))));
    cells.push(number(&|it| Some(it.greatest)));
    cells
}

fn met_cells(met: Option<&Proportion>) -> [Cell; 5] {
    let [runs, count] = met.map_or([0; 2], |it| [it.runs, it.count]);
    let ends = [met.map(|it| it.share), met.map(|it| it.low), met.map(|it| it.high)];
    let [share, low, high] = ends.map(Cell::from);
    [runs.into(), count.into(), share, low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_that_of_the_textbook() {
        // 1 to 5: mean 3, standard error √(2.5/5), t = 2.776445 for four degrees of freedom; quantiles at 1 + 4p.
        let got = Spread::of(vec![4.0, 1.0, 5.0, f64::NAN, 3.0, 2.0]).unwrap();
        assert_eq!((got.runs, got.mean, got.least, got.greatest), (5, 3.0, 1.0, 5.0));
        assert_eq!(got.error, Some(0.5_f64.sqrt()));
        let half = 2.776_445_1 * 0.5_f64.sqrt();
        assert!((got.low.unwrap() - (3.0 - half)).abs() < 1e-6, "{got:?}");
        assert!((got.high.unwrap() - (3.0 + half)).abs() < 1e-6, "{got:?}");
        for (got, exact) in got.quantiles.into_iter().zip([1.2, 2.0, 3.0, 4.0, 4.8]) {
            assert!((got - exact).abs() < 1e-15, "{got} {exact}");
        }
    }

    #[test]
    fn one_value_has_quantiles_but_no_error_and_none_has_nothing() {
        let got = Spread::of(vec![7.0]).unwrap();
        assert_eq!((got.error, got.low, got.high), (None, None, None));
        assert_eq!(got.quantiles, [7.0; 5]);
        assert_eq!(Spread::of(vec![f64::INFINITY]), None);
    }

    #[test]
    fn the_mean_of_zeros_and_ones_is_a_share_with_wilsons_interval() {
        let got = Spread::of(vec![1.0, 0.0, 1.0, 1.0]).unwrap();
        let share = Proportion::new(3, 4).unwrap();
        assert_eq!((got.mean, got.low, got.high), (0.75, Some(share.low), Some(share.high)));
        let none = Spread::of(vec![0.0; 10]).unwrap();
        assert_eq!(none.high, Proportion::new(0, 10).map(|it| it.high));
    }
}
