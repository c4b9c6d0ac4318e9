//! What every contact did: collisions, impulses, work and slip of each pair of bodies, summed as they happen.
//!
//! A contact that lasts is, in the impulse regime, a train of collisions; its force over some time is the sum of its
//! impulses divided by that time. Sums are kept for every pair of bodies and, where a body has several convex pieces, for
//! every pair of pieces: so each leg of a table has its own.
//!
//! *Slip* is the way that surfaces slide over each other while they are in contact. Between two collisions of a train it is
//! the mean of the sliding speed after the one and before the other, times the time between.

use std::collections::BTreeMap;

use glam::DVec3;
use rustc_hash::FxHashMap;

use crate::body::BodyId;
use crate::coupled::Push;
use crate::event::{Collision, CollisionKind};
use crate::near::ordered;
use crate::regime::TouchPoint;
use crate::world::World;

/// What collisions of a pair add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSums {
    /// How many collisions.
    pub collisions: u64,
    /// How many of them were microcollisions.
    pub micro: u64,
    /// Impulse on A, the body with the smaller id, in world axes `[N·s]`.
    pub impulse: DVec3,
    /// Sum of the normal impulses, all counted positive `[N·s]`.
    pub normal_impulse: f64,
    /// Work of normal impulses, boosts included; negative where energy is lost `[J]`.
    pub normal_work: f64,
    /// Work of friction, never positive `[J]`.
    pub friction_work: f64,
    /// Energy that boosts added `[J]`.
    pub boost: f64,
    /// Way that the surfaces slid over each other `[m]`.
    pub slip: f64,
}

impl ContactSums {
    fn add(&mut self, collision: &Collision, slip: f64) {
        self.collisions += 1;
        self.micro += u64::from(collision.kind == CollisionKind::Micro);
        self.impulse += collision.impulse;
        self.normal_impulse += collision.impulse.dot(collision.contact.normal);
        self.normal_work += collision.normal_work;
        self.friction_work += collision.friction_work;
        self.boost += collision.boost;
        self.slip += slip;
    }
}

/// How fast things happen in a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    /// Collisions of a pair that are no farther apart are one train `[s]`.
    pub(crate) train: f64,
    /// Of the pair: what goes to and fro by less is no slip `[m]`.
    pub(crate) envelope: f64,
    /// True when one of the bodies has several convex pieces.
    pub(crate) in_pieces: bool,
    /// True when the collision is so hard that bodies at rest are no longer.
    pub(crate) disturbs: bool,
    /// When the pair comes to rest, if this collision is part of its coming to rest `[s]`.
    pub(crate) settles: Option<f64>,
    /// Collisions that the pair counts as having had when it first collides at an instant.
    pub(crate) brought: u32,
}

/// One point's part in a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    pub(crate) point: TouchPoint,
    /// Of the whole, from 0 to 1.
    pub(crate) weight: f64,
    /// Relative velocity there, before and after `[m/s]`.
    pub(crate) before: DVec3,
    pub(crate) after: DVec3,
}

/// What is remembered of a pair that has collided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ContactRecord {
    /// When it first and last collided `[s]`.
    pub(crate) first: f64,
    pub(crate) last: f64,
    /// When it last collided before the instant of `last` `[s]`.
    pub(crate) before_last: f64,
    /// How long after its last collision a contact lasts `[s]`.
    pub(crate) train: f64,
    /// When it came to rest, by its first microcollision since it was last struck hard `[s]`.
    pub(crate) settled: Option<f64>,
    /// Collisions at the instant of `last`.
    pub(crate) at_once: u32,
    /// How often the pair was found in contact then without closing.
    pub(crate) hops: u32,
    pub(crate) slide: Slide,
    pub(crate) total: ContactSums,
    /// By pieces, where a body has several.
    pub(crate) pieces: BTreeMap<[u32; 2], PieceRecord>,
}

/// What is remembered of a pair of pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PieceRecord {
    /// When they last collided `[s]`.
    pub(crate) last: f64,
    pub(crate) slide: Slide,
    pub(crate) sums: ContactSums,
}

impl Default for PieceRecord {
    fn default() -> Self {
        Self { last: f64::NEG_INFINITY, slide: Slide::default(), sums: ContactSums::default() }
    }
}

/// The part of a velocity along a surface `[m/s]`.
fn sliding(velocity: DVec3, normal: DVec3) -> DVec3 {
    velocity - velocity.dot(normal) * normal
}

