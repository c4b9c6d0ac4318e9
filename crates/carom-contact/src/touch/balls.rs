//! Two balls that move uniformly against each other touch at a time in closed form.
//!
//! The textbook quadratic loses the digits of a grazing touch far ahead. Instead the time of closest approach is found
//! first, positions are evaluated *there*, and with the least distance b of the centres and their relative speed v the
//! touch comes √((R − b)(R + b))/v earlier, R the sum of the radii and half the touch distance. The last digits are
//! settled by evaluating the gap itself.

use carom_dynamics::Motion;
use carom_geometry::distance::Feature;
use glam::DVec3;

use super::closed::Centered;
use super::resolution::Resolution;
use super::{Beginning, Outcome, Rigid, Touch};
use crate::tolerances::{LONGEST, MOST_CORRECTIONS};

/// Two balls in uniform relative motion.
pub(super) struct Balls<'a> {
    a: Centered<'a>,
    b: Centered<'a>,
    radii: f64,
}

/// The way of two balls past each other.
struct Passing {
    /// Of least distance of the centres `[s]`.
    time: f64,
    /// Least distance of the centres `[m]`.
    least: f64,
    /// Relative speed `[m/s]`.
    speed: f64,
}

impl<'a> Balls<'a> {
    /// The two bodies, if they are balls in uniform relative motion.
    pub(super) fn of(a: &Rigid<'a>, b: &Rigid<'a>) -> Option<Self> {
        let (a, b) = (Centered::of(a)?, Centered::of(b)?);
        let radii = a.radius + b.radius;
        uniform(a.motion, b.motion).then_some(Self { a, b, radii })
    }

    /// From the centre of B to that of A, and its rate.
    fn offset(&self, time: f64) -> (DVec3, DVec3) {
        let (a, b) = (self.a.motion.place_at(time), self.b.motion.place_at(time));
        (a.0 - b.0, a.1 - b.1)
    }

    /// Of the smaller one `[m]`.
    pub(super) fn size(&self) -> f64 {
        self.a.size.min(self.b.size)
    }

    fn gap(&self, time: f64) -> f64 {
        self.offset(time).0.length() - self.radii
    }

    fn resolution(&self, time: f64) -> Resolution {
        Resolution::of(&self.a.standing(time), &self.b.standing(time), time)
    }

    /// The first touch from a time on.
    pub(super) fn first_touch(&self, beginning: &Beginning, end: f64) -> Outcome {
        let from = beginning.time;
        let (offset, velocity) = self.offset(from);
        let gap = offset.length() - self.radii;
        let speeds = self.speeds(from) * offset.length();
        let rate = beginning.rate(offset.dot(velocity), speeds);
        let closing = beginning.closes(rate);
        if gap > 0.0 && !closing {
            return Outcome::Never;
        }
        let Resolution { touch: resolution, .. } = self.resolution(from);
        if gap < -resolution {
            return Outcome::Overlap(from);
        }
        if gap <= resolution && closing {
            return Outcome::Touch(self.touch(from));
        }
        // Two that hardly move against each other would meet at a time that has no digits.
        if rate >= 0.0 || gap > LONGEST * velocity.length() {
            return Outcome::Never;
        }
        match self.passing(from) {
            Some(passing) => self.search(&passing, from, end),
            None => Outcome::Never,
        }
    }

    /// How fast the two move `[m/s]`.
    fn speeds(&self, time: f64) -> f64 {
        [&self.a, &self.b].iter().map(|ball| ball.motion.place_at(time).1.length()).sum()
    }

    /// When two balls that overlap come apart, and can be told to be, after they were nearest.
    pub(super) fn parting(&self, from: f64, end: f64) -> Outcome {
        let Resolution { touch: resolution, apart } = self.resolution(from);
        let (offset, velocity) = self.offset(from);
        let gap = offset.length() - self.radii;
        if gap > resolution || gap >= apart && offset.dot(velocity) > 0.0 {
            return Outcome::Later(from);
        }
        let Some(passing) = self.passing(from) else { return Outcome::Never };
        let aim = self.radii + 0.75 * resolution;
        let way = ((aim - passing.least).max(0.0) * (aim + passing.least)).sqrt();
        let mut time = (passing.time + way / passing.speed).max(from);
        for _ in 0..MOST_CORRECTIONS {
            let gap = self.gap(time);
            if gap >= apart {
                break;
            }
            let step = (0.75 * resolution - gap) / passing.speed;
            time = (time + step).max(time.next_up());
        }
        if time > end { Outcome::Never } else { Outcome::Later(time) }
    }

    /// None if they keep their distance.
    fn passing(&self, from: f64) -> Option<Passing> {
        let (offset, velocity) = self.offset(from);
        let time = from - offset.dot(velocity) / velocity.length_squared();
        if !time.is_finite() {
            return None;
        }
        let (offset, velocity) = self.offset(time);
        // Rounding of that time leaves a part along the velocity, which belongs to time, not to the distance.
        let late = offset.dot(velocity) / velocity.length_squared();
        let least = (offset - late * velocity).length();
        Some(Passing { time: time - late, least, speed: velocity.length() })
    }

    /// The touch before the time of closest approach.
    fn search(&self, passing: &Passing, from: f64, end: f64) -> Outcome {
        let deepest = (self.radii - passing.least).max(0.0) * (self.radii + passing.least);
        let about = (passing.time - deepest.sqrt() / passing.speed).max(from);
        let Resolution { touch: resolution, .. } = self.resolution(about.min(end));
        let aim = self.radii + 0.5 * resolution;
        if passing.least >= aim {
            return Outcome::Never;
        }
        let way = ((aim - passing.least) * (aim + passing.least)).sqrt();
        let mut time = (passing.time - way / passing.speed).max(from);
        for _ in 0..MOST_CORRECTIONS {
            let (offset, velocity) = self.offset(time);
            let gap = offset.length() - self.radii;
            if gap > 0.0 && gap <= resolution || time <= from && gap > -resolution {
                break;
            }
            let rate = -offset.dot(velocity) / offset.length();
            let step = (gap - 0.5 * resolution) / rate.max(f64::MIN_POSITIVE);
            let next = if gap > 0.0 {
                (time + step).min(passing.time)
            } else {
                (time + step).min(time.next_down())
            };
            if next == time {
                break;
            }
            time = next.max(from);
        }
        if time > end { Outcome::Never } else { Outcome::Touch(self.touch(time)) }
    }

    fn touch(&self, time: f64) -> Touch {
        let (offset, velocity) = self.offset(time);
        let length = offset.length();
        let normal = if length > 0.0 { offset / length } else { DVec3::Z };
        let distance = length - self.radii;
        let (center_b, _) = self.b.motion.place_at(time);
        Touch {
            time,
            point: center_b + (self.b.radius + 0.5 * distance) * normal,
            normal,
            distance,
            speed: normal.dot(velocity),
            features: [Feature::Face(0); 2],
        }
    }
}

/// True when the difference of the two positions is linear in time.
fn uniform(a: &Motion, b: &Motion) -> bool {
    match (a, b) {
        (Motion::Ballistic(a), Motion::Ballistic(b)) => a.gravity() == b.gravity(),
        (Motion::Ballistic(arc), Motion::Fixed(_)) | (Motion::Fixed(_), Motion::Ballistic(arc)) => {
            arc.gravity() == DVec3::ZERO
        }
        _ => false,
    }
}
