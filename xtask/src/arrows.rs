//! Which crate of the workspace may use which.
//!
//! [`CRATES`] is the only place where this is written. A crate may use what its line names and all that
//! those crates may use in turn, so arrows point down only.

use anyhow::Result;

use crate::metadata::Metadata;
use crate::process::Project;
use crate::tally::Outcome;

/// The table: crate, what it builds on. A crate must stand below everything that it names.
const CRATES: &[(&str, &[&str])] = &[
    ("oracles", &[]),
    ("xtask", &[]),
    ("carom-geometry", &[]),
    ("carom-dynamics", &["carom-geometry"]),
    ("carom-contact", &["carom-dynamics"]),
    ("carom", &["carom-contact"]),
    ("carom-record", &["carom"]),
    ("carom-picture", &["carom-record"]),
    ("carom-scene", &["carom"]),
    ("carom-study", &["carom-scene", "carom-record", "oracles"]),
    ("carom-viewer", &["carom-study"]),
    ("carom-cli", &["carom-study", "carom-picture", "carom-viewer"]),
    ("carom-python", &["carom-study", "carom-viewer"]),
];

/// What the tests of any carom crate may use beside its own line.
const FOR_TESTS: &str = "oracles";

/// The crates that stand alone, in their tests too.
const ALONE: &[&str] = &["oracles", "xtask"];

/// The step.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let metadata = Metadata::read(project)?;
    let mut problems = Vec::new();
    let members: Vec<&str> = metadata.members().map(|package| package.name.as_str()).collect();
    for package in metadata.members() {
        let arrows = package
            .dependencies
            .iter()
            .filter(|dependency| members.contains(&dependency.name.as_str()))
            .map(|dependency| (dependency.name.as_str(), Use::of(dependency.kind.as_deref())));
        problems.extend(problems_of(&package.name, arrows));
    }
    Ok(Outcome::of_problems(&problems))
}

/// What a dependency is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Code,
    Tests,
}

impl Use {
    fn of(kind: Option<&str>) -> Self {
        if kind == Some("dev") { Self::Tests } else { Self::Code }
    }
}

/// What is wrong with the arrows that leave one crate.
fn problems_of<'a>(user: &str, arrows: impl Iterator<Item = (&'a str, Use)>) -> Vec<String> {
    if direct(user).is_none() {
        return vec![format!(
            "{user} is not in the table of crates\n\
             hint: give it a line in CRATES in xtask/src/arrows.rs, and one in ARCHITECTURE.md"
        )];
    }
    arrows
        .filter(|&(used, purpose)| !may_use(user, used, purpose))
        .map(|(used, _)| {
            format!(
                "{user} may not use {used}\n\
                 hint: move the code to a crate that may; a new arrow is a change of the design and \
                 starts in CRATES in xtask/src/arrows.rs"
            )
        })
        .collect()
}

fn may_use(user: &str, used: &str, purpose: Use) -> bool {
    let for_tests = purpose == Use::Tests && used == FOR_TESTS && !ALONE.contains(&user);
    for_tests || reaches(user, used)
}

/// True when `used` is named by the line of `user` or by a line below it.
fn reaches(user: &str, used: &str) -> bool {
    direct(user).unwrap_or_default().iter().any(|&below| below == used || reaches(below, used))
}

fn direct(name: &str) -> Option<&'static [&'static str]> {
    CRATES.iter().find(|(line, _)| *line == name).map(|(_, below)| *below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_only_lines_above_it() {
        for (i, (name, below)) in CRATES.iter().enumerate() {
            for used in *below {
                let above = CRATES[..i].iter().any(|(line, _)| line == used);
                assert!(above, "{name} names {used}, which does not stand above it");
            }
        }
    }

    #[test]
    fn arrows_point_down() {
        assert!(may_use("carom-study", "carom-geometry", Use::Code));
        assert!(may_use("carom-study", "oracles", Use::Code));
        assert!(may_use("carom-cli", "carom-study", Use::Code));
        assert!(!may_use("carom-geometry", "carom-study", Use::Code));
        assert!(!may_use("carom-geometry", "carom-study", Use::Tests));
        assert!(may_use("carom-viewer", "carom-study", Use::Code));
        assert!(!may_use("carom-viewer", "carom-picture", Use::Code));
    }

    #[test]
    fn oracles_serve_tests_everywhere_but_code_only_in_studies() {
        assert!(may_use("carom-geometry", "oracles", Use::Tests));
        assert!(!may_use("carom-geometry", "oracles", Use::Code));
        assert!(!may_use("carom", "oracles", Use::Code));
    }

    #[test]
    fn oracles_and_xtask_stand_alone() {
        assert!(!may_use("oracles", "carom-geometry", Use::Tests));
        assert!(!may_use("xtask", "carom-geometry", Use::Code));
        assert!(!may_use("xtask", "oracles", Use::Tests));
    }

    #[test]
    fn problems_name_both_ends_and_unknown_crates() {
        let arrows = [("oracles", Use::Code), ("oracles", Use::Tests)];
        let problems = problems_of("carom-geometry", arrows.into_iter());
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("carom-geometry may not use oracles\n"));
        let problems = problems_of("carom-new", [].into_iter());
        assert!(problems[0].contains("carom-new is not in the table"), "{problems:?}");
    }
}
