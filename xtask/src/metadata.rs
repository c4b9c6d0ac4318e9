//! What cargo knows about the workspace and everything it depends on.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::process::{self, Project};

/// The part of `cargo metadata` that the checks read.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Option<Resolve>,
}

/// Who needs whom.
#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

/// A package and what it needs.
#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    deps: Vec<Need>,
}

/// A package that is needed, and in which ways.
#[derive(Debug, Deserialize)]
struct Need {
    pkg: String,
    dep_kinds: Vec<Way>,
}

/// In an ordinary way if no kind is given.
#[derive(Debug, Deserialize)]
struct Way {
    kind: Option<String>,
}

/// A crate of the workspace or a dependency, on whatever platform it is needed.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    /// Where it came from; none for a path on this machine.
    pub(crate) source: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
    #[serde(default)]
    pub(crate) authors: Vec<String>,
    pub(crate) manifest_path: Option<String>,
}

/// A line in a crate's manifest.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev` or `build`; none for an ordinary one.
    pub(crate) kind: Option<String>,
}

impl Metadata {
    /// Asks cargo; the lock file stays as it is.
    pub(crate) fn read(project: &Project) -> Result<Self> {
        let command = project.cargo(&["metadata", "--format-version", "1", "--locked"]);
        let json = process::ask_for_text(command)?;
        serde_json::from_str(&json).context("cannot read what `cargo metadata` printed")
    }

    /// The crates of the workspace itself, in cargo's order.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// Everything that a crate of the workspace needs in an ordinary way, on any platform, itself among it.
    pub(crate) fn needed_by(&self, name: &str) -> Vec<&Package> {
        let nodes = self.resolve.as_ref().map_or(&[][..], |resolve| &resolve.nodes);
        let root = self.members().find(|package| package.name == name);
        let mut open: Vec<&str> = root.map(|package| package.id.as_str()).into_iter().collect();
        let mut needed: Vec<&str> = Vec::new();
        while let Some(id) = open.pop() {
            if needed.contains(&id) {
                continue;
            }
            needed.push(id);
            let deps = nodes.iter().filter(|node| node.id == id).flat_map(|node| &node.deps);
            let ordinary = deps.filter(|need| need.dep_kinds.iter().any(|it| it.kind.is_none()));
            open.extend(ordinary.map(|need| need.pkg.as_str()));
        }
        self.packages.iter().filter(|package| needed.contains(&package.id.as_str())).collect()
    }
}
