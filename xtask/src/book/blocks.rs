//! Running what the pages show: scenes are checked, commands are run, each page in a folder of its own.
//!
//! Commands are given to `sh`, as a reader gives them, with the built `carom` first in the path. Two pages are worked at a
//! time. A command is ended after [`LIMIT`], and by the system after as much processor time, whatever it has started.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::page::Page;
use super::plan::{self, Action, What};

/// The longest that a command of a page may take; most take less than a second.
const LIMIT: Duration = Duration::from_mins(2);

/// The folder of sample parts, as pages name it.
const PARTS: &str = "parts/";

/// Pages that are worked at a time.
const THREADS: usize = 2;

/// How often a command is asked whether it has ended.
const PATIENCE: Duration = Duration::from_millis(10);

/// Lines of a command's talk that are shown when it fails.
const SHOWN_LINES: usize = 25;

/// What came of the blocks of all pages.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    /// Scenes and commands that did what they should.
    pub(crate) passed: usize,
    pub(crate) problems: Vec<String>,
    /// The slowest commands with their time, for whoever wants the pages to be quick.
    pub(crate) slowest: Vec<(Duration, String)>,
}

/// Runs everything that the pages ask for; `carom` is the program, `parts` what pages in the folder of the project have
/// beside them, `folder` where pages get their folders.
pub(crate) fn run(pages: &[Page], carom: &Path, parts: &Path, folder: &Path) -> Result<Ran> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut ran: Vec<(usize, Result<Ran>)> = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(page) = pages.get(i) else { return ran };
            ran.push((i, run_page(page, carom, parts, &folder.join(page.path.replace('/', "_")))));
        }
    };
    let mut ran: Vec<(usize, Result<Ran>)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect()
    });
    if ran.len() != pages.len() {
        bail!("a thread that ran pages broke down");
    }
    ran.sort_by_key(|(i, _)| *i);
    let mut all = Ran::default();
    for (_, one) in ran {
        let one = one?;
        all.passed += one.passed;
        all.problems.extend(one.problems);
        all.slowest.extend(one.slowest);
    }
    all.slowest.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    Ok(all)
}

fn run_page(page: &Page, carom: &Path, parts: &Path, folder: &Path) -> Result<Ran> {
    let (actions, problems) = plan::of(page);
    let mut ran = Ran { problems, ..Ran::default() };
    if actions.is_empty() {
        return Ok(ran);
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let needs_parts = |action: &Action| match &action.what {
        What::Scene { text, .. } => text.contains(PARTS),
        What::Command { line, .. } => line.contains(PARTS),
        What::Printed { .. } => false,
    };
    if actions.iter().any(needs_parts) {
        copy_files(parts, &folder.join(PARTS))?;
    }
    let mut printed = String::new();
    for action in &actions {
        let start = Instant::now();
        let problem = act(action, carom, folder, &mut printed)?;
        let place = format!("{}:{}", page.path, action.line);
        ran.slowest.push((start.elapsed(), place.clone()));
        match problem {
            None => ran.passed += 1,
            Some(what) => ran.problems.push(format!("{place}: {what}")),
        }
    }
    Ok(ran)
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let files = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for file in files {
        let file = file?;
        if file.file_type()?.is_file() {
            fs::copy(file.path(), to.join(file.file_name()))?;
        }
    }
    Ok(())
}

/// Does one thing; tells what went wrong.
fn act(
    action: &Action,
    carom: &Path,
    folder: &Path,
    printed: &mut String,
) -> Result<Option<String>> {
    match &action.what {
        What::Scene { file, text } => {
            let path = folder.join(file);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
            type_command(&format!("carom check {file}"), false, carom, folder, &mut String::new())
        }
        What::Command { line, fails } => type_command(line, *fails, carom, folder, printed),
        What::Printed { lines } => {
            let talk = std::mem::take(printed);
            let missing = lines.iter().find(|line| !is_printed(line, &talk));
            Ok(missing.map(|line| format!("`{line}` is not printed\n{}", last_lines(&talk))))
        }
    }
}

/// True if a line of the talk is this one, in which `…` stands for anything.
fn is_printed(line: &str, talk: &str) -> bool {
    let parts: Vec<&str> = line.trim().split('…').map(str::trim).collect();
    talk.lines().any(|printed| {
        let mut rest = printed;
        parts.iter().all(|part| match rest.find(part) {
            Some(at) => {
                rest = &rest[at + part.len()..];
                true
            }
            None => false,
        })
    })
}

fn type_command(
    line: &str,
    fails: bool,
    carom: &Path,
    folder: &Path,
    printed: &mut String,
) -> Result<Option<String>> {
    let log = folder.join(".talk");
    let talk = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("ulimit -t {}; {line}", LIMIT.as_secs())])
        .current_dir(folder)
        .env("PATH", path_with(carom))
        .stdin(Stdio::null())
        .stdout(talk.try_clone()?)
        .stderr(talk);
    let status = wait(command)?;
    let talk = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    fs::remove_file(&log)?;
    let shown = last_lines(&talk);
    printed.push_str(&talk);
    Ok(match status {
        None => Some(format!("`{line}` took more than {} s\n{shown}", LIMIT.as_secs())),
        Some(status) if status.success() && fails => {
            Some(format!("`{line}` should have failed\n{shown}"))
        }
        Some(status) if !status.success() && !fails => {
            Some(format!("`{line}` failed ({status})\n{shown}"))
        }
        Some(_) => None,
    })
}

