//! Phase 1 of an instant: what comes from outside.
//!
//! A command is checked in full before it changes anything, so one that is refused leaves no trace.

use std::sync::Arc;

use carom_contact::touch::Rigid;
use carom_dynamics::{BodyState, Impulse, Mass, Motion};
use carom_geometry::Pose;
use glam::DVec3;
use smallvec::smallvec;

use crate::body::{Body, BodyId, BodyModel, BodyRecord, Role};
use crate::command::{Command, Push};
use crate::coupled::Coupled;
use crate::error::{BodyError, JointError, WorldError};
use crate::event::{Event, Happening, StateChange};
use crate::group::{FreeBody, Group, GroupId, Member, Struck, System, carried};
use crate::joint::JointRecord;
use crate::material::{MaterialId, Surface};
use crate::near::ordered;
use crate::overlap::Newcomer;
use crate::ties::Parting;
use crate::world::{
    World, checked_gravity, checked_surface, finite, place_in_world, potential_energy, unwatched,
};

/// How far from 1 the length of a quaternion may be: what text with six digits loses.
const UNIT_TOLERANCE: f64 = 1e-6;

impl World {
    /// Carries out a command, in this instant.
    pub(crate) fn execute(&mut self, command: Command) -> Result<(), WorldError> {
        match command {
            Command::Impulse(push) => self.strike(&push),
            Command::Add { body, reserved } => self.put(*body, reserved),
            Command::Remove(body) => self.take_away(body),
            Command::Carry { body, by } => self.carry(body, by),
            Command::Release(body) => self.release(body),
            Command::Gravity(gravity) => self.change_gravity(gravity),
            Command::Material { material, surface } => self.change_material(material, surface),
            Command::Exclude { bodies, excluded } => self.exclude_pair(bodies, excluded),
            Command::Join(joint) => self.make_joints(&[*joint]),
            Command::JoinAll(joints) => self.make_joints(&joints),
            Command::Part(joint) => self.part_joint(joint, Parting::Command),
            Command::Tie(element) => self.make_element(&element),
            Command::Untie(element) => self.drop_element(element),
            Command::Retie { element, law, ends } => self.change_element(element, &law, ends),
            Command::Drive { joint, torque } => self.drive_joint(joint, &torque),
            Command::Force { body, force, torque, point } => {
                self.hold(body, [force, torque], point)
            }
            Command::Target { controller, joint, freedom, target } => {
                self.aim(controller, joint, freedom, &target)
            }
            Command::Enable { controller, enabled } => self.switch(controller, enabled),
        }
    }

    fn strike(&mut self, push: &Push) -> Result<(), WorldError> {
        let record = self.record(push.body)?;
        let (reference, group_id) = (record.model.reference, record.group);
        let group = self.group(group_id);
        let Some(member) = group.member(push.body).filter(|_| group.is_free()).copied() else {
            return Err(self.passive(push.body));
        };
        finite("impulse", push.linear)?;
        finite("angular impulse", push.angular)?;
        let now = self.state.now;
        let before = group.state_of(&member, now);
        let point = place_in_world(push.point, &before, reference);
        finite("point of the impulse", point)?;
        let impulse = Impulse { point, linear: push.linear, angular: push.angular };
        let struck = group.struck(now, &[(member.link, impulse)]).map_err(unanswered)?;
        let after = carried(&struck.frame(member.link), &member.frame_from_body);
        for (what, vector) in [
            ("velocity after the impulse", after.velocity),
            ("angular velocity after the impulse", after.angular_velocity),
        ] {
            if !has_length(vector) {
                let (body, value) =
                    (self.record(push.body)?.model.name.clone(), vector.to_string());
                return Err(BodyError::State { body, what, value }.into());
            }
        }
        let driven = carried(&struck.driven_frame(member.link), &member.frame_from_body);
        let work = impulse.work(&before, &driven);
        self.restart(group_id, struck);
        self.state.ledger.work.add(work);
        self.tell(
            Happening::Impulse { impulse, work },
            Some(StateChange { body: push.body, before: Some(before), after: Some(after) }),
        );
        Ok(())
    }

