//! Rounds of contact within an instant.
//!
//! Whoever is struck may now close in on a neighbour that it touches, at the same time. So phase 2 repeats: the pairs that
//! matter are answered in the order of their bodies, then the neighbours of those that were struck come to them, until a
//! round strikes nobody. Positions stand still meanwhile, so the points of a pair are found once; nothing is predicted
//! before phase 4.
//!
//! Rows of bodies that do not bounce come to rest by ever smaller collisions, and what fits exactly between two walls by
//! none. Patience (`regime/effects.rs`) brings both to an end: the more often a pair has collided at an instant, the faster it
//! leaves, as a share of the fastest that was seen; and at last it does not bounce at all.

use carom_contact::touch::{Rigid, touch_distance_of};
use carom_geometry::Pose;
use carom_geometry::distance::pieces::{
    ClosestPieces, PiecesCache, PiecesManifold, manifold_pieces,
};
use carom_geometry::distance::{Closest, Convex};

use crate::arena::Handle as _;
use crate::body::BodyId;
use crate::contacts::Share;
use crate::error::Fault;
use crate::event::{Contact, Happening};
use crate::material::Surface;
use crate::near::{Meeting, Pairing};
use crate::overlap::proximity;
use crate::regime::{
    Answers as _, Constraint, ContactSettings, Effects, Impulse, Regime, Touch, TouchPoint,
    Touches, Trouble, joins,
};
use crate::tolerances::BALLS_MARGIN;
use crate::world::World;

/// What phase 2 works with; empty between instants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touching {
    pub(crate) touches: Touches,
    /// The touches that were due, as the search found them.
    pub(crate) due: Vec<Contact>,
    struck: Vec<BodyId>,
    /// Bodies whose neighbours have been looked at.
    known: Vec<BodyId>,
    shares: Vec<Share>,
    slots: Vec<u32>,
    manifold: PiecesManifold,
}

impl Touching {
    pub(crate) fn clear(&mut self) {
        self.touches.all.clear();
        self.touches.points.clear();
        self.due.clear();
        self.struck.clear();
        self.known.clear();
    }
}

impl World {
    /// Works touches until nothing closes any more.
    pub(crate) fn rounds(&mut self, touching: &mut Touching) -> Result<(), Fault> {
        let mut fastest = 0.0;
        loop {
            let mut effects = Effects {
                world: self,
                struck: std::mem::take(&mut touching.struck),
                shares: std::mem::take(&mut touching.shares),
                fastest,
                trouble: None,
            };
            Impulse.round(&touching.touches, &mut effects);
            Constraint.round(&touching.touches, &mut effects);
            let Effects { struck, shares, trouble, .. } = effects;
            (touching.struck, touching.shares, fastest) = (struck, shares, effects.fastest);
            if let Some((bodies, trouble)) = trouble {
                return Err(self.in_trouble(bodies, trouble));
            }
            for touch in &mut touching.touches.all {
                touch.due = false;
            }
            if touching.struck.is_empty() {
                break;
            }
            self.count_round(touching)?;
            self.add_neighbours(touching);
        }
        let joining = self.joining(touching);
        self.tell_of_the_unanswered(touching, &joining);
        self.join_pairs(&joining)
    }

    /// Pairs from whose touch lasting contact comes.
    fn joining(&mut self, touching: &mut Touching) -> Vec<[BodyId; 2]> {
        let is_any = touching.touches.all.iter().any(|it| it.regime == Regime::Constraint);
        if !is_any {
            return Vec::new();
        }
        let Touching { touches, shares, .. } = touching;
        let effects = Effects {
            world: self,
            struck: Vec::new(),
            shares: std::mem::take(shares),
            fastest: 0.0,
            trouble: None,
        };
        let joins = |touch: &&Touch| joins(touch, &touches.points[touch.indices()], &effects);
        let joining = touches.all.iter().filter(joins).map(|touch| touch.bodies).collect();
        touching.shares = effects.shares;
        joining
    }

    fn in_trouble(&self, bodies: [BodyId; 2], trouble: Trouble) -> Fault {
        let (time, bodies) = (self.state.now, self.listed(&bodies));
        match trouble {
            Trouble::Stalled => Fault::Stalled { time, bodies },
            Trouble::Jammed => Fault::Jammed { time, bodies },
        }
    }

