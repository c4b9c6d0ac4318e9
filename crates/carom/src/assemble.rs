//! Joining and parting: from bodies and joints to linkages.
//!
//! Groups of free bodies are the connected components of the graph of joints, in which fixed bodies and the world are leaves and
//! connect nothing. A body on which a force is held counts as held, too: alone, it is a linkage of one floating link. A joint that comes or goes takes the groups it touches apart and puts their bodies together anew
//! ([`World::regroup`]): a body that no joint holds is a group of its own, all others are links of one tree for each component.
//! What a linkage is depends only on its bodies and joints, never on the order of events that led to them: roots and children
//! come in the order of their ids.
//!
//! **Velocities.** A new joint that states its rates has them. Otherwise bodies keep of their velocities what the joint
//! allows: joints give impulses p to their bodies' momenta M·u that do no work on the velocities J·v left, so
//!
//! ```text
//! H·v = Jᵀ·M·u,    H = Jᵀ·M·J                                                                       (1)
//! ```
//!
//! which is the answer of the linkage at rest to all momenta as impulses. ½u·M·u − ½v·H·v ≥ 0 is lost as in any collision without
//! rebound; where the velocities agree with the joint nothing is, but for rounding.

use std::collections::BTreeMap;

use carom_dynamics::linkage::elements::ElementLaw;
use carom_dynamics::linkage::{JointForce, Linkage, Workspace};
use carom_dynamics::tree::{self, LinkImpulse, LinkSpec, SingularJoint, Tree};
use carom_dynamics::{BodyState, Impulse, Mass, Motion};
use carom_geometry::Pose;
use glam::DVec3;
use smallvec::smallvec;

use crate::arena::{Arena, Handle as _};
use crate::body::{BodyId, BodyRecord};
use crate::carriers::Carriers;
use crate::commands::free_group;
use crate::coupled::{self, Coupled, Link};
use crate::element::{Element, ElementId, ElementRecord, Hold};
use crate::error::{ElementError, JointError, WorldError};
use crate::event::{Happening, StateChange};
use crate::group::{Group, GroupId, Member, System};
use crate::joint::{Joint, JointId, JointRecord, mass_in_link};
use crate::near::ordered;
use crate::world::World;

/// A linkage as bodies and joints determine it.
pub(crate) struct Plan {
    pub(crate) linkage: Linkage,
    pub(crate) links: Vec<Link>,
    pub(crate) members: Vec<Member>,
}

/// What holds bodies together.
struct Ties {
    joints: Arena<JointId, JointRecord>,
    elements: Arena<ElementId, ElementRecord>,
}

/// Configuration and velocity.
type Start = [Vec<f64>; 2];

/// What is known of a set of bodies before they are put together anew.
#[derive(Default)]
struct Before {
    bodies: BTreeMap<BodyId, BodyState>,
    /// q, v and motor forces of joints.
    joints: BTreeMap<JointId, [Vec<f64>; 3]>,
}

