//! A mesh that is known to bound a solid, with distances to it.
//!
//! The side of a point is the sign of its offset from the nearest surface point along the pseudonormal there:
//! the normal on a face, the sum of both normals on an edge, the sum weighted by corner angles at a
//! vertex (Bærentzen and Aanæs, Signed distance computation using the angle weighted pseudonormal, 2005).
//! Where that product is too small to trust, a ray decides exactly.

use glam::DVec3;

use super::verdict::{Judgement, VerdictOptions, judge};
use super::{Bvh, Feature, MeshVerdict, TriMesh, closest_on_triangle, nesting};
use crate::precise::triangle_normal;
use crate::predicates::ExactPoints;
use crate::tolerances::{CERTAIN_SIDE, ON_SURFACE_ULPS};
use crate::{Aabb, convex_hull};

/// A mesh with a passing verdict, ready for distance queries.
///
/// Distances are exact to rounding for sizes between about 10⁻⁷⁰ and 10⁷⁰ m.
#[derive(Clone, Debug)]
pub struct ClosedMesh {
    mesh: TriMesh,
    verdict: MeshVerdict,
    tree: Bvh,
    /// Unit outward normal of each triangle.
    face_normals: Vec<DVec3>,
    /// Triangle across each side of each triangle.
    across: Vec<[u32; 3]>,
    /// Sum of the normals around each vertex, weighted by angle.
    vertex_normals: Vec<DVec3>,
    /// Vertices on the convex hull.
    outer_vertices: Vec<DVec3>,
}

/// A point on the surface of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Where it is `[m]`.
    pub position: DVec3,
    /// A triangle it lies on.
    pub triangle: u32,
    /// Where on that triangle.
    pub feature: Feature,
}

impl ClosedMesh {
    /// Judges the mesh and accepts it if it bounds a solid.
    ///
    /// # Errors
    /// The verdict, if it does not.
    pub fn new(mesh: TriMesh) -> Result<Self, Box<MeshVerdict>> {
        Self::with_options(mesh, &VerdictOptions::default())
    }

    /// As [`Self::new`] with limits on the search for faults.
    ///
    /// # Errors
    /// The verdict, if the mesh does not bound a solid.
    pub fn with_options(mesh: TriMesh, options: &VerdictOptions) -> Result<Self, Box<MeshVerdict>> {
        let Judgement { verdict, topology, .. } = judge(&mesh, options);
        if !verdict.is_solid() {
            return Err(Box::new(verdict));
        }
        let scaled = ExactPoints::new(mesh.vertices());
        let mut face_normals = Vec::with_capacity(topology.triangles.len());
        let mut vertex_normals = vec![DVec3::ZERO; mesh.vertices().len()];
        for corners in &topology.triangles {
            let points = corners.map(|v| scaled.as_slice()[v as usize]);
            let normal = unit_normal(points);
            face_normals.push(normal);
            for (k, &vertex) in corners.iter().enumerate() {
                vertex_normals[vertex as usize] += corner_angle(points, k) * normal;
            }
        }
        for (vertex, &lowest) in topology.welded.iter().enumerate() {
            vertex_normals[vertex] = vertex_normals[lowest as usize];
        }
        let tree = Bvh::of_triangles(&mesh);
        let across = topology.neighbors();
        // A solid has a hull; rounding may refuse one thinner than it can tell, and then all vertices serve.
        let outer_vertices = match convex_hull(mesh.vertices()) {
            Ok(hull) if verdict.unused_vertices.is_empty() => hull.vertices().to_vec(),
            _ => mesh.iter_corners().flatten().collect(),
        };
        Ok(Self { mesh, verdict, tree, face_normals, across, vertex_normals, outer_vertices })
    }

    /// The mesh itself.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    /// The verdict that let it pass, with its notes.
    pub fn verdict(&self) -> &MeshVerdict {
        &self.verdict
    }

    /// The tree over its triangles.
    pub fn tree(&self) -> &Bvh {
        &self.tree
    }

    /// The smallest box around it.
    pub fn aabb(&self) -> Aabb {
        self.tree.bounds()
    }

    /// Unit outward normals of the triangles `[-]`.
    pub fn face_normals(&self) -> &[DVec3] {
        &self.face_normals
    }

