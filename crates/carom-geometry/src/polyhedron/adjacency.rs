//! Half-edges from face loops, and the invariants they must satisfy.

use glam::DVec3;

use crate::hull::Triangulation;
use crate::tolerances::{BOX_PADDING_ULPS, UNIT_QUATERNION};

use super::faces::FaceLoop;
use super::{ConvexPolyhedron, Face, HalfEdge, Spoke};

impl ConvexPolyhedron {
    /// Builds the adjacency from the faces of the hull of `points`.
    pub(super) fn from_loops(points: &[DVec3], hull: &Triangulation, loops: &[FaceLoop]) -> Self {
        let mut used: Vec<u32> = loops.iter().flat_map(|face| face.corners.clone()).collect();
        used.sort_unstable();
        used.dedup();
        let vertices: Vec<DVec3> = used.iter().map(|&v| points[v as usize]).collect();
        let renumber = |v: u32| used.partition_point(|&u| u < v) as u32;

        let faces = loops.iter().map(|FaceLoop { corners, seed }| {
            let normal = hull.normal(*seed as usize).normalize_or_zero();
            let offset = plane_offset(points, corners, normal);
            (normal, offset, corners.iter().map(|&corner| renumber(corner)).collect())
        });
        let this = Self::assembled(vertices, faces);
        debug_assert_eq!(this.find_broken_invariant(), None);
        this
    }

    /// The polyhedron with these vertices and faces, each an outward unit normal, the offset of its plane and
    /// its corners counter-clockwise seen from outside: what [`Self::vertices`], [`Self::faces`] and
    /// [`Self::face_vertices`] gave, with the same bits.
    ///
    /// # Errors
    /// What is wrong, if that is not a convex polyhedron.
    pub fn from_faces(
        vertices: Vec<DVec3>,
        faces: Vec<(DVec3, f64, Vec<u32>)>,
    ) -> Result<Self, String> {
        if !vertices.iter().all(|vertex| vertex.is_finite()) {
            return Err("a vertex is not finite".to_owned());
        }
        let scale = vertices.iter().fold(0.0, |largest, v| v.abs().max_element().max(largest));
        for (index, (normal, offset, corners)) in faces.iter().enumerate() {
            if corners.len() < 3 || corners.iter().any(|&v| v as usize >= vertices.len()) {
                return Err(format!("the corners of face {index} are not vertices"));
            }
            if !((normal.length_squared() - 1.0).abs() <= UNIT_QUATERNION && offset.is_finite()) {
                return Err(format!("face {index} has no plane"));
            }
            let above =
                |v: &DVec3| normal.dot(*v) > offset + BOX_PADDING_ULPS * f64::EPSILON * scale;
            if vertices.iter().any(above) {
                return Err(format!("a vertex lies above face {index}"));
            }
        }
        let this = Self::assembled(vertices, faces.into_iter());
        if let Some(broken) = this.find_broken_invariant() {
            return Err(broken);
        }
        Ok(this)
    }

    /// A box around the origin with the given half edge lengths, which must be positive `[m]`.
    ///
    /// Corner i lies on the positive side of axis k if bit k of i is set; the faces are −x, +x, −y, +y, −z, +z.
    pub fn cuboid(half: DVec3) -> Self {
        let corner = |i: u32| {
            let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            half * DVec3::new(sign(0), sign(1), sign(2))
        };
        let faces = [
            (DVec3::NEG_X, half.x, [0, 4, 6, 2]),
            (DVec3::X, half.x, [1, 3, 7, 5]),
            (DVec3::NEG_Y, half.y, [0, 1, 5, 4]),
            (DVec3::Y, half.y, [2, 6, 7, 3]),
            (DVec3::NEG_Z, half.z, [0, 2, 3, 1]),
            (DVec3::Z, half.z, [4, 5, 7, 6]),
        ];
        let loops = faces.map(|(normal, offset, corners)| (normal, offset, corners.to_vec()));
        let this = Self::assembled((0..8).map(corner).collect(), loops.into_iter());
        debug_assert_eq!(this.find_broken_invariant(), None);
        this
    }