/// Commands.
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
            before.joints.insert(id, [start, rates, still]);
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
            self.tell_of_tie(joint.child, &before, Happening::Joined { name });
        }
        Ok(())
    }

    pub(crate) fn part_joint(&mut self, id: JointId) -> Result<(), WorldError> {
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
        self.book(gained.kinetic);
        self.book(gained.potential);
        self.scratch.joint_names.remove(&name);
        self.tell_of_tie(child, &before, Happening::Unjoined { name });
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
        self.retie_elements(elements, record.bodies())
    }

    /// Takes an element away.
    pub(crate) fn drop_element(&mut self, id: ElementId) -> Result<(), WorldError> {
        let mut elements = self.state.elements.clone();
        let Some(record) = elements.remove(id) else {
            return Err(WorldError::NoElement { element: id });
        };
        self.retie_elements(elements, record.bodies())
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
        self.retie_elements(elements, bodies.into_iter())
    }

    /// Elements come and go with the energy that is in them.
    fn retie_elements(
        &mut self,
        elements: Arena<ElementId, ElementRecord>,
        bodies: impl Iterator<Item = BodyId>,
    ) -> Result<(), WorldError> {
        let before = self.before_regrouping(bodies);
        let ties = Ties { joints: self.state.joints.clone(), elements };
        let gained = self.retie(ties, &before, true)?;
        self.book(gained.kinetic);
        self.book(gained.potential);
        Ok(())
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

/// Regrouping.
impl World {
    /// All free bodies that move together with one of these, with what moves them.
    fn before_regrouping(&self, bodies: impl IntoIterator<Item = BodyId>) -> Before {
        let mut before = Before::default();
        for body in bodies {
            let Some(record) = self.state.bodies.get(body) else { continue };
            let group = self.group(record.group);
            if group.is_free() && !before.bodies.contains_key(&body) {
                self.look_at_group(&mut before, group);
            }
        }
        before
    }

    /// Notes all bodies that a joint of these two concerns, with what moves them.
    fn look_before_regrouping(&self, before: &mut Before, child: BodyId, parent: Option<BodyId>) {
        let mut concerned = vec![child];
        concerned.extend(parent);
        // On a link without mass that no joint has carried yet others may hang, as on any fixed body.
        if self.stands_without_mass(child) {
            let hanging = self.state.joints.iter().filter(|(_, it)| it.parent == Some(child));
            concerned.extend(hanging.map(|(_, it)| it.child));
        }
        for body in concerned {
            let Some(record) = self.state.bodies.get(body) else { continue };
            let group = self.group(record.group);
            let joins = group.is_free() || body == child && self.stands_without_mass(child);
            if !joins || before.bodies.contains_key(&body) {
                continue;
            }
            self.look_at_group(before, group);
        }
    }

    fn look_at_group(&self, before: &mut Before, group: &Group) {
        let now = self.state.now;
        for member in &group.members {
            before.bodies.insert(member.body, group.state_of(member, now));
        }
        let Some(coupled) = group.coupled() else { return };
        let (q, v) = coupled.joint_state(now);
        let tree = coupled.linkage().tree();
        for (link, it) in coupled.links().iter().enumerate() {
            let Some(joint) = it.joint else { continue };
            let (at_q, at_v) = (tree.q_range(link), tree.v_range(link));
            let torque = coupled.torque()[at_v.clone()].to_vec();
            before.joints.insert(joint, [q[at_q].to_vec(), v[at_v].to_vec(), torque]);
        }
    }

    /// True of a link without mass that no joint carries.
    fn stands_without_mass(&self, body: BodyId) -> bool {
        let record = self.state.bodies.get(body);
        record.is_some_and(|it| it.model.is_massless() && self.group(it.group).is_fixed())
    }

    /// Puts bodies together anew under other ties. What is refused leaves no trace. The energies that they gain by it are
    /// returned, for whoever knows where they come from.
    fn retie(
        &mut self,
        ties: Ties,
        before: &Before,
        keeps_momentum: bool,
    ) -> Result<coupled::Energies, WorldError> {
        let touched: Vec<BodyId> = before.bodies.keys().copied().collect();
        let plans = self.plans(&touched, &ties)?;
        let linkages = self.started(plans, &ties.joints, before, keeps_momentum)?;
        // Everything has been checked.
        self.close_courses(&touched);
        let had = self.energies_now(&touched);
        (self.state.joints, self.state.elements) = (ties.joints, ties.elements);
        self.regroup(&touched, linkages, before);
        let has = self.energies_now(&touched);
        Ok(coupled::Energies {
            kinetic: has.kinetic - had.kinetic,
            potential: has.potential - had.potential,
        })
    }

    /// The linkages that bodies form with these ties; bodies that none holds are in none.
    fn plans(&self, bodies: &[BodyId], ties: &Ties) -> Result<Vec<Plan>, WorldError> {
        let graph = Graph::of(&ties.joints, &ties.elements);
        // Links without mass stand still where no joint carries them.
        let stands = |body: BodyId| {
            let record = self.state.bodies.get(body);
            record.is_some_and(|it| it.model.is_massless()) && graph.joint_of(body).is_none()
        };
        let fixed = |body: BodyId| {
            let group = self.state.groups.get(self.state.bodies.get(body)?.group)?;
            let place = || Some(group.state_of(group.member(body)?, self.state.now).pose());
            if group.is_fixed() || stands(body) { place() } else { None }
        };
        let moving: Vec<BodyId> = bodies.iter().copied().filter(|body| !stands(*body)).collect();
        let mut plans = Vec::new();
        for component in graph.components(&moving) {
            let held = |body: &BodyId| graph.is_held(*body) || self.state.forces.contains_key(body);
            if component.iter().any(held) {
                let (bodies, tolerance) = (&self.state.bodies, self.model.tolerance);
                plans.push(plan(&component, &graph, bodies, fixed, tolerance)?);
            }
        }
        Ok(plans)
    }

    /// Linkages with the configurations and velocities from which they start.
    fn started(
        &self,
        plans: Vec<Plan>,
        joints: &Arena<JointId, JointRecord>,
        before: &Before,
        keeps_momentum: bool,
    ) -> Result<Vec<(Plan, Start)>, WorldError> {
        let start = |plan: Plan| match start_of(&plan, before, &self.state.bodies, keeps_momentum) {
            Ok(start) => Ok((plan, start)),
            Err(fault) => {
                let joint = plan.links.get(fault.link).and_then(|link| joints.get(link.joint?));
                let joint = joint.map_or_else(String::new, |it| it.name.clone());
                Err(JointError::Linkage { joint, fault: fault.to_string() }.into())
            }
        };
        plans.into_iter().map(start).collect()
    }

    /// Puts bodies together anew; those of no linkage are free, or stand where they are without mass.
    fn regroup(&mut self, bodies: &[BodyId], linkages: Vec<(Plan, Start)>, before: &Before) {
        for id in self.groups_of(bodies) {
            self.state.groups.remove(id);
        }
        let mut linked: Vec<BodyId> = Vec::new();
        for (Plan { linkage, links, members }, [q, v]) in linkages {
            linked.extend(links.iter().map(|link| link.body));
            let mut coupled = Coupled::new(linkage, links, q, v);
            coupled.take_torques(|joint| before.joints.get(&joint).map(|it| &it[2][..]));
            coupled.take_wrenches(&self.state.forces);
            let carrier = members[0].body;
            let system = System::Coupled(Box::new(coupled));
            let group = Group { members: members.into(), carrier, system, dirty: false };
            let id = self.state.groups.insert(group);
            self.adopt(id);
        }
        linked.sort_unstable();
        for body in bodies.iter().filter(|body| linked.binary_search(body).is_err()) {
            let (Some(state), Some(mass)) = (before.bodies.get(body), self.mass_of(*body)) else {
                continue;
            };
            let group = if mass == Mass::NONE {
                standing_group(*body, state.pose())
            } else {
                free_group(*body, mass, *state)
            };
            let id = self.state.groups.insert(group);
            self.adopt(id);
        }
    }

    fn mass_of(&self, body: BodyId) -> Option<Mass> {
        self.state.bodies.get(body).and_then(|record| record.model.mass)
    }

    /// Groups of these bodies, each once.
    fn groups_of(&self, bodies: &[BodyId]) -> Vec<GroupId> {
        let group = |body: &BodyId| self.state.bodies.get(*body).map(|it| it.group);
        let mut groups: Vec<GroupId> = bodies.iter().filter_map(group).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Books what the courses of these bodies have done; they end here.
    fn close_courses(&mut self, bodies: &[BodyId]) {
        for id in self.groups_of(bodies) {
            let flow = self.group(id).coupled().map(|it| it.flow(self.state.now));
            self.book_flow(&flow.unwrap_or_default());
        }
    }

    /// Energies of the groups of these bodies now `[J]`.
    fn energies_now(&self, bodies: &[BodyId]) -> coupled::Energies {
        let mut sum = coupled::Energies::default();
        for id in self.groups_of(bodies) {
            let own = self.energies_of(self.group(id), self.state.now);
            sum.kinetic += own.kinetic;
            sum.potential += own.potential;
        }
        sum
    }

    /// Energies of a group at a time `[J]`.
    pub(crate) fn energies_of(&self, group: &Group, time: f64) -> coupled::Energies {
        match &group.system {
            System::Passive(_) => coupled::Energies::default(),
            System::Free(body) => {
                let state = group.frame_at(time);
                coupled::Energies {
                    kinetic: body.mass.kinetic_energy(&state),
                    potential: crate::world::potential_energy(
                        &body.mass,
                        self.model.gravity,
                        &state,
                    ),
                }
            }
            System::Coupled(coupled) => coupled.energies(time, self.model.gravity),
        }
    }

    pub(crate) fn book_flow(&mut self, flow: &coupled::Flow) {
        self.state.ledger.add(flow);
    }
}

/// A link without mass where no joint carries it.
fn standing_group(body: BodyId, world_from_body: Pose) -> Group {
    let member = Member { body, frame_from_body: Pose::IDENTITY, link: 0 };
    let system = System::Passive(Motion::Fixed(world_from_body));
    Group { members: smallvec![member], carrier: body, system, dirty: false }
}

/// Who hangs on whom.
pub(crate) struct Graph<'a> {
    joints: &'a Arena<JointId, JointRecord>,
    elements: &'a Arena<ElementId, ElementRecord>,
    carried_by: BTreeMap<BodyId, JointId>,
    /// In the order of the joints.
    children: BTreeMap<BodyId, Vec<BodyId>>,
}

impl<'a> Graph<'a> {
    pub(crate) fn of(
        joints: &'a Arena<JointId, JointRecord>,
        elements: &'a Arena<ElementId, ElementRecord>,
    ) -> Self {
        let (mut carried_by, mut children) = (BTreeMap::new(), BTreeMap::<_, Vec<_>>::new());
        for (id, joint) in joints.iter() {
            carried_by.insert(joint.child, id);
            if let Some(parent) = joint.parent {
                children.entry(parent).or_default().push(joint.child);
            }
        }
        Self { joints, elements, carried_by, children }
    }

    fn joint_of(&self, body: BodyId) -> Option<&JointRecord> {
        self.carried_by.get(&body).and_then(|id| self.joints.get(*id))
    }

    /// The body that carries another, if it is one of `bodies`; others are fixed and connect nothing.
    fn parent_among(&self, bodies: &[BodyId], body: BodyId) -> Option<BodyId> {
        let parent = self.joint_of(body)?.parent?;
        bodies.binary_search(&parent).is_ok().then_some(parent)
    }

    fn is_held(&self, body: BodyId) -> bool {
        let joined = self.carried_by.contains_key(&body) || self.children.contains_key(&body);
        joined || self.elements.iter().any(|(_, it)| it.bodies().any(|other| other == body))
    }

    /// The body at the root of the tree that a body belongs to.
    fn root_among(&self, bodies: &[BodyId], body: BodyId) -> BodyId {
        let mut root = body;
        while let Some(parent) = self.parent_among(bodies, root) {
            root = parent;
        }
        root
    }

    /// Sets of bodies that move together, each in order, in the order of their smallest bodies: trees, and trees that elements
    /// join.
    fn components(&self, bodies: &[BodyId]) -> Vec<Vec<BodyId>> {
        let mut of_root: BTreeMap<BodyId, Vec<BodyId>> = BTreeMap::new();
        for body in bodies {
            of_root.entry(self.root_among(bodies, *body)).or_default().push(*body);
        }
        let mut components: Vec<Vec<BodyId>> = of_root.into_values().collect();
        for (_, element) in self.elements.iter() {
            let place = |body| components.iter().position(|it| it.contains(&body));
            let mut places = element.bodies().filter_map(place);
            if let (Some(a), Some(b)) = (places.next(), places.next())
                && a != b
            {
                let joined = components.swap_remove(a.max(b));
                components[a.min(b)].extend(joined);
            }
        }
        for component in &mut components {
            component.sort_unstable();
        }
        components.sort_unstable_by_key(|component| component[0]);
        components
    }

    /// The bodies of a component with the joints that carry them, parents before children.
    fn outward(&self, component: &[BodyId]) -> Vec<(BodyId, Option<JointId>)> {
        let is_root = |body: &BodyId| self.parent_among(component, *body).is_none();
        let mut waiting: Vec<BodyId> = component.iter().copied().filter(is_root).collect();
        waiting.reverse();
        let mut found = Vec::with_capacity(component.len());
        while let Some(body) = waiting.pop() {
            found.push((body, self.carried_by.get(&body).copied()));
            // The last that waits is visited next.
            waiting.extend(self.children.get(&body).into_iter().flatten().rev());
        }
        found
    }
}

/// The linkage of one component. `fixed` says where a fixed body stands.
pub(crate) fn plan(
    component: &[BodyId],
    graph: &Graph<'_>,
    bodies: &Arena<BodyId, BodyRecord>,
    fixed: impl Fn(BodyId) -> Option<Pose>,
    tolerance: f64,
) -> Result<Plan, WorldError> {
    let joints = graph.joints;
    let mut builder = Tree::builder();
    let mut number: BTreeMap<BodyId, (usize, Pose)> = BTreeMap::new();
    let (mut links, mut members): (Vec<Link>, Vec<Member>) = (Vec::new(), Vec::new());
    let mut forces: Vec<JointForce> = Vec::new();
    let mut carried: Vec<Carried> = Vec::new();
    for (body, joint) in graph.outward(component) {
        let record = joint.and_then(|id| joints.get(id));
        let link_from_body = record.map_or(Pose::IDENTITY, |it| it.link_from_body);
        let Some(mass) = bodies.get(body).and_then(|it| it.model.mass) else {
            return Err(WorldError::NoBody { body });
        };
        let parent = record.and_then(|it| number.get(&it.parent?)).copied();
        let parent_from_joint = match (record, &parent) {
            (None, _) => Pose::IDENTITY,
            (Some(it), Some((_, link_from_parent))) => {
                link_from_parent.then_from(&it.parent_from_joint)
            }
            (Some(it), None) => {
                let stands = it.parent.and_then(&fixed).unwrap_or(Pose::IDENTITY);
                stands.then_from(&it.parent_from_joint)
            }
        };
        let joint_kind = record.map_or(tree::Joint::Free, |it| it.joint);
        let link = builder.add(LinkSpec {
            parent: parent.map(|(link, _)| link),
            parent_from_joint,
            joint: joint_kind,
            body: mass_in_link(&mass, &link_from_body),
        });
        carried.push(Carried {
            parent: parent.map(|(link, _)| link),
            mass: mass.mass,
            moves: joint_kind.n_v() > 0,
        });
        number.insert(body, (link, link_from_body));
        links.push(Link { body, joint });
        let frame_from_body = Pose::new(DVec3::ZERO, link_from_body.rotation);
        members.push(Member { body, frame_from_body, link: link as u32 });
        match record {
            Some(it) => forces.extend_from_slice(&it.forces),
            None => forces.extend([JointForce::default(); 6]),
        }
    }
    if let Some(link) = weightless(&carried) {
        let joint = links[link].joint.and_then(|joint| joints.get(joint));
        let joint = joint.map_or_else(String::new, |it| it.name.clone());
        let body = bodies.get(links[link].body).map_or("", |it| &it.model.name).to_owned();
        return Err(JointError::Massless { joint, body }.into());
    }
    let name = || {
        let joint = links.iter().find_map(|link| joints.get(link.joint?));
        joint.map_or_else(String::new, |it| it.name.clone())
    };
    let refuse = |fault: String| WorldError::from(JointError::Linkage { joint: name(), fault });
    let tree = builder.build().map_err(|fault| refuse(fault.to_string()))?;
    let mut linkage =
        Linkage::new(tree, forces, tolerance).map_err(|fault| refuse(fault.to_string()))?;
    let place = |body: BodyId| {
        let (link, link_from_body) = number.get(&body)?;
        Some((*link, link_from_body.then_from(&bodies.get(body)?.model.body_from_shape())))
    };
    let is_own = |it: &&ElementRecord| it.bodies().any(|body| number.contains_key(&body));
    let elements: Vec<_> = (graph.elements.iter().map(|(_, it)| it).filter(is_own))
        .map(|it| it.in_linkage(place))
        .collect();
    if !elements.is_empty() {
        linkage = linkage.with_elements(elements).map_err(|fault| refuse(fault.to_string()))?;
    }
    members.sort_unstable_by_key(|member| member.body);
    Ok(Plan { linkage, links, members })
}

/// What is asked of a link before the tree is made.
struct Carried {
    parent: Option<usize>,
    /// `[kg]`
    mass: f64,
    moves: bool,
}

/// A link that a joint could move but that carries no mass, if there is one; parents come before their children.
fn weightless(links: &[Carried]) -> Option<usize> {
    let mut mass: Vec<f64> = links.iter().map(|link| link.mass).collect();
    for (at, link) in links.iter().enumerate().rev() {
        if let Some(parent) = link.parent {
            mass[parent] += mass[at];
        }
    }
    (0..links.len()).find(|at| mass[*at] == 0.0 && links[*at].moves)
}

/// Configuration and velocity of a linkage made of bodies and joints that were there before.
fn start_of(
    Plan { linkage, links, .. }: &Plan,
    before: &Before,
    bodies: &Arena<BodyId, BodyRecord>,
    keeps_momentum: bool,
) -> Result<Start, SingularJoint> {
    let tree = linkage.tree();
    let (mut q, mut v) = (tree.neutral(), vec![0.0; tree.n_v()]);
    for (link, it) in links.iter().enumerate() {
        let (at_q, at_v) = (tree.q_range(link), tree.v_range(link));
        if let Some([own_q, own_v, _]) = it.joint.and_then(|joint| before.joints.get(&joint)) {
            q[at_q].copy_from_slice(own_q);
            v[at_v].copy_from_slice(own_v);
        } else if let Some(state) = before.bodies.get(&it.body) {
            let (turn, back) = (state.orientation, state.orientation.conjugate());
            let [x, y, z] = state.position.to_array();
            q[at_q].copy_from_slice(&[x, y, z, turn.x, turn.y, turn.z, turn.w]);
            (back * state.velocity).write_to_slice(&mut v[at_v.clone()][..3]);
            (back * state.angular_velocity).write_to_slice(&mut v[at_v][3..]);
        }
    }
    let still = vec![0.0; tree.n_v()];
    let mut room = Workspace::new(linkage);
    if !keeps_momentum {
        // What could not answer an impulse could not move either.
        linkage.struck(&q, &still, &[], &still, &mut room, &mut still.clone())?;
        return Ok([q, v]);
    }
    // (1).
    let momentum = |(link, it): (usize, &Link)| {
        let state = before.bodies.get(&it.body)?;
        let mass = bodies.get(it.body)?.model.mass?;
        let impulse = Impulse {
            point: state.position,
            linear: mass.mass * state.velocity,
            angular: mass.angular_momentum(state.orientation, state.angular_velocity),
        };
        Some(LinkImpulse { link, impulse })
    };
    let momenta: Vec<LinkImpulse> = links.iter().enumerate().filter_map(momentum).collect();
    // Spinning drives have momentum, too.
    let drives: Vec<f64> =
        linkage.joint_forces().iter().zip(&v).map(|(force, rate)| force.armature * rate).collect();
    linkage.struck(&q, &still, &momenta, &drives, &mut room, &mut v)?;
    Ok([q, v])
}
