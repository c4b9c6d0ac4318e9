//! The way from the first touch to the end: sliding, sticking, sliding anew.

use glam::{DVec2, DVec3};

use super::Ending;
use super::contact::Slip;
use super::course::Course;
use super::line::{Line, LineEnd};
use super::step::step;
use super::tail;
use crate::tolerances::{
    DEGENERATE, MOST_COLLISION_STEPS, NEAR_RAY, RAY_ROUNDING, STICK_ERRORS, TAIL_SHARE,
};

/// Runs a collision to its end.
pub(super) fn run(course: &mut Course) -> Ending {
    for _ in 0..MOST_COLLISION_STEPS {
        let slip = course.velocity.truncate();
        let speed = slip.length();
        if speed <= STICK_ERRORS * course.error {
            return stick(course);
        }
        let here = course.contact.slip(slip / speed);
        if here.turn.abs() <= RAY_ROUNDING * course.contact.rate {
            return straight(course, &here, speed);
        }
        if let Some(ray) = ray_ahead(course, &here, speed) {
            if is_on(course, &here, &ray, speed) {
                return straight(course, &ray, speed);
            }
            if tail::finish(course, &ray) {
                return stick(course);
            }
        }
        if !step(course) {
            return Ending::Jammed;
        }
        if course.is_over() {
            return Ending::Slides;
        }
    }
    Ending::Jammed
}

/// The ray that sliding is so near to that it could be followed.
fn ray_ahead(course: &Course, here: &Slip, speed: f64) -> Option<Slip> {
    let angle = (here.turn / here.bend).abs();
    let near = angle < NEAR_RAY && angle * angle * speed <= TAIL_SHARE * course.error;
    if near { course.contact.ray_near(here) } else { None }
}

/// Whether sliding may be taken to be along a ray.
fn is_on(course: &Course, here: &Slip, ray: &Slip, speed: f64) -> bool {
    ray.along.dot(here.along) > 0.0 && ray.along.perp_dot(here.along).abs() * speed <= course.error
}

/// Slides straight on along a unit vector to the end of sliding or of the collision.
fn straight(course: &mut Course, slip: &Slip, speed: f64) -> Ending {
    course.velocity = (speed * slip.along).extend(course.velocity.z);
    let line = Line::sliding(course, slip.along, slip.growth);
    let limit = if slip.growth < 0.0 { speed / -slip.growth } else { f64::INFINITY };
    match line.follow(course, limit) {
        LineEnd::Over => Ending::Slides,
        LineEnd::Jammed => Ending::Jammed,
        LineEnd::Limit => stick(course),
    }
}

/// Where sliding has ended: friction holds if it can, or sliding begins anew along the diverging ray.
fn stick(course: &mut Course) -> Ending {
    let contact = course.contact;
    course.velocity = DVec2::ZERO.extend(course.velocity.z);
    let hold = contact.hold();
    let (line, ending) = if hold.length() <= contact.mu {
        let lift = contact.c - contact.s.dot(hold);
        if lift <= DEGENERATE * contact.c {
            return Ending::Jammed;
        }
        let velocity = DVec3::new(0.0, 0.0, lift);
        (Line { impulse: (-hold).extend(1.0), velocity }, Ending::Sticks)
    } else {
        let ray = contact.diverging_ray();
        let growth = contact.slip(ray).growth;
        (Line::sliding(course, ray, growth), Ending::Diverges)
    };
    match line.follow(course, f64::INFINITY) {
        LineEnd::Over => ending,
        LineEnd::Limit | LineEnd::Jammed => Ending::Jammed,
    }
}
