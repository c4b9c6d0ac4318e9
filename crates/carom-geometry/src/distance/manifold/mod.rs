//! All points at which two solids are nearly as close as where they are closest.
//!
//! Seen along the normal n, the lowest part of A lies over the highest part of B. Each is a patch of flat faces, so the
//! gap along n is linear over every piece of their overlay, and its least values are at the overlay's corners:
//!
//! - a vertex of A over a face of B, a vertex of B under a face of A,
//! - an edge of A crossing an edge of B.
//!
//! Two faces give the corners of their common polygon, parallel edges the two ends of what they share, a vertex or
//! two crossing edges themselves (Baraff 1992, section "contact points"). Keeping the gap open at these points
//! keeps it open over the whole patch.
//!
//! Patches reach as deep into a solid, along n, as gaps may exceed the least one: where the gap does not, neither
//! solid is farther than that from its own extreme. Curved solids stand on polygons inscribed in their rims and on
//! the ends of their straight lines; where they have neither, the closest point is all there is.

mod curved;
mod patch;

use glam::DVec3;

use super::polyhedra::Flat;
use super::{Closest, Convex, Feature};
use crate::Pose;
use crate::tolerances::{MERGED, PARALLEL_IN_PLAN, PROOF_ULPS};
use patch::{Patch, PatchEdge, Placed};

/// A point of A and the point of B below it along the normal, in the frame of A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// On A `[m]`.
    pub point_a: DVec3,
    /// On B `[m]`.
    pub point_b: DVec3,
    /// (point_a − point_b)·n: negative where the solids overlap `[m]`.
    pub gap: f64,
    /// What the points lie on.
    pub features: [Feature; 2],
}

/// The points of a manifold, with storage that is kept from one use to the next.
#[derive(Clone, Debug, Default)]
pub struct Manifold {
    points: Vec<ManifoldPoint>,
    patches: [Patch; 2],
}

impl Manifold {
    /// The points, in no order that means anything, but always the same.
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points
    }
}

/// Finds all points at which the gap along the normal of `closest` exceeds its distance by no more than `reach` `[m]`;
/// at least the closest point itself.
///
/// `closest` must be the answer for these solids at this placement.
pub fn manifold(
    a: &Convex,
    b: &Convex,
    a_from_b: &Pose,
    closest: &Closest,
    reach: f64,
    out: &mut Manifold,
) {
    let Manifold { points, patches: [patch_a, patch_b] } = out;
    points.clear();
    let normal = closest.normal;
    let place_a = Placed { frame: Pose::IDENTITY, outward: -normal, reach };
    let place_b = Placed { frame: *a_from_b, outward: normal, reach };
    fill(patch_a, a, &place_a, closest.features[0]);
    fill(patch_b, b, &place_b, closest.features[1]);
    let size = patch_a.size().min(patch_b.size());
    let scale = patch_a.scale().max(patch_b.scale());
    let rounding = PROOF_ULPS * f64::EPSILON * scale;
    let mut overlay = Overlay {
        points,
        normal,
        widest: closest.distance + reach,
        rounding,
        merged: MERGED * size + rounding,
    };
    overlay.vertices_over(patch_a, patch_b, Side::A);
    overlay.vertices_over(patch_b, patch_a, Side::B);
    overlay.crossings(patch_a, patch_b);
    overlay.shared_lines(patch_a, patch_b);
    overlay.make_sure_of(closest);
}

fn fill(patch: &mut Patch, solid: &Convex, placed: &Placed, feature: Feature) {
    patch.clear();
    match solid {
        Convex::Polyhedron(it) => patch.fill_polytope(it.as_ref(), placed, feature),
        Convex::Triangle(corners) => patch.fill_polytope(&Flat::new(*corners), placed, feature),
        curved => patch.fill_curved(curved, placed),
    }
}

/// Which solid the vertices belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    A,
    B,
}

/// The points found so far, and which ones are wanted.
struct Overlay<'p> {
    points: &'p mut Vec<ManifoldPoint>,
    normal: DVec3,
    widest: f64,
    rounding: f64,
    merged: f64,
}