    /// For each triangle those across its sides; side k runs from corner k to the next.
    pub fn neighbors(&self) -> &[[u32; 3]] {
        &self.across
    }

    /// The vertices that can be farthest along a direction: those of its convex hull.
    pub fn outer_vertices(&self) -> &[DVec3] {
        &self.outer_vertices
    }

    /// The point of the surface nearest to a finite point.
    pub fn closest_point(&self, point: DVec3) -> SurfacePoint {
        let measure = |triangle: u32| {
            let (on, _) = closest_on_triangle(self.mesh.corners(triangle as usize), point);
            on.distance_squared(point)
        };
        // Nothing is found only if every distance overflows; then any triangle is as good.
        let nearest = self.tree.find_nearest(point, f64::INFINITY, measure);
        let triangle = nearest.map_or(0, |(triangle, _)| triangle);
        let (position, feature) = closest_on_triangle(self.mesh.corners(triangle as usize), point);
        SurfacePoint { position, triangle, feature }
    }

    /// Distance from the surface, negative inside `[m]`.
    pub fn signed_distance(&self, point: DVec3) -> f64 {
        self.signed_distance_from(point, &self.closest_point(point))
    }

    /// As [`Self::signed_distance`] where the nearest surface point is known `[m]`.
    pub fn signed_distance_from(&self, point: DVec3, nearest: &SurfacePoint) -> f64 {
        let distance = nearest.position.distance(point);
        if self.is_inside(point, nearest) { -distance } else { distance }
    }

    /// Whether the point lies inside or, to rounding ([`ON_SURFACE_ULPS`]), on the surface.
    pub fn contains(&self, point: DVec3) -> bool {
        let bounds = self.aabb();
        if !bounds.contains(point) {
            return false;
        }
        let largest = bounds.min.abs().max(bounds.max.abs()).max_element();
        self.signed_distance(point) <= ON_SURFACE_ULPS * f64::EPSILON * largest
    }

    /// The outward direction at a point of the surface, not of unit length `[-]`.
    pub fn pseudonormal(&self, at: &SurfacePoint) -> DVec3 {
        let triangle = at.triangle as usize;
        let own = self.face_normals[triangle];
        match at.feature {
            Feature::Face => own,
            Feature::Side(side) => own + self.face_normals[self.across[triangle][side] as usize],
            Feature::Corner(k) => self.vertex_normals[self.mesh.triangles()[triangle][k] as usize],
        }
    }

    fn is_inside(&self, point: DVec3, nearest: &SurfacePoint) -> bool {
        let (offset, normal) = (point - nearest.position, self.pseudonormal(nearest));
        let along = offset.dot(normal);
        if along.abs() > CERTAIN_SIDE * offset.length() * normal.length() {
            along < 0.0
        } else {
            nesting::is_inside(&self.mesh, &self.tree, point)
        }
    }
}

/// Zero for a triangle too thin to have one in floating point.
fn unit_normal(corners: [DVec3; 3]) -> DVec3 {
    triangle_normal(corners).normalize_or_zero()
}

