//! Waypoints: poses at given times, with rest at each.
//!
//! On a leg from pose 0 to pose 1 with τ = (t − t₀)/T from 0 to 1
//!
//! x = x₀ + s(τ)·(x₁ − x₀),  orientation R(u, s(τ)·φ)·q₀,  s(τ) = 10τ³ − 15τ⁴ + 6τ⁵
//!
//! where R(u, φ) is the shorter turn from q₀ to q₁. The quintic is the one with the least integral of squared
//! jerk between two rests (Flash and Hogan 1985); ṡ and s̈ vanish at both ends, so that the motion is twice
//! continuously differentiable.
//!
//! A spline through the poses would pass them without resting, but leaves the straight way between them by
//! amounts that grow with uneven times, and its turns have no fixed axis. On these legs the path is the segment
//! that was drawn, boxes are those of its ends, and all ranges of derivatives are exact:
//! ṡ = 30τ²(1−τ)²/T, s̈ = 60τ(1−τ)(1−2τ)/T², s⃛ = 60(1−6τ+6τ²)/T³.

use std::sync::Arc;

use carom_geometry::Pose;
use glam::{DQuat, DVec3};

use super::angle::Angle;
use super::course::{Course, Hinge, Turn};
use super::range::Range;
use super::{LawError, LawSpec, given, given_pose};
use crate::Span;
use crate::tolerances::{LAW_ROUNDING_ULPS, LEG_ROUNDING_ULPS, MOST_ROUNDS, SHORTEST_LEG_ULPS};

/// A pose `world_from_body` at a time `[s]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// When `[s]`.
    pub time: f64,
    /// Where.
    pub pose: Pose,
}

/// A body that goes from pose to pose and rests for an instant at each; the same pose twice is a pause.
#[derive(Clone, Debug, PartialEq)]
pub struct Waypoints {
    points: Arc<[Waypoint]>,
    /// Time of a round, for a closed way.
    period: Option<f64>,
    pub(super) spec: Arc<LawSpec>,
}

impl Waypoints {
    /// Stays at the first pose before its time and at the last one after.
    ///
    /// # Errors
    /// If there are no waypoints, a number is not finite or absurdly large, a quaternion is not unit, or
    /// times do not increase by clearly more than rounding.
    pub fn new(points: &[Waypoint]) -> Result<Self, LawError> {
        Self::checked(points, None)
    }

    /// Starts at the time of the first pose and goes round with this period `[s]`; the last leg leads back
    /// to the first pose. Rests there after 2³⁰ rounds.
    ///
    /// # Errors
    /// As for [`Self::new`], or if the period leaves no time for the last leg.
    pub fn closed(points: &[Waypoint], period: f64) -> Result<Self, LawError> {
        given("period", period)?;
        Self::checked(points, Some(period))
    }

    fn checked(points: &[Waypoint], period: Option<f64>) -> Result<Self, LawError> {
        let mut checked: Vec<Waypoint> = Vec::with_capacity(points.len());
        for Waypoint { time, pose } in points {
            given("time of a waypoint", *time)?;
            let mut pose = given_pose("pose of a waypoint", *pose)?;
            // Signs are chosen so that the quaternion is continuous along the way.
            if checked.last().is_some_and(|last| last.pose.rotation.dot(pose.rotation) < 0.0) {
                pose.rotation = -pose.rotation;
            }
            checked.push(Waypoint { time: *time, pose });
        }
        let (Some(first), Some(last)) = (checked.first(), checked.last()) else {
            return Err(LawError::NoWaypoints);
        };
        let latest = period.map_or(0.0, |period| period * MOST_ROUNDS)
            + first.time.abs().max(last.time.abs());
        let shortest = SHORTEST_LEG_ULPS * f64::EPSILON * latest;
        for (index, pair) in checked.windows(2).enumerate() {
            let (earlier, later) = (pair[0].time, pair[1].time);
            if later - earlier <= shortest {
                return Err(LawError::LegTooShort { leg: index + 1, earlier, later, shortest });
            }
        }
        if let Some(period) = period {
            let taken = last.time - first.time;
            if period - taken <= shortest {
                return Err(LawError::Period { period, taken });
            }
        }
        let spec = Arc::new(LawSpec::Waypoints { points: points.to_vec(), period });
        Ok(Self { points: checked.into(), period, spec })
    }

    /// True when the orientation changes.
    pub fn rotates(&self) -> bool {
        let first = self.points[0].pose.rotation;
        self.points.iter().any(|point| turn_between(first, point.pose.rotation).1 != 0.0)
    }

    /// The leg, or the rest, that a time belongs to; a waypoint's time belongs to what begins there.
    pub(super) fn leg_at(&self, time: f64) -> Leg {
        let (first, last) = (&self.points[0], &self.points[self.points.len() - 1]);
        if time < first.time {
            return Leg::rest(first.pose, Span::new(f64::NEG_INFINITY, first.time));
        }
        let Some(period) = self.period else {
            if time >= last.time {
                return Leg::rest(last.pose, Span::from(last.time));
            }
            return self.leg_in_round(time, 0.0, last.time);
        };
        // Each round's times are rounded sums; the quotient may be off by one round near its ends.
        let round_start = |round: f64| first.time + round * period;
        let mut round = ((time - first.time) / period).floor().clamp(0.0, MOST_ROUNDS);
        if time < round_start(round) {
            round -= 1.0;
        } else if time >= round_start(round + 1.0) {
            round += 1.0;
        }
        if round >= MOST_ROUNDS {
            return Leg::rest(first.pose, Span::from(round_start(MOST_ROUNDS)));
        }
        self.leg_in_round(time, round * period, round_start(round + 1.0))
    }

