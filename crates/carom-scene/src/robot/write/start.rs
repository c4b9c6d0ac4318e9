//! A robot as it starts: coordinates, rates, and joints within their stops.

use std::collections::BTreeMap;

use carom_geometry::Pose;

use super::text::{list, number};
use super::{SceneError, SceneOptions};
use crate::robot::description::{Coordinates, Joint, JointKind, Robot};

/// How a robot starts.
pub(super) struct Start {
    /// Rates of joints of one coordinate `[rad/s or m/s]`.
    pub(super) rates: BTreeMap<String, f64>,
    /// What was changed so that it can start, in a sentence each.
    pub(super) changed: Vec<String>,
}

impl Robot {
    /// Puts the coordinates at the start into the joints.
    pub(super) fn begin(&mut self, options: &SceneOptions) -> Result<Start, SceneError> {
        let (mut start, mut rates) = (Coordinates::new(), BTreeMap::new());
        if let Some(name) = &options.keyframe {
            let frame = self.keyframes.iter().find(|frame| frame.name == *name);
            let frame = frame.ok_or_else(|| SceneError::UnknownKeyframe(name.clone()))?;
            start.clone_from(&frame.coordinates);
            rates.clone_from(&frame.rates);
        }
        start.extend(options.start.clone());
        rates.extend(options.rates.clone());
        for name in start.keys().chain(rates.keys()) {
            if self.joint(name).is_none() {
                return Err(SceneError::UnknownJoint(name.clone()));
            }
        }
        for joint in &mut self.joints {
            let Some(given) = start.get(&joint.name) else { continue };
            let expected = joint.kind.n_coordinates();
            if given.len() != expected || !given.iter().all(|q| q.is_finite()) {
                let (joint, found) = (joint.name.clone(), given.clone());
                return Err(SceneError::Coordinates { joint, expected, found });
            }
            joint.start.clone_from(given);
        }
        for joint in &self.joints {
            let rate = rates.get(&joint.name).copied();
            let is_wrong = |rate: &f64| !rate.is_finite() || joint.kind.n_coordinates() != 1;
            if let Some(rate) = rate.filter(is_wrong) {
                let joint = joint.name.clone();
                return Err(SceneError::Coordinates { joint, expected: 1, found: vec![rate] });
            }
        }
        let changed =
            if options.heed_stops { self.heed_stops(&start, &mut rates)? } else { Vec::new() };
        Ok(Start { rates, changed })
    }

    /// Joints whose stops are at one place become fixed, and others start at the nearest stop where they would be beyond.
    fn heed_stops(
        &mut self,
        given: &Coordinates,
        rates: &mut BTreeMap<String, f64>,
    ) -> Result<Vec<String>, SceneError> {
        let mut changed = Vec::new();
        let mut stuck = vec![false; self.joints.len()];
        for (index, joint) in self.joints.iter_mut().enumerate() {
            let is_single = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic);
            let Some(stops) = joint.limits.filter(|_| is_single) else { continue };
            let q = joint.start.first().copied().unwrap_or_default();
            let within = q.max(stops[0]).min(stops[1]);
            if within != q && given.contains_key(&joint.name) {
                return Err(SceneError::BeyondStops { joint: joint.name.clone(), found: q, stops });
            }
            let (name, at) = (&joint.name, number(within));
            if stops[0] == stops[1] {
                changed.push(format!("joint {name}: fixed, because its stops are both at {at}"));
                rates.remove(name);
                fix(joint, within);
                stuck[index] = true;
            } else if within != q {
                let (beyond, stops) = (number(q), list(&stops));
                changed.push(format!(
                    "joint {name}: starts at {at}, because {beyond} is beyond its stops {stops}"
                ));
                joint.start = vec![within];
            }
        }
        for actuator in self.actuators.iter().filter(|it| stuck[it.joint]) {
            changed.push(format!("actuator {}: left out with its joint", actuator.name));
        }
        self.actuators.retain(|actuator| !stuck[actuator.joint]);
        Ok(changed)
    }
}

/// Makes a joint of one coordinate a fixed one that holds its child where it is.
fn fix(joint: &mut Joint, q: f64) {
    let fixed = Joint::new(joint.name.clone(), JointKind::Fixed, joint.parent, joint.child);
    let parent_from_joint = joint.parent_from_child(&[q]);
    *joint = Joint { parent_from_joint, joint_from_child: Pose::IDENTITY, ..fixed };
}
