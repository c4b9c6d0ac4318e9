//! Inverse dynamics: the forces that given accelerations need (Newton and Euler, guide F-4.4).
//!
//! Outward, δ̂ of all links from v̇; inward, each link needs p̂ = Î·(â⁰ + δ̂ − ĝ) + gyroscopic terms − f̂ for itself and
//! what its children need, and its joint gives τ = ŝ·p̂ of that.

use super::{Load, Scratch, Tree};
use crate::spatial::{ForceVector, MotionVector};

impl Tree {
    /// τ for accelerations v̇, against gravity and wrenches of the load; its own τ and added diagonal do not count.
    /// Leaves accelerations of all links in `scratch`.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn inverse(&self, load: &Load<'_>, v_dot: &[f64], scratch: &mut Scratch, tau: &mut [f64]) {
        load.validate(self);
        assert_eq!((v_dot.len(), tau.len()), (self.n_v, self.n_v), "lengths of v̇ and τ");
        self.change_outward(v_dot, scratch);
        for (i, (frame, work)) in scratch.frames.iter().zip(&mut scratch.works).enumerate() {
            let acceleration = frame.bias + work.change;
            let felt = MotionVector::new(acceleration.angular, acceleration.linear - load.gravity);
            let outer = load.wrenches.get(i).copied().unwrap_or(ForceVector::ZERO);
            work.force = frame.inertia.times(felt)
                + frame.inertia.gyroscopic(frame.velocity.angular)
                - outer;
        }
        for (i, link) in self.links.iter().enumerate().rev() {
            let force = scratch.works[i].force;
            for k in link.v_range() {
                tau[k] = force.dot(scratch.columns[k].axis);
            }
            if let Some(parent) = link.parent {
                let carried = force.carried(scratch.frames[i].arm);
                scratch.works[parent as usize].force += carried;
            }
        }
    }
}
