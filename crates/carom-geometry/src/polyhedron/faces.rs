//! Joining coplanar hull triangles into faces.
//!
//! Tried in turn, the first consistent result is taken:
//! 1. *to rounding*: from the largest triangle down, a face takes in neighbours whose corners all lie
//!    within [`COPLANAR_ULPS`] of its seed's plane. This is what one wants of a rotated box. Since the seed
//!    is a facet plane of the exact hull, no point lies above it and what is dropped inside the face
//!    protrudes by no more than the tolerance. On sliver facets the result can fail to be a polyhedron (a
//!    face pinched at a vertex, an edge bent by more than the tolerance);
//! 2. *exactly*: neighbours are joined iff exactly coplanar, which is transitive and always consistent;
//! 3. the triangles as they are, should a caller ever hand in a surface that is not a hull.

use std::cmp::Ordering;

use glam::DVec3;

use crate::hull::Triangulation;
use crate::tolerances::COPLANAR_ULPS;

/// No group yet.
const UNASSIGNED: u32 = u32::MAX;

/// One face to be.
pub(super) struct FaceLoop {
    /// Input indices of its corners, counter-clockwise seen from outside.
    pub(super) corners: Vec<u32>,
    /// The hull triangle whose plane is the face's: no input point lies above it.
    pub(super) seed: u32,
}

/// The faces of the hull.
pub(super) fn join_coplanar(hull: &Triangulation) -> Vec<FaceLoop> {
    let tolerance = COPLANAR_ULPS * f64::EPSILON;
    loops_of_groups(hull, &groups_to_rounding(hull, tolerance), 4.0 * tolerance)
        .or_else(|| loops_of_groups(hull, &groups_exact(hull), f64::INFINITY))
        .unwrap_or_else(|| {
            let triangle =
                |(seed, corners): (u32, &[u32; 3])| FaceLoop { corners: corners.to_vec(), seed };
            (0..).zip(&hull.corners).map(triangle).collect()
        })
}

fn groups_to_rounding(hull: &Triangulation, tolerance: f64) -> Vec<u32> {
    let points = hull.exact.as_slice();
    grow_groups(hull, |seed| {
        let normal = hull.normal(seed).normalize_or_zero();
        let origin = points[hull.corners[seed][0] as usize];
        move |v: u32| normal.dot(points[v as usize] - origin).abs() <= tolerance
    })
}

fn groups_exact(hull: &Triangulation) -> Vec<u32> {
    grow_groups(hull, |seed| {
        let plane = hull.corners[seed].map(|corner| corner as usize);
        move |v: u32| hull.exact.side(plane, v as usize) == Ordering::Equal
    })
}

/// Flood fill from the largest triangles down: a group is named by its seed and takes in neighbours all
/// of whose corners lie on the seed's plane, as `on_plane_of` tells.
fn grow_groups<OnPlane: Fn(u32) -> bool>(
    hull: &Triangulation,
    on_plane_of: impl Fn(usize) -> OnPlane,
) -> Vec<u32> {
    let area: Vec<f64> = (0..hull.corners.len()).map(|t| hull.normal(t).length_squared()).collect();
    let mut by_area: Vec<u32> = (0..hull.corners.len() as u32).collect();
    by_area.sort_by(|&s, &t| {
        area[t as usize].partial_cmp(&area[s as usize]).unwrap_or(Ordering::Equal)
    });
    let mut group_of = vec![UNASSIGNED; hull.corners.len()];
    let mut frontier = Vec::new();
    for seed in by_area {
        if group_of[seed as usize] != UNASSIGNED {
            continue;
        }
        group_of[seed as usize] = seed;
        frontier.push(seed);
        let on_plane = on_plane_of(seed as usize);
        while let Some(triangle) = frontier.pop() {
            for next in hull.neighbors[triangle as usize] {
                let corners = hull.corners[next as usize];
                if group_of[next as usize] == UNASSIGNED && corners.iter().all(|&v| on_plane(v)) {
                    group_of[next as usize] = seed;
                    frontier.push(next);
                }
            }
        }
    }
    group_of
}

/// The boundary loop of each group, without vertices that only two faces meet at; `None` if a group is
/// not bounded by one simple loop or an edge would be straightened by more than `bend`.
fn loops_of_groups(hull: &Triangulation, group_of: &[u32], bend: f64) -> Option<Vec<FaceLoop>> {
    let boundary = BoundaryEdges::collect(hull, group_of);
    let mut loops = boundary.trace(hull.exact.as_slice().len())?;
    let mut n_faces_at = vec![0_u32; hull.exact.as_slice().len()];
    for &v in loops.iter().flat_map(|face| &face.corners) {
        n_faces_at[v as usize] += 1;
    }
    for face in &mut loops {
        face.corners =
            without_straight_vertices(&face.corners, &n_faces_at, hull.exact.as_slice(), bend)?;
    }
    Some(loops)
}

/// Directed edges between different groups, sorted by group and start.
struct BoundaryEdges {
    /// Group, from, to.
    edges: Vec<(u32, u32, u32)>,
}

impl BoundaryEdges {
    fn collect(hull: &Triangulation, group_of: &[u32]) -> Self {
        let mut edges = Vec::new();
        for (triangle, (corners, neighbors)) in hull.corners.iter().zip(&hull.neighbors).enumerate()
        {
            let group = group_of[triangle];
            for side in 0..3 {
                if group_of[neighbors[side] as usize] != group {
                    edges.push((group, corners[side], corners[(side + 1) % 3]));
                }
            }
        }
        edges.sort_unstable();
        Self { edges }
    }

    /// One loop per group in order of groups.
    fn trace(&self, n_points: usize) -> Option<Vec<FaceLoop>> {
        let mut follower = vec![UNASSIGNED; n_points];
        let mut loops = Vec::new();
        for group in self.edges.chunk_by(|a, b| a.0 == b.0) {
            // A start that occurs twice is a pinch.
            if group.windows(2).any(|pair| pair[0].1 == pair[1].1) {
                return None;
            }
            for &(_, from, to) in group {
                follower[from as usize] = to;
            }
            let first = group[0].1;
            let step = |&v: &u32| Some(follower[v as usize]).filter(|&to| to != first);
            let corners: Vec<u32> =
                std::iter::successors(Some(first), step).take(group.len() + 1).collect();
            if corners.len() != group.len() || corners.len() < 3 {
                return None;
            }
            loops.push(FaceLoop { corners, seed: group[0].0 });
        }
        Some(loops)
    }
}

/// Drops the vertices at which only two faces meet: they lie inside an edge between those faces.
fn without_straight_vertices(
    face: &[u32],
    n_faces_at: &[u32],
    points: &[DVec3],
    bend: f64,
) -> Option<Vec<u32>> {
    let is_corner = |v: &u32| n_faces_at[*v as usize] > 2;
    let start = face.iter().position(is_corner)?;
    let ring = || face.iter().cycle().skip(start).take(face.len() + 1).copied();
    let kept: Vec<u32> = face.iter().copied().filter(is_corner).collect();
    if kept.len() < 3 {
        return None;
    }
    let mut from = face[start];
    let mut passed = Vec::new();
    for v in ring().skip(1) {
        if !is_corner(&v) {
            passed.push(points[v as usize]);
            continue;
        }
        let (a, b) = (points[from as usize], points[v as usize]);
        let direction = (b - a).try_normalize()?;
        if passed.iter().any(|p| (*p - a).reject_from_normalized(direction).length() > bend) {
            return None;
        }
        passed.clear();
        from = v;
    }
    Some(kept)
}
