//! Tables as text, by RFC 4180 with line feeds.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Column, Table};
use crate::error::RecordError;
use crate::limits::TEXT_PIECE_BYTES;

/// One table as text.
pub(crate) struct CsvTable {
    path: PathBuf,
    writer: Box<dyn Write + Send>,
    /// Whole lines, and the one being written.
    lines: Vec<u8>,
    /// True at the start of a line.
    fresh: bool,
    /// After a failure nothing more is written, so that no line follows one that was cut short.
    failed: bool,
}

impl fmt::Debug for CsvTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsvTable").field("path", &self.path).finish_non_exhaustive()
    }
}

impl CsvTable {
    fn separate(&mut self) {
        if !self.fresh {
            self.lines.push(b',');
        }
        self.fresh = false;
    }

    fn write(&mut self) -> Result<(), RecordError> {
        if self.failed {
            return Ok(());
        }
        let written = self.writer.write_all(&self.lines).and_then(|()| self.writer.flush());
        self.lines.clear();
        written.map_err(|source| {
            self.failed = true;
            RecordError::Write { path: self.path.clone(), source }
        })
    }
}

impl Table for CsvTable {
    fn new<W: Write + Send + 'static>(
        writer: W,
        path: &Path,
        columns: &[Column],
    ) -> Result<Self, RecordError> {
        let mut table = Self {
            path: path.to_owned(),
            writer: Box::new(writer),
            lines: Vec::with_capacity(TEXT_PIECE_BYTES + TEXT_PIECE_BYTES / 4),
            fresh: true,
            failed: false,
        };
        for column in columns {
            table.text(Some(&column.name));
        }
        table.end_row()?;
        Ok(table)
    }

    fn text(&mut self, cell: Option<&str>) {
        self.separate();
        let Some(cell) = cell else { return };
        let plain = |byte: u8| !matches!(byte, b',' | b'"' | b'\n' | b'\r');
        if cell.bytes().all(plain) && cell.trim() == cell {
            self.lines.extend_from_slice(cell.as_bytes());
            return;
        }
        self.lines.push(b'"');
        self.lines.extend_from_slice(cell.replace('"', "\"\"").as_bytes());
        self.lines.push(b'"');
    }

    fn number(&mut self, cell: Option<f64>) {
        self.separate();
        let written = match cell {
            // What serde writes is the shortest text that reads back the same, and quicker than `Display`.
            Some(cell) if cell.is_finite() => {
                serde_json::to_writer(&mut self.lines, &cell).map_err(io::Error::from)
            }
            Some(cell) => write!(self.lines, "{cell:?}"),
            None => Ok(()),
        };
        written.expect("writing to memory does not fail");
    }

    fn whole(&mut self, cell: Option<u64>) {
        self.separate();
        if let Some(cell) = cell {
            self.lines.extend_from_slice(cell.to_string().as_bytes());
        }
    }

    fn truth(&mut self, cell: Option<bool>) {
        self.separate();
        if let Some(cell) = cell {
            self.lines.extend_from_slice(if cell { b"true" } else { b"false" });
        }
    }

    fn end_row(&mut self) -> Result<(), RecordError> {
        self.lines.push(b'\n');
        self.fresh = true;
        if self.lines.len() >= TEXT_PIECE_BYTES { self.write() } else { Ok(()) }
    }

    fn close(mut self) -> Result<(), RecordError> {
        self.write()
    }
}

impl Drop for CsvTable {
    fn drop(&mut self) {
        // Whoever drops a table cannot be told; whoever wants to know closes it.
        self.write().ok();
    }
}
