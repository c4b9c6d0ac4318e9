//! The tables of a recording: the same rows as those that a run writes itself.

use std::collections::BTreeSet;
use std::io::{Read, Seek};
use std::path::Path;

use super::{ExportError, ExportFormat, Exported};
use crate::bodies::BodyDescription;
use crate::events::RecordedEvent;
use crate::reader::{Message, Reader};
use crate::tables::{All, CsvTable, ParquetTable, Table};
use glam::DVec3;

pub(super) fn write<R: Read + Seek>(
    reader: &mut Reader<R>,
    format: ExportFormat,
    path: &Path,
) -> Result<Exported, ExportError> {
    match format {
        ExportFormat::Parquet => fill::<R, ParquetTable>(reader, path),
        _ => fill::<R, CsvTable>(reader, path),
    }
}

/// What is known of the run so far.
#[derive(Default)]
struct Known {
    bodies: Vec<BodyDescription>,
    /// Bodies that move by themselves now.
    free: BTreeSet<u32>,
    gravity: Option<DVec3>,
    samples: usize,
}

impl Known {
    fn body(&self, number: u32) -> Option<&BodyDescription> {
        let found = self.bodies.binary_search_by_key(&number, |it| it.body);
        found.ok().and_then(|index| self.bodies.get(index))
    }

    fn name(&self, number: Option<u32>) -> &str {
        number.and_then(|number| self.body(number)).map_or("", |body| &body.name)
    }

    fn event(&mut self, event: &RecordedEvent) {
        match (event.kind.as_str(), event.body) {
            ("carried", Some(body)) => _ = self.free.remove(&body),
            ("released", Some(body)) => _ = self.free.insert(body),
            _ => {}
        }
    }
}

fn fill<R: Read + Seek, T: Table>(
    reader: &mut Reader<R>,
    path: &Path,
) -> Result<Exported, ExportError> {
    let mut tables = All::<T>::create(path, true)?;
    let mut known = Known::default();
    for message in reader.messages() {
        match message? {
            Message::Mesh(_) | Message::Joint(_) | Message::Joints(_) => {}
            Message::Body(body) => {
                if body.role == "free" || body.role == "linked" {
                    known.free.insert(body.body);
                }
                known.bodies.push(body);
            }
            Message::Ledger(line) => known.gravity = line.gravity,
            Message::Sample(sample) => {
                known.samples += 1;
                for (number, state) in &sample.states {
                    let free = known.body(*number).filter(|_| known.free.contains(number));
                    let mass = free.and_then(BodyDescription::mass);
                    let kinetic = mass.as_ref().map(|mass| mass.kinetic_energy(state));
                    let lifted =
                        |gravity: DVec3| Some(-mass.as_ref()?.mass * gravity.dot(state.position));
                    let energies = [kinetic, known.gravity.and_then(lifted)];
                    tables.state_row(sample.time, known.name(Some(*number)), state, energies)?;
                }
            }
            Message::Event(event) => {
                known.event(&event);
                tables.event_row(&event)?;
            }
            Message::Contacts(collisions) => {
                for collision in &collisions {
                    tables.contact_row(collision, collision.bodies.map(|it| known.name(it)))?;
                }
            }
        }
    }
    tables.close()?;
    Ok(Exported { bodies: known.bodies.len(), samples: known.samples })
}
