//! A linkage on its way, without an engine around it.

use std::sync::Arc;

use carom_dynamics::linkage::{Ahead, Course, Drive, Linkage, Mode, Workspace};
use glam::DVec3;

pub const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// What an engine would keep of it.
pub struct Run {
    pub linkage: Arc<Linkage>,
    pub workspace: Workspace,
    pub time: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    ahead: Ahead,
    drive: Drive,
    mode: Mode,
}

impl Run {
    pub fn new(linkage: &Arc<Linkage>, q: &[f64], v: &[f64]) -> Self {
        Self {
            linkage: Arc::clone(linkage),
            workspace: Workspace::new(linkage),
            time: 0.0,
            q: q.to_vec(),
            v: v.to_vec(),
            ahead: Ahead::new(),
            drive: Drive { gravity: GRAVITY, ..Drive::default() },
            mode: Mode::default(),
        }
    }

    /// The next segment; the state stays at its start.
    ///
    /// # Panics
    /// If there is none.
    pub fn look_ahead(&mut self, latest_end: f64) -> Arc<Course> {
        let Self { linkage, time, q, v, mode, drive, ahead, workspace } = self;
        let course = linkage.extend(*time, q, v, mode, drive, latest_end, ahead, workspace);
        Arc::new(course.expect("a next segment"))
    }

    pub fn go_to(&mut self, course: &Course, time: f64) {
        course.joint_state(time, &mut self.q, &mut self.v);
        self.time = time;
    }

    pub fn step(&mut self, latest_end: f64) -> Arc<Course> {
        let course = self.look_ahead(latest_end);
        self.go_to(&course, course.span().end);
        course
    }
}
