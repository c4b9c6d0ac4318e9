//! The journal of a sweep that is under way: what it is, and every row as soon as it is known.
//!
//! A file of lines, each a JSON object: first a [`Header`], then rows in the order in which the runs ended. A row is handed
//! to the operating system as a whole line, so whoever is killed leaves at most one cut line, at the end, which is thrown
//! away when the sweep goes on. The file is locked while a sweep writes to it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::table::Row;

/// The version of this layout.
pub(super) const FORMAT: u32 = 1;

/// What every journal begins with.
const BEGINNING: &[u8] = b"{\"carom_sweep\"";

/// Which sweep a journal belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the layout.
    pub carom_sweep: u32,
    /// Hash of everything that decides what comes out.
    pub fingerprint: String,
    /// Which program wrote it.
    pub version: String,
    /// What is set, as it is typed.
    pub settings: Vec<String>,
    /// How many runs there are.
    pub runs: u64,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The system refuses.
    #[error("cannot keep the journal {}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another program is writing to it.
    #[error(
        "another sweep is writing to {} just now\nhint: wait for it, or write to another file",
        path.display()
    )]
    Busy {
        /// Which file.
        path: PathBuf,
    },
    /// It belongs to another sweep.
    #[error(
        "{} holds runs of another sweep: {difference}\n\
         hint: --restart throws them away; or write to another file with --output",
        path.display()
    )]
    Other {
        /// Which file.
        path: PathBuf,
        /// In what they differ.
        difference: String,
    },
    /// It is not a journal, or not any more.
    #[error(
        "line {line} of {} is not that of a sweep's journal\n\
         hint: --restart begins anew; or write to another file with --output",
        path.display()
    )]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
    },
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Where the journal of a table is: that of `x.csv` is `x.csv.partial`.
    pub fn path_of(table: &Path) -> PathBuf {
        table.with_added_extension("partial")
    }

    /// Begins a journal, or goes on with the one that is there and gives its rows.
    ///
    /// # Errors
    /// If the file belongs to another sweep, is in use or damaged, or cannot be written.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Vec<Row>), JournalError> {
        let failed = |source| JournalError::Io { path: path.to_owned(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        // A file system without locks is no reason not to work.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(JournalError::Busy { path: path.to_owned() });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let (rows, valid) = read(path, &bytes, header)?;
        file.set_len(valid).and_then(|()| file.seek(SeekFrom::Start(valid))).map_err(failed)?;
        let mut journal = Self { path: path.to_owned(), file };
        if valid == 0 {
            journal.write_line(header)?;
        }
        Ok((journal, rows))
    }

    /// Keeps a row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, row: &Row) -> Result<(), JournalError> {
        self.write_line(row)
    }

    /// Removes the journal of a sweep that is done.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn remove(self) -> Result<(), JournalError> {
        let Self { path, file } = self;
        // Some systems do not remove files that are open.
        drop(file);
        std::fs::remove_file(&path).map_err(|source| JournalError::Io { path, source })
    }

    fn write_line(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let written = serde_json::to_vec(value).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.file.write_all(&line)
        });
        written.map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }
}

/// The rows in a journal, and how many bytes of it are whole lines.
fn read(path: &Path, bytes: &[u8], expected: &Header) -> Result<(Vec<Row>, u64), JournalError> {
    let damaged = |line| JournalError::Damaged { path: path.to_owned(), line };
    // What follows the last line feed was cut short.
    let valid = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let Some(whole) = bytes[..valid].strip_suffix(b"\n") else {
        // Nothing, or the beginning of a header that we would write ourselves.
        let ours = bytes.starts_with(BEGINNING) || BEGINNING.starts_with(bytes);
        return if ours { Ok((Vec::new(), 0)) } else { Err(damaged(1)) };
    };
    let mut lines = whole.split(|byte| *byte == b'\n');
    let header = lines.next().and_then(|line| serde_json::from_slice::<Header>(line).ok());
    let header = header.ok_or_else(|| damaged(1))?;
    if header != *expected {
        let difference = difference(&header, expected);
        return Err(JournalError::Other { path: path.to_owned(), difference });
    }
    let row = |(index, line)| {
        let row = serde_json::from_slice::<Row>(line).ok();
        row.filter(|row| row.index < expected.runs).ok_or_else(|| damaged(index + 2))
    };
    let rows = lines.enumerate().map(row).collect::<Result<_, _>>()?;
    Ok((rows, valid as u64))
}

