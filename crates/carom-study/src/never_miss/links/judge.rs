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
//! The distance to a plate changes no faster than that. From gaps d₁ and d₂ at the ends of a time h and the largest speed S
//! within it, the gap in between is at least ½(d₁ + d₂ − S·h); a time for which this does not prove them apart is halved. Before a distance is
//! measured, the slabs across the plate's own axes are asked, which are never more than it and cost almost nothing.

use carom::{BodyId, BodyState, History, Mass};
use carom_geometry::Shape;
use glam::{DMat3, DVec3};
use oracles::gap::{self, Oracle, slab};

use super::super::tolerances::MOST_DISTANCES;
use super::super::{Landing, Verdict};
use super::LinkCase;
use crate::audit::{pose_of, solid_of};

/// What rounding of places of links, some metres from the origin at most, and of distances may hide `[m]`.
///
/// Some thousand units in the last place. Smaller cannot prove what is true at the last digit; larger lets an overlap pass
/// that is a hundredth of the touch distance.
const SLACK: f64 = 1e-12;

struct Link {
    id: BodyId,
    mass: Mass,
    solid: gap::Body,
    /// The factor of √T in (2).
    speed: f64,
}

struct Plate {
    solid: gap::Body,
    pose: gap::Pose,
    placed: carom_geometry::Pose,
}

/// The judge of one run.
pub(super) struct Judge<'a> {
    history: &'a History,
    links: Vec<Link>,
    plates: Vec<Plate>,
    oracle: Oracle,
    /// c of (1).
    growth: f64,
    start: f64,
}

/// Why a time is not proven free.
enum Doubt {
    Overlap(f64),
    Open(f64),
}

/// Where a link is, and √T of the linkage.
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
            links.push(Link { id: *id, mass, solid, speed });
        }
        let mut plates = Vec::new();
        for id in &case.plates {
            let body = world.body(*id)?;
            let placed = body.pose_at(world.now())?;
            let solid = gap::Body::new(&solid_of(body.shape())).ok()?;
            plates.push(Plate { solid, pose: pose_of(&placed), placed });
        }
        let mass: f64 = links.iter().map(|link| link.mass.mass).sum();
        let growth = world.gravity().length() * (0.5 * mass).sqrt() + case.motors;
        let start = history.observed()?.start;
        Some(Self { history, links, plates, oracle: Oracle::new(), growth, start })
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
        let open = Err(Doubt::Open(self.start));
        let Some(from) = self.moment(self.start) else { return open };
        let Some(to) = self.moment(end) else { return open };
        let (links, plates) = (self.links.len(), self.plates.len());
        let all: Vec<[usize; 2]> =
            (0..links).flat_map(|link| (0..plates).map(move |plate| [link, plate])).collect();
        self.apart(&from, &to, &all)
    }

    fn apart(&mut self, from: &Moment, to: &Moment, pairs: &[[usize; 2]]) -> Result<(), Doubt> {
        let length = to.time - from.time;
        // (1) from either end: T may only have fallen in between by collisions, so the earlier end bounds it.
        let root_energy = from.root_energy + self.growth * length;
        let mut open = Vec::new();
        for &[link, plate] in pairs {
            let way = self.links[link].speed * root_energy * length;
            let near = self.slab(from, link, plate) + self.slab(to, link, plate);
            if near > way {
                continue;
            }
            let mut sum = 0.0;
            for moment in [from, to] {
                let gap = self.gap(moment, link, plate);
                if gap.upper < -SLACK {
                    return Err(Doubt::Overlap(moment.time));
                }
                sum += gap.lower;
            }
            if 0.5 * (sum - way) <= -SLACK {
                open.push([link, plate]);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        let time = 0.5 * (from.time + to.time);
        let inside = from.time < time && time < to.time && self.oracle.measured < MOST_DISTANCES;
        let Some(middle) = self.moment(time).filter(|_| inside) else {
            return Err(Doubt::Open(from.time));
        };
        self.apart(from, &middle, &open)?;
        self.apart(&middle, to, &open)
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

    /// The widest slab across an axis of the plate between it and a link, which is no more than the gap `[m]`.
    fn slab(&self, moment: &Moment, link: usize, plate: usize) -> f64 {
        let pose = pose_of(&moment.states[link].pose());
        let (link, plate) = (&self.links[link].solid, &self.plates[plate]);
        let across = |n: DVec3| slab(link, &pose, &plate.solid, &plate.pose, n.to_array());
        let axes = DVec3::AXES.map(|axis| plate.placed.rotation * axis);
        axes.into_iter().flat_map(|n| [across(n), across(-n)]).fold(f64::NEG_INFINITY, f64::max)
    }

    fn gap(&mut self, moment: &Moment, link: usize, plate: usize) -> gap::Gap {
        let pose = pose_of(&moment.states[link].pose());
        let plate = &self.plates[plate];
        self.oracle.gap(&self.links[link].solid, &pose, &plate.solid, &plate.pose)
    }
}
