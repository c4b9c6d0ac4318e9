//! Where the bodies of near pairs are at some times, and a lower bound of what the oracle could find.
//!
//! Between two samples the centres of bounding balls move about straight against each other, so the balls are apart by the
//! distance of the origin from that segment, less the radii and [`CURVE_SHARE`] of its length.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom::BodyId;
use glam::DVec3;
use oracles::gap::{Body, Pose};

use super::solids::{Solids, pose_of};
use super::tolerances::{CURVE_SHARE, TOUCH_SHARE};
use super::view::View;

/// One body at some times.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) id: BodyId,
    pub(super) solid: Arc<Body>,
    pub(super) poses: Vec<Pose>,
    /// Of the bounding ball; of a half-space, points of its plane.
    centers: Vec<DVec3>,
    /// Of the plane of a half-space.
    normals: Vec<DVec3>,
}

/// Two bodies that may come near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near<'a> {
    /// Their gap is hardly less `[m]`.
    pub(super) bound: f64,
    /// The smaller id first.
    pub(super) tracks: [&'a Track; 2],
}

impl Near<'_> {
    /// The gap at which they touch `[m]`.
    pub(super) fn touch(&self) -> f64 {
        let [a, b] = self.tracks;
        TOUCH_SHARE * a.solid.radius().min(b.solid.radius())
    }
}

/// The bodies of some pairs that are there at all the times.
pub(super) fn tracks(
    view: &dyn View,
    solids: &mut Solids,
    pairs: &[[BodyId; 2]],
    times: &[f64],
) -> BTreeMap<BodyId, Track> {
    let mut tracks = BTreeMap::new();
    for id in pairs.iter().flatten() {
        if !tracks.contains_key(id)
            && let Some(track) = track(view, solids, *id, times)
        {
            tracks.insert(*id, track);
        }
    }
    tracks
}

/// Those of some pairs that may come within a margin of each other, the nearest first.
pub(super) fn near_pairs<'a>(
    tracks: &'a BTreeMap<BodyId, Track>,
    pairs: &[[BodyId; 2]],
    margin: f64,
) -> Vec<Near<'a>> {
    let near = |pair: &[BodyId; 2]| {
        let tracks = [tracks.get(&pair[0])?, tracks.get(&pair[1])?];
        Some(Near { bound: tracks[0].bound(tracks[1]), tracks })
    };
    let mut found: Vec<Near<'_>> =
        pairs.iter().filter_map(near).filter(|near| near.bound <= margin).collect();
    found.sort_by(|x, y| x.bound.total_cmp(&y.bound));
    found
}

fn track(view: &dyn View, solids: &mut Solids, id: BodyId, times: &[f64]) -> Option<Track> {
    let solid = solids.of(view, id)?;
    let pose_at = |time: &f64| view.pose_at(id, *time).map(|pose| pose_of(&pose));
    let poses: Vec<Pose> = times.iter().map(pose_at).collect::<Option<_>>()?;
    let centers: Vec<DVec3> = poses.iter().map(|pose| solid.center_at(pose).into()).collect();
    let normal = |pose: &Pose| solid.plane_at(pose).map(|(normal, _)| normal.into());
    let normals = poses.iter().filter_map(normal).collect();
    Some(Track { id, solid, poses, centers, normals })
}

impl Track {
    fn is_plane(&self) -> bool {
        !self.normals.is_empty()
    }

    /// How far the bounding balls are apart at one of the times, at least; of a half-space, ball and plane `[m]`.
    pub(super) fn balls_apart(&self, other: &Self, at: usize) -> f64 {
        if self.is_plane() || other.is_plane() {
            return self.height(other, at);
        }
        self.centers[at].distance(other.centers[at]) - self.solid.radius() - other.solid.radius()
    }

    fn height(&self, other: &Self, at: usize) -> f64 {
        let (plane, ball) = if self.is_plane() { (self, other) } else { (other, self) };
        plane.normals[at].dot(ball.centers[at] - plane.centers[at]) - ball.solid.radius()
    }

    /// How far a point of one can move against the other from one time to the next, about `[m]`.
    pub(super) fn travel(&self, other: &Self, from: usize) -> f64 {
        let shift = (self.centers[from + 1] - other.centers[from + 1])
            - (self.centers[from] - other.centers[from]);
        let turned = [self, other].map(|track| {
            let [p, q] = [from, from + 1].map(|at| track.poses[at].quaternion);
            let cosine: f64 = p.iter().zip(q).map(|(x, y)| x * y).sum();
            // Nothing turns a half-space that is not scripted, and then its height is what counts.
            let reach = if track.is_plane() { 0.0 } else { track.solid.radius() };
            2.0 * libm::acos(cosine.abs().min(1.0)) * reach
        });
        shift.length() + turned[0] + turned[1]
    }

    /// A lower bound of the gap over all the times `[m]`.
    fn bound(&self, other: &Self) -> f64 {
        let last = self.centers.len() - 1;
        let mut least = self.balls_apart(other, last);
        for at in 0..last {
            let here = self.centers[at] - other.centers[at];
            let way = self.centers[at + 1] - other.centers[at + 1] - here;
            let apart = if self.is_plane() || other.is_plane() {
                self.height(other, at).min(self.height(other, at + 1))
            } else {
                let share = (-here.dot(way) / way.length_squared()).clamp(0.0, 1.0);
                let nearest = if share.is_nan() { here } else { here + share * way };
                nearest.length() - self.solid.radius() - other.solid.radius()
            };
            least = least.min(apart - CURVE_SHARE * way.length());
        }
        least
    }
}
