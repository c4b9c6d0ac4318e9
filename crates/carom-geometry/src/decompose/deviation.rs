//! The largest value of a distance over many triangles, bounded from both sides.
//!
//! Branch and bound. A distance grows at most as fast as the point moves, so over a triangle it is at most its
//! value at the centroid plus the way from there to the farthest corner. A distance to a *convex* set is itself
//! convex and largest at a corner; the distance to a union or a solid is at most that to a convex part of it.
//! The lesser of the two bounds counts: the second closes the case at once wherever one piece or one
//! face covers the whole triangle. The triangle with the largest bound is quartered until that bound is
//! close to the largest value seen.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt::{Display, Formatter};

use glam::DVec3;

use crate::mesh::nesting::is_inside;
use crate::mesh::{Bvh, ClosedMesh, closest_on_triangle};
use crate::tolerances::DEVIATION_ROUNDING_ULPS;
use crate::{Aabb, TriMesh};

/// A length known to lie between two others `[m]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// It is at least this, up to rounding: found at a point.
    pub lower: f64,
    /// It is at most this, rounding included.
    pub upper: f64,
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3e} m (at least {:.3e} m)", self.upper, self.lower)
    }
}

/// Allowance for rounding in distances between points of this box `[m]`.
pub(super) fn rounding(bounds: &Aabb) -> f64 {
    DEVIATION_ROUNDING_ULPS * f64::EPSILON * bounds.min.abs().max(bounds.max.abs()).max_element()
}

/// A distance from a set, negative inside where that is known.
pub(super) trait Field {
    /// The distance of a point and the convex part of the set nearest to it.
    fn value(&self, point: DVec3) -> (f64, u32);
    /// The distance of a point from that convex part; never negative.
    fn distance_to_part(&self, part: u32, point: DVec3) -> f64;
}

/// How far to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Bounds this close are close enough `[m]`.
    pub(super) gap: f64,
    /// Evaluations beyond one per triangle.
    pub(super) max_evaluations: u64,
}

/// A triangle and an upper bound on the field over it; ordered by bound, earlier ones first.
struct Patch {
    upper: f64,
    sequence: u64,
    corners: [DVec3; 3],
}

impl Search {
    /// Bounds the largest value of the field over the triangles.
    pub(super) fn largest(
        &self,
        triangles: impl Iterator<Item = [DVec3; 3]>,
        field: &impl Field,
    ) -> Bound {
        self.find_largest(triangles, field).0
    }

    /// As [`Self::largest`], with the point at which the lower bound was found, if it is not zero.
    pub(super) fn find_largest(
        &self,
        triangles: impl Iterator<Item = [DVec3; 3]>,
        field: &impl Field,
    ) -> (Bound, Option<DVec3>) {
        let mut bounds = Aabb::EMPTY;
        let mut peak = Peak { value: 0.0, at: None };
        let mut settled = 0.0_f64;
        let mut sequence = 0;
        let mut open = BinaryHeap::new();
        let mut look = |corners: [DVec3; 3], open: &mut BinaryHeap<Patch>, peak: &mut Peak| {
            sequence += 1;
            let patch = Patch { upper: bound_over(field, corners, peak), sequence, corners };
            if patch.upper > peak.value + self.gap {
                open.push(patch);
            } else {
                settled = settled.max(patch.upper);
            }
        };
        for corners in triangles {
            bounds = corners.iter().fold(bounds, |all, p| all.with_point(*p));
            look(corners, &mut open, &mut peak);
        }
        let mut n_left = self.max_evaluations / 4;
        while n_left > 0 && open.peek().is_some_and(|worst| worst.upper > peak.value + self.gap) {
            n_left -= 1;
            let Some(Patch { corners: [a, b, c], .. }) = open.pop() else { break };
            let (ab, bc, ca) = (0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a));
            for quarter in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
                look(quarter, &mut open, &mut peak);
            }
        }
        let worst = open.peek().map_or(0.0, |patch| patch.upper);
        let upper = worst.max(settled).max(peak.value) + rounding(&bounds);
        (Bound { lower: peak.value, upper }, peak.at)
    }
}

