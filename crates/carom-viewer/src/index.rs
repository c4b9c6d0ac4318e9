//! What is known of a run as a whole, gathered message by message: its bodies, its pairs, how much happens when, and the ledger.
//!
//! Everything here is bounded, however long the run: what grows is thinned to half whenever it is full.

use std::collections::BTreeMap;

use carom::{CollisionKind, Mass};
use carom_record::{
    BodyDescription, JointDescription, LedgerLine, MeshData, Message, RecordedCollision,
    RecordedEvent,
};
use glam::DVec3;
use serde::Serialize;

/// Lines of the ledger that are kept at most.
const MOST_LINES: usize = 4096;

/// Bins of the timeline.
const BINS: usize = 2048;

/// Pairs whose statistics are kept at most.
const MOST_PAIRS: usize = 200_000;

/// What is known of a run.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) bodies: BTreeMap<u32, BodyDescription>,
    pub(crate) joints: BTreeMap<u32, JointDescription>,
    /// When joints were parted or broke `[s]`.
    pub(crate) parted: BTreeMap<u32, f64>,
    pub(crate) meshes: BTreeMap<u32, MeshData>,
    pub(crate) ledger: Thinned<LedgerLine>,
    pub(crate) timeline: Timeline,
    pairs: BTreeMap<(u32, u32), Pair>,
    /// Times at which coefficients of friction of materials were changed, and to what `[s, -]`.
    frictions: BTreeMap<String, Vec<(f64, f64)>>,
    /// Times at which bodies were let go or taken along, and whether they are free from then on `[s]`.
    turns: BTreeMap<u32, Vec<(f64, bool)>>,
    /// From the first to the last sample `[s]`.
    pub(crate) span: Option<[f64; 2]>,
    /// When something last happened `[s]`.
    latest: f64,
    /// Gravity from a time on, in the order of times `[s, m/s²]`.
    gravities: Vec<(f64, DVec3)>,
}

/// What two bodies did to each other.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Pair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) first_s: f64,
    pub(crate) last_s: f64,
    collisions: u64,
    micro: u64,
    #[serde(rename = "normal_impulse_N_s")]
    normal_impulse: f64,
    #[serde(rename = "largest_N_s")]
    largest: f64,
    #[serde(rename = "normal_work_J")]
    normal_work: f64,
    #[serde(rename = "friction_work_J")]
    friction_work: f64,
}

/// A body with a mass.
#[derive(Clone, Debug)]
pub(crate) struct Flyer {
    pub(crate) mass: Mass,
    begins_free: bool,
    turns: Vec<(f64, bool)>,
}

impl Flyer {
    /// True if nothing leads it at a time.
    pub(crate) fn is_free(&self, time: f64) -> bool {
        let last = self.turns.iter().rfind(|turn| turn.0 <= time);
        last.map_or(self.begins_free, |turn| turn.1)
    }
}

impl Index {
    /// Takes a message into account.
    pub(crate) fn add(&mut self, message: &Message) {
        match message {
            Message::Mesh(mesh) => drop(self.meshes.insert(mesh.number, mesh.clone())),
            Message::Body(body) => drop(self.bodies.insert(body.body, body.clone())),
            Message::Joint(joint) => drop(self.joints.insert(joint.joint, joint.clone())),
            Message::Joints(_) => {}
            Message::Sample(sample) => {
                let [from, to] = self.span.unwrap_or([sample.time; 2]);
                self.span = Some([from.min(sample.time), to.max(sample.time)]);
            }
            Message::Ledger(line) => {
                self.ledger.push(*line);
                if let Some(gravity) = line.gravity {
                    self.note_gravity(line.time, gravity);
                }
            }
            Message::Event(event) => {
                // Controllers tick all the time, which says nothing about when much happens.
                if event.kind != "tick" {
                    self.timeline.count(event.time, Lane::Other);
                }
                self.latest = self.latest.max(event.time);
                let gravity = event.details.get("gravity_m_s2").cloned().unwrap_or_default();
                if let Ok(gravity) = serde_json::from_value(gravity) {
                    self.note_gravity(event.time, DVec3::from_array(gravity));
                }
                let friction = event.details.get("friction").and_then(serde_json::Value::as_f64);
                let material = event.details.get("material").and_then(|it| it.as_str());
                if let (Some(material), Some(friction)) = (material, friction) {
                    let changes = self.frictions.entry(material.to_owned()).or_default();
                    changes.push((event.time, friction));
                }
                self.note_turn(event);
            }
            Message::Contacts(collisions) => collisions.iter().for_each(|it| self.collide(it)),
        }
    }

