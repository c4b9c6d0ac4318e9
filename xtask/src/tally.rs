//! Counting: what a step found, and the lines that close a run.

use std::io::{self, Write};
use std::ops::AddAssign;

/// How many checks went which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
    /// Validation rows whose measured data is not on this machine; never a failure.
    pub(crate) data_absent: usize,
}

impl Counts {
    pub(crate) const PASSED: Self = Self { passed: 1, failed: 0, skipped: 0, data_absent: 0 };
    pub(crate) const FAILED: Self = Self { passed: 0, failed: 1, skipped: 0, data_absent: 0 };

    /// True when these counts may not turn the whole run green.
    pub(crate) fn is_bad(&self, skips: Skips) -> bool {
        self.failed > 0 || (skips == Skips::Fail && self.skipped > 0)
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.data_absent += other.data_absent;
    }
}

/// What a skipped check means for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skips {
    /// At a desk: reported only.
    Allowed,
    /// In continuous integration: as bad as a failure.
    Fail,
}

impl Skips {
    /// `Fail` when the variable `CI` has the value `true`.
    pub(crate) fn from_ci_variable(value: Option<&str>) -> Self {
        if value == Some("true") { Self::Fail } else { Self::Allowed }
    }
}

/// What a step hands back.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) counts: Counts,
    /// Shown when the step fails, or on request.
    pub(crate) output: String,
    /// Shown in any case: warnings, names of skipped checks.
    pub(crate) notes: Vec<String>,
}

impl Outcome {
    /// One check that passes or fails as a whole.
    pub(crate) fn of_one(success: bool, output: String) -> Self {
        let counts = if success { Counts::PASSED } else { Counts::FAILED };
        Self { counts, output, notes: Vec::new() }
    }

    /// One check that passes when there is nothing to complain about.
    pub(crate) fn of_problems(problems: &[String]) -> Self {
        Self::of_one(problems.is_empty(), problems.join("\n"))
    }
}

/// A finished step, for the summary.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) name: &'static str,
    pub(crate) seconds: f64,
    pub(crate) counts: Counts,
}

/// How many steps the list of slow ones shows.
const N_SLOWEST: usize = 10;

/// Writes the summary, whose last line is exactly `N passed, N failed, N skipped`.
pub(crate) fn write_summary(
    out: &mut impl Write,
    finished: &[Finished],
    skips: Skips,
) -> io::Result<()> {
    let bad: Vec<&str> =
        finished.iter().filter(|step| step.counts.is_bad(skips)).map(|step| step.name).collect();
    if let Some(first) = bad.first() {
        writeln!(out, "\nFailed steps: {}", bad.join(", "))?;
        if finished.len() > 1 {
            writeln!(out, "hint: run one alone with `cargo xtask test --only {first}`")?;
        }
    }
    writeln!(out, "\nSlowest steps:")?;
    let mut by_time: Vec<&Finished> = finished.iter().collect();
    by_time.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    for step in by_time.iter().take(N_SLOWEST) {
        writeln!(out, "  {:8.1} s  {}", step.seconds, step.name)?;
    }
    let total = total(finished);
    if skips == Skips::Fail && total.skipped > 0 {
        writeln!(out, "\n{} skipped, which is a failure because CI=true", total.skipped)?;
    }
    writeln!(out, "\n{} rows: data not present", total.data_absent)?;
    writeln!(out, "{} passed, {} failed, {} skipped", total.passed, total.failed, total.skipped)
}

/// The sum over all steps.
pub(crate) fn total(finished: &[Finished]) -> Counts {
    let mut total = Counts::default();
    for step in finished {
        total += step.counts;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: usize, failed: usize, skipped: usize, data_absent: usize) -> Counts {
        Counts { passed, failed, skipped, data_absent }
    }

    fn summary_of(finished: &[Finished], skips: Skips) -> String {
        let mut out = Vec::new();
        write_summary(&mut out, finished, skips).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn last_line_is_the_sum_over_all_steps() {
        let finished = [
            Finished { name: "format", seconds: 0.5, counts: Counts::PASSED },
            Finished { name: "tests", seconds: 9.0, counts: counts(40, 2, 1, 0) },
            Finished { name: "validate", seconds: 2.0, counts: counts(5, 0, 0, 7) },
        ];
        let text = summary_of(&finished, Skips::Allowed);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.last(), Some(&"46 passed, 2 failed, 1 skipped"));
        assert_eq!(lines[lines.len() - 2], "7 rows: data not present");
        assert!(text.contains("Failed steps: tests\n"), "{text}");
    }

    #[test]
    fn only_the_ten_slowest_are_listed_slowest_first() {
        let finished: Vec<Finished> = (0..12)
            .map(|i| Finished { name: "step", seconds: f64::from(i), counts: Counts::PASSED })
            .collect();
        let text = summary_of(&finished, Skips::Allowed);
        let listed: Vec<&str> = text.lines().filter(|line| line.ends_with("  step")).collect();
        assert_eq!(listed.len(), N_SLOWEST);
        assert!(listed[0].contains("11.0 s"), "{}", listed[0]);
        assert!(listed[9].contains(" 2.0 s"), "{}", listed[9]);
    }

    #[test]
    fn skips_fail_only_in_continuous_integration_and_absent_data_never() {
        assert_eq!(Skips::from_ci_variable(Some("true")), Skips::Fail);
        assert_eq!(Skips::from_ci_variable(Some("false")), Skips::Allowed);
        assert_eq!(Skips::from_ci_variable(None), Skips::Allowed);
        assert!(counts(3, 0, 1, 0).is_bad(Skips::Fail));
        assert!(!counts(3, 0, 1, 0).is_bad(Skips::Allowed));
        assert!(!counts(3, 0, 0, 5).is_bad(Skips::Fail));
        assert!(counts(3, 1, 0, 0).is_bad(Skips::Allowed));
    }
}
