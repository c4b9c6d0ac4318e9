//! The pages of reference cases and of benchmarks, from what `carom validate --json` and `carom bench --json` print.
//!
//! Both hold figures of one machine and one day, so nothing compares them with what the program would say now; the checks ask
//! only that the pages have their tables.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::markdown::{escaped, head, number, row};

/// Digits of values and of errors.
const DIGITS: (usize, usize) = (7, 2);

/// Columns of the table of each group of reference cases.
const CASES: [&str; 8] = ["", "id", "what", "expected", "got", "unit", "off by", "source"];

/// Columns of the table of scenes.
const SCENES: [&str; 7] =
    ["scene", "bodies", "time s", "× real time", "collisions", "quantity compared", "our error"];

/// Sections of the notes on benchmarks that a reader of the manual wants.
const SECTIONS: [&str; 2] = ["Scenes, beside the peers", "Never-miss grid"];

/// What a page of tables has to have to be whole.
pub(crate) fn problem_of_shape(path: &str, text: &str) -> Option<String> {
    let rows = text.lines().filter(|line| line.starts_with("| ")).count();
    let is_whole = text.starts_with("<!-- Made by `") && text.contains("\n|---|") && rows > 10;
    (!is_whole).then(|| {
        format!("{path} has no tables\nhint: `cargo xtask book --help` says how to make it")
    })
}

/// The page of reference cases without its first line; `abouts` says what each group is about.
pub(crate) fn validation(rows: &Value, abouts: &[(String, String)]) -> Result<String> {
    let rows =
        rows.as_array().filter(|rows| !rows.is_empty()).context("no rows of reference cases")?;
    let count = |wanted: &Value| rows.iter().filter(|row| row.get("pass") == Some(wanted)).count();
    let (passed, failed) = (count(&true.into()), count(&false.into()));
    let mut text = format!(
        "# Validation\n\n`carom validate` runs {} reference cases and prints what is expected, from where, and what came \
         out. Expected values are literals from the cited sources or come from code that shares nothing with the simulator. \
         Of the run below {passed} passed, {failed} failed and {} were not run, because their measured data was not there. \
         `carom validate --only GROUP` runs one group, and `--fault NAME` lets a deliberate error in and shows which rows \
         turn red.\n\n",
        rows.len(),
        rows.len() - passed - failed
    );
    for group in rows.chunk_by(|a, b| a.get("group") == b.get("group")) {
        let name = field(&group[0], "group");
        let about =
            abouts.iter().find(|(known, _)| *known == name).map(|(_, about)| about.as_str());
        text += &format!("## {name}\n\n{}\n\n", escaped(about.unwrap_or_default()));
        text += &group_table(group);
    }
    Ok(text.trim_end().to_owned() + "\n")
}

fn group_table(rows: &[Value]) -> String {
    let mut sources: Vec<String> = Vec::new();
    let mut text = head(&CASES);
    for case in rows {
        let source = field(case, "source");
        let known = sources.iter().position(|one| *one == source).unwrap_or_else(|| {
            sources.push(source);
            sources.len() - 1
        });
        let mark = match case.get("pass").and_then(Value::as_bool) {
            Some(true) => "ok",
            Some(false) => "**fails**",
            None => "not run",
        };
        text += &row(&[
            mark.to_owned(),
            format!("`{}`", field(case, "id")),
            escaped(&field(case, "what")),
            value(case.get("expected")),
            value(case.get("got")),
            escaped(&field(case, "unit")),
            off_by(case),
            (known + 1).to_string(),
        ]);
    }
    text.push('\n');
    for (i, source) in sources.iter().enumerate() {
        text += &format!("{}. {}\n", i + 1, escaped(source));
    }
    text + "\n"
}

/// The error and its tolerance.
fn off_by(case: &Value) -> String {
    let of = |name: &str| case.get(name).and_then(Value::as_f64);
    let share = if field(case, "measure").eq_ignore_ascii_case("relative") { " of it" } else { "" };
    match (of("error"), of("tolerance")) {
        (Some(error), Some(most)) => {
            format!("{}, at most {}{share}", number(error, DIGITS.1), number(most, DIGITS.1))
        }
        (Some(error), None) => number(error, DIGITS.1),
        (None, Some(most)) => format!("at most {}{share}", number(most, DIGITS.1)),
        (None, None) => String::new(),
    }
}

