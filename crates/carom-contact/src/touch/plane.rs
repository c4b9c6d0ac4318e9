//! A ball in flight touches a plane that stands still at a time in closed form.
//!
//! The height g of the ball above the plane is a quadratic of time with the constant acceleration a = n·g⃗. With h its excess
//! over what is aimed at and h₀, ḣ₀ at the beginning, h falls through zero at
//!
//! τ = 2h₀/(√D − ḣ₀) if it falls now, (ḣ₀ + √D)/(−a) if it rises first,   D = ḣ₀² − 2ah₀,
//!
//! where no digits are lost except in D of a grazing pass, or of a flight that hardly leaves what is aimed at. There
//! D = −2ah(τ*) with the turning time τ* = −ḣ₀/a, and the height is evaluated *there*. The last digits of the time are settled
//! by evaluating the height itself. A parting is the same for what h lacks.

use carom_dynamics::Motion;
use carom_geometry::distance::Feature;
use carom_geometry::shapes::HalfSpace;
use glam::DVec3;

use super::closed::Centered;
use super::resolution::Resolution;
use super::{Beginning, Outcome, Rigid, Touch};
use crate::tolerances::{MOST_CORRECTIONS, TOUCH_ULPS};

/// A ball in flight above a plane that stands still.
pub(super) struct BallAbovePlane<'a> {
    ball: Centered<'a>,
    /// The half-space, at the origin of its frame.
    ground: Centered<'a>,
    /// A point of the world from which the plane is `offset` along the normal `[m]`.
    origin: DVec3,
    /// Unit vector out of the half-space.
    normal: DVec3,
    offset: f64,
    /// Of the height `[m/s²]`.
    acceleration: f64,
    /// True when A is the half-space.
    plane_first: bool,
}

/// The height of the ball above the plane and its rate.
#[derive(Clone, Copy, Debug)]
struct Height {
    gap: f64,
    rate: f64,
}

impl<'a> BallAbovePlane<'a> {
    /// The two bodies, if the first is a ball in flight and the second stands still.
    pub(super) fn of(
        ball: &Rigid<'a>,
        ground: &Rigid<'a>,
        plane: &HalfSpace,
        plane_first: bool,
    ) -> Option<Self> {
        let Motion::Fixed(world_from_frame) = ground.motion else { return None };
        let Motion::Ballistic(arc) = ball.motion else { return None };
        let centered = Centered::of(ball)?;
        let piece = ground.pieces.single()?;
        let place =
            world_from_frame.then_from(&ground.frame_from_shape).then_from(&piece.shape_from_piece);
        let normal = place.vector(plane.normal());
        Some(Self {
            ball: centered,
            ground: Centered { motion: ground.motion, radius: 0.0, size: ground.size },
            origin: place.translation,
            normal,
            offset: plane.offset(),
            acceleration: normal.dot(arc.gravity()),
            plane_first,
        })
    }

    /// Of the ball `[m]`.
    pub(super) fn size(&self) -> f64 {
        self.ball.size
    }

    fn height(&self, time: f64) -> Height {
        let (position, velocity) = self.ball.motion.place_at(time);
        // The difference of positions first: it is exact where they are near.
        let gap = self.normal.dot(position - self.origin) - self.offset - self.ball.radius;
        Height { gap, rate: self.normal.dot(velocity) }
    }

    fn resolution(&self, time: f64) -> Resolution {
        Resolution::of(&self.ball.standing(time), &self.ground.standing(time), time)
    }

    /// The first touch from a time on.
    pub(super) fn first_touch(&self, beginning: &Beginning, end: f64) -> Outcome {
        let from = beginning.time;
        let mut now = self.height(from);
        let (_, velocity) = self.ball.motion.place_at(from);
        now.rate = beginning.rate(now.rate, velocity.length());
        let closes = beginning.closes(now.rate);
        if now.gap > 0.0 && !closes && self.acceleration >= 0.0 {
            return Outcome::Never;
        }
        let Resolution { touch: resolution, .. } = self.resolution(from);
        if now.gap < -resolution {
            return Outcome::Overlap(from);
        }
        if now.gap <= resolution && closes {
            return Outcome::Touch(self.touch(from));
        }
        let aim = self.aim(from, now, resolution);
        let Some(after) = self.fall(from, now, aim, 1.0) else { return Outcome::Never };
        let time = from + after;
        if time > end {
            return Outcome::Never;
        }
        // One that began as good as in contact, and never gets out of it, is let sink.
        let time = if aim > 0.0 { self.corrected(time, from) } else { time.max(from.next_up()) };
        if time > end { Outcome::Never } else { Outcome::Touch(self.touch(time)) }
    }

