//! The page of the viewer in a real browser: Playwright's tests in `viewer/tests`, with the system's Chromium.
//!
//! Playwright is an npm package of the page; its own browsers are not downloaded. Where Chromium is missing and Debian's
//! packages can be installed, it is; otherwise the step is skipped and says so, which is a failure in continuous integration.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::{self, Project};
use crate::tally::{Counts, Outcome};

/// Where Chromium lies, if it is there.
const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Says where another one is.
const VARIABLE: &str = "CAROM_CHROMIUM";

/// What Playwright leaves behind, from the root of the project.
const REPORT: &str = "target/viewer/report.json";

/// The step.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let folder = project.root.join("viewer");
    if !folder.join("node_modules/.bin/playwright").exists() {
        return Ok(skipped("the page was not built: there is no Playwright"));
    }
    let Some(browser) = browser(project) else {
        let hint = format!("no Chromium, and apt-get cannot install it; {VARIABLE} may name one");
        return Ok(skipped(&hint));
    };
    let report = project.root.join(REPORT);
    // What an earlier run left there is not what this one found.
    drop(fs::remove_file(&report));
    let mut playwright = project.command(folder.join("node_modules/.bin/playwright"));
    playwright.arg("test").current_dir(&folder).env(VARIABLE, browser);
    playwright.env("CAROM", program(project));
    let ended = process::run(playwright)?;
    let mut outcome = Outcome { output: ended.text, ..Outcome::default() };
    outcome.counts = match fs::read_to_string(&report) {
        Ok(text) => counts(&text)?,
        Err(_) => Counts::FAILED,
    };
    if !ended.success && outcome.counts.failed == 0 {
        outcome.counts += Counts::FAILED;
    }
    Ok(outcome)
}

fn skipped(why: &str) -> Outcome {
    let counts = Counts { skipped: 1, ..Counts::default() };
    Outcome { counts, notes: vec![format!("nothing to look with: {why}")], ..Outcome::default() }
}

/// The command as the tests were built.
fn program(project: &Project) -> PathBuf {
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| project.root.join("target"), PathBuf::from);
    target.join("debug").join(format!("carom{}", env::consts::EXE_SUFFIX))
}

/// A Chromium, installed if need be.
fn browser(project: &Project) -> Option<PathBuf> {
    if let Some(path) = env::var_os(VARIABLE).map(PathBuf::from) {
        return path.is_file().then_some(path);
    }
    let there = || BROWSERS.iter().map(Path::new).find(|path| path.is_file());
    if there().is_none() {
        for arguments in [&["update"][..], &["install", "-y", "chromium"]] {
            let mut apt = project.command("apt-get");
            apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
            process::ask(apt).ok().filter(|answer| answer.success)?;
        }
    }
    there().map(Path::to_owned)
}

/// What Playwright counted.
fn counts(report: &str) -> Result<Counts> {
    let report: Value = serde_json::from_str(report).context("Playwright's report is no JSON")?;
    let of = |name: &str| report["stats"][name].as_u64().unwrap_or(0) as usize;
    Ok(Counts {
        passed: of("expected") + of("flaky"),
        failed: of("unexpected"),
        skipped: of("skipped"),
        data_absent: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_playwright_counted_is_counted() {
        let report =
            r#"{ "stats": { "expected": 21, "skipped": 1, "unexpected": 2, "flaky": 0 } }"#;
        let counts = counts(report).expect("it is a report");
        assert_eq!((counts.passed, counts.failed, counts.skipped), (21, 2, 1));
    }
}
