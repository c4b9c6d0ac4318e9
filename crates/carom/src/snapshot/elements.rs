//! Force elements as bytes.

use carom_dynamics::linkage::elements::{
    Attraction, Axes, Bushing, Drag, ElementLaw, GasSpring, Spring, Thrust,
};

use crate::arena::{Arena, Handle as _};
use crate::controller::NotSavable;
use crate::element::{ElementId, ElementRecord, Hold};

use super::SnapshotError;
use super::bodies::{read_body_id, write_body_id};
use super::bytes::{Sink, Source, read_slots, write_slots};
use super::state::Scope;

pub(crate) fn write(
    elements: &Arena<ElementId, ElementRecord>,
    scope: Scope,
    sink: &mut dyn Sink,
) -> Result<(), SnapshotError> {
    write_slots(elements, sink, |element, sink| {
        sink.text(&element.name);
        write_what(&element.law, &element.ends, scope, sink)
    })
}

pub(crate) fn read(
    source: &mut Source<'_>,
) -> Result<Arena<ElementId, ElementRecord>, SnapshotError> {
    read_slots(source, |source| {
        let name = source.text()?;
        let (law, ends) = read_what(source)?;
        Ok(ElementRecord { name, law, ends })
    })
}

/// What an element does, and where it takes hold.
pub(crate) fn write_what(
    law: &ElementLaw,
    ends: &[Hold; 2],
    scope: Scope,
    sink: &mut dyn Sink,
) -> Result<(), SnapshotError> {
    for end in ends {
        sink.bool(end.body.is_some());
        if let Some(body) = end.body {
            write_body_id(body, sink);
        }
        sink.pose(&end.frame);
    }
    let mut numbers = |kind: u8, numbers: &[f64]| {
        sink.u8(kind);
        for number in numbers {
            sink.f64(*number);
        }
    };
    match law {
        ElementLaw::Spring(it) => {
            let pulls_only = f64::from(u8::from(it.pulls_only));
            numbers(0, &[it.stiffness, it.rest, it.damping, pulls_only]);
        }
        ElementLaw::GasSpring(it) => {
            numbers(1, &[it.force, it.extended, it.stroke, it.column, it.exponent, it.damping]);
        }
        ElementLaw::Bushing(it) => {
            let vectors = [it.stiffness, it.damping, it.torsion_stiffness, it.torsion_damping];
            numbers(2, vectors.map(|vector| vector.to_array()).as_flattened());
        }
        ElementLaw::Drag(it) => {
            let [x, y, z] = it.wind.to_array();
            numbers(3, &[it.linear, it.quadratic, it.angular, x, y, z]);
        }
        ElementLaw::Thrust(it) => {
            let axes = if it.axes == Axes::World { 0.0 } else { 1.0 };
            let [force, torque] = [it.force.to_array(), it.torque.to_array()];
            numbers(4, &[force[0], force[1], force[2], torque[0], torque[1], torque[2], axes]);
        }
        ElementLaw::Attraction(it) => numbers(5, &[it.strength]),
        // A hash leaves out what cannot be saved.
        ElementLaw::User(_) if scope == Scope::WhatDecides => sink.u8(6),
        ElementLaw::User(_) => {
            let reason = "a force that a program computes is code".to_owned();
            return Err(NotSavable { reason }.into());
        }
    }
    Ok(())
}

pub(crate) fn read_what(source: &mut Source<'_>) -> Result<(ElementLaw, [Hold; 2]), SnapshotError> {
    let mut end = || {
        let body = if source.bool()? { Some(read_body_id(source)?) } else { None };
        Ok::<Hold, SnapshotError>(Hold { body, frame: source.pose()? })
    };
    let ends = [end()?, end()?];
    let law = match source.u8()? {
        0 => ElementLaw::Spring(Spring {
            stiffness: source.f64()?,
            rest: source.f64()?,
            damping: source.f64()?,
            pulls_only: source.f64()? != 0.0,
        }),
        1 => ElementLaw::GasSpring(GasSpring {
            force: source.f64()?,
            extended: source.f64()?,
            stroke: source.f64()?,
            column: source.f64()?,
            exponent: source.f64()?,
            damping: source.f64()?,
        }),
        2 => ElementLaw::Bushing(Bushing {
            stiffness: source.vector()?,
            damping: source.vector()?,
            torsion_stiffness: source.vector()?,
            torsion_damping: source.vector()?,
        }),
        3 => ElementLaw::Drag(Drag {
            linear: source.f64()?,
            quadratic: source.f64()?,
            angular: source.f64()?,
            wind: source.vector()?,
        }),
        4 => {
            let (force, torque) = (source.vector()?, source.vector()?);
            let axes = if source.f64()? == 0.0 { Axes::World } else { Axes::End };
            ElementLaw::Thrust(Thrust { force, torque, axes })
        }
        5 => ElementLaw::Attraction(Attraction { strength: source.f64()? }),
        _ => return Err(SnapshotError::wrong("an element follows no law")),
    };
    Ok((law, ends))
}

pub(crate) fn write_id(id: ElementId, sink: &mut dyn Sink) {
    sink.u32(id.index());
    sink.u32(id.generation());
}

pub(crate) fn read_id(source: &mut Source<'_>) -> Result<ElementId, SnapshotError> {
    Ok(ElementId::of(source.u32()?, source.u32()?))
}
