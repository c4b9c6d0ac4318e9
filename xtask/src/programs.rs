//! The `carom` command itself, run the way the README runs it.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::process::{self, Project};
use crate::tally::Outcome;
use crate::validation;

/// The folder of shapes that come with the project.
const PARTS: &str = "parts";

/// Endings of files that lie beside the shapes: notes, sources, and what a mesh file refers to.
const NOT_PARTS: &[&str] = &["bin", "csv", "json", "md", "mtl", "toml", "txt"];

/// Every shape that comes with the project has mass properties.
pub(crate) fn parts(project: &Project) -> Result<Outcome> {
    let mut output = String::new();
    let mut success = true;
    for name in part_names(project)? {
        let path = format!("{PARTS}/{name}");
        let ended = process::run(project.cargo(&["run", "--quiet", "--", "mass", &path]))?;
        success &= ended.success;
        output += &ended.text;
    }
    Ok(Outcome::of_one(success, output))
}

/// Every row of the table of reference cases, counted on its own.
pub(crate) fn validate(project: &Project) -> Result<Outcome> {
    let command = project.cargo(&["run", "--quiet", "--", "validate", "--json"]);
    validation::outcome(&process::ask(command)?)
}

fn part_names(project: &Project) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let entries =
        fs::read_dir(project.root.join(PARTS)).with_context(|| format!("no folder {PARTS}/"))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_file() && is_part(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        bail!("{PARTS}/ holds no shapes\nhint: they are part of the repository; restore them");
    }
    names.sort();
    Ok(names)
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
        for name in ["README.md", "nut.mtl", ".gitignore", "LICENCE.txt"] {
            assert!(!is_part(name), "{name}");
        }
    }
}
