//! `carom validate`: the table of reference cases.

use std::path::PathBuf;

use carom_study::validate::{self, Context, Fault, Group, Measure, Row, Subject, Value};

use crate::data::data_folder;
use crate::progress::Steps;
use crate::table::{Column, Table};
use crate::{Outcome, help, output, suggest};

/// Run the reference cases and print what was expected, from where, and what came out
///
/// Expected values are literals from the cited sources or come from code that shares nothing with the
/// simulator. Measured data is not part of the project: it is read from --data DIR, the variable CAROM_DATA, or
/// the folder shared/data beside the clone, and rows whose data is absent say so.
#[derive(Debug, clap::Args)]
#[command(after_help = help::of_validate())]
pub(crate) struct ValidateOptions {
    /// Only rows of this group, or whose id starts with this; may be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) only: Vec<String>,
    /// Folder with reference data [default: $CAROM_DATA, or shared/data beside the clone]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Let a deliberate error in, to see that it is noticed
    #[arg(long, value_name = "NAME", value_parser = fault_parser())]
    pub(crate) fault: Option<Fault>,
    /// Print a JSON array with one object for each row
    #[arg(long)]
    pub(crate) json: bool,
}

fn fault_parser() -> impl clap::builder::TypedValueParser<Value = Fault> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Fault::ALL.iter().map(|(name, _)| *name)).try_map(|name| {
        let found = Fault::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, fault)| *fault).ok_or("unknown fault")
    })
}

pub(crate) fn run(options: &ValidateOptions) -> anyhow::Result<Outcome> {
    let data = data_folder(options.data.as_deref())?;
    let subject = options.fault.map(Subject::with_fault).unwrap_or_default();
    let context = Context { data, subject };
    let groups = groups(&options.only);
    let steps = Steps::new(!options.json, groups.len(), "groups");
    let mut rows = Vec::new();
    for group in groups {
        rows.extend(group.rows(&context));
        steps.done();
    }
    steps.clear();
    let rows = selected(rows, &options.only)?;
    if options.json {
        output::answer_json(&rows)?;
    } else {
        output::answer(&table(&rows))?;
        output::answer(&summary(&rows))?;
    }
    let failed = rows.iter().any(|row| row.pass == Some(false));
    Ok(if failed { Outcome::CheckFailed } else { Outcome::Done })
}

/// Those that have to be run; where a name is not a group's, an id of any group may begin so.
fn groups(only: &[String]) -> Vec<&'static Group> {
    let is_named = |group: &Group| only.iter().any(|name| name == group.name);
    let all_are_groups =
        only.iter().all(|name| validate::GROUPS.iter().any(|group| group.name == name));
    let is_wanted = |group: &&Group| only.is_empty() || !all_are_groups || is_named(group);
    validate::GROUPS.iter().filter(is_wanted).collect()
}

fn selected(rows: Vec<Row>, only: &[String]) -> anyhow::Result<Vec<Row>> {
    if only.is_empty() {
        return Ok(rows);
    }
    for prefix in only {
        if !rows.iter().any(|row| is_of(row, prefix)) {
            let ids = rows.iter().flat_map(|row| prefixes(&row.id).chain([row.group]));
            let hint = suggest::nearest(prefix, ids).map_or_else(
                || "hint: carom validate lists all ids".to_owned(),
                |id| format!("hint: did you mean '{id}'?"),
            );
            anyhow::bail!(
                "no group is called, and no row has an id that starts with, '{prefix}'\n{hint}"
            );
        }
    }
    let wanted = |row: &Row| only.iter().any(|prefix| is_of(row, prefix));
    Ok(rows.into_iter().filter(wanted).collect())
}

/// True for a row of a group, or with an id that starts so.
fn is_of(row: &Row, name: &str) -> bool {
    row.group == name || row.id.starts_with(name)
}

/// `a/b/c` as `a`, `a/b` and `a/b/c`.
fn prefixes(id: &str) -> impl Iterator<Item = &str> {
    id.match_indices('/').map(|(end, _)| &id[..end]).chain([id])
}

fn columns() -> [Column; 9] {
    [
        Column::text(""),
        Column::text("id").least(24),
        Column::text("what").least(16).rank(1),
        Column::text("expected").rank(4),
        Column::text("got").rank(3),
        Column::text("unit").rank(5),
        Column::number("error"),
        Column::number("tolerance").rank(2),
        Column::text("source").rank(6),
    ]
}

fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    for group in rows.chunk_by(|a, b| a.group == b.group) {
        let about = validate::GROUPS.iter().find(|known| known.name == group[0].group);
        text += &format!("{}: {}\n", group[0].group, about.map_or("", |known| known.about));
        let mut sources: Vec<&str> = group.iter().map(|row| row.source.as_str()).collect();
        sources.sort_unstable();
        sources.dedup();
        let number = |source: &str| sources.partition_point(|known| *known < source) + 1;
        let mut table = Table::new(columns());
        for row in group {
            table.add([
                mark(row).to_owned(),
                row.id.clone(),
                row.what.clone(),
                value(row.expected.as_ref()),
                value(row.got.as_ref()),
                row.unit.to_owned(),
                row.error.map_or(String::new(), |error| format!("{error:.1e}")),
                tolerance(row),
                format!("[{}]", number(&row.source)),
            ]);
        }
        text += &table.to_text(output::width());
        for source in &sources {
            text += &format!("  [{}] {source}\n", number(source));
        }
        for row in group {
            if let Some(why) = &row.skipped {
                text += &format!("  {} skipped: {why}\n", row.id);
            }
        }
        text += "\n";
    }
    text
}

fn mark(row: &Row) -> &'static str {
    match row.pass {
        Some(true) => "ok",
        Some(false) => "FAIL",
        None => "skip",
    }
}

fn tolerance(row: &Row) -> String {
    let measure = match row.measure {
        Measure::Relative => "rel",
        Measure::Absolute => "abs",
    };
    row.tolerance.map_or(String::new(), |tolerance| format!("{tolerance:.0e} {measure}"))
}

/// A number in short; of several, the largest entries and how many there are.
fn value(value: Option<&Value>) -> String {
    let short = |x: f64| {
        if x == 0.0 || (1e-3..1e5).contains(&x.abs()) {
            let text = format!("{x:.7}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            format!("{x:.4e}")
        }
    };
    match value {
        None => String::new(),
        Some(Value::Bounds(bounds)) => bounds.clone(),
        Some(Value::Number(number)) => short(*number),
        Some(Value::Numbers(numbers)) if numbers.len() <= 3 => {
            let entries: Vec<String> = numbers.iter().map(|x| short(*x)).collect();
            format!("({})", entries.join(", "))
        }
        Some(Value::Numbers(numbers)) => {
            let largest =
                numbers.iter().fold(0.0_f64, |m, x| if x.abs() > m.abs() { *x } else { m });
            format!("{} entries, largest {}", numbers.len(), short(largest))
        }
    }
}

fn summary(rows: &[Row]) -> String {
    let count = |pass: Option<bool>| rows.iter().filter(|row| row.pass == pass).count();
    format!("{} passed, {} failed, {} skipped", count(Some(true)), count(Some(false)), count(None))
}
