//! An MCAP file for Foxglove alone.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek};
use std::path::Path;

use mcap::records::MessageHeader;
use mcap::{McapError, WriteOptions, Writer};

use super::{ExportError, Exported};
use crate::error::RecordError;
use crate::format::log_time;
use crate::foxglove::{Channel, Foxglove, Placed};
use crate::proto::Encoder;
use crate::reader::{Message, Reader};

pub(super) fn write<R: Read + Seek>(
    reader: &mut Reader<R>,
    path: &Path,
) -> Result<Exported, ExportError> {
    let file = File::create(path)
        .map_err(|source| RecordError::Create { path: path.to_owned(), source })?;
    let failed = |error| {
        let source = match error {
            McapError::Io(error) => error,
            other => io::Error::other(other),
        };
        ExportError::Write(RecordError::Write { path: path.to_owned(), source })
    };
    let library = format!("{} {}", reader.header().program, reader.header().version);
    let mut tape = Tape::new(BufWriter::new(file), library).map_err(failed)?;
    for message in reader.messages() {
        tape.take(message?).map_err(failed)?;
    }
    tape.writer.finish().map_err(failed)?;
    if tape.exported.samples == 0 {
        return Err(ExportError::Empty);
    }
    Ok(tape.exported)
}

struct Tape {
    writer: Writer<BufWriter<File>>,
    channels: BTreeMap<Channel, u16>,
    foxglove: Foxglove,
    message: Encoder,
    exported: Exported,
}

impl Tape {
    fn new(file: BufWriter<File>, library: String) -> Result<Self, McapError> {
        let options = WriteOptions::new().compression(None).library(library);
        let mut writer = options.create(file)?;
        let mut channels = BTreeMap::new();
        for channel in Channel::ALL {
            let schema =
                writer.add_schema(channel.schema_name(), "protobuf", &Channel::schema())?;
            let id = writer.add_channel(schema, channel.topic(), "protobuf", &BTreeMap::new())?;
            channels.insert(channel, id);
        }
        let exported = Exported { bodies: 0, samples: 0 };
        let foxglove = Foxglove::default();
        Ok(Self { writer, channels, foxglove, message: Encoder::default(), exported })
    }

    fn take(&mut self, message: Message) -> Result<(), McapError> {
        match message {
            Message::Mesh(mesh) => self.foxglove.mesh(mesh),
            Message::Body(body) => {
                self.exported.bodies += 1;
                self.foxglove.body(body);
            }
            Message::Sample(sample) => {
                self.exported.samples += 1;
                let placed =
                    |(number, it): &(u32, carom::BodyState)| (*number, it.position, it.orientation);
                let bodies: Vec<Placed> = sample.states.iter().map(placed).collect();
                if self.foxglove.scene(sample.time, &bodies, &mut self.message) {
                    self.tell(Channel::Scene, sample.time)?;
                }
                self.foxglove.transforms(sample.time, &bodies, &mut self.message);
                self.tell(Channel::Transforms, sample.time)?;
            }
            Message::Ledger(_)
            | Message::Event(_)
            | Message::Contacts(_)
            | Message::Joint(_)
            | Message::Joints(_) => {}
        }
        Ok(())
    }

    fn tell(&mut self, channel: Channel, time: f64) -> Result<(), McapError> {
        let channel_id = self.channels.get(&channel).copied().unwrap_or_default();
        let (sequence, log_time) = (self.exported.samples as u32, log_time(time));
        let header = MessageHeader { channel_id, sequence, log_time, publish_time: log_time };
        self.writer.write_to_known_channel(&header, &self.message.bytes)
    }
}
