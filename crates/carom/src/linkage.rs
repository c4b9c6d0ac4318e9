//! Linkages to be asked: what people and controllers compute with.

use carom_dynamics::linkage::Linkage;

use crate::body::BodyId;
use crate::coupled::Coupled;
use crate::joint::JointId;
use crate::world::World;

/// A linkage to be asked. Its tree answers everything about its dynamics, such as the mass matrix.
#[derive(Clone, Copy, Debug)]
pub struct LinkageRef<'a> {
    now: f64,
    coupled: &'a Coupled,
}

impl World {
    /// The linkage that a body is part of.
    pub fn linkage(&self, body: BodyId) -> Option<LinkageRef<'_>> {
        let group = self.state.groups.get(self.state.bodies.get(body)?.group)?;
        group.coupled().map(|coupled| LinkageRef { now: self.now(), coupled })
    }
}

impl<'a> LinkageRef<'a> {
    /// The tree, with what acts in its joints.
    pub fn linkage(&self) -> &'a Linkage {
        self.coupled.linkage()
    }

    /// Bodies in the order of the tree's links, with the joints that carry them; none carries a body that floats.
    pub fn links(&self) -> impl Iterator<Item = (BodyId, Option<JointId>)> + 'a {
        self.coupled.links().iter().map(|link| (link.body, link.joint))
    }

    /// Configuration and velocity of the tree now.
    pub fn state(&self) -> (Vec<f64>, Vec<f64>) {
        self.coupled.joint_state(self.now)
    }

    /// Forces of motors, dual to the velocity, as they were last commanded `[N·m or N]`.
    pub fn torque(&self) -> &'a [f64] {
        self.coupled.torque()
    }
}
