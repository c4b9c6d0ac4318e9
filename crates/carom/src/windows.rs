//! How long boxes hold, and what they are.
//!
//! A window only decides how often boxes are made, never what happens. Links of one linkage have one window, the shortest that any
//! of them asks for: bounds of all links over one window come from one pass outward through the tree
//! ([`Course::window`]), where a window of its own for each link would walk from the root to every link.

use std::sync::Arc;

use carom_contact::touch::{Rigid, share_of_touch, share_of_touch_by};
use carom_dynamics::linkage::{Course, Window};
use carom_dynamics::{Kinematics, Motion, Span};
use carom_geometry::Aabb;
use glam::DVec3;
use smallvec::SmallVec;

use crate::arena::Handle as _;
use crate::body::{BodyId, BodyModel, BodyRecord};
use crate::group::{Group, Member};
use crate::world::World;

/// The shortest window, in units in the last place of the time: shorter ones would not let time pass.
const SHORTEST_WINDOW_ULPS: f64 = 64.0;

/// The longest window of what can move, before a time of this size `[s]`: longer than any run, but finite, so
/// that a box can be computed from both its ends. Later, windows may be as long as the time that has passed, so
/// that even absurd times are reached by a few hundred boxes.
const LONGEST_WINDOW: f64 = 1e12;

/// Neighbours beyond which a window is not made longer than the last: a longer one would have more of them, each with its
/// own search ahead.
const CROWDED: usize = 12;

/// How far ahead boxes are made of a body that was struck, in times since its last one was made. Smaller: boxes are made anew
/// before the next collision comes. Larger: pairs are searched for what will not be.
const FLIGHTS_AHEAD: f64 = 4.0;

/// The least share of its last window that a body gets when it is struck: of two collisions in quick succession the time between
/// says little. Smaller: boxes are made anew many times until they hold for a flight again. Larger: it takes more collisions to
/// fall in with a train.
const SHARE_OF_LAST: f64 = 0.5;

/// New windows and boxes of members of a group.
pub(crate) type Boxes = SmallVec<[(BodyId, Span, Aabb); 1]>;

impl World {
    /// Of members that move as `motion_of` says and whose windows end.
    pub(crate) fn boxes<'a>(
        &'a self,
        group: &'a Group,
        motion_of: impl Fn(&'a Member) -> &'a Motion,
        at: f64,
    ) -> Boxes {
        let radii = self.model.settings.window_radii;
        let boxed = |(member, body, pace): (&'a Member, &'a BodyRecord, Pace)| {
            let (motion, model) = (motion_of(member), &body.model);
            let window = window_of(motion, member, model, at, radii, pace);
            (member.body, window, swept(motion, member, model, window))
        };
        self.ending(group, at).map(boxed).collect()
    }

    /// Of links of a linkage on a course whose windows end.
    pub(crate) fn boxes_of_links(
        &self,
        group: &Group,
        course: &Arc<Course>,
        view: &mut Window,
        at: f64,
    ) -> Boxes {
        let radii = self.model.settings.window_radii;
        course.all_kinematics(at, view);
        let mut end = course.span().end;
        for (member, body, pace) in self.ending(group, at) {
            let kinematics = &view.kinematics[member.link as usize];
            end = end.min(at + duration_of(kinematics, member, &body.model, at, radii, pace));
        }
        let window = Span::new(at, end);
        course.window(window, view);
        let boxed = |(member, body, _): (&Member, &BodyRecord, Pace)| {
            let (link, model) = (member.link as usize, &body.model);
            let motion = Motion::Linked(course.link(link));
            let mover = mover(&motion, member, model);
            let reach =
                || share_of_touch_by(&mover, window, &view.kinematics[link], &view.rates[link]);
            (
                member.body,
                window,
                swept_along(&mover, member, model, &view.boxes[link], window, reach),
            )
        };
        self.ending(group, at).map(boxed).collect()
    }

    /// Members whose windows end, each with its record and what says how long the next one shall be.
    fn ending<'a>(
        &'a self,
        group: &'a Group,
        at: f64,
    ) -> impl Iterator<Item = (&'a Member, &'a BodyRecord, Pace)> {
        group.members.iter().filter_map(move |member| {
            let body = self.state.bodies.get(member.body)?;
            if !group.dirty && body.window.end > at {
                return None;
            }
            let crowded = self.scratch.broad.partner_count(member.body.index()) > CROWDED;
            Some((member, body, Pace::of(&body.window, at, group.dirty, crowded)))
        })
    }
}

/// What the last window of a body says of the next one.
///
/// A body that was struck will be struck again, at rest after about as long: the next window is as long as some of its flights.
/// One that was not flies on, and gets a longer one each time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    /// It shall not be shorter `[s]`.
    least: f64,
    /// Nor longer, unless it has to be `[s]`.
    most: f64,
}

