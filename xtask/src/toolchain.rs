//! Steps that are one run of cargo each.

use anyhow::{Result, bail};

use crate::libtest;
use crate::process::{self, Project};
use crate::tally::Outcome;

/// Manifest of the workspace that holds the benchmarks and the engines compared with.
const BENCH_MANIFEST: &str = "bench/Cargo.toml";

/// Variable that asks for the tests of the benchmarks, which take minutes to build.
const BENCH_TESTS: &str = "CAROM_BENCH_TESTS";

pub(crate) fn format(project: &Project) -> Result<Outcome> {
    require("rustfmt", "fmt", project)?;
    cargo(project, &["fmt", "--all", "--check"])
}

pub(crate) fn clippy(project: &Project) -> Result<Outcome> {
    require("clippy", "clippy", project)?;
    let args = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    cargo(project, &args)
}

/// Builds the tests and the `carom` command, so that the times of later steps are their own.
pub(crate) fn build(project: &Project) -> Result<Outcome> {
    let tests = ["test", "--workspace", "--tests", "--locked", "--no-run"];
    let tests = process::run(project.cargo(&tests))?;
    let command = process::run(project.cargo(&["build", "--locked"]))?;
    Ok(Outcome::of_one(tests.success && command.success, tests.text + &command.text))
}

pub(crate) fn tests(project: &Project) -> Result<Outcome> {
    cargo_test(project, "--tests")
}

pub(crate) fn doctests(project: &Project) -> Result<Outcome> {
    cargo_test(project, "--doc")
}

pub(crate) fn docs(project: &Project) -> Result<Outcome> {
    let mut command = project.cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    let ended = process::run(command)?;
    Ok(Outcome::of_one(ended.success, ended.text))
}

/// The benchmarks are formatted and compile, and scenes reach the engines compared with as they are; nothing is timed here.
pub(crate) fn bench(project: &Project) -> Result<Outcome> {
    if !project.root.join(BENCH_MANIFEST).is_file() {
        let notes = vec![format!("nothing to check: there is no {BENCH_MANIFEST}")];
        return Ok(Outcome { notes, ..Outcome::default() });
    }
    require("rustfmt", "fmt", project)?;
    require("clippy", "clippy", project)?;
    let layout =
        process::run(project.cargo(&["fmt", "--manifest-path", BENCH_MANIFEST, "--check"]))?;
    let mut command = project.cargo(&["clippy", "--manifest-path", BENCH_MANIFEST]);
    // The folder is shared so that what both workspaces depend on is built once.
    command.args(["--all-targets", "--locked", "--target-dir", "target", "--", "-D", "warnings"]);
    let lints = process::run(command)?;
    let mut outcome = Outcome::of_one(layout.success && lints.success, layout.text + &lints.text);
    if std::env::var_os(BENCH_TESTS).is_none() {
        let note = format!("the tests of bench/ build another engine; {BENCH_TESTS}=1 runs them");
        outcome.notes.push(note);
        return Ok(outcome);
    }
    let mut command = project.cargo(&["test", "--manifest-path", BENCH_MANIFEST, "--lib"]);
    command.args(["--locked", "--target-dir", "target"]);
    let ended = process::run(command)?;
    let tests = libtest::outcome(ended.text, ended.success);
    outcome.counts += tests.counts;
    outcome.output += &tests.output;
    outcome.notes.extend(tests.notes);
    Ok(outcome)
}

fn cargo(project: &Project, args: &[&str]) -> Result<Outcome> {
    let ended = process::run(project.cargo(args))?;
    Ok(Outcome::of_one(ended.success, ended.text))
}

fn cargo_test(project: &Project, which: &str) -> Result<Outcome> {
    let args = ["test", "--workspace", which, "--locked", "--no-fail-fast"];
    let ended = process::run(project.cargo(&args))?;
    Ok(libtest::outcome(ended.text, ended.success))
}

/// Makes sure that a component of the toolchain is there; installs it where rustup can.
fn require(component: &str, subcommand: &str, project: &Project) -> Result<()> {
    let answers = || {
        process::ask(project.cargo(&[subcommand, "--version"])).is_ok_and(|answer| answer.success)
    };
    if answers() {
        return Ok(());
    }
    let mut rustup = project.command("rustup");
    rustup.args(["component", "add", component]);
    let installation = process::run(rustup);
    if answers() {
        return Ok(());
    }
    let why = match installation {
        Ok(ended) => ended.text.trim_end().to_owned(),
        Err(error) => format!("{error:#}"),
    };
    bail!(
        "{component} is missing from the toolchain and could not be installed: {why}\n\
         hint: rustup component add {component}"
    )
}
