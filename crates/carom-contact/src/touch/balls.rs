//! Two balls that move uniformly against each other touch at a time in closed form.
//!
//! The textbook quadratic loses the digits of a grazing touch far ahead. Instead the time of closest approach is found
//! first, positions are evaluated *there*, and with the least distance b of the centres and their relative speed v the
//! touch comes √((R − b)(R + b))/v earlier, R the sum of the radii and half the touch distance. The last digits are
//! settled by evaluating the gap itself.

use carom_dynamics::Motion;
use carom_geometry::distance::{Convex, Feature};
use glam::DVec3;

use super::{Mover, Outcome, Touch, touch_distance};

/// Most corrections of the last digits.
const MOST_CORRECTIONS: usize = 40;

/// The first touch from a time on, if this is a pair of balls in uniform relative motion.
pub(super) fn first_touch(a: &Mover<'_>, b: &Mover<'_>, from: f64, end: f64) -> Option<Outcome> {
    let (Convex::Ball(ball_a), Convex::Ball(ball_b)) = (a.convex, b.convex) else { return None };
    let centered = |mover: &Mover<'_>| mover.frame_from_convex.translation == DVec3::ZERO;
    if !(centered(a) && centered(b) && uniform(a.motion, b.motion)) {
        return None;
    }
    let pair = Balls { a, b, radii: ball_a.radius() + ball_b.radius() };
    Some(pair.first_touch(from, end))
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

struct Balls<'a> {
    a: &'a Mover<'a>,
    b: &'a Mover<'a>,
    radii: f64,
}

impl Balls<'_> {
    /// From the centre of B to that of A, and its rate.
    fn offset(&self, time: f64) -> (DVec3, DVec3) {
        let (a, b) = (self.a.motion.state_at(time), self.b.motion.state_at(time));
        (a.position - b.position, a.velocity - b.velocity)
    }

    fn gap(&self, time: f64) -> f64 {
        self.offset(time).0.length() - self.radii
    }

    fn first_touch(&self, from: f64, end: f64) -> Outcome {
        let (offset, velocity) = self.offset(from);
        let gap = offset.length() - self.radii;
        let resolution = touch_distance(self.a, self.b, from);
        let closing = offset.dot(velocity) < 0.0;
        if gap < -resolution {
            return Outcome::Overlap(from);
        }
        if gap <= resolution && closing {
            return Outcome::Touch(self.touch(from));
        }
        let speed = velocity.length();
        if !closing || speed == 0.0 {
            return Outcome::Never;
        }
        let nearest = from - offset.dot(velocity) / velocity.length_squared();
        if !nearest.is_finite() {
            return Outcome::Never;
        }
        self.search(nearest, speed, from, end)
    }

    /// The touch before the time of closest approach.
    fn search(&self, nearest: f64, speed: f64, from: f64, end: f64) -> Outcome {
        let (offset, velocity) = self.offset(nearest);
        // Rounding of that time leaves a part along the velocity, which belongs to time, not to the distance.
        let along = offset.dot(velocity) / velocity.length_squared();
        let least = (offset - along * velocity).length();
        let resolution = touch_distance(self.a, self.b, nearest.min(end));
        let aim = self.radii + 0.5 * resolution;
        if least >= aim {
            return Outcome::Never;
        }
        let way = ((aim - least) * (aim + least)).sqrt();
        let mut time = (nearest - along - way / speed).max(from);
        for _ in 0..MOST_CORRECTIONS {
            let gap = self.gap(time);
            let (offset, velocity) = self.offset(time);
            let rate = -offset.dot(velocity) / offset.length();
            if gap > 0.0 && gap <= resolution || time <= from && gap > -resolution {
                break;
            }
            let step = (gap - 0.5 * resolution) / rate.max(f64::MIN_POSITIVE);
            let next = if gap > 0.0 {
                (time + step).min(nearest)
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
        let center_b = self.b.motion.state_at(time).position;
        let radius_b = match self.b.convex {
            Convex::Ball(ball) => ball.radius(),
            _ => 0.0,
        };
        Touch {
            time,
            point: center_b + (radius_b + 0.5 * distance) * normal,
            normal,
            distance,
            speed: normal.dot(velocity),
            features: [Feature::Face(0); 2],
        }
    }
}
