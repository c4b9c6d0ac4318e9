//! Asking about space: distances, overlaps, rays and casts, at a time for which the present motions hold.

use carom_contact::touch::{Outcome, PairSearch, Rigid};
use carom_dynamics::{Ballistic, BodyState, Mass, Motion};
use carom_geometry::distance::Feature;
use carom_geometry::distance::pieces::{
    PiecePoint, Pieces, PiecesCache, PiecesManifold, manifold_pieces,
};
use carom_geometry::{Aabb, Pose, Shape};
use glam::{DQuat, DVec3};

use crate::body::BodyId;
use crate::near::ordered;
use crate::overlap::proximity;
use crate::world::World;

/// Where two bodies are nearest, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// A and B, as asked for.
    pub bodies: [BodyId; 2],
    /// Distance, or minus the depth where they overlap `[m]`.
    pub distance: f64,
    /// The nearest points of A and B `[m]`.
    pub points: [DVec3; 2],
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// The features that the points lie on.
    pub features: [Feature; 2],
    /// The convex pieces that the features belong to.
    pub pieces: [u32; 2],
}

impl Nearest {
    /// Of two bodies as they move.
    pub(crate) fn of(bodies: [BodyId; 2], a: &Rigid<'_>, b: &Rigid<'_>, time: f64) -> Self {
        let found = proximity(a, b, time, &mut PiecesCache::default());
        Self {
            bodies,
            distance: found.distance,
            points: [found.point_a, found.point_b],
            normal: found.normal,
            features: found.features,
            pieces: found.pieces,
        }
    }
}

/// A point at which two bodies are within reach of each other, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// On A, and below it along the normal on B `[m]`.
    pub points: [DVec3; 2],
    /// Of the two along the normal; negative where they overlap `[m]`.
    pub gap: f64,
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// The features that the points lie on.
    pub features: [Feature; 2],
    /// The convex pieces that the features belong to.
    pub pieces: [u32; 2],
}

/// Where a shape that was moved along a line first touches a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Whom.
    pub body: BodyId,
    /// How far along, as a share of the whole way, from 0 to 1.
    pub share: f64,
    /// Where `[m]`.
    pub point: DVec3,
    /// Unit vector out of the body that was hit.
    pub normal: DVec3,
}

/// Who is with whom.
impl World {
    /// True when two bodies take notice of each other and touch: neither is a ghost or a sensor, one of them is free, their
    /// layers meet and the pair is not excluded.
    pub fn meets(&self, a: BodyId, b: BodyId) -> bool {
        self.pairing(a, b) == Some(crate::near::Pairing::Solid)
    }

    /// The pairs that the engine watches: they take notice of each other and their swept boxes overlap; in order of ids.
    pub fn watched_pairs(&self) -> Vec<[BodyId; 2]> {
        let mut pairs: Vec<[BodyId; 2]> = self.scratch.near.iter().map(|it| it.bodies).collect();
        pairs.sort_unstable();
        pairs
    }

    /// True while two bodies are passing through each other, or one is inside a sensor.
    pub fn is_inside(&self, a: BodyId, b: BodyId) -> bool {
        self.state.meetings.get(ordered(a, b)).is_some_and(crate::near::Meeting::inside)
    }
}

/// Distances and overlaps.
impl World {
    /// Where two bodies are nearest at a time for which their present motions hold; none if one is gone or the time is
    /// not covered.
    pub fn nearest(&self, a: BodyId, b: BodyId, time: f64) -> Option<Nearest> {
        self.state_at(a, time)?;
        self.state_at(b, time)?;
        let ((one, _), (other, _)) = (self.rigid(a)?, self.rigid(b)?);
        Some(Nearest::of([a, b], &one, &other, time))
    }

    /// All points at which two bodies are within `reach` `[m]` of each other at a time for which their present motions
    /// hold: corners of faces that lie on each other, ends of edges, single points; none if one is gone or the time is
    /// not covered.
    pub fn contact_points(
        &self,
        a: BodyId,
        b: BodyId,
        reach: f64,
        time: f64,
    ) -> Option<Vec<ContactPoint>> {
        self.state_at(a, time)?;
        self.state_at(b, time)?;
        let ((one, _), (other, _)) = (self.rigid(a)?, self.rigid(b)?);
        let (a_from_b, world_from_a) = one.placement(&other, time);
        let mut found = PiecesManifold::default();
        manifold_pieces(one.pieces, other.pieces, &a_from_b, reach, None, &mut found);
        let in_world = |it: &PiecePoint| ContactPoint {
            points: [it.point.point_a, it.point.point_b].map(|point| world_from_a.point(point)),
            gap: it.point.gap,
            normal: world_from_a.vector(it.normal),
            features: it.point.features,
            pieces: it.pieces,
        };
        Some(found.points().iter().map(in_world).collect())
    }

    /// All bodies that a placed shape overlaps or touches at a time for which the present motions hold, in order of their
    /// ids; ghosts and sensors too.
    pub fn overlapping(&self, shape: &Shape, world_from_shape: &Pose, time: f64) -> Vec<BodyId> {
        let pieces = Pieces::of(shape);
        let motion = Motion::Fixed(*world_from_shape);
        let probe = probe(&motion, &pieces);
        let hits = |id: &BodyId| {
            let Some((rigid, _)) = self.rigid(*id) else { return false };
            proximity(&probe, &rigid, time, &mut PiecesCache::default()).distance <= 0.0
        };
        self.placed_at(&shape.aabb(world_from_shape), time).filter(hits).collect()
    }

