//! Files that stay what they were when a sweep first read them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use carom_scene::{DiskFiles, Files};

/// The files of this machine, each read once: whoever edits a scene while it is swept changes no run.
#[derive(Debug, Default)]
pub struct FirstRead {
    read: Mutex<BTreeMap<PathBuf, Arc<[u8]>>>,
}

impl Files for FirstRead {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        DiskFiles.resolve(path)
    }

    fn read(&self, path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
        // Held while the disk is read, so that no two runs read different contents.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = read.get(path).filter(|bytes| bytes.len() as u64 <= max_bytes) {
            return Ok(bytes.to_vec());
        }
        let bytes = DiskFiles.read(path, max_bytes)?;
        read.insert(path.to_owned(), Arc::from(bytes.as_slice()));
        Ok(bytes)
    }

    fn names_in(&self, folder: &Path) -> Vec<String> {
        DiskFiles.names_in(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_is_still_what_it_was() {
        let path = std::env::temp_dir().join(format!("carom-first-read-{}", std::process::id()));
        std::fs::write(&path, "one").unwrap();
        let files = FirstRead::default();
        assert_eq!(files.read(&path, 10).unwrap(), b"one");
        std::fs::write(&path, "two").unwrap();
        assert_eq!(files.read(&path, 10).unwrap(), b"one");
        std::fs::remove_file(&path).unwrap();
    }
}
