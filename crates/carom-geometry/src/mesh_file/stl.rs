//! STL, text and binary.
//!
//! Text: `solid name`, then facets `facet normal x y z outer loop vertex x y z (three times) endloop
//! endfacet`, then `endsolid name`; words are separated by any white space. Upper and lower case, several
//! solids, a missing `endsolid` (with a warning) and names of any kind are accepted.
//!
//! Binary: 80 bytes of anything, the number n of triangles (u32), then for each its normal and corners
//! (12 f32) and two bytes of attributes, little endian: 84 + 50·n bytes. Many binary files start with
//! "solid" too, so the length decides; only where it fits neither way does the text behind the first line.
//!
//! Normals are not read: the order of the corners says the same and is what the solver uses. Colours in
//! the attributes are ignored.
//!
//! The crate `stl_io` reads text into f32, which loses half of the digits, and gives no line numbers.

use glam::DVec3;

use super::Limit;
use super::build::MeshBuilder;
use super::error::{MeshFileError, MeshFileWarning, Place};
use super::starts_with_word;
use super::text::{Words, parse_number, shown, without_bom};
use super::weld::Welder;

const HEADER: usize = 84;
const RECORD: usize = 50;
const HINT_EMPTY: &str = "the solid is empty; check the export";
const HINT_SYNTAX: &str = "the file may be damaged or no STL; export it anew, best as binary STL";
const HINT_SHORT: &str = "the file is incomplete; copy or export it anew";

/// Whether the length is just what the count in a binary header calls for.
pub(super) fn is_exact_binary(bytes: &[u8]) -> bool {
    claimed_length(bytes) == Some(bytes.len() as u64)
}

/// Whether a file that is STL is binary STL.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    is_exact_binary(bytes) || !is_text(bytes)
}

pub(super) fn read(
    bytes: &[u8],
    builder: &mut MeshBuilder<'_>,
) -> Result<&'static str, MeshFileError> {
    if is_binary(bytes) {
        read_binary(bytes, builder)?;
    } else {
        TextReader { words: Words::new(bytes), builder, welder: Welder::default() }.read()?;
    }
    Ok(HINT_EMPTY)
}

fn claimed_count(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(HEADER - 4..HEADER)?;
    Some(u32::from_le_bytes(count.try_into().ok()?))
}

fn claimed_length(bytes: &[u8]) -> Option<u64> {
    Some(HEADER as u64 + RECORD as u64 * u64::from(claimed_count(bytes)?))
}

/// Whether the file is text, given that its length does not make it binary.
fn is_text(bytes: &[u8]) -> bool {
    let text = without_bom(bytes).trim_ascii_start();
    if !starts_with_word(text, "solid") {
        // Too short for a binary header: report it as text, whose errors name a line.
        return bytes.len() < HEADER;
    }
    // A header may imitate text to its end, but a count below 16 million has a zero byte, which no text has.
    let has_count = bytes.get(HEADER - 4..HEADER).is_some_and(|count| count.contains(&0));
    if has_count && claimed_length(bytes).is_some_and(|length| length <= bytes.len() as u64) {
        return false;
    }
    let first_line = text.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(text.len());
    let behind = text[first_line..].trim_ascii_start();
    let goes_on = ["facet", "endsolid", "solid"].iter().any(|word| starts_with_word(behind, word));
    // Text has no control characters but white space; binary counts and floats abound in them.
    let head = &bytes[..bytes.len().min(HEADER + RECORD)];
    goes_on || !head.iter().any(|b| b.is_ascii_control() && !b.is_ascii_whitespace())
}

