//! What is to be said of a case that was run.

use carom::{BodyId, BodyRef, Contact, World};
use carom_contact::touch::{Rigid, touch_distance};
use carom_geometry::Pose;
use carom_geometry::distance::pieces::Pieces;
use oracles::gap::{self, Gap, Oracle};

use super::Case;
use super::proof::{Doubt, Proof};
use crate::audit::{pose_of, solid_of};

/// What is to be said of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// A touch told at a distance in (0, d_touch] and proven to be the first; or none told, and none there.
    Right,
    /// The two overlap at this time, and nothing was told before `[s]`.
    Missed(f64),
    /// A touch was told, but at this time before it, or at it, the two overlap `[s]`.
    Late(f64),
    /// A touch was told at this time at which the two are farther apart than d_touch `[s]`.
    False(f64),
    /// From this time on the oracle cannot tell `[s]`.
    Undecided(f64),
    /// The run ended with a fault, or could not be judged.
    Failed(String),
}

/// What a touch was found to be at its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// When `[s]`.
    pub time: f64,
    /// Distance that was told `[m]`.
    pub told: f64,
    /// The true distance `[m]`.
    pub gap: Gap,
    /// d_touch `[m]`.
    pub touch_distance: f64,
}

impl Landing {
    /// Of a touch that was told; none if a body is gone or its shape cannot be measured.
    pub fn of(world: &World, time: f64, contact: &Contact) -> Option<Self> {
        let [a, b] = contact.bodies;
        let (solid_a, pose_a) = measurable(world, a, time)?;
        let (solid_b, pose_b) = measurable(world, b, time)?;
        let gap = Oracle::new().gap(&solid_a, &pose_a, &solid_b, &pose_b);
        let touch_distance = resolution(world, time, contact)?;
        Some(Self { time, told: contact.distance, gap, touch_distance })
    }

    /// The true distance as a share of d_touch, rounded up `[-]`.
    pub fn share(&self) -> f64 {
        self.gap.upper / self.touch_distance
    }
}

/// The verdict, what there was to the touch if one was told, and the distances that the proof took.
pub(super) fn judge(case: &Case, told: Option<(f64, Contact)>) -> (Verdict, Option<Landing>, u64) {
    let world = &case.world;
    let Some(mut proof) = Proof::new(world, case.bodies, case.start) else {
        return (Verdict::Failed("a shape that the oracle refuses".into()), None, 0);
    };
    let landing = match told {
        None => None,
        Some((time, contact)) => match Landing::of(world, time, &contact) {
            Some(landing) => Some(landing),
            None => return (Verdict::Failed("a touch of nobody".into()), None, 0),
        },
    };
    let verdict = match &landing {
        Some(landing) => judge_touch(&mut proof, landing),
        None => judge_silence(&mut proof, case),
    };
    (verdict, landing, proof.measured())
}

fn judge_touch(proof: &mut Proof<'_>, landing: &Landing) -> Verdict {
    let Landing { time, gap, touch_distance, .. } = *landing;
    let slack = proof.slack(time);
    if gap.upper < -slack {
        return Verdict::Late(time);
    }
    if gap.lower > touch_distance {
        return Verdict::False(time);
    }
    // What the oracle leaves open must not hide either.
    if gap.width() > 2.0 * slack && (gap.lower < -slack || gap.upper > touch_distance + slack) {
        return Verdict::Undecided(time);
    }
    match proof.apart_until(time) {
        Ok(()) => Verdict::Right,
        Err(Doubt::Overlap(earlier)) => Verdict::Late(earlier),
        Err(Doubt::Open(from)) => Verdict::Undecided(from),
    }
}

fn judge_silence(proof: &mut Proof<'_>, case: &Case) -> Verdict {
    // At the meeting first: there it is known by construction, without a search.
    if gap_at_meeting(case).is_some_and(|gap| gap.upper < -proof.slack(case.meeting)) {
        return Verdict::Missed(case.meeting);
    }
    match proof.apart_until(case.until) {
        Ok(()) => Verdict::Right,
        Err(Doubt::Overlap(time)) => Verdict::Missed(time),
        Err(Doubt::Open(from)) => Verdict::Undecided(from),
    }
}

/// The distance at the meeting, which nothing but the motions decides.
pub(super) fn gap_at_meeting(case: &Case) -> Option<Gap> {
    let [a, b] = [0, 1].map(|i: usize| measurable(&case.world, case.bodies[i], case.meeting));
    let ((solid_a, pose_a), (solid_b, pose_b)) = (a?, b?);
    Some(Oracle::new().gap(&solid_a, &pose_a, &solid_b, &pose_b))
}

fn measurable(world: &World, id: BodyId, time: f64) -> Option<(gap::Body, gap::Pose)> {
    let body = world.body(id)?;
    let solid = gap::Body::new(&solid_of(body.shape())).ok()?;
    Some((solid, pose_of(&body.pose_at(time)?)))
}

/// d_touch of the pieces that touch `[m]`.
fn resolution(world: &World, time: f64, contact: &Contact) -> Option<f64> {
    let bodies = [world.body(contact.bodies[0])?, world.body(contact.bodies[1])?];
    let pieces = [0, 1].map(|i: usize| Pieces::of(bodies[i].shape()));
    let a = rigid(&bodies[0], &pieces[0])?.mover(contact.pieces[0], pieces[0].tree().first()?);
    let b = rigid(&bodies[1], &pieces[1])?.mover(contact.pieces[1], pieces[1].tree().first()?);
    Some(touch_distance(&a, &b, time))
}

fn rigid<'a>(body: &BodyRef<'a>, pieces: &'a Pieces) -> Option<Rigid<'a>> {
    let (motion, frame_from_body) = body.motion()?;
    let frame_from_shape = frame_from_body.then_from(&Pose::from_translation(-body.reference()));
    Some(Rigid { motion, pieces, frame_from_shape, size: 2.0 * pieces.tree().first()?.radius })
}
