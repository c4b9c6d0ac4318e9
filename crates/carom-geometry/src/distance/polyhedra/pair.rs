//! Two polytopes, and the way from the frame of one to that of the other.

use glam::{DMat3, DVec3};

use super::polytope::Polytope;
use crate::Pose;
use crate::distance::Feature;
use crate::tolerances::{PROOF_ULPS, TOUCH_ULPS};

/// x ↦ R·(x − before) + after.
///
/// The inverse of x ↦ R·x + t subtracts first, so that near bodies far from the origin lose nothing twice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    rotation: DMat3,
    before: DVec3,
    after: DVec3,
}

impl Frame {
    #[inline]
    pub(super) fn point(&self, point: DVec3) -> DVec3 {
        self.rotation * (point - self.before) + self.after
    }

    #[inline]
    pub(super) fn vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * vector
    }
}

/// Two polytopes seen from the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'s, N, F> {
    pub(super) near: &'s N,
    pub(super) far: &'s F,
    pub(super) near_from_far: Frame,
    pub(super) far_from_near: Frame,
}

impl<N: Polytope, F: Polytope> Pair<'_, N, F> {
    /// A vertex of the far one in the frame of the near one.
    #[inline]
    pub(super) fn far_position(&self, vertex: u32) -> DVec3 {
        self.near_from_far.point(self.far.position(vertex))
    }

    /// An edge of the far one in the frame of the near one.
    #[inline]
    pub(super) fn far_segment(&self, half_edge: u32) -> (DVec3, DVec3) {
        let (start, along) = self.far.segment(half_edge);
        (self.near_from_far.point(start), self.near_from_far.vector(along))
    }
}

/// A distance query: the pair in both orders, and how much rounding is to be expected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query<'s, A, B> {
    /// A is near: the frame of the answer.
    pub(super) ab: Pair<'s, A, B>,
    pub(super) ba: Pair<'s, B, A>,
    /// Distance up to which solids on the wrong side of each other still count as touching `[m]`.
    pub(super) touch: f64,
    /// Gap between an answer and its proof that is put down to rounding `[m]`.
    pub(super) proof: f64,
}

impl<'s, A: Polytope, B: Polytope> Query<'s, A, B> {
    #[inline]
    pub(super) fn new(a: &'s A, b: &'s B, a_from_b: &Pose) -> Self {
        let rotation = a_from_b.rotation_matrix();
        let shift = a_from_b.translation;
        let out = Frame { rotation, before: DVec3::ZERO, after: shift };
        let back = Frame { rotation: rotation.transpose(), before: shift, after: DVec3::ZERO };
        let ulp = f64::EPSILON * (a.reach().max(b.reach()) + shift.abs().max_element());
        Self {
            ab: Pair { near: a, far: b, near_from_far: out, far_from_near: back },
            ba: Pair { near: b, far: a, near_from_far: back, far_from_near: out },
            touch: TOUCH_ULPS * ulp,
            proof: PROOF_ULPS * ulp,
        }
    }

    /// A vertex of each feature.
    #[inline]
    pub(super) fn vertices_of(&self, [a, b]: [Feature; 2]) -> [u32; 2] {
        [self.ab.near.vertex_of(a), self.ab.far.vertex_of(b)]
    }

    /// Vertices that face each other along the line between the middles: where to start when nothing is known.
    pub(super) fn facing_vertices(&self) -> [Feature; 2] {
        let Pair { near: a, far: b, near_from_far, far_from_near } = &self.ab;
        let direction = near_from_far.point(b.middle()) - a.middle();
        let back = far_from_near.vector(-direction);
        let vertex_a = a.climbed(a.base(direction), direction);
        let vertex_b = b.climbed(b.base(back), back);
        [Feature::Vertex(vertex_a), Feature::Vertex(vertex_b)]
    }
}
