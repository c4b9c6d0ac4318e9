//! Position and orientation of one frame in another.

use glam::{DMat3, DQuat, DVec3};

/// A rigid placement: `target_from_source` maps source coordinates to target coordinates,
/// x_target = R·x_source + t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Origin of the source frame in target coordinates `[m]`.
    pub translation: DVec3,
    /// Unit quaternion that turns source axes into target axes `[-]`.
    pub rotation: DQuat,
}

impl Pose {
    /// The frames coincide.
    pub const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// A shift without rotation.
    pub const fn from_translation(translation: DVec3) -> Self {
        Self { translation, rotation: DQuat::IDENTITY }
    }

    /// A shift and a turn; `rotation` must be unit to rounding.
    pub const fn new(translation: DVec3, rotation: DQuat) -> Self {
        Self { translation, rotation }
    }

    /// The rotation as a matrix whose columns are the source axes in target coordinates (M A.1).
    pub fn rotation_matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// Maps a point.
    #[inline]
    pub fn point(&self, point_source: DVec3) -> DVec3 {
        self.rotation * point_source + self.translation
    }

    /// Maps a free vector: rotation only.
    #[inline]
    pub fn vector(&self, vector_source: DVec3) -> DVec3 {
        self.rotation * vector_source
    }

    /// Maps a free vector of the target frame back into the source frame.
    #[inline]
    pub fn vector_inverse(&self, vector_target: DVec3) -> DVec3 {
        self.rotation.conjugate() * vector_target
    }

    /// `source_from_target`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { translation: -(rotation * self.translation), rotation }
    }

    /// Chains placements: `a_from_b.then_from(b_from_c)` is `a_from_c`.
    #[must_use]
    pub fn then_from(&self, inner: &Self) -> Self {
        Self {
            translation: self.point(inner.translation),
            rotation: self.rotation * inner.rotation,
        }
    }

    /// True when every number is finite and the quaternion is unit within `tolerance`.
    pub fn is_valid(&self, tolerance: f64) -> bool {
        self.translation.is_finite() && (self.rotation.length_squared() - 1.0).abs() <= tolerance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chaining_with_the_inverse_gives_the_identity() {
        let pose = Pose::new(DVec3::new(1.0, -2.0, 3.0), DQuat::from_xyzw(0.1, -0.7, 0.1, 0.7));
        let back = pose.inverse().then_from(&pose);
        assert!(back.translation.length() < 1e-15 * 8.0, "{back:?}");
        assert!((back.rotation.w.abs() - 1.0).abs() < 1e-15, "{back:?}");
    }

    #[test]
    fn a_chain_maps_points_like_its_links_in_turn() {
        let outer = Pose::new(DVec3::X, DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5));
        let inner = Pose::new(DVec3::Y, DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8));
        let point = DVec3::new(0.3, 0.2, -0.9);
        let gap = outer.then_from(&inner).point(point) - outer.point(inner.point(point));
        assert!(gap.length() < 1e-15, "{gap}");
    }
}
