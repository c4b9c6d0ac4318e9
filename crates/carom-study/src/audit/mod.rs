//! An audit of a run: do bodies ever overlap, and does the engine tell every touch?
//!
//! An [`Auditor`] is an observer. It believes the engine where bodies are and who takes notice of whom, and nothing else:
//! who is near is found by boxes of its own (`horizon.rs`), and distances come from `oracles`, as intervals that hold them
//! for certain.
//!
//! **When it looks.** At every instant with events, just after it. Between two instants, at the beginning and at the last
//! number before the end; in what follows an instant, also at [`AuditOptions::random_times`] random times, and again
//! whenever [`AuditOptions::quiet`] has passed. A run is handed over in pieces, cut at instants, at ends of windows and
//! where whoever advances the world cuts it; each piece is such a span. Where a pair may come nearer between two of
//! these times than anything seen so far, the time of its least gap is searched for (`hunt.rs`), so that what is
//! found hardly depends on where the times fall.
//!
//! **At whom it looks.** At pairs that take notice of each other and are not passing through each other, whose bounding
//! balls come nearer than the least gap so far. If there are more than [`AuditOptions::most_pairs`] in one span, it looks
//! at the half of that number whose bounding balls are nearest, and at as many of the others, evenly spaced in order of
//! nearness from a random first one, so that over a run all get their turn; the rest are counted.
//!
//! **What must not be.**
//! - *Overlap*: a pair whose signed distance is below −[`OVERLAP_ULPS`] units in the last place of the largest
//!   coordinate, for certain.
//! - *Missed touch*: a pair that has been seen apart and is then seen within [`TOUCH_SHARE`](tolerances::TOUCH_SHARE) of the
//!   smaller bounding radius, without a touch having been told in between or at the end of the span. Bodies that begin so
//!   close have not come to touch, and are not asked about until they have been apart.

mod horizon;
mod hunt;
mod pairs;
mod report;
mod solids;
#[cfg(test)]
mod tests;
pub mod tolerances;
mod tracks;
mod view;

use std::cell::Cell;
use std::ops::Range;
use std::time::Instant as Clock;

use carom::{BodyId, Event, Happening, Instant, Observer, Stop, World};
use oracles::gap::Oracle;

pub use oracles::gap::Gap;
pub use report::{AuditReport, Offence, Sighting};
pub use solids::{pose_of, solid_of};
pub use view::View;

use horizon::Horizon;
use hunt::{Look, Scene};
use pairs::{Pairs, Seen};
use solids::Solids;
use tolerances::{MOST_PIECES, OVERLAP_ULPS};
use tracks::{Near, Track, near_pairs, tracks};

/// How to audit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuditOptions {
    /// Random times in each span.
    pub random_times: usize,
    /// Looks at random times are at most this far apart, and bodies are looked for so far ahead `[s]`.
    pub quiet: f64,
    /// Pairs that are looked at in one span.
    pub most_pairs: usize,
    /// Seed of what is random.
    pub seed: u64,
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self { random_times: 3, quiet: f64::INFINITY, most_pairs: 1000, seed: 0 }
    }
}

/// Watches a run and measures.
#[derive(Clone, Debug)]
pub struct Auditor {
    options: AuditOptions,
    random: u64,
    oracle: Oracle,
    solids: Solids,
    pairs: Pairs,
    horizon: Option<Horizon>,
    /// When to look at random times again `[s]`.
    random_due: f64,
    report: AuditReport,
}

impl Auditor {
    /// Nothing seen yet.
    pub fn new(options: AuditOptions) -> Self {
        Self {
            options,
            random: options.seed,
            oracle: Oracle::new(),
            solids: Solids::default(),
            pairs: Pairs::default(),
            horizon: None,
            random_due: f64::NEG_INFINITY,
            report: AuditReport::default(),
        }
    }

