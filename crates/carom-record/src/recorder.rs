//! The recorder: writes a run to an MCAP file while it runs.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use carom::{BodyId, Instant, Observer, Stop, World};
use mcap::records::MessageHeader;
use mcap::write::{Metadata, NoSeek};
use mcap::{Attachment, McapError, WriteOptions, Writer};

use crate::bodies::{BodyDescription, MeshData, MeshNumbers};
use crate::contacts::RecordedCollision;
use crate::error::RecordError;
use crate::events::RecordedEvent;
use crate::format::{HEADER_NAME, PROFILE, SUMMARY_NAME, Topic, log_time};
use crate::foxglove::{Channel, Foxglove, Placed};
use crate::header::RecordingHeader;
use crate::joints::{JointDescription, JointSample};
use crate::limits::{CHUNK_BYTES, CHUNK_SAMPLES};
use crate::messages::{LedgerLine, Sample};
use crate::options::Options;
use crate::proto::Encoder;
use crate::watch::{Seen, Sink, Struck, Watch};

/// Records a run while it runs; see [`format`](mod@crate::format) for what it writes.
///
/// A recorder that is dropped leaves a file that is complete but does not say how the run ended.
#[derive(Debug)]
pub struct Recorder<W: Write> {
    watch: Watch,
    tape: Tape<W>,
}

impl Recorder<File> {
    /// Records to a file; one that is there is replaced.
    ///
    /// # Errors
    /// If the file cannot be made or written to, or the rate is not a positive finite number.
    pub fn create(
        path: impl AsRef<Path>,
        header: &RecordingHeader,
        options: &Options,
    ) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let watch = Watch::new(options)?;
        let file = File::create(path)
            .map_err(|source| RecordError::Create { path: path.to_owned(), source })?;
        Ok(Self { watch, tape: Tape::new(file, path, header, options)? })
    }
}

impl<W: Write> Recorder<W> {
    /// Records to a writer, which messages call `label`. Each chunk is written in a few large pieces and then
    /// flushed, so a buffer around the writer is of no use.
    ///
    /// # Errors
    /// If it cannot be written to, or the rate is not a positive finite number.
    pub fn new(
        writer: W,
        label: impl AsRef<Path>,
        header: &RecordingHeader,
        options: &Options,
    ) -> Result<Self, RecordError> {
        let watch = Watch::new(options)?;
        Ok(Self { watch, tape: Tape::new(writer, label.as_ref(), header, options)? })
    }

    /// Samples the end of the run, if its time has come, adds a summary (JSON), and gives the writer back.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn finish(mut self, world: &World, summary: &str) -> Result<W, RecordError> {
        self.watch.end(world, &mut self.tape)?;
        self.tape.close(world.now(), summary)
    }

    /// Ends the recording where it is, for a run that had a fault and whose world can no longer be asked;
    /// adds a summary (JSON) and the time up to which the run is valid `[s]`.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn close(self, end: f64, summary: &str) -> Result<W, RecordError> {
        self.tape.close(end, summary)
    }
}

impl<W: Write> Observer for Recorder<W> {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        self.watch.between(world, times, &mut self.tape).map_err(Stop::failed)
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.watch.after(world, instant, &mut self.tape).map_err(Stop::failed)
    }

    fn broken(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.after(world, instant)
    }
}

/// What is told to Foxglove, by which channels.
struct Shows {
    foxglove: Foxglove,
    channels: BTreeMap<Channel, u16>,
    bodies: Vec<Placed>,
}

/// The file being written.
struct Tape<W: Write> {
    path: PathBuf,
    /// None after a failure: nothing must follow a record that was cut short.
    writer: Option<Writer<NoSeek<W>>>,
    channels: BTreeMap<Topic, u16>,
    colors: BTreeMap<String, [f64; 4]>,
    meshes: MeshNumbers,
    foxglove: Option<Shows>,
    message: Encoder,
    sequence: u32,
    /// What the open chunk holds.
    chunk_bytes: u64,
    chunk_samples: u64,
    /// True once the chunk with the first bodies has been closed.
    begun: bool,
}

impl<W: Write> std::fmt::Debug for Tape<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tape").field("path", &self.path).finish_non_exhaustive()
    }
}

