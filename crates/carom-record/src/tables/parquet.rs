//! Tables in Parquet, without compression.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};

use super::{Column, Kind, Table};
use crate::error::RecordError;
use crate::limits::ROW_GROUP_ROWS;

/// One table in Parquet.
pub(crate) struct ParquetTable {
    path: PathBuf,
    /// None once the table is closed or has failed.
    writer: Option<SerializedFileWriter<Box<dyn Write + Send>>>,
    /// Rows of the group that is being filled.
    columns: Vec<Cells>,
    /// The column of the next cell.
    next: usize,
    rows: usize,
}

/// The cells of one column in the group that is being filled.
struct Cells {
    optional: bool,
    /// Of an optional column: 1 for each cell that is there, 0 for each that is not.
    there: Vec<i16>,
    values: Values,
}

enum Values {
    Numbers(Vec<f64>),
    Texts(Vec<ByteArray>),
    Wholes(Vec<i64>),
    Truths(Vec<bool>),
}

impl fmt::Debug for ParquetTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetTable").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Cells {
    const fn of(column: &Column) -> Self {
        let values = match column.kind {
            Kind::Text | Kind::OptionalText => Values::Texts(Vec::new()),
            Kind::Number | Kind::OptionalNumber => Values::Numbers(Vec::new()),
            Kind::OptionalWhole => Values::Wholes(Vec::new()),
            Kind::OptionalTruth => Values::Truths(Vec::new()),
        };
        let optional = !matches!(column.kind, Kind::Text | Kind::Number);
        Self { optional, there: Vec::new(), values }
    }

    fn clear(&mut self) {
        self.there.clear();
        match &mut self.values {
            Values::Numbers(numbers) => numbers.clear(),
            Values::Texts(texts) => texts.clear(),
            Values::Wholes(wholes) => wholes.clear(),
            Values::Truths(truths) => truths.clear(),
        }
    }
}

impl ParquetTable {
    fn cell(&mut self, there: bool, put: impl FnOnce(&mut Values)) {
        let Some(cells) = self.columns.get_mut(self.next) else { return };
        self.next += 1;
        if cells.optional {
            cells.there.push(i16::from(there));
        }
        if there || !cells.optional {
            put(&mut cells.values);
        }
    }

    fn error(&self, error: ParquetError) -> RecordError {
        // What the system said stands inside, and is what helps.
        let source = match error {
            ParquetError::External(inner) => {
                inner.downcast::<io::Error>().map_or_else(io::Error::other, |inner| *inner)
            }
            other => io::Error::other(other),
        };
        RecordError::Write { path: self.path.clone(), source }
    }

    fn write_group(&mut self) -> Result<(), RecordError> {
        let Some(writer) = self.writer.as_mut().filter(|_| self.rows > 0) else { return Ok(()) };
        let written = write_group(writer, &self.columns);
        self.columns.iter_mut().for_each(Cells::clear);
        self.rows = 0;
        written.map_err(|error| {
            self.writer = None;
            self.error(error)
        })
    }

    fn end(&mut self) -> Result<(), RecordError> {
        self.write_group()?;
        match self.writer.take() {
            Some(writer) => {
                let mut inner = writer.into_inner().map_err(|error| self.error(error))?;
                inner
                    .flush()
                    .map_err(|source| RecordError::Write { path: self.path.clone(), source })
            }
            None => Ok(()),
        }
    }
}

fn write_group(
    writer: &mut SerializedFileWriter<Box<dyn Write + Send>>,
    columns: &[Cells],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for cells in columns {
        let Some(mut column) = group.next_column()? else { break };
        match &cells.values {
            Values::Numbers(numbers) => write_cells(column.typed::<DoubleType>(), numbers, cells)?,
            Values::Texts(texts) => write_cells(column.typed::<ByteArrayType>(), texts, cells)?,
            Values::Wholes(wholes) => write_cells(column.typed::<Int64Type>(), wholes, cells)?,
            Values::Truths(truths) => write_cells(column.typed::<BoolType>(), truths, cells)?,
        }
        column.close()?;
    }
    group.close()?;
    Ok(())
}

