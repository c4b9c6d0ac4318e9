//! Four points that span a volume, to start the hull from.

use std::cmp::Ordering;

use glam::DVec3;

use super::HullError;
use crate::predicates::{ExactPoints, collinear};

/// Indices of four points, the fourth strictly behind the plane of the first three.
///
/// Distances only guide the choice towards a fat simplex; that it is one is checked exactly, and if
/// rounding misled the choice every other point is tried.
pub(super) fn initial_simplex(
    exact: &ExactPoints,
    original: &[DVec3],
) -> Result<[usize; 4], HullError> {
    let points = exact.as_slice();
    let coincide = HullError::OnePoint { position: original[0] };
    let (a, b) = most_distant_extremes(points).ok_or(coincide)?;
    let axis = points[b] - points[a];
    let off_axis = |i: usize| axis.cross(points[i] - points[a]).length_squared();
    let c = best_or_any(points.len(), off_axis, |i| !collinear(points[a], points[b], points[i]))
        .ok_or(HullError::OneLine)?;
    let normal = axis.cross(points[c] - points[a]);
    let off_plane = |i: usize| normal.dot(points[i] - points[a]).abs();
    let d = best_or_any(points.len(), off_plane, |i| exact.side([a, b, c], i) != Ordering::Equal)
        .ok_or(HullError::OnePlane { thickness: 0.0 })?;
    if exact.side([a, b, c], d) == Ordering::Less { Ok([a, b, c, d]) } else { Ok([a, c, b, d]) }
}

/// The most distant pair among the points extreme along an axis; `None` if all points coincide.
fn most_distant_extremes(points: &[DVec3]) -> Option<(usize, usize)> {
    let mut extremes = [0; 6];
    for (i, point) in points.iter().enumerate() {
        for axis in 0..3 {
            if point[axis] < points[extremes[axis]][axis] {
                extremes[axis] = i;
            }
            if point[axis] > points[extremes[axis + 3]][axis] {
                extremes[axis + 3] = i;
            }
        }
    }
    let pairs = extremes.iter().flat_map(|&i| extremes.iter().map(move |&j| (i, j)));
    let distance = |&(i, j): &(usize, usize)| points[i].distance_squared(points[j]);
    pairs
        .filter(|&(i, j)| points[i] != points[j])
        .max_by(|p, q| distance(p).partial_cmp(&distance(q)).unwrap_or(Ordering::Equal))
}

/// The index with the largest `score` if it is `valid`, otherwise the first valid one.
fn best_or_any(
    count: usize,
    score: impl Fn(usize) -> f64,
    valid: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut best = 0;
    let mut best_score = f64::NEG_INFINITY;
    for i in 0..count {
        let candidate = score(i);
        if candidate > best_score {
            (best, best_score) = (i, candidate);
        }
    }
    if valid(best) { Some(best) } else { (0..count).find(|&i| valid(i)) }
}
