//! The manual: `cargo xtask book` writes the pages that the program itself can write, and the step `book` checks all of it.
//!
//! Pages of keys, commands and scenes are compared with what the program would write now, so they cannot go stale. Nothing here
//! needs mdBook; where it is installed, the step builds the manual with it.

mod blocks;
mod gallery;
mod keys;
mod links;
mod markdown;
mod page;
mod plan;
mod schema;
mod shots;
mod tables;

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process::{self, Project};
use crate::tally::{Counts, Outcome};
use page::Page;

/// The folder of the pages.
pub(crate) const SOURCE: &str = "book/src";

/// The table of contents.
pub(crate) const SUMMARY: &str = "SUMMARY.md";

/// The scene whose parts are the examples on the page of keys.
const EXAMPLES: &str = "book/examples/keys.toml";

/// The file that makes tests of the Rust programs on pages.
const PROGRAMS: &str = "crates/carom-study/src/book.rs";

/// Notes with the tables of the benchmarks.
const NOTES: &str = "bench/README.md";

const KEYS: &str = "reference/scene-keys.md";
const COMMANDS: &str = "reference/commands.md";
const GALLERY: &str = "gallery.md";
const VALIDATION: &str = "reference/validation.md";
const BENCHMARKS: &str = "reference/benchmarks.md";

/// What `cargo xtask book` is to write beside the pages of keys and commands.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Wishes {
    /// Run all scenes and write the gallery.
    pub(crate) gallery: bool,
    /// Take pictures: of the named scenes, or of all if none is named.
    pub(crate) pictures: Option<Vec<String>>,
    /// What `carom validate --json` printed.
    pub(crate) validation: Option<PathBuf>,
    /// Write the page of benchmarks.
    pub(crate) benchmarks: bool,
    /// What `carom bench --json` printed.
    pub(crate) bench: Option<PathBuf>,
}

/// Writes pages, and says which.
pub(crate) fn write(project: &Project, wishes: &Wishes, out: &mut impl Write) -> Result<()> {
    let carom = Carom::build(project)?;
    let mut pages = vec![(KEYS, carom.keys()?), (COMMANDS, carom.commands()?)];
    if wishes.gallery {
        let run = |scene: &str| carom.json(&["run", scene, "--json"]);
        pages.push((GALLERY, carom.gallery(run)?));
    }
    if let Some(path) = &wishes.validation {
        let first = markdown::made_by("cargo xtask book --validation FILE");
        pages.push((VALIDATION, first + &tables::validation(&read_json(path)?, &carom.groups()?)?));
    }
    if wishes.benchmarks || wishes.bench.is_some() {
        let report = wishes.bench.as_deref().map(read_json).transpose()?;
        let notes = fs::read_to_string(project.root.join(NOTES))?;
        let first = markdown::made_by("cargo xtask book --benchmarks");
        pages.push((BENCHMARKS, first + &tables::benchmarks(&notes, report.as_ref())?));
    }
    for (page, text) in pages {
        let path = project.root.join(SOURCE).join(page);
        fs::create_dir_all(path.parent().context("a page lies in no folder")?)?;
        fs::write(&path, text).with_context(|| format!("cannot write {page}"))?;
        writeln!(out, "{SOURCE}/{page}")?;
    }
    if let Some(only) = &wishes.pictures {
        for line in shots::take(project, &carom.program, only)? {
            writeln!(out, "{SOURCE}/{line}")?;
        }
    }
    Ok(())
}

/// The step.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let carom = Carom::build(project)?;
    let pages = Page::all_in(&project.root.join(SOURCE))?;
    let mut outcome = Outcome::default();
    let (followed, problems) = links::check(project, &pages)?;
    add(&mut outcome, followed.saturating_sub(problems.len()), problems);
    let made = made_problems(&carom)?;
    add(&mut outcome, 5 - made.len().min(5), made);
    let (included, problems) = program_problems(project, &pages)?;
    add(&mut outcome, included, problems);
    let [parts, folder] = ["parts", "target/book-pages"].map(|it| project.root.join(it));
    let ran = blocks::run(&pages, &carom.program, &parts, &folder)?;
    for (time, place) in ran.slowest.iter().take(5) {
        outcome.output += &format!("{:.1} s: {SOURCE}/{place}\n", time.as_secs_f64());
    }
    let problems = ran.problems.iter().map(|problem| format!("{SOURCE}/{problem}")).collect();
    add(&mut outcome, ran.passed, problems);
    match build(project)? {
        None => outcome.notes.push("not built, because there is no mdbook".to_owned()),
        Some((success, text)) => {
            outcome.counts += if success { Counts::PASSED } else { Counts::FAILED };
            outcome.output += &text;
        }
    }
    Ok(outcome)
}

fn add(outcome: &mut Outcome, passed: usize, problems: Vec<String>) {
    outcome.counts.passed += passed;
    outcome.counts.failed += problems.len();
    for problem in problems {
        outcome.output += &format!("{}\n", problem.trim_end());
    }
}