    /// Looks at a span in which nothing happens.
    pub fn look_between(&mut self, view: &dyn View, span: Range<f64>) {
        self.pairs.settle();
        let mut from = span.start;
        while from < span.end {
            let to = self.look_ahead(view, from, span.end);
            let times = self.times_in(&(from..to));
            self.look(view, &times);
            from = to;
        }
    }

    /// Looks at an instant, just after it; some bodies may be on new ways.
    pub fn look_after(&mut self, view: &dyn View, time: f64, events: &[Event], changed: &[BodyId]) {
        self.pairs.told(events);
        let gone: Vec<BodyId> = events.iter().filter_map(gone).collect();
        for &body in &gone {
            self.pairs.forget(body);
            self.solids.forget(body);
        }
        if let Some(horizon) = &mut self.horizon {
            horizon.renew(view, &mut self.solids, &[changed, &gone].concat(), time);
        }
        self.random_due = time;
        if !events.is_empty() {
            self.report.instants += 1;
            self.look_ahead(view, time, time);
            self.look(view, &[time]);
        }
    }

    /// Makes sure that a horizon holds at a time; gives the time up to which it does, or the end, if that comes first.
    fn look_ahead(&mut self, view: &dyn View, time: f64, end: f64) -> f64 {
        let least = self.report.least.as_ref().map(|least| least.gap.upper);
        let holds = |horizon: &&Horizon| {
            let is_tight = least
                .is_none_or(|least| horizon.margin <= 2.0 * least.max(horizon.touch))
                || horizon.pairs.len() <= self.options.most_pairs;
            time < horizon.end && is_tight
        };
        if let Some(horizon) = self.horizon.as_ref().filter(holds) {
            return horizon.end.min(end);
        }
        let ahead = self.options.quiet.max((end - time) / MOST_PIECES);
        let until = if ahead.is_finite() { time + ahead } else { end };
        let horizon = Horizon::new(view, &mut self.solids, [time, until.max(time)], least);
        self.horizon = Some(horizon);
        until.min(end).max(time.next_up().min(end))
    }

    /// What was found in a run that broke down: its last instant told nothing, which is not to say that it missed
    /// something.
    pub fn finish_broken(mut self) -> AuditReport {
        self.pairs.acquit();
        self.finish()
    }

    /// What was found.
    pub fn finish(self) -> AuditReport {
        let mut report = self.report;
        self.pairs.accuse(&mut report);
        report.distances = self.oracle.measured;
        report.second_opinions = [self.oracle.second_opinions, self.oracle.disagreements];
        report.not_measurable = self.solids.refused;
        report
    }

