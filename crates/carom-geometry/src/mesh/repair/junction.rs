//! Faces without area that bridge a T-junction.
//!
//! Where one side of an edge a–b has a vertex m on it and the other has not, exporters close the gap with
//! the face a, m, b. Dropping it would open the mesh. Splitting the neighbour across a–b at m and then
//! dropping it leaves the surface exactly as it was, because m lies exactly on a–b.

use crate::mesh::TriMesh;
use crate::mesh::topology::Topology;
use crate::predicates::{ExactPoints, collinear};

/// Splits at all junctions that have a neighbour with area; returns how many.
///
/// Faces without area may lean on each other: each round takes those next to a proper face, which makes
/// the next ones proper neighbours. The number of faces without area falls in every round.
pub(super) fn split_junctions(mesh: &mut TriMesh) -> u64 {
    let exact = ExactPoints::new(&mesh.vertices);
    let points = exact.as_slice();
    let is_flat =
        |[a, b, c]: [u32; 3]| collinear(points[a as usize], points[b as usize], points[c as usize]);
    let mut n_split = 0;
    loop {
        let flat: Vec<usize> =
            (0..mesh.triangles.len()).filter(|&t| is_flat(mesh.triangles[t])).collect();
        if flat.is_empty() {
            return n_split;
        }
        let across = Topology::new(mesh).neighbors();
        let mut is_touched = vec![false; mesh.triangles.len()];
        let mut n_round = 0;
        for triangle in flat {
            let corners = mesh.triangles[triangle];
            // The long side is the one whose ends lie farthest apart along the line.
            let length = |side: usize| {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                (points[a as usize] - points[b as usize]).abs().element_sum()
            };
            let side = (0..3).fold(0, |long, k| if length(k) > length(long) { k } else { long });
            let neighbor = across[triangle][side] as usize;
            let is_free = neighbor != triangle && !is_touched[triangle] && !is_touched[neighbor];
            if !is_free || is_flat(mesh.triangles[neighbor]) {
                continue;
            }
            let (ends, middle) =
                ([corners[side], corners[(side + 1) % 3]], corners[(side + 2) % 3]);
            // The neighbour's two halves: each end in turn gives way to the middle. The second half
            // takes the place of the face without area.
            let whole = mesh.triangles[neighbor];
            let replace = |end: u32| whole.map(|v| if v == end { middle } else { v });
            mesh.triangles[neighbor] = replace(ends[0]);
            mesh.triangles[triangle] = replace(ends[1]);
            // Faces around have a new neighbour, which this round's table does not know.
            for near in [triangle, neighbor] {
                is_touched[near] = true;
                for next in across[near] {
                    is_touched[next as usize] = true;
                }
            }
            n_round += 1;
        }
        if n_round == 0 {
            return n_split;
        }
        n_split += n_round;
    }
}
