//! The least gap of one pair in a span.
//!
//! The gap is measured at the sample times where the bounding balls are near enough to matter. Around the least of these,
//! between the samples before and after, a golden-section search goes on, if the bodies move enough in that time to do
//! better than what is known. It finds the least gap to rounding where there is one dip, which is what a passing pair has.

use oracles::gap::{self, Gap};

use super::solids::pose_of;
use super::tolerances::{EDGE_SHARE, TIME_SHARE};
use super::tracks::{Near, Track};
use super::view::View;

/// Bodies at some times.
pub(super) struct Scene<'a> {
    pub(super) view: &'a dyn View,
    pub(super) times: &'a [f64],
}

/// A gap at a time, with the poses it was measured at.
pub(super) struct Look {
    pub(super) time: f64,
    pub(super) poses: [gap::Pose; 2],
}

/// (3 − √5)/2, the smaller part of the golden section.
const GOLDEN: f64 = 0.381_966_011_250_105_15;

impl Scene<'_> {
    /// Looks at a pair; `measure` measures and takes down, and gaps above `matters` do not matter to it.
    pub(super) fn hunt(
        &self,
        near: &Near<'_>,
        matters: &dyn Fn() -> f64,
        measure: &mut dyn FnMut(&Look) -> Gap,
    ) {
        let [a, b] = near.tracks;
        let mut least: Option<(usize, f64)> = None;
        for (at, &time) in self.times.iter().enumerate() {
            if a.balls_apart(b, at) - self.travel(a, b, at) > matters() {
                continue;
            }
            let gap = measure(&Look { time, poses: [a.poses[at], b.poses[at]] });
            if least.is_none_or(|(_, upper)| gap.upper < upper) {
                least = Some((at, gap.upper));
            }
        }
        // What overlaps is an offence already, however deep it may get.
        let Some((at, upper)) = least.filter(|(_, upper)| *upper >= 0.0) else { return };
        let last = self.times.len() - 1;
        if upper - self.travel(a, b, at) > matters() || last == 0 {
            return;
        }
        let bracket = [self.times[at.saturating_sub(1)], self.times[(at + 1).min(last)]];
        let inwards = if at == 0 { EDGE_SHARE } else { 1.0 - EDGE_SHARE };
        // A pair that is nearest at an end of the span and goes apart from there has its least gap there.
        let is_edge = (at == 0 || at == last) && {
            let beside = bracket[0] + inwards * (bracket[1] - bracket[0]);
            self.gap_at([a, b], beside, measure).is_some_and(|gap| gap >= upper)
        };
        if !is_edge {
            self.close_in([a, b], bracket, measure);
        }
    }

    /// The upper end of a gap at any time `[m]`.
    fn gap_at(
        &self,
        bodies: [&Track; 2],
        time: f64,
        measure: &mut dyn FnMut(&Look) -> Gap,
    ) -> Option<f64> {
        let pose = |track: &Track| self.view.pose_at(track.id, time);
        let [a, b] = bodies.map(pose);
        let poses = [pose_of(&a?), pose_of(&b?)];
        Some(measure(&Look { time, poses }).upper)
    }

    /// How far a point of one may move against the other in the time before or after a sample `[m]`.
    fn travel(&self, a: &Track, b: &Track, at: usize) -> f64 {
        let before = at.checked_sub(1).map_or(0.0, |from| a.travel(b, from));
        let after = if at + 1 < self.times.len() { a.travel(b, at) } else { 0.0 };
        before.max(after)
    }

    fn close_in(
        &self,
        bodies: [&Track; 2],
        [mut low, mut high]: [f64; 2],
        measure: &mut dyn FnMut(&Look) -> Gap,
    ) {
        let enough = TIME_SHARE * (high - low);
        let mut at = |time: f64| self.gap_at(bodies, time, measure);
        let (mut left, mut right) = (low + GOLDEN * (high - low), high - GOLDEN * (high - low));
        let (Some(mut gap_left), Some(mut gap_right)) = (at(left), at(right)) else { return };
        while high - low > enough && low < left && left < right && right < high {
            let found = if gap_left <= gap_right {
                (high, right, gap_right) = (right, left, gap_left);
                left = low + GOLDEN * (high - low);
                at(left).map(|gap| gap_left = gap)
            } else {
                (low, left, gap_left) = (left, right, gap_right);
                right = high - GOLDEN * (high - low);
                at(right).map(|gap| gap_right = gap)
            };
            if found.is_none() {
                return;
            }
        }
    }
}