/// A number, a few of them, or how many there are and the largest.
fn value(value: Option<&Value>) -> String {
    let short =
        |value: &Value| value.as_f64().map_or_else(|| value.to_string(), |x| number(x, DIGITS.0));
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::Array(values)) if values.len() <= 3 => {
            format!("({})", values.iter().map(short).collect::<Vec<_>>().join(", "))
        }
        Some(Value::Array(values)) => {
            let largest = values.iter().filter_map(Value::as_f64);
            let largest =
                largest.fold(0.0_f64, |most, x| if x.abs() > most.abs() { x } else { most });
            format!("{} numbers, largest {}", values.len(), number(largest, DIGITS.0))
        }
        Some(Value::String(bounds)) => bounds.clone(),
        Some(value) => short(value),
    }
}

fn field(object: &Value, name: &str) -> String {
    object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The page of benchmarks without its first line: the notes' tables, after those of a report if there is one.
pub(crate) fn benchmarks(notes: &str, report: Option<&Value>) -> Result<String> {
    let mut text = "# Benchmarks\n\nA timing decides nothing here: figures are of one machine, ratios of one run. \
                    Where another engine is cheaper at the same error, the table says that it wins.\n\n"
        .to_owned();
    if let Some(report) = report {
        text += &format!("## All scenes\n\n{}\n", scenes(report)?);
    }
    for section in SECTIONS {
        let title = format!("## {section}");
        let lines: Vec<&str> = notes
            .lines()
            .skip_while(|line| *line != title)
            .skip(1)
            .take_while(|line| !line.starts_with("## "))
            .collect();
        if lines.is_empty() {
            bail!("the notes on benchmarks have no section `{section}`");
        }
        text += &format!("{title}\n{}\n", fenced(&lines));
    }
    Ok(text.trim_end().to_owned() + "\n")
}

fn scenes(report: &Value) -> Result<String> {
    let scenes =
        report.get("scenes").and_then(Value::as_array).context("no scenes in the report")?;
    let mut text = head(&SCENES);
    for scene in scenes {
        let of = |path: &str| scene.pointer(path).and_then(Value::as_f64);
        let shown = |path: &str| of(path).map_or_else(String::new, |x| number(x, 3));
        let quantity = scene.pointer("/quantity/what").and_then(Value::as_str).unwrap_or_default();
        text += &row(&[
            format!("`{}`", field(scene, "scene")),
            shown("/bodies"),
            shown("/carom/cpu_s"),
            shown("/carom/speed"),
            shown("/carom/collisions"),
            escaped(quantity),
            shown("/error"),
        ]);
    }
    Ok(text)
}

/// Notes with indented commands as fenced ones, which need the engines compared with.
fn fenced(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut is_open = false;
    for line in lines {
        let command = line.strip_prefix("    ");
        if command.is_some() && !is_open {
            text += "```sh,peers\n";
        } else if command.is_none() && is_open {
            text += "```\n";
        }
        is_open = command.is_some();
        text += command.unwrap_or(line);
        text.push('\n');
    }
    if is_open { text + "```\n" } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cases_are_grouped_with_their_sources() {
        let rows = json!([
            {"id": "a/1", "group": "mass", "what": "a cube", "expected": 1.0, "got": 1.0, "unit": "kg",
             "error": 1e-16, "tolerance": 1e-12, "measure": "Relative", "source": "a book", "pass": true},
            {"id": "b/1", "group": "fall", "what": "a fall", "expected": [1.0, 2.0], "got": null, "unit": "m",
             "source": "data", "pass": null, "skipped": "data not present"},
        ]);
        let text =
            validation(&rows, &[("mass".to_owned(), "what things weigh".to_owned())]).unwrap();
        for part in [
            "1 passed, 0 failed and 1 were not run",
            "## mass\n\nwhat things weigh\n",
            "| ok | `a/1` | a cube | 1 | 1 | kg | 1e-16, at most 1e-12 of it | 1 |",
            "| not run | `b/1` | a fall | (1, 2) |  | m |  | 1 |\n\n1. data\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(validation(&json!([]), &[]).is_err());
    }

    #[test]
    fn notes_become_sections_with_fenced_commands() {
        let notes = "# B\n## Scenes, beside the peers\n\n    carom bench\n\n| a |\n|---|\n## Other\nx\n\
                     ## Never-miss grid\ny\n";
        let report = json!({"scenes": [{"scene": "coins", "bodies": 12, "carom": {"cpu_s": 2.2}, "error": 0.5,
            "peers": [{"engine": "Rapier", "wins": true, "reading": {"cost_ratio": 0.5, "at_equal_error": true}}]}]});
        let text = benchmarks(notes, Some(&report)).unwrap();
        assert!(text.contains("```sh,peers\ncarom bench\n```\n"), "{text}");
        assert!(text.contains("| `coins` | 12 | 2.2 |"), "{text}");
        assert!(!text.contains("## Other"), "{text}");
        assert!(benchmarks("# B\n", None).is_err());
    }
}
