//! How far two convex solids are from each other, where, and by which features.
//!
//! For a unit vector n and solids with support functions h, the slab between them has the width
//!
//! s(n) = −h_A(−n) − h_B(n),   n from B to A.
//!
//! The signed distance is s* = max over n of s(n): the distance when the solids are apart, minus the depth (the
//! length of the shortest shift that parts them) when they overlap. Every s(n) is a lower bound, hence a proof:
//! an answer with points p_A, p_B and normal n is right to |p_A − p_B| − s(n).
//!
//! Everything is computed in the frame of A, from the placement of B in it, so that far from the origin of the
//! world no more digits are lost than the placement has lost already.

mod convex;
mod curved;
mod epa;
mod gjk;
mod manifold;
mod naming;
pub mod pieces;
mod polyhedra;
mod ray;
mod skeleton;

use glam::DVec3;

pub use convex::Convex;
pub use curved::{Rates, rates, refined};
pub use manifold::{Manifold, ManifoldPoint, manifold};
pub use ray::RayHit;
pub use skeleton::Skeleton;

use crate::Pose;

/// A part of the surface of a convex solid.
///
/// On polyhedra these are their own vertices, edges (named by the half-edge with the smaller index) and faces. Curved
/// solids number their patches:
///
/// | solid | faces | edges | vertices |
/// |---|---|---|---|
/// | ball, ellipsoid, superquadric, half-space | 0 all of it | | |
/// | capsule | 0 side, 1 upper end, 2 lower end | | |
/// | cylinder | 0 side, 1 top, 2 bottom | 0 upper rim, 1 lower rim | |
/// | cone | 0 side, 1 base | 0 rim | 0 apex |
/// | triangle | 0 either side | 0, 1, 2 from the corner of that number | 0, 1, 2 |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// A corner.
    Vertex(u32),
    /// An edge, straight or round.
    Edge(u32),
    /// A face, flat or curved.
    Face(u32),
}

impl std::fmt::Display for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Vertex(index) => write!(f, "vertex {index}"),
            Self::Edge(index) => write!(f, "edge {index}"),
            Self::Face(index) => write!(f, "face {index}"),
        }
    }
}

/// Where two convex solids are nearest, in the frame of A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Distance, or minus the depth where they overlap `[m]`.
    pub distance: f64,
    /// A point of A nearest to B; where they overlap, the deepest one along the normal `[m]`.
    pub point_a: DVec3,
    /// The point of B that belongs to it `[m]`.
    pub point_b: DVec3,
    /// Unit vector from B to A that the slab of width `distance` is perpendicular to.
    pub normal: DVec3,
    /// The features of A and B that the points lie on.
    pub features: [Feature; 2],
}

/// What a query leaves behind for the next one of the same pair; the answer does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Warm {
    /// Nothing is known.
    #[default]
    Cold,
    /// The last answer of this pair.
    Last(Closest),
}

/// The nearest points of two convex solids.
pub fn closest(a: &Convex, b: &Convex, a_from_b: &Pose, warm: &mut Warm) -> Closest {
    let answer = polyhedra::closest(a, b, a_from_b, warm)
        .unwrap_or_else(|| curved::closest(a, b, a_from_b, warm));
    *warm = Warm::Last(answer);
    answer
}

/// Rate of the normal of [`closest`], in the frame of A, as B moves seen from A; see [`rates`].
pub fn normal_rate(
    a: &Convex,
    b: &Convex,
    a_from_b: &Pose,
    closest: &Closest,
    velocity_b: DVec3,
    angular_velocity_b: DVec3,
) -> DVec3 {
    rates(a, b, a_from_b, closest, velocity_b, angular_velocity_b).normal
}
