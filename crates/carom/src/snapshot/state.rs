//! The state as bytes, part by part.

use std::collections::{BTreeMap, BTreeSet};

use crate::body::{BodyId, began};
use crate::budget::Spent;
use crate::command::{Command, Scheduled};
use crate::controller::Controller;
use crate::event::EventCounts;
use crate::graph::Graph;
use crate::ledger::Ledger;
use crate::near::{Manner, Meeting, Meetings};
use crate::sum::Sum;
use crate::world::{Model, WorldState};

use super::bytes::{Sink, Source};
use super::{
    SnapshotError, bodies, commands, contacts, controllers, elements, forces, groups, joints,
    lasting,
};

/// How much is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All of it.
    Everything,
    /// What decides the future, for the hash.
    WhatDecides,
}

pub(crate) fn write(
    state: &WorldState,
    scope: Scope,
    sink: &mut dyn Sink,
) -> Result<(), SnapshotError> {
    sink.f64(state.now);
    sink.bool(state.begun);
    bodies::write(state, scope, sink)?;
    // In the hash, what is not there leaves no trace: a world without linkages has the hash that it always had.
    let all = scope == Scope::Everything;
    if all || state.joints.iter().next().is_some() {
        joints::write(&state.joints, sink)?;
    }
    if all || state.elements.iter().next().is_some() {
        elements::write(&state.elements, scope, sink)?;
    }
    if all || !state.forces.is_empty() {
        forces::write(&state.forces, sink);
    }
    if all || !state.lasting.is_empty() {
        lasting::write(&state.lasting, sink);
    }
    groups::write(&state.groups, sink);
    write_pairs(state, sink);
    contacts::write(state, sink);
    sink.u64(state.scheduled);
    sink.u64(state.pending.len() as u64);
    for (key, command) in &state.pending {
        sink.f64(key.time());
        sink.u64(key.order);
        commands::write(command, scope, sink)?;
    }
    controllers::write(&state.controllers, scope, sink)?;
    write_ledger(&state.ledger, sink);
    if scope == Scope::Everything {
        state.counts.raw().iter().for_each(|&count| sink.u64(count));
        let Spent { second, events, stalled_since, stalled } = state.spent;
        sink.f64(second);
        sink.u64(events);
        sink.f64(stalled_since);
        sink.u64(stalled);
    }
    Ok(())
}

pub(crate) fn read(
    source: &mut Source<'_>,
    model: &Model,
    controllers: Vec<Box<dyn Controller>>,
) -> Result<(WorldState, Vec<groups::Touching>), SnapshotError> {
    let now = source.f64()?;
    if !now.is_finite() {
        return Err(SnapshotError::wrong("the time is not finite"));
    }
    let begun = source.bool()?;
    let mut bodies = bodies::read(source)?;
    let joints = joints::read(source)?;
    let elements = elements::read(source)?;
    let forces = forces::read(source, &bodies)?;
    let lasting = lasting::read(source)?;
    let graph = Graph::of(&joints, &elements, &lasting);
    let (groups, touching) = groups::read(source, model, &mut bodies, &graph, &forces)?;
    let (excluded, meetings) = read_pairs(source)?;
    let (regimes, contacts) = contacts::read(source)?;
    let scheduled = source.u64()?;
    let pending = |source: &mut Source<'_>| {
        let (time, order) = (source.f64()?, source.u64()?);
        if !(time.is_finite() && time >= now && order < scheduled) {
            return Err(SnapshotError::wrong("a command waits for no valid time"));
        }
        Ok((Scheduled::new(time, order), commands::read(source)?))
    };
    let pending: BTreeMap<Scheduled, Command> = source.list(17, pending)?.into_iter().collect();
    let controllers = controllers::read(source, controllers)?;
    let ledger = read_ledger(source)?;
    let mut counts = [0; 7];
    for count in &mut counts {
        *count = source.u64()?;
    }
    let spent = Spent {
        second: source.f64()?,
        events: source.u64()?,
        stalled_since: source.f64()?,
        stalled: source.u64()?,
    };
    let state = WorldState {
        now,
        bodies,
        groups,
        joints,
        elements,
        forces,
        pending,
        scheduled,
        controllers,
        excluded,
        regimes,
        meetings,
        contacts,
        lasting,
        ledger,
        counts: EventCounts::from_raw(counts),
        spent,
        begun,
    };
    Ok((state, touching))
}

fn write_pairs(state: &WorldState, sink: &mut dyn Sink) {
    sink.u64(state.excluded.len() as u64);
    for (a, b) in &state.excluded {
        bodies::write_body_id(*a, sink);
        bodies::write_body_id(*b, sink);
    }
    let meetings = state.meetings.in_order(|body| began(&state.bodies, body));
    sink.u64(meetings.len() as u64);
    for ([a, b], Meeting { since, manner }) in meetings {
        bodies::write_body_id(a, sink);
        bodies::write_body_id(b, sink);
        sink.f64(since);
        sink.u8(manner as u8);
    }
}

type Pairs = (BTreeSet<(BodyId, BodyId)>, Meetings);

fn read_pairs(source: &mut Source<'_>) -> Result<Pairs, SnapshotError> {
    let pair = bodies::read_pair;
    let excluded = source.list(16, pair)?.into_iter().collect();
    let meeting = |source: &mut Source<'_>| {
        let (a, b) = pair(source)?;
        let since = source.f64()?;
        let manner = match source.u8()? {
            0 => Manner::Inside,
            1 => Manner::Parted,
            2 => Manner::Met,
            _ => return Err(SnapshotError::wrong("a pair has met in no known manner")),
        };
        if !since.is_finite() {
            return Err(SnapshotError::wrong("a pair has met at no time"));
        }
        Ok(([a, b], Meeting { since, manner }))
    };
    Ok((excluded, source.list(25, meeting)?.into_iter().collect()))
}

fn write_ledger(ledger: &Ledger, sink: &mut dyn Sink) {
    for sum in ledger.lines() {
        sink.f64(sum.total);
        sink.f64(sum.correction);
    }
}

fn read_ledger(source: &mut Source<'_>) -> Result<Ledger, SnapshotError> {
    let mut sum =
        || Ok::<Sum, SnapshotError>(Sum { total: source.f64()?, correction: source.f64()? });
    Ok(Ledger {
        initial: sum()?,
        work: sum()?,
        restitution_loss: sum()?,
        friction_loss: sum()?,
        boost: sum()?,
        projection: sum()?,
        integration: sum()?,
    })
}