impl Pace {
    fn of(last: &Span, at: f64, struck: bool, crowded: bool) -> Self {
        if struck {
            let lasted = at - last.start;
            let most = (FLIGHTS_AHEAD * lasted).max(SHARE_OF_LAST * last.length());
            return Self { least: 0.0, most: if most > 0.0 { most } else { f64::INFINITY } };
        }
        let least = if crowded { 0.0 } else { 2.0 * last.length() };
        Self { least, most: f64::INFINITY }
    }
}

/// How long a body's box shall hold: until its points have travelled some of its radii, or for some flights if it is struck
/// again and again; or twice as long as the last one if nothing happened to it meanwhile, so that a long flight takes few boxes;
/// or until its motion ends.
fn window_of(
    motion: &Motion,
    member: &Member,
    model: &BodyModel,
    at: f64,
    radii: f64,
    pace: Pace,
) -> Span {
    let end = motion.span(at).end;
    if matches!(motion, Motion::Fixed(_)) || !model.radius.is_finite() {
        return Span::new(at, end);
    }
    let duration = duration_of(&motion.kinematics_at(at), member, model, at, radii, pace);
    Span::new(at, end.min(at + duration))
}

/// The same as a duration, whenever the motion ends `[s]`.
///
/// With speed v and acceleration a the path after h is at most v·h + ½a·h², which stays below ℓ for
/// h = ℓ/(v + √(½aℓ)). Turning counts as travelling: searches look ahead as far as windows do, and have to follow every
/// turn.
fn duration_of(
    kinematics: &Kinematics,
    member: &Member,
    model: &BodyModel,
    at: f64,
    radii: f64,
    rhythm: Pace,
) -> f64 {
    let length = radii * model.radius;
    if !length.is_finite() {
        return f64::INFINITY;
    }
    let arm = kinematics.state.orientation * member.frame_from_body.translation;
    let spin = kinematics.state.angular_velocity;
    let turning = spin.length() * model.radius;
    let speed = (kinematics.state.velocity + spin.cross(arm)).length() + turning;
    let acceleration = kinematics.acceleration
        + kinematics.angular_acceleration.cross(arm)
        + spin.cross(spin.cross(arm));
    let pace = speed + (0.5 * acceleration.length() * length).sqrt();
    let shortest = SHORTEST_WINDOW_ULPS * f64::EPSILON * at.abs().max(f64::MIN_POSITIVE);
    let duration = (length / pace).min(rhythm.most).max(rhythm.least).max(shortest);
    duration.min(LONGEST_WINDOW.max(at.abs()))
}

fn mover<'a>(motion: &'a Motion, member: &Member, model: &'a BodyModel) -> Rigid<'a> {
    let frame_from_shape = member.frame_from_shape(model);
    Rigid { motion, pieces: &model.pieces, frame_from_shape, size: model.size }
}

fn swept(motion: &Motion, member: &Member, model: &BodyModel, window: Span) -> Aabb {
    let mover = mover(motion, member, model);
    let reach = || share_of_touch(&mover, window);
    swept_along(&mover, member, model, &motion.path_box(window), window, reach)
}

/// A box that a body does not leave whose reference point stays in another, and which it may touch from within `reach`.
fn swept_along(
    mover: &Rigid<'_>,
    member: &Member,
    model: &BodyModel,
    path: &Aabb,
    window: Span,
    reach: impl FnOnce() -> f64,
) -> Aabb {
    let Rigid { motion, frame_from_shape, .. } = mover;
    if model.radius.is_infinite() && motion.rotates() {
        return Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
    }
    let radius = member.frame_from_body.translation.length() + model.radius;
    let swept = motion.swept_along(path, window.start, &model.shape, frame_from_shape, radius);
    let reach = reach();
    if reach.is_finite() { swept.padded(reach) } else { swept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_in_a_train_gets_boxes_for_some_of_its_flights() {
        // From a box for a long flight on, struck every millisecond.
        let mut window = Span::new(0.0, 1.0);
        for i in 1..=20 {
            let at = 1e-3 * f64::from(i);
            let pace = Pace::of(&window, at, true, false);
            assert!(pace.most >= FLIGHTS_AHEAD * (at - window.start), "{pace:?}");
            window = Span::new(at, at + pace.most);
        }
        assert!((window.length() - FLIGHTS_AHEAD * 1e-3).abs() < 1e-12, "{window:?}");
    }

    #[test]
    fn a_body_that_flies_on_gets_longer_boxes_and_a_new_one_any() {
        let pace = Pace::of(&Span::new(0.0, 1.0), 1.0, false, false);
        assert_eq!(pace, Pace { least: 2.0, most: f64::INFINITY });
        let crowded = Pace::of(&Span::new(0.0, 1.0), 1.0, false, true);
        assert_eq!(crowded.least, 0.0);
        let never = Span::new(f64::NEG_INFINITY, f64::NEG_INFINITY);
        assert_eq!(Pace::of(&never, 0.0, true, false).most, f64::INFINITY);
        // Struck twice at one time, right at the beginning.
        assert_eq!(Pace::of(&Span::new(1.0, 1.0), 1.0, true, false).most, f64::INFINITY);
    }
}
