//! Links that are fixed to each other as one.

use carom_geometry::{MassProperties, Pose};

use super::FixedJoints;
use crate::robot::description::{Geometry, JointKind, Robot};

impl Robot {
    /// Makes one link of those that fixed joints hold together; gives what each link has become. Joints to the world stay.
    pub(in crate::robot) fn merge(&mut self, policy: FixedJoints) -> Vec<usize> {
        if policy == FixedJoints::Keep {
            return (0..self.links.len()).collect();
        }
        // From the tips inward, so that what a link has taken up goes on with it.
        let mut becomes: Vec<usize> = (0..self.links.len()).collect();
        let mut is_gone = vec![false; self.joints.len()];
        for index in self.joints_outward().into_iter().rev() {
            let joint = &self.joints[index];
            let Some(parent) = joint.parent.filter(|_| joint.kind == JointKind::Fixed) else {
                continue;
            };
            let child = joint.child;
            let are_bodies = self.is_body(child) && self.is_body(parent);
            if policy == FixedJoints::MergeMassless && are_bodies {
                continue;
            }
            let parent_from_child = joint.parent_from_child(&[]);
            self.absorb(parent, child, &parent_from_child);
            becomes[child] = parent;
            is_gone[index] = true;
        }
        self.drop_merged(&becomes, &is_gone)
    }

    /// Whether a link could move by itself.
    fn is_body(&self, link: usize) -> bool {
        self.links[link].mass.is_some_and(|mass| mass.verdict().is_ok())
    }

    /// Moves all that a link has to its parent.
    fn absorb(&mut self, parent: usize, child: usize, parent_from_child: &Pose) {
        let taken = self.links[child].clone();
        let moved = |shape: &Geometry| Geometry {
            link_from_shape: parent_from_child.then_from(&shape.link_from_shape),
            ..shape.clone()
        };
        let link = &mut self.links[parent];
        link.collisions.extend(taken.collisions.iter().map(moved));
        link.visuals.extend(taken.visuals.iter().map(moved));
        let mass = taken.mass.map(|mass| mass.placed(parent_from_child));
        link.mass = match (link.mass, mass) {
            (Some(own), Some(more)) => MassProperties::combined(&[own, more]).ok(),
            (own, more) => own.or(more),
        };
        for joint in self.joints.iter_mut().filter(|joint| joint.parent == Some(child)) {
            joint.parent = Some(parent);
            joint.parent_from_joint = parent_from_child.then_from(&joint.parent_from_joint);
        }
    }

    /// Takes out links that have become others, and joints that are gone; gives the new numbers of the links.
    pub(super) fn drop_merged(&mut self, becomes: &[usize], is_gone: &[bool]) -> Vec<usize> {
        let mut numbers = vec![0; self.links.len()];
        let mut next = 0;
        for (link, number) in numbers.iter_mut().enumerate() {
            *number = next;
            next += usize::from(becomes[link] == link);
        }
        let target = |link: usize| {
            let mut at = link;
            while becomes[at] != at {
                at = becomes[at];
            }
            numbers[at]
        };
        let mut at = 0;
        self.links.retain(|_| {
            at += 1;
            becomes[at - 1] == at - 1
        });
        let n_gone = |index: usize| is_gone[..index].iter().filter(|gone| **gone).count();
        for actuator in &mut self.actuators {
            actuator.joint -= n_gone(actuator.joint);
        }
        let mut at = 0;
        self.joints.retain(|_| {
            at += 1;
            !is_gone[at - 1]
        });
        for joint in &mut self.joints {
            joint.parent = joint.parent.map(target);
            joint.child = target(joint.child);
        }
        let pairs = self.exclusions.iter().map(|[a, b]| [target(*a), target(*b)]);
        self.exclusions = pairs.filter(|[a, b]| a != b).collect();
        (0..becomes.len()).map(target).collect()
    }
}