fn corner_angle(corners: [DVec3; 3], k: usize) -> f64 {
    let (to_next, to_last) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
    libm::atan2(to_next.cross(to_last).length(), to_next.dot(to_last))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use proptest::prelude::*;

    use super::*;
    use crate::mesh::fixtures::{cube, cuboid, ellipsoid, join, tetrahedron, torus, tunnel};
    use crate::testing::property;

    fn closed(mesh: TriMesh) -> ClosedMesh {
        ClosedMesh::new(mesh).unwrap()
    }

    /// Winding number by solid angles (van Oosterom and Strackee 1983), over all triangles.
    fn winding_number(mesh: &TriMesh, point: DVec3) -> f64 {
        let solid_angle = |[a, b, c]: [DVec3; 3]| {
            let (a, b, c) = (a - point, b - point, c - point);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * libm::atan2(a.dot(b.cross(c)), below)
        };
        mesh.iter_corners().map(solid_angle).sum::<f64>() / (2.0 * TAU)
    }

    fn solids() -> Vec<TriMesh> {
        let inner = cuboid(DVec3::splat(0.25), DVec3::splat(0.75)).flipped();
        vec![
            cube(),
            tetrahedron(),
            torus(1.0, 0.4, 9, 6),
            tunnel(),
            ellipsoid(DVec3::new(1.0, 0.1, 2.0), 8, 6),
            join(&[cube(), inner]),
        ]
    }

    #[test]
    fn an_open_mesh_is_refused_with_its_verdict() {
        let open = TriMesh::new(cube().vertices().to_vec(), cube().triangles()[1..].to_vec());
        let verdict = ClosedMesh::new(open.unwrap()).unwrap_err();
        assert_eq!(verdict.open_edges.count, 3);
    }

    #[test]
    fn distances_to_a_cube_are_those_of_a_box() {
        let cube = closed(cube());
        for (point, expected) in [
            (DVec3::splat(0.5), -0.5),
            (DVec3::new(0.5, 0.5, 0.75), -0.25),
            (DVec3::new(2.0, 0.5, 0.5), 1.0),
            (DVec3::new(2.0, 2.0, 0.5), 2.0_f64.sqrt()),
            (DVec3::splat(2.0), 3.0_f64.sqrt()),
            (DVec3::new(1.0, 0.25, 0.75), 0.0),
        ] {
            let found = cube.signed_distance(point);
            // Two rounded operations.
            assert!((found - expected).abs() < 1e-15, "{point}: {found}, expected {expected}");
        }
    }

    #[test]
    fn points_on_a_face_are_contained() {
        let cube = closed(cube());
        for k in 0..600 {
            let (s, t) = libm::sincos(f64::from(k));
            let on_face = DVec3::new(1.0, 0.5 + 0.45 * s, 0.5 + 0.45 * t);
            assert!(cube.contains(on_face), "{on_face}");
            assert!(!cube.contains(on_face.with_x(1.0 + 1e-14)), "{on_face}");
        }
    }

    #[test]
    fn a_cavity_is_outside() {
        let hollow = closed(solids().pop().unwrap());
        assert_eq!(hollow.signed_distance(DVec3::splat(0.5)), 0.25);
        assert_eq!(hollow.signed_distance(DVec3::splat(0.125)), -0.125);
    }

    proptest! {
        #![proptest_config(property(256))]

        #[test]
        fn side_and_distance_are_those_of_brute_force(
            points in proptest::collection::vec((-0.5..3.5, -0.5..3.5, -1.5..1.5_f64), 50),
        ) {
            for mesh in solids().into_iter().map(closed) {
                for point in points.iter().map(|&p| DVec3::from(p)) {
                    let found = mesh.signed_distance(point);
                    let to_triangle =
                        |corners| closest_on_triangle(corners, point).0.distance(point);
                    let nearest = mesh.mesh.iter_corners().map(to_triangle);
                    let expected = nearest.fold(f64::INFINITY, f64::min);
                    prop_assert_eq!(found.abs(), expected);
                    let winding = winding_number(&mesh.mesh, point);
                    prop_assert_eq!(found < 0.0, winding > 0.5, "{}: {}", point, winding);
                    let by_ray = nesting::is_inside(&mesh.mesh, &mesh.tree, point);
                    prop_assert_eq!(by_ray, winding > 0.5);
                }
            }
        }

        #[test]
        fn rays_through_vertices_and_edges_count_right(
            grid in proptest::collection::vec((-1..8_i32, -1..8_i32, -1..4_i32), 40),
        ) {
            // Points of a lattice that contains all corners of the block: most rays hit features.
            let block = closed(tunnel());
            for (x, y, z) in grid {
                let point = 0.5 * DVec3::new(x.into(), y.into(), z.into());
                let within = |v: f64, low: f64, high: f64| low < v && v < high;
                let is_in = |low: f64, high: f64| {
                    within(point.x, low, high) && within(point.y, low, high)
                };
                let on_wall = block.signed_distance(point) == 0.0;
                let expected = is_in(0.0, 3.0) && within(point.z, 0.0, 1.0) && !is_in(1.0, 2.0);
                if !on_wall {
                    prop_assert_eq!(nesting::is_inside(&block.mesh, &block.tree, point), expected, "{}", point);
                }
                prop_assert_eq!(block.contains(point), expected || on_wall, "{}", point);
            }
        }
    }
}