    fn put(&mut self, body: Body, reserved: Option<BodyId>) -> Result<(), WorldError> {
        let id = match reserved {
            Some(id) if self.state.bodies.is_reserved(id) => id,
            Some(id) => return Err(WorldError::NoBody { body: id }),
            None => self.state.bodies.next_handle(),
        };
        let name = body.name.clone().unwrap_or_else(|| crate::error::slot_text(id));
        if self.scratch.names.contains_key(&name) {
            return Err(BodyError::NameTaken { body: name }.into());
        }
        let body = checked(body, &name)?;
        if let Some(material) = body.material
            && self.model.materials.get(material).is_none()
        {
            return Err(BodyError::NoMaterial { body: name, material }.into());
        }
        let model = Arc::new(BodyModel::of(&body, name.clone())?);
        if matches!(body.role, Role::Free) && model.mass.is_none() {
            return Err(BodyError::Unbounded { body: name }.into());
        }
        if let Role::Carried(carrier) = body.role {
            self.carrier_group(&name, carrier)?;
        }
        let bodies = &self.state.bodies;
        let known = |it: BodyId| bodies.get(it).is_some() || bodies.is_reserved(it) && it != id;
        if let Some(other) = body.except.iter().find(|it| !known(**it)) {
            return Err(WorldError::NoBody { body: *other });
        }
        self.refuse_overlapping_body(&body, &model, id)?;
        // Everything has been checked.
        for other in &body.except {
            let [a, b] = ordered(id, *other);
            self.state.excluded.insert((a, b));
        }
        if reserved.is_none() {
            self.state.bodies.reserve();
        }
        let frame_from_body =
            body.world_from_frame.then_from(&Pose::from_translation(model.reference));
        let own =
            Member { body: id, frame_from_body: Pose::from_translation(model.reference), link: 0 };
        let passive = |motion| Group {
            members: smallvec![own],
            carrier: id,
            system: System::Passive(motion),
            dirty: false,
        };
        match body.role {
            Role::Carried(carrier) => {
                let carrier_group = self.carrier_group(&name, carrier)?;
                let group_from_carrier = self.frame_from_body_frame(carrier_group, carrier);
                let member = Member {
                    body: id,
                    frame_from_body: group_from_carrier.then_from(&frame_from_body),
                    link: 0,
                };
                self.state.bodies.fill(id, unwatched(model, carrier_group, 0));
                self.admit(carrier_group, member);
            }
            Role::Fixed => self.found(model, passive(Motion::Fixed(body.world_from_frame))),
            Role::Scripted(law) => self.found(model, passive(Motion::Scripted(law))),
            Role::Free => {
                let state = BodyState {
                    position: frame_from_body.translation,
                    orientation: frame_from_body.rotation,
                    velocity: body.velocity,
                    angular_velocity: body.angular_velocity,
                };
                let Some(mass) = model.mass else {
                    return Err(BodyError::Unbounded { body: name }.into());
                };
                self.found(model, free_group(id, mass, state));
                self.book_energy_of(&mass, &state, 1.0);
            }
        }
        self.scratch.names.insert(name.clone(), id);
        let after = self.state(id);
        self.tell(Happening::Added { name }, Some(StateChange { body: id, before: None, after }));
        Ok(())
    }

    fn take_away(&mut self, body: BodyId) -> Result<(), WorldError> {
        let record = self.record(body)?;
        let (name, group_id) = (record.model.name.clone(), record.group);
        let group = self.group(group_id);
        if let Some((_, element)) =
            self.state.elements.iter().find(|(_, it)| it.bodies().any(|other| other == body))
        {
            return Err(WorldError::Tied { body: name, element: element.name.clone() });
        }
        // Fixed bodies carry joints, too.
        let is_end = |it: &JointRecord| it.child == body || it.parent == Some(body);
        if let Some((_, joint)) = self.state.joints.iter().find(|(_, it)| is_end(it)) {
            return Err(WorldError::Linked { body: name, joint: joint.name.clone() });
        }
        if group.carrier == body
            && let Some(rider) = group.members.iter().find(|member| member.body != body)
        {
            let rider = self.record(rider.body)?.model.name.clone();
            return Err(WorldError::Carries { body: name, rider });
        }
        self.leave_all(body)?;
        self.let_go(body)?;
        let group_id = self.record(body)?.group;
        let group = self.group(group_id);
        let before = self.state(body);
        if let (Some(mass), Some(state)) = (group.mass().copied(), before) {
            self.book_energy_of(&mass, &state, -1.0);
        }
        self.leave(group_id, body);
        self.state.bodies.remove(body);
        self.scratch.names.remove(&name);
        self.forget_pairs_of(body);
        self.tell(Happening::Removed { name }, Some(StateChange { body, before, after: None }));
        Ok(())
    }

