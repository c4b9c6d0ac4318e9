//! Forces that are held on bodies, and what is asked of controllers from outside.
//!
//! A force from outside is held, like a motor's, until it is changed: between two commands the wrench about the centre of mass
//! is constant in world axes. It is kept by body, so that joints may come and go meanwhile; the linkage of the body has a copy.
//! A body that is free otherwise becomes a linkage of one floating link for as long as it is pushed.

use carom_dynamics::spatial::ForceVector;
use glam::DVec3;

use crate::body::BodyId;
use crate::command::Place;
use crate::control::Target;
use crate::controller::{Commands, ControllerId};
use crate::error::WorldError;
use crate::group::{Group, System};
use crate::joint::JointId;
use crate::world::{World, finite, place_in_world};

/// Forces.
impl World {
    /// The force and the torque about its centre of mass that are held on a body, in world axes `[N, N·m]`.
    pub fn held_force(&self, body: BodyId) -> Option<(DVec3, DVec3)> {
        self.state.bodies.get(body)?;
        let wrench = self.state.forces.get(&body).copied().unwrap_or_default();
        Some((wrench.linear, wrench.angular))
    }

    /// Holds a wrench on a body.
    pub(crate) fn hold(
        &mut self,
        body: BodyId,
        [force, torque]: [DVec3; 2],
        point: Place,
    ) -> Result<(), WorldError> {
        let record = self.record(body)?;
        let group = self.group(record.group);
        let Some(member) = group.member(body).filter(|_| group.is_free()) else {
            return Err(self.passive(body));
        };
        finite("force", force)?;
        finite("torque", torque)?;
        let state = group.state_of(member, self.state.now);
        let point = place_in_world(point, &state, record.model.reference);
        let moment = torque + (point - state.position).cross(force);
        finite("moment of the force", moment)?;
        self.hold_wrench(body, ForceVector::new(moment, force))
    }

    /// Takes away what is held on a body.
    pub(crate) fn let_go(&mut self, body: BodyId) -> Result<(), WorldError> {
        self.hold_wrench(body, ForceVector::ZERO)
    }

    fn hold_wrench(&mut self, body: BodyId, wrench: ForceVector) -> Result<(), WorldError> {
        let before = if wrench == ForceVector::ZERO {
            self.state.forces.remove(&body)
        } else {
            self.state.forces.insert(body, wrench)
        };
        if before.unwrap_or_default() == wrench {
            return Ok(());
        }
        let (id, now) = (self.record(body)?.group, self.state.now);
        let is_alone = match &self.group(id).system {
            System::Passive(_) => return Ok(()),
            System::Free(_) => true,
            System::Coupled(coupled) => coupled.is_alone() && wrench == ForceVector::ZERO,
        };
        if is_alone {
            return self.regroup_alone(body);
        }
        if let Some(coupled) = self.state.groups.get_mut(id).and_then(Group::coupled_mut) {
            coupled.cut(now);
            coupled.take_wrenches(&self.state.forces);
            self.mark_dirty(id);
        }
        Ok(())
    }
}

/// Controllers.
impl World {
    /// Gives a controller a target.
    pub(crate) fn aim(
        &mut self,
        controller: ControllerId,
        joint: JointId,
        freedom: usize,
        target: &Target,
    ) -> Result<(), WorldError> {
        let name = match self.state.joints.get(joint) {
            Some(record) => record.name.clone(),
            None => return Err(WorldError::NoJoint { joint }),
        };
        let refuse = |reason| WorldError::Target { controller, joint: name, freedom, reason };
        if !target.is_valid() {
            return Err(refuse("its numbers make no sense"));
        }
        let registered = self.state.controllers.get_mut(controller);
        let Some(it) = registered.and_then(|it| it.controller.as_mut()) else {
            return Err(WorldError::NoController { controller });
        };
        it.aim(joint, freedom, target).map_err(refuse)
    }

    /// Lets a controller tick or not.
    pub(crate) fn switch(
        &mut self,
        controller: ControllerId,
        enabled: bool,
    ) -> Result<(), WorldError> {
        let Some(registered) = self.state.controllers.get_mut(controller) else {
            return Err(WorldError::NoController { controller });
        };
        let stops = registered.enabled && !enabled;
        registered.enabled = enabled;
        if !stops {
            return Ok(());
        }
        let Some(mut lent) = registered.controller.take() else { return Ok(()) };
        let mut commands = Commands::default();
        lent.let_go(self, &mut commands);
        if let Some(registered) = self.state.controllers.get_mut(controller) {
            registered.controller = Some(lent);
        }
        for command in commands.now {
            self.execute(command)?;
        }
        Ok(())
    }
}
