//! The verdict on a mesh: everything that keeps it from bounding a solid, with count and place.
//!
//! Topology is judged by position: vertices at bit-equal positions count as one, so a mesh that repeats
//! its vertices per face may still be closed. All geometric questions are answered by exact predicates;
//! only the sign and the smallness of a shell's volume are floating-point sums.

mod judge;
mod shells;
#[cfg(test)]
mod tests;
mod text;

use glam::DVec3;

use super::TriMesh;

/// How far a verdict looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictOptions {
    /// Pairs of triangles with overlapping boxes to test for intersection, beyond the 64 per triangle
    /// that are always granted. A sound mesh needs 5 to 20 per triangle.
    pub max_pairs_tested: u64,
    /// Intersecting pairs after which the search stops and the count is a lower bound.
    pub max_pairs_found: u64,
    /// Places kept per complaint.
    pub max_places: usize,
}

impl Default for VerdictOptions {
    fn default() -> Self {
        Self { max_pairs_tested: 10_000_000, max_pairs_found: 100_000, max_places: 8 }
    }
}

/// How often something was found, and where first.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<Place> {
    /// How often.
    pub count: u64,
    /// The first few places.
    pub places: Vec<Place>,
}

impl<Place> Finding<Place> {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    const fn none() -> Self {
        Self { count: 0, places: Vec::new() }
    }

    fn add(&mut self, max_places: usize, place: impl FnOnce() -> Place) {
        self.count += 1;
        if self.places.len() < max_places {
            self.places.push(place());
        }
    }
}

/// An edge of the mesh. Indices of vertices, triangles and shells count from 0 in all places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgePlace {
    /// Its vertices, each the lowest index at its position.
    pub vertices: [u32; 2],
    /// Their positions `[m]`.
    pub positions: [DVec3; 2],
    /// The first triangle that uses it.
    pub triangle: u32,
}

/// A vertex of the mesh, by an index that counts from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexPlace {
    /// Its index.
    pub vertex: u32,
    /// Its position `[m]`.
    pub position: DVec3,
}

/// A triangle of the mesh, by an index that counts from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePlace {
    /// Its index.
    pub triangle: u32,
    /// Its centroid `[m]`.
    pub position: DVec3,
}

/// Two triangles of the mesh, by indices that count from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePairPlace {
    /// Their indices, the lower first.
    pub triangles: [u32; 2],
    /// The midpoint of the overlap of their boxes `[m]`.
    pub position: DVec3,
}

/// A shell: triangles connected through edges. Indices count from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellPlace {
    /// Index of the shell; shells are ordered by first triangle.
    pub shell: u32,
    /// Its first triangle.
    pub triangle: u32,
    /// How many triangles it has.
    pub n_triangles: u32,
    /// The volume it bounds as it is wound `[m³]`.
    pub volume: f64,
    /// In how many other shells it lies.
    pub depth: u32,
    /// A vertex of it `[m]`.
    pub position: DVec3,
}

/// What is right and wrong with a mesh as the surface of a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshVerdict {
    /// Vertices of the mesh.
    pub n_vertices: usize,
    /// Triangles of the mesh.
    pub n_triangles: usize,
    /// Shells: sets of triangles connected through edges.
    pub n_shells: usize,
    /// Shells that lie inside an odd number of others and so bound a cavity. Counted, like
    /// `n_outer_shells`, among those whose nesting is judged.
    pub n_cavities: usize,
    /// Shells that lie inside no other or an even number of them and so bound a body from outside.
    pub n_outer_shells: usize,
    /// Welded vertices in use minus edges plus faces, faces folded to a line left out.
    pub euler_characteristic: i64,
    /// Sum over the shells of the number of tunnels; `None` unless closed, consistent and manifold.
    pub genus: Option<u64>,
    /// Edges with one triangle.
    pub open_edges: Finding<EdgePlace>,
    /// Edges with two triangles that run along it in the same direction.
    pub inconsistent_edges: Finding<EdgePlace>,
    /// Edges with more than two triangles.
    pub nonmanifold_edges: Finding<EdgePlace>,
    /// Vertices in which separate fans of triangles meet.
    pub nonmanifold_vertices: Finding<VertexPlace>,
    /// Faces with exactly collinear corners, and those that name a position twice.
    pub zero_area_faces: Finding<FacePlace>,
    /// Pairs of faces with the same three positions, wound either way.
    pub duplicate_faces: Finding<FacePairPlace>,
    /// Pairs of triangles that share more than their common corners, faces without area left out.
    pub self_intersections: Finding<FacePairPlace>,
    /// Whether the search for intersections came to its end; otherwise `self_intersections` is a lower
    /// bound.
    pub search_is_complete: bool,
    /// Whether the search for which shell lies in which came to its end. It is begun only when that for
    /// intersections did.
    pub nesting_is_settled: bool,
    /// Shells that must be turned the other way: outermost ones wound inward, and those in them where the
    /// whole nest is wound the wrong way. Judged, like the next two, only where a shell is closed, takes
    /// part in no intersection and lies in no shell that is open or does.
    pub inside_out_shells: Finding<ShellPlace>,
    /// Shells in others whose winding does not suit their place: a cavity wound outward or a second body
    /// in the first, which only the author can tell.
    pub nested_shells: Finding<ShellPlace>,
    /// Closed shells without volume.
    pub flat_shells: Finding<ShellPlace>,
    /// Vertices that repeat the position of an earlier one (a note).
    pub duplicate_vertices: Finding<VertexPlace>,
    /// Vertices that no triangle names (a note).
    pub unused_vertices: Finding<VertexPlace>,
    /// Thin faces that are not quite collinear (a note).
    pub slivers: Finding<FacePlace>,
}

impl MeshVerdict {
    /// Judges a mesh with the default limits.
    pub fn new(mesh: &TriMesh) -> Self {
        Self::with_options(mesh, &VerdictOptions::default())
    }

    /// Judges a mesh.
    pub fn with_options(mesh: &TriMesh, options: &VerdictOptions) -> Self {
        judge(mesh, options).verdict
    }

    /// Whether every edge has two triangles that run along it in opposite directions.
    pub fn is_closed(&self) -> bool {
        self.open_edges.is_empty()
            && self.inconsistent_edges.is_empty()
            && self.nonmanifold_edges.is_empty()
            && self.n_shells > 0
    }

    /// Whether the mesh bounds a solid: closed, manifold, free of self-intersection and of faces without
    /// area, right side out. Notes do not count.
    pub fn is_solid(&self) -> bool {
        self.is_closed()
            && self.nonmanifold_vertices.is_empty()
            && self.zero_area_faces.is_empty()
            && self.duplicate_faces.is_empty()
            && self.self_intersections.is_empty()
            && self.search_is_complete
            && self.nesting_is_settled
            && self.inside_out_shells.is_empty()
            && self.nested_shells.is_empty()
            && self.flat_shells.is_empty()
    }
}

pub(crate) use judge::{Judgement, judge};
pub use text::{Complaint, Severity};
