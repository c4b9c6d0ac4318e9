//! One pass over a file: where its chunks are, what it says about itself, and whether it is whole.
//!
//! The pass goes from record to record by their lengths and looks into chunks no further than their heads, so a
//! file of gigabytes takes a fraction of a second. It does not use the index at the end of the file, and so
//! works the same for files that have none because their writer was killed.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

use super::Ending;
use super::record::{self, Bytes, ChunkHead, MAGIC, RECORD_HEAD, op};
use crate::error::ReadError;
use crate::format::{FORMAT_VERSION, HEADER_NAME, SUMMARY_NAME};
use crate::header::{EmbeddedFile, RecordingHeader};
use crate::limits::Limits;

/// Where a chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkPlace {
    /// Where its record begins.
    pub(super) offset: u64,
    /// Length of the record after its opcode and length.
    pub(super) length: u64,
    /// Latest log time of its messages `[ns]`.
    pub(super) end_time: u64,
}

/// What the pass finds.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) header: RecordingHeader,
    pub(super) rate_hz: f64,
    pub(super) chunks: Vec<ChunkPlace>,
    pub(super) ending: Ending,
}

/// A file as a row of records.
struct Scanner<'a, R> {
    source: &'a mut R,
    limits: &'a Limits,
    length: u64,
    /// End of the last record that was complete.
    position: u64,
    header: Option<BTreeMap<String, String>>,
    summary: Option<BTreeMap<String, String>>,
    files: Vec<EmbeddedFile>,
    chunks: Vec<ChunkPlace>,
}

/// Goes over a file.
pub(super) fn scan<R: Read + Seek>(source: &mut R, limits: &Limits) -> Result<Contents, ReadError> {
    let length = source.seek(SeekFrom::End(0))?;
    let mut scanner = Scanner {
        source,
        limits,
        length,
        position: 0,
        header: None,
        summary: None,
        files: Vec::new(),
        chunks: Vec::new(),
    };
    let magic = scanner.read(0, MAGIC.len() as u64)?;
    if magic != MAGIC {
        return Err(ReadError::NotMcap);
    }
    scanner.position = MAGIC.len() as u64;
    let whole = scanner.records()?;
    scanner.contents(whole)
}

impl<R: Read + Seek> Scanner<'_, R> {
    /// Bytes of the file; fewer where it ends.
    fn read(&mut self, offset: u64, count: u64) -> io::Result<Vec<u8>> {
        read_at(self.source, self.length, offset, count)
    }

    /// Goes from record to record; true when the file ends as it should.
    fn records(&mut self) -> Result<bool, ReadError> {
        let mut data_ended = false;
        loop {
            let head = self.read(self.position, RECORD_HEAD)?;
            let mut bytes = Bytes::of(&head);
            let (Some(opcode), Some(length)) = (bytes.u8(), bytes.u64()) else {
                return Ok(false);
            };
            let start = self.position + RECORD_HEAD;
            if length > self.length.saturating_sub(start) {
                return Ok(false);
            }
            match opcode {
                op::CHUNK => self.chunk(start, length)?,
                op::METADATA if !data_ended => self.metadata(start, length)?,
                op::ATTACHMENT if !data_ended => self.attachment(start, length)?,
                op::DATA_END => data_ended = true,
                op::FOOTER => {
                    let magic = self.read(start + length, MAGIC.len() as u64)?;
                    return Ok(data_ended && magic == MAGIC);
                }
                _ => {}
            }
            self.position = start + length;
        }
    }

    /// Takes note of a chunk; what is wrong with it comes out when it is read.
    fn chunk(&mut self, start: u64, length: u64) -> Result<(), ReadError> {
        let head = self.read(start, length.min(ChunkHead::MAX_LENGTH))?;
        let end_time = ChunkHead::read(&mut Bytes::of(&head)).map(|head| head.end_time);
        let before = self.chunks.last().map_or(0, |chunk| chunk.end_time);
        let offset = start - RECORD_HEAD;
        self.chunks.push(ChunkPlace { offset, length, end_time: end_time.unwrap_or(before) });
        Ok(())
    }

    fn small(&mut self, start: u64, length: u64) -> Result<Vec<u8>, ReadError> {
        if length > self.limits.record_bytes {
            return Err(ReadError::OverLimit {
                offset: start - RECORD_HEAD,
                found: length,
                allowed: self.limits.record_bytes,
            });
        }
        Ok(self.read(start, length)?)
    }

    fn metadata(&mut self, start: u64, length: u64) -> Result<(), ReadError> {
        let record = self.small(start, length)?;
        let Some((name, metadata)) = record::metadata(&record) else {
            return Err(ReadError::damaged(start - RECORD_HEAD, "the metadata cannot be read"));
        };
        match name.as_str() {
            HEADER_NAME => self.header = Some(metadata),
            SUMMARY_NAME => self.summary = Some(metadata),
            _ => {}
        }
        Ok(())
    }

    fn attachment(&mut self, start: u64, length: u64) -> Result<(), ReadError> {
        let held: u64 = self.files.iter().map(|file| file.bytes.len() as u64).sum();
        let found = held.saturating_add(length);
        if found > self.limits.embedded_bytes {
            return Err(ReadError::OverLimit {
                offset: start - RECORD_HEAD,
                found,
                allowed: self.limits.embedded_bytes,
            });
        }
        let record = self.small(start, length)?;
        let Some((name, data)) = record::attachment(&record) else {
            let reason = "the embedded file cannot be read or its checksum is wrong";
            return Err(ReadError::damaged(start - RECORD_HEAD, reason));
        };
        self.files.push(EmbeddedFile { path: name.to_owned(), bytes: data.to_vec() });
        Ok(())
    }

    fn contents(self, whole: bool) -> Result<Contents, ReadError> {
        let metadata = self.header.ok_or(ReadError::NotARecording)?;
        let found = metadata.get("format").and_then(|text| text.parse().ok()).unwrap_or(0);
        if found > FORMAT_VERSION {
            let text = |key: &str| metadata.get(key).cloned().unwrap_or_default();
            return Err(ReadError::Version {
                found,
                known: FORMAT_VERSION,
                program: text("program"),
                version: text("version"),
            });
        }
        let (mut header, rate_hz) = RecordingHeader::of_metadata(&metadata)
            .map_err(|key| ReadError::damaged(0, format!("the metadata has no valid \"{key}\"")))?;
        header.files = self.files;
        let end_s = |summary: &BTreeMap<String, String>| summary.get("end_s")?.parse().ok();
        let ending = match self.summary {
            _ if !whole => Ending::BrokenOff {
                until: self.chunks.iter().map(|chunk| chunk.end_time).max().map(seconds),
                lost_bytes: self.length - self.position,
            },
            Some(summary) => Ending::Finished {
                end: end_s(&summary),
                summary: summary.get("summary").cloned().unwrap_or_default(),
            },
            None => Ending::Abandoned,
        };
        Ok(Contents { header, rate_hz, chunks: self.chunks, ending })
    }
}

fn seconds(log_time: u64) -> f64 {
    log_time as f64 / 1e9
}

/// Bytes of a file of a given length; fewer where it ends.
pub(super) fn read_at<R: Read + Seek>(
    source: &mut R,
    file_length: u64,
    offset: u64,
    count: u64,
) -> io::Result<Vec<u8>> {
    let count = count.min(file_length.saturating_sub(offset));
    let mut bytes = Vec::with_capacity(count as usize);
    source.seek(SeekFrom::Start(offset))?;
    source.by_ref().take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}
