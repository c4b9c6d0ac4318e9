//! Where the energy is.
//!
//! Initial energy, work and what contact models added stand on one side of the ledger; what moves, what is lifted and
//! what was lost on the other. The second side is stacked, the first is a line over it: they meet, to rounding. Potential
//! energy has no zero of its own; it is counted from its lowest.

use super::{Drawn, FigureError, RecordedRun, fitting, titled};
use crate::messages::LedgerLine;
use crate::plot::{Axis, Chart};

const NO_LEDGER: FigureError = FigureError::Nothing("the recording has no samples");

pub(super) fn chart(runs: &[RecordedRun]) -> Result<Drawn, FigureError> {
    if runs.iter().all(|run| run.ledger.is_empty()) {
        return Err(NO_LEDGER);
    }
    let chart = Chart::new(titled(runs, "where the energy is"))
        .x_axis(Axis::linear("time in s"))
        .y_axis(Axis::linear("energy in J").range(0.0, 0.0));
    match runs {
        [run] => Ok(Drawn { chart: stacked(chart, &run.ledger), left_out: None }),
        _ => Ok(several(chart, runs)),
    }
}

fn lowest(ledger: &[LedgerLine]) -> f64 {
    let lowest = ledger.iter().map(|line| line.account.potential).fold(f64::INFINITY, f64::min);
    if lowest.is_finite() { lowest } else { 0.0 }
}

/// A part of the energy, where the lowest potential energy is known `[J]`.
type Part = fn(&LedgerLine, f64) -> f64;

fn stacked(mut chart: Chart, ledger: &[LedgerLine]) -> Chart {
    let lowest = lowest(ledger);
    let parts: [(&str, Part); 4] = [
        ("kinetic", |line, _| line.account.kinetic),
        ("potential, from its lowest", |line, lowest| line.account.potential - lowest),
        ("lost to restitution", |line, _| line.account.restitution_loss),
        ("lost to friction", |line, _| line.account.friction_loss),
    ];
    // What is positive is stacked upwards, what is negative downwards.
    let mut tops = vec![[0.0_f64; 2]; ledger.len()];
    for (name, part) in parts {
        let mut points = Vec::with_capacity(ledger.len());
        for (line, top) in ledger.iter().zip(&mut tops) {
            let value = part(line, lowest);
            let from = &mut top[usize::from(value < 0.0)];
            let ends = [*from, *from + value];
            *from = ends[1];
            points.push([line.time, ends[0].min(ends[1]), ends[0].max(ends[1])]);
        }
        if points.iter().any(|[_, low, high]| high > low) {
            chart = chart.area(name, points);
        }
    }
    let given = |line: &LedgerLine| {
        let it = &line.account;
        it.initial - lowest + it.work + it.boost + it.projection + it.integration
    };
    let name = "put in: at first, work, boost";
    chart.line(name, ledger.iter().map(|line| [line.time, given(line)]))
}

/// The energy that is left in each.
fn several(mut chart: Chart, runs: &[RecordedRun]) -> Drawn {
    chart = chart
        .titled("energy that is left, potential energy from its lowest")
        .y_axis(Axis::linear("kinetic and potential energy in J").range(0.0, 0.0));
    let (shown, left_out) = fitting(runs.iter().collect(), "recordings", "name fewer of them");
    for run in shown {
        let lowest = lowest(&run.ledger);
        let left = |line: &LedgerLine| line.account.kinetic + line.account.potential - lowest;
        chart = chart.line(&run.label, run.ledger.iter().map(|line| [line.time, left(line)]));
    }
    Drawn { chart, left_out }
}
