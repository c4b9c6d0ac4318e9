//! Pairs in lasting contact as bytes.

use crate::lasting::{Lasting, LastingPairs};

use super::SnapshotError;
use super::bodies::{read_pair, write_body_id};
use super::bytes::{Sink, Source};

pub(crate) fn write(pairs: &LastingPairs, sink: &mut dyn Sink) {
    sink.u64(pairs.len() as u64);
    for ([a, b], Lasting { since }) in pairs {
        write_body_id(*a, sink);
        write_body_id(*b, sink);
        sink.f64(*since);
    }
}

pub(crate) fn read(source: &mut Source<'_>) -> Result<LastingPairs, SnapshotError> {
    let pair = |source: &mut Source<'_>| {
        let (a, b) = read_pair(source)?;
        let since = source.f64()?;
        if !since.is_finite() || a >= b {
            return Err(SnapshotError::wrong("a pair rests on itself, or since no time"));
        }
        Ok(([a, b], Lasting { since }))
    };
    Ok(source.list(24, pair)?.into_iter().collect())
}
