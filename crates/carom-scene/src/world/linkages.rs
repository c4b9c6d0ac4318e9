//! Joints and force elements of a scene, in its world.

use carom::{Element, ElementId, Hold, Joint, JointError, WorldError};

use super::Building;
use crate::problem::Place;
use crate::scene::{MotionSpec, Scene};

impl Scene {
    /// Of every joint, whether one of its linkage states rates.
    fn linkages_that_state_rates(&self) -> Vec<bool> {
        let mut carried_by: Vec<Option<usize>> = vec![None; self.bodies.len()];
        for (index, joint) in self.joints.iter().enumerate() {
            carried_by[joint.child] = Some(index);
        }
        // A linkage goes by its innermost free body.
        let root = |joint: &crate::Joint| {
            let mut body = joint.child;
            while let Some(index) = carried_by[body] {
                let parent = self.joints[index].parent;
                match parent.filter(|it| self.bodies[*it].motion == MotionSpec::Free) {
                    Some(parent) => body = parent,
                    None => break,
                }
            }
            body
        };
        let roots: Vec<usize> = self.joints.iter().map(root).collect();
        let mut states = vec![false; self.bodies.len()];
        for (joint, root) in self.joints.iter().zip(&roots) {
            states[*root] |= joint.velocity.is_some();
        }
        roots.into_iter().map(|root| states[root]).collect()
    }

    /// Where the joint stands that an error names.
    fn joint_place(&self, error: &JointError) -> Option<Place> {
        let (JointError::Value { joint, .. }
        | JointError::NameTaken { joint }
        | JointError::Role { joint, .. }
        | JointError::Taken { joint, .. }
        | JointError::Loop { joint, .. }
        | JointError::Massless { joint, .. }
        | JointError::Linkage { joint, .. }) = error;
        self.joints.iter().find(|it| it.name == *joint).map(|it| it.place)
    }
}

impl Building<'_> {
    /// Linkages whose joints state rates, and those that have what their bodies' velocities leave: each at once, because a link
    /// without mass holds together only when all of its joints are there.
    pub(super) fn joints(&mut self) {
        let scene = self.scene;
        let states_rates = scene.linkages_that_state_rates();
        for wanted in [false, true] {
            let chosen: Vec<usize> =
                (0..scene.joints.len()).filter(|joint| states_rates[*joint] == wanted).collect();
            let made: Vec<Joint> =
                chosen.iter().filter_map(|joint| self.joint(&scene.joints[*joint])).collect();
            if made.is_empty() || made.len() < chosen.len() {
                continue;
            }
            let joined = self.world.join_all(made);
            let place = match &joined {
                Err(WorldError::Joint(error)) => scene.joint_place(error),
                _ => None,
            };
            let place = place.unwrap_or(scene.joints[chosen[0]].place);
            for (joint, id) in
                chosen.into_iter().zip(self.accepted(place, joined).into_iter().flatten())
            {
                self.joints[joint] = Some(id);
            }
        }
    }

    /// None if a body was refused.
    fn joint(&self, joint: &crate::Joint) -> Option<Joint> {
        let parent = match joint.parent {
            Some(parent) => Some(self.bodies[parent]?),
            None => None,
        };
        let forces: Vec<carom::JointForce> =
            joint.freedoms.iter().map(crate::Freedom::force).collect();
        let made = Joint::new(joint.kind, parent, self.bodies[joint.child]?);
        let made = made.named(joint.name.clone()).start(&joint.start).forces(&forces);
        let made = made.breaking(joint.strength);
        let made = joint.at.into_iter().fold(made, Joint::at);
        let made = joint.velocity.iter().fold(made, |made, rates| made.velocity(rates));
        Some(if joint.collide { made.colliding() } else { made })
    }

    pub(super) fn elements(&mut self) {
        for element in &self.scene.elements {
            let id = self.element(element);
            self.elements.push(id);
        }
    }

    /// None if it or a body was refused.
    fn element(&mut self, element: &crate::Element) -> Option<ElementId> {
        let hold = |end: &crate::ElementEnd| match end.body {
            Some(body) => self.bodies[body].map(|id| Hold { body: Some(id), frame: end.frame }),
            None => Some(Hold { body: None, frame: end.frame }),
        };
        let ends = [hold(&element.ends[0])?, hold(&element.ends[1])?];
        let made = Element::new(element.law.clone(), ends).named(element.name.clone());
        let added = self.world.add_element(made);
        self.accepted(element.place, added)
    }
}
