//! Answers to compare Carom with, from sources that share no code with it.
//!
//! **Takes** the data carried in `data/`, or a folder of the same layout. **Gives** plain numbers. **Refuses to
//! know** any carom crate: a reference that called the code it judges would agree with every mistake in it.
//! Everything here is written for clarity and checked against closed forms in its own tests; speed does not
//! matter.

pub mod articulated;
pub mod closed_forms;
pub mod complementarity;
pub mod distances;
pub mod doubled;
pub mod free_rotation;
pub mod gap;
pub mod impact;
pub mod linkage;
pub mod measured;
pub mod meshes;
pub mod pendulum;
pub mod primitives;
pub mod rolling;
pub mod sequences;
pub mod tetrahedra;

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why reference data could not be read.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file could not be opened or read.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is larger than reference data has any reason to be.
    #[error("{path} has {size} bytes, more than the limit of {limit} for reference data")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// Largest size read, in bytes.
        limit: u64,
    },
    /// The content is not what the layout asks for.
    #[error("{path}: {message}")]
    Malformed {
        /// The file, or a name for carried data.
        path: PathBuf,
        /// What is wrong and where.
        message: String,
    },
}

/// Largest data file read, in bytes; the sets known so far stay below 1 MB.
const MAX_BYTES: u64 = 256 << 20;

pub(crate) fn read_text(path: &Path) -> Result<String, DataError> {
    let io = |source| DataError::Io { path: path.to_owned(), source };
    let size = std::fs::metadata(path).map_err(io)?.len();
    if size > MAX_BYTES {
        return Err(DataError::TooLarge { path: path.to_owned(), size, limit: MAX_BYTES });
    }
    std::fs::read_to_string(path).map_err(io)
}

pub(crate) fn malformed(path: &Path, message: &impl ToString) -> DataError {
    DataError::Malformed { path: path.to_owned(), message: message.to_string() }
}
