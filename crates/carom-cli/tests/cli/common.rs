//! Running the `carom` command as a person would.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// What a run of the command left.
pub(crate) struct Run {
    /// Exit status.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) talk: String,
}

impl Run {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self {
            status: output.status.code().expect("it was not killed"),
            out: text(output.stdout),
            talk: text(output.stderr),
        }
    }

    /// The JSON on standard output, with nothing around it.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error} in {}{}", self.out, self.talk))
    }

    /// The run, if it ended with this status.
    #[track_caller]
    pub(crate) fn ended(self, status: i32) -> Self {
        assert_eq!(self.status, status, "\n{}{}", self.out, self.talk);
        self
    }

    /// The run, if it said all of these on standard error.
    #[track_caller]
    pub(crate) fn said(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.talk.contains(text), "\"{text}\" is missing in:\n{}", self.talk);
        }
        self
    }
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The command, to be run in a folder without a data folder in the environment.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments).current_dir(folder).env_remove("CAROM_DATA").env_remove("NO_COLOR");
    command
}

/// Runs `carom` in the root of the project.
pub(crate) fn carom(arguments: &[&str]) -> Run {
    carom_in(&root(), arguments)
}

/// Runs `carom` in a folder.
pub(crate) fn carom_in(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(command(folder, arguments).output().expect("the command was built for this test"))
}

/// Runs `carom` in a folder with something on its standard input.
pub(crate) fn carom_fed(folder: &Path, arguments: &[&str], input: &str) -> Run {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built for this test");
    let mut stdin = child.stdin.take().expect("it was asked for");
    stdin.write_all(input.as_bytes()).expect("it is read");
    drop(stdin);
    Run::of(child.wait_with_output().expect("it is ours"))
}

/// The words that call every command, that of the program itself first, as its help lists them.
pub(crate) fn commands() -> Vec<String> {
    let mut found = vec![String::new()];
    let mut next = 0;
    while let Some(words) = found.get(next).cloned() {
        next += 1;
        let line = format!("{words} --help");
        let help = carom(&line.split_whitespace().collect::<Vec<_>>()).out;
        let Some((_, list)) = help.split_once("\nCommands:\n") else { continue };
        for line in list.lines().take_while(|line| !line.is_empty()) {
            // What goes on from the line before stands farther in.
            let name = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '));
            let name = name.and_then(|rest| rest.split(' ').next());
            if let Some(name) = name.filter(|name| *name != "help") {
                found.push(format!("{words} {name}").trim_start().to_owned());
            }
        }
    }
    found
}

/// The JSON that a successful run printed.
pub(crate) fn json(arguments: &[&str]) -> Value {
    carom(arguments).json()
}

/// A file with this content in a folder of its own, named after the test.
pub(crate) fn file(test: &str, name: &str, content: &[u8]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    let path = folder.join(name);
    std::fs::write(&path, content).expect("the target folder can be written");
    path.to_str().expect("the path is UTF-8").to_owned()
}

/// A folder of its own, gone when the test is over.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("carom-cli-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("temporary folders can be made");
        Self(path)
    }

    /// With one file in it.
    pub(crate) fn with(name: &str, content: &str) -> Self {
        Self::new().and(name, content)
    }

    /// With another file in it; folders on the way are made.
    pub(crate) fn and(self, name: &str, content: &str) -> Self {
        let path = self.path(name);
        let folder = path.parent().expect("it lies in the folder");
        std::fs::create_dir_all(folder).expect("temporary folders can be made");
        std::fs::write(path, content).expect("temporary files can be written");
        self
    }

    /// The full path of a file in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Runs `carom` in it.
    pub(crate) fn carom(&self, arguments: &[&str]) -> Run {
        carom_in(&self.0, arguments)
    }

    /// The text of a file in it.
    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file was written")
    }

    /// The folder itself.
    pub(crate) fn here(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// A ball that drops from `height` and must be at `low` after a second.
pub(crate) fn drop_to(low: &str) -> String {
    format!(
        r#"format = 1
title = "Drop"
[parameters]
height = {{ value = 10, min = 0 }}
[world]
until = 1
[[body]]
name = "ball"
shape = {{ kind = "ball", radius = 0.1 }}
density = 1000
position = [0, 0, "height"]
[[expect]]
what = "the ball falls for a second"
measure = "body('ball').z"
equals = "{low}"
tolerance = 1e-12
source = "free fall"
"#
    )
}

/// The drop that keeps its promise.
pub(crate) fn good_drop() -> String {
    drop_to("height - 9.80665/2")
}
