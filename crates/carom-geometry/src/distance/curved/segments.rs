//! Two capsules: the nearest points of two segments.
//!
//! With the unit directions d_A = z and d_B and t the middle of B, |s·d_A − t − u·d_B|² is least where
//! s = b·u + d_A·t and u = b·s − d_B·t, b = d_A·d_B. Together (1 − b²)·s = d_A·(t − d_B·(d_B·t)), where 1 − b² is the
//! square of |d_A × d_B|, computed as such: the difference loses all digits for nearly parallel segments.

use glam::DVec3;

use super::core::Core;
use super::pair::Pair;
use super::project::Foot;
use super::solve::Solution;
use crate::distance::Feature;

/// The answer for two segments, if it proves itself.
pub(super) fn solve(pair: &Pair<'_>) -> Option<Solution> {
    let (Core::Segment { half_length: half_a }, Core::Segment { half_length: half_b }) =
        (pair.a.core, pair.b.core)
    else {
        return None;
    };
    let (t, along_b) = (pair.translation, pair.rotation.z_axis);
    let cosine = along_b.z;
    let across = DVec3::Z.cross(along_b);
    let rejected = t - along_b * along_b.dot(t);
    // Not a number for parallel segments: then the foot of B's middle.
    let free = rejected.z / across.length_squared();
    let start = if free.is_finite() { free } else { t.z };
    let u = (cosine * start.clamp(-half_a, half_a) - along_b.dot(t)).clamp(-half_b, half_b);
    let s = (cosine * u + t.z).clamp(-half_a, half_a);
    let (point_a, point_b) = (DVec3::Z * s, t + u * along_b);
    let normal =
        normal_between(point_a - point_b, across, along_b, [s.abs() < half_a, u.abs() < half_b]);
    let nobody = Foot::guess(point_a, normal, Feature::Face(0));
    let width = pair.slab(normal, &nobody, &nobody);
    let is_proven = (point_a.distance(point_b) - width).abs() <= pair.tolerance();
    let features = [Feature::Face(0); 2];
    is_proven.then_some(Solution { point_a, point_b, normal, width, features, is_proven })
}

/// The difference made square to each segment that the point lies inside of: it may be shorter than its errors.
fn normal_between(apart: DVec3, across: DVec3, along_b: DVec3, inside: [bool; 2]) -> DVec3 {
    let square_to = |v: DVec3, along: DVec3| v - along * along.dot(v);
    let direction = match inside {
        [true, true] => {
            let side = if across.dot(apart) < 0.0 { -across } else { across };
            if across.length_squared() > f64::EPSILON { side } else { square_to(apart, DVec3::Z) }
        }
        [true, false] => square_to(apart, DVec3::Z),
        [false, true] => square_to(apart, along_b),
        [false, false] => apart,
    };
    direction.try_normalize().unwrap_or_else(|| along_b.any_orthonormal_vector())
}
