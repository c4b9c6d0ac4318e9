//! Scripted motion: the pose of a body frame as an exact function of time (guide GM-2).
//!
//! A scripted body ignores forces and impulses. Its reference point is the origin of its body frame. Each kind
//! of law is one formula or a chain of them; where one formula ends and the next begins, a *piece* ends, and
//! the engine looks again. Answers are right-continuous: at such a time they are those of the later piece.
//!
//! Times and windows handed in start at finite numbers of at most [`LARGEST_GIVEN`] seconds, and directions
//! are unit vectors.

mod angle;
mod constant;
mod course;
mod cycler;
mod oscillator;
mod range;
mod spec;
mod wave;
mod waypoints;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use carom_geometry::tolerances::UNIT_QUATERNION;
use carom_geometry::{Aabb, Pose};
use glam::{DQuat, DVec3};
use thiserror::Error;

pub use constant::Constant;
pub use cycler::Cycler;
pub use oscillator::{Oscillation, Oscillator, Swing};
pub(crate) use range::times;
pub use spec::LawSpec;
pub use waypoints::{Waypoint, Waypoints};

use crate::tolerances::{LARGEST_GIVEN, ORTHOGONAL, SAME_AXIS};
use crate::{BodyState, Kinematics, RateBounds, Reach, Span, Travel};

/// A law of motion.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// Steady drift and spin.
    Constant(Constant),
    /// Round an ellipse without turning.
    Cycler(Cycler),
    /// Sums of sinusoids.
    Oscillator(Oscillator),
    /// From pose to pose.
    Waypoints(Waypoints),
}

impl From<Constant> for Law {
    fn from(law: Constant) -> Self {
        Self::Constant(law)
    }
}

impl From<Cycler> for Law {
    fn from(law: Cycler) -> Self {
        Self::Cycler(law)
    }
}

impl From<Oscillator> for Law {
    fn from(law: Oscillator) -> Self {
        Self::Oscillator(law)
    }
}

impl From<Waypoints> for Law {
    fn from(law: Waypoints) -> Self {
        Self::Waypoints(law)
    }
}

/// Calls a function of the course that a law follows at a time.
macro_rules! with_course {
    ($law:expr, $time:expr, |$course:ident| $answer:expr) => {
        match $law {
            Law::Constant($course) => $answer,
            Law::Cycler($course) => $answer,
            Law::Oscillator($course) => $answer,
            Law::Waypoints(waypoints) => {
                let $course = &waypoints.leg_at($time);
                $answer
            }
        }
    };
}

impl Law {
    /// Where the body is and how it moves.
    pub fn state_at(&self, time: f64) -> BodyState {
        with_course!(self, time, |course| course::state_at(course, time))
    }

    /// The state with its rates.
    pub fn kinematics_at(&self, time: f64) -> Kinematics {
        with_course!(self, time, |course| course::kinematics_at(course, time))
    }

