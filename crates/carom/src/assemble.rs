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

use carom_dynamics::linkage::{Grip, Workspace};
use carom_dynamics::tree::{LinkImpulse, SingularJoint};
use carom_dynamics::{BodyState, Impulse, Mass, Motion};
use carom_geometry::Pose;
use smallvec::smallvec;

use crate::arena::Arena;
use crate::body::{BodyId, BodyRecord};
use crate::commands::free_group;
use crate::coupled::{self, Coupled, Link};
use crate::element::{ElementId, ElementRecord};
use crate::error::{JointError, WorldError};
use crate::graph::{Graph, Plan, plan};
use crate::group::{Group, GroupId, Member, System};
use crate::joint::{JointId, JointRecord};
use crate::world::World;

/// What holds bodies together.
pub(crate) struct Ties {
    pub(crate) joints: Arena<JointId, JointRecord>,
    pub(crate) elements: Arena<ElementId, ElementRecord>,
}

/// Configuration and velocity.
type Start = [Vec<f64>; 2];

/// What is known of a set of bodies before they are put together anew.
#[derive(Default)]
pub(crate) struct Before {
    pub(crate) bodies: BTreeMap<BodyId, BodyState>,
    pub(crate) joints: BTreeMap<JointId, JointBefore>,
}

/// What is known of a joint before its bodies are put together anew.
pub(crate) struct JointBefore {
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    /// Of its motors `[N·m or N]`.
    pub(crate) torque: Vec<f64>,
    /// What holds its freedoms; none of a joint that is just made.
    pub(crate) grips: Option<Vec<Grip>>,
}

/// Regrouping.
impl World {
    /// All free bodies that move together with one of these, with what moves them.
    pub(crate) fn before_regrouping(&self, bodies: impl IntoIterator<Item = BodyId>) -> Before {
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
    pub(crate) fn look_before_regrouping(
        &self,
        before: &mut Before,
        child: BodyId,
        parent: Option<BodyId>,
    ) {
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
            let (q, v, grips) = (q[at_q].to_vec(), v[at_v].to_vec(), Some(coupled.grips(link)));
            before.joints.insert(joint, JointBefore { q, v, torque, grips });
        }
    }

    /// True of a link without mass that no joint carries.
    pub(crate) fn stands_without_mass(&self, body: BodyId) -> bool {
        let record = self.state.bodies.get(body);
        record.is_some_and(|it| it.model.is_massless() && self.group(it.group).is_fixed())
    }

    /// Puts bodies together anew under other ties. What is refused leaves no trace. The energies that they gain by it are
    /// returned, for whoever knows where they come from.
    pub(crate) fn retie(
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
        let graph = Graph::of(&ties.joints, &ties.elements, &self.state.lasting);
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
        for (Plan { linkage, links, members, elements, lasting }, start) in linkages {
            linked.extend(links.iter().map(|link| link.body));
            let mut coupled = Coupled::new(linkage, (links, elements), lasting, start);
            coupled.take_over(|joint| before.joints.get(&joint));
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
            let Some((flow, notes)) = self.group(id).coupled().map(|it| it.closed(self.state.now))
            else {
                continue;
            };
            self.book_flow(&flow);
            self.tell_notes(id, &notes);
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
        let now = self.state.now;
        for push in &flow.pushes {
            let in_pieces = self.in_pieces(push.bodies);
            self.state.contacts.note_push(now, push, in_pieces);
        }
    }
}

/// A link without mass where no joint carries it.
fn standing_group(body: BodyId, world_from_body: Pose) -> Group {
    let member = Member { body, frame_from_body: Pose::IDENTITY, link: 0 };
    let system = System::Passive(Motion::Fixed(world_from_body));
    Group { members: smallvec![member], carrier: body, system, dirty: false }
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
        if let Some(own) = it.joint.and_then(|joint| before.joints.get(&joint)) {
            q[at_q].copy_from_slice(&own.q);
            v[at_v].copy_from_slice(&own.v);
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
