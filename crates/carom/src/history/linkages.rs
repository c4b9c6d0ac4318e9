//! Joints and linkages in a history: asked of the courses that their links followed, exact at every time.

use std::sync::Arc;

use carom_dynamics::Motion;
use carom_dynamics::linkage::Course;

use super::History;
use crate::body::BodyId;
use crate::coupled::{self, Energies};
use crate::joint::JointId;
use crate::world::World;

/// A joint at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct JointAt {
    /// Its coordinates; of a spherical joint a quaternion x y z w `[rad or m]`.
    pub coordinates: Vec<f64>,
    /// Its rates; of a spherical joint the relative angular velocity in the child's axes `[rad/s or m/s]`.
    pub rates: Vec<f64>,
    /// What its motors gave, one for each freedom `[N·m or N]`.
    pub torque: Vec<f64>,
}

/// A whole linkage at a time `[J]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkageAt {
    /// Energy of motion, drives of joints included.
    pub kinetic: f64,
    /// Energy in gravity, in springs of joints and in force elements between links.
    pub potential: f64,
}

impl History {
    /// A joint of this name at a time that was observed; right-continuous. None where there was none, or its child is not
    /// remembered.
    pub fn joint_at(&self, name: &str, time: f64) -> Option<JointAt> {
        let (joint, child) = *self.joints.get(name)?;
        self.state_at(child, time)?;
        let piece = self.tracks.get(&child)?.piece_at(time)?;
        let Motion::Linked(link) = &piece.motion else { return None };
        if piece.joint != Some(joint) {
            return None;
        }
        let course = link.course();
        let tree = course.linkage().tree();
        let (in_q, in_v) = (tree.q_range(link.link()), tree.v_range(link.link()));
        let (q, v) = state_of(course, time);
        let torque = course.drive().torque.get(in_v.clone());
        Some(JointAt {
            coordinates: q[in_q].to_vec(),
            torque: torque.map_or_else(|| vec![0.0; in_v.len()], <[f64]>::to_vec),
            rates: v[in_v].to_vec(),
        })
    }

    /// The linkage that a body belonged to at a time that was observed; none where it belonged to none.
    pub fn linkage_at(&self, body: BodyId, time: f64) -> Option<LinkageAt> {
        self.state_at(body, time)?;
        let Motion::Linked(link) = &self.tracks.get(&body)?.piece_at(time)?.motion else {
            return None;
        };
        Some(of_course(link.course(), time))
    }

    /// The course that a body followed at a time that was observed.
    pub(crate) fn course_at(&self, body: BodyId, time: f64) -> Option<&Arc<Course>> {
        self.state_at(body, time)?;
        match &self.tracks.get(&body)?.piece_at(time)?.motion {
            Motion::Linked(link) => Some(link.course()),
            _ => None,
        }
    }

    /// The courses that a body followed between two times, each with its part of them.
    pub(crate) fn courses(
        &self,
        body: BodyId,
        [from, to]: [f64; 2],
    ) -> impl Iterator<Item = (&Arc<Course>, [f64; 2])> {
        let pieces = self.tracks.get(&body).map_or(&[][..], |track| &track.pieces);
        let ends = pieces.iter().skip(1).map(|piece| piece.start).chain([f64::INFINITY]);
        pieces.iter().zip(ends).filter_map(move |(piece, end)| {
            let Motion::Linked(link) = &piece.motion else { return None };
            let part = [piece.start.max(from), end.min(to)];
            (part[0] < part[1]).then_some((link.course(), part))
        })
    }

    /// Energy that collisions, impulses and stops have given to the linkage that a body belonged to, negative where they took
    /// some: the sum so far, at each time when there was any `[s, J]`.
    pub fn strikes(&self, body: BodyId) -> Vec<(f64, f64)> {
        let Some(track) = self.tracks.get(&body) else { return Vec::new() };
        let mut sum = 0.0;
        let mut strikes = Vec::new();
        for pair in track.pieces.windows(2) {
            let (Motion::Linked(before), Motion::Linked(after)) =
                (&pair[0].motion, &pair[1].motion)
            else {
                continue;
            };
            let time = pair[1].start;
            let [was, is] = [before, after].map(|link| of_course(link.course(), time));
            let given = is.kinetic + is.potential - (was.kinetic + was.potential);
            // A course that goes on where the last one ended has the same state to the bit.
            if given != 0.0 {
                sum += given;
                strikes.push((time, sum));
            }
        }
        strikes
    }
}

fn of_course(course: &Course, time: f64) -> LinkageAt {
    let (Energies { kinetic, potential }, _) = coupled::along(course, time);
    LinkageAt { kinetic, potential }
}

fn state_of(course: &Course, time: f64) -> (Vec<f64>, Vec<f64>) {
    let tree = course.linkage().tree();
    let (mut q, mut v) = (vec![0.0; tree.n_q()], vec![0.0; tree.n_v()]);
    course.joint_state(time, &mut q, &mut v);
    (q, v)
}

/// The joint that carries a body which moves like this.
pub(super) fn carrier(world: &World, body: BodyId, motion: &Motion) -> Option<JointId> {
    let Motion::Linked(link) = motion else { return None };
    let group = world.group(world.state.bodies.get(body)?.group);
    group.coupled()?.links().get(link.link())?.joint
}
