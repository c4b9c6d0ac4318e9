//! Exported animations, held against the official validator of glTF.
//!
//! The validator is an npm package; it is installed once, into `target/`. Where there is no node, npm or registry, nothing is
//! checked, and the step says so: tests of `carom-record` read the same files by another library in any case.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{self, Project};
use crate::tally::{Counts, Outcome};

/// The package, of the version that was found to work.
const PACKAGE: &str = "gltf-validator@2.0.0-dev.3.10";

/// Prints every issue of the files named on its command line and ends with 1 if one is an error.
const SCRIPT: &str = include_str!("gltf.js");

/// Scenes with all kinds of shapes between them, and how long they are run.
const SCENES: [(&str, &str); 5] = [
    ("scripted", "1"),
    ("near_misses", "0.1"),
    ("rattleback", "0.2"),
    ("bowling", "0.1"),
    ("feeder_chute", "0.1"),
];

/// The step.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let folder = project.root.join("target/gltf");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    if let Some(reason) = install(project, &folder)? {
        let notes = vec![format!("nothing to check: {reason}")];
        return Ok(Outcome { notes, ..Outcome::default() });
    }
    let mut outcome = Outcome::default();
    for (scene, until) in SCENES {
        let (success, text) = validate(project, &folder, scene, until)?;
        outcome.counts += if success { Counts::PASSED } else { Counts::FAILED };
        outcome.output += &text;
    }
    Ok(outcome)
}

/// Installs the validator unless it is there; says why it cannot.
fn install(project: &Project, folder: &Path) -> Result<Option<&'static str>> {
    if process::ask(with(project, "node", &["--version"])).is_err() {
        return Ok(Some("there is no node"));
    }
    if folder.join("node_modules/gltf-validator/package.json").is_file() {
        return Ok(None);
    }
    // Without a description of its own npm would look for one in the folders above.
    fs::write(folder.join("package.json"), "{ \"private\": true }\n")?;
    let mut npm = with(project, "npm", &["install", "--no-audit", "--no-fund", PACKAGE]);
    npm.current_dir(folder);
    match process::ask(npm) {
        Err(_) => Ok(Some("there is no npm")),
        Ok(answer) if !answer.success => Ok(Some("npm cannot install gltf-validator")),
        Ok(_) => Ok(None),
    }
}

fn with(project: &Project, program: &str, args: &[&str]) -> std::process::Command {
    let mut command = project.command(program);
    command.args(args);
    command
}

/// Runs a scene, exports it in both ways and validates them.
fn validate(project: &Project, folder: &Path, scene: &str, until: &str) -> Result<(bool, String)> {
    let file = |ending: &str| folder.join(scene).with_extension(ending).display().to_string();
    let recording = file("mcap");
    let carom =
        |args: &[&str]| process::run(project.cargo(&[&["run", "--quiet", "--"], args].concat()));
    // The scene ends early, so its promises are not what is asked for here.
    let mut text = carom(&["run", scene, "--until", until, "--out", &recording, "--quiet"])?.text;
    let mut success = PathBuf::from(&recording).is_file();
    let exported = [file("gltf"), file("glb")];
    for out in &exported {
        let ended = carom(&["export", &recording, "-o", out])?;
        success &= ended.success;
        text += &ended.text;
    }
    let mut node = with(project, "node", &["-e", SCRIPT]);
    node.args(&exported).current_dir(folder);
    let ended = process::run(node)?;
    Ok((success && ended.success, text + &ended.text))
}
