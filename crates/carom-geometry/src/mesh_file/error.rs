//! What can be wrong with a mesh file, and what is worth saying about one that was read.
//!
//! The text of a [`MeshFileError`] is complete: it contains what the operating system or the mesh said, and
//! ends with a hint on a line of its own. None of them has a `source`, or whoever prints a chain of errors
//! would print that part twice.

use std::fmt;
use std::io;
use std::path::PathBuf;

use glam::DVec3;
use thiserror::Error;

use super::{Format, Limit, Unit};
use crate::mesh::MeshError;
use crate::tolerances::{IMPLAUSIBLY_LARGE_MESH, LARGE_FOR_METRES_UNSAID};

/// Where in a file. Lines count from 1, all else from 0 as the formats do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// No narrower place than the file.
    File,
    /// A line of text.
    Line(u64),
    /// An offset in bytes.
    Byte(u64),
    /// A glTF buffer.
    Buffer(usize),
    /// A glTF buffer view.
    BufferView(usize),
    /// A glTF accessor.
    Accessor(usize),
    /// A glTF node.
    Node(usize),
    /// A glTF scene.
    Scene(usize),
    /// A glTF mesh.
    Mesh(usize),
    /// A primitive of a glTF mesh.
    Primitive {
        /// Index of the mesh.
        mesh: usize,
        /// Index of the primitive in that mesh.
        primitive: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => write!(f, "the whole file"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
            Self::Buffer(index) => write!(f, "buffer {index}"),
            Self::BufferView(index) => write!(f, "buffer view {index}"),
            Self::Accessor(index) => write!(f, "accessor {index}"),
            Self::Node(index) => write!(f, "node {index}"),
            Self::Scene(index) => write!(f, "scene {index}"),
            Self::Mesh(index) => write!(f, "mesh {index}"),
            Self::Primitive { mesh, primitive } => write!(f, "mesh {mesh}, primitive {primitive}"),
        }
    }
}

/// Why a mesh file was not read.
#[derive(Debug, Error)]
pub enum MeshFileError {
    /// The operating system refused.
    #[error("cannot read {}: {cause}\nhint: {}", path.display(), io_hint(cause))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// There is nothing in the file.
    #[error(
        "the file is empty{}\nhint: it was not written to its end; copy or export it anew",
        if *n_bytes == 0 { "" } else { " but for white space" }
    )]
    Empty {
        /// Its length; what is not nothing is white space.
        n_bytes: u64,
    },
    /// Neither the name nor the content tells the format.
    #[error(
        "cannot tell the format of {name}\n\
         hint: mesh files end in .stl, .obj, .ply, .gltf or .glb"
    )]
    UnknownFormat {
        /// The file.
        name: String,
    },
    /// The content breaks the rules of its format.
    #[error("{format} file, {place}: {what}\nhint: {hint}")]
    Malformed {
        /// The format it was read as.
        format: Format,
        /// Where.
        place: Place,
        /// What is wrong.
        what: String,
        /// What to try.
        hint: &'static str,
    },
    /// The content follows the rules but uses something that is not read here.
    #[error("{format} file, {place}: {what} is not supported\nhint: {hint}")]
    Unsupported {
        /// The format it was read as.
        format: Format,
        /// Where.
        place: Place,
        /// What it uses.
        what: String,
        /// What to try.
        hint: &'static str,
    },
    /// A coordinate is NaN, infinite or beyond the range of numbers.
    #[error(
        "{format} file, {place}: the coordinates {position} are not finite numbers\n\
         hint: remove or repair that vertex in the program that wrote the file"
    )]
    NotFinite {
        /// The format it was read as.
        format: Format,
        /// Where.
        place: Place,
        /// The coordinates as read.
        position: DVec3,
    },
    /// A face names a vertex that does not exist.
    #[error(
        "{format} file, {place}: vertex {index} is named, but there are {n_vertices} vertices\n\
         hint: the file may be incomplete; write it anew"
    )]
    NoSuchVertex {
        /// The format it was read as.
        format: Format,
        /// Where.
        place: Place,
        /// The index as written: from 1 and possibly negative in OBJ, from 0 elsewhere.
        index: i64,
        /// How many vertices there are.
        n_vertices: usize,
    },
    /// A bound of [`Limits`](super::Limits) is exceeded.
    #[error(
        "{place}: {found} {} are more than the limit \"{limit}\" of {allowed}\n\
         hint: simplify the mesh, or raise that limit if the file is to be trusted",
        limit.counted()
    )]
    OverLimit {
        /// Which bound.
        limit: Limit,
        /// The bound.
        allowed: u64,
        /// What the file has or claims, as far as it was counted.
        found: u64,
        /// Where.
        place: Place,
    },
    /// There is no triangle in the file.
    #[error("the {format} file has no triangles\nhint: {hint}")]
    NoTriangles {
        /// The format it was read as.
        format: Format,
        /// What to try.
        hint: &'static str,
    },
    /// A buffer file of a glTF could not be read.
    #[error(
        "glTF file, buffer {buffer}: cannot read \"{uri}\": {cause}\n\
         hint: keep the buffer files beside the .gltf file, or export one .glb file"
    )]
    Buffer {
        /// Index of the buffer.
        buffer: usize,
        /// Its name as written.
        uri: String,
        /// What the operating system said.
        cause: io::Error,
    },
    /// The factor on lengths is not a positive number.
    #[error("the scale {scale} is not a positive finite number\nhint: leave it out for 1")]
    BadScale {
        /// The factor.
        scale: f64,
    },
    /// The coordinates leave the range of numbers once they are in metres.
    #[error("after conversion to metres, {cause}\nhint: check the unit and the scale")]
    Mesh {
        /// What is wrong with the mesh.
        cause: MeshError,
    },
}

