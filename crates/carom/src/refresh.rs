//! Phase 4 of an instant: motions, boxes and bounds of everything that changed.
//!
//! What is made of a group is a pure function of the group, the gravity and the time, so groups can be
//! worked in any order and by any number of threads; results are put in place in the order of the groups.

use carom_contact::touch::{Rigid, share_of_touch};
use carom_dynamics::{Ballistic, Motion, Span};
use carom_geometry::Aabb;
use glam::DVec3;
use smallvec::SmallVec;

use crate::arena::Handle as _;
use crate::body::{BodyId, BodyModel};
use crate::coupled::Renewed;
use crate::error::Fault;
use crate::event::EventKind;
use crate::group::{Group, GroupId, Member, System};
use crate::owners::{body_entry, span_entry};
use crate::queue::Entry;
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

/// What phase 4 makes of a group.
#[derive(Debug)]
pub(crate) struct Remade {
    /// How it goes on, if it was restarted or its prediction ended.
    onward: Option<Onward>,
    /// New windows and boxes of its members.
    boxes: SmallVec<[(BodyId, Span, Aabb); 1]>,
}

/// How a free group goes on.
#[derive(Debug)]
enum Onward {
    Flight(Motion),
    Course(Renewed),
}

impl World {
    /// Makes dirty groups anew, and the boxes whose windows end.
    pub(crate) fn remake(&mut self, at: f64, due: &[Entry]) -> Result<(), Fault> {
        let groups = self.groups_to_remake(due);
        let mut remade = std::mem::take(&mut self.scratch.remade);
        self.scratch.workers.map(&groups, &mut remade, |&id| self.remade(id, at));
        for (id, remade) in groups.iter().zip(remade.drain(..)) {
            let remade = remade.map_err(|reason| self.lost_linkage(*id, at, reason))?;
            self.put_in_place(*id, remade, at)?;
        }
        self.scratch.groups = groups;
        self.scratch.remade = remade;
        Ok(())
    }

    /// Dirty groups, and those of bodies whose windows end, in order.
    fn groups_to_remake(&mut self, due: &[Entry]) -> Vec<GroupId> {
        let mut groups = std::mem::take(&mut self.scratch.groups);
        groups.clear();
        groups.extend(self.scratch.dirty.drain(..).map(GroupId));
        for entry in due {
            let body = BodyId::of(entry.owner as u32, entry.generation);
            match entry.kind {
                EventKind::Box => {
                    groups.extend(self.state.bodies.get(body).map(|record| record.group));
                }
                // What was predicted from the old course ends with it.
                EventKind::Span => {
                    if let Some(group) = self.state.groups.get_mut(GroupId(body)) {
                        group.dirty = true;
                        groups.push(GroupId(body));
                    }
                }
                _ => {}
            }
        }
        groups.sort_unstable();
        groups.dedup();
        // A dirty group may have been taken apart or renamed since.
        groups.retain(|id| self.state.groups.get(*id).is_some());
        groups
    }

    fn remade(&self, id: GroupId, at: f64) -> Result<Remade, String> {
        let group = self.group(id);
        let gravity = self.model.gravity;
        let onward = match &group.system {
            System::Free(body) => body.restart.map(|state| {
                let arc = Ballistic::new(at, state, gravity, &body.mass);
                Onward::Flight(Motion::Ballistic(arc))
            }),
            System::Coupled(coupled) if coupled.is_restarted() || coupled.is_at_its_end(at) => {
                Some(Onward::Course(coupled.renewed(at, gravity)?))
            }
            System::Passive(_) | System::Coupled(_) => None,
        };
        let ends = |member: &&Member| {
            group.dirty
                || self.state.bodies.get(member.body).is_some_and(|body| body.window.end <= at)
        };
        let radii = self.model.settings.window_radii;
        let boxed = |member: &Member| {
            let linked;
            let current = match &onward {
                None => group.motion_of(member),
                Some(Onward::Flight(motion)) => motion,
                Some(Onward::Course(renewed)) => {
                    linked = renewed.motion(member.link);
                    &linked
                }
            };
            let body = self.state.bodies.get(member.body)?;
            let model = &body.model;
            let crowded = self.scratch.broad.partner_count(member.body.index()) > CROWDED;
            let pace = Pace::of(&body.window, at, group.dirty, crowded);
            let window = window_of(current, member, model, at, radii, pace);
            Some((member.body, window, swept(current, member, model, window)))
        };
        let boxes = group.members.iter().filter(ends).filter_map(boxed).collect();
        Ok(Remade { onward, boxes })
    }

