//! What some points of C say together, where averages of them are no longer to be trusted.
//!
//! Points y₁ … y_k of C bound what any direction can achieve: L(n) ≤ min n·y_i. The n for which this bound is largest is
//! perpendicular to a triangle of them, or to an edge, or points at a corner. The programme finds it as the direction of the
//! nearest average; but where the gap is narrow and C is flat one way and curved the other, as between a rim and a
//! cylinder's side, the weights of that average are rounding, and it drops the point that holds the direction in place.
//! Here all triangles and edges are tried, and the bound itself decides: it needs no weights. For the same reason, a shallow
//! overlap may go unseen until all triangles are tried for one that encloses the origin together with a point deep in C.

use glam::DVec3;

use super::simplex::encloses;

/// The direction with the largest bound among those that point to the same side as a given one, and that bound.
pub(super) fn best_direction(points: &[DVec3], near: DVec3) -> (f64, DVec3) {
    let mut best = (f64::NEG_INFINITY, near);
    let mut consider = |n: DVec3| {
        let n = if n.dot(near) < 0.0 { -n } else { n };
        let bound = points.iter().map(|point| n.dot(*point)).fold(f64::INFINITY, f64::min);
        if bound > best.0 {
            best = (bound, n);
        }
    };
    consider(near);
    for (i, a) in points.iter().enumerate() {
        a.try_normalize().into_iter().for_each(&mut consider);
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            let edge = b - a;
            let across = |v: DVec3| v - edge * (v.dot(edge) / edge.length_squared());
            // Twice, since the first time leaves rounding of the length of a.
            across(across(*a)).try_normalize().into_iter().for_each(&mut consider);
            for c in &points[j + 1..] {
                edge.cross(c - a).try_normalize().into_iter().for_each(&mut consider);
            }
        }
    }
    best
}

/// Three of the points that enclose the origin together with a point deep in C.
pub(super) fn enclosing(points: &[DVec3], deep: DVec3, margin: f64) -> Option<[DVec3; 4]> {
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let corners = [*a, *b, *c, deep];
                if encloses(corners, margin) {
                    return Some(corners);
                }
            }
        }
    }
    None
}

/// Keeps the points that matter most for a direction: those least along it.
pub(super) fn keep_least(points: &mut Vec<DVec3>, n: DVec3, count: usize) {
    points.sort_by(|a, b| n.dot(*a).total_cmp(&n.dot(*b)));
    points.dedup();
    points.truncate(count);
}
