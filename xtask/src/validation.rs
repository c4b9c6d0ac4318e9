//! Counting the rows of `carom validate --json`.
//!
//! The program prints an array of objects. `pass` is true, false, or null for a row that did not run;
//! then `skipped` says why.

use anyhow::{Result, bail};
use serde_json::Value;

use crate::process::Answer;
use crate::tally::{Counts, Outcome};

/// How the reason begins when measured data is not on this machine.
const DATA_ABSENT: &str = "data not present";

/// Counts what the program printed.
pub(crate) fn outcome(answer: &Answer) -> Result<Outcome> {
    let rows: Vec<Value> = match serde_json::from_str(&answer.stdout) {
        Ok(rows) => rows,
        Err(error) => bail!(
            "`{}` printed no JSON array: {error}\n{}{}",
            answer.command,
            answer.stdout,
            answer.stderr
        ),
    };
    if rows.is_empty() {
        bail!("`{}` printed an empty table", answer.command);
    }
    let mut outcome = Outcome::default();
    let mut failing = Vec::new();
    for row in &rows {
        match verdict(row) {
            Verdict::Passed => outcome.counts.passed += 1,
            Verdict::DataAbsent => outcome.counts.data_absent += 1,
            Verdict::Failed => failing.push(format!("failed: {row}")),
            Verdict::Skipped(why) => {
                outcome.counts.skipped += 1;
                outcome.notes.push(format!("skipped: {}: {why}", id(row)));
            }
        }
    }
    outcome.counts.failed = failing.len();
    if !answer.success && failing.is_empty() {
        outcome.counts += Counts::FAILED;
        failing.push("no row failed, and yet the program did not end well".to_owned());
    }
    outcome.output = format!("$ {}\n{}{}", answer.command, answer.stderr, failing.join("\n"));
    Ok(outcome)
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict<'a> {
    Passed,
    Failed,
    DataAbsent,
    /// With the reason.
    Skipped(&'a str),
}

/// A row that says neither yes, no nor null counts as failed.
fn verdict(row: &Value) -> Verdict<'_> {
    match row.get("pass") {
        Some(Value::Bool(true)) => Verdict::Passed,
        Some(Value::Null) => match row.get("skipped").and_then(Value::as_str) {
            Some(why) if why.starts_with(DATA_ABSENT) => Verdict::DataAbsent,
            why => Verdict::Skipped(why.unwrap_or("no reason given")),
        },
        _ => Verdict::Failed,
    }
}

fn id(row: &Value) -> &str {
    row.get("id").and_then(Value::as_str).unwrap_or("a row without id")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(stdout: &str, success: bool) -> Answer {
        let (stderr, command) = (String::new(), "carom validate --json".to_owned());
        Answer { success, stdout: stdout.to_owned(), stderr, command }
    }

    #[test]
    fn rows_count_one_by_one() {
        let rows = r#"[
            {"id": "cube", "pass": true, "error": 1e-16},
            {"id": "ball", "pass": true},
            {"id": "cone", "pass": false, "got": 3.5},
            {"id": "coin", "pass": null, "skipped": "data not present: data/coin.csv"},
            {"id": "slow", "pass": null, "skipped": "needs a feature"}
        ]"#;
        let outcome = outcome(&answer(rows, false)).unwrap();
        let expected = Counts { passed: 2, failed: 1, skipped: 1, data_absent: 1 };
        assert_eq!(outcome.counts, expected);
        assert_eq!(outcome.notes, ["skipped: slow: needs a feature"]);
        assert!(outcome.output.contains("\"cone\""), "{}", outcome.output);
    }

    #[test]
    fn a_row_without_verdict_fails_and_one_without_reason_is_skipped() {
        assert_eq!(verdict(&serde_json::json!({"id": "a"})), Verdict::Failed);
        assert_eq!(verdict(&serde_json::json!({"pass": "yes"})), Verdict::Failed);
        let without_reason = serde_json::json!({"pass": null});
        assert_eq!(verdict(&without_reason), Verdict::Skipped("no reason given"));
    }

    #[test]
    fn a_bad_ending_without_failed_rows_is_a_failure() {
        let outcome = outcome(&answer(r#"[{"id": "a", "pass": true}]"#, false)).unwrap();
        assert_eq!(outcome.counts, Counts { passed: 1, failed: 1, ..Counts::default() });
    }

    #[test]
    fn no_rows_and_no_json_are_errors() {
        assert!(outcome(&answer("[]", true)).is_err());
        assert!(outcome(&answer("all fine", true)).is_err());
    }
}
