//! The page of the viewer, built by npm; the next build of the program takes it in.
//!
//! Nothing else uses the network for it: a build of the program takes what lies in `viewer/dist`, or goes without.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::{self, Answer, Project};
use crate::tally::{Counts, Outcome};

/// Where the page lies.
const FOLDER: &str = "viewer";

/// The oldest node that its tools work with.
const LEAST_NODE: [u32; 2] = [20, 19];

/// The step.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let folder = project.root.join(FOLDER);
    let mut node = project.command("node");
    node.arg("--version");
    let Ok(answer) = process::ask(node) else {
        let notes = vec!["nothing to build with: there is no node".to_owned()];
        return Ok(Outcome { notes, ..Outcome::default() });
    };
    if let Some(problem) = node_problem(&answer.stdout) {
        return Ok(failed(problem));
    }
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    for arguments in [&install[..], &["run", "build"]] {
        let Answer { success, stdout, stderr, command } = npm(project, &folder, arguments)?;
        if !success {
            return Ok(failed(format!("{command}\n{stdout}{stderr}")));
        }
    }
    let notices = folder.join("dist/notices.txt");
    fs::write(&notices, notices_of(&folder)?)
        .with_context(|| format!("cannot write {}", notices.display()))?;
    let output = format!("{FOLDER}/dist is built; the next build of carom takes it in\n");
    Ok(Outcome { counts: Counts::PASSED, output, ..Outcome::default() })
}

fn failed(output: String) -> Outcome {
    Outcome { counts: Counts::FAILED, output: output + "\n", ..Outcome::default() }
}

fn npm(project: &Project, folder: &Path, arguments: &[&str]) -> Result<Answer> {
    let mut npm = project.command("npm");
    npm.args(arguments).current_dir(folder);
    process::ask(npm)
}

/// The packages that the page is made with, under their terms; they travel with the page.
fn notices_of(folder: &Path) -> Result<String> {
    let read = |path: &Path| {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
        text.and_then(|it| Ok(serde_json::from_str::<Value>(&it)?))
    };
    let page = read(&folder.join("package.json"))?;
    let packages = page["dependencies"].as_object().context("the page has no dependencies")?;
    let mut text = "The page of the viewer is made with the packages below.\n".to_owned();
    for name in packages.keys() {
        let place = folder.join("node_modules").join(name);
        let package = read(&place.join("package.json"))?;
        let [version, licence] =
            ["version", "license"].map(|key| package[key].as_str().unwrap_or("?"));
        let terms = fs::read_to_string(place.join("LICENSE"))
            .with_context(|| format!("{name} comes without a file LICENSE"))?;
        text += &format!("\n{}\n{name} {version}: {licence}\n\n{terms}", "=".repeat(80));
    }
    Ok(text)
}

/// What is wrong with a node of that version.
fn node_problem(version: &str) -> Option<String> {
    let numbers = version.trim().trim_start_matches('v').split('.');
    let numbers: Vec<u32> = numbers.map_while(|it| it.parse().ok()).collect();
    let [major, minor] = LEAST_NODE;
    let is_old = numbers.len() < 2 || [numbers[0], numbers[1]] < LEAST_NODE;
    is_old.then(|| {
        format!(
            "node {} is too old for the tools of the page\nhint: install node {major}.{minor} or newer",
            version.trim()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::node_problem;

    #[test]
    fn a_node_that_is_too_old_is_named() {
        assert_eq!([node_problem("v20.19.0\n"), node_problem("v22.1.0")], [None, None]);
        let told = node_problem("v18.20.4\n").expect("it is too old");
        assert!(told.contains("node v18.20.4 is too old") && told.contains("20.19"), "{told}");
    }
}
