//! Notices of everything that is linked into the `carom` command, as `carom licenses` prints them.
//!
//! They follow from the dependency graph: every package that `carom-cli` needs in an ordinary way on any platform, with the
//! texts that lie in its package. The file is generated and compiled in; the step `licences` fails when it is not what
//! the graph gives. Texts that differ in white space only are one text. Who may choose between MIT and Apache-2.0 gets
//! the former, which is shorter and asks for no more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::metadata::{Metadata, Package};
use crate::process::Project;

/// The generated file, from the root.
pub(crate) const FILE: &str = "crates/carom-cli/notices.txt";

/// The package whose dependencies count.
const PROGRAM: &str = "carom-cli";

/// How names of files with terms begin, in small letters.
const NAMES: [&str; 7] =
    ["license", "licence", "unlicense", "copying", "copyright", "notice", "ofl"];

/// What the MIT licence and the Apache licence say and others do not.
const MIT: &str = "Permission is hereby granted, free of charge";
const APACHE: &str = "Version 2.0, January 2004";

const HEADER: &str = "\
carom is made with the packages below. A number in brackets is that of the text under whose terms a package is passed
on. Where a package may be had under the MIT or under the Apache licence, it is the former.
";

/// Writes the file.
pub(crate) fn write(project: &Project) -> Result<()> {
    let text = text(project, &Metadata::read(project)?)?;
    fs::write(project.root.join(FILE), text).with_context(|| format!("cannot write {FILE}"))
}

/// What is wrong with the file, if anything.
pub(crate) fn problem(project: &Project, metadata: &Metadata) -> Result<Option<String>> {
    let found = fs::read_to_string(project.root.join(FILE)).unwrap_or_default();
    let is_current = found.replace("\r\n", "\n") == text(project, metadata)?;
    Ok((!is_current).then(|| {
        format!(
            "{FILE} is not what the dependencies ask for\nhint: `cargo xtask notices` writes it"
        )
    }))
}

/// The whole file.
fn text(project: &Project, metadata: &Metadata) -> Result<String> {
    let mut packages = metadata.needed_by(PROGRAM);
    packages.retain(|package| package.source.is_some());
    if packages.is_empty() {
        bail!("{PROGRAM} has no dependencies, which cannot be");
    }
    packages.sort_by_key(|package| (&package.name, &package.version));
    let mut texts = Texts::default();
    let mut list = String::new();
    for package in packages {
        let numbers: BTreeSet<usize> =
            terms(project, package)?.into_iter().map(|it| texts.number(package, it)).collect();
        let numbers: Vec<String> = numbers.iter().map(|number| format!("[{number}]")).collect();
        let licence = package.license.as_deref().unwrap_or("no licence");
        let Package { name, version, .. } = package;
        list += &format!("{name} {version}: {licence} {}\n", numbers.join(" "));
    }
    Ok(format!("{HEADER}\n{list}{}", texts.to_text()))
}

/// Texts, each once.
#[derive(Default)]
struct Texts {
    /// The number of each, by its words.
    numbers: BTreeMap<String, usize>,
    /// Each with who has it.
    texts: Vec<(String, Vec<String>)>,
}

impl Texts {
    fn number(&mut self, package: &Package, text: String) -> usize {
        let words: Vec<&str> = text.split_whitespace().collect();
        let texts = &mut self.texts;
        let number = *self.numbers.entry(words.join(" ")).or_insert_with(|| {
            texts.push((text, Vec::new()));
            texts.len()
        });
        let (_, owners) = &mut self.texts[number - 1];
        let owner = format!("{} {}", package.name, package.version);
        if !owners.contains(&owner) {
            owners.push(owner);
        }
        number
    }

    fn to_text(&self) -> String {
        let numbered = self.texts.iter().zip(1..);
        let entry = |((text, owners), number): (&(String, Vec<String>), usize)| {
            format!("\n{}\n[{number}] {}\n\n{text}", "=".repeat(80), owners.join(", "))
        };
        numbered.map(entry).collect()
    }
}

/// The texts that go with a package; one without any gets that of its licence with its authors' names. What a folder in it
/// comes with, such as fonts, has terms of its own.
fn terms(project: &Project, package: &Package) -> Result<Vec<String>> {
    let manifest = package.manifest_path.as_deref().unwrap_or_default();
    let folder = Path::new(manifest).parent().unwrap_or(Path::new(""));
    let own = texts_in(folder).with_context(|| format!("cannot read {}", package.name))?;
    let own = chosen(package.license.as_deref().unwrap_or_default(), own);
    let mut texts = if own.is_empty() { vec![standard(project, package)?] } else { own };
    for (path, is_folder) in entries(folder)? {
        if is_folder {
            texts.extend(texts_in(&path)?);
        }
    }
    Ok(texts)
}

