//! Loads of joints along a segment, and when they become too much.
//!
//! The function that must not become negative is 1 − (|f|/F)², with f the force of a joint's load and F its strength, and the same
//! of torques. It is sampled with the forces that hold freedoms, by the same calls of the derivative, and followed by the same
//! interpolant (`force.rs`). An interpolant whose coefficients add up to less than 1, with what it misses some times over, needs
//! no more than that: most joints are far from breaking most of the time.

use super::force::Interpolant;
use super::root::Bernstein;
use crate::collocation::IntegrationError;
use crate::linkage::strength::Limit;
use crate::linkage::{Course, Linkage, Workspace};
use crate::spatial::ForceVector;
use crate::tolerances::{FORCE_ERROR_SHARE, FORCE_ROUNDING, LEAST_FORCE_SLACK, MISSED_TIMES};
use crate::tree::Load;

impl Course {
    /// The loads of the joints of all links at `time`, instead of what was in `out`: what their parents' sides do to them, in world
    /// axes at the origins of the link frames (`strength.rs`) `[N, N·m]`.
    ///
    /// # Errors
    /// If a joint is singular there.
    ///
    /// # Panics
    /// If the workspace is that of another linkage.
    pub fn loads(
        &self,
        time: f64,
        workspace: &mut Workspace,
        out: &mut Vec<ForceVector>,
    ) -> Result<(), IntegrationError> {
        self.derive(time, workspace)?;
        self.find_loads(workspace);
        let scratch = &workspace.buffers.scratch;
        out.clear();
        out.extend((0..self.linkage().tree().n_links()).map(|link| scratch.joint_wrench(link)));
        Ok(())
    }

    /// (1) of `strength.rs`, from the accelerations that were derived last.
    pub(super) fn find_loads(&self, workspace: &mut Workspace) {
        let buffers = &mut workspace.buffers;
        let load = Load {
            gravity: self.drive.gravity,
            tau: &[],
            wrenches: &buffers.wrenches,
            added_diagonal: &[],
        };
        let tree = self.linkage().tree();
        tree.inverse(&load, &buffers.v_dot, &mut buffers.scratch, &mut buffers.damped);
    }
}

impl Linkage {
    /// True when the interpolant of a load is not good enough to say whether it becomes too much.
    pub(super) fn is_rough_load(&self, own: &Interpolant) -> bool {
        if own.size() + MISSED_TIMES * own.missing() < 1.0 {
            return false;
        }
        let allowed = FORCE_ERROR_SHARE * self.accuracy.tolerance().max(LEAST_FORCE_SLACK);
        own.missing() > allowed.max(FORCE_ROUNDING * own.size())
    }
}

impl Interpolant {
    /// Where a load becomes too much, as a share of the window.
    pub(super) fn exceeds(&self) -> Option<f64> {
        if self.size() < 1.0 {
            return None;
        }
        Bernstein::new(1.0, -1.0, &self.bernstein()).first_negative(1.0)
    }
}

/// Squares of loads against strengths, as the last derivation has them.
pub(super) fn write_squares(limits: &[Limit], workspace: &Workspace, out: &mut [f64]) {
    let scratch = &workspace.buffers.scratch;
    for (limit, out) in limits.iter().zip(out) {
        *out = limit.square(&scratch.joint_wrench(limit.link));
    }
}
