//! From course to course: what settles at the end of one, and how the next is made.

use std::sync::Arc;

use carom_dynamics::Motion;
use carom_dynamics::collocation::IntegrationError;
use carom_dynamics::linkage::{Ahead, Course, Drive, Mode, StopStrike, Transition};
use carom_dynamics::spatial::ForceVector;
use glam::DVec3;

use super::{Coupled, Energies, Flow, Onward, Renewed, Restart, Toll, contacts_of, energies, flow};
use crate::body::BodyId;
use crate::event::JointLoad;
use crate::lasting::Meets;
use crate::transitions::{self, Break, Note};

/// Transitions of one linkage at one instant that are taken to come to an end.
const MOST_AT_ONCE: usize = 64;

/// What opening gaps came to.
enum Lifted {
    /// It added so much energy `[J]`.
    By(f64),
    /// There is no room unless these pairs move along.
    Crowded(Vec<[BodyId; 2]>),
}

impl Coupled {
    /// The next course, from a time that its present one has come to or in which it was changed.
    pub(crate) fn renewed(
        &self,
        time: f64,
        gravity: DVec3,
        meets: Option<Arc<Meets>>,
        guards: &dyn Fn() -> Meets,
        may_sleep: bool,
    ) -> Result<Onward, String> {
        let (mut q, mut v) = self.joint_state(time);
        let mut mode = self.mode.clone();
        mode.set_contacts(contacts_of(meets.as_ref()));
        let mut toll = self.restart.as_ref().map(|it| it.toll.clone()).unwrap_or_default();
        match self.lift(time, &mut q, &v, gravity, (&mode, guards))? {
            Lifted::By(energy) => toll.lifted += energy,
            Lifted::Crowded(pairs) => return Ok(Onward::Crowded(pairs, self.state_of(q, v))),
        }
        let ended = self.course.as_ref().filter(|_| self.restart.is_none());
        let mut broken = self.broken_by(&toll.carried, &q);
        broken.extend(ended.and_then(|course| self.broken_at_the_end_of(course)));
        let mut transition = ended.and_then(|course| course.transition());
        let drive = self.drive_now(gravity);
        // What is due at once ends a course where it begins.
        for _ in 0..MOST_AT_ONCE {
            if !broken.is_empty() {
                return Ok(Onward::Breaks(broken, Restart { toll, ..self.state_of(q, v) }));
            }
            self.settle_all(
                time,
                &q,
                &mut v,
                &drive,
                transition,
                (&mut mode, &mut toll, meets.as_ref()),
            )?;
            let idle = meets.as_ref().map(|it| it.idle_pairs(mode.contacts().active()));
            if let Some(idle) = idle.filter(|pairs| !pairs.is_empty()) {
                return Ok(Onward::Leaves(idle, Restart { toll, ..self.state_of(q, v) }));
            }
            broken = self.broken_by(&toll.carried, &q);
            if !broken.is_empty() {
                continue;
            }
            if may_sleep && self.can_sleep(time, [&q, &v], &drive, &mode) {
                toll.loss += self.linkage.kinetic_energy(&q, &v, &mut self.room());
                let made = self.asleep(time, &q, mode, &drive);
                return Ok(Onward::Course(Box::new(Renewed { toll, meets, ..made })));
            }
            let made = self
                .made(time, [&q, &v], mode.clone(), gravity, self.ahead.clone())
                .map_err(|it| it.to_string())?;
            transition = made.course.transition();
            if made.course.span().end > time {
                return Ok(Onward::Course(Box::new(Renewed { toll, meets, ..made })));
            }
            broken.extend(self.broken_at_the_end_of(&made.course));
        }
        Err("its joints and contacts stick, slip, strike and part all at once, without end"
            .to_owned())
    }

