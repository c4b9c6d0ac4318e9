//! The impulse regime: every contact is a collision (thesis chapter 3).
//!
//! Collisions are worked one after the other, never grouped: of the pairs of an instant in the order of their bodies, of the
//! points of a pair in the order of its manifold. That order is part of the model: one ball that hits two at the same
//! instant hits the one with the smaller id first.
//!
//! Points of a pair that close at one instant along one normal first collide once, at their centre weighted by closing
//! speed, and then in order, as far as they still close. Velocity is affine in the point, so the weighted centre closes,
//! and for a cube that lands flat it is the middle of its face: the cube bounces straight back, where corner by corner it
//! would leave with a spin that nobody gave it. The impulse at the centre is told as if its points had shared it by their
//! weights; its effect on the bodies is that of the whole.

use carom_contact::collision::{self, impulse_to};
use glam::{DMat3, DVec3};

use super::effects::{Effects, Spot, Trouble};
use super::micro::{Approach, Manner};
use super::{Answers, Microcollisions, Regime, Touch, TouchPoint, Touches, wedge};
use crate::contacts::{Pace, Share};
use crate::event::{Collision, CollisionKind, Contact};
use crate::tolerances::{ENOUGH_OF_A_REBOUND, PART_REVERSED, SAME_NORMAL, WEDGED_SHARE};

/// Collisions, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impulse;

impl Answers for Impulse {
    fn round(&self, touches: &Touches, effects: &mut Effects<'_>) {
        if wedge::stop_at_once(touches, effects) {
            return;
        }
        for touch in touches.all.iter().filter(|touch| touch.regime == Regime::Impulse) {
            let points = &touches.points[touch.indices()];
            answer(touch, points, effects);
        }
    }
}

/// Answers one pair: its points together, then one by one.
pub(super) fn answer(touch: &Touch, points: &[TouchPoint], effects: &mut Effects<'_>) {
    let closes = |point: &TouchPoint| speed_at(touch, point, effects).1 > 0.0;
    let touch = &Touch { due: touch.due && !points.iter().any(closes), ..*touch };
    if touch.due {
        effects.note_hop(touch.bodies);
    }
    if points.len() > 1 {
        for (index, point) in points.iter().enumerate() {
            let known = |it: &TouchPoint| same_normal(it, point);
            if !points[..index].iter().any(known) {
                together(touch, points, point, effects);
            }
        }
    }
    for point in points {
        let spot = Spot { bodies: touch.bodies, point: point.point, normal: point.normal };
        effects.shares.clear();
        if let Some(share) = closing(touch, point, effects) {
            effects.shares.push(Share { weight: 1.0, ..share });
            collide(touch, &spot, effects);
        }
    }
}

/// One collision of all points of one normal that close, if there are several.
fn together(touch: &Touch, points: &[TouchPoint], like: &TouchPoint, effects: &mut Effects<'_>) {
    effects.shares.clear();
    for point in points.iter().filter(|point| same_normal(point, like)) {
        if let Some(share) = closing(touch, point, effects) {
            effects.shares.push(share);
        }
    }
    if effects.shares.len() < 2 {
        return;
    }
    let total: f64 = effects.shares.iter().map(|share| share.weight).sum();
    let mut center = DVec3::ZERO;
    for share in &mut effects.shares {
        share.weight /= total;
        center += share.weight * share.point.point;
    }
    collide(touch, &Spot { bodies: touch.bodies, point: center, normal: like.normal }, effects);
}

/// A point that closes, weighted by its speed. Where a touch that something has to come of does not close, its points part
/// slowly, and count alike.
fn closing(touch: &Touch, point: &TouchPoint, effects: &Effects<'_>) -> Option<Share> {
    let (before, speed) = speed_at(touch, point, effects);
    let spot = Spot { bodies: touch.bodies, point: point.point, normal: point.normal };
    let enough = || {
        // What has just been given this speed has it to rounding.
        ENOUGH_OF_A_REBOUND * manner(touch, &spot, point, 0.0, effects).least_rebound
    };
    let weight = if speed > effects.patience(touch.bodies).tolerated() {
        speed
    } else if touch.due && -speed < enough() {
        1.0
    } else {
        return None;
    };
    Some(Share { point: *point, weight, before, after: before })
}

