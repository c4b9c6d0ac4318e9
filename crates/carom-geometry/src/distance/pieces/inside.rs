//! Whether a part of one shape lies inside a closed mesh of another, where it is near none of the mesh's triangles.
//!
//! What is connected lies wholly inside or outside as long as surfaces do not cross. So one point of every connected part is
//! asked, its *anchor*: of each convex part, and of each connected surface of a mesh.

use glam::DVec3;

use super::Pieces;
use crate::{ClosedMesh, Pose};

/// How deep an anchor of one shape lies inside a mesh of the other, the deepest of all; none if none does `[m]`.
pub fn depth_inside(a: &Pieces, b: &Pieces, a_from_b: &Pose) -> Option<f64> {
    if a.meshes.is_empty() && b.meshes.is_empty() {
        return None;
    }
    let in_a = b.anchors.iter().filter_map(|point| a.holds(a_from_b.point(*point)));
    let b_from_a = a_from_b.inverse();
    let in_b = a.anchors.iter().filter_map(|point| b.holds(b_from_a.point(*point)));
    in_a.chain(in_b).max_by(f64::total_cmp)
}

/// One corner of every connected surface of a mesh.
pub(super) fn corners_of_surfaces(mesh: &ClosedMesh) -> Vec<DVec3> {
    let (vertices, triangles) = (mesh.mesh().vertices(), mesh.mesh().triangles());
    let mut parents: Vec<u32> = (0..vertices.len() as u32).collect();
    for &[i, j, k] in triangles {
        let root = root_of(&mut parents, i);
        for other in [j, k] {
            let other = root_of(&mut parents, other);
            parents[root.max(other) as usize] = root.min(other);
        }
    }
    let used = |v: &u32| triangles.iter().any(|corners| corners.contains(v));
    let roots = (0..vertices.len() as u32).filter(|v| parents[*v as usize] == *v);
    roots.filter(used).map(|v| vertices[v as usize]).collect()
}

/// The first vertex of the surface that a vertex belongs to, as far as is known; shortens the way there.
fn root_of(parents: &mut [u32], vertex: u32) -> u32 {
    let mut root = vertex;
    while parents[root as usize] != root {
        parents[root as usize] = parents[parents[root as usize] as usize];
        root = parents[root as usize];
    }
    root
}
