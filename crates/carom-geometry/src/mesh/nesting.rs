//! Which shells lie inside which, by counting what a ray from each crosses.
//!
//! The ray runs from a point along a coordinate axis. Where it would hit a side or a corner, the point is
//! thought moved by (ε, ε²) across the axis with ε → 0+ (simulation of simplicity): every sign below then
//! is decided, each triangle is hit or missed, and no two sides of an edge are both hit or both missed
//! wrongly. Exact for points in the range of [`crate::predicates::side_of_plane`].

use std::cmp::Ordering;
use std::ops::ControlFlow;

use glam::DVec3;

use super::{Bvh, TriMesh};
use crate::Aabb;
use crate::predicates::{side_of_plane, turn_2d};

/// A ray along the positive direction of a coordinate axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisRay {
    pub(crate) from: DVec3,
    pub(crate) axis: usize,
}

impl AxisRay {
    /// Everything the ray can hit overlaps this box.
    pub(crate) fn bounds(&self) -> Aabb {
        let mut max = self.from;
        max[self.axis] = f64::INFINITY;
        Aabb { min: self.from, max }
    }

    /// Whether the ray crosses a triangle; one that passes exactly through the starting point is not
    /// crossed.
    pub(crate) fn crosses(&self, corners: [DVec3; 3]) -> bool {
        let (u, v) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let [a, b, c] = corners.map(|p| [p[u], p[v]]);
        let p = [self.from[u], self.from[v]];
        let turn = perturbed_turn(a, b, p);
        if turn == Ordering::Equal
            || perturbed_turn(b, c, p) != turn
            || perturbed_turn(c, a, p) != turn
        {
            return false;
        }
        // The shadow turns like the sign of the normal along the axis; the crossing lies ahead when
        // the start is on the other side of the plane.
        side_of_plane(corners, self.from) == turn.reverse()
    }
}

/// Whether a point lies inside a closed mesh, given the tree over its triangles; exact except on the
/// surface, where either answer may come.
pub(crate) fn is_inside(mesh: &TriMesh, tree: &Bvh, point: DVec3) -> bool {
    let ray = AxisRay { from: point, axis: 0 };
    let mut is_inside = false;
    let _ = tree.visit_overlaps(&ray.bounds(), |triangle| {
        is_inside ^= ray.crosses(mesh.corners(triangle as usize));
        ControlFlow::Continue(())
    });
    is_inside
}

/// Turning sense of a, b and p + (ε, ε²); `Equal` only if a and b coincide.
fn perturbed_turn(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> Ordering {
    // The turn is (b−a)ᵤ (p−a)ᵥ − (b−a)ᵥ (p−a)ᵤ, so moving p adds −(b−a)ᵥ ε + (b−a)ᵤ ε².
    let compare = |x: f64, y: f64| x.partial_cmp(&y).unwrap_or(Ordering::Equal);
    turn_2d(a, b, p).then_with(|| compare(a[1], b[1])).then_with(|| compare(b[0], a[0]))
}

/// For a point on each shell how many *other* shells contain it; `None` once more than `max_hits`
/// crossings were looked at in all.
///
/// `starts` has one point per shell, `triangles` the corners of each triangle and its shell (`None` takes
/// it out).
pub(crate) fn shell_depths(
    tree: &Bvh,
    starts: &[Option<DVec3>],
    triangle: impl Fn(u32) -> Option<([DVec3; 3], u32)>,
    max_hits: u64,
) -> Option<Vec<u32>> {
    // Along the shortest side a ray has the least to cross.
    let sides = tree.bounds().extents();
    let axis = (0..3).fold(0, |best, k| if sides[k] < sides[best] { k } else { best });
    let mut n_hits = 0;
    let mut depths = Vec::with_capacity(starts.len());
    let mut crossed = Vec::new();
    for (shell, start) in starts.iter().enumerate() {
        let Some(from) = *start else {
            depths.push(0);
            continue;
        };
        let ray = AxisRay { from, axis };
        crossed.clear();
        let outcome = tree.visit_overlaps(&ray.bounds(), |index| {
            n_hits += 1;
            if n_hits > max_hits {
                return ControlFlow::Break(());
            }
            if let Some((corners, other)) = triangle(index)
                && other as usize != shell
                && ray.crosses(corners)
            {
                crossed.push(other);
            }
            ControlFlow::Continue(())
        });
        if outcome.is_break() {
            return None;
        }
        crossed.sort_unstable();
        // An odd number of crossings means inside.
        let n_around = crossed.chunk_by(|a, b| a == b).filter(|group| group.len() % 2 == 1).count();
        depths.push(n_around as u32);
    }
    Some(depths)
}
