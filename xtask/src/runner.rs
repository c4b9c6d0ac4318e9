//! Running steps one after the other, with a line as each starts and ends.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;

use crate::process::Project;
use crate::steps::Step;
use crate::tally::{self, Counts, Finished, Outcome, Skips};

/// Whether the output of passing steps is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    OfFailures,
    OfAll,
}

/// Runs all given steps, whatever fails, and writes the summary. True when nothing was bad.
pub(crate) fn run_all(
    steps: &[&Step],
    project: &Project,
    shown: Output,
    skips: Skips,
    out: &mut impl Write,
) -> Result<bool> {
    let mut finished: Vec<Finished> = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let label = format!("[{:2}/{}] {}", i + 1, steps.len(), step.name);
        writeln!(out, "{label}: {}", step.about)?;
        out.flush()?;
        let start = Instant::now();
        let outcome = run_one(step, project, &finished);
        let seconds = start.elapsed().as_secs_f64();
        let is_bad = outcome.counts.is_bad(skips);
        if outcome.counts.failed > 0 || shown == Output::OfAll {
            write_block(out, &outcome.output)?;
        }
        for note in &outcome.notes {
            writeln!(out, "    {note}")?;
        }
        let verdict = if is_bad { "FAILED" } else { "ok" };
        let parts = describe(outcome.counts);
        writeln!(out, "{label}: {verdict} in {seconds:.1} s{parts}")?;
        finished.push(Finished { name: step.name, seconds, counts: outcome.counts });
    }
    tally::write_summary(out, &finished, skips)?;
    out.flush()?;
    Ok(!tally::total(&finished).is_bad(skips))
}

/// The outcome of one step; an error, or a needed step that failed, is one failure.
fn run_one(step: &Step, project: &Project, finished: &[Finished]) -> Outcome {
    if let Some(needed) = step.needs
        && finished.iter().any(|earlier| earlier.name == needed && earlier.counts.failed > 0)
    {
        return Outcome::of_one(false, format!("not run, because `{needed}` failed"));
    }
    (step.run)(project).unwrap_or_else(|error| Outcome::of_one(false, format!("{error:#}")))
}

/// The output of a step, ended by a newline.
fn write_block(out: &mut impl Write, text: &str) -> Result<()> {
    if !text.trim().is_empty() {
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// The counts of a step that is more than one check passing or failing.
fn describe(counts: Counts) -> String {
    if counts == Counts::PASSED || counts == Counts::FAILED {
        return String::new();
    }
    let parts: Vec<String> = [
        (counts.passed, "passed"),
        (counts.failed, "failed"),
        (counts.skipped, "skipped"),
        (counts.data_absent, "without data"),
    ]
    .iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, word)| format!("{n} {word}"))
    .collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use anyhow::bail;

    use super::*;

    fn step(name: &'static str, run: Run) -> Step {
        Step { name, about: "it holds", needs: None, run }
    }

    type Run = fn(&Project) -> Result<Outcome>;

    const PASSING: Run = |_| Ok(Outcome::of_one(true, "quiet talk".to_owned()));
    const FAILING: Run = |_| bail!("loud reason");
    const SKIPPING: Run = |_| {
        let counts = Counts { passed: 2, skipped: 1, ..Counts::default() };
        Ok(Outcome { counts, ..Outcome::default() })
    };

    fn run(steps: &[Step], shown: Output, skips: Skips) -> (bool, String) {
        let project = Project { root: PathBuf::new() };
        let steps: Vec<&Step> = steps.iter().collect();
        let mut out = Vec::new();
        let good = run_all(&steps, &project, shown, skips, &mut out).unwrap();
        (good, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_failure_is_shown_and_does_not_stop_the_rest() {
        let steps = [step("one", FAILING), step("two", PASSING)];
        let (good, text) = run(&steps, Output::OfFailures, Skips::Allowed);
        assert!(!good);
        assert!(text.contains("loud reason\n[ 1/2] one: FAILED in "), "{text}");
        assert!(text.contains("[ 2/2] two: ok in "), "{text}");
        assert!(!text.contains("quiet talk"), "{text}");
        assert!(text.ends_with("\n1 passed, 1 failed, 0 skipped\n"), "{text}");
    }

    #[test]
    fn passing_output_is_shown_on_request() {
        let (good, text) = run(&[step("one", PASSING)], Output::OfAll, Skips::Allowed);
        assert!(good);
        assert!(text.contains("quiet talk\n"), "{text}");
    }

    #[test]
    fn a_step_whose_need_failed_is_one_failure_and_not_run() {
        let steps = [step("build", FAILING), step("tests", PASSING).after("build")];
        let (_, text) = run(&steps, Output::OfFailures, Skips::Allowed);
        assert!(text.contains("not run, because `build` failed"), "{text}");
        assert!(text.ends_with("\n0 passed, 2 failed, 0 skipped\n"), "{text}");
    }

    #[test]
    fn skips_are_bad_in_continuous_integration_only() {
        let steps = [step("tests", SKIPPING)];
        let (good, text) = run(&steps, Output::OfFailures, Skips::Allowed);
        assert!(good && text.contains("ok in") && text.contains("(2 passed, 1 skipped)"), "{text}");
        let (good, text) = run(&steps, Output::OfFailures, Skips::Fail);
        assert!(!good && text.contains("which is a failure because CI=true"), "{text}");
        assert!(text.ends_with("\n2 passed, 0 failed, 1 skipped\n"), "{text}");
    }
}