/// How a command ended; none when its time was up.
fn wait(mut command: Command) -> Result<Option<ExitStatus>> {
    let mut child = command.spawn().context("cannot start `sh`, which runs the pages' commands")?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PATIENCE);
    }
}

/// The path in which programs are looked for, with the folder of `carom` first.
fn path_with(carom: &Path) -> OsString {
    let own = carom.parent().map(PathBuf::from);
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = own.into_iter().chain(env::split_paths(&others));
    env::join_paths(folders).unwrap_or(others)
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let from = lines.len().saturating_sub(SHOWN_LINES);
    lines[from..].iter().flat_map(|line| ["    ", line, "\n"]).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A program named `carom` that says what it was given, and fails when asked to.
    fn stand_in(name: &str) -> (PathBuf, PathBuf) {
        let folder = env::temp_dir().join(format!("xtask-book-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the stand-in");
        let program = folder.join("carom");
        let script = "#!/bin/sh\necho \"$@\" >> typed\ntest \"$1\" != break\n";
        fs::write(&program, script).expect("the stand-in is written");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&program, mode).expect("the stand-in can be run");
        (program, folder)
    }

    #[test]
    fn what_is_shown_has_to_be_printed() {
        let talk = "a ball: 2.5 s in 1.23 s\n  ok   it falls, got 1.5\n";
        for line in ["  ok   it falls, got 1.5", "a ball: 2.5 s in … s", "", "…"] {
            assert!(is_printed(line, talk), "{line}");
        }
        assert!(!is_printed("  ok   it falls, got 1.6", talk));
    }

    #[test]
    fn commands_run_in_order_in_a_folder_that_is_kept_over_the_page() {
        let (carom, folder) = stand_in("order");
        let text = "```toml\n# a.toml\nformat = 1\n```\n```sh\ncarom run a.toml > out\ncarom x \"b c\"\n```\n";
        let ran = run(&[Page::of("g/p.md", text)], &carom, &folder, &folder.join("pages")).unwrap();
        assert_eq!((ran.passed, ran.problems), (3, Vec::new()));
        let page = folder.join("pages/g_p.md");
        let typed = fs::read_to_string(page.join("typed")).unwrap();
        assert_eq!(typed, "check a.toml\nrun a.toml\nx b c\n");
        assert!(page.join("out").is_file());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn failures_are_told_with_page_and_line() {
        let (carom, folder) = stand_in("failures");
        let text =
            "```sh\ncarom fine\ncarom break\n```\n```sh,fails\ncarom break\ncarom fine\n```\n";
        let ran = run(&[Page::of("p.md", text)], &carom, &folder, &folder.join("pages")).unwrap();
        assert_eq!(ran.passed, 2);
        assert_eq!(ran.problems.len(), 2, "{:?}", ran.problems);
        assert!(ran.problems[0].starts_with("p.md:3: `carom break` failed"), "{:?}", ran.problems);
        assert!(
            ran.problems[1].starts_with("p.md:7: `carom fine` should have"),
            "{:?}",
            ran.problems
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