    /// Beginning and end of a span, and random times between if they are due.
    fn times_in(&mut self, span: &Range<f64>) -> Vec<f64> {
        let last = span.end.next_down();
        let mut times = vec![span.start];
        if span.start >= self.random_due {
            let length = span.end - span.start;
            for _ in 0..self.options.random_times {
                times.push(span.start + length * self.random());
            }
            self.random_due = span.start + self.options.quiet;
        }
        times.retain(|time| *time < last);
        times.push(last.max(span.start));
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// From 0 to 1, the same in every run (splitmix64).
    fn random(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Looking.
impl Auditor {
    fn look(&mut self, view: &dyn View, times: &[f64]) {
        self.report.times += times.len() as u64;
        let Some(horizon) = &self.horizon else { return };
        let meet = |[a, b]: &&[BodyId; 2]| view.meets(*a, *b) && !view.is_inside(*a, *b);
        let pairs: Vec<[BodyId; 2]> = horizon.pairs.iter().filter(meet).copied().collect();
        let least = self.report.least.as_ref();
        let margin = least.map_or(horizon.margin, |it| it.gap.upper.max(horizon.touch));
        let tracks = tracks(view, &mut self.solids, &pairs, times);
        let near = near_pairs(&tracks, &pairs, margin);
        let scene = Scene { view, times };
        let (chosen, rest) = self.chosen(near);
        for near in chosen {
            self.look_at(&scene, &near);
        }
        let matter = |near: &&Near<'_>| near.bound <= self.matters(near);
        self.report.left_out += rest.iter().filter(matter).count() as u64;
    }

    /// All pairs, or as many as may be looked at, and the rest.
    fn chosen<'a>(&mut self, mut near: Vec<Near<'a>>) -> (Vec<Near<'a>>, Vec<Near<'a>>) {
        let most = self.options.most_pairs;
        if near.len() <= most {
            return (near, Vec::new());
        }
        let others = near.split_off(most.div_ceil(2));
        let wanted = most - near.len();
        let (first, step) = (self.random(), others.len() as f64 / wanted.max(1) as f64);
        let mut turns =
            (0..wanted).map(|place| ((place as f64 + first) * step) as usize).peekable();
        let mut rest = Vec::with_capacity(others.len());
        for (place, pair) in others.into_iter().enumerate() {
            let its_turn = turns.next_if_eq(&place).is_some();
            if its_turn { near.push(pair) } else { rest.push(pair) }
        }
        (near, rest)
    }

    /// Gaps above this are no news: neither the least nor a touch `[m]`.
    fn matters(&self, near: &Near<'_>) -> f64 {
        match &self.report.least {
            Some(least) => least.gap.upper.max(near.touch()),
            None => f64::INFINITY,
        }
    }

    fn look_at(&mut self, scene: &Scene<'_>, near: &Near<'_>) {
        let known = Cell::new(self.matters(near));
        if near.bound > known.get() {
            return;
        }
        let (tracks, touch) = (near.tracks, near.touch());
        let mut looks = Vec::new();
        scene.hunt(near, &|| known.get(), &mut |look| {
            let sighting = self.measure(scene.view, tracks, look);
            known.set(self.matters(near));
            let gap = sighting.gap;
            if gap.upper <= touch {
                looks.push(Seen::Touching(sighting));
            } else if gap.lower > touch {
                looks.push(Seen::Apart(look.time));
            }
            gap
        });
        looks.sort_by(|x, y| x.time().total_cmp(&y.time()));
        self.pairs.seen(tracks.map(|track| track.id), looks);
    }

    /// Measures a pair, and takes down what that says of it.
    fn measure(&mut self, view: &dyn View, pair: [&Track; 2], look: &Look) -> Sighting {
        let [a, b] = pair;
        let gap = self.oracle.gap(&a.solid, &look.poses[0], &b.solid, &look.poses[1]);
        let bodies = [a.id, b.id];
        let names = bodies.map(|body| view.name(body));
        let sighting = Sighting { bodies, names, time: look.time, gap };
        if self.report.least.as_ref().is_none_or(|least| gap.upper < least.gap.upper) {
            self.report.least = Some(sighting.clone());
        }
        if gap.upper < -OVERLAP_ULPS * f64::EPSILON * largest_coordinate(pair, look) {
            self.pairs.seen_overlapping(sighting.clone());
        }
        sighting
    }
}

/// The body that an event took away.
fn gone(event: &Event) -> Option<BodyId> {
    let is_removal = matches!(event.what, Happening::Removed { .. });
    event.change.filter(|_| is_removal).map(|change| change.body)
}

/// How far from the origin the pair gets, or at least its bounded members `[m]`.
fn largest_coordinate(pair: [&Track; 2], look: &Look) -> f64 {
    let reach = |(track, pose): (&Track, &oracles::gap::Pose)| {
        let far = pose.position.iter().map(|x| x.abs()).fold(0.0, f64::max);
        let radius = track.solid.radius();
        if radius.is_finite() { far + radius } else { far }
    };
    pair.into_iter().zip(&look.poses).map(reach).fold(0.0, f64::max)
}

impl Observer for Auditor {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        let started = Clock::now();
        self.look_between(world, times);
        self.report.wall += started.elapsed().as_secs_f64();
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        let started = Clock::now();
        self.look_after(world, instant.time, instant.events, instant.changed);
        self.report.wall += started.elapsed().as_secs_f64();
        Ok(())
    }
}
