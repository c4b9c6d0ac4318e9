//! `[[joint]]` and `[[exclude]]` tables.

use std::collections::BTreeSet;

use glam::DVec3;

use super::Writer;
use super::text::{self, list, number, quoted, vector};
use crate::robot::description::{ActuatorKind, Joint, JointKind, Robot};
use crate::robot::pose::turn;

impl Writer<'_> {
    pub(super) fn joints(&mut self) {
        let mut names = BTreeSet::new();
        for index in 0..self.robot.joints.len() {
            let joint = self.robot.joints[index].clone();
            // What is fixed to the world is a fixed body, and what may move in any way a free one.
            if self.anchored[joint.child] || joint.kind == JointKind::Free {
                continue;
            }
            let wanted = text::name(&self.options.prefix, &joint.name, "joint");
            let mut name = wanted.clone();
            let mut copy = 2;
            while !names.insert(name.clone()) {
                name = format!("{wanted}_{copy}");
                copy += 1;
            }
            self.joint(index, &joint, &name);
            self.joint_names.insert(index, name);
        }
    }

    fn joint(&mut self, index: usize, joint: &Joint, name: &str) {
        let ends = format!(
            "[{}, {}]",
            quoted(self.name(joint.parent)),
            quoted(self.name(Some(joint.child)))
        );
        self.line(&format!("\n[[joint]]\nname = {}", quoted(name)));
        self.line(&format!("kind = \"{}\"\nbodies = {ends}", joint.kind.name()));
        self.where_it_is(joint);
        let quantities = [
            ("damping", joint.damping),
            ("friction", joint.friction),
            ("stiffness", joint.stiffness),
            ("armature", joint.armature),
        ];
        if let (Some(limits), true) = (joint.limits, joint.kind != JointKind::Spherical) {
            self.line(&format!("limits = {}", list(&limits)));
        }
        for (key, value) in quantities.into_iter().filter(|(_, value)| *value != 0.0) {
            self.line(&format!("{key} = {}", number(value)));
        }
        if joint.stiffness != 0.0 && joint.rest != 0.0 {
            self.line(&format!("rest = {}", number(joint.rest)));
        }
        if let Some(effort) = joint.effort.or_else(|| self.robot.effort(index)) {
            self.line(&format!("effort = {}", number(effort)));
        }
        if let Some(speed) = joint.speed {
            self.line(&format!("speed = {}", number(speed)));
        }
    }

    /// Place, axes, coordinates and rates at the start.
    fn where_it_is(&mut self, joint: &Joint) {
        // The child stands where the joint has moved it, and the joint stands in the child.
        let child = self.world_from_links[joint.child];
        let moved = child.then_from(&joint.joint_from_child.inverse());
        self.line(&format!("at = {}", vector(moved.translation)));
        let to_world = |axis: DVec3| {
            let parent = joint
                .parent
                .map_or(glam::DQuat::IDENTITY, |link| self.world_from_links[link].rotation);
            parent * (joint.parent_from_joint.rotation * axis)
        };
        match joint.kind {
            JointKind::Free | JointKind::Fixed | JointKind::Spherical => return,
            JointKind::Universal { second_axis } => {
                let first_angle = joint.start.first().copied().unwrap_or_default();
                let second = to_world(turn(joint.axis, first_angle) * second_axis);
                let first = to_world(joint.axis);
                self.line(&format!("axes = [{}, {}]", vector(first), vector(second)));
            }
            _ => {
                let axis = to_world(joint.axis);
                self.line(&format!("axis = {}", vector(axis)));
            }
        }
        if joint.start.iter().any(|coordinate| *coordinate != 0.0) {
            let start = match &joint.start[..] {
                [one] => number(*one),
                several => list(several),
            };
            self.line(&format!("start = {start}"));
        }
        if let Some(rate) = self.rates.get(&joint.name).filter(|rate| **rate != 0.0) {
            self.line(&format!("velocity = {}", number(*rate)));
        }
    }

    /// Pairs that the file excludes, and links with nothing that touches between them.
    pub(super) fn exclusions(&mut self) {
        let mut pairs: BTreeSet<[usize; 2]> = BTreeSet::new();
        for [a, b] in &self.robot.exclusions {
            pairs.insert([*a.min(b), *a.max(b)]);
        }
        for joint in &self.robot.joints {
            let mut parent = joint.parent;
            while let Some(link) =
                parent.filter(|link| self.robot.links[*link].collisions.is_empty())
            {
                parent = self.robot.joint_of(link).and_then(|joint| joint.parent);
                if let Some(outer) =
                    parent.filter(|outer| !self.robot.links[*outer].collisions.is_empty())
                {
                    pairs.insert([outer.min(joint.child), outer.max(joint.child)]);
                }
            }
        }
        for [a, b] in pairs {
            let (Some(a), Some(b)) = (&self.names[a], &self.names[b]) else { continue };
            let line = exclusion([a, b]);
            self.line(&line);
        }
    }
}

fn exclusion(bodies: [&str; 2]) -> String {
    let [a, b] = bodies.map(quoted);
    format!("\n[[exclude]]\nbodies = [{a}, {b}]")
}

/// Adds to the text of a scene that these bodies take no notice of each other, because they overlap.
pub fn exclude_overlaps(text: &mut String, pairs: &[[&str; 2]]) {
    if !pairs.is_empty() {
        text.push_str("\n# These overlap as the scene starts, and so never collide.");
    }
    for pair in pairs {
        text.push_str(&exclusion(*pair));
        text.push('\n');
    }
}

impl Robot {
    /// The most that motors of a joint give together `[N·m or N]`; none if one has no bound.
    pub(super) fn effort(&self, joint: usize) -> Option<f64> {
        let mut motors = self.actuators.iter().filter(|motor| motor.joint == joint).peekable();
        motors.peek()?;
        let largest = |range: [f64; 2]| f64::max(range[0].abs(), range[1].abs());
        motors.try_fold(0.0, |total, motor| {
            let by_force = motor.force_range.map(largest);
            let by_control = match (motor.kind, motor.control_range) {
                (ActuatorKind::Motor { gain }, Some(range)) => Some(gain.abs() * largest(range)),
                _ => None,
            };
            let most = match (by_force, by_control) {
                (Some(a), Some(b)) => Some(f64::min(a, b)),
                (a, b) => a.or(b),
            };
            most.map(|most| total + motor.gear.abs() * most)
        })
    }
}