    /// The first body that a shape touches on its way along a straight line, without turning, at a time for which the
    /// present motions hold and as if time stood still; ghosts and sensors are passed. A shape that overlaps a body from
    /// the beginning hits it at share 0.
    pub fn cast_shape(
        &self,
        shape: &Shape,
        world_from_shape: &Pose,
        way: DVec3,
        time: f64,
    ) -> Option<Hit> {
        let pieces = Pieces::of(shape);
        let motion = uniform(world_from_shape, way)?;
        let probe = probe(&motion, &pieces);
        let start = shape.aabb(world_from_shape);
        let end = Aabb { min: start.min + way, max: start.max + way };
        let bounds = start.union(&end);
        let candidates = self.placed_at(&bounds, time);
        let hit = |id: BodyId| {
            let record = self.state.bodies.get(id)?;
            if record.model.ghost || record.model.sensor {
                return None;
            }
            let (rigid, _) = self.rigid(id)?;
            let still = Motion::Fixed(rigid.motion.state_at(time).pose());
            let target = Rigid { motion: &still, ..rigid };
            hit_of(id, &probe, &target)
        };
        candidates.filter_map(hit).min_by(|a, b| a.share.total_cmp(&b.share))
    }

    /// The first body that a ray meets within `length` of its origin, at a time for which the present motions hold;
    /// ghosts and sensors are passed.
    pub fn cast_ray(&self, origin: DVec3, direction: DVec3, length: f64, time: f64) -> Option<Hit> {
        self.cast_ray_among(origin, direction, length, time, |_| true)
    }

    /// The same, among some bodies.
    pub(crate) fn cast_ray_among(
        &self,
        origin: DVec3,
        direction: DVec3,
        length: f64,
        time: f64,
        counts: impl Fn(BodyId) -> bool,
    ) -> Option<Hit> {
        let along = direction.try_normalize()?;
        // However long, no farther than numbers reach.
        let length = length.min(LONGEST_RAY);
        let end = origin + length * along;
        let bounds = Aabb::from_points([origin, end]);
        let hit = |id: BodyId| {
            let record = self.state.bodies.get(id)?;
            if record.model.ghost || record.model.sensor || !counts(id) {
                return None;
            }
            let (rigid, _) = self.rigid(id)?;
            let world_from_shape =
                rigid.motion.state_at(time).pose().then_from(&rigid.frame_from_shape);
            let shape_from_world = world_from_shape.inverse();
            let found = rigid.pieces.cast_ray(
                shape_from_world.point(origin),
                shape_from_world.vector(along),
                length,
            )?;
            Some(Hit {
                body: id,
                share: found.distance / length,
                point: origin + found.distance * along,
                normal: world_from_shape.vector(found.normal),
            })
        };
        self.placed_at(&bounds, time).filter_map(hit).min_by(|a, b| a.share.total_cmp(&b.share))
    }

    /// Bodies whose boxes at a time overlap a box, in order of their ids. At present the broad phase knows them.
    fn placed_at<'a>(&'a self, bounds: &'a Aabb, time: f64) -> impl Iterator<Item = BodyId> + 'a {
        let near = (time == self.state.now).then(|| self.possibly_at(bounds));
        let all = near.is_none().then(|| self.bodies().map(|body| body.id()));
        let ids = near.into_iter().flatten().chain(all.into_iter().flatten());
        ids.filter(move |id| {
            let placed = self.body(*id).and_then(|it| Some(it.shape().aabb(&it.pose_at(time)?)));
            placed.is_some_and(|placed| placed.overlaps(bounds))
        })
    }
}

/// Rays are cut at this length `[m]`: beyond, places have no digits left.
const LONGEST_RAY: f64 = 1e150;

/// A shape that belongs to nobody.
fn probe<'a>(motion: &'a Motion, pieces: &'a Pieces) -> Rigid<'a> {
    let size = 2.0 * pieces.tree()[0].radius;
    Rigid { motion, pieces, frame_from_shape: Pose::IDENTITY, size }
}

/// A straight way, covered from time 0 to 1.
fn uniform(world_from_shape: &Pose, way: DVec3) -> Option<Motion> {
    let state = BodyState {
        position: world_from_shape.translation,
        orientation: world_from_shape.rotation,
        velocity: way,
        angular_velocity: DVec3::ZERO,
    };
    let mass = Mass { mass: 1.0, moments: DVec3::ONE, body_from_principal: DQuat::IDENTITY };
    state.is_finite().then(|| Motion::Ballistic(Ballistic::new(0.0, state, DVec3::ZERO, &mass)))
}

fn hit_of(body: BodyId, probe: &Rigid<'_>, target: &Rigid<'_>) -> Option<Hit> {
    let mut search = PairSearch::new(probe, target, 0.0);
    let found = search.advance(probe, target, f64::INFINITY, 1.0);
    match found.outcome {
        Outcome::Touch(touch) if touch.time <= 1.0 => {
            Some(Hit { body, share: touch.time, point: touch.point, normal: touch.normal })
        }
        Outcome::Overlap(_) => {
            let start = proximity(probe, target, 0.0, &mut PiecesCache::default());
            let point = 0.5 * (start.point_a + start.point_b);
            Some(Hit { body, share: 0.0, point, normal: start.normal })
        }
        _ => None,
    }
}
