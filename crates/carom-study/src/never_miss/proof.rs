//! The independent search: two bodies proven apart throughout a time, or a time at which they overlap.
//!
//! It believes the motions where bodies are, and nothing else of the engine: poses are evaluated at chosen times and
//! handed to `oracles`, whose supports and directions share no code with the narrow phase.
//!
//! **Between two times.** Let n be a unit vector, and for a point a of A and a point b of B s(t) = n·(a(t) − b(t)). If
//! s̈ ≤ K for all of these points, then s − ½Kt² is concave for every pair of them. The slab L(t) = min s(t) over all pairs
//! is the least of such functions, so L − ½Kt² is concave too and lies above its chord:
//!
//! L(t₁ + u·h) ≥ (1 − u)·L(t₁) + u·L(t₂) − ½K·h²·u(1 − u),   h = t₂ − t₁,   0 ≤ u ≤ 1.
//!
//! The signed distance is not less than L(t) for any n. So where the right side stays positive for one n, the two are apart
//! all the way. Tried are those that the oracle finds best at either end, each in three ways:
//!
//! - n stands still in the world. Then K = g + f·(ω_A²·r_A + ω_B²·r_B): gravity as far as it is not common to both, and what
//!   turning adds to points at r from the point about which their body turns (f and ω from `spin.rs`).
//! - n turns with B, as the normal of a face does. Points b then stay where they are along n, and with p from B's reference
//!   point to a, s̈ = n̈·p + 2ṅ·ṗ + n·p̈ ≤ f·ω_B²·|p| + 2ω_B·|ṗ| + g + f·ω_A²·r_A, where |ṗ| ≤ v + ω_A·r_A and v is the
//!   relative speed of the reference points.
//! - n turns with A: the same with A and B exchanged.
//!
//! Likewise the centres of two bounding balls leave the straight line between two times by at most K·h²/8 of the first.
//!
//! **Search.** A time that none of these proves is halved. It ends because L is Lipschitz: where the distance is d, a length
//! of the order of d/speed is proven, and of the order of √(d/K) where n stays good.
//!
//! **What can be told.** Intervals of the oracle are open by 64 ε times the lengths involved, and places of bodies are known
//! to 8 units in the last place. What lies within [`Proof::slack`], some 10⁻¹³ of the size near the origin, counts as apart.

use std::collections::BTreeMap;

use carom::{BodyId, World};
use carom_geometry::{Pose, Shape};
use glam::DVec3;
use oracles::gap::{self, Gap, Oracle, ROUNDING_ULPS, Solid, slab};

use super::spin::{TURNING, largest_spin};
use super::tolerances::{MOST_DISTANCES, ROUNDINGS};
use crate::audit::tolerances::OVERLAP_ULPS;
use crate::audit::{pose_of, solid_of};

/// Why two bodies are not proven apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Doubt {
    /// They overlap at this time, for certain `[s]`.
    Overlap(f64),
    /// From this time on it cannot be told `[s]`.
    Open(f64),
}

/// A convex piece of a body.
struct Piece {
    solid: gap::Body,
    /// Centre of a ball around it, in the body's frame `[m]`.
    center: DVec3,
    radius: f64,
    /// Largest distance of its points from the point about which the body turns `[m]`.
    arm: f64,
}

/// One of the two.
struct Side {
    id: BodyId,
    pieces: Vec<Piece>,
    /// The largest arm of a piece `[m]`.
    reach: f64,
    /// Never faster than this `[rad/s]`.
    spin: f64,
    free: bool,
}

/// Where both are at a time.
#[derive(Clone, Copy)]
struct Moment {
    time: f64,
    poses: [Pose; 2],
    /// Of B's reference point from A's, and its rate.
    offset: [DVec3; 2],
}

/// What a direction rides on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ride {
    World,
    A,
    B,
}

impl Moment {
    fn poses_of_oracle(&self) -> [gap::Pose; 2] {
        self.poses.map(|pose| pose_of(&pose))
    }
}

/// Two pieces, one of each body.
type Two = [u32; 2];

/// The search for one pair of bodies.
pub(super) struct Proof<'a> {
    world: &'a World,
    sides: [Side; 2],
    oracle: Oracle,
    /// Gaps and directions that were measured, by the bits of the time.
    known: BTreeMap<(Two, u64), (Gap, [f64; 3])>,
    start: f64,
}

impl<'a> Proof<'a> {
    /// For two bodies of a world, from a time on; none if the oracle refuses a shape.
    pub(super) fn new(world: &'a World, bodies: [BodyId; 2], start: f64) -> Option<Self> {
        let sides = [side(world, bodies[0], start)?, side(world, bodies[1], start)?];
        Some(Self { world, sides, oracle: Oracle::new(), known: BTreeMap::new(), start })
    }

