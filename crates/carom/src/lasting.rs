//! Lasting contact: pairs that keep touching, and the surfaces at which they do.
//!
//! Under the constraint regime a pair whose approach is slow, or does not bounce, *joins*: from then on it is an edge of the graph that
//! makes coupled groups, as a joint is (`assemble.rs`), and its contact forces are part of the group's derivative
//! (`carom_dynamics::linkage::contacts`). It *leaves* at the first instant at which none of its points is in contact any more.
//!
//! **Points.** Where a course begins, the points of all its pairs are found from the poses alone: everything that is within a few held gaps of
//! the least one. So a restored world finds the same ones.
//!
//! **The held gap** is h = 5·10⁻⁸ of the smaller body, fifty times the distance at which bodies touch. The search for touches therefore goes
//! on for pairs in lasting contact as for all others, and proves that no feature of theirs, in contact or not, comes nearer
//! than that: a tipping box finds its next corner as a flying one finds the floor.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_contact::lasting::{ContactPoint, Kind, Moving, Solid, contact_points};
use carom_dynamics::linkage::{HoldLaw, Site, Surfaces, Tag};
use carom_dynamics::tolerances::STANDARD_GRAVITY;
use carom_dynamics::{BodyState, Motion};
use carom_geometry::Pose;
use carom_geometry::distance::{Feature, Warm};
use glam::DVec3;

use crate::arena::Handle as _;
use crate::assemble::Ties;
use crate::body::{BodyId, BodyModel};
use crate::coupled::{Coupled, Push};
use crate::error::{Fault, WorldError};
use crate::event::{EventKind, Happening};
use crate::group::{Group, Member};
use crate::near::{Pairing, ordered};
use crate::regime::Impacts;
use crate::tolerances::{
    GUARDED_GAPS, HELD_REACH, HELD_SHARE, HELD_ULPS, HOLD_PACE, HOP_SHARE, LEAST_PULL,
    RESTING_SHARE, STRAY, STRAY_OF_CROSSINGS,
};
use crate::world::World;

/// A pair in lasting contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lasting {
    /// When it joined `[s]`.
    pub(crate) since: f64,
}

/// All pairs in lasting contact, the smaller body first.
pub(crate) type LastingPairs = BTreeMap<[BodyId; 2], Lasting>;

/// One body of a pair.
#[derive(Clone, Debug)]
struct Side {
    /// Of the linkage that is asked; none of what is not one.
    link: Option<usize>,
    model: Arc<BodyModel>,
    frame_from_shape: Pose,
    /// Of what is no link.
    motion: Option<Motion>,
}

impl Side {
    fn solid(&self) -> Solid<'_> {
        Solid {
            pieces: &self.model.pieces,
            frame_from_shape: self.frame_from_shape,
            size: self.model.size,
        }
    }
}

/// A pair with what its contact is like.
#[derive(Clone, Debug)]
struct Pair {
    bodies: [BodyId; 2],
    sides: [Side; 2],
    law: HoldLaw,
}

/// The surfaces of a coupled group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meets {
    pairs: Vec<Pair>,
    /// Each with the number of its pair.
    points: Vec<(usize, ContactPoint)>,
}

impl Meets {
    /// The pair of a point.
    pub(crate) fn pair_of(&self, point: usize) -> [BodyId; 2] {
        self.pairs[self.points[point].0].bodies
    }

    /// A point as it was frozen.
    pub(crate) fn point(&self, point: usize) -> &ContactPoint {
        &self.points[point].1
    }

    /// Impulses of points, by pairs of pieces.
    pub(crate) fn pushes(&self, impulses: &[f64]) -> Vec<Push> {
        let mut pushes: Vec<Push> = Vec::new();
        for (index, impulse) in impulses.iter().enumerate().filter(|(_, it)| **it != 0.0) {
            let (bodies, pieces) = (self.pair_of(index), self.point(index).pieces);
            match pushes.iter_mut().find(|it| it.bodies == bodies && it.pieces == pieces) {
                Some(push) => push.impulse += impulse,
                None => pushes.push(Push { bodies, pieces, impulse: *impulse }),
            }
        }
        pushes
    }

    /// Pairs of these surfaces that are not among `known`.
    pub(crate) fn strangers(&self, known: &[[BodyId; 2]]) -> Vec<[BodyId; 2]> {
        let all = self.pairs.iter().map(|pair| pair.bodies);
        all.filter(|pair| !known.contains(pair)).collect()
    }

