//! One Taylor step of sliding, up to the next event.
//!
//! u_z' = r·(c − μs·û), and û turns one way only, so u_z' changes sign at most where û enters and leaves the arc
//! around s in which μs·û > c. A step that passes such a place ends there; u_z is then monotone, and each
//! event has at most one place.

use super::RestitutionLaw;
use super::course::{Course, Event, Phase};
use super::root::{guess, root, value, zero};
use super::series::{COUNT, Coefficients, ORDER, Series};
use crate::tolerances::{LEVEL_SHARE, SLIP_SHARE};

/// Slides by one step; not if the numbers are out of range.
pub(super) fn step(course: &mut Course) -> bool {
    let contact = course.contact;
    let series = Series::new(contact, course.velocity);
    let mut reach = series.reach(course.error.min(SLIP_SHARE * series.r[0]));
    if contact.dips {
        reach = monotone_reach(course, &series, reach);
    }
    let (by, event) = next_event(course, &series, reach);
    let impulse = series.impulse(contact, by);
    if !impulse.is_finite() {
        return false;
    }
    course.velocity += contact.response(impulse);
    course.add(impulse, series.work(by));
    if let Some(event) = event {
        course.pass(event);
    }
    true
}

/// The part of a step in which u_z is monotone.
fn monotone_reach(course: &Course, series: &Series, mut reach: f64) -> f64 {
    let contact = course.contact;
    let start = series.slip[0];
    let mut end = series.slip_at(reach);
    // Less than a right angle, so that it is clear which arc was passed.
    while start.dot(end) <= 0.0 && reach > 0.0 {
        reach *= 0.5;
        end = series.slip_at(reach);
    }
    let slopes = derivative(&series.z);
    let (first, mut last) = (slopes[0], value(&slopes, reach));
    let level = first.abs() <= LEVEL_SHARE * series.free_lift(contact);
    let passes_s = contact.s.perp_dot(start) * contact.s.perp_dot(end) < 0.0
        && contact.s.dot(start + end) > 0.0;
    if first > 0.0 && last > 0.0 && passes_s && !level {
        let crossing: Coefficients = std::array::from_fn(|k| contact.s.perp_dot(series.slip[k]));
        reach = root(&crossing, 0.0, reach);
        last = value(&slopes, reach);
    }
    if first * last < 0.0 && !level { root(&slopes, 0.0, reach) } else { reach }
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
            let met = match course.law {
                RestitutionLaw::Newton => passing(&series.z, course.goal, reach),
                RestitutionLaw::Stronge => working(series, course.left(), reach),
                RestitutionLaw::Poisson => passing(&series.push(), course.left(), reach),
            };
            met.map_or((reach, falls.then_some(Event::Falls)), |at| (at, Some(Event::Meets)))
        }
    }
}

/// Where a polynomial rises to a goal, if it does before the end.
fn passing(polynomial: &[f64], goal: f64, end: f64) -> Option<f64> {
    (value(polynomial, end) >= goal).then(|| root(polynomial, goal, end))
}

/// Where the work rises to a goal, if it does before the end.
fn working(series: &Series, goal: f64, end: f64) -> Option<f64> {
    if series.work(end) < goal {
        return None;
    }
    let [_, slope, bend] = series.work_expansion(0.0);
    let miss = |at: f64| {
        let [work, slope, bend] = series.work_expansion(at);
        [work - goal, slope, bend]
    };
    Some(zero(miss, -goal, guess([-goal, slope, bend], end), end))
}