    /// The times around this one for which the law is one smooth formula; at a waypoint, those after it.
    pub fn piece(&self, time: f64) -> Span {
        match self {
            Self::Waypoints(waypoints) => waypoints.leg_at(time).span,
            _ => Span::new(f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// Bounds on rates, for that part of the window that lies in the piece of its start.
    pub fn rate_bounds(&self, window: Span) -> RateBounds {
        let window = self.clipped(window);
        with_course!(self, window.start, |course| course::rate_bounds(course, window))
    }

    /// A box that the reference point stays in, for that part of the window that lies in the piece of its
    /// start; rounding of [`Self::state_at`] included.
    pub fn path_box(&self, window: Span) -> Aabb {
        let window = self.clipped(window);
        with_course!(self, window.start, |course| course::path_box(course, window))
    }

    /// True when the orientation changes.
    pub fn rotates(&self) -> bool {
        match self {
            Self::Constant(law) => law.rotates(),
            Self::Cycler(_) => false,
            Self::Oscillator(law) => law.rotates(),
            Self::Waypoints(law) => law.rotates(),
        }
    }

    /// How far points get along a direction from the start of the window: of all known bounds the one that is
    /// least at the end of the window, or of the piece if that comes first.
    pub fn travel(&self, window: Span, direction: DVec3, reach: Reach) -> Travel {
        let end = |travel: &Travel| travel.after(travel.valid_until - window.start);
        let [linear, others @ ..] = self.travels(window, direction, reach);
        others
            .into_iter()
            .fold(linear, |best, next| if end(&next) < end(&best) { next } else { best })
    }

    /// As [`Self::travel`], but the bound that takes longest to cover `distance` `[m]`; where none covers it
    /// in time, the one that is least at the end.
    pub fn travel_towards(
        &self,
        window: Span,
        direction: DVec3,
        reach: Reach,
        distance: f64,
    ) -> Travel {
        let least = self.travel(window, direction, reach);
        if least.after(least.valid_until - window.start) < distance {
            return least;
        }
        let [linear, others @ ..] = self.travels(window, direction, reach);
        others.into_iter().fold(linear, |best, next| {
            if time_to_cover(&next, distance) > time_to_cover(&best, distance) {
                next
            } else {
                best
            }
        })
    }

    /// Bounds on travel by the largest velocity, by the largest acceleration, and by the largest jerk.
    pub fn travels(&self, window: Span, direction: DVec3, reach: Reach) -> [Travel; 3] {
        let window = self.clipped(window);
        with_course!(self, window.start, |course| {
            course::travels(course, window, direction, reach)
        })
    }

    fn clipped(&self, window: Span) -> Span {
        Span::new(window.start, window.end.min(self.piece(window.start).end))
    }
}

/// The first time τ at which A·τ² + B·τ + C reaches the distance; infinite if it never does (guide TOI-2).
fn time_to_cover(travel: &Travel, distance: f64) -> f64 {
    let Travel { a, b, c, .. } = *travel;
    let d = distance - c;
    if d <= 0.0 {
        return 0.0;
    }
    if a == 0.0 {
        return if b > 0.0 { d / b } else { f64::INFINITY };
    }
    let discriminant = b * b + 4.0 * a * d;
    if discriminant < 0.0 || (a < 0.0 && b <= 0.0) {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    if b < 0.0 { (root - b) / (2.0 * a) } else { 2.0 * d / (b + root) }
}

/// Why a law of motion is refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LawError {
    /// A number is NaN, infinite or absurd.
    #[error("the {what} is {value}, but must be a finite number of size up to {LARGEST_GIVEN:e}")]
    Number {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A quaternion is not a rotation.
    #[error("the quaternion of the {what} has length {length}, but must have length 1")]
    NotUnit {
        /// Whose orientation.
        what: &'static str,
        /// Its length.
        length: f64,
    },
    /// Semi-axes of a cycler's ellipse.
    #[error(
        "the semi-axes of the cycler are not orthogonal: the cosine of their angle is {cosine:e}, and at most \
         {ORTHOGONAL:e} counts as rounding; give half the principal diameters of the ellipse"
    )]
    NotOrthogonal {
        /// Cosine of the angle between them.
        cosine: f64,
    },
    /// An axis of length zero.
    #[error("the axis of oscillation {} is zero and has no direction", .term + 1)]
    NoDirection {
        /// Index of the term.
        term: usize,
    },
    /// Rotations about different axes.
    #[error(
        "oscillations {} and {} turn about different axes (apart by more than {SAME_AXIS:e} in direction or \
         place): such rotations do not commute, so their sum has no meaning; put one of the bodies on a joint, \
         or give both terms one axis", .first + 1, .term + 1
    )]
    DifferentAxes {
        /// Index of the first term that turns.
        first: usize,
        /// Index of the term that turns about another axis.
        term: usize,
    },
    /// An empty list.
    #[error("the list of waypoints is empty; give at least one pose with its time")]
    NoWaypoints,
    /// Times that do not increase.
    #[error(
        "waypoint {leg} is at {earlier} s and the next one at {later} s: times must increase, by more than \
         {shortest:e} s here, where they round to about a hundredth of that"
    )]
    LegTooShort {
        /// Number of the leg, from 1.
        leg: usize,
        /// Time of its start `[s]`.
        earlier: f64,
        /// Time of its end `[s]`.
        later: f64,
        /// What it must take at least `[s]`.
        shortest: f64,
    },
    /// A closed way without time to close.
    #[error(
        "the period of the closed way is {period} s, but its waypoints already take {taken} s and the way back \
         to the first must take time, too"
    )]
    Period {
        /// The period `[s]`.
        period: f64,
        /// From the first waypoint to the last `[s]`.
        taken: f64,
    },
}

fn given(what: &'static str, value: f64) -> Result<(), LawError> {
    if value.abs() <= LARGEST_GIVEN { Ok(()) } else { Err(LawError::Number { what, value }) }
}

fn given_vector(what: &'static str, vector: DVec3) -> Result<(), LawError> {
    vector.to_array().into_iter().try_for_each(|value| given(what, value))
}

/// The orientation, unit to rounding.
fn given_orientation(what: &'static str, rotation: DQuat) -> Result<DQuat, LawError> {
    let length = rotation.length();
    if (rotation.length_squared() - 1.0).abs() <= UNIT_QUATERNION {
        Ok(rotation.normalize())
    } else {
        Err(LawError::NotUnit { what, length })
    }
}

fn given_pose(what: &'static str, pose: Pose) -> Result<Pose, LawError> {
    given_vector(what, pose.translation)?;
    Ok(Pose::new(pose.translation, given_orientation(what, pose.rotation)?))
}
