//! A convex surface that grows by one point at a time, every decision an exact sign.
//!
//! A new point removes the facets it lies above *or on* and joins their horizon to itself. Counting "on" as above is
//! the same as moving the point outwards by a trifle, so the removed facets always form one disc; and an edge of
//! the horizon borders a facet that the point is strictly below, so the point is not on the edge's line and no
//! new facet is without area.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use glam::DVec3;

use super::polytope::unit_normal;
use crate::predicates::side_of_plane;

/// A point a − b of the difference of two solids, and the vertices it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) point: DVec3,
    pub(super) vertices: [u32; 2],
}

/// A triangle of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    pub(super) corners: [u32; 3],
    /// Outward and unit; zero where rounding leaves no direction.
    pub(super) normal: DVec3,
    /// Height of its plane over the origin along the normal.
    pub(super) offset: f64,
    /// Facet across the edge from corner i to corner i + 1.
    neighbors: [u32; 3],
    /// The point that last looked at it; what looked and saw it removed it.
    seen_by: u32,
    pub(super) alive: bool,
}

/// A facet in the queue: the lowest offset first, then the lowest number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ranked {
    offset: f64,
    facet: u32,
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.offset.total_cmp(&other.offset).then(self.facet.cmp(&other.facet))
    }
}

/// An edge between a removed facet and one that stays.
#[derive(Clone, Copy, Debug)]
struct HorizonEdge {
    from: u32,
    to: u32,
    beyond: u32,
}

/// The surface, with its storage kept from one use to the next.
#[derive(Debug, Default)]
pub(super) struct Grown {
    corners: Vec<Corner>,
    facets: Vec<Facet>,
    queue: BinaryHeap<Reverse<Ranked>>,
    pending: Vec<u32>,
    horizon: Vec<HorizonEdge>,
    /// The newest facet whose edge on the horizon starts at each corner.
    cone_from: Vec<u32>,
}

/// No facet yet.
const NONE: u32 = u32::MAX;

impl Grown {
    /// Forgets everything but the storage.
    pub(super) fn clear(&mut self) {
        self.corners.clear();
        self.facets.clear();
        self.queue.clear();
        self.cone_from.clear();
    }

    /// Starts anew from a simplex; false if its corners lie in one plane.
    pub(super) fn restart(&mut self, simplex: [Corner; 4]) -> bool {
        self.clear();
        let [a, b, c, d] = simplex;
        let [b, c] = match side_of_plane([a, b, c].map(|it| it.point), d.point) {
            Ordering::Less => [b, c],
            Ordering::Greater => [c, b],
            Ordering::Equal => return false,
        };
        for corner in [a, b, c, d] {
            self.push_corner(corner);
        }
        // Across a → b of (a, b, c) lies (b, a, d), and so on.
        self.push_facet([0, 1, 2], [1, 2, 3]);
        self.push_facet([1, 0, 3], [0, 3, 2]);
        self.push_facet([2, 1, 3], [0, 1, 3]);
        self.push_facet([0, 2, 3], [0, 2, 1]);
        true
    }

    /// The facet with the lowest offset.
    pub(super) fn lowest(&mut self) -> Option<u32> {
        while let Some(Reverse(top)) = self.queue.peek() {
            if self.facets[top.facet as usize].alive {
                return Some(top.facet);
            }
            self.queue.pop();
        }
        None
    }

    pub(super) fn facet(&self, facet: u32) -> &Facet {
        &self.facets[facet as usize]
    }

    /// All facets, the removed ones too.
    pub(super) fn facets(&self) -> &[Facet] {
        &self.facets
    }

    pub(super) fn corners_of(&self, facet: u32) -> [Corner; 3] {
        self.facets[facet as usize].corners.map(|corner| self.corners[corner as usize])
    }

    /// Adds a point if it lies strictly above the facet; says whether it did.
    pub(super) fn add(&mut self, above: u32, corner: Corner) -> bool {
        if !self.sees(corner.point, above, Ordering::Greater) {
            return false;
        }
        let apex = self.push_corner(corner);
        self.remove_seen(above, apex);
        let first = self.facets.len() as u32;
        for index in 0..self.horizon.len() {
            let HorizonEdge { from, to, beyond } = self.horizon[index];
            let facet = self.push_facet([from, to, apex], [beyond, NONE, NONE]);
            self.cone_from[from as usize] = facet;
            let across = &mut self.facets[beyond as usize];
            for side in 0..3 {
                if across.corners[side] == to {
                    across.neighbors[side] = facet;
                }
            }
        }
        for facet in first..self.facets.len() as u32 {
            let to = self.facets[facet as usize].corners[1];
            let following = self.cone_from[to as usize];
            self.facets[facet as usize].neighbors[1] = following;
            self.facets[following as usize].neighbors[2] = facet;
        }
        true
    }

    /// Removes all facets that the apex does not lie strictly below of, and lists the horizon.
    fn remove_seen(&mut self, first: u32, apex: u32) {
        let point = self.corners[apex as usize].point;
        self.pending.clear();
        self.horizon.clear();
        self.facets[first as usize].seen_by = apex;
        self.facets[first as usize].alive = false;
        self.pending.push(first);
        while let Some(facet) = self.pending.pop() {
            let Facet { corners, neighbors, .. } = self.facets[facet as usize];
            for side in 0..3 {
                let next = neighbors[side];
                if self.facets[next as usize].seen_by != apex {
                    self.facets[next as usize].seen_by = apex;
                    if !self.sees(point, next, Ordering::Less) {
                        self.facets[next as usize].alive = false;
                        self.pending.push(next);
                    }
                }
                if self.facets[next as usize].alive {
                    let (from, to) = (corners[side], corners[(side + 1) % 3]);
                    self.horizon.push(HorizonEdge { from, to, beyond: next });
                }
            }
        }
    }

    fn sees(&self, point: DVec3, facet: u32, side: Ordering) -> bool {
        let plane = self.corners_of(facet).map(|corner| corner.point);
        side_of_plane(plane, point) == side
    }

    fn push_corner(&mut self, corner: Corner) -> u32 {
        self.corners.push(corner);
        self.cone_from.push(NONE);
        self.corners.len() as u32 - 1
    }

    fn push_facet(&mut self, corners: [u32; 3], neighbors: [u32; 3]) -> u32 {
        let index = self.facets.len() as u32;
        let points = corners.map(|corner| self.corners[corner as usize].point);
        let normal = unit_normal(points);
        let offset = normal.dot(points[0]);
        self.facets.push(Facet { corners, normal, offset, neighbors, seen_by: NONE, alive: true });
        self.queue.push(Reverse(Ranked { offset, facet: index }));
        index
    }
}
