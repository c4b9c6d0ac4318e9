//! What the walk asks of a solid: vertices, half-edges and faces, whether stored or made up for a flat triangle.

use std::ops::Range;

use glam::DVec3;

use crate::ConvexPolyhedron;
use crate::distance::Feature;
use crate::polyhedron::{HalfEdge, Spoke};
use crate::precise::triangle_normal;
use crate::tolerances::{FAT_TRIANGLE, PROJECTION_ROUNDING};

/// A convex polytope with the adjacency of its surface.
///
/// Edges are named by either of their half-edges; [`Self::named`] chooses the one that answers carry.
pub(crate) trait Polytope {
    /// Position of a vertex `[m]`.
    fn position(&self, vertex: u32) -> DVec3;

    /// A directed edge with its neighbours.
    fn half_edge(&self, half_edge: u32) -> HalfEdge;

    /// Half-edges that start at a vertex, and where they lead.
    fn spokes(&self, vertex: u32) -> &[Spoke];

    /// Outward unit normal of a face.
    fn normal(&self, face: u32) -> DVec3;

    /// The half-edges around a face, counter-clockwise seen from outside.
    fn rim(&self, face: u32) -> Range<u32>;

    /// A direction that leads out of the solid between the two faces of an edge; not unit.
    fn outward(&self, half_edge: u32) -> DVec3;

    /// The face that looks the other way over the same corners, on a solid without thickness.
    #[inline]
    fn reverse(&self, _face: u32) -> Option<u32> {
        None
    }

    /// Largest absolute coordinate of a vertex `[m]`.
    fn reach(&self) -> f64;

    /// Middle of the box around the vertices `[m]`.
    fn middle(&self) -> DVec3;

    /// A vertex from which to climb along a direction when nothing better is known.
    fn base(&self, direction: DVec3) -> u32;

    /// The feature as an answer names it.
    fn named(&self, feature: Feature) -> Feature;

    /// The feature of that name, if this solid has it.
    fn found(&self, name: Feature) -> Option<Feature>;

    /// Vertices where a half-edge starts and ends.
    #[inline]
    fn ends(&self, half_edge: u32) -> [u32; 2] {
        let HalfEdge { origin, twin, .. } = self.half_edge(half_edge);
        [origin, self.half_edge(twin).origin]
    }

    /// Where a half-edge starts, and the vector along it.
    #[inline]
    fn segment(&self, half_edge: u32) -> (DVec3, DVec3) {
        let [tail, head] = self.ends(half_edge);
        let start = self.position(tail);
        (start, self.position(head) - start)
    }

    /// The faces to the left and to the right of a half-edge.
    #[inline]
    fn sides(&self, half_edge: u32) -> [u32; 2] {
        let HalfEdge { face, twin, .. } = self.half_edge(half_edge);
        [face, self.half_edge(twin).face]
    }

    /// A vertex of the feature.
    #[inline]
    fn vertex_of(&self, feature: Feature) -> u32 {
        match feature {
            Feature::Vertex(vertex) => vertex,
            Feature::Edge(half_edge) => self.half_edge(half_edge).origin,
            Feature::Face(face) => self.half_edge(self.rim(face).start).origin,
        }
    }

    /// The highest vertex along a direction, by climbing edges from `start`.
    ///
    /// Edges are compared with zero, not heights with each other: differences of near vertices are exact, so that
    /// small edges on a large solid do not look level. A rise within its own rounding does not count, or three
    /// vertices of one height could be climbed in a circle.
    #[inline]
    fn climbed(&self, start: u32, direction: DVec3) -> u32 {
        let mut top = start;
        loop {
            let here = self.position(top);
            let mut best = (top, 0.0);
            for spoke in self.spokes(top) {
                let along = self.position(spoke.head) - here;
                let rise = direction.dot(along);
                if rise > best.1 && rise > PROJECTION_ROUNDING * direction.abs().dot(along.abs()) {
                    best = (spoke.head, rise);
                }
            }
            if best.0 == top {
                return top;
            }
            top = best.0;
        }
    }
}

impl Polytope for ConvexPolyhedron {
    #[inline]
    fn position(&self, vertex: u32) -> DVec3 {
        self.vertices()[vertex as usize]
    }

    #[inline]
    fn half_edge(&self, half_edge: u32) -> HalfEdge {
        self.half_edges()[half_edge as usize]
    }

    #[inline]
    fn spokes(&self, vertex: u32) -> &[Spoke] {
        self.spokes(vertex)
    }

    #[inline]
    fn normal(&self, face: u32) -> DVec3 {
        self.faces()[face as usize].normal
    }

    #[inline]
    fn rim(&self, face: u32) -> Range<u32> {
        let face = &self.faces()[face as usize];
        face.first_half_edge..face.first_half_edge + face.n_edges
    }

    fn outward(&self, half_edge: u32) -> DVec3 {
        let [left, right] = self.sides(half_edge);
        self.normal(left) + self.normal(right)
    }

    fn reach(&self) -> f64 {
        self.largest_coordinate()
    }

    fn middle(&self) -> DVec3 {
        let extremes = self.extremes().map(|vertex| self.position(vertex));
        let middle = |axis: usize| 0.5 * (extremes[2 * axis][axis] + extremes[2 * axis + 1][axis]);
        DVec3::new(middle(0), middle(1), middle(2))
    }

