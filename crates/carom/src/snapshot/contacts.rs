//! What contacts did, as bytes.

use std::collections::BTreeMap;

use crate::body::BodyId;
use crate::contacts::{ContactRecord, ContactSums, Contacts, PieceRecord, Slide};
use crate::regime::Regime;
use crate::world::WorldState;

use super::bytes::{Sink, Source};
use super::{SnapshotError, bodies, model};

pub(crate) fn write(state: &WorldState, sink: &mut dyn Sink) {
    sink.u64(state.regimes.len() as u64);
    for ((a, b), regime) in &state.regimes {
        bodies::write_body_id(*a, sink);
        bodies::write_body_id(*b, sink);
        sink.u8(*regime as u8);
    }
    let records = state.contacts.in_order();
    sink.u64(records.len() as u64);
    for ([a, b], record) in records {
        bodies::write_body_id(a, sink);
        bodies::write_body_id(b, sink);
        write_record(record, sink);
    }
}

type Read = (BTreeMap<(BodyId, BodyId), Regime>, Contacts);

pub(crate) fn read(source: &mut Source<'_>) -> Result<Read, SnapshotError> {
    let stated = |source: &mut Source<'_>| {
        let pair = bodies::read_pair(source)?;
        Ok((pair, model::read_regime(source)?))
    };
    let regimes = source.list(17, stated)?.into_iter().collect();
    let contact = |source: &mut Source<'_>| {
        let (a, b) = bodies::read_pair(source)?;
        Ok(([a, b], read_record(source)?))
    };
    Ok((regimes, source.list(16, contact)?.into_iter().collect()))
}

fn write_record(record: &ContactRecord, sink: &mut dyn Sink) {
    let ContactRecord {
        first,
        last,
        before_last,
        train,
        at_once,
        hops,
        slide,
        total,
        pieces,
        settled,
    } = record;
    for number in [first, last, before_last, train] {
        sink.f64(*number);
    }
    sink.u32(*at_once);
    sink.u32(*hops);
    write_slide(slide, sink);
    sink.bool(settled.is_some());
    sink.f64(settled.unwrap_or_default());
    write_sums(total, sink);
    sink.u64(pieces.len() as u64);
    for ([a, b], piece) in pieces {
        sink.u32(*a);
        sink.u32(*b);
        sink.f64(piece.last);
        write_slide(&piece.slide, sink);
        write_sums(&piece.sums, sink);
    }
}

fn read_record(source: &mut Source<'_>) -> Result<ContactRecord, SnapshotError> {
    let mut number = || source.f64();
    let [first, last, before_last, train] = [number()?, number()?, number()?, number()?];
    let (at_once, hops, slide) = (source.u32()?, source.u32()?, read_slide(source)?);
    let settled = (source.bool()?, source.f64()?);
    let settled = settled.0.then_some(settled.1);
    let total = read_sums(source)?;
    let of_pieces = |source: &mut Source<'_>| {
        let pieces = [source.u32()?, source.u32()?];
        let (last, slide) = (source.f64()?, read_slide(source)?);
        Ok((pieces, PieceRecord { last, slide, sums: read_sums(source)? }))
    };
    let pieces = source.list(8, of_pieces)?.into_iter().collect();
    Ok(ContactRecord {
        first,
        last,
        before_last,
        train,
        settled,
        at_once,
        hops,
        slide,
        total,
        pieces,
    })
}

fn write_slide(slide: &Slide, sink: &mut dyn Sink) {
    sink.vector(slide.velocity);
    sink.vector(slide.way);
}

fn read_slide(source: &mut Source<'_>) -> Result<Slide, SnapshotError> {
    Ok(Slide { velocity: source.vector()?, way: source.vector()? })
}

fn write_sums(sums: &ContactSums, sink: &mut dyn Sink) {
    let ContactSums { collisions, micro, impulse, normal_impulse, .. } = sums;
    sink.u64(*collisions);
    sink.u64(*micro);
    sink.vector(*impulse);
    for number in [*normal_impulse, sums.normal_work, sums.friction_work, sums.boost, sums.slip] {
        sink.f64(number);
    }
}

fn read_sums(source: &mut Source<'_>) -> Result<ContactSums, SnapshotError> {
    Ok(ContactSums {
        collisions: source.u64()?,
        micro: source.u64()?,
        impulse: source.vector()?,
        normal_impulse: source.f64()?,
        normal_work: source.f64()?,
        friction_work: source.f64()?,
        boost: source.f64()?,
        slip: source.f64()?,
    })
}