impl<W: Write> Tape<W> {
    fn new(
        writer: W,
        path: &Path,
        header: &RecordingHeader,
        options: &Options,
    ) -> Result<Self, RecordError> {
        // Chunks are gathered in memory and written whole, so that what is on the disk never needs mending.
        let written = WriteOptions::new()
            .compression(None)
            .profile(PROFILE)
            .library(format!("{} {}", header.program, header.version))
            .chunk_size(None)
            .disable_seeking(true)
            .create(NoSeek::new(writer));
        let fail = |error| RecordError::Write { path: path.to_owned(), source: io_error(error) };
        let mut tape = Self {
            path: path.to_owned(),
            writer: Some(written.map_err(fail)?),
            channels: BTreeMap::new(),
            colors: header.colors.clone(),
            meshes: MeshNumbers::default(),
            foxglove: None,
            message: Encoder::default(),
            sequence: 0,
            chunk_bytes: 0,
            chunk_samples: 0,
            begun: false,
        };
        tape.write_header(header, options)?;
        Ok(tape)
    }

    fn write_header(
        &mut self,
        header: &RecordingHeader,
        options: &Options,
    ) -> Result<(), RecordError> {
        let metadata = header.to_metadata(options.rate_hz);
        self.write(|it| it.write_metadata(&Metadata { name: HEADER_NAME.to_owned(), metadata }))?;
        for file in &header.files {
            let attachment = Attachment {
                log_time: 0,
                create_time: 0,
                name: file.path.clone(),
                media_type: "application/octet-stream".to_owned(),
                data: Cow::Borrowed(&file.bytes),
            };
            self.write(|it| it.attach(&attachment))?;
        }
        for topic in Topic::ALL {
            let (encoding, schema) = topic.schema();
            let channel = self.write(|it| {
                let schema = it.add_schema(topic.schema_name(), encoding, &schema)?;
                it.add_channel(schema, topic.name(), topic.encoding(), &BTreeMap::new())
            })?;
            self.channels.insert(topic, channel);
        }
        if options.foxglove {
            self.add_foxglove()?;
        }
        self.end_chunk()
    }

    fn add_foxglove(&mut self) -> Result<(), RecordError> {
        let mut channels = BTreeMap::new();
        for channel in Channel::ALL {
            let id = self.write(|it| {
                let schema =
                    it.add_schema(channel.schema_name(), "protobuf", &Channel::schema())?;
                it.add_channel(schema, channel.topic(), "protobuf", &BTreeMap::new())
            })?;
            channels.insert(channel, id);
        }
        let foxglove = Foxglove::default();
        self.foxglove = Some(Shows { foxglove, channels, bodies: Vec::new() });
        Ok(())
    }

    /// Does something with the writer; after a failure, nothing any more.
    fn write<T>(
        &mut self,
        action: impl FnOnce(&mut Writer<NoSeek<W>>) -> Result<T, McapError>,
    ) -> Result<T, RecordError> {
        let failed = |path: &Path, error| RecordError::Write {
            path: path.to_owned(),
            source: io_error(error),
        };
        let Some(writer) = &mut self.writer else {
            return Err(failed(&self.path, McapError::AttemptedWriteAfterFailure));
        };
        action(writer).map_err(|error| {
            // Dropping the writer would put an end after the record that was cut short.
            if let Some(writer) = self.writer.take() {
                drop(writer.into_inner());
            }
            failed(&self.path, error)
        })
    }

    fn message(&mut self, topic: Topic, time: f64) -> Result<(), RecordError> {
        let channel_id = self.channels.get(&topic).copied().unwrap_or_default();
        self.message_to(channel_id, time)
    }

    fn message_to(&mut self, channel_id: u16, time: f64) -> Result<(), RecordError> {
        let log_time = log_time(time);
        let header =
            MessageHeader { channel_id, sequence: self.sequence, log_time, publish_time: log_time };
        let message = std::mem::take(&mut self.message);
        let written = self.write(|it| it.write_to_known_channel(&header, &message.bytes));
        self.chunk_bytes += message.bytes.len() as u64;
        self.message = message;
        written?;
        self.sequence = self.sequence.wrapping_add(1);
        if self.chunk_bytes >= CHUNK_BYTES { self.end_chunk() } else { Ok(()) }
    }

    /// Tells a sample to Foxglove, if it is wanted.
    fn show(&mut self, sample: &Seen<'_>) -> Result<(), RecordError> {
        let Some(mut shows) = self.foxglove.take() else { return Ok(()) };
        let Shows { foxglove, channels, bodies } = &mut shows;
        let channel = |channel| channels.get(&channel).copied().unwrap_or_default();
        let [scene, transforms] = Channel::ALL.map(channel);
        bodies.clear();
        let placed = sample.numbers.iter().zip(sample.states);
        bodies.extend(placed.map(|(&number, (_, it))| (number, it.position, it.orientation)));
        if foxglove.scene(sample.time, bodies, &mut self.message) {
            self.message_to(scene, sample.time)?;
        }
        foxglove.transforms(sample.time, bodies, &mut self.message);
        self.message_to(transforms, sample.time)?;
        self.foxglove = Some(shows);
        Ok(())
    }

