//! The first touch of two moving convex solids, proven.
//!
//! The search is one-sided (M 2.2): a sequence of times, each proven to come before any touch, that converges to the
//! first one. At each of them the distance is measured once; its closest features say along which moving directions the
//! solids are certainly apart, and how long is worked out from support points alone (`certificate`). While bounding balls
//! are apart, only their centres are followed (`reach`).
//!
//! A search is a pure function of the two motions' present segments. It begins at the later of their starts, and no step
//! sees for how long the answer matters to whoever asks: [`Search::advance`] stops once it has passed that time, and goes
//! on from there when asked again, with the same bits as if it had never stopped.
//!
//! **Touch** means a distance in (0, d_touch] while the solids close. Half of d_touch is aimed at, or half of the gap when
//! that is already less, so rounding never takes the last step into overlap. Solids that are put in place within d_touch
//! of each other touch unless they part; and those that part so slowly, or for so short a time, that they cannot be told to
//! be apart before they close again.

mod above;
mod apart;
mod balls;
mod certificate;
mod clip;
mod closed;
mod corners;
mod curving;
mod front;
mod legs;
mod parting;
mod plane;
mod reach;
mod resolution;
mod ride;
mod rider;
#[cfg(test)]
mod tests;
pub mod thesis;

use carom_dynamics::{Motion, Span};
use carom_geometry::Pose;
use carom_geometry::distance::{Closest, Convex, Feature, Warm, closest};
use glam::DVec3;

use crate::tolerances::{BLURRED, MET_ULPS, NEAR_IN_BLUR, NEAR_SHARE};
pub use apart::Aside;
use certificate::Placed;
pub use curving::{Curving, Place, gap_acceleration, normal_rate};
pub use front::{PairOutcome, PairSearch, Rigid, Spares};
use legs::{Approach, Measured};
pub use parting::Parting;
use reach::{RidingBall, balls_apart_until};
pub use resolution::{
    overlap_allowance, share_of_touch, share_of_touch_by, touch_distance, touch_distance_of,
};

/// A convex solid that rides on a motion.
#[derive(Clone, Copy, Debug)]
pub struct Mover<'a> {
    /// What moves the frame.
    pub motion: &'a Motion,
    /// The solid.
    pub convex: &'a Convex,
    /// Its placement in the frame; the frame's origin is the reference point that the motion moves.
    pub frame_from_convex: Pose,
    /// Largest distance of its points from the reference point, infinite if unbounded `[m]`.
    pub reach: f64,
    /// Centre of a ball around it, in the axes of the frame `[m]`.
    pub center: DVec3,
    /// Radius of that ball, infinite if unbounded `[m]`.
    pub radius: f64,
    /// Size of the body it belongs to, infinite if unbounded `[m]`.
    pub size: f64,
}

impl<'a> Mover<'a> {
    fn placed(&self) -> Placed<'a> {
        Placed { convex: self.convex, frame_from_convex: self.frame_from_convex, reach: self.reach }
    }

    fn ball(&self) -> RidingBall<'a> {
        RidingBall { motion: self.motion, center: self.center, radius: self.radius }
    }

    /// Placement of the solid in the world.
    fn pose_at(&self, time: f64) -> Pose {
        self.motion.state_at(time).pose().then_from(&self.frame_from_convex)
    }
}

/// Two solids that touch, at one time, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// When `[s]`.
    pub time: f64,
    /// Halfway between the closest points `[m]`.
    pub point: DVec3,
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// Distance, in (0, d_touch] unless they began closer `[m]`.
    pub distance: f64,
    /// Rate of the distance, negative while they close `[m/s]`.
    pub speed: f64,
    /// The features of A and B that are closest.
    pub features: [Feature; 2],
}

