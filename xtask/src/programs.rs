//! The `carom` command itself, run the way the README runs it, and the examples.

use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::crew;
use crate::process::{self, Project};
use crate::tally::{Counts, Outcome};
use crate::validation;

/// The folder of shapes that come with the project.
const PARTS: &str = "parts";

/// Endings of files that lie beside the shapes: notes, sources, robots, and what a mesh file refers to.
const NOT_PARTS: &[&str] = &["bin", "csv", "json", "md", "mtl", "toml", "txt", "urdf"];

/// The folder of built-in scenes.
const SCENES: &str = "scenes";

/// Crates with programs that use them.
const EXAMPLES: [&str; 3] = ["carom", "carom-record", "carom-scene"];

/// Every shape that comes with the project has mass properties.
pub(crate) fn parts(project: &Project) -> Result<Outcome> {
    let mut output = String::new();
    let mut success = true;
    let names = names_in(project, PARTS, is_part)?;
    let answers = crew::each(&names, |name| {
        process::run(project.cargo(&["run", "--quiet", "--", "mass", &format!("{PARTS}/{name}")]))
    });
    for ended in answers {
        let ended = ended?;
        success &= ended.success;
        output += &ended.text;
    }
    Ok(Outcome::of_one(success, output))
}

/// Every built-in scene runs, meets its expectations and passes its audit, counted on its own.
pub(crate) fn scenes(project: &Project) -> Result<Outcome> {
    let names = names_in(project, SCENES, is_scene)?;
    let answers = crew::each(&names, |file| {
        let path = format!("{SCENES}/{file}");
        process::run(project.cargo(&["run", "--quiet", "--", "run", &path, "--audit"]))
    });
    let mut outcome = Outcome::default();
    for ended in answers {
        let ended = ended?;
        outcome.counts += if ended.success { Counts::PASSED } else { Counts::FAILED };
        outcome.output += &ended.text;
    }
    Ok(outcome)
}

/// Every row of the table of reference cases, counted on its own.
pub(crate) fn validate(project: &Project) -> Result<Outcome> {
    let command = project.cargo(&["run", "--quiet", "--", "validate", "--json"]);
    validation::outcome(&process::ask(command)?)
}

/// Every example ends well, counted on its own: each compares what it measures with what it predicts.
pub(crate) fn examples(project: &Project) -> Result<Outcome> {
    // All at once, as the tests were built: package by package, cargo would choose other features and build anew.
    let built = process::run(project.cargo(&[
        "build",
        "--workspace",
        "--examples",
        "--quiet",
        "--locked",
    ]))?;
    let mut outcome = Outcome { output: built.text, ..Outcome::default() };
    let folder_of_programs = env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| project.root.join("target"), PathBuf::from)
        .join("debug/examples");
    for package in EXAMPLES {
        let folder = format!("crates/{package}/examples");
        for file in names_in(project, &folder, |name| example_of(name).is_some())? {
            let Some(name) = example_of(&file) else { continue };
            let program = folder_of_programs.join(format!("{name}{}", env::consts::EXE_SUFFIX));
            let ended = process::run(project.command(program))?;
            outcome.counts += if ended.success { Counts::PASSED } else { Counts::FAILED };
            outcome.output += &ended.text;
        }
    }
    Ok(outcome)
}

/// Names of the files of a folder that are wanted, in order; at least one.
fn names_in(
    project: &Project,
    folder: &str,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let entries =
        fs::read_dir(project.root.join(folder)).with_context(|| format!("no folder {folder}/"))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_file() && is_wanted(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        bail!("{folder}/ holds none of them\nhint: they are part of the repository; restore them");
    }
    names.sort();
    Ok(names)
}

/// The name by which cargo runs an example.
fn example_of(file: &str) -> Option<&str> {
    file.strip_suffix(".rs").filter(|name| !name.is_empty() && !name.starts_with('.'))
}

fn is_scene(name: &str) -> bool {
    name.strip_suffix(".toml").is_some_and(|stem| !stem.is_empty() && !stem.starts_with('.'))
}

fn is_part(name: &str) -> bool {
    let is_other = name.rsplit_once('.').is_some_and(|(_, found)| {
        NOT_PARTS.iter().any(|ending| found.eq_ignore_ascii_case(ending))
    });
    !is_other && !name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_beside_the_parts_are_not_parts() {
        for name in ["bolt.stl", "nut.OBJ", "case.glb", "odd"] {
            assert!(is_part(name), "{name}");
        }
        for name in ["README.md", "nut.mtl", ".gitignore", "LICENCE.txt", "dog.urdf"] {
            assert!(!is_part(name), "{name}");
        }
    }
    #[test]
    fn examples_are_the_source_files_of_their_folder() {
        assert_eq!(example_of("projectile.rs"), Some("projectile"));
        for name in ["README.md", ".rs", ".hidden.rs", "shared"] {
            assert_eq!(example_of(name), None, "{name}");
        }
    }

    #[test]
    fn a_folder_without_any_is_named() {
        let project = Project { root: PathBuf::from(env!("CARGO_MANIFEST_DIR")) };
        let error = names_in(&project, "src", |_| false).unwrap_err();
        assert!(error.to_string().starts_with("src/ holds none"), "{error}");
        assert!(names_in(&project, "no-such-folder", |_| true).is_err());
    }
}
