//! Gravity and materials as bytes.

use std::collections::BTreeMap;

use crate::arena::Handle as _;
use crate::material::{Material, MaterialId, RestitutionLaw, Surface};
use crate::regime::{ContactSettings, Impacts, Microcollisions, Regime};
use crate::world::{Model, Settings, World, checked_envelope};

use super::SnapshotError;
use super::bytes::{Sink, Source, read_slots, write_slots};

pub(crate) fn write(model: &Model, sink: &mut dyn Sink) -> Result<(), SnapshotError> {
    sink.vector(model.gravity);
    let material = |material: &Material, sink: &mut dyn Sink| {
        sink.text(&material.name);
        write_surface(&material.surface, sink);
        Ok(())
    };
    write_slots(&model.materials, sink, material)?;
    sink.u64(model.pairs.len() as u64);
    for ((a, b), surface) in &model.pairs {
        write_material_id(*a, sink);
        write_material_id(*b, sink);
        write_surface(surface, sink);
    }
    write_contact(&model.contact, sink);
    Ok(())
}

pub(crate) fn read(source: &mut Source<'_>) -> Result<Model, SnapshotError> {
    let gravity = source.vector()?;
    if !gravity.is_finite() {
        return Err(SnapshotError::wrong("gravity is not finite"));
    }
    let material = |source: &mut Source<'_>| {
        Ok(Material { name: source.text()?, surface: read_surface(source)? })
    };
    let materials = read_slots(source, material)?;
    let pair = |source: &mut Source<'_>| {
        let (a, b) = (read_material_id(source)?, read_material_id(source)?);
        Ok(((a, b), read_surface(source)?))
    };
    let pairs: BTreeMap<_, _> = source.list(33, pair)?.into_iter().collect();
    let contact = read_contact(source)?;
    let (settings, tolerance) = (Settings::default(), World::STANDARD_TOLERANCE);
    Ok(Model { gravity, materials, pairs, contact, settings, tolerance })
}

fn write_contact(contact: &ContactSettings, sink: &mut dyn Sink) {
    sink.u8(contact.regime as u8);
    // In one byte: a world with impacts in sequence has the hash that it always had.
    let waking = u8::from(contact.sleepless) << 7;
    sink.u8(contact.microcollisions as u8 | (contact.impacts as u8) << 4 | waking);
    sink.bool(contact.passes);
    sink.bool(contact.envelope.is_some());
    sink.f64(contact.envelope.unwrap_or_default());
}

fn read_contact(source: &mut Source<'_>) -> Result<ContactSettings, SnapshotError> {
    let regime = read_regime(source)?;
    let kinds = usize::from(source.u8()?);
    let (Some(&microcollisions), Some(&impacts)) =
        (Microcollisions::ALL.get(kinds & 0xf), Impacts::ALL.get(kinds >> 4 & 7))
    else {
        return Err(SnapshotError::wrong("there is no such kind of microcollisions or impacts"));
    };
    let sleepless = kinds >> 7 == 1;
    let passes = source.bool()?;
    let envelope = (source.bool()?, source.f64()?);
    let envelope = envelope.0.then_some(envelope.1);
    checked_envelope(envelope)?;
    Ok(ContactSettings { regime, envelope, microcollisions, impacts, sleepless, passes })
}

pub(crate) fn read_regime(source: &mut Source<'_>) -> Result<Regime, SnapshotError> {
    let kind = usize::from(source.u8()?);
    let regime = Regime::ALL.get(kind).copied();
    regime.ok_or_else(|| SnapshotError::wrong("there is no such regime"))
}

pub(crate) fn write_material_id(id: MaterialId, sink: &mut dyn Sink) {
    sink.u32(id.index());
    sink.u32(id.generation());
}

pub(crate) fn read_material_id(source: &mut Source<'_>) -> Result<MaterialId, SnapshotError> {
    Ok(MaterialId::of(source.u32()?, source.u32()?))
}

pub(crate) fn write_surface(surface: &Surface, sink: &mut dyn Sink) {
    sink.f64(surface.friction);
    sink.f64(surface.restitution);
    sink.u8(match surface.law {
        RestitutionLaw::Stronge => 0,
        RestitutionLaw::Poisson => 1,
        RestitutionLaw::Newton => 2,
    });
}

pub(crate) fn read_surface(source: &mut Source<'_>) -> Result<Surface, SnapshotError> {
    let (friction, restitution) = (source.f64()?, source.f64()?);
    let law = match source.u8()? {
        0 => RestitutionLaw::Stronge,
        1 => RestitutionLaw::Poisson,
        2 => RestitutionLaw::Newton,
        _ => return Err(SnapshotError::wrong("there is no such law of restitution")),
    };
    let surface = Surface { friction, restitution, law };
    match surface.complaint() {
        Some(complaint) => Err(SnapshotError::wrong(complaint)),
        None => Ok(surface),
    }
}
