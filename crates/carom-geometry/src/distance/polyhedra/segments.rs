//! Nearest points of two segments, and the part of a segment inside a prism.

use glam::DVec3;

/// Shares s, t ∈ [0, 1] along two segments p + s·u, q + t·v at which they are nearest.
///
/// For lines, s = (w × v)·c / |c|² with w = q − p and c = u × v. The error of this s is about ε over the angle
/// between the lines; the other share is then projected, so that the error moves both points along the nearly
/// common direction and hardly changes what lies between them. No angle counts as parallel except exactly zero,
/// where s = 0 serves as well as any.
#[inline]
pub(super) fn nearest_shares(p: DVec3, u: DVec3, q: DVec3, v: DVec3) -> (f64, f64) {
    let w = q - p;
    let c = u.cross(v);
    let s = unit_share(w.cross(v).dot(c), c.length_squared());
    let t = (s * u - w).dot(v);
    let v_sq = v.length_squared();
    if t <= 0.0 {
        (unit_share(w.dot(u), u.length_squared()), 0.0)
    } else if t >= v_sq {
        (unit_share((w + v).dot(u), u.length_squared()), 1.0)
    } else {
        (s, t / v_sq)
    }
}

/// The quotient, at least 0 and at most 1; 0 where it has no value.
#[inline]
pub(super) fn unit_share(numerator: f64, denominator: f64) -> f64 {
    if numerator > 0.0 {
        if numerator >= denominator { 1.0 } else { numerator / denominator }
    } else {
        0.0
    }
}

/// A segment as it is cut by one plane of a prism after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clip {
    /// Shares of the segment where the part that is left begins and ends.
    pub(super) span: [f64; 2],
    /// What the planes that cut the ends belong to.
    pub(super) by: [Option<u32>; 2],
}

impl Clip {
    pub(super) const WHOLE: Self = Self { span: [0.0, 1.0], by: [None; 2] };

    /// Keeps the part above a plane of `owner`, given the heights of the two ends; false when nothing is left.
    pub(super) fn keep_above(&mut self, heights: [f64; 2], owner: u32) -> bool {
        let [start, end] = heights;
        if start < 0.0 && end < 0.0 {
            return false;
        }
        if start < 0.0 || end < 0.0 {
            let share = start / (start - end);
            if start < 0.0 && share > self.span[0] {
                self.span[0] = share;
                self.by[0] = Some(owner);
            } else if end < 0.0 && share < self.span[1] {
                self.span[1] = share;
                self.by[1] = Some(owner);
            }
        }
        self.span[0] <= self.span[1]
    }
}
