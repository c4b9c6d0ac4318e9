//! The header of a PLY file.

use super::super::build::MeshBuilder;
use super::super::error::{MeshFileError, Place};
use super::super::text::{Lines, next_word, shown};
use super::{HINT_SHORT, HINT_SYNTAX};

/// The most elements that a header may declare; the richest files have about ten.
const MAX_ELEMENTS: usize = 1000;

/// How rows are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

/// What a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One number.
    Number(Scalar),
    /// A list, with the types of its length and of its entries.
    List(Scalar, Scalar),
}

pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
}

pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
    /// The line that declares it.
    pub(super) line: u64,
}

pub(super) struct Header<'a> {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// The text behind the header.
    pub(super) body: Lines<'a>,
}

impl Scalar {
    fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    pub(super) fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    pub(super) fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// Reads up to and including the line `end_header`.
///
/// The one line end that is ambiguous, a lone CR before binary data that starts with the byte LF, is taken
/// for CR LF; nothing has written lone CRs for decades.
pub(super) fn parse<'a>(
    bytes: &'a [u8],
    builder: &MeshBuilder<'_>,
) -> Result<Header<'a>, MeshFileError> {
    let mut lines = Lines::new(bytes);
    let mut magic = lines.next().unwrap_or_default();
    if next_word(&mut magic) != Some(b"ply") {
        let what = "the file does not start with \"ply\"".to_owned();
        return Err(builder.malformed(Place::Line(1), what, "check that it is a PLY file"));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    while let Some(mut rest) = lines.next() {
        let place = Place::Line(lines.line);
        let line = rest;
        let fail = || {
            let what = format!("the header line \"{}\" is wrong", shown(line));
            builder.malformed(place, what, HINT_SYNTAX)
        };
        match next_word(&mut rest) {
            None | Some(b"comment" | b"obj_info") => {}
            Some(b"format") => encoding = Some(parse_format(rest).ok_or_else(fail)?),
            Some(b"element") => {
                let element = parse_element(rest, lines.line).ok_or_else(fail)?;
                if elements.iter().any(|e| e.name == element.name) {
                    let what = format!("the element {} is declared twice", element.name);
                    return Err(builder.malformed(place, what, HINT_SYNTAX));
                }
                if elements.len() == MAX_ELEMENTS {
                    let what = format!("the header declares more than {MAX_ELEMENTS} elements");
                    return Err(builder.malformed(place, what, HINT_SYNTAX));
                }
                elements.push(element);
            }
            Some(b"property") => {
                let property = parse_property(rest).ok_or_else(fail)?;
                elements.last_mut().ok_or_else(fail)?.properties.push(property);
            }
            Some(b"end_header") => {
                let encoding = encoding.ok_or_else(|| {
                    let what = "the header names no format".to_owned();
                    builder.malformed(place, what, HINT_SYNTAX)
                })?;
                return Ok(Header { encoding, elements, body: lines });
            }
            Some(_) => return Err(fail()),
        }
    }
    let what = "the header has no end_header".to_owned();
    Err(builder.malformed(Place::Line(lines.line), what, HINT_SHORT))
}

fn parse_format(mut rest: &[u8]) -> Option<Encoding> {
    let encoding = match next_word(&mut rest)? {
        b"ascii" => Encoding::Text,
        b"binary_little_endian" => Encoding::LittleEndian,
        b"binary_big_endian" => Encoding::BigEndian,
        _ => return None,
    };
    (next_word(&mut rest) == Some(b"1.0")).then_some(encoding)
}

fn parse_element(mut rest: &[u8], line: u64) -> Option<Element> {
    let name = parse_name(&mut rest)?;
    let count = std::str::from_utf8(next_word(&mut rest)?).ok()?.parse().ok()?;
    Some(Element { name, count, properties: Vec::new(), line })
}

fn parse_property(mut rest: &[u8]) -> Option<Property> {
    let kind = match next_word(&mut rest)? {
        b"list" => {
            let count = Scalar::from_name(next_word(&mut rest)?).filter(|s| s.is_integer())?;
            Kind::List(count, Scalar::from_name(next_word(&mut rest)?)?)
        }
        scalar => Kind::Number(Scalar::from_name(scalar)?),
    };
    Some(Property { name: parse_name(&mut rest)?, kind })
}

fn parse_name(rest: &mut &[u8]) -> Option<String> {
    std::str::from_utf8(next_word(rest)?).ok().map(str::to_owned)
}
