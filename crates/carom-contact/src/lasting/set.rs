//! All contact points of two bodies, and refreshing them while they move.
//!
//! Pairs of pieces within reach of the least gap of all are looked at one by one: caps that lie flat (`flat`), else the manifold along
//! the ground's normal or the measured one, each of its points frozen (`freeze`). The order is that of pieces, features and slots,
//! which says the same whatever came before. Pieces that share a corner or an edge, such as the facets of a mesh, find one point
//! several times; points at one place with one normal are kept once, the first in that order.

use carom_geometry::Pose;
use carom_geometry::distance::pieces::{PiecesCache, closest_pieces, for_each_near};
use carom_geometry::distance::{Closest, Manifold, ManifoldPoint, Warm, manifold};
use glam::DVec3;

use super::flat::push_flat;
use super::freeze::Freeze;
use super::pair::{Ground, PiecePair};
use super::{ContactPoint, Followed, Moving, Solid};
use crate::tolerances::{SAME_NORMAL, SAME_PLACE};

/// All contact points of two bodies whose gaps exceed the least one by no more than `reach` `[m]`, in an order that always is the
/// same; `out` is cleared first. Returns the least gap, none for bodies without a finite one.
pub fn contact_points(
    solids: [&Solid<'_>; 2],
    world_from: [&Pose; 2],
    reach: f64,
    out: &mut Vec<ContactPoint>,
) -> Option<f64> {
    out.clear();
    let [a, b] = solids;
    let origin = world_from[0].translation;
    let placed = world_from.map(|it| Pose::new(it.translation - origin, it.rotation));
    let shapes = [0, 1].map(|i| placed[i].then_from(&solids[i].frame_from_shape));
    let a_from_b = shapes[0].inverse().then_from(&shapes[1]);
    let found = closest_pieces(a.pieces, b.pieces, &a_from_b, &mut PiecesCache::default());
    let least = found.closest.distance;
    if !least.is_finite() {
        return None;
    }
    let moving = world_from.map(|pose| Moving::at_rest(*pose));
    let of_pair = Manifold::default();
    let mut collect = Collect { solids, moving, widest: least + reach, of_pair };
    for_each_near([a.pieces, b.pieces], &a_from_b, least + reach, |pieces| {
        if let Some(pair) = PiecePair::new(solids, placed, pieces, reach) {
            collect.push_points(&pair, out);
        }
        least + reach
    });
    out.sort_by_key(ContactPoint::identity);
    keep_one_of_each(solids, world_from, out);
    Some(least)
}

/// Finds the contact points again and keeps those that are known and still hold: with the same identity as a new one they stay as they
/// were frozen, and so do those whose room is above minus the hysteresis `[m]` and whose gap is within reach, unless a new one with
/// as good a normal stands at their place.
pub fn refresh_points(
    solids: [&Solid<'_>; 2],
    world_from: [&Pose; 2],
    reach: f64,
    hysteresis: f64,
    points: &mut Vec<ContactPoint>,
) -> Option<f64> {
    let known = std::mem::take(points);
    let least = contact_points(solids, world_from, reach, points)?;
    let moving = world_from.map(|pose| Moving::at_rest(*pose));
    let follow =
        |point: &ContactPoint| point.follow(solids, [&moving[0], &moving[1]], &mut Warm::Cold);
    let holds = |it: &Followed| it.room > -hysteresis && it.gap <= least + reach;
    let fresh: Vec<Option<Followed>> = points.iter().map(follow).collect();
    let mut kept: Vec<(ContactPoint, Followed)> = Vec::new();
    for point in &known {
        if let Some(here) = follow(point).filter(holds) {
            kept.push((*point, here));
        }
    }
    let near = hysteresis.max(SAME_PLACE * size_of(solids));
    let is_known = |point: &ContactPoint, here: &Option<Followed>| {
        kept.iter().any(|(old, there)| {
            old.identity() == point.identity()
                || here.is_some_and(|here| is_same(&here, there, near))
        })
    };
    let mut index = 0;
    points.retain(|point| {
        index += 1;
        !is_known(point, &fresh[index - 1])
    });
    points.extend(kept.iter().map(|(point, _)| *point));
    points.sort_by_key(ContactPoint::identity);
    points.dedup_by_key(|point| point.identity());
    Some(least)
}

/// Looks at pairs of pieces one by one.
struct Collect<'a> {
    solids: [&'a Solid<'a>; 2],
    moving: [Moving; 2],
    /// Gaps up to this count `[m]`.
    widest: f64,
    of_pair: Manifold,
}

impl Collect<'_> {
    /// Appends the contact points of two pieces.
    fn push_points(&mut self, pair: &PiecePair<'_>, out: &mut Vec<ContactPoint>) {
        let found = pair.closest();
        if found.distance > self.widest || !found.distance.is_finite() {
            return;
        }
        let measured = pair.placement(0).vector(found.normal);
        for i in [0, 1] {
            if let Some(cap) = pair.flat_cap(i, &found, measured) {
                let first = out.len();
                push_flat(pair, &cap, out);
                if out.len() > first {
                    return;
                }
            }
        }
        let first = out.len();
        let ground = pair.ground(&found);
        if let Some(ground) = &ground {
            self.push_manifold(pair, Some(ground), &pair.over(ground), out);
            // Faces in one plane that meet in a corner or an edge only have nothing over each other.
            if out[first..].iter().any(|point| self.holds(point, pair.reach)) {
                return;
            }
            out.truncate(first);
        }
        self.push_manifold(pair, ground.as_ref(), &found, out);
    }

    fn holds(&self, point: &ContactPoint, reach: f64) -> bool {
        let here = point.follow(self.solids, [&self.moving[0], &self.moving[1]], &mut Warm::Cold);
        here.is_some_and(|it| it.room >= -reach)
    }

    /// Appends what is within reach along the normal of the nearest points.
    fn push_manifold(
        &mut self,
        pair: &PiecePair<'_>,
        ground: Option<&Ground>,
        nearest: &Closest,
        out: &mut Vec<ContactPoint>,
    ) {
        let normal = pair.placement(0).vector(nearest.normal);
        let (a, b) = (pair.convexes[0], pair.convexes[1]);
        let reach = self.widest - nearest.distance;
        manifold(a, b, &pair.a_from_b(), nearest, reach, &mut self.of_pair);
        let Closest { point_a, point_b, distance: gap, features, .. } = *nearest;
        let alone = [ManifoldPoint { point_a, point_b, gap, features }];
        let found = self.of_pair.points();
        // A single point is better known by what is nearest than by the patches around it.
        let near = SAME_PLACE * size_of(self.solids);
        let is_alone = found.iter().all(|it| it.point_a.distance(point_a) <= near);
        let points = if is_alone { &alone } else { found };
        let freeze =
            |point: &ManifoldPoint| Freeze::new(pair, ground, normal, point, is_alone).freeze();
        out.extend(points.iter().map(freeze));
    }
}

fn size_of(solids: [&Solid<'_>; 2]) -> f64 {
    let size = solids[0].size.min(solids[1].size);
    if size.is_finite() { size } else { 1.0 }
}

fn is_same(one: &Followed, other: &Followed, near: f64) -> bool {
    let middle = |it: &Followed| -> DVec3 { 0.5 * (it.points[0] + it.points[1]) };
    middle(one).distance(middle(other)) <= near && one.normal.distance(other.normal) <= SAME_NORMAL
}

/// Drops what says the same as an earlier point.
fn keep_one_of_each(
    solids: [&Solid<'_>; 2],
    world_from: [&Pose; 2],
    points: &mut Vec<ContactPoint>,
) {
    points.dedup_by_key(|point| point.identity());
    let moving = world_from.map(|pose| Moving::at_rest(*pose));
    let near = SAME_PLACE * size_of(solids);
    let mut kept: Vec<Followed> = Vec::with_capacity(points.len());
    points.retain(|point| {
        let here = point.follow(solids, [&moving[0], &moving[1]], &mut Warm::Cold);
        let Some(here) = here else { return false };
        let is_new = !kept.iter().any(|other| is_same(&here, other, near));
        if is_new {
            kept.push(here);
        }
        is_new
    });
}
