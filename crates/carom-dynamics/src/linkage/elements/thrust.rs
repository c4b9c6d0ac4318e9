//! A constant force and torque at a point: a thruster, a propeller, a magnet far away.
//!
//! Its power is f·v + τ·ω with the motion of the end relative to the other one. All of it is booked as work: a force in world
//! axes has a potential, one that turns with a link has none, and both are treated alike.

use glam::DVec3;

use super::end::Ends;
use crate::spatial::ForceVector;

/// Axes that a constant force is constant in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// Those of the world.
    #[default]
    World,
    /// Those of the end that it acts on, which turn with the link.
    End,
}

/// A constant force and torque.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thrust {
    /// Force at the point of the end `[N]`.
    pub force: DVec3,
    /// Torque besides `[N·m]`.
    pub torque: DVec3,
    /// What both are constant in.
    pub axes: Axes,
}

impl Thrust {
    pub(super) fn act(&self, ends: &Ends) -> ForceVector {
        match self.axes {
            Axes::World => ForceVector::new(self.torque, self.force),
            Axes::End => {
                let world_from_end = ends.on.orientation;
                ForceVector::new(world_from_end * self.torque, world_from_end * self.force)
            }
        }
    }
}
