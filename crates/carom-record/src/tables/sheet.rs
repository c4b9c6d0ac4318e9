//! A table that is whole in memory, with columns of any names.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::csv::CsvTable;
use super::parquet::ParquetTable;
use super::{Column, Kind, Table};
use crate::error::RecordError;

/// What is in a cell.
///
/// As JSON, numbers that JSON does not know are texts, so that every cell reads back the same to the bit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Cell {
    /// Nothing.
    #[default]
    #[serde(rename = "-")]
    Empty,
    /// A text.
    #[serde(rename = "t")]
    Text(String),
    /// A number, perhaps not finite.
    #[serde(rename = "n", with = "number")]
    Number(f64),
    /// A whole number.
    #[serde(rename = "w")]
    Whole(u64),
    /// Whether something holds.
    #[serde(rename = "b")]
    Truth(bool),
}

impl Cell {
    /// The number in it; of what holds 1, of what does not 0.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Whole(whole) => Some(*whole as f64),
            Self::Truth(truth) => Some(f64::from(u8::from(*truth))),
            Self::Text(_) | Self::Empty => None,
        }
    }

    /// As people read it, numbers in the shortest form that reads back the same.
    pub fn to_text(&self) -> String {
        match self {
            Self::Number(number) => format!("{number:?}"),
            Self::Whole(whole) => whole.to_string(),
            Self::Truth(truth) => truth.to_string(),
            Self::Text(text) => text.clone(),
            Self::Empty => String::new(),
        }
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for Cell {
    fn from(whole: u64) -> Self {
        Self::Whole(whole)
    }
}

impl From<bool> for Cell {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Numbers as JSON; those that are not finite as texts.
mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Written {
        Finite(f64),
        Other(String),
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
    pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        let written = if number.is_finite() {
            Written::Finite(*number)
        } else {
            Written::Other(number.to_string())
        };
        written.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        match Written::deserialize(from)? {
            Written::Finite(number) => Ok(number),
            Written::Other(text) => text.parse().map_err(D::Error::custom),
        }
    }
}

/// A table that is whole in memory. What kind of column it is follows from its cells: texts if one is a text, else
/// numbers if one is a number, else whole numbers or truths; any cell may be empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    names: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Sheet {
    /// Extensions of file names, and so formats, that are known.
    pub const EXTENSIONS: [&str; 2] = ["csv", "parquet"];

    /// A table without rows. A name that is there already gets a number behind it, so that each is there once.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let mut unique: Vec<String> = Vec::new();
        for name in names {
            let mut candidate = name.clone();
            let mut count = 1;
            while unique.contains(&candidate) {
                count += 1;
                candidate = format!("{name}_{count}");
            }
            unique.push(candidate);
        }
        Self { names: unique, rows: Vec::new() }
    }

    /// The names of its columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Its rows, each with a cell for every column.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// Adds a row; cells that are missing are empty, and those beyond the last column are left out.
    pub fn push(&mut self, mut row: Vec<Cell>) {
        row.resize(self.names.len(), Cell::Empty);
        self.rows.push(row);
    }

    /// The column with that name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Whether a table can be written to a file of that name, by its extension.
    pub fn is_known(path: &Path) -> bool {
        extension(path).is_some()
    }

    /// Writes it to a file, in the format of its extension. A file that is there is replaced.
    ///
    /// # Errors
    /// If the extension is unknown or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let format = extension(path).ok_or_else(|| RecordError::Table { path: path.to_owned() })?;
        let file = File::create(path)
            .map_err(|source| RecordError::Create { path: path.to_owned(), source })?;
        match format {
            "csv" => self.fill::<CsvTable>(file, path),
            _ => self.fill::<ParquetTable>(file, path),
        }
    }

    /// As text, by RFC 4180 with line feeds.
    pub fn to_csv(&self) -> String {
        let memory = Memory::default();
        let filled = self.fill::<CsvTable>(memory.clone(), Path::new("memory"));
        debug_assert!(filled.is_ok(), "writing to memory does not fail");
        let bytes = std::mem::take(&mut *memory.0.lock().unwrap_or_else(PoisonError::into_inner));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn fill<T: Table>(
        &self,
        writer: impl Write + Send + 'static,
        path: &Path,
    ) -> Result<(), RecordError> {
        let kinds: Vec<Kind> = (0..self.names.len()).map(|column| self.kind(column)).collect();
        let column = |(name, &kind): (&String, &Kind)| Column { name: name.clone().into(), kind };
        let columns: Vec<Column> = self.names.iter().zip(&kinds).map(column).collect();
        let mut table = T::new(writer, path, &columns)?;
        for row in &self.rows {
            for (cell, kind) in row.iter().zip(&kinds) {
                put(&mut table, cell, *kind);
            }
            table.end_row()?;
        }
        table.close()
    }

    fn kind(&self, column: usize) -> Kind {
        let has = |is: fn(&Cell) -> bool| self.rows.iter().any(|row| is(&row[column]));
        let text = has(|cell| matches!(cell, Cell::Text(_)));
        let number = has(|cell| matches!(cell, Cell::Number(_)));
        let whole = has(|cell| matches!(cell, Cell::Whole(_)));
        let truth = has(|cell| matches!(cell, Cell::Truth(_)));
        match (text, number, whole, truth) {
            (true, ..) => Kind::OptionalText,
            (_, false, true, false) => Kind::OptionalWhole,
            (_, false, false, true) => Kind::OptionalTruth,
            _ => Kind::OptionalNumber,
        }
    }
}