    fn json(
        &mut self,
        topic: Topic,
        time: f64,
        value: &impl serde::Serialize,
    ) -> Result<(), RecordError> {
        self.message.bytes.clear();
        let written = serde_json::to_writer(&mut self.message.bytes, value);
        written.map_err(|error| RecordError::Write {
            path: self.path.clone(),
            source: io::Error::other(error),
        })?;
        self.message(topic, time)
    }

    /// Hands everything to the operating system.
    fn end_chunk(&mut self) -> Result<(), RecordError> {
        self.chunk_bytes = 0;
        self.chunk_samples = 0;
        self.write(Writer::flush)
    }

    fn close(mut self, end: f64, summary: &str) -> Result<W, RecordError> {
        let metadata = BTreeMap::from([
            ("summary".to_owned(), summary.to_owned()),
            ("end_s".to_owned(), format!("{end:?}")),
        ]);
        self.write(|it| it.write_metadata(&Metadata { name: SUMMARY_NAME.to_owned(), metadata }))?;
        self.write(Writer::finish)?;
        match self.writer.take() {
            Some(writer) => Ok(writer.into_inner().into_inner()),
            None => Err(RecordError::Write {
                path: self.path.clone(),
                source: io_error(McapError::AttemptedWriteAfterFailure),
            }),
        }
    }
}

impl<W: Write> Sink for Tape<W> {
    fn body(
        &mut self,
        world: &World,
        body: BodyId,
        number: u32,
        time: f64,
    ) -> Result<(), RecordError> {
        // A body that came and went in one instant has a number but leaves no description.
        let Some(body) = world.body(body) else { return Ok(()) };
        let mut new = Vec::new();
        let mut description = BodyDescription::of(&body, number, time, &mut self.meshes, &mut new);
        description.color = self.colors.get(&description.name).copied();
        for mesh in new {
            let MeshData { number, vertices, triangles } = mesh;
            MeshData::encode(number, &vertices, &triangles, &mut self.message);
            self.message(Topic::Meshes, time)?;
            if let Some(shows) = &mut self.foxglove {
                shows.foxglove.mesh(MeshData { number, vertices, triangles });
            }
        }
        self.json(Topic::Bodies, time, &description)?;
        if let Some(shows) = &mut self.foxglove {
            shows.foxglove.body(description);
        }
        Ok(())
    }

    fn sample(&mut self, world: &World, sample: &Seen<'_>) -> Result<(), RecordError> {
        // The states come last: they are what fills a chunk, and both shall be in the same one.
        let account = world.account_at(sample.time);
        let gravity = Some(world.gravity());
        LedgerLine { time: sample.time, account, gravity }.encode(&mut self.message);
        self.message(Topic::Ledger, sample.time)?;
        if !sample.joints.is_empty() {
            JointSample::encode(sample.time, sample.joints, &mut self.message);
            self.message(Topic::JointStates, sample.time)?;
        }
        self.chunk_samples += 1;
        self.show(sample)?;
        Sample::encode(sample.time, sample.numbers, sample.states, &mut self.message);
        self.message(Topic::States, sample.time)?;
        // The first sample is not held back: a run that is killed at once shows its beginning.
        if self.chunk_samples >= CHUNK_SAMPLES || !self.begun {
            self.begun = true;
            self.end_chunk()?;
        }
        Ok(())
    }

    fn joint(&mut self, joint: JointDescription) -> Result<(), RecordError> {
        self.json(Topic::Joints, joint.since_s, &joint)
    }

    fn event(&mut self, event: &RecordedEvent) -> Result<(), RecordError> {
        self.json(Topic::Events, event.time, event)
    }

    fn contacts(&mut self, _: &World, struck: &Struck<'_>) -> Result<(), RecordError> {
        RecordedCollision::encode(struck.time, struck.recorded, &mut self.message);
        self.message(Topic::Contacts, struck.time)
    }
}

fn io_error(error: McapError) -> io::Error {
    match error {
        McapError::Io(error) => error,
        other => io::Error::other(other),
    }
}