    /// How many distances were measured.
    pub(super) fn measured(&self) -> u64 {
        self.oracle.measured
    }

    /// Proves the two apart from the start to a time.
    pub(super) fn apart_until(&mut self, end: f64) -> Result<(), Doubt> {
        let ends = [self.start, end].map(|time| self.moment(time));
        let [Some(from), Some(to)] = ends else { return Err(Doubt::Open(self.start)) };
        let [one, other] = [0, 1].map(|side: usize| self.sides[side].pieces.len() as u32);
        let all: Vec<Two> = (0..one).flat_map(|i| (0..other).map(move |j| [i, j])).collect();
        self.apart(&from, &to, &all)
    }

    /// Below minus this the two overlap for certain, above it they count as apart `[m]`.
    pub(super) fn slack(&self, time: f64) -> f64 {
        self.moment(time).map_or(f64::INFINITY, |moment| self.slack_at(&moment))
    }

    fn slack_at(&self, moment: &Moment) -> f64 {
        let [a, b] = moment.poses.map(|pose| pose.translation);
        let reaches = self.sides[0].reach + self.sides[1].reach;
        let turned = |side: &Side| side.spin * (moment.time - self.start).abs() * side.reach;
        let turned = turned(&self.sides[0]).max(turned(&self.sides[1]));
        let coordinate = a.length().max(b.length()) + reaches + turned;
        let rounding = ROUNDING_ULPS * 2.0 * (a.distance(b) + reaches);
        f64::EPSILON * (OVERLAP_ULPS * coordinate + ROUNDINGS * rounding)
    }

    fn moment(&self, time: f64) -> Option<Moment> {
        let body = |side: &Side| {
            let body = self.world.body(side.id)?;
            Some((body.pose_at(time)?, body.state_at(time)?))
        };
        let ((pose_a, a), (pose_b, b)) = (body(&self.sides[0])?, body(&self.sides[1])?);
        let offset = [b.position - a.position, b.velocity - a.velocity];
        Some(Moment { time, poses: [pose_a, pose_b], offset })
    }

