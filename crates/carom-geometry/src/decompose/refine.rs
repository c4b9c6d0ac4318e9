//! Cells found by cutting where the hull bulges most.
//!
//! Cutting by volume is blind where every first cut leaves the same sum of hulls, as around a tunnel. Here the
//! point of a hull that is farthest from the solid says where to cut: across the axis that the nearest wall
//! faces most, at that wall. Slower per cut, so it serves where the first proposal misses the tolerance.

use glam::DVec3;

use super::cells::points_in;
use super::deviation::{Bulge, Search};
use super::hull_of;
use crate::mesh::ClosedMesh;
use crate::tolerances::{CELL_PADDING, THINNEST_CELL};
use crate::{Aabb, TriMesh};

/// A cell with the hull of what it holds.
struct Part {
    cell: Aabb,
    hull: TriMesh,
    /// Upper bound on the bulge of the hull [m].
    bulge: f64,
    /// Where it bulges most.
    worst: Option<DVec3>,
}

/// Cuts until no hull bulges by more than `allowed`, at most `max_pieces` are there, or nothing more can be
/// cut.
pub(super) fn refine(
    mesh: &ClosedMesh,
    search: &Search,
    allowed: f64,
    max_pieces: usize,
) -> Vec<TriMesh> {
    let bulge = Bulge { solid: mesh };
    let part = |cell: Aabb| {
        let hull = hull_of(&points_in(mesh, &cell))?;
        let (bound, worst) = search.find_largest(hull.iter_corners(), &bulge);
        Some(Part { cell, hull, bulge: bound.upper, worst })
    };
    let whole = mesh.aabb().padded(CELL_PADDING * mesh.aabb().diagonal());
    let mut parts: Vec<Part> = part(whole).into_iter().collect();
    // A cut may leave one side empty, so cuts are counted too.
    for _ in 0..2 * max_pieces {
        let mut worst = None;
        for (k, part) in parts.iter().enumerate() {
            if part.bulge > worst.map_or(allowed, |(_, bulge)| bulge) {
                worst = Some((k, part.bulge));
            }
        }
        let Some((k, _)) = worst else { break };
        if parts.len() >= max_pieces {
            break;
        }
        let whole = parts.swap_remove(k);
        parts.extend(halves(mesh, &whole).into_iter().filter_map(part));
    }
    parts.into_iter().map(|part| part.hull).collect()
}

/// The cell cut at the wall nearest to the worst point, or through the middle if that would cut nothing off.
fn halves(mesh: &ClosedMesh, part: &Part) -> [Aabb; 2] {
    let cell = part.cell;
    let (axis, plane) =
        part.worst.and_then(|worst| cut_at_wall(mesh, &cell, worst)).unwrap_or_else(|| {
            let sides = cell.extents();
            let axis = (0..3).fold(0, |long, k| if sides[k] > sides[long] { k } else { long });
            (axis, cell.center()[axis])
        });
    let (mut low, mut high) = (cell, cell);
    low.max[axis] = plane;
    high.min[axis] = plane;
    [low, high]
}

fn cut_at_wall(mesh: &ClosedMesh, cell: &Aabb, worst: DVec3) -> Option<(usize, f64)> {
    let wall = mesh.closest_point(worst).position;
    // The wall faces the worst point; its own normal is of no use where that is next to an edge.
    let offset = (worst - wall).abs();
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| offset[b].total_cmp(&offset[a]));
    let margin = THINNEST_CELL * mesh.aabb().diagonal();
    axes.into_iter().map(|axis| (axis, wall[axis])).find(|&(axis, plane)| {
        offset[axis] > 0.0 && plane > cell.min[axis] + margin && plane < cell.max[axis] - margin
    })
}
