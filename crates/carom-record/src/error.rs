//! What can go wrong while writing and reading.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a run cannot be written down.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be made.
    #[error("cannot create {}: {source}", path.display())]
    Create {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file cannot be written to any more.
    #[error(
        "cannot write to {}: {source}\n\
         hint: is the disk full? What was written before can still be used, unless it is a Parquet table",
        path.display()
    )]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A rate at which nothing can be sampled.
    #[error("the sample rate is {rate_hz} per second, but must be a positive finite number")]
    Rate {
        /// The rate `[1/s]`.
        rate_hz: f64,
    },
    /// The name of the file does not say what is wanted.
    #[error(
        "cannot tell from the name of {} what to write\n\
         hint: end it in .csv or .parquet for a table, or in .mcap for a recording",
        path.display()
    )]
    Extension {
        /// Which file.
        path: PathBuf,
    },
    /// The name of the file is not that of a table.
    #[error(
        "cannot tell from the name of {} which kind of table to write\n\
         hint: end it in .csv or .parquet",
        path.display()
    )]
    Table {
        /// Which file.
        path: PathBuf,
    },
}

/// Why a recording cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read the recording: {0}")]
    Io(#[from] io::Error),
    /// Not an MCAP file.
    #[error("this is not a recording: it does not begin like an MCAP file")]
    NotMcap,
    /// An MCAP file of another origin, or one that broke off before it said what it is.
    #[error(
        "this MCAP file does not say that it is a recording of carom (metadata \"carom\" is missing)"
    )]
    NotARecording,
    /// A recording of a later version.
    #[error(
        "the recording has format {found}, but this program reads formats up to {known}\n\
         hint: use version {version} of {program}, which wrote it, or a later one"
    )]
    Version {
        /// Its format.
        found: u32,
        /// The latest format that is known.
        known: u32,
        /// Who wrote it.
        program: String,
        /// In which version.
        version: String,
    },
    /// A record that makes no sense.
    #[error("the record at byte {offset} is damaged: {reason}")]
    Damaged {
        /// Where it begins.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// A chunk in a compression that is not built in.
    #[error(
        "the chunk at byte {offset} is compressed by \"{compression}\", which is not supported\n\
         hint: `mcap decompress` makes a file without compression"
    )]
    Compressed {
        /// Where it begins.
        offset: u64,
        /// By what.
        compression: String,
    },
    /// More than a limit allows.
    #[error("the record at byte {offset} has {found} bytes, more than the limit of {allowed}")]
    OverLimit {
        /// Where it begins.
        offset: u64,
        /// How much was found.
        found: u64,
        /// How much is allowed.
        allowed: u64,
    },
}

impl ReadError {
    pub(crate) fn damaged(offset: u64, reason: impl Into<String>) -> Self {
        Self::Damaged { offset, reason: reason.into() }
    }
}