    /// Impacts on stops and of contacts, and the mode that follows.
    fn settle_all(
        &self,
        time: f64,
        q: &[f64],
        v: &mut [f64],
        drive: &Drive,
        transition: Option<Transition>,
        (mode, toll, meets): (&mut Mode, &mut Toll, Option<&Arc<Meets>>),
    ) -> Result<(), String> {
        let (before, mut room) = (v.to_vec(), self.room());
        let settled = self
            .linkage
            .settle(q, v, drive, transition, mode, &mut room)
            .map_err(|it| it.to_string())?;
        toll.loss += settled.loss;
        if settled.strikes > 0 {
            toll.strikes.extend_from_slice(room.strikes());
            let jump = [&before[..], &v[..]];
            if self.linkage.breaks_by_impulses() {
                self.linkage.carried_impulses(q, jump, &[], &mut room, &mut toll.carried);
            }
        }
        let met = self
            .linkage
            .settle_contacts(time, q, v, drive, mode, &mut room)
            .map_err(|it| it.to_string())?;
        toll.loss += met.loss;
        toll.driven_work += met.driven;
        if let Some(meets) = meets {
            toll.pushes.extend(meets.pushes(&met.impulses));
        }
        Ok(())
    }

    fn can_sleep(&self, time: f64, [q, v]: [&[f64]; 2], drive: &Drive, mode: &Mode) -> bool {
        self.linkage.can_sleep(time, q, v, drive, mode, &mut self.room())
    }

    /// The course of a linkage that stays where it is.
    pub(crate) fn asleep(&self, time: f64, q: &[f64], mode: Mode, drive: &Drive) -> Renewed {
        let course = Course::at_rest(Arc::clone(&self.linkage), time, q, &mode, drive);
        Renewed {
            course: Arc::new(course),
            mode,
            toll: Toll::default(),
            meets: None,
            // Nothing is integrated.
            before: Ahead::new(),
            ahead: Ahead::new(),
        }
    }

    /// True of a linkage that stays where it is.
    pub(crate) fn is_asleep(&self) -> bool {
        self.restart.is_none() && self.course.as_ref().is_some_and(|it| it.is_at_rest())
    }

    /// Opens the gaps of contacts that are too small; the energy that this adds `[J]`.
    fn lift(
        &self,
        time: f64,
        q: &mut Vec<f64>,
        v: &[f64],
        gravity: DVec3,
        (mode, guards): (&Mode, &dyn Fn() -> Meets),
    ) -> Result<Lifted, String> {
        let mut room = self.room();
        if !self.linkage.has_low_contacts(time, q, mode.contacts(), &mut room) {
            return Ok(Lifted::By(0.0));
        }
        let total = |energies: Energies| energies.kinetic + energies.potential;
        let before = total(energies(&self.linkage, [q, v], gravity, &mut room));
        drop(room);
        let guards = guards();
        let mut room = self.room();
        let stood = q.clone();
        if let Err(error) = self.linkage.lift_contacts(time, q, mode.contacts(), &guards, &mut room)
        {
            *q = stood;
            let pairs = guards.strangers(&self.lasting);
            if pairs.is_empty() {
                return Err(format!("there is no room for the gaps of its contacts: {error}"));
            }
            return Ok(Lifted::Crowded(pairs));
        }
        Ok(Lifted::By(total(energies(&self.linkage, [q, v], gravity, &mut room)) - before))
    }

    /// A course from its beginning, as it was made once.
    pub(crate) fn made(
        &self,
        time: f64,
        [q, v]: [&[f64]; 2],
        mode: Mode,
        gravity: DVec3,
        before: Ahead,
    ) -> Result<Renewed, IntegrationError> {
        let drive = self.drive_now(gravity);
        let mut ahead = before.clone();
        let surfaces = mode.contacts().surfaces();
        let latest = surfaces.map_or(f64::INFINITY, |it| it.smooth_until(time));
        let mut room = self.room();
        let course =
            self.linkage.extend(time, q, v, &mode, &drive, latest, &mut ahead, &mut room)?;
        let course = Arc::new(course);
        Ok(Renewed { course, mode, toll: Toll::default(), meets: None, before, ahead })
    }

