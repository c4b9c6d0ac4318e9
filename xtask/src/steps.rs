//! The table of everything that `cargo xtask test` checks.
//!
//! A new check is one line in [`STEPS`] and one function that takes the [`Project`] and returns an
//! [`Outcome`]: its counts, what to show when it fails, and remarks to show in any case. An error
//! counts as one failure. Cheap steps come first.

use anyhow::Result;

use crate::process::Project;
use crate::tally::Outcome;
use crate::{arrows, book, gltf, hygiene, licences, map, page, programs, sizes, toolchain, viewer};

/// One check, or many of a kind.
#[derive(Debug)]
pub(crate) struct Step {
    /// What `--only` calls it.
    pub(crate) name: &'static str,
    /// What holds when it passes.
    pub(crate) about: &'static str,
    /// A step without which this one would only repeat a failure.
    pub(crate) needs: Option<&'static str>,
    pub(crate) run: fn(&Project) -> Result<Outcome>,
}

impl Step {
    const fn new(
        name: &'static str,
        about: &'static str,
        run: fn(&Project) -> Result<Outcome>,
    ) -> Self {
        Self { name, about, needs: None, run }
    }

    pub(crate) const fn after(mut self, needed: &'static str) -> Self {
        self.needs = Some(needed);
        self
    }
}

/// All steps in the order of running.
pub(crate) const STEPS: &[Step] = &[
    Step::new("format", "sources have rustfmt's layout", toolchain::format),
    Step::new(
        "licences",
        "dependencies have allowed licences and sources, and notices",
        licences::check,
    ),
    Step::new("arrows", "crates use only crates below them", arrows::check),
    Step::new("map", "the documents name every crate and no lost path", map::check),
    Step::new("hygiene", "committed files are small, portable and safe", hygiene::check),
    Step::new("sizes", "source files are short", sizes::check),
    Step::new("viewer", "the page of the viewer builds", viewer::check),
    Step::new("clippy", "no lint has anything to say", toolchain::clippy),
    Step::new("build", "the tests and the carom command compile", toolchain::build),
    Step::new("tests", "all tests pass", toolchain::tests).after("build"),
    Step::new("doctests", "examples in the documentation work", toolchain::doctests).after("build"),
    Step::new("docs", "the documentation builds without warnings", toolchain::docs).after("build"),
    Step::new("bench", "the benchmarks compile", toolchain::bench).after("build"),
    Step::new("parts", "carom mass answers for every part", programs::parts).after("build"),
    Step::new(
        "scenes",
        "every scene meets its expectations and passes its audit",
        programs::scenes,
    )
    .after("build"),
    Step::new("examples", "every example measures what it predicts", programs::examples)
        .after("build"),
    Step::new("book", "the manual's links lead somewhere and its blocks run", book::check)
        .after("build"),
    Step::new("page", "the page of the viewer works in a browser", page::check).after("build"),
    Step::new("gltf", "exported animations pass the validator of glTF", gltf::check).after("build"),
    Step::new("validate", "every row of carom validate holds", programs::validate).after("build"),
];

/// The names of all steps.
pub(crate) fn names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_needs_come_earlier() {
        for (i, step) in STEPS.iter().enumerate() {
            let earlier: Vec<&str> = STEPS[..i].iter().map(|step| step.name).collect();
            assert!(!earlier.contains(&step.name), "{} stands twice", step.name);
            if let Some(needed) = step.needs {
                assert!(earlier.contains(&needed), "{} needs {needed} too early", step.name);
            }
        }
    }
}
