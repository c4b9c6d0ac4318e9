//! Files short enough to be one idea.

use std::fs;

use anyhow::{Context, Result};

use crate::process::Project;
use crate::tally::Outcome;
use crate::tracked::Files;

/// A file of more lines gets a remark.
const LONG: usize = 500;

/// A file of more lines fails unless its header gives the reason.
const TOO_LONG: usize = 800;

/// How the reason begins in a file's header.
const REASON: &str = "//! Long because ";

/// The step.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let mut problems = Vec::new();
    let mut notes = Vec::new();
    for path in Files::list(project)?.iter().filter(|path| is_rust(path)) {
        let text = fs::read_to_string(project.root.join(path))
            .with_context(|| format!("cannot read the tracked file {path}"))?;
        match verdict(&text) {
            Verdict::Fine => {}
            Verdict::Long(n) => notes.push(format!("{path} is long: {n} lines")),
            Verdict::TooLong(n) => problems.push(format!(
                "{path} has {n} lines; the limit is {TOO_LONG}\n\
                 hint: split it by ideas, or start a line of its header with `{}`",
                REASON.trim_end()
            )),
        }
    }
    let mut outcome = Outcome::of_problems(&problems);
    outcome.notes = notes;
    Ok(outcome)
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Fine,
    Long(usize),
    TooLong(usize),
}

fn verdict(text: &str) -> Verdict {
    let n_lines = text.lines().count();
    let mut header = text.lines().take_while(|line| line.starts_with("//!"));
    match n_lines {
        0..=LONG => Verdict::Fine,
        _ if n_lines <= TOO_LONG => Verdict::Long(n_lines),
        _ if header.any(|line| line.starts_with(REASON)) => Verdict::Long(n_lines),
        _ => Verdict::TooLong(n_lines),
    }
}

fn is_rust(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending == "rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_remarked_and_too_long_ones_fail() {
        let lines = |n: usize| "x\n".repeat(n);
        assert_eq!(verdict(&lines(LONG)), Verdict::Fine);
        assert_eq!(verdict(&lines(LONG + 1)), Verdict::Long(LONG + 1));
        assert_eq!(verdict(&lines(TOO_LONG)), Verdict::Long(TOO_LONG));
        assert_eq!(verdict(&lines(TOO_LONG + 1)), Verdict::TooLong(TOO_LONG + 1));
    }

    #[test]
    fn a_reason_counts_in_the_header_only() {
        let body = "x\n".repeat(TOO_LONG);
        let reason = format!("{REASON}it is one table.\n");
        let in_header = format!("//! A table.\n{reason}{body}");
        assert_eq!(verdict(&in_header), Verdict::Long(TOO_LONG + 2));
        let in_body = format!("//! A table.\n{body}{reason}");
        assert_eq!(verdict(&in_body), Verdict::TooLong(TOO_LONG + 2));
    }
}