    fn base(&self, direction: DVec3) -> u32 {
        let size = direction.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        self.extremes()[2 * axis + usize::from(direction[axis] < 0.0)]
    }

    fn named(&self, feature: Feature) -> Feature {
        match feature {
            Feature::Edge(it) => Feature::Edge(it.min(self.half_edge(it).twin)),
            other => other,
        }
    }

    fn found(&self, name: Feature) -> Option<Feature> {
        let (index, count) = match name {
            Feature::Vertex(it) => (it, self.vertices().len()),
            Feature::Edge(it) => (it, self.half_edges().len()),
            Feature::Face(it) => (it, self.faces().len()),
        };
        ((index as usize) < count).then(|| self.named(name))
    }
}

/// A triangle without thickness as a polytope with a front, a back and three edges of zero angle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat {
    corners: [DVec3; 3],
    normal: DVec3,
}

/// The front runs 0 → 1 → 2 (half-edges 0, 1, 2), the back 1 → 0 → 2 (half-edges 3, 4, 5).
const FLAT_EDGES: [HalfEdge; 6] = [
    HalfEdge { origin: 0, twin: 3, next: 1, face: 0 },
    HalfEdge { origin: 1, twin: 5, next: 2, face: 0 },
    HalfEdge { origin: 2, twin: 4, next: 0, face: 0 },
    HalfEdge { origin: 1, twin: 0, next: 4, face: 1 },
    HalfEdge { origin: 0, twin: 2, next: 5, face: 1 },
    HalfEdge { origin: 2, twin: 1, next: 3, face: 1 },
];

const FLAT_SPOKES: [[Spoke; 2]; 3] = [
    [Spoke { half_edge: 0, head: 1 }, Spoke { half_edge: 4, head: 2 }],
    [Spoke { half_edge: 1, head: 2 }, Spoke { half_edge: 3, head: 0 }],
    [Spoke { half_edge: 2, head: 0 }, Spoke { half_edge: 5, head: 1 }],
];

impl Flat {
    /// The triangle; one without area gets some normal of its longest side.
    pub(crate) fn new(corners: [DVec3; 3]) -> Self {
        let normal = unit_normal(corners);
        if normal != DVec3::ZERO {
            return Self { corners, normal };
        }
        let sides = [0, 1, 2].map(|i| corners[(i + 1) % 3] - corners[i]);
        let longest = sides.into_iter().fold(DVec3::ZERO, |best, side| {
            if side.length_squared() > best.length_squared() { side } else { best }
        });
        let normal = longest.try_normalize().map_or(DVec3::Z, |it| it.any_orthonormal_vector());
        Self { corners, normal }
    }
}

/// Normal of a triangle, in doubled precision where it is thin; zero if it has no area.
pub(super) fn unit_normal(points: [DVec3; 3]) -> DVec3 {
    let (u, v) = (points[1] - points[0], points[2] - points[0]);
    let plain = u.cross(v);
    let is_fat = plain.length_squared() > FAT_TRIANGLE * (u.length_squared() * v.length_squared());
    let normal = if is_fat { plain } else { triangle_normal(points) };
    normal.normalize_or_zero()
}

impl Polytope for Flat {
    #[inline]
    fn position(&self, vertex: u32) -> DVec3 {
        self.corners[vertex as usize]
    }

    #[inline]
    fn half_edge(&self, half_edge: u32) -> HalfEdge {
        FLAT_EDGES[half_edge as usize]
    }

    #[inline]
    fn spokes(&self, vertex: u32) -> &[Spoke] {
        &FLAT_SPOKES[vertex as usize]
    }

    #[inline]
    fn normal(&self, face: u32) -> DVec3 {
        if face == 0 { self.normal } else { -self.normal }
    }

    #[inline]
    fn rim(&self, face: u32) -> Range<u32> {
        3 * face..3 * face + 3
    }

    fn reverse(&self, face: u32) -> Option<u32> {
        Some(1 - face)
    }

    fn outward(&self, half_edge: u32) -> DVec3 {
        let (_, along) = self.segment(half_edge);
        along.cross(self.normal(FLAT_EDGES[half_edge as usize].face))
    }

    fn reach(&self) -> f64 {
        self.corners.iter().fold(0.0, |largest, corner| corner.abs().max_element().max(largest))
    }

    fn middle(&self) -> DVec3 {
        (self.corners[0] + self.corners[1] + self.corners[2]) / 3.0
    }

    fn base(&self, _direction: DVec3) -> u32 {
        0
    }

    fn named(&self, feature: Feature) -> Feature {
        match feature {
            Feature::Edge(it) => Feature::Edge(it.min(FLAT_EDGES[it as usize].twin)),
            Feature::Face(_) => Feature::Face(0),
            vertex @ Feature::Vertex(_) => vertex,
        }
    }

    fn found(&self, name: Feature) -> Option<Feature> {
        match name {
            Feature::Vertex(it) | Feature::Edge(it) => (it < 3).then_some(name),
            Feature::Face(it) => (it == 0).then_some(name),
        }
    }
}
