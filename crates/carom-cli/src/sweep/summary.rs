//! The summary of a sweep: as a file, as JSON, and as a table that fits a screen.

use std::path::Path;

use anyhow::Context;
use carom_record::{Cell, Sheet};
use carom_study::sweep::{Summary, SummaryLine};
use serde_json::{Map, Value, json};

use crate::run::advised;
use crate::table::shortened;

/// Letters of a name in the table that is printed.
const WIDEST: usize = 40;

/// Whether a file of that name is JSON.
pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// Writes it as what the name of the file says.
pub(super) fn write(summary: &Summary, path: &Path) -> anyhow::Result<()> {
    if is_json(path) {
        return std::fs::write(path, format!("{:#}\n", as_json(summary)))
            .with_context(|| format!("cannot write {}", path.display()));
    }
    summary.sheet().write(path).map_err(advised)
}

/// A list with an object for each line.
pub(super) fn as_json(summary: &Summary) -> Value {
    let value = |cell: &Cell| match cell {
        Cell::Number(number) => json!(number),
        cell => json!(cell.to_text()),
    };
    let line = |line: &SummaryLine| {
        let at = summary.by.iter().cloned().zip(line.at.iter().map(value));
        let at: Map<String, Value> = at.collect();
        json!({ "at": at, "name": line.name, "values": line.values, "met": line.met })
    };
    summary.lines.iter().map(line).collect()
}

/// What is worth a look: mean, error, median, and the share of runs in which it is met.
pub(super) fn in_brief(summary: &Summary) -> Sheet {
    let columns = ["expectation", "runs", "mean", "\u{b1}", "median", "met", "low", "high"];
    let names = summary.by.iter().map(String::as_str).chain(columns);
    let mut sheet = Sheet::new(names.map(str::to_owned));
    for line in &summary.lines {
        let (values, met) = (line.values.as_ref(), line.met.as_ref());
        let share = met.map(|it| format!("{} of {}", it.count, it.runs));
        let mut cells = line.at.clone();
        cells.extend([
            shortened(&line.name, WIDEST).into(),
            values.map_or(0, |it| it.runs).into(),
            values.map(|it| it.mean).into(),
            values.and_then(|it| it.error).into(),
            values.map(|it| it.quantiles[2]).into(),
            share.into(),
            met.map(|it| it.low).into(),
            met.map(|it| it.high).into(),
        ]);
        sheet.push(cells);
    }
    sheet
}
