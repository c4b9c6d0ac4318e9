//! The bytes of glTF buffers, fetched when first asked for.

use std::borrow::Cow;
use std::io;

use super::super::build::MeshBuilder;
use super::super::error::{MeshFileError, Place};
use super::super::{Limit, Limits, LoadBuffer};
use super::schema::Root;
use super::{HINT_SHORT, HINT_SYNTAX};

pub(super) struct Buffers<'a> {
    root: &'a Root<'a>,
    /// The binary chunk of a .glb.
    binary: Option<&'a [u8]>,
    load: &'a LoadBuffer<'a>,
    loaded: Vec<Option<Cow<'a, [u8]>>>,
    /// Bytes of the file and of all buffers read from files of their own.
    n_bytes: u64,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(
        root: &'a Root<'a>,
        binary: Option<&'a [u8]>,
        load: &'a LoadBuffer<'a>,
        n_bytes: u64,
    ) -> Self {
        Self { root, binary, load, loaded: vec![None; root.buffers.len()], n_bytes }
    }

    /// Makes sure that a buffer is there.
    pub(super) fn fetch(
        &mut self,
        index: usize,
        builder: &MeshBuilder<'_>,
    ) -> Result<(), MeshFileError> {
        if self.loaded.get(index).is_some_and(Option::is_some) {
            return Ok(());
        }
        let place = Place::Buffer(index);
        let Some(buffer) = self.root.buffers.get(index) else {
            let what = "there is no such buffer".to_owned();
            return Err(builder.malformed(place, what, HINT_SYNTAX));
        };
        let bytes = match (&buffer.uri, self.binary) {
            (Some(uri), _) => self.open(index, &uri.0, builder)?,
            (None, Some(binary)) if index == 0 => Cow::Borrowed(binary),
            (None, _) => {
                let what = "it has neither a URI nor the binary chunk".to_owned();
                return Err(builder.malformed(place, what, HINT_SYNTAX));
            }
        };
        if (bytes.len() as u64) < buffer.byte_length {
            let what =
                format!("it should have {} bytes, but has {}", buffer.byte_length, bytes.len());
            return Err(builder.malformed(place, what, HINT_SHORT));
        }
        self.loaded[index] = Some(bytes);
        Ok(())
    }

    /// A buffer that was fetched.
    pub(super) fn get(&self, index: usize) -> &[u8] {
        self.loaded.get(index).and_then(Option::as_deref).unwrap_or_default()
    }

    fn open(
        &mut self,
        index: usize,
        uri: &str,
        builder: &MeshBuilder<'_>,
    ) -> Result<Cow<'a, [u8]>, MeshFileError> {
        let fail = |cause| {
            let uri = uri.chars().take(80).collect();
            MeshFileError::Buffer { buffer: index, uri, cause }
        };
        let invalid = |what| fail(io::Error::new(io::ErrorKind::InvalidInput, what));
        if let Some(data) = uri.strip_prefix("data:") {
            let (kind, data) = data.split_once(',').unwrap_or((data, ""));
            if !kind.ends_with(";base64") {
                return Err(invalid("data URIs are only read in base64"));
            }
            let decoded = decode_base64(data.as_bytes());
            return decoded.map(Cow::Owned).ok_or_else(|| invalid("its base64 text is damaged"));
        }
        if uri.contains(':') {
            return Err(invalid("only names of files are read, no other addresses"));
        }
        let name = decode_percent(uri).ok_or_else(|| invalid("its % escapes are damaged"))?;
        let n_left = builder.limits.file_bytes.saturating_sub(self.n_bytes);
        let bytes = (self.load)(&name, n_left).map_err(|error| match error.kind() {
            // How long the buffer is nobody says; it is more than what was left.
            io::ErrorKind::FileTooLarge => over_limit(index, builder.limits),
            _ => fail(error),
        })?;
        self.n_bytes += bytes.len() as u64;
        builder.limits.check(Limit::FileBytes, self.n_bytes, Place::Buffer(index))?;
        Ok(Cow::Owned(bytes))
    }
}

fn over_limit(index: usize, limits: &Limits) -> MeshFileError {
    let allowed = limits.file_bytes;
    MeshFileError::OverLimit {
        limit: Limit::FileBytes,
        allowed,
        found: allowed.saturating_add(1),
        place: Place::Buffer(index),
    }
}

/// Undoes base64 with the standard alphabet, padded or not.
fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0_u32;
        for &letter in group {
            bits = bits << 6 | u32::from(sextet(letter)?);
        }
        bits <<= 6 * (4 - group.len());
        let n_bytes = match group.len() {
            4 => 3,
            3 => 2,
            2 => 1,
            _ => return None,
        };
        bytes.extend_from_slice(&bits.to_be_bytes()[1..=n_bytes]);
    }
    Some(bytes)
}

fn sextet(letter: u8) -> Option<u8> {
    Some(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Undoes % escapes, as in `my%20mesh.bin`.
fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, tail) = rest.split_at_checked(2)?;
        let digit = |d: u8| char::from(d).to_digit(16);
        bytes.push((digit(digits[0])? << 4 | digit(digits[1])?) as u8);
        rest = tail;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of RFC 4648, section 10.
    #[test]
    fn base64_agrees_with_the_standard() {
        let vectors = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ];
        for (text, expected) in vectors {
            assert_eq!(decode_base64(text.as_bytes()).unwrap(), expected.as_bytes());
        }
        assert_eq!(decode_base64(b"Zm9vY"), None);
        assert_eq!(decode_base64(b"Zm 9v"), None);
    }

    #[test]
    fn percent_escapes_are_undone() {
        assert_eq!(decode_percent("my%20mesh%C3%A4.bin").unwrap(), "my meshä.bin");
        for broken in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(decode_percent(broken), None);
        }
    }
}