fn difference(there: &Header, here: &Header) -> String {
    let settings = |header: &Header| format!("\"{}\"", header.settings.join(" "));
    if there.version != here.version {
        format!("version {} made them, this is {}", there.version, here.version)
    } else if there.settings != here.settings {
        format!("they were set to {}, not {}", settings(there), settings(here))
    } else {
        "the scene, its files or other settings were different".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use carom_record::Cell;

    use super::*;
    use crate::sweep::Verdict;

    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let name = format!("carom-journal-{}-{name}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            drop(std::fs::remove_file(&self.0));
        }
    }

    fn header() -> Header {
        Header {
            carom_sweep: FORMAT,
            fingerprint: "f".to_owned(),
            version: "1".to_owned(),
            settings: vec!["a=1,2".to_owned()],
            runs: 10,
        }
    }

    fn row(index: u64) -> Row {
        let cells =
            vec![Cell::Number(0.1), Cell::Empty, "x\ny".into(), Cell::Number(f64::INFINITY)];
        Row { index, verdict: Verdict::Met, cells }
    }

    #[test]
    fn a_journal_gives_back_its_rows_and_forgets_a_line_that_was_cut() {
        let place = Place::new("cut");
        let (mut journal, rows) = Journal::open(&place.0, &header()).unwrap();
        assert!(rows.is_empty());
        journal.add(&row(3)).unwrap();
        journal.add(&row(1)).unwrap();
        drop(journal);
        let whole = std::fs::read(&place.0).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&place.0, &whole[..whole.len() - cut]).unwrap();
            let (mut journal, rows) = Journal::open(&place.0, &header()).unwrap();
            let lines = whole[..whole.len() - cut].split(|byte| *byte == b'\n').count();
            // The header, and what follows the last line feed, are none.
            assert_eq!(rows, [row(3), row(1)][..lines.saturating_sub(2)]);
            journal.add(&row(7)).unwrap();
            drop(journal);
            let (_, again) = Journal::open(&place.0, &header()).unwrap();
            assert_eq!(again.len(), rows.len() + 1);
            assert_eq!(again.last(), Some(&row(7)));
        }
    }

    #[test]
    fn a_journal_of_another_sweep_is_refused_with_the_difference() {
        let place = Place::new("other");
        drop(Journal::open(&place.0, &header()).unwrap());
        let told = |header: Header| Journal::open(&place.0, &header).unwrap_err().to_string();
        let version = told(Header { version: "2".to_owned(), ..header() });
        assert!(version.contains("version 1 made them, this is 2"), "{version}");
        let settings = told(Header { settings: vec!["a=3".to_owned()], ..header() });
        assert!(settings.contains("set to \"a=1,2\", not \"a=3\""), "{settings}");
        let scene = told(Header { fingerprint: "g".to_owned(), ..header() });
        assert!(scene.contains("the scene") && scene.contains("--restart"), "{scene}");
    }

    #[test]
    fn what_is_no_journal_is_left_alone() {
        let place = Place::new("foreign");
        for text in ["dear diary", "dear diary\n", "{\"a\": 1}\n"] {
            std::fs::write(&place.0, text).unwrap();
            let error = Journal::open(&place.0, &header()).unwrap_err();
            assert!(matches!(error, JournalError::Damaged { line: 1, .. }), "{error}");
            assert_eq!(std::fs::read_to_string(&place.0).unwrap(), text);
        }
    }

    #[test]
    fn a_line_that_makes_no_sense_is_told_by_its_number() {
        let place = Place::new("damaged");
        drop(Journal::open(&place.0, &header()).unwrap());
        let mut file = OpenOptions::new().append(true).open(&place.0).unwrap();
        writeln!(file, "{}", serde_json::to_string(&row(10)).unwrap()).unwrap();
        let error = Journal::open(&place.0, &header()).unwrap_err();
        assert!(matches!(error, JournalError::Damaged { line: 2, .. }), "{error}");
    }

    #[test]
    fn two_sweeps_do_not_write_to_one_journal() {
        let place = Place::new("busy");
        let (journal, _) = Journal::open(&place.0, &header()).unwrap();
        let second = Journal::open(&place.0, &header());
        assert!(matches!(second, Err(JournalError::Busy { .. })));
        journal.remove().unwrap();
        assert!(!place.0.exists());
    }
}