fn write_cells<T: DataType>(
    column: &mut ColumnWriterImpl<'_, T>,
    values: &[T::T],
    cells: &Cells,
) -> Result<(), ParquetError> {
    let there = cells.optional.then_some(cells.there.as_slice());
    column.write_batch(values, there, None).map(|_| ())
}

fn schema(columns: &[Column]) -> Result<Type, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.kind {
            Kind::Text | Kind::OptionalText => {
                (PhysicalType::BYTE_ARRAY, Some(LogicalType::String))
            }
            Kind::Number | Kind::OptionalNumber => (PhysicalType::DOUBLE, None),
            Kind::OptionalWhole => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
            Kind::OptionalTruth => (PhysicalType::BOOLEAN, None),
        };
        let repetition = match column.kind {
            Kind::Text | Kind::Number => Repetition::REQUIRED,
            _ => Repetition::OPTIONAL,
        };
        Type::primitive_type_builder(&column.name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("carom").with_fields(fields).build()
}

/// Texts and times repeat and are kept as indices into a dictionary; other numbers hardly do.
fn properties(columns: &[Column]) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for column in columns {
        let repeats = matches!(column.kind, Kind::Text | Kind::OptionalText);
        if repeats || column.name == "time_s" {
            let path = ColumnPath::from(column.name.as_ref());
            properties = properties.set_column_dictionary_enabled(path, true);
        }
    }
    properties.build()
}

impl Table for ParquetTable {
    fn new<W: Write + Send + 'static>(
        writer: W,
        path: &Path,
        columns: &[Column],
    ) -> Result<Self, RecordError> {
        let mut table = Self {
            path: path.to_owned(),
            writer: None,
            columns: columns.iter().map(Cells::of).collect(),
            next: 0,
            rows: 0,
        };
        let writer: Box<dyn Write + Send> = Box::new(writer);
        let opened = schema(columns).and_then(|schema| {
            SerializedFileWriter::new(writer, Arc::new(schema), Arc::new(properties(columns)))
        });
        table.writer = Some(opened.map_err(|error| table.error(error))?);
        Ok(table)
    }

    fn text(&mut self, cell: Option<&str>) {
        self.cell(cell.is_some(), |values| {
            if let Values::Texts(texts) = values {
                texts.push(ByteArray::from(cell.unwrap_or_default()));
            }
        });
    }

    fn number(&mut self, cell: Option<f64>) {
        self.cell(cell.is_some(), |values| {
            if let Values::Numbers(numbers) = values {
                numbers.push(cell.unwrap_or(f64::NAN));
            }
        });
    }

    fn whole(&mut self, cell: Option<u64>) {
        self.cell(cell.is_some(), |values| {
            if let Values::Wholes(wholes) = values {
                // The logical type says that the bits are those of a number without a sign.
                wholes.push(cell.unwrap_or_default().cast_signed());
            }
        });
    }

    fn truth(&mut self, cell: Option<bool>) {
        self.cell(cell.is_some(), |values| {
            if let Values::Truths(truths) = values {
                truths.push(cell.unwrap_or_default());
            }
        });
    }

    fn end_row(&mut self) -> Result<(), RecordError> {
        debug_assert_eq!(self.next, self.columns.len(), "a row has a cell for every column");
        self.next = 0;
        self.rows += 1;
        if self.rows >= ROW_GROUP_ROWS { self.write_group() } else { Ok(()) }
    }

    fn close(mut self) -> Result<(), RecordError> {
        self.end()
    }
}

impl Drop for ParquetTable {
    fn drop(&mut self) {
        // Whoever drops a table cannot be told; whoever wants to know closes it.
        self.end().ok();
    }
}
