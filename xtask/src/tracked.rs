//! The files of the project: those that git tracks, or all of them where there is no git.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::process::{self, Project};

/// Folders that hold no sources, for trees without git.
const NOT_SOURCES: &[&str] = &[".git", "target", "node_modules"];

/// Paths of ordinary files relative to the root, with `/` on every platform.
#[derive(Debug, Default)]
pub(crate) struct Files {
    paths: BTreeSet<String>,
}

impl Files {
    /// Lists the files that exist; links are left out.
    pub(crate) fn list(project: &Project) -> Result<Self> {
        // Nothing is tracked in an unpacked archive, even when it lies inside some other repository.
        let mut paths = tracked(project).unwrap_or_default();
        if paths.is_empty() {
            walk(&project.root, "", &mut paths)?;
        }
        paths.retain(|path| {
            fs::symlink_metadata(project.root.join(path)).is_ok_and(|found| found.is_file())
        });
        Ok(Self { paths })
    }

    #[cfg(test)]
    pub(crate) fn of(paths: &[&str]) -> Self {
        Self { paths: paths.iter().map(|&path| path.to_owned()).collect() }
    }

    /// All paths, sorted.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }

    /// True when a file or folder of that name lies in the root.
    pub(crate) fn has_in_root(&self, name: &str) -> bool {
        self.iter().any(|path| path.split('/').next() == Some(name))
    }

    /// True when the path leads to a file or folder, from the root or from some folder below it.
    pub(crate) fn has(&self, path: &str) -> bool {
        let sought = format!("/{}/", path.trim_end_matches('/'));
        self.iter().any(|file| format!("/{file}/").contains(&sought))
    }
}

/// What git tracks; none without git or outside a repository.
fn tracked(project: &Project) -> Option<BTreeSet<String>> {
    let mut command = project.command("git");
    command.args(["ls-files", "-z"]);
    let list = process::ask_for_text(command).ok()?;
    Some(list.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

fn walk(folder: &Path, prefix: &str, paths: &mut BTreeSet<String>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list `{prefix}`"))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if !entry.file_type()?.is_dir() {
            paths.insert(path);
        } else if !NOT_SOURCES.contains(&name.as_str()) {
            walk(&entry.path(), &format!("{path}/"), paths)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_found_from_the_root_and_from_below() {
        let files = Files::of(&["crates/carom-geometry/src/mesh/mod.rs", "README.md"]);
        for path in ["crates", "crates/carom-geometry/", "src/mesh/mod.rs", "mod.rs", "README.md"] {
            assert!(files.has(path), "`{path}` was not found");
        }
        for path in ["crate", "carom-geometry/mesh", "mod", "src/mesh/hull.rs"] {
            assert!(!files.has(path), "`{path}` was found");
        }
        assert!(files.has_in_root("crates") && !files.has_in_root("src"));
    }

    #[test]
    fn a_tree_can_be_walked_without_git() {
        let mut paths = BTreeSet::new();
        walk(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut paths).unwrap();
        assert!(paths.contains("src/tracked.rs"), "{paths:?}");
    }
}
