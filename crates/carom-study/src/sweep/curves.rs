//! What a sweep shows: means of one column over another, with intervals of confidence, a curve for each value of a third.

use carom_record::plot::{Axis, Chart};
use carom_record::{Cell, Sheet};
use serde::Serialize;
use thiserror::Error;

use super::plan::decimal;
use super::student::quantile;

/// Why there are no curves.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CurvesError {
    /// No row has numbers in both columns.
    #[error("no run has both numbers, so there is nothing to plot")]
    Empty,
}

/// Where a curve goes through.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The value of x, or the middle of the bin.
    pub x: f64,
    /// How many runs there are.
    pub runs: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation; none of a single run.
    pub sd: Option<f64>,
    /// How far the true mean may be off with 95 % confidence, by Student's distribution; none of a single run.
    pub half_width: Option<f64>,
}

/// The runs with one value of the column that tells curves apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// That value; none if there is one curve for all.
    pub by: Option<Cell>,
    /// Its points, by x.
    pub points: Vec<CurvePoint>,
}

/// All curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// Those of numbers by the number, others in the order in which they come.
    pub curves: Vec<Curve>,
    /// Runs that lack one of the numbers, or have one that is not finite.
    pub left_out: u64,
}

/// A value that tells curves apart, and x and y of the runs with it.
type Group = (Option<Cell>, Vec<(f64, f64)>);

/// Means of the column `y` over equal values of the column `x`, or over bins of a width whose middles are its multiples; a
/// curve for each value of the column `by`. What holds counts as 1, what does not as 0.
///
/// # Errors
/// If no row has both numbers.
pub fn curves(
    sheet: &Sheet,
    [x, y]: [usize; 2],
    by: Option<usize>,
    bins: Option<f64>,
) -> Result<Curves, CurvesError> {
    let mut groups: Vec<Group> = Vec::new();
    let mut left_out = 0;
    for row in sheet.rows() {
        let number = |column: usize| {
            row.get(column).and_then(Cell::as_number).filter(|number| number.is_finite())
        };
        let (Some(x), Some(y)) = (number(x), number(y)) else {
            left_out += 1;
            continue;
        };
        let key = by.and_then(|by| row.get(by)).cloned();
        let x = bins.map_or(x, |width| decimal((x / width).round() * width));
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, points)) => points.push((x, y)),
            None => groups.push((key, vec![(x, y)])),
        }
    }
    if groups.is_empty() {
        return Err(CurvesError::Empty);
    }
    let number = |cell: &Option<Cell>| cell.as_ref().and_then(Cell::as_number);
    if groups.iter().all(|(key, _)| number(key).is_some()) {
        let value = |cell: &Option<Cell>| number(cell).unwrap_or_default();
        groups.sort_by(|(a, _), (b, _)| value(a).total_cmp(&value(b)));
    }
    let curves = groups.into_iter().map(|(by, values)| Curve { by, points: points(values) });
    Ok(Curves { curves: curves.collect(), left_out })
}

fn points(mut values: Vec<(f64, f64)>) -> Vec<CurvePoint> {
    // Stable, so that sums are taken in the order of the runs.
    values.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    values.chunk_by(|(a, _), (b, _)| a == b).map(point).collect()
}

fn point(values: &[(f64, f64)]) -> CurvePoint {
    let n = values.len() as f64;
    let mean = values.iter().map(|(_, y)| y).sum::<f64>() / n;
    let squares: f64 = values.iter().map(|(_, y)| (y - mean) * (y - mean)).sum();
    let several = values.len() > 1;
    let sd = several.then(|| (squares / (n - 1.0)).sqrt());
    let half_width = sd.map(|sd| quantile(values.len() as u64 - 1) * sd / n.sqrt());
    CurvePoint { x: values[0].0, runs: values.len() as u64, mean, sd, half_width }
}

impl Curves {
    /// As a table: the value that tells curves apart (if any), x, runs, mean, standard deviation, and the ends of the
    /// interval of confidence.
    pub fn sheet(&self, by: Option<&str>, x: &str) -> Sheet {
        let names = ["runs", "mean", "sd", "low", "high"].map(str::to_owned);
        let mut sheet = Sheet::new(by.into_iter().chain([x]).map(str::to_owned).chain(names));
        for curve in &self.curves {
            for point in &curve.points {
                let key = by.map(|_| curve.by.clone().unwrap_or_default());
                let end = |sign: f64| point.half_width.map(|half| point.mean + sign * half);
                let cells = [
                    point.x.into(),
                    point.runs.into(),
                    point.mean.into(),
                    point.sd.into(),
                    end(-1.0).into(),
                    end(1.0).into(),
                ];
                sheet.push(key.into_iter().chain(cells).collect());
            }
        }
        sheet
    }