/// How a pair slides.
///
/// What is held by collisions goes to and fro a little; that is no slip. So the way is added up as a vector, and counts as
/// slip once it is longer than the envelope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Slide {
    /// Sliding velocity after the last collision `[m/s]`.
    pub(crate) velocity: DVec3,
    /// The way since slip was last counted `[m]`.
    pub(crate) way: DVec3,
}

impl Slide {
    /// Goes on to a collision before and after which the surfaces slide so, after a time; what counts as slip `[m]`.
    fn advance(&mut self, time: Option<f64>, [before, after]: [DVec3; 2], envelope: f64) -> f64 {
        match time {
            Some(time) => self.way += 0.5 * time * (self.velocity + before),
            None => self.way = DVec3::ZERO,
        }
        self.velocity = after;
        let way = self.way.length();
        if way <= envelope {
            return 0.0;
        }
        self.way = DVec3::ZERO;
        way
    }
}

impl ContactRecord {
    fn new(now: f64) -> Self {
        Self {
            first: now,
            last: f64::NEG_INFINITY,
            before_last: f64::NEG_INFINITY,
            train: 0.0,
            settled: None,
            at_once: 0,
            hops: 0,
            slide: Slide::default(),
            total: ContactSums::default(),
            pieces: BTreeMap::new(),
        }
    }

    /// How often the pair has collided at an instant.
    pub(crate) fn collisions_at(&self, now: f64) -> u32 {
        if self.last < now { 0 } else { self.at_once }
    }

    /// How often the pair has been found in contact without closing, since it collided at an instant.
    pub(crate) fn hops_at(&self, now: f64) -> u32 {
        if self.last < now { 0 } else { self.hops }
    }

    /// When the pair last collided before an instant `[s]`.
    pub(crate) fn last_before(&self, now: f64) -> f64 {
        if self.last < now { self.last } else { self.before_last }
    }
}

/// All pairs that have collided.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    pairs: FxHashMap<[BodyId; 2], ContactRecord>,
    partners: Partners,
}

/// With whom each body collided last: two partners and when, the later one first. It follows from the pairs.
#[derive(Clone, Debug, Default)]
struct Partners(FxHashMap<BodyId, [Option<(BodyId, f64)>; 2]>);

impl Partners {
    fn of(pairs: &FxHashMap<[BodyId; 2], ContactRecord>) -> Self {
        let mut in_time: Vec<_> = pairs.iter().map(|(pair, record)| (record.last, *pair)).collect();
        in_time.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut this = Self::default();
        for (last, pair) in in_time {
            this.add(pair, last);
        }
        this
    }

    /// Times never go back.
    fn add(&mut self, [a, b]: [BodyId; 2], now: f64) {
        for (body, partner) in [(a, b), (b, a)] {
            let [latest, other] = self.0.entry(body).or_default();
            if latest.is_none_or(|(known, _)| known != partner) {
                *other = *latest;
            }
            *latest = Some((partner, now));
        }
    }

    fn last_with_others(&self, body: BodyId, than: BodyId) -> f64 {
        let known = self.0.get(&body).into_iter().flatten().flatten();
        known
            .filter(|(partner, _)| *partner != than)
            .fold(f64::NEG_INFINITY, |last, (_, time)| last.max(*time))
    }
}

impl Contacts {
    pub(crate) fn get(&self, pair: [BodyId; 2]) -> Option<&ContactRecord> {
        self.pairs.get(&pair)
    }

    /// Writes down a collision, point by point.
    pub(crate) fn note(&mut self, now: f64, total: &Collision, shares: &[Share], pace: &Pace) {
        let pair = total.contact.bodies;
        let record = self.pairs.entry(pair).or_insert_with(|| ContactRecord::new(now));
        let normal = total.contact.normal;
        let since = now - record.last;
        let lasting = since <= pace.train;
        let slides = [total.before, total.after].map(|velocity| sliding(velocity, normal));
        let slip = record.slide.advance(lasting.then_some(since), slides, pace.envelope);
        if record.last < now {
            record.before_last = record.last;
            record.last = now;
            record.at_once = pace.brought;
            record.hops = 0;
        }
        record.at_once = record.at_once.saturating_add(1);
        record.train = pace.train;
        let settled = record.settled.filter(|_| lasting && !pace.disturbs);
        record.settled = settled.or(pace.settles);
        record.total.add(total, slip);
        if pace.in_pieces {
            record.add_pieces(now, total, shares, pace);
        }
        self.partners.add(pair, now);
    }