    fn carry(&mut self, body: BodyId, by: BodyId) -> Result<(), WorldError> {
        let record = self.record(body)?;
        let (name, own) = (record.model.name.clone(), record.group);
        let carrier_group = self.carrier_group(&name, by)?;
        self.leave_all(body)?;
        let own = self.record(body).map_or(own, |it| it.group);
        if self.group(own).coupled().is_some_and(Coupled::is_alone) {
            self.let_go(body)?;
        }
        let Some(mass) = self.group(own).mass().copied() else {
            return Err(self.passive(body));
        };
        let now = self.state.now;
        let before = self.group(own).frame_at(now);
        let frame = self.group(carrier_group).frame_at(now);
        let frame_from_body = frame.pose().inverse().then_from(&before.pose());
        self.book_energy_of(&mass, &before, -1.0);
        self.leave(own, body);
        self.admit(carrier_group, Member { body, frame_from_body, link: 0 });
        let after = self.state(body);
        self.tell(
            Happening::Carried { by },
            Some(StateChange { body, before: Some(before), after }),
        );
        Ok(())
    }

    fn release(&mut self, body: BodyId) -> Result<(), WorldError> {
        let record = self.record(body)?;
        let (model, group_id) = (Arc::clone(&record.model), record.group);
        let group = self.group(group_id);
        let rides = !group.is_free() && group.carrier != body;
        let (Some(mass), true) = (model.mass, rides) else {
            return Err(WorldError::NotCarried { body: model.name.clone() });
        };
        let Some(member) = group.member(body) else { return Err(WorldError::NoBody { body }) };
        let state = group.state_of(member, self.state.now);
        let stand_in = Motion::Fixed(state.pose());
        let rigid = Rigid {
            motion: &stand_in,
            pieces: &model.pieces,
            frame_from_shape: model.body_from_shape(),
            size: model.size,
        };
        self.refuse_overlap(&Newcomer {
            rigid,
            model: &model,
            id: Some(body),
            except: &[],
            free: true,
        })?;
        self.leave(group_id, body);
        let id = self.state.groups.insert(free_group(body, mass, state));
        self.adopt(id);
        self.book_energy_of(&mass, &state, 1.0);
        let change = StateChange { body, before: Some(state), after: Some(state) };
        self.tell(Happening::Released, Some(change));
        Ok(())
    }

    fn change_gravity(&mut self, gravity: DVec3) -> Result<(), WorldError> {
        checked_gravity(gravity)?;
        let now = self.state.now;
        let old = self.model.gravity;
        let falling: Vec<GroupId> = self.free_groups().collect();
        for id in &falling {
            let group = self.group(*id);
            let energy = match &group.system {
                System::Passive(_) => continue,
                System::Free(body) => {
                    potential_energy(&body.mass, gravity - old, &group.frame_at(now))
                }
                System::Coupled(coupled) => coupled.weight_energy(now, gravity - old),
            };
            self.book(energy);
            self.restart_as_it_is(*id);
        }
        self.model.gravity = gravity;
        self.tell(Happening::Gravity { gravity }, None);
        Ok(())
    }

    fn change_material(
        &mut self,
        material: MaterialId,
        surface: Surface,
    ) -> Result<(), WorldError> {
        checked_surface(&self.material(material)?.name, &surface)?;
        if let Some(material) = self.model.materials.get_mut(material) {
            material.surface = surface;
        }
        self.tell(Happening::Material { material, surface }, None);
        Ok(())
    }
}

