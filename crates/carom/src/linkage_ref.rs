//! Linkages as a whole, to be asked: who belongs to one, its freedoms, and the forces that its motors would have to give.
//!
//! Freedoms of a linkage are numbered link by link, parents before children; [`LinkageRef::freedoms_of`] says where those of a
//! joint are. Those of a body that floats are six: velocity of its centre of mass and angular velocity, in its own axes.

use std::ops::Range;

use carom_dynamics::Kinematics;
use carom_dynamics::linkage::Linkage;
use glam::DVec3;

use crate::body::BodyId;
use crate::coupled::{Coupled, Onward};
use crate::error::{JointError, WorldError};
use crate::group::{System, carried};
use crate::joint::JointId;
use crate::world::World;
use carom_dynamics::{Ballistic, Motion};

/// A linkage to be asked.
#[derive(Clone, Copy, Debug)]
pub struct LinkageRef<'a> {
    world: &'a World,
    coupled: &'a Coupled,
}

impl World {
    /// The linkage that a body belongs to; none of a body that nothing holds.
    pub fn linkage(&self, body: BodyId) -> Option<LinkageRef<'_>> {
        let group = self.group(self.state.bodies.get(body)?.group);
        group.coupled().map(|coupled| LinkageRef { world: self, coupled })
    }

    /// A body's state now, with the accelerations that it has from now on; right-continuous at collisions and commands.
    ///
    /// A controller that ticks at the very instant of a collision sees what comes after it.
    pub fn kinematics(&self, body: BodyId) -> Option<Kinematics> {
        let group = self.group(self.state.bodies.get(body)?.group);
        let (member, now) = (group.member(body)?, self.state.now);
        let onward = match &group.system {
            System::Free(free) => free.restart.map(|state| {
                Motion::Ballistic(Ballistic::new(now, state, self.model.gravity, &free.mass))
            }),
            System::Coupled(coupled) if coupled.is_restarted() => {
                match self.renewed(group, coupled).ok()? {
                    Onward::Course(renewed) => Some(renewed.motion(member.link)),
                    // A joint breaks, or a pair parts, at the end of this instant.
                    Onward::Breaks(..) | Onward::Leaves(..) | Onward::Crowded(..) => None,
                }
            }
            System::Passive(_) | System::Coupled(_) => None,
        };
        let motion = onward.as_ref().unwrap_or_else(|| group.motion_of(member));
        let frame = motion.kinematics_at(now);
        let arm = frame.state.orientation * member.frame_from_body.translation;
        let spin = frame.state.angular_velocity;
        Some(Kinematics {
            state: carried(&frame.state, &member.frame_from_body),
            acceleration: frame.acceleration
                + frame.angular_acceleration.cross(arm)
                + spin.cross(spin.cross(arm)),
            angular_acceleration: frame.angular_acceleration,
        })
    }
}

impl<'a> LinkageRef<'a> {
    /// The tree, with what acts in its joints: it answers everything about its dynamics, such as the mass matrix.
    pub fn linkage(&self) -> &'a Linkage {
        self.coupled.linkage()
    }

    /// Configuration and velocity of the tree now.
    pub fn state(&self) -> (Vec<f64>, Vec<f64>) {
        self.coupled.joint_state(self.world.now())
    }

    /// Forces of motors, dual to the velocity, as they were last commanded `[N·m or N]`.
    pub fn torque(&self) -> &'a [f64] {
        self.coupled.torque()
    }

    /// Its bodies, parents before children, each with the joint that carries it; a body that floats has none.
    pub fn links(&self) -> impl Iterator<Item = (BodyId, Option<JointId>)> + 'a {
        self.coupled.links().iter().map(|link| (link.body, link.joint))
    }

    /// How many freedoms it has.
    pub fn freedoms(&self) -> usize {
        self.coupled.linkage().tree().n_v()
    }

    /// Where the freedoms of a joint are among those of the linkage.
    pub fn freedoms_of(&self, joint: JointId) -> Option<Range<usize>> {
        let link = self.coupled.link_of(joint)?;
        Some(self.coupled.linkage().tree().v_range(link))
    }

    /// The rates of its freedoms now `[rad/s or m/s]`.
    pub fn rates(&self) -> Vec<f64> {
        self.coupled.joint_state(self.world.now()).1
    }

    /// The motor forces with which its freedoms would accelerate like this, now: against gravity, held forces, springs, dampers,
    /// force elements, dry friction and the inertia of everything `[N·m or N]`. At rest, friction acts against the acceleration
    /// that is asked for; stops are not counted (`carom_dynamics::linkage::Linkage::required`).
    ///
    /// # Errors
    /// If there are not as many accelerations as freedoms, or one is not finite.
    pub fn inverse_dynamics(&self, accelerations: &[f64]) -> Result<Vec<f64>, WorldError> {
        let prescribed: Vec<Option<f64>> = accelerations.iter().copied().map(Some).collect();
        Ok(self.mixed_dynamics(&prescribed)?.1)
    }

    /// Where an acceleration is prescribed, the motor force that it needs; elsewhere, the acceleration under the motor force
    /// that is held. Returns the accelerations and the motor forces of all freedoms, now.
    ///
    /// # Errors
    /// If there are not as many entries as freedoms, a number is not finite, or a freedom without a prescribed acceleration
    /// has no inertia.
    pub fn mixed_dynamics(
        &self,
        prescribed: &[Option<f64>],
    ) -> Result<(Vec<f64>, Vec<f64>), WorldError> {
        let state = self.coupled.joint_state(self.world.now());
        self.required(prescribed, [&state.0, &state.1], self.world.gravity())
    }

    /// The motor forces that would hold it where it is, if it were at rest: gravity compensation `[N·m or N]`.
    ///
    /// # Errors
    /// None that a linkage of this world can have.
    pub fn holding_forces(&self) -> Result<Vec<f64>, WorldError> {
        let (q, _) = self.coupled.joint_state(self.world.now());
        let still = vec![0.0; self.freedoms()];
        let prescribed = vec![Some(0.0); self.freedoms()];
        Ok(self.required(&prescribed, [&q, &still], self.world.gravity())?.1)
    }

    fn required(
        &self,
        prescribed: &[Option<f64>],
        state: [&[f64]; 2],
        gravity: DVec3,
    ) -> Result<(Vec<f64>, Vec<f64>), WorldError> {
        let refuse = |fault: String| {
            let joint = self.coupled.links().iter().find_map(|link| link.joint);
            let name = joint.and_then(|id| self.world.joint(id)).map(|it| it.name().to_owned());
            WorldError::from(JointError::Linkage { joint: name.unwrap_or_default(), fault })
        };
        let is_good = prescribed.len() == self.freedoms()
            && prescribed.iter().flatten().all(|it| it.is_finite());
        if !is_good {
            let freedoms = self.freedoms();
            return Err(refuse(format!(
                "{} accelerations were given for {freedoms} freedoms, or one is not finite",
                prescribed.len()
            )));
        }
        let [v_dot, torque] = self
            .coupled
            .required(self.world.now(), state, gravity, prescribed)
            .map_err(|singular| refuse(singular.to_string()))?;
        Ok((v_dot, torque))
    }
}
