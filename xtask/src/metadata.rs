//! What cargo knows about the workspace and everything it depends on.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::process::{self, Project};

/// The part of `cargo metadata` that the checks read.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    workspace_members: Vec<String>,
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
}
