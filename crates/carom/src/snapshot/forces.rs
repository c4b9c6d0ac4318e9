//! Forces held on bodies, as bytes.

use std::collections::BTreeMap;

use carom_dynamics::spatial::ForceVector;

use crate::arena::Arena;
use crate::body::{BodyId, BodyRecord};

use super::SnapshotError;
use super::bodies::{read_body_id, write_body_id};
use super::bytes::{Sink, Source};

pub(crate) fn write(forces: &BTreeMap<BodyId, ForceVector>, sink: &mut dyn Sink) {
    sink.u64(forces.len() as u64);
    for (body, wrench) in forces {
        write_body_id(*body, sink);
        sink.vector(wrench.linear);
        sink.vector(wrench.angular);
    }
}

pub(crate) fn read(
    source: &mut Source<'_>,
    bodies: &Arena<BodyId, BodyRecord>,
) -> Result<BTreeMap<BodyId, ForceVector>, SnapshotError> {
    let one = |source: &mut Source<'_>| {
        let body = read_body_id(source)?;
        let (linear, angular) = (source.vector()?, source.vector()?);
        let wrench = ForceVector::new(angular, linear);
        if bodies.get(body).is_none() || !wrench.is_finite() {
            return Err(SnapshotError::wrong("a force acts on nothing"));
        }
        Ok((body, wrench))
    };
    Ok(source.list(56, one)?.into_iter().collect())
}
