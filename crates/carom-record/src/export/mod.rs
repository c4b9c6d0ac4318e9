//! Recordings in formats that other programs open.
//!
//! | format | what opens it | what is in it |
//! |---|---|---|
//! | glTF 2.0 (`.gltf`, `.glb`) | Blender, three.js | every body's shape as triangles, animated; y up |
//! | USD (`.usda`) | usdview, Blender, Omniverse | shapes as primitives where USD has them, time samples; z up |
//! | tables (`.csv`, `.parquet`) | spreadsheets, data tools | what `carom run -o` writes: states, events, contacts |
//! | Foxglove (`.mcap`) | Foxglove | scene and transforms, see the module `foxglove` |

mod film;
mod gltf;
mod mcap;
mod tables;
#[cfg(test)]
mod tests;
mod usd;

use std::fs::File;
use std::io::{BufWriter, Read, Seek, Write};
use std::path::Path;

use thiserror::Error;

use crate::error::{ReadError, RecordError};
use crate::reader::Reader;
use film::Film;

/// A format to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// glTF 2.0 as one text.
    Gltf,
    /// glTF 2.0 as one binary file.
    Glb,
    /// USD as text.
    Usd,
    /// Tables as text.
    Csv,
    /// Tables in Parquet.
    Parquet,
    /// An MCAP file with Foxglove's channels alone.
    Foxglove,
}

impl ExportFormat {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Gltf, Self::Glb, Self::Usd, Self::Csv, Self::Parquet, Self::Foxglove];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Usd => "usd",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Foxglove => "foxglove",
        }
    }

    /// The extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Usd => "usda",
            Self::Foxglove => "mcap",
            other => other.name(),
        }
    }

    /// The format of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that the name of a file says, by its extension in upper or lower case.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        Self::ALL.into_iter().find(|format| format.extension() == extension)
    }
}

/// Why a recording cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] RecordError),
    /// There is nothing to show.
    #[error(
        "the recording has no samples of bodies, so there is nothing to show\n\
         hint: record a run that comes to its first sample"
    )]
    Empty,
}

/// What was exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Bodies in it.
    pub bodies: usize,
    /// Samples in it.
    pub samples: usize,
}

/// Exports a recording; a file that is there is replaced. Tables have their events and contacts beside them.
///
/// # Errors
/// If the recording cannot be read or has nothing in it, or the file cannot be written.
pub fn export<R: Read + Seek>(
    reader: &mut Reader<R>,
    format: ExportFormat,
    path: &Path,
) -> Result<Exported, ExportError> {
    match format {
        ExportFormat::Csv | ExportFormat::Parquet => tables::write(reader, format, path),
        ExportFormat::Foxglove => mcap::write(reader, path),
        ExportFormat::Gltf | ExportFormat::Glb | ExportFormat::Usd => {
            let film = Film::read(reader)?;
            let bytes = match format {
                ExportFormat::Usd => usd::text(&film).into_bytes(),
                ExportFormat::Glb => gltf::binary(&film),
                _ => gltf::text(&film),
            };
            write(path, &bytes)?;
            Ok(Exported { bodies: film.actors.len(), samples: film.n_samples })
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let file = File::create(path)
        .map_err(|source| RecordError::Create { path: path.to_owned(), source })?;
    let mut file = BufWriter::new(file);
    file.write_all(bytes)
        .and_then(|()| file.flush())
        .map_err(|source| RecordError::Write { path: path.to_owned(), source })
}
