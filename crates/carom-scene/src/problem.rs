//! What is wrong with a scene, and where.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::render;

/// No reader goes through more problems than this; the rest are counted.
pub(crate) const MOST_PROBLEMS: usize = 200;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The scene cannot be run.
    Error,
    /// The scene can be run, but may not mean what its author thinks.
    Warning,
}

/// One of the files that a scene was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(pub(crate) u32);

/// A stretch of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A stretch of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which file.
    pub file: FileId,
    /// Which bytes of it.
    pub span: Span,
}

impl Place {
    pub(crate) fn new(file: FileId, range: std::ops::Range<usize>) -> Self {
        Self { file, span: Span { start: range.start as u32, end: range.end as u32 } }
    }
}

/// Something wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Where it is; none if it is about no text, such as a file that cannot be read.
    pub place: Option<Place>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// A few words to stand beside the underlined text; may be empty.
    pub label: String,
    /// What to do.
    pub hint: Option<String>,
    /// Other places that have to do with it, each with a few words.
    pub related: Vec<(Place, String)>,
}

impl Problem {
    /// An error at a place.
    pub fn error(place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, Some(place), message.into())
    }

    /// A warning at a place.
    pub fn warning(place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, Some(place), message.into())
    }

    /// An error that no text can be shown for.
    pub fn placeless(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, None, message.into())
    }

    fn new(severity: Severity, place: Option<Place>, message: String) -> Self {
        Self { severity, place, message, label: String::new(), hint: None, related: Vec::new() }
    }

    /// With words beside the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With another place to look at.
    #[must_use]
    pub fn related(mut self, place: Place, label: impl Into<String>) -> Self {
        self.related.push((place, label.into()));
        self
    }
}

/// A text that a scene was read from.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name as shown to people.
    pub name: String,
    /// What it says.
    pub text: Arc<str>,
}

/// All texts that a scene was read from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    pub(crate) fn add(&mut self, name: String, text: Arc<str>) -> FileId {
        self.files.push(SourceFile { name, text });
        FileId((self.files.len() - 1) as u32)
    }

    /// The text of a file.
    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    /// What stands at a place.
    pub fn excerpt(&self, place: Place) -> Option<&str> {
        self.get(place.file)?.text.get(place.span.start as usize..place.span.end as usize)
    }

    /// Line and column of a byte, both from 1, the column in characters.
    pub fn line_column(&self, file: FileId, byte: u32) -> Option<(usize, usize)> {
        let text = &self.get(file)?.text;
        let before = &text[..text.floor_char_boundary(byte as usize)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before[line_start..].chars().count();
        Some((line, column))
    }
}

/// A problem for machines: names and numbers instead of references.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// How bad it is.
    pub severity: Severity,
    /// Where it is.
    pub at: Option<Position>,
    /// What is wrong.
    pub message: String,
    /// Words about the place.
    pub label: String,
    /// What to do.
    pub hint: Option<String>,
    /// Other places.
    pub related: Vec<(Position, String)>,
}

/// A stretch of a named file by lines and columns, all from 1; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// Name of the file.
    pub file: String,
    /// Line of its first character.
    pub line: usize,
    /// Column of its first character.
    pub column: usize,
    /// Line of its end.
    pub end_line: usize,
    /// Column one past its last character.
    pub end_column: usize,
}

/// Everything that was found wrong, with the texts it was found in.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    pub(crate) sources: Arc<Sources>,
    list: Vec<Problem>,
    n_errors: usize,
    n_left_out: usize,
    most: usize,
}

impl Problems {
    /// Problems of a scene that has been loaded, to be filled by whoever judges it further.
    pub fn new(sources: Arc<Sources>) -> Self {
        Self { sources, list: Vec::new(), n_errors: 0, n_left_out: 0, most: usize::MAX }
    }

    /// As [`Self::new`]; of more problems than `most` only the number is kept.
    pub(crate) fn at_most(most: usize) -> Self {
        Self { most, ..Self::new(Arc::default()) }
    }

    /// Adds one.
    pub fn push(&mut self, problem: Problem) {
        self.n_errors += usize::from(problem.severity == Severity::Error);
        if self.list.len() < self.most {
            self.list.push(problem);
        } else {
            self.n_left_out += 1;
        }
    }

    /// All that were kept, by place.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.list.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// How many errors were found, and how many warnings.
    pub fn counts(&self) -> (usize, usize) {
        (self.n_errors, self.list.len() + self.n_left_out - self.n_errors)
    }

    /// How many were found beyond those that were kept.
    pub fn n_left_out(&self) -> usize {
        self.n_left_out
    }

    /// The texts they point into.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// All problems as text with the lines they are about, ready for a terminal.
    pub fn render(&self, color: bool) -> String {
        render::render(self, color)
    }

    /// All problems for machines.
    pub fn reports(&self) -> Vec<Report> {
        let position = |place: Place| {
            let (line, column) = self.sources.line_column(place.file, place.span.start)?;
            let (end_line, end_column) = self.sources.line_column(place.file, place.span.end)?;
            let file = self.sources.get(place.file)?.name.clone();
            Some(Position { file, line, column, end_line, end_column })
        };
        let report = |problem: &Problem| Report {
            severity: problem.severity,
            at: problem.place.and_then(position),
            message: problem.message.clone(),
            label: problem.label.clone(),
            hint: problem.hint.clone(),
            related: (problem.related.iter())
                .filter_map(|(place, label)| Some((position(*place)?, label.clone())))
                .collect(),
        };
        self.list.iter().map(report).collect()
    }

    /// Orders them by place, so that a reader goes through each file once; those without a place first.
    pub(crate) fn sort(&mut self) {
        self.list.sort_by_key(|problem| problem.place);
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Problems {}
