//! What to load and how.

use std::path::PathBuf;

use crate::limits::Limits;
use crate::scene::ContactOverrides;

/// Where a scene comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file.
    Path(PathBuf),
    /// A text, such as standard input or a scene built in.
    Text {
        /// What it is called in messages.
        name: String,
        /// The text.
        text: String,
        /// The folder that the paths in it start from.
        folder: PathBuf,
    },
}

impl Source {
    /// A text without files.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text { name: name.into(), text: text.into(), folder: PathBuf::new() }
    }
}

/// How to load a scene.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Parameters set from outside, name and value; the last one of a name counts.
    pub overrides: Vec<(String, String)>,
    /// The seed, instead of that of the scene.
    pub seed: Option<u64>,
    /// Contact settings, instead of those of the scene; its expectations go by them.
    pub contact: ContactOverrides,
    /// How much the scene may ask for.
    pub limits: Limits,
    /// Folders outside that of the scene from which it may read files.
    pub allow_paths: Vec<PathBuf>,
}
