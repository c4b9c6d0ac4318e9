//! Whether a mesh is convex up to rounding, and what its hull adds at most.
//!
//! Let no point of the hull lie more than δ above the plane of any face. Take a point x outside the solid and
//! the nearest surface point c: the offset x − c is a sum Σ λᵢ nᵢ with λᵢ ≥ 0 over the normals nᵢ of the
//! faces around c, so |x − c|² = Σ λᵢ nᵢ·(x − c) ≤ δ Σ λᵢ. If û·nᵢ ≥ κ > 0 for some unit vector û and all of
//! them, then |x − c| ≥ û·(x − c) ≥ κ Σ λᵢ, and |x − c| ≤ δ/κ. The normals around a vertex contain those of
//! its edges and faces, so the least κ over the vertices, with û along the pseudonormal, serves all.

use glam::DVec3;

use super::deviation::{Bound, Uncovered, rounding};
use super::{Decomposition, hull_of};
use crate::mesh::{Bvh, ClosedMesh, Feature, SurfacePoint, TriMesh};
use crate::tolerances::{CONVEX_ENOUGH, FLAT_VOLUME};
use crate::{Aabb, predicates};

/// The hull of the whole mesh, if it adds next to nothing to it.
pub(super) fn hull_if_convex(mesh: &ClosedMesh) -> Option<Decomposition> {
    if mesh.verdict().n_shells != 1 || is_dented(mesh) {
        return None;
    }
    let mut is_used = vec![false; mesh.mesh().vertices().len()];
    for &vertex in mesh.mesh().triangles().iter().flatten() {
        is_used[vertex as usize] = true;
    }
    let vertices = mesh.mesh().vertices().iter().zip(&is_used);
    let points: Vec<DVec3> = vertices.filter(|(_, used)| **used).map(|(p, _)| *p).collect();
    let hull = hull_of(&points)?;
    let surface = [hull.to_mesh()];
    let bulge = bulge_of_hull(mesh, &surface[0])?;
    let uncovered = Uncovered::new(&surface).largest_at(&points);
    // One shell without dents has no void.
    Some(Decomposition { pieces: vec![hull], uncovered, bulge, void: bulge })
}

/// Whether a face plainly sees the far corner of a neighbour: the quick way to say no.
fn is_dented(mesh: &ClosedMesh) -> bool {
    let limit = CONVEX_ENOUGH * mesh.aabb().diagonal();
    let faces = mesh.mesh();
    faces.iter_corners().zip(mesh.face_normals()).zip(mesh.neighbors()).any(
        |((corners, normal), across)| {
            let height = |p: DVec3| normal.dot(p - corners[0]);
            across.iter().any(|&t| faces.corners(t as usize).iter().any(|p| height(*p) > limit))
        },
    )
}

/// The bound on how far the hull bulges out of the solid, if that is next to nothing.
fn bulge_of_hull(mesh: &ClosedMesh, hull: &TriMesh) -> Option<Bound> {
    let (bounds, faces) = (mesh.aabb(), mesh.mesh());
    let limit = CONVEX_ENOUGH * bounds.diagonal();
    let slack = rounding(&bounds);
    if is_locally_convex(mesh) {
        return Some(Bound { lower: 0.0, upper: slack });
    }
    // Heights of the hull over the faces, and the sharpest vertex.
    let tree = Bvh::new(hull.vertices().iter().map(|v| Aabb::from_points([*v])));
    let (mut highest, mut kappa) = (0.0_f64, 1.0_f64);
    for (triangle, &normal) in mesh.face_normals().iter().enumerate() {
        let corners = faces.corners(triangle);
        highest = highest.max(tree.find_extent(normal)? - normal.dot(corners[0]));
        if highest > limit {
            return None;
        }
        for (k, &position) in corners.iter().enumerate() {
            let feature = Feature::Corner(k);
            let at = SurfacePoint { position, triangle: triangle as u32, feature };
            kappa = kappa.min(mesh.pseudonormal(&at).normalize_or_zero().dot(normal));
        }
    }
    let upper = (highest + slack) / kappa;
    (kappa > 0.0 && upper <= limit).then_some(Bound { lower: 0.0, upper })
}

/// Whether no face sees the far corner of a neighbour, exactly: a closed connected surface without
/// self-intersection is then convex.
fn is_locally_convex(mesh: &ClosedMesh) -> bool {
    let faces = mesh.mesh();
    let exact = predicates::ExactPoints::new(faces.vertices());
    let points = exact.as_slice();
    faces.triangles().iter().zip(mesh.neighbors()).all(|(corners, across)| {
        let plane = corners.map(|v| points[v as usize]);
        across
            .iter()
            .flat_map(|&t| faces.triangles()[t as usize])
            .all(|vertex| predicates::side_of_plane(plane, points[vertex as usize]).is_le())
    })
}

/// Whether a closed mesh bounds more than rounding.
pub(super) fn has_volume(mesh: &TriMesh) -> bool {
    let origin = mesh.vertices()[0];
    let sum: f64 = mesh
        .iter_corners()
        .map(|[a, b, c]| (a - origin).dot((b - origin).cross(c - origin)) / 6.0)
        .sum();
    sum > FLAT_VOLUME * mesh.surface_area() * mesh.aabb().diagonal()
}