    /// Bodies that touch those that were struck.
    fn add_neighbours(&mut self, touching: &mut Touching) {
        touching.struck.sort_unstable();
        touching.struck.dedup();
        let struck = std::mem::take(&mut touching.struck);
        for body in &struck {
            let Err(place) = touching.known.binary_search(body) else { continue };
            touching.known.insert(place, *body);
            let mut slots = std::mem::take(&mut touching.slots);
            slots.clear();
            self.scratch.broad.slots_of(body.index(), &mut slots);
            for slot in &slots {
                // Most links are known to touch nobody.
                let near = self.scratch.near.get(*slot).filter(|near| !self.is_apart(near));
                if let Some(bodies) = near.map(|near| near.bodies) {
                    self.add_touch(bodies, None, touching);
                }
            }
            touching.slots = slots;
            // Held gaps are wider than boxes reach.
            let lasting: Vec<[BodyId; 2]> = self.lasting_pairs_of(*body).collect();
            for bodies in lasting {
                self.add_touch(bodies, None, touching);
            }
        }
        touching.struck = struck;
        touching.struck.clear();
    }

    /// Adds a pair if it touches, with its points; `found` is what the search says of it.
    pub(crate) fn add_touch(
        &self,
        bodies: [BodyId; 2],
        found: Option<&Contact>,
        touching: &mut Touching,
    ) {
        let Touches { all, points } = &mut touching.touches;
        let Err(place) = all.binary_search_by_key(&bodies, |touch| touch.bodies) else { return };
        if found.is_none() && !self.could_collide(bodies) {
            return;
        }
        let first = points.len();
        self.points_of(bodies, found, points, &mut touching.manifold);
        if points.len() == first {
            return;
        }
        all.insert(
            place,
            Touch {
                bodies,
                regime: self.regime_of(bodies[0], bodies[1]),
                due: found.is_some(),
                found: found.is_some(),
                points: [first, points.len()].map(|it| it as u32),
            },
        );
    }

    fn could_collide(&self, bodies: [BodyId; 2]) -> bool {
        let inside = self.state.meetings.get(bodies).is_some_and(Meeting::inside);
        !inside
            && self.balls_meet(bodies)
            && self.pairing(bodies[0], bodies[1]) == Some(Pairing::Solid)
    }

    /// False when the balls around two bodies are apart by more than any touch distance.
    pub(crate) fn balls_meet(&self, bodies: [BodyId; 2]) -> bool {
        let around = |body| {
            let record = self.state.bodies.get(body)?;
            let group = self.group(record.group);
            let state = group.state_of(group.member(body)?, self.state.now);
            Some((state.position, record.model.radius))
        };
        let [Some((a, radius_a)), Some((b, radius_b))] = bodies.map(around) else { return false };
        let reach = radius_a + radius_b;
        a.distance(b) <= reach * (1.0 + BALLS_MARGIN) + BALLS_MARGIN * a.length().max(b.length())
    }

    /// All points at which two bodies touch now.
    fn points_of(
        &self,
        bodies: [BodyId; 2],
        found: Option<&Contact>,
        points: &mut Vec<TouchPoint>,
        manifold: &mut PiecesManifold,
    ) {
        let now = self.state.now;
        let (Some((a, _)), Some((b, _))) = (self.rigid(bodies[0]), self.rigid(bodies[1])) else {
            return;
        };
        if meet_in_a_point(&a, &b) {
            points.extend(found.map(TouchPoint::of));
            if found.is_none() {
                let nearest = proximity(&a, &b, now, &mut PiecesCache::default());
                let touch = TouchPoint {
                    point: nearest.point_a.midpoint(nearest.point_b),
                    normal: nearest.normal,
                    gap: nearest.distance,
                    features: nearest.features,
                    pieces: nearest.pieces,
                };
                let reach = touch_distance_of(&a, &b, now).max(self.lasting_reach(bodies));
                points.extend((nearest.distance <= reach).then_some(touch));
            }
            return;
        }
        let reach = touch_distance_of(&a, &b, now)
            .max(found.map_or(0.0, |it| it.distance))
            .max(self.lasting_reach(bodies));
        let (a_from_b, world_from_a) = a.placement(&b, now);
        let known = found.map(|it| it.measured(&world_from_a));
        manifold_pieces(a.pieces, b.pieces, &a_from_b, reach, known.as_ref(), manifold);
        let first = points.len();
        points.extend(manifold.points().iter().map(|it| TouchPoint {
            point: world_from_a.point(it.point.point_a.midpoint(it.point.point_b)),
            normal: world_from_a.vector(it.normal),
            gap: it.point.gap,
            features: it.point.features,
            pieces: it.pieces,
        }));
        // Where no point of the manifold closes, the search has seen something that the manifold has not.
        let closes = |it: &TouchPoint| {
            let [u, v] = [&a, &b].map(|body| body.motion.state_at(now).velocity_at(it.point));
            it.normal.dot(u - v) < 0.0
        };
        if !points[first..].iter().any(closes) {
            let unseen = found.filter(|it| it.speed < 0.0 || points.len() == first);
            points.extend(unseen.map(TouchPoint::of));
        }
    }

