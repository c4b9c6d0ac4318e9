//! A page of the manual, read as far as the checks need it: its fenced blocks, links and anchors.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// A Markdown file below a folder.
#[derive(Debug)]
pub(crate) struct Page {
    /// From the folder, with `/` on every platform.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    /// Line of the opening fence, counted from 1.
    pub(crate) line: usize,
    /// The first word after the fence; empty where there is none.
    pub(crate) language: &'a str,
    /// Further words after it, such as `part`.
    pub(crate) marks: Vec<&'a str>,
    pub(crate) lines: Vec<&'a str>,
}

/// Where a link leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) line: usize,
    pub(crate) target: String,
}

impl Page {
    #[cfg(test)]
    pub(crate) fn of(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// All pages below a folder, sorted by path.
    pub(crate) fn all_in(folder: &Path) -> Result<Vec<Self>> {
        let mut pages = Vec::new();
        for path in files_in(folder)? {
            if Path::new(&path).extension().is_some_and(|ending| ending == "md") {
                let text = fs::read_to_string(folder.join(&path))
                    .with_context(|| format!("cannot read {path}"))?;
                pages.push(Self { path, text });
            }
        }
        Ok(pages)
    }

    /// The folder that the page lies in, relative like its path; empty at the top.
    pub(crate) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Fenced blocks in order; one without end reaches to the end of the page.
    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks: Vec<Block<'_>> = Vec::new();
        let mut open: Option<usize> = None;
        for (i, line) in self.text.lines().enumerate() {
            match open {
                None => {
                    if let Some((ticks, words)) = fence(line) {
                        let mut words = words.split(',').map(str::trim);
                        let language = words.next().unwrap_or_default();
                        let marks = words.collect();
                        blocks.push(Block { line: i + 1, language, marks, lines: Vec::new() });
                        open = Some(ticks);
                    }
                }
                Some(ticks) => match fence(line) {
                    Some((closing, "")) if closing >= ticks => open = None,
                    _ => {
                        if let Some(block) = blocks.last_mut() {
                            block.lines.push(line);
                        }
                    }
                },
            }
        }
        blocks
    }

    /// Lines outside fenced blocks with their numbers, code spans blanked out.
    fn prose(&self) -> Vec<(usize, String)> {
        let mut lines = Vec::new();
        let mut open: Option<usize> = None;
        for (i, line) in self.text.lines().enumerate() {
            match (open, fence(line)) {
                (None, Some((ticks, _))) => open = Some(ticks),
                (Some(ticks), Some((closing, ""))) if closing >= ticks => open = None,
                (None, None) => lines.push((i + 1, without_code(line))),
                (Some(_), _) => {}
            }
        }
        lines
    }

    /// Links and pictures of the prose: `[text](target)`, `[name]: target` and `src="target"`, `href="target"`.
    pub(crate) fn links(&self) -> Vec<Link> {
        let mut links = Vec::new();
        for (line, text) in self.prose() {
            let mut push = |target: &str| {
                let target = target.split_whitespace().next().unwrap_or_default();
                let target = target.trim_start_matches('<').trim_end_matches('>').to_owned();
                links.push(Link { line, target });
            };
            for (at, _) in text.match_indices("](") {
                let rest = &text[at + 2..];
                push(&rest[..end_of_target(rest)]);
            }
            for mark in ["src=\"", "href=\""] {
                for (at, _) in text.match_indices(mark) {
                    push(text[at + mark.len()..].split('"').next().unwrap_or_default());
                }
            }
            if let Some((name, target)) = text.split_once("]: ")
                && name.starts_with('[')
                && !name.contains(']')
            {
                push(target);
            }
        }
        links
    }

