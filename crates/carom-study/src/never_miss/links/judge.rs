//! Links proven apart from plates throughout a time, by distances and by energy.
//!
//! Where the links are is believed; how fast they can be follows from mechanics alone. With T the kinetic energy of the linkage, M
//! its mass, I the inertias of links on either side of a hinge with axis u and τ the torque of its motor, the power of gravity is at most
//! g·Σm|v| ≤ g·√M·√(2T) and that of the motor |τ|·(|u·ω| + |u·ω'|), so that
//!
//! ```text
//! d√T/dt = Ṫ/(2√T) ≤ g·√(M/2) + Σ|τ|·(√(u·I⁻¹u) + √(u·I'⁻¹u))/√2 =: c                                   (1)
//! ```
//!
//! Collisions with fixed plates only take from T. A point of a link at r from its centre, and at ρ at most from the axis of its least moment
//! I₁ ≤ I₂ ≤ I₃, is no faster than v + |ω₂₃|·r + |ω₁|·ρ, and with ½m·v² + ½I₂·ω₂₃² + ½I₁·ω₁² ≤ T that is at most
//!
//! ```text
//! √(2T)·√(1/m + r²/I₂ + ρ²/I₁)                                                                         (2)
//! ```
//!
//! Distances change no faster than that. From gaps d₁ and d₂ at the ends of a time h and the largest speed S
//! within it, the gap in between is at least ½(d₁ + d₂ − S·h).
//!
//! Where a link lingers near a plate, that takes distances without end, and accelerations are asked. In the norm ‖a‖² = Σm|a|² + α·Iα
//! the motion is the projection of what the forces alone would do, a_f, along the joints (Gauss's principle): with P the
//! projector on what the joints allow and a_b any acceleration they allow, a = P·a_f + (1 − P)·a_b, so that ‖a‖ ≤ ‖a_f‖ + ‖a_b‖ =: N.
//! a_f has gravity, the motors as in (1) and gyroscopic torques; a_b is that of joints whose rates stay what they are, with ρ_i = |ω_i − ω_{i−1}|
//! and r_i the radius of link i about its centre:
//!
//! ```text
//! α_i ≤ α_{i−1} + |ω_{i−1}|ρ_i + ½ρ_i²,   joints: p_{i+1} ≤ p_i + 2r_i(α_i + ω_i²),   centres: c_i ≤ p_i + r_i(α_i + ω_i²)      (3)
//! ```
//!
//! As velocities in (2), a point is accelerated by no more than N·√(1/m + r²/I₂ + ρ²/I₁) + ω²r. Rates of turn are measured in the
//! middle of the time and leave that by no more than ½h·N/√I₁, with N taken at the rates at the end of that way. Let n₁ and n₂ be the unit vectors
//! along which the gaps at the ends are measured, and n(t) in between them in a straight line. For any points x of one and y of
//! the other solid, f = n(t)·(x − y) is at least d₁ and d₂ at the ends and |f̈| ≤ A + 2S|n₂ − n₁|/h, where A is the sum of their accelerations. As
//! |n(t)| ≤ 1, the gap is at least
//!
//! ```text
//! min(d₁, d₂) − ⅛h²A − ¼h·S|n₂ − n₁|                                                                  (4)
//! ```
//!
//! A time for which neither proves them apart is halved. Times begin and end where motions change, so that no velocity jumps within one.

use carom::{BodyId, BodyState, History, Mass};
use carom_geometry::Shape;
use glam::{DMat3, DVec3};
use oracles::gap::{self, Gap, Oracle};

use super::super::tolerances::MOST_DISTANCES;
use super::super::{Landing, Verdict};
use super::LinkCase;
use crate::audit::{pose_of, solid_of};

/// What rounding of places of links, some metres from the origin at most, and of distances may hide `[m]`.
///
/// Some thousand units in the last place. Smaller cannot prove what is true at the last digit; larger lets an overlap pass
/// that is a hundredth of the touch distance.
const SLACK: f64 = 1e-12;

