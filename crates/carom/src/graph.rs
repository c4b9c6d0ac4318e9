//! Who hangs on whom, and the linkage that follows from it.

use std::collections::BTreeMap;

use carom_dynamics::linkage::{JointForce, Linkage, Strength};
use carom_dynamics::tree::{self, LinkSpec, Tree};
use carom_geometry::Pose;
use glam::DVec3;

use crate::arena::Arena;
use crate::body::{BodyId, BodyRecord};
use crate::coupled::Link;
use crate::element::{ElementId, ElementRecord};
use crate::error::{JointError, WorldError};
use crate::group::Member;
use crate::joint::{JointId, JointRecord, mass_in_link};
use crate::lasting::{LastingPairs, pairs_of};

/// A linkage as bodies and joints determine it.
pub(crate) struct Plan {
    pub(crate) linkage: Linkage,
    pub(crate) links: Vec<Link>,
    pub(crate) members: Vec<Member>,
    /// Force elements, in the order of the linkage.
    pub(crate) elements: Vec<ElementId>,
    /// Pairs in lasting contact, in their order.
    pub(crate) lasting: Vec<[BodyId; 2]>,
}

/// Who hangs on whom.
pub(crate) struct Graph<'a> {
    joints: &'a Arena<JointId, JointRecord>,
    elements: &'a Arena<ElementId, ElementRecord>,
    lasting: &'a LastingPairs,
    carried_by: BTreeMap<BodyId, JointId>,
    /// In the order of the joints.
    children: BTreeMap<BodyId, Vec<BodyId>>,
}

impl<'a> Graph<'a> {
    pub(crate) fn of(
        joints: &'a Arena<JointId, JointRecord>,
        elements: &'a Arena<ElementId, ElementRecord>,
        lasting: &'a LastingPairs,
    ) -> Self {
        let (mut carried_by, mut children) = (BTreeMap::new(), BTreeMap::<_, Vec<_>>::new());
        for (id, joint) in joints.iter() {
            carried_by.insert(joint.child, id);
            if let Some(parent) = joint.parent {
                children.entry(parent).or_default().push(joint.child);
            }
        }
        Self { joints, elements, lasting, carried_by, children }
    }

    pub(crate) fn joint_of(&self, body: BodyId) -> Option<&JointRecord> {
        self.carried_by.get(&body).and_then(|id| self.joints.get(*id))
    }

    /// The body that carries another, if it is one of `bodies`; others are fixed and connect nothing.
    fn parent_among(&self, bodies: &[BodyId], body: BodyId) -> Option<BodyId> {
        let parent = self.joint_of(body)?.parent?;
        bodies.binary_search(&parent).is_ok().then_some(parent)
    }

    /// True when one of these bodies is in lasting contact.
    pub(crate) fn touches(&self, bodies: impl Iterator<Item = BodyId>) -> bool {
        let bodies: Vec<BodyId> = bodies.collect();
        self.lasting.keys().any(|pair| pair.iter().any(|body| bodies.contains(body)))
    }

    pub(crate) fn is_held(&self, body: BodyId) -> bool {
        let joined = self.carried_by.contains_key(&body) || self.children.contains_key(&body);
        joined
            || self.elements.iter().any(|(_, it)| it.bodies().any(|other| other == body))
            || self.lasting.keys().any(|pair| pair.contains(&body))
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
    /// and lasting contacts join.
    pub(crate) fn components(&self, bodies: &[BodyId]) -> Vec<Vec<BodyId>> {
        let mut of_root: BTreeMap<BodyId, Vec<BodyId>> = BTreeMap::new();
        for body in bodies {
            of_root.entry(self.root_among(bodies, *body)).or_default().push(*body);
        }
        let mut components: Vec<Vec<BodyId>> = of_root.into_values().collect();
        let mut join = |pair: &mut dyn Iterator<Item = BodyId>| {
            let place = |body| components.iter().position(|it| it.contains(&body));
            let mut places = pair.filter_map(place);
            if let (Some(a), Some(b)) = (places.next(), places.next())
                && a != b
            {
                let joined = components.swap_remove(a.max(b));
                components[a.min(b)].extend(joined);
            }
        };
        for (_, element) in self.elements.iter() {
            join(&mut element.bodies());
        }
        for pair in self.lasting.keys() {
            join(&mut pair.iter().copied());
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
    let mut strengths: Vec<Strength> = Vec::new();
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
        strengths.push(record.map_or(Strength::UNBREAKABLE, |it| it.strength));
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
    if strengths.iter().any(Strength::is_breakable) {
        linkage = linkage.with_strengths(strengths).map_err(|fault| refuse(fault.to_string()))?;
    }
    let place = |body: BodyId| {
        let (link, link_from_body) = number.get(&body)?;
        Some((*link, link_from_body.then_from(&bodies.get(body)?.model.body_from_shape())))
    };
    let is_own = |it: &&ElementRecord| it.bodies().any(|body| number.contains_key(&body));
    let (mut ids, mut elements) = (Vec::new(), Vec::new());
    for (id, it) in graph.elements.iter().filter(|(_, it)| is_own(it)) {
        ids.push(id);
        elements.push(it.in_linkage(place));
    }
    if !elements.is_empty() {
        linkage = linkage.with_elements(elements).map_err(|fault| refuse(fault.to_string()))?;
    }
    members.sort_unstable_by_key(|member| member.body);
    let lasting = pairs_of(graph.lasting, component);
    Ok(Plan { linkage, links, members, elements: ids, lasting })
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
