//! Orientations as robots' files write them, and where links are.

use carom_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

use super::description::{Coordinates, Joint, JointKind, Robot};

/// The turn by an angle `[rad]` about a unit axis.
pub(super) fn turn(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// R = Rz(yaw)·Ry(pitch)·Rx(roll), as URDF means it `[rad]`.
pub(super) fn roll_pitch_yaw(angles: DVec3) -> DQuat {
    turn(DVec3::Z, angles.z) * turn(DVec3::Y, angles.y) * turn(DVec3::X, angles.x)
}

/// The shortest turn that takes z to a direction; about x where that is −z. None of a zero vector.
pub(super) fn from_z(direction: DVec3) -> Option<DQuat> {
    let unit = direction.try_normalize()?;
    let cross = DVec3::Z.cross(unit);
    let sine = cross.length();
    let angle = libm::atan2(sine, unit.z);
    Some(turn(cross.try_normalize().unwrap_or(DVec3::X), angle))
}

/// The turn whose x and y axes are along `x` and, as far as it is perpendicular, `y`.
pub(super) fn from_xy(x: DVec3, y: DVec3) -> Option<DQuat> {
    let x = x.try_normalize()?;
    let y = (y - x * x.dot(y)).try_normalize()?;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize())
}

impl Joint {
    /// The frame of the child in that of the parent at given coordinates; missing ones are taken from `start`.
    pub fn parent_from_child(&self, coordinates: &[f64]) -> Pose {
        let moved = self.parent_from_joint.then_from(&self.motion(coordinates));
        moved.then_from(&self.joint_from_child)
    }

    /// What the coordinates do in the frame of the joint.
    fn motion(&self, coordinates: &[f64]) -> Pose {
        let q = |index: usize| {
            coordinates.get(index).or(self.start.get(index)).copied().unwrap_or_default()
        };
        let quaternion = |first: usize| {
            let given = DQuat::from_xyzw(q(first), q(first + 1), q(first + 2), q(first + 3));
            let is_usable = given.is_finite() && given.length_squared() > 0.0;
            if is_usable { given.normalize() } else { DQuat::IDENTITY }
        };
        let turned = |rotation| Pose::new(DVec3::ZERO, rotation);
        match self.kind {
            JointKind::Fixed => Pose::IDENTITY,
            JointKind::Revolute => turned(turn(self.axis, q(0) - self.reference)),
            JointKind::Prismatic => Pose::from_translation(self.axis * (q(0) - self.reference)),
            JointKind::Cylindrical => Pose::new(self.axis * q(1), turn(self.axis, q(0))),
            JointKind::Universal { second_axis } => {
                turned(turn(self.axis, q(0)) * turn(second_axis, q(1)))
            }
            JointKind::Planar => {
                let plane = from_z(self.axis).unwrap_or(DQuat::IDENTITY);
                Pose::new(plane * DVec3::new(q(0), q(1), 0.0), turn(self.axis, q(2)))
            }
            JointKind::Spherical => turned(quaternion(0)),
            JointKind::Free => Pose::new(DVec3::new(q(0), q(1), q(2)), quaternion(3)),
        }
    }
}

impl Robot {
    /// Where all links are: roots at `world_from_base`, joints at their coordinates, or as they start.
    pub fn world_from_links(&self, world_from_base: &Pose, coordinates: &Coordinates) -> Vec<Pose> {
        let mut poses = vec![*world_from_base; self.links.len()];
        for index in self.joints_outward() {
            let joint = &self.joints[index];
            let world_from_parent = joint.parent.map_or(Pose::IDENTITY, |link| poses[link]);
            let given = coordinates.get(&joint.name).map_or(&joint.start[..], |given| given);
            let pose = world_from_parent.then_from(&joint.parent_from_child(given));
            // Long chains of turns would leave unit length by rounding.
            poses[joint.child] = Pose::new(pose.translation, pose.rotation.normalize());
        }
        poses
    }

    /// Indices of the joints, each after the one that moves its parent.
    pub fn joints_outward(&self) -> Vec<usize> {
        let mut of_link = vec![Vec::new(); self.links.len()];
        let mut order = Vec::with_capacity(self.joints.len());
        for (index, joint) in self.joints.iter().enumerate() {
            match joint.parent {
                Some(link) => of_link[link].push(index),
                None => order.push(index),
            }
        }
        for root in self.roots() {
            order.extend(&of_link[root]);
        }
        let mut next = 0;
        while next < order.len() && order.len() <= self.joints.len() {
            order.extend(&of_link[self.joints[order[next]].child]);
            next += 1;
        }
        order
    }
}
