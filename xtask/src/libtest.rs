//! Counting Rust tests one by one, from what `cargo test` prints.
//!
//! Cargo announces every test program by a line `Running …` or `Doc-tests …`; the program closes with
//! one line `test result: …` (documentation tests may close with two). A program without that line did
//! not reach its end.

use crate::tally::{Counts, Outcome};

/// Counts the tests in the joined output of `cargo test`, which ended well or not.
pub(crate) fn outcome(output: String, success: bool) -> Outcome {
    let programs = programs(&output);
    let mut counts = Counts::default();
    let mut notes: Vec<String> = ignored_tests(&output);
    for program in &programs {
        counts += program.counts;
        if !program.has_result {
            counts.failed += 1;
            notes.push(format!("no result, so it crashed: {}", program.title));
        }
    }
    // A build error, or a crash after the last test.
    if !success && counts.failed == 0 {
        counts.failed = 1;
    }
    Outcome { counts, output, notes }
}

/// One test program as seen in the output.
#[derive(Debug)]
struct Program<'a> {
    title: &'a str,
    counts: Counts,
    has_result: bool,
}

fn programs(output: &str) -> Vec<Program<'_>> {
    let mut programs = Vec::new();
    for line in output.lines() {
        if let Some(title) = program_title(line) {
            programs.push(Program { title, counts: Counts::default(), has_result: false });
        } else if let Some(counts) = result_counts(line)
            && let Some(program) = programs.last_mut()
        {
            program.counts += counts;
            program.has_result = true;
        }
    }
    programs
}

/// The title when the line announces a test program; cargo right-aligns its verb in twelve columns.
fn program_title(line: &str) -> Option<&str> {
    let is_title = (line.starts_with("     Running ") && line.ends_with(')'))
        || line.starts_with("   Doc-tests ");
    is_title.then(|| line.trim())
}

/// The counts in `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
fn result_counts(line: &str) -> Option<Counts> {
    let (_verdict, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut counts = Counts::default();
    for field in numbers.split(';') {
        let Some((number, word)) = field.trim().split_once(' ') else { continue };
        let Ok(number) = number.parse() else { continue };
        match word {
            "passed" => counts.passed = number,
            "failed" => counts.failed = number,
            "ignored" => counts.skipped = number,
            _ => {}
        }
    }
    Some(counts)
}

fn ignored_tests(output: &str) -> Vec<String> {
    output
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.split_once(" ... ignored"))
        .map(|(name, reason)| format!("ignored: {name}{reason}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_PROGRAMS: &str = "\
   Compiling carom-geometry v0.1.0
     Running unittests src/lib.rs (target/debug/deps/carom_geometry-0123)

running 3 tests
test aabb::a ... ok
test aabb::b ... ok
test aabb::c ... ignored, too slow today

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/law.rs (target/debug/deps/law-4567)

running 2 tests
test x ... ok
test y ... FAILED

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
";

    fn counts(passed: usize, failed: usize, skipped: usize) -> Counts {
        Counts { passed, failed, skipped, data_absent: 0 }
    }

    #[test]
    fn every_test_of_every_program_counts() {
        let outcome = outcome(TWO_PROGRAMS.to_owned(), false);
        assert_eq!(outcome.counts, counts(3, 1, 1));
        assert_eq!(outcome.notes, ["ignored: aabb::c, too slow today"]);
    }

    #[test]
    fn a_program_without_a_result_is_one_failure() {
        let crashed = "     Running tests/a.rs (target/a-1)\n\nrunning 4 tests\ntest a ... ok\n\
                       error: test failed, to rerun pass `--test a`\n\
                       \x20    Running tests/b.rs (target/b-1)\n\
                       test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured\n";
        let outcome = outcome(crashed.to_owned(), false);
        assert_eq!(outcome.counts, counts(5, 1, 0));
        assert!(outcome.notes[0].contains("tests/a.rs"), "{:?}", outcome.notes);
    }

    #[test]
    fn a_build_error_is_one_failure() {
        let output = "error[E0308]: mismatched types\nerror: could not compile `carom`\n";
        assert_eq!(outcome(output.to_owned(), false).counts, counts(0, 1, 0));
    }

    #[test]
    fn a_crash_after_the_last_test_is_one_failure() {
        let output = "     Running tests/b.rs (target/b-1)\n\
                      test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured\n";
        assert_eq!(outcome(output.to_owned(), false).counts, counts(5, 1, 0));
    }

    #[test]
    fn documentation_tests_may_report_twice() {
        let output = "   Doc-tests carom_geometry\n\
                      test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n\
                      test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n";
        assert_eq!(outcome(output.to_owned(), true).counts, counts(3, 0, 0));
    }

    #[test]
    fn talk_about_running_is_not_a_program() {
        assert_eq!(program_title("running 3 tests"), None);
        assert_eq!(program_title("     Running late"), None);
    }
}
