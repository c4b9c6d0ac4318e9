//! What came of a sweep, as JSON and in words.

use carom_record::{Cell, Sheet};
use carom_study::sweep::Curve;
use serde_json::{Value, json};

use super::Done;
use super::options::SweepOptions;
use super::plot::Drawn;
use super::summary;
use crate::args::VERSION;
use crate::output::{counted, width};
use crate::report::duration;
use crate::table::{Column, Table};

pub(super) fn as_json(options: &SweepOptions, done: &Done<'_>) -> Value {
    let (plan, tally) = (done.sweep.plan(), &done.tally);
    let errors = tally.errors.iter().map(|(index, error)| json!({"index": index, "error": error}));
    json!({
        "scene": done.scene,
        "version": VERSION,
        "settings": done.sweep.header().settings,
        "random": options.random,
        "seed": plan.draws().map(|draws| draws.seed),
        "runs": plan.runs(),
        "resumed": done.resumed,
        "wall_s": done.wall,
        "met": tally.met,
        "unmet": tally.unmet,
        "failed": tally.failed,
        "expectations": tally.expectations,
        "errors": errors.collect::<Vec<_>>(),
        "output": options.output,
        "summary": summary::as_json(&done.summary),
        "plot": done.drawn.as_ref().map(plot_json),
    })
}

fn plot_json(drawn: &Drawn) -> Value {
    let curve = |curve: &Curve| {
        let by = match &curve.by {
            Some(Cell::Number(number)) => json!(number),
            Some(cell) => json!(cell.to_text()),
            None => Value::Null,
        };
        json!({ "by": by, "points": curve.points })
    };
    json!({
        "x": drawn.x,
        "y": drawn.y,
        "by": drawn.by,
        "bins": drawn.bins,
        "left_out": drawn.curves.left_out,
        "curves": drawn.curves.curves.iter().map(curve).collect::<Vec<_>>(),
    })
}

pub(super) fn as_text(options: &SweepOptions, done: &Done<'_>) -> String {
    let tally = &done.tally;
    let title = if done.sweep.title().is_empty() { done.scene } else { done.sweep.title() };
    let runs = counted(done.sweep.plan().runs(), "run");
    let before = match done.resumed {
        0 => String::new(),
        resumed => format!(", {resumed} of them before"),
    };
    let mut text = format!("{title}: {runs} in {}{before}\n", duration(done.wall));
    text += &format!("  {} with all expectations met", tally.met);
    if tally.unmet > 0 {
        text += &format!(", {} with some NOT met", tally.unmet);
    }
    if tally.failed > 0 {
        text += &format!(", {} FAILED", tally.failed);
    }
    text.push('\n');
    for failure in failures(done) {
        text += &format!("  {failure}\n");
    }
    if let Some(left_out) =
        done.drawn.as_ref().map(|drawn| drawn.curves.left_out).filter(|it| *it > 0)
    {
        text += &format!("  {} left out of the plot\n", counted(left_out, "run"));
    }
    for path in options.output.iter().chain(&options.plot_output).chain(&options.summary) {
        text += &format!("  written to {}\n", path.display());
    }
    if let Some(drawn) = done.drawn.as_ref().filter(|_| options.plot_output.is_empty()) {
        text += &plot_text(drawn);
    }
    // Without a draw there is nothing to be confident about.
    if options.random.is_some() && !done.summary.lines.is_empty() {
        text += &format!("\n{}", table(&summary::in_brief(&done.summary)));
    }
    text
}

/// What went wrong, a line each.
pub(super) fn failures(done: &Done<'_>) -> Vec<String> {
    let tally = &done.tally;
    let missed = tally
        .expectations
        .iter()
        .map(|missed| format!("not met in {}: {}", counted(missed.runs, "run"), missed.what));
    let errors = tally.errors.iter().map(|(index, error)| format!("run {index} failed: {error}"));
    let more = tally.failed - (tally.errors.len() as u64).min(tally.failed);
    let more = (more > 0).then(|| format!("and {more} more, see the column error"));
    missed.chain(errors).chain(more).collect()
}

fn plot_text(drawn: &Drawn) -> String {
    format!("\n{}, mean with 95 % confidence\n{}", drawn.y, table(&drawn.table))
}

/// As wide as there is room; the first columns say which line it is, the last ones how sure it is.
fn table(sheet: &Sheet) -> String {
    let rank = |name: &str| match name {
        "low" | "high" => 3,
        "median" | "sd" => 2,
        "runs" => 1,
        _ => 0,
    };
    let column = |name: &String| match name.as_str() {
        "expectation" => Column::number(name).least(16),
        _ => Column::number(name).rank(rank(name)),
    };
    let mut table = Table::new(sheet.names().iter().map(column));
    let text = |cell: &Cell| match cell {
        Cell::Number(number) => short(*number),
        other => other.to_text(),
    };
    for row in sheet.rows() {
        table.add(row.iter().map(text));
    }
    table.to_text(width())
}

/// Six digits that count.
fn short(number: f64) -> String {
    if number == 0.0 || (1e-4..1e6).contains(&number.abs()) {
        let text = format!("{number:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{number:.5e}")
}
