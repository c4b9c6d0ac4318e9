//! The documents at the root tell the truth about the tree.
//!
//! ARCHITECTURE.md names every crate of the workspace, and whatever looks like a path between single
//! backticks leads somewhere. Fenced blocks are left alone: they show commands and their output.

use std::fs;

use anyhow::Result;

use crate::metadata::Metadata;
use crate::process::Project;
use crate::tally::Outcome;
use crate::tracked::Files;

/// The document that has to name every crate.
const MAP: &str = "ARCHITECTURE.md";

/// The documents whose paths are checked.
const DOCUMENTS: &[&str] = &[MAP, "README.md", "CONTRIBUTING.md"];

/// Endings by which a text with a slash is taken for a path.
const ENDINGS: &[&str] = &[
    "csv", "glb", "gltf", "html", "js", "json", "lock", "md", "obj", "ply", "png", "py", "rs",
    "sh", "stl", "svg", "toml", "ts", "txt", "yml",
];

/// Endings by which a bare name is taken for a file of the project. Others are left alone, since a
/// reader's own `part.stl` or `scene.toml` is a fair example.
const BARE_ENDINGS: &[&str] = &["md", "rs"];

/// The step.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let files = Files::list(project)?;
    let metadata = Metadata::read(project)?;
    let mut problems = Vec::new();
    for &document in DOCUMENTS {
        let Ok(text) = fs::read_to_string(project.root.join(document)) else {
            problems.push(format!("{document} is missing or not readable"));
            continue;
        };
        problems.extend(path_problems(document, &text, &files));
        if document == MAP {
            let members = metadata.members().map(|package| package.name.as_str());
            problems.extend(member_problems(&text, members));
        }
    }
    Ok(Outcome::of_problems(&problems))
}

/// Crates that the map leaves out.
fn member_problems<'a>(text: &str, members: impl Iterator<Item = &'a str>) -> Vec<String> {
    let is_in_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let words: Vec<&str> = text.split(|c| !is_in_name(c)).collect();
    members
        .filter(|member| !words.contains(member))
        .map(|member| format!("{MAP} does not mention the crate {member}\nhint: give it a line"))
        .collect()
}

/// Paths that lead nowhere.
fn path_problems(document: &str, text: &str, files: &Files) -> Vec<String> {
    code_spans(text)
        .filter_map(|(line, span)| Some((line, path_in(span, files)?)))
        .filter(|(_, path)| !files.has(path))
        .map(|(line, path)| {
            format!(
                "{document}:{line}: `{path}` is not in the tree\n\
                 hint: correct the path, or `git add` what it names"
            )
        })
        .collect()
}

/// Texts between single backticks with their line numbers, outside fenced blocks.
fn code_spans(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_fence = false;
    text.lines()
        .enumerate()
        .filter(move |(_, line)| {
            let is_fence = line.trim_start().starts_with("```");
            in_fence ^= is_fence;
            !is_fence && !in_fence
        })
        .flat_map(|(i, line)| line.split('`').skip(1).step_by(2).map(move |span| (i + 1, span)))
}

/// The path in a code span, when it looks like one into this tree. A line number is cut off.
fn path_in<'a>(span: &'a str, files: &Files) -> Option<&'a str> {
    let path = match span.rsplit_once(':') {
        Some((path, line)) if line.parse::<usize>().is_ok() => path,
        _ => span,
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let is_generated = parts.contains(&"target");
    if !path.chars().all(is_plain) || parts.contains(&"") || parts.contains(&"..") || is_generated {
        return None;
    }
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let looks_like_one = if path.contains('/') {
        path.ends_with('/')
            || ENDINGS.contains(&ending)
            || files.has_in_root(parts[0])
            || (parts.len() > 2 && parts.iter().all(|part| part.len() > 1))
    } else {
        !path.starts_with('.') && BARE_ENDINGS.contains(&ending)
    };
    looks_like_one.then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Files {
        Files::of(&["crates/carom-geometry/src/mesh/mod.rs", "parts/bolt.stl", ".ci/run"])
    }

    #[test]
    fn existing_paths_pass() {
        let text = "See `crates/carom-geometry/`, `src/mesh/mod.rs:12`, `mod.rs` and `.ci/run`.";
        assert_eq!(path_problems("README.md", text, &tree()), Vec::<String>::new());
    }

    #[test]
    fn a_stale_path_is_named_with_its_line() {
        let text = "One.\n\nSee `crates/carom-gone` and `docs/theory/impact.md`, or `hull.rs`.";
        let problems = path_problems("README.md", text, &tree());
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].starts_with("README.md:3: `crates/carom-gone` is not in the tree"));
    }

    #[test]
    fn what_is_not_a_path_is_left_alone() {
        let spans = [
            "m/s",
            "kg/m^3",
            "rad/s",
            "and/or",
            "MIT/Apache-2.0",
            "cargo run -- mass parts/x.stl",
            "https://example.org/a/b.md",
            "/etc/hosts.txt",
            "target/debug/carom",
            "crates/*/src",
            "carom::mesh",
            ".stl",
            "part.stl",
            "scene.toml",
            "--json",
            "../other/file.rs",
        ];
        for span in spans {
            assert_eq!(path_in(span, &tree()), None, "`{span}` was taken for a path");
        }
    }

    #[test]
    fn fenced_blocks_are_not_read() {
        let text = "```sh\ncarom mass `crates/none`\n```\nThen `crates/none`.";
        let problems = path_problems("README.md", text, &tree());
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("README.md:4:"), "{problems:?}");
    }

    #[test]
    fn a_crate_is_mentioned_only_by_its_whole_name() {
        let text = "| `carom-geometry` | shapes |\n| crates/carom-cli/ | the command |";
        let members = ["carom-geometry", "carom-cli", "carom"];
        let problems = member_problems(text, members.into_iter());
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("the crate carom\n"), "{problems:?}");
    }
}
