//! Welding of vertices that nearly coincide.

use std::collections::HashMap;

use glam::DVec3;

use super::RepairError;
use crate::mesh::TriMesh;
use crate::predicates::ExactPoints;
use crate::tolerances::{WELD_LARGEST, WELD_SMALLEST};

/// Which vertex each one becomes.
pub(super) struct Weld {
    pub(super) target: Vec<u32>,
    pub(super) count: u64,
    /// How far the farthest moves `[m]`.
    pub(super) largest_move: f64,
}

/// Each vertex in turn joins the nearest earlier one that stands for itself within the tolerance, or
/// stands for itself. So nothing moves farther than the tolerance, however long a chain of close vertices.
pub(super) fn weld_near(mesh: &TriMesh, tolerance: f64) -> Result<Weld, RepairError> {
    if !(WELD_SMALLEST..=WELD_LARGEST).contains(&tolerance) {
        return Err(RepairError::Tolerance(tolerance));
    }
    let mut is_named = vec![false; mesh.vertices().len()];
    for &vertex in mesh.triangles().iter().flatten() {
        is_named[vertex as usize] = true;
    }
    // Scaled positions, so that squares neither over- nor underflow.
    let scaled = ExactPoints::new(mesh.vertices());
    let points = scaled.as_slice();
    let used = (0..points.len()).filter(|&k| is_named[k]);
    let bounds = crate::Aabb::from_points(used.clone().map(|k| points[k]));
    let reach = tolerance * bounds.diagonal();
    let cell_of = |p: DVec3| {
        let cell = ((p - bounds.min) / reach).floor();
        [cell.x as i64, cell.y as i64, cell.z as i64]
    };

    let mut target: Vec<u32> = (0..points.len() as u32).collect();
    let (mut count, mut largest_move) = (0, 0.0_f64);
    // Only looked up, never walked, so its order does not matter.
    let mut standing: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for k in used {
        let cell = cell_of(points[k]);
        let mut nearest: Option<(f64, u32)> = None;
        for step in 0..27 {
            let near = [cell[0] + step % 3 - 1, cell[1] + step / 3 % 3 - 1, cell[2] + step / 9 - 1];
            for &other in standing.get(&near).into_iter().flatten() {
                let distance = points[k].distance(points[other as usize]);
                if distance <= reach && nearest.is_none_or(|best| (distance, other) < best) {
                    nearest = Some((distance, other));
                }
            }
        }
        if let Some((_, other)) = nearest {
            target[k] = other;
            count += 1;
            let moved = mesh.vertices()[k].distance(mesh.vertices()[other as usize]);
            largest_move = largest_move.max(moved);
        } else {
            standing.entry(cell).or_default().push(k as u32);
        }
    }
    Ok(Weld { target, count, largest_move })
}