/// Relative velocity at a point, and how fast it closes `[m/s]`.
pub(super) fn speed_at(touch: &Touch, point: &TouchPoint, effects: &Effects<'_>) -> (DVec3, f64) {
    let spot = Spot { bodies: touch.bodies, point: point.point, normal: point.normal };
    let velocity = effects.relative_velocity(&spot);
    (velocity, -velocity.dot(point.normal))
}

fn same_normal(a: &TouchPoint, b: &TouchPoint) -> bool {
    1.0 - a.normal.dot(b.normal) < SAME_NORMAL
}

/// How a collision is to be answered, at a spot near a point of the touch.
fn manner(
    touch: &Touch,
    spot: &Spot,
    near: &TouchPoint,
    speed: f64,
    effects: &Effects<'_>,
) -> Manner {
    let now = effects.now();
    let last = effects.record(spot.bodies).map_or(f64::NEG_INFINITY, |it| it.last_before(now));
    let driven = effects.driven(spot);
    let patience = effects.patience(spot.bodies);
    let approach = Approach {
        speed,
        surface: effects.surface(spot.bodies),
        envelope: effects.world.envelope_of(spot.bodies),
        gravity: effects.world.model.gravity.length(),
        driven,
        pressing: effects.pressing(spot, near, driven),
        gap: near.gap,
        since_last: now - last,
        since_others: now - effects.last_with_others(spot.bodies),
        is_late: patience.is_thin(),
    };
    let mut manner = approach.manner(effects.world.model.contact.microcollisions);
    let hop = if touch.due { effects.least_hop(spot) } else { 0.0 };
    let parting = hop.max(patience.parting());
    manner.least_rebound = manner.least_rebound.max(parting);
    manner.least_reversed = manner.least_reversed.max(parting);
    if patience.is_over() {
        return Manner { micro: false, restitution: 0.0, least_rebound: 0.0, ..manner };
    }
    manner
}

/// Axes of a collision: two tangents and the normal, as columns.
fn axes(normal: DVec3) -> DMat3 {
    let (x, y) = normal.any_orthonormal_pair();
    DMat3::from_cols(x, y, normal)
}

/// What a collision gives, in its own axes.
struct Given {
    impulse: DVec3,
    normal_work: f64,
    friction_work: f64,
    boost: f64,
    /// True when the points close as they did, and no impulse changes that.
    jammed: bool,
}

impl Given {
    /// Of points that closed at this speed `[m/s]`: what friction wedges where a linkage gives way along a line only has stopped, but
    /// for rounding, and is not jammed.
    fn of(answer: &collision::Answer, closing: f64) -> Self {
        let wedged = WEDGED_SHARE * closing.max(0.0);
        Self {
            impulse: answer.impulse,
            normal_work: answer.normal_work,
            friction_work: answer.friction_work,
            boost: answer.boost,
            jammed: answer.ending == collision::Ending::Jammed && answer.velocity.z < -wedged,
        }
    }
}

impl Given {
    /// Lifts a point that friction has wedged: where a linkage gives way along a line that leads the point into the cone of
    /// friction, friction holds it whatever presses, and the collision ends without a rebound. Lest it is found again at the same
    /// instant, it leaves as fast as it must, by a normal impulse, through which friction does nothing.
    fn lift(&mut self, matrix: &DMat3, speed: f64, least: f64) {
        let lift = (least - speed) / matrix.z_axis.z;
        if lift > 0.0 && lift.is_finite() {
            let work = 0.5 * lift * (speed + least);
            self.impulse.z += lift;
            self.normal_work += work;
            self.boost += work;
        }
    }
}