    /// Follows a new course; what the old one has done up to `time` is returned, and what there is to tell.
    pub(crate) fn follow(&mut self, renewed: Renewed, time: f64) -> (Flow, Vec<Note>) {
        let mut flow = self.flow(time);
        let Renewed { course, mode, toll, meets, before, ahead } = renewed;
        let strikes = toll.booked(&mut flow);
        let is_known = |freedom| self.known[self.linkage.tree().link_of_freedom(freedom)];
        let mut notes = transitions::notes(strikes, [&self.mode, &mode], is_known);
        if let Some(old) = self.course.as_ref().filter(|_| !self.elements.is_empty()) {
            notes.extend(transitions::ropes(&self.elements, old, &course));
        }
        self.known.fill(true);
        self.mode = mode;
        self.motions.clear();
        self.motions.extend((0..self.links.len()).map(|link| Motion::Linked(course.link(link))));
        (self.before, self.ahead) = (before, ahead);
        self.course = Some(course);
        self.meets = meets;
        self.restart = None;
        (flow, notes)
    }

    /// What the joint of a link carries at a time of the present course, just before if the linkage was struck at this instant.
    pub(crate) fn load(&self, link: usize, time: f64) -> Option<JointLoad> {
        self.course.as_ref().and_then(|course| self.load_on(course, link, time))
    }

    fn load_on(&self, course: &Course, link: usize, time: f64) -> Option<JointLoad> {
        let (mut loads, mut room) = (Vec::new(), self.room());
        course.loads(time.min(course.span().end), &mut room, &mut loads).ok()?;
        Some(JointLoad::of(loads.get(link)?, room.link_pose(link).translation))
    }

    fn broken_at_the_end_of(&self, course: &Course) -> Option<Break> {
        let (link, overload) = course.breaks()?;
        let joint = self.links[link].joint?;
        let load = self.load_on(course, link, course.span().end)?;
        Some(Break { joint, overload, load })
    }

    /// The joints for which impulses were too much.
    fn broken_by(&self, carried: &[ForceVector], q: &[f64]) -> Vec<Break> {
        if carried.is_empty() {
            return Vec::new();
        }
        let still = vec![0.0; self.linkage.tree().n_v()];
        let mut room = self.room();
        self.linkage.place(q, &still, &mut room);
        let joint = |link: usize| Some((self.links[link].joint?, room.link_pose(link).translation));
        transitions::broken_by_impulses(&self.linkage, carried, joint)
    }

    /// What is to be booked and told of it where it is taken apart.
    pub(crate) fn closed(&self, time: f64) -> (Flow, Vec<Note>) {
        let mut flow = self.flow(time);
        let Some(restart) = &self.restart else { return (flow, Vec::new()) };
        let strikes = restart.toll.clone().booked(&mut flow);
        (flow, transitions::notes(strikes, [&self.mode, &self.mode], |_| false))
    }

    /// What the present course has done up to a time.
    pub(crate) fn flow(&self, time: f64) -> Flow {
        let Some(course) = &self.course else { return Flow::default() };
        let (mut flow, impulses) = flow(course, time, &mut self.room());
        if let Some(meets) = &self.meets {
            flow.pushes = meets.pushes(&impulses);
        }
        flow
    }

    /// −Σ m·g·x for this gravity `[J]`.
    pub(crate) fn weight_energy(&self, time: f64, gravity: DVec3) -> f64 {
        let (q, _) = self.joint_state(time);
        self.linkage.potential_energy(&q, gravity, &mut self.room())
    }

    /// Energies at a time; within an instant, those that it has made so far.
    pub(crate) fn energies(&self, time: f64, gravity: DVec3) -> Energies {
        let (q, v) = self.joint_state(time);
        energies(&self.linkage, [&q, &v], gravity, &mut self.room())
    }
}

impl Toll {
    /// Adds it to what a course has done; the stops that were struck remain.
    fn booked(self, flow: &mut Flow) -> Vec<StopStrike> {
        flow.stopped = self.loss;
        flow.work += self.driven_work;
        flow.hold += self.lifted;
        flow.pushes.extend(self.pushes);
        self.strikes
    }
}