    /// Pairs without any point among those that are active.
    pub(crate) fn idle_pairs(&self, active: &[bool]) -> Vec<[BodyId; 2]> {
        let is_idle = |pair: usize| {
            let mut own = self.points.iter().zip(active).filter(|((of, _), _)| *of == pair);
            !own.any(|(_, is_active)| *is_active)
        };
        let idle = (0..self.pairs.len()).filter(|pair| is_idle(*pair));
        idle.map(|pair| self.pairs[pair].bodies).collect()
    }
}

impl Surfaces for Meets {
    fn count(&self) -> usize {
        self.points.len()
    }

    fn links(&self, contact: usize) -> [Option<usize>; 2] {
        let pair = &self.pairs[self.points[contact].0];
        [pair.sides[0].link, pair.sides[1].link]
    }

    fn tag(&self, contact: usize) -> Tag {
        let (pair, point) = &self.points[contact];
        let bodies = self.pairs[*pair].bodies.map(tag_of);
        Tag { bodies, pieces: point.pieces }
    }

    fn smooth_until(&self, time: f64) -> f64 {
        let sides = self.pairs.iter().flat_map(|pair| &pair.sides);
        let ends = sides.filter_map(|side| Some(side.motion.as_ref()?.span(time).end));
        ends.fold(f64::INFINITY, f64::min)
    }

    fn law(&self, contact: usize) -> HoldLaw {
        self.pairs[self.points[contact].0].law
    }

    fn follow(&self, contact: usize, time: f64, links: &[BodyState]) -> Option<Site> {
        let (pair, point) = &self.points[contact];
        let sides = &self.pairs[*pair].sides;
        let driven = sides.each_ref().map(|side| Some(side.motion.as_ref()?.kinematics_at(time)));
        let moving = [0, 1].map(|i| {
            let state = match (&driven[i], sides[i].link) {
                (Some(driven), _) => driven.state,
                (None, link) => links[link.unwrap_or_default()],
            };
            moving(&state)
        });
        let solids = sides.each_ref().map(Side::solid);
        let found =
            point.follow([&solids[0], &solids[1]], [&moving[0], &moving[1]], &mut Warm::Cold)?;
        let mut bias = found.bias;
        for (i, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(driven) = &driven[i] else { continue };
            let arm = found.points[i] - driven.state.position;
            let carried = driven.acceleration + driven.angular_acceleration.cross(arm);
            bias += sign * found.normal.dot(carried);
        }
        Some(Site {
            points: found.points,
            normal: found.normal,
            gap: found.gap,
            rate: found.rate,
            bias,
            room: found.room + stray(point) * solids[0].size.min(solids[1].size),
        })
    }
}

/// How far a point may leave its features, as a share of the size of the smaller body. Where two edges cross almost along each
/// other, a point of one of them stands for the crossing, which runs away from it; what hangs on it is only where the border
/// of a support is.
fn stray(point: &ContactPoint) -> f64 {
    let is_crossing = matches!(point.features, [Feature::Edge(_), Feature::Edge(_)]);
    let is_corner = matches!(point.kind, Kind::Corner { .. });
    if is_crossing && is_corner { STRAY_OF_CROSSINGS } else { STRAY }
}

/// A body as a number.
pub(crate) fn tag_of(body: BodyId) -> u64 {
    u64::from(body.generation()) << 32 | u64::from(body.index())
}

/// The body of a number.
pub(crate) fn body_of(tag: u64) -> BodyId {
    BodyId::of(tag as u32, (tag >> 32) as u32)
}

fn moving(state: &BodyState) -> Moving {
    Moving {
        world_from_frame: state.pose(),
        velocity: state.velocity,
        spin: state.angular_velocity,
    }
}

/// Surfaces.
impl World {
    /// The surfaces at which the pairs of a coupled group touch at a time at which it goes on, where it has any. They follow from the
    /// poses alone.
    pub(crate) fn surfaces_of(
        &self,
        group: &Group,
        coupled: &Coupled,
        time: f64,
    ) -> Option<Arc<Meets>> {
        if coupled.lasting().is_empty() {
            return None;
        }
        let mut meets = Meets::default();
        let mut points = Vec::new();
        for bodies in coupled.lasting() {
            let side = |body| self.side(group, body, time);
            let (Some(a), Some(b)) = (side(bodies[0]), side(bodies[1])) else { continue };
            let ((one, pose_a), (other, pose_b)) = (a, b);
            let law = self.hold_law(*bodies, [&pose_a, &pose_b]);
            let solids = [&one.solid(), &other.solid()];
            contact_points(solids, [&pose_a, &pose_b], HELD_REACH * law.gap, &mut points);
            meets.points.extend(points.iter().map(|point| (meets.pairs.len(), *point)));
            meets.pairs.push(Pair { bodies: *bodies, sides: [one, other], law });
        }
        Some(Arc::new(meets))
    }

