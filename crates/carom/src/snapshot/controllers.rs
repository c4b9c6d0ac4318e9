//! Controllers as bytes: their clocks, and what they say of themselves.

use crate::arena::{Arena, Handle as _};
use crate::controller::{Controller, ControllerId, Rate, Registered};

use super::SnapshotError;
use super::bytes::{Sink, Source, read_slots, write_slots};
use super::state::Scope;

pub(crate) fn write(
    controllers: &Arena<ControllerId, Registered>,
    scope: Scope,
    sink: &mut dyn Sink,
) -> Result<(), SnapshotError> {
    write_slots(controllers, sink, |registered, sink| {
        let (kind, value) = match registered.rate {
            Rate::Hertz(value) => (0, value),
            Rate::Period(value) => (1, value),
        };
        sink.u8(kind);
        sink.f64(value);
        sink.f64(registered.start);
        sink.u64(registered.count);
        if scope == Scope::Everything || !registered.enabled {
            sink.bool(registered.enabled);
        }
        let memory = match registered.controller.as_ref().map(|it| it.save()) {
            Some(Ok(memory)) => memory,
            Some(Err(error)) if scope == Scope::Everything => return Err(error.into()),
            Some(Err(_)) | None => Vec::new(),
        };
        sink.blob(&memory);
        Ok(())
    })
}

pub(crate) fn write_id(id: ControllerId, sink: &mut dyn Sink) {
    sink.u32(id.index());
    sink.u32(id.generation());
}

pub(crate) fn read_id(source: &mut Source<'_>) -> Result<ControllerId, SnapshotError> {
    Ok(ControllerId::of(source.u32()?, source.u32()?))
}

pub(crate) fn read(
    source: &mut Source<'_>,
    controllers: Vec<Box<dyn Controller>>,
) -> Result<Arena<ControllerId, Registered>, SnapshotError> {
    let given = controllers.len();
    let mut controllers = controllers.into_iter();
    let mut saved = 0;
    let one = |source: &mut Source<'_>| {
        saved += 1;
        let kind = source.u8()?;
        let value = source.f64()?;
        let rate = if kind == 0 { Rate::Hertz(value) } else { Rate::Period(value) };
        let (start, count) = (source.f64()?, source.u64()?);
        let enabled = source.bool()?;
        if !(rate.is_valid() && start.is_finite()) {
            return Err(SnapshotError::wrong("a controller has no valid rate"));
        }
        let memory = source.blob()?;
        let mut controller = controllers.next();
        if let Some(controller) = &mut controller {
            controller.load(memory)?;
        }
        Ok(Registered { rate, start, count, enabled, controller })
    };
    let arena = read_slots(source, one)?;
    if saved != given {
        return Err(SnapshotError::Controllers { saved, given });
    }
    Ok(arena)
}
