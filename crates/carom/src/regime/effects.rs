//! What a regime may ask and do within an instant.
//!
//! Positions stand still within an instant; velocities are those that the effects so far have left.

use std::collections::BTreeMap;

use carom_contact::touch::{Curving, gap_acceleration, normal_rate, touch_distance_of};
use carom_dynamics::{BodyState, Impulse, Motion, Span};
use carom_geometry::distance::Convex;
use glam::{DMat3, DVec3};

use super::TouchPoint;
use crate::body::BodyId;
use crate::contacts::{ContactRecord, Pace, Share};
use crate::event::{Collision, Happening};
use crate::group::{GroupId, System};
use crate::material::Surface;
use crate::tolerances::{
    COLLISIONS_OF_A_DOUBLING, COLLISIONS_WITH_BOUNCES, COLLISIONS_WITH_HOPS, HOPS_TRIED,
    LONGEST_HOP, PARTING_SHARE, ROUNDED_PLACES, TOLERATED_ULPS, TRAIN_FALLS, TURNING_SHARE,
    WANDERED_SHARE,
};
use crate::world::World;

/// The world within phase 2 of an instant.
pub(crate) struct Effects<'w> {
    pub(crate) world: &'w mut World,
    /// Bodies whose velocity has changed.
    pub(crate) struck: Vec<BodyId>,
    /// Room for the points of one collision.
    pub(crate) shares: Vec<Share>,
    /// The largest speed of a point that has collided in this instant `[m/s]`.
    pub(crate) fastest: f64,
    /// Two bodies for which there is no answer.
    pub(crate) trouble: Option<([BodyId; 2], Trouble)>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Bounces have become too small to be told apart.
    Stalled,
    /// No impulse drives the bodies apart.
    Jammed,
}

/// How often a pair has collided at an instant, and how fast the instant was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Patience {
    /// Collisions of the pair so far.
    collisions: u32,
    /// The largest speed of a point that has collided in this instant `[m/s]`.
    fastest: f64,
}

impl Patience {
    /// The least speed at which a collision leaves its point: far above what velocities are rounded by, as such and with the
    /// place of the point `[m/s]`.
    pub(crate) fn parting(&self) -> f64 {
        if self.is_over() {
            return 0.0;
        }
        let doublings = (self.collisions / COLLISIONS_OF_A_DOUBLING).min(30);
        PARTING_SHARE * f64::from(1_u32 << doublings) * self.fastest
    }

    /// How fast a point may close without being answered `[m/s]`.
    pub(crate) fn tolerated(&self) -> f64 {
        if self.is_over() { rounded(self.fastest) } else { 0.0 }
    }

    /// True when bodies shall hop no more.
    pub(crate) fn is_thin(&self) -> bool {
        self.collisions >= COLLISIONS_WITH_HOPS
    }

    /// True when bodies shall bounce no more.
    pub(crate) fn is_over(&self) -> bool {
        self.collisions >= COLLISIONS_WITH_BOUNCES
    }
}

/// What a speed is rounded by in an instant of many collisions `[m/s]`.
fn rounded(fastest: f64) -> f64 {
    TOLERATED_ULPS * f64::EPSILON * fastest
}

/// How much of an acceleration lasts for a hop `[m/s²]`.
///
/// A hop by ε under the acceleration a takes τ = 2√(2ε/a). Meanwhile the place of contact wanders by Wτ, and there is room for
/// a share s of the body's size L. An acceleration a = bW that comes of wandering over what turns at b is there only while the
/// place wanders at up to the W at which Wτ = sL: with b = a/W that leaves a·min(1, a(sL)²/(8εW²)). So v_μ is at most sLb/2, a
/// share of the speed at which the ends of the body turn.
fn lasting(acceleration: f64, curving: &Curving, size: f64, envelope: f64) -> f64 {
    let wandering = curving.wandering.max(curving.turning * size);
    let room = WANDERED_SHARE * size / wandering;
    let lasts = acceleration * room * room / (8.0 * envelope);
    if (0.0..1.0).contains(&lasts) { acceleration * lasts } else { acceleration }
}

/// Two bodies at a point of contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) bodies: [BodyId; 2],
    pub(crate) point: DVec3,
    /// Unit vector from B to A.
    pub(crate) normal: DVec3,
}

