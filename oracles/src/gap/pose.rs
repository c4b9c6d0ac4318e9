//! Where a body is.

use glam::{DMat3, DVec3};

/// Position and orientation of a body's frame in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Origin of the body's frame `[m]`.
    pub position: [f64; 3],
    /// The quaternion x, y, z, w that turns the body's axes into the world's; divided by its length before use `[-]`.
    pub quaternion: [f64; 4],
}

impl Pose {
    /// The body's frame is the world's.
    pub const IDENTITY: Self = Self { position: [0.0; 3], quaternion: [0.0, 0.0, 0.0, 1.0] };

    /// Shifted, not turned.
    pub const fn at(position: [f64; 3]) -> Self {
        Self { position, quaternion: [0.0, 0.0, 0.0, 1.0] }
    }

    pub(super) fn is_finite(&self) -> bool {
        let length: f64 = self.quaternion.iter().map(|q| q * q).sum();
        self.position.iter().all(|x| x.is_finite()) && length.is_finite() && length > 0.0
    }

    /// The turn as a matrix: v ↦ v + 2w(q×v) + 2q×(q×v), written out for a quaternion of any length.
    pub(super) fn rotation(&self) -> DMat3 {
        let [x, y, z, w] = self.quaternion;
        let s = 2.0 / (x * x + y * y + z * z + w * w);
        DMat3::from_cols(
            DVec3::new(1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
            DVec3::new(s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)),
            DVec3::new(s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)),
        )
    }
}
