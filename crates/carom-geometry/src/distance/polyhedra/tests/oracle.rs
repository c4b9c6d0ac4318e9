//! The signed distance by looking at everything, for solids of few features.
//!
//! Apart: the least distance of any vertex to any facet and of any edge to any edge. Overlapping: the widest slab over
//! the normals of all faces and of all pairs of edges, each measured over all vertices. No adjacency, no climbing, and
//! nothing of the code under test.

use glam::DVec3;

use crate::Pose;
use crate::distance::Convex;
use crate::precise::triangle_normal;

/// A solid as bare lists, placed.
pub(super) struct Bare {
    pub(super) vertices: Vec<DVec3>,
    triangles: Vec<[DVec3; 3]>,
    edges: Vec<[DVec3; 2]>,
}

impl Bare {
    pub(super) fn new(solid: &Convex, pose: &Pose) -> Self {
        let rotation = pose.rotation_matrix();
        let place = |p: DVec3| rotation * p + pose.translation;
        match solid {
            Convex::Polyhedron(it) => {
                let vertices: Vec<DVec3> = it.vertices().iter().map(|v| place(*v)).collect();
                let mesh = it.to_mesh();
                let corners = |t: &[u32; 3]| t.map(|v| vertices[v as usize]);
                let ends = |e: &u32| it.ends(*e).map(|v| vertices[v as usize]);
                let triangles: Vec<_> = mesh.triangles().iter().map(corners).collect();
                let edges: Vec<_> = it.edges().iter().map(ends).collect();
                Self { vertices, triangles, edges }
            }
            Convex::Triangle(corners) => {
                let [a, b, c] = corners.map(place);
                let edges = vec![[a, b], [b, c], [c, a]];
                Self { vertices: vec![a, b, c], triangles: vec![[a, b, c]], edges }
            }
            other => panic!("{other:?} has no facets"),
        }
    }
}

impl Bare {
    /// How far a point lies outside, at most: over the plane of any facet, or off the plane of a triangle. Facets too
    /// thin to have a plane of their own do not count.
    pub(super) fn outside(&self, point: DVec3) -> f64 {
        let over = |[a, b, c]: &[DVec3; 3]| {
            let normal = triangle_normal([*a, *b, *c]);
            let longest = (*b - *a).length().max((*c - *a).length());
            let is_sound = normal.length() > 1e-3 * longest * longest;
            let height = normal.normalize_or_zero().dot(point - *a);
            if is_sound { height } else { 0.0 }
        };
        if let [triangle] = &self.triangles[..] {
            return over(triangle).abs();
        }
        self.triangles.iter().map(over).fold(0.0, f64::max)
    }
}

/// Width of the slab between all vertices of A and of B along a unit normal from B to A.
pub(super) fn width(a: &Bare, b: &Bare, n: DVec3) -> f64 {
    let low = a.vertices.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min);
    let high = b.vertices.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
    low - high
}

/// Distance, or minus the depth.
pub(super) fn signed_distance(a: &Bare, b: &Bare) -> f64 {
    let widest = widest_slab(a, b);
    if widest > 0.0 { distance(a, b).max(widest) } else { widest }
}

fn widest_slab(a: &Bare, b: &Bare) -> f64 {
    let mut widest = f64::NEG_INFINITY;
    for triangle in a.triangles.iter().chain(&b.triangles) {
        if let Some(n) = triangle_normal(*triangle).try_normalize() {
            widest = widest.max(width(a, b, n)).max(width(a, b, -n));
        }
    }
    for [p, q] in &a.edges {
        for [r, s] in &b.edges {
            let Some(n) = (*q - *p).cross(*s - *r).try_normalize() else { continue };
            // The slab is no wider than between these two edges.
            let between = n.dot(*p - *r);
            if between > widest {
                widest = widest.max(width(a, b, n));
            }
            if -between > widest {
                widest = widest.max(width(a, b, -n));
            }
        }
    }
    // Flat solids in one plane are parted within it, by a normal of an edge.
    for solid in [a, b] {
        if let [triangle] = solid.triangles[..] {
            let n = triangle_normal(triangle);
            for [p, q] in &solid.edges {
                if let Some(n) = (*q - *p).cross(n).try_normalize() {
                    widest = widest.max(width(a, b, n)).max(width(a, b, -n));
                }
            }
        }
    }
    widest
}

fn distance(a: &Bare, b: &Bare) -> f64 {
    let mut least = f64::INFINITY;
    for (solid, other) in [(a, b), (b, a)] {
        for triangle in &solid.triangles {
            for p in &other.vertices {
                least = least.min(height_over(triangle, *p));
            }
        }
    }
    for e in &a.edges {
        for f in &b.edges {
            least = least.min(segment_distance(*e, *f));
        }
    }
    least
}

/// Distance of a point from the inside of a triangle it stands over; its border is left to the edges.
fn height_over([a, b, c]: &[DVec3; 3], p: DVec3) -> f64 {
    let Some(n) = triangle_normal([*a, *b, *c]).try_normalize() else { return f64::INFINITY };
    let is_inner = |from: &DVec3, to: &DVec3| n.dot((*to - *from).cross(p - *from)) >= 0.0;
    let is_over = is_inner(a, b) && is_inner(b, c) && is_inner(c, a);
    if is_over { n.dot(p - *a).abs() } else { f64::INFINITY }
}

/// Between two segments: inside both by the common perpendicular, else at an end of one.
fn segment_distance([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> f64 {
    let to_segment = |x: DVec3, a: DVec3, b: DVec3| {
        let along = b - a;
        let share = ((x - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        (x - a - share * along).length()
    };
    let ends = [(p, r, s), (q, r, s), (r, p, q), (s, p, q)];
    let mut least =
        ends.map(|(x, a, b)| to_segment(x, a, b)).into_iter().fold(f64::INFINITY, f64::min);
    let (u, v, w) = (q - p, s - r, r - p);
    let c = u.cross(v);
    let (t1, t2) = (w.cross(v).dot(c), w.cross(u).dot(c));
    let c_sq = c.length_squared();
    if t1 > 0.0 && t1 < c_sq && t2 > 0.0 && t2 < c_sq {
        let s1 = t1 / c_sq;
        let x = p + s1 * u;
        least = least.min(to_segment(x, r, s));
    }
    least
}