/// Times that N of (3) is tried with rates farther from those in the middle `[-]`.
///
/// Twice as far each time. Fewer gives up times for which (4) would hold; more never help, because such times are too long for it.
const WIDENINGS: usize = 4;

struct Link {
    id: BodyId,
    mass: Mass,
    /// The principal moments, the least first `[kg·m²]`.
    moments: [f64; 3],
    solid: gap::Body,
    /// Of the farthest point from the centre of mass `[m]`.
    reach: f64,
    /// The factor of √T in (2).
    speed: f64,
}

struct Plate {
    solid: gap::Body,
    pose: gap::Pose,
}

/// Who may meet a link.
#[derive(Clone, Copy)]
enum Other {
    Plate(usize),
    Link(usize),
}

/// A pair with what was measured at the ends of a time.
struct Pair {
    link: usize,
    other: Other,
    ends: [Seen; 2],
}

/// A gap, and the unit vector along which it is measured.
#[derive(Clone, Copy)]
struct Seen {
    gap: Gap,
    normal: DVec3,
}

/// The judge of one run.
pub(super) struct Judge<'a> {
    history: &'a History,
    links: Vec<Link>,
    plates: Vec<Plate>,
    /// Pairs of links that may meet.
    folds: Vec<[usize; 2]>,
    oracle: Oracle,
    /// c of (1).
    growth: f64,
    /// ‖a_f‖ without gyroscopic torques `[√J/s]`.
    forced: f64,
    start: f64,
}

/// Why a time is not proven free.
enum Doubt {
    Overlap(f64),
    Open(f64),
}

/// Where links are, and √T of the linkage.
struct Moment {
    time: f64,
    states: Vec<BodyState>,
    root_energy: f64,
}

/// Distance of the farthest point from the longest axis, about which the moment is the least.
fn width(shape: &Shape) -> Option<f64> {
    match shape {
        Shape::Cuboid(cuboid) => {
            let mut half = cuboid.half().to_array();
            half.sort_by(f64::total_cmp);
            Some((half[0] * half[0] + half[1] * half[1]).sqrt())
        }
        Shape::Capsule(capsule) => Some(capsule.radius()),
        _ => None,
    }
}

impl<'a> Judge<'a> {
    pub(super) fn new(case: &LinkCase, history: &'a History) -> Option<Self> {
        let world = &case.world;
        let mut links = Vec::new();
        for id in &case.links {
            let body = world.body(*id)?;
            let mass = *body.mass()?;
            let solid = gap::Body::new(&solid_of(body.shape())).ok()?;
            let reach = (DVec3::from(solid.center()) - body.reference()).length() + solid.radius();
            let mut moments = mass.moments.to_array();
            moments.sort_by(f64::total_cmp);
            let beside = width(body.shape())?;
            let turning = reach * reach / moments[1] + beside * beside / moments[0];
            let speed = (2.0 / mass.mass + 2.0 * turning).sqrt();
            links.push(Link { id: *id, mass, moments, solid, reach, speed });
        }
        let mut plates = Vec::new();
        for id in &case.plates {
            let body = world.body(*id)?;
            let placed = body.pose_at(world.now())?;
            let solid = gap::Body::new(&solid_of(body.shape())).ok()?;
            plates.push(Plate { solid, pose: pose_of(&placed) });
        }
        let mass: f64 = links.iter().map(|link| link.mass.mass).sum();
        let growth = world.gravity().length() * (0.5 * mass).sqrt() + case.motors;
        let start = history.observed()?.start;
        // Neighbours share a joint, where they are always in each other.
        let n = if case.folds { links.len() } else { 0 };
        let folds = (0..n).flat_map(|a| (a + 2..n).map(move |b| [a, b])).collect();
        let forced = std::f64::consts::SQRT_2 * growth;
        Some(Self { history, links, plates, folds, oracle: Oracle::new(), growth, forced, start })
    }

