//! One freedom of a joint under control.

use carom_dynamics::tree;
use glam::{DQuat, DVec3};

use super::{Motor, Target};
use crate::joint::{JointId, JointRef};
use crate::snapshot::SnapshotError;
use crate::snapshot::bytes::{Sink, Source};
use crate::snapshot::joints::{read_id, write_id};
use crate::world::World;

/// A freedom of a joint, what it aims at, and what its motor can give.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(crate) joint: JointId,
    pub(crate) freedom: usize,
    pub(crate) target: Target,
    pub(crate) motor: Motor,
}

/// A freedom of a joint that a controller drives, as others see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aimed<'a> {
    /// The joint.
    pub joint: JointId,
    /// Which of its freedoms, from 0.
    pub freedom: usize,
    /// What it aims at.
    pub target: &'a Target,
    /// What its motor can give.
    pub motor: Motor,
    /// True where the target's positions are velocities.
    pub is_rate: bool,
}

/// What a controller sees of a freedom `[rad or m, /s]`.
///
/// Of a spherical joint, positions are the components of its rotation vector, by the shorter way round, in the child's axes: those
/// of small turns, and exact for turns about one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Where it is.
    pub position: f64,
    /// How fast it changes.
    pub velocity: f64,
}

impl Axis {
    /// The first freedom of a joint, which is to stay at zero, with a motor without limits.
    pub fn new(joint: JointId) -> Self {
        Self { joint, freedom: 0, target: Target::default(), motor: Motor::default() }
    }

    /// Another of the joint's freedoms, from 0.
    #[must_use]
    pub fn freedom(mut self, freedom: usize) -> Self {
        self.freedom = freedom;
        self
    }

    /// What it aims at.
    #[must_use]
    pub fn target(mut self, target: impl Into<Target>) -> Self {
        self.target = target.into();
        self
    }

    /// What its motor can give.
    #[must_use]
    pub fn motor(mut self, motor: Motor) -> Self {
        self.motor = motor;
        self
    }

    /// What is seen of it now; none if the joint is gone or has no such freedom.
    pub fn seen(&self, world: &World) -> Option<Seen> {
        Seen::of(&world.joint(self.joint)?, self.freedom)
    }

    /// As others see it.
    pub(super) const fn aimed(&self, is_rate: bool) -> Aimed<'_> {
        let Self { joint, freedom, target, motor } = self;
        Aimed { joint: *joint, freedom: *freedom, target, motor: *motor, is_rate }
    }

    pub(crate) fn write(&self, sink: &mut dyn Sink) {
        write_id(self.joint, sink);
        sink.u64(self.freedom as u64);
        self.target.write(sink);
        self.motor.write(sink);
    }

    pub(crate) fn read(source: &mut Source<'_>) -> Result<Self, SnapshotError> {
        Ok(Self {
            joint: read_id(source)?,
            freedom: source.index()?,
            target: Target::read(source)?,
            motor: Motor::read(source)?,
        })
    }
}

impl Seen {
    /// Of a freedom of a joint, now.
    pub fn of(joint: &JointRef<'_>, freedom: usize) -> Option<Self> {
        let (coordinates, rates) = joint.state()?;
        Self::in_state(joint.kind(), freedom, &coordinates, &rates)
    }

    /// Of a freedom of a joint with these coordinates and rates.
    pub(crate) fn in_state(
        joint: &tree::Joint,
        freedom: usize,
        coordinates: &[f64],
        rates: &[f64],
    ) -> Option<Self> {
        let velocity = *rates.get(freedom)?;
        let position = match joint {
            tree::Joint::Spherical => {
                rotation_vector(DQuat::from_slice(coordinates)).to_array()[freedom]
            }
            _ => *coordinates.get(freedom)?,
        };
        Some(Self { position, velocity })
    }
}

/// Gives a target to the axis of a freedom.
pub(super) fn aim<'a>(
    mut axes: impl Iterator<Item = &'a mut Axis>,
    joint: JointId,
    freedom: usize,
    target: &Target,
) -> Result<(), &'static str> {
    let axis = axes.find(|axis| axis.joint == joint && axis.freedom == freedom);
    let axis = axis.ok_or("it does not control it")?;
    axis.target = target.clone();
    Ok(())
}

/// 2·atan2(|u|, w)·u/|u| of a unit quaternion (u, w), by the shorter way.
fn rotation_vector(turn: DQuat) -> DVec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = DVec3::new(turn.x, turn.y, turn.z);
    let sine = axis.length();
    if sine == 0.0 {
        return DVec3::ZERO;
    }
    (2.0 * libm::atan2(sine, turn.w) / sine) * axis
}

/// Motor forces of joints, gathered freedom by freedom.
#[derive(Debug, Default)]
pub(super) struct Efforts {
    joints: Vec<(JointId, Vec<f64>)>,
}

impl Efforts {
    /// Sets that of one freedom; those of the joint's others stay as they are.
    pub(super) fn set(&mut self, world: &World, axis: &Axis, effort: f64) {
        let place = self.joints.iter().position(|(joint, _)| *joint == axis.joint);
        let place = place.unwrap_or_else(|| {
            let torque = world.joint(axis.joint).map(|it| it.torque()).unwrap_or_default();
            self.joints.push((axis.joint, torque));
            self.joints.len() - 1
        });
        if let Some(slot) = self.joints[place].1.get_mut(axis.freedom) {
            *slot = effort;
        }
    }

    /// As commands.
    pub(super) fn into_commands(self, commands: &mut crate::controller::Commands) {
        for (joint, torque) in self.joints.into_iter().filter(|(_, torque)| !torque.is_empty()) {
            commands.push(crate::command::Command::Drive { joint, torque: torque.into() });
        }
    }
}
