//! The gallery: every built-in scene with its picture, the numbers that prove it, and the commands.
//!
//! What is expected, and from where, the program lists without a run; what came out needs one. The checks compare everything but
//! what came out.

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;

use super::markdown::{escaped, head, number, row};
use super::shots::SHOTS;

/// Digits of the numbers.
const DIGITS: usize = 7;

/// Columns of the numbers; the second holds what came out.
const COLUMNS: [&str; 4] = ["what", "got", "expected", "from"];

/// A scene as `carom scenes --json` lists it.
#[derive(Debug, Deserialize)]
pub(crate) struct Listed {
    pub(crate) name: String,
    title: String,
    description: String,
    expectations: Vec<Promised>,
}

/// A number that a scene promises.
#[derive(Debug, Deserialize)]
struct Promised {
    what: String,
    /// A number, or the ends between which it must lie.
    expected: Value,
    tolerance: f64,
    source: String,
    /// Whether it is one of those that prove the scene.
    proof: bool,
}

/// The gallery without its first line. `run` gives what `carom run SCENE --json` prints; null leaves out what came out.
pub(crate) fn page(
    scenes: &[Listed],
    mut run: impl FnMut(&str) -> Result<Value>,
) -> Result<String> {
    let mut text = format!(
        "# Gallery\n\nThe {} scenes that come with the program. Each states the numbers that prove it and checks them on \
         every run; some of them stand below its picture, as a run printed them. The text of a scene is in the folder \
         `scenes` of the project, and says at its head what to see and where the numbers come from.\n\n",
        scenes.len()
    );
    for scene in scenes {
        let findings = run(&scene.name)?;
        text += &section(scene, &findings)?;
    }
    Ok(text.trim_end().to_owned() + "\n")
}

fn section(scene: &Listed, findings: &Value) -> Result<String> {
    let name = &scene.name;
    let shot = SHOTS.iter().find(|shot| shot.scene == name);
    let shot = shot.with_context(|| format!("{name} has no line in xtask/src/book/shots.rs"))?;
    let (title, description) = (escaped(&scene.title), escaped(&scene.description));
    let mut text = format!("## {title}\n\n{description}\n\n![{title}](pictures/{name}.png)\n\n");
    text += &format!("```sh,long\ncarom run {name}\n{}\n```\n\n", shot.command());
    text += &head(&COLUMNS);
    let proofs = || scene.expectations.iter().enumerate().filter(|(_, it)| it.proof);
    anyhow::ensure!(proofs().next().is_some(), "{name} has no expectation with proof = true");
    for (index, promised) in proofs() {
        let got = findings.pointer(&format!("/expectations/{index}/got")).and_then(Value::as_f64);
        let got = got.map_or_else(String::new, |value| number(value, DIGITS));
        let (what, from) = (escaped(&promised.what), escaped(&promised.source));
        text += &row(&[what, got, expected(promised), from]);
    }
    let others = scene.expectations.len() - proofs().count();
    text += &match others {
        0 => "\n".to_owned(),
        1 => "\nAnd one more.\n\n".to_owned(),
        n => format!("\nAnd {n} more.\n\n"),
    };
    Ok(text)
}

/// The value with its tolerance, or the bounds.
fn expected(promised: &Promised) -> String {
    let short = |value: f64| number(value, DIGITS);
    let off = match promised.tolerance {
        0.0 => String::new(),
        off => format!(" ± {}", number(off, 2)),
    };
    let end = |i: usize| promised.expected.get(i).and_then(Value::as_f64);
    match (promised.expected.as_f64(), end(0), end(1)) {
        (Some(value), _, _) => format!("{}{off}", short(value)),
        (None, Some(least), Some(most)) => format!("{} to {}{off}", short(least), short(most)),
        (None, Some(least), None) => format!("at least {}{off}", short(least)),
        (None, None, Some(most)) => format!("at most {}{off}", short(most)),
        (None, None, None) => String::new(),
    }
}

/// The page without what came out, for comparing.
pub(crate) fn without_results(page: &str) -> String {
    let mut text = String::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split(" | ").collect();
        match cells.as_slice() {
            [what, _, expected, from] if line.starts_with("| ") => {
                text += &format!("{what} | {expected} | {from}");
            }
            _ => text += line,
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_do_not_count_when_pages_are_compared() {
        let with = "| a | 1.5 | 2 ± 1 | b |\nx\n";
        assert_eq!(without_results(with), without_results("| a |  | 2 ± 1 | b |\nx\n"));
        assert_ne!(without_results(with), without_results("| a |  | 2 ± 2 | b |\nx\n"));
    }

    #[test]
    fn expectations_are_told_with_their_bounds() {
        let told = |expected_value: Value, tolerance: f64| {
            let (what, source) = (String::new(), String::new());
            expected(&Promised { what, expected: expected_value, tolerance, source, proof: true })
        };
        assert_eq!(told(json!(0.5), 1e-6), "0.5 ± 1e-6");
        assert_eq!(told(json!([3.0, null]), 0.0), "at least 3");
        assert_eq!(told(json!([null, 0.02]), 0.0), "at most 0.02");
        assert_eq!(told(json!([1, 2]), 0.0), "1 to 2");
    }
}
