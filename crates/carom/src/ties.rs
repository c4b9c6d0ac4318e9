//! Joints and force elements that come, change and go, by command.
//!
//! A command is checked in full before it changes anything; then the bodies that it concerns are put together anew
//! (`assemble.rs`), and the energy that comes or goes with it is booked.

use carom_dynamics::linkage::elements::ElementLaw;
use carom_geometry::Pose;

use crate::arena::{Arena, Handle as _};
use crate::assemble::{Before, JointBefore, Ties};
use crate::body::BodyId;
use crate::carriers::Carriers;
use crate::element::{Element, ElementId, ElementRecord, Hold};
use crate::error::{ElementError, JointError, WorldError};
use crate::event::{Happening, StateChange};
use crate::group::Group;
use crate::joint::{Joint, JointId, JointRecord};
use crate::near::ordered;
use crate::transitions::Break;
use crate::world::World;

/// How a joint goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parting {
    /// Somebody wants it.
    Command,
    /// It carried too much.
    Break(Break),
}

impl World {
    /// Makes joints, all at once or none.
    pub(crate) fn make_joints(&mut self, wishes: &[Joint]) -> Result<(), WorldError> {
        // New joints are tried on a copy of those that there are: what is refused leaves no trace.
        let mut joints = self.state.joints.clone();
        let mut carriers = Carriers::of(&joints);
        let mut before = Before::default();
        let mut made: Vec<(String, JointId)> = Vec::with_capacity(wishes.len());
        for joint in wishes {
            let id = joints.next_handle();
            let name = joint.name.clone().unwrap_or_else(|| format!("joint {}", id.index()));
            let record = self.checked_joint(joint, &name, &mut carriers)?;
            self.look_before_regrouping(&mut before, joint.child, joint.parent);
            let start = record.configuration(&joint.start);
            let rates = joint.velocity.clone().unwrap_or_else(|| vec![0.0; record.joint.n_v()]);
            let still = vec![0.0; record.joint.n_v()];
            let (q, v, torque) = (start, rates, still);
            before.joints.insert(id, JointBefore { q, v, torque, grips: None });
            joints.insert(record);
            made.push((name, id));
        }
        let keeps_momentum = wishes.iter().all(|joint| joint.velocity.is_none());
        let ties = Ties { joints, elements: self.state.elements.clone() };
        let gained = self.retie(ties, &before, keeps_momentum)?;
        for joint in wishes.iter().filter(|joint| !joint.collides) {
            let Some(parent) = joint.parent else { continue };
            let [a, b] = ordered(parent, joint.child);
            self.state.excluded.insert((a, b));
            self.state.meetings.remove([a, b]);
        }
        // A spring comes with its energy, and stated rates take what they need.
        self.book(gained.potential);
        if keeps_momentum {
            self.state.ledger.restitution_loss.add(-gained.kinetic);
        } else {
            self.book(gained.kinetic);
        }
        for ((name, id), joint) in made.into_iter().zip(wishes) {
            self.scratch.joint_names.insert(name.clone(), id);
            let what = Happening::Joined { name, parent: joint.parent };
            self.tell_of_tie(joint.child, &before, what);
        }
        Ok(())
    }

    pub(crate) fn part_joint(&mut self, id: JointId, how: Parting) -> Result<(), WorldError> {
        let Some(record) = self.state.joints.get(id) else {
            return Err(WorldError::NoJoint { joint: id });
        };
        let (name, parent, child) = (record.name.clone(), record.parent, record.child);
        let mut before = Before::default();
        self.look_before_regrouping(&mut before, child, parent);
        let mut joints = self.state.joints.clone();
        joints.remove(id);
        let ties = Ties { joints, elements: self.state.elements.clone() };
        let gained = self.retie(ties, &before, true)?;
        // Springs and spinning drives go with the joint.
        let what = match how {
            Parting::Command => {
                self.book(gained.kinetic);
                self.book(gained.potential);
                Happening::Unjoined { name: name.clone(), parent }
            }
            Parting::Break(Break { overload, load, .. }) => {
                self.state.ledger.restitution_loss.add(-gained.kinetic);
                self.state.ledger.restitution_loss.add(-gained.potential);
                Happening::Broken { name: name.clone(), parent, overload, load }
            }
        };
        self.scratch.joint_names.remove(&name);
        self.tell_of_tie(child, &before, what);
        Ok(())
    }

