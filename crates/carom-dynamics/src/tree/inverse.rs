//! Inverse dynamics: the forces that given accelerations need (Newton and Euler, guide F-4.4).
//!
//! Outward, δ̂ of all links from v̇; inward, each link needs p̂ = Î·(â⁰ + δ̂ − ĝ) + gyroscopic terms − f̂ for itself and
//! what its children need, and its joint gives τ = ŝ·p̂ of that. All of p̂, seen at the origin of the link, is what the parent's
//! side of the joint does to the link: motors, springs, friction and stops of the joint, and what it holds by its shape.
//!
//! Impulses are the same without velocities and gravity: p̂ = Î·Δ̂ − impulses on the link, with Δ̂ the jump of its motion.

use super::{LinkImpulse, Load, Scratch, Tree};
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
        self.sum_inward(scratch);
        for (i, link) in self.links.iter().enumerate() {
            for k in link.v_range() {
                tau[k] = scratch.works[i].force.dot(scratch.columns[k].axis);
            }
        }
    }

    /// What joints carry when impulses on links make v jump like this; [`Scratch::joint_wrench`] then tells it.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn carry_impulses(&self, impulses: &[LinkImpulse], jumps: &[f64], scratch: &mut Scratch) {
        assert_eq!(jumps.len(), self.n_v, "length of the jumps");
        self.change_outward(jumps, scratch);
        for (frame, work) in scratch.frames.iter().zip(&mut scratch.works) {
            work.force = frame.inertia.times(work.change);
        }
        for LinkImpulse { link, impulse } in impulses {
            let arm = impulse.point - scratch.frames[*link].origin;
            let seen = ForceVector::new(impulse.angular, impulse.linear).carried(arm);
            scratch.works[*link].force += -seen;
        }
        self.sum_inward(scratch);
    }

    /// Adds to every link what its children need.
    fn sum_inward(&self, scratch: &mut Scratch) {
        for (i, link) in self.links.iter().enumerate().rev() {
            if let Some(parent) = link.parent {
                let carried = scratch.works[i].force.carried(scratch.frames[i].arm);
                scratch.works[parent as usize].force += carried;
            }
        }
    }
}

impl Scratch {
    /// What the joint of a link does to it, by the last inverse dynamics or [`Tree::carry_impulses`]: in world axes, seen at the
    /// origin of the link frame.
    pub fn joint_wrench(&self, link: usize) -> ForceVector {
        self.works[link].force
    }
}
