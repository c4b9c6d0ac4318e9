//! Convex polyhedra with full adjacency, as closest-feature tracking walks them.
//!
//! The surface is stored as half-edges. Those of one face lie next to each other in counter-clockwise
//! order seen from outside, so a face is a range; the twin of a half-edge runs the same edge the other
//! way in the neighbouring face; the edges around a vertex follow by twin and next.
//!
//! The solid *is* the convex hull of [`ConvexPolyhedron::vertices`]. A face groups hull triangles that
//! are coplanar to within [`COPLANAR_ULPS`](crate::tolerances::COPLANAR_ULPS); its plane is that of the
//! largest of them, which no point of the hull lies above.

mod adjacency;
mod faces;
mod support;

use glam::DVec3;

use crate::hull::{HullError, triangulated_hull};
use crate::mesh::TriMesh;

/// One directed edge of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfEdge {
    /// Vertex it starts from.
    pub origin: u32,
    /// The same edge, run the other way in the neighbouring face.
    pub twin: u32,
    /// The half-edge that follows it around the face.
    pub next: u32,
    /// The face to its left.
    pub face: u32,
}

/// A half-edge and the vertex it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spoke {
    pub(crate) half_edge: u32,
    pub(crate) head: u32,
}

/// One planar convex face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Outward unit normal n `[-]`.
    pub normal: DVec3,
    /// Offset d of its plane: n·x ≤ d holds inside `[m]`.
    pub offset: f64,
    /// Its first half-edge; the others follow in storage.
    pub first_half_edge: u32,
    /// How many edges it has.
    pub n_edges: u32,
}

/// A convex polyhedron; see the module's header.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolyhedron {
    vertices: Vec<DVec3>,
    faces: Vec<Face>,
    half_edges: Vec<HalfEdge>,
    /// The half-edge with the smaller index, of each undirected edge.
    edges: Vec<u32>,
    /// One half-edge that starts at each vertex.
    outgoing: Vec<u32>,
    /// Half-edges and the vertices they lead to, in order of the vertices they start from.
    spokes: Vec<Spoke>,
    /// Where the spokes of each vertex start, and where the last ones end.
    first_spoke: Vec<u32>,
    /// Vertices extreme along ±x, ±y, ±z, from which support searches start.
    extremes: [u32; 6],
    /// Largest absolute coordinate of a vertex.
    largest_coordinate: f64,
}

/// The convex hull of the points: closed, with every point inside or on it.
///
/// # Errors
/// Where the points span no volume, or a coordinate is not finite; the error says which.
pub fn convex_hull(points: &[DVec3]) -> Result<ConvexPolyhedron, HullError> {
    let hull = triangulated_hull(points)?;
    let loops = faces::join_coplanar(&hull);
    Ok(ConvexPolyhedron::from_loops(points, &hull, &loops))
}

impl ConvexPolyhedron {
    /// Vertex positions `[m]`.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// All faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// All half-edges, those of a face next to each other.
    pub fn half_edges(&self) -> &[HalfEdge] {
        &self.half_edges
    }

    /// One half-edge per undirected edge.
    pub fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// Vertex indices around a face, counter-clockwise seen from outside.
    ///
    /// # Panics
    /// If there is no such face.
    pub fn face_vertices(&self, face: usize) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        let Face { first_half_edge, n_edges, .. } = self.faces[face];
        let range = first_half_edge as usize..(first_half_edge + n_edges) as usize;
        self.half_edges[range].iter().map(|half_edge| half_edge.origin)
    }

    /// The two ends of a half-edge, from and to.
    ///
    /// # Panics
    /// If there is no such half-edge.
    pub fn ends(&self, half_edge: u32) -> [u32; 2] {
        let HalfEdge { origin, next, .. } = self.half_edges[half_edge as usize];
        [origin, self.half_edges[next as usize].origin]
    }

    /// Half-edges that start at a vertex, in clockwise order seen from outside.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn outgoing(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.outgoing[vertex as usize];
        let after = move |&half_edge: &u32| {
            let twin = self.half_edges[half_edge as usize].twin;
            let following = self.half_edges[twin as usize].next;
            (following != first).then_some(following)
        };
        std::iter::successors(Some(first), after)
    }

    /// The half-edges that start at a vertex, in order of their numbers: [`Self::outgoing`] without the chase.
    pub(crate) fn spokes(&self, vertex: u32) -> &[Spoke] {
        let [first, end] = [vertex, vertex + 1].map(|v| self.first_spoke[v as usize] as usize);
        &self.spokes[first..end]
    }

    /// Vertices extreme along x, −x, y, −y, z, −z.
    pub(crate) fn extremes(&self) -> [u32; 6] {
        self.extremes
    }

    /// Largest absolute coordinate of a vertex `[m]`.
    pub(crate) fn largest_coordinate(&self) -> f64 {
        self.largest_coordinate
    }

    /// Vertices joined to a vertex by an edge.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn neighbors(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        self.outgoing(vertex).map(|half_edge| self.ends(half_edge)[1])
    }

    /// The surface as outward triangles: each face as a fan from its first vertex.
    pub fn to_mesh(&self) -> TriMesh {
        let mut triangles = Vec::with_capacity(2 * self.vertices.len());
        for face in 0..self.faces.len() {
            let mut rim = self.face_vertices(face);
            let Some(hub) = rim.next() else { continue };
            triangles.extend(rim.clone().zip(rim.skip(1)).map(|(a, b)| [hub, a, b]));
        }
        TriMesh::from_parts(self.vertices.clone(), triangles)
    }

    /// Total area of the faces `[m²]`.
    pub fn surface_area(&self) -> f64 {
        self.to_mesh().surface_area()
    }
}

#[cfg(test)]
mod tests;
