//! Reading files: the texts that a scene includes, and the meshes it names.
//!
//! A file is read only if it lies, links followed, in the folder of the scene or in one that was allowed, so
//! that a foreign scene cannot have others read. A text that is included twice counts once; that also ends
//! every chain of files that include each other many times over.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Document, Loader};
use crate::decode::Text;
use crate::files::{EmbeddedFile, Files, embedded_path};
use crate::limits::Limit;
use crate::problem::{Place, Problem};
use crate::suggest::nearest;

/// The folders that files may be read from.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// The folder of the scene.
    pub(crate) root: PathBuf,
    allowed: Vec<PathBuf>,
}

impl Folder {
    pub(crate) fn new(folder: &Path, allow: &[PathBuf], files: &dyn Files) -> Self {
        let root = files.resolve(folder).unwrap_or_else(|_| folder.to_owned());
        Self { root, allowed: allow.iter().filter_map(|path| files.resolve(path).ok()).collect() }
    }

    fn holds(&self, path: &Path) -> bool {
        path.starts_with(&self.root) || self.allowed.iter().any(|folder| path.starts_with(folder))
    }
}

/// Where the includes of one file are looked for.
struct Level<'a> {
    folder: &'a Path,
    /// The folder seen from that of the scene.
    relative: &'a Path,
    depth: u64,
    chain: &'a Chain<'a>,
}

/// A file that is being read, and those that include it.
struct Chain<'a> {
    path: &'a Path,
    outer: Option<&'a Chain<'a>>,
}

impl Chain<'_> {
    fn contains(&self, path: &Path) -> bool {
        self.path == path || self.outer.is_some_and(|outer| outer.contains(path))
    }
}