/// What a search has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// They touch then, and not before.
    Touch(Touch),
    /// No touch before this time, and nothing is known of later times yet `[s]`.
    Later(f64),
    /// No touch as long as both motions last.
    Never,
    /// No step could be proven from this time on, although the distance is more than twice d_touch: a defect `[s]`.
    Stuck(f64),
    /// They overlap at this time: the search began inside `[s]`.
    Overlap(f64),
    /// They are near each other at this time, but their places have too few digits to tell how near `[s]`.
    Blurred(f64),
}

/// When a search begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beginning {
    /// Normally the later of the two motions' starts `[s]`.
    pub time: f64,
    /// True when the two were told to touch or to have parted then: that is over, and not to be told again.
    pub met: bool,
}

impl Beginning {
    /// The rate of a gap at the beginning, given how fast the two move. Of two that have met, a rate that is only rounding is
    /// none: they were brought to rest against each other, and would be found touching without end.
    fn rate(&self, rate: f64, speeds: f64) -> f64 {
        if self.met && rate.abs() <= MET_ULPS * f64::EPSILON * speeds { 0.0 } else { rate }
    }

    /// Whether two that are within touch distance at the beginning close.
    fn closes(&self, rate: f64) -> bool {
        rate < 0.0 || rate == 0.0 && !self.met
    }
}

impl From<f64> for Beginning {
    /// Of two that have not met then.
    fn from(time: f64) -> Self {
        Self { time, met: false }
    }
}

/// The search for one pair, as far as it has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    beginning: Beginning,
    /// No touch before this time `[s]`.
    at: f64,
    /// What proves that, if there is more to it.
    approach: Option<Approach>,
    warm: Warm,
    /// Full distance queries so far.
    pub queries: u32,
    /// Legs of certificates so far, for those who count.
    pub legs: u32,
    /// What settled the last step.
    pub last_step: Step,
}

/// By what the last step of a search was proven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// No step yet.
    #[default]
    None,
    /// Bounding balls are apart.
    Balls,
    /// A direction that rides on a feature of A, or of B, or on both.
    Features,
    /// A direction that stands still on A or B.
    Still,
    /// Closed form.
    Exact,
}

impl Search {
    /// A search that begins at a time.
    pub fn from(beginning: impl Into<Beginning>) -> Self {
        let beginning = beginning.into();
        Self::resumed(beginning, beginning.time)
    }

    /// A search of two that are known not to touch before a time.
    fn resumed(beginning: Beginning, at: f64) -> Self {
        Self {
            beginning,
            at,
            approach: None,
            warm: Warm::Cold,
            queries: 0,
            legs: 0,
            last_step: Step::None,
        }
    }

    /// No touch before this time `[s]`.
    pub const fn cleared(&self) -> f64 {
        self.at
    }

    /// Goes on until a touch is found, or the motions end at `end`, or the search has passed `pause`.
    pub fn advance(&mut self, a: &Mover<'_>, b: &Mover<'_>, end: f64, pause: f64) -> Outcome {
        loop {
            if self.at >= end {
                return Outcome::Never;
            }
            if self.at > pause {
                return Outcome::Later(self.at);
            }
            if self.approach.is_some() {
                if let Err(outcome) = self.pursue(a, b, end, pause) {
                    return outcome;
                }
                continue;
            }
            let near = NEAR_SHARE * (a.radius + b.radius);
            let rest = Span::new(self.at, end);
            if let Some(next) = balls_apart_until(&a.ball(), &b.ball(), near, rest) {
                self.last_step = Step::Balls;
                self.at = next;
            } else if let Err(outcome) = self.look(a, b, end) {
                return outcome;
            }
        }
    }

