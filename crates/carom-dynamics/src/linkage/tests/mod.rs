//! What the tests of linkages in motion share: a linkage that is carried on from segment to segment.

mod bounds;
mod contacts;
mod dynamics;
mod figures;
mod friction;
mod memory;
mod modes;
mod pendulum;
mod restrained;
mod states;
mod stops;
mod strikes;

use std::sync::Arc;

use super::{Ahead, Course, Drive, JointForce, Linkage, Mode, Settled, Transition, Workspace};
use crate::tree::Tree;
use crate::tree::tests::GRAVITY;

/// Numbers between 0 and 1, the same every time.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn linkage(tree: Tree, joint: JointForce, tolerance: f64) -> Arc<Linkage> {
    let joints = vec![joint; tree.n_v()];
    Arc::new(Linkage::new(tree, joints, tolerance).unwrap())
}

fn free(tree: Tree, tolerance: f64) -> Arc<Linkage> {
    linkage(tree, JointForce::default(), tolerance)
}

/// A linkage on its way.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) linkage: Arc<Linkage>,
    pub(super) ahead: Ahead,
    pub(super) workspace: Workspace,
    pub(super) drive: Drive,
    pub(super) time: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) calls: u64,
    pub(super) segments: u64,
    pub(super) mode: Mode,
}

impl Run {
    pub(super) fn new(linkage: &Arc<Linkage>, q: &[f64], v: &[f64]) -> Self {
        Self {
            linkage: Arc::clone(linkage),
            ahead: Ahead::new(),
            workspace: Workspace::new(linkage),
            drive: Drive { gravity: GRAVITY, ..Drive::default() },
            time: 0.0,
            q: q.to_vec(),
            v: v.to_vec(),
            mode: Mode::default(),
            calls: 0,
            segments: 0,
        }
    }

    /// The next segment; the state stays at its start.
    pub(super) fn look_ahead(&mut self, latest_end: f64) -> Arc<Course> {
        let course = self
            .linkage
            .extend(
                self.time,
                &self.q,
                &self.v,
                &self.mode,
                &self.drive,
                latest_end,
                &mut self.ahead,
                &mut self.workspace,
            )
            .unwrap();
        self.calls += course.effort().calls;
        self.segments += 1;
        Arc::new(course)
    }

    pub(super) fn go_to(&mut self, course: &Course, time: f64) {
        course.joint_state(time, &mut self.q, &mut self.v);
        self.time = time;
    }

    pub(super) fn step(&mut self, latest_end: f64) -> Arc<Course> {
        let course = self.look_ahead(latest_end);
        self.go_to(&course, course.span().end);
        course
    }

    pub(super) fn advance(&mut self, end: f64) {
        while self.time < end {
            self.step(end);
        }
    }

    /// Chooses the mode, after impacts on stops.
    fn settle(&mut self, transition: Option<Transition>) -> Settled {
        let Self { linkage, q, v, drive, mode, workspace, .. } = self;
        linkage.settle(q, v, drive, transition, mode, workspace).unwrap()
    }

    /// Goes on from transition to transition, and tells of every course and of what settling after it did.
    fn follow(&mut self, end: f64, mut tell: impl FnMut(&mut Self, &Arc<Course>, &Settled)) {
        self.settle(None);
        let segments = self.segments;
        while self.time < end {
            let course = self.step(end);
            let settled = self.settle(course.transition());
            tell(self, &course, &settled);
            assert!(self.segments - segments < 200_000, "no way out at {} s", self.time);
        }
    }

    pub(super) fn energy(&mut self) -> f64 {
        let gravity = self.drive.gravity;
        self.linkage.energy(&self.q, &self.v, gravity, &mut self.workspace).total()
    }
}