    fn tell_of_tie(&mut self, body: BodyId, before: &Before, what: Happening) {
        let after = self.state(body);
        let before = before.bodies.get(&body).copied();
        self.tell(what, Some(StateChange { body, before, after }));
    }

    /// Sets the forces of the motors of a joint.
    pub(crate) fn drive_joint(&mut self, id: JointId, torque: &[f64]) -> Result<(), WorldError> {
        let Some(record) = self.state.joints.get(id) else {
            return Err(WorldError::NoJoint { joint: id });
        };
        let is_good = torque.len() == record.joint.n_v() && torque.iter().all(|it| it.is_finite());
        if !is_good {
            let (joint, value) = (record.name.clone(), format!("{torque:?}"));
            return Err(JointError::Value { joint, what: "torque", value }.into());
        }
        let now = self.state.now;
        let group_id = self.record(record.child)?.group;
        let Some(coupled) = self.state.groups.get_mut(group_id).and_then(Group::coupled_mut) else {
            return Err(WorldError::NoJoint { joint: id });
        };
        let Some(link) = coupled.link_of(id) else {
            return Err(WorldError::NoJoint { joint: id });
        };
        let freedoms = coupled.linkage().tree().v_range(link);
        if coupled.torque()[freedoms.clone()] != *torque {
            coupled.drive(now, freedoms, torque);
            self.mark_dirty(group_id);
        }
        Ok(())
    }

    pub(crate) fn make_element(&mut self, element: &Element) -> Result<(), WorldError> {
        let id = self.state.elements.next_handle();
        let name = element.name.clone().unwrap_or_else(|| format!("element {}", id.index()));
        if self.state.elements.iter().any(|(_, it)| it.name == name) {
            return Err(ElementError::NameTaken { element: name }.into());
        }
        let record = self.checked_element(&element.law, element.ends, name)?;
        let mut elements = self.state.elements.clone();
        elements.insert(record.clone());
        let before = self.retie_elements(elements, record.bodies())?;
        self.tell_of_element(&record, &before, |name| Happening::Tied { name });
        Ok(())
    }

    /// Takes an element away.
    pub(crate) fn drop_element(&mut self, id: ElementId) -> Result<(), WorldError> {
        let mut elements = self.state.elements.clone();
        let Some(record) = elements.remove(id) else {
            return Err(WorldError::NoElement { element: id });
        };
        let before = self.retie_elements(elements, record.bodies())?;
        self.tell_of_element(&record, &before, |name| Happening::Untied { name });
        Ok(())
    }

    /// Tells each of the bodies on which an element acts.
    fn tell_of_element(
        &mut self,
        record: &ElementRecord,
        before: &Before,
        what: impl Fn(String) -> Happening,
    ) {
        for body in record.bodies() {
            self.tell_of_tie(body, before, what(record.name.clone()));
        }
    }

    /// Lets an element do something else, or take hold elsewhere.
    pub(crate) fn change_element(
        &mut self,
        id: ElementId,
        law: &ElementLaw,
        ends: [Hold; 2],
    ) -> Result<(), WorldError> {
        let mut elements = self.state.elements.clone();
        let Some(record) = elements.get_mut(id) else {
            return Err(WorldError::NoElement { element: id });
        };
        let new = self.checked_element(law, ends, record.name.clone())?;
        let bodies: Vec<BodyId> = record.bodies().chain(new.bodies()).collect();
        *record = new;
        self.retie_elements(elements, bodies.into_iter())?;
        Ok(())
    }

    /// Elements come and go with the energy that is in them.
    fn retie_elements(
        &mut self,
        elements: Arena<ElementId, ElementRecord>,
        bodies: impl Iterator<Item = BodyId>,
    ) -> Result<Before, WorldError> {
        let before = self.before_regrouping(bodies);
        let ties = Ties { joints: self.state.joints.clone(), elements };
        let gained = self.retie(ties, &before, true)?;
        self.book(gained.kinetic);
        self.book(gained.potential);
        Ok(before)
    }