    /// Points at which members of a group are near others, in contact or not: none of them must come nearer where gaps are opened.
    pub(crate) fn guards_of(&self, group: &Group) -> Meets {
        let now = self.state.now;
        let mut pairs: Vec<[BodyId; 2]> = Vec::new();
        for member in &group.members {
            // Boxes may be of any size, and reach no farther than a touch; so all bodies are looked at.
            let others = self.state.bodies.iter().filter(|(id, _)| *id != member.body);
            let near = others.map(|(id, _)| ordered(member.body, id));
            pairs.extend(near.filter(|pair| self.balls_meet(*pair)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.retain(|pair| self.pairing(pair[0], pair[1]) == Some(Pairing::Solid));
        let mut guards = Meets::default();
        let mut points = Vec::new();
        for bodies in pairs {
            let side = |body| self.side(group, body, now);
            let (Some(a), Some(b)) = (side(bodies[0]), side(bodies[1])) else { continue };
            let ((one, pose_a), (other, pose_b)) = (a, b);
            let law = self.hold_law(bodies, [&pose_a, &pose_b]);
            let solids = [&one.solid(), &other.solid()];
            let reach = GUARDED_GAPS * law.gap;
            let least = contact_points(solids, [&pose_a, &pose_b], reach, &mut points);
            if least.is_some_and(|least| least <= reach) {
                guards.points.extend(points.iter().map(|point| (guards.pairs.len(), *point)));
                guards.pairs.push(Pair { bodies, sides: [one, other], law });
            }
        }
        guards
    }

    /// Why contact forces cannot be worked out for the pairs of a group, if they cannot.
    pub(crate) fn refused_contact(&self, coupled: &Coupled) -> Option<String> {
        let has_friction = |pair: &&[BodyId; 2]| self.surface_between(**pair).friction > 0.0;
        let pair = coupled.lasting().iter().find(has_friction)?;
        let bodies = self.listed(pair);
        Some(format!("{bodies} have friction now, and forces of lasting contact know none yet"))
    }

    /// One body of a pair, and where its frame is now.
    fn side(&self, group: &Group, body: BodyId, time: f64) -> Option<(Side, Pose)> {
        let record = self.state.bodies.get(body)?;
        let model = Arc::clone(&record.model);
        let own = self.group(record.group);
        let member: &Member = own.member(body)?;
        let frame_from_shape = member.frame_from_shape(&model);
        if std::ptr::eq(own, group) {
            let state = own.coupled()?.frame_at(member.link, time);
            let link = Some(member.link as usize);
            return Some((Side { link, model, frame_from_shape, motion: None }, state.pose()));
        }
        let motion = own.motion_of(member).clone();
        let pose = motion.state_at(time).pose();
        Some((Side { link: None, model, frame_from_shape, motion: Some(motion) }, pose))
    }

    /// How the contact of a pair is held.
    fn hold_law(&self, bodies: [BodyId; 2], places: [&Pose; 2]) -> HoldLaw {
        let gap = self.held_gap(bodies, places.map(|it| it.translation));
        let size = self.smaller_size(bodies);
        let rate = HOLD_PACE * (STANDARD_GRAVITY / size).sqrt();
        let restitution = match self.model.contact.impacts {
            Impacts::Sequence => 0.0,
            Impacts::Simultaneous => self.surface_between(bodies).restitution,
        };
        let slow = self.slow_speed(bodies);
        let pull = self.model.gravity.length().max(LEAST_PULL * STANDARD_GRAVITY);
        let hop = (2.0 * pull * HOP_SHARE * gap).sqrt();
        HoldLaw { gap, rate, restitution, slow, hop, still: RESTING_SHARE * rate * gap }
    }

    /// h of a pair `[m]`.
    fn held_gap(&self, bodies: [BodyId; 2], places: [DVec3; 2]) -> f64 {
        let away = places[0].length().max(places[1].length());
        (HELD_SHARE * self.smaller_size(bodies)).max(HELD_ULPS * f64::EPSILON * away)
    }

    /// Up to which distance a pair in lasting contact counts as touching; zero of others `[m]`.
    pub(crate) fn lasting_reach(&self, bodies: [BodyId; 2]) -> f64 {
        if !self.state.lasting.contains_key(&bodies) {
            return 0.0;
        }
        let place = |body| self.state(body).map_or(DVec3::ZERO, |it| it.position);
        HELD_REACH * self.held_gap(bodies, bodies.map(place))
    }

    /// v_μ under gravity: what is slower joins instead of bouncing `[m/s]`.
    pub(crate) fn slow_speed(&self, bodies: [BodyId; 2]) -> f64 {
        (2.0 * self.model.gravity.length() * self.envelope_of(bodies)).sqrt()
    }
}

/// Joining and leaving.
impl World {
    /// Pairs join, or touch at new points if they have joined before.
    pub(crate) fn join_pairs(&mut self, pairs: &[[BodyId; 2]]) -> Result<(), Fault> {
        let now = self.state.now;
        let mut new = Vec::new();
        for bodies in pairs {
            let friction = self.surface_between(*bodies).friction;
            if friction > 0.0 {
                let bodies = self.listed(bodies);
                return Err(Fault::NoFriction { time: now, bodies, friction });
            }
            if self.state.lasting.insert(*bodies, Lasting { since: now }).is_none() {
                new.push(*bodies);
            } else {
                self.begin_anew(*bodies);
            }
        }
        self.regroup_lasting(&new)?;
        for bodies in new {
            self.state.counts.count(EventKind::Transition);
            self.tell(Happening::Rests { bodies }, None);
        }
        Ok(())
    }

    /// Pairs leave.
    pub(crate) fn leave_pairs(&mut self, pairs: &[[BodyId; 2]]) -> Result<(), Fault> {
        for bodies in pairs {
            self.state.lasting.remove(bodies);
        }
        self.regroup_lasting(pairs)?;
        for bodies in pairs {
            self.state.counts.count(EventKind::Transition);
            self.tell(Happening::Lifts { bodies: *bodies }, None);
        }
        Ok(())
    }

    /// The groups of a pair go on by courses yet to be made.
    fn begin_anew(&mut self, bodies: [BodyId; 2]) {
        for body in bodies {
            let Some(id) = self.state.bodies.get(body).map(|it| it.group) else { continue };
            let now = self.state.now;
            let Some(coupled) = self.state.groups.get_mut(id).and_then(Group::coupled_mut) else {
                continue;
            };
            coupled.cut(now);
            self.mark_dirty(id);
        }
    }

    fn regroup_lasting(&mut self, pairs: &[[BodyId; 2]]) -> Result<(), Fault> {
        if pairs.is_empty() {
            return Ok(());
        }
        let before = self.before_regrouping(pairs.iter().flatten().copied());
        let (joints, elements) = (self.state.joints.clone(), self.state.elements.clone());
        let gained = self.retie(Ties { joints, elements }, &before, false).map_err(|error| {
            let bodies: Vec<BodyId> = pairs.iter().flatten().copied().collect();
            let (time, bodies) = (self.state.now, self.listed(&bodies));
            Fault::Linkage { time, bodies, reason: error.to_string() }
        })?;
        // The state is the same; its energy, but for rounding.
        self.book(gained.kinetic);
        self.book(gained.potential);
        Ok(())
    }

    /// A body that goes, or moves otherwise than it did, rests on nobody any more.
    pub(crate) fn leave_all(&mut self, body: BodyId) -> Result<(), WorldError> {
        let pairs: Vec<[BodyId; 2]> = self.lasting_pairs_of(body).collect();
        self.leave_by_command(&pairs)
    }

    /// A pair leaves by command.
    pub(crate) fn leave_one(&mut self, pair: [BodyId; 2]) -> Result<(), WorldError> {
        self.leave_by_command(&[pair])
    }

    fn leave_by_command(&mut self, pairs: &[[BodyId; 2]]) -> Result<(), WorldError> {
        self.leave_pairs(pairs).map_err(|fault| WorldError::Broken { first: fault.to_string() })
    }

    /// Whoever rests on a body goes on by a course yet to be made, because the body moves otherwise.
    pub(crate) fn wake_on(&mut self, body: BodyId) {
        let pairs: Vec<[BodyId; 2]> = self.lasting_pairs_of(body).collect();
        for pair in pairs {
            self.begin_anew(pair);
        }
    }

    /// Pairs in lasting contact that a body belongs to.
    pub(crate) fn lasting_pairs_of(&self, body: BodyId) -> impl Iterator<Item = [BodyId; 2]> {
        self.state.lasting.keys().filter(move |pair| pair.contains(&body)).copied()
    }

    /// True of a pair that is in lasting contact.
    pub fn is_lasting(&self, a: BodyId, b: BodyId) -> bool {
        self.state.lasting.contains_key(&ordered(a, b))
    }
}

/// The pairs of a component, in their order.
pub(crate) fn pairs_of(lasting: &LastingPairs, component: &[BodyId]) -> Vec<[BodyId; 2]> {
    let is_own = |body: &BodyId| component.binary_search(body).is_ok();
    let own = lasting.keys().filter(|pair| pair.iter().any(is_own));
    own.copied().collect()
}
