//! Bodies that would overlap are refused before they are there.

use carom_contact::touch::{Rigid, overlap_allowance};
use carom_geometry::Aabb;
use carom_geometry::distance::pieces::{PiecesCache, closest_pieces, depth_inside};
use glam::DVec3;

use crate::body::{BodyId, BodyModel};
use crate::error::WorldError;
use crate::group::{Group, GroupId};
use crate::near::{notice, ordered};
use crate::world::World;

/// A body that is not there yet, or not yet free.
pub(crate) struct Newcomer<'a> {
    pub(crate) rigid: Rigid<'a>,
    pub(crate) model: &'a BodyModel,
    /// Its handle, if it has one already.
    pub(crate) id: Option<BodyId>,
    /// Bodies that it takes no notice of.
    pub(crate) except: &'a [BodyId],
    pub(crate) free: bool,
}

/// How two bodies are placed to each other, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Proximity {
    /// Negative where they overlap `[m]`.
    pub(crate) distance: f64,
    /// Unit vector from B to A.
    pub(crate) normal: DVec3,
    pub(crate) point_a: DVec3,
    pub(crate) point_b: DVec3,
    pub(crate) features: [carom_geometry::distance::Feature; 2],
    pub(crate) pieces: [u32; 2],
}

/// Distance of two bodies at a time.
pub(crate) fn proximity(
    a: &Rigid<'_>,
    b: &Rigid<'_>,
    time: f64,
    cache: &mut PiecesCache,
) -> Proximity {
    let (a_from_b, world_from_a) = a.placement(b, time);
    let found = closest_pieces(a.pieces, b.pieces, &a_from_b, cache);
    let mut answer = Proximity {
        distance: found.closest.distance,
        normal: world_from_a.vector(found.closest.normal),
        point_a: world_from_a.point(found.closest.point_a),
        point_b: world_from_a.point(found.closest.point_b),
        features: found.closest.features,
        pieces: found.pieces,
    };
    // A body inside a solid mesh is near none of its triangles.
    if answer.distance > 0.0
        && let Some(depth) = depth_inside(a.pieces, b.pieces, &a_from_b)
    {
        answer.distance = -(depth.max(answer.distance));
        answer.normal = -answer.normal;
    }
    answer
}

impl World {
    /// Refuses a body that would overlap another one now.
    pub(crate) fn refuse_overlap(&self, newcomer: &Newcomer<'_>) -> Result<(), WorldError> {
        if newcomer.model.ghost || newcomer.model.sensor {
            return Ok(());
        }
        let now = self.state.now;
        let state = newcomer.rigid.motion.state_at(now);
        let world_from_shape = state.pose().then_from(&newcomer.rigid.frame_from_shape);
        let bounds = newcomer.model.shape.aabb(&world_from_shape);
        for other in self.possibly_at(&bounds) {
            if Some(other) == newcomer.id || !self.would_meet(newcomer, other) {
                continue;
            }
            let Some((rigid, _)) = self.rigid(other) else { continue };
            let mut cache = PiecesCache::default();
            let found = proximity(&newcomer.rigid, &rigid, now, &mut cache);
            if found.distance < -overlap_allowance(&newcomer.rigid, &rigid, now) {
                let name = |it: &BodyModel| it.name.clone();
                return Err(WorldError::Overlap {
                    body: name(newcomer.model),
                    other: self
                        .state
                        .bodies
                        .get(other)
                        .map_or_else(String::new, |it| name(&it.model)),
                    depth: -found.distance,
                    direction: found.normal,
                });
            }
        }
        Ok(())
    }

    /// Bodies whose boxes overlap a box, and those that have no box yet; in order.
    pub(crate) fn possibly_at(&self, bounds: &Aabb) -> Vec<BodyId> {
        let mut indices = Vec::new();
        self.scratch.broad.query(bounds, &mut indices);
        let mut bodies: Vec<BodyId> =
            indices.into_iter().filter_map(|index| self.state.bodies.handle_at(index)).collect();
        let dirty = self
            .scratch
            .dirty
            .iter()
            .filter_map(|id| self.state.groups.get(GroupId(*id)).map(|group| &group.members));
        let now = self.state.now;
        let overlaps = |body: &BodyId| {
            let placed = self.body(*body).and_then(|it| Some(it.shape().aabb(&it.pose_at(now)?)));
            placed.is_none_or(|placed| placed.padded_for_rounding().overlaps(bounds))
        };
        bodies.extend(dirty.flatten().map(|member| member.body).filter(overlaps));
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    }

    fn would_meet(&self, newcomer: &Newcomer<'_>, other: BodyId) -> bool {
        let Some(record) = self.state.bodies.get(other) else { return false };
        let excluded = newcomer.except.contains(&other)
            || newcomer.id.is_some_and(|id| {
                let [a, b] = ordered(id, other);
                self.state.excluded.contains(&(a, b))
            });
        let free = self.state.groups.get(record.group).is_some_and(Group::is_free);
        !excluded
            && !record.model.sensor
            && (newcomer.free || free)
            && notice(newcomer.model, &record.model)
    }

    /// Refuses to let two bodies meet that overlap now.
    pub(crate) fn refuse_pair_that_overlaps(&self, a: BodyId, b: BodyId) -> Result<(), WorldError> {
        let (Some((one, _)), Some((other, _))) = (self.rigid(a), self.rigid(b)) else {
            return Ok(());
        };
        let (record_a, record_b) = (self.record(a)?, self.record(b)?);
        if !notice(&record_a.model, &record_b.model)
            || record_a.model.sensor
            || record_b.model.sensor
        {
            return Ok(());
        }
        let now = self.state.now;
        let found = proximity(&one, &other, now, &mut PiecesCache::default());
        if found.distance >= -overlap_allowance(&one, &other, now) {
            return Ok(());
        }
        Err(WorldError::Overlap {
            body: record_a.model.name.clone(),
            other: record_b.model.name.clone(),
            depth: -found.distance,
            direction: found.normal,
        })
    }
}
