//! Links of the manual and of the documents at the root: each leads to a file, a page and a heading that exist.
//!
//! Links within the manual stay within it, since nothing else is there when it is published. Pages that the table of contents
//! leaves out, and pictures that nobody shows, are mistakes too.

use std::collections::BTreeSet;
use std::fs;

use anyhow::Result;

use super::page::{Page, files_in};
use super::{SOURCE, SUMMARY};
use crate::process::Project;

/// Documents at the root that are read by whoever opens the project.
const DOCUMENTS: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// The folder of pictures in the manual.
const PICTURES: &str = "pictures/";

/// Everything that is wrong with links; also how many were followed.
pub(crate) fn check(project: &Project, pages: &[Page]) -> Result<(usize, Vec<String>)> {
    let files: BTreeSet<String> = files_in(&project.root.join(SOURCE))?.into_iter().collect();
    let mut followed = 0;
    let mut problems = Vec::new();
    let mut shown = BTreeSet::new();
    for page in pages {
        for link in page.links() {
            followed += 1;
            match resolve(page.folder(), &link.target) {
                Target::Elsewhere => {}
                Target::Outside => problems.push(format!(
                    "{SOURCE}/{}:{}: `{}` leads out of the book\nhint: name the file in words",
                    page.path, link.line, link.target
                )),
                Target::File { path, anchor } => {
                    let path = path.unwrap_or_else(|| page.path.clone());
                    let problem = missing(&path, anchor.as_deref(), &files, pages);
                    problems.extend(problem.map(|what| {
                        format!("{SOURCE}/{}:{}: `{}` {what}", page.path, link.line, link.target)
                    }));
                    shown.insert(path);
                }
            }
        }
    }
    problems.extend(summary_problems(pages));
    let (more, found) = of_documents(project, &mut shown)?;
    problems.extend(found);
    let is_orphan = |file: &&String| file.starts_with(PICTURES) && !shown.contains(*file);
    problems.extend(
        files.iter().filter(is_orphan).map(|file| {
            format!("{SOURCE}/{file} is shown on no page\nhint: show it, or remove it")
        }),
    );
    Ok((followed + more, problems))
}

/// Links of the documents at the root, which may lead anywhere in the project.
fn of_documents(project: &Project, shown: &mut BTreeSet<String>) -> Result<(usize, Vec<String>)> {
    let mut followed = 0;
    let mut problems = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(project.root.join(document))?;
        let page = Page { path: document.to_owned(), text };
        for link in page.links() {
            followed += 1;
            let Target::File { path, anchor } = resolve("", &link.target) else { continue };
            let path = path.unwrap_or_else(|| document.to_owned());
            let leads = project.root.join(&path).exists();
            let has_anchor =
                anchor.is_none_or(|anchor| path != document || page.anchors().contains(&anchor));
            if !leads || !has_anchor {
                problems.push(format!("{document}:{}: `{}` leads nowhere", link.line, link.target));
            }
            shown.extend(path.strip_prefix(SOURCE).map(|path| path.trim_start_matches('/').into()));
        }
    }
    Ok((followed, problems))
}

/// Pages that the table of contents leaves out or names twice.
fn summary_problems(pages: &[Page]) -> Vec<String> {
    let Some(summary) = pages.iter().find(|page| page.path == SUMMARY) else {
        return vec![format!("{SOURCE}/{SUMMARY} is missing")];
    };
    let listed: Vec<String> = summary.links().into_iter().map(|link| link.target).collect();
    pages
        .iter()
        .filter(|page| page.path != SUMMARY)
        .filter_map(|page| match listed.iter().filter(|path| **path == page.path).count() {
            1 => None,
            0 => Some(format!("{SOURCE}/{} is not in {SUMMARY}\nhint: give it a line", page.path)),
            n => Some(format!("{SOURCE}/{} is {n} times in {SUMMARY}", page.path)),
        })
        .collect()
}

/// What does not exist of a file and an anchor in it.
fn missing(
    path: &str,
    anchor: Option<&str>,
    files: &BTreeSet<String>,
    pages: &[Page],
) -> Option<String> {
    if !files.contains(path) {
        return Some(format!("leads nowhere: there is no {path}"));
    }
    let anchor = anchor?;
    let page = pages.iter().find(|page| page.path == path)?;
    let known = page.anchors();
    (!known.iter().any(|one| one == anchor))
        .then(|| format!("leads to no heading\nhint: {path} has #{}", known.join(", #")))
}

/// Where a link leads.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// To another site.
    Elsewhere,
    /// Above the folder of the pages.
    Outside,
    /// To a file, none being the page itself, and perhaps a heading.
    File { path: Option<String>, anchor: Option<String> },
}

fn resolve(folder: &str, target: &str) -> Target {
    if target.contains("://") || target.starts_with("mailto:") {
        return Target::Elsewhere;
    }
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (target, None),
    };
    if path.is_empty() {
        return Target::File { path: None, anchor };
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Target::Outside;
                }
            }
            part => parts.push(part),
        }
    }
    Target::File { path: Some(parts.join("/")), anchor }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, anchor: Option<&str>) -> Target {
        Target::File { path: Some(path.to_owned()), anchor: anchor.map(str::to_owned) }
    }

    #[test]
    fn targets_are_found_from_the_page() {
        assert_eq!(resolve("theory", "../start.md#run"), file("start.md", Some("run")));
        assert_eq!(resolve("theory", "mass.md"), file("theory/mass.md", None));
        assert_eq!(resolve("", "../README.md"), Target::Outside);
        assert_eq!(resolve("", "https://example.org/a"), Target::Elsewhere);
        assert_eq!(resolve("a", "#b"), Target::File { path: None, anchor: Some("b".to_owned()) });
    }

    #[test]
    fn lost_files_and_headings_are_told() {
        let pages = [Page::of("a.md", "# One\n"), Page::of("b.md", "")];
        let files = pages.iter().map(|page| page.path.clone()).collect();
        assert_eq!(missing("a.md", Some("one"), &files, &pages), None);
        let told = missing("a.md", Some("two"), &files, &pages).unwrap();
        assert!(told.contains("a.md has #one"), "{told}");
        assert!(missing("c.md", None, &files, &pages).unwrap().contains("no c.md"));
    }

    #[test]
    fn pages_outside_the_table_of_contents_are_told() {
        let pages =
            [Page::of(SUMMARY, "- [A](a.md)\n"), Page::of("a.md", ""), Page::of("b.md", "")];
        let problems = summary_problems(&pages);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("b.md is not in"), "{problems:?}");
    }
}
