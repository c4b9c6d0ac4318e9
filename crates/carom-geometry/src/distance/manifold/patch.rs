//! The part of a solid that lies farthest out along a direction, to a given depth.

use glam::DVec3;

use crate::Pose;
use crate::distance::Feature;
use crate::distance::polyhedra::Polytope;
use crate::tolerances::{PROOF_ULPS, STEEP_IN_PLAN};

/// How a patch is looked for, and where it goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// From the solid's frame to the frame of the answer.
    pub(super) frame: Pose,
    /// Unit direction towards the other solid, in the frame of the answer.
    pub(super) outward: DVec3,
    /// Depth behind the farthest point `[m]`.
    pub(super) reach: f64,
}

impl Placed {
    pub(super) fn outward_local(&self) -> DVec3 {
        self.frame.vector_inverse(self.outward)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PatchVertex {
    pub(super) point: DVec3,
    pub(super) feature: Feature,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PatchEdge {
    pub(super) start: DVec3,
    pub(super) along: DVec3,
    pub(super) feature: Feature,
}

/// A plane through a point: a face that is seen from outside, or an upright wall around all faces.
#[derive(Clone, Copy, Debug)]
struct PatchPlane {
    point: DVec3,
    normal: DVec3,
    feature: Feature,
}

/// Vertices, edges and faces, in the frame of the answer.
///
/// A face belongs to it if one of its vertices does. A solid and the space behind the planes of these faces are the
/// same down to the depth of the patch: a way out of the solid would leave it through a face that comes up there,
/// and such a face has a vertex there. So heights need no other faces.
#[derive(Clone, Debug, Default)]
pub(super) struct Patch {
    pub(super) outward: DVec3,
    pub(super) vertices: Vec<PatchVertex>,
    pub(super) edges: Vec<PatchEdge>,
    faces: Vec<PatchPlane>,
    walls: Vec<PatchPlane>,
    is_endless: bool,
    /// Vertices still to be looked at, and what has been seen of vertices and faces.
    pending: Vec<u32>,
    seen_vertices: Vec<bool>,
    seen_faces: Vec<bool>,
}

impl Patch {
    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.edges.clear();
        self.faces.clear();
        self.walls.clear();
        self.seen_vertices.clear();
        self.seen_faces.clear();
        self.is_endless = false;
    }

    /// How far its vertices are from each other, about; infinite for a half-space.
    pub(super) fn size(&self) -> f64 {
        let Some(first) = self.vertices.first() else {
            return if self.is_endless { f64::INFINITY } else { 0.0 };
        };
        self.vertices.iter().fold(0.0, |size, v| first.point.distance(v.point).max(size))
    }

    /// Largest absolute coordinate.
    pub(super) fn scale(&self) -> f64 {
        let vertices = self.vertices.iter().map(|v| v.point);
        let faces = self.faces.iter().map(|face| face.point);
        vertices.chain(faces).fold(0.0, |scale, point| point.abs().max_element().max(scale))
    }

    /// How far along the outward direction the surface lies from a point, and its face there; none beside the patch.
    pub(super) fn height_at(&self, point: DVec3, rounding: f64) -> Option<(f64, Feature)> {
        let is_inside = |wall: &PatchPlane| wall.normal.dot(point - wall.point) <= rounding;
        if !self.walls.iter().all(is_inside) {
            return None;
        }
        let height =
            |face: &PatchPlane| face.normal.dot(face.point - point) / face.normal.dot(self.outward);
        let mut lowest: Option<(f64, Feature)> = None;
        for face in &self.faces {
            let here = height(face);
            if lowest.is_none_or(|(other, _)| here < other) {
                lowest = Some((here, face.feature));
            }
        }
        lowest
    }

    /// True when it is a line or a point.
    pub(super) fn has_no_face(&self) -> bool {
        self.faces.is_empty()
    }

    pub(super) fn push_vertex(&mut self, point: DVec3, feature: Feature) {
        self.vertices.push(PatchVertex { point, feature });
    }

    pub(super) fn push_edge(&mut self, start: DVec3, end: DVec3, feature: Feature) {
        self.edges.push(PatchEdge { start, along: end - start, feature });
    }

    pub(super) fn push_face(&mut self, point: DVec3, normal: DVec3, feature: Feature) {
        self.faces.push(PatchPlane { point, normal, feature });
    }

    /// A wall through an edge, outside of which `inside` does not lie.
    pub(super) fn push_wall(&mut self, point: DVec3, along: DVec3, inside: DVec3) {
        let Some(normal) = along.cross(self.outward).try_normalize() else { return };
        let normal = if normal.dot(inside) > 0.0 { -normal } else { normal };
        self.walls.push(PatchPlane { point, normal, feature: Feature::Face(0) });
    }

    /// A face without end.
    pub(super) fn fill_endless(&mut self, point: DVec3, normal: DVec3) {
        self.outward = normal;
        self.is_endless = true;
        self.push_face(point, normal, Feature::Face(0));
    }

    /// The patch of a polytope, gathered from its farthest vertex over edges.
    pub(super) fn fill_polytope<P: Polytope>(
        &mut self,
        solid: &P,
        placed: &Placed,
        feature: Feature,
    ) {
        self.outward = placed.outward;
        let outward = placed.outward_local();
        let from = solid.found(feature).map_or(0, |feature| solid.vertex_of(feature));
        let top = solid.climbed(from, outward);
        let peak = solid.position(top);
        let depth = placed.reach + PROOF_ULPS * f64::EPSILON * solid.reach();
        let is_near = |vertex: u32| outward.dot(peak - solid.position(vertex)) <= depth;
        mark(&mut self.seen_vertices, top);
        self.pending.clear();
        self.pending.push(top);
        while let Some(vertex) = self.pending.pop() {
            let point = placed.frame.point(solid.position(vertex));
            self.push_vertex(point, Feature::Vertex(vertex));
            for spoke in solid.spokes(vertex) {
                let is_near_too = is_near(spoke.head);
                if is_near_too && mark(&mut self.seen_vertices, spoke.head) {
                    self.pending.push(spoke.head);
                }
                if !is_near_too || vertex < spoke.head {
                    self.add_edge(solid, placed, outward, spoke.half_edge);
                }
                let face = solid.half_edge(spoke.half_edge).face;
                let normal = solid.normal(face);
                if mark(&mut self.seen_faces, face) && normal.dot(outward) > STEEP_IN_PLAN {
                    self.push_face(
                        point,
                        placed.frame.vector(normal),
                        solid.named(Feature::Face(face)),
                    );
                }
            }
        }
    }

    /// An edge unless both its faces look away; a wall too where one of them does not look this way.
    fn add_edge<P: Polytope>(
        &mut self,
        solid: &P,
        placed: &Placed,
        outward: DVec3,
        half_edge: u32,
    ) {
        let facing = solid.sides(half_edge).map(|face| solid.normal(face).dot(outward));
        if facing.iter().all(|along| *along < -STEEP_IN_PLAN) {
            return;
        }
        let (start, along) = solid.segment(half_edge);
        let (start, along) = (placed.frame.point(start), placed.frame.vector(along));
        self.edges.push(PatchEdge { start, along, feature: solid.named(Feature::Edge(half_edge)) });
        let [left, right] = facing.map(|along| along > STEEP_IN_PLAN);
        if left != right {
            // Inside lies the face that looks this way: to the left of its own half-edge.
            let side = placed.outward.cross(along);
            self.push_wall(start, along, if left { side } else { -side });
        }
    }
}

/// Notes that something was seen; true the first time.
fn mark(seen: &mut Vec<bool>, index: u32) -> bool {
    let index = index as usize;
    if seen.len() <= index {
        seen.resize(index + 1, false);
    }
    !std::mem::replace(&mut seen[index], true)
}