    /// Measures the distance once, for directions to start from.
    fn look(&mut self, a: &Mover<'_>, b: &Mover<'_>, end: f64) -> Result<(), Outcome> {
        let at = self.at;
        let nearest = self.measure(a, b);
        let resolution = touch_distance(a, b, at);
        let is_near = nearest.distance < NEAR_IN_BLUR * resolution;
        if is_near && resolution > BLURRED * a.size.min(b.size) {
            return Err(Outcome::Blurred(at));
        }
        if nearest.distance < -resolution {
            return Err(Outcome::Overlap(at));
        }
        let touch = self.touch(a, b, at, &nearest);
        let is_start = at == self.beginning.time;
        let closes = touch.speed < 0.0 || is_start && self.beginning.closes(touch.speed);
        let is_close = nearest.distance <= resolution;
        if is_close && closes {
            return Err(Outcome::Touch(touch));
        }
        let parting = (is_start && is_close).then_some(touch.speed);
        let leaving = if is_close { touch.speed } else { f64::INFINITY };
        let distance = nearest.distance;
        let measured = Measured { at, distance, resolution, parting, leaving, rate: touch.speed };
        self.approach = Some(Approach::new(a, b, measured, &nearest, end));
        Ok(())
    }

    /// Steps as far as can be proven from the last distance, or past `pause`.
    fn pursue(
        &mut self,
        a: &Mover<'_>,
        b: &Mover<'_>,
        end: f64,
        pause: f64,
    ) -> Result<(), Outcome> {
        let Some(approach) = &mut self.approach else { return Ok(()) };
        let is_over = approach.advance(a, b, end, pause, &mut self.legs);
        self.last_step = approach.step();
        self.at = approach.cleared();
        if !is_over {
            return Ok(());
        }
        let Measured { at, distance, resolution, .. } = *approach.measured();
        self.approach = None;
        if self.at > at {
            return Ok(());
        }
        match self.warm {
            Warm::Last(nearest) if distance <= 2.0 * resolution => {
                Err(Outcome::Touch(self.touch(a, b, at, &nearest)))
            }
            _ => Err(Outcome::Stuck(at)),
        }
    }

    /// The closest features as a touch.
    fn touch(&self, a: &Mover<'_>, b: &Mover<'_>, at: f64, nearest: &Closest) -> Touch {
        let mut touch = touch_of(a, b, at, nearest);
        if at == self.beginning.time {
            touch.speed = self.beginning.rate(touch.speed, speeds(a, b, at));
        }
        touch
    }

    fn measure(&mut self, a: &Mover<'_>, b: &Mover<'_>) -> Closest {
        self.queries += 1;
        let (state_a, state_b) = (a.motion.state_at(self.at), b.motion.state_at(self.at));
        // The difference of positions first: it is exact where the bodies are near.
        let back = state_a.orientation.conjugate();
        let frames =
            Pose::new(back * (state_b.position - state_a.position), back * state_b.orientation);
        let a_from_b =
            a.frame_from_convex.inverse().then_from(&frames).then_from(&b.frame_from_convex);
        closest(a.convex, b.convex, &a_from_b, &mut self.warm)
    }
}

/// How fast points of the two move at most, and how fast their places change `[m/s]`.
fn speeds(a: &Mover<'_>, b: &Mover<'_>, time: f64) -> f64 {
    let speed = |it: &Mover<'_>| {
        let state = it.motion.state_at(time);
        let reach = it.reach.min(it.size) + state.position.length();
        state.velocity.length() + state.angular_velocity.length() * reach
    };
    speed(a) + speed(b)
}

/// The closest features as a touch, in the world.
fn touch_of(a: &Mover<'_>, b: &Mover<'_>, time: f64, nearest: &Closest) -> Touch {
    let world_from_a = a.pose_at(time);
    let [point_a, point_b] = [nearest.point_a, nearest.point_b].map(|p| world_from_a.point(p));
    let normal = world_from_a.vector(nearest.normal);
    let velocity_a = a.motion.state_at(time).velocity_at(point_a);
    let velocity_b = b.motion.state_at(time).velocity_at(point_b);
    Touch {
        time,
        point: 0.5 * (point_a + point_b),
        normal,
        distance: nearest.distance,
        speed: normal.dot(velocity_a - velocity_b),
        features: nearest.features,
    }
}