fn put(table: &mut impl Table, cell: &Cell, kind: Kind) {
    match (kind, cell) {
        (Kind::OptionalWhole, Cell::Whole(whole)) => table.whole(Some(*whole)),
        (Kind::OptionalWhole, _) => table.whole(None),
        (Kind::OptionalTruth, Cell::Truth(truth)) => table.truth(Some(*truth)),
        (Kind::OptionalTruth, _) => table.truth(None),
        (Kind::Number | Kind::OptionalNumber, cell) => table.number(cell.as_number()),
        (Kind::Text | Kind::OptionalText, Cell::Empty) => table.text(None),
        (Kind::Text | Kind::OptionalText, cell) => table.text(Some(&cell.to_text())),
    }
}

fn extension(path: &Path) -> Option<&'static str> {
    let typed = path.extension()?.to_str()?.to_lowercase();
    Sheet::EXTENSIONS.into_iter().find(|known| *known == typed)
}

/// Bytes in memory that a writer and its reader share.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ::parquet::file::reader::{FileReader as _, SerializedFileReader};

    use super::*;

    fn sheet() -> Sheet {
        let names = ["n", "x", "ok", "what", "nothing", "n"];
        let mut sheet = Sheet::new(names.map(str::to_owned));
        sheet.push(vec![
            Cell::Whole(u64::MAX),
            Cell::Whole(2),
            Cell::Truth(true),
            "a, \"b\"".into(),
        ]);
        sheet.push(vec![Cell::Empty, Cell::Number(0.1), Cell::Empty, Cell::Number(1.0)]);
        sheet.push(vec![Cell::Whole(3), Cell::Number(f64::NAN), Cell::Truth(false)]);
        sheet
    }

    #[test]
    fn columns_are_what_their_cells_are() {
        let expected = "n,x,ok,what,nothing,n_2\n\
                        18446744073709551615,2.0,true,\"a, \"\"b\"\"\",,\n\
                        ,0.1,,1.0,,\n\
                        3,NaN,false,,,\n";
        assert_eq!(sheet().to_csv(), expected);
    }

    #[test]
    fn a_sheet_in_parquet_has_the_same_cells() {
        let name = format!("carom-record-sheet-{}.parquet", std::process::id());
        let path = std::env::temp_dir().join(name);
        sheet().write(&path).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        std::fs::remove_file(&path).unwrap();
        println!("{rows:?}");
        assert!(rows[0].contains("n: 18446744073709551615, x: 2.0, ok: true"), "{}", rows[0]);
        assert!(rows[1].contains("n: null, x: 0.1, ok: null, what: \"1.0\""), "{}", rows[1]);
        assert!(rows[2].contains("x: NaN, ok: false, what: null"), "{}", rows[2]);
    }

    #[test]
    fn cells_read_back_the_same_from_json() {
        let numbers = [0.1, -0.0, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e308];
        let mut cells: Vec<Cell> = numbers.map(Cell::Number).to_vec();
        cells.extend([Cell::Empty, "x\n".into(), Cell::Whole(u64::MAX), Cell::Truth(true)]);
        let text = serde_json::to_string(&cells).unwrap();
        let back: Vec<Cell> = serde_json::from_str(&text).unwrap();
        assert_eq!(format!("{back:?}"), format!("{cells:?}"), "{text}");
        let nan = serde_json::to_string(&Cell::Number(f64::NAN)).unwrap();
        let nan: Cell = serde_json::from_str(&nan).unwrap();
        assert!(matches!(nan, Cell::Number(number) if number.is_nan()));
    }

    #[test]
    fn an_extension_that_is_no_tables_is_refused() {
        let message = sheet().write(Path::new("x.mcap")).unwrap_err().to_string();
        assert!(message.contains("x.mcap") && message.contains(".parquet"), "{message}");
    }
}