impl Overlay<'_> {
    /// Vertices of one patch over, or under, the faces of the other.
    fn vertices_over(&mut self, of: &Patch, ground: &Patch, side: Side) {
        for vertex in &of.vertices {
            let Some((height, face)) = ground.height_at(vertex.point, self.rounding) else {
                continue;
            };
            // Heights of the ground are along its own outward direction.
            let foot = vertex.point + height * ground.outward;
            match side {
                Side::A => self.add(vertex.point, foot, [vertex.feature, face]),
                Side::B => self.add(foot, vertex.point, [face, vertex.feature]),
            }
        }
    }

    /// Edges of A that cross edges of B in the plane across the normal.
    fn crossings(&mut self, a: &Patch, b: &Patch) {
        for PatchEdge { start: p, along: u, feature: of_a } in &a.edges {
            for PatchEdge { start: q, along: v, feature: of_b } in &b.edges {
                let between = *q - *p;
                let turn = self.normal.dot(u.cross(*v));
                let size = u.length_squared() * v.length_squared();
                let do_cross = turn * turn > PARALLEL_IN_PLAN * PARALLEL_IN_PLAN * size;
                if !do_cross {
                    continue;
                }
                let s = self.normal.dot(between.cross(*v)) / turn;
                // The foot of the point on A rather than the crossing again: edges that are nearly parallel in plan
                // would put the two beside each other.
                let point_a = *p + s * *u;
                let plan = v.reject_from_normalized(self.normal);
                let t = plan.dot(point_a - *q) / plan.length_squared();
                if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                    self.add(point_a, *q + t * *v, [*of_a, *of_b]);
                }
            }
        }
    }

    /// Ends of what parallel lines share, where neither solid has a face there: two cylinders side by side.
    fn shared_lines(&mut self, a: &Patch, b: &Patch) {
        if !a.has_no_face() || !b.has_no_face() {
            return;
        }
        for line_a in &a.edges {
            for line_b in &b.edges {
                let features = [line_a.feature, line_b.feature];
                for point in [line_a.start, line_a.start + line_a.along] {
                    if let Some(foot) = self.foot_on(line_b, point) {
                        self.add(point, foot, features);
                    }
                }
                for point in [line_b.start, line_b.start + line_b.along] {
                    if let Some(foot) = self.foot_on(line_a, point) {
                        self.add(foot, point, features);
                    }
                }
            }
        }
    }

    /// The point of a line below, or above, another point, if that lies over the line.
    fn foot_on(&self, line: &PatchEdge, point: DVec3) -> Option<DVec3> {
        let plan = line.along.reject_from_normalized(self.normal);
        let share = plan.dot(point - line.start) / plan.length_squared();
        let foot = line.start + share.clamp(0.0, 1.0) * line.along;
        let beside = (point - foot).reject_from_normalized(self.normal).length();
        (beside <= self.merged).then_some(foot)
    }

    /// Puts the closest point in, unless another has as small a gap; heights on steep faces may have lost it.
    fn make_sure_of(&mut self, closest: &Closest) {
        if self.points.iter().any(|point| point.gap <= closest.distance + self.rounding) {
            return;
        }
        let Closest { point_a, point_b, distance: gap, features, .. } = *closest;
        let nearest = ManifoldPoint { point_a, point_b, gap, features };
        match self.points.iter().position(|other| self.is_same_place(point_a, other)) {
            Some(index) => self.points[index] = nearest,
            None => self.points.push(nearest),
        }
    }

    fn is_same_place(&self, point_a: DVec3, other: &ManifoldPoint) -> bool {
        (point_a - other.point_a).reject_from_normalized(self.normal).length() <= self.merged
    }

    /// Keeps a pair of points if it is near enough and nothing stands there yet.
    fn add(&mut self, point_a: DVec3, point_b: DVec3, features: [Feature; 2]) {
        let gap = (point_a - point_b).dot(self.normal);
        let is_near = gap <= self.widest + self.rounding;
        if is_near && !self.points.iter().any(|other| self.is_same_place(point_a, other)) {
            self.points.push(ManifoldPoint { point_a, point_b, gap, features });
        }
    }
}

#[cfg(test)]
mod tests;
