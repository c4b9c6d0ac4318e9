//! Forces that motors must give for accelerations that are asked for.
//!
//! With p = −k·(q − q_r) − c·v what springs and dampers give by themselves, equation (1) of the module reads
//!
//! ```text
//! (H + diag I_r)·v̇ + C = (τ + p) + Σ Jᵀ·f̂                                                           (3)
//! ```
//!
//! Mixed dynamics (`tree/mixed.rs`) solves it for the whole joint force τ + p where v̇ is prescribed and for v̇ where τ is; the
//! motor's part is what p leaves over. With all freedoms prescribed this is inverse dynamics, computed torque's feed-forward.

use super::{Drive, Linkage, Workspace};
use crate::spatial::ForceVector;
use crate::tree::{Load, SingularJoint};

impl Linkage {
    /// Where `prescribed`, takes v̇ from `v_dot` and writes the motor force that it needs into `torque`; elsewhere the other way
    /// round, with forces from the drive.
    ///
    /// # Errors
    /// If a joint that is not prescribed is singular in this configuration.
    ///
    /// # Panics
    /// If a slice has the wrong length, or the workspace is that of another linkage.
    pub fn required(
        &self,
        [q, v]: [&[f64]; 2],
        drive: &Drive,
        prescribed: &[bool],
        [v_dot, torque]: [&mut [f64]; 2],
        workspace: &mut Workspace,
    ) -> Result<(), SingularJoint> {
        let buffers = &mut workspace.buffers;
        let mut passive = vec![0.0; self.tree.n_v()];
        self.add_spring_forces(q, &mut buffers.strain, &mut passive);
        for ((passive, joint), v) in passive.iter_mut().zip(&self.joints).zip(v) {
            *passive -= joint.damping * v;
        }
        let given = |k: usize| drive.torque.get(k).copied().unwrap_or(0.0);
        let tau: Vec<f64> = passive.iter().enumerate().map(|(k, p)| given(k) + p).collect();
        self.tree.place(q, v, &mut buffers.scratch);
        let at_origin = |(link, wrench): (usize, &ForceVector)| {
            wrench.carried(buffers.scratch.arm_of_center(&self.tree, link))
        };
        let wrenches: Vec<ForceVector> = drive.wrenches.iter().enumerate().map(at_origin).collect();
        let load = Load {
            gravity: drive.gravity,
            tau: &tau,
            wrenches: &wrenches,
            added_diagonal: &self.armature,
        };
        self.tree.mixed(&load, prescribed, &mut buffers.scratch, v_dot, torque)?;
        for (k, (torque, passive)) in torque.iter_mut().zip(&passive).enumerate() {
            *torque = if prescribed[k] { *torque - passive } else { given(k) };
        }
        Ok(())
    }
}
