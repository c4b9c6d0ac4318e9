//! What contacts did over time: sums of the pairs that measures name, kept at each of their collisions.
//!
//! The world sums up what every pair did so far. Forces over a time are differences of such sums, so those of the pairs that
//! matter are written down whenever they change; of all other pairs only the number of collisions is kept.

use std::collections::{BTreeMap, BTreeSet};

use carom::{BodyId, Collision, ContactSums, Happening, Instant, Stop, World};
use glam::DVec3;

/// Sums that are kept at most: half a gigabyte.
const MOST_ENTRIES: usize = 5_000_000;

/// Pairs whose sums are kept.
#[derive(Clone, Debug)]
pub(super) enum Followed {
    /// None.
    Nobody,
    /// Those of these bodies with each other.
    Named(BTreeSet<String>),
    /// All.
    Everybody,
}

/// The sums of a pair after some collisions.
#[derive(Clone, Copy, Debug)]
struct Entry {
    time: f64,
    sums: ContactSums,
    /// Σ x × p of the impulses on A, about the origin of the world `[N·m·s]`.
    moment: DVec3,
}

/// One pair over time.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    entries: Vec<Entry>,
    /// Normal impulse so far, by piece of A and of B `[N·s]`.
    pieces: [BTreeMap<u32, Vec<(f64, f64)>>; 2],
    /// Moment so far of the impulses on A `[N·m·s]`.
    moment: DVec3,
    /// When the pair came to rest, as it last looked `[s]`.
    pub(super) settled: Option<f64>,
}

impl Track {
    /// The sums up to a time, collisions at that time included.
    pub(super) fn sums_at(&self, time: f64) -> ContactSums {
        let after = self.entries.partition_point(|entry| entry.time <= time);
        after.checked_sub(1).map(|index| self.entries[index].sums).unwrap_or_default()
    }

    /// The moment of the impulses on A up to a time, about the origin of the world `[N·m·s]`.
    pub(super) fn moment_at(&self, time: f64) -> DVec3 {
        let after = self.entries.partition_point(|entry| entry.time <= time);
        after.checked_sub(1).map_or(DVec3::ZERO, |index| self.entries[index].moment)
    }

    /// The normal impulse of a piece of A (side 0) or B (side 1) up to a time `[N·s]`.
    pub(super) fn impulse_of_piece(&self, side: usize, piece: u32, time: f64) -> f64 {
        let Some(sums) = self.pieces[side].get(&piece) else { return 0.0 };
        let after = sums.partition_point(|(at, _)| *at <= time);
        after.checked_sub(1).map_or(0.0, |index| sums[index].1)
    }

    /// When the pair first and last collided `[s]`.
    pub(super) fn ends(&self) -> Option<[f64; 2]> {
        Some([self.entries.first()?.time, self.entries.last()?.time])
    }

    /// When the collision with this number came, from 0 `[s]`.
    pub(super) fn time_of(&self, number: u64) -> Option<f64> {
        let before = self.entries.partition_point(|entry| entry.sums.collisions <= number);
        self.entries.get(before).map(|entry| entry.time)
    }

    fn add_piece(&mut self, side: usize, time: f64, collision: &Collision) -> usize {
        let sums = self.pieces[side].entry(collision.contact.pieces[side]).or_default();
        let more = collision.impulse.dot(collision.contact.normal);
        match sums.last_mut() {
            Some((at, sum)) if *at == time => *sum += more,
            last => {
                let so_far = last.map_or(0.0, |(_, sum)| *sum);
                sums.push((time, so_far + more));
                return 1;
            }
        }
        0
    }
}

/// Collisions of a pair at one instant.
#[derive(Clone, Copy, Debug)]
struct Occurrence {
    time: f64,
    bodies: [BodyId; 2],
    count: u64,
}

/// What pairs did over time.
#[derive(Clone, Debug)]
pub(super) struct ContactTracks {
    followed: Followed,
    tracks: BTreeMap<[BodyId; 2], Track>,
    /// Collisions of every pair.
    counts: BTreeMap<[BodyId; 2], u64>,
    /// All collisions, where a measure asks for times of any.
    times: Option<Vec<Occurrence>>,
    kept: usize,
}

impl ContactTracks {
    pub(super) fn new(followed: Followed, all_times: bool) -> Self {
        let times = all_times.then(Vec::new);
        Self { followed, tracks: BTreeMap::new(), counts: BTreeMap::new(), times, kept: 0 }
    }

    pub(super) fn track(&self, bodies: [BodyId; 2]) -> Option<&Track> {
        self.tracks.get(&bodies)
    }

    /// Collisions of pairs that all of some bodies belong to.
    pub(super) fn count(&self, bodies: &[BodyId]) -> u64 {
        let concerns = |pair: &[BodyId; 2]| bodies.iter().all(|body| pair.contains(body));
        self.counts.iter().filter(|(pair, _)| concerns(pair)).map(|(_, count)| count).sum()
    }

    /// When the collision with this number came, from 0, of those that concern all of some bodies `[s]`.
    pub(super) fn time_of(&self, bodies: &[BodyId], number: u64) -> Option<f64> {
        if let [a, b] = *bodies
            && let Some(track) = self.track([a.min(b), a.max(b)])
        {
            return track.time_of(number);
        }
        let mut passed = 0;
        let concerns = |it: &&Occurrence| bodies.iter().all(|body| it.bodies.contains(body));
        let found = self.times.iter().flatten().filter(concerns).find(|it| {
            passed += it.count;
            passed > number
        });
        found.map(|it| it.time)
    }

    /// Takes down the collisions of an instant.
    pub(super) fn hear(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        // The shares of every collision add up to 1, so those of an instant to a whole number.
        let mut shares: BTreeMap<[BodyId; 2], f64> = BTreeMap::new();
        for event in instant.events {
            let Happening::Collision(collision) = &event.what else { continue };
            let pair = collision.contact.bodies;
            *shares.entry(pair).or_default() += collision.share;
            if self.follows(world, pair) {
                let track = self.tracks.entry(pair).or_default();
                track.moment += collision.contact.point.cross(collision.impulse);
                for side in [0, 1] {
                    self.kept += track.add_piece(side, instant.time, collision);
                }
            }
        }
        for (bodies, share) in shares {
            let count = share.round() as u64;
            *self.counts.entry(bodies).or_default() += count;
            if let Some(times) = &mut self.times {
                times.push(Occurrence { time: instant.time, bodies, count });
                self.kept += 1;
            }
            let report = world.contact(bodies[0], bodies[1]);
            if let (Some(track), Some(report)) = (self.tracks.get_mut(&bodies), report) {
                let (time, sums, moment) = (instant.time, *report.sums(), track.moment);
                track.entries.push(Entry { time, sums, moment });
                track.settled = report.settled();
                self.kept += 1;
            }
        }
        if self.kept <= MOST_ENTRIES {
            return Ok(());
        }
        Err(Stop::failed(format!(
            "too much to measure: sums of contacts are kept at {MOST_ENTRIES} collisions at most\n\
             hint: run for a shorter time, name fewer bodies in the measures, or widen the envelope"
        )))
    }

    fn follows(&self, world: &World, pair: [BodyId; 2]) -> bool {
        match &self.followed {
            Followed::Nobody => false,
            Followed::Everybody => true,
            Followed::Named(_) if self.tracks.contains_key(&pair) => true,
            Followed::Named(names) => {
                let named = |body| world.body(body).is_some_and(|it| names.contains(it.name()));
                named(pair[0]) && named(pair[1])
            }
        }
    }
}