    fn leg_in_round(&self, time: f64, offset: f64, round_end: f64) -> Leg {
        let begun = self.points.partition_point(|point| point.time + offset <= time);
        let from = &self.points[begun.max(1) - 1];
        let (to, end) = match self.points.get(begun) {
            Some(to) => (to, to.time + offset),
            None => (&self.points[0], round_end),
        };
        Leg::between(from.pose, to.pose, Span::new(from.time + offset, end))
    }
}

/// A piece of the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    /// From one waypoint to the next.
    pub(super) span: Span,
    hinge: Hinge,
    step: DVec3,
    angle: f64,
}

impl Leg {
    fn rest(pose: Pose, span: Span) -> Self {
        Self::between(pose, pose, span)
    }

    fn between(from: Pose, to: Pose, span: Span) -> Self {
        let (axis, angle) = turn_between(from.rotation, to.rotation);
        let hinge =
            Hinge { origin: from.translation, axis, arm: DVec3::ZERO, orientation: from.rotation };
        Self { span, hinge, step: to.translation - from.translation, angle }
    }

    fn duration(&self) -> f64 {
        self.span.length()
    }

    fn rests(&self) -> bool {
        self.step == DVec3::ZERO && self.angle == 0.0
    }

    /// s, ṡ and s̈.
    fn progress(&self, time: f64) -> [f64; 3] {
        if self.rests() {
            return [0.0; 3];
        }
        let t = self.duration();
        // The end is approached from the end, so that it is met as exactly as the start.
        let done = ((time - self.span.start) / t).clamp(0.0, 1.0);
        let left = ((self.span.end - time) / t).clamp(0.0, 1.0);
        let risen = |x: f64| x * x * x * (10.0 + x * (6.0 * x - 15.0));
        let s = if done <= left { risen(done) } else { 1.0 - risen(left) };
        [s, 30.0 * done * done * left * left / t, 60.0 * done * left * (left - done) / (t * t)]
    }

    fn progress_range(&self, order: usize, window: Span) -> Range {
        if self.rests() {
            return Range::ZERO;
        }
        let t = self.duration();
        let share = |time: f64| ((time - self.span.start) / t).clamp(0.0, 1.0);
        let (from, to) = (share(window.start), share(window.end));
        // Where the next derivative vanishes, and the derivative itself.
        let crest = 3.0_f64.sqrt() / 6.0;
        let (crests, scale): (&[f64], f64) = match order {
            0 => (&[], 1.0),
            1 => (&[0.5], t),
            2 => (&[0.5 - crest, 0.5 + crest], t * t),
            _ => (&[0.5], t * t * t),
        };
        let value = |x: f64| match order {
            0 => x * x * x * (10.0 + x * (6.0 * x - 15.0)),
            1 => 30.0 * x * x * (1.0 - x) * (1.0 - x),
            2 => 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x),
            _ => 60.0 * (1.0 - 6.0 * x * (1.0 - x)),
        };
        let mut range = Range::between(value(from), value(to));
        for crest in crests.iter().filter(|crest| from < **crest && **crest < to) {
            range = range.with(value(*crest));
        }
        range.widened(LEG_ROUNDING_ULPS * f64::EPSILON * range.size().max(1.0)).scaled(1.0 / scale)
    }
}

impl Course for Leg {
    fn hinge(&self) -> Hinge {
        self.hinge
    }

    fn shift(&self, time: f64) -> [DVec3; 3] {
        self.progress(time).map(|progress| progress * self.step)
    }

    fn turn(&self, time: f64) -> Turn {
        let [s, rate, acceleration] = self.progress(time).map(|progress| progress * self.angle);
        Turn { angle: Angle::plain(s), rate, acceleration }
    }

    fn shift_range(&self, order: usize, window: Span, direction: DVec3) -> Range {
        self.progress_range(order, window).scaled(direction.dot(self.step))
    }

    fn turn_range(&self, order: usize, window: Span) -> Range {
        let range = self.progress_range(order, window).scaled(self.angle);
        if order > 0 {
            return range;
        }
        let start = self.progress(window.start)[0] * self.angle;
        range.plus(Range::point(-start)).with(0.0)
    }

    fn rounding(&self, _window: Span) -> (f64, f64) {
        let ulps = LAW_ROUNDING_ULPS * f64::EPSILON;
        (ulps * (self.hinge.origin.length() + self.step.length()), ulps * self.angle)
    }
}

/// Axis and angle from 0 to π of the shorter turn from one orientation to another.
fn turn_between(from: DQuat, to: DQuat) -> (DVec3, f64) {
    if from == to || from == -to {
        return (DVec3::Z, 0.0);
    }
    let turn = to * from.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = DVec3::new(turn.x, turn.y, turn.z);
    let Some(direction) = axis.try_normalize() else { return (DVec3::Z, 0.0) };
    (direction, 2.0 * libm::atan2(axis.length(), turn.w))
}