    /// Adds what lasting contact gave.
    pub(crate) fn note_push(&mut self, now: f64, push: &Push, in_pieces: bool) {
        let record = self.pairs.entry(push.bodies).or_insert_with(|| ContactRecord::new(now));
        record.total.normal_impulse += push.impulse;
        if in_pieces {
            record.pieces.entry(push.pieces).or_default().sums.normal_impulse += push.impulse;
        }
    }

    /// Takes down that a pair is in contact without closing.
    pub(crate) fn note_hop(&mut self, now: f64, pair: [BodyId; 2]) {
        if let Some(record) = self.pairs.get_mut(&pair).filter(|it| it.last >= now) {
            record.hops = record.hops.saturating_add(1);
        }
    }

    /// When a body last collided with any other than one `[s]`.
    pub(crate) fn last_with_others(&self, body: BodyId, than: BodyId) -> f64 {
        self.partners.last_with_others(body, than)
    }

    pub(crate) fn forget(&mut self, body: BodyId) {
        self.pairs.retain(|pair, _| !pair.contains(&body));
        self.partners = Partners::of(&self.pairs);
    }

    /// In the order of their bodies.
    pub(crate) fn in_order(&self) -> Vec<([BodyId; 2], &ContactRecord)> {
        let mut pairs: Vec<_> = self.pairs.iter().map(|(pair, record)| (*pair, record)).collect();
        pairs.sort_unstable_by_key(|(pair, _)| *pair);
        pairs
    }
}

impl ContactRecord {
    /// A collision of several points counts once for each pair of pieces that they belong to.
    fn add_pieces(&mut self, now: f64, total: &Collision, shares: &[Share], pace: &Pace) {
        for (index, share) in shares.iter().enumerate() {
            let pieces = share.point.pieces;
            if shares[..index].iter().any(|other| other.point.pieces == pieces) {
                continue;
            }
            let own = shares.iter().filter(|other| other.point.pieces == pieces);
            let weight: f64 = own.map(|other| other.weight).sum();
            let record = self.pieces.entry(pieces).or_default();
            let (since, normal) = (now - record.last, share.point.normal);
            let slides = [share.before, share.after].map(|velocity| sliding(velocity, normal));
            let time = (since <= pace.train).then_some(since);
            let slip = record.slide.advance(time, slides, pace.envelope);
            record.sums.add(&total.scaled(weight), slip);
            record.last = now;
        }
    }
}

impl FromIterator<([BodyId; 2], ContactRecord)> for Contacts {
    fn from_iter<I: IntoIterator<Item = ([BodyId; 2], ContactRecord)>>(pairs: I) -> Self {
        let pairs = pairs.into_iter().collect();
        Self { partners: Partners::of(&pairs), pairs }
    }
}

/// What a pair of bodies has done to each other so far.
#[derive(Clone, Copy, Debug)]
pub struct ContactReport<'a> {
    bodies: [BodyId; 2],
    record: &'a ContactRecord,
}

impl<'a> ContactReport<'a> {
    /// A and B, the smaller id first.
    pub const fn bodies(&self) -> [BodyId; 2] {
        self.bodies
    }

    /// Everything so far; a difference of impulses over a time, divided by the time, is the mean force.
    pub const fn sums(&self) -> &'a ContactSums {
        &self.record.total
    }

    /// The same for each pair of convex pieces that have touched, where a body has several.
    pub fn pieces(&self) -> impl Iterator<Item = ([u32; 2], &'a ContactSums)> {
        self.record.pieces.iter().map(|(pieces, record)| (*pieces, &record.sums))
    }

    /// When they first collided `[s]`.
    pub const fn first(&self) -> f64 {
        self.record.first
    }

    /// When they last collided `[s]`.
    pub const fn last(&self) -> f64 {
        self.record.last
    }

    /// The time until which they count as in contact unless they collide again before `[s]`.
    pub fn lasts_until(&self) -> f64 {
        self.record.last + self.record.train
    }

    /// When they came to rest on each other: the time at which bounces that follow their coefficient of restitution would
    /// have ended. None while they bounce faster than that.
    pub const fn settled(&self) -> Option<f64> {
        self.record.settled
    }
}

/// Asking what contacts did.
impl World {
    /// All pairs that have collided, in the order of their bodies.
    pub fn contacts(&self) -> impl Iterator<Item = ContactReport<'_>> {
        let all = self.state.contacts.in_order();
        all.into_iter().map(|(bodies, record)| ContactReport { bodies, record })
    }

    /// What two bodies did to each other, if they ever collided.
    pub fn contact(&self, a: BodyId, b: BodyId) -> Option<ContactReport<'_>> {
        let bodies = ordered(a, b);
        self.state.contacts.get(bodies).map(|record| ContactReport { bodies, record })
    }
}
