//! Joints as bytes: those that are, and those that wait to be.

use carom_dynamics::linkage::{JointForce, Strength};
use carom_dynamics::tree;
use glam::DVec3;

use crate::arena::{Arena, Handle as _};
use crate::body::BodyId;
use crate::joint::{Joint, JointId, JointKind, JointRecord};

use super::SnapshotError;
use super::bodies::{read_body_id, write_body_id};
use super::bytes::{Sink, Source, read_slots, write_slots};

pub(crate) fn write(
    joints: &Arena<JointId, JointRecord>,
    sink: &mut dyn Sink,
) -> Result<(), SnapshotError> {
    write_slots(joints, sink, |joint, sink| {
        sink.text(&joint.name);
        write_parent(joint.parent, sink);
        write_body_id(joint.child, sink);
        let (kind, axes, pitch) = parts(&joint.joint);
        sink.u8(kind);
        for axis in axes {
            sink.vector(axis);
        }
        sink.f64(pitch);
        sink.pose(&joint.parent_from_joint);
        sink.pose(&joint.link_from_body);
        write_forces(&joint.forces, sink);
        write_strength(&joint.strength, sink);
        Ok(())
    })
}

pub(crate) fn read(source: &mut Source<'_>) -> Result<Arena<JointId, JointRecord>, SnapshotError> {
    read_slots(source, |source| {
        let name = source.text()?;
        let parent = read_parent(source)?;
        let child = read_body_id(source)?;
        let kind = source.u8()?;
        let (axes, pitch) = ([source.vector()?, source.vector()?], source.f64()?);
        let joint = joint_of(kind, axes, pitch)?;
        let (parent_from_joint, link_from_body) = (source.pose()?, source.pose()?);
        let (forces, strength) = (read_forces(source)?, read_strength(source)?);
        Ok(JointRecord {
            name,
            parent,
            child,
            joint,
            parent_from_joint,
            link_from_body,
            forces,
            strength,
        })
    })
}

/// A joint that waits to be made.
pub(crate) fn write_wish(joint: &Joint, sink: &mut dyn Sink) {
    sink.bool(joint.name.is_some());
    sink.text(joint.name.as_deref().unwrap_or_default());
    let (kind, axes, pitch) = match joint.kind {
        JointKind::Revolute { axis } => (0, [axis, DVec3::ZERO], 0.0),
        JointKind::Prismatic { axis } => (1, [axis, DVec3::ZERO], 0.0),
        JointKind::Screw { axis, pitch } => (2, [axis, DVec3::ZERO], pitch),
        JointKind::Cylindrical { axis } => (3, [axis, DVec3::ZERO], 0.0),
        JointKind::Planar { normal } => (4, [normal, DVec3::ZERO], 0.0),
        JointKind::Universal { first, second } => (5, [first, second], 0.0),
        JointKind::Spherical => (6, [DVec3::ZERO; 2], 0.0),
        JointKind::Fixed => (8, [DVec3::ZERO; 2], 0.0),
    };
    sink.u8(kind);
    for axis in axes {
        sink.vector(axis);
    }
    sink.f64(pitch);
    write_parent(joint.parent, sink);
    write_body_id(joint.child, sink);
    sink.bool(joint.at.is_some());
    sink.vector(joint.at.unwrap_or_default());
    write_numbers(&joint.start, sink);
    sink.bool(joint.velocity.is_some());
    write_numbers(joint.velocity.as_deref().unwrap_or_default(), sink);
    write_forces(&joint.forces, sink);
    write_strength(&joint.strength, sink);
    sink.bool(joint.collides);
}

pub(crate) fn read_wish(source: &mut Source<'_>) -> Result<Joint, SnapshotError> {
    let (named, name) = (source.bool()?, source.text()?);
    let kind = source.u8()?;
    let ([axis, second], pitch) = ([source.vector()?, source.vector()?], source.f64()?);
    let kind = match kind {
        0 => JointKind::Revolute { axis },
        1 => JointKind::Prismatic { axis },
        2 => JointKind::Screw { axis, pitch },
        3 => JointKind::Cylindrical { axis },
        4 => JointKind::Planar { normal: axis },
        5 => JointKind::Universal { first: axis, second },
        6 => JointKind::Spherical,
        8 => JointKind::Fixed,
        _ => return Err(SnapshotError::wrong("a joint is of no kind")),
    };
    let (parent, child) = (read_parent(source)?, read_body_id(source)?);
    let (placed, at) = (source.bool()?, source.vector()?);
    let start = read_numbers(source)?;
    let (moving, velocity) = (source.bool()?, read_numbers(source)?);
    let (forces, strength) = (read_forces(source)?, read_strength(source)?);
    Ok(Joint {
        name: named.then_some(name),
        kind,
        parent,
        child,
        at: placed.then_some(at),
        start,
        velocity: moving.then_some(velocity),
        forces,
        strength,
        collides: source.bool()?,
    })
}