impl Effects<'_> {
    /// The time of the instant `[s]`.
    pub(crate) fn now(&self) -> f64 {
        self.world.state.now
    }

    /// What the surfaces of a pair do.
    pub(crate) fn surface(&self, bodies: [BodyId; 2]) -> Surface {
        self.world.surface_between(bodies)
    }

    /// Velocity of A's surface less that of B's at a point, moving surfaces included `[m/s]`.
    pub(crate) fn relative_velocity(&self, spot: &Spot) -> DVec3 {
        let [a, b] = spot.bodies.map(|body| self.surface_velocity(body, spot));
        a - b
    }

    /// Velocity of a body's surface at a point `[m/s]`.
    fn surface_velocity(&self, body: BodyId, spot: &Spot) -> DVec3 {
        let Some(state) = self.state(body) else { return DVec3::ZERO };
        state.velocity_at(spot.point) + self.belt(body, &state, spot.normal)
    }

    /// How fast a body's surface moves over the body itself, along the tangent plane `[m/s]`.
    fn belt(&self, body: BodyId, state: &BodyState, normal: DVec3) -> DVec3 {
        let Some(record) = self.world.state.bodies.get(body) else { return DVec3::ZERO };
        let belt = record.model.surface_velocity;
        if belt == DVec3::ZERO {
            return DVec3::ZERO;
        }
        let belt = state.orientation * belt;
        belt - belt.dot(normal) * normal
    }

    /// State of a body, as the instant has left it so far.
    pub(crate) fn state(&self, body: BodyId) -> Option<BodyState> {
        let group = self.world.group(self.world.state.bodies.get(body)?.group);
        Some(group.state_of(group.member(body)?, self.now()))
    }

    /// K with Δu = K·p for an impulse p on A and −p on B (M 3.4), in axes of which the last is the normal `[1/kg]`.
    ///
    /// Of balls it is diagonal, and is written down as such: their arms are along the normal, but far from the origin not to
    /// the digit.
    pub(crate) fn response(&self, spot: &Spot, axes: &DMat3) -> DMat3 {
        if let (Some(a), Some(b)) = (self.of_a_ball(spot, 0), self.of_a_ball(spot, 1)) {
            return DMat3::from_diagonal(a + b);
        }
        axes.transpose() * self.world.pair_response(spot.bodies, spot.point) * *axes
    }

    /// The diagonal of K of one body, if it is a ball around its centre of mass, or is not moved `[1/kg]`.
    fn of_a_ball(&self, spot: &Spot, side: usize) -> Option<DVec3> {
        let body = spot.bodies[side];
        let record = self.world.state.bodies.get(body)?;
        let mass = match &self.world.group(record.group).system {
            System::Passive(_) => return Some(DVec3::ZERO),
            System::Free(body) => &body.mass,
            System::Coupled(_) => return None,
        };
        let is_ball = matches!(record.model.pieces.single()?.convex, Convex::Ball(_));
        if !is_ball || record.model.reference != DVec3::ZERO {
            return None;
        }
        let radius = spot.normal.dot(spot.point - self.state(body)?.position);
        let inertia = mass.moments.x;
        if mass.moments != DVec3::splat(inertia) {
            return None;
        }
        let normal = 1.0 / mass.mass;
        let tangential = normal + radius * radius / inertia;
        Some(DVec3::new(tangential, tangential, normal))
    }

    /// How fast gravity and driven bodies press the pair together: negative when they pull it apart `[m/s²]`.
    pub(crate) fn driven(&self, spot: &Spot) -> f64 {
        let [a, b] = spot.bodies.map(|body| self.acceleration(body, spot.point));
        spot.normal.dot(b - a)
    }

    /// How fast the gap closes ever faster, at a touch near the spot: `driven`, and the turning of bodies that have corners
    /// `[m/s²]`.
    pub(crate) fn pressing(&self, spot: &Spot, near: &TouchPoint, driven: f64) -> f64 {
        let turning: f64 = spot.bodies.into_iter().map(|body| self.turning(body, spot.point)).sum();
        // Of bodies that were struck in this instant the motion is yet to be made.
        if spot.bodies.into_iter().any(|body| self.is_struck(body)) {
            return driven;
        }
        if turning <= TURNING_SHARE * driven.max(self.world.model.gravity.length()) {
            return driven;
        }
        let [a, b] = spot.bodies;
        let (Some((a, _)), Some((b, _))) = (self.world.rigid(a), self.world.rigid(b)) else {
            return driven;
        };
        let curving = gap_acceleration(&a, &b, &near.place(self.now()));
        let size = a.size.min(b.size);
        driven
            + lasting(
                -curving.acceleration - driven,
                &curving,
                size,
                self.world.envelope_of(spot.bodies),
            )
    }

    fn is_struck(&self, body: BodyId) -> bool {
        let record = self.world.state.bodies.get(body);
        record.is_some_and(|it| self.world.group(it.group).is_restarted())
    }

    /// Acceleration of a body's point by its turning `[m/s²]`.
    fn turning(&self, body: BodyId, point: DVec3) -> f64 {
        let state = self.state(body);
        state
            .map_or(0.0, |it| it.angular_velocity.length_squared() * (point - it.position).length())
    }

    /// Acceleration of a free body's centre, or of a driven body's point `[m/s²]`.
    fn acceleration(&self, body: BodyId, point: DVec3) -> DVec3 {
        let Some(record) = self.world.state.bodies.get(body) else { return DVec3::ZERO };
        let group = self.world.group(record.group);
        let Some(motion) = self.forced_motion(body) else {
            return if group.is_free() { self.world.model.gravity } else { DVec3::ZERO };
        };
        let kinematics = motion.kinematics_at(self.now());
        let (arm, spin) = (point - kinematics.state.position, kinematics.state.angular_velocity);
        kinematics.acceleration
            + kinematics.angular_acceleration.cross(arm)
            + spin.cross(spin.cross(arm))
    }

    /// The motion of a body whose acceleration is not that of free fall: driven, or a link. Of a linkage that was struck in this
    /// instant it is the one that has just ended, whose forces last.
    fn forced_motion(&self, body: BodyId) -> Option<&Motion> {
        let group = self.world.group(self.world.state.bodies.get(body)?.group);
        let motion = group.motion_of(group.member(body)?);
        let is_forced = matches!(motion, Motion::Scripted(_) | Motion::Linked(_));
        is_forced.then_some(motion)
    }

    /// How fast the slip between two bodies changes in flight, at the place of contact, which goes along with them `[m/s²]`.
    pub(crate) fn slip_acceleration(&self, spot: &Spot, near: &TouchPoint) -> DVec3 {
        let carried = self.velocity_of_place(spot, near);
        let [a, b] = spot.bodies.map(|body| self.passing_acceleration(body, spot, carried));
        let relative = a - b;
        relative - relative.dot(spot.normal) * spot.normal
    }

    /// At which the place of contact moves: on a free body at x − r·n, so at v − r·dn/dt, the more the other is curved the
    /// slower; it goes along with the body that has the shorter arm `[m/s]`.
    fn velocity_of_place(&self, spot: &Spot, near: &TouchPoint) -> DVec3 {
        let arms = spot.bodies.map(|body| {
            let state = self.state(body).filter(|_| self.is_free(body))?;
            Some((state.velocity, spot.normal.dot(spot.point - state.position)))
        });
        let shorter = arms.into_iter().flatten().min_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let Some((velocity, arm)) = shorter else { return DVec3::ZERO };
        velocity + arm * self.normal_rate(spot, near)
    }

    /// Rate of the normal; none where bodies have been struck at this instant and their motion is yet to be made `[1/s]`.
    fn normal_rate(&self, spot: &Spot, near: &TouchPoint) -> DVec3 {
        let [a, b] = spot.bodies;
        if [a, b].into_iter().any(|body| self.is_struck(body)) {
            return DVec3::ZERO;
        }
        let (Some((a, _)), Some((b, _))) = (self.world.rigid(a), self.world.rigid(b)) else {
            return DVec3::ZERO;
        };
        normal_rate(&a, &b, &near.place(self.now()))
    }

    /// d/dt (v + ω×(x − c)) of a body's surface at a place x that moves, belts included `[m/s²]`.
    fn passing_acceleration(&self, body: BodyId, spot: &Spot, carried: DVec3) -> DVec3 {
        let Some(record) = self.world.state.bodies.get(body) else { return DVec3::ZERO };
        let Some(state) = self.state(body) else { return DVec3::ZERO };
        let belt = self.belt(body, &state, spot.normal);
        let turned = state.angular_velocity.cross(carried - state.velocity + belt);
        let group = self.world.group(record.group);
        let Some(motion) = self.forced_motion(body) else {
            let falling = if group.is_free() { self.world.model.gravity } else { DVec3::ZERO };
            return falling + turned;
        };
        let kinematics = motion.kinematics_at(self.now());
        let arm = spot.point - state.position;
        kinematics.acceleration + kinematics.angular_acceleration.cross(arm) + turned
    }

    /// How patiently a pair is still worked on.
    pub(crate) fn patience(&self, bodies: [BodyId; 2]) -> Patience {
        let collisions = match self.record(bodies) {
            Some(it) if it.last >= self.now() => it.collisions_at(self.now()),
            _ => self.brought(bodies),
        };
        Patience { collisions, fastest: self.fastest }
    }

    /// Collisions that a pair counts as having had when it first collides at an instant: who was wedged a few falls through the
    /// envelope ago most likely still is.
    pub(crate) fn brought(&self, bodies: [BodyId; 2]) -> u32 {
        let Some(record) = self.record(bodies).filter(|it| it.last < self.now()) else { return 0 };
        let fall =
            (2.0 * self.world.envelope_of(bodies) / self.world.model.gravity.length()).sqrt();
        let lasts = self.now() - record.last <= TRAIN_FALLS * fall;
        if lasts && record.at_once >= COLLISIONS_WITH_BOUNCES { COLLISIONS_WITH_BOUNCES } else { 0 }
    }

    /// What speeds of this instant are rounded by `[m/s]`.
    pub(crate) fn rounded_speed(&self) -> f64 {
        rounded(self.fastest)
    }

    /// When one of two bodies last collided with a third `[s]`.
    pub(crate) fn last_with_others(&self, [a, b]: [BodyId; 2]) -> f64 {
        let contacts = &self.world.state.contacts;
        contacts.last_with_others(a, b).max(contacts.last_with_others(b, a))
    }

    /// Takes down how fast the points at a spot move.
    pub(crate) fn feel(&mut self, spot: &Spot) {
        // What places are rounded by, times the rate of turning, counts as speed.
        let rounded = ROUNDED_PLACES * spot.point.length();
        let size = |body| {
            self.state(body).map_or(0.0, |state| {
                let reach = rounded + (spot.point - state.position).length();
                state.velocity.length() + state.angular_velocity.length() * reach
            })
        };
        let speed = size(spot.bodies[0]) + size(spot.bodies[1]);
        self.fastest = self.fastest.max(speed);
    }

    /// The speed at which a hop takes bodies just out of contact, whatever accelerates them: what a touch that does not
    /// close has to leave with, lest it is found again `[m/s]`.
    pub(crate) fn least_hop(&self, spot: &Spot) -> f64 {
        let [a, b] = spot.bodies;
        let (Some((one, _)), Some((other, _))) = (self.world.rigid(a), self.world.rigid(b)) else {
            return 0.0;
        };
        let turning: f64 = spot.bodies.into_iter().map(|body| self.turning(body, spot.point)).sum();
        let acceleration = turning + self.driven(spot).abs();
        let out_of_contact = touch_distance_of(&one, &other, self.now());
        let hop = (2.0 * acceleration * out_of_contact).sqrt();
        let tried = self.record(spot.bodies).map_or(0, |it| it.hops_at(self.now()));
        // Where that has not been enough at this instant, it takes more.
        f64::from(1 + tried) * hop.max(self.least_hop_by_jerk(spot, out_of_contact))
    }

    /// The same where what accelerates the bodies is yet to grow. Leaving at v under a jerk J they are farthest apart after √(2v/J), by
    /// ⅔v√(2v/J); so v = (9/8·J·d²)^⅓, with J over as long as that takes `[m/s]`.
    fn least_hop_by_jerk(&self, spot: &Spot, out_of_contact: f64) -> f64 {
        let (mut time, mut speed) = (LONGEST_HOP, 0.0);
        for _ in 0..HOPS_TRIED {
            let span = Span::new(self.now(), self.now() + time);
            let jerk: f64 = spot.bodies.into_iter().map(|body| self.jerk(body, spot, span)).sum();
            if jerk == 0.0 {
                return 0.0;
            }
            speed = libm::cbrt(1.125 * jerk * out_of_contact * out_of_contact);
            time = (2.0 * speed / jerk).sqrt().min(LONGEST_HOP);
        }
        speed
    }

    /// Bounds the rate at which the acceleration of a body's point changes `[m/s³]`.
    fn jerk(&self, body: BodyId, spot: &Spot, span: Span) -> f64 {
        let Some(record) = self.world.state.bodies.get(body) else { return 0.0 };
        let Some(state) = self.state(body) else { return 0.0 };
        let group = self.world.group(record.group);
        let Some(motion) = group.member(body).map(|member| group.motion_of(member)) else {
            return 0.0;
        };
        let known = motion.span(self.now());
        let span = Span::new(span.start, span.end.min(known.end));
        let rates = motion.rate_bounds(span);
        let (w, a) = (rates.spin, rates.angular_acceleration);
        let arm = (spot.point - state.position).length();
        rates.jerk + arm * (rates.angular_jerk + 3.0 * a * w + w * w * w)
    }

    /// What an impulse on a body is to its group, if that is free.
    fn on(&self, body: BodyId, point: DVec3, linear: DVec3) -> Option<(GroupId, (u32, Impulse))> {
        let id = self.world.state.bodies.get(body)?.group;
        let group = self.world.group(id);
        let link = group.member(body).filter(|_| group.is_free())?.link;
        Some((id, (link, Impulse { point, linear, angular: DVec3::ZERO })))
    }

    /// Strikes many pairs at once, as [`Self::strike`] does one.
    pub(crate) fn strike_all(&mut self, given: &[(Spot, DVec3)]) {
        let mut groups: BTreeMap<GroupId, (Spot, Vec<(u32, Impulse)>)> = BTreeMap::new();
        for (spot, impulse) in given.iter().filter(|(_, impulse)| *impulse != DVec3::ZERO) {
            for (body, linear) in spot.bodies.into_iter().zip([*impulse, -*impulse]) {
                if let Some((id, own)) = self.on(body, spot.point, linear) {
                    groups.entry(id).or_insert_with(|| (*spot, Vec::new())).1.push(own);
                }
            }
        }
        for (id, (spot, impulses)) in groups {
            self.strike_group(id, &impulses, &spot);
        }
    }

    /// Strikes both bodies of a pair, A with the impulse and B with its opposite. Links of one linkage are struck at once.
    pub(crate) fn strike(&mut self, spot: &Spot, impulse: DVec3) {
        let on = |body: BodyId, linear: DVec3| self.on(body, spot.point, linear);
        match [on(spot.bodies[0], impulse), on(spot.bodies[1], -impulse)] {
            [Some((a, one)), Some((b, other))] if a == b => {
                self.strike_group(a, &[one, other], spot);
            }
            pair => {
                for (id, impulse) in pair.into_iter().flatten() {
                    self.strike_group(id, &[impulse], spot);
                }
            }
        }
    }

    fn strike_group(&mut self, id: GroupId, impulses: &[(u32, Impulse)], spot: &Spot) {
        let now = self.now();
        let group = self.world.group(id);
        match group.struck(now, impulses) {
            Ok(struck) => {
                // A strike on one link is felt by all.
                self.struck.extend(group.members.iter().map(|member| member.body));
                self.world.restart(id, struck);
            }
            Err(_) => self.trouble = self.trouble.or(Some((spot.bodies, Trouble::Jammed))),
        }
    }

    /// Work that moving surfaces and driven bodies do through an impulse on A `[J]`.
    ///
    /// The kinetic energy of the free bodies changes by Σ p_i·½(v⁻ + v⁺) over their own material points; of this,
    /// p·½(u⁻ + u⁺) is the work of the contact (M, theorem 11), and the rest comes from whoever keeps the surfaces moving.
    pub(crate) fn driven_work(&self, spot: &Spot, impulse: DVec3) -> f64 {
        let drive = |body| {
            let Some(state) = self.state(body) else { return DVec3::ZERO };
            let belt = self.belt(body, &state, spot.normal);
            if self.is_free(body) { belt } else { belt + state.velocity_at(spot.point) }
        };
        impulse.dot(drive(spot.bodies[1]) - drive(spot.bodies[0]))
    }

    fn is_free(&self, body: BodyId) -> bool {
        let record = self.world.state.bodies.get(body);
        record.is_some_and(|it| self.world.group(it.group).is_free())
    }

    /// What is remembered of a pair.
    pub(crate) fn record(&self, bodies: [BodyId; 2]) -> Option<&ContactRecord> {
        self.world.state.contacts.get(bodies)
    }

    /// Takes down that a pair was found in contact without closing.
    pub(crate) fn note_hop(&mut self, bodies: [BodyId; 2]) {
        let now = self.now();
        self.world.state.contacts.note_hop(now, bodies);
    }

    /// Books a collision, remembers it, and tells of it point by point.
    pub(crate) fn report(&mut self, total: &Collision, pace: &Pace) {
        let now = self.now();
        let ledger = &mut self.world.state.ledger;
        ledger.work.add(total.driven_work);
        ledger.restitution_loss.add(total.boost - total.normal_work);
        ledger.friction_loss.add(-total.friction_work);
        ledger.boost.add(total.boost);
        self.world.state.contacts.note(now, total, &self.shares, pace);
        for share in &self.shares {
            self.world.tell(Happening::Collision(total.shared(share)), None);
        }
    }
}
