//! Cells found by cutting where the hull bulges most.
//!
//! Cutting by volume is blind where every first cut leaves the same sum of hulls, as around a tunnel. Here the
//! point of a hull that is farthest from the solid says where to cut: across the axis that the nearest wall
//! faces most, at that wall. Slower per cut, so it serves where the first proposal misses the tolerance.

use std::ops::ControlFlow;

use glam::DVec3;

use super::cells::{clipped, points_in};
use super::deviation::{Bulge, Search};
use super::hull_of;
use super::voids::deepest_void;
use crate::mesh::{ClosedMesh, closest_on_triangle};
use crate::tolerances::{CELL_PADDING, THINNEST_CELL};
use crate::{Aabb, ConvexPolyhedron};

/// A cell with the hull of what it holds.
struct Part {
    cell: Aabb,
    hull: ConvexPolyhedron,
    /// Upper bound on how far the hull, surface or inside, gets from the solid `[m]`.
    bulge: f64,
    /// Where that is.
    worst: Option<DVec3>,
}

/// Cuts until no hull bulges by more than `allowed`, at most `max_pieces` are there, or nothing more can be
/// cut.
pub(super) fn refine(
    mesh: &ClosedMesh,
    search: &Search,
    allowed: f64,
    max_pieces: usize,
) -> Vec<ConvexPolyhedron> {
    let bulge = Bulge { solid: mesh };
    let part = |cell: Aabb| {
        let hull = hull_of(&points_in(mesh, &cell))?;
        let surface = hull.to_mesh();
        let (bound, worst) = search.find_largest(surface.iter_corners(), &bulge);
        let (void, deep) = deepest_void(mesh, &hull, &surface, allowed, search.max_evaluations);
        let worst = if void.lower > bound.lower { deep.or(worst) } else { worst };
        Some(Part { cell, hull, bulge: bound.upper.max(void.upper), worst })
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

/// The axis and place of a cut at the wall nearest to the worst point. Walls in the boundary of the cell are
/// there because of earlier cuts and do not count.
fn cut_at_wall(mesh: &ClosedMesh, cell: &Aabb, worst: DVec3) -> Option<(usize, f64)> {
    let margin = THINNEST_CELL * mesh.aabb().diagonal();
    let interior = cell.padded(-margin);
    let wall = nearest_in(mesh, &interior, worst)?;
    // The wall faces the worst point; its own normal is of no use where that is next to an edge.
    let offset = (worst - wall).abs();
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| offset[b].total_cmp(&offset[a]));
    axes.into_iter().map(|axis| (axis, wall[axis])).find(|&(axis, plane)| {
        offset[axis] > margin && plane > interior.min[axis] && plane < interior.max[axis]
    })
}

/// The point of the surface inside a box that is nearest to `point`.
fn nearest_in(mesh: &ClosedMesh, bounds: &Aabb, point: DVec3) -> Option<DVec3> {
    let mut nearest: Option<DVec3> = None;
    let _ = mesh.tree().visit_overlaps(bounds, |triangle| {
        let polygon = clipped(mesh.mesh().corners(triangle as usize), bounds);
        for pair in polygon.windows(2).skip(1) {
            let (on, _) = closest_on_triangle([polygon[0], pair[0], pair[1]], point);
            let closer = |best: DVec3| on.distance_squared(point) < best.distance_squared(point);
            if nearest.is_none_or(closer) {
                nearest = Some(on);
            }
        }
        ControlFlow::Continue(())
    });
    nearest
}
