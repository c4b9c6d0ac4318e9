//! What happens to files, and a fast source of random numbers to draw it with.

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::select;

use crate::NamedFile;

/// Marsaglia's xorshift with 64 bits and a multiplier.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn from_seed(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn share(&mut self) -> Share {
        Share((self.next() >> 16) as u32)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n.max(1)
    }
}

pub(crate) const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "-9223372036854775808",
    "1e308",
    "1e999",
    "nan",
    "-inf",
    "1e-320",
    "0.5",
    "3",
    "99999999999999999999999",
    "",
    "x",
];

/// How files of the formats start.
pub(crate) const STARTS: [&[u8]; 6] =
    [b"", b"solid ", b"ply\nformat ascii 1.0\n", b"glTF\x02\0\0\0", b"{\"asset\":", b"v "];

/// What text files are made of.
pub(crate) const LETTERS: &[u8] = b" 0123456789.-ef\nv/x[]{}\"\\#";

/// Words and signs with a meaning in some format.
pub(crate) const TOKENS: [&str; 20] = [
    "\n",
    " ",
    "\0",
    "\\\n",
    "#",
    "f 1 2 3\n",
    "f -1 -1 -1 -1\n",
    "v 1e999 0 0\n",
    "solid ",
    "endsolid\n",
    "facet normal ",
    "vertex ",
    "end_header\n",
    "element face 9\n",
    "property list uint int x\n",
    "{",
    "]",
    ",",
    "\"",
    "glTF",
];

/// Counts and offsets that reach out of a small file.
pub(crate) const FORGED: [u32; 6] = [u32::MAX, 0x7fff_ffff, 1 << 31, 0x0100_0000, 1000, 0];

/// A place in a file of any length, as a share of it in units of 2⁻³².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share(pub(crate) u32);

impl Share {
    /// Below `n`, or 0.
    pub(crate) fn of(self, n: usize) -> usize {
        ((n as u64 * u64::from(self.0)) >> 32) as usize
    }
}

/// Something that happens to a file; lengths are in bytes.
#[derive(Clone, Debug)]
pub(crate) enum Damage {
    FlipBit {
        at: Share,
        bit: u8,
    },
    SetByte {
        at: Share,
        value: u8,
    },
    Truncate {
        at: Share,
    },
    Remove {
        at: Share,
        length: usize,
    },
    Repeat {
        at: Share,
        length: usize,
        times: usize,
    },
    ReplaceNumber {
        from: Share,
        by: &'static str,
    },
    Insert {
        at: Share,
        token: &'static str,
    },
    Forge {
        at: Share,
        value: u32,
    },
    /// A piece of another file takes the place of one of this.
    Graft {
        at: Share,
        length: usize,
        other: Share,
        from: Share,
        n_grafted: usize,
    },
}

impl Damage {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        let share = || any::<u32>().prop_map(Share);
        prop_oneof![
            (share(), 0..8_u8).prop_map(|(at, bit)| Self::FlipBit { at, bit }),
            (share(), any::<u8>()).prop_map(|(at, value)| Self::SetByte { at, value }),
            share().prop_map(|at| Self::Truncate { at }),
            (share(), 1..60_usize).prop_map(|(at, length)| Self::Remove { at, length }),
            (share(), 1..60_usize, 1..20_usize).prop_map(|(at, length, times)| Self::Repeat {
                at,
                length,
                times
            }),
            (share(), select(&NUMBERS[..])).prop_map(|(from, by)| Self::ReplaceNumber { from, by }),
            (share(), select(&TOKENS[..])).prop_map(|(at, token)| Self::Insert { at, token }),
            (share(), select(&FORGED[..])).prop_map(|(at, value)| Self::Forge { at, value }),
            (share(), 1..60_usize, share(), share(), 0..200_usize).prop_map(
                |(at, length, other, from, n_grafted)| {
                    Self::Graft { at, length, other, from, n_grafted }
                }
            ),
        ]
    }

    pub(crate) fn random(random: &mut Random) -> Self {
        let at = random.share();
        let length = 1 + random.below(60);
        match random.below(9) {
            0 => Self::FlipBit { at, bit: random.below(8) as u8 },
            1 => Self::SetByte { at, value: random.next() as u8 },
            2 => Self::Truncate { at },
            3 => Self::Remove { at, length },
            4 => Self::Repeat { at, length, times: 1 + random.below(20) },
            5 => Self::ReplaceNumber { from: at, by: NUMBERS[random.below(NUMBERS.len())] },
            6 => Self::Insert { at, token: TOKENS[random.below(TOKENS.len())] },
            7 => Self::Forge { at, value: FORGED[random.below(FORGED.len())] },
            _ => {
                let (other, from, n_grafted) = (random.share(), random.share(), random.below(200));
                Self::Graft { at, length, other, from, n_grafted }
            }
        }
    }

    pub(crate) fn apply(&self, bytes: &mut Vec<u8>, others: &[NamedFile]) {
        let n = bytes.len();
        if n == 0 {
            return;
        }
        match *self {
            Self::FlipBit { at, bit } => bytes[at.of(n)] ^= 1 << bit,
            Self::SetByte { at, value } => bytes[at.of(n)] = value,
            Self::Truncate { at } => bytes.truncate(at.of(n)),
            Self::Remove { at, length } => drop(bytes.drain(piece(n, at, length))),
            Self::Repeat { at, length, times } => {
                let copies = bytes[piece(n, at, length)].repeat(times);
                bytes.splice(at.of(n)..at.of(n), copies);
            }
            Self::ReplaceNumber { from, by } => replace_number(bytes, from.of(n), by),
            Self::Insert { at, token } => drop(bytes.splice(at.of(n)..at.of(n), token.bytes())),
            Self::Forge { at, value } => {
                let place = piece(n, at, 4);
                let n_there = place.len();
                bytes[place].copy_from_slice(&value.to_le_bytes()[..n_there]);
            }
            Self::Graft { at, length, other, from, n_grafted } => {
                let other = &others[other.of(others.len())].2;
                let graft = &other[piece(other.len(), from, n_grafted)];
                bytes.splice(piece(n, at, length), graft.iter().copied());
            }
        }
    }
}

/// At most that many of `n` bytes.
pub(crate) fn piece(n: usize, at: Share, length: usize) -> Range<usize> {
    let start = at.of(n);
    start..(start + length).min(n)
}

/// Replaces the next run of digits.
pub(crate) fn replace_number(bytes: &mut Vec<u8>, from: usize, by: &str) {
    let is_digit = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-');
    let Some(start) = bytes[from..].iter().position(is_digit).map(|at| from + at) else { return };
    let n_digits = bytes[start..].iter().position(|b| !is_digit(b)).unwrap_or(bytes.len() - start);
    bytes.splice(start..start + n_digits, by.bytes());
}
