//! Bodies as bytes: what each is, and every different shape once.

use std::sync::Arc;

use carom_dynamics::Mass;
use carom_geometry::distance::pieces::Pieces;
use carom_geometry::{Aabb, Shape};
use rustc_hash::FxHashMap;

use crate::arena::{Arena, Handle as _};
use crate::body::{BodyId, BodyModel, BodyRecord};
use crate::group::GroupId;
use crate::near::Layers;
use crate::world::WorldState;

use super::bytes::{Sink, Source, read_slots, write_slots};
use super::model::{read_material_id, write_material_id};
use super::state::Scope;
use super::{SnapshotError, shapes};

pub(crate) fn write(
    state: &WorldState,
    scope: Scope,
    sink: &mut dyn Sink,
) -> Result<(), SnapshotError> {
    let shapes = ShapeTable::of(state);
    shapes.write(sink);
    let mut shape_of = shapes.of_body.iter();
    write_slots(&state.bodies, sink, |body, sink| {
        let model = &body.model;
        sink.text(&model.name);
        sink.u32(shape_of.next().copied().unwrap_or_default());
        sink.bool(model.mass.is_some());
        if let Some(mass) = &model.mass {
            write_mass(mass, sink);
        }
        sink.vector(model.reference);
        sink.bool(model.material.is_some());
        if let Some(material) = model.material {
            write_material_id(material, sink);
        }
        sink.vector(model.surface_velocity);
        sink.bool(model.ghost);
        sink.bool(model.sensor);
        sink.u32(model.layers.belongs);
        sink.u32(model.layers.meets);
        sink.u64(body.epoch);
        sink.f64(body.since);
        if scope == Scope::Everything {
            sink.span(&body.window);
            sink.vector(body.swept.min);
            sink.vector(body.swept.max);
        }
        Ok(())
    })
}

pub(crate) fn read(source: &mut Source<'_>) -> Result<Arena<BodyId, BodyRecord>, SnapshotError> {
    let shapes = source.list(9, shapes::read)?;
    read_slots(source, |source| read_body(source, &shapes))
}

fn read_body(source: &mut Source<'_>, shapes: &[Shape]) -> Result<BodyRecord, SnapshotError> {
    let name = source.text()?;
    let shape = shapes
        .get(source.u32()? as usize)
        .ok_or_else(|| SnapshotError::wrong(format!("body \"{name}\" has no shape")))?
        .clone();
    let mass = if source.bool()? { Some(read_mass(source)?) } else { None };
    let reference = source.vector()?;
    let material = if source.bool()? { Some(read_material_id(source)?) } else { None };
    let surface_velocity = source.vector()?;
    if !surface_velocity.length_squared().is_finite() {
        return Err(SnapshotError::wrong("a surface velocity is not finite"));
    }
    let ghost = source.bool()?;
    let sensor = source.bool()?;
    let layers = Layers { belongs: source.u32()?, meets: source.u32()? };
    let radius = shape.as_solid().radius_about(reference);
    if !reference.is_finite() || (mass.is_some() && !radius.is_finite()) {
        return Err(SnapshotError::wrong(format!("body \"{name}\" has no finite size")));
    }
    let pieces = Arc::new(Pieces::of(&shape));
    let size = 2.0 * pieces.tree()[0].radius;
    let model = BodyModel {
        name,
        shape,
        mass,
        reference,
        radius,
        material,
        surface_velocity,
        ghost,
        sensor,
        layers,
        pieces,
        size,
    };
    let epoch = source.u64()?;
    let since = source.f64()?;
    let window = source.span()?;
    let swept = Aabb { min: source.vector()?, max: source.vector()? };
    if swept.min.is_nan() || swept.max.is_nan() {
        return Err(SnapshotError::wrong(format!("body \"{}\" has no box", model.name)));
    }
    // Every body belongs to a group that comes later; until then it names itself.
    let group = GroupId(BodyId::of(u32::MAX, u32::MAX));
    Ok(BodyRecord { model: Arc::new(model), group, epoch, since, window, swept })
}

fn write_mass(mass: &Mass, sink: &mut dyn Sink) {
    sink.f64(mass.mass);
    sink.vector(mass.moments);
    sink.rotation(mass.body_from_principal);
}

fn read_mass(source: &mut Source<'_>) -> Result<Mass, SnapshotError> {
    let mass = Mass {
        mass: source.f64()?,
        moments: source.vector()?,
        body_from_principal: source.rotation()?,
    };
    let moments = mass.moments;
    if mass == Mass::NONE {
        return Ok(mass);
    }
    let sane = mass.mass.is_finite()
        && mass.mass > 0.0
        && moments.is_finite()
        && moments.x > 0.0
        && moments.x <= moments.y
        && moments.y <= moments.z
        && mass.body_from_principal.is_finite();
    if sane { Ok(mass) } else { Err(SnapshotError::wrong("a mass is not that of a body")) }
}

pub(crate) fn write_body_id(id: BodyId, sink: &mut dyn Sink) {
    sink.u32(id.index());
    sink.u32(id.generation());
}

pub(crate) fn read_body_id(source: &mut Source<'_>) -> Result<BodyId, SnapshotError> {
    Ok(BodyId::of(source.u32()?, source.u32()?))
}

/// Two bodies, the smaller first.
pub(crate) fn read_pair(source: &mut Source<'_>) -> Result<(BodyId, BodyId), SnapshotError> {
    let (a, b) = (read_body_id(source)?, read_body_id(source)?);
    if a < b { Ok((a, b)) } else { Err(SnapshotError::wrong("a pair is not in order")) }
}

/// Every different shape once, in the order of the first body that has it.
struct ShapeTable {
    shapes: Vec<Vec<u8>>,
    of_body: Vec<u32>,
}

impl ShapeTable {
    fn of(state: &WorldState) -> Self {
        let mut table = Self { shapes: Vec::new(), of_body: Vec::new() };
        let mut known: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
        // Shapes behind one pointer are one shape; a large mesh is then written once, not once per body.
        let mut by_pointer: FxHashMap<usize, u32> = FxHashMap::default();
        for (_, body) in state.bodies.iter() {
            let pointer = pointer_of(&body.model.shape);
            let index = match pointer.and_then(|pointer| by_pointer.get(&pointer)) {
                Some(&index) => index,
                None => table.index_of(&body.model.shape, &mut known),
            };
            if let Some(pointer) = pointer {
                by_pointer.insert(pointer, index);
            }
            table.of_body.push(index);
        }
        table
    }

    fn index_of(&mut self, shape: &Shape, known: &mut FxHashMap<Vec<u8>, u32>) -> u32 {
        let mut bytes = Vec::new();
        shapes::write(shape, &mut bytes);
        let next = self.shapes.len() as u32;
        let index = *known.entry(bytes.clone()).or_insert(next);
        if index == next {
            self.shapes.push(bytes);
        }
        index
    }

    fn write(&self, sink: &mut dyn Sink) {
        sink.u64(self.shapes.len() as u64);
        self.shapes.iter().for_each(|shape| sink.put(shape));
    }
}

fn pointer_of(shape: &Shape) -> Option<usize> {
    match shape {
        Shape::Polyhedron(shape) => Some(Arc::as_ptr(shape).addr()),
        Shape::Mesh(shape) => Some(Arc::as_ptr(shape).addr()),
        Shape::Compound(shape) => Some(Arc::as_ptr(shape).addr()),
        _ => None,
    }
}
