//! The chunks of a .glb file.
//!
//! A header of 12 bytes ("glTF", version, total length), then chunks: length, type, content; all numbers
//! u32, little endian. The first chunk is JSON, the second, if any, is the first buffer; others are for
//! extensions and passed over.

use super::super::build::MeshBuilder;
use super::super::error::{MeshFileError, MeshFileWarning, Place};
use super::super::text::without_bom;
use super::{HINT_SHORT, HINT_SYNTAX};

const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

pub(super) struct Parts<'a> {
    pub(super) json: &'a [u8],
    pub(super) binary: Option<&'a [u8]>,
}

/// Takes a .glb apart; anything else is JSON as a whole.
pub(super) fn split<'a>(
    bytes: &'a [u8],
    builder: &mut MeshBuilder<'_>,
) -> Result<Parts<'a>, MeshFileError> {
    if !bytes.starts_with(b"glTF") {
        return Ok(Parts { json: without_bom(bytes), binary: None });
    }
    let (Some(version), Some(length)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        let what = "the file ends within its header".to_owned();
        return Err(builder.malformed(Place::Byte(bytes.len() as u64), what, HINT_SHORT));
    };
    if version != 2 {
        let what = format!("version {version} of the binary format");
        return Err(builder.unsupported(Place::Byte(4), what, "export the file as glTF 2.0"));
    }
    let Some(content) = bytes.get(..length as usize) else {
        let what = format!("the header claims {length} bytes, but the file has {}", bytes.len());
        return Err(builder.malformed(Place::Byte(8), what, HINT_SHORT));
    };
    if content.len() < bytes.len() {
        let (offset, count) = (u64::from(length), (bytes.len() - content.len()) as u64);
        builder.warnings.push(MeshFileWarning::TrailingBytes { offset, count });
    }
    let mut at = HEADER;
    let Some((b"JSON", json)) = next_chunk(content, &mut at, builder)? else {
        let what = "the first chunk is not JSON".to_owned();
        return Err(builder.malformed(Place::Byte(HEADER as u64), what, HINT_SYNTAX));
    };
    let binary = match next_chunk(content, &mut at, builder)? {
        Some((b"BIN\0", binary)) => Some(binary),
        _ => None,
    };
    Ok(Parts { json, binary })
}

type Chunk<'a> = (&'a [u8; 4], &'a [u8]);

/// Type and content of the chunk at an offset, which moves on; none at the end.
fn next_chunk<'a>(
    content: &'a [u8],
    at: &mut usize,
    builder: &MeshBuilder<'_>,
) -> Result<Option<Chunk<'a>>, MeshFileError> {
    let start = *at;
    if start >= content.len() {
        return Ok(None);
    }
    let kind = content.get(start + 4..).and_then(|rest| rest.first_chunk::<4>());
    let (Some(length), Some(kind)) = (u32_at(content, start), kind) else {
        let what = "the file ends within the header of a chunk".to_owned();
        return Err(builder.malformed(Place::Byte(start as u64), what, HINT_SHORT));
    };
    let body = &content[start + CHUNK_HEADER..];
    let Some(body) = body.get(..length as usize) else {
        let what = format!("a chunk claims {length} bytes, but {} are left", body.len());
        return Err(builder.malformed(Place::Byte(start as u64), what, HINT_SHORT));
    };
    *at = start + CHUNK_HEADER + body.len();
    Ok(Some((kind, body)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}
