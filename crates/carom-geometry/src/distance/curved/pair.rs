//! Two stripped solids in the frame of A.

use glam::{DMat3, DVec3};

use super::core::Stripped;
use super::project::{Foot, project};
use crate::Pose;
use crate::distance::Feature;
use crate::distance::gjk::Difference;
use crate::tolerances::{CERTIFIED, CERTIFIED_ULPS};

/// Two cores and where the second lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) a: Stripped<'a>,
    pub(super) b: Stripped<'a>,
    /// Columns are the axes of B in the frame of A.
    pub(super) rotation: DMat3,
    /// Origin of B in the frame of A `[m]`.
    pub(super) translation: DVec3,
}

/// A foot on each of two solids; all in the frame of A but `b`, which is in that of B.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feet {
    pub(super) a: Foot,
    pub(super) b: Foot,
    /// Point of B.
    pub(super) point_b: DVec3,
    /// Mean of B's outward normal and A's inward one: the unit vector from B to A.
    pub(super) normal: DVec3,
    /// n_A + n_B, zero for the nearest points.
    pub(super) tilt: DVec3,
    /// Part of p_A − p_B across the normal, zero for the nearest points `[m]`.
    pub(super) slip: DVec3,
    /// Part of p_A − p_B along the normal: the signed distance once the others vanish `[m]`.
    pub(super) width: f64,
}

impl<'a> Pair<'a> {
    pub(super) fn new(a: Stripped<'a>, b: Stripped<'a>, a_from_b: &Pose) -> Self {
        let rotation = a_from_b.rotation_matrix();
        Self { a, b, rotation, translation: a_from_b.translation }
    }

    /// The larger of the two sizes `[m]`.
    pub(super) fn size(&self) -> f64 {
        self.a.size.max(self.b.size)
    }

    /// The smaller of the two sizes, which makes positions pure numbers `[m]`.
    pub(super) fn scale(&self) -> f64 {
        self.a.size.min(self.b.size)
    }

    /// Rounding of coordinates, as a multiple of ε `[m]`.
    pub(super) fn ulps(&self, count: f64) -> f64 {
        count * f64::EPSILON * (self.a.reach + self.b.reach + self.translation.length())
    }

    /// How far the bounds on a distance may be apart `[m]`.
    pub(super) fn tolerance(&self) -> f64 {
        CERTIFIED * self.size() + self.ulps(CERTIFIED_ULPS)
    }

    /// From the middle of B to the middle of A.
    pub(super) fn between_middles(&self) -> DVec3 {
        self.a.middle - self.in_a(self.b.middle)
    }

    /// A point of B, in the frame of A.
    pub(super) fn in_a(&self, point_b: DVec3) -> DVec3 {
        self.rotation * point_b + self.translation
    }

    /// A point in the frame of B.
    pub(super) fn point_in_b(&self, point: DVec3) -> DVec3 {
        self.direction_b(point - self.translation)
    }

    /// A direction in the frame of B.
    pub(super) fn direction_b(&self, direction: DVec3) -> DVec3 {
        self.rotation.transpose() * direction
    }

    /// Support points of the cores along a direction and against it; `near` remembers the features.
    pub(super) fn support(&self, direction: DVec3, near: &mut [Feature; 2]) -> Difference {
        let (a, feature_a) = self.a.core.support(direction, near[0]);
        let (b, feature_b) = self.b.core.support(self.direction_b(-direction), near[1]);
        *near = [feature_a, feature_b];
        Difference { a, b: self.in_a(b) }
    }

    /// s(n) of the cores, a lower bound on their signed distance; the feet only save time.
    pub(super) fn slab(&self, normal: DVec3, a: &Foot, b: &Foot) -> f64 {
        let high = self.b.core.support_value(self.direction_b(normal), b);
        let low = self.a.core.support_value(-normal, a);
        -low - (high + normal.dot(self.translation))
    }

    /// The feet of `z_a` on A and of `z_b` on B, both given in the frame of A.
    pub(super) fn feet(
        &self,
        z_a: DVec3,
        z_b: DVec3,
        near_a: &Foot,
        near_b: &Foot,
    ) -> Option<Feet> {
        let a = project(&self.a.core, z_a, near_a)?;
        let b = project(&self.b.core, self.point_in_b(z_b), near_b)?;
        let point_b = self.in_a(b.point);
        let normal_b = self.rotation * b.normal;
        let normal = (normal_b - a.normal).try_normalize()?;
        let apart = a.point - point_b;
        let width = normal.dot(apart);
        let tilt = a.normal + normal_b;
        let slip = apart - width * normal;
        Some(Feet { a, b, point_b, normal, tilt, slip, width })
    }
}
