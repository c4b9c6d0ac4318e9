//! Where something is and how it is turned.

use crate::decode::{Four, Number, Text, Vector, table};

table! {
    /// How something is turned; not at all if nothing is said.
    OrientationKeys as "an orientation" {
        /// Unit quaternion [x, y, z, w], scalar last. Its length may be off by one in a million; it is
        /// normalised.
        quaternion: optional Four,
        /// Axis of the turn, of any length; with angle_deg or angle_rad.
        axis: optional Vector,
        /// Angle about the axis, right-handed `[deg]`.
        angle_deg: optional Number,
        /// Angle about the axis, right-handed `[rad]`.
        angle_rad: optional Number,
        /// Three angles `[deg]`, one after the other about the axes that euler_order names.
        euler_deg: optional Vector,
        /// The axes of euler_deg as three letters of x, y and z; by default "xyz". Small letters turn about the
        /// axes of the body as they have been turned so far (intrinsic): "xyz" is R = Rx(a)·Ry(b)·Rz(c).
        /// Capital letters turn about the axes of the world (extrinsic): "XYZ" is R = Rz(c)·Ry(b)·Rx(a).
        euler_order: optional Text,
        /// A point that the x axis of the body points at.
        look_at: optional Vector,
        /// With look_at: the direction that the z axis of the body comes as near to as it can; by default
        /// [0, 0, 1].
        up: optional Vector,
    }
    exclusive [quaternion, axis, euler_deg, look_at]
    exclusive [angle_deg, angle_rad]
}

impl OrientationKeys {
    /// Whether anything is said.
    pub(crate) fn is_stated(&self) -> bool {
        self.quaternion.is_some()
            || self.axis.is_some()
            || self.euler_deg.is_some()
            || self.look_at.is_some()
    }
}

table! {
    /// Where something is and how it is turned.
    PlacementKeys as "a placement" {
        /// Where the origin of the body's frame is `[m]`; by default [0, 0, 0].
        position: optional Vector,
        + orientation: OrientationKeys,
    }
}
