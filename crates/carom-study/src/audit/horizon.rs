//! Who may come near whom for some time ahead.
//!
//! Motions hold until an instant says otherwise, so they can be asked ahead of time. A body's box covers a ball around its
//! reference point, in which it turns whichever way, at some times up to the horizon; between them the way is taken to
//! bend by [`CURVE_SHARE`] of its length. All pairs of boxes are swept along x once for a horizon, and again for the bodies
//! that an instant sets on a new way. So a span costs no more than the pairs that are near in it, however many bodies
//! there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom::BodyId;
use carom_geometry::Pose;
use glam::DVec3;
use oracles::gap::Body;

use super::solids::{Solids, pose_of};
use super::tolerances::{CURVE_SHARE, MANY, NEIGHBOURS, TOUCH_SHARE};
use super::view::View;

/// Times at which a way is asked ahead: its beginning, its end, and this many between.
const BETWEEN: u32 = 7;

/// Where a body may be up to the horizon.
#[derive(Clone, Debug)]
struct Swept {
    solid: Arc<Body>,
    free: bool,
    low: DVec3,
    high: DVec3,
    /// Where its reference point begins.
    start: DVec3,
    /// How far it reaches from there; infinite for a half-space.
    radius: f64,
}

/// Pairs that may come near until some time.
#[derive(Clone, Debug, Default)]
pub(super) struct Horizon {
    /// Up to when it holds `[s]`.
    pub(super) end: f64,
    /// Gaps up to this are seen `[m]`.
    pub(super) margin: f64,
    /// The distance at which the largest bodies touch `[m]`.
    pub(super) touch: f64,
    bodies: BTreeMap<BodyId, Swept>,
    /// The smaller id first, in order.
    pub(super) pairs: Vec<[BodyId; 2]>,
}

impl Horizon {
    /// Looks ahead from a time to another. The margin is the least gap known, if any.
    pub(super) fn new(
        view: &dyn View,
        solids: &mut Solids,
        times: [f64; 2],
        least: Option<f64>,
    ) -> Self {
        let mut bodies = BTreeMap::new();
        for id in view.bodies() {
            if let Some(swept) = swept(view, solids, id, times) {
                bodies.insert(id, swept);
            }
        }
        let radii = bodies.values().map(|it| it.radius).filter(|radius| radius.is_finite());
        let touch = TOUCH_SHARE * radii.fold(0.0, f64::max);
        let margin = least.unwrap_or_else(|| first_margin(view, &bodies)).max(touch);
        let mut horizon = Self { end: times[1], margin, touch, bodies, pairs: Vec::new() };
        horizon.sweep();
        horizon
    }

    /// Bodies are on new ways from a time on, or gone.
    pub(super) fn renew(
        &mut self,
        view: &dyn View,
        solids: &mut Solids,
        changed: &[BodyId],
        time: f64,
    ) {
        if changed.is_empty() {
            return;
        }
        self.pairs.retain(|pair| !pair.iter().any(|id| changed.contains(id)));
        for &id in changed {
            self.bodies.remove(&id);
            let Some(swept) = swept(view, solids, id, [time, self.end]) else { continue };
            for (&other, its) in &self.bodies {
                if swept.may_meet(its, self.margin) {
                    self.pairs.push([id.min(other), id.max(other)]);
                }
            }
            self.bodies.insert(id, swept);
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    /// All pairs of boxes that come within the margin of each other.
    fn sweep(&mut self) {
        let mut order: Vec<(BodyId, &Swept)> =
            self.bodies.iter().map(|(id, it)| (*id, it)).collect();
        order.sort_by(|a, b| a.1.low.x.total_cmp(&b.1.low.x).then(a.0.cmp(&b.0)));
        let mut pairs = Vec::new();
        for (place, (id, swept)) in order.iter().enumerate() {
            let end = swept.high.x + self.margin;
            for (other, its) in order[place + 1..].iter().take_while(|(_, its)| its.low.x <= end) {
                if swept.may_meet(its, self.margin) {
                    pairs.push([*id.min(other), *id.max(other)]);
                }
            }
        }
        pairs.sort_unstable();
        self.pairs = pairs;
    }
}

fn swept(view: &dyn View, solids: &mut Solids, id: BodyId, [from, to]: [f64; 2]) -> Option<Swept> {
    let solid = solids.of(view, id)?;
    let reference = view.reference(id);
    let radius = reference.distance(solid.center().into()) + solid.radius();
    let at = |step: u32| {
        view.pose_at(id, from + (to - from) * (f64::from(step) / f64::from(BETWEEN + 1)))
    };
    // A law that goes over into its next piece before the horizon will be told of then.
    let poses: Vec<Pose> = (0..=BETWEEN + 1).map_while(at).collect();
    let points: Vec<DVec3> = poses.iter().map(|pose| pose.point(reference)).collect();
    let start = *points.first()?;
    let way: f64 = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
    let room = radius + CURVE_SHARE * way;
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min) - room;
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max) + room;
    let mut swept = Swept { solid, free: view.is_free(id), low, high, start, radius };
    swept.cut_at_plane(&poses);
    Some(swept)
}

impl Swept {
    /// A half-space whose plane stays perpendicular to an axis has a box with one end.
    fn cut_at_plane(&mut self, poses: &[Pose]) {
        let plane = |pose: &Pose| self.solid.plane_at(&pose_of(pose));
        let planes: Vec<([f64; 3], f64)> = poses.iter().filter_map(plane).collect();
        let highest = planes.iter().map(|(_, offset)| *offset).fold(f64::NEG_INFINITY, f64::max);
        let all = |along: DVec3| {
            !planes.is_empty() && planes.iter().all(|(normal, _)| DVec3::from(*normal) == along)
        };
        for (axis, along) in DVec3::AXES.into_iter().enumerate() {
            if all(along) {
                self.high[axis] = highest;
            } else if all(-along) {
                self.low[axis] = -highest;
            }
        }
    }

    fn may_meet(&self, other: &Self, margin: f64) -> bool {
        (self.free || other.free)
            && (self.low - margin).cmple(other.high).all()
            && (other.low - margin).cmple(self.high).all()
    }
}

/// A first idea of the least gap: not less than it, if any neighbours may meet `[m]`.
fn first_margin(view: &dyn View, bodies: &BTreeMap<BodyId, Swept>) -> f64 {
    let mut order: Vec<(BodyId, &Swept)> = bodies.iter().map(|(id, swept)| (*id, swept)).collect();
    order.sort_by(|a, b| a.1.low.x.total_cmp(&b.1.low.x).then(a.0.cmp(&b.0)));
    let mut margin = f64::INFINITY;
    for (place, (id, swept)) in order.iter().enumerate() {
        for (other, its) in order.iter().skip(place + 1).take(NEIGHBOURS) {
            let at_most = swept.start.distance(its.start) + swept.radius + its.radius;
            if at_most < margin && view.meets(*id, *other) && !view.is_inside(*id, *other) {
                margin = at_most;
            }
        }
    }
    // Where no neighbours can meet, hardly anybody can; all pairs of many bodies are too many to list.
    if margin.is_infinite() && bodies.len() > MANY { 0.0 } else { margin }
}
