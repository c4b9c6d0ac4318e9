//! The little of protobuf's wire format that recordings need, and descriptors of messages in it.
//!
//! A message is a row of fields, each a key (number and wire type) and a value. Values are doubles (wire type 1),
//! varints (0), or bytes with a length (2): texts, messages within messages, and packed rows of numbers.

/// A field whose value is a varint.
const VARINT: u64 = 0;
/// A field whose value has 8 bytes.
const FIXED64: u64 = 1;
/// A field whose value has a length.
const LENGTH: u64 = 2;
/// A field whose value has 4 bytes.
const FIXED32: u64 = 5;

/// Puts a message together.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    pub(crate) bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn key(&mut self, field: u32, wire: u64) {
        self.varint(u64::from(field) << 3 | wire);
    }

    pub(crate) fn double(&mut self, field: u32, value: f64) {
        self.key(field, FIXED64);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn uint(&mut self, field: u32, value: u64) {
        self.key(field, VARINT);
        self.varint(value);
    }

    pub(crate) fn field(&mut self, field: u32, value: &[u8]) {
        self.key(field, LENGTH);
        self.varint(value.len() as u64);
        self.bytes.extend_from_slice(value);
    }

    /// A message within the message.
    pub(crate) fn message(&mut self, field: u32, fill: impl FnOnce(&mut Self)) {
        self.key(field, LENGTH);
        let start = self.bytes.len();
        fill(self);
        // The length stands before what it counts, so that is moved to make room for it.
        let length = self.bytes.len() - start;
        self.varint(length as u64);
        let room = self.bytes.len() - start - length;
        self.bytes[start..].rotate_right(room);
    }

    /// A packed row of doubles, `N` from each item.
    pub(crate) fn doubles<T, const N: usize>(
        &mut self,
        field: u32,
        items: &[T],
        numbers: impl Fn(&T) -> [f64; N],
    ) {
        self.row(field, items, |item, row: &mut [[u8; 8]; N]| {
            *row = numbers(item).map(f64::to_le_bytes);
        });
    }

    /// A packed row of fixed32, `N` from each item.
    pub(crate) fn words<T, const N: usize>(
        &mut self,
        field: u32,
        items: &[T],
        numbers: impl Fn(&T) -> [u32; N],
    ) {
        self.row(field, items, |item, row: &mut [[u8; 4]; N]| {
            *row = numbers(item).map(u32::to_le_bytes);
        });
    }

    /// A packed row of numbers of `SIZE` bytes, `N` from each item.
    fn row<T, const N: usize, const SIZE: usize>(
        &mut self,
        field: u32,
        items: &[T],
        fill: impl Fn(&T, &mut [[u8; SIZE]; N]),
    ) {
        self.key(field, LENGTH);
        self.varint((items.len() * N * SIZE) as u64);
        let start = self.bytes.len();
        self.bytes.resize(start + items.len() * N * SIZE, 0);
        let (places, _) = self.bytes[start..].as_chunks_mut::<SIZE>();
        let (places, _) = places.as_chunks_mut::<N>();
        for (item, place) in items.iter().zip(places) {
            fill(item, place);
        }
    }
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Varint(u64),
    Double(f64),
    Bytes(&'a [u8]),
    Word(u32),
}

impl<'a> Value<'a> {
    pub(crate) fn double(self) -> Option<f64> {
        if let Self::Double(value) = self { Some(value) } else { None }
    }

    pub(crate) fn varint(self) -> Option<u64> {
        if let Self::Varint(value) = self { Some(value) } else { None }
    }

    /// A packed row of doubles in groups of `N`.
    pub(crate) fn doubles<const N: usize>(
        self,
    ) -> Option<impl ExactSizeIterator<Item = [f64; N]> + 'a> {
        let Self::Bytes(bytes) = self else { return None };
        let size = N * size_of::<f64>();
        bytes.len().is_multiple_of(size).then(|| {
            bytes
                .chunks_exact(size)
                .map(|group| std::array::from_fn(|i| f64::from_le_bytes(array(&group[8 * i..]))))
        })
    }

    /// A packed row of fixed32 in groups of `N`.
    pub(crate) fn words<const N: usize>(
        self,
    ) -> Option<impl ExactSizeIterator<Item = [u32; N]> + 'a> {
        let Self::Bytes(bytes) = self else { return None };
        let size = N * size_of::<u32>();
        bytes.len().is_multiple_of(size).then(|| {
            bytes
                .chunks_exact(size)
                .map(|group| std::array::from_fn(|i| u32::from_le_bytes(array(&group[4 * i..]))))
        })
    }
}

/// The first bytes of a slice; zeros where it is too short, which no caller lets happen.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

