//! One Taylor step of sliding, up to the next event.
//!
//! u_z' = r·(c − μs·û), and û turns one way only, so u_z' changes sign at most where û enters and leaves the arc
//! around s in which μs·û > c. A step that passes such a place ends there; u_z is then monotone, and each
//! event has at most one place.

use glam::DVec2;

use super::RestitutionLaw;
use super::course::{Course, Event, Phase};
use super::root::{root, value};
use super::series::{COUNT, Coefficients, ORDER, Series};
use crate::tolerances::LEVEL_SHARE;

/// Slides by one step.
pub(super) fn step(course: &mut Course) {
    let contact = course.contact;
    let series = Series::new(contact, course.velocity);
    let mut reach = series.reach(course.error);
    if contact.dips() {
        reach = monotone_reach(course, &series, reach);
    }
    let (by, event) = next_event(course, &series, reach);
    let gain = series.gain(contact, by);
    course.velocity += contact.response(gain.impulse);
    course.add(&gain);
    if let Some(event) = event {
        course.pass(event);
    }
}

/// The part of a step in which u_z is monotone.
fn monotone_reach(course: &Course, series: &Series, mut reach: f64) -> f64 {
    let contact = course.contact;
    let slip = |at: f64| DVec2::new(value(&series.x, at), value(&series.y, at));
    let start = DVec2::new(series.x[0], series.y[0]);
    let mut end = slip(reach);
    // Less than a right angle, so that it is clear which arc was passed.
    while start.dot(end) <= 0.0 && reach > 0.0 {
        reach *= 0.5;
        end = slip(reach);
    }
    let (before, after) = (contact.s.perp_dot(start), contact.s.perp_dot(end));
    if before * after < 0.0 && contact.s.dot(start + end) > 0.0 {
        let mut crossing = [0.0; COUNT];
        for (k, coefficient) in crossing.iter_mut().enumerate() {
            *coefficient = contact.s.perp_dot(DVec2::new(series.x[k], series.y[k]));
        }
        reach = root(&crossing, 0.0, reach);
    }
    let slopes = derivative(&series.z);
    let (before, after) = (slopes[0], value(&slopes, reach));
    let level = before.abs() <= LEVEL_SHARE * contact.c * series.r[0];
    if before * after < 0.0 && !level { root(&slopes, 0.0, reach) } else { reach }
}

fn derivative(of: &Coefficients) -> Coefficients {
    let mut all = [0.0; COUNT];
    for k in 0..ORDER {
        all[k] = (k as f64 + 1.0) * of[k + 1];
    }
    all
}

/// How far to the next event or the end of the step, and the event.
fn next_event(course: &Course, series: &Series, reach: f64) -> (f64, Option<Event>) {
    let end = value(&series.z, reach);
    let reaches = |aim: f64, event: Event| {
        if end >= aim { (root(&series.z, aim, reach), Some(event)) } else { (reach, None) }
    };
    match course.phase {
        Phase::Compression => reaches(0.0, Event::Turns),
        Phase::Extension => reaches(course.least_rebound, Event::Leaves),
        Phase::Over => (0.0, None),
        Phase::Restitution => {
            let falls = end < 0.0;
            let reach = if falls { root(&series.z, 0.0, reach) } else { reach };
            let (measure, end) = match course.law {
                RestitutionLaw::Newton => (series.z, end),
                RestitutionLaw::Stronge => measured(series.work(course.work), reach),
                RestitutionLaw::Poisson => measured(series.push(course.push), reach),
            };
            if end >= course.goal {
                return (root(&measure, course.goal, reach), Some(Event::Meets));
            }
            (reach, falls.then_some(Event::Falls))
        }
    }
}

/// A polynomial with its value at the end.
fn measured(polynomial: Coefficients, end: f64) -> (Coefficients, f64) {
    (polynomial, value(&polynomial, end))
}
