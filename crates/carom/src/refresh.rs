//! Phase 4 of an instant: motions, boxes and bounds of everything that changed.
//!
//! What is made of a group is a pure function of the group, the gravity and the time, so groups can be
//! worked in any order and by any number of threads; results are put in place in the order of the groups.

use carom_dynamics::{Ballistic, Motion};

use crate::arena::Handle as _;
use crate::body::BodyId;
use crate::coupled;
use crate::coupled::{Coupled, Renewed, Restart};
use crate::error::Fault;
use crate::event::EventKind;
use crate::group::{Group, GroupId, Struck, System};
use crate::owners::{body_entry, span_entry};
use crate::queue::Entry;
use crate::transitions::Break;
use crate::windows::Boxes;
use crate::world::World;

/// What phase 4 makes of a group.
#[derive(Debug)]
pub(crate) struct Remade {
    /// How it goes on, if it was restarted or its prediction ended.
    onward: Option<Onward>,
    /// What takes it apart: then nothing else is made of it, but of what it falls into.
    apart: Option<Apart>,
    /// New windows and boxes of its members.
    boxes: Boxes,
}

/// What takes a linkage apart at the end of an instant, and the state in which it does.
#[derive(Debug)]
struct Apart {
    /// Joints that break.
    broken: Vec<Break>,
    /// Pairs that no longer touch.
    leaving: Vec<[BodyId; 2]>,
    /// Pairs that have to move along.
    joining: Vec<[BodyId; 2]>,
    restart: Restart,
}

impl Apart {
    const fn in_state(restart: Restart) -> Self {
        Self { broken: Vec::new(), leaving: Vec::new(), joining: Vec::new(), restart }
    }
}

impl Remade {
    fn apart(apart: Apart) -> Self {
        Self { onward: None, apart: Some(apart), boxes: Boxes::new() }
    }
}

/// How a free group goes on.
#[derive(Debug)]
enum Onward {
    Flight(Motion),
    Course(Renewed),
}

/// How often groups may be taken apart and put together at the end of one instant.
const MOST_TAKEN_APART: u64 = 1000;

/// Joints that break, pairs that no longer touch, and such that have to move along.
#[derive(Debug, Default)]
struct TakenApart {
    breaks: Vec<Break>,
    leaving: Vec<[BodyId; 2]>,
    joining: Vec<[BodyId; 2]>,
}

impl World {
    /// Makes dirty groups anew, and the boxes whose windows end. Where joints break, pairs no longer touch or others have to
    /// move along, again, until nothing of that kind happens.
    pub(crate) fn remake(&mut self, at: f64, due: &[Entry]) -> Result<(), Fault> {
        let mut due = due;
        for _ in 0..MOST_TAKEN_APART {
            let TakenApart { breaks, leaving, mut joining } = self.remake_once(at, due)?;
            if breaks.is_empty() && leaving.is_empty() && joining.is_empty() {
                return Ok(());
            }
            for broken in &breaks {
                self.break_joint(broken)?;
            }
            joining.retain(|pair| !self.state.lasting.contains_key(pair));
            self.join_pairs(&joining)?;
            self.leave_pairs(&leaving)?;
            due = &[];
        }
        let bodies: Vec<BodyId> = self.scratch.dirty.clone();
        let (time, bodies) = (self.state.now, self.listed(&bodies));
        Err(Fault::Cascade { time, rounds: MOST_TAKEN_APART, bodies })
    }

    fn remake_once(&mut self, at: f64, due: &[Entry]) -> Result<TakenApart, Fault> {
        let TakenApart { mut breaks, mut leaving, mut joining } = TakenApart::default();
        let groups = self.groups_to_remake(due);
        let mut remade = std::mem::take(&mut self.scratch.remade);
        self.scratch.workers.map(&groups, &mut remade, |&id| self.remade(id, at));
        for (id, remade) in groups.iter().zip(remade.drain(..)) {
            let remade = remade.map_err(|reason| self.lost_linkage(*id, at, reason))?;
            let Some(apart) = remade.apart else {
                self.put_in_place(*id, remade, at)?;
                continue;
            };
            breaks.extend(apart.broken);
            leaving.extend(apart.leaving);
            joining.extend(apart.joining);
            self.restart(*id, Struck::Linkage(apart.restart));
        }
        self.scratch.groups = groups;
        self.scratch.remade = remade;
        Ok(TakenApart { breaks, leaving, joining })
    }

    /// How a coupled group goes on from now.
    pub(crate) fn renewed(
        &self,
        group: &Group,
        coupled: &Coupled,
    ) -> Result<coupled::Onward, String> {
        if let Some(reason) = self.refused_contact(coupled) {
            return Err(reason);
        }
        let meets = self.surfaces_of(group, coupled, self.state.now);
        let may_sleep = !self.model.contact.sleepless;
        let guards = || self.guards_of(group);
        coupled.renewed(self.state.now, self.model.gravity, meets, &guards, may_sleep)
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
                match self.renewed(group, coupled)? {
                    coupled::Onward::Course(renewed) => Some(Onward::Course(*renewed)),
                    coupled::Onward::Breaks(broken, restart) => {
                        return Ok(Remade::apart(Apart { broken, ..Apart::in_state(restart) }));
                    }
                    coupled::Onward::Leaves(leaving, restart) => {
                        return Ok(Remade::apart(Apart { leaving, ..Apart::in_state(restart) }));
                    }
                    coupled::Onward::Crowded(joining, restart) => {
                        return Ok(Remade::apart(Apart { joining, ..Apart::in_state(restart) }));
                    }
                }
            }
            System::Passive(_) | System::Coupled(_) => None,
        };
        let boxes = match (&group.system, &onward) {
            (System::Coupled(coupled), Some(Onward::Course(renewed))) => {
                self.boxes_of_links(group, renewed.course(), &mut coupled.view(), at)
            }
            (System::Coupled(coupled), None) if let Some(course) = coupled.course() => {
                self.boxes_of_links(group, course, &mut coupled.view(), at)
            }
            (_, Some(Onward::Flight(motion))) => self.boxes(group, |_| motion, at),
            _ => self.boxes(group, |member| group.motion_of(member), at),
        };
        Ok(Remade { onward, apart: None, boxes })
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
        if let Some((flow, notes)) = flow {
            self.book_flow(&flow);
            self.tell_notes(id, &notes);
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
