//! One link of a linkage, as a motion: where it is at any time of a course.
//!
//! The chain from the root to the link is walked outward with the coordinates of its joints at that time, which costs its
//! depth and allocates nothing; what was asked before is remembered (`memo.rs`).

use std::sync::Arc;

use super::{Course, Linkage};
use crate::tree::{Carried, Walk};
use crate::{BodyState, Kinematics, Span};

/// The motion of one link, followed at its centre of mass in the axes of its frame.
#[derive(Clone, Debug)]
pub struct LinkMotion {
    pub(super) course: Arc<Course>,
    pub(super) link: u32,
}

impl PartialEq for LinkMotion {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.course, &other.course) || self.course == other.course;
        same && self.link == other.link
    }
}

impl LinkMotion {
    pub(super) fn new(course: Arc<Course>, link: u32) -> Self {
        Self { course, link }
    }

    /// The course of its linkage.
    pub const fn course(&self) -> &Arc<Course> {
        &self.course
    }

    /// Which link it is.
    pub const fn link(&self) -> usize {
        self.link as usize
    }

    /// When it can be asked.
    pub fn span(&self) -> Span {
        self.course.span()
    }

    /// False when no joint between the link and the world turns it.
    pub fn rotates(&self) -> bool {
        self.course.linkage().turning[self.link()]
    }

    /// The state at `time`.
    pub fn state_at(&self, time: f64) -> BodyState {
        self.kinematics_at(time).state
    }

    /// The state at `time` with accelerations.
    pub fn kinematics_at(&self, time: f64) -> Kinematics {
        self.course.link_kinematics(self.link(), time)
    }
}

impl Course {
    /// As [`Self::link_kinematics`], by a walk from the root.
    pub(super) fn walked_kinematics(&self, link: usize, time: f64) -> Kinematics {
        let (tree, at) = (self.linkage().tree(), self.weights_at(time));
        let (mut walk, mut base): (Walk, Option<Carried>) = (Walk::default(), None);
        self.linkage().outward(link, |i| {
            base = Some(walk.step(tree, i, base.as_ref(), &self.joint(i, &at).state));
        });
        let center = tree.mass_properties(link).center;
        match base {
            Some(carried) => carried.body_kinematics(center),
            // A chain has at least its own link.
            None => Kinematics {
                state: BodyState::at_rest(carom_geometry::Pose::IDENTITY),
                acceleration: glam::DVec3::ZERO,
                angular_acceleration: glam::DVec3::ZERO,
            },
        }
    }
}

/// Links of a chain that are looked up at once.
const BLOCK: usize = 32;

impl Linkage {
    /// Visits the links from the root to `link`, both included. Chains are only linked inward, so they are climbed block by
    /// block; deep ones once for every block.
    pub(super) fn outward(&self, link: usize, mut visit: impl FnMut(usize)) {
        let depth = self.depths[link] as usize;
        let up = |at: usize| self.tree.parent(at).unwrap_or(at);
        let mut chain = [0; BLOCK];
        for first in (0..=depth).step_by(BLOCK) {
            let last = depth.min(first + BLOCK - 1);
            let mut at = link;
            for _ in last..depth {
                at = up(at);
            }
            for slot in chain[..=last - first].iter_mut().rev() {
                *slot = at;
                at = up(at);
            }
            chain[..=last - first].iter().for_each(|i| visit(*i));
        }
    }
}
