//! Where laws of elements change: ropes become taut or slack, bushings turn over.
//!
//! Such a law has two *sides*, on each of which it is smooth and can be followed beyond. A function of the state, positive
//! on the one, says which: how taut a rope is, or the real part of a bushing's rotation. The side is taken from
//! the state that a segment starts from, and frozen in it. Afterwards the segment is looked through for the first time at which
//! that is no longer so: at even times, between which the function has at most one extremum, because they are much closer
//! than what a segment can follow; where it has one, there. The segment ends at the first double after the change,
//! from where the next one starts on the other side, by the same formula and to the same bits. So nothing needs to be
//! remembered, and no threshold decides.

use super::Element;
use crate::linkage::workspace::Buffers;
use crate::linkage::{Course, Linkage};
use crate::tolerances::{SIDE_LOOKS, SIDE_PEAK_LOOKS};

impl Linkage {
    /// Notes on which sides elements are in this state.
    pub(in crate::linkage) fn note_sides(&self, q: &[f64], v: &[f64], buffers: &mut Buffers) {
        let Buffers { scratch, elements, .. } = buffers;
        elements.beyond.clear();
        if self.elements.has_sides {
            self.tree.place(q, v, scratch);
            let is_beyond =
                |element: &Element| element.is_beyond(&Self::ends(element, 0.0, scratch));
            elements.beyond.extend(self.elements.list.iter().map(is_beyond));
        }
    }
}

impl Course {
    /// The first time at which an element is no longer on the side that was noted.
    pub(in crate::linkage) fn first_change(&self, beyond: &[bool]) -> Option<f64> {
        let mut first = None;
        for (element, is_beyond) in self.linkage().elements().iter().zip(beyond) {
            if element.has_sides() {
                let end = first.unwrap_or(self.span().end);
                first = self.change(element, *is_beyond, end).or(first);
            }
        }
        first
    }

    /// The first time before `end` at which one element changes sides.
    fn change(&self, element: &Element, is_beyond: bool, end: f64) -> Option<f64> {
        // Above zero after a change, or at it where zero belongs to the other side.
        let excess = |time: f64| {
            let side = element.side(&self.ends_at(element, time));
            if is_beyond { side } else { -side }
        };
        let has_changed = |excess: f64| if is_beyond { excess > 0.0 } else { excess >= 0.0 };
        let start = self.span().start;
        let at = |k: u32| start + (end - start) * (f64::from(k) / f64::from(SIDE_LOOKS));
        let mut seen = [(start, f64::NAN), (start, excess(start))];
        for k in 1..=SIDE_LOOKS {
            let time = at(k).min(end);
            let next = (time, excess(time));
            if has_changed(next.1) {
                return Some(first_after([seen[1].0, time], |time| has_changed(excess(time))));
            }
            if may_peak([seen[0].1, seen[1].1, next.1]) {
                let peak = peak([seen[0].0, time], excess, has_changed);
                if let Some(peak) = peak {
                    return Some(first_after([seen[0].0, peak], |time| has_changed(excess(time))));
                }
            }
            seen = [seen[1], next];
        }
        None
    }
}

/// Whether a function with these three values in a row may be above zero between them: it rises, falls again, and would
/// have to rise by no more than it already did.
fn may_peak([before, middle, after]: [f64; 3]) -> bool {
    let rise = middle - before.min(after);
    middle >= before && middle >= after && middle + rise >= 0.0
}

/// A time at which the function has changed near its largest value in an interval, by golden sections.
fn peak(
    [mut from, mut to]: [f64; 2],
    excess: impl Fn(f64) -> f64,
    has_changed: impl Fn(f64) -> bool,
) -> Option<f64> {
    const GOLDEN: f64 = 0.381_966_011_250_105_1;
    for _ in 0..SIDE_PEAK_LOOKS {
        let step = GOLDEN * (to - from);
        let (early, late) = (from + step, to - step);
        let (left, right) = (excess(early), excess(late));
        if has_changed(left) {
            return Some(early);
        }
        if has_changed(right) {
            return Some(late);
        }
        if left < right { from = early } else { to = late }
    }
    None
}

/// The first double after a change that comes between two times, by halving.
fn first_after([mut early, mut late]: [f64; 2], has_changed: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = early + 0.5 * (late - early);
        if middle <= early || middle >= late {
            return late;
        }
        if has_changed(middle) { late = middle } else { early = middle }
    }
}