    pub(super) fn measured(&self) -> u64 {
        self.oracle.measured
    }

    /// What is wrong with a touch that was told; none where it is the first.
    pub(super) fn touch(&mut self, landing: &Landing) -> Option<Verdict> {
        let Landing { time, gap, touch_distance, .. } = *landing;
        if gap.upper < -SLACK {
            return Some(Verdict::Late(time));
        }
        if gap.lower > touch_distance + SLACK {
            return Some(Verdict::False(time));
        }
        match self.apart_until(time) {
            Ok(()) => None,
            Err(Doubt::Overlap(earlier)) => Some(Verdict::Late(earlier)),
            Err(Doubt::Open(from)) => Some(Verdict::Undecided(from)),
        }
    }

    /// The verdict on a run in which nothing was told, or in which all that was told was worked.
    pub(super) fn silence(&mut self, end: f64) -> Verdict {
        match self.apart_until(end) {
            Ok(()) => Verdict::Right,
            Err(Doubt::Overlap(time)) => Verdict::Missed(time),
            Err(Doubt::Open(from)) => Verdict::Undecided(from),
        }
    }

    fn apart_until(&mut self, end: f64) -> Result<(), Doubt> {
        let mut breaks = vec![end];
        for link in &self.links {
            breaks.extend(self.history.changes(link.id).filter(|it| self.start < *it && *it < end));
        }
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        let Some(mut from) = self.moment(self.start) else { return Err(Doubt::Open(self.start)) };
        let (links, plates) = (0..self.links.len(), self.plates.len());
        let mut pairs: Vec<(usize, Other)> = links
            .flat_map(|link| (0..plates).map(move |plate| (link, Other::Plate(plate))))
            .collect();
        pairs.extend(self.folds.iter().map(|[a, b]| (*a, Other::Link(*b))));
        let mut seen: Vec<Seen> = Vec::new();
        for (link, other) in &pairs {
            seen.push(self.seen(&from, *link, *other)?);
        }
        for time in breaks {
            let Some(to) = self.moment(time) else { return Err(Doubt::Open(from.time)) };
            let mut open = Vec::new();
            for (&(link, other), seen) in pairs.iter().zip(&mut seen) {
                let ends = [*seen, self.seen(&to, link, other)?];
                open.push(Pair { link, other, ends });
                *seen = ends[1];
            }
            self.apart(&from, &to, open)?;
            from = to;
        }
        Ok(())
    }

