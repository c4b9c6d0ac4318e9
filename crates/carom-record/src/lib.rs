//! What a run leaves behind: recordings, tables and plots.
//!
//! **Takes** a world that runs, by watching it ([`carom::Observer`]). **Gives** recordings (MCAP files that hold
//! the scene, the bodies, sampled states, every event and collision, and the ledger) with a [`Reader`] for them, and tables
//! (CSV, Parquet). From recordings it makes charts ([`figures`]) and files for other programs ([`export()`]). **Refuses to know**
//! scenes and what a summary says.
//!
//! A recorder only ever gets the world by shared reference, so recording changes no bit of a run.
//!
//! ```
//! use carom::{Body, Observers, World};
//! use carom_geometry::{Shape, shapes::Ball};
//! use carom_record::{Options, Reader, Recorder, RecordingHeader};
//!
//! let mut world = World::builder().build()?;
//! world.add(Body::free(Shape::Ball(Ball::new(0.1)?)).named("ball"))?;
//! let header = RecordingHeader::new("example", "1.0");
//! let mut recorder = Recorder::new(Vec::new(), "memory", &header, &Options::at(60.0))?;
//! world.advance_watched(1.0, &mut Observers::none().with(&mut recorder))?;
//! let bytes = recorder.finish(&world, "{}")?;
//!
//! let mut reader = Reader::new(std::io::Cursor::new(bytes))?;
//! assert_eq!(reader.samples().count(), 61);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The layout of a recording is described in [`mod@format`].

mod bodies;
mod contacts;
mod error;
mod events;
mod export;
pub mod figures;
pub mod format;
mod foxglove;
mod gather;
mod header;
mod joints;
mod limits;
mod messages;
mod options;
mod output;
pub mod plot;
mod proto;
mod reader;
mod recorder;
mod roster;
mod surfaces;
mod tables;
mod watch;

#[cfg(test)]
mod testing;

pub use bodies::{BodyDescription, MeshData, PartDescription, ShapeDescription};
pub use contacts::RecordedCollision;
pub use error::{ReadError, RecordError};
pub use events::RecordedEvent;
pub use export::{ExportError, ExportFormat, Exported, export};
pub use gather::Gatherer;
pub use header::{EmbeddedFile, GivenCommand, RecordingHeader};
pub use joints::{
    FreedomDescription, JointDescription, JointRow, JointSample, PlacementDescription,
};
pub use limits::Limits;
pub use messages::{LedgerLine, Sample};
pub use options::{Options, Selection};
pub use output::Output;
pub use reader::{Ending, Message, Messages, Reader};
pub use recorder::Recorder;
pub use tables::{Cell, CsvTables, ParquetTables, Sheet};