/// Pairs.
impl World {
    /// Refuses a body that would overlap another one.
    fn refuse_overlapping_body(
        &self,
        body: &Body,
        model: &BodyModel,
        id: BodyId,
    ) -> Result<(), WorldError> {
        let free = matches!(body.role, Role::Free);
        let frame_from_shape = model.body_from_shape();
        let reference = Pose::from_translation(model.reference);
        let world_from_body = body.world_from_frame.then_from(&reference);
        let (motion, frame_from_shape) = match &body.role {
            Role::Free => (Motion::Fixed(world_from_body), frame_from_shape),
            Role::Fixed => (Motion::Fixed(body.world_from_frame), Pose::IDENTITY),
            Role::Scripted(law) => (Motion::Scripted(law.clone()), Pose::IDENTITY),
            Role::Carried(carrier) => {
                let Some(record) = self.state.bodies.get(*carrier) else { return Ok(()) };
                let frame = self.group(record.group).frame_at(self.state.now).pose();
                let place = self.frame_from_body_frame(record.group, *carrier);
                let world_from_frame = frame.then_from(&place).then_from(&body.world_from_frame);
                (Motion::Fixed(world_from_frame), Pose::IDENTITY)
            }
        };
        let rigid =
            Rigid { motion: &motion, pieces: &model.pieces, frame_from_shape, size: model.size };
        self.refuse_overlap(&Newcomer { rigid, model, id: Some(id), except: &body.except, free })
    }

    fn exclude_pair(&mut self, bodies: [BodyId; 2], excluded: bool) -> Result<(), WorldError> {
        let [a, b] = ordered(bodies[0], bodies[1]);
        if a == b {
            return Err(WorldError::NoPair { body: a });
        }
        self.record(a)?;
        self.record(b)?;
        if excluded {
            if self.state.lasting.contains_key(&[a, b]) {
                self.leave_one([a, b])?;
            }
            self.state.excluded.insert((a, b));
            self.state.meetings.remove([a, b]);
        } else {
            self.refuse_pair_that_overlaps(a, b)?;
            self.state.excluded.remove(&(a, b));
        }
        // Their pairs are looked at anew, from now on.
        for body in [a, b] {
            let group = self.record(body)?.group;
            self.adopt(group);
        }
        Ok(())
    }
}

/// Membership.
impl World {
    /// A new body with a group of its own.
    fn found(&mut self, model: Arc<BodyModel>, group: Group) {
        let group_id = GroupId(group.members[0].body);
        self.state.bodies.fill(group_id.0, unwatched(model, group_id, 0));
        self.state.groups.insert(group);
        self.adopt(group_id);
    }

    /// Puts a body into a group; the group may change its name.
    fn admit(&mut self, id: GroupId, member: Member) {
        let Some(mut group) = self.state.groups.remove(id) else { return };
        let place = group.members.partition_point(|other| other.body < member.body);
        group.members.insert(place, member);
        let id = self.state.groups.insert(group);
        self.adopt(id);
    }

    /// Takes a body out of a group; the group may change its name or cease to be.
    fn leave(&mut self, id: GroupId, body: BodyId) {
        let Some(mut group) = self.state.groups.remove(id) else { return };
        group.members.retain(|member| member.body != body);
        if !group.members.is_empty() {
            let id = self.state.groups.insert(group);
            self.adopt(id);
        }
    }

    /// Tells the members of a group where they belong, and has everything predicted of them made anew.
    pub(crate) fn adopt(&mut self, id: GroupId) {
        let Some(group) = self.state.groups.get_mut(id) else { return };
        group.dirty = true;
        self.scratch.regrouped = true;
        for member in &group.members {
            if let Some(record) = self.state.bodies.get_mut(member.body) {
                record.group = id;
            }
        }
        self.scratch.dirty.push(id.0);
    }

    /// The motion of a free group is made anew from where it is.
    fn restart_as_it_is(&mut self, id: GroupId) {
        let now = self.state.now;
        let Some(group) = self.state.groups.get_mut(id) else { return };
        match &mut group.system {
            System::Passive(_) => {}
            System::Free(body) => {
                body.restart = Some(body.restart.unwrap_or_else(|| body.motion.state_at(now)));
            }
            System::Coupled(coupled) => coupled.cut(now),
        }
        self.mark_dirty(id);
    }

    /// The motion of a free group goes on from what impulses have made of it.
    pub(crate) fn restart(&mut self, id: GroupId, struck: Struck) {
        if let Some(group) = self.state.groups.get_mut(id) {
            group.take(struck);
            self.mark_dirty(id);
        }
    }

    /// Has everything that was predicted of a group made anew at the end of the instant.
    pub(crate) fn mark_dirty(&mut self, id: GroupId) {
        let Some(group) = self.state.groups.get_mut(id) else { return };
        if !group.dirty {
            group.dirty = true;
            self.scratch.dirty.push(id.0);
        }
    }

    fn free_groups(&self) -> impl Iterator<Item = GroupId> {
        self.state.groups.iter().filter(|(_, group)| group.is_free()).map(|(id, _)| id)
    }

