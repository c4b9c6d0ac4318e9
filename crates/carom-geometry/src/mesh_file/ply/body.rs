//! Rows of a PLY file, in text or binary.

use super::super::build::MeshBuilder;
use super::super::error::{MeshFileError, Place};
use super::super::text::{Lines, next_word, parse_integer, parse_number, shown};
use super::header::{Kind, Scalar};
use super::{HINT_SHORT, HINT_SYNTAX};

/// Numbers of one row after the other. Errors need the builder for the name of the format only.
pub(super) trait Body: Clone {
    /// The fewest bytes that a property takes.
    fn least_bytes(kind: Kind) -> u64;
    /// Bytes that have not been read.
    fn n_left(&self) -> u64;
    /// Where the next number is.
    fn place(&self) -> Place;
    fn start_row(&mut self, builder: &MeshBuilder<'_>) -> Result<(), MeshFileError>;
    fn number(&mut self, scalar: Scalar, builder: &MeshBuilder<'_>) -> Result<f64, MeshFileError>;
    fn integer(&mut self, scalar: Scalar, builder: &MeshBuilder<'_>) -> Result<i64, MeshFileError>;
    fn skip(
        &mut self,
        scalar: Scalar,
        count: u64,
        builder: &MeshBuilder<'_>,
    ) -> Result<(), MeshFileError>;
    fn end_row(&mut self, builder: &MeshBuilder<'_>) -> Result<(), MeshFileError>;
}

/// Rows as lines of text; blank lines are passed over.
#[derive(Clone)]
pub(super) struct Text<'a> {
    lines: Lines<'a>,
    row: &'a [u8],
}

impl<'a> Text<'a> {
    pub(super) fn new(lines: Lines<'a>) -> Self {
        Self { lines, row: &[] }
    }

    fn next_word(&mut self, builder: &MeshBuilder<'_>) -> Result<&'a [u8], MeshFileError> {
        next_word(&mut self.row).ok_or_else(|| {
            let what = "the line has too few values".to_owned();
            builder.malformed(self.place(), what, HINT_SYNTAX)
        })
    }

    fn wrong(&self, wanted: &str, word: &[u8], builder: &MeshBuilder<'_>) -> MeshFileError {
        let what = format!("expected {wanted}, found \"{}\"", shown(word));
        builder.malformed(self.place(), what, HINT_SYNTAX)
    }
}

impl Body for Text<'_> {
    /// A digit and a space or line end.
    fn least_bytes(_: Kind) -> u64 {
        2
    }

    fn n_left(&self) -> u64 {
        self.lines.rest().len() as u64
    }

    fn place(&self) -> Place {
        Place::Line(self.lines.line)
    }

    fn start_row(&mut self, builder: &MeshBuilder<'_>) -> Result<(), MeshFileError> {
        loop {
            let Some(row) = self.lines.next() else {
                let what = "the file ends before the rows that the header claims".to_owned();
                return Err(builder.malformed(self.place(), what, HINT_SHORT));
            };
            if !row.trim_ascii().is_empty() {
                self.row = row;
                return Ok(());
            }
        }
    }

    fn number(&mut self, _: Scalar, builder: &MeshBuilder<'_>) -> Result<f64, MeshFileError> {
        let word = self.next_word(builder)?;
        parse_number(word).ok_or_else(|| self.wrong("a number", word, builder))
    }

    fn integer(&mut self, _: Scalar, builder: &MeshBuilder<'_>) -> Result<i64, MeshFileError> {
        let word = self.next_word(builder)?;
        parse_integer(word).ok_or_else(|| self.wrong("an integer", word, builder))
    }

    fn skip(
        &mut self,
        _: Scalar,
        count: u64,
        builder: &MeshBuilder<'_>,
    ) -> Result<(), MeshFileError> {
        // Ends with the line at the latest, whatever the count.
        for _ in 0..count {
            self.next_word(builder)?;
        }
        Ok(())
    }

    fn end_row(&mut self, builder: &MeshBuilder<'_>) -> Result<(), MeshFileError> {
        match next_word(&mut self.row) {
            Some(word) => Err(self.wrong("the end of the line", word, builder)),
            None => Ok(()),
        }
    }
}

/// Rows as packed numbers.
#[derive(Clone)]
pub(super) struct Binary<'a> {
    bytes: &'a [u8],
    at: usize,
    is_big: bool,
}

impl<'a> Binary<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize, is_big: bool) -> Self {
        Self { bytes, at, is_big }
    }

    /// The next bytes of a number in little-endian order, wherever it comes from.
    fn take<const N: usize>(
        &mut self,
        builder: &MeshBuilder<'_>,
    ) -> Result<[u8; N], MeshFileError> {
        let Some(&number) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.too_short(builder));
        };
        self.at += N;
        let mut number = number;
        if self.is_big {
            number.reverse();
        }
        Ok(number)
    }

    fn too_short(&self, builder: &MeshBuilder<'_>) -> MeshFileError {
        let what = "the file ends before the rows that the header claims".to_owned();
        builder.malformed(self.place(), what, HINT_SHORT)
    }
}

impl Body for Binary<'_> {
    fn least_bytes(kind: Kind) -> u64 {
        match kind {
            Kind::Number(scalar) | Kind::List(scalar, _) => scalar.size(),
        }
    }

    fn n_left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }

    fn place(&self) -> Place {
        Place::Byte(self.at as u64)
    }

    fn start_row(&mut self, _: &MeshBuilder<'_>) -> Result<(), MeshFileError> {
        Ok(())
    }

    fn number(&mut self, scalar: Scalar, builder: &MeshBuilder<'_>) -> Result<f64, MeshFileError> {
        match scalar {
            Scalar::F32 => Ok(f64::from(f32::from_le_bytes(self.take(builder)?))),
            Scalar::F64 => Ok(f64::from_le_bytes(self.take(builder)?)),
            _ => Ok(self.integer(scalar, builder)? as f64),
        }
    }

    fn integer(&mut self, scalar: Scalar, builder: &MeshBuilder<'_>) -> Result<i64, MeshFileError> {
        Ok(match scalar {
            Scalar::I8 => i64::from(i8::from_le_bytes(self.take(builder)?)),
            Scalar::U8 => i64::from(u8::from_le_bytes(self.take(builder)?)),
            Scalar::I16 => i64::from(i16::from_le_bytes(self.take(builder)?)),
            Scalar::U16 => i64::from(u16::from_le_bytes(self.take(builder)?)),
            Scalar::I32 => i64::from(i32::from_le_bytes(self.take(builder)?)),
            Scalar::U32 => i64::from(u32::from_le_bytes(self.take(builder)?)),
            // The header lets no list have such a length or such corners.
            Scalar::F32 | Scalar::F64 => {
                let what = "a floating-point number stands for an integer".to_owned();
                return Err(builder.malformed(self.place(), what, HINT_SYNTAX));
            }
        })
    }

    fn skip(
        &mut self,
        scalar: Scalar,
        count: u64,
        builder: &MeshBuilder<'_>,
    ) -> Result<(), MeshFileError> {
        let n_bytes = scalar.size().saturating_mul(count);
        if n_bytes > self.n_left() {
            return Err(self.too_short(builder));
        }
        self.at += n_bytes as usize;
        Ok(())
    }

    fn end_row(&mut self, _: &MeshBuilder<'_>) -> Result<(), MeshFileError> {
        Ok(())
    }
}
