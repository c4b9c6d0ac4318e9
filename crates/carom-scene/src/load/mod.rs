//! From text to tables: the scene file and all that it includes.

mod include;
mod options;
mod parameters;

use std::path::Path;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

pub use options::{Options, Source};
pub(crate) use parameters::{Parameters, evaluate_parameters, warn_of_unused};

use crate::build;
use crate::decode::table::decode_keys;
use crate::decode::{Decoder, ExpressionCache, Table};
use crate::files::{EmbeddedFile, Files, embedded_path};
use crate::format::{FORMAT, SceneTable};
use crate::problem::{FileId, MOST_PROBLEMS, Place, Problem, Problems, Sources};
use crate::scene::Scene;
use include::Folder;

/// What came of reading a scene.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The scene; none if there are errors.
    pub scene: Option<Scene>,
    /// Everything worth saying, by place.
    pub problems: Problems,
}

/// Reads a scene and all its files, and checks everything that can be checked without running it.
pub fn load(source: &Source, options: &Options, files: &dyn Files) -> Loaded {
    let mut loader = Loader::new(options, files);
    let scene = loader.load(source);
    let Loader { mut problems, sources, .. } = loader;
    problems.sources = Arc::new(sources);
    problems.sort();
    let scene = scene.filter(|_| !problems.has_errors()).map(|mut scene| {
        scene.sources = Arc::clone(&problems.sources);
        scene
    });
    Loaded { scene, problems }
}

/// Everything that is at hand while a scene is read.
pub(crate) struct Loader<'a> {
    pub(crate) options: &'a Options,
    pub(crate) files: &'a dyn Files,
    pub(crate) problems: Problems,
    pub(crate) sources: Sources,
    pub(crate) expressions: ExpressionCache,
    pub(crate) embedded: Vec<EmbeddedFile>,
    pub(crate) folder: Folder,
    n_text_bytes: u64,
}

/// A file of the scene, read.
pub(crate) struct Document {
    pub(crate) table: SceneTable,
    /// Path of the folder it lies in, for the paths it names.
    pub(crate) folder: std::path::PathBuf,
    /// The same, seen from the folder of the scene.
    pub(crate) relative_folder: std::path::PathBuf,
    /// How far from the scene itself, which is 0.
    pub(crate) depth: u64,
    pub(crate) file: FileId,
}

impl<'a> Loader<'a> {
    fn new(options: &'a Options, files: &'a dyn Files) -> Self {
        let expressions = ExpressionCache::new(options.limits.expression_bytes as usize);
        Self {
            options,
            files,
            problems: Problems::at_most(MOST_PROBLEMS),
            sources: Sources::default(),
            expressions,
            embedded: Vec::new(),
            folder: Folder::default(),
            n_text_bytes: 0,
        }
    }

    fn load(&mut self, source: &Source) -> Option<Scene> {
        let (name, text, folder) = self.open(source)?;
        self.folder = Folder::new(&folder, &self.options.allow_paths, self.files);
        self.embed_scene(source, &name, &text);
        let documents = self.documents(&name, &text, &folder);
        build::build(self, &documents)
    }

    /// The text of the scene itself.
    fn open(&mut self, source: &Source) -> Option<(String, Arc<str>, std::path::PathBuf)> {
        match source {
            Source::Text { name, text, folder } => {
                self.count_text(text.len() as u64, None)?;
                Some((name.clone(), Arc::from(text.as_str()), folder.clone()))
            }
            Source::Path(path) => {
                let name = path.display().to_string();
                let text = self.read_text(path, &name, None)?;
                let folder = path.parent().map(Path::to_owned).unwrap_or_default();
                Some((name, text, folder))
            }
        }
    }

    fn embed_scene(&mut self, source: &Source, name: &str, text: &Arc<str>) {
        let path = match source {
            Source::Path(path) => embedded_path(Path::new(path.file_name().unwrap_or_default())),
            Source::Text { .. } => name.to_owned(),
        };
        self.embedded.push(EmbeddedFile { path, bytes: Arc::from(text.as_bytes()) });
    }

    /// Parses a text and reads its tables; mistakes are noted.
    pub(crate) fn parse(&mut self, name: String, text: &Arc<str>) -> (FileId, Option<SceneTable>) {
        let file = self.sources.add(name, Arc::clone(text));
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            self.problems.push(syntax_problem(file, text, error));
        }
        let table = table.get_ref();
        // After a syntax error what follows may be misread: better to say nothing of it.
        if !errors.is_empty() || !self.check_format(file, table) {
            return (file, None);
        }
        let mut decoder = Decoder {
            file,
            text,
            problems: &mut self.problems,
            expressions: &mut self.expressions,
            key: String::new(),
        };
        let start = Place::new(file, 0..0);
        let scene: Option<SceneTable> =
            decode_keys(table, start, SceneTable::TITLE, &[], &mut decoder);
        if scene.as_ref().is_some_and(|scene| scene.format.is_none()) {
            let problem = Problem::error(start, "the scene does not state its format")
                .label("`format` is missing")
                .hint("begin the file with the line `format = 1`");
            self.problems.push(problem);
        }
        (file, scene)
    }

    /// Whether the version, if there is one, can be read.
    fn check_format(&mut self, file: FileId, table: &DeTable<'_>) -> bool {
        let Some(version) = table.get("format") else { return true };
        let number = match version.get_ref() {
            DeValue::Integer(number) => number.as_str().parse().ok(),
            _ => None,
        };
        if number == Some(FORMAT) {
            return true;
        }
        let place = Place::new(file, version.span());
        let problem = match number {
            Some(_) => Problem::error(place, "this version of the format is not known")
                .label("this version of carom reads format 1")
                .hint("a newer version of carom may read it"),
            None => Problem::error(place, "`format` must be a whole number")
                .label("the format is 1")
                .hint("write `format = 1`"),
        };
        self.problems.push(problem);
        false
    }
}

/// A mistake in the TOML itself.
fn syntax_problem(file: FileId, text: &str, error: &toml::de::Error) -> Problem {
    let span = error.span().unwrap_or(0..0);
    let span = span.start.min(text.len())..span.end.min(text.len());
    // The parser often points between two characters; the one before is what a reader looks for.
    let span = if span.is_empty() && span.start > 0 {
        text.floor_char_boundary(span.start - 1)..span.start
    } else {
        span
    };
    let message = error.message().lines().next().unwrap_or_default();
    let message = message.trim_end_matches(", expected nothing");
    let line_start = text[..span.start.min(text.len())].rfind('\n').map_or(0, |at| at + 1);
    let hint = syntax_hint(message, text[line_start..].trim_start());
    let message = format!("the file is not valid TOML: {message}");
    let problem = Problem::error(Place::new(file, span), message);
    match hint {
        Some(hint) => problem.hint(hint),
        None => problem,
    }
}

/// Advice on what people write who do not think in TOML.
fn syntax_hint(message: &str, line: &str) -> Option<&'static str> {
    let is_value = ["must be quoted", "invalid float", "invalid integer", "invalid boolean"];
    if is_value.iter().any(|part| message.contains(part)) {
        return Some(
            "texts and expressions stand in quotes, such as \"2*height\"; \
             numbers in a list are separated by commas, such as [0, 0, 1]",
        );
    }
    if message.contains("duplicate key") && line.starts_with('[') {
        return Some(
            "join the two tables; what may be there many times has two brackets, such as [[body]]",
        );
    }
    if message.contains("duplicate key") {
        return Some(
            "a key may be given once in a table; each further body begins with its own [[body]]",
        );
    }
    None
}