    /// The group of a body on which others may ride.
    fn carrier_group(&self, rider: &str, carrier: BodyId) -> Result<GroupId, WorldError> {
        let refused =
            |reason| BodyError::Carrier { body: rider.to_owned(), carrier, reason }.into();
        let Some(record) = self.state.bodies.get(carrier) else {
            return Err(refused("it is not in this world"));
        };
        if self.group(record.group).is_free() {
            return Err(refused("it moves freely; carriers are fixed or scripted"));
        }
        Ok(record.group)
    }

    /// Placement of a member's body frame in the frame that its group's motion moves.
    fn frame_from_body_frame(&self, group: GroupId, body: BodyId) -> Pose {
        let (Some(member), Some(record)) =
            (self.group(group).member(body), self.state.bodies.get(body))
        else {
            return Pose::IDENTITY;
        };
        member.frame_from_body.then_from(&record.model.body_from_shape())
    }
}

/// Bookkeeping.
impl World {
    pub(crate) fn record(&self, body: BodyId) -> Result<&BodyRecord, WorldError> {
        self.state.bodies.get(body).ok_or(WorldError::NoBody { body })
    }

    /// A group that a body record names.
    pub(crate) fn group(&self, id: GroupId) -> &Group {
        self.state.groups.get(id).expect("every body's group is stored")
    }

    /// Adds or takes away the mechanical energy of a body.
    fn book_energy_of(&mut self, mass: &Mass, state: &BodyState, sign: f64) {
        self.book(sign * mass.kinetic_energy(state));
        self.book(sign * potential_energy(mass, self.model.gravity, state));
    }

    /// Energy that comes from outside: before the world begins, its initial energy; later, work.
    pub(crate) fn book(&mut self, energy: f64) {
        let ledger = &mut self.state.ledger;
        let line = if self.state.begun { &mut ledger.work } else { &mut ledger.initial };
        line.add(energy);
    }

    pub(crate) fn tell(&mut self, what: Happening, change: Option<StateChange>) {
        self.scratch.events.push(Event { time: self.state.now, what, change });
    }

    pub(crate) fn passive(&self, body: BodyId) -> WorldError {
        match self.body(body) {
            Some(it) => WorldError::Passive { body: it.name().to_owned(), role: it.role() },
            None => WorldError::NoBody { body },
        }
    }
}

pub(crate) fn free_group(body: BodyId, mass: Mass, state: BodyState) -> Group {
    // Stands in until the end of the instant, when the motion is made from `restart`.
    let motion = Motion::Fixed(state.pose());
    Group {
        members: smallvec![Member { body, frame_from_body: Pose::IDENTITY, link: 0 }],
        carrier: body,
        system: System::Free(FreeBody { mass, motion, restart: Some(state) }),
        dirty: false,
    }
}

/// A linkage that does not answer an impulse.
fn unanswered(fault: String) -> WorldError {
    JointError::Linkage { joint: String::new(), fault }.into()
}

/// True when neither the vector nor its square leaves the range of numbers: boxes and energies need both.
fn has_length(vector: DVec3) -> bool {
    vector.length_squared().is_finite()
}

/// Refuses states that are none, and makes the quaternion unit to rounding.
fn checked(mut body: Body, name: &str) -> Result<Body, WorldError> {
    let refuse = |what, value: String| {
        Err(WorldError::from(BodyError::State { body: name.to_owned(), what, value }))
    };
    let pose = body.world_from_frame;
    if !has_length(pose.translation) {
        return refuse("position", pose.translation.to_string());
    }
    if !pose.is_valid(UNIT_TOLERANCE) {
        return refuse("quaternion (its length must be 1)", pose.rotation.to_string());
    }
    if !has_length(body.surface_velocity) {
        return refuse("surface velocity", body.surface_velocity.to_string());
    }
    for (what, vector) in [("velocity", body.velocity), ("angular velocity", body.angular_velocity)]
    {
        if !has_length(vector) {
            return refuse(what, vector.to_string());
        }
        if vector != DVec3::ZERO && !matches!(body.role, Role::Free) {
            return Err(BodyError::VelocityOfPassive { body: name.to_owned() }.into());
        }
    }
    let length = pose.rotation.length();
    if (length - 1.0).abs() > f64::EPSILON {
        body.world_from_frame.rotation = pose.rotation / length;
    }
    Ok(body)
}