    fn assembled(
        vertices: Vec<DVec3>,
        loops: impl ExactSizeIterator<Item = (DVec3, f64, Vec<u32>)>,
    ) -> Self {
        let mut half_edges = Vec::new();
        let mut faces = Vec::with_capacity(loops.len());
        for (face, (normal, offset, corners)) in (0..).zip(loops) {
            let first_half_edge = half_edges.len() as u32;
            let n_edges = corners.len() as u32;
            for (i, &origin) in (0..n_edges).zip(&corners) {
                let next = first_half_edge + (i + 1) % n_edges;
                half_edges.push(HalfEdge { origin, twin: 0, next, face });
            }
            faces.push(Face { normal, offset, first_half_edge, n_edges });
        }
        let edges = pair_twins(&mut half_edges);
        let mut outgoing = vec![0; vertices.len()];
        for (index, half_edge) in half_edges.iter().enumerate().rev() {
            outgoing[half_edge.origin as usize] = index as u32;
        }
        let (spokes, first_spoke) = gather_spokes(&half_edges, vertices.len());
        let extremes = extreme_vertices(&vertices);
        let largest_coordinate =
            vertices.iter().fold(0.0, |largest, v| v.abs().max_element().max(largest));
        Self {
            vertices,
            faces,
            half_edges,
            edges,
            outgoing,
            spokes,
            first_spoke,
            extremes,
            largest_coordinate,
        }
    }

    /// Walks every invariant of the adjacency and names the first that does not hold.
    pub fn find_broken_invariant(&self) -> Option<String> {
        let n = self.half_edges.len();
        for (index, half_edge) in self.half_edges.iter().enumerate() {
            let (twin, next) = (half_edge.twin as usize, half_edge.next as usize);
            if twin >= n || next >= n || self.half_edges[twin].twin as usize != index {
                return Some(format!("half-edge {index} and its twin {twin} do not match"));
            }
            if self.half_edges[twin].origin != self.half_edges[next].origin {
                return Some(format!("half-edge {index} does not end where its twin starts"));
            }
            if self.half_edges[next].face != half_edge.face
                || self.half_edges[twin].face == half_edge.face
            {
                return Some(format!("half-edge {index} has wrong faces on its sides"));
            }
        }
        let (v, e, f) = (self.vertices.len(), self.edges.len(), self.faces.len());
        if v + f != e + 2 || 2 * e != n {
            return Some(format!("{v} vertices, {e} edges, {f} faces break Euler's formula"));
        }
        let mut seen = 0;
        for vertex in 0..v as u32 {
            let degree = self.outgoing(vertex).take(n + 1).count();
            if !(3..=n).contains(&degree) {
                return Some(format!("vertex {vertex} has {degree} edges"));
            }
            seen += degree;
        }
        (seen != n).then(|| format!("{seen} of {n} half-edges are reached from their vertices"))
    }
}

/// Offset of the face's plane, pushed out to its outermost corner.
fn plane_offset(points: &[DVec3], corners: &[u32], normal: DVec3) -> f64 {
    corners.iter().map(|&v| normal.dot(points[v as usize])).fold(f64::NEG_INFINITY, f64::max)
}

/// Joins the two half-edges of each edge and returns the lower one of each pair.
fn pair_twins(half_edges: &mut [HalfEdge]) -> Vec<u32> {
    let mut keyed: Vec<(u32, u32, u32)> = (0..half_edges.len())
        .map(|index| {
            let HalfEdge { origin, next, .. } = half_edges[index];
            let target = half_edges[next as usize].origin;
            (origin.min(target), origin.max(target), index as u32)
        })
        .collect();
    keyed.sort_unstable();
    let mut edges = Vec::with_capacity(keyed.len() / 2);
    for pair in keyed.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if let [(.., one), (.., other)] = *pair {
            half_edges[one as usize].twin = other;
            half_edges[other as usize].twin = one;
            edges.push(one);
        }
    }
    edges.sort_unstable();
    edges
}

/// Half-edges by the vertex they start from, and where those of each vertex start.
fn gather_spokes(half_edges: &[HalfEdge], n_vertices: usize) -> (Vec<Spoke>, Vec<u32>) {
    let mut order: Vec<u32> = (0..half_edges.len() as u32).collect();
    order.sort_by_key(|&half_edge| half_edges[half_edge as usize].origin);
    let origin = |half_edge: &u32| half_edges[*half_edge as usize].origin;
    let first = (0..=n_vertices as u32).map(|v| order.partition_point(|h| origin(h) < v) as u32);
    let spoke = |&half_edge: &u32| {
        let next = half_edges[half_edge as usize].next;
        Spoke { half_edge, head: half_edges[next as usize].origin }
    };
    (order.iter().map(spoke).collect(), first.collect())
}

fn extreme_vertices(vertices: &[DVec3]) -> [u32; 6] {
    let mut extremes = [0; 6];
    for (index, vertex) in vertices.iter().enumerate() {
        for axis in 0..3 {
            if vertex[axis] > vertices[extremes[2 * axis] as usize][axis] {
                extremes[2 * axis] = index as u32;
            }
            if vertex[axis] < vertices[extremes[2 * axis + 1] as usize][axis] {
                extremes[2 * axis + 1] = index as u32;
            }
        }
    }
    extremes
}