    /// Takes note of bodies that are led from then on, or free, and of joints that are no more.
    fn note_turn(&mut self, event: &RecordedEvent) {
        if matches!(event.kind.as_str(), "unjoined" | "broken")
            && let Some(name) = event.details.get("joint").and_then(serde_json::Value::as_str)
            && let Some((number, _)) = self.joints.iter().rfind(|(_, joint)| joint.name == name)
        {
            self.parted.entry(*number).or_insert(event.time);
        }
        let is_free = match event.kind.as_str() {
            "carried" | "joined" | "tied" => false,
            "released" => true,
            "unjoined" | "broken" | "untied" => {
                event.details.get("role").is_some_and(|it| it == "free")
            }
            _ => return,
        };
        let parent = event.details.get("parent").and_then(|it| it.get("body")?.as_u64());
        let parent = parent.and_then(|it| u32::try_from(it).ok()).filter(|_| !is_free);
        for body in event.body.into_iter().chain(parent) {
            self.turns.entry(body).or_default().push((event.time, is_free));
        }
    }

    fn note_gravity(&mut self, time: f64, gravity: DVec3) {
        if self.gravities.last().is_none_or(|last| last.1 != gravity) {
            self.gravities.push((time, gravity));
        }
    }

    /// Gravity at a time, as far as it is told `[m/s²]`.
    pub(crate) fn gravity_at(&self, time: f64) -> Option<DVec3> {
        let then = self.gravities.iter().rfind(|change| change.0 <= time);
        then.or(self.gravities.first()).map(|change| change.1)
    }

    /// From the first sample to whatever came last `[s]`.
    pub(crate) fn reach(&self) -> [f64; 2] {
        let [from, to] = self.span.unwrap_or([0.0; 2]);
        [from, to.max(self.latest)]
    }

    /// What the friction of a material was changed to before a time.
    pub(crate) fn friction_at(&self, material: &str, time: f64) -> Option<f64> {
        let changes = self.frictions.get(material)?;
        changes.iter().rfind(|change| change.0 <= time).map(|change| change.1)
    }

    /// The bodies that can fly, and when they do.
    pub(crate) fn flyers(&self) -> BTreeMap<u32, Flyer> {
        let flyer = |body: &BodyDescription| {
            let turns = self.turns.get(&body.body).cloned().unwrap_or_default();
            let flyer = Flyer { mass: body.mass()?, begins_free: body.role == "free", turns };
            Some((body.body, flyer))
        };
        self.bodies.values().filter_map(flyer).collect()
    }

    fn collide(&mut self, collision: &RecordedCollision) {
        let is_micro = collision.kind == CollisionKind::Micro;
        let lane = if is_micro { Lane::Micro } else { Lane::Collision };
        self.timeline.count(collision.time, lane);
        self.latest = self.latest.max(collision.time);
        let [Some(a), Some(b)] = collision.bodies else { return };
        let key = (a.min(b), a.max(b));
        if self.pairs.len() >= MOST_PAIRS && !self.pairs.contains_key(&key) {
            return;
        }
        let time = collision.time;
        let pair = self.pairs.entry(key).or_insert_with(|| Pair {
            a,
            b,
            first_s: time,
            last_s: time,
            collisions: 0,
            micro: 0,
            normal_impulse: 0.0,
            largest: 0.0,
            normal_work: 0.0,
            friction_work: 0.0,
        });
        let normal = collision.impulse.dot(collision.normal);
        pair.last_s = time;
        pair.collisions += 1;
        pair.micro += u64::from(is_micro);
        pair.normal_impulse += normal;
        pair.largest = pair.largest.max(normal);
        pair.normal_work += collision.normal_work;
        pair.friction_work += collision.friction_work;
    }

