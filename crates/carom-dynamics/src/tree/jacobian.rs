//! Jacobians of points: how velocities of a link depend on v.

use glam::DVec3;

use super::{Scratch, Tree};
use crate::spatial::{ForceVector, MotionVector};

impl Tree {
    /// J of the material point of `link` that is now at `point` in the world: its angular and linear velocity are Σ J_k·v_k.
    ///
    /// # Panics
    /// If `jacobian` is not `n_v` long.
    pub fn jacobian(
        &self,
        scratch: &Scratch,
        link: usize,
        point: DVec3,
        jacobian: &mut [MotionVector],
    ) {
        assert_eq!(jacobian.len(), self.n_v, "length of the Jacobian");
        jacobian.fill(MotionVector::ZERO);
        let mut at = Some(link);
        while let Some(i) = at {
            let arm = point - scratch.frames[i].origin;
            for k in self.links[i].v_range() {
                jacobian[k] = scratch.columns[k].axis.at(arm);
            }
            at = self.parent(i);
        }
    }

    /// Adds Jᵀ·f̂ to τ, for a wrench seen at a point of `link`: the joint forces that do the same as the wrench.
    ///
    /// # Panics
    /// If `tau` is not `n_v` long.
    pub fn add_joint_forces(
        &self,
        scratch: &Scratch,
        link: usize,
        point: DVec3,
        wrench: ForceVector,
        tau: &mut [f64],
    ) {
        assert_eq!(tau.len(), self.n_v, "length of τ");
        let mut at = Some(link);
        while let Some(i) = at {
            let force = wrench.carried(point - scratch.frames[i].origin);
            for k in self.links[i].v_range() {
                tau[k] += force.dot(scratch.columns[k].axis);
            }
            at = self.parent(i);
        }
    }
}
