//! Where to cut, and what of the surface lies in each cell.
//!
//! The library measures concavity by volume and so leaves steps of a voxel or two uncut, which a hull
//! turns into a bulge. Cuts are therefore moved onto a wall of the mesh that stands across them nearby.

use std::ops::ControlFlow;
use std::panic::catch_unwind;

use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::{FillMode, VoxelSet};

use super::DecomposeOptions;
use crate::Aabb;
use crate::mesh::ClosedMesh;
use crate::tolerances::{CORNER_NUDGE, CUT_SNAP_VOXELS};

/// Boxes that cover the solid, each nearly convex inside; they touch but do not overlap.
///
/// The mesh is handed over scaled to a box of size one around the origin, because the library's own
/// tolerances are absolute. A panic in it (it asserts what rounding can break) becomes an error value:
/// it runs on its own copy of the data, so nothing is left half done. The panic hook still reports it.
pub(super) fn propose(mesh: &ClosedMesh, options: &DecomposeOptions) -> Result<Vec<Aabb>, String> {
    let (center, unit) = (mesh.aabb().center(), mesh.aabb().extents().max_element());
    if !(unit > 0.0 && unit.is_finite()) {
        return Err(format!("the size of the mesh, {unit} m, is beyond floating point"));
    }
    let vertices = mesh.mesh().vertices().iter();
    let points: Vec<Vector> = vertices.map(|p| to_parry((*p - center) / unit)).collect();
    let parameters = VHACDParameters {
        concavity: options.concavity,
        resolution: options.resolution,
        // The library halves once more than this number needs.
        max_convex_hulls: previous_power_of_two(options.max_pieces) / 2,
        fill_mode: FillMode::FloodFill { detect_cavities: mesh.verdict().n_cavities > 0 },
        ..VHACDParameters::default()
    };
    let triangles = mesh.mesh().triangles();
    let run = || VHACD::decompose(&parameters, &points, triangles, false);
    let parts = catch_unwind(run).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap_or_else(|| "a panic without a message".to_owned())
    })?;
    let grids: Vec<Grid> = parts.voxel_parts().iter().filter_map(Grid::around).collect();
    let place = |axis: usize, plane: i64| {
        grids.first().map_or(0.0, |grid| {
            // Voxels are centred on whole coordinates.
            let local = grid.origin[axis] + grid.scale * (plane as f64 - 0.5);
            center[axis] + unit * local
        })
    };
    let reach = grids.first().map_or(0.0, |grid| CUT_SNAP_VOXELS * unit * grid.scale);
    let walls = [0, 1, 2].map(|axis| walls_across(mesh, axis));
    let planes = |corner: [i64; 3]| {
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let plane = corner[axis];
            let is_cut = grids.iter().any(|grid| grid.low[axis] == plane)
                && grids.iter().any(|grid| grid.high[axis] == plane);
            let at = place(axis, plane);
            if is_cut { snapped(at, &walls[axis], reach) } else { at }
        });
        DVec3::new(x, y, z)
    };
    Ok(grids.iter().map(|grid| Aabb { min: planes(grid.low), max: planes(grid.high) }).collect())
}

/// The voxels of a part: those from `low` up to but without `high`.
struct Grid {
    origin: DVec3,
    scale: f64,
    low: [i64; 3],
    high: [i64; 3],
}

impl Grid {
    fn around(part: &VoxelSet) -> Option<Self> {
        let coordinates = |k: usize| {
            let c = part.voxels()[k].coords;
            [c.x, c.y, c.z]
        };
        let (mut low, mut high) = ([i64::MAX; 3], [i64::MIN; 3]);
        for k in 0..part.len() {
            for (axis, c) in coordinates(k).into_iter().enumerate() {
                low[axis] = low[axis].min(c);
                high[axis] = high[axis].max(c + 1);
            }
        }
        let origin = from_parry(part.origin);
        (!part.is_empty()).then_some(Self { origin, scale: part.scale, low, high })
    }
}

