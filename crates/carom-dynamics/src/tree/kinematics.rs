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

use super::{Column, Factor, Frame, Link, Scratch, Tree};
use crate::spatial::{ForceVector, MotionVector, RigidInertia};
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
        let Scratch { frames, columns, factor, .. } = scratch;
        assert_eq!(frames.len(), self.links.len(), "scratch of another tree");
        *factor = Factor::Missing;
        for (i, link) in self.links.iter().enumerate() {
            let (before, rest) = frames.split_at_mut(i);
            let at = link.v_range();
            let (q, v) = (&q[link.q_range()], &v[at.clone()]);
            let base = link.parent.map(|parent| &before[parent as usize]);
            link.move_with(base, q, v, &mut columns[at], &mut rest[0]);
            rest[0].inertia = link.inertia_body.turned(&rest[0].rotation);
        }
    }

    /// δ̂ of every link from v̇; the motion of every link, from a velocity in place of v̇.
    pub(crate) fn change_outward(&self, v_dot: &[f64], scratch: &mut Scratch) {
        for (i, link) in self.links.iter().enumerate() {
            let mut change = scratch.change_of_parent(link.parent, i);
            for k in link.v_range() {
                change += v_dot[k] * scratch.columns[k].axis;
            }
            scratch.works[i].change = change;
        }
    }
}

impl Link {
    /// Writes the frame of the link on that of its parent, and the directions of its freedoms; its inertia is left as
    /// it was.
    #[inline]
    pub(super) fn move_with(
        &self,
        base: Option<&Frame>,
        q: &[f64],
        v: &[f64],
        columns: &mut [Column],
        frame: &mut Frame,
    ) {
        let base_orientation = base.map_or(DQuat::IDENTITY, |base| base.orientation);
        let placed = self.place(base_orientation, q, v, columns);
        frame.orientation = placed.orientation;
        frame.rotation = placed.rotation;
        let Some(base) = base else {
            frame.arm = self.parent_from_joint.translation + placed.shift;
            frame.origin = frame.arm;
            frame.velocity = placed.velocity;
            frame.bias = placed.bias;
            return;
        };
        let r = base.rotation * self.parent_from_joint.translation + placed.shift;
        let w = base.velocity.angular;
        let (spin, slide) = (placed.velocity.angular, placed.velocity.linear);
        // ω_p×r serves the velocity and, turned once more, the acceleration.
        let carried = w.cross(r);
        frame.arm = r;
        frame.origin = base.origin + r;
        frame.velocity = MotionVector::new(w + spin, base.velocity.linear + carried + slide);
        let bias = base.bias.at(r);
        frame.bias = MotionVector::new(
            bias.angular + placed.bias.angular + w.cross(spin),
            bias.linear + placed.bias.linear + w.cross(carried + 2.0 * slide),
        );
    }
}

impl Scratch {
    /// δ̂ of the parent seen at the origin of link `i`.
    #[inline]
    pub(super) fn change_of_parent(&self, parent: Option<u32>, i: usize) -> MotionVector {
        parent.map_or(MotionVector::ZERO, |parent| {
            self.works[parent as usize].change.at(self.frames[i].arm)
        })
    }

    /// The link frame in the world.
    pub fn pose(&self, link: usize) -> Pose {
        Pose::new(self.frames[link].origin, self.frames[link].orientation)
    }

    /// Angular velocity, and velocity of the origin of the link frame.
    pub fn velocity(&self, link: usize) -> MotionVector {
        self.frames[link].velocity
    }

    /// Angular acceleration, and ordinary acceleration of the origin of the link frame, by the last forward, inverse
    /// or mixed dynamics.
    pub fn acceleration(&self, link: usize) -> MotionVector {
        self.frames[link].bias + self.works[link].change
    }

    /// The link as a rigid body, followed at its centre of mass.
    pub fn body_state(&self, tree: &Tree, link: usize) -> BodyState {
        self.frames[link].body_state(tree.bodies[link].center)
    }

    /// The same with accelerations, by the last forward, inverse or mixed dynamics.
    pub fn body_kinematics(&self, tree: &Tree, link: usize) -> Kinematics {
        self.frames[link].body_kinematics(tree.bodies[link].center, self.works[link].change)
    }

    /// A point of a link, given in its frame, in the axes of the link.
    pub(crate) fn point_state(&self, link: usize, point_link: DVec3) -> BodyState {
        self.frames[link].body_state(point_link)
    }

    /// Origin of the link frame `[m]`.
    pub(crate) fn origin(&self, link: usize) -> DVec3 {
        self.frames[link].origin
    }

    /// What the last [`Tree::change_outward`] gave this link, seen at its origin.
    pub(crate) fn carried_motion(&self, link: usize) -> MotionVector {
        self.works[link].change
    }

    /// Adds an inertia to that of a link until it is placed again, and returns the wrench that gravity and velocities must
    /// be met by for it to resist v̇ alone.
    pub(crate) fn add_inertia(
        &mut self,
        link: usize,
        inertia: &RigidInertia,
        gravity: DVec3,
    ) -> ForceVector {
        let frame = &mut self.frames[link];
        frame.inertia += *inertia;
        let felt = MotionVector::new(frame.bias.angular, frame.bias.linear - gravity);
        inertia.times(felt) + inertia.gyroscopic(frame.velocity.angular)
    }

    /// From the origin of the link frame to the centre of mass, in world axes.
    pub(crate) fn arm_of_center(&self, tree: &Tree, link: usize) -> DVec3 {
        self.frames[link].rotation * tree.bodies[link].center
    }
}

impl Frame {
    /// The link followed at `center_link`, a point in its own frame.
    #[inline]
    pub(super) fn body_state(&self, center_link: DVec3) -> BodyState {
        let arm = self.rotation * center_link;
        BodyState {
            position: self.origin + arm,
            orientation: self.orientation,
            velocity: self.velocity.at(arm).linear,
            angular_velocity: self.velocity.angular,
        }
    }

    /// The same with accelerations, where v̇ adds `change` to â⁰.
    #[inline]
    pub(super) fn body_kinematics(&self, center_link: DVec3, change: MotionVector) -> Kinematics {
        let arm = self.rotation * center_link;
        let w = self.velocity.angular;
        let acceleration = self.bias + change;
        Kinematics {
            state: self.body_state(center_link),
            acceleration: acceleration.at(arm).linear + w.cross(w.cross(arm)),
            angular_acceleration: acceleration.angular,
        }
    }
}