    /// When a ball that reaches into the plane comes out, and can be told to be.
    pub(super) fn parting(&self, from: f64, end: f64) -> Outcome {
        let Resolution { touch: resolution, apart } = self.resolution(from);
        let now = self.height(from);
        if now.gap > resolution || now.gap >= apart && now.rate > 0.0 {
            return Outcome::Later(from);
        }
        let Some(after) = self.fall(from, now, 0.75 * resolution, -1.0) else {
            return Outcome::Never;
        };
        let mut time = from + after;
        for _ in 0..MOST_CORRECTIONS {
            let Height { gap, rate } = self.height(time);
            if gap >= apart {
                break;
            }
            let step = (0.75 * resolution - gap) / rate.max(f64::MIN_POSITIVE);
            time = (time + step).max(time.next_up());
        }
        if time > end { Outcome::Never } else { Outcome::Later(time) }
    }

    /// What height to look for: half the touch distance, or half of what the flight rises to when that is less. One that is put
    /// in place as good as in contact is let sink by as much as its place is uncertain.
    fn aim(&self, from: f64, now: Height, resolution: f64) -> f64 {
        if now.rate < 0.0 || now.gap > resolution {
            return 0.5 * resolution;
        }
        let (position, _) = self.ball.motion.place_at(from);
        let places = position.length() + self.origin.length() + self.offset.abs();
        let rounding = TOUCH_ULPS * f64::EPSILON * (places + self.ball.radius);
        let top = now.gap - 0.5 * now.rate * now.rate / self.acceleration;
        if top > 2.0 * rounding { 0.5 * top.min(resolution) } else { top - rounding }
    }

    /// How long after a time the height falls through `aim`; with `sign` −1, rises through it.
    fn fall(&self, from: f64, now: Height, aim: f64, sign: f64) -> Option<f64> {
        let excess = |gap: f64| sign * (gap - aim);
        let (start, rate, bend) = (excess(now.gap), sign * now.rate, sign * self.acceleration);
        if rate >= 0.0 && bend >= 0.0 {
            return None;
        }
        let turn = -rate / bend;
        let steady = (2.0 * bend * start).abs() <= 0.5 * rate * rate;
        let square = if steady || turn < 0.0 || !turn.is_finite() {
            rate * rate - 2.0 * bend * start
        } else {
            let Height { gap, rate: left } = self.height(from + turn);
            // Rounding of that time leaves a rate, which belongs to time, not to the height.
            -2.0 * bend * (excess(gap) - 0.5 * sign * left * left / self.acceleration)
        };
        if square < 0.0 {
            // It passes above, or is below throughout and begins to fall when it turns.
            return (bend < 0.0).then(|| turn.max(0.0));
        }
        let root = square.sqrt();
        Some(if rate < 0.0 { 2.0 * start / (root - rate) } else { (rate + root) / -bend }.max(0.0))
    }

    /// A time near the given one at which the height is within the touch distance, and the ball still falls.
    fn corrected(&self, time: f64, from: f64) -> f64 {
        let Resolution { touch: resolution, .. } = self.resolution(time);
        let mut time = time;
        for _ in 0..MOST_CORRECTIONS {
            let Height { gap, rate } = self.height(time);
            if gap > 0.0 && gap <= resolution || time <= from {
                break;
            }
            // Near where it turns, the speed of a fall through the touch distance.
            let pace = (-rate).max((resolution * self.acceleration.abs()).sqrt());
            let turn = -rate / self.acceleration;
            let farthest = if self.acceleration > 0.0 { turn } else { f64::INFINITY };
            let step = ((gap - 0.5 * resolution) / pace.max(f64::MIN_POSITIVE)).min(farthest);
            let next = if gap > 0.0 { time + step } else { (time + step).min(time.next_down()) };
            if next == time {
                break;
            }
            time = next.max(from);
        }
        time
    }

    fn touch(&self, time: f64) -> Touch {
        let Height { gap, rate } = self.height(time);
        let (center, _) = self.ball.motion.place_at(time);
        Touch {
            time,
            point: center - (self.ball.radius + 0.5 * gap) * self.normal,
            normal: if self.plane_first { -self.normal } else { self.normal },
            distance: gap,
            speed: rate,
            features: [Feature::Face(0); 2],
        }
    }
}
