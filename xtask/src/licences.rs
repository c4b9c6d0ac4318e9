//! Every dependency may be used and passed on under terms that suit the project.

use anyhow::Result;

use crate::metadata::{Metadata, Package};
use crate::notices;
use crate::process::Project;
use crate::spdx;
use crate::tally::Outcome;

/// Licences that ask for no more than a notice, and MPL-2.0, which reaches into its own files only (rhai keeps its
/// texts in a crate under it). Anything that reaches into the code around it is left out.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "MPL-2.0+",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The step.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let metadata = Metadata::read(project)?;
    let mut problems: Vec<String> = metadata.packages.iter().filter_map(licence_problem).collect();
    problems.extend(source_problems(&metadata.packages));
    problems.extend(notices::problem(project, &metadata)?);
    Ok(Outcome::of_problems(&problems))
}

fn is_allowed(licence: &str) -> bool {
    ALLOWED.contains(&licence)
}

fn licence_problem(package: &Package) -> Option<String> {
    let Package { name, version, license, .. } = package;
    let Some(expression) = license else {
        return Some(format!(
            "{name} {version} states no licence expression\n\
             hint: use another crate, or ask its authors to state one"
        ));
    };
    match spdx::is_satisfied(expression, &is_allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!(
            "{name} {version} is licensed `{expression}`, which the allowed licences do not satisfy\n\
             hint: use another crate (`cargo tree --invert {name}` shows who needs it), or add the \
             licence to ALLOWED in xtask/src/licences.rs if the project can live with it"
        )),
        Err(error) => Some(format!(
            "{name} {version} has the licence expression `{expression}`: {error:#}\n\
             hint: use another version of the crate, or correct xtask/src/spdx.rs"
        )),
    }
}

/// Dependencies come from one registry or lie in the project: no repositories, no second registry.
fn source_problems(packages: &[Package]) -> Vec<String> {
    let mut first_registry = None;
    let mut problems = Vec::new();
    for Package { name, version, source, .. } in packages {
        let Some(source) = source else { continue };
        let is_registry = source.starts_with("registry+") || source.starts_with("sparse+");
        if !is_registry || *first_registry.get_or_insert(source) != source {
            problems.push(format!(
                "{name} {version} comes from {source}\n\
                 hint: depend on a version published in the registry that the others come from"
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(license: Option<&str>, source: Option<&str>) -> Package {
        let json = serde_json::json!({
            "id": "x", "name": "bolt", "version": "1.2.3",
            "license": license, "source": source, "dependencies": [],
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_refusal_names_crate_expression_and_remedy() {
        let problem = licence_problem(&package(Some("GPL-3.0-only"), None)).unwrap();
        for part in ["bolt 1.2.3", "`GPL-3.0-only`", "hint:"] {
            assert!(problem.contains(part), "`{part}` is missing in: {problem}");
        }
    }

    #[test]
    fn common_licences_pass_and_none_is_refused() {
        assert_eq!(licence_problem(&package(Some("MIT OR Apache-2.0"), None)), None);
        assert!(licence_problem(&package(None, None)).is_some());
    }

    #[test]
    fn only_one_registry_and_paths_are_sources() {
        let one = package(Some("MIT"), Some("registry+https://one.example"));
        let own = package(Some("MIT"), None);
        let two = package(Some("MIT"), Some("sparse+https://two.example"));
        let git = package(Some("MIT"), Some("git+https://one.example/bolt"));
        assert_eq!(source_problems(&[own, one]).len(), 0);
        let one = package(Some("MIT"), Some("registry+https://one.example"));
        assert_eq!(source_problems(&[one, two, git]).len(), 2);
    }
}