    /// What can follow a `#` in links to this page, as mdBook makes it of headings.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut anchors = Vec::new();
        let mut open: Option<usize> = None;
        for line in self.text.lines() {
            match (open, fence(line)) {
                (None, Some((ticks, _))) => open = Some(ticks),
                (Some(ticks), Some((closing, ""))) if closing >= ticks => open = None,
                (None, None) => {
                    let Some(heading) = heading(line) else { continue };
                    let anchor = anchor_of(heading);
                    let times = seen.entry(anchor.clone()).or_default();
                    let again = *times;
                    *times += 1;
                    anchors.push(if again == 0 { anchor } else { format!("{anchor}-{again}") });
                }
                (Some(_), _) => {}
            }
        }
        anchors
    }
}

/// Ticks of a fence and what follows them; none for other lines.
fn fence(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start();
    let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
    let words = line[ticks..].trim();
    (ticks >= 3 && !words.contains('`')).then_some((ticks, words))
}

/// The text of a heading; none for other lines.
fn heading(line: &str) -> Option<&str> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&level).then(|| line[level..].strip_prefix(' ')).flatten().map(str::trim)
}

/// The anchor of a heading: its letters and digits in small, `-` for spaces; or the one it states as `{#name}`.
fn anchor_of(heading: &str) -> String {
    if let Some((_, stated)) = heading.rsplit_once("{#") {
        return stated.trim_end_matches('}').to_owned();
    }
    let mut anchor = String::new();
    for letter in without_targets(heading).chars() {
        if letter.is_alphanumeric() || letter == '_' || letter == '-' {
            anchor.extend(letter.to_lowercase());
        } else if letter.is_whitespace() {
            anchor.push('-');
        }
    }
    anchor
}

/// `[text](target)` as `text`.
fn without_targets(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        kept += before;
        rest = after.get(end_of_target(after) + 1..).unwrap_or_default();
    }
    kept + rest
}

/// Where the parenthesis closes that a target stands in.
fn end_of_target(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// A line whose code spans are blank.
fn without_code(line: &str) -> String {
    let mut kept = String::new();
    for (i, piece) in line.split('`').enumerate() {
        if i % 2 == 0 {
            kept += piece;
        } else {
            kept.push(' ');
        }
    }
    kept
}

/// Paths of all files below a folder, relative to it, sorted, with `/` on every platform.
pub(crate) fn files_in(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(prefix) = waiting.pop() {
        let here = folder.join(&prefix);
        let entries =
            fs::read_dir(&here).with_context(|| format!("cannot list {}", here.display()))?;
        for entry in entries {
            let entry = entry?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                waiting.push(path + "/");
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_language_marks_and_place() {
        let page =
            Page::of("a.md", "one\n```sh,long\ncarom run a\n\nx\n```\n````text\n```\n````\n");
        let blocks = page.blocks();
        assert_eq!(blocks.len(), 2, "{blocks:?}");
        assert_eq!((blocks[0].line, blocks[0].language), (2, "sh"));
        assert_eq!(blocks[0].marks, ["long"]);
        assert_eq!(blocks[0].lines, ["carom run a", "", "x"]);
        assert_eq!(blocks[1].lines, ["```"]);
    }

    #[test]
    fn links_are_found_outside_code() {
        let text = "[a](b.md#c) and `[x](y)` ![d](e_(1).png \"t\")\n\n[r]: f.md\n<img src=\"g.png\">\n\
                    ```text\n[no](no)\n```\n";
        let targets: Vec<String> =
            Page::of("a.md", text).links().into_iter().map(|link| link.target).collect();
        assert_eq!(targets, ["b.md#c", "e_(1).png", "f.md", "g.png"]);
    }

    #[test]
    fn anchors_are_those_of_mdbook() {
        let text = "# What it *is*\n## `[[body]]`\n## The [law](x.md) of e²\n## What it is\n\
                    ```sh\n# no\n```\n## Own {#mine}\n";
        let anchors = Page::of("a.md", text).anchors();
        assert_eq!(anchors, ["what-it-is", "body", "the-law-of-e²", "what-it-is-1", "mine"]);
    }
}