fn parts(joint: &tree::Joint) -> (u8, [DVec3; 2], f64) {
    let none = DVec3::ZERO;
    match *joint {
        tree::Joint::Revolute { axis } => (0, [axis, none], 0.0),
        tree::Joint::Prismatic { axis } => (1, [axis, none], 0.0),
        tree::Joint::Screw { axis, pitch } => (2, [axis, none], pitch),
        tree::Joint::Cylindrical { axis } => (3, [axis, none], 0.0),
        tree::Joint::Planar => (4, [none; 2], 0.0),
        tree::Joint::Universal { first, second } => (5, [first, second], 0.0),
        tree::Joint::Spherical => (6, [none; 2], 0.0),
        tree::Joint::Free => (7, [none; 2], 0.0),
        tree::Joint::Fixed => (8, [none; 2], 0.0),
    }
}

fn joint_of(
    kind: u8,
    [axis, second]: [DVec3; 2],
    pitch: f64,
) -> Result<tree::Joint, SnapshotError> {
    Ok(match kind {
        0 => tree::Joint::Revolute { axis },
        1 => tree::Joint::Prismatic { axis },
        2 => tree::Joint::Screw { axis, pitch },
        3 => tree::Joint::Cylindrical { axis },
        4 => tree::Joint::Planar,
        5 => tree::Joint::Universal { first: axis, second },
        6 => tree::Joint::Spherical,
        7 => tree::Joint::Free,
        8 => tree::Joint::Fixed,
        _ => return Err(SnapshotError::wrong("a joint is of no kind")),
    })
}

fn write_parent(parent: Option<BodyId>, sink: &mut dyn Sink) {
    sink.bool(parent.is_some());
    if let Some(parent) = parent {
        write_body_id(parent, sink);
    }
}

fn read_parent(source: &mut Source<'_>) -> Result<Option<BodyId>, SnapshotError> {
    Ok(if source.bool()? { Some(read_body_id(source)?) } else { None })
}

fn write_forces(forces: &[JointForce], sink: &mut dyn Sink) {
    sink.u64(forces.len() as u64);
    for force in forces {
        let JointForce { damping, stiffness, rest, armature, friction, limits, restitution } =
            *force;
        let [low, high] = limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let numbers = [damping, stiffness, rest, armature, friction, low, high, restitution];
        for it in numbers {
            sink.f64(it);
        }
    }
}

fn read_forces(source: &mut Source<'_>) -> Result<Vec<JointForce>, SnapshotError> {
    source.list(64, |source| {
        let (damping, stiffness) = (source.f64()?, source.f64()?);
        let (rest, armature, friction) = (source.f64()?, source.f64()?, source.f64()?);
        let limits = [source.f64()?, source.f64()?];
        let limits = limits.iter().any(|it| it.is_finite()).then_some(limits);
        let restitution = source.f64()?;
        Ok(JointForce { damping, stiffness, rest, armature, friction, limits, restitution })
    })
}

fn write_strength(strength: &Strength, sink: &mut dyn Sink) {
    for (_, most) in strength.parts() {
        sink.f64(most);
    }
}

fn read_strength(source: &mut Source<'_>) -> Result<Strength, SnapshotError> {
    let (force, torque) = (source.f64()?, source.f64()?);
    let (impulse, angular_impulse) = (source.f64()?, source.f64()?);
    Ok(Strength { force, torque, impulse, angular_impulse })
}

pub(crate) fn write_numbers(numbers: &[f64], sink: &mut dyn Sink) {
    sink.u64(numbers.len() as u64);
    for it in numbers {
        sink.f64(*it);
    }
}

pub(crate) fn read_numbers(source: &mut Source<'_>) -> Result<Vec<f64>, SnapshotError> {
    source.list(8, Source::f64)
}

pub(crate) fn write_id(id: JointId, sink: &mut dyn Sink) {
    sink.u32(id.index());
    sink.u32(id.generation());
}

pub(crate) fn read_id(source: &mut Source<'_>) -> Result<JointId, SnapshotError> {
    Ok(JointId::of(source.u32()?, source.u32()?))
}
