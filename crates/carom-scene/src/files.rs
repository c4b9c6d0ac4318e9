//! Where the files of a scene come from: the disk, or copies carried in a recording.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A way to get at files by their paths.
pub trait Files {
    /// The one true name of a file or folder, with links followed, so that it can be told whether it lies in
    /// a folder.
    ///
    /// # Errors
    /// If there is no such file.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// Its content, if it has at most `max_bytes` bytes; a longer one is an error of kind
    /// [`io::ErrorKind::FileTooLarge`].
    ///
    /// # Errors
    /// If it cannot be read or is too long.
    fn read(&self, path: &Path, max_bytes: u64) -> io::Result<Vec<u8>>;

    /// Names of the files in a folder, for suggestions; may be empty.
    fn names_in(&self, _folder: &Path) -> Vec<String> {
        Vec::new()
    }
}

/// The files of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl Files for DiskFiles {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        path.canonicalize()
    }

    fn read(&self, path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
        let metadata = std::fs::metadata(path)?;
        // Opening a pipe would wait for its other end.
        if !metadata.is_file() {
            let what = if metadata.is_dir() { "it is a folder" } else { "it is not a plain file" };
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > max_bytes {
            return Err(too_large(max_bytes));
        }
        Ok(bytes)
    }

    fn names_in(&self, folder: &Path) -> Vec<String> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }
}

/// A file that a scene was made from, to be carried with its recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// Path from the folder of the scene, with `/` between folders; full if the scene names it so.
    pub path: String,
    /// Its content.
    pub bytes: Arc<[u8]>,
}

/// Files carried along, as [`crate::Scene::files`] lists them; nothing else can be read.
#[derive(Clone, Debug, Default)]
pub struct EmbeddedFiles {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl EmbeddedFiles {
    /// The files of a list.
    pub fn new(files: impl IntoIterator<Item = EmbeddedFile>) -> Self {
        let files = files.into_iter().map(|file| (plain(Path::new(&file.path)), file.bytes));
        Self { files: files.collect() }
    }
}

impl Files for EmbeddedFiles {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let path = plain(path);
        let is_known =
            path.as_os_str().is_empty() || self.files.keys().any(|file| file.starts_with(&path));
        if is_known { Ok(path) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    fn read(&self, path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
        let bytes = self.files.get(&plain(path)).ok_or(io::ErrorKind::NotFound)?;
        if bytes.len() as u64 > max_bytes {
            return Err(too_large(max_bytes));
        }
        Ok(bytes.to_vec())
    }

    fn names_in(&self, folder: &Path) -> Vec<String> {
        let folder = plain(folder);
        let beside = |path: &&PathBuf| path.parent() == Some(folder.as_path());
        let name = |path: &PathBuf| Some(path.file_name()?.to_str()?.to_owned());
        self.files.keys().filter(beside).filter_map(name).collect()
    }
}

fn too_large(max_bytes: u64) -> io::Error {
    let what = format!("it has more than {max_bytes} bytes");
    io::Error::new(io::ErrorKind::FileTooLarge, what)
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// A path from the scene's folder as it is embedded: without detours, with `/` between folders.
pub(crate) fn embedded_path(path: &Path) -> String {
    let plain = plain(path);
    if plain.is_absolute() {
        return plain.to_string_lossy().into_owned();
    }
    let parts: Vec<_> = plain.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_files_are_found_by_any_spelling_and_others_are_not() {
        let bytes: Arc<[u8]> = Arc::from(&b"abc"[..]);
        let files = EmbeddedFiles::new([EmbeddedFile { path: "a/b.stl".to_owned(), bytes }]);
        let path = files.resolve(Path::new("./a/../a/b.stl")).unwrap();
        assert_eq!(path, Path::new("a/b.stl"));
        assert_eq!(files.read(&path, 3).unwrap(), b"abc");
        assert_eq!(files.read(&path, 2).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(files.resolve(Path::new("../b.stl")).is_err());
        assert_eq!(files.names_in(Path::new("a")), ["b.stl"]);
    }
}
