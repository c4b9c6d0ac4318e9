//! The reader of recordings, whole or broken off.

mod record;
mod scan;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use record::{Bytes, ChunkHead, RECORD_HEAD, op};
use scan::ChunkPlace;

use crate::bodies::{BodyDescription, MeshData};
use crate::contacts::RecordedCollision;
use crate::error::ReadError;
use crate::events::RecordedEvent;
use crate::format::{Topic, log_time};
use crate::header::RecordingHeader;
use crate::joints::{JointDescription, JointSample};
use crate::limits::Limits;
use crate::messages::{LedgerLine, Sample};

/// A recording to be read.
///
/// Opening it takes note of where its chunks are; messages are read when they are asked for, one chunk at a
/// time, after the chunk's checksum has been found right.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    limits: Limits,
    length: u64,
    header: RecordingHeader,
    rate_hz: f64,
    ending: Ending,
    chunks: Vec<ChunkPlace>,
    channels: BTreeMap<u16, Topic>,
}

/// How a recording ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The run came to an end and said how.
    Finished {
        /// Up to when it ran `[s]`.
        end: Option<f64>,
        /// How it went, as JSON.
        summary: String,
    },
    /// The file is whole, but nobody said how the run ended.
    Abandoned,
    /// The file breaks off: its writer was killed, or the disk was full. Everything up to the last complete
    /// chunk can be read.
    BrokenOff {
        /// Up to when there is anything `[s]`, to the nanosecond.
        until: Option<f64>,
        /// Bytes after the last complete record.
        lost_bytes: u64,
    },
}

