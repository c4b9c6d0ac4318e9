//! Sizes: how much is held back while writing, and how much a file may ask for while reading.

/// A chunk ends when it holds this much `[B]`. Larger: more is lost in a crash; smaller: more chunk headers and
/// system calls.
pub(crate) const CHUNK_BYTES: u64 = 1 << 20;

/// A chunk ends when it holds this many samples, so that small worlds lose little too.
pub(crate) const CHUNK_SAMPLES: u64 = 64;

/// A table in text is handed to the operating system in pieces of about this size, of whole lines `[B]`.
pub(crate) const TEXT_PIECE_BYTES: usize = 1 << 16;

/// Rows in a row group of a Parquet table: 20 MB of doubles, which is what is held in memory.
pub(crate) const ROW_GROUP_ROWS: usize = 1 << 17;

/// Bounds on what is read from one recording; beyond one, reading stops with an error that names it.
///
/// A length that a file merely claims is compared with the length of the file before memory is taken for it,
/// so memory stays within a small multiple of the file's size whatever the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one chunk or other record; by default 1 GiB, a sample of nine million bodies.
    pub record_bytes: u64,
    /// Bytes of all embedded files together; by default 1 GiB.
    pub embedded_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { record_bytes: 1 << 30, embedded_bytes: 1 << 30 }
    }
}
