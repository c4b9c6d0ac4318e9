//! One name for everything that a run can be written to.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use carom::{Instant, Observer, Stop, World};

use crate::error::RecordError;
use crate::header::RecordingHeader;
use crate::options::Options;
use crate::recorder::Recorder;
use crate::tables::{CsvTables, ParquetTables, contacts_path, events_path};

/// A file, or a few of them, that a run is written to while it runs.
#[derive(Debug)]
pub enum Output {
    /// A recording.
    Recording(Box<Recorder<File>>),
    /// Tables as text.
    Csv(Box<CsvTables>),
    /// Tables in Parquet.
    Parquet(Box<ParquetTables>),
}

impl Output {
    /// Extensions of file names, and so kinds of output, that are known.
    pub const EXTENSIONS: [&str; 3] = ["csv", "parquet", "mcap"];

    /// Picks the kind by the extension of the path, in upper or lower case. The header goes into recordings;
    /// tables have no place for it.
    ///
    /// # Errors
    /// If the extension is unknown, a file cannot be made, or the rate is not a positive finite number.
    pub fn create(
        path: impl AsRef<Path>,
        header: &RecordingHeader,
        options: &Options,
    ) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        Ok(match extension.as_str() {
            "csv" => Self::Csv(Box::new(CsvTables::create(path, options)?)),
            "parquet" => Self::Parquet(Box::new(ParquetTables::create(path, options)?)),
            "mcap" => Self::Recording(Box::new(Recorder::create(path, header, options)?)),
            _ => return Err(RecordError::Extension { path: path.to_owned() }),
        })
    }

    /// Where the events and the contacts of an output go, if these are files of their own: tables have them, recordings
    /// do not.
    pub fn events_paths(path: impl AsRef<Path>) -> Option<[PathBuf; 2]> {
        let path = path.as_ref();
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        let is_table = ["csv", "parquet"].contains(&extension.as_str());
        is_table.then(|| [events_path(path), contacts_path(path)])
    }

    /// Samples the end of the run, if its time has come, and ends the files; a summary (JSON) goes into
    /// recordings.
    ///
    /// # Errors
    /// If a file cannot be written to.
    pub fn finish(self, world: &World, summary: &str) -> Result<(), RecordError> {
        match self {
            Self::Recording(recorder) => recorder.finish(world, summary).map(drop),
            Self::Csv(tables) => tables.finish(world),
            Self::Parquet(tables) => tables.finish(world),
        }
    }

    /// Ends the files where they are, for a run that had a fault; `end` is the time up to which it is valid
    /// `[s]`.
    ///
    /// # Errors
    /// If a file cannot be written to.
    pub fn close(self, end: f64, summary: &str) -> Result<(), RecordError> {
        match self {
            Self::Recording(recorder) => recorder.close(end, summary).map(drop),
            Self::Csv(tables) => tables.close(),
            Self::Parquet(tables) => tables.close(),
        }
    }

    fn observer(&mut self) -> &mut dyn Observer {
        match self {
            Self::Recording(recorder) => recorder.as_mut(),
            Self::Csv(tables) => tables.as_mut(),
            Self::Parquet(tables) => tables.as_mut(),
        }
    }
}

impl Observer for Output {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        self.observer().between(world, times)
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.observer().after(world, instant)
    }

    fn broken(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.observer().broken(world, instant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_extension_is_refused_with_those_that_are_known() {
        for path in ["run.txt", "run", "csv", "run.csv.gz"] {
            let made = Output::create(path, &RecordingHeader::default(), &Options::at(60.0));
            let message = made.unwrap_err().to_string();
            assert!(message.contains(path), "{message}");
            for extension in Output::EXTENSIONS {
                assert!(message.contains(&format!(".{extension}")), "{message}");
            }
        }
    }

    #[test]
    fn a_rate_that_is_none_is_refused_before_a_file_is_made() {
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let made = Output::create("x.mcap", &RecordingHeader::default(), &Options::at(rate));
            assert!(matches!(made, Err(RecordError::Rate { .. })), "{rate}");
        }
        assert!(!Path::new("x.mcap").exists());
    }
}