/// What lies in a folder, by name, and whether it is a folder.
fn entries(folder: &Path) -> Result<Vec<(PathBuf, bool)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        entries.push((entry.path(), entry.file_type()?.is_dir()));
    }
    entries.sort();
    Ok(entries)
}

/// The files with terms in a folder.
fn texts_in(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for (path, is_folder) in entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_source = path.extension().is_some_and(|ending| ending == "rs");
        if !is_folder && !is_source && NAMES.iter().any(|start| name.starts_with(start)) {
            texts.push(tidy(&String::from_utf8_lossy(&fs::read(&path)?)));
        }
    }
    Ok(texts)
}

/// Without the Apache licence, where the MIT licence is there to be chosen instead.
fn chosen(expression: &str, mut texts: Vec<String>) -> Vec<String> {
    let may_choose = expression.contains("MIT") && !expression.contains("AND");
    if may_choose && texts.iter().any(|text| text.contains(MIT)) {
        texts.retain(|text| text.contains(MIT) || !text.contains(APACHE));
    }
    texts.retain(|text| !text.trim().is_empty());
    texts
}

/// The common text of a package's licence.
fn standard(project: &Project, package: &Package) -> Result<String> {
    let expression = package.license.as_deref().unwrap_or_default();
    let read = |name: &str| {
        fs::read_to_string(project.root.join(name)).with_context(|| format!("cannot read {name}"))
    };
    let who = match package.authors.as_slice() {
        [] => format!("the authors of {}", package.name),
        authors => authors.join(", "),
    };
    if expression.contains("MIT") {
        let text = read("LICENSE-MIT")?;
        let start = text.find(MIT).context("LICENSE-MIT is not the MIT licence")?;
        return Ok(tidy(&format!("MIT License\n\nCopyright (c) {who}\n\n{}", &text[start..])));
    }
    if expression.contains("Apache-2.0") {
        return Ok(tidy(&format!("Copyright {who}\n\n{}", read("LICENSE-APACHE")?)));
    }
    bail!(
        "{} {} has no text of its licence `{expression}`\nhint: add one to xtask/src/notices.rs",
        package.name,
        package.version
    )
}

/// Lines without what cannot be seen at their ends, and none that are empty around the whole.
fn tidy(text: &str) -> String {
    let plain = |line: &str| -> String {
        let shown = line.chars().filter(|c| !c.is_control() || *c == '\t');
        shown.collect::<String>().replace('\t', "    ").trim_end().to_owned()
    };
    let lines: Vec<String> = text.trim_start_matches('\u{feff}').lines().map(plain).collect();
    format!("{}\n", lines.join("\n").trim_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str) -> Package {
        let json = serde_json::json!({
            "id": name, "name": name, "version": "1.0.0", "license": "MIT", "dependencies": [],
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn texts_that_differ_in_white_space_only_are_kept_once() {
        let mut texts = Texts::default();
        assert_eq!(texts.number(&package("a"), "do what\nyou like\n".to_owned()), 1);
        assert_eq!(texts.number(&package("b"), "or not\n".to_owned()), 2);
        assert_eq!(texts.number(&package("c"), "do  what you like\n".to_owned()), 1);
        let text = texts.to_text();
        assert!(text.contains("[1] a 1.0.0, c 1.0.0\n\ndo what\nyou like\n"), "{text}");
        assert_eq!(text.matches("you like").count(), 1);
    }

    #[test]
    fn the_apache_licence_is_left_out_only_where_there_is_a_choice() {
        let texts = || vec![format!("Apache License {APACHE}"), MIT.to_owned(), "x".to_owned()];
        assert_eq!(chosen("MIT OR Apache-2.0", texts()), [MIT, "x"]);
        assert_eq!(chosen("MIT AND Apache-2.0", texts()).len(), 3);
        assert_eq!(chosen("Apache-2.0", texts()).len(), 3);
        assert_eq!(chosen("MIT OR Apache-2.0", vec![APACHE.to_owned()]).len(), 1);
    }

    #[test]
    fn lines_end_where_their_letters_do() {
        assert_eq!(tidy("\u{feff}\r\n a \t\r\nb\u{c}\n\n"), " a\nb\n");
    }
}
