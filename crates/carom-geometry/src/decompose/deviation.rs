//! The largest value of a distance over many triangles, bounded from both sides.
//!
//! Branch and bound. A distance grows at most as fast as the point moves, so over a triangle it is at most its
//! value at the centroid plus the way from there to the farthest corner. A distance to a *convex* set is itself
//! convex and largest at a corner; the distance to a union or a solid is at most that to a convex part of it.
//! The lesser of the two bounds counts: the second closes the case at once wherever one piece or one
//! face covers the whole triangle. The triangle with the largest bound is divided until that bound is close
//! to the largest value seen. Where it reaches well over the border of the convex part nearest to its
//! middle, it is cut there, because then the part covers what is on its side; where it does not, and after
//! every few cuts, it is quartered, which makes it smaller whatever the parts are.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt::{Display, Formatter};

use glam::DVec3;

use crate::mesh::nesting::is_inside;
use crate::mesh::{Bvh, ClosedMesh, closest_on_triangle};
use crate::tolerances::{DEVIATION_ROUNDING_ULPS, LEAST_CUT};
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
    /// The point of that convex part nearest to a point.
    fn closest_on_part(&self, part: u32, point: DVec3) -> DVec3;
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
    /// The convex part nearest to its centroid.
    part: u32,
    /// Cuts since it was last quartered.
    n_cuts: u8,
}

/// Cuts in a row before a patch is quartered. A flat patch over a flat border needs one per side of a part.
const MAX_CUTS: u8 = 3;

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
        let mut look =
            |corners: [DVec3; 3], n_cuts, open: &mut BinaryHeap<Patch>, peak: &mut Peak| {
                sequence += 1;
                let (upper, part) = bound_over(field, corners, peak);
                let patch = Patch { upper, sequence, corners, part, n_cuts };
                if patch.upper > peak.value + self.gap {
                    open.push(patch);
                } else {
                    settled = settled.max(patch.upper);
                }
            };
        for corners in triangles {
            bounds = corners.iter().fold(bounds, |all, p| all.with_point(*p));
            look(corners, 0, &mut open, &mut peak);
        }
        let mut n_left = self.max_evaluations / 4;
        while n_left > 0 && open.peek().is_some_and(|worst| worst.upper > peak.value + self.gap) {
            n_left -= 1;
            let Some(patch) = open.pop() else { break };
            if patch.n_cuts < MAX_CUTS
                && let Some(pieces) = find_cut(field, &patch)
            {
                for piece in pieces {
                    look(piece, patch.n_cuts + 1, &mut open, &mut peak);
                }
                continue;
            }
            let [a, b, c] = patch.corners;
            let (ab, bc, ca) = (0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a));
            for quarter in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
                look(quarter, 0, &mut open, &mut peak);
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

/// An upper bound over the triangle and the part nearest to its centroid; raises the peak to the value there.
fn bound_over(field: &impl Field, corners: [DVec3; 3], peak: &mut Peak) -> (f64, u32) {
    let centroid = (corners[0] + corners[1] + corners[2]) / 3.0;
    let (value, part) = field.value(centroid);
    if value > peak.value {
        *peak = Peak { value, at: Some(centroid) };
    }
    let radius = corners.iter().map(|p| p.distance(centroid)).fold(0.0, f64::max);
    let by_growth = (value + radius).max(0.0);
    let from_part = |p: &DVec3| field.closest_on_part(part, *p).distance(*p);
    let by_convexity = corners.iter().map(from_part).fold(0.0, f64::max);
    (by_growth.min(by_convexity), part)
}

/// The patch in three, cut where its farthest corner leaves the nearest part; `None` if that would cut off
/// next to nothing.
///
/// The plane through the point of a convex part nearest to a point, across the way there, has the part on
/// one side.
fn find_cut(field: &impl Field, patch: &Patch) -> Option<[[DVec3; 3]; 3]> {
    let way = |p: DVec3| p - field.closest_on_part(patch.part, p);
    let ways = patch.corners.map(way);
    let far =
        (0..3).fold(
            0,
            |far, k| {
                if ways[k].length_squared() > ways[far].length_squared() { k } else { far }
            },
        );
    let normal = ways[far].try_normalize()?;
    let origin = patch.corners[far] - ways[far];
    let heights = patch.corners.map(|p| normal.dot(p - origin));
    let is_above = heights.map(|h| h > 0.0);
    let n_above = is_above.iter().filter(|above| **above).count();
    // The corner that is alone on its side comes first.
    let lone = (0..3).find(|&k| is_above[k] == (n_above == 1))?;
    let [k, l, m] = [lone, (lone + 1) % 3, (lone + 2) % 3];
    let share = |to: usize| heights[k] / (heights[k] - heights[to]);
    let useful = LEAST_CUT..=1.0 - LEAST_CUT;
    if !useful.contains(&share(l)) && !useful.contains(&share(m)) {
        return None;
    }
    let [a, b, c] = [k, l, m].map(|k| patch.corners[k]);
    let (ab, ac) = (a + share(l) * (b - a), a + share(m) * (c - a));
    Some([[a, ab, ac], [ab, b, ac], [ac, b, c]])
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
        Self { pieces: pieces.iter().map(Piece::new).collect(), tree }
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
        let measure = |piece: u32| self.closest_on_part(piece, point).distance_squared(point);
        let nearest = self.tree.find_nearest(point, f64::INFINITY, measure);
        nearest.map_or((f64::INFINITY, 0), |(piece, squared)| (squared.sqrt(), piece))
    }

    fn closest_on_part(&self, part: u32, point: DVec3) -> DVec3 {
        self.pieces[part as usize].closest(point)
    }
}

/// A convex piece by its surface.
pub(super) struct Piece<'a> {
    mesh: &'a TriMesh,
    tree: Bvh,
}

impl<'a> Piece<'a> {
    pub(super) fn new(mesh: &'a TriMesh) -> Self {
        Self { mesh, tree: Bvh::of_triangles(mesh) }
    }

    /// Distance of a point from it, zero inside `[m]`.
    pub(super) fn distance(&self, point: DVec3) -> f64 {
        self.closest(point).distance(point)
    }

    /// The point itself inside. The side is told by a ray, not by the planes of the faces: hulls have
    /// slivers, whose planes point anywhere.
    fn closest(&self, point: DVec3) -> DVec3 {
        if self.tree.bounds().contains(point) && is_inside(self.mesh, &self.tree, point) {
            return point;
        }
        let measure = |triangle: u32| {
            let corners = self.mesh.corners(triangle as usize);
            closest_on_triangle(corners, point).0.distance_squared(point)
        };
        // Nothing is found only if every distance overflows; then any triangle is as good.
        let nearest = self.tree.find_nearest(point, f64::INFINITY, measure);
        let triangle = nearest.map_or(0, |(triangle, _)| triangle);
        closest_on_triangle(self.mesh.corners(triangle as usize), point).0
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

    fn closest_on_part(&self, part: u32, point: DVec3) -> DVec3 {
        closest_on_triangle(self.solid.mesh().corners(part as usize), point).0
    }
}