/// Takes a message apart: its fields in order, none where it is malformed, which ends it.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(crate) const fn of(message: &'a [u8]) -> Self {
        Self { rest: message }
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn field(&mut self) -> Option<(u32, Value<'a>)> {
        let key = self.varint()?;
        let value = match key & 7 {
            VARINT => Value::Varint(self.varint()?),
            FIXED64 => Value::Double(f64::from_le_bytes(array(self.take(8)?))),
            LENGTH => {
                let length = usize::try_from(self.varint()?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            FIXED32 => Value::Word(u32::from_le_bytes(array(self.take(4)?))),
            _ => return None,
        };
        Some((u32::try_from(key >> 3).ok()?, value))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<(u32, Value<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.rest = &[];
        }
        Some(field)
    }
}

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FieldType {
    Double,
    Int64,
    Int32,
    Fixed32,
    Bool,
    Text,
    Bytes,
    Uint32,
    /// A message, by its full name with a dot in front.
    Message(&'static str),
    /// An enumeration, likewise.
    Enum(&'static str),
}

impl FieldType {
    /// As descriptors number them.
    const fn code(self) -> u64 {
        match self {
            Self::Double => 1,
            Self::Int64 => 3,
            Self::Int32 => 5,
            Self::Fixed32 => 7,
            Self::Bool => 8,
            Self::Text => 9,
            Self::Message(_) => 11,
            Self::Bytes => 12,
            Self::Uint32 => 13,
            Self::Enum(_) => 14,
        }
    }
}

/// A field of a message, to be described.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) number: u32,
    pub(crate) kind: FieldType,
    pub(crate) repeated: bool,
}

/// A message to be described, with at most one enumeration inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageType {
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [Field],
    /// Name of the enumeration and its words, numbered from 0.
    pub(crate) words: Option<(&'static str, &'static [&'static str])>,
}

/// A proto3 file to be described.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProtoFile {
    pub(crate) name: &'static str,
    pub(crate) package: &'static str,
    /// Names of the files that it uses, which come before it.
    pub(crate) uses: &'static [&'static str],
    pub(crate) messages: &'static [MessageType],
}

/// A `FileDescriptorSet`, complete in itself.
pub(crate) fn file_descriptor_set(files: &[ProtoFile]) -> Vec<u8> {
    let mut set = Encoder::default();
    for file in files {
        set.message(1, |set| {
            set.field(1, file.name.as_bytes());
            set.field(2, file.package.as_bytes());
            for used in file.uses {
                set.field(3, used.as_bytes());
            }
            for message in file.messages {
                set.message(4, |set| describe(message, set));
            }
            set.field(12, b"proto3");
        });
    }
    set.bytes
}

fn describe(message: &MessageType, set: &mut Encoder) {
    set.field(1, message.name.as_bytes());
    for field in message.fields {
        set.message(2, |set| {
            set.field(1, field.name.as_bytes());
            set.uint(3, u64::from(field.number));
            set.uint(4, if field.repeated { 3 } else { 1 });
            set.uint(5, field.kind.code());
            if let FieldType::Message(name) | FieldType::Enum(name) = field.kind {
                set.field(6, name.as_bytes());
            }
        });
    }
    let Some((name, words)) = message.words else { return };
    set.message(4, |set| {
        set.field(1, name.as_bytes());
        for (number, word) in (0..).zip(words) {
            set.message(2, |set| {
                set.field(1, word.as_bytes());
                set.uint(2, number);
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_with_every_bit() {
        let mut message = Encoder::default();
        message.double(1, -0.0);
        message.uint(2, u64::MAX);
        message.doubles(3, &[1.5, f64::NAN], |&x| [x, -x]);
        message.words(4, &[7_u32, u32::MAX], |&x| [x]);
        let fields: Vec<_> = Fields::of(&message.bytes).map(Option::unwrap).collect();
        assert_eq!(fields[0].1.double().unwrap().to_bits(), (-0.0_f64).to_bits());
        assert_eq!(fields[1], (2, Value::Varint(u64::MAX)));
        let pairs: Vec<[u64; 2]> =
            fields[2].1.doubles::<2>().unwrap().map(|pair| pair.map(f64::to_bits)).collect();
        let expected = [[1.5, -1.5], [f64::NAN, -f64::NAN]].map(|pair| pair.map(f64::to_bits));
        assert_eq!(pairs, expected);
        let words: Vec<[u32; 1]> = fields[3].1.words().unwrap().collect();
        assert_eq!(words, [[7], [u32::MAX]]);
        assert!(fields[2].1.doubles::<3>().is_none(), "four doubles are no triples");
    }

    #[test]
    fn a_message_that_breaks_off_ends_in_none() {
        let mut message = Encoder::default();
        message.double(1, 1.0);
        message.field(2, b"text");
        for cut in 0..message.bytes.len() {
            let fields: Vec<_> = Fields::of(&message.bytes[..cut]).collect();
            let whole = [0, 9].contains(&cut);
            assert_eq!(fields.iter().all(Option::is_some), whole, "cut at {cut}");
        }
        let endless = [0xff; 20];
        assert_eq!(Fields::of(&endless).collect::<Vec<_>>(), [None]);
    }
}
