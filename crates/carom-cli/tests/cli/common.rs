//! Running the `carom` command as a person would.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a run of the command left.
pub(crate) struct Run {
    /// Exit status.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) talk: String,
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs `carom` in the root of the project, without a data folder in the environment.
pub(crate) fn carom(arguments: &[&str]) -> Run {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments)
        .current_dir(root())
        .env_remove("CAROM_DATA")
        .output()
        .expect("the command was built for this test");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Run { status: status.code().expect("it was not killed"), out: text(stdout), talk: text(stderr) }
}

/// The JSON that a successful run printed.
pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    let run = carom(arguments);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error} in {}", run.out))
}

/// A file with this content in a folder of its own, named after the test.
pub(crate) fn file(test: &str, name: &str, content: &[u8]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    let path = folder.join(name);
    std::fs::write(&path, content).expect("the target folder can be written");
    path.to_str().expect("the path is UTF-8").to_owned()
}
