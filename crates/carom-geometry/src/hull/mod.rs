//! Convex hulls on exact predicates.
//!
//! Quickhull (Barber, Dobkin, Huhdanpaa 1996) with the decisions taken exactly: a point sees a facet
//! iff it lies *strictly* outside the facet's plane, and that sign is computed without error
//! ([`ExactPoints`]). From this follow, without any tolerance:
//! - the facets that a point sees form a disk, so the horizon is one simple loop;
//! - no new facet is degenerate: a point collinear with a horizon edge would lie in the planes of both
//!   facets at that edge and would see neither;
//! - when no point is strictly outside any facet, the surface is closed and convex and every input point
//!   is inside or on it.
//!
//! Which outside point is added next, and the order in which facets are made, affect speed only; both
//! are fixed, so the same points always give the same facets.
//!
//! The result is a triangulation. Coplanar triangles are joined into faces afterwards, in
//! [`crate::polyhedron`].

mod simplex;
mod surface;

use std::cmp::Ordering;

use glam::DVec3;
use thiserror::Error;

use crate::precise::triangle_normal;
use crate::predicates::ExactPoints;
use crate::tolerances::FLAT_ULPS;
use surface::Surface;

/// Why points have no solid hull.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum HullError {
    /// Fewer than four points.
    #[error("a convex hull needs at least 4 points, there are {count}")]
    TooFewPoints {
        /// How many there are.
        count: usize,
    },
    /// More points than a 32-bit index can name.
    #[error("{count} points are more than the {limit} that a hull can index")]
    TooManyPoints {
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {point} has the coordinates {position}, which are not finite numbers")]
    NotFinite {
        /// Index of the point.
        point: usize,
        /// Its coordinates.
        position: DVec3,
    },
    /// All points coincide.
    #[error("all points lie at {position}: a convex hull needs points that span a volume")]
    OnePoint {
        /// Where they are.
        position: DVec3,
    },
    /// All points lie on a line.
    #[error("all points lie on one line: a convex hull needs points that span a volume")]
    OneLine,
    /// All points lie in a plane, or so nearly that rounding decides on which side.
    #[error(
        "all points lie within {thickness:e} of one plane, which is rounding error at their size: \
         a convex hull needs points that span a volume"
    )]
    OnePlane {
        /// Extent perpendicular to the plane, in the unit of the points.
        thickness: f64,
    },
}

/// The hull's surface as outward triangles over the input's indices, with neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Triangulation {
    /// Input indices of each triangle's corners, counter-clockwise from outside.
    pub(crate) corners: Vec<[u32; 3]>,
    /// `neighbors[t][i]` is the triangle across the edge from corner i to corner i + 1.
    pub(crate) neighbors: Vec<[u32; 3]>,
    /// The input, scaled for exact predicates.
    pub(crate) exact: ExactPoints,
}

/// The triangulated hull of the points; only those strictly needed to span it are used.
pub(crate) fn triangulated_hull(points: &[DVec3]) -> Result<Triangulation, HullError> {
    let limit = u32::MAX as usize;
    if points.len() > limit {
        return Err(HullError::TooManyPoints { count: points.len(), limit });
    }
    if let Some(point) = points.iter().position(|p| !p.is_finite()) {
        return Err(HullError::NotFinite { point, position: points[point] });
    }
    if points.len() < 4 {
        return Err(HullError::TooFewPoints { count: points.len() });
    }
    let exact = ExactPoints::new(points);
    let start = simplex::initial_simplex(&exact, points)?;
    let mut surface = Surface::tetrahedron(start, &exact);
    surface.distribute_all(&exact);
    while let Some((facet, apex)) = surface.next_outside() {
        surface.add_point(facet, apex, &exact);
    }
    let (corners, neighbors) = surface.into_compact();
    let hull = Triangulation { corners, neighbors, exact };
    hull.refuse_if_flat(points)?;
    Ok(hull)
}

impl Triangulation {
    /// Normal of a triangle, not normalised, in the scaled coordinates of `exact`.
    pub(crate) fn normal(&self, triangle: usize) -> DVec3 {
        triangle_normal(self.corners[triangle].map(|v| self.exact.as_slice()[v as usize]))
    }

    /// Refuses a hull whose width is rounding error: its normals would be noise.
    ///
    /// The width of a convex polyhedron is attained perpendicular to a face or to two edges; flatness at
    /// rounding level always shows at the largest face, so that direction is enough here.
    fn refuse_if_flat(&self, points: &[DVec3]) -> Result<(), HullError> {
        let scaled = self.exact.as_slice();
        let normals = (0..self.corners.len()).map(|t| (t, self.normal(t)));
        let largest = normals.max_by(|(_, m), (_, n)| {
            m.length_squared().partial_cmp(&n.length_squared()).unwrap_or(Ordering::Equal)
        });
        let Some((triangle, Some(normal))) = largest.map(|(t, n)| (t, n.try_normalize())) else {
            return Err(HullError::OneLine);
        };
        let origin = scaled[self.corners[triangle][0] as usize];
        let depth = self.corners.iter().flatten().map(|&v| normal.dot(origin - scaled[v as usize]));
        let thickness = depth.fold(0.0, f64::max);
        if thickness <= FLAT_ULPS * f64::EPSILON {
            let size = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
            return Err(HullError::OnePlane { thickness: thickness * size });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