    fn apart(&mut self, from: &Moment, to: &Moment, pairs: &[Two]) -> Result<(), Doubt> {
        let mut open = Vec::new();
        for &pair in pairs {
            if !self.is_clear(from, to, pair)? {
                open.push(pair);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        let time = 0.5 * (from.time + to.time);
        let middle = self.moment(time).filter(|_| from.time < time && time < to.time);
        let Some(middle) = middle.filter(|_| self.oracle.measured < MOST_DISTANCES) else {
            return Err(Doubt::Open(from.time));
        };
        self.apart(from, &middle, &open)?;
        self.apart(&middle, to, &open)
    }

    /// True when two pieces are proven apart between two times.
    fn is_clear(&mut self, from: &Moment, to: &Moment, pair: Two) -> Result<bool, Doubt> {
        let bends =
            [Ride::World, Ride::A, Ride::B].map(|ride| (ride, self.bend(from, to, pair, ride)));
        let least_bend = bends.iter().map(|(_, bend)| *bend).fold(f64::INFINITY, f64::min);
        let [one, other] = self.pieces(pair);
        let between = |moment: &Moment| {
            let [a, b] = moment.poses;
            a.point(one.center) - b.point(other.center)
        };
        let (first, last) = (between(from), between(to));
        let radii = one.radius + other.radius;
        let slack = self.slack_at(from).max(self.slack_at(to));
        if nearest_on_segment(first, last) - radii - bends[0].1 / 8.0 > slack {
            return Ok(true);
        }
        // No gap is longer than the way from centre to centre, so every parabola would be below zero.
        if least_bend / 8.0 > first.length().max(last.length()) {
            return Ok(false);
        }
        for (here, there) in [(to, from), (from, to)] {
            let (gap, n) = self.separation(here, pair);
            if gap.upper < -slack {
                return Err(Doubt::Overlap(here.time));
            }
            for (ride, bend) in bends {
                let ends = [gap.lower, self.slab_at(there, pair, ridden(ride, here, there, n))];
                // The parabola is the same from either end.
                if least_above_chord(ends, bend) > -slack {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn pieces(&self, [i, j]: Two) -> [&Piece; 2] {
        [&self.sides[0].pieces[i as usize], &self.sides[1].pieces[j as usize]]
    }

    /// K·h² of the header `[m]`.
    fn bend(&self, from: &Moment, to: &Moment, pair: Two, ride: Ride) -> f64 {
        let length = to.time - from.time;
        let [one, other] = self.pieces(pair);
        let [a, b] = &self.sides;
        let common = a.free == b.free;
        let falling = if common { 0.0 } else { self.world.gravity().length() };
        let speed = from.offset[1].length() + falling * length;
        let apart = from.offset[0].length() + speed * length;
        let turning = |side: &Side, arm: f64| TURNING * side.spin * side.spin * arm;
        let riding = |frame: &Side, seen: &Side, arm: f64| {
            turning(frame, apart + arm)
                + 2.0 * frame.spin * (speed + seen.spin * arm)
                + turning(seen, arm)
        };
        let turned = match ride {
            Ride::World => turning(a, one.arm) + turning(b, other.arm),
            Ride::A => riding(a, b, other.arm),
            Ride::B => riding(b, a, one.arm),
        };
        (falling + turned) * length * length
    }

    fn separation(&mut self, moment: &Moment, pair: Two) -> (Gap, [f64; 3]) {
        let key = (pair, moment.time.to_bits());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let [pose_a, pose_b] = moment.poses_of_oracle();
        let [i, j] = pair.map(|index| index as usize);
        let (a, b) = (&self.sides[0].pieces[i].solid, &self.sides[1].pieces[j].solid);
        let found = self.oracle.separation(a, &pose_a, b, &pose_b);
        self.known.insert(key, found);
        found
    }

    fn slab_at(&self, moment: &Moment, pair: Two, n: [f64; 3]) -> f64 {
        let [pose_a, pose_b] = moment.poses_of_oracle();
        let [one, other] = self.pieces(pair);
        slab(&one.solid, &pose_a, &other.solid, &pose_b, n)
    }
}

/// A direction that is n at one moment, at another.
fn ridden(ride: Ride, here: &Moment, there: &Moment, n: [f64; 3]) -> [f64; 3] {
    let n = DVec3::from(n);
    let carried = |body: usize| {
        let turned = there.poses[body].vector(here.poses[body].vector_inverse(n));
        turned.try_normalize().unwrap_or(n)
    };
    match ride {
        Ride::World => n,
        Ride::A => carried(0),
        Ride::B => carried(1),
    }
    .to_array()
}

/// The least of (1 − u)·s₁ + u·s₂ − ½·bend·u(1 − u) for u from 0 to 1.
fn least_above_chord([first, last]: [f64; 2], bend: f64) -> f64 {
    let slope = last - first - 0.5 * bend;
    let lowest = -slope / bend;
    let ends = first.min(last);
    if lowest > 0.0 && lowest < 1.0 { ends.min(first + 0.5 * slope * lowest) } else { ends }
}

/// Distance of the origin from a segment.
fn nearest_on_segment(from: DVec3, to: DVec3) -> f64 {
    let way = to - from;
    let share = -from.dot(way) / way.length_squared();
    if share > 0.0 && share < 1.0 {
        (from + share * way).length()
    } else {
        from.length().min(to.length())
    }
}

fn side(world: &World, id: BodyId, start: f64) -> Option<Side> {
    let body = world.body(id)?;
    let state = body.state_at(start)?;
    let (free, reference) = (body.is_free(), body.reference());
    let mut pieces = Vec::new();
    for solid in solids_of(body.shape()) {
        let solid = gap::Body::new(&solid).ok()?;
        let (center, radius) = (DVec3::from(solid.center()), solid.radius());
        pieces.push(Piece { center, radius, arm: center.distance(reference) + radius, solid });
    }
    let spin = match body.mass() {
        Some(mass) if free => largest_spin(mass, &state),
        _ => state.angular_velocity.length(),
    };
    let reach = pieces.iter().map(|it| it.arm).fold(0.0, f64::max);
    Some(Side { id, pieces, reach, spin, free })
}

/// The convex pieces of a shape, in its frame.
fn solids_of(shape: &Shape) -> Vec<Solid> {
    match solid_of(shape) {
        Solid::Compound { parts } => {
            parts.into_iter().map(|part| Solid::Compound { parts: vec![part] }).collect()
        }
        whole => vec![whole],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_above_a_chord_is_where_sampling_finds_it() {
        for (first, last, bend) in
            [(1.0, 2.0, 0.5), (1.0, 1.1, 3.0), (0.5, 0.1, 8.0), (1.0, 1.0, 0.0), (0.0, 1.0, 2.0)]
        {
            let at = |u: f64| (1.0 - u) * first + u * last - 0.5 * bend * u * (1.0 - u);
            let sampled = (0..=1000).map(|i| at(f64::from(i) / 1000.0)).fold(f64::MAX, f64::min);
            let found = least_above_chord([first, last], bend);
            assert!(found <= sampled && sampled - found < 1e-6 * (1.0 + bend), "{found} {sampled}");
        }
    }
}