    /// As a picture: each curve a line through its points, with its confidence as a band.
    pub fn chart(&self, titles: &Titles<'_>) -> Chart {
        let all = || self.curves.iter().flat_map(|curve| &curve.points);
        let band = if all().any(|point| point.half_width.is_some()) {
            ", mean and 95\u{a0}%\u{a0}confidence"
        } else {
            ""
        };
        let mut chart = Chart::new(titles.title)
            .x_axis(Axis::linear(titles.x))
            .y_axis(Axis::linear(format!("{}{band}", titles.y)));
        for curve in &self.curves {
            let name = curve.name(titles.by);
            // A single run has no band: not a number is a gap.
            let ends = |point: &CurvePoint| {
                let half = point.half_width.unwrap_or(f64::NAN);
                [point.x, point.mean - half, point.mean + half]
            };
            let middle = |point: &CurvePoint| [point.x, point.mean];
            if curve.points.iter().any(|point| point.half_width.is_some()) {
                chart = chart.band(&name, curve.points.iter().map(ends));
            }
            chart = chart
                .line(&name, curve.points.iter().map(middle))
                .points(&name, curve.points.iter().map(middle));
        }
        chart
    }
}

/// What the parts of a picture are called.
#[derive(Clone, Copy, Debug)]
pub struct Titles<'a> {
    /// All of it.
    pub title: &'a str,
    /// The axis to the right.
    pub x: &'a str,
    /// The axis upwards.
    pub y: &'a str,
    /// What tells curves apart.
    pub by: Option<&'a str>,
}

impl Curve {
    /// What it is called where the column that tells curves apart is called `by`; empty if there is none.
    pub fn name(&self, by: Option<&str>) -> String {
        let (Some(by), Some(cell)) = (by, &self.by) else { return String::new() };
        match cell {
            Cell::Number(number) => format!("{by} = {number}"),
            cell => format!("{by} = {}", cell.to_text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(rows: &[(f64, Option<f64>, &str)]) -> Sheet {
        let mut sheet = Sheet::new(["x", "y", "kind"].map(str::to_owned));
        for (x, y, kind) in rows {
            sheet.push(vec![(*x).into(), (*y).into(), (*kind).into()]);
        }
        sheet
    }

    #[test]
    fn means_and_their_intervals_are_those_of_the_textbook() {
        // The values 1 to 5: mean 3, deviation √2.5, t = 2.776445 for four degrees of freedom.
        let rows = [1.0, 2.0, 3.0, 4.0, 5.0].map(|y| (0.0, Some(y), ""));
        let curves = curves(&sheet(&rows), [0, 1], None, None).unwrap();
        let point = curves.curves[0].points[0];
        assert_eq!((point.x, point.runs, point.mean), (0.0, 5, 3.0));
        assert_eq!(point.sd, Some(2.5_f64.sqrt()));
        let half = point.half_width.unwrap();
        assert!((half - 2.7764451 * (2.5_f64 / 5.0).sqrt()).abs() < 1e-7, "{half}");
    }

    #[test]
    fn bins_lie_around_multiples_of_their_width_and_failed_runs_are_left_out() {
        let rows = [
            (0.0049, Some(2.0), ""),
            (-0.0024, Some(1.0), ""),
            (0.0024, Some(3.0), ""),
            (0.0051, Some(4.0), ""),
            (0.01, None, ""),
            (0.01, Some(f64::NAN), ""),
        ];
        let curves = curves(&sheet(&rows), [0, 1], None, Some(0.005)).unwrap();
        assert_eq!(curves.left_out, 2);
        let points = &curves.curves[0].points;
        let seen: Vec<(f64, u64, f64)> = points.iter().map(|p| (p.x, p.runs, p.mean)).collect();
        assert_eq!(seen, [(0.0, 2, 2.0), (0.005, 2, 3.0)]);
    }

    #[test]
    fn there_is_a_curve_for_every_value_and_a_table_of_all() {
        let rows =
            [(1.0, Some(5.0), "hook"), (1.0, Some(7.0), "straight"), (0.0, Some(1.0), "hook")];
        let curves = curves(&sheet(&rows), [0, 1], Some(2), None).unwrap();
        let names: Vec<_> = curves.curves.iter().map(|it| it.by.clone().unwrap()).collect();
        assert_eq!(names, [Cell::from("hook"), Cell::from("straight")]);
        let table = curves.sheet(Some("kind"), "x").to_csv();
        let expected = "kind,x,runs,mean,sd,low,high\n\
                        hook,0.0,1,1.0,,,\nhook,1.0,1,5.0,,,\nstraight,1.0,1,7.0,,,\n";
        assert_eq!(table, expected);
        let titles = Titles { title: "t", x: "in m", y: "pins", by: Some("kind") };
        let svg = curves.chart(&titles).to_svg();
        assert!(svg.contains(">kind = hook</text>") && svg.contains(">pins</text>"), "{svg}");
    }

    #[test]
    fn without_numbers_there_is_nothing_to_plot() {
        let empty = curves(&sheet(&[(0.0, None, "")]), [0, 1], None, None);
        assert_eq!(empty, Err(CurvesError::Empty));
    }
}
