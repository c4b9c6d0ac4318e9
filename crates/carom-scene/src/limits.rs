//! How much a scene may ask for.

use std::fmt;

use carom_geometry::mesh_file;

/// The name of one bound of [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::bodies`].
    Bodies,
    /// [`Limits::events`].
    Events,
    /// [`Limits::exclusions`].
    Exclusions,
    /// [`Limits::include_depth`].
    IncludeDepth,
    /// [`Limits::files`].
    Files,
    /// [`Limits::text_bytes`].
    TextBytes,
    /// [`Limits::expression_bytes`].
    ExpressionBytes,
    /// [`Limits::operations`].
    Operations,
}

impl Limit {
    /// All limits.
    pub const ALL: [Self; 8] = [
        Self::Bodies,
        Self::Events,
        Self::Exclusions,
        Self::IncludeDepth,
        Self::Files,
        Self::TextBytes,
        Self::ExpressionBytes,
        Self::Operations,
    ];

    /// What `--limit NAME=N` calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bodies => "bodies",
            Self::Events => "events",
            Self::Exclusions => "exclusions",
            Self::IncludeDepth => "include-depth",
            Self::Files => "files",
            Self::TextBytes => "text-bytes",
            Self::ExpressionBytes => "expression-bytes",
            Self::Operations => "operations",
        }
    }

    /// How to raise it, as a hint.
    pub(crate) fn how_to_raise(self) -> String {
        format!("`--limit {self}=N` sets another limit, if the scene is to be trusted")
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Bounds on what is made of one scene; beyond one, an error names it and how to raise it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bodies, copies counted; by default one million, about half a gigabyte.
    pub bodies: u64,
    /// Impulses, changes and expectations, copies counted; by default one million.
    pub events: u64,
    /// Pairs of bodies that are excluded, and those that have a regime of their own, copies counted; by default one
    /// million of each.
    pub exclusions: u64,
    /// How deep files may include files; by default 16.
    pub include_depth: u64,
    /// Files that a scene may include; by default 1000.
    pub files: u64,
    /// Bytes of all scene texts together; by default 64 MiB, 200,000 written-out bodies.
    ///
    /// Texts beyond 4 GiB cannot be read whatever the limit.
    pub text_bytes: u64,
    /// Bytes of one expression; by default 10,000.
    pub expression_bytes: u64,
    /// Numbers and operations in expressions of the scene together, copies counted, and points and bytes that
    /// hulls and meshes are made of; by default 200 million, a few seconds.
    pub operations: u64,
    /// What one mesh file may ask for.
    pub mesh: mesh_file::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bodies: 1_000_000,
            events: 1_000_000,
            exclusions: 1_000_000,
            include_depth: 16,
            files: 1000,
            text_bytes: 64 << 20,
            expression_bytes: 10_000,
            operations: 200_000_000,
            mesh: mesh_file::Limits::default(),
        }
    }
}

impl Limits {
    /// The value of the bound with that name.
    pub const fn get(&self, limit: Limit) -> u64 {
        match limit {
            Limit::Bodies => self.bodies,
            Limit::Events => self.events,
            Limit::Exclusions => self.exclusions,
            Limit::IncludeDepth => self.include_depth,
            Limit::Files => self.files,
            Limit::TextBytes => self.text_bytes,
            Limit::ExpressionBytes => self.expression_bytes,
            Limit::Operations => self.operations,
        }
    }

    /// Changes the bound with that name.
    pub const fn set(&mut self, limit: Limit, value: u64) {
        *match limit {
            Limit::Bodies => &mut self.bodies,
            Limit::Events => &mut self.events,
            Limit::Exclusions => &mut self.exclusions,
            Limit::IncludeDepth => &mut self.include_depth,
            Limit::Files => &mut self.files,
            Limit::TextBytes => &mut self.text_bytes,
            Limit::ExpressionBytes => &mut self.expression_bytes,
            Limit::Operations => &mut self.operations,
        } = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_set_and_read_by_its_own_name() {
        let mut limits = Limits::default();
        for (limit, value) in Limit::ALL.into_iter().zip(100..) {
            limits.set(limit, value);
        }
        for (limit, value) in Limit::ALL.into_iter().zip(100..) {
            assert_eq!(limits.get(limit), value, "{limit}");
            assert!(limit.how_to_raise().contains(&format!("--limit {limit}=")), "{limit}");
        }
    }
}
