//! Where a joint puts its link, and how it moves it, in world axes.

use glam::{DMat3, DQuat, DVec3};

use super::super::{Column, Link};
use super::Joint;
use crate::spatial::MotionVector;

/// What a joint does to its link: (1) of the parent module, turned into world axes.
pub(in crate::tree) struct Placed {
    /// Unit quaternion `world_from_link`.
    pub orientation: DQuat,
    /// The same as a matrix.
    pub rotation: DMat3,
    /// From the origin of the joint frame to that of the link frame `[m]`.
    pub shift: DVec3,
    /// ω_J and ṗ_J.
    pub velocity: MotionVector,
    /// b_a and b_l.
    pub bias: MotionVector,
}

impl Placed {
    #[inline]
    fn turned(orientation: DQuat) -> Self {
        Self {
            orientation,
            rotation: DMat3::from_quat(orientation),
            shift: DVec3::ZERO,
            velocity: MotionVector::ZERO,
            bias: MotionVector::ZERO,
        }
    }
}

impl Link {
    /// Places the link on a parent with orientation `base`, and writes the directions of its freedoms, seen at its
    /// origin. `q`, `v` and `columns` are those of this joint alone.
    #[expect(
        clippy::inline_always,
        reason = "the short way of revolute joints, in a loop over links"
    )]
    #[inline(always)]
    pub(in crate::tree) fn place(
        &self,
        base: DQuat,
        q: &[f64],
        v: &[f64],
        columns: &mut [Column],
    ) -> Placed {
        // Most joints are revolute: the rest is kept out of the way.
        if let Joint::Revolute { axis } = self.joint {
            let mut placed = Placed::turned(base * self.joint_turned(q[0]));
            let u = placed.rotation * axis;
            columns[0].axis = MotionVector::new(u, DVec3::ZERO);
            placed.velocity.angular = v[0] * u;
            return placed;
        }
        self.place_other(base, q, v, columns)
    }

    #[inline(never)]
    fn place_other(&self, base: DQuat, q: &[f64], v: &[f64], columns: &mut [Column]) -> Placed {
        match self.joint {
            Joint::Prismatic { axis } => {
                let mut placed = Placed::turned(base * self.parent_from_joint.rotation);
                let u = placed.rotation * axis;
                columns[0].axis = MotionVector::new(DVec3::ZERO, u);
                placed.shift = q[0] * u;
                placed.velocity.linear = v[0] * u;
                placed
            }
            Joint::Screw { axis, pitch } => {
                let mut placed = Placed::turned(base * self.joint_turned(q[0]));
                let u = placed.rotation * axis;
                columns[0].axis = MotionVector::new(u, pitch * u);
                placed.shift = (pitch * q[0]) * u;
                placed.velocity = v[0] * columns[0].axis;
                placed
            }
            Joint::Cylindrical { axis } => {
                let mut placed = Placed::turned(base * self.joint_turned(q[0]));
                let u = placed.rotation * axis;
                columns[0].axis = MotionVector::new(u, DVec3::ZERO);
                columns[1].axis = MotionVector::new(DVec3::ZERO, u);
                placed.shift = q[1] * u;
                placed.velocity = MotionVector::new(v[0] * u, v[1] * u);
                placed
            }
            Joint::Planar => self.place_planar(base, q, v, columns),
            Joint::Universal { first, second } => {
                self.place_universal([first, second], base, q, v, columns)
            }
            Joint::Spherical => {
                let turn = DQuat::from_slice(q);
                let mut placed = Placed::turned(base * self.parent_from_joint.rotation * turn);
                for (column, axis) in columns.iter_mut().zip(axes(&placed.rotation)) {
                    column.axis = MotionVector::new(axis, DVec3::ZERO);
                }
                placed.velocity.angular = placed.rotation * DVec3::from_slice(v);
                placed
            }
            Joint::Free => self.place_free(base, q, v, columns),
            // Revolute joints are placed by the caller.
            Joint::Fixed | Joint::Revolute { .. } => {
                Placed::turned(base * self.parent_from_joint.rotation)
            }
        }
    }

    /// `parent_from_link` of a joint that turns by `angle` about its first axis u: q_F·(u·sin ½θ, cos ½θ), with the
    /// product q_F·(u, 0) made once.
    #[inline]
    fn joint_turned(&self, angle: f64) -> DQuat {
        let (sin, cos) = libm::sincos(0.5 * angle);
        self.parent_from_joint.rotation * cos + self.joint_half_turned * sin
    }

    fn place_planar(&self, base: DQuat, q: &[f64], v: &[f64], columns: &mut [Column]) -> Placed {
        let world_from_joint = base * self.parent_from_joint.rotation;
        let [x, y, z] = axes(&DMat3::from_quat(world_from_joint));
        let (sin, cos) = libm::sincos(0.5 * q[2]);
        let mut placed = Placed::turned(world_from_joint * DQuat::from_xyzw(0.0, 0.0, sin, cos));
        columns[0].axis = MotionVector::new(DVec3::ZERO, x);
        columns[1].axis = MotionVector::new(DVec3::ZERO, y);
        columns[2].axis = MotionVector::new(z, DVec3::ZERO);
        placed.shift = q[0] * x + q[1] * y;
        placed.velocity = MotionVector::new(v[2] * z, v[0] * x + v[1] * y);
        placed
    }

    fn place_universal(
        &self,
        [first, second]: [DVec3; 2],
        base: DQuat,
        q: &[f64],
        v: &[f64],
        columns: &mut [Column],
    ) -> Placed {
        let middle = base * self.joint_turned(q[0]);
        let (sin, cos) = libm::sincos(0.5 * q[1]);
        let turn = DQuat::from_xyzw(sin * second.x, sin * second.y, sin * second.z, cos);
        let mut placed = Placed::turned(middle * turn);
        // The first axis is the same before and after its own turn, as the second is after its.
        let (u1, u2) = (middle * first, placed.rotation * second);
        columns[0].axis = MotionVector::new(u1, DVec3::ZERO);
        columns[1].axis = MotionVector::new(u2, DVec3::ZERO);
        placed.velocity.angular = v[0] * u1 + v[1] * u2;
        placed.bias.angular = (v[0] * v[1]) * u1.cross(u2);
        placed
    }

    fn place_free(&self, base: DQuat, q: &[f64], v: &[f64], columns: &mut [Column]) -> Placed {
        let world_from_joint = base * self.parent_from_joint.rotation;
        let mut placed = Placed::turned(world_from_joint * DQuat::from_slice(&q[3..]));
        for (k, axis) in axes(&placed.rotation).into_iter().enumerate() {
            columns[k].axis = MotionVector::new(DVec3::ZERO, axis);
            columns[k + 3].axis = MotionVector::new(axis, DVec3::ZERO);
        }
        placed.shift = world_from_joint * DVec3::from_slice(q);
        placed.velocity = MotionVector::new(
            placed.rotation * DVec3::from_slice(&v[3..]),
            placed.rotation * DVec3::from_slice(v),
        );
        placed.bias.linear = placed.velocity.angular.cross(placed.velocity.linear);
        placed
    }
}

const fn axes(rotation: &DMat3) -> [DVec3; 3] {
    [rotation.x_axis, rotation.y_axis, rotation.z_axis]
}