    fn apart(&mut self, from: &Moment, to: &Moment, mut open: Vec<Pair>) -> Result<(), Doubt> {
        let length = to.time - from.time;
        // (1) from the earlier end: collisions have only taken from T.
        let root_energy = from.root_energy + self.growth * length;
        let way = |judge: &Self, pair: &Pair| judge.speed(pair) * root_energy * length;
        open.retain(|pair| {
            let sum: f64 = pair.ends.iter().map(|end| end.gap.lower).sum();
            0.5 * (sum - way(self, pair)) <= -SLACK
        });
        if open.is_empty() {
            return Ok(());
        }
        let time = 0.5 * (from.time + to.time);
        let inside = from.time < time && time < to.time && self.oracle.measured < MOST_DISTANCES;
        let Some(middle) = self.moment(time).filter(|_| inside) else {
            return Err(Doubt::Open(from.time));
        };
        if let Some(accelerations) = self.accelerations(&middle, length) {
            open.retain(|pair| {
                let [one, two] = pair.ends;
                let accelerated = accelerations[pair.link]
                    + if let Other::Link(other) = pair.other { accelerations[other] } else { 0.0 };
                let turned = (two.normal - one.normal).length();
                let least = one.gap.lower.min(two.gap.lower);
                let bent = 0.125 * length * length * accelerated;
                least - bent - 0.25 * way(self, pair) * turned <= -SLACK
            });
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for Pair { link, other, ends } in open {
            let seen = self.seen(&middle, link, other)?;
            before.push(Pair { link, other, ends: [ends[0], seen] });
            after.push(Pair { link, other, ends: [seen, ends[1]] });
        }
        self.apart(from, &middle, before)?;
        self.apart(&middle, to, after)
    }

    /// Largest speed at which the gap of a pair changes, per √T.
    fn speed(&self, pair: &Pair) -> f64 {
        let other = match pair.other {
            Other::Plate(_) => 0.0,
            Other::Link(other) => self.links[other].speed,
        };
        self.links[pair.link].speed + other
    }

    /// The most that points of the links are accelerated, up to half a length of time before and after a moment `[m/s²]`; none if it
    /// is too long to say.
    fn accelerations(&self, middle: &Moment, length: f64) -> Option<Vec<f64>> {
        let mut leeway = length * self.norm(middle, 0.0);
        for _ in 0..WIDENINGS {
            let norm = self.norm(middle, leeway);
            if 0.5 * length * norm <= leeway {
                let of = |(link, state): (&Link, &BodyState)| {
                    let rate = state.angular_velocity.length() + leeway / link.moments[0].sqrt();
                    norm * link.speed * std::f64::consts::FRAC_1_SQRT_2 + rate * rate * link.reach
                };
                return Some(self.links.iter().zip(&middle.states).map(of).collect());
            }
            leeway *= 2.0;
        }
        None
    }

    /// N of (3), where the rate of each link is up to `leeway`/√I₁ from what it is at a moment `[√J/s]`.
    fn norm(&self, moment: &Moment, leeway: f64) -> f64 {
        let (mut parent, mut parent_rate, mut parent_slack) = (DVec3::ZERO, 0.0, 0.0);
        let (mut turning, mut joint, mut gyroscopic, mut biased) = (0.0, 0.0, 0.0, 0.0);
        for (link, state) in self.links.iter().zip(&moment.states) {
            let [least, mid, most] = link.moments;
            let (own, slack) = (state.angular_velocity, leeway / least.sqrt());
            let rate = own.length() + slack;
            let between = (own - parent).length() + slack + parent_slack;
            turning += parent_rate * between + 0.5 * between * between;
            let bent = link.reach * (turning + rate * rate);
            let center = joint + bent;
            joint += 2.0 * bent;
            biased += link.mass.mass * center * center + most * turning * turning;
            let across = 0.5 * rate * rate;
            for (difference, about) in
                [(most - mid, least), (most - least, mid), (mid - least, most)]
            {
                gyroscopic += difference * difference * across * across / about;
            }
            (parent, parent_rate, parent_slack) = (own, rate, slack);
        }
        self.forced + gyroscopic.sqrt() + biased.sqrt()
    }

    fn moment(&self, time: f64) -> Option<Moment> {
        let mut states = Vec::with_capacity(self.links.len());
        let mut energy = 0.0;
        for link in &self.links {
            let state = self.history.state_at(link.id, time)?;
            let turn = DMat3::from_quat(state.orientation * link.mass.body_from_principal);
            let rates = turn.transpose() * state.angular_velocity;
            energy += 0.5 * link.mass.mass * state.velocity.length_squared()
                + 0.5 * link.mass.moments.dot(rates * rates);
            states.push(state);
        }
        Some(Moment { time, states, root_energy: energy.sqrt() })
    }

    /// What there is between a link and another solid at a moment, unless they overlap.
    fn seen(&mut self, moment: &Moment, link: usize, other: Other) -> Result<Seen, Doubt> {
        let pose = pose_of(&moment.states[link].pose());
        let (solid, placed) = match other {
            Other::Plate(plate) => (&self.plates[plate].solid, self.plates[plate].pose),
            Other::Link(other) => (&self.links[other].solid, pose_of(&moment.states[other].pose())),
        };
        let (gap, normal) = self.oracle.separation(&self.links[link].solid, &pose, solid, &placed);
        if gap.upper < -SLACK {
            return Err(Doubt::Overlap(moment.time));
        }
        Ok(Seen { gap, normal: normal.into() })
    }
}
