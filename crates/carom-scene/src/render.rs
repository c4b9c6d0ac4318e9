//! Problems as people read them: the line, the place underlined, what to do.
//!
//! The look is that of the Rust compiler, drawn by its own library. It panics on places outside the text, so
//! places are brought inside first; and it reads the whole text for every problem, so it is handed only the
//! lines from the first to the last place of a file.

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::problem::{FileId, Place, Problem, Problems, Severity, SourceFile, Sources};

/// Places of one file that lie farther apart than this many bytes are shown apart.
const FAR_APART: usize = 1 << 14;

/// Of longer lines `[byte]` only the number is shown: drawing takes time in proportion.
const LONGEST_TEXT: usize = 1 << 15;

/// Longest message, label and hint `[character]`; a name may have any length.
const LONGEST_WORDS: [usize; 3] = [500, 200, 2000];

pub(crate) fn render(problems: &Problems, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for problem in problems {
        text.push_str(&trimmed(&renderer.render(&[group(problem, problems.sources())])));
        text.push('\n');
    }
    text.push_str(&summary(problems));
    text
}

/// "2 errors, 1 warning".
fn summary(problems: &Problems) -> String {
    let (errors, warnings) = problems.counts();
    let count = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let counts: Vec<String> =
        [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    let mut text = counts.join(", ");
    if problems.n_left_out() > 0 {
        text.push_str(&format!("; the last {} are not shown", problems.n_left_out()));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn group<'a>(problem: &'a Problem, sources: &'a Sources) -> Group<'a> {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let [longest_message, longest_label, longest_hint] = LONGEST_WORDS;
    let mut group = Group::with_title(level.primary_title(cut(&problem.message, longest_message)));
    for excerpt in excerpts(problem, sources) {
        if excerpt.text.len() > LONGEST_TEXT {
            group = group.element(origin(&excerpt));
            continue;
        }
        let mut snippet = Snippet::source(excerpt.text).path(excerpt.name).line_start(excerpt.line);
        for mark in excerpt.marks {
            let kind =
                if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let mut annotation = kind.span(mark.start..mark.end);
            if !mark.label.is_empty() {
                annotation = annotation.label(cut(mark.label, longest_label));
            }
            snippet = snippet.annotation(annotation);
        }
        group = group.element(snippet);
    }
    match &problem.hint {
        Some(hint) => group.element(Level::HELP.message(wrapped(&cut(hint, longest_hint)))),
        None => group,
    }
}

/// File, line and column alone.
fn origin<'a>(excerpt: &Excerpt<'a>) -> Origin<'a> {
    let at = excerpt.marks.first().map_or(0, |mark| mark.start);
    let before = &excerpt.text[..at];
    let line = excerpt.line + before.matches('\n').count();
    let column = 1 + before[line_start(before, at)..].chars().count();
    Origin::path(excerpt.name).line(line).char_column(column)
}

/// A text of bounded length.
fn cut(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

struct Excerpt<'a> {
    file: FileId,
    name: &'a str,
    /// Bytes of the file that are shown.
    start: usize,
    end: usize,
    line: usize,
    text: &'a str,
    marks: Vec<Mark<'a>>,
}

struct Mark<'a> {
    start: usize,
    end: usize,
    label: &'a str,
    is_primary: bool,
}

/// The pieces of text to show, the problem's own first.
fn excerpts<'a>(problem: &'a Problem, sources: &'a Sources) -> Vec<Excerpt<'a>> {
    let own = problem.place.map(|place| (place, problem.label.as_str(), true));
    let others = problem.related.iter().map(|(place, label)| (*place, label.as_str(), false));
    let mut excerpts: Vec<Excerpt<'_>> = Vec::new();
    for (place, label, is_primary) in own.into_iter().chain(others) {
        let Some(source) = sources.get(place.file) else { continue };
        let (start, end) = inside(source, place);
        let mark = Mark { start, end, label, is_primary };
        let near = |excerpt: &&mut Excerpt<'_>| {
            excerpt.file == place.file
                && start + FAR_APART > excerpt.start
                && start < excerpt.end + FAR_APART
        };
        if let Some(excerpt) = excerpts.iter_mut().find(near) {
            excerpt.start = excerpt.start.min(line_start(&source.text, start));
            excerpt.end = excerpt.end.max(line_end(&source.text, end));
            excerpt.marks.push(mark);
        } else {
            let (start, end) = (line_start(&source.text, start), line_end(&source.text, end));
            let file = place.file;
            excerpts.push(Excerpt {
                file,
                name: &source.name,
                start,
                end,
                line: 1,
                text: "",
                marks: vec![mark],
            });
        }
    }
    for excerpt in &mut excerpts {
        let Some(source) = sources.get(excerpt.file) else { continue };
        excerpt.text = &source.text[excerpt.start..excerpt.end];
        excerpt.line = 1 + source.text[..excerpt.start].matches('\n').count();
        for mark in &mut excerpt.marks {
            mark.start -= excerpt.start;
            mark.end -= excerpt.start;
        }
    }
    excerpts
}

/// The place within its text, at whole characters, and cut at the end of its first line.
fn inside(source: &SourceFile, place: Place) -> (usize, usize) {
    let text = &source.text;
    let start = text.floor_char_boundary(place.span.start as usize);
    let end = text.ceil_char_boundary(place.span.end as usize).max(start);
    (start, end.min(line_end(text, start)).max(start))
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// End of the line, before its line break.
fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    if end > at && text.as_bytes()[end - 1] == b'\r' { end - 1 } else { end }
}

/// Broken into lines that fit a terminal beside the margin; what stands in backticks stays whole.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 88;
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in words(paragraph) {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Split at blanks outside backticks.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    text.split(move |c: char| {
        is_quoted ^= c == '`';
        c == ' ' && !is_quoted
    })
}

/// Without blanks at the ends of lines.
fn trimmed(text: &str) -> String {
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}
