//! Winding all faces of a shell alike.

use crate::mesh::TriMesh;
use crate::mesh::topology::Topology;

/// Flips the smaller party of each shell, where a shell is what is connected through edges of two faces;
/// one-sided shells stay as they are. Returns how many faces were flipped.
pub(super) fn wind_alike(mesh: &mut TriMesh) -> u64 {
    let across = Topology::new(mesh).neighbors();
    let mut party: Vec<Option<bool>> = vec![None; mesh.triangles.len()];
    let mut n_flipped = 0;
    let mut members = Vec::new();
    for seed in 0..mesh.triangles.len() {
        if party[seed].is_some() {
            continue;
        }
        // Flood the shell from its first face.
        members.clear();
        members.push(seed);
        party[seed] = Some(false);
        let mut is_two_sided = true;
        let mut next = 0;
        while let Some(&triangle) = members.get(next) {
            next += 1;
            for (side, &neighbor) in across[triangle].iter().enumerate() {
                let neighbor = neighbor as usize;
                if neighbor == triangle {
                    continue;
                }
                let disagrees = runs_along(mesh.triangles[neighbor], side_of(mesh, triangle, side));
                let expected = party[triangle].map(|own| own ^ disagrees);
                if party[neighbor].is_none() {
                    party[neighbor] = expected;
                    members.push(neighbor);
                } else if party[neighbor] != expected {
                    is_two_sided = false;
                }
            }
        }
        if !is_two_sided {
            continue;
        }
        let n_odd = members.iter().filter(|&&t| party[t] == Some(true)).count();
        let smaller = Some(2 * n_odd <= members.len());
        for &triangle in members.iter().filter(|&&t| party[t] == smaller) {
            mesh.triangles[triangle].swap(1, 2);
            n_flipped += 1;
        }
    }
    n_flipped
}

fn side_of(mesh: &TriMesh, triangle: usize, side: usize) -> [u32; 2] {
    let corners = mesh.triangles[triangle];
    [corners[side], corners[(side + 1) % 3]]
}

fn runs_along(corners: [u32; 3], edge: [u32; 2]) -> bool {
    (0..3).any(|k| [corners[k], corners[(k + 1) % 3]] == edge)
}