/// A message of a recording.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A triangle mesh.
    Mesh(MeshData),
    /// A body, when it is first seen.
    Body(BodyDescription),
    /// States at one time.
    Sample(Sample),
    /// The ledger at one time.
    Ledger(LedgerLine),
    /// An event.
    Event(RecordedEvent),
    /// The collisions of one instant.
    Contacts(Vec<RecordedCollision>),
    /// A joint, when it is first seen.
    Joint(JointDescription),
    /// What joints do at one time.
    Joints(JointSample),
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or is not a recording. A recording that breaks off is none.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Reads from anything.
    ///
    /// # Errors
    /// If it cannot be read or is not a recording. A recording that breaks off is none.
    pub fn new(source: R) -> Result<Self, ReadError> {
        Self::with_limits(source, Limits::default())
    }

    /// Reads from anything, with bounds on what it may ask for.
    ///
    /// # Errors
    /// If it cannot be read, is not a recording or asks for too much.
    pub fn with_limits(mut source: R, limits: Limits) -> Result<Self, ReadError> {
        let contents = scan::scan(&mut source, &limits)?;
        let length = source.seek(std::io::SeekFrom::End(0))?;
        let mut reader = Self {
            source,
            limits,
            length,
            header: contents.header,
            rate_hz: contents.rate_hz,
            ending: contents.ending,
            chunks: contents.chunks,
            channels: BTreeMap::new(),
        };
        reader.read_channels()?;
        Ok(reader)
    }

    /// What the recording says about its run.
    pub const fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// Samples per simulated second `[1/s]`.
    pub const fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// How it ends.
    pub const fn ending(&self) -> &Ending {
        &self.ending
    }

    /// How many chunks there are. Times of one kind of message never go back from one to the next.
    pub const fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// The latest time of each chunk, to the nanosecond `[s]`.
    pub fn chunk_ends(&self) -> impl Iterator<Item = f64> {
        self.chunks.iter().map(|chunk| chunk.end_time as f64 * 1e-9)
    }

    /// The messages of one chunk; none of a chunk that is not there.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn chunk(&mut self, index: usize) -> Result<Vec<Message>, ReadError> {
        let Some(&place) = self.chunks.get(index) else { return Ok(Vec::new()) };
        let records = self.load(place)?;
        let end = self.chunks.len();
        let (at, offset, only) = (0, place.offset, None);
        let mut messages = Messages { reader: self, chunk: end, records, at, offset, only };
        std::iter::from_fn(|| messages.next_loaded()).collect()
    }

    /// Everything, in the order of the file. After an error in one chunk, the next one follows.
    pub fn messages(&mut self) -> Messages<'_, R> {
        Messages { reader: self, chunk: 0, records: Vec::new(), at: 0, offset: 0, only: None }
    }

    /// The meshes of which shapes are made.
    pub fn meshes(&mut self) -> impl Iterator<Item = Result<MeshData, ReadError>> {
        self.only(Topic::Meshes).filter_map(|message| match message {
            Ok(Message::Mesh(mesh)) => Some(Ok(mesh)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
    }

    /// The bodies, in the order of their numbers.
    pub fn bodies(&mut self) -> impl Iterator<Item = Result<BodyDescription, ReadError>> {
        self.only(Topic::Bodies).filter_map(|message| match message {
            Ok(Message::Body(body)) => Some(Ok(body)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
    }

    /// The samples, in order of time.
    pub fn samples(&mut self) -> impl Iterator<Item = Result<Sample, ReadError>> {
        self.samples_from(f64::NEG_INFINITY)
    }

    /// The samples from a time on, in order; chunks before it are not read.
    pub fn samples_from(&mut self, start: f64) -> impl Iterator<Item = Result<Sample, ReadError>> {
        let first = log_time(start);
        let chunk = self.chunks.partition_point(|chunk| chunk.end_time < first);
        let messages = Messages { chunk, ..self.only(Topic::States) };
        messages.filter_map(move |message| match message {
            Ok(Message::Sample(sample)) => (sample.time >= start).then_some(Ok(sample)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
    }

    /// The ledger at each sample, in order of time.
    pub fn ledger(&mut self) -> impl Iterator<Item = Result<LedgerLine, ReadError>> {
        self.only(Topic::Ledger).filter_map(|message| match message {
            Ok(Message::Ledger(line)) => Some(Ok(line)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
    }

    /// The collisions, point by point and in order.
    pub fn contacts(&mut self) -> impl Iterator<Item = Result<RecordedCollision, ReadError>> {
        self.only(Topic::Contacts).flat_map(|message| match message {
            Ok(Message::Contacts(collisions)) => collisions.into_iter().map(Ok).collect(),
            Ok(_) => Vec::new(),
            Err(error) => vec![Err(error)],
        })
    }

    /// The joints, in the order of their numbers.
    pub fn joints(&mut self) -> impl Iterator<Item = Result<JointDescription, ReadError>> {
        self.only(Topic::Joints).filter_map(|message| match message {
            Ok(Message::Joint(joint)) => Some(Ok(joint)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
    }

    /// What joints do at each sample, in order of time.
    pub fn joint_states(&mut self) -> impl Iterator<Item = Result<JointSample, ReadError>> {
        self.only(Topic::JointStates).filter_map(|message| match message {
            Ok(Message::Joints(sample)) => Some(Ok(sample)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
    }

    /// The events, in order; collisions are not among them.
    pub fn events(&mut self) -> impl Iterator<Item = Result<RecordedEvent, ReadError>> {
        self.only(Topic::Events).filter_map(|message| match message {
            Ok(Message::Event(event)) => Some(Ok(event)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
    }

    fn only(&mut self, topic: Topic) -> Messages<'_, R> {
        Messages { only: Some(topic), ..self.messages() }
    }

    /// Channels are declared in the first chunk.
    fn read_channels(&mut self) -> Result<(), ReadError> {
        let Some(&place) = self.chunks.first() else { return Ok(()) };
        let records = self.load(place)?;
        let mut bytes = Bytes::of(&records);
        while let Some((opcode, record)) = next_record(&mut bytes) {
            if opcode == op::CHANNEL
                && let Some((id, topic)) = record::channel(record)
                && let Some(topic) = Topic::of_name(topic)
            {
                self.channels.insert(id, topic);
            }
        }
        Ok(())
    }

    /// The records of a chunk, whose checksum is right.
    fn load(&mut self, place: ChunkPlace) -> Result<Vec<u8>, ReadError> {
        let ChunkPlace { offset, length, .. } = place;
        if length > self.limits.record_bytes {
            let allowed = self.limits.record_bytes;
            return Err(ReadError::OverLimit { offset, found: length, allowed });
        }
        let mut chunk = scan::read_at(&mut self.source, self.length, offset + RECORD_HEAD, length)?;
        let mut bytes = Bytes::of(&chunk);
        let damaged = |reason: &str| ReadError::damaged(offset, reason);
        let head = ChunkHead::read(&mut bytes).ok_or_else(|| damaged("the chunk has no head"))?;
        if !head.compression.is_empty() {
            let compression = head.compression.to_owned();
            return Err(ReadError::Compressed { offset, compression });
        }
        let records = bytes.rest();
        if head.size != records.len() as u64 || head.uncompressed_size != head.size {
            return Err(damaged("the chunk does not have the size that it states"));
        }
        if crc32fast::hash(records) != head.crc {
            return Err(damaged("the checksum of the chunk is wrong"));
        }
        let start = chunk.len() - records.len();
        chunk.drain(..start);
        Ok(chunk)
    }
}

/// The next record within a chunk.
fn next_record<'a>(bytes: &mut Bytes<'a>) -> Option<(u8, &'a [u8])> {
    let opcode = bytes.u8()?;
    let length = usize::try_from(bytes.u64()?).ok()?;
    Some((opcode, bytes.take(length)?))
}

/// The messages of a recording, in the order of the file.
#[derive(Debug)]
pub struct Messages<'a, R> {
    reader: &'a mut Reader<R>,
    /// The chunk that is loaded next.
    chunk: usize,
    /// The chunk that is loaded.
    records: Vec<u8>,
    /// How much of it has been read.
    at: usize,
    /// Where it begins in the file.
    offset: u64,
    only: Option<Topic>,
}

impl<R: Read + Seek> Messages<'_, R> {
    /// The next message of the loaded chunk.
    fn next_loaded(&mut self) -> Option<Result<Message, ReadError>> {
        loop {
            let mut bytes = Bytes::of(self.records.get(self.at..)?);
            if bytes.rest().is_empty() {
                return None;
            }
            let record = next_record(&mut bytes);
            self.at = self.records.len() - bytes.rest().len();
            let Some((opcode, record)) = record else {
                self.at = self.records.len();
                let reason = "a record reaches beyond its chunk";
                return Some(Err(ReadError::damaged(self.offset, reason)));
            };
            if opcode != op::MESSAGE {
                continue;
            }
            let known = record::message(record)
                .and_then(|(channel, data)| Some((*self.reader.channels.get(&channel)?, data)));
            let Some((topic, data)) = known else { continue };
            if self.only.is_some_and(|only| only != topic) {
                continue;
            }
            let message = decode(topic, data).ok_or_else(|| {
                let reason = format!("a message of {} cannot be read", topic.name());
                ReadError::damaged(self.offset, reason)
            });
            return Some(message);
        }
    }
}

fn decode(topic: Topic, data: &[u8]) -> Option<Message> {
    match topic {
        Topic::Meshes => MeshData::decode(data).map(Message::Mesh),
        Topic::Bodies => serde_json::from_slice(data).ok().map(Message::Body),
        Topic::States => Sample::decode(data).map(Message::Sample),
        Topic::Ledger => LedgerLine::decode(data).map(Message::Ledger),
        Topic::Events => serde_json::from_slice(data).ok().map(Message::Event),
        Topic::Contacts => RecordedCollision::decode(data).map(Message::Contacts),
        Topic::Joints => serde_json::from_slice(data).ok().map(Message::Joint),
        Topic::JointStates => JointSample::decode(data).map(Message::Joints),
    }
}

impl<R: Read + Seek> Iterator for Messages<'_, R> {
    type Item = Result<Message, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(message) = self.next_loaded() {
                return Some(message);
            }
            let place = *self.reader.chunks.get(self.chunk)?;
            self.chunk += 1;
            self.at = 0;
            self.records.clear();
            self.offset = place.offset;
            match self.reader.load(place) {
                Ok(records) => self.records = records,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