fn read_binary(bytes: &[u8], builder: &mut MeshBuilder<'_>) -> Result<(), MeshFileError> {
    let (Some(count), Some(end)) = (claimed_count(bytes), claimed_length(bytes)) else {
        let what = format!("the file has {} bytes, but the header alone needs 84", bytes.len());
        return Err(builder.malformed(Place::File, what, HINT_SHORT));
    };
    let length = bytes.len() as u64;
    if end > length {
        let what = format!(
            "the header claims {count} triangles, which need {end} bytes, but the file has {length}"
        );
        return Err(builder.malformed(Place::Byte(HEADER as u64 - 4), what, HINT_SHORT));
    }
    builder.limits.check(Limit::Triangles, u64::from(count), Place::Byte(HEADER as u64 - 4))?;
    builder.reserve(count as usize / 2, count as usize);
    let mut welder = Welder::default();
    for (i, record) in bytes[HEADER..end as usize].chunks_exact(RECORD).enumerate() {
        let mut corners = [0; 3];
        for (k, corner) in corners.iter_mut().enumerate() {
            let offset = 12 + 12 * k;
            let position = DVec3::from_array([0, 4, 8].map(|at| f32_at(record, offset + at)));
            let place = Place::Byte((HEADER + RECORD * i + offset) as u64);
            *corner = welder.vertex(builder, position, place)?;
        }
        builder.push_triangle(corners, Place::Byte((HEADER + RECORD * i) as u64))?;
    }
    if end < length {
        builder.warnings.push(MeshFileWarning::TrailingBytes { offset: end, count: length - end });
    }
    Ok(())
}

fn f32_at(record: &[u8], at: usize) -> f64 {
    f64::from(f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]))
}

struct TextReader<'a, 'b, 'l> {
    words: Words<'a>,
    builder: &'b mut MeshBuilder<'l>,
    welder: Welder,
}

impl<'a> TextReader<'a, '_, '_> {
    fn read(mut self) -> Result<(), MeshFileError> {
        self.expect("solid")?;
        self.words.skip_row();
        let mut in_solid = true;
        while let Some(word) = self.words.next() {
            let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
            if is("facet") && in_solid {
                self.facet()?;
            } else if is("endsolid") && in_solid {
                in_solid = false;
                self.words.skip_row();
            } else if is("solid") {
                in_solid = true;
                self.words.skip_row();
            } else {
                let wanted = if in_solid { "facet or endsolid" } else { "solid" };
                return Err(self.unexpected(wanted, Some(word)));
            }
        }
        if in_solid {
            self.builder.warnings.push(MeshFileWarning::NoEndsolid { line: self.words.line() });
        }
        Ok(())
    }

    fn facet(&mut self) -> Result<(), MeshFileError> {
        let line = self.words.line();
        self.expect("normal")?;
        for _ in 0..3 {
            // Many writers put nan here, so that not even a number is asked for.
            self.next_word("the normal")?;
        }
        self.expect("outer")?;
        self.expect("loop")?;
        let mut corners = [0; 3];
        for corner in &mut corners {
            self.expect("vertex")?;
            let place = Place::Line(self.words.line());
            let position = DVec3::new(self.number()?, self.number()?, self.number()?);
            *corner = self.welder.vertex(self.builder, position, place)?;
        }
        self.expect("endloop")?;
        self.expect("endfacet")?;
        self.builder.push_triangle(corners, Place::Line(line))
    }

    fn number(&mut self) -> Result<f64, MeshFileError> {
        let word = self.next_word("a coordinate")?;
        parse_number(word).ok_or_else(|| self.unexpected("a coordinate", Some(word)))
    }

    fn expect(&mut self, keyword: &'static str) -> Result<(), MeshFileError> {
        let word = self.next_word(keyword)?;
        if word.eq_ignore_ascii_case(keyword.as_bytes()) {
            return Ok(());
        }
        Err(self.unexpected(keyword, Some(word)))
    }

    fn next_word(&mut self, wanted: &str) -> Result<&'a [u8], MeshFileError> {
        self.words.next().ok_or_else(|| self.unexpected(wanted, None))
    }

    fn unexpected(&self, wanted: &str, found: Option<&[u8]>) -> MeshFileError {
        let place = Place::Line(self.words.line());
        let Some(word) = found else {
            let what = format!("expected {wanted}, but the file ends");
            return self.builder.malformed(place, what, HINT_SHORT);
        };
        let what = format!("expected {wanted}, found \"{}\"", shown(word));
        self.builder.malformed(place, what, HINT_SYNTAX)
    }
}

#[cfg(test)]
pub(super) mod tests;
