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

/// A shell whose place among the others is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// A point on it.
    pub(crate) start: DVec3,
    /// A size that grows from a shell to the one around it.
    pub(crate) size: f64,
}

/// The place of a shell among the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nest {
    /// In how many other shells it lies.
    pub(crate) depth: u32,
    /// The outermost of them; the shell itself if there are none.
    pub(crate) outermost: u32,
}

/// The place of each shell that has a probe; `None` in all once more than `max_hits` crossings were looked
/// at.
///
/// Shells without a probe are open or overlap others, so their inside is not known: nothing is said of them
/// nor of those that the ray finds inside them. `triangle` gives the corners of each triangle and its shell.
pub(crate) fn shell_nests(
    tree: &Bvh,
    probes: &[Option<Probe>],
    triangle: impl Fn(u32) -> ([DVec3; 3], u32),
    max_hits: u64,
) -> Option<Vec<Option<Nest>>> {
    // Along the shortest side a ray has the least to cross.
    let sides = tree.bounds().extents();
    let axis = (0..3).fold(0, |best, k| if sides[k] < sides[best] { k } else { best });
    let mut n_hits = 0;
    let mut nests = Vec::with_capacity(probes.len());
    let mut crossed = Vec::new();
    for (shell, probe) in (0..).zip(probes) {
        let Some(Probe { start, .. }) = *probe else {
            nests.push(None);
            continue;
        };
        let ray = AxisRay { from: start, axis };
        crossed.clear();
        let outcome = tree.visit_overlaps(&ray.bounds(), |index| {
            n_hits += 1;
            if n_hits > max_hits {
                return ControlFlow::Break(());
            }
            let (corners, other) = triangle(index);
            if other != shell && ray.crosses(corners) {
                crossed.push(other);
            }
            ControlFlow::Continue(())
        });
        if outcome.is_break() {
            return None;
        }
        crossed.sort_unstable();
        // An odd number of crossings means inside.
        let groups = crossed.chunk_by(|a, b| a == b).filter(|group| group.len() % 2 == 1);
        nests.push(nest_in(groups.map(|group| group[0]), shell, probes));
    }
    Some(nests)
}

/// The place of a shell inside others; `None` if one of them has no probe.
fn nest_in(
    around: impl Iterator<Item = u32>,
    shell: u32,
    probes: &[Option<Probe>],
) -> Option<Nest> {
    let mut nest = Nest { depth: 0, outermost: shell };
    let mut largest = f64::NEG_INFINITY;
    for other in around {
        let size = probes[other as usize]?.size;
        nest.depth += 1;
        // Shells around the same point that do not overlap lie in each other, so sizes tell them apart.
        if size > largest {
            (nest.outermost, largest) = (other, size);
        }
    }
    Some(nest)
}