    /// Counts a round against the budget.
    fn count_round(&mut self, touching: &Touching) -> Result<(), Fault> {
        let limit = self.model.settings.budget.instants_without_progress;
        self.state.spent.stalled += 1;
        if self.state.spent.stalled <= limit {
            return Ok(());
        }
        let mut all: Vec<BodyId> = touching.touches.all.iter().flat_map(|it| it.bodies).collect();
        all.sort_unstable();
        all.dedup();
        Err(Fault::Cascade { time: self.state.now, rounds: limit, bodies: self.listed(&all) })
    }

    /// Touches that came to nothing: bodies that stay in contact as they are.
    fn tell_of_the_unanswered(&mut self, touching: &Touching, joining: &[[BodyId; 2]]) {
        for contact in &touching.due {
            if joining.contains(&contact.bodies) {
                continue;
            }
            let answered = self.state.contacts.get(contact.bodies);
            if answered.is_none_or(|record| record.last < self.state.now) {
                self.tell(Happening::Touch(*contact), None);
            }
        }
    }

    /// The collision envelope ε_c of a pair `[m]`.
    pub fn envelope_of(&self, bodies: [BodyId; 2]) -> f64 {
        if let Some(envelope) = self.model.contact.envelope {
            return envelope;
        }
        ContactSettings::ENVELOPE_SHARE * self.smaller_size(bodies)
    }

    /// The size of the smaller free body of a pair, zero where none is free `[m]`.
    pub(crate) fn smaller_size(&self, bodies: [BodyId; 2]) -> f64 {
        let size = |body| {
            let record = self.state.bodies.get(body)?;
            self.group(record.group).is_free().then_some(record.model.size)
        };
        let smaller = bodies.into_iter().filter_map(size).fold(f64::INFINITY, f64::min);
        if smaller.is_finite() { smaller } else { 0.0 }
    }

    /// True when one of the bodies has several convex pieces.
    pub(crate) fn in_pieces(&self, bodies: [BodyId; 2]) -> bool {
        let several = |body| {
            let record = self.state.bodies.get(body);
            record.is_some_and(|it| it.model.pieces.pieces().len() > 1)
        };
        bodies.into_iter().any(several)
    }

    /// What the surfaces of a pair do.
    pub(crate) fn surface_between(&self, [a, b]: [BodyId; 2]) -> Surface {
        let material = |body| self.state.bodies.get(body).and_then(|it| it.model.material);
        match (material(a), material(b)) {
            (Some(a), Some(b)) => self.surface_of_pair(a, b).unwrap_or_default(),
            (a, b) => {
                let one = |id| self.model.materials.get(id).map(|it| it.surface);
                let [a, b] = [a, b].map(|id| id.and_then(one).unwrap_or_default());
                a.combined(&b)
            }
        }
    }
}

impl Contact {
    /// What the search has measured, in the frame of shape A.
    fn measured(&self, world_from_a: &Pose) -> ClosestPieces {
        let a_from_world = world_from_a.inverse();
        let half = 0.5 * self.distance * self.normal;
        let closest = Closest {
            distance: self.distance,
            point_a: a_from_world.point(self.point + half),
            point_b: a_from_world.point(self.point - half),
            normal: a_from_world.vector(self.normal),
            features: self.features,
        };
        ClosestPieces { closest, pieces: self.pieces }
    }
}

impl TouchPoint {
    fn of(contact: &Contact) -> Self {
        Self {
            point: contact.point,
            normal: contact.normal,
            gap: contact.distance,
            features: contact.features,
            pieces: contact.pieces,
        }
    }
}

/// True when two bodies cannot touch at more than one point: both are convex, and one is strictly so.
fn meet_in_a_point(a: &Rigid<'_>, b: &Rigid<'_>) -> bool {
    let (Some(a), Some(b)) = (a.pieces.single(), b.pieces.single()) else { return false };
    let round = |convex: &Convex| {
        matches!(convex, Convex::Ball(_) | Convex::Ellipsoid(_) | Convex::Superquadric(_))
    };
    round(&a.convex) || round(&b.convex)
}