    fn put_in_place(&mut self, id: GroupId, remade: Remade, at: f64) -> Result<(), Fault> {
        let Some(group) = self.state.groups.get_mut(id) else { return Ok(()) };
        let was_dirty = group.dirty;
        group.dirty = false;
        let flow = match (&mut group.system, remade.onward) {
            (System::Free(body), Some(Onward::Flight(motion))) => {
                body.motion = motion;
                body.restart = None;
                None
            }
            (System::Coupled(coupled), Some(Onward::Course(renewed))) => {
                Some(coupled.follow(renewed, at))
            }
            _ => None,
        };
        if was_dirty {
            self.scratch.queue_end_of(id, group, at);
        }
        if let Some(flow) = flow {
            self.book_flow(&flow);
        }
        for (body, window, swept) in remade.boxes {
            let Some(record) = self.state.bodies.get_mut(body) else { continue };
            let finite = swept.min.is_finite() && swept.max.is_finite();
            if record.model.radius.is_finite() && !finite {
                return Err(Fault::NotFinite { time: at, body: record.model.name.clone() });
            }
            record.window = window;
            record.swept = swept;
            if was_dirty {
                record.epoch += 1;
                record.since = at;
                self.scratch.changed.push(body);
            }
            self.scratch.moved.push(body);
            self.scratch.queue.push(body_entry(EventKind::Box, body, window.end));
        }
        Ok(())
    }

    fn lost_linkage(&self, id: GroupId, time: f64, reason: String) -> Fault {
        let bodies: Vec<BodyId> = self.group(id).members.iter().map(|it| it.body).collect();
        Fault::Linkage { time, bodies: self.listed(&bodies), reason }
    }
}

impl crate::world::Scratch {
    fn queue_end_of(&mut self, id: GroupId, group: &Group, at: f64) {
        if let Some(entry) = span_entry(id.0, group, at) {
            self.queue.push(entry);
        }
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
///
/// With speed v and acceleration a the path after h is at most v·h + ½a·h², which stays below ℓ for
/// h = ℓ/(v + √(½aℓ)). Turning counts as travelling: searches look ahead as far as windows do, and have to follow every
/// turn. A window only decides how often boxes are made, never what happens.
fn window_of(
    motion: &Motion,
    member: &Member,
    model: &BodyModel,
    at: f64,
    radii: f64,
    rhythm: Pace,
) -> Span {
    let end = motion.span(at).end;
    let length = radii * model.radius;
    if matches!(motion, Motion::Fixed(_)) || !length.is_finite() {
        return Span::new(at, end);
    }
    let kinematics = motion.kinematics_at(at);
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
    let duration = duration.min(LONGEST_WINDOW.max(at.abs()));
    Span::new(at, end.min(at + duration))
}

fn swept(motion: &Motion, member: &Member, model: &BodyModel, window: Span) -> Aabb {
    if model.radius.is_infinite() && motion.rotates() {
        return Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
    }
    let frame_from_shape = member.frame_from_shape(model);
    let radius = member.frame_from_body.translation.length() + model.radius;
    let swept = motion.swept_box(window, &model.shape, &frame_from_shape, radius);
    let mover = Rigid { motion, pieces: &model.pieces, frame_from_shape, size: model.size };
    let reach = share_of_touch(&mover, window);
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
