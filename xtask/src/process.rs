//! Starting other programs: from the root of the project and without a shell; commands on pages of the manual have a way
//! of their own.

use std::env;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The project that the commands work on.
#[derive(Debug)]
pub(crate) struct Project {
    /// The folder of the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
}

/// A program that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) success: bool,
    /// The command line, then everything written to either stream, in the order of writing.
    pub(crate) text: String,
}

/// A program that has ended, with its data kept apart from its talk.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The command line, for messages.
    pub(crate) command: String,
}

impl Project {
    /// The project that this program was built from.
    pub(crate) fn find() -> Result<Self> {
        let manifest_folder = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest_folder.parent().context("xtask lies in no workspace")?;
        if !root.join("Cargo.toml").is_file() {
            bail!("no Cargo.toml in {}\nhint: start with `cargo xtask`", root.display());
        }
        Ok(Self { root: root.to_path_buf() })
    }

    /// A command that will run in the root of the project.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.root).env("CARGO_TERM_COLOR", "never").stdin(Stdio::null());
        command
    }

    /// The cargo that started this program, with the given arguments.
    pub(crate) fn cargo(&self, args: &[&str]) -> Command {
        let cargo = env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
        let mut command = self.command(cargo);
        command.args(args);
        command
    }
}

/// Runs to the end, both output streams in one text.
pub(crate) fn run(mut command: Command) -> Result<Ended> {
    let line = command_line(&command);
    let (mut reader, writer) = io::pipe().context("no pipe for a program's output")?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start `{line}`"))?;
    // The command still holds the writing ends; reading would never end with them open.
    drop(command);
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let status = child.wait()?;
    let mut text = format!("$ {line}\n{}", String::from_utf8_lossy(&bytes));
    if !status.success() {
        end_line(&mut text);
        writeln!(text, "({status})")?;
    }
    Ok(Ended { success: status.success(), text })
}

/// Runs to the end and keeps standard output for reading as data.
pub(crate) fn ask(mut command: Command) -> Result<Answer> {
    let line = command_line(&command);
    let output = command.output().with_context(|| format!("cannot start `{line}`"))?;
    Ok(Answer {
        success: output.status.success(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        command: line,
    })
}

/// Standard output of a program that has to succeed.
pub(crate) fn ask_for_text(command: Command) -> Result<String> {
    let answer = ask(command)?;
    if !answer.success {
        bail!("`{}` failed\n{}", answer.command, answer.stderr.trim_end());
    }
    Ok(answer.stdout)
}

/// The command as one would type it; the program without its folder.
fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(program.as_os_str());
    let mut line = name.to_string_lossy().into_owned();
    for arg in command.get_args() {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}

fn end_line(text: &mut String) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_read_as_typed() {
        let mut command = Command::new("bin/cargo");
        command.args(["fmt", "--all"]);
        assert_eq!(command_line(&command), "cargo fmt --all");
    }

    #[test]
    fn a_program_that_does_not_exist_is_named() {
        let error = run(Command::new("no-such-program-as-this")).unwrap_err();
        assert!(error.to_string().contains("no-such-program-as-this"), "{error}");
    }
}
