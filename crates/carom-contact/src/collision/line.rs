//! Motion along a straight line in p_z: sliding along a ray, and sticking.
//!
//! u = u₀ + h·Δ and W_z = u_z·Δ + ½h_z·Δ², so every event has a closed form (M 3.10 to 3.12). Restitution's work R is
//! done after Δ = 2R/(u_z + √(u_z² + 2h_z·R)); if u_z falls, it may reach 0 before.

use glam::{DVec2, DVec3};

use super::RestitutionLaw;
use super::course::{Course, Event, Phase};
use crate::tolerances::DEGENERATE;

/// A direction of motion, per normal impulse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// dp/dp_z.
    pub(super) impulse: DVec3,
    /// du/dp_z.
    pub(super) velocity: DVec3,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// With the collision.
    Over,
    /// At its limit.
    Limit,
    /// Never.
    Jammed,
}

impl Line {
    /// Sliding along a unit vector that does not turn.
    pub(super) fn sliding(course: &Course, along: DVec2, growth: f64) -> Self {
        let contact = course.contact;
        Self {
            impulse: (-contact.mu * along).extend(1.0),
            velocity: (growth * along).extend(contact.lift(along)),
        }
    }

    /// Follows the line to the end of the collision, or for the normal impulse `limit`.
    pub(super) fn follow(&self, course: &mut Course, mut limit: f64) -> LineEnd {
        loop {
            let (ahead, event) = next_event(course, self.velocity.z);
            if ahead >= limit && limit.is_finite() {
                self.advance(course, limit);
                return LineEnd::Limit;
            }
            let lifts = self.velocity.z > DEGENERATE * course.contact.c;
            if !ahead.is_finite() || (limit == f64::INFINITY && !lifts) {
                return LineEnd::Jammed;
            }
            self.advance(course, ahead);
            course.pass(event);
            if course.is_over() {
                return LineEnd::Over;
            }
            limit -= ahead;
        }
    }

    fn advance(&self, course: &mut Course, by: f64) {
        let before = course.velocity.z;
        course.velocity += by * self.velocity;
        course.add(by * self.impulse, 0.5 * (before + course.velocity.z) * by);
    }
}

/// The normal impulse until the next event and what it is, where u_z changes by `slope` per normal impulse.
fn next_event(course: &Course, slope: f64) -> (f64, Event) {
    let speed = course.velocity.z;
    let until =
        |aim: f64| if slope > 0.0 { ((aim - speed) / slope).max(0.0) } else { f64::INFINITY };
    match course.phase {
        Phase::Compression => (until(0.0), Event::Turns),
        Phase::Extension => (until(course.least_rebound), Event::Leaves),
        Phase::Over => (f64::INFINITY, Event::Leaves),
        Phase::Restitution => {
            let falls = if slope < 0.0 { speed / -slope } else { f64::INFINITY };
            let left = course.left();
            let meets = match course.law {
                RestitutionLaw::Stronge => {
                    let square = speed * speed + 2.0 * slope * left;
                    if square >= 0.0 { 2.0 * left / (speed + square.sqrt()) } else { f64::INFINITY }
                }
                RestitutionLaw::Poisson => left,
                RestitutionLaw::Newton => until(course.goal),
            };
            if meets <= falls { (meets, Event::Meets) } else { (falls, Event::Falls) }
        }
    }
}