/// One collision at a spot, told as that of the points in `effects.shares`.
fn collide(touch: &Touch, spot: &Spot, effects: &mut Effects<'_>) {
    let world_from_collision = axes(spot.normal);
    let collision_from_world = world_from_collision.transpose();
    let before = effects.relative_velocity(spot);
    let velocity = collision_from_world * before;
    let matrix = effects.response(spot, &world_from_collision);
    effects.feel(spot);
    let Some(first) = effects.shares.first().map(|share| share.point) else { return };
    let manner = manner(touch, spot, &first, (-velocity.z).max(0.0), effects);
    let given = given(&matrix, velocity, &manner, spot, effects);
    let impulse = world_from_collision * given.impulse;
    let driven_work = effects.driven_work(spot, impulse);
    effects.strike(spot, impulse);
    let after = effects.relative_velocity(spot);
    let off = effects.world.model.contact.microcollisions == Microcollisions::Off;
    if off && effects.driven(spot) > 0.0 && after.dot(spot.normal) < effects.least_hop(spot) {
        effects.trouble = effects.trouble.or(Some((spot.bodies, Trouble::Stalled)));
    }
    if given.jammed {
        effects.trouble = effects.trouble.or(Some((spot.bodies, Trouble::Jammed)));
    }
    for index in 0..effects.shares.len() {
        let at = Spot { point: effects.shares[index].point.point, ..*spot };
        effects.shares[index].after = effects.relative_velocity(&at);
    }
    let total = Collision {
        contact: Contact {
            bodies: touch.bodies,
            point: spot.point,
            normal: spot.normal,
            distance: first.gap,
            speed: velocity.z,
            features: first.features,
            pieces: first.pieces,
        },
        kind: if manner.micro { CollisionKind::Micro } else { CollisionKind::Ordinary },
        share: 1.0,
        before,
        after,
        impulse,
        normal_work: given.normal_work,
        friction_work: given.friction_work,
        boost: given.boost,
        driven_work,
    };
    let settles = manner.settles_after.map(|after| effects.now() + after);
    let in_pieces = effects.world.in_pieces(spot.bodies);
    let envelope = effects.world.envelope_of(spot.bodies);
    let (train, disturbs, brought) = (manner.train, manner.disturbs, effects.brought(spot.bodies));
    effects.report(&total, &Pace { train, envelope, in_pieces, disturbs, settles, brought });
}

/// Tells of a collision at one point by an impulse along its normal that was found elsewhere, with its work and that of driven
/// bodies `[J]`.
pub(super) fn tell(
    spot: &Spot,
    share: &Share,
    impulse: DVec3,
    [normal_work, driven_work]: [f64; 2],
    effects: &mut Effects<'_>,
) {
    let TouchPoint { point, normal, gap, features, pieces } = share.point;
    let (bodies, speed) = (spot.bodies, share.before.dot(normal));
    let total = Collision {
        contact: Contact { bodies, point, normal, distance: gap, speed, features, pieces },
        kind: CollisionKind::Ordinary,
        share: 1.0,
        before: share.before,
        after: share.after,
        impulse,
        normal_work,
        friction_work: 0.0,
        boost: normal_work.max(0.0),
        driven_work,
    };
    effects.shares.clear();
    effects.shares.push(*share);
    let (envelope, in_pieces) =
        (effects.world.envelope_of(bodies), effects.world.in_pieces(bodies));
    let brought = effects.brought(bodies);
    let pace = Pace { train: 0.0, envelope, in_pieces, disturbs: true, settles: None, brought };
    effects.report(&total, &pace);
}