/// Sorted heights of the faces that stand exactly across an axis: good places for a cut.
fn walls_across(mesh: &ClosedMesh, axis: usize) -> Vec<f64> {
    let is_across = |corners: &[DVec3; 3]| corners.iter().all(|p| p[axis] == corners[0][axis]);
    let mut heights: Vec<f64> =
        mesh.mesh().iter_corners().filter(is_across).map(|corners| corners[0][axis]).collect();
    heights.sort_unstable_by(f64::total_cmp);
    heights.dedup();
    heights
}

/// The nearest wall within reach, otherwise the plane itself. Keeps the order of planes.
fn snapped(plane: f64, walls: &[f64], reach: f64) -> f64 {
    let after = walls.partition_point(|wall| *wall < plane);
    let near = walls[after.saturating_sub(1)..].iter().take(2).copied();
    let nearest = near.fold(f64::INFINITY, |best, wall| {
        if (wall - plane).abs() < (best - plane).abs() { wall } else { best }
    });
    if (nearest - plane).abs() <= reach { nearest } else { plane }
}

/// Corners of the surface clipped to the cell, and those corners of the cell that lie in the solid.
pub(super) fn points_in(mesh: &ClosedMesh, cell: &Aabb) -> Vec<DVec3> {
    let mut points = Vec::new();
    let _ = mesh.tree().visit_overlaps(cell, |triangle| {
        let corners = mesh.mesh().corners(triangle as usize);
        let inside = clipped(corners, cell);
        if !belongs_next_door(&inside, corners, cell) {
            points.extend(inside);
        }
        ControlFlow::Continue(())
    });
    for k in 0..8 {
        let pick = |bit: usize, axis: usize| {
            if k & bit == 0 { cell.min[axis] } else { cell.max[axis] }
        };
        let corner = DVec3::new(pick(1, 0), pick(2, 1), pick(4, 2));
        // A corner on the surface counts if the solid is on this side of it.
        let within = corner + CORNER_NUDGE * (cell.center() - corner);
        if mesh.contains(corner) && mesh.signed_distance(within) < 0.0 {
            points.push(corner);
        }
    }
    points
}

/// Whether a clipped face only touches a wall of the cell from the other side: what is left of it lies
/// in the wall, and it is not a face of the solid in that wall that looks out of the cell.
fn belongs_next_door(inside: &[DVec3], corners: [DVec3; 3], cell: &Aabb) -> bool {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    (0..3).any(|axis| {
        [(cell.min[axis], -1.0), (cell.max[axis], 1.0)].into_iter().any(|(wall, out)| {
            let lies_in = |points: &[DVec3]| points.iter().all(|p| p[axis] == wall);
            lies_in(inside) && !(lies_in(&corners) && out * normal[axis] > 0.0)
        })
    })
}

/// The part of a triangle inside a box, as a polygon: cut by each side in turn (Sutherland and Hodgman
/// 1974).
pub(super) fn clipped(triangle: [DVec3; 3], cell: &Aabb) -> Vec<DVec3> {
    let mut polygon = triangle.to_vec();
    for axis in 0..3 {
        for (limit, sign) in [(cell.min[axis], 1.0), (cell.max[axis], -1.0)] {
            let depth = |p: DVec3| sign * (p[axis] - limit);
            let mut kept = Vec::with_capacity(polygon.len() + 1);
            for (k, &to) in polygon.iter().enumerate() {
                let from = polygon[(k + polygon.len() - 1) % polygon.len()];
                let (depth_from, depth_to) = (depth(from), depth(to));
                if (depth_from < 0.0) != (depth_to < 0.0) {
                    let share = depth_from / (depth_from - depth_to);
                    let mut on_limit = from + share * (to - from);
                    // On the plane exactly, so that neighbouring pieces meet.
                    on_limit[axis] = limit;
                    kept.push(on_limit);
                }
                if depth_to >= 0.0 {
                    kept.push(to);
                }
            }
            polygon = kept;
        }
    }
    polygon
}

fn previous_power_of_two(n: u32) -> u32 {
    1 << n.max(1).ilog2()
}

fn to_parry(p: DVec3) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn from_parry(p: Vector) -> DVec3 {
    DVec3::new(p.x, p.y, p.z)
}