/// Pages that are not what the program would write now.
fn made_problems(carom: &Carom<'_>) -> Result<Vec<String>> {
    let text_of = |page: &str| {
        fs::read_to_string(carom.project.root.join(SOURCE).join(page)).unwrap_or_default()
    };
    let mut problems = Vec::new();
    let mut compare = |page: &str, found: &str, made: &str, option: &str| {
        if let Some(line) = first_difference(found, made) {
            problems.push(format!(
                "{SOURCE}/{page}:{line}: not what the program would write now\nhint: `cargo xtask book{option}` writes it"
            ));
        }
    };
    compare(KEYS, &text_of(KEYS), &carom.keys()?, "");
    compare(COMMANDS, &text_of(COMMANDS), &carom.commands()?, "");
    let found = gallery::without_results(&text_of(GALLERY));
    let made = gallery::without_results(&carom.gallery(|_| Ok(Value::Null))?);
    compare(GALLERY, &found, &made, " --gallery");
    for page in [VALIDATION, BENCHMARKS] {
        problems.extend(tables::problem_of_shape(&format!("{SOURCE}/{page}"), &text_of(page)));
    }
    Ok(problems)
}

/// The first line in which two texts differ, counted from 1.
fn first_difference(a: &str, b: &str) -> Option<usize> {
    if a == b {
        return None;
    }
    Some(a.lines().zip(b.lines()).take_while(|(a, b)| a == b).count() + 1)
}

/// Pages whose Rust programs no test runs; and how many pages have theirs run.
fn program_problems(project: &Project, pages: &[Page]) -> Result<(usize, Vec<String>)> {
    let tests = fs::read_to_string(project.root.join(PROGRAMS))
        .with_context(|| format!("cannot read {PROGRAMS}"))?;
    let mut included = 0;
    let mut problems = Vec::new();
    for page in pages {
        if !page
            .blocks()
            .iter()
            .any(|block| block.language == "rust" && !block.marks.contains(&"peers"))
        {
            continue;
        }
        if tests.contains(&format!("{SOURCE}/{}\"", page.path)) {
            included += 1;
        } else {
            problems.push(format!(
                "{SOURCE}/{}: its Rust programs are not tested\nhint: include the page in {PROGRAMS}",
                page.path
            ));
        }
    }
    Ok((included, problems))
}

/// Builds the manual where there is mdBook: whether it went well, and what was said.
fn build(project: &Project) -> Result<Option<(bool, String)>> {
    let mut version = project.command("mdbook");
    version.arg("--version");
    if process::ask(version).is_err() {
        return Ok(None);
    }
    let mut command = project.command("mdbook");
    command.args(["build", "book"]);
    let ended = process::run(command)?;
    Ok(Some((ended.success, ended.text)))
}

fn read_json(path: &Path) -> Result<Value> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
}

/// The built program.
struct Carom<'a> {
    project: &'a Project,
    program: PathBuf,
}

impl<'a> Carom<'a> {
    /// Builds it; it lies beside this program.
    fn build(project: &'a Project) -> Result<Self> {
        let ended = process::run(project.cargo(&["build", "--quiet", "--locked"]))?;
        if !ended.success {
            bail!("{}", ended.text);
        }
        let folder = env::current_exe()?.parent().map(Path::to_path_buf).unwrap_or_default();
        let program = folder.join(format!("carom{}", env::consts::EXE_SUFFIX));
        if !program.is_file() {
            bail!("no carom beside {}\nhint: start with `cargo xtask`", folder.display());
        }
        Ok(Self { project, program })
    }

    fn text(&self, args: &[&str]) -> Result<String> {
        let mut command = self.project.command(&self.program);
        command.args(args);
        process::ask_for_text(command)
    }

    fn json(&self, args: &[&str]) -> Result<Value> {
        serde_json::from_str(&self.text(args)?)
            .with_context(|| format!("`carom {}` printed no JSON", args.join(" ")))
    }

    fn keys(&self) -> Result<String> {
        let examples = fs::read_to_string(self.project.root.join(EXAMPLES))
            .with_context(|| format!("cannot read {EXAMPLES}"))?;
        self.text(&["check", EXAMPLES, "--allow-path", "parts"])
            .context("the examples of the page of keys are wrong")?;
        let page = keys::page(&self.json(&["schema"])?, &examples)?;
        Ok(markdown::made_by("cargo xtask book") + &page)
    }

    fn commands(&self) -> Result<String> {
        let text = self.text(&["man", "--markdown"])?;
        Ok(markdown::made_by("cargo xtask book") + "# Commands\n\n" + text.trim_end() + "\n")
    }

    fn gallery(&self, run: impl FnMut(&str) -> Result<Value>) -> Result<String> {
        let scenes: Vec<gallery::Listed> =
            serde_json::from_value(self.json(&["scenes", "--json"])?)?;
        Ok(markdown::made_by("cargo xtask book --gallery") + &gallery::page(&scenes, run)?)
    }

    /// Groups of reference cases and what they are about, as the help of `carom validate` lists them.
    fn groups(&self) -> Result<Vec<(String, String)>> {
        let text = self.text(&["man", "--markdown"])?;
        let lines = text.lines().skip_while(|line| *line != "Groups:").skip(1);
        let lines = lines.take_while(|line| line.starts_with("  "));
        let pair = |line: &str| {
            line.trim().split_once("  ").map(|(a, b)| (a.to_owned(), b.trim().to_owned()))
        };
        Ok(lines.filter_map(pair).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_a_line() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some(2));
    }
}