    /// The element as it would be kept, or why it cannot be.
    fn checked_element(
        &self,
        law: &ElementLaw,
        mut ends: [Hold; 2],
        name: String,
    ) -> Result<ElementRecord, WorldError> {
        for end in &mut ends {
            let Some(body) = end.body else { continue };
            let record = self.record(body)?;
            let group = self.group(record.group);
            if group.is_free() {
                continue;
            }
            if !group.is_fixed() {
                let (element, body) = (name, record.model.name.clone());
                return Err(ElementError::Driven { element, body }.into());
            }
            let world_from_frame = self.placement(body)?.then_from(&record.model.body_from_shape());
            *end = Hold { body: None, frame: world_from_frame.then_from(&end.frame) };
        }
        if ends.iter().all(|end| end.body.is_none()) {
            return Err(ElementError::Nobody { element: name }.into());
        }
        Ok(ElementRecord { name, law: law.clone(), ends })
    }

    /// Puts one body that no joint holds together anew: a floating link under a force, or a free body without one.
    pub(crate) fn regroup_alone(&mut self, body: BodyId) -> Result<(), WorldError> {
        let before = self.before_regrouping([body]);
        let (joints, elements) = (self.state.joints.clone(), self.state.elements.clone());
        let gained = self.retie(Ties { joints, elements }, &before, false)?;
        // The state is the same; its energy, but for rounding.
        self.book(gained.kinetic);
        self.book(gained.potential);
        Ok(())
    }

    /// The joint as it would be kept, or why it cannot be; noted among those that carry bodies.
    fn checked_joint(
        &self,
        joint: &Joint,
        name: &str,
        carriers: &mut Carriers,
    ) -> Result<JointRecord, WorldError> {
        if !carriers.names.insert(name.to_owned()) {
            return Err(JointError::NameTaken { joint: name.to_owned() }.into());
        }
        let child = self.record(joint.child)?;
        let role = |body: BodyId, wanted| {
            let it = self.body(body);
            WorldError::from(JointError::Role {
                joint: name.to_owned(),
                body: it.map_or_else(String::new, |it| it.name().to_owned()),
                role: it.map_or("gone", |it| it.role()),
                wanted,
            })
        };
        let child_group = self.group(child.group);
        // Links without mass stand still until a joint carries them; then nobody else may ride on them.
        let waits = child.model.is_massless() && child_group.members.len() == 1;
        if !(child_group.is_free() || waits) {
            return Err(role(joint.child, "free, because a joint moves its child"));
        }
        if let Some((other, _)) = carriers.of_child.get(&joint.child) {
            let (body, other) = (child.model.name.clone(), other.clone());
            return Err(JointError::Taken { joint: name.to_owned(), body, other }.into());
        }
        let mut world_from_parent = Pose::IDENTITY;
        if let Some(parent) = joint.parent {
            let record = self.record(parent)?;
            let group = self.group(record.group);
            if !(group.is_free() || group.is_fixed()) {
                return Err(role(parent, "free, linked or fixed"));
            }
            if carriers.hangs_on(parent, joint.child) {
                return Err(JointError::Loop {
                    joint: name.to_owned(),
                    parent: record.model.name.clone(),
                    child: child.model.name.clone(),
                }
                .into());
            }
            world_from_parent = self.placement(parent)?;
        }
        if let Some(rates) = &joint.velocity
            && (rates.len() != joint.kind.freedoms() || rates.iter().any(|it| !it.is_finite()))
        {
            let value = format!("{rates:?}");
            let joint = name.to_owned();
            return Err(JointError::Value { joint, what: "velocity", value }.into());
        }
        carriers.of_child.insert(joint.child, (name.to_owned(), joint.parent));
        let world_from_child = self.placement(joint.child)?;
        JointRecord::of(joint, name.to_owned(), &world_from_parent, &world_from_child)
    }

    /// Where a body's axes and reference point are now.
    fn placement(&self, body: BodyId) -> Result<Pose, WorldError> {
        let record = self.record(body)?;
        let group = self.group(record.group);
        let member = group.member(body).ok_or(WorldError::NoBody { body })?;
        Ok(group.state_of(member, self.state.now).pose())
    }
}