fn io_hint(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::NotFound => "check the name and the folder",
        io::ErrorKind::IsADirectory => "name a file in that folder",
        _ => "check that it is a file and may be read",
    }
}

/// Something about a mesh file that its owner should know; the mesh was read.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshFileWarning {
    /// The name speaks for another format than the content, by which it was read.
    Misnamed {
        /// The extension of the name, without its dot.
        extension: String,
        /// The format it was read as.
        format: Format,
        /// Whether the content is binary STL.
        is_binary: bool,
    },
    /// More bytes than the format calls for.
    TrailingBytes {
        /// Offset of the first.
        offset: u64,
        /// How many.
        count: u64,
    },
    /// A text STL stops without `endsolid`: it may be incomplete.
    NoEndsolid {
        /// The last line.
        line: u64,
    },
    /// Parts that are no surfaces or are not read here.
    Ignored {
        /// What they are.
        what: &'static str,
        /// How many.
        count: u64,
        /// Where the first is.
        first: Place,
    },
    /// Lines of an OBJ file that start with a word not known here.
    UnknownStatements {
        /// The first such word.
        word: String,
        /// Its line.
        line: u64,
        /// How many lines.
        count: u64,
    },
    /// Polygons that cross themselves or have no area, cut up by diagonals from their first corner.
    Fanned {
        /// How many.
        count: u64,
        /// Where the first is.
        first: Place,
    },
    /// The mesh is so large or so small that the unit is probably wrong.
    ImplausibleSize {
        /// The format it was read as.
        format: Format,
        /// The unit that was stated; none was read as metres.
        unit: Option<Unit>,
        /// The largest extent along an axis `[m]`.
        extent: f64,
    },
}

impl MeshFileWarning {
    /// The unit that the file is probably in, if the warning is about another one: millimetres where no unit
    /// was stated and the size is plausible in them.
    pub fn suggested_unit(&self) -> Option<Unit> {
        let &Self::ImplausibleSize { unit: None, extent, .. } = self else { return None };
        let is_large = extent > LARGE_FOR_METRES_UNSAID;
        let unit = Unit::Millimetre;
        (is_large && extent * unit.metres() <= IMPLAUSIBLY_LARGE_MESH).then_some(unit)
    }
}

impl fmt::Display for MeshFileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misnamed { extension, format, is_binary } => {
                let kind = if *is_binary { "binary " } else { "" };
                write!(f, "named .{extension} but holds {kind}{format}: read as {format}")
            }
            Self::TrailingBytes { offset, count } => {
                write!(f, "{count} bytes after the mesh, from byte {offset}, were not read")
            }
            Self::NoEndsolid { line } => {
                write!(f, "the file stops at line {line} without endsolid: it may be incomplete")
            }
            Self::Ignored { what, count, first } => {
                write!(f, "ignored {count} {what}, the first at {first}")
            }
            Self::UnknownStatements { word, line, count } => write!(
                f,
                "ignored {count} lines with unknown statements, the first \"{word}\" at line {line}"
            ),
            Self::Fanned { count, first } => write!(
                f,
                "{count} polygons cross themselves or have no area and may be cut up wrongly, \
                 the first at {first}"
            ),
            Self::ImplausibleSize { format, unit, extent } => {
                write!(f, "largest extent is {}: ", in_words(*extent))?;
                match (self.suggested_unit(), format) {
                    (Some(_), Format::Stl) => write!(f, "STL files are usually in millimetres"),
                    (Some(_), _) => write!(f, "if the file is in millimetres, say so"),
                    (None, _) => {
                        let unit = unit.unwrap_or_default();
                        write!(f, "it was read in {unit}, check the unit and the scale")
                    }
                }
            }
        }
    }
}

/// A length `[m]` with a prefix and at most six digits.
fn in_words(length: f64) -> String {
    let (factor, name) = match length {
        0.0 => return "0 m".to_owned(),
        // The difference of two numbers may be too large for one.
        f64::INFINITY => return "more than 1e308 m".to_owned(),
        l if l >= 1e5 => return scientific(l),
        l if l >= 1.0 => (1.0, "m"),
        l if l >= 1e-3 => (1e3, "mm"),
        l if l >= 1e-6 => (1e6, "µm"),
        _ => return scientific(length),
    };
    let value = length * factor;
    let decimals = if value >= 100.0 { 0 } else { 2 };
    let digits = format!("{value:.decimals$}");
    let digits = if decimals > 0 { without_zeros(&digits) } else { &digits };
    format!("{digits} {name}")
}

fn scientific(length: f64) -> String {
    let text = format!("{length:.2e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent} m", without_zeros(digits))
}

/// Decimals without the zeros at their end.
fn without_zeros(digits: &str) -> &str {
    digits.trim_end_matches('0').trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_told_with_a_prefix() {
        assert_eq!(in_words(120.0), "120 m");
        assert_eq!(in_words(25.4), "25.4 m");
        assert_eq!(in_words(0.002), "2 mm");
        assert_eq!(in_words(4.5e-6), "4.5 µm");
        assert_eq!(in_words(0.0), "0 m");
    }

    #[test]
    fn lengths_never_fill_the_line() {
        assert_eq!(in_words(99_999.9), "100000 m");
        assert_eq!(in_words(1_234_567.0), "1.23e6 m");
        assert_eq!(in_words(1.85e200), "1.85e200 m");
        assert_eq!(in_words(1e200), "1e200 m");
        assert_eq!(in_words(f64::INFINITY), "more than 1e308 m");
        assert_eq!(in_words(2.0 / 3.0), "667 mm");
        assert_eq!(in_words(1e-20), "1e-20 m");
    }
}
