//! Pending commands as bytes.

use carom_geometry::MassProperties;
use glam::DMat3;

use crate::body::{Body, Role, Weight};
use crate::command::{Command, Place, Push};
use crate::control::Target;
use crate::element::Element;
use crate::near::Layers;

use super::bodies::{read_body_id, write_body_id};
use super::bytes::{Sink, Source};
use super::model::{read_material_id, read_surface, write_material_id, write_surface};
use super::state::Scope;
use super::{SnapshotError, controllers, elements, joints, laws, shapes};

/// The least that a joint to be takes `[byte]`.
const LEAST_JOINT: usize = 64;

pub(crate) fn write(
    command: &Command,
    scope: Scope,
    sink: &mut dyn Sink,
) -> Result<(), SnapshotError> {
    match command {
        Command::Impulse(push) => {
            sink.u8(0);
            write_body_id(push.body, sink);
            sink.vector(push.linear);
            sink.vector(push.angular);
            write_place(push.point, sink);
        }
        Command::Add { body, reserved } => {
            sink.u8(1);
            sink.bool(reserved.is_some());
            if let Some(id) = reserved {
                write_body_id(*id, sink);
            }
            write_body(body, sink);
        }
        Command::Remove(body) => {
            sink.u8(2);
            write_body_id(*body, sink);
        }
        Command::Carry { body, by } => {
            sink.u8(3);
            write_body_id(*body, sink);
            write_body_id(*by, sink);
        }
        Command::Release(body) => {
            sink.u8(4);
            write_body_id(*body, sink);
        }
        Command::Gravity(gravity) => {
            sink.u8(5);
            sink.vector(*gravity);
        }
        Command::Material { material, surface } => {
            sink.u8(6);
            write_material_id(*material, sink);
            write_surface(surface, sink);
        }
        Command::Exclude { bodies, excluded } => {
            sink.u8(7);
            for body in bodies {
                write_body_id(*body, sink);
            }
            sink.bool(*excluded);
        }
        _ => return write_linking(command, scope, sink),
    }
    Ok(())
}

/// Commands to joints, elements and controllers.
fn write_linking(
    command: &Command,
    scope: Scope,
    sink: &mut dyn Sink,
) -> Result<(), SnapshotError> {
    match command {
        Command::Join(joint) => {
            sink.u8(8);
            joints::write_wish(joint, sink);
        }
        Command::JoinAll(joints) => {
            sink.u8(17);
            sink.u64(joints.len() as u64);
            for joint in joints {
                joints::write_wish(joint, sink);
            }
        }
        Command::Part(joint) => {
            sink.u8(9);
            joints::write_id(*joint, sink);
        }
        Command::Drive { joint, torque } => {
            sink.u8(10);
            joints::write_id(*joint, sink);
            joints::write_numbers(torque, sink);
        }
        Command::Tie(element) => {
            sink.u8(11);
            sink.bool(element.name.is_some());
            sink.text(element.name.as_deref().unwrap_or_default());
            elements::write_what(&element.law, &element.ends, scope, sink)?;
        }
        Command::Untie(element) => {
            sink.u8(12);
            elements::write_id(*element, sink);
        }
        Command::Retie { element, law, ends } => {
            sink.u8(13);
            elements::write_id(*element, sink);
            elements::write_what(law, ends, scope, sink)?;
        }
        Command::Force { body, force, torque, point } => {
            sink.u8(14);
            write_body_id(*body, sink);
            sink.vector(*force);
            sink.vector(*torque);
            write_place(*point, sink);
        }
        Command::Target { controller, joint, freedom, target } => {
            sink.u8(15);
            controllers::write_id(*controller, sink);
            joints::write_id(*joint, sink);
            sink.u64(*freedom as u64);
            target.write(sink);
        }
        Command::Enable { controller, enabled } => {
            sink.u8(16);
            controllers::write_id(*controller, sink);
            sink.bool(*enabled);
        }
        _ => debug_assert!(false, "every command has its bytes"),
    }
    Ok(())
}

fn write_place(place: Place, sink: &mut dyn Sink) {
    let (kind, point) = match place {
        Place::Center => (0, glam::DVec3::ZERO),
        Place::World(point) => (1, point),
        Place::Body(point) => (2, point),
    };
    sink.u8(kind);
    sink.vector(point);
}

fn read_place(source: &mut Source<'_>) -> Result<Place, SnapshotError> {
    let (kind, point) = (source.u8()?, source.vector()?);
    Ok(match kind {
        0 => Place::Center,
        1 => Place::World(point),
        2 => Place::Body(point),
        _ => return Err(SnapshotError::wrong("a command acts nowhere")),
    })
}

