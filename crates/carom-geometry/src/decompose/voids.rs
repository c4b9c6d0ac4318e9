//! How far the inside of a piece gets from the solid.
//!
//! The surfaces of the pieces do not tell: a hollow solid and its hull have the same outer surface. So every piece
//! is searched inside, in two steps.
//!
//! 1. *Does the surface of the solid enter the piece at all?* Let the piece, shrunk by η on all sides, be free of
//!    it. What is shrunk is convex, hence connected, hence all inside or all outside the solid, and one point
//!    decides. If it is inside, nothing in the piece is farther from the solid than the piece's own surface,
//!    plus η. This settles every exact decomposition, whatever the tolerance.
//! 2. *If it does*, boxes are halved: in a box with centre c and half diagonal r no point is farther from the
//!    solid than d(c) + r, with d negative inside. A box is done when that is within what is allowed or when it
//!    misses the piece, so boxes get as small as the tolerance only next to the surface.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use glam::DVec3;

use super::deviation::{Bound, Piece, rounding};
use crate::mesh::ClosedMesh;
use crate::{Aabb, ConvexPolyhedron, TriMesh};

/// Bounds the largest distance from a point inside the piece to the solid, as tightly as it takes to compare it with
/// `allowed`; and a point that is farther than that, if one was found.
pub(super) fn deepest_void(
    solid: &ClosedMesh,
    piece: &ConvexPolyhedron,
    surface: &TriMesh,
    allowed: f64,
    max_evaluations: u64,
) -> (Bound, Option<DVec3>) {
    let eta = rounding(&surface.aabb());
    let middle = piece.vertices().iter().sum::<DVec3>() / piece.vertices().len() as f64;
    if !surface_enters(solid, piece, &surface.aabb(), eta) && solid.contains(middle) {
        return (Bound { lower: 0.0, upper: eta }, None);
    }
    let mut search = Boxes {
        solid,
        inside: Piece::new(surface),
        allowed,
        open: BinaryHeap::new(),
        settled: 0.0,
        peak: 0.0,
        at: None,
    };
    search.look(surface.aabb());
    for _ in 0..max_evaluations / 2 {
        // A point that is too far is enough to refuse and says where to cut; within a tenth of the worst it
        // says it best.
        if search.peak > allowed && search.worst() < 1.1 * search.peak {
            break;
        }
        let Some(Cell { bounds, .. }) = search.open.pop() else { break };
        for half in halves(&bounds) {
            search.look(half);
        }
    }
    let upper = search.settled.max(search.worst()).max(search.peak) + eta;
    (Bound { lower: search.peak, upper }, search.at.filter(|_| search.peak > allowed))
}

/// The search of step 2.
struct Boxes<'a> {
    solid: &'a ClosedMesh,
    inside: Piece<'a>,
    allowed: f64,
    /// Boxes in doubt.
    open: BinaryHeap<Cell>,
    /// The largest bound over boxes that are done.
    settled: f64,
    /// The largest distance found inside the piece.
    peak: f64,
    at: Option<DVec3>,
}

impl Boxes<'_> {
    fn look(&mut self, bounds: Aabb) {
        let (center, radius) = (bounds.center(), 0.5 * bounds.diagonal());
        let distance = self.solid.signed_distance(center);
        let upper = distance + radius;
        if upper <= self.allowed {
            self.settled = self.settled.max(upper);
            return;
        }
        let from_piece = self.inside.distance(center);
        if from_piece > radius {
            return;
        }
        if from_piece == 0.0 && distance > self.peak {
            (self.peak, self.at) = (distance, Some(center));
        }
        self.open.push(Cell { upper, bounds });
    }

    fn worst(&self) -> f64 {
        self.open.peek().map_or(0.0, |cell| cell.upper)
    }
}

/// Whether a triangle of the solid reaches deeper than `eta` into the piece.
fn surface_enters(solid: &ClosedMesh, piece: &ConvexPolyhedron, around: &Aabb, eta: f64) -> bool {
    let visit = |triangle: u32| {
        let corners = solid.mesh().corners(triangle as usize);
        if reaches_into(corners, solid.face_normals()[triangle as usize], piece, eta) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    solid.tree().visit_overlaps(around, visit).is_break()
}

fn reaches_into(corners: [DVec3; 3], normal: DVec3, piece: &ConvexPolyhedron, eta: f64) -> bool {
    // Most triangles lie in a face of the piece, which is then all on one side of their plane.
    let height = |direction: DVec3| {
        let top = piece.vertices()[piece.support_vertex(direction) as usize];
        direction.dot(top - corners[0])
    };
    if height(normal) <= eta || height(-normal) <= eta {
        return false;
    }
    let mut polygon = corners.to_vec();
    for face in piece.faces() {
        polygon = cut_off(&polygon, face.normal, face.offset - eta);
        if polygon.is_empty() {
            return false;
        }
    }
    true
}

/// The part of a convex polygon with n·x ≤ offset.
fn cut_off(polygon: &[DVec3], normal: DVec3, offset: f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (k, &to) in polygon.iter().enumerate() {
        let from = polygon[(k + polygon.len() - 1) % polygon.len()];
        let (above_from, above_to) = (normal.dot(from) - offset, normal.dot(to) - offset);
        if (above_from > 0.0) != (above_to > 0.0) {
            kept.push(from + (above_from / (above_from - above_to)) * (to - from));
        }
        if above_to <= 0.0 {
            kept.push(to);
        }
    }
    kept
}

fn halves(bounds: &Aabb) -> [Aabb; 2] {
    let sides = bounds.extents();
    let axis = (0..3).fold(0, |long, k| if sides[k] > sides[long] { k } else { long });
    let middle = bounds.center()[axis];
    let (mut low, mut high) = (*bounds, *bounds);
    low.max[axis] = middle;
    high.min[axis] = middle;
    [low, high]
}

/// A box in doubt, ordered by its bound, then by place so that the order is total.
struct Cell {
    upper: f64,
    bounds: Aabb,
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        let (here, there) = (self.bounds.min, other.bounds.min);
        self.upper
            .total_cmp(&other.upper)
            .then_with(|| here.x.total_cmp(&there.x))
            .then_with(|| here.y.total_cmp(&there.y))
            .then_with(|| here.z.total_cmp(&there.z))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}