/// The largest value seen, and where.
struct Peak {
    value: f64,
    at: Option<DVec3>,
}

/// An upper bound over the triangle; raises the peak to the value at its centroid.
fn bound_over(field: &impl Field, corners: [DVec3; 3], peak: &mut Peak) -> f64 {
    let centroid = (corners[0] + corners[1] + corners[2]) / 3.0;
    let (value, part) = field.value(centroid);
    if value > peak.value {
        *peak = Peak { value, at: Some(centroid) };
    }
    let radius = corners.iter().map(|p| p.distance(centroid)).fold(0.0, f64::max);
    let by_growth = (value + radius).max(0.0);
    let by_convexity = corners.iter().map(|p| field.distance_to_part(part, *p)).fold(0.0, f64::max);
    by_growth.min(by_convexity)
}

impl Ord for Patch {
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper.total_cmp(&other.upper).then_with(|| other.sequence.cmp(&self.sequence))
    }
}

impl PartialOrd for Patch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Patch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Patch {}

/// Distance from a union of convex pieces.
pub(super) struct Uncovered<'a> {
    pieces: Vec<Piece<'a>>,
    tree: Bvh,
}

impl<'a> Uncovered<'a> {
    pub(super) fn new(pieces: &'a [TriMesh]) -> Self {
        let tree = Bvh::new(pieces.iter().map(TriMesh::aabb));
        let piece = |mesh: &'a TriMesh| Piece { mesh, tree: Bvh::of_triangles(mesh) };
        Self { pieces: pieces.iter().map(piece).collect(), tree }
    }
}

impl Uncovered<'_> {
    /// The largest distance from the hull of points to a single piece, which is that of a point.
    pub(super) fn largest_at(&self, points: &[DVec3]) -> Bound {
        let lower = points.iter().map(|p| self.value(*p).0).fold(0.0, f64::max);
        Bound { lower, upper: lower + rounding(&Aabb::from_points(points.iter().copied())) }
    }
}

impl Field for Uncovered<'_> {
    fn value(&self, point: DVec3) -> (f64, u32) {
        let measure = |piece: u32| {
            let distance = self.distance_to_part(piece, point);
            distance * distance
        };
        let nearest = self.tree.find_nearest(point, f64::INFINITY, measure);
        nearest.map_or((f64::INFINITY, 0), |(piece, squared)| (squared.sqrt(), piece))
    }

    fn distance_to_part(&self, part: u32, point: DVec3) -> f64 {
        self.pieces[part as usize].distance(point)
    }
}

struct Piece<'a> {
    mesh: &'a TriMesh,
    tree: Bvh,
}

impl Piece<'_> {
    /// Zero inside. The side is told by a ray, not by the planes of the faces: hulls have slivers, whose
    /// planes point anywhere.
    fn distance(&self, point: DVec3) -> f64 {
        if self.tree.bounds().contains(point) && is_inside(self.mesh, &self.tree, point) {
            return 0.0;
        }
        let measure = |triangle: u32| {
            let corners = self.mesh.corners(triangle as usize);
            closest_on_triangle(corners, point).0.distance_squared(point)
        };
        let nearest = self.tree.find_nearest(point, f64::INFINITY, measure);
        nearest.map_or(f64::INFINITY, |(_, squared)| squared.sqrt())
    }
}

/// Distance from a solid; its convex parts are its faces.
pub(super) struct Bulge<'a> {
    pub(super) solid: &'a ClosedMesh,
}

impl Field for Bulge<'_> {
    fn value(&self, point: DVec3) -> (f64, u32) {
        let nearest = self.solid.closest_point(point);
        (self.solid.signed_distance_from(point, &nearest), nearest.triangle)
    }

    fn distance_to_part(&self, part: u32, point: DVec3) -> f64 {
        let corners = self.solid.mesh().corners(part as usize);
        closest_on_triangle(corners, point).0.distance(point)
    }
}
