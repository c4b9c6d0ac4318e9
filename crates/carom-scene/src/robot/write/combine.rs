//! Several joints of one body as one, where scenes have a kind for what they do together.
//!
//! | joints | together |
//! |---|---|
//! | two turns about perpendicular axes through one point | universal |
//! | a turn and a slide along one axis | cylindrical |
//! | two slides, and a turn about the normal of their plane, in any order | planar |
//!
//! The body can then move in the same ways, and the links without mass between the joints are not needed. That holds only
//! where nothing hangs on the single coordinates: joints with limits, forces, inertia, motors or rates stay apart. The
//! coordinates of the new joint count from where the scene starts.

use std::collections::BTreeMap;

use carom_geometry::Pose;
use glam::DVec3;

use crate::robot::description::{Joint, JointKind, Robot};

/// Largest sine of an angle, and largest distance in metres, that count as none.
///
/// Typed axes are exact, and poses round to about 1e-15. Larger would bend axes that are meant to be off; smaller leaves
/// joints apart because of rounding.
const ALIGNED: f64 = 1e-12;

/// A joint in the world.
struct Placed {
    kind: JointKind,
    at: DVec3,
    axis: DVec3,
}

impl Robot {
    /// Combines joints; `world_from_links` is where the links are as the scene starts.
    pub(super) fn combine(&mut self, world_from_links: &[Pose], rates: &BTreeMap<String, f64>) {
        let mut becomes: Vec<usize> = (0..self.links.len()).collect();
        let mut is_gone = vec![false; self.joints.len()];
        for link in 0..self.links.len() {
            let chain = self.chain(link, rates);
            let Some((last, inner)) = chain.split_last() else { continue };
            let Some(joint) = self.combined(&chain, world_from_links) else { continue };
            for index in inner {
                becomes[self.joints[*index].child] = link;
                is_gone[*index] = true;
            }
            self.joints[*last] = joint;
        }
        self.drop_merged(&becomes, &is_gone);
    }

    /// Joints that move a link with nothing but links without mass or shape between them, from the parent outward.
    fn chain(&self, link: usize, rates: &BTreeMap<String, f64>) -> Vec<usize> {
        let mut chain = Vec::new();
        if self.is_between(link) {
            return chain;
        }
        let mut at = link;
        while let Some(index) = self.joints.iter().position(|joint| joint.child == at) {
            let is_plain = self.is_plain(index) && !rates.contains_key(&self.joints[index].name);
            if !is_plain {
                return Vec::new();
            }
            chain.insert(0, index);
            match self.joints[index].parent.filter(|parent| self.is_between(*parent)) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        chain
    }

    /// Whether a link only holds two joints together.
    fn is_between(&self, link: usize) -> bool {
        let own = &self.links[link];
        let is_empty = own.mass.is_none() && own.collisions.is_empty() && own.visuals.is_empty();
        let n_outward = self.joints.iter().filter(|joint| joint.parent == Some(link)).count();
        is_empty && n_outward == 1 && self.joint_of(link).is_some()
    }

    /// Whether nothing hangs on the coordinate of a joint.
    fn is_plain(&self, index: usize) -> bool {
        let joint = &self.joints[index];
        let forces = [joint.damping, joint.friction, joint.stiffness, joint.armature];
        let is_free = joint.limits.is_none() && joint.effort.is_none() && joint.speed.is_none();
        let has_motor = self.actuators.iter().any(|actuator| actuator.joint == index);
        is_free && !has_motor && forces.iter().all(|force| *force == 0.0)
    }

    fn combined(&self, chain: &[usize], world_from_links: &[Pose]) -> Option<Joint> {
        let placed: Vec<Placed> = (chain.iter())
            .map(|index| {
                let joint = &self.joints[*index];
                let moved =
                    world_from_links[joint.child].then_from(&joint.joint_from_child.inverse());
                Placed { kind: joint.kind, at: moved.translation, axis: moved.vector(joint.axis) }
            })
            .collect();
        let together = together(&placed)?;
        let (first, last) = (&self.joints[*chain.first()?], &self.joints[*chain.last()?]);
        let names: Vec<&str> = chain.iter().map(|index| &self.joints[*index].name[..]).collect();
        let world_from_child = world_from_links[last.child];
        let world_from_joint = Pose::new(together.at, world_from_child.rotation);
        let inward = |axis: DVec3| world_from_joint.vector_inverse(axis);
        let kind = match together.kind {
            JointKind::Universal { second_axis } => {
                JointKind::Universal { second_axis: inward(second_axis) }
            }
            other => other,
        };
        let mut joint = Joint::new(names.join("+"), kind, first.parent, last.child);
        let world_from_parent = first.parent.map_or(Pose::IDENTITY, |link| world_from_links[link]);
        joint.parent_from_joint = world_from_parent.inverse().then_from(&world_from_joint);
        joint.joint_from_child = world_from_joint.inverse().then_from(&world_from_child);
        joint.axis = inward(together.axis);
        Some(joint)
    }
}

/// The one joint that does what several do, in the world.
fn together(joints: &[Placed]) -> Option<Placed> {
    let turns: Vec<&Placed> = joints.iter().filter(|j| j.kind == JointKind::Revolute).collect();
    let slides: Vec<&Placed> = joints.iter().filter(|j| j.kind == JointKind::Prismatic).collect();
    if turns.len() + slides.len() != joints.len() {
        return None;
    }
    match (&turns[..], &slides[..]) {
        ([first, second], []) => {
            let is_cross = first.axis.dot(second.axis).abs() < ALIGNED;
            let meet = (first.at - second.at).length() < ALIGNED;
            let kind = JointKind::Universal { second_axis: second.axis };
            (is_cross && meet).then_some(Placed { kind, at: first.at, axis: first.axis })
        }
        ([turn], [slide]) => {
            let is_along = turn.axis.cross(slide.axis).length() < ALIGNED;
            let kind = JointKind::Cylindrical;
            is_along.then_some(Placed { kind, at: turn.at, axis: turn.axis })
        }
        ([turn], [one, other]) => {
            let spans = one.axis.dot(other.axis).abs() < ALIGNED;
            let is_across =
                [one, other].iter().all(|slide| slide.axis.dot(turn.axis).abs() < ALIGNED);
            let kind = JointKind::Planar;
            (spans && is_across).then_some(Placed { kind, at: turn.at, axis: turn.axis })
        }
        _ => None,
    }
}
