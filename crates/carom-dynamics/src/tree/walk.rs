//! One link after the other, from a root outward, with nothing kept but the link before.
//!
//! The same steps as in `kinematics.rs`, to the bit, for those who ask for one link of many and have no [`Scratch`]: a walk
//! down one chain costs its depth and allocates nothing.
//!
//! [`Scratch`]: super::Scratch

use glam::DVec3;

use super::{Column, Frame, Tree};
use crate::Kinematics;
use crate::spatial::MotionVector;

/// Coordinates, velocities and accelerations of one joint; as many of them as it has count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointState {
    pub(crate) q: [f64; 7],
    pub(crate) v: [f64; 6],
    pub(crate) v_dot: [f64; 6],
}

impl JointState {
    /// Of the joint of `link` at s, ṡ and s̈ in the chart around `start`, a configuration of the whole tree.
    pub(crate) fn in_chart(
        tree: &Tree,
        link: usize,
        start: &[f64],
        [s, s_dot, s_ddot]: &[[f64; 6]; 3],
    ) -> Self {
        let mut out = Self::default();
        let joint = &tree.links[link].joint;
        let (n_q, n_v) = (joint.n_q(), joint.n_v());
        let start = &start[tree.links[link].q_range()];
        // Joints of one freedom are most of them, and their own charts.
        if n_v == 1 {
            (out.q[0], out.v[0], out.v_dot[0]) = (start[0] + s[0], s_dot[0], s_ddot[0]);
            return out;
        }
        let (s, s_dot, s_ddot) = (&s[..n_v], &s_dot[..n_v], &s_ddot[..n_v]);
        joint.configuration(start, s, &mut out.q[..n_q]);
        joint.velocity(start, s, s_dot, &mut out.v[..n_v]);
        joint.velocity_rates(start, [s, s_dot, s_ddot], &mut out.v_dot[..n_v]);
        out
    }
}

/// A link as its parent carries it: where it is, and how it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    frame: Frame,
    change: MotionVector,
}

impl Carried {
    /// How `center_link` moves, a point in the link frame.
    pub(crate) fn body_kinematics(&self, center_link: DVec3) -> Kinematics {
        self.frame.body_kinematics(center_link, self.change)
    }

    /// From the parent's origin to the link's `[m]`.
    pub(crate) fn arm(&self) -> DVec3 {
        self.frame.arm
    }

    /// Origin of the link frame `[m]`.
    pub(crate) fn origin(&self) -> DVec3 {
        self.frame.origin
    }

    /// ω `[rad/s]`.
    pub(crate) fn angular_velocity(&self) -> DVec3 {
        self.frame.velocity.angular
    }

    /// α `[rad/s²]`.
    pub(crate) fn angular_acceleration(&self) -> DVec3 {
        self.frame.bias.angular + self.change.angular
    }
}

/// What a walk keeps at hand.
#[derive(Default)]
pub(crate) struct Walk {
    columns: [Column; 6],
}

impl Walk {
    /// The link on its parent, `None` for the world.
    pub(crate) fn step(
        &mut self,
        tree: &Tree,
        link: usize,
        base: Option<&Carried>,
        joint: &JointState,
    ) -> Carried {
        let own = &tree.links[link];
        let (n_q, n_v) = (own.joint.n_q(), own.joint.n_v());
        let mut frame = Frame::default();
        let columns = &mut self.columns[..n_v];
        let on = base.map(|base| &base.frame);
        own.move_with(on, &joint.q[..n_q], &joint.v[..n_v], columns, &mut frame);
        let mut change = base.map_or(MotionVector::ZERO, |base| base.change.at(frame.arm));
        for (column, rate) in columns.iter().zip(&joint.v_dot) {
            change += *rate * column.axis;
        }
        Carried { frame, change }
    }
}
