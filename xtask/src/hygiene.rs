//! What may be committed: small files, no paths of somebody's machine, portable and safe sources.

use std::fs;

use anyhow::{Context, Result};

use crate::process::Project;
use crate::sources;
use crate::tally::Outcome;
use crate::tracked::Files;

/// No file may have more bytes; every clone carries it for ever.
const LARGEST_FILE: usize = 1024 * 1024;

/// No mesh, picture or other binary may have more bytes: such files cannot be reviewed.
const LARGEST_BINARY: usize = 256 * 1024;

/// Meshes are held to the smaller limit even when they are text.
const MESH_ENDINGS: &[&str] = &["glb", "gltf", "obj", "off", "ply", "stl"];

/// Beginnings of paths that exist on one machine only, in pieces so that this file passes too.
const MACHINE_PATHS: &[&str] = &[
    concat!("/", "home/"),
    concat!("/", "root/"),
    concat!("/", "work/"),
    concat!("/", "Users/"),
    concat!("C:", r"\Users"),
    concat!("C:", r"\\Users"),
    concat!("C:", "/Users"),
];

/// The step.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let mut problems = Vec::new();
    for path in Files::list(project)?.iter() {
        let bytes = fs::read(project.root.join(path))
            .with_context(|| format!("cannot read the tracked file {path}"))?;
        problems.extend(file_problems(path, &bytes));
    }
    Ok(Outcome::of_problems(&problems))
}

/// All that is wrong with one file.
fn file_problems(path: &str, bytes: &[u8]) -> Vec<String> {
    let mut problems: Vec<String> = size_problem(path, bytes).into_iter().collect();
    if let Some(text) = as_text(bytes) {
        problems.extend(machine_path_problems(path, text));
        if has_ending(path, &["rs"]) {
            problems.extend(sources::problems(path, text));
        }
    }
    problems
}

fn size_problem(path: &str, bytes: &[u8]) -> Option<String> {
    let is_binary = as_text(bytes).is_none() || has_ending(path, MESH_ENDINGS);
    let limit = if is_binary { LARGEST_BINARY } else { LARGEST_FILE };
    (bytes.len() > limit).then(|| {
        format!(
            "{path} has {} KiB; the limit is {} KiB\n\
             hint: generate it, shrink it, or fetch it when it is needed",
            bytes.len().div_ceil(1024),
            limit / 1024
        )
    })
}

fn machine_path_problems(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if let Some(start) = MACHINE_PATHS.iter().find(|start| holds_path(line, start)) {
            problems.push(format!(
                "{path}:{}: a path of one machine: {start}\nhint: write it relative to the root",
                i + 1
            ));
        }
    }
    problems
}

/// True when a path in the line begins so; a folder of that name further down a path is no match.
fn holds_path(line: &str, start: &str) -> bool {
    line.match_indices(start).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "._-~})]>".contains(c))
    })
}

/// The content as text; none for a binary file.
fn as_text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn has_ending(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, found)| endings.iter().any(|ending| found.eq_ignore_ascii_case(ending)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_are_refused_and_binaries_sooner() {
        let letters = |n: usize| vec![b'a'; n];
        assert!(size_problem("a.md", &letters(LARGEST_FILE)).is_none());
        assert!(size_problem("a.md", &letters(LARGEST_FILE + 1)).is_some());
        assert!(size_problem("a.STL", &letters(LARGEST_BINARY + 1)).is_some());
        assert!(size_problem("a.bin", &vec![0; LARGEST_BINARY]).is_none());
        assert!(size_problem("a.bin", &vec![0; LARGEST_BINARY + 1]).is_some());
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        let home = MACHINE_PATHS[0];
        for line in [format!("see {home}me"), format!("\"{home}x\""), format!("file://{home}x")] {
            let text = format!("fine\n{line}\n");
            let problems = file_problems("notes.txt", text.as_bytes());
            assert_eq!(problems.len(), 1, "`{line}` passed");
            assert!(problems[0].starts_with("notes.txt:2:"), "{problems:?}");
        }
        let users = MACHINE_PATHS[4];
        assert_eq!(file_problems("notes.txt", format!("{users}\\me").as_bytes()).len(), 1);
    }

    #[test]
    fn the_same_words_inside_other_paths_pass() {
        let home = MACHINE_PATHS[0];
        for line in
            [format!("https://example.org{home}"), format!("data{home}"), format!("..{home}")]
        {
            assert_eq!(file_problems("a.md", line.as_bytes()), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn sources_are_read_as_code_and_binaries_not_at_all() {
        assert_eq!(file_problems("a.rs", b"unsafe {}").len(), 1);
        assert_eq!(file_problems("a.md", b"unsafe {}").len(), 0);
        assert_eq!(file_problems("a.rs", b"unsafe {}\0").len(), 0);
    }
}