    /// All pairs, the largest impulses first.
    pub(crate) fn pairs(&self) -> Vec<Pair> {
        let mut all: Vec<Pair> = self.pairs.values().cloned().collect();
        all.sort_by(|a, b| b.normal_impulse.total_cmp(&a.normal_impulse));
        all
    }
}

/// A row of which every so manieth is kept.
#[derive(Debug)]
pub(crate) struct Thinned<T> {
    kept: Vec<T>,
    every: usize,
    passed: usize,
    last: Option<T>,
}

impl<T> Default for Thinned<T> {
    fn default() -> Self {
        Self { kept: Vec::new(), every: 1, passed: 0, last: None }
    }
}

impl<T: Copy> Thinned<T> {
    fn push(&mut self, item: T) {
        if self.passed.is_multiple_of(self.every) {
            if self.kept.len() == MOST_LINES {
                let mut place = 0;
                self.kept.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.every *= 2;
            }
            if self.passed.is_multiple_of(self.every) {
                self.kept.push(item);
            }
        }
        self.passed += 1;
        self.last = Some(item);
    }

    /// About so many of them at most, evenly, the last among them.
    pub(crate) fn some(&self, most: usize) -> Vec<T> {
        let step = self.kept.len().div_ceil(most.max(1)).max(1);
        let mut some: Vec<T> = self.kept.iter().copied().step_by(step).collect();
        let is_last_kept = (self.passed.saturating_sub(1)).is_multiple_of(self.every * step);
        some.extend(self.last.filter(|_| !is_last_kept));
        some
    }
}

/// A kind of bar of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Collision,
    Micro,
    Other,
}

/// How much happens when: bins from time 0 that double their width when one lies beyond the last.
#[derive(Debug)]
pub(crate) struct Timeline {
    /// `[s]`.
    width: f64,
    counts: [Vec<u64>; 3],
}

impl Default for Timeline {
    fn default() -> Self {
        Self { width: 1e-4, counts: [vec![0; BINS], vec![0; BINS], vec![0; BINS]] }
    }
}

impl Timeline {
    fn count(&mut self, time: f64, lane: Lane) {
        if !(time.is_finite() && time >= 0.0) {
            return;
        }
        while time >= self.width * BINS as f64 {
            for counts in &mut self.counts {
                for bin in 0..BINS / 2 {
                    counts[bin] = counts[2 * bin] + counts[2 * bin + 1];
                }
                counts[BINS / 2..].fill(0);
            }
            self.width *= 2.0;
        }
        self.counts[lane as usize][(time / self.width) as usize] += 1;
    }

    /// Counts of collisions, microcollisions and others in so many bins from 0 to a time.
    pub(crate) fn counts(&self, until: f64, bins: usize) -> [Vec<u64>; 3] {
        let mut counts = [vec![0; bins], vec![0; bins], vec![0; bins]];
        for (from, to) in self.counts.iter().zip(&mut counts) {
            for (bin, count) in from.iter().enumerate() {
                let middle = (bin as f64 + 0.5) * self.width;
                let place = (middle / until.max(f64::MIN_POSITIVE) * bins as f64) as usize;
                to[place.min(bins - 1)] += count;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_thinned_evenly_and_keep_their_ends() {
        let mut row = Thinned::default();
        (0..100_000).for_each(|n| row.push(n));
        let some = row.some(100);
        assert!(some.len() <= 101 && some.len() > 40, "{}", some.len());
        assert_eq!((some[0], some[some.len() - 1]), (0, 99_999));
        let gaps: Vec<i32> = some.windows(2).map(|it| it[1] - it[0]).collect();
        assert!(gaps[..gaps.len() - 1].iter().all(|gap| *gap == gaps[0]), "{gaps:?}");
    }

    #[test]
    fn the_timeline_counts_everything_however_long_it_gets() {
        let mut timeline = Timeline::default();
        (0..10_000).for_each(|n| timeline.count(f64::from(n) * 1e-3, Lane::Micro));
        let [collisions, micro, others] = timeline.counts(10.0, 50);
        assert_eq!(micro.iter().sum::<u64>(), 10_000);
        assert!(micro.iter().all(|count| (150..=250).contains(count)), "{micro:?}");
        assert!(collisions.iter().chain(&others).all(|count| *count == 0));
    }
}
