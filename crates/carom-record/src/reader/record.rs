//! MCAP records, taken apart. The layout is that of <https://mcap.dev/spec>.

use std::collections::BTreeMap;

/// Begins and ends every MCAP file.
pub(super) const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";

/// Length of what stands before every record: its opcode and its length.
pub(super) const RECORD_HEAD: u64 = 9;

/// What the first byte of a record says.
pub(super) mod op {
    pub(in super::super) const FOOTER: u8 = 0x02;
    pub(in super::super) const CHANNEL: u8 = 0x04;
    pub(in super::super) const MESSAGE: u8 = 0x05;
    pub(in super::super) const CHUNK: u8 = 0x06;
    pub(in super::super) const ATTACHMENT: u8 = 0x09;
    pub(in super::super) const METADATA: u8 = 0x0c;
    pub(in super::super) const DATA_END: u8 = 0x0f;
}

/// Takes values from the front of a record; none where it is too short.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(super) const fn of(record: &'a [u8]) -> Self {
        Self { rest: record }
    }

    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.first_chunk().copied()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = self.u32()?;
        std::str::from_utf8(self.take(length as usize)?).ok()
    }

    fn map(&mut self) -> Option<BTreeMap<String, String>> {
        let length = self.u32()?;
        let mut pairs = Self::of(self.take(length as usize)?);
        let mut map = BTreeMap::new();
        while !pairs.rest.is_empty() {
            map.insert(pairs.text()?.to_owned(), pairs.text()?.to_owned());
        }
        Some(map)
    }
}

/// What stands before the records of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChunkHead<'a> {
    pub(super) end_time: u64,
    pub(super) uncompressed_size: u64,
    pub(super) crc: u32,
    pub(super) compression: &'a str,
    pub(super) size: u64,
}

impl<'a> ChunkHead<'a> {
    /// Longest head that is looked at: the fixed fields and a name of some letters.
    pub(super) const MAX_LENGTH: u64 = 8 + 8 + 8 + 4 + 4 + 64 + 8;

    pub(super) fn read(bytes: &mut Bytes<'a>) -> Option<Self> {
        let _start_time = bytes.u64()?;
        Some(Self {
            end_time: bytes.u64()?,
            uncompressed_size: bytes.u64()?,
            crc: bytes.u32()?,
            compression: bytes.text()?,
            size: bytes.u64()?,
        })
    }
}

/// A channel: its id and its topic.
pub(super) fn channel(record: &[u8]) -> Option<(u16, &str)> {
    let mut bytes = Bytes::of(record);
    let (id, _schema) = (bytes.u16()?, bytes.u16()?);
    Some((id, bytes.text()?))
}

/// A message: its channel and its data.
pub(super) fn message(record: &[u8]) -> Option<(u16, &[u8])> {
    let mut bytes = Bytes::of(record);
    let channel = bytes.u16()?;
    bytes.take(4 + 8 + 8)?;
    Some((channel, bytes.rest()))
}

/// A metadata record: its name and what it says.
pub(super) fn metadata(record: &[u8]) -> Option<(String, BTreeMap<String, String>)> {
    let mut bytes = Bytes::of(record);
    Some((bytes.text()?.to_owned(), bytes.map()?))
}

/// An attachment: its name and its data; none if it is malformed or its checksum is wrong.
pub(super) fn attachment(record: &[u8]) -> Option<(&str, &[u8])> {
    let mut bytes = Bytes::of(record);
    bytes.take(8 + 8)?;
    let name = bytes.text()?;
    let _media_type = bytes.text()?;
    let size = usize::try_from(bytes.u64()?).ok()?;
    let data = bytes.take(size)?;
    let crc = bytes.u32()?;
    let hashed = &record[..record.len() - size_of::<u32>() - bytes.rest().len()];
    (crc == 0 || crc32fast::hash(hashed) == crc).then_some((name, data))
}
