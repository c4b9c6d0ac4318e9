//! What impulses do to a linkage, and how its points answer them.

use glam::DMat3;

use super::{Linkage, Workspace};
use crate::BodyState;
use crate::tree::{LinkImpulse, LinkPoint, SingularJoint};

impl Linkage {
    /// v after impulses on links and impulses of joints (one for each freedom, or none), written to `after`.
    ///
    /// # Errors
    /// If a joint is singular in this configuration.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn struck(
        &self,
        q: &[f64],
        v: &[f64],
        impulses: &[LinkImpulse],
        joint_impulses: &[f64],
        workspace: &mut Workspace,
        after: &mut [f64],
    ) -> Result<(), SingularJoint> {
        let scratch = &mut workspace.buffers.scratch;
        self.tree.place(q, v, scratch);
        self.tree.factorise_with(&self.armature, scratch)?;
        self.tree.impulse_response(impulses, joint_impulses, scratch, after)?;
        for (after, before) in after.iter_mut().zip(v) {
            *after += before;
        }
        Ok(())
    }

    /// The 3×3 blocks of J·H⁻¹·Jᵀ for a list of points, row by row: Δu_a = K_ab·p_b `[1/kg]`.
    ///
    /// # Errors
    /// If a joint is singular in this configuration.
    ///
    /// # Panics
    /// If `out` has not m² blocks for m points, or `q` the wrong length.
    pub fn responses(
        &self,
        q: &[f64],
        points: &[LinkPoint],
        workspace: &mut Workspace,
        out: &mut [DMat3],
    ) -> Result<(), SingularJoint> {
        let Workspace { buffers, responses, .. } = workspace;
        self.tree.place(q, &buffers.zero, &mut buffers.scratch);
        self.tree.factorise_with(&self.armature, &mut buffers.scratch)?;
        self.tree.point_responses(points, &mut buffers.scratch, responses, out)
    }

    /// A link as a rigid body: its centre of mass, in the axes of its frame. At the start of a [`Course`](super::Course) this is what its
    /// links answer, to the bit.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn body_state(
        &self,
        q: &[f64],
        v: &[f64],
        link: usize,
        workspace: &mut Workspace,
    ) -> BodyState {
        let scratch = &mut workspace.buffers.scratch;
        self.tree.place(q, v, scratch);
        scratch.body_state(&self.tree, link)
    }

    /// All links as rigid bodies, as [`Self::body_state`] gives them, instead of what was in `out`.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn body_states(
        &self,
        q: &[f64],
        v: &[f64],
        workspace: &mut Workspace,
        out: &mut Vec<BodyState>,
    ) {
        let scratch = &mut workspace.buffers.scratch;
        self.tree.place(q, v, scratch);
        out.clear();
        out.extend((0..self.tree.n_links()).map(|link| scratch.body_state(&self.tree, link)));
    }
}
