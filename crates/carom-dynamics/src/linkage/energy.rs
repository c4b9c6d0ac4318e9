//! Energies of a state.

use glam::DVec3;

use super::{Linkage, Workspace};

/// Energies of a linkage `[J]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Energy {
    pub(super) kinetic: f64,
    pub(super) potential: f64,
    pub(super) spring: f64,
    pub(super) element: f64,
}

impl Energy {
    pub(super) fn total(&self) -> f64 {
        self.kinetic + self.potential + self.spring + self.element
    }
}

impl Linkage {
    /// Of links and of what armatures stand for `[J]`.
    ///
    /// # Panics
    /// As all of these, if a slice has the wrong length.
    pub fn kinetic_energy(&self, q: &[f64], v: &[f64], workspace: &mut Workspace) -> f64 {
        let scratch = &mut workspace.buffers.scratch;
        self.tree.place(q, v, scratch);
        scratch.kinetic_energy() + self.armature_energy(v)
    }

    /// −Σ m·g·x, zero with all mass at the height of the world's origin `[J]`.
    pub fn potential_energy(&self, q: &[f64], gravity: DVec3, workspace: &mut Workspace) -> f64 {
        let buffers = &mut workspace.buffers;
        self.tree.place(q, &buffers.zero, &mut buffers.scratch);
        buffers.scratch.potential_energy(gravity)
    }

    /// ½·Σ k·(q − q_r)² of joints; that of elements is [`Self::element_energy`] `[J]`.
    pub fn spring_energy(&self, q: &[f64], workspace: &mut Workspace) -> f64 {
        if !self.has_springs {
            return 0.0;
        }
        let strain = &mut workspace.buffers.strain;
        self.neutral.displacement(&self.tree, q, strain);
        let energy = |(strain, joint): (&f64, &super::JointForce)| {
            let strain = strain - joint.rest;
            0.5 * joint.stiffness * strain * strain
        };
        strain.iter().zip(&self.joints).map(energy).sum()
    }

    /// All of them in one go.
    pub(super) fn energy(
        &self,
        q: &[f64],
        v: &[f64],
        gravity: DVec3,
        workspace: &mut Workspace,
    ) -> Energy {
        let kinetic = self.kinetic_energy(q, v, workspace);
        let potential = workspace.buffers.scratch.potential_energy(gravity);
        let spring = self.spring_energy(q, workspace);
        Energy { kinetic, potential, spring, element: self.element_energy(q, workspace) }
    }

    fn armature_energy(&self, v: &[f64]) -> f64 {
        self.armature.iter().zip(v).map(|(inertia, v)| 0.5 * inertia * v * v).sum()
    }
}