/// A microcollision that reverses the velocity, if friction allows: without gain, or with the boost of a rebound at v_μ,
/// which presses harder and lets friction do more; and if not, one that turns a part of the sliding back.
///
/// What is held by friction slides off between two collisions and is stopped by the next. Turned back a little, it creeps
/// less; turned back by much, bodies that rest on level ground go on sliding to and fro. What looks the same to all tangents, such
/// as a ball, is not held, it rolls; and where there is no friction, only the normal velocity can be reversed.
fn reversed(
    ordinary: &collision::Collision,
    manner: &Manner,
    spot: &Spot,
    effects: &Effects<'_>,
) -> Option<Given> {
    let collision::Collision { matrix, velocity: u, friction, .. } = ordinary;
    let slowest = (-u.z).max(manner.least_reversed);
    if (ordinary.is_round() || *friction == 0.0) && !manner.by_the_letter {
        let rolling = rolled(ordinary, slowest, spot, effects);
        return Some(rolling.unwrap_or_else(|| {
            let perfect =
                collision::Collision { restitution: 1.0, least_rebound: slowest, ..*ordinary };
            let answer = perfect.solve();
            Given { boost: answer.normal_work, ..Given::of(&answer, -u.z) }
        }));
    }
    let boosted = manner.least_rebound.max(slowest);
    let ways = [(1.0, slowest), (1.0, boosted), (PART_REVERSED, boosted)];
    for (share, leaving) in ways.into_iter().take(if manner.by_the_letter { 1 } else { 3 }) {
        let target = DVec3::new(-share * u.x, -share * u.y, leaving);
        let Some(impulse) = impulse_to(matrix, *u, target, *friction) else { continue };
        let normal_work = 0.5 * impulse.z * (u.z + leaving);
        let rubbing = 0.5 * (1.0 - share) * u.truncate().dot(impulse.truncate());
        if rubbing <= 0.0 {
            return Some(Given {
                impulse,
                normal_work,
                friction_work: rubbing,
                boost: normal_work,
                jammed: false,
            });
        }
    }
    None
}

/// A microcollision after which a body rolls: in the mean over the flight to come, its surface does not slip, if friction
/// allows.
///
/// In flight the slip u_t changes at a rate a that the other surface, gravity and the turning of the bodies give: on a
/// turntable, on a slope. A collision that stopped the slip would leave it a mean of ½·a·T over a flight of length T = 2u_z/a_z;
/// one that reversed it would have none, but keep what slip there was before for ever. Leaving with −½·a·T has none either,
/// and forgets the past at once. Friction does no work then but that of slowing down: |u_t| never grows.
fn rolled(
    ordinary: &collision::Collision,
    leaving: f64,
    spot: &Spot,
    effects: &Effects<'_>,
) -> Option<Given> {
    let collision::Collision { matrix, velocity: u, friction, .. } = ordinary;
    let near = effects.shares.first()?.point;
    let pressing = effects.pressing(spot, &near, effects.driven(spot));
    let flight = if pressing > 0.0 { 2.0 * leaving / pressing } else { 0.0 };
    let rate = axes(spot.normal).transpose() * effects.slip_acceleration(spot, &near);
    let (slip, ideal) = (u.truncate(), -0.5 * flight * rate.truncate());
    let left = ideal.clamp_length_max(slip.length());
    let impulse = impulse_to(matrix, *u, left.extend(leaving), *friction)?;
    let normal_work = 0.5 * impulse.z * (u.z + leaving);
    let friction_work = (0.5 * impulse.truncate().dot(slip + left)).min(0.0);
    Some(Given { impulse, normal_work, friction_work, boost: normal_work, jammed: false })
}

/// A microcollision is reversed where friction allows; any other collision is integrated.
fn given(
    matrix: &DMat3,
    velocity: DVec3,
    manner: &Manner,
    spot: &Spot,
    effects: &Effects<'_>,
) -> Given {
    let surface = effects.surface(spot.bodies);
    let ordinary = collision::Collision {
        matrix: *matrix,
        velocity,
        friction: surface.friction,
        restitution: manner.restitution,
        law: surface.law,
        least_rebound: manner.least_rebound,
    };
    if manner.micro
        && let Some(given) = reversed(&ordinary, manner, spot, effects)
    {
        return given;
    }
    let answer = ordinary.solve();
    let boost = if manner.by_the_letter {
        let lawful = collision::Collision { restitution: surface.restitution, ..ordinary }.solve();
        answer.normal_work - lawful.normal_work
    } else {
        answer.boost
    };
    let mut given = Given { boost, ..Given::of(&answer, -velocity.z) };
    if answer.ending == collision::Ending::Jammed && !given.jammed {
        given.lift(matrix, answer.velocity.z, manner.least_rebound);
    }
    given
}
