//! Where links are and how they move, from the roots outward.
//!
//! With the parent's ω_p, v_p, α_p, a_p, the arm r between the origins, and what the joint gives (`joint/mod.rs`):
//!
//! ```text
//! ω = ω_p + ω_J            v = v_p + ω_p×r + ṗ_J                                              (M 4.6)
//! α = α_p + ω_p×ω_J + ω̇_J  a = a_p + α_p×r + ω_p×(ω_p×r) + 2·ω_p×ṗ_J + p̈_J                   (M 4.23)
//! ```
//!
//! Terms with v̇ are left out at first: what remains is â⁰, the *bias* acceleration. Since both lines are linear in v̇,
//! the acceleration is â⁰ + δ̂ with δ̂ = shifted δ̂_p + Σ ŝ·v̇.

use glam::{DQuat, DVec3};

use super::{Factor, LinkWork, Scratch, Tree};
use crate::spatial::MotionVector;
use crate::{BodyState, Kinematics};

use carom_geometry::Pose;

impl Tree {
    /// Puts the tree into a configuration with velocities; everything else asked of `scratch` is about this state.
    ///
    /// Quaternions in `q` are taken to be unit, as the builder's and charts' are.
    ///
    /// # Panics
    /// If the lengths of `q`, `v` and `scratch` are not those of the tree.
    pub fn place(&self, q: &[f64], v: &[f64], scratch: &mut Scratch) {
        assert_eq!((q.len(), v.len()), (self.n_q, self.n_v), "lengths of q and v");
        assert_eq!(scratch.links.len(), self.links.len(), "scratch of another tree");
        scratch.factor = Factor::Missing;
        for (i, link) in self.links.iter().enumerate() {
            let at = link.v_range();
            let base = link.parent.map(|parent| &scratch.links[parent as usize]);
            let base_orientation = base.map_or(DQuat::IDENTITY, |base| base.orientation);
            let columns = &mut scratch.columns[at.clone()];
            let placed = link.place(base_orientation, &q[link.q_range()], &v[at], columns);
            let mut work = LinkWork {
                orientation: placed.orientation,
                rotation: placed.rotation,
                inertia: link.inertia_link.turned(&placed.rotation),
                ..scratch.links[i]
            };
            if let Some(base) = base {
                let r = base.rotation * link.parent_from_joint.translation + placed.shift;
                let w = base.velocity.angular;
                let (spin, slide) = (placed.velocity.angular, placed.velocity.linear);
                work.arm = r;
                work.origin = base.origin + r;
                work.velocity = base.velocity.at(r) + placed.velocity;
                work.bias = base.bias.at(r) + placed.bias;
                work.bias.angular += w.cross(spin);
                work.bias.linear += w.cross(w.cross(r) + 2.0 * slide);
            } else {
                work.arm = link.parent_from_joint.translation + placed.shift;
                work.origin = work.arm;
                work.velocity = placed.velocity;
                work.bias = placed.bias;
            }
            scratch.links[i] = work;
        }
    }

    /// δ̂ of every link from v̇.
    pub(super) fn change_outward(&self, v_dot: &[f64], scratch: &mut Scratch) {
        for (i, link) in self.links.iter().enumerate() {
            let mut change = scratch.change_of_parent(link.parent, i);
            for k in link.v_range() {
                change += v_dot[k] * scratch.columns[k].axis;
            }
            scratch.links[i].change = change;
        }
    }
}

impl Scratch {
    /// δ̂ of the parent seen at the origin of link `i`.
    #[inline]
    pub(super) fn change_of_parent(&self, parent: Option<u32>, i: usize) -> MotionVector {
        parent.map_or(MotionVector::ZERO, |parent| {
            self.links[parent as usize].change.at(self.links[i].arm)
        })
    }

    /// The link frame in the world.
    pub fn pose(&self, link: usize) -> Pose {
        Pose::new(self.links[link].origin, self.links[link].orientation)
    }

    /// Angular velocity, and velocity of the origin of the link frame.
    pub fn velocity(&self, link: usize) -> MotionVector {
        self.links[link].velocity
    }

    /// Angular acceleration, and ordinary acceleration of the origin of the link frame, by the last forward, inverse
    /// or mixed dynamics.
    pub fn acceleration(&self, link: usize) -> MotionVector {
        self.links[link].bias + self.links[link].change
    }

    /// The link as a rigid body, followed at its centre of mass.
    pub fn body_state(&self, tree: &Tree, link: usize) -> BodyState {
        let work = &self.links[link];
        let arm = self.arm_of_center(tree, link);
        BodyState {
            position: work.origin + arm,
            orientation: work.orientation,
            velocity: work.velocity.at(arm).linear,
            angular_velocity: work.velocity.angular,
        }
    }

    /// The same with accelerations, by the last forward, inverse or mixed dynamics.
    pub fn body_kinematics(&self, tree: &Tree, link: usize) -> Kinematics {
        let arm = self.arm_of_center(tree, link);
        let w = self.links[link].velocity.angular;
        let acceleration = self.acceleration(link);
        Kinematics {
            state: self.body_state(tree, link),
            acceleration: acceleration.at(arm).linear + w.cross(w.cross(arm)),
            angular_acceleration: acceleration.angular,
        }
    }

    fn arm_of_center(&self, tree: &Tree, link: usize) -> DVec3 {
        self.links[link].rotation * tree.bodies[link].center
    }
}