impl Loader<'_> {
    /// The scene and all that it includes, the scene first.
    pub(super) fn documents(
        &mut self,
        name: &str,
        text: &Arc<str>,
        folder: &Path,
    ) -> Vec<Document> {
        let (file, table) = self.parse(name.to_owned(), text);
        let mut documents = Vec::new();
        let Some(table) = table else { return documents };
        let includes = table.include.clone().unwrap_or_default();
        let own = self.files.resolve(&folder.join(Path::new(name).file_name().unwrap_or_default()));
        let own = own.unwrap_or_default();
        documents.push(Document {
            table,
            folder: folder.to_owned(),
            relative_folder: PathBuf::new(),
            depth: 0,
            file,
        });
        let mut seen = vec![own.clone()];
        let chain = Chain { path: &own, outer: None };
        let level = Level { folder, relative: Path::new(""), depth: 1, chain: &chain };
        self.include_all(&includes, &level, &mut seen, &mut documents);
        documents
    }

    fn include_all(
        &mut self,
        includes: &[Text],
        level: &Level<'_>,
        seen: &mut Vec<PathBuf>,
        documents: &mut Vec<Document>,
    ) {
        for include in includes {
            let Some(path) = self.find(level.folder, &include.value, include.place) else {
                continue;
            };
            if level.chain.contains(&path) {
                let problem =
                    Problem::error(include.place, "the files include each other in a circle")
                        .label("leads back here")
                        .hint("move what both need into a third file");
                self.problems.push(problem);
                continue;
            }
            if seen.contains(&path) {
                continue;
            }
            if let Some(problem) = self.too_many(level.depth, seen.len(), include.place) {
                self.problems.push(problem);
                return;
            }
            seen.push(path.clone());
            self.include(include, &path, level, seen, documents);
        }
    }

    /// What is wrong with including one file more.
    fn too_many(&self, depth: u64, n_files: usize, place: Place) -> Option<Problem> {
        let limits = &self.options.limits;
        let (limit, what) = if depth > limits.include_depth {
            (Limit::IncludeDepth, "files include files deeper")
        } else if n_files as u64 > limits.files {
            (Limit::Files, "more files are included")
        } else {
            return None;
        };
        let message = format!("{what} than the limit of {}", limits.get(limit));
        Some(Problem::error(place, message).hint(limit.how_to_raise()))
    }

    fn include(
        &mut self,
        include: &Text,
        path: &Path,
        level: &Level<'_>,
        seen: &mut Vec<PathBuf>,
        documents: &mut Vec<Document>,
    ) {
        let named = level.folder.join(&include.value);
        let relative = level.relative.join(&include.value);
        let name = named.display().to_string();
        let Some(text) = self.read_text(path, &name, Some(include.place)) else { return };
        let embedded =
            EmbeddedFile { path: embedded_path(&relative), bytes: Arc::from(text.as_bytes()) };
        self.embedded.push(embedded);
        let (file, table) = self.parse(name, &text);
        let Some(table) = table else { return };
        let includes = table.include.clone().unwrap_or_default();
        let parent = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
        let (folder, relative_folder) = (parent(&named), parent(&relative));
        let depth = level.depth;
        documents.push(Document {
            table,
            folder: folder.clone(),
            relative_folder: relative_folder.clone(),
            depth,
            file,
        });
        let chain = Chain { path, outer: Some(level.chain) };
        let inner =
            Level { folder: &folder, relative: &relative_folder, depth: depth + 1, chain: &chain };
        self.include_all(&includes, &inner, seen, documents);
    }

    /// The true path of a file that a scene names, if it may be read.
    pub(crate) fn find(&mut self, folder: &Path, name: &str, place: Place) -> Option<PathBuf> {
        let path = folder.join(name);
        let resolved = match self.files.resolve(&path) {
            Ok(resolved) => resolved,
            Err(cause) => {
                self.problems.push(self.unreadable(&path, &cause, Some(place)));
                return None;
            }
        };
        if !self.folder.holds(&resolved) {
            let problem = Problem::error(place, "the file lies outside the folder of the scene")
                .label("not below the scene's folder")
                .hint("copy it beside the scene, or allow its folder with `--allow-path FOLDER`");
            self.problems.push(problem);
            return None;
        }
        Some(resolved)
    }

    /// Reads a scene text within the limits.
    pub(super) fn read_text(
        &mut self,
        path: &Path,
        name: &str,
        place: Option<Place>,
    ) -> Option<Arc<str>> {
        let left = self.options.limits.text_bytes.saturating_sub(self.n_text_bytes);
        let bytes = match self.files.read(path, left) {
            Ok(bytes) => bytes,
            Err(cause) if cause.kind() == io::ErrorKind::FileTooLarge => {
                self.count_text(u64::MAX, place);
                return None;
            }
            Err(cause) => {
                self.problems.push(self.unreadable(Path::new(name), &cause, place));
                return None;
            }
        };
        self.count_text(bytes.len() as u64, place)?;
        match String::from_utf8(bytes) {
            Ok(text) => Some(Arc::from(text)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let message = format!("{name} is not text in UTF-8: byte {at} is out of place");
                let hint = "save it as UTF-8; is it a scene file at all?";
                self.problems.push(Problem { place, ..Problem::placeless(message) }.hint(hint));
                None
            }
        }
    }

    /// Counts text against its limit.
    pub(super) fn count_text(&mut self, n_bytes: u64, place: Option<Place>) -> Option<()> {
        self.n_text_bytes = self.n_text_bytes.saturating_add(n_bytes);
        let limit = self.options.limits.text_bytes.min(u64::from(u32::MAX));
        if self.n_text_bytes <= limit {
            return Some(());
        }
        let message = format!("the scene's texts have more bytes than the limit of {limit}");
        let hint = Limit::TextBytes.how_to_raise();
        self.problems.push(Problem { place, ..Problem::placeless(message) }.hint(hint));
        None
    }

    pub(crate) fn unreadable(
        &self,
        path: &Path,
        cause: &io::Error,
        place: Option<Place>,
    ) -> Problem {
        let what = match cause.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => cause.to_string(),
        };
        let message = format!("cannot read {}: {what}", path.display());
        let problem = Problem { place, ..Problem::placeless(message) };
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let names = path.parent().map(|folder| self.files.names_in(folder)).unwrap_or_default();
        match nearest(name, names.iter().map(String::as_str)) {
            Some(near) if near != name => {
                problem.hint(format!("did you mean {}?", path.with_file_name(near).display()))
            }
            _ => problem.hint("check the name; paths start from the folder of the scene file"),
        }
    }
}