pub(crate) fn read(source: &mut Source<'_>) -> Result<Command, SnapshotError> {
    Ok(match source.u8()? {
        0 => {
            let body = read_body_id(source)?;
            let (linear, angular) = (source.vector()?, source.vector()?);
            let point = read_place(source)?;
            Command::Impulse(Push { body, linear, angular, point })
        }
        1 => {
            let reserved = if source.bool()? { Some(read_body_id(source)?) } else { None };
            Command::Add { body: Box::new(read_body(source)?), reserved }
        }
        2 => Command::Remove(read_body_id(source)?),
        3 => Command::Carry { body: read_body_id(source)?, by: read_body_id(source)? },
        4 => Command::Release(read_body_id(source)?),
        5 => Command::Gravity(source.vector()?),
        6 => Command::Material {
            material: read_material_id(source)?,
            surface: read_surface(source)?,
        },
        7 => Command::Exclude {
            bodies: [read_body_id(source)?, read_body_id(source)?],
            excluded: source.bool()?,
        },
        8 => Command::Join(Box::new(joints::read_wish(source)?)),
        9 => Command::Part(joints::read_id(source)?),
        10 => Command::Drive {
            joint: joints::read_id(source)?,
            torque: joints::read_numbers(source)?.into(),
        },
        11 => {
            let (named, name) = (source.bool()?, source.text()?);
            let (law, ends) = elements::read_what(source)?;
            let element = Element::new(law, ends);
            Command::Tie(Box::new(if named { element.named(name) } else { element }))
        }
        12 => Command::Untie(elements::read_id(source)?),
        13 => {
            let element = elements::read_id(source)?;
            let (law, ends) = elements::read_what(source)?;
            Command::Retie { element, law: Box::new(law), ends }
        }
        14 => Command::Force {
            body: read_body_id(source)?,
            force: source.vector()?,
            torque: source.vector()?,
            point: read_place(source)?,
        },
        15 => Command::Target {
            controller: controllers::read_id(source)?,
            joint: joints::read_id(source)?,
            freedom: source.index()?,
            target: Target::read(source)?,
        },
        16 => {
            Command::Enable { controller: controllers::read_id(source)?, enabled: source.bool()? }
        }
        17 => Command::JoinAll(source.list(LEAST_JOINT, joints::read_wish)?),
        kind => return Err(SnapshotError::wrong(format!("there is no command of kind {kind}"))),
    })
}

fn write_body(body: &Body, sink: &mut dyn Sink) {
    sink.bool(body.name.is_some());
    sink.text(body.name.as_deref().unwrap_or_default());
    shapes::write(&body.shape, sink);
    match &body.role {
        Role::Free => sink.u8(0),
        Role::Fixed => sink.u8(1),
        Role::Scripted(law) => {
            sink.u8(2);
            laws::write(law, sink);
        }
        Role::Carried(carrier) => {
            sink.u8(3);
            write_body_id(*carrier, sink);
        }
    }
    match &body.weight {
        Weight::Density(density) => {
            sink.u8(0);
            sink.f64(*density);
        }
        Weight::Mass(mass) => {
            sink.u8(1);
            sink.f64(*mass);
        }
        Weight::Given(properties) => {
            sink.u8(2);
            sink.f64(properties.mass);
            sink.vector(properties.center);
            properties.inertia.to_cols_array().into_iter().for_each(|x| sink.f64(x));
        }
    }
    sink.pose(&body.world_from_frame);
    sink.vector(body.velocity);
    sink.vector(body.angular_velocity);
    sink.bool(body.material.is_some());
    if let Some(material) = body.material {
        write_material_id(material, sink);
    }
    sink.vector(body.surface_velocity);
    sink.bool(body.ghost);
    sink.bool(body.sensor);
    sink.u32(body.layers.belongs);
    sink.u32(body.layers.meets);
    sink.u64(body.except.len() as u64);
    body.except.iter().for_each(|other| write_body_id(*other, sink));
}

fn read_body(source: &mut Source<'_>) -> Result<Body, SnapshotError> {
    let (named, name) = (source.bool()?, source.text()?);
    let shape = shapes::read(source)?;
    let role = match source.u8()? {
        0 => Role::Free,
        1 => Role::Fixed,
        2 => Role::Scripted(laws::read(source)?),
        3 => Role::Carried(read_body_id(source)?),
        _ => return Err(SnapshotError::wrong("a body has no role")),
    };
    let weight = match source.u8()? {
        0 => Weight::Density(source.f64()?),
        1 => Weight::Mass(source.f64()?),
        2 => {
            let (mass, center) = (source.f64()?, source.vector()?);
            let columns = [source.vector()?, source.vector()?, source.vector()?];
            let inertia = DMat3::from_cols(columns[0], columns[1], columns[2]);
            Weight::Given(MassProperties { mass, center, inertia })
        }
        _ => return Err(SnapshotError::wrong("a body has no weight")),
    };
    Ok(Body {
        name: named.then_some(name),
        shape,
        role,
        weight,
        world_from_frame: source.pose()?,
        velocity: source.vector()?,
        angular_velocity: source.vector()?,
        material: if source.bool()? { Some(read_material_id(source)?) } else { None },
        surface_velocity: source.vector()?,
        ghost: source.bool()?,
        sensor: source.bool()?,
        layers: Layers { belongs: source.u32()?, meets: source.u32()? },
        except: source.list(8, read_body_id)?,
    })
}
